// From a state of the system to what is reported of it.
#pragma once

#include <span>

#include "libfem/analysis/snapshot.hpp"
#include "libfem/law/law.hpp"
#include "libfem/system/system.hpp"

namespace fem {

/// A state with its accelerations, in stored vectors; the system's last acceleration() was there.
struct Motion {
  double time = 0;
  Side side = Side::before;
  std::span<const double> q, v, a;
  double load_factor = 1;  ///< of loads, in statics
};

[[nodiscard]] ResultLayout make_layout(const Model& model, Analysis analysis = Analysis::dynamics);

/// All but the energies and the solver's record.
[[nodiscard]] Snapshot take_snapshot(const System& system, const Motion& motion);

}  // namespace fem
