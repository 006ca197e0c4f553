#include "libfem/analysis/dynamics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>

#include "libfem/analysis/ledger.hpp"
#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/integrator/arc_length.hpp"
#include "libfem/system/system.hpp"

namespace fem {
namespace {

constexpr long kStepsBetweenProgress = 256;
constexpr double kNoJump = 1e-12;  // m/s or rad/s: formulas of a law that meet but for roundings
constexpr double kGiven = 1e-9;    // relative: velocities as a user writes them
constexpr double kLeastFrequency = 1000;  // times the run's length: steps of a model without rods

std::string print(const char* format, double a, double b = 0) {
  char text[160];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

// W, w_t and the scales of errors (theory of the two metrics: integrator/README.md).
ArcLengthOptions make_options(const System& system) {
  const Model& model = system.model();
  const ArcLengthDescription& method = model.analysis.method;
  const double least = model.elements.empty() ? kLeastFrequency / model.analysis.end : 0.0;
  ArcLengthOptions options{.local_tolerance = method.local_tolerance,
                           .iteration_tolerance = method.iteration_tolerance,
                           .frequency_limit = method.frequency_limit,
                           .highest_frequency = std::max(system.highest_frequency(), least)};
  options.weights.assign(system.size(), 0.0);
  options.scales.assign(system.size(), 0.0);
  const bool scaled = method.metric == Metric::scaled;
  const double length = scaled ? method.reference_length.value_or(model.size) : 1.0;
  const double time = scaled ? method.reference_time.value_or(model.analysis.end) : 1.0;
  const auto angles =
      static_cast<double>(std::count(model.is_angle.begin(), model.is_angle.end(), 1));
  const double positions = static_cast<double>(model.coordinates()) - angles;
  for (int c = 0; c < model.coordinates(); ++c) {
    const bool angle = model.is_angle[static_cast<std::size_t>(c)] != 0;
    const double unit = angle ? 1.0 : length;
    const double count = scaled ? (angle ? angles : positions) : 1.0;
    options.weights[system.place(c)] = 1 / (unit * unit * count);
    options.scales[system.place(c)] = 1 / unit;
  }
  options.time_weight = 1 / (time * time);
  options.time_scale = time;
  return options;
}

// Energy that elements can hold while their ends are off by the local tolerance: a balance below
// it says nothing.
double tolerated_energy(const Model& model) {
  const ArcLengthDescription& method = model.analysis.method;
  const double unit =
      method.metric == Metric::scaled ? method.reference_length.value_or(model.size) : 1.0;
  const double error = method.local_tolerance * unit;
  double energy = 0;
  for (const Element& e : model.elements) {
    const RodConstants<double>& c = model.types[static_cast<std::size_t>(e.type)];
    energy += 0.5 * c.axial * c.inverse_length * c.inverse_length * error * error;
  }
  return energy;
}

class Run {
 public:
  Run(const Model& model, Parallelism parallelism, Observer& observer)
      : model_(model),
        parallelism_(parallelism),
        observer_(observer),
        system_(std::make_unique<System>(model_, parallelism)),
        integrator_(std::make_unique<ArcLength<System>>(*system_, make_options(*system_))),
        q_(system_->initial_positions()),
        v_(system_->size(), 0.0),
        out_q_(system_->size()),
        out_v_(system_->size()),
        out_a_(system_->size()),
        ledger_(start_energies()),
        tolerated_energy_(tolerated_energy(model)),
        gaps_(measure_gaps(q_)) {
    for (const double t : model.break_times) {
      if (t > 0 && t < model.analysis.end) breaks_.push_back(t);
    }
    breaks_.push_back(model.analysis.end);
  }

  RunSummary run() {
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& text : model_.warnings) warn(text);
    for (const std::string& text : system_->projection().warnings) warn(text);
    if (system_->independent() == 0)
      warn("every coordinate is prescribed: nothing is left to integrate");
    if (begin_at(0)) integrate();
    if (summary_.status == RunStatus::running) summary_.status = RunStatus::complete;
    warn_of_open_ledger();
    finish_summary();
    summary_.wall_time =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(summary_);
  }

 private:
  // Positions and velocities as given.
  Energies start_energies() {
    v_ = system_->store(model_.initial_rates);
    return system_->energies(0, Side::before, q_, v_);
  }

  Powers calc_powers(double t, Side side, std::span<const double> q, std::span<const double> v,
                     std::span<const double> a) const {
    const Energies others = system_->powers(t, side, q, v);
    return {.rheonomic = system_->drive_power(a),
            .external = others.external,
            .dissipated = others.dissipated};
  }

  void warn(const std::string& text) {
    summary_.warnings.push_back(text);
    observer_.warning(text);
  }

  // Jump of the velocities at t (from the given ones at the start), then the integrator starts
  // anew.
  bool begin_at(double t) {
    const std::vector<double> before = v_;
    std::vector<double> impulses;
    const Outcome outcome = system_->jump(t, q_, v_, impulses);
    if (!outcome.ok()) return fail(outcome, t);
    report_jump(t, before, impulses);
    if (t == 0) warn_of_contradiction(before);
    const Outcome started = integrator_->start(t, q_, v_);
    if (!started.ok()) return fail(started, t);
    ledger_time_ = t;
    ledger_.set_powers(calc_powers(t, Side::after, integrator_->positions(),
                                   integrator_->velocities(), integrator_->accelerations()));
    if (t == 0) {
      std::copy(q_.begin(), q_.end(), out_q_.begin());
      std::copy(v_.begin(), v_.end(), out_v_.begin());
      return output(0, Side::after);
    }
    return true;
  }

  // Velocities that a case gives against a support, a joint or a body: the first such row.
  void warn_of_contradiction(const std::vector<double>& given) {
    double fastest = 0;
    for (const double v : given) fastest = std::max(fastest, std::abs(v));
    for (const Row& row : model_.rows) {
      const double rate = row_rate(
          row, [this](int c) { return q_[system_->place(c)]; },
          [&](int c) { return given[system_->place(c)]; });
      if (row.law != kNone || std::abs(rate) <= kGiven * fastest) continue;
      return warn(row.pointer + print(": the initial velocities violate it by %.3g m/s or rad/s; "
                                      "they are made consistent as by an impact",
                                      rate));
    }
  }

  // Work of the impulses, ½(D v⁻ + d⁺)·Λ: put in by laws whose rates jump, lost where something
  // locks.
  void report_jump(double t, const std::vector<double>& before,
                   const std::vector<double>& impulses) {
    for (std::size_t r = 0; r < model_.rows.size(); ++r) {
      const Row& row = model_.rows[r];
      const double rate = row_rate(
          row, [this](int c) { return q_[system_->place(c)]; },
          [&](int c) { return before[system_->place(c)]; });
      const double after = row_value(model_, row, t, Side::after).rate;
      const double work = 0.5 * (rate + after) * impulses[r];
      if (row.law == kNone) {
        ledger_.add_loss(-work);
      } else {
        ledger_.add_jump(work);
        // Before the start everything is at rest.
        const double prescribed = t == 0 ? 0.0 : row_value(model_, row, t, Side::before).rate;
        if (std::abs(prescribed - after) > kNoJump) {
          tell_jump(t, row, prescribed, after, impulses[r], work);
        }
      }
      if (row.kind == RowKind::hinge_lock && t == lock_time_ &&
          static_cast<int>(r) == newest_row()) {
        observer_.event(
            {.time = t,
             .name = model_.hinges[static_cast<std::size_t>(row.owner)].name,
             .what = print("latched at rate %.6g rad/s; impulse %.6g N m s", rate, impulses[r]) +
                     print(", energy lost %.6g J", -work)});
      }
    }
  }

  [[nodiscard]] int newest_row() const { return static_cast<int>(model_.rows.size()) - 1; }

  void tell_jump(double t, const Row& row, double before, double after, double impulse,
                 double work) {
    const auto owner = static_cast<std::size_t>(row.owner);
    observer_.event({.time = t,
                     .name = row.kind == RowKind::hinge_drive ? model_.hinges[owner].name
                                                              : model_.supports[owner].name,
                     .what = print("the prescribed rate jumps from %.6g", before) +
                             print(" to %.6g; impulse %.6g", after, impulse) +
                             print(", work %.6g J", work)});
  }

  // Dependent coordinates of a state within or at the end of a step.
  bool complete(double t, std::span<double> q, std::span<double> v) {
    const Outcome outcome = system_->complete(t, Side::before, q, v);
    return outcome.ok() || fail(outcome, t);
  }

  // Relative angle beyond the latch of every hinge; 0 without a latch or when it is locked.
  [[nodiscard]] std::vector<double> measure_gaps(std::span<const double> q) const {
    std::vector<double> gaps;
    for (const Hinge& h : model_.hinges) {
      const bool open = h.latch && h.lock == kNone;
      gaps.push_back(open ? q[system_->place(h.second)] - q[system_->place(h.first)] + h.turns -
                                *h.latch
                          : 0.0);
    }
    return gaps;
  }

  // A hinge that reached its latch within the last step, and when; the first of several.
  struct Latching {
    int hinge = kNone;
    double time = 0;
  };
  Latching find_latching() {
    Latching first;
    const double end = integrator_->time();
    if (!complete(end, integrator_->positions(), integrator_->velocities())) return first;
    const std::vector<double> now = measure_gaps(integrator_->positions());
    for (std::size_t h = 0; h < now.size(); ++h) {
      if (gaps_[h] == 0 || gaps_[h] * now[h] > 0) continue;
      const double t = locate_latch(h, integrator_->step_start_time(), end);
      if (first.hinge == kNone || t < first.time) first = {static_cast<int>(h), t};
    }
    if (first.hinge == kNone) gaps_ = now;
    return first;
  }

  // Root of the gap along the step's polynomial, by bisection to the last bit.
  double locate_latch(std::size_t h, double low, double high) {
    for (;;) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) return high;
      integrator_->dense_output(middle, out_q_, out_v_);
      if (!complete(middle, out_q_, out_v_)) return high;
      (measure_gaps(out_q_)[h] * gaps_[h] > 0 ? low : high) = middle;
    }
  }

