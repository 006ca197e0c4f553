// A law in the hands of a caller: what a controller turns.
//
// A law is a function of time, not a number that is poked: what is set is its whole future, from
// the present time on, so that value, rate and acceleration fit one another at every trial of the
// integrator. A load may jump. Where a place follows the law (a drive, a support, a length), its
// value goes on from where it is; a rate that jumps makes velocities jump as at any break time, by
// the balance of momentum, and the ledger has the work of it. reach() makes no jump.
//
// Setting a law starts the integrator anew: set it at the period of a controller, not at every
// step.
#pragma once

#include <string>

#include "libfem/law/law.hpp"

namespace fem {

class Simulation;

/// Valid as long as the simulation, which must not be moved. What is wrong throws InputError, and
/// changes nothing.
class LawHandle {
 public:
  [[nodiscard]] const std::string& name() const noexcept { return name_; }  ///< in the case

  /// Value, rate and acceleration at the present time.
  [[nodiscard]] LawValue now() const;

  /// From now on `law`, a function of the simulation's time.
  void set(const Law& law);

  /// From now on constant. For loads; a place cannot jump.
  void set_value(double value);

  /// From now on value + rate·s + acceleration/2·s² with the present value, s since now.
  void go_on(double rate, double acceleration = 0);

  /// From here to `value` in `duration` (s) by the quintic that starts with the present value, rate
  /// and acceleration and ends at rest; constant from then on.
  void reach(double value, double duration);

 private:
  friend class Simulation;
  LawHandle(Simulation& simulation, int index, std::string name);
  Simulation* simulation_;
  int index_;
  std::string name_;
};

}  // namespace fem
