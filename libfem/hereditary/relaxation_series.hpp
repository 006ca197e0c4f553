// The one form in which every hereditary law is integrated in time: a spring and branches of spring
// and dashpot in parallel (generalized Maxwell body),
//
//   P = c_∞ y + Σ c_j z_j,   τ_j ż_j = −z_j + τ_j ẏ,        c_∞ + Σ c_j = c
//   G(t)/c = 1 − ∫₀ᵗ R = (c_∞ + Σ c_j e^{−t/τ_j})/c          relaxation function
//
// Lines of a spectrum are taken as they are. A continuous spectrum is sampled (README.md): the
// samples that are faster than the time resolution become one branch with their mass and first
// moment, those slower than the run one with their mass and weight; c_∞ and c are exact.
#pragma once

#include <vector>

#include "libfem/hereditary/kernel.hpp"

namespace fem {

struct RelaxationSeries {
  double relaxed = 0;               ///< c_∞ ≥ 0, N/m
  std::vector<double> stiffness{};  ///< c_j > 0, N/m
  std::vector<double> time{};       ///< τ_j > 0, s

  /// Largest error of G(t)/c over resolution ≤ t ≤ horizon. The force is off by at most
  /// error · c · Σ|Δy|, and c ∫₀^d|∫R − …| max|ÿ| d for what is faster than the resolution d.
  double error = 0;
  double resolution = 0;  ///< d, s; 0: the series is exact

  [[nodiscard]] std::size_t size() const noexcept { return stiffness.size(); }
  /// c = c_∞ + Σ c_j.
  [[nodiscard]] double instantaneous() const noexcept;
  /// G(t).
  [[nodiscard]] double relaxation(double t) const noexcept;
};

/// The times that a run can tell apart, s.
struct TimeScales {
  double step = 0;     ///< largest time step
  double horizon = 0;  ///< length of the run
};

/// The series of an admissible law, for motions that steps of this size resolve.
[[nodiscard]] RelaxationSeries make_relaxation_series(const HereditaryLaw& law,
                                                      const TimeScales& scales);

}  // namespace fem
