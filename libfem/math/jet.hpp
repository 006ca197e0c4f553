// Numbers that carry their first and second derivative along a motion: f, ḟ, f̈.
//
// A function written for any scalar, called with the jets of its arguments, gives its own value,
// rate and curvature exactly: the chain rule up to second order, nothing else.
#pragma once

#include <cmath>

namespace fem {

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
  constexpr Jet& operator+=(const Jet& b) { return *this = *this + b; }
  constexpr Jet& operator-=(const Jet& b) { return *this = *this - b; }
};

/// f(a), for a function with these derivatives at a.value.
template <class Real>
[[nodiscard]] constexpr Jet<Real> chain(const Jet<Real>& a, Real f, Real df, Real ddf) {
  return {f, df * a.rate, df * a.curvature + ddf * a.rate * a.rate};
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

}  // namespace fem
