// Generalized-α: long implicit steps, in independent coordinates. Chung & Hulbert 1993; in the form
// of Arnold & Brüls 2007, with accelerations q̈ that balance the forces at the end of the step and
// the lagged ones, w ≈ q̈(t + Δ h), Δ = α_m − α_f, of which the step is made:
//
//   (1 − α_m) w₁ + α_m w₀ = (1 − α_f) q̈₁ + α_f q̈₀
//   q₁ = q₀ + h q̇₀ + h² [(½ − β) w₀ + β w₁],    q̇₁ = q̇₀ + h [(1 − γ) w₀ + γ w₁]
//   α_m = (2ρ − 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = ½ − Δ,  β = ¼ (1 − Δ)²
//
//   order         2; truncation h³(1/12 + Δ²/4) q⃛ in q, h³[1/12 + Δ(α_f − ½)] q⁗ in q̇
//   stability     unconditional for linear problems; a mode of infinite frequency loses the factor
//                 ρ a step
//   iteration     Newton's, with a matrix that is kept while it contracts well; a step whose
//                 iteration does not converge is made shorter, never accepted
//   other steps   w₀ lags behind by Δ times the step: w₀ − q̈₀ is scaled with it
//
// Constraints are the problem's: it fills in the dependent coordinates of every trial, so they hold
// in positions, velocities and accelerations. Errors are measured by max(|δq|, 10 h |δq̇|) over each
// coordinate's scale: that of a velocity counts as what it moves in ten steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/integrator/problem.hpp"
#include "libfem/integrator/step_control.hpp"
#include "libfem/integrator/time_scheme.hpp"

namespace fem {

struct GeneralizedAlphaOptions {
  double spectral_radius = 0.9;  ///< ρ of infinite frequencies, [0, 1]
  double fixed_step = 0;         ///< s; 0: steps follow from the tolerance
  double tolerance = 1e-6;       ///< of the errors that the steps of a run add up to, over the scale
  double duration = 1;           ///< of the run, s
  std::vector<double> scales{};  ///< 1/reference of each coordinate, for errors [size]
};

/// Coefficients of the scheme, all that depends on ρ.
struct AlphaCoefficients {
  double alpha_m, alpha_f, gamma, beta;
  double position_error, velocity_error;  ///< of h³ q⃛ and h³ q⁗
  explicit AlphaCoefficients(double rho)
      : alpha_m((2 * rho - 1) / (rho + 1)), alpha_f(rho / (rho + 1)) {
    const double lag = alpha_m - alpha_f;
    gamma = 0.5 - lag;
    beta = 0.25 * (1 - lag) * (1 - lag);
    position_error = 1.0 / 12 + lag * lag / 4;
    velocity_error = 1.0 / 12 + lag * (alpha_f - 0.5);
  }
  /// q̈₁ for a change of w₁ of one.
  [[nodiscard]] double gain() const { return (1 - alpha_m) / (1 - alpha_f); }
};

template <ImplicitProblem P>
class GeneralizedAlpha final : public TimeScheme {
 public:
  GeneralizedAlpha(P& problem, GeneralizedAlphaOptions options)
      : problem_(&problem),
        options_(std::move(options)),
        c_(options_.spectral_radius),
        size_(problem.size()),
        independent_(problem.independent()),
        largest_step_(is_fixed() ? options_.fixed_step : kLargestStep * options_.duration),
        now_(size_),
        start_(size_),
        w0_(size_),
        w1_(size_),
        past_v_(size_),
        past_a_(size_),
        jerk_(size_),
        past_jerk_(size_),
        change_(independent_) {
    FEM_DEMAND(options_.spectral_radius >= 0 && options_.spectral_radius <= 1);
    FEM_DEMAND(options_.scales.size() == size_ && options_.tolerance > 0);
  }

  Outcome start(double t, std::span<const double> q, std::span<const double> v) override {
    time_ = t;
    std::copy(q.begin(), q.end(), now_.q.begin());
    std::copy(v.begin(), v.end(), now_.v.begin());
    steps_since_start_ = 0;
    step_ = is_fixed() ? largest_step_
                       : kFirstStep * (step_ == 0 ? largest_step_ : step_);
    past_estimate_ = 1;
    matrix_step_ = 0;
    ++statistics_.evaluations;
    const Outcome outcome = problem_->acceleration(t, Side::after, now_.q, now_.v, now_.a);
    w1_ = now_.a;
    return outcome;
  }