  // Locks the hinge at t, where it stands: a new row, a new system, and the jump that follows.
  bool latch(const Latching& latching) {
    integrator_->dense_output(latching.time, out_q_, out_v_);
    if (!complete(latching.time, out_q_, out_v_)) return false;
    std::vector<double> natural_q, natural_v;
    for (int c = 0; c < model_.coordinates(); ++c) {
      natural_q.push_back(out_q_[system_->place(c)]);
      natural_v.push_back(out_v_[system_->place(c)]);
    }
    lock_hinge(model_, latching.hinge, natural_q);
    count_statistics();
    system_ = std::make_unique<System>(model_, parallelism_);
    integrator_ = std::make_unique<ArcLength<System>>(*system_, make_options(*system_));
    recorded_ = {};
    for (auto* x : {&q_, &v_, &out_q_, &out_v_, &out_a_}) x->assign(system_->size(), 0.0);
    for (int c = 0; c < model_.coordinates(); ++c) {
      q_[system_->place(c)] = natural_q[static_cast<std::size_t>(c)];
      v_[system_->place(c)] = natural_v[static_cast<std::size_t>(c)];
    }
    gaps_ = measure_gaps(q_);
    lock_time_ = latching.time;
    return begin_at(latching.time);
  }

  void integrate() {
    std::size_t next_break = 0;
    while (summary_.status == RunStatus::running) {
      const double until = breaks_[next_break];
      const Outcome outcome = integrator_->step(until);
      if (!outcome.ok()) {
        fail(outcome, integrator_->time());
        return;
      }
      const Latching latching = find_latching();
      const double t = latching.hinge == kNone ? integrator_->time() : latching.time;
      if (!ledger_step(t) || !write_outputs(t)) return;
      if (latching.hinge != kNone) {
        if (!latch(latching)) return;
      } else if (t == until) {
        if (++next_break == breaks_.size()) return;
        if (!take_state(t) || !begin_at(t)) return;
      }
      if (integrator_->statistics().steps % kStepsBetweenProgress == 0 && !tell_progress()) return;
    }
  }

