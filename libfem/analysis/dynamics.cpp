#include "libfem/analysis/dynamics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "libfem/analysis/determinacy.hpp"
#include "libfem/analysis/hinge_changes.hpp"
#include "libfem/analysis/hinge_events.hpp"
#include "libfem/analysis/law_ledger.hpp"
#include "libfem/analysis/ledger.hpp"
#include "libfem/analysis/ledger_watch.hpp"
#include "libfem/analysis/not_finite.hpp"
#include "libfem/analysis/run_state.hpp"
#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/constraint/violation.hpp"
#include "libfem/frame/frame_motion.hpp"

namespace fem {
namespace {

constexpr long kStepsBetweenProgress = 256;
constexpr double kUnseen = 1e-4;  // of the energy of the local tolerance: below it is no ledger
constexpr double kGiven = 1e-9;   // relative: velocities as a user writes them

std::string print(const char* format, double a, double b = 0) {
  char text[160];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

// Energy that elements can hold while their ends are off by the local tolerance: a balance below
// it says nothing.
double tolerated_energy(const Model& model) {
  const ArcLengthDescription& method = model.analysis.method;
  const double unit =
      method.metric == Metric::scaled ? method.reference_length.value_or(model.size) : 1.0;
  const auto& long_steps = model.analysis.long_steps;
  const double error =
      long_steps ? long_steps->tolerance * model.size : *method.local_tolerance * unit;
  double energy = 0;
  for (const Element& e : model.elements) {
    const RodConstants<double>& c = model.types[static_cast<std::size_t>(e.type)];
    energy += 0.5 * c.axial * c.inverse_length * c.inverse_length * error * error;
  }
  return energy;
}

// Long steps damp what they do not resolve: shorter ones would not close their ledger.
std::optional<double> watched_tolerance(const Model& model) {
  if (model.analysis.long_steps) return std::nullopt;
  return model.analysis.method.ledger_tolerance;
}

}  // namespace

class Dynamics::Run {
 public:
  Run(const Model& model, Parallelism parallelism, Observer& observer)
      : observer_(observer),
        state_(model, parallelism),
        events_(state_.model()),
        laws_(state_.model()),
        ledger_(state_.system().energies(0, Side::before, state_.positions(), state_.velocities())),
        tolerated_energy_(tolerated_energy(model)),
        watch_(watched_tolerance(model), kUnseen * tolerated_energy_) {}

  void start() {
    for (const std::string& text : model().warnings) warn(text);
    if (system().independent() == 0 && events_.idle())
      warn("every coordinate is prescribed: nothing is left to integrate");
    find_breaks(0);
    if (begin_at(0)) started_ = true;
  }

  void resume(std::string_view checkpoint) {
    find_breaks(0);
    StateReader in(checkpoint);
    state_.load(in);
    archive(in);
    in.finish();
    for (const auto* x : {&out_q_, &out_v_, &out_a_}) {
      if (x->size() != system().size()) throw ArchiveError("the stored state is of another model");
    }
    if (next_break_ >= breaks_.size()) throw ArchiveError("the stored run has ended");
    const double from = next_break_ == 0 ? 0 : breaks_[next_break_ - 1];
    const double t = state_.integrator().time();
    if (!(t >= from && t < breaks_[next_break_] && is_at(t))) {
      throw ArchiveError("the stored state is damaged");
    }
    started_ = true;
  }

  void step(double target) {
    const double until = std::min(breaks_[next_break_], events_.next_time());
    side_ = Side::before;
    const Outcome outcome = integrator().step(std::min(until, target));
    if (!demand(outcome, integrator().time())) return;
    double t = integrator().time();
    bool happened = false;
    if (!events_.idle() && !find_happening(happened, t)) return;
    if (!ledger_step(t, happened) || !write_outputs(t) || !remember(t)) return;
    if (!happened) watch_ledger(t);
    if (t == breaks_[next_break_] && ++next_break_ == breaks_.size()) {
      summary_.status = RunStatus::complete;
      return;
    }
    if (happened || t == until || system().wants_new_dependents()) {
      if (!take(t, Side::before) || !begin_at(t)) return;
    }
    ++steps_;
    if (progress_is_due()) tell_progress();
  }

