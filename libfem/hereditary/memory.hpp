// The memory of a hereditary element, and how it moves on: exact for a deformation that is linear
// in time over a step, whatever the step. Pure functions of the committed state and a trial.
//
//   symbol   code           unit      meaning
//   y        deformation    m         also rad
//   z_j      branch         m         part of y that branch j still feels
//   x        –              –         Δt/τ_j;  E₁ = 1 − e^{−x},  φ₁ = E₁/x
//   P        force          N         c_∞ y + Σ c_j z_j
//   ψ        stored         J         ½ c_∞ y² + ½ Σ c_j z_j² ≥ 0
//   D        dissipated     J         Σ (c_j/τ_j) ∫ z_j² dt ≥ 0,   power Σ c_j z_j²/τ_j
//
//   z_j(t+Δt) = e^{−x} z_j + φ₁ Δy                                    (README.md)
//   ψ(t+Δt) − ψ(t) + D = ∫ P dy   exactly
//   ∂P/∂y = c_∞ + Σ c_j φ₁ ≤ c
//
// Δt = 0 is a jump of y: every z_j takes it up whole, nothing is dissipated. A trial before the
// memory's own time, where an iteration may stray, counts as one at that time. Error of a smooth y:
// |ΔP| ≤ (c − c_∞) Δt² max|ÿ|/8.
#pragma once

#include <vector>

#include "libfem/hereditary/relaxation_series.hpp"

namespace fem {

/// The state of one element after the last accepted step.
struct HereditaryMemory {
  double time = 0;               ///< s
  double deformation = 0;        ///< y
  std::vector<double> branch{};  ///< z_j
  double dissipated = 0;         ///< D since the start, J
  bool operator==(const HereditaryMemory&) const = default;
  template <class Archive>
  void archive(Archive& a) {
    a(time, deformation, branch, dissipated);
  }
};

/// What an element answers to a trial deformation.
struct HereditaryResponse {
  double force = 0;             ///< P
  double stiffness = 0;         ///< ∂P/∂y of the step
  double stored = 0;            ///< ψ, J
  double dissipated = 0;        ///< D since the start of the run, J
  double dissipated_power = 0;  ///< W
};

namespace hereditary_detail {

/// Factors of a step of one branch.
struct Decay {
  double left;       ///< e^{−x}
  double lost;       ///< E₁ = 1 − e^{−x}
  double mean_left;  ///< φ₁ = E₁/x
  /// ∫₀ˣ z² dξ = z² (E₁ − E₁²/2) + 2 z Δy E₁²/(2x) + Δy² `quadratic`,
  /// quadratic = (x − E₁ − E₁²/2)/x².
  double quadratic;
};

[[nodiscard]] Decay decay(double x) noexcept;

}  // namespace hereditary_detail

/// The answer at time t to the deformation y.
[[nodiscard]] HereditaryResponse respond(const RelaxationSeries& series,
                                         const HereditaryMemory& memory, double t,
                                         double y) noexcept;

/// The force alone, for every evaluation of a step.
[[nodiscard]] double calc_force(const RelaxationSeries& series, const HereditaryMemory& memory,
                                double t, double y) noexcept;

/// The memory after a step to time t ≥ memory.time with the deformation y is accepted, in place.
void commit(const RelaxationSeries& series, double t, double y, HereditaryMemory& memory);

}  // namespace fem
