// The arc-length integrator on small problems with known solutions: its order, its truncation
// error, its stability, its step control, its failures.
#include "libfem/integrator/arc_length.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/oscillators.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

using test::Oscillators;
using test::pendulum;
using test::ScalarProblem;

constexpr double kFar = 1e300;  // a time that is never reached
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = std::numbers::pi;

static_assert(SecondOrderProblem<ScalarProblem>);
static_assert(SecondOrderProblem<Oscillators>);

// Time nearly alone measures the arc: h is Δt, and the method is the plain linear acceleration.
constexpr double kNoWeight = 1e-20;

ArcLengthOptions options_for(std::size_t size, double weight) {
  ArcLengthOptions o;
  o.local_tolerance = 1e9;  // the frequency limit alone governs the step
  o.iteration_tolerance = 1e-14;
  o.weights.assign(size, weight);
  o.scales.assign(size, 1.0);
  return o;
}

struct Point {
  double t, q, v;
};

// Runs to a time, landing there exactly.
template <class Problem>
Point run_to(ArcLength<Problem>& integrator, double end) {
  while (integrator.time() < end) {
    const Outcome outcome = integrator.step(end);
    if (!outcome.ok()) throw std::runtime_error(describe(outcome.status));
  }
  return {integrator.time(), integrator.positions()[0], integrator.velocities()[0]};
}

template <class Problem>
void start(ArcLength<Problem>& integrator, double t, double q, double v) {
  ASSERT_TRUE(integrator.start(t, {&q, 1}, {&v, 1}).ok());
}

// --- Order ---------------------------------------------------------------------------------------

struct KnownMotion {
  std::string name;
  ScalarProblem problem;
  Point start;
  double end;
  double q, v;  // there
};

// The pendulum by a hundred thousand steps of Runge and Kutta's fourth order: error below 1e-14.
Point follow_pendulum(Point p, double end) {
  const int steps = 100000;
  const double h = (end - p.t) / steps;
  for (int i = 0; i < steps; ++i) {
    const auto slope = [](double q, double v) { return std::pair{v, -std::sin(q)}; };
    const auto [q1, v1] = slope(p.q, p.v);
    const auto [q2, v2] = slope(p.q + h / 2 * q1, p.v + h / 2 * v1);
    const auto [q3, v3] = slope(p.q + h / 2 * q2, p.v + h / 2 * v2);
    const auto [q4, v4] = slope(p.q + h * q3, p.v + h * v3);
    p.q += h / 6 * (q1 + 2 * q2 + 2 * q3 + q4);
    p.v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
  }
  return {end, p.q, p.v};
}

std::vector<KnownMotion> known_motions() {
  const Point swing{0, 2.5, 0.3};
  const Point there = follow_pendulum(swing, 3);
  return {{"oscillator",
           {[](double, double q, double) { return -q; }},
           {0, 1, 0.5},
           3,
           std::cos(3.0) + 0.5 * std::sin(3.0),
           -std::sin(3.0) + 0.5 * std::cos(3.0)},
          {"forced, damped, in time only",
           {[](double t, double q, double v) {
             // q = t³ e⁻ᵗ is made to be the solution.
             const double e = std::exp(-t);
             const double exact_q = t * t * t * e;
             const double exact_v = (3 * t * t - t * t * t) * e;
             const double exact_a = (6 * t - 6 * t * t + t * t * t) * e;
             return exact_a - 2 * (v - exact_v) - (q - exact_q);
           }},
           {0, 0, 0},
           2,
           8 * std::exp(-2.0),
           4 * std::exp(-2.0)},
          {"pendulum", pendulum(), swing, 3, there.q, there.v}};
}

TEST(ArcLengthOrder, IsTwo) {
  for (const KnownMotion& motion : known_motions()) {
    for (const double weight : {kNoWeight, 0.04, 1.0}) {  // of time, scaled, plain
      SCOPED_TRACE(::testing::Message() << motion.name << ", weight " << weight);
      std::vector<double> errors;
      for (const double limit : {0.02, 0.01, 0.005, 0.0025}) {
        ScalarProblem problem = motion.problem;
        ArcLengthOptions o = options_for(1, weight);
        o.frequency_limit = limit;
        ArcLength integrator(problem, o);
        start(integrator, motion.start.t, motion.start.q, motion.start.v);
        const Point p = run_to(integrator, motion.end);
        errors.push_back(std::hypot(p.q - motion.q, p.v - motion.v));
      }
      for (std::size_t i = 1; i < errors.size(); ++i) {
        EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 2, 0.1) << errors[i];
      }
    }
  }
}

// --- Formulas ------------------------------------------------------------------------------------

