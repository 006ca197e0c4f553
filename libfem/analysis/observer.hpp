// What a run tells while it goes on. Recorders, progress bars and controllers are observers.
#pragma once

#include "libfem/analysis/snapshot.hpp"

namespace fem {

struct Progress {
  double time = 0;  ///< s, simulated
  double end = 0;   ///< s
  double step = 0;  ///< last accepted step, s
  long steps = 0;   ///< accepted
};

class Observer {
 public:
  virtual ~Observer() = default;
  /// At the start, at every output time and at the end.
  virtual void snapshot(const Snapshot&) {}
  virtual void event(const Event&) {}
  /// Something the user should know at once.
  virtual void warning(const std::string&) {}
  /// Called every few hundred steps; false ends the run as interrupted.
  virtual bool proceed(const Progress&) { return true; }
};

}  // namespace fem