  // Works up to time t of the last step.
  bool ledger_step(double t) {
    largest_estimate_ = std::max(largest_estimate_, integrator_->last_estimate());
    if (t == integrator_->time()) {
      ledger_.add_step(t - ledger_time_,
                       calc_powers(t, Side::before, integrator_->positions(),
                                   integrator_->velocities(), integrator_->accelerations()));
    } else {
      integrator_->dense_output(t, out_q_, out_v_);
      const Outcome outcome = system_->acceleration(t, Side::before, out_q_, out_v_, out_a_);
      if (!outcome.ok()) return fail(outcome, t);
      ledger_.add_step(t - ledger_time_, calc_powers(t, Side::before, out_q_, out_v_, out_a_));
    }
    ledger_time_ = t;
    return true;
  }

  bool take_state(double t) {
    const auto q = integrator_->positions();
    const auto v = integrator_->velocities();
    std::copy(q.begin(), q.end(), q_.begin());
    std::copy(v.begin(), v.end(), v_.begin());
    return complete(t, q_, v_);
  }

  // All output times that the last step reached.
  bool write_outputs(double t) {
    for (double out = output_time(); out <= t; out = output_time()) {
      integrator_->dense_output(out, out_q_, out_v_);
      if (!output(out, Side::before)) return false;
    }
    return true;
  }