  void replace_laws(const std::vector<NewLaw>& laws) {
    const double t = time();
    if (started_ && !take(t, side_)) return;
    const std::optional<double> from = started_ ? std::optional(t) : std::nullopt;
    state_.replace_laws(laws, from, side_);
    if (!started_) return;
    find_breaks(t);
    begin_at(t);
  }

  bool look(Snapshot& snapshot) {
    const double t = time();
    const auto q = integrator().positions();
    const auto v = integrator().velocities();
    std::copy(q.begin(), q.end(), out_q_.begin());
    std::copy(v.begin(), v.end(), out_v_.begin());
    const Outcome outcome = system().acceleration(t, side_, out_q_, out_v_, out_a_);
    if (!demand(outcome, t)) return false;
    Ledger ledger = ledger_;
    snapshot = describe_state(t, side_, ledger);
    return demand_finite(snapshot, t);
  }

  // What was being computed is lost; what was reported stands.
  void fail_without_memory() { fail("there is not enough memory", time()); }

  RunSummary finish() {
    if (summary_.status == RunStatus::running) {
      summary_.status = RunStatus::interrupted;
      summary_.reason = print("ended at t = %.9g s", time());
    }
    warn_of_open_ledger();
    return sum_up();
  }

  // The summary with what is counted elsewhere.
  [[nodiscard]] RunSummary sum_up() const {
    RunSummary sum = summary_;
    const StepStatistics s = state_.statistics();
    sum.steps = s.steps;
    sum.rejected_steps = s.rejected;
    sum.evaluations = s.evaluations;
    sum.largest_energy = ledger_.largest_energy();
    sum.worst_balance = ledger_.worst_balance();
    sum.ledger_tolerance = allowed_balance();
    sum.wall_time += std::chrono::duration<double>(Clock::now() - counted_).count();
    return sum;
  }

  [[nodiscard]] double time() const { return started_ ? state_.integrator().time() : 0.0; }
  [[nodiscard]] const RunSummary& summary() const { return summary_; }
  [[nodiscard]] const Model& model() const { return state_.model(); }
  [[nodiscard]] Side side() const { return side_; }

 private:
  [[nodiscard]] System& system() { return state_.system(); }
  [[nodiscard]] TimeScheme& integrator() { return state_.integrator(); }

  // Wall time, that of the runs before this one was resumed included.
  void take_time() {
    const auto now = Clock::now();
    summary_.wall_time += std::chrono::duration<double>(now - counted_).count();
    counted_ = now;
  }

  // What is kept beside the RunState, between two steps.
  template <class Archive>
  void archive(Archive& a) {
    a(events_, laws_, ledger_, watch_, uniform_at_start_, rank_, out_q_, out_v_, out_a_,
      ledger_time_, next_break_, side_, summary_, recorded_, largest_estimate_, last_output_,
      outputs_, steps_);
  }

  // Whether all that is counted was counted up to time t, between two steps.
  [[nodiscard]] bool is_at(double t) const {
    return ledger_time_ == t && events_.are_at(t) && outputs_ > 0 && last_output_ <= t &&
           output_time() > t;
  }

  std::string save() {
    take_time();
    StateWriter out;
    state_.save(out);
    archive(out);
    return out.take();
  }

  Powers calc_powers(double t, Side side, std::span<const double> q, std::span<const double> v,
                     std::span<const double> a) {
    const Energies others = system().powers(t, side, q, v);
    Powers powers{.rheonomic = system().drive_power(a) + others.rheonomic,
                  .external = others.external,
                  .dissipated = others.dissipated};
    if (model().frame) {
      powers.frame = system().frame_power(t, side, q, a);
      powers.rheonomic += powers.frame;
      powers.inertia = calc_frame_terms(t, side, q, v).power;
    }
    return powers;
  }

