// Natural frequencies and shapes of small undamped vibrations about a state at rest:
//
//   𝒯K𝒯ᵀ φ = ω² 𝒯M𝒯ᵀ φ,    φᵀMφ = 1        K: tangent of the forces, loads among them
//
// in independent coordinates, so constraints hold; prescribed coordinates do not move. Dampers are
// left out. analysis/eigenpairs finds the lowest modes and misses none.
//
// Follower loads make K unsymmetric. ω² and φ may be complex then, and a mode that swings may grow
// (flutter): s² = −ω², growth rate Re s, frequency Im s. Such modes are combinations of those
// without follower loads (twice the wanted ones and 60 more) and of the shapes into which these
// loads bend.
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
  std::vector<double> frequencies;          ///< rad/s, ascending in ω²; −|ω| where ω² < 0
  std::vector<double> growth_rates;         ///< 1/s; 0 where a mode neither grows nor decays
  std::vector<std::vector<double>> shapes;  ///< stored vectors of unit modal mass, dependents too
  std::vector<std::string> descriptions;    ///< what a free motion is, else what moves most
  int free_motions = 0;                     ///< ω² = 0 to rounding: frequency 0; rigid ones first
  int negative = 0;                         ///< ω² < 0: the state is unstable
  double imbalance = 0;  ///< largest force on an unknown that rounding does not explain, N or N m
};

/// "vibration", "free" (nothing holds it) or "unstable".
[[nodiscard]] const char* mode_kind(const Modes& modes, std::size_t mode);

/// Modes about q, stored positions; their dependent entries are filled in. Fails with singular_mass
/// (`where`: the unknown's stored place), not_finite or no_convergence.
[[nodiscard]] Modes calc_modes(System& system, std::span<const double> q,
                               const ModesOptions& options = {});

}  // namespace fem
