// Forward automatic differentiation, for tests: a value and its derivatives in N directions.
// Nested, Dual<Dual<double, 12>, 12> carries second derivatives. The kernels of libfem are
// templates on their scalar, so the code under test is differentiated as it stands; the two
// functions with branches (direction, round_to_integer) get their derivatives from calculus here.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>

#include <Eigen/Core>

#include "libfem/math/angle.hpp"

namespace fem::test {

template <class T, std::size_t N>
struct Dual {
  T value{};
  std::array<T, N> d{};

  Dual() = default;
  Dual(double x) : value(x) {}  // NOLINT(google-explicit-constructor): constants mix in formulas
  explicit Dual(const T& x) requires(!std::same_as<T, double>) : value(x) {}

  /// f(a) with f' = slope at a.
  static Dual chain(const T& f, const T& slope, const Dual& a) {
    Dual r(f);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = slope * a.d[i];
    return r;
  }

  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual r(a.value + b.value);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = a.d[i] + b.d[i];
    return r;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual r(a.value - b.value);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = a.d[i] - b.d[i];
    return r;
  }
  friend Dual operator-(const Dual& a) { return 0.0 - a; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual r(a.value * b.value);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = a.d[i] * b.value + a.value * b.d[i];
    return r;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T inverse = 1.0 / b.value;
    Dual r(a.value * inverse);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = (a.d[i] - r.value * b.d[i]) * inverse;
    return r;
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }

  friend Dual sqrt(const Dual& a) {
    using std::sqrt;
    const T root = sqrt(a.value);
    return chain(root, 0.5 / root, a);
  }
  friend Dual sin(const Dual& a) {
    using std::cos;
    using std::sin;
    return chain(sin(a.value), cos(a.value), a);
  }
  friend Dual cos(const Dual& a) {
    using std::cos;
    using std::sin;
    return chain(cos(a.value), -sin(a.value), a);
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    return angle_of(T(atan2(y.value, x.value)), y, x);
  }
  /// fem::direction, with the derivative of an angle.
  friend Dual direction(const Dual& y, const Dual& x) {
    return angle_of(T(direction(y.value, x.value)), y, x);
  }
  /// fem::round_to_integer: locally constant.
  friend Dual round_to_integer(const Dual& a) { return Dual(T(round_to_integer(a.value))); }

 private:
  static Dual angle_of(const T& angle, const Dual& y, const Dual& x) {
    const T inverse = 1.0 / (x.value * x.value + y.value * y.value);
    Dual r(angle);
    for (std::size_t i = 0; i < N; ++i) {
      r.d[i] = (x.value * y.d[i] - y.value * x.d[i]) * inverse;
    }
    return r;
  }
};

/// First derivatives in N directions.
template <std::size_t N>
using Gradient = Dual<double, N>;

/// Value, gradient and second derivatives in N directions.
template <std::size_t N>
using Hessian = Dual<Dual<double, N>, N>;

/// Independent variable number i.
template <std::size_t N>
[[nodiscard]] Gradient<N> gradient_variable(double x, std::size_t i) {
  Gradient<N> r(x);
  r.d[i] = 1;
  return r;
}
template <std::size_t N>
[[nodiscard]] Hessian<N> hessian_variable(double x, std::size_t i) {
  Hessian<N> r(x);
  r.value.d[i] = 1;
  r.d[i] = 1;
  return r;
}

}  // namespace fem::test

/// Eigen holds Duals as coefficients.
template <class T, std::size_t N>
struct Eigen::NumTraits<fem::test::Dual<T, N>> : Eigen::GenericNumTraits<fem::test::Dual<T, N>> {
  using Real = fem::test::Dual<T, N>;
  using NonInteger = Real;
  using Nested = const Real&;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};