  // The frame's part of the potential in it, m r_c·(a_A − g) − ½ J ω², and the power that is not
  // the potential's change.
  struct FrameTerms {
    double kinetic = 0, uniform = 0, centrifugal = 0, power = 0;
  };
  FrameTerms calc_frame_terms(double t, Side side, std::span<const double> q,
                              std::span<const double> v) {
    const System::FrameSums sums = system().frame_sums(q, v);
    const FrameMotion frame = frame_motion(model(), t, side);
    FrameTerms terms{.kinetic = sums.kinetic,
                     .centrifugal = -0.5 * sums.inertia * frame.rate * frame.rate,
                     .power = frame.acceleration * (sums.angular + sums.inertia * frame.rate)};
    for (std::size_t k = 0; k < 3; ++k) {
      const double field = frame.pole_acceleration[k] - frame.gravity[k];
      terms.uniform += sums.first[k] * field;
      terms.power += sums.momentum[k] * field;
    }
    return terms;
  }

  // What an observer in the frame has of energies, at the last acceleration.
  void see_from_frame(const Energies& now, const Powers& work, double t, Side side, Snapshot& s) {
    RheonomicSnapshot& r = s.rheonomic;
    r.relative_kinetic = now.kinetic;
    r.relative_potential = now.strain + now.springs + now.hereditary + now.gravity;
    if (model().frame) {
      const FrameMotion frame = frame_motion(model(), t, side);
      s.frame = {.origin_x = frame.origin[0],
                 .origin_y = frame.origin[1],
                 .origin_z = frame.origin[2],
                 .angle = frame.angle,
                 .rate = frame.rate};
      const FrameTerms terms = calc_frame_terms(t, side, out_q_, out_v_);
      if (!uniform_at_start_) uniform_at_start_ = terms.uniform;
      r.relative_kinetic = terms.kinetic;
      r.relative_potential =
          now.strain + now.springs + now.hereditary + terms.uniform + terms.centrifugal;
      r.frame_work = terms.uniform - *uniform_at_start_ - work.inertia;
    }
    r.hamiltonian = r.relative_kinetic + r.relative_potential;
    r.rheonomic_potential = work.frame - work.rheonomic;
    r.extended_energy = r.hamiltonian + r.rheonomic_potential - r.frame_work;
  }

  // Every warning once: hinges that are locked later make systems anew.
  void warn(const std::string& text) {
    auto& told = summary_.warnings;
    if (std::find(told.begin(), told.end(), text) != told.end()) return;
    told.push_back(text);
    observer_.warning(text);
  }

  // All that happens at t, one after another; then the integrator starts anew.
  bool begin_at(double t) {
    if (!started_) warn_of_contradiction();
    if (!started_ && model().moves_with_laws) {
      const Outcome outcome = move_with_laws();
      if (!demand(outcome, t)) return false;
    }
    Consequences consequences;
    try {
      if (system().wants_new_dependents()) state_.renew();
      const Outcome outcome = let_happen(t, consequences);
      take_account(consequences);
      if (!demand(outcome, t)) return false;
    } catch (const InputError& error) {  // what locks contradicts what else holds
      take_account(consequences);
      return fail(error.problems().front().what, t);
    }
    for (const std::string& text : system().projection().warnings) warn(text);
    if (!started_) warn_of_coarse_kernels();
    ledger_.add_jump(state_.commit_jump(t));
    state_.limit_step(watch_.start(state_.largest_step()));
    if (!demand(state_.start(t), t)) return false;
    for (auto* x : {&out_q_, &out_v_, &out_a_}) x->assign(system().size(), 0.0);
    ledger_time_ = t;
    const auto q = integrator().positions();
    const auto v = integrator().velocities();
    const auto a = integrator().accelerations();
    ledger_.set_powers(calc_powers(t, Side::after, q, v, a));
    if (!laws_.empty()) laws_.set_powers(laws_.measure(system(), t, Side::after, q, v, a));
    side_ = Side::after;
    if (started_) return true;
    std::copy(state_.positions().begin(), state_.positions().end(), out_q_.begin());
    std::copy(state_.velocities().begin(), state_.velocities().end(), out_v_.begin());
    return output(0, Side::after);
  }

