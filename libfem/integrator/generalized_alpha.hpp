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
// in positions, velocities and accelerations. Errors are measured by max(|δq|, h |δq̇|) over each
// coordinate's scale: that of a velocity counts as what it moves in a step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
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

struct GeneralizedAlphaOptions {
  double spectral_radius = 0.9;  ///< ρ of infinite frequencies, [0, 1]
  double fixed_step = 0;         ///< s; 0: steps follow from the tolerance
  double tolerance = 1e-9;       ///< of the error of a step
  double largest_step = 1;       ///< s
  std::vector<double> scales{};  ///< 1/reference of each coordinate, for errors [size]
  Parallelism parallelism{};     ///< of the loops over coordinates
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
        largest_step_(is_fixed() ? options_.fixed_step : options_.largest_step),
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
    step_ = is_fixed() ? largest_step_ : kFirstStep * (step_ == 0 ? largest_step_ : step_);
    since_change_ = 0;
    window_estimate_ = 0;
    past_estimate_ = 0;
    failures_ = 0;
    matrix_step_ = 0;
    ++statistics_.evaluations;
    const Outcome outcome = problem_->acceleration(t, Side::after, now_.q, now_.v, now_.a);
    w1_ = now_.a;
    return outcome;
  }

  Outcome step(double until) override {
    for (;;) {
      if (too_small()) return {Status::step_too_small, find_worst()};
      const double h = next_step(until);
      const Outcome outcome = try_step(h, h >= until - time_ ? until : time_ + h);
      if (outcome.ok()) {
        const double estimate = calc_estimate(h);
        if (is_fixed() || estimate <= options_.tolerance) {
          accept(h, estimate);
          return {};
        }
        take_back();
        reject(h * std::min(0.9, step_ratio(estimate, options_.tolerance)));
      } else {
        reject(kShorter * h);
        const int most = steps_since_start_ == 0 ? kMostFailuresAtStart : kMostFailures;
        if (++failures_ >= most || too_small()) return outcome;
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

  /// All that further steps depend on beside the problem, with its factorized matrix, and the
  /// options (base/archive).
  template <class Archive>
  void archive(Archive& a) {
    const std::array vectors{&now_.q, &now_.v, &now_.a,  &start_.q, &start_.v, &start_.a,
                             &w0_,    &w1_,    &past_v_, &past_a_,  &jerk_,    &past_jerk_};
    for (std::vector<double>* x : vectors) {
      a(*x);
      if (x->size() != size_) throw ArchiveError("the stored state is of another model");
    }
    a(time_, trial_time_, step_, last_step_, past_step_, steps_since_start_, matrix_step_,
      contraction_, last_estimate_, window_estimate_, past_estimate_, since_change_, failures_,
      statistics_);
  }

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
    const double mass = c_.gain() / (c_.beta * matrix_step_ * matrix_step_);
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      const Outcome outcome = balance(t, q, v, a);
      if (!outcome.ok()) return outcome;
      problem_->solve_step(change_);
      double size = 0;
      for (std::size_t i = 0; i < independent_; ++i) {
        q[i] -= change_[i];
        a[i] -= mass * change_[i];
        size = std::max(size, options_.scales[i] * std::abs(change_[i]));
      }
      if (size <= kRounding || size > kDiverges * last) break;
      last = size;
    }
    return balance(t, q, v, a);
  }

 private:
  static constexpr int kMostIterations = 12;
  static constexpr int kWindow = 20;             // steps between changes of the step
  static constexpr double kWorthwhile = 1.15;    // change of the step
  static constexpr double kFirstStep = 0.1;      // of the largest, or of the last
  static constexpr double kSmallestStep = 1e-9;  // of the largest
  static constexpr double kShorter = 0.5;        // after an iteration that failed
  // So many without kWindow good steps between them: much shorter steps would only hide, by the
  // little that any force can do in them, that nothing balances. The first step after a start is a
  // guess.
  static constexpr int kMostFailures = 7;
  static constexpr int kMostFailuresAtStart = 30;
  static constexpr double kIteration = 1e-4;        // of the error allowed to a step
  static constexpr double kFixedIteration = 1e-12;  // of the scale, for fixed steps
  static constexpr double kStalled = 100;           // times that, where rounding ends an iteration
  static constexpr double kRounding = 1e-14;        // of the scale
  static constexpr double kDiverges = 0.7;          // contraction of an iteration that is given up
  static constexpr double kRenew = 0.05;            // contraction that asks for a new matrix
  static constexpr double kSameStep = 0.05;         // change of the step a matrix is kept over

  struct State {
    std::vector<double> q, v, a;
    explicit State(std::size_t n) : q(n), v(n), a(n) {}
  };
  // Of a change of all coordinates, scaled.
  struct Size {
    double largest = 0;
    double sum = 0;  // not finite where any change is not
    void operator+=(const Size& other) {
      largest = largest < other.largest ? other.largest : largest;
      sum += other.sum;
    }
  };
  struct Quintic {
    double c0, c1, c2, c3, c4, c5;
  };

  [[nodiscard]] bool too_small() const { return !(step_ > kSmallestStep * largest_step_); }

  [[nodiscard]] bool is_fixed() const { return options_.fixed_step > 0; }

  // Of coordinate i over the last step, in x = 0 … 1.
  [[nodiscard]] Quintic quintic(std::size_t i) const {
    const double h = last_step_;
    const double c1 = h * start_.v[i];
    const double c2 = 0.5 * h * h * start_.a[i];
    const double dq = now_.q[i] - start_.q[i] - c1 - c2;
    const double dv = h * now_.v[i] - c1 - 2 * c2;
    const double da = h * h * now_.a[i] - 2 * c2;
    return {start_.q[i],
            c1,
            c2,
            10 * dq - 4 * dv + 0.5 * da,
            -15 * dq + 7 * dv - da,
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
    share(size_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const double a0 = start_.a[i];
        const double w0 = a0 + lag * (w1_[i] - a0);
        const double a1 = a0 + ahead * (a0 - past_a_[i]);
        const double w1 = ((1 - c_.alpha_f) * a1 + c_.alpha_f * a0 - c_.alpha_m * w0) * inverse;
        now_.a[i] = a1;
        now_.q[i] = start_.q[i] + h * start_.v[i] + w0_in_q * w0 + w1_in_q * w1;
        now_.v[i] = start_.v[i] + w0_in_v * w0 + w1_in_v * w1;
        w0_[i] = w0;
      }
    });
  }

  // Newton's method from the prediction. It goes on until what is left is far below the errors of
  // steps: leftovers have a direction, and would drive modes that nothing damps. Where rounding
  // ends the contraction before that, the step counts as converged if it is well below them.
  Outcome iterate(double h, double end) {
    const double wished = is_fixed() ? kFixedIteration : kIteration * options_.tolerance;
    const double required = kStalled * wished;
    const double mass = c_.gain() / (c_.beta * h * h);
    const double rate = c_.gamma / (c_.beta * h);
    predict(h);
    bool fresh = false;
    double last = 0;  // change, with the present matrix
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      Outcome outcome = balance(end, now_.q, now_.v, now_.a);
      if (!outcome.ok()) return outcome;
      if (!fresh && wants_matrix(h)) {
        outcome = factorize(end, h, mass, rate);
        if (!outcome.ok()) return outcome;
        fresh = true;
        last = 0;
      }
      problem_->solve_step(change_);
      const double size = correct(mass, rate);
      if (!std::isfinite(size)) return {Status::not_finite, find_worst()};
      const double ratio = last > 0 ? size / last : kDiverges;
      if (last > required) contraction_ = ratio;
      if (size <= wished || (ratio < kDiverges && size * ratio <= wished * (1 - ratio)) ||
          (last > 0 && ratio >= kDiverges && size <= required)) {
        update_lagged();
        return {};
      }
      if (last > 0 && ratio >= kDiverges && fresh) break;
      last = size;
    }
    contraction_ = 1;  // asks for another matrix
    return {Status::no_convergence, find_worst()};
  }

  // Applies the change of positions; its scaled size.
  double correct(double mass, double rate) {
    const double* scale = options_.scales.data();
    const double* d = change_.data();
    double* q = now_.q.data();
    double* v = now_.v.data();
    double* a = now_.a.data();
    const auto tile = [=](std::size_t begin, std::size_t end) {
      double largest = 0;
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) {
        q[i] -= d[i];
        v[i] -= rate * d[i];
        a[i] -= mass * d[i];
        const double size = scale[i] * std::abs(d[i]);
        sum += size;
        largest = largest < size ? size : largest;
      }
      return Size{largest, sum};
    };
    const Size size =
        parallel_sum(options_.parallelism, independent_, vector_grain(independent_), sizes_, tile);
    return std::isfinite(size.sum) ? size.largest : size.sum;
  }

  template <class Function>
  void share(std::size_t size, const Function& body) const {
    parallel_for(options_.parallelism, size, vector_grain(size), body);
  }

  [[nodiscard]] bool wants_matrix(double h) const {
    return matrix_step_ == 0 || contraction_ > kRenew ||
           std::abs(h - matrix_step_) > kSameStep * matrix_step_;
  }

  Outcome factorize(double end, double h, double mass, double rate) {
    ++statistics_.tangents;
    const Outcome outcome = problem_->factorize_step(end, {mass, rate}, now_.q, now_.v);
    matrix_step_ = outcome.ok() ? h : 0;
    contraction_ = 0;
    return outcome;
  }

  void update_lagged() {
    const double inverse = 1 / (1 - c_.alpha_m);
    share(size_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        w0_[i] = ((1 - c_.alpha_f) * now_.a[i] + c_.alpha_f * start_.a[i] - c_.alpha_m * w0_[i]) *
                 inverse;
      }
    });
  }

  // Scaled error of the trial. q⃛ is the second difference of velocities, q⁗ the first one of that:
  // accelerations of stiff directions are too noisy.
  double calc_estimate(double h) {
    const bool has_past = steps_since_start_ > 0;
    const double before = has_past ? last_step_ : h;
    const double* past_v = has_past ? past_v_.data() : start_.v.data();
    const double bend = has_past ? 2 / (h * (h + before)) : 2 / (h * h);
    const double slope = has_past ? 2 / (before * (h + before)) : 0;
    const double push = has_past ? 0 : 2 / h;  // without a past, q̈₀ stands for it
    const double spacing = (h + before + past_step_) / 3;
    const double in_q = c_.position_error * h * h * h;
    const double in_v = steps_since_start_ > 1 ? c_.velocity_error * h * h * h * h / spacing : 0;
    const double* scale = options_.scales.data();
    const auto tile = [&](std::size_t begin, std::size_t end) {
      double largest = 0;
      for (std::size_t i = begin; i < end; ++i) {
        jerk_[i] = bend * (now_.v[i] - start_.v[i]) - slope * (start_.v[i] - past_v[i]) -
                   push * start_.a[i];
        const double error_q = in_q * std::abs(jerk_[i]);
        const double error_v = in_v * std::abs(jerk_[i] - past_jerk_[i]);
        const double error = scale[i] * (error_q < error_v ? error_v : error_q);
        largest = largest < error ? error : largest;
      }
      return Size{largest, 0};
    };
    return parallel_sum(options_.parallelism, independent_, vector_grain(independent_), sizes_,
                        tile)
        .largest;
  }

  // The coordinate that the last solution changes most.
  [[nodiscard]] std::size_t find_worst() const {
    std::size_t worst = 0;
    const auto size = [&](std::size_t i) { return options_.scales[i] * std::abs(change_[i]); };
    for (std::size_t i = 0; i < independent_; ++i) {
      if (!std::isfinite(change_[i])) return i;
      if (size(i) > size(worst)) worst = i;
    }
    return worst;
  }

  void reject(double shorter) {
    ++statistics_.rejected;
    step_ = shorter;
    since_change_ = 0;
    window_estimate_ = 0;
    past_estimate_ = 0;
  }

  void accept(double h, double estimate) {
    ++statistics_.steps;
    w1_.swap(w0_);
    share(size_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        past_v_[i] = start_.v[i];
        past_a_[i] = start_.a[i];
      }
    });
    past_jerk_.swap(jerk_);
    past_step_ = last_step_;
    last_step_ = h;
    time_ = trial_time_;
    ++steps_since_start_;
    last_estimate_ = estimate;
    adapt_step();
  }

  // Steps change seldom, as those of the other integrator do: the matrix can be kept, and no mode
  // is pumped by changes in time with it. A window of steps must be worth it.
  void adapt_step() {
    window_estimate_ = std::max(window_estimate_, last_estimate_);
    if (++since_change_ < kWindow) return;
    const double ratio =
        is_fixed() ? 2 : pi_step_ratio(window_estimate_, past_estimate_, options_.tolerance);
    past_estimate_ = window_estimate_;
    failures_ = 0;
    since_change_ = 0;
    window_estimate_ = 0;
    if (ratio > kWorthwhile || ratio < 1 / kWorthwhile) {
      step_ = std::min(largest_step_, ratio * step_);
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
  std::vector<Size> sizes_;               // of tiles of the loops
  double time_ = 0, trial_time_ = 0;
  double step_ = 0;  // wanted
  double last_step_ = 0, past_step_ = 0;
  long steps_since_start_ = 0;
  double matrix_step_ = 0;  // of the factorized matrix
  double contraction_ = 0;
  double last_estimate_ = 0, window_estimate_ = 0;  // of the last step, since the last change
  double past_estimate_ = 0;                        // of the window before, 0: not known
  int since_change_ = 0;                            // steps
  int failures_ = 0;                                // of the iteration, lately
  StepStatistics statistics_;
};

}  // namespace fem
