#include "libfem/analysis/ledger.hpp"

#include <gtest/gtest.h>

namespace fem {
namespace {

TEST(Ledger, ClosesWhereWorkBecomesEnergy) {
  // Power 3t² + 1 over [0, 2]: the energy is t³ + t, the trapezoidal rule is off by h²/12 · 6 · t.
  Ledger ledger({.kinetic = 5, .strain = 2});
  ledger.set_power(1);
  const int steps = 1000;
  const double h = 2.0 / steps;
  for (int i = 1; i <= steps; ++i) ledger.add_step(h, 3 * i * h * i * h + 1);
  const EnergySnapshot e = ledger.close({.kinetic = 7 + 10, .strain = 0}, 0, 13);
  EXPECT_NEAR(e.rheonomic_work, 10, h * h);
  EXPECT_NEAR(e.balance, 0, h * h);
  EXPECT_EQ(e.kinetic, 17);
  EXPECT_EQ(e.strain, 0);
}

TEST(Ledger, GoesBackToTimesWithinTheLastStep) {
  Ledger ledger({});
  ledger.set_power(0);
  ledger.add_step(1, 4);  // power 4t, work 2t²
  EXPECT_DOUBLE_EQ(ledger.close({.kinetic = 0.5}, -0.5, 2).rheonomic_work, 0.5);
  EXPECT_DOUBLE_EQ(ledger.close({.kinetic = 0.5}, -0.5, 2).balance, 0);
  EXPECT_DOUBLE_EQ(ledger.close({}, 0, 4).rheonomic_work, 2);
}

TEST(Ledger, CountsJumps) {
  Ledger ledger({});
  ledger.add_jump(1.5);
  ledger.set_power(0);
  ledger.add_jump(-0.5);
  const EnergySnapshot e = ledger.close({.kinetic = 0.75, .strain = 0.5}, 0, 0);
  EXPECT_EQ(e.rheonomic_work, 1);
  EXPECT_EQ(e.balance, 0.25);
  EXPECT_EQ(ledger.worst_balance(), 0.25);
  EXPECT_EQ(ledger.largest_energy(), 1.25);
  EXPECT_EQ(ledger.supplied_energy(), 1);
}

TEST(Ledger, RemembersTheWorst) {
  Ledger ledger({.strain = 1});
  static_cast<void>(ledger.close({.kinetic = 3}, 0, 0));
  static_cast<void>(ledger.close({.kinetic = 1}, 0, 0));
  static_cast<void>(ledger.close({.kinetic = 0.5}, 0, 0));
  EXPECT_EQ(ledger.worst_balance(), 2);
  EXPECT_EQ(ledger.largest_energy(), 3);
  EXPECT_EQ(ledger.supplied_energy(), 1) << "energy that appeared is not energy that was given";
}

}  // namespace
}  // namespace fem
