// Equilibrium under gravity, loads and prescribed changes, all scaled by a load factor λ.
//
// Snapshot::time is λ; velocities, accelerations and powers are zero, the energies' works are those
// done along the path from the first snapshot on.
#pragma once

#include <optional>
#include <vector>

#include "libfem/analysis/observer.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/model/model.hpp"

namespace fem {

struct StaticsOptions {
  bool follow_path = false;      ///< trace the path from λ = 0 through its limit points
  double max_load = 1;           ///< the path ends at |λ| = max_load, > 0
  long steps = 1000;             ///< most steps of a path
  std::optional<double> time{};  ///< at which the laws are taken, s; default: the analysis' end
};

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
