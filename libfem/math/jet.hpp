// Numbers that carry their first and second derivative along a motion: f, ḟ, f̈.
//
// A function written for any scalar, called with the jets of its arguments, gives its own value,
// rate and curvature exactly: the chain rule up to second order, nothing else.
#pragma once

#include <cmath>

#include "libfem/math/angle.hpp"

namespace fem {

template <class Real>
struct Jet;
template <class Real>
[[nodiscard]] constexpr Jet<Real> inverse(const Jet<Real>& a);

template <class Real>
struct Jet {
  Real value = 0;
  Real rate = 0;
  Real curvature = 0;

  constexpr Jet() = default;
  constexpr Jet(Real constant) : value(constant) {}  // NOLINT(google-explicit-constructor)
  constexpr Jet(Real f, Real df, Real ddf = 0) : value(f), rate(df), curvature(ddf) {}

  friend constexpr Jet operator+(const Jet& a, const Jet& b) {
    return {a.value + b.value, a.rate + b.rate, a.curvature + b.curvature};
  }
  friend constexpr Jet operator-(const Jet& a, const Jet& b) {
    return {a.value - b.value, a.rate - b.rate, a.curvature - b.curvature};
  }
  friend constexpr Jet operator-(const Jet& a) { return {-a.value, -a.rate, -a.curvature}; }
  friend constexpr Jet operator*(const Jet& a, const Jet& b) {
    return {a.value * b.value, a.rate * b.value + a.value * b.rate,
            a.curvature * b.value + 2 * a.rate * b.rate + a.value * b.curvature};
  }
  friend constexpr Jet operator/(const Jet& a, const Jet& b) { return a * inverse(b); }
  constexpr Jet& operator+=(const Jet& b) { return *this = *this + b; }
  constexpr Jet& operator-=(const Jet& b) { return *this = *this - b; }
};

/// f(a), for a function with these derivatives at a.value.
template <class Real>
[[nodiscard]] constexpr Jet<Real> chain(const Jet<Real>& a, Real f, Real df, Real ddf) {
  return {f, df * a.rate, df * a.curvature + ddf * a.rate * a.rate};
}

template <class Real>
[[nodiscard]] constexpr Jet<Real> inverse(const Jet<Real>& a) {
  const Real i = 1 / a.value;
  return chain(a, i, -i * i, 2 * i * i * i);
}

template <class Real>
[[nodiscard]] Jet<Real> sin(const Jet<Real>& a) {
  const Real s = std::sin(a.value);
  return chain(a, s, std::cos(a.value), -s);
}

template <class Real>
[[nodiscard]] Jet<Real> cos(const Jet<Real>& a) {
  const Real c = std::cos(a.value);
  return chain(a, c, -std::sin(a.value), -c);
}

template <class Real>
[[nodiscard]] Jet<Real> tan(const Jet<Real>& a) {
  const Real t = std::tan(a.value);
  const Real d = 1 + t * t;
  return chain(a, t, d, 2 * t * d);
}

template <class Real>
[[nodiscard]] Jet<Real> asin(const Jet<Real>& a) {
  const Real d = 1 / std::sqrt(1 - a.value * a.value);
  return chain(a, Real(std::asin(a.value)), d, a.value * d * d * d);
}

template <class Real>
[[nodiscard]] Jet<Real> acos(const Jet<Real>& a) {
  const Real d = 1 / std::sqrt(1 - a.value * a.value);
  return chain(a, Real(std::acos(a.value)), -d, -a.value * d * d * d);
}

template <class Real>
[[nodiscard]] Jet<Real> atan(const Jet<Real>& a) {
  const Real d = 1 / (1 + a.value * a.value);
  return chain(a, Real(std::atan(a.value)), d, -2 * a.value * d * d);
}

/// The rate of the angle of (x, y) is (x ẏ − y ẋ)/r².
template <class Real>
[[nodiscard]] Jet<Real> atan2(const Jet<Real>& y, const Jet<Real>& x) {
  const Real square = x.value * x.value + y.value * y.value;
  const Real rate = (x.value * y.rate - y.value * x.rate) / square;
  const Real half_growth = x.value * x.rate + y.value * y.rate;
  return {std::atan2(y.value, x.value), rate,
          (x.value * y.curvature - y.value * x.curvature - 2 * half_growth * rate) / square};
}

/// The two functions of math/angle.hpp: the direction of (x, y), and an angle less whole turns.
template <class Real>
[[nodiscard]] Jet<Real> direction(const Jet<Real>& y, const Jet<Real>& x) {
  return atan2(y, x);
}
template <class Real>
[[nodiscard]] Jet<Real> wrap_angle(const Jet<Real>& angle) {
  return {wrap_angle(angle.value), angle.rate, angle.curvature};
}

template <class Real>
[[nodiscard]] Jet<Real> exp(const Jet<Real>& a) {
  const Real e = std::exp(a.value);
  return chain(a, e, e, e);
}

template <class Real>
[[nodiscard]] Jet<Real> log(const Jet<Real>& a) {
  const Real i = 1 / a.value;
  return chain(a, Real(std::log(a.value)), i, -i * i);
}

template <class Real>
[[nodiscard]] Jet<Real> sinh(const Jet<Real>& a) {
  const Real s = std::sinh(a.value);
  return chain(a, s, std::cosh(a.value), s);
}

template <class Real>
[[nodiscard]] Jet<Real> cosh(const Jet<Real>& a) {
  const Real c = std::cosh(a.value);
  return chain(a, c, std::sinh(a.value), c);
}

template <class Real>
[[nodiscard]] Jet<Real> tanh(const Jet<Real>& a) {
  const Real t = std::tanh(a.value);
  const Real d = 1 - t * t;
  return chain(a, t, d, -2 * t * d);
}

template <class Real>
[[nodiscard]] Jet<Real> sqrt(const Jet<Real>& a) {
  const Real r = std::sqrt(a.value);
  return chain(a, r, 1 / (2 * r), -1 / (4 * r * a.value));
}

template <class Real>
[[nodiscard]] Jet<Real> hypot(const Jet<Real>& a, const Jet<Real>& b) {
  const Real r = std::hypot(a.value, b.value);
  const Real rate = (a.value * a.rate + b.value * b.rate) / r;
  const Real squares = a.rate * a.rate + b.rate * b.rate;
  return {r, rate, (squares + a.value * a.curvature + b.value * b.curvature - rate * rate) / r};
}

template <class Real>
[[nodiscard]] Jet<Real> abs(const Jet<Real>& a) {
  return a.value < 0 ? -a : a;
}

/// A constant exponent takes any base for which the power and its derivatives exist; another one a
/// positive base.
template <class Real>
[[nodiscard]] Jet<Real> pow(const Jet<Real>& a, const Jet<Real>& b) {
  if (b.rate != 0 || b.curvature != 0) return exp(b * log(a));
  const Real n = b.value;
  const Real first = n == 0 ? Real(0) : n * std::pow(a.value, n - 1);
  const Real second = n == 0 || n == 1 ? Real(0) : n * (n - 1) * std::pow(a.value, n - 2);
  return chain(a, Real(std::pow(a.value, n)), first, second);
}

}  // namespace fem
