// Locks that come and go: the only changes of a model after it is made. A run makes them in its own
// copy; what was built on the model (System) has to be built anew.
#pragma once

#include "libfem/model/model.hpp"

namespace fem {

/// Holds hinge `hinge` where `natural`, the values of all coordinates, puts it: a row
/// α(second) − α(first) = constant, the last of the model. The hinge must not be locked.
void lock_hinge(Model& model, int hinge, LockKind kind, const std::vector<double>& natural);

/// Takes the lock's row away. The hinge must be locked.
void unlock_hinge(Model& model, int hinge);

/// The hinge's latch catches: its spring joins the hinge's law. A rigid latch needs lock_hinge too.
void catch_latch(Model& model, int hinge);

/// Locks what is locked when a run starts from `natural`: hinges that are held from the start, and
/// latches that stand at their angle. Any other lock goes.
void lock_at_start(Model& model, const std::vector<double>& natural);

}  // namespace fem
