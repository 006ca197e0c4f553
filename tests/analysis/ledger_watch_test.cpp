#include "libfem/analysis/ledger_watch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <gtest/gtest.h>

#include "libfem/base/archive.hpp"

namespace fem {
namespace {

constexpr double kEnergy = 3;  // J
constexpr double kLargest = 1e-3;

// What a run would see whose step h adds `rate(h)` J to the balance in every step, beside a swing
// of amplitude `swing(h)`.
struct Ran {
  double worst = 0, step = kLargest;
  long steps = 0;
};
Ran run(LedgerWatch& watch, long steps, const std::function<double(double)>& rate,
        const std::function<double(double)>& swing) {
  Ran ran;
  ran.step = watch.start(kLargest);
  double drifted = 0;
  double left_behind = 0;
  for (long i = 0; i < steps; ++i) {
    drifted += rate(ran.step);
    const double phase = 1 - std::cos(0.37 * static_cast<double>(i));
    const double balance = drifted + left_behind + swing(ran.step) * phase;
    ran.worst = std::max(ran.worst, std::abs(balance));
    ++ran.steps;
    if (!watch.is_due()) continue;
    const auto bound = watch.observe(balance, kEnergy, 0, ran.step);
    if (!bound) continue;
    left_behind += (swing(ran.step) - swing(*bound)) * phase;
    ran.step = *bound;
  }
  return ran;
}

double none(double) { return 0; }

TEST(LedgerWatch, WithoutAToleranceNothingIsBounded) {
  LedgerWatch watch(std::nullopt, 0);
  EXPECT_EQ(watch.start(kLargest), kLargest);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(watch.is_due());
}

TEST(LedgerWatch, StartsShortAndReturnsToTheLargestStep) {
  LedgerWatch watch(1e-6, 0);
  EXPECT_EQ(watch.start(kLargest), kLargest / 64);
  EXPECT_EQ(run(watch, 10000, none, none).step, kLargest);
}

TEST(LedgerWatch, SwingsStayWithinTheTolerance) {
  for (const double amplitude : {1e-9, 1e-7, 1e-5, 1e-3}) {  // of the energy, with the largest step
    LedgerWatch watch(1e-6, 0);
    const auto swing = [&](double h) { return amplitude * kEnergy * std::pow(h / kLargest, 2); };
    const Ran ran = run(watch, 200000, none, swing);
    EXPECT_LE(ran.worst, 1e-6 * kEnergy) << amplitude;
    // No shorter than needed: an eighth of half the tolerance would have let it grow.
    EXPECT_TRUE(ran.step == kLargest || swing(ran.step) > 1e-9 * kEnergy) << amplitude;
  }
}

TEST(LedgerWatch, DriftsStayWithinTheTolerance) {
  for (const double drift : {1e-13, 1e-11, 1e-9}) {  // of the energy a step, with the largest step
    LedgerWatch watch(1e-6, 0);
    const auto rate = [&](double h) { return drift * kEnergy * std::pow(h / kLargest, 5); };
    EXPECT_LE(run(watch, 1000000, rate, none).worst, 1e-6 * kEnergy) << drift;
  }
}

TEST(LedgerWatch, WhatIsLostDoesNotMakeStepsShorter) {
  LedgerWatch watch(1e-6, 0);
  double step = watch.start(kLargest);
  for (int i = 0; i < 20000; ++i) {
    if (!watch.is_due()) continue;
    step = watch.observe(1e-3 * kEnergy, kEnergy, 0, step).value_or(step);
  }
  EXPECT_EQ(step, kLargest);
}

// A small motion high above the origin: its balance is known to a rounding of a large potential.
TEST(LedgerWatch, NoiseOfRoundingDoesNotMakeStepsShorter) {
  LedgerWatch watch(1e-6, 0);
  double step = watch.start(kLargest);
  for (int i = 0; i < 20000; ++i) {
    if (!watch.is_due()) continue;
    const double noise = 1e-10 * std::sin(12.9898 * i);
    step = watch.observe(noise, 1e-6, 1e-10, step).value_or(step);
  }
  EXPECT_EQ(step, kLargest);
}

TEST(LedgerWatch, GoesOnFromAnArchiveAsItWas) {
  const auto swing = [](double h) { return 1e-4 * kEnergy * std::pow(h / kLargest, 2); };
  LedgerWatch watch(1e-6, 0);
  run(watch, 5000, none, swing);
  StateWriter out;
  out(watch);
  LedgerWatch again(1e-6, 0);
  const std::string bytes = out.take();
  StateReader in(bytes);
  in(again);
  in.finish();
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(watch.is_due(), again.is_due());
    const double balance = 2e-6 * kEnergy * std::sin(0.1 * i);
    EXPECT_EQ(watch.observe(balance, kEnergy, 0, 1e-4), again.observe(balance, kEnergy, 0, 1e-4));
  }
}

}  // namespace
}  // namespace fem