  // Whether the deformations of hereditary elements are still coordinates (Goroshko & Puchko 1997,
  // §7), or are again.
  void watch_determinacy(double t) {
    if (model().hereditary.empty()) return;
    const Determinacy now = calc_determinacy(system(), out_q_);
    if (rank_ && *rank_ != now.rank) {
      warn("the rank of the hereditary elements' deformations changes: " +
           print("from %.0f", *rank_) + print(" to %.0f by t = %.6g s", now.rank, t) +
           print(", of %.0f elements; the motion goes on, in the relaxation form", now.elements));
    }
    rank_ = now.rank;
  }

  // What the laws prescribe at the start was there before: the ledger begins with it.
  Outcome move_with_laws() {
    Jump unseen;
    const Outcome outcome = state_.jump(0, unseen);
    if (!outcome.ok()) return outcome;
    ledger_ = Ledger(system().energies(0, Side::after, state_.positions(), state_.velocities()));
    return {};
  }

  // Velocities that a case gives against a support, a joint or a body: the first such row.
  void warn_of_contradiction() {
    const std::vector<double> q = state_.natural_positions();
    const std::vector<double> given = state_.natural_velocities();
    double fastest = 0;
    for (const double v : given) fastest = std::max(fastest, std::abs(v));
    for (const Row& row : model().rows) {
      const auto at_start = [&](int c) { return q[static_cast<std::size_t>(c)]; };
      const auto moving = [&](int c) { return given[static_cast<std::size_t>(c)]; };
      const double rate = row_rate(row, 0, at_start, moving) + row_drift(row, 0, at_start);
      if (row.law != kNone || std::abs(rate) <= kGiven * fastest) continue;
      return warn(row.pointer + print(": the initial velocities violate it by %.3g m/s or rad/s; "
                                      "they are made consistent as by an impact",
                                      rate));
    }
  }

  // Kernels that even the finest sum of exponentials does not give to their tolerance.
  void warn_of_coarse_kernels() {
    const auto warn_of = [this](const std::string& what, const HereditaryLaw& law,
                                const RelaxationSeries& series) {
      summary_.kernel_error = std::max(summary_.kernel_error, series.error);
      if (!(series.error > law.tolerance)) return;
      warn(what + print(" has a relaxation function that is right to %.2g only, not to its "
                        "tolerance %.2g",
                        series.error, law.tolerance));
    };
    const auto& elements = system().hereditary().state().series;
    for (std::size_t n = 0; n < elements.size(); ++n) {
      const HereditaryElement& e = model().hereditary[n];
      warn_of("hereditary element '" + e.name + "'", e.material, elements[n]);
    }
    const auto& sections = system().rod_memory().state().series;
    for (std::size_t s = 0; s < sections.size(); ++s) {
      if (!model().section_memory[s]) continue;
      warn_of("section '" + model().section_names[s] + "'", model().section_memory[s]->material,
              sections[s]);
    }
  }

  Outcome let_happen(double t, Consequences& consequences) {
    const bool moves_already = !started_ && model().moves_with_laws;
    Outcome outcome = moves_already ? Outcome{} : jump_laws(t, state_, consequences);
    HingeMotion motion;
    while (outcome.ok() && !events_.idle()) {
      outcome = state_.hinge_motion(t, motion);
      if (!outcome.ok()) break;
      const auto happening = events_.next(motion);
      if (!happening) break;
      outcome = carry_out(*happening, t, state_, consequences);
    }
    events_.start(std::move(motion));
    return outcome;
  }

  void take_account(const Consequences& consequences) {
    ledger_.add_jump(consequences.supplied, consequences.frame);
    laws_.add_jump(consequences.laws);
    ledger_.add_loss(consequences.lost);
    for (const Event& event : consequences.events) observer_.event(event);
  }

  // Break times after t, and the run's end.
  void find_breaks(double t) {
    const double end = model().analysis.end;
    breaks_.clear();
    next_break_ = 0;
    for (const double at : model().break_times) {
      if (at > t && at < end) breaks_.push_back(at);
    }
    breaks_.push_back(end);
  }

  bool take(double t, Side side) { return demand(state_.take(t, side), t); }