// A problem whose curve in (q, t) is the unit circle, q = cos s, t = sin s, so that s is its arc
// and q⁗ = q, t⁗ = t: v = −tan s, a = −1/cos³s = −(1 + v²)^(3/2).
ScalarProblem circle() {
  return {[](double, double, double v) { return -std::pow(1 + v * v, 1.5); }};
}

TEST(ArcLengthStep, FollowsThePapersFormulas) {
  // One step, with the end's derivatives from the exact iteration to its fixed point.
  const double s0 = 0.6;
  for (const double h : {0.3, 0.1}) {
    ScalarProblem problem = circle();
    ArcLengthOptions o = options_for(1, 1.0);
    o.iteration_tolerance = 1e-16;
    o.highest_frequency = 0.1;  // the first step is a tenth of the limit's, in time
    o.frequency_limit = h * std::cos(s0);
    ArcLength integrator(problem, o);
    start(integrator, std::sin(s0), std::cos(s0), -std::tan(s0));
    ASSERT_TRUE(integrator.step(kFar).ok());
    double dq1 = 0;
    double dt1 = 0;
    const double dq0 = -std::cos(s0);
    const double dt0 = -std::sin(s0);
    double q = 0, t = 0, v = 0;
    for (int i = 0; i < 200; ++i) {
      const double slope_q = -std::sin(s0) + h / 2 * (dq0 + dq1);
      const double slope_t = std::cos(s0) + h / 2 * (dt0 + dt1);
      q = std::cos(s0) - h * std::sin(s0) + h * h / 6 * (2 * dq0 + dq1);
      t = std::sin(s0) + h * std::cos(s0) + h * h / 6 * (2 * dt0 + dt1);
      v = slope_q / slope_t;
      const double tau = 1 / std::sqrt(1 + v * v);
      const double a = problem.formula(t, q, v);
      dq1 = tau * tau * (a - tau * v * (tau * v * a));
      dt1 = -tau * tau * tau * (tau * v * a);
    }
    // Eight operations on numbers below two.
    EXPECT_NEAR(integrator.time(), t, 2e-15);
    EXPECT_NEAR(integrator.positions()[0], q, 2e-15);
    EXPECT_NEAR(integrator.velocities()[0], v, 4e-15);
  }
}

TEST(ArcLengthStep, HasItsTruncationErrors) {
  // Formula minus exact: h⁴/24 q⁗ and h³/12 q⁗, for t as for q. The next terms are h/2 of them
  // (q⁗ at the middle of the step instead of its start takes most of it away).
  const double s0 = 0.6;
  for (const double h : {0.02, 0.01}) {
    ScalarProblem problem = circle();
    ArcLengthOptions o = options_for(1, 1.0);
    o.frequency_limit = 10 * h * std::cos(s0);
    o.iteration_tolerance = 1e-17;
    ArcLength integrator(problem, o);
    start(integrator, std::sin(s0), std::cos(s0), -std::tan(s0));
    ASSERT_TRUE(integrator.step(kFar).ok());
    const double s1 = s0 + h;
    const double middle = s0 + h / 2;
    const double in_q = h * h * h * h / 24;
    EXPECT_NEAR((integrator.positions()[0] - std::cos(s1)) / in_q, std::cos(middle), 2 * h);
    EXPECT_NEAR((integrator.time() - std::sin(s1)) / in_q, std::sin(middle), 2 * h);
    // v = q′/t′: its error is (δq′ − v δt′)/t′.
    const double v1 = -std::tan(s1);
    const double in_v = h * h * h / 12;
    EXPECT_NEAR((integrator.velocities()[0] - v1) / in_v,
                (std::cos(middle) - v1 * std::sin(middle)) / std::cos(s1), 3 * h);
  }
}

TEST(ArcLengthStep, EstimatesItsTruncationError) {
  // After the first step there is a past: the estimate is the larger of h⁴/24 |q⁗| and
  // h³/12 |q⁗|/(τ ω_max), to the next order in h.
  for (const double frequency : {1.0, 0.001}) {
    ScalarProblem problem = circle();
    ArcLengthOptions o = options_for(1, 1.0);
    o.highest_frequency = frequency;
    o.frequency_limit = 0.01 * frequency;
    o.time_scale = 1e9;  // of q alone
    ArcLength integrator(problem, o);
    start(integrator, 0.0, 1.0, 0.0);
    EXPECT_EQ(integrator.last_estimate(), 0);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(integrator.step(kFar).ok());
    const double s = std::asin(integrator.time());
    const double h = 0.01 / std::cos(s - 0.01);
    const double expected = std::cos(s) * std::max(std::pow(h, 4) / 24,
                                                   std::pow(h, 3) / 12 / (std::cos(s) * frequency));
    EXPECT_NEAR(integrator.last_estimate() / expected, 1, 0.05);
  }
}

