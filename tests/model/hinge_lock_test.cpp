// Locks that come and go: their rows, and those that are left.
#include "libfem/model/hinge_lock.hpp"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/system/system.hpp"
#include "tests/support/wheels.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Every lock's row is that of its hinge.
void expect_consistent(const Model& model) {
  std::size_t locks = 0;
  for (std::size_t h = 0; h < model.hinges.size(); ++h) {
    const Hinge& hinge = model.hinges[h];
    EXPECT_EQ(hinge.lock == kNone, hinge.locked == LockKind::none);
    if (hinge.lock == kNone) continue;
    ++locks;
    const Row& row = model.rows[at(hinge.lock)];
    EXPECT_EQ(row.kind, RowKind::hinge_lock);
    EXPECT_EQ(row.owner, static_cast<int>(h));
    EXPECT_EQ(row.terms[0].first, hinge.first);
    EXPECT_EQ(row.terms[1].first, hinge.second);
  }
  std::size_t rows = 0;
  for (const Row& row : model.rows) rows += row.kind == RowKind::hinge_lock ? 1 : 0;
  EXPECT_EQ(rows, locks);
}

TEST(HingeLock, ComesAndGoesInAnyOrder) {
  CaseDescription d = test::two_wheels();
  d.bodies.push_back({.name = "third", .at = "O", .mass = 1, .inertia = 3});
  d.hinges.push_back({.name = "c", .at = "O", .members = {"base", "third"}});
  Model model = make_model(d);
  const std::size_t rows = model.rows.size();
  std::vector<double> natural = model.initial;
  for (std::size_t h = 0; h < 3; ++h) {
    natural[at(model.hinges[h].second)] = 0.5 * static_cast<double>(h + 1);
    lock_hinge(model, static_cast<int>(h), LockKind::jam, natural);
    expect_consistent(model);
  }
  EXPECT_EQ(model.rows[at(model.hinges[1].lock)].constant, 1);
  unlock_hinge(model, 1);
  expect_consistent(model);
  lock_hinge(model, 1, LockKind::upper_stop, natural);
  expect_consistent(model);
  unlock_hinge(model, 0);
  unlock_hinge(model, 2);
  expect_consistent(model);
  unlock_hinge(model, 1);
  expect_consistent(model);
  EXPECT_EQ(model.rows.size(), rows);
}

TEST(HingeLock, KeepsTheAngleExactlyWhereItWas) {
  Model model = make_model(test::two_wheels());
  std::vector<double> natural = model.initial;
  natural[at(model.hinges[0].second)] = 1.0 / 3;
  lock_hinge(model, 0, LockKind::latch, natural);
  System system(model, {});
  std::vector<double> q = system.store(natural);
  std::vector<double> v(system.size(), 0.0);
  ASSERT_TRUE(system.complete(0, Side::after, q, v).ok());
  EXPECT_EQ(q[system.place(model.hinges[0].second)], 1.0 / 3);
}

TEST(HingeLock, IsAskedForOnceOnly) {
  Model model = make_model(test::wheel());
  EXPECT_THROW(unlock_hinge(model, 0), std::logic_error);
  lock_hinge(model, 0, LockKind::hold, model.initial);
  EXPECT_THROW(lock_hinge(model, 0, LockKind::hold, model.initial), std::logic_error);
  EXPECT_THROW(catch_latch(model, 0), std::logic_error);
}

}  // namespace
}  // namespace fem
