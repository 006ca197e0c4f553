#include "libfem/analysis/hinge_changes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <variant>

#include "libfem/model/hinge_lock.hpp"

namespace fem {
namespace {

constexpr double kRoundoff = 1e-12;   // of velocities: no jump
constexpr double kNoImpulse = 1e-9;   // of the largest impulse of a jump
constexpr double kShortestHop = 0.5;  // of the largest step: what is shorter is not followed

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string print(const char* format, double a, double b = 0, double c = 0) {
  char text[160];
  std::snprintf(text, sizeof text, format, a, b, c);
  return text;
}

// An angle as it is told: roundings about zero are zero.
double shown(double angle) { return std::abs(angle) < kSameAngle ? 0.0 : angle; }

class Changer {
 public:
  Changer(double t, RunState& state, Consequences& consequences)
      : t_(t), state_(state), consequences_(consequences) {}

  Outcome jump_laws() {
    const Outcome outcome = solve([&](Jump& jump) { return state_.jump(t_, jump); });
    if (!outcome.ok()) return outcome;
    account(state_.model());
    for (std::size_t r = 0; r < jump_.impulses.size(); ++r) tell_law(r);
    return {};
  }

  Outcome lock(int h, LockKind kind, const std::string& how, const std::string& cause = {}) {
    const Place before = place_of(h);
    const std::vector<double> q = state_.natural_positions();
    state_.change([&](Model& model) {
      if (model.hinges[at(h)].lock != kNone) unlock_hinge(model, h);
      if (kind == LockKind::latch) catch_latch(model, h);
      lock_hinge(model, h, kind, q);
    });
    const Outcome outcome = solve([&](Jump& jump) { return state_.jump(t_, jump); }, h);
    if (!outcome.ok()) return outcome;
    account(state_.model());
    const std::size_t row = at(hinge(h).lock);
    tell(h, how + print(" at %.6g rad, rate %.6g rad/s", shown(before.angle), before.rate) + cause +
                print("; impulse %.6g N m s, energy lost %.6g J", jump_.impulses[row],
                      0 - jump_.works[row]));
    return {};
  }

  Outcome latch(int h) {
    if (!hinge(h).latch->spring) return lock(h, LockKind::latch, "latched");
    const Place here = place_of(h);
    state_.change([&](Model& model) { catch_latch(model, h); });
    tell(h, print("latched at %.6g rad, rate %.6g rad/s; its spring holds it", shown(here.angle),
                  here.rate));
    return {};
  }

  Outcome unlock(int h, const char* how, const std::string& cause = {}) {
    state_.change([&](Model& model) { unlock_hinge(model, h); });
    tell(h, how + print(" at %.6g rad", shown(place_of(h).angle)) + cause);
    return {};
  }

  // The rate turns around, unless the hop that follows is too short to be followed.
  Outcome strike(int h, LockKind stop) {
    const double restitution = hinge(h).stop->restitution;
    const std::vector<double> before = state_.natural_velocities();
    const double sense = outward_sense(stop);
    if (restitution > 0) {
      const Place here = place_of(h);
      const Outcome outcome = bounce(h, stop, -restitution * here.rate);
      if (!outcome.ok()) return outcome;
      HingeMotion after;
      const Outcome measured = state_.hinge_motion(t_, after);
      if (!measured.ok()) return measured;
      const double pressed = sense * after.acceleration[at(h)];
      const double back = -sense * after.rate[at(h)];
      if (!(2 * back < pressed * kShortestHop * state_.largest_step())) {
        tell_bounce(h, here);
        return {};
      }
      state_.set_velocities(before);
    }
    return lock(h, stop, "stop hit and rested on");
  }

 private:
  struct Place {
    double angle, rate;
  };

  [[nodiscard]] const Hinge& hinge(int h) const { return state_.model().hinges[at(h)]; }

  [[nodiscard]] Place place_of(int h) const {
    const System& system = state_.system();
    const std::size_t first = system.place(hinge(h).first);
    const std::size_t second = system.place(hinge(h).second);
    return {state_.positions()[second] - state_.positions()[first] + hinge(h).turns,
            state_.velocities()[second] - state_.velocities()[first]};
  }

  void tell(int h, std::string what) {
    consequences_.events.push_back({.time = t_, .name = hinge(h).name, .what = std::move(what)});
  }

  // Solves a jump. Stops that are rested on push only: those that would pull are left, one by one;
  // but for the one that the hinge `met` comes to right now, from rates that count as none.
  Outcome solve(const std::function<Outcome(Jump&)>& jump, int met = kNone) {
    for (;;) {
      const std::vector<double> before = state_.natural_velocities();
      const Outcome outcome = jump(jump_);
      if (!outcome.ok()) return outcome;
      const int pulled = find_pulled(before, met);
      if (pulled == kNone) return {};
      state_.set_velocities(before);
      const Outcome parted = unlock(pulled, "leaves its stop");
      if (!parted.ok()) return parted;
    }
  }