TEST(ArcLengthStep, IsExactForConstantAcceleration) {
  // In time alone q″ is constant: cubic formulas are exact.
  ScalarProblem problem{[](double, double, double) { return -2.0; }};
  ArcLengthOptions o = options_for(1, kNoWeight);
  ArcLength integrator(problem, o);
  start(integrator, 0, 3, 5);
  const Point p = run_to(integrator, 10);
  EXPECT_NEAR(p.q, 3 + 50 - 100, 1e-13);
  EXPECT_NEAR(p.v, 5 - 20, 1e-14);
}

// --- Stability -----------------------------------------------------------------------------------

struct Window {
  double least = 1e300;
  double most = 0;
};

// Least and largest amplitude (q² + v²)^½ of a unit oscillator in the next steps; with z = ω Δt,
// q² (1 − z²/12) + v², which the linear acceleration method conserves.
Window follow(ArcLength<Oscillators>& integrator, long steps, double z = 0) {
  Window w;
  for (long i = 0; i < steps; ++i) {
    const Outcome outcome = integrator.step(kFar);
    if (!outcome.ok()) throw std::runtime_error(describe(outcome.status));
    const double q = integrator.positions()[0] * std::sqrt(1 - z * z / 12);
    const double amplitude = std::hypot(q, integrator.velocities()[0]);
    w.least = std::min(w.least, amplitude);
    w.most = std::max(w.most, amplitude);
  }
  return w;
}

TEST(ArcLengthStability, KeepsTheAmplitudeForAMillionSteps) {
  // The linear acceleration method is neutral: it conserves q² (1 − z²/12) + v², so the amplitude
  // oscillates, but does not drift. The iteration stops 1e-10 away, less in the mean.
  Oscillators problem{{1.0}};
  ArcLengthOptions o = options_for(1, kNoWeight);
  o.frequency_limit = 1;
  o.iteration_tolerance = 1e-10;
  ArcLength integrator(problem, o);
  start(integrator, 0, 1, 0);
  static_cast<void>(follow(integrator, 1));  // of a tenth of the others' length
  const Window first = follow(integrator, 1000);
  EXPECT_NEAR(first.least, std::sqrt(1 - 1.0 / 12), 1e-2);
  EXPECT_NEAR(first.most, 1, 1e-2);
  static_cast<void>(follow(integrator, 998000));
  const Window last = follow(integrator, 1000);
  EXPECT_NEAR(last.least, first.least, 1e-3);
  EXPECT_NEAR(last.most, first.most, 1e-3);
  EXPECT_EQ(integrator.statistics().rejected, 0);
}

TEST(ArcLengthStability, ConservesTheMethodsInvariant) {
  for (const double z : {0.1, 0.5, 1.0, 1.3}) {
    Oscillators problem{{1.0}};
    ArcLengthOptions o = options_for(1, kNoWeight);
    o.frequency_limit = z;
    o.iteration_tolerance = 1e-13;
    ArcLength integrator(problem, o);
    start(integrator, 0, 1, 0);
    static_cast<void>(follow(integrator, 1));
    const Window w = follow(integrator, 20000, z);
    EXPECT_NEAR(w.most / w.least, 1, 1e-9) << z;
  }
}

TEST(ArcLengthStability, NeverPumps) {
  // Whatever the metric, the step and the iteration's tolerance: amplitudes do not grow.
  for (const double weight : {kNoWeight, 1e-4, 0.01, 1.0}) {
    for (const double z : {0.1, 0.5, 1.0, 1.1, 1.3, 1.5}) {
      for (const double tolerance : {1e-10, 1e-6, 1e-4, 1e-2, 1e3}) {
        // One mode carries all of the speed here: its iterates are the arc's own, and one
        // evaluation is not enough for those.
        if (weight == 1.0 && tolerance > 1e-4) continue;
        Oscillators problem{{1.0}};
        ArcLengthOptions o = options_for(1, weight);
        o.frequency_limit = z;
        o.iteration_tolerance = tolerance;
        ArcLength integrator(problem, o);
        start(integrator, 0, 1, 0);
        const Window first = follow(integrator, 1000, z);
        const Window last = follow(integrator, 5000, z);
        // The start has q = 1; the first step is of another length and shifts the invariant.
        EXPECT_LT(first.most, 1.02)
            << "weight " << weight << ", ω Δt " << z << ", tolerance " << tolerance;
        EXPECT_LT(last.most, first.most * (1 + 1e-6))
            << "weight " << weight << ", ω Δt " << z << ", tolerance " << tolerance;
      }
    }
  }
}

