#include "libfem/hereditary/memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include "libfem/hereditary/prehistory.hpp"
#include "tests/hereditary/curves.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

using test::curve_references;
using test::kCurveTimes;
using test::kTimes;

constexpr double kY0 = 0.1, kYp = 0.04, kP0 = 1.0, kPp = 0.4, kKappa = 0.5, kT0 = 3.0;

RelaxationSeries two_branches() { return {.relaxed = 3, .stiffness = {2, 5}, .time = {0.4, 0.02}}; }

// A step of a deformation that is linear in time, against a fine numerical solution of
// τż = −z + τẏ.
TEST(Memory, StepIsExactForALinearDeformation) {
  const auto series = two_branches();
  HereditaryMemory memory{.time = 1, .deformation = 0.3, .branch = {0.1, -0.2}, .dissipated = 0.5};
  const double y1 = 0.45, dt = 0.07;
  HereditaryMemory fine = memory;
  double work = 0, dissipated = 0.5;
  constexpr int parts = 4000;
  const auto force = [&](const std::vector<double>& z, double y) {
    return series.relaxed * y + series.stiffness[0] * z[0] + series.stiffness[1] * z[1];
  };
  const double rate = (y1 - memory.deformation) / dt;
  for (int i = 0; i < parts; ++i) {  // Runge-Kutta 4 on z, ∫P dy and D
    const double h = dt / parts;
    const auto f = [&](const std::array<double, 4>& s, double t) {
      const double y = memory.deformation + rate * t;
      std::array<double, 4> d{};
      for (std::size_t j = 0; j < 2; ++j) d[j] = rate - s[j] / series.time[j];
      d[2] = force({s[0], s[1]}, y) * rate;
      for (std::size_t j = 0; j < 2; ++j)
        d[3] += series.stiffness[j] * s[j] * s[j] / series.time[j];
      return d;
    };
    const auto add = [](const std::array<double, 4>& s, const std::array<double, 4>& d, double a) {
      std::array<double, 4> r{};
      for (std::size_t k = 0; k < 4; ++k) r[k] = s[k] + a * d[k];
      return r;
    };
    const std::array<double, 4> s{fine.branch[0], fine.branch[1], work, dissipated};
    const double t = i * h;
    const auto k1 = f(s, t), k2 = f(add(s, k1, h / 2), t + h / 2);
    const auto k3 = f(add(s, k2, h / 2), t + h / 2), k4 = f(add(s, k3, h), t + h);
    std::array<double, 4> next{};
    for (std::size_t k = 0; k < 4; ++k)
      next[k] = s[k] + h / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
    fine.branch = {next[0], next[1]};
    work = next[2];
    dissipated = next[3];
  }
  const auto before = respond(series, memory, memory.time, memory.deformation);
  const auto after = respond(series, memory, 1 + dt, y1);
  EXPECT_NEAR(after.force, force(fine.branch, y1), 1e-12);
  EXPECT_NEAR(after.dissipated, dissipated, 1e-12);
  EXPECT_NEAR(after.stored - before.stored + after.dissipated - 0.5, work, 1e-12);
  EXPECT_NEAR(
      after.dissipated_power,
      2 * fine.branch[0] * fine.branch[0] / 0.4 + 5 * fine.branch[1] * fine.branch[1] / 0.02,
      1e-10);
  EXPECT_EQ(calc_force(series, memory, 1 + dt, y1), after.force);
  const double step = 1e-6;
  EXPECT_NEAR(after.stiffness,
              (calc_force(series, memory, 1 + dt, y1 + step) -
               calc_force(series, memory, 1 + dt, y1 - step)) /
                  (2 * step),
              1e-8);
  commit(series, 1 + dt, y1, memory);
  EXPECT_NEAR(memory.branch[0], fine.branch[0], 1e-13);
  EXPECT_NEAR(memory.branch[1], fine.branch[1], 1e-13);
  EXPECT_NEAR(memory.dissipated, dissipated, 1e-12);
  EXPECT_EQ(memory.time, 1 + dt);
  EXPECT_EQ(memory.deformation, y1);
}

// One step or many make no difference while the deformation goes on linearly.
TEST(Memory, StepsMayBeOfAnySize) {
  const auto series = two_branches();
  HereditaryMemory once{.deformation = 0.1, .branch = {0.1, 0.1}};
  HereditaryMemory often = once;
  test::Random random(7);
  double t = 0;
  while (t < 0.9) {
    t += random.uniform(1e-6, 0.1);
    commit(series, t, 0.1 + 2 * t, often);
  }
  commit(series, t, 0.1 + 2 * t, once);
  for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(once.branch[j], often.branch[j], 1e-14);
  EXPECT_NEAR(once.dissipated, often.dissipated, 1e-14);
}