  Outcome step(double until) override {
    for (;;) {
      const double h = next_step(until);
      if (!(h > kSmallestStep * largest_step_)) return {Status::step_too_small, worst_};
      const Outcome outcome = try_step(h, h >= until - time_ ? until : time_ + h);
      if (outcome.ok()) {
        const double estimate = calc_estimate(h);
        if (is_fixed() || estimate <= 1) {
          accept(h, estimate);
          return {};
        }
        take_back();
        reject(h * std::clamp(0.9 / std::sqrt(estimate), 0.2, 0.9));
      } else {
        reject(kShorter * h);
        if (!(step_ > kSmallestStep * largest_step_)) return {outcome.status, worst_};
      }
    }
  }

  [[nodiscard]] double time() const noexcept override { return time_; }
  [[nodiscard]] std::span<double> positions() noexcept override { return now_.q; }
  [[nodiscard]] std::span<double> velocities() noexcept override { return now_.v; }
  [[nodiscard]] std::span<const double> accelerations() const noexcept override { return now_.a; }
  [[nodiscard]] double last_step() const noexcept override { return last_step_; }
  [[nodiscard]] double last_estimate() const noexcept override { return last_estimate_; }
  [[nodiscard]] const StepStatistics& statistics() const noexcept override { return statistics_; }

  /// The polynomial of fifth degree that has q, q̇ and q̈ of both ends of the step.
  void dense_output(double t, std::span<double> q, std::span<double> v) const override {
    const double h = last_step_;
    const double x = (t - (time_ - h)) / h;
    for (std::size_t i = 0; i < size_; ++i) {
      const Quintic p = quintic(i);
      q[i] = p.c0 + x * (p.c1 + x * (p.c2 + x * (p.c3 + x * (p.c4 + x * p.c5))));
      v[i] = (p.c1 + x * (2 * p.c2 + x * (3 * p.c3 + x * (4 * p.c4 + x * 5 * p.c5)))) / h;
    }
  }

  /// The polynomial is right to its order, but stiff directions make large forces of small errors:
  /// positions and accelerations are balanced as those of a step are. Velocities stay.
  Outcome accelerations_within(double t, std::span<double> q, std::span<double> v,
                               std::span<double> a) override {
    const double h = last_step_;
    const double x = (t - (time_ - h)) / h;
    for (std::size_t i = 0; i < size_; ++i) {
      const Quintic p = quintic(i);
      a[i] = (2 * p.c2 + x * (6 * p.c3 + x * (12 * p.c4 + x * 20 * p.c5))) / (h * h);
    }
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      const Outcome outcome = balance(t, q, v, a);
      if (!outcome.ok()) return outcome;
      problem_->solve_step(change_);
      const double mass = c_.gain() / (c_.beta * matrix_step_ * matrix_step_);
      for (std::size_t i = 0; i < independent_; ++i) {
        q[i] -= change_[i];
        a[i] -= mass * change_[i];
      }
      if (measure_change() <= kRounding) break;
    }
    return balance(t, q, v, a);
  }

 private:
  static constexpr int kMostIterations = 12;
  static constexpr double kLargestStep = 0.02;    // of the duration
  static constexpr double kFirstStep = 0.1;       // of the largest, or of the last
  static constexpr double kSmallestStep = 1e-9;   // of the largest
  static constexpr double kShorter = 0.5;         // after an iteration that failed
  static constexpr double kReach = 10;            // steps over which a velocity's error counts
  static constexpr double kIteration = 0.01;      // of the error allowed to a step
  static constexpr double kFixedIteration = 1e-9;   // of the scale, for fixed steps
  static constexpr double kRounding = 1e-14;      // of the scale: nothing smaller is asked for
  static constexpr double kDiverges = 0.7;        // contraction of an iteration that is given up
  static constexpr double kRenew = 0.05;          // contraction that asks for a new matrix
  static constexpr double kSameStep = 0.05;       // change of the step a matrix is kept over

  struct State {
    std::vector<double> q, v, a;
    explicit State(std::size_t n) : q(n), v(n), a(n) {}
  };
  struct Quintic {
    double c0, c1, c2, c3, c4, c5;
  };

  [[nodiscard]] bool is_fixed() const { return options_.fixed_step > 0; }