TEST(ArcLengthStability, DampsWhatTheIterationLeaves) {
  // With a tolerance that every iterate meets a step takes one evaluation, and the amplitude loses
  // (ω Δt)⁶/12 a step (integrator/README.md).
  for (const double z : {0.2, 0.3, 0.4}) {
    Oscillators problem{{1.0}};
    ArcLengthOptions o = options_for(1, kNoWeight);
    o.frequency_limit = z;
    o.iteration_tolerance = 1e9;
    ArcLength integrator(problem, o);
    start(integrator, 0, 1, 0);
    const long steps = std::lround(100 * kPi / z);  // fifty periods
    const Window first = follow(integrator, steps);
    const Window last = follow(integrator, steps);
    EXPECT_EQ(integrator.statistics().evaluations, integrator.statistics().steps + 1);
    const double loss = std::log(first.most / last.most) / static_cast<double>(steps);
    // First-order in the loss; the next term is (ω Δt)² of it.
    EXPECT_NEAR(loss, std::pow(z, 6) / 12, 0.3 * std::pow(z, 6) / 12) << z;
  }
}

TEST(ArcLengthStability, LosesLittleThroughTheMetric) {
  // The slope is taken back to unit length after a step: where one mode carries all of the speed,
  // that takes (ω Δt)⁴/48 · W v²/w_t of the amplitude a step (integrator/README.md). It may lose
  // less, but not more, and must not gain.
  for (const double weight : {0.01, 0.1}) {
    for (const double z : {0.2, 0.4}) {
      Oscillators problem{{1.0}};
      ArcLengthOptions o = options_for(1, weight);
      o.frequency_limit = z;
      ArcLength integrator(problem, o);
      start(integrator, 0, 1, 0);
      const long steps = std::lround(100 * kPi / z);
      const Window first = follow(integrator, steps);
      const Window last = follow(integrator, steps);
      const double loss = std::log(first.most / last.most) / static_cast<double>(steps);
      EXPECT_LT(loss, 1.3 * std::pow(z, 4) / 48 * weight) << z;
      EXPECT_GT(loss, -1e-9) << z;
    }
  }
}

TEST(ArcLengthStability, ShortensTheStepWhereTheIterationIsSlow) {
  // The declared frequency is half of the true one: ω Δt would be 3.2, where the iteration
  // diverges. The step falls to where it converges, and the motion stays bounded.
  Oscillators problem{{2.0}};
  ArcLengthOptions o = options_for(1, kNoWeight);
  o.frequency_limit = 1.6;
  o.iteration_tolerance = 1e-10;
  ArcLength integrator(problem, o);
  start(integrator, 0, 1, 0);
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(integrator.step(kFar).ok());
    EXPECT_LT(std::abs(integrator.positions()[0]), 1.1);
  }
  EXPECT_LT(2 * integrator.last_step(), std::sqrt(6.0));
}

TEST(ArcLengthStability, FollowsSlowModesBesideFastOnes) {
  // The slow mode is second order in its own ω Δt while the fast one is at the limit.
  Oscillators problem{{1.0, 100.0}};
  ArcLengthOptions o = options_for(2, kNoWeight);
  o.highest_frequency = 100;
  o.frequency_limit = 1;
  ArcLength integrator(problem, o);
  const std::vector<double> q = {1, 0.001};
  const std::vector<double> v = {0, 0};
  ASSERT_TRUE(integrator.start(0, q, v).ok());
  const Point p = run_to(integrator, 10);
  // t z²/24 in the phase, with z = 0.01.
  EXPECT_NEAR(p.q, std::cos(10.0), 10 * 1e-4 / 24 * 1.5);
  EXPECT_LT(std::abs(integrator.positions()[1]), 0.0011);
}

// --- Step control --------------------------------------------------------------------------------

TEST(ArcLengthControl, KeepsToTheFrequencyLimit) {
  for (const double weight : {kNoWeight, 1.0}) {
    ScalarProblem problem = pendulum();
    ArcLengthOptions o = options_for(1, weight);
    o.highest_frequency = 50;
    o.frequency_limit = 0.5;
    ArcLength integrator(problem, o);
    start(integrator, 0, 2, 0);
    for (int i = 0; i < 3000; ++i) {
      ASSERT_TRUE(integrator.step(kFar).ok());
      // Δt = τ h to first order; the arc's own curvature changes τ by |a| Δt.
      EXPECT_LT(integrator.last_step(), 0.01 * (1 + 0.01));
    }
  }
}