TEST(Memory, AJumpIsElastic) {
  const auto series = two_branches();
  HereditaryMemory memory{.time = 2, .deformation = 0.1, .branch = {0.03, 0.01}, .dissipated = 1};
  const double before = respond(series, memory, 2, 0.1).force;
  const auto after = respond(series, memory, 2, 0.4);
  EXPECT_NEAR(after.force, before + 10 * 0.3, 1e-14);
  EXPECT_EQ(after.stiffness, 10);
  EXPECT_EQ(after.dissipated, 1);
}

// Where an iteration strays before the memory's time it meets an elastic element, no overflow.
TEST(Memory, ATrialBeforeItsTimeIsAJump) {
  RelaxationSeries series = two_branches();
  series.time[1] = 1e-9;
  const HereditaryMemory memory{.time = 2, .deformation = 0.1, .branch = {0.03, 0.01}};
  EXPECT_EQ(calc_force(series, memory, 1, 0.4), calc_force(series, memory, 2, 0.4));
  EXPECT_EQ(respond(series, memory, 1, 0.4).dissipated, 0);
}

// Dissipation over steps of any size, from 1e-9 to 1e3 of a branch's time, and its series.
TEST(Memory, DissipationIsNeverNegative) {
  for (const auto& r : curve_references()) {
    const auto series = make_relaxation_series(r.law, {0.01, 20});
    test::Random random(17);
    HereditaryMemory memory = remember(series, NaturalPrehistory{}, random.uniform(-1, 1));
    double stored = respond(series, memory, 0, memory.deformation).stored;
    double supplied = stored;
    for (int n = 0; n < 2000; ++n) {
      const double t = memory.time + std::pow(10.0, random.uniform(-7, 1));
      const double y = random.uniform(-1, 1);
      const auto answer = respond(series, memory, t, y);
      EXPECT_GE(answer.dissipated_power, 0);
      EXPECT_GE(answer.dissipated, memory.dissipated) << r.name << " step " << n;
      commit(series, t, y, memory);
      supplied = std::max(supplied, answer.stored);
    }
    EXPECT_GT(memory.dissipated, 0) << r.name;
  }
}

TEST(Memory, QuadraticFactorIsSmooth) {
  // The two formulas meet, and the limit for fast branches.
  const auto formula = [](double x) {
    const long double e = -std::expm1(-static_cast<long double>(x));
    return static_cast<double>((x - e - e * e / 2) / (static_cast<long double>(x) * x));
  };
  for (const double x : {1e-3, 0.01, 0.1, 0.2999, 0.3001, 1.0, 30.0}) {
    EXPECT_NEAR(hereditary_detail::decay(x).quadratic, formula(x), 1e-12 * x) << x;
  }
}

// Error of the recurrence for a smooth deformation: (c − c_∞) Δt² max|ÿ|/8, and of second order.
TEST(Memory, SecondOrderForSmoothMotion) {
  const auto series = two_branches();
  const double w = 3;
  const auto error = [&](int steps) {
    HereditaryMemory memory = remember(series, NaturalPrehistory{}, 0);
    for (int i = 1; i <= steps; ++i) {
      const double t = 2.0 * i / steps;
      commit(series, t, std::sin(w * t), memory);
    }
    double exact = series.relaxed * std::sin(2 * w);
    for (std::size_t j = 0; j < 2; ++j) {  // z of ẏ = w cos wt
      const double tau = series.time[j], x = w * tau;
      const double z =
          w * tau / (1 + x * x) * (std::cos(2 * w) + x * std::sin(2 * w) - std::exp(-2 / tau));
      exact += series.stiffness[j] * z;
    }
    return std::abs(respond(series, memory, 2, std::sin(2 * w)).force - exact);
  };
  for (const int steps : {50, 100, 200}) {
    EXPECT_LE(error(steps), 7 * (4.0 / steps / steps) * w * w / 8);
    EXPECT_NEAR(std::log2(error(steps) / error(2 * steps)), 2, 0.1);
  }
}

// Force at a given deformation after each pre-history.
TEST(Prehistory, ForceAgreesWithTheReference) {
  for (const auto& r : curve_references()) {
    if (r.law.form == KernelForm::retardation) continue;
    const auto series = make_relaxation_series(r.law, {0.01, 20});
    const double allowed = 3 * r.law.tolerance * r.law.instantaneous * kY0;
    const auto compare = [&](const Prehistory& before, double y0, const test::Curve& expected) {
      const auto memory = remember(series, before, y0);
      for (std::size_t i = 0; i < kTimes; ++i) {
        if (kCurveTimes[i] < series.resolution) continue;
        EXPECT_NEAR(respond(series, memory, kCurveTimes[i], y0).force, expected[i], allowed)
            << r.name << " at " << kCurveTimes[i];
      }
    };
    compare(NaturalPrehistory{}, kY0, r.relaxation);
    compare(ConstantPrehistory{kYp}, kY0, r.after_constant);
    compare(ExponentialPrehistory{kYp, kKappa}, kYp, r.after_rise);
    compare(WindowPrehistory{kYp, kT0}, kY0, r.after_window);
    compare(TablePrehistory{{{-kT0, kYp}, {0, kYp}}}, kY0, r.after_window);
  }
}