  // Of coordinate i over the last step, in x = 0 … 1.
  [[nodiscard]] Quintic quintic(std::size_t i) const {
    const double h = last_step_;
    const double c1 = h * start_.v[i];
    const double c2 = 0.5 * h * h * start_.a[i];
    const double dq = now_.q[i] - start_.q[i] - c1 - c2;
    const double dv = h * now_.v[i] - c1 - 2 * c2;
    const double da = h * h * now_.a[i] - 2 * c2;
    return {start_.q[i],           c1, c2, 10 * dq - 4 * dv + 0.5 * da, -15 * dq + 7 * dv - da,
            6 * dq - 3 * dv + 0.5 * da};
  }

  // The step, cut so that no sliver remains before `until`.
  [[nodiscard]] double next_step(double until) const {
    const double left = until - time_;
    if (left <= 1.01 * step_) return left;
    return left < 2 * step_ ? 0.5 * left : step_;
  }

  Outcome balance(double t, std::span<double> q, std::span<double> v, std::span<double> a) {
    ++statistics_.evaluations;
    return problem_->balance(t, Side::before, q, v, a, change_);
  }

  // Largest scaled change of the last solution, and whose it is.
  double measure_change() {
    double largest = 0;
    for (std::size_t i = 0; i < independent_; ++i) {
      const double change = options_.scales[i] * std::abs(change_[i]);
      if (change <= largest) continue;
      largest = change;
      worst_ = i;
    }
    return largest;
  }

  // Errors that a step of length h may have.
  [[nodiscard]] double step_tolerance(double h) const {
    return options_.tolerance * h / options_.duration;
  }

  Outcome try_step(double h, double end) {
    std::swap(start_, now_);
    const Outcome outcome = iterate(h, end);
    if (!outcome.ok()) take_back();
    trial_time_ = end;
    return outcome;
  }

  // The state from which the step was tried.
  void take_back() { std::swap(start_, now_); }

  // From the prediction that q̈ goes on along the line through its last two values.
  void predict(double h) {
    const double lag = steps_since_start_ == 0 ? 1 : h / last_step_;
    const double ahead = steps_since_start_ == 0 ? 0 : h / last_step_;
    const double inverse = 1 / (1 - c_.alpha_m);
    const double w0_in_q = h * h * (0.5 - c_.beta);
    const double w1_in_q = h * h * c_.beta;
    const double w0_in_v = h * (1 - c_.gamma);
    const double w1_in_v = h * c_.gamma;
    for (std::size_t i = 0; i < size_; ++i) {
      const double a0 = start_.a[i];
      const double w0 = a0 + lag * (w1_[i] - a0);
      const double a1 = a0 + ahead * (a0 - past_a_[i]);
      const double w1 = ((1 - c_.alpha_f) * a1 + c_.alpha_f * a0 - c_.alpha_m * w0) * inverse;
      now_.a[i] = a1;
      now_.q[i] = start_.q[i] + h * start_.v[i] + w0_in_q * w0 + w1_in_q * w1;
      now_.v[i] = start_.v[i] + w0_in_v * w0 + w1_in_v * w1;
      w0_[i] = w0;
    }
  }

