// What a run tells while it goes on. Recorders, progress bars and controllers are observers.
#pragma once

#include "libfem/analysis/snapshot.hpp"

namespace fem {

/// How far a run has come.
struct Progress {
  double time = 0;  ///< s, simulated
  double end = 0;   ///< s
  double step = 0;  ///< last accepted step, s
  long steps = 0;   ///< accepted
};

/// Is told of a run while it goes on; every member function does nothing by default.
class Observer {
 public:
  virtual ~Observer() = default;
  /// At the start, at every output time and at the end.
  virtual void snapshot(const Snapshot&) {}
  virtual void event(const Event&) {}  ///< Something happened at an instant.
  /// Something the user should know at once.
  virtual void warning(const std::string&) {}
  /// Called every few hundred steps, or where these take long more often; false ends the run as
  /// interrupted.
  virtual bool proceed(const Progress&) { return true; }
  /// Asked as often; true: checkpoint() gets the state of the run at once. It gets the last one of
  /// an interrupted run without being asked.
  virtual bool wants_checkpoint() { return false; }
  /// Bytes from which run_dynamics() can go on.
  virtual void checkpoint(const std::string&) {}
};

}  // namespace fem
