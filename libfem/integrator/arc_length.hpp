// Linear acceleration along the arc length of the solution curve: Danilin 2016, §2.7, after
// Danilin, Kuznetsov & Shalashilin 2003.
//
//   ds² = dqᵀ W dq + w_t dt²,        (′ = d/ds)
//   τ = t′ = (w_t + vᵀWv)^(−1/2),    q′ = τ v,
//   q″ = τ²[a − q′(q′ᵀWa)],          t″ = −τ³ q′ᵀWa
//   q′₁ = q′₀ + h/2 (q″₀ + q″₁),     q₁ = q₀ + h q′₀ + h²/6 (2q″₀ + q″₁),   the same for t
//
// Simple iteration on q″₁ from the linear extrapolation of the last two points.
//
//   order            2; truncation h⁴/24 q⁗ in q and h³/12 q⁗ in q′
//   stability        ω Δt ≤ 2√3 for an undamped mode ω, Δt = t′h
//   iteration        contracts for (ω Δt)²/6 < 1, which is stricter
//   dissipation      of a converged step: of third order, by the arc (README.md). What an
//                    iteration leaves unconverged is damped after an odd number of evaluations
//                    and pumped after an even one: a step ends on an odd one
//
// Only independent coordinates are integrated: multipliers would grow by 3.73 a step.
// Errors and iterates are measured by max(|δq|, |δv|/ω_max), each coordinate over its scale.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "libfem/base/archive.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/integrator/problem.hpp"
#include "libfem/integrator/step_control.hpp"
#include "libfem/integrator/time_scheme.hpp"

namespace fem {

struct ArcLengthOptions {
  double local_tolerance = 1e-8;
  double iteration_tolerance = 1e-10;
  double frequency_limit = 1.0;    ///< largest ω_max Δt; (0, √6)
  double highest_frequency = 1.0;  ///< ω_max, rad/s
  double time_weight = 1.0;        ///< w_t
  double time_scale = 1.0;         ///< what t is measured by in errors, s
  bool rates_depend = false;       ///< the problem fills in velocities of independent coordinates
  std::vector<double> weights{};   ///< W, diagonal [size]
  std::vector<double> scales{};    ///< 1/reference of each coordinate, for errors [size]
  Parallelism parallelism{};       ///< of the loops over coordinates
};

template <SecondOrderProblem P>
class ArcLength final : public TimeScheme {
 public:
  ArcLength(P& problem, ArcLengthOptions options)
      : problem_(&problem),
        options_(std::move(options)),
        size_(problem.size()),
        independent_(problem.independent()),
        largest_step_(options_.frequency_limit / options_.highest_frequency),
        step_limit_(largest_step_),
        q_(size_),
        v_(size_),
        a_(size_),
        start_q_(size_),
        start_v_(size_),
        d0_(size_),
        d1_(size_),
        before_(size_) {
    FEM_DEMAND(options_.weights.size() == size_ && options_.scales.size() == size_);
    FEM_DEMAND(options_.frequency_limit > 0 && options_.frequency_limit < std::sqrt(6.0));
  }

  /// From now on no step is longer than this, s, nor than the frequency limit allows. A step that
  /// was held by a limit follows it.
  void limit_step(double longest) {
    const bool was_held = step_ == step_limit_;
    step_limit_ = std::min(longest, largest_step_);
    if (step_ > step_limit_ || was_held) change_step(step_limit_);
  }

  /// Starts, or starts again after a jump, from (t, q, v): the predictor's past is forgotten.
  Outcome start(double t, std::span<const double> q, std::span<const double> v) override {
    time_ = t;
    q_.assign(q.begin(), q.end());
    v_.assign(v.begin(), v.end());
    has_past_ = false;
    change_step(step_ == 0 ? step_limit_ : step_);
    growth_window_ = kGrowthWindow;
    grown_ = false;
    tau_ = 0;
    const Outcome outcome = evaluate(t, Side::after);
    std::swap(d0_, d1_);
    t_d0_ = t_d1_;
    return outcome;
  }

  /// One accepted step; ends exactly at `until` if it would come close to it.
  Outcome step(double until) override {
    const double tolerance = options_.local_tolerance;
    bool singular = false;
    for (;;) {
      const double dt = next_step(until);
      if (too_small()) return why({Status::step_too_small}, singular);
      const Attempt first = attempt(dt, until, tolerance, true);
      if (first.accepted) return {};
      if (first.ends_run()) return first.outcome;
      singular = near_singular();
      if (singular && leap(dt, until, true)) return {};
      if (first.good && attempt(dt, until, tolerance, false).accepted) return {};
      if (singular && leap(dt, until, false)) return {};
      reject(first.ratio * dt);
      if (!first.outcome.ok() && too_small()) return why(first.outcome, singular);
    }
  }

