#include "libfem/analysis/ledger.hpp"

#include <gtest/gtest.h>

namespace fem {
namespace {

TEST(Ledger, ClosesWhereWorkBecomesEnergy) {
  // Power 3t² + 1 over [0, 2]: the energy is t³ + t, the trapezoidal rule is off by h²/12 · 6 · t.
  Ledger ledger({.kinetic = 5, .strain = 2});
  ledger.set_powers({.rheonomic = 1});
  const int steps = 1000;
  const double h = 2.0 / steps;
  for (int i = 1; i <= steps; ++i) ledger.add_step(h, {.rheonomic = 3 * i * h * i * h + 1});
  const EnergySnapshot e = ledger.close({.kinetic = 7 + 10, .strain = 0}, 0, {.rheonomic = 13});
  EXPECT_NEAR(e.rheonomic_work, 10, h * h);
  EXPECT_NEAR(e.balance, 0, h * h);
  EXPECT_EQ(e.kinetic, 17);
  EXPECT_EQ(e.strain, 0);
}

TEST(Ledger, GoesBackToTimesWithinTheLastStep) {
  Ledger ledger({});
  ledger.set_powers({});
  ledger.add_step(1, {.rheonomic = 4});  // power 4t, work 2t²
  EXPECT_DOUBLE_EQ(ledger.close({.kinetic = 0.5}, -0.5, {.rheonomic = 2}).rheonomic_work, 0.5);
  EXPECT_DOUBLE_EQ(ledger.close({.kinetic = 0.5}, -0.5, {.rheonomic = 2}).balance, 0);
  EXPECT_DOUBLE_EQ(ledger.close({}, 0, {.rheonomic = 4}).rheonomic_work, 2);
}

TEST(Ledger, CountsJumps) {
  Ledger ledger({});
  ledger.add_jump(1.5);
  ledger.set_powers({});
  ledger.add_jump(-0.5);
  const EnergySnapshot e = ledger.close({.kinetic = 0.75, .strain = 0.5}, 0, {});
  EXPECT_EQ(e.rheonomic_work, 1);
  EXPECT_EQ(e.balance, 0.25);
  EXPECT_EQ(ledger.worst_balance(), 0.25);
  EXPECT_EQ(ledger.largest_energy(), 1.25);
  EXPECT_EQ(ledger.supplied_energy(), 1);
}

TEST(Ledger, IntegratesEachPowerByItself) {
  // Powers 2t, 1 − t and 3: over [0, 2] the trapezoidal rule is exact, 4, 0 and 6.
  const auto powers = [](double t) {
    return Powers{.rheonomic = 2 * t, .external = 1 - t, .dissipated = 3};
  };
  Ledger ledger({.kinetic = 10});
  ledger.set_powers(powers(0));
  for (int i = 1; i <= 4; ++i) ledger.add_step(0.5, powers(0.5 * i));
  const EnergySnapshot e = ledger.close({.kinetic = 5, .strain = 2, .springs = 1}, 0, powers(2));
  EXPECT_DOUBLE_EQ(e.rheonomic_work, 4);
  EXPECT_DOUBLE_EQ(e.external_work, 0);
  EXPECT_DOUBLE_EQ(e.dissipated, 6);
  EXPECT_EQ(e.springs, 1);
  EXPECT_DOUBLE_EQ(e.balance, (5 + 2 + 1) - 10 - 4 - 0 + 6);
  // An earlier time within the last step, by the same rule.
  const EnergySnapshot before = ledger.close({}, -0.25, powers(1.75));
  EXPECT_DOUBLE_EQ(before.rheonomic_work, 1.75 * 1.75);
  EXPECT_DOUBLE_EQ(before.external_work, 1.75 - 1.75 * 1.75 / 2);
  EXPECT_DOUBLE_EQ(before.dissipated, 3 * 1.75);
}

TEST(Ledger, CountsTheLossOfAnImpactAsDissipated) {
  Ledger ledger({.kinetic = 4});
  ledger.add_loss(1.5);
  const EnergySnapshot e = ledger.close({.kinetic = 2.5}, 0, {});
  EXPECT_EQ(e.dissipated, 1.5);
  EXPECT_EQ(e.balance, 0);
}

TEST(Ledger, MeasuresGravityFromTheStart) {
  // A fall by 3 J from a potential of 100 J: what counts is 3 J, and the ledger closes.
  Ledger ledger({.gravity = 100});
  const EnergySnapshot e = ledger.close({.kinetic = 3, .gravity = 97}, 0, {});
  EXPECT_EQ(e.gravity, -3);
  EXPECT_EQ(e.balance, 0);
  EXPECT_EQ(ledger.largest_energy(), 3);
  EXPECT_EQ(ledger.supplied_energy(), 3);
}

TEST(Ledger, RemembersTheWorst) {
  Ledger ledger({.strain = 1});
  static_cast<void>(ledger.close({.kinetic = 3}, 0, {}));
  static_cast<void>(ledger.close({.kinetic = 1}, 0, {}));
  static_cast<void>(ledger.close({.kinetic = 0.5}, 0, {}));
  EXPECT_EQ(ledger.worst_balance(), 2);
  EXPECT_EQ(ledger.largest_energy(), 3);
  EXPECT_EQ(ledger.supplied_energy(), 1) << "energy that appeared is not energy that was given";
}

}  // namespace
}  // namespace fem