// Points of a table make what the recurrence makes of the same motion.
TEST(Prehistory, TableIsTheRecurrence) {
  const auto series = two_branches();
  HereditaryMemory memory = remember(series, NaturalPrehistory{}, 0.2);
  memory.time = -0.5;
  commit(series, -0.2, 0.5, memory);
  commit(series, 0, 0.5, memory);
  commit(series, 0, 0.1, memory);
  const auto made = remember(series, TablePrehistory{{{-0.5, 0.2}, {-0.2, 0.5}}}, 0.1);
  for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(made.branch[j], memory.branch[j], 1e-15);
}

// Deformation under a force that is held: c_∞ y + Σ c_j z_j = P₀, on steps graded towards the jump.
// y ∝ t^{1−α} there: the recurrence is of order 2 on a grid t_i = T (i/N)².
TEST(Memory, CreepAgreesWithTheReference) {
  for (const auto& r : curve_references()) {
    const auto series = make_relaxation_series(r.law, {1e-4, 20});
    HereditaryMemory memory = remember(series, NaturalPrehistory{}, kP0 / r.law.instantaneous);
    const double y_end = r.creep[5];
    std::size_t next = 0;
    double begin = 0;
    for (; next < kTimes; ++next) {
      constexpr int parts = 1500;
      for (int i = 1; i <= parts; ++i) {
        const double s = static_cast<double>(i) / parts;
        const double t = begin + (kCurveTimes[next] - begin) * (next == 0 ? s * s * s : s);
        const auto held = respond(series, memory, t, memory.deformation);
        commit(series, t, memory.deformation + (kP0 - held.force) / held.stiffness, memory);
      }
      begin = kCurveTimes[next];
      EXPECT_NEAR(memory.deformation, r.creep[next], 3e-7 * y_end) << r.name << " " << begin;
    }
  }
}

// Creep under `force` from `begin` to `end`, on steps graded towards the jump at `begin`.
void creep(const RelaxationSeries& series, double force, double begin, double end, int parts,
           HereditaryMemory& memory) {
  for (int i = 1; i <= parts; ++i) {
    const double s = static_cast<double>(i) / parts;
    const double t = begin + (end - begin) * s * s * s;
    const auto held = respond(series, memory, t, memory.deformation);
    commit(series, t, memory.deformation + (force - held.force) / held.stiffness, memory);
  }
}

// The same after a force that has been there for ever, that has risen like e^{κt} and is held then,
// that was there for a while.
TEST(Memory, CreepAfterAForce) {
  for (const auto& r : curve_references()) {
    if (r.law.form == KernelForm::relaxation) continue;
    const auto series = make_relaxation_series(r.law, {1e-4, 20});
    const double jump = (kP0 - kPp) / r.law.instantaneous;
    double stiffness = series.relaxed;  // P/y of motions like e^{κt}
    for (std::size_t j = 0; j < series.time.size(); ++j) {
      stiffness += series.stiffness[j] * kKappa * series.time[j] / (1 + kKappa * series.time[j]);
    }
    const auto constant = [&](int parts) {
      const double y_p = kPp / series.relaxed;
      HereditaryMemory memory = remember(series, ConstantPrehistory{y_p}, y_p + jump);
      creep(series, kP0, 0, 1, parts, memory);
      return memory.deformation;
    };
    const auto rise = [&](int parts) {
      const double y_p = kPp / stiffness;
      HereditaryMemory memory = remember(series, ExponentialPrehistory{y_p, kKappa}, y_p);
      creep(series, kPp, 0, 1, parts, memory);
      return memory.deformation;
    };
    const auto window = [&](int parts) {
      HereditaryMemory memory = remember(series, NaturalPrehistory{}, kPp / r.law.instantaneous);
      memory.time = -kT0;
      creep(series, kPp, -kT0, 0, parts, memory);
      commit(series, 0, memory.deformation + jump, memory);
      creep(series, kP0, 0, 1, parts, memory);
      return memory.deformation;
    };
    // The steps' error is of order 2: without it the kernel's own is left, which is reported.
    const auto compare = [&](const char* before, const auto& deformation, double expected) {
      constexpr int parts = 4000;
      const double coarse = deformation(parts);
      const double fine = deformation(2 * parts);
      const double allowed = 3 * std::max(series.error, 1e-9) * expected;
      EXPECT_NEAR((4 * fine - coarse) / 3, expected, allowed) << r.name << before;
    };
    compare(" constant", constant, r.after_constant[3]);
    compare(" rise", rise, r.after_rise[3]);
    compare(" window", window, r.after_window[3]);
  }
}

}  // namespace
}  // namespace fem
