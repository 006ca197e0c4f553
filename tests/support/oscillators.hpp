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
#include "libfem/linalg/step_weights.hpp"

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

/// A problem of one coordinate as a balance of forces, its matrix by differences.
struct ScalarBalance : ScalarProblem {
  double matrix = 0;
  Outcome balance(double t, Side, std::span<double> q, std::span<double> v, std::span<double> a,
                  std::span<double> residual) const {
    residual[0] = a[0] - formula(t, q[0], v[0]);
    return {};
  }
  Outcome factorize_step(double t, const StepWeights& weights, std::span<const double> q,
                         std::span<const double> v) {
    constexpr double d = 1e-6;
    const double by_q = (formula(t, q[0] + d, v[0]) - formula(t, q[0] - d, v[0])) / (2 * d);
    const double by_v = (formula(t, q[0], v[0] + d) - formula(t, q[0], v[0] - d)) / (2 * d);
    matrix = weights.mass - weights.rate * by_v - by_q;
    return {};
  }
  void solve_step(std::span<double> b) const { b[0] /= matrix; }
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