  Outcome iterate(double h, double end) {
    const double allowed = std::max(
        kRounding, is_fixed() ? kFixedIteration : kIteration * step_tolerance(h));
    const double mass = c_.gain() / (c_.beta * h * h);
    const double rate = c_.gamma / (c_.beta * h);
    predict(h);
    bool fresh = false;
    double last = 0;
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      Outcome outcome = balance(end, now_.q, now_.v, now_.a);
      if (!outcome.ok()) return outcome;
      if (wants_matrix(h, iteration, fresh)) {
        outcome = factorize(end, h, mass, rate);
        if (!outcome.ok()) return outcome;
        fresh = true;
        last = 0;
      }
      problem_->solve_step(change_);
      for (std::size_t i = 0; i < independent_; ++i) {
        now_.q[i] -= change_[i];
        now_.v[i] -= rate * change_[i];
        now_.a[i] -= mass * change_[i];
      }
      const double size = measure_change();
      if (!std::isfinite(size)) return {Status::not_finite, worst_};
      if (last > kRounding) contraction_ = size / last;
      if (size <= allowed || (last > 0 && contraction_ < kDiverges &&
                              size * contraction_ <= allowed * (1 - contraction_))) {
        update_lagged();
        return {};
      }
      if (last > 0 && contraction_ > kDiverges) {
        if (fresh) return {Status::no_convergence, worst_};
        contraction_ = 1;  // asks for a matrix at this iterate
      }
      last = size;
    }
    return {Status::no_convergence, worst_};
  }

  [[nodiscard]] bool wants_matrix(double h, int iteration, bool fresh) const {
    if (fresh) return false;
    if (iteration > 0) return contraction_ > kRenew;
    return matrix_step_ == 0 || contraction_ > kRenew ||
           std::abs(h - matrix_step_) > kSameStep * matrix_step_;
  }

  Outcome factorize(double end, double h, double mass, double rate) {
    ++statistics_.tangents;
    matrix_step_ = h;
    contraction_ = 0;
    return problem_->factorize_step(end, {mass, rate}, now_.q, now_.v);
  }

  void update_lagged() {
    const double inverse = 1 / (1 - c_.alpha_m);
    for (std::size_t i = 0; i < size_; ++i) {
      w0_[i] = ((1 - c_.alpha_f) * now_.a[i] + c_.alpha_f * start_.a[i] - c_.alpha_m * w0_[i]) *
               inverse;
    }
  }

  // Error of the trial over what it may be. q⃛ is the second difference of velocities, q⁗ the first
  // one of that: accelerations of stiff directions are too noisy.
  double calc_estimate(double h) {
    const double before = steps_since_start_ == 0 ? 0 : last_step_;
    const double span = steps_since_start_ < 2 ? 0 : (h + before + past_step_) / 3;
    const double in_q = c_.position_error * h * h * h;
    const double in_v = c_.velocity_error * h * h * h * kReach * h;
    double largest = 0;
    for (std::size_t i = 0; i < independent_; ++i) {
      const double slope = (now_.v[i] - start_.v[i]) / h;
      jerk_[i] = before > 0
                     ? 2 * (slope - (start_.v[i] - past_v_[i]) / before) / (h + before)
                     : 2 * (slope - start_.a[i]) / h;
      double error = in_q * std::abs(jerk_[i]);
      if (span > 0) error = std::max(error, in_v * std::abs(jerk_[i] - past_jerk_[i]) / span);
      error *= options_.scales[i];
      if (error <= largest) continue;
      largest = error;
      worst_ = i;
    }
    last_estimate_ = largest;
    return largest / step_tolerance(h);
  }

  void reject(double shorter) {
    ++statistics_.rejected;
    step_ = shorter;
  }

  void accept(double h, double estimate) {
    ++statistics_.steps;
    w1_.swap(w0_);
    std::copy(start_.v.begin(), start_.v.end(), past_v_.begin());
    std::copy(start_.a.begin(), start_.a.end(), past_a_.begin());
    past_jerk_.swap(jerk_);
    past_step_ = last_step_;
    last_step_ = h;
    time_ = trial_time_;
    ++steps_since_start_;
    if (is_fixed()) {
      step_ = std::min(largest_step_, 2 * step_);
    } else {
      const double ratio = std::clamp(
          0.9 * std::pow(std::max(estimate, 1e-10), -0.35) * std::pow(past_estimate_, 0.2), 0.2, 2.0);
      if (ratio < 0.9 || ratio > 1.1) step_ = std::min(largest_step_, ratio * h);
      past_estimate_ = std::max(estimate, 1e-10);
    }
  }

  P* problem_;
  GeneralizedAlphaOptions options_;
  AlphaCoefficients c_;
  std::size_t size_, independent_;
  double largest_step_;

  State now_, start_;                     // the present or the trial; of the step
  std::vector<double> w0_, w1_;           // lagged accelerations: of the trial, of the present
  std::vector<double> past_v_, past_a_;   // at the start of the last step
  std::vector<double> jerk_, past_jerk_;  // q⃛ of the last two estimates
  std::vector<double> change_;            // residual, then the change that removes it
  double time_ = 0, trial_time_ = 0;
  double step_ = 0;  // wanted
  double last_step_ = 0, past_step_ = 0;
  long steps_since_start_ = 0;
  double matrix_step_ = 0;  // of the factorized matrix
  double contraction_ = 0;
  double last_estimate_ = 0, past_estimate_ = 1;
  std::size_t worst_ = 0;
  StepStatistics statistics_;
};

}  // namespace fem