TEST(ArcLengthControl, LetsTheToleranceGovernWhereTheLimitIsLoose) {
  std::vector<double> errors;
  std::vector<long> steps;
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    ScalarProblem problem = pendulum();
    ArcLengthOptions o = options_for(1, 1.0);
    o.local_tolerance = tolerance;
    o.iteration_tolerance = 1e-2 * tolerance;
    o.frequency_limit = 1.7;
    ArcLength integrator(problem, o);
    start(integrator, 0, 2.5, 0.3);
    static_cast<void>(run_to(integrator, 20));
    // Every accepted step with a past meets the tolerance.
    EXPECT_LE(integrator.last_estimate(), tolerance);
    steps.push_back(integrator.statistics().steps);
  }
  // Steps grow as tolerance^(−1/3): a hundredth of it takes 4.64 times as many. The step follows
  // the largest error of a long window, so within a factor.
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const double ratio = static_cast<double>(steps[i]) / static_cast<double>(steps[i - 1]);
    EXPECT_GT(ratio, 2.5) << steps[i];
    EXPECT_LT(ratio, 8) << steps[i];
  }
}

TEST(ArcLengthControl, MeetsTheToleranceOfTheFirstStep) {
  // It has no past to be estimated from, but is not another matter: its error stays in the motion.
  for (const double tolerance : {1e-6, 1e-8}) {
    Oscillators problem{{1.0}};
    ArcLengthOptions o = options_for(1, kNoWeight);
    o.local_tolerance = tolerance;
    o.frequency_limit = 1;
    ArcLength integrator(problem, o);
    start(integrator, 0, 1, 0);
    ASSERT_TRUE(integrator.step(kFar).ok());
    const double dt = integrator.last_step();
    EXPECT_LT(std::abs(integrator.positions()[0] - std::cos(dt)), 1.2 * tolerance);
    EXPECT_LT(std::abs(integrator.velocities()[0] + std::sin(dt)), 1.2 * tolerance);
  }
}

TEST(ArcLengthControl, MeetsTheToleranceOfEveryFurtherStep) {
  Oscillators problem{{1.0}};
  ArcLengthOptions o = options_for(1, kNoWeight);
  o.local_tolerance = 1e-7;
  o.frequency_limit = 1.7;
  ArcLength integrator(problem, o);
  start(integrator, 0, 1, 0);
  ASSERT_TRUE(integrator.step(kFar).ok());
  for (int i = 0; i < 500; ++i) {
    const double q = integrator.positions()[0];
    const double v = integrator.velocities()[0];
    ASSERT_TRUE(integrator.step(kFar).ok());
    // The exact motion from the step's start: the local error itself, max(|δq|, |δv|/ω).
    const double dt = integrator.last_step();
    const double in_q = integrator.positions()[0] - q * std::cos(dt) - v * std::sin(dt);
    const double in_v = integrator.velocities()[0] - v * std::cos(dt) + q * std::sin(dt);
    EXPECT_LT(std::max(std::abs(in_q), std::abs(in_v)), 1.2e-7) << i;
  }
  EXPECT_GT(integrator.statistics().rejected, 0);
}

TEST(ArcLengthControl, TakesRejectedStepsBack) {
  // A step that was tried and rejected, for its error or because the iteration did not converge,
  // leaves no trace: the next one starts from the last accepted state.
  for (const double omega : {1.0, 4.0}) {
    Oscillators problem{{omega}};
    ArcLengthOptions o = options_for(1, kNoWeight);
    o.local_tolerance = omega > 1 ? 1e9 : 1e-6;
    o.iteration_tolerance = 1e-9;
    o.frequency_limit = 1.7;
    ArcLength integrator(problem, o);
    start(integrator, 0, 1, 0);
    double q = 1;
    double v = 0;
    double t = 0;
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(integrator.step(kFar).ok());
      EXPECT_EQ(integrator.step_start_time(), t);
      double start_q = 0;
      double start_v = 0;
      integrator.dense_output(t, {&start_q, 1}, {&start_v, 1});
      EXPECT_NEAR(start_q, q, 1e-15) << "step " << i << ", omega " << omega;
      EXPECT_NEAR(start_v, v, 1e-15) << "step " << i << ", omega " << omega;
      q = integrator.positions()[0];
      v = integrator.velocities()[0];
      t = integrator.time();
    }
    EXPECT_GT(integrator.statistics().rejected, 0);
  }
}

TEST(ArcLengthControl, DemandsOptionsThatFit) {
  ScalarProblem problem = pendulum();
  EXPECT_THROW(ArcLength(problem, options_for(2, 1.0)), std::logic_error);
  for (const double limit : {0.0, -1.0, std::sqrt(6.0), kNaN}) {
    ArcLengthOptions o = options_for(1, 1.0);
    o.frequency_limit = limit;
    EXPECT_THROW(ArcLength(problem, o), std::logic_error) << limit;
  }
}