  [[nodiscard]] double output_time() const {
    const double t = static_cast<double>(outputs_) * model_.analysis.output_every;
    // The end is always written, and not twice for a rounded multiple.
    const double end = model_.analysis.end;
    if (outputs_ > 0 && last_output_ == end) return std::numeric_limits<double>::infinity();
    return t > end * (1 - 1e-12) ? end : t;
  }

  // Reports the state in out_q_, out_v_ at time t.
  bool output(double t, Side side) {
    const Outcome outcome = system_->acceleration(t, side, out_q_, out_v_, out_a_);
    if (!outcome.ok()) return fail(outcome, t);
    Snapshot snapshot = take_snapshot(*system_, {t, side, out_q_, out_v_, out_a_});
    const Powers powers = calc_powers(t, side, out_q_, out_v_, out_a_);
    snapshot.energy =
        ledger_.close(system_->energies(t, side, out_q_, out_v_), t - ledger_time_, powers);
    snapshot.momentum = take_momentum(system_->momentum(out_q_, out_v_));
    snapshot.solver = solver_record();
    ++outputs_;
    last_output_ = t;
    summary_.final_time = t;
    summary_.worst_position_violation =
        std::max(summary_.worst_position_violation, snapshot.position_violation);
    summary_.worst_velocity_violation =
        std::max(summary_.worst_velocity_violation, snapshot.velocity_violation);
    observer_.snapshot(snapshot);
    return check_ledger(t, snapshot.energy);
  }

  static MomentumSnapshot take_momentum(const Momentum& m) {
    return {.center_x = m.center[0],
            .center_y = m.center[1],
            .linear_x = m.linear[0],
            .linear_y = m.linear[1],
            .angular = m.angular};
  }

  SolverSnapshot solver_record() {
    const ArcLengthStatistics& now = integrator_->statistics();
    const auto steps = static_cast<double>(now.steps - recorded_.steps);
    const auto evaluations = static_cast<double>(now.evaluations - recorded_.evaluations);
    const SolverSnapshot record{.step = integrator_->last_step(),
                                .iterations = steps > 0 ? evaluations / steps : 0,
                                .local_error = largest_estimate_};
    recorded_ = now;
    largest_estimate_ = 0;
    return record;
  }