  // Whether something happened to a hinge within the last step, and when: the first of it.
  bool find_happening(bool& happened, double& t) {
    HingeMotion end;
    const Outcome outcome = state_.hinge_motion_at_end(end);
    if (!demand(outcome, t)) return false;
    happened = events_.passed(end);
    if (!happened) {
      events_.go_on(std::move(end));
      return true;
    }
    const Outcome located = events_.locate(
        end, [this](double at, HingeMotion& m) { return state_.hinge_motion_within(at, m); }, t);
    return demand(located, t);
  }

  // What hereditary elements remember, up to time t of the last step.
  bool remember(double t) { return demand(state_.commit(t), t); }

  // Works up to time t of the last step; `within` it, or with its accelerations no longer at hand.
  bool ledger_step(double t, bool within) {
    largest_estimate_ = std::max(largest_estimate_, integrator().last_estimate());
    std::span<const double> q = integrator().positions();
    std::span<const double> v = integrator().velocities();
    std::span<const double> a = integrator().accelerations();
    if (within) {
      state_.dense_state(t, out_q_, out_v_);
      const Outcome outcome = integrator().accelerations_within(t, out_q_, out_v_, out_a_);
      if (!demand(outcome, t)) return false;
      q = out_q_;
      v = out_v_;
      a = out_a_;
    }
    ledger_.add_step(t - ledger_time_, calc_powers(t, Side::before, q, v, a));
    if (!laws_.empty()) {
      laws_.add_step(t - ledger_time_, laws_.measure(system(), t, Side::before, q, v, a));
    }
    ledger_time_ = t;
    return true;
  }

  // The ledger at the end of a step, to bound those that follow.
  void watch_ledger(double t) {
    if (!watch_.is_due()) return;
    const Energies now =
        system().energies(t, Side::before, integrator().positions(), integrator().velocities());
    const auto bound = watch_.observe(ledger_.balance(now), ledger_.magnitude(now),
                                      ledger_.rounding(now), integrator().last_step());
    if (bound) state_.limit_step(*bound);
  }

  // All output times that the last step reached.
  bool write_outputs(double t) {
    for (double out = output_time(); out <= t; out = output_time()) {
      state_.dense_state(out, out_q_, out_v_);
      if (!output(out, Side::before)) return false;
    }
    return true;
  }

  [[nodiscard]] double output_time() const {
    const double t = static_cast<double>(outputs_) * model().analysis.output_every;
    // The end is always written, and not twice for a rounded multiple.
    const double end = model().analysis.end;
    if (outputs_ > 0 && last_output_ == end) return std::numeric_limits<double>::infinity();
    return t > end * (1 - 1e-12) ? end : t;
  }

  // Reports the state in out_q_, out_v_ at time t.
  bool output(double t, Side side) {
    const Outcome outcome = side == Side::after
                                ? system().acceleration(t, side, out_q_, out_v_, out_a_)
                                : integrator().accelerations_within(t, out_q_, out_v_, out_a_);
    if (!demand(outcome, t)) return false;
    const Snapshot snapshot = describe_state(t, side, ledger_);
    if (!demand_finite(snapshot, t)) return false;
    recorded_ = state_.statistics();
    largest_estimate_ = 0;
    ++outputs_;
    last_output_ = t;
    summary_.final_time = t;
    summary_.worst_position_violation =
        std::max(summary_.worst_position_violation, snapshot.position_violation);
    summary_.worst_velocity_violation =
        std::max(summary_.worst_velocity_violation, snapshot.velocity_violation);
    observer_.snapshot(snapshot);
    watch_determinacy(t);
    return check_constraints(t, side) && check_ledger(t, snapshot.energy);
  }

  // All that is reported of the state in out_q_, out_v_ with the accelerations in out_a_.
  Snapshot describe_state(double t, Side side, Ledger& ledger) {
    Snapshot snapshot = take_snapshot(system(), {t, side, out_q_, out_v_, out_a_});
    const Powers powers = calc_powers(t, side, out_q_, out_v_, out_a_);
    snapshot.laws = laws_.measure(system(), t, side, out_q_, out_v_, out_a_);
    laws_.close(t - ledger_time_, snapshot.laws);
    const Energies energies = system().energies(t, side, out_q_, out_v_);
    snapshot.energy = ledger.close(energies, t - ledger_time_, powers);
    see_from_frame(energies, ledger.works(t - ledger_time_, powers), t, side, snapshot);
    snapshot.momentum = take_momentum(system().momentum(t, side, out_q_, out_v_));
    snapshot.solver = solver_record();
    return snapshot;
  }