  [[nodiscard]] double time() const noexcept override { return time_; }
  [[nodiscard]] double step_start_time() const noexcept { return start_time_; }
  [[nodiscard]] std::span<double> positions() noexcept override { return q_; }
  [[nodiscard]] std::span<double> velocities() noexcept override { return v_; }
  /// Accelerations of the last evaluation: those of the last iterate of the step.
  [[nodiscard]] std::span<const double> accelerations() const noexcept override { return a_; }
  [[nodiscard]] double last_step() const noexcept override { return time_ - start_time_; }
  [[nodiscard]] double last_estimate() const noexcept override { return last_estimate_; }
  [[nodiscard]] const StepStatistics& statistics() const noexcept override { return statistics_; }

  /// All that further steps depend on beside the problem and the options (base/archive).
  template <class Archive>
  void archive(Archive& a) {
    a(q_, v_, a_, start_q_, start_v_, d0_, d1_, before_, time_, trial_time_, start_time_, tau_,
      start_tau_, t_d0_, t_d1_, t_d_before_, t_d_start_, h_, past_h_, step_, step_limit_, change_,
      first_change_, contraction_, last_estimate_, window_estimate_, since_change_, growth_window_,
      grown_, has_past_, statistics_);
    for (const auto* x : {&q_, &v_, &a_, &start_q_, &start_v_, &d0_, &d1_, &before_}) {
      if (x->size() != size_) throw ArchiveError("the stored state is of another model");
    }
  }

  /// q and v at a time within the last step, by the step's own polynomial. The dependent entries
  /// are near what the constraints demand: the problem searches from them.
  void dense_output(double t, std::span<double> q, std::span<double> v) const override {
    const double s = find_arc(t);
    const double b = s * s * s / (6 * h_);
    const double c = s * s / (2 * h_);
    const double slope = start_tau_ + s * t_d_start_ + c * (t_d0_ - t_d_start_);
    for (std::size_t i = 0; i < size_; ++i) {
      // before_ holds q″ at the step's start, d0_ at its end.
      const double change = d0_[i] - before_[i];
      const double dq = start_tau_ * start_v_[i];
      q[i] = start_q_[i] + s * dq + s * s / 2 * before_[i] + b * change;
      v[i] = (dq + s * before_[i] + c * change) / slope;
    }
  }

  Outcome accelerations_within(double t, std::span<double> q, std::span<double> v,
                               std::span<double> a) override {
    return problem_->acceleration(t, Side::before, q, v, a);
  }

 private:
  static constexpr int kMostIterations = 31;
  static constexpr double kOneEvaluation = 1.1;    // largest ω_max Δt at which one damps
  static constexpr double kSlowContraction = 0.4;  // beyond it the step shrinks
  static constexpr double kSmallestStep = 1e-7;    // of the largest one
  static constexpr double kLongestLeap = 100;
  static constexpr double kLeapError = 10;
  static constexpr double kFirstStep = 0.1;  // of the wanted one, while there is no past

  // The step, cut so that no sliver remains before `until`.
  [[nodiscard]] double next_step(double until) const {
    const double left = until - time_;
    const double dt = has_past_ ? step_ : kFirstStep * step_;
    if (left <= 1.01 * dt) return left;
    return left < 2 * dt ? 0.5 * left : dt;
  }

  void change_step(double step) {
    step_ = step;
    since_change_ = 0;
    window_estimate_ = 0;
  }

  void reject(double shorter) {
    ++statistics_.rejected;
    if (grown_) growth_window_ *= 2;
    grown_ = false;
    change_step(has_past_ ? shorter : shorter / kFirstStep);
  }

  // What came of one try.
  struct Attempt {
    bool accepted = false;
    bool good = false;
    Outcome outcome{};
    double ratio = 0.5;  // of a step to try instead
    [[nodiscard]] bool ends_run() const {
      return !outcome.ok() && outcome.status != Status::no_convergence &&
             outcome.status != Status::constraints_apart;
    }
  };

  // A step that is good but for its end, in a place to avoid, is not accepted either.
  Attempt attempt(double dt, double until, double tolerance, bool avoid) {
    const Outcome outcome = try_step(dt, until, dt >= until - time_);
    if (!outcome.ok()) return {.outcome = outcome};
    const double estimate = calc_estimate();
    const bool good = estimate <= tolerance;
    if (!good || (avoid && is_uncertain())) {
      take_back();
      return {.good = good, .ratio = std::min(step_ratio(estimate, tolerance), 0.9)};
    }
    accept(estimate);
    return {.accepted = true};
  }

