// Generalized-α on small problems with known solutions: order, truncation error, damping at high
// frequencies, step control, dense output, and what happens where Newton's method fails.
#include "libfem/integrator/generalized_alpha.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/oscillators.hpp"

namespace fem {
namespace {

using test::ScalarBalance;
using Scheme = GeneralizedAlpha<ScalarBalance>;

static_assert(ImplicitProblem<ScalarBalance>);

constexpr double kFar = 1e300;  // a time that is never reached
constexpr double kPi = std::numbers::pi;

GeneralizedAlphaOptions fixed(double step, double rho = 0.9) {
  return {.spectral_radius = rho, .fixed_step = step, .scales = {1}};
}
GeneralizedAlphaOptions controlled(double tolerance, double rho = 0.9) {
  return {.spectral_radius = rho, .tolerance = tolerance, .largest_step = 1, .scales = {1}};
}

ScalarBalance oscillator(double omega) {
  return {{[omega](double, double q, double) { return -omega * omega * q; }}};
}
ScalarBalance damped_pendulum() {
  return {
      {[](double t, double q, double v) { return -std::sin(q) - 0.1 * v + 0.2 * std::cos(t); }}};
}

struct Point {
  double q, v;
};

void start(Scheme& scheme, double q, double v) {
  ASSERT_TRUE(scheme.start(0, {&q, 1}, {&v, 1}).ok());
}

Point run_to(Scheme& scheme, double end) {
  while (scheme.time() < end) {
    const Outcome outcome = scheme.step(end);
    if (!outcome.ok()) throw std::runtime_error(describe(outcome.status));
  }
  EXPECT_EQ(scheme.time(), end);
  return {scheme.positions()[0], scheme.velocities()[0]};
}

Point solve(ScalarBalance problem, const GeneralizedAlphaOptions& options, double end) {
  Scheme scheme(problem, options);
  start(scheme, 1, 0);
  return run_to(scheme, end);
}

// The damped pendulum from q = 1 at rest by Runge and Kutta's fourth order: error below 1e-13.
Point follow_pendulum(double end) {
  const ScalarBalance problem = damped_pendulum();
  const int steps = 20000;
  const double h = end / steps;
  Point p{1, 0};
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const auto rate = [&](double at, Point x) { return Point{x.v, problem.formula(at, x.q, x.v)}; };
    const auto shift = [&](Point k, double by) { return Point{p.q + by * k.q, p.v + by * k.v}; };
    const Point k1 = rate(t, p);
    const Point k2 = rate(t + h / 2, shift(k1, h / 2));
    const Point k3 = rate(t + h / 2, shift(k2, h / 2));
    const Point k4 = rate(t + h, shift(k3, h));
    p = {p.q + h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q),
         p.v + h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v)};
  }
  return p;
}

TEST(GeneralizedAlpha, IsOfSecondOrder) {
  const Point exact = follow_pendulum(4);
  for (const double rho : {0.0, 0.5, 0.9, 1.0}) {
    double last_q = 0;
    double last_v = 0;
    for (const double h : {0.02, 0.01, 0.005, 0.0025}) {
      const Point p = solve(damped_pendulum(), fixed(h, rho), 4);
      const double error_q = std::abs(p.q - exact.q);
      const double error_v = std::abs(p.v - exact.v);
      if (last_q > 0) {
        EXPECT_NEAR(std::log2(last_q / error_q), 2, 0.1) << rho << " " << h;
        EXPECT_NEAR(std::log2(last_v / error_v), 2, 0.1) << rho << " " << h;
      }
      last_q = error_q;
      last_v = error_v;
    }
  }
}

// q = t³/6 has a constant q⃛ and no q⁗: every step errs by (1/12 + Δ²/4) h³ in q and not in q̇, once
// the lagged accelerations lag as they should. The first ones, q̈₀, do not: that errs in q̇ once.
TEST(GeneralizedAlpha, TruncationErrorsAreThoseOfTheCoefficients) {
  for (const double rho : {0.0, 0.5, 0.9, 1.0}) {
    const AlphaCoefficients c(rho);
    ScalarBalance problem{{[](double t, double, double) { return t; }}};
    const double h = 0.1;
    Scheme scheme(problem, fixed(h, rho));
    start(scheme, 0, 0);
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(scheme.step(kFar).ok());
    const auto error = [&] {
      const double t = scheme.time();
      return Point{scheme.positions()[0] - t * t * t / 6, scheme.velocities()[0] - t * t / 2};
    };
    const Point before = error();
    ASSERT_TRUE(scheme.step(kFar).ok());
    const Point after = error();
    EXPECT_NEAR(after.v, before.v, 1e-11);
    EXPECT_NEAR(after.q - before.q - h * before.v, c.position_error * h * h * h, 1e-9);
  }
}

TEST(GeneralizedAlpha, LosesTheSpectralRadiusAtInfiniteFrequency) {
  for (const double rho : {0.0, 0.7, 0.9, 1.0}) {
    ScalarBalance problem = oscillator(1e6);
    Scheme scheme(problem, fixed(1, rho));
    start(scheme, 0, 1);
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(scheme.step(kFar).ok());
    const double v0 = std::abs(scheme.velocities()[0]);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(scheme.step(kFar).ok());
    const double v1 = std::abs(scheme.velocities()[0]);
    if (rho == 0) {
      EXPECT_LT(v1, 1e-6);
    } else {
      // −ρ is a multiple eigenvalue: k ρᵏ at most, here for k = 40 and 50.
      EXPECT_GE(v1 / v0, 0.999 * std::pow(rho, 10)) << rho;
      EXPECT_LE(v1 / v0, 1.25 * std::pow(rho, 10)) << rho;
    }
  }
}

