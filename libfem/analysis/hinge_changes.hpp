// What is done at an instant: velocities jump, hinges are locked and let go, stops turn rates
// around. Theory in link/README.md, "At an instant".
#pragma once

#include <vector>

#include "libfem/analysis/hinge_events.hpp"
#include "libfem/analysis/run_state.hpp"
#include "libfem/analysis/snapshot.hpp"
#include "libfem/base/error.hpp"

namespace fem {

/// What it did: works for the ledger, and what is told.
struct Consequences {
  double supplied = 0;  ///< by laws whose rates jump, J
  double frame = 0;     ///< part of it, by a moving frame whose rate jumps
  std::vector<double> laws{};  ///< part of it, by each law of the model; empty: nothing
  double lost = 0;      ///< in impacts, J
  std::vector<Event> events{};
};

/// Velocities after the rates of laws jump at t; at the start, from the given ones.
Outcome jump_laws(double t, RunState& state, Consequences& consequences);

/// Does what happened at t. Throws InputError where a lock contradicts other constraints.
Outcome carry_out(const Happening& happening, double t, RunState& state,
                  Consequences& consequences);

}  // namespace fem
