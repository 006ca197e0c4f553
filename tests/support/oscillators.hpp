// Small problems for time integrators, with known solutions.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/law/law.hpp"

namespace fem::test {

/// q̈ = a(t, q, q̇) of one coordinate.
struct ScalarProblem {
  std::function<double(double t, double q, double v)> formula;

  [[nodiscard]] std::size_t size() const { return 1; }
  [[nodiscard]] std::size_t independent() const { return 1; }
  Outcome acceleration(double t, Side, std::span<double> q, std::span<double> v,
                       std::span<double> a) {
    a[0] = formula(t, q[0], v[0]);
    return {};
  }
};

/// q̈ = −ω² q for several ω.
struct Oscillators {
  std::vector<double> omega;

  [[nodiscard]] std::size_t size() const { return omega.size(); }
  [[nodiscard]] std::size_t independent() const { return omega.size(); }
  Outcome acceleration(double, Side, std::span<double> q, std::span<double>, std::span<double> a) {
    for (std::size_t i = 0; i < omega.size(); ++i) a[i] = -omega[i] * omega[i] * q[i];
    return {};
  }
};

/// q̈ = −sin q.
[[nodiscard]] inline ScalarProblem pendulum() {
  return {[](double, double q, double) { return -std::sin(q); }};
}

}  // namespace fem::test