// --- Landing and output --------------------------------------------------------------------------

TEST(ArcLengthLanding, IsExact) {
  for (const double weight : {kNoWeight, 1.0, 100.0}) {
    ScalarProblem problem = pendulum();
    ArcLengthOptions o = options_for(1, weight);
    o.frequency_limit = 0.05;
    ArcLength integrator(problem, o);
    start(integrator, 0, 1, 1);
    const Point exact = follow_pendulum({0, 1, 1}, 2);
    double until = 0;
    // Far, near, a fraction of a step, a little more than one, and one number further.
    for (const double further : {0.3, 0.05, 0.001, 0.0503, 0.09, 1e-9, 0.3}) {
      until += further;
      const Point p = run_to(integrator, until);
      EXPECT_EQ(p.t, until);
    }
    until = std::nextafter(until, kFar);
    EXPECT_EQ(run_to(integrator, until).t, until);
    const Point p = run_to(integrator, 2);
    EXPECT_EQ(p.t, 2);
    const double error = weight > 1 ? 0.03 : 1e-3;  // the arc takes h = 0.5 of its own units there
    EXPECT_NEAR(p.q, exact.q, error);
    EXPECT_NEAR(p.v, exact.v, error);
  }
}

TEST(ArcLengthLanding, IsExactToTheLastBit) {
  // A thousand odd times: a step that solves for its end misses some of them by a rounding, and
  // must say the time asked for all the same, without another step for the rest.
  test::Random random(650);
  ScalarProblem problem = pendulum();
  ArcLengthOptions o = options_for(1, 1.0);
  o.frequency_limit = 0.1;
  ArcLength integrator(problem, o);
  start(integrator, 0, 1, 1);
  ASSERT_TRUE(integrator.step(kFar).ok());  // the first step is a short one
  for (int i = 0; i < 1000; ++i) {
    const double until = integrator.time() + random.uniform(0.01, 0.09);
    ASSERT_TRUE(integrator.step(until).ok());
    ASSERT_EQ(integrator.time(), until) << i;
  }
}

TEST(ArcLengthLanding, LeavesNoSliver) {
  ScalarProblem problem = pendulum();
  ArcLengthOptions o = options_for(1, kNoWeight);
  o.frequency_limit = 0.1;
  ArcLength integrator(problem, o);
  start(integrator, 0, 1, 0);
  double least = 1;
  while (integrator.time() < 10.0203) {
    ASSERT_TRUE(integrator.step(10.0203).ok());
    if (integrator.statistics().steps > 1) least = std::min(least, integrator.last_step());
  }
  EXPECT_GE(least, 0.049);  // half a step at least
}

TEST(ArcLengthLanding, RestartsAfterAJump) {
  // Ten bounces: at whole times the velocity is turned round. The exact motion goes to and fro.
  Oscillators problem{{1.0}};
  ArcLengthOptions o = options_for(1, kNoWeight);
  o.frequency_limit = 0.01;
  ArcLength integrator(problem, o);
  start(integrator, 0, 1, 0);
  for (int i = 1; i <= 10; ++i) {
    const Point p = run_to(integrator, i);
    start(integrator, p.t, p.q, -p.v);
    EXPECT_EQ(integrator.time(), i);
    EXPECT_EQ(integrator.positions()[0], p.q);
    EXPECT_EQ(integrator.velocities()[0], -p.v);
  }
  // Ten seconds of error h²/24 t, and each restart h³/12.
  EXPECT_NEAR(integrator.positions()[0], 1, 1e-5);
}

TEST(ArcLengthOutput, JoinsTheStepsEnds) {
  for (const double weight : {kNoWeight, 1.0}) {
    ScalarProblem problem = pendulum();
    ArcLengthOptions o = options_for(1, weight);
    o.frequency_limit = 0.1;
    ArcLength integrator(problem, o);
    start(integrator, 0, 1, 1);
    double q_end = 1;
    double v_end = 1;
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(integrator.step(i < 50 ? kFar : 8.0123).ok());
      double q = 0;
      double v = 0;
      // A few units of the last place of numbers up to 3.
      integrator.dense_output(integrator.step_start_time(), {&q, 1}, {&v, 1});
      EXPECT_NEAR(q, q_end, 2e-15);
      EXPECT_NEAR(v, v_end, 2e-15);
      q_end = integrator.positions()[0];
      v_end = integrator.velocities()[0];
      integrator.dense_output(integrator.time(), {&q, 1}, {&v, 1});
      EXPECT_NEAR(q, q_end, 4e-15);
      EXPECT_NEAR(v, v_end, 4e-15);
      if (integrator.time() == 8.0123) break;
    }
  }
}

