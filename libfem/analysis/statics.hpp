// Equilibrium under gravity, loads and prescribed changes, all scaled by a load factor λ.
//
// The laws are taken at the analysis' end. Snapshot::time is λ; velocities, accelerations, powers
// and works are zero.
#pragma once

#include "libfem/analysis/observer.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/model/model.hpp"

namespace fem {

struct StaticsOptions {
  bool follow_path = false;  ///< trace the path from λ = 0 through its limit points
  double max_load = 1;       ///< the path ends at |λ| = max_load, > 0
  long steps = 1000;         ///< most points of a path
};

/// Equilibrium at λ = 1, by load steps that it chooses itself; or the path over λ, by arc length.
/// One snapshot for every point on the way. Limit points are events, loss of stability a warning.
/// A failure names the last load factor that was reached; what was reported before stands.
[[nodiscard]] RunSummary run_statics(const Model& model, const StaticsOptions& options,
                                     Parallelism parallelism, Observer& observer);

}  // namespace fem
