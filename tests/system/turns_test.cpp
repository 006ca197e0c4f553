// A structure that has turned as a whole by full turns moves as before: angles carry their turns,
// nothing else knows them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/system/system.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::State;

// A free-floating hub that carries a point, rods with bodies and hinges of every kind, loads.
CaseDescription floating() {
  CaseDescription d;
  SectionDescription aside = test::soft_section();
  aside.name = "aside";
  aside.mass_offset = 0.05;
  aside.stiffness_damping = 0.01;
  d.sections = {test::soft_section(), aside};
  d.gravity = {0.4, -1.1};
  d.points = {
      {"O", {0.3, -0.2}}, {"Q", {0.3, 0.5}}, {"A", {1.1, 0.4}}, {"B", {2, 0}}, {"C", {1.3, 1.5}}};
  d.rods = {{"first", "soft", "O", "A", 2},
            {"second", "aside", "A", "B", 2},
            {"third", "soft", "Q", "C", 1}};
  d.bodies = {{.name = "hub",
               .at = "O",
               .mass = 3,
               .inertia = 0.9,
               .center = {-0.1, 0.4},
               .carries = {"Q"}},
              {.name = "tip",
               .at = "B",
               .rod = "second",
               .mass = 2,
               .inertia = 0.5,
               .center = {0.2, -0.3}}};
  d.hinges = {{.name = "root",
               .at = "O",
               .members = {"hub", "first"},
               .spring = HingeSpringDescription{.stiffness = 3, .neutral = 0.4},
               .viscosity = 0.1},
              {.name = "side",
               .at = "Q",
               .members = {"hub", "third"},
               .spring = HingeSpringDescription{.table = {{{-3, 1}, {0, 0.2}, {3, -2}}}}}};
  d.springs = {{.name = "tie", .between = {"C", "A"}, .stiffness = 4, .viscosity = 0.2}};
  d.point_loads = {{.name = "jet", .at = "B", .force = {0.5, 1.0}, .follower = true},
                   {.name = "push", .at = "C", .force = {-0.3, 0.2}, .moment = 0.1}};
  d.rod_loads = {
      {.name = "wind", .on = "first", .force = {{{1, 0}, {0, 2}}}, .moment = {0.1, 0.3}}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

class Turned : public ::testing::TestWithParam<int> {};

TEST_P(Turned, MovesAsBefore) {
  const double turns = 2 * std::numbers::pi * GetParam();
  const Model model = make_model(floating());
  System system(model, {});
  State s = test::random_state(system, 77, 0, Side::after, 0.1);
  std::vector<double> a(system.size());
  ASSERT_TRUE(system.acceleration(0, Side::after, s.q, s.v, a).ok());
  const Snapshot before = take_snapshot(system, {0, Side::after, s.q, s.v, a});
  const Energies energies = system.energies(0, Side::after, s.q, s.v);

  State t = s;
  for (int c = 0; c < model.coordinates(); ++c) {
    if (model.is_angle[static_cast<std::size_t>(c)] != 0) t.q[system.place(c)] += turns;
  }
  std::vector<double> b(system.size());
  ASSERT_TRUE(system.acceleration(0, Side::after, t.q, t.v, b).ok());
  const Snapshot after = take_snapshot(system, {0, Side::after, t.q, t.v, b});
  const Energies later = system.energies(0, Side::after, t.q, t.v);

  // An angle of n turns is rounded to n 4e-16, which EA/m makes an acceleration of n 1e-13 a
  // metre; angular ones of light ends are a hundred times as large.
  double largest = 0;
  for (const double x : a) largest = std::max(largest, std::abs(x));
  const double rounding = 1e-13 * std::max(1, std::abs(GetParam())) * std::max(1.0, largest);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 10 * rounding) << i;
  EXPECT_NEAR(energies.total(), later.total(), rounding);
  EXPECT_NEAR(energies.external, later.external, rounding);
  EXPECT_NEAR(energies.dissipated, later.dissipated, rounding);
  for (std::size_t h = 0; h < before.hinges.size(); ++h) {
    EXPECT_NEAR(before.hinges[h].angle, after.hinges[h].angle, rounding);
    EXPECT_NEAR(before.hinges[h].moment, after.hinges[h].moment, rounding);
  }
  EXPECT_NEAR(after.bodies[0].angle - before.bodies[0].angle, turns, 1e-14 * std::abs(turns));
}

INSTANTIATE_TEST_SUITE_P(FullTurns, Turned, ::testing::Values(1, 10, -10));

}  // namespace
}  // namespace fem
