// The energy ledger: d/dt (T + Π + springs + hereditary + gravity) = P_external + P_rheonomic −
// P_dissipated, with the jumps of the laws' rates. What hereditary elements dissipate is known
// exactly and does not have to be integrated.
//
// Works are integrated along the accepted steps by the trapezoidal rule, whose error is of the
// order of the integrator's own. `balance` is what does not close: the user's proof that the run
// can be trusted.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "libfem/analysis/snapshot.hpp"
#include "libfem/system/system.hpp"

namespace fem {

/// Powers at one instant, W.
struct Powers {
  double rheonomic = 0;   ///< of prescribed laws
  double external = 0;    ///< of loads
  double dissipated = 0;  ///< by dampers and friction
  double frame = 0;       ///< part of `rheonomic`: of constraints that a moving frame carries
  double inertia = 0;  ///< m v_c·(a_A − g) + ω̇(L′ + J ω) of a moving frame (frame_motion.hpp)
  template <class Archive>
  void archive(Archive& a) {
    a(rheonomic, external, dissipated, frame, inertia);
  }
};

class Ledger {
 public:
  /// Starts with the energies before anything has moved.
  explicit Ledger(const Energies& start)
      : start_(start),
        largest_(
            std::max(start.kinetic + start.strain + start.hereditary, std::abs(start.springs))) {}

  /// Work of the laws at an instant, ½(d⁺ + d⁻)·Λ, and how much of it a moving frame has done.
  void add_jump(double work, double frame = 0) {
    work_.rheonomic += work;
    work_.frame += frame;
  }
  /// Energy that an impact took.
  void add_loss(double energy) { work_.dissipated += energy; }
  /// Powers at the start of the next step, after a jump or at the start of the run.
  void set_powers(const Powers& powers) { powers_ = powers; }
  /// A step of length dt that ends with these powers.
  void add_step(double dt, const Powers& powers) {
    work_ = integrate(dt, powers);
    powers_ = powers;
  }
  /// What does not close at the end of the last step, where these are the energies, J.
  [[nodiscard]] double balance(const Energies& now) const {
    return now.total() + now.forgotten + work_.dissipated - start_.total() - work_.rheonomic -
           work_.external;
  }
  /// The largest energy or work there is at the end of the last step, J.
  [[nodiscard]] double magnitude(const Energies& now) const {
    return std::max({stored(now), std::abs(work_.rheonomic), std::abs(work_.external)});
  }
  /// What the rounding of its parts makes of the balance, J: high above the origin the potential of
  /// gravity is large, however small the motion.
  [[nodiscard]] double rounding(const Energies& now) const {
    return std::numeric_limits<double>::epsilon() *
           (now.kinetic + now.strain + now.hereditary + std::abs(now.springs) +
            std::abs(now.gravity) + std::abs(start_.gravity) + std::abs(work_.rheonomic) +
            std::abs(work_.external));
  }
  /// The ledger at a time `dt` after the last accepted powers, which are `powers` there.
  [[nodiscard]] EnergySnapshot close(const Energies& now, double dt, const Powers& powers) {
    const Powers work = integrate(dt, powers);
    EnergySnapshot e{.kinetic = now.kinetic,
                     .strain = now.strain,
                     .springs = now.springs,
                     .hereditary = now.hereditary,
                     .gravity = now.gravity - start_.gravity,
                     .external_work = work.external,
                     .rheonomic_work = work.rheonomic,
                     .dissipated = work.dissipated + now.forgotten};
    e.balance = now.total() - start_.total() - work.rheonomic - work.external + e.dissipated;
    const double worked = std::max(std::abs(work.rheonomic), std::abs(work.external));
    largest_ = std::max({largest_, stored(now), worked});
    const double there =
        start_.kinetic + start_.strain + start_.hereditary + std::abs(start_.springs);
    supplied_ = std::max({supplied_, there, worked, start_.springs - now.springs, -e.gravity});
    worst_ = std::max(worst_, std::abs(e.balance));
    return e;
  }

  /// Works at a time `dt` after the last accepted powers, J.
  [[nodiscard]] Powers works(double dt, const Powers& powers) const {
    return integrate(dt, powers);
  }

  [[nodiscard]] double largest_energy() const noexcept { return largest_; }
  [[nodiscard]] double worst_balance() const noexcept { return worst_; }
  /// Largest energy that was ever there or has been put in: what the balance is to be small
  /// against.
  [[nodiscard]] double supplied_energy() const noexcept { return supplied_; }

  template <class Archive>
  void archive(Archive& a) {
    a(start_, work_, powers_, largest_, supplied_, worst_);
  }

 private:
  [[nodiscard]] double stored(const Energies& now) const {
    return std::max({now.kinetic + now.strain + now.hereditary, std::abs(now.springs),
                     std::abs(now.gravity - start_.gravity)});
  }
  [[nodiscard]] Powers integrate(double dt, const Powers& p) const {
    const auto with = [&](double Powers::*part) {
      return work_.*part + 0.5 * dt * (powers_.*part + p.*part);
    };
    return {.rheonomic = with(&Powers::rheonomic),
            .external = with(&Powers::external),
            .dissipated = with(&Powers::dissipated),
            .frame = with(&Powers::frame),
            .inertia = with(&Powers::inertia)};
  }

  Energies start_;
  Powers work_, powers_;  // works so far, powers at the last accepted step
  double largest_;
  double supplied_ = 0;
  double worst_ = 0;
};

}  // namespace fem
