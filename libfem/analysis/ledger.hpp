// The energy ledger: d/dt (T + Π) = P_rheonomic, with the jumps of the laws' rates.
//
// Works are integrated along the accepted steps by the trapezoidal rule, whose error is of the
// order of the integrator's own. `balance` is what does not close: the user's proof that the run
// can be trusted.
#pragma once

#include <algorithm>
#include <cmath>

#include "libfem/analysis/snapshot.hpp"
#include "libfem/system/system.hpp"

namespace fem {

class Ledger {
 public:
  /// Starts with the energies before anything has moved.
  explicit Ledger(const Energies& start) : start_(start.kinetic + start.strain) {}

  /// Work of the laws at an instant: ½(d⁺ + d⁻)·Λ.
  void add_jump(double work) { rheonomic_ += work; }
  /// Power at the start of the next step, after a jump or at the start of the run.
  void set_power(double power) { power_ = power; }
  /// A step of length dt that ends with this power.
  void add_step(double dt, double power) {
    rheonomic_ += 0.5 * dt * (power_ + power);
    power_ = power;
  }
  /// The ledger at a time `dt` after the last accepted power, which is `power` there.
  [[nodiscard]] EnergySnapshot close(const Energies& now, double dt, double power) {
    EnergySnapshot e{.kinetic = now.kinetic, .strain = now.strain};
    e.rheonomic_work = rheonomic_ + 0.5 * dt * (power_ + power);
    e.balance = now.kinetic + now.strain - start_ - e.rheonomic_work;
    largest_ = std::max({largest_, now.kinetic + now.strain, std::abs(e.rheonomic_work)});
    supplied_ = std::max({supplied_, start_, std::abs(e.rheonomic_work)});
    worst_ = std::max(worst_, std::abs(e.balance));
    return e;
  }

  [[nodiscard]] double largest_energy() const noexcept { return largest_; }
  [[nodiscard]] double worst_balance() const noexcept { return worst_; }
  /// Largest energy that was ever there or has been put in: what the balance is to be small
  /// against.
  [[nodiscard]] double supplied_energy() const noexcept { return supplied_; }

 private:
  double start_;
  double rheonomic_ = 0;
  double power_ = 0;
  double largest_ = 0;
  double supplied_ = 0;
  double worst_ = 0;
};

}  // namespace fem