TEST(ArcLengthOutput, IsOfThirdOrderWithinAStep) {
  // From the step's own start data, the unit oscillator's exact motion within the step: the
  // velocity has an error of h³ at most, the position of h⁴.
  std::vector<double> in_q, in_v;
  for (const double limit : {0.2, 0.1, 0.05}) {
    for (const double weight : {1.0}) {
      Oscillators problem{{1.0}};
      ArcLengthOptions o = options_for(1, weight);
      o.frequency_limit = limit;
      ArcLength integrator(problem, o);
      start(integrator, 0, 1, 0);
      double worst_q = 0;
      double worst_v = 0;
      double q0 = 1;
      double v0 = 0;
      while (integrator.time() < 6) {
        ASSERT_TRUE(integrator.step(kFar).ok());
        for (double x = 0.1; x < 1; x += 0.1) {
          const double dt = x * integrator.last_step();
          double q = 0;
          double v = 0;
          integrator.dense_output(integrator.step_start_time() + dt, {&q, 1}, {&v, 1});
          worst_q = std::max(worst_q, std::abs(q - q0 * std::cos(dt) - v0 * std::sin(dt)));
          worst_v = std::max(worst_v, std::abs(v - v0 * std::cos(dt) + q0 * std::sin(dt)));
        }
        q0 = integrator.positions()[0];
        v0 = integrator.velocities()[0];
      }
      in_q.push_back(worst_q);
      in_v.push_back(worst_v);
    }
  }
  for (std::size_t i = 1; i < in_q.size(); ++i) {
    EXPECT_GT(std::log2(in_q[i - 1] / in_q[i]), 3.7);
    EXPECT_GT(std::log2(in_v[i - 1] / in_v[i]), 2.8);
  }
}

// --- Failures ------------------------------------------------------------------------------------

// Two coordinates at rest; from a time on one acceleration is not a number.
struct BreaksDown {
  std::size_t which;
  double when;
  double value;
  [[nodiscard]] std::size_t size() const { return 3; }
  [[nodiscard]] std::size_t independent() const { return 3; }
  Outcome acceleration(double t, Side, std::span<double>, std::span<double>, std::span<double> a) {
    a[0] = a[1] = a[2] = 0;
    if (t > when) a[which] = value;
    return {};
  }
};

TEST(ArcLengthFailure, NamesTheUnknownThatIsNotFinite) {
  for (std::size_t which = 0; which < 3; ++which) {
    for (const double value : {kNaN, std::numeric_limits<double>::infinity()}) {
      BreaksDown problem{which, 5, value};
      ArcLengthOptions o = options_for(3, 1.0);
      o.frequency_limit = 0.5;
      ArcLength integrator(problem, o);
      const std::vector<double> zero(3, 0.0);
      ASSERT_TRUE(integrator.start(0, zero, zero).ok());
      Outcome outcome;
      for (int i = 0; i < 100 && outcome.ok(); ++i) outcome = integrator.step(kFar);
      EXPECT_EQ(outcome.status, Status::not_finite);
      EXPECT_EQ(outcome.where, which);
      EXPECT_LE(integrator.time(), 5) << "the last good state stands";
      for (const double q : integrator.positions()) EXPECT_EQ(q, 0);
    }
  }
}

TEST(ArcLengthFailure, IsSeenAtTheStart) {
  BreaksDown problem{1, -1, kNaN};
  ArcLength integrator(problem, options_for(3, 1.0));
  const std::vector<double> zero(3, 0.0);
  const Outcome outcome = integrator.start(0, zero, zero);
  EXPECT_EQ(outcome.status, Status::not_finite);
  EXPECT_EQ(outcome.where, 1U);
}

TEST(ArcLengthFailure, HandsOnWhatTheProblemSays) {
  struct Refuses {
    [[nodiscard]] std::size_t size() const { return 1; }
    [[nodiscard]] std::size_t independent() const { return 1; }
    Outcome acceleration(double t, Side, std::span<double>, std::span<double>,
                         std::span<double> a) {
      a[0] = 0;
      return t > 1 ? Outcome{Status::singular_mass, 7} : Outcome{};
    }
  } problem;
  ArcLength integrator(problem, options_for(1, 1.0));
  start(integrator, 0, 0, 0);
  Outcome outcome;
  for (int i = 0; i < 100 && outcome.ok(); ++i) outcome = integrator.step(kFar);
  EXPECT_EQ(outcome.status, Status::singular_mass);
  EXPECT_EQ(outcome.where, 7U);
}

