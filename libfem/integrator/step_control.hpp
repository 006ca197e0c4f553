// Step control of the arc-length integrator: pure functions of what a step measured.
#pragma once

#include <algorithm>
#include <cmath>

namespace fem {

/// Step ratio that brings an estimate of order h³ to the tolerance, with the usual reserve.
[[nodiscard]] inline double step_ratio(double estimate, double tolerance) {
  if (!(estimate > 0)) return 2;
  return std::clamp(0.9 * std::cbrt(tolerance / estimate), 0.2, 2.0);
}

/// Steps change seldom: a varying step pumps energy into undamped modes. Grow only by a factor
/// that pays, and only after the last change has been forgotten.
[[nodiscard]] constexpr bool worth_growing(double ratio, long steps_since_change) {
  return ratio >= 1.25 && steps_since_change >= 50;
}

}  // namespace fem