  static MomentumSnapshot take_momentum(const Momentum& m) {
    return {.center_x = m.center[0],
            .center_y = m.center[1],
            .center_z = m.center[2],
            .linear_x = m.linear[0],
            .linear_y = m.linear[1],
            .linear_z = m.linear[2],
            .angular = m.angular};
  }

  SolverSnapshot solver_record() {
    const StepStatistics now = state_.statistics();
    const auto steps = static_cast<double>(now.steps - recorded_.steps);
    const auto evaluations = static_cast<double>(now.evaluations - recorded_.evaluations);
    return {.step = integrator().last_step(),
            .iterations = steps > 0 ? evaluations / steps : 0,
            .local_error = largest_estimate_};
  }

  // A run whose constraints do not hold is no motion of the structure: it is stopped.
  bool check_constraints(double t, Side side) {
    const auto broken =
        find_broken_row(model(), t, side, 1, [this](int c) { return out_q_[system().place(c)]; });
    if (!broken) return true;
    summary_.status = RunStatus::failed;
    summary_.reason = print("at t = %.9g s ", t) + describe_broken_row(*broken);
    return false;
  }

  // A run that makes more energy than it was given is stopped.
  bool check_ledger(double t, const EnergySnapshot& e) {
    const double supplied = ledger_.supplied_energy() + tolerated_energy_;
    if (std::abs(e.balance) <= supplied) return true;
    summary_.status = RunStatus::failed;
    summary_.reason =
        print("at t = %.9g s the energy does not balance: ", t) +
        print("%.3g J have appeared beside the %.3g J supplied; ", e.balance, supplied) +
        "the steps pump energy: lower " + accuracy_key();
    return false;
  }

  [[nodiscard]] double allowed_balance() const {
    return watched_tolerance(model()).value_or(kLedgerTolerance);
  }

  // A run that breaks its ledger says so.
  void warn_of_open_ledger() {
    const double allowed = allowed_balance() * ledger_.largest_energy() + tolerated_energy_;
    if (ledger_.worst_balance() <= allowed) return;
    warn(print("the energy ledger does not close: the worst balance is %.3g J of %.3g J; ",
               ledger_.worst_balance(), ledger_.largest_energy()) +
         "lower " + accuracy_key());
  }

  // What a user lowers for smaller errors.
  [[nodiscard]] std::string accuracy_key() const {
    const auto& long_steps = model().analysis.long_steps;
    if (!long_steps) return "\"frequency_limit\" or \"local_tolerance\"";
    return long_steps->step ? "\"step\"" : "\"tolerance\"";
  }

  // Nobody waits long for an answer, however slow the steps are.
  bool progress_is_due() {
    if (steps_ % kStepsBetweenProgress == 0) return true;
    return Clock::now() - told_ >= kLongestSilence;
  }

  void tell_progress() {
    told_ = Clock::now();
    if (observer_.wants_checkpoint()) observer_.checkpoint(save());
    const Progress progress{.time = integrator().time(),
                            .end = model().analysis.end,
                            .step = integrator().last_step(),
                            .steps = state_.statistics().steps};
    if (observer_.proceed(progress)) return;
    observer_.checkpoint(save());
    summary_.status = RunStatus::interrupted;
    summary_.reason = print("interrupted at t = %.9g s", progress.time);
  }

  // No result without a value.
  bool demand_finite(const Snapshot& snapshot, double t) {
    const std::string quantity = find_not_finite(snapshot, model());
    if (quantity.empty()) return true;
    return fail(quantity +
                    " is not a finite number; give masses, stiffnesses and sizes whose "
                    "products a double can hold",
                t);
  }