  // Close to a singular pose accelerations are uncertain, although the motion is smooth: a longer
  // step that ends beyond it does what shorter ones cannot. One step among thousands, it may be
  // longer than the frequency limit allows and have a few times the error of the others: to come
  // closer first would put the uncertainty into the predictor.
  bool leap(double dt, double until, bool avoid) {
    for (double longer = 1.5 * dt; longer <= kLongestLeap * dt; longer *= 1.5) {
      if (longer > until - time_) return false;
      const Attempt leaped = attempt(longer, until, kLeapError * options_.local_tolerance, avoid);
      if (leaped.accepted) return true;
      if (leaped.ends_run()) return false;
    }
    return false;
  }

  [[nodiscard]] bool near_singular() const {
    if constexpr (requires { problem_->near_singular(); }) return problem_->near_singular();
    return false;
  }

  [[nodiscard]] bool is_uncertain() const {
    if constexpr (requires { problem_->is_uncertain(); }) return problem_->is_uncertain();
    return false;
  }

  [[nodiscard]] bool too_small() const { return !(step_ > kSmallestStep * largest_step_); }

  // Why no step is small enough.
  [[nodiscard]] Outcome why(Outcome outcome, bool singular) const {
    if (outcome.status == Status::constraints_apart) return outcome;
    if (singular) outcome.status = Status::singular_pose;
    outcome.where = find_worst();
    return outcome;
  }

  // Arc length of the step that ends at time t₁, for the present t″₁.
  [[nodiscard]] double arc_to(double t1) const {
    double h = (t1 - time_) / tau_;
    for (int i = 0; i < 4; ++i) {
      const double k = (2 * t_d0_ + t_d1_) / 6;
      h -= (h * (tau_ + h * k) - (t1 - time_)) / (tau_ + 2 * h * k);
    }
    return h;
  }

