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

}  // namespace
}  // namespace fem