  // Whether it could be computed at time t; if not, the run has failed.
  bool demand(const Outcome& outcome, double t) {
    if (outcome.ok()) return true;
    const std::string law = find_undefined_law(model(), t, state_.largest_step());
    if (!law.empty()) {
      return fail("law '" + law +
                      "' ceases to be a finite number; end the run before, or give it "
                      "an expression that is defined here",
                  t);
    }
    return fail(describe(outcome.status) +
                    ("; worst at " + system().describe_unknown(outcome.where)) +
                    advice(outcome.status),
                t);
  }
  bool fail(const std::string& reason, double t) {
    summary_.status = RunStatus::failed;
    summary_.reason =
        print("at t = %.9g s, step %.0f: ", t, static_cast<double>(state_.statistics().steps + 1)) +
        reason;
    return false;
  }

  [[nodiscard]] const char* advice(Status status) const {
    switch (status) {
      case Status::no_convergence:
      case Status::step_too_small:
        if (model().analysis.long_steps) return "; try \"arc_length\"";
        return "; try a lower \"frequency_limit\" or looser tolerances";
      case Status::not_finite:
        return "; the motion has left what the element can follow: look at the last results";
      default:
        return "";
    }
  }

  using Clock = std::chrono::steady_clock;
  static constexpr auto kLongestSilence = std::chrono::milliseconds(50);

  Observer& observer_;
  RunState state_;
  HingeEvents events_;
  std::vector<double> out_q_, out_v_, out_a_;  // the state at an output time
  LawLedger laws_;
  Ledger ledger_;
  std::optional<double> uniform_at_start_;  // m r_c·(a_A − g) of a moving frame, J
  std::optional<int> rank_;                 // of hereditary deformations, at the last output
  double tolerated_energy_;                 // J
  LedgerWatch watch_;
  double ledger_time_ = 0;      // up to which works are counted
  std::vector<double> breaks_;  // since the laws are as they are, and the run's end
  std::size_t next_break_ = 0;
  bool started_ = false;
  Side side_ = Side::after;  // of the present state, where a law breaks there
  RunSummary summary_;
  StepStatistics recorded_;
  double largest_estimate_ = 0;
  double last_output_ = 0;
  long outputs_ = 0;
  long steps_ = 0;
  Clock::time_point counted_ = Clock::now();  // up to which the wall time is in the summary
  Clock::time_point told_ = counted_;         // when the observer was asked last
};

Dynamics::Dynamics(const Model& model, Parallelism parallelism, Observer& observer)
    : run_(std::make_unique<Run>(model, parallelism, observer)) {}

Dynamics::~Dynamics() = default;

RunStatus Dynamics::status() const { return run_->summary().status; }

const std::string& Dynamics::reason() const { return run_->summary().reason; }

double Dynamics::time() const { return run_->time(); }

Side Dynamics::side() const { return run_->side(); }

const Model& Dynamics::model() const { return run_->model(); }

namespace {

// What takes memory on the way of a run: without any it ends as a failure of the solver does.
template <class Run, class Action>
void with_memory(Run& run, const Action& action) {
  try {
    action();
  } catch (const std::bad_alloc&) {
    run.fail_without_memory();
  }
}

}  // namespace

void Dynamics::start() {
  with_memory(*run_, [&] { run_->start(); });
}

void Dynamics::resume(std::string_view checkpoint) { run_->resume(checkpoint); }

void Dynamics::step(double until) {
  FEM_DEMAND(status() == RunStatus::running && until > time());
  with_memory(*run_, [&] { run_->step(until); });
}

bool Dynamics::look(Snapshot& snapshot) { return run_->look(snapshot); }

void Dynamics::replace_laws(const std::vector<NewLaw>& laws) { run_->replace_laws(laws); }

RunSummary Dynamics::summary() const { return run_->sum_up(); }

RunSummary Dynamics::finish() { return run_->finish(); }

RunSummary run_to_end(Dynamics& run) {
  while (run.status() == RunStatus::running) run.step(run.model().analysis.end);
  return run.finish();
}

RunSummary run_dynamics(const Model& model, Parallelism parallelism, Observer& observer) {
  Dynamics run(model, parallelism, observer);
  run.start();
  return run_to_end(run);
}

}  // namespace fem
