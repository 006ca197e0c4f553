// Step control of the integrators: pure functions of what a step measured.
#pragma once

#include <algorithm>
#include <cmath>

namespace fem {

/// Step ratio that brings an estimate of order h³ to the tolerance, with the usual reserve.
[[nodiscard]] inline double step_ratio(double estimate, double tolerance) {
  if (!(estimate > 0)) return 2;
  return std::clamp(0.9 * std::cbrt(tolerance / estimate), 0.2, 2.0);
}

/// The same by proportional and integral parts (Gustafsson 1991; exponents 0.7/3 and 0.4/3): what
/// has grown since the last estimate is taken to go on growing. `before` = 0: not known.
[[nodiscard]] inline double pi_step_ratio(double estimate, double before, double tolerance) {
  if (!(estimate > 0) || !(before > 0)) return step_ratio(estimate, tolerance);
  const double integral = std::pow(tolerance / estimate, 0.7 / 3);
  const double proportional = std::pow(before / estimate, 0.4 / 3);
  return std::clamp(0.9 * integral * proportional, 0.2, 2.0);
}

/// Steps change seldom: each change of the step shifts the energy that an undamped mode keeps, and
/// one that follows the mode's own phase pumps it. So a step grows only by a factor that pays,
/// after a window long enough to have seen every phase, and by the largest estimate in that window;
/// when the growth was regretted, the next window is twice as long.
inline constexpr long kGrowthWindow = 1000;
inline constexpr double kWorthwhileGrowth = 1.25;

}  // namespace fem