TEST(GeneralizedAlpha, KeepsTheEnergyOfAnOscillatorWithoutDamping) {
  ScalarBalance problem = oscillator(1);
  Scheme scheme(problem, fixed(0.3, 1));
  start(scheme, 1, 0);
  double least = 1;
  double most = 0;
  for (int i = 0; i < 100000; ++i) {
    ASSERT_TRUE(scheme.step(kFar).ok());
    const double q = scheme.positions()[0];
    const double v = scheme.velocities()[0];
    least = std::min(least, q * q + v * v);
    most = std::max(most, q * q + v * v);
  }
  EXPECT_NEAR(least, 1, 1e-9);
  EXPECT_NEAR(most, 1, 1e-9);
}

TEST(GeneralizedAlpha, ErrorsFollowTheTolerance) {
  const Point exact = follow_pendulum(10);
  double last = 1;
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    ScalarBalance problem = damped_pendulum();
    Scheme scheme(problem, controlled(tolerance));
    start(scheme, 1, 0);
    const Point p = run_to(scheme, 10);
    const double error = std::abs(p.q - exact.q);
    EXPECT_LT(error, tolerance * static_cast<double>(scheme.statistics().steps));
    EXPECT_LT(error, 0.2 * last);  // order: 100^(2/3) = 21
    last = error;
  }
}

TEST(GeneralizedAlpha, StepsAreRejectedWhereForcesComeSuddenly) {
  ScalarBalance problem{
      {[](double t, double, double) { return 1e3 * std::exp(-1e4 * (t - 1) * (t - 1)); }}};
  Scheme scheme(problem, controlled(1e-7));
  start(scheme, 0, 0);
  const Point p = run_to(scheme, 2);
  EXPECT_GT(scheme.statistics().rejected, 0);
  EXPECT_NEAR(p.v, 1e3 * std::sqrt(kPi) / 100, 3e-3);  // h |δq̇| of 1e-7 for h from 1e-3 on
}

TEST(GeneralizedAlpha, DenseOutputIsAsGoodAsTheSteps) {
  ScalarBalance problem = damped_pendulum();
  Scheme scheme(problem, fixed(0.01));
  start(scheme, 1, 0);
  double worst = 0;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(scheme.step(kFar).ok());
    for (const double x : {0.0, 0.3, 0.7, 1.0}) {
      const double t = scheme.time() - (1 - x) * scheme.last_step();
      double q = 0;
      double v = 0;
      double a = 0;
      scheme.dense_output(t, {&q, 1}, {&v, 1});
      const double interpolated = q;
      ASSERT_TRUE(scheme.accelerations_within(t, {&q, 1}, {&v, 1}, {&a, 1}).ok());
      EXPECT_NEAR(a, problem.formula(t, q, v), 1e-9);
      EXPECT_NEAR(q, interpolated, 1e-6);  // h³
      if (i % 10 == 9) {
        const Point exact = follow_pendulum(t);
        worst = std::max({worst, std::abs(q - exact.q), std::abs(v - exact.v)});
      }
    }
  }
  EXPECT_LT(worst, 3e-5);
}

TEST(GeneralizedAlpha, LandsOnTimes) {
  ScalarBalance problem = damped_pendulum();
  Scheme scheme(problem, fixed(0.01));
  start(scheme, 1, 0);
  for (const double t : {0.005, 0.1234, 0.5, 0.50001}) run_to(scheme, t);
}

// A problem that cannot be balanced from t = 1 on.
struct Wall : ScalarBalance {
  Outcome balance(double t, Side side, std::span<double> q, std::span<double> v,
                  std::span<double> a, std::span<double> residual) const {
    const Outcome outcome = ScalarBalance::balance(t, side, q, v, a, residual);
    if (t > 1) residual[0] = 1 + std::abs(q[0]);  // no zero
    return outcome;
  }
};

TEST(GeneralizedAlpha, NeverAcceptsAStepThatDoesNotConverge) {
  for (const auto& options : {fixed(0.3), controlled(1e-9)}) {
    Wall problem{damped_pendulum()};
    GeneralizedAlpha<Wall> scheme(problem, options);
    const double q = 1;
    const double v = 0;
    ASSERT_TRUE(scheme.start(0, {&q, 1}, {&v, 1}).ok());
    Outcome outcome;
    while ((outcome = scheme.step(2)).ok()) ASSERT_LE(scheme.time(), 1);
    EXPECT_EQ(outcome.status, Status::no_convergence);
    EXPECT_NEAR(scheme.time(), 1, 0.01);  // as near as a few halvings bring it
    EXPECT_NEAR(scheme.positions()[0], follow_pendulum(1).q, 0.02);
  }
}

TEST(GeneralizedAlpha, TellsOfNumbersThatAreNone) {
  ScalarBalance problem{{[](double t, double, double) {
    return t > 1 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  }}};
  Scheme scheme(problem, fixed(0.3));
  start(scheme, 1, 0);
  Outcome outcome;
  while ((outcome = scheme.step(2)).ok()) {
  }
  EXPECT_EQ(outcome.status, Status::not_finite);
  EXPECT_EQ(scheme.positions()[0], 1);
}

// The matrix is made for a stiffness that has changed by the time it is used: it is made again.
TEST(GeneralizedAlpha, RenewsAMatrixThatContractsBadly) {
  ScalarBalance problem{{[](double t, double q, double) { return -1e4 * (1 + t * t) * q; }}};
  Scheme scheme(problem, fixed(0.01));
  start(scheme, 1, 0);
  run_to(scheme, 10);
  const StepStatistics& s = scheme.statistics();
  EXPECT_EQ(s.rejected, 0);
  EXPECT_GT(s.tangents, 3);
  EXPECT_LT(s.tangents, s.steps / 3);
}

}  // namespace
}  // namespace fem
