// Natural frequencies and shapes of small undamped vibrations about a state at rest:
//
//   𝒯K𝒯ᵀ φ = ω² 𝒯M𝒯ᵀ φ,    φᵀMφ = 1        K: tangent of the forces, loads among them
//
// in independent coordinates, so constraints hold; prescribed coordinates do not move. Dampers are
// left out, and so are follower loads, whose part of the tangent is not symmetric. The lowest modes
// come from the inverse of K − σM with a small σ < 0: structures that float free are no special
// case. That none is missed is checked by the signs of the pivots of K − τM (Sylvester's law of
// inertia).
//
// ω² is Rayleigh's quotient of the shape with the strains that it causes (System::stiffness_form):
// the shape's error enters squared, and the rounding of K, which hides motions that are much softer
// than the rods' axes, not at all.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/system/system.hpp"

namespace fem {

struct ModesOptions {
  int count = 10;          ///< of the lowest modes; all, where there are fewer
  double time = 0;         ///< s, at which laws and loads are taken
  double load_factor = 1;  ///< of gravity, loads and prescribed changes, as in assemble_statics
  int dense_limit = 300;   ///< most unknowns for which full matrices are used
  bool only_free = false;  ///< only the motions that nothing holds, all of them
};

struct Modes {
  Outcome outcome;                          ///< if it is not ok there are no modes
  std::vector<double> frequencies;          ///< rad/s, ascending; −|ω| where ω² < 0
  std::vector<std::vector<double>> shapes;  ///< stored vectors of unit modal mass, dependents too
  std::vector<std::string> descriptions;    ///< what a free motion is, else what moves most
  int free_motions = 0;                     ///< ω² = 0 to rounding: frequency 0; rigid ones first
  int negative = 0;                         ///< ω² < 0: the state is unstable
  double imbalance = 0;  ///< largest force on an unknown that rounding does not explain, N or N m
};

/// Modes about q, stored positions; their dependent entries are filled in. Fails with singular_mass
/// (`where`: the unknown's stored place), not_finite or no_convergence.
[[nodiscard]] Modes calc_modes(System& system, std::span<const double> q,
                               const ModesOptions& options = {});

}  // namespace fem