  [[nodiscard]] int find_pulled(const std::vector<double>& before, int met) const {
    const std::vector<double> after = state_.natural_velocities();
    double change = 0;
    double speed = 0;
    for (std::size_t c = 0; c < before.size(); ++c) {
      change = std::max(change, std::abs(after[c] - before[c]));
      speed = std::max(speed, std::abs(before[c]));
    }
    if (change <= kRoundoff * speed) return kNone;
    double largest = 0;
    for (const double impulse : jump_.impulses) largest = std::max(largest, std::abs(impulse));
    const auto& hinges = state_.model().hinges;
    for (std::size_t h = 0; h < hinges.size(); ++h) {
      if (!rests_on_stop(hinges[h]) || static_cast<int>(h) == met) continue;
      const double pull = outward_sense(hinges[h].locked) * jump_.impulses[at(hinges[h].lock)];
      if (pull > kNoImpulse * largest) return static_cast<int>(h);
    }
    return kNone;
  }

  // The jump under a row that is there for this instant only: φ̇⁺ = rate.
  Outcome bounce(int h, LockKind stop, double rate) {
    return solve([&](Jump& jump) {
      Model with = state_.model();
      lock_hinge(with, h, stop, state_.natural_positions());
      with.rows.back().law = static_cast<int>(with.laws.size());
      with.laws.emplace_back(LinearLaw{{t_, t_ + 1}, {0, rate}});
      return state_.jump_with(with, t_, jump);
    });
  }

  // The last row is the stop's; it is gone again.
  void tell_bounce(int h, const Place& before) {
    const double lost = 0 - jump_.works.back();
    jump_.works.pop_back();
    account(state_.model());
    consequences_.lost += lost;
    tell(h, print("stop hit at %.6g rad, rate from %.6g to %.6g rad/s", shown(before.angle),
                  before.rate, place_of(h).rate) +
                print("; impulse %.6g N m s, energy lost %.6g J", jump_.impulses.back(), lost));
  }

  // Laws supply what their impulses do, and a moving frame does; what locks and other rows take is
  // lost.
  void account(const Model& model) {
    consequences_.frame += jump_.frame;
    consequences_.supplied += jump_.frame;
    consequences_.laws.resize(model.laws.size());
    const System& system = state_.system();
    const auto q = [&](int c) { return state_.positions()[system.place(c)]; };
    for (std::size_t r = 0; r < jump_.works.size(); ++r) {
      const Row& row = model.rows[r];
      const bool moves = row.law != kNone || row_drift(row, t_, q) != 0;
      (moves ? consequences_.supplied : consequences_.lost) +=
          moves ? jump_.works[r] : -jump_.works[r];
      if (row.law != kNone) consequences_.laws[at(named_law(model, row.law))] += jump_.works[r];
      if (row.formula) account_formula(model, r);
    }
  }

  // The laws in a formula, each by how fast it moved before and after.
  void account_formula(const Model& model, std::size_t r) {
    const Row& row = model.rows[r];
    const System& system = state_.system();
    const auto q = [&](int c) { return state_.positions()[system.place(c)]; };
    const auto v = [&](int c) { return state_.velocities()[system.place(c)]; };
    for (const FormulaVariable& x : row.formula->variables) {
      if (x.kind != FormulaVariable::Kind::law) continue;
      const double before = rate_before(x.law);
      const double after = evaluate(x.law, t_, Side::after).rate;
      consequences_.laws[at(x.law_index)] -= 0.5 * (before + after) * jump_.impulses[r] *
                                             row_law_derivative(row, t_, q, v, x.law_index);
    }
  }

  // Before the start everything is at rest; a law that replaced another one knows what was before.
  [[nodiscard]] double rate_before(const Law& law) const {
    if (t_ == 0 && !std::holds_alternative<ReplacedLaw>(law)) return 0;
    return evaluate(law, t_, Side::before).rate;
  }

  void tell_law(std::size_t r) {
    const Model& model = state_.model();
    const Row& row = model.rows[r];
    if (row.law == kNone) return;
    const double before = rate_before(model.laws[at(row.law)]);
    const double after = row_value(model, row, t_, Side::after).rate;
    if (std::abs(before - after) <= kRoundoff) return;
    consequences_.events.push_back(
        {.time = t_,
         .name = row.kind == RowKind::hinge_drive ? model.hinges[at(row.owner)].name
                 : row.kind == RowKind::user      ? model.constraints[at(row.owner)].name
                                                  : model.supports[at(row.owner)].name,
         .what = print("the prescribed rate jumps from %.6g to %.6g; impulse %.6g", before, after,
                       jump_.impulses[r]) +
                 print(", work %.6g J", jump_.works[r])});
  }

  double t_;
  RunState& state_;
  Consequences& consequences_;
  Jump jump_;
};

}  // namespace

Outcome jump_laws(double t, RunState& state, Consequences& consequences) {
  return Changer(t, state, consequences).jump_laws();
}

Outcome carry_out(const Happening& happening, double t, RunState& state,
                  Consequences& consequences) {
  using What = Happening::What;
  Changer changer(t, state, consequences);
  switch (happening.what) {
    case What::latch:
      return changer.latch(happening.hinge);
    case What::hold:
      return changer.lock(happening.hinge, LockKind::hold, "held", happening.cause);
    case What::jam:
      return changer.lock(happening.hinge, LockKind::jam, "jammed", happening.cause);
    case What::release:
      return changer.unlock(happening.hinge, "released", happening.cause);
    case What::strike:
      return changer.strike(happening.hinge, happening.stop);
    case What::rest:
      return changer.lock(happening.hinge, happening.stop, "rests on its stop");
    case What::part:
      return changer.unlock(happening.hinge, "leaves its stop");
  }
  FEM_DEMAND(false);
  return {};
}

}  // namespace fem