  // A run that makes more energy than it was given is stopped.
  bool check_ledger(double t, const EnergySnapshot& e) {
    const double supplied = ledger_.supplied_energy() + tolerated_energy_;
    if (std::abs(e.balance) <= supplied) return true;
    summary_.status = RunStatus::failed;
    summary_.reason =
        print("at t = %.9g s the energy does not balance: ", t) +
        print("%.3g J have appeared beside the %.3g J supplied; ", e.balance, supplied) +
        "the steps pump energy: lower \"frequency_limit\" or \"local_tolerance\"";
    return false;
  }

  // A run that breaks its ledger says so.
  void warn_of_open_ledger() {
    const double allowed = kLedgerTolerance * ledger_.largest_energy() + tolerated_energy_;
    if (ledger_.worst_balance() <= allowed) return;
    warn(print("the energy ledger does not close: the worst balance is %.3g J of %.3g J; ",
               ledger_.worst_balance(), ledger_.largest_energy()) +
         "lower \"frequency_limit\" or \"local_tolerance\"");
  }

  bool tell_progress() {
    const Progress progress{.time = integrator_->time(),
                            .end = model_.analysis.end,
                            .step = integrator_->last_step(),
                            .steps = integrator_->statistics().steps};
    if (observer_.proceed(progress)) return true;
    summary_.status = RunStatus::interrupted;
    summary_.reason = print("interrupted at t = %.9g s", progress.time);
    return false;
  }

  bool fail(const Outcome& outcome, double t) {
    summary_.status = RunStatus::failed;
    summary_.reason = print("at t = %.9g s, step %.0f: ", t,
                            static_cast<double>(integrator_->statistics().steps + 1)) +
                      describe(outcome.status) + "; worst at " +
                      system_->describe_unknown(outcome.where) + advice(outcome.status);
    return false;
  }

  static const char* advice(Status status) {
    switch (status) {
      case Status::no_convergence:
      case Status::step_too_small:
        return "; try a lower \"frequency_limit\" or looser tolerances";
      case Status::not_finite:
        return "; the motion has left what the element can follow: look at the last results";
      default:
        return "";
    }
  }

  // Statistics of the integrator that is about to go, or at the end.
  void count_statistics() {
    const ArcLengthStatistics& s = integrator_->statistics();
    summary_.steps += s.steps;
    summary_.rejected_steps += s.rejected;
    summary_.evaluations += s.evaluations;
  }

  void finish_summary() {
    count_statistics();
    summary_.largest_energy = ledger_.largest_energy();
    summary_.worst_balance = ledger_.worst_balance();
    summary_.ledger_tolerance = kLedgerTolerance;
  }

  Model model_;  // as it stands now: latches add rows
  Parallelism parallelism_;
  Observer& observer_;
  std::unique_ptr<System> system_;
  std::unique_ptr<ArcLength<System>> integrator_;
  std::vector<double> q_, v_;                  // the state at a break time
  std::vector<double> out_q_, out_v_, out_a_;  // the state at an output time
  Ledger ledger_;
  double tolerated_energy_;     // J
  double ledger_time_ = 0;      // up to which works are counted
  std::vector<double> gaps_;    // of latches, at the last accepted step
  double lock_time_ = -1;       // of the newest latch
  std::vector<double> breaks_;  // within the run, and its end
  RunSummary summary_;
  ArcLengthStatistics recorded_;
  double largest_estimate_ = 0;
  double last_output_ = 0;
  long outputs_ = 0;
};

}  // namespace

RunSummary run_dynamics(const Model& model, Parallelism parallelism, Observer& observer) {
  return Run(model, parallelism, observer).run();
}

}  // namespace fem