TEST(ArcLengthFailure, GivesUpOnAnIterationThatNeverConverges) {
  // An acceleration that is another one each time it is asked.
  struct Restless {
    double sign = 1;
    [[nodiscard]] std::size_t size() const { return 2; }
    [[nodiscard]] std::size_t independent() const { return 2; }
    Outcome acceleration(double t, Side, std::span<double>, std::span<double>,
                         std::span<double> a) {
      sign = -sign;
      a[0] = 0;
      a[1] = t > 0.5 ? 1e15 * sign : 0;
      return {};
    }
  } problem;
  ArcLengthOptions o = options_for(2, kNoWeight);
  o.iteration_tolerance = 1e-10;
  ArcLength integrator(problem, o);
  const std::vector<double> zero(2, 0.0);
  ASSERT_TRUE(integrator.start(0, zero, zero).ok());
  Outcome outcome;
  int steps = 0;
  for (; steps < 1000 && outcome.ok(); ++steps) outcome = integrator.step(kFar);
  EXPECT_EQ(outcome.status, Status::no_convergence);
  EXPECT_EQ(outcome.where, 1U);
  EXPECT_LT(integrator.statistics().evaluations, 5000);  // not a hang
  EXPECT_LE(integrator.time(), 1);
}

TEST(ArcLengthFailure, GivesUpWhereNoStepMeetsTheTolerance) {
  // Noise that no step averages: the estimate falls with h only, and not below the tolerance.
  struct Noisy {
    [[nodiscard]] std::size_t size() const { return 1; }
    [[nodiscard]] std::size_t independent() const { return 1; }
    Outcome acceleration(double t, Side, std::span<double>, std::span<double>,
                         std::span<double> a) {
      a[0] = 1e6 * std::sin(1e13 * t);
      return {};
    }
  } problem;
  ArcLengthOptions o = options_for(1, kNoWeight);
  o.local_tolerance = 1e-12;
  o.iteration_tolerance = 1e9;
  ArcLength integrator(problem, o);
  start(integrator, 0, 0, 0);
  Outcome outcome;
  for (int i = 0; i < 100 && outcome.ok(); ++i) outcome = integrator.step(kFar);
  EXPECT_EQ(outcome.status, Status::step_too_small);
  EXPECT_EQ(outcome.where, 0U);
}

// An oscillator whose accelerations are spoiled around t = 1, as by the rounding of a linkage near
// a singular pose, and that says so.
struct Spoiled {
  bool tells = true;
  double now = 0;
  [[nodiscard]] std::size_t size() const { return 1; }
  [[nodiscard]] std::size_t independent() const { return 1; }
  [[nodiscard]] double distance() const { return std::abs(now - 1.000123); }
  [[nodiscard]] bool near_singular() const { return tells && distance() < 0.05; }
  [[nodiscard]] bool is_uncertain() const { return tells && distance() < 3e-4; }
  Outcome acceleration(double t, Side, std::span<double> q, std::span<double>,
                       std::span<double> a) {
    now = t;
    const double d = t - 1.000123;
    a[0] = -q[0] + 1e-18 / (d * d * d);
    return {};
  }
};

TEST(ArcLengthSingularPose, IsSteppedOver) {
  for (const double limit : {1.0, 1e-3, 1e-4}) {
    Spoiled problem;
    ArcLengthOptions o = options_for(1, kNoWeight);
    o.local_tolerance = 1e-11;
    o.iteration_tolerance = 1e-13;
    o.frequency_limit = limit;
    ArcLength integrator(problem, o);
    start(integrator, 0, 1, 0);
    while (integrator.time() < 2) ASSERT_TRUE(integrator.step(2).ok()) << integrator.time();
    // The error of the scheme at steps of 3e-4, as without a spoiled place.
    EXPECT_NEAR(integrator.positions()[0], std::cos(2.0), 3e-8);
  }
}

TEST(ArcLengthSingularPose, StopsTheRunWhereNothingPassesIt) {
  struct Wall : Spoiled {
    Outcome acceleration(double t, Side, std::span<double> q, std::span<double>,
                         std::span<double> a) {
      now = t;
      a[0] = t < 1 ? -q[0] : 1e30 * std::sin(1e9 * t);
      return {};
    }
    [[nodiscard]] bool near_singular() const { return now > 0.9; }
    [[nodiscard]] bool is_uncertain() const { return false; }
  } problem;
  ArcLengthOptions o = options_for(1, kNoWeight);
  ArcLength integrator(problem, o);
  start(integrator, 0, 1, 0);
  Outcome outcome;
  while (outcome.ok() && integrator.time() < 2) outcome = integrator.step(2);
  EXPECT_EQ(outcome.status, Status::singular_pose);
  EXPECT_LT(integrator.time(), 1.0);
}

}  // namespace
}  // namespace fem
