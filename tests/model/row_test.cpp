// Rows with an arm against finite differences along a motion.
#include "libfem/model/row.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace fem {
namespace {

// X_P − X_b − (R(α) r)·e with coordinates (X_b, Y_b, X_P, Y_P, α).
Row arm_row(int axis) {
  return {.terms = {{axis, -1.0}, {2 + axis, 1.0}},
          .arm = Arm{.angle = 4, .offset = {0.7, -0.4}, .axis = axis},
          .constant = 0.1};
}

// A smooth motion of all coordinates, its rate and its acceleration.
double position(int c, double t) { return std::sin((1 + 0.3 * c) * t + c); }
double rate(int c, double t) { return (1 + 0.3 * c) * std::cos((1 + 0.3 * c) * t + c); }
double acceleration(int c, double t) {
  return -(1 + 0.3 * c) * (1 + 0.3 * c) * std::sin((1 + 0.3 * c) * t + c);
}

double function_at(const Row& row, double t) {
  return row_function(row, 0, [t](int c) { return position(c, t); });
}

TEST(Row, ArmPutsThePointWhereTheTurnedOffsetEnds) {
  const std::vector<double> q = {1, 2, 1 + 0.4, 2 + 0.7,
                                 std::numbers::pi / 2};  // r = (0.7, −0.4) turned by 90°
  const auto value = [&](int c) { return q[static_cast<std::size_t>(c)]; };
  EXPECT_NEAR(row_function(arm_row(0), 0, value), 0, 1e-15);
  EXPECT_NEAR(row_function(arm_row(1), 0, value), 0, 1e-15);
}

// Central differences: error h² f‴/6 ≈ 1e-8 · 10, and round-off 1e-16/h.
TEST(Row, RateIsTheDerivativeAlongAMotion) {
  constexpr double h = 1e-5;
  for (const int axis : {0, 1}) {
    for (const double t : {0.0, 0.4, 1.9}) {
      const Row row = arm_row(axis);
      const double expected = (function_at(row, t + h) - function_at(row, t - h)) / (2 * h);
      EXPECT_NEAR(
          row_rate(
              row, 0, [t](int c) { return position(c, t); }, [t](int c) { return rate(c, t); }),
          expected, 1e-9);
    }
  }
}

TEST(Row, CurvatureIsWhatTheRowOfAccelerationsLeavesOut) {
  constexpr double h = 1e-4;
  for (const int axis : {0, 1}) {
    for (const double t : {0.0, 0.4, 1.9}) {
      const Row row = arm_row(axis);
      const auto q = [t](int c) { return position(c, t); };
      const double expected =
          (function_at(row, t + h) - 2 * function_at(row, t) + function_at(row, t - h)) / (h * h);
      const double of_accelerations =
          row_rate(row, 0, q, [t](int c) { return acceleration(c, t); });
      const double of_rates = row_curvature(row, 0, q, [t](int c) { return rate(c, t); });
      EXPECT_NEAR(of_accelerations + of_rates, expected, 1e-6);
      EXPECT_GT(std::abs(of_rates), 1e-3);
    }
  }
}

}  // namespace
}  // namespace fem
