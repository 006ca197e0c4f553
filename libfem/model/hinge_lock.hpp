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

/// How a hinge stands: all that a run changes of it.
struct HingeStatus {
  bool latched = false;
  LockKind locked = LockKind::none;
  int row = kNone;      ///< of the lock
  double constant = 0;  ///< of that row
  template <class Archive>
  void archive(Archive& a) {
    a(latched, locked, row, constant);
  }
};

[[nodiscard]] std::vector<HingeStatus> list_hinge_status(const Model& model);

/// Hinges of a model at its start are made to stand so again, with the same order of rows.
void restore_hinges(Model& model, const std::vector<HingeStatus>& status);

}  // namespace fem
