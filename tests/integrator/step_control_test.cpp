#include "libfem/integrator/step_control.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace fem {
namespace {

TEST(StepRatio, BringsAThirdOrderEstimateToTheTolerance) {
  for (const double tolerance : {1e-12, 1e-8, 1e-4}) {
    for (const double excess : {0.2, 0.5, 1.0, 3.0, 30.0}) {
      const double ratio = step_ratio(excess * tolerance, tolerance);
      // The estimate falls by ratio³; the reserve of 0.9 makes it 0.73 of the tolerance.
      EXPECT_NEAR(excess * std::pow(ratio, 3), std::pow(0.9, 3), 1e-14);
    }
  }
}

TEST(StepRatio, IsBounded) {
  EXPECT_EQ(step_ratio(0, 1e-8), 2);
  EXPECT_EQ(step_ratio(1e-300, 1e-8), 2);
  EXPECT_EQ(step_ratio(1e300, 1e-8), 0.2);
  EXPECT_EQ(step_ratio(std::numeric_limits<double>::infinity(), 1e-8), 0.2);
}

TEST(PiStepRatio, IsTheOtherWithoutAPast) {
  EXPECT_EQ(pi_step_ratio(3e-9, 0, 1e-8), step_ratio(3e-9, 1e-8));
  EXPECT_EQ(pi_step_ratio(0, 1e-9, 1e-8), 2);
}

TEST(PiStepRatio, HoldsAnEstimateThatStaysAndForeseesOneThatGrows) {
  EXPECT_DOUBLE_EQ(pi_step_ratio(1e-8, 1e-8, 1e-8), 0.9);
  EXPECT_LT(pi_step_ratio(1e-8, 5e-9, 1e-8), 0.9);
  EXPECT_GT(pi_step_ratio(1e-8, 2e-8, 1e-8), 0.9);
}

// Estimates e = c h³ with c that changes by a quarter from one window to the next: the step settles
// where the estimate is the tolerance but for the reserve.
TEST(PiStepRatio, SettlesAtTheTolerance) {
  double h = 1e-3;
  double before = 0;
  double estimate = 0;
  for (int i = 0; i < 60; ++i) {
    const double c = i < 20 ? 1 + 0.25 * (i % 2) : 1;
    estimate = c * h * h * h;
    h *= pi_step_ratio(estimate, before, 1e-8);
    before = estimate;
  }
  EXPECT_NEAR(std::cbrt(estimate / 1e-8), std::pow(0.9, 1 / 0.7), 1e-3);
}

}  // namespace
}  // namespace fem
