// Equilibrium under gravity, loads and prescribed changes, all scaled by a load factor λ.
//
// Snapshot::time is λ; velocities, accelerations and powers are zero, the energies' works are those
// done along the path from the first snapshot on.
#pragma once

#include <vector>

#include "libfem/analysis/observer.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/model/model.hpp"

namespace fem {

using StaticsOptions = StaticsDescription;

struct StaticsResult {
  RunSummary summary;
  std::vector<double> positions{};  ///< natural coordinates of the last equilibrium
  double load_factor = 0;           ///< of the last equilibrium
  double time = 0;                  ///< at which the laws were taken, s
};

/// Equilibrium at λ = 1, by load steps that it chooses itself; or the path over λ, by arc length.
/// One snapshot for every point of equilibrium found on the way. Limit points, turning points and
/// bifurcations are events, loss of stability a warning. A failure names the last load factor that
/// was reached; what was reported before stands.
[[nodiscard]] StaticsResult run_statics(const Model& model, const StaticsOptions& options,
                                        Parallelism parallelism, Observer& observer);

}  // namespace fem