  Outcome try_step(double dt, double until, bool land) {
    h_ = dt / tau_;
    if (has_past_) {
      const double ratio = h_ / past_h_;
      share(size_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          d1_[i] = d0_[i] + ratio * (d0_[i] - before_[i]);
        }
      });
      t_d1_ = t_d0_ + ratio * (t_d0_ - t_d_before_);
    } else {
      std::copy(d0_.begin(), d0_.end(), d1_.begin());
      t_d1_ = t_d0_;
    }
    start_q_.swap(q_);
    start_v_.swap(v_);
    double last_change = 0;
    contraction_ = 0;
    Outcome outcome{Status::no_convergence};
    for (int i = 0; i < kMostIterations; ++i) {
      if (land) h_ = arc_to(until);
      correct();
      if (i == 0) predict_dependents();
      const Outcome evaluated = evaluate(trial_time_, Side::before);
      if (!evaluated.ok()) {
        outcome = evaluated;
        break;
      }
      const double change = change_ * measure(h_ * h_ / 6, h_ / 2);
      if (i == 0) first_change_ = change_;
      if (i > 0 && change > 0.1 * options_.iteration_tolerance) {
        contraction_ = change / last_change;
      }
      if (change <= options_.iteration_tolerance && may_end(i + 1, dt)) {
        outcome = {};
        break;
      }
      if (i > 2 && contraction_ > 0.95) break;
      last_change = change;
    }
    if (outcome.ok()) {
      if (land) h_ = arc_to(until);
      correct();
      if (land) trial_time_ = until;
      // Where the arc has turned it leads back in time, where it bends strongly beyond `until`.
      const bool on_the_way = trial_time_ > time_ && trial_time_ <= until;
      outcome = on_the_way ? settle() : Outcome{Status::no_convergence};
      if (outcome.ok()) return {};
    }
    take_back();
    return outcome;
  }

  // Velocities that the problem fills in at every evaluation are its own at the end of a step too:
  // positions would follow others otherwise, and what those differ by would stay for ever.
  Outcome settle() {
    if constexpr (requires { problem_->complete(trial_time_, Side::before, q_, v_); }) {
      if (options_.rates_depend) return problem_->complete(trial_time_, Side::before, q_, v_);
    }
    return {};
  }

  // The state from which the step was tried.
  void take_back() {
    start_q_.swap(q_);
    start_v_.swap(v_);
  }

  [[nodiscard]] bool may_end(int evaluations, double dt) const {
    if (evaluations == 1) return options_.highest_frequency * dt <= kOneEvaluation;
    return evaluations % 2 == 1;
  }

  // q₁, v₁ and t₁ from q″₁ and t″₁.
  void correct() {
    const double t1 = tau_ + h_ / 2 * (t_d0_ + t_d1_);
    trial_time_ = time_ + h_ * tau_ + h_ * h_ / 6 * (2 * t_d0_ + t_d1_);
    const double third = h_ * h_ / 3;
    const double sixth = h_ * h_ / 6;
    const double half = h_ / 2;
    const double inverse = 1 / t1;
    const double arc = h_ * tau_;
    const double* q0 = start_q_.data();
    const double* v0 = start_v_.data();
    const double* d0 = d0_.data();
    const double* d1 = d1_.data();
    double* q = q_.data();
    double* v = v_.data();
    const double tau = tau_;
    share(independent_, [=](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        q[i] = q0[i] + arc * v0[i] + third * d0[i] + sixth * d1[i];
        v[i] = (tau * v0[i] + half * (d0[i] + d1[i])) * inverse;
      }
    });
  }

  // Where the problem starts to search the dependent coordinates: they move as smoothly as the
  // others, and near a pose where two branches of the constraints meet only this tells them apart.
  void predict_dependents() {
    for (std::size_t i = independent_; i < size_; ++i) {
      q_[i] = start_q_[i] + h_ * tau_ * start_v_[i] + h_ * h_ / 6 * (2 * d0_[i] + d1_[i]);
    }
  }

  // q″₁ and t″₁ at (t, q_, v_), and the largest scaled change of them.
  Outcome evaluate(double t, Side side) {
    ++statistics_.evaluations;
    const Outcome outcome = problem_->acceleration(t, side, q_, v_, a_);
    if (!outcome.ok()) return outcome;
    const auto [speed, work] = measure_motion();
    const double tau2 = 1 / (options_.time_weight + speed);
    const double along = tau2 * work;
    const double largest = renew_curvature(tau2, along);
    const double t_d = -tau2 * along;
    change_ = std::max(largest, std::abs(t_d - t_d1_) / options_.time_scale);
    t_d1_ = t_d;
    if (tau_ == 0) tau_ = std::sqrt(tau2);
    if (!std::isfinite(work) || !std::isfinite(speed)) return find_not_finite();
    return {};
  }

  // vᵀWv and vᵀWa.
  struct Motion {
    double speed, work;
    void operator+=(const Motion& other) {
      speed += other.speed;
      work += other.work;
    }
  };

  Motion measure_motion() {
    const double* weight = options_.weights.data();
    const double* v = v_.data();
    const double* a = a_.data();
    const auto tile = [=](std::size_t begin, std::size_t end) {
      std::array<double, 4> speed{};  // four sums at a time: the processor adds them side by side
      std::array<double, 4> work{};
      std::size_t i = begin;
      for (; i + 4 <= end; i += 4) {
        for (std::size_t k = 0; k < 4; ++k) {
          const double wv = weight[i + k] * v[i + k];
          speed[k] += wv * v[i + k];
          work[k] += wv * a[i + k];
        }
      }
      for (; i < end; ++i) {
        speed[0] += weight[i] * v[i] * v[i];
        work[0] += weight[i] * v[i] * a[i];
      }
      return Motion{(speed[0] + speed[1]) + (speed[2] + speed[3]),
                    (work[0] + work[1]) + (work[2] + work[3])};
    };
    return parallel_sum(options_.parallelism, size_, vector_grain(size_), motions_, tile);
  }

  struct Largest {
    double value = 0;
    void operator+=(const Largest& other) { value = value < other.value ? other.value : value; }
  };

  // q″₁ = τ² (a − (τ² vᵀWa) v); the largest scaled change of it among independent coordinates.
  double renew_curvature(double tau2, double along) {
    const double* scale = options_.scales.data();
    const double* v = v_.data();
    const double* a = a_.data();
    double* d1 = d1_.data();
    const auto tile = [=](std::size_t begin, std::size_t end) {
      double largest = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const double d = tau2 * (a[i] - along * v[i]);
        const double change = scale[i] * std::abs(d - d1[i]);
        d1[i] = d;
        largest = largest < change ? change : largest;
      }
      return Largest{largest};
    };
    const double largest =
        parallel_sum(options_.parallelism, independent_, vector_grain(independent_), changes_, tile)
            .value;
    for (std::size_t i = independent_; i < size_; ++i) d1[i] = tau2 * (a[i] - along * v[i]);
    return largest;
  }

  template <class Function>
  void share(std::size_t size, const Function& body) const {
    parallel_for(options_.parallelism, size, vector_grain(size), body);
  }

  // The coordinate whose curvature changes most over the step that failed.
  [[nodiscard]] std::size_t find_worst() const {
    std::size_t worst = 0;
    double largest = -1;
    for (std::size_t i = 0; i < independent_; ++i) {
      const double change = options_.scales[i] * std::abs(d1_[i] - d0_[i]);
      if (change > largest) {
        largest = change;
        worst = i;
      }
    }
    return worst;
  }

  [[nodiscard]] Outcome find_not_finite() const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (!std::isfinite(q_[i]) || !std::isfinite(v_[i]) || !std::isfinite(a_[i])) {
        return {Status::not_finite, i};
      }
    }
    return {Status::not_finite, 0};
  }

  // max(|δq|, |δv|/ω_max) for a change of q″ of one, that changes q and q′ by these factors.
  [[nodiscard]] double measure(double in_q, double in_slope) const {
    return std::max(in_q, in_slope / (tau_ * options_.highest_frequency));
  }

  // Milne's estimate: predictor and corrector differ by h(h + h₋)/2 q⁗. Without a past they differ
  // by h q‴, which counts as h² q⁗/2: the first step is short until it is known better.
  [[nodiscard]] double calc_estimate() const {
    const double sum = h_ + (has_past_ ? past_h_ : 0.0);
    return first_change_ * measure(h_ * h_ * h_ / (12 * sum), h_ * h_ / (6 * sum));
  }

  void accept(double estimate) {
    ++statistics_.steps;
    last_estimate_ = estimate;
    start_time_ = time_;
    start_tau_ = tau_;
    time_ = trial_time_;
    // The old q″₀ becomes the past, q″₁ the present.
    before_.swap(d0_);
    d0_.swap(d1_);
    t_d_before_ = t_d_start_ = t_d0_;
    t_d0_ = t_d1_;
    past_h_ = h_;
    tau_ = 1 / std::sqrt(options_.time_weight + measure_motion().speed);
    adapt_step();
    has_past_ = true;
  }

  void adapt_step() {
    ++since_change_;
    window_estimate_ = std::max(window_estimate_, last_estimate_);
    if (contraction_ > kSlowContraction) {
      change_step(0.8 * step_);
    } else if (step_ < step_limit_ && since_change_ >= growth_window_) {
      const double ratio = step_ratio(window_estimate_, options_.local_tolerance);
      if (ratio >= kWorthwhileGrowth) {
        change_step(std::min(step_limit_, ratio * step_));
        grown_ = true;
      } else {
        since_change_ = 0;
        window_estimate_ = 0;
      }
    }
  }

  // Arc length from the step's start at which its time polynomial reaches t.
  [[nodiscard]] double find_arc(double t) const {
    const double span = time_ - start_time_;
    double s = h_ * (t - start_time_) / span;
    for (int i = 0; i < 8; ++i) {
      const double cubic = (t_d0_ - t_d_start_) / (6 * h_);
      const double value = s * (start_tau_ + s * (t_d_start_ / 2 + s * cubic));
      const double slope = start_tau_ + s * (t_d_start_ + 3 * s * cubic);
      s -= (value - (t - start_time_)) / slope;
    }
    return s;
  }

  P* problem_;
  ArcLengthOptions options_;
  std::size_t size_, independent_;
  double largest_step_, step_limit_;

  std::vector<double> q_, v_, a_;          // the present, or the trial
  std::vector<double> start_q_, start_v_;  // of the step
  std::vector<double> d0_, d1_, before_;   // q″ at the present, at the trial, before
  std::vector<Motion> motions_;            // of tiles of the loops
  std::vector<Largest> changes_;
  double time_ = 0, trial_time_ = 0, start_time_ = 0;
  double tau_ = 0, start_tau_ = 0;
  double t_d0_ = 0, t_d1_ = 0, t_d_before_ = 0, t_d_start_ = 0;
  double h_ = 0, past_h_ = 0;
  double step_ = 0;  // wanted, s
  double change_ = 0, first_change_ = 0, contraction_ = 0;
  double last_estimate_ = 0, window_estimate_ = 0;  // of the last step, since the last change
  long since_change_ = 0, growth_window_ = kGrowthWindow;
  bool grown_ = false;  // the last change of the step was a growth
  bool has_past_ = false;
  StepStatistics statistics_;
};

}  // namespace fem
