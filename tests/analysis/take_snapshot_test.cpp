#include "libfem/analysis/take_snapshot.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/rod/section_forces.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::LawKind;
using test::State;
using test::to_natural;
using test::Vector;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr double kTime = 0.7;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A snapshot of a random state, and what it was taken from.
struct Taken {
  Model model;
  System system;
  State s;
  std::vector<double> a;
  Snapshot snapshot;

  explicit Taken(const CaseDescription& d)
      : model(make_model(d)),
        system(model, {}),
        s(test::random_state(system, 701, kTime, Side::after)),
        a(system.size()) {
    EXPECT_TRUE(system.acceleration(kTime, Side::after, s.q, s.v, a).ok());
    snapshot = take_snapshot(system, {kTime, Side::after, s.q, s.v, a});
  }
};

TEST(Layout, NamesWhatASnapshotHolds) {
  const Model model = make_model(test::three_rods(LawKind::smooth, 2));
  const ResultLayout layout = make_layout(model);
  EXPECT_THAT(layout.points, ElementsAre("O", "A", "B", "C", "rod1/1", "rod2/1", "rod3/1"));
  EXPECT_THAT(layout.hinges, ElementsAre("hinge1", "hinge2"));
  EXPECT_THAT(layout.supports, ElementsAre("O"));
  ASSERT_THAT(layout.rods, SizeIs(3));
  EXPECT_EQ(layout.rods[1].name, "rod2");
  EXPECT_THAT(layout.rods[1].nodes, ElementsAre(1, 5, 2));
}

TEST(Snapshot, HasTheSizesOfTheLayout) {
  const Taken t(test::random_frame(5));
  const ResultLayout layout = make_layout(t.model);
  EXPECT_EQ(t.snapshot.time, kTime);
  EXPECT_THAT(t.snapshot.position, SizeIs(3 * layout.points.size()));
  EXPECT_THAT(t.snapshot.velocity, SizeIs(3 * layout.points.size()));
  EXPECT_THAT(t.snapshot.acceleration, SizeIs(3 * layout.points.size()));
  EXPECT_THAT(t.snapshot.hinges, SizeIs(layout.hinges.size()));
  EXPECT_THAT(t.snapshot.supports, SizeIs(layout.supports.size()));
  ASSERT_THAT(t.snapshot.rods, SizeIs(layout.rods.size()));
  for (std::size_t r = 0; r < layout.rods.size(); ++r) {
    const std::size_t elements = layout.rods[r].nodes.size() - 1;
    EXPECT_THAT(t.snapshot.rods[r].angle, SizeIs(2 * elements));
    EXPECT_THAT(t.snapshot.rods[r].axial_force, SizeIs(elements));
    EXPECT_THAT(t.snapshot.rods[r].shear_force, SizeIs(elements));
    EXPECT_THAT(t.snapshot.rods[r].bending_moment, SizeIs(2 * elements));
    EXPECT_THAT(t.snapshot.rods[r].axial_strain, SizeIs(elements));
  }
}

TEST(Snapshot, ShowsTheMotionOfTheNodes) {
  const Taken t(test::random_frame(6));
  for (std::size_t n = 0; n < t.model.nodes.size(); ++n) {
    const std::size_t x = t.system.place(t.model.nodes[n].x);
    const std::size_t y = t.system.place(t.model.nodes[n].x + 1);
    EXPECT_EQ(t.snapshot.position[3 * n], t.s.q[x]);
    EXPECT_EQ(t.snapshot.position[3 * n + 1], t.s.q[y]);
    EXPECT_EQ(t.snapshot.position[3 * n + 2], 0);
    EXPECT_EQ(t.snapshot.velocity[3 * n], t.s.v[x]);
    EXPECT_EQ(t.snapshot.velocity[3 * n + 1], t.s.v[y]);
    EXPECT_EQ(t.snapshot.acceleration[3 * n], t.a[x]);
    EXPECT_EQ(t.snapshot.acceleration[3 * n + 1], t.a[y]);
  }
}

TEST(Snapshot, ShowsTheSectionForces) {
  const Taken t(test::random_frame(7));
  const Vector q = to_natural(t.system, t.s.q);
  for (std::size_t r = 0; r < t.model.rods.size(); ++r) {
    const Rod& rod = t.model.rods[r];
    const RodSnapshot& shown = t.snapshot.rods[r];
    for (int k = 0; k < rod.elements(); ++k) {
      const Element& e = t.model.elements[at(rod.first_element + k)];
      Vector6<double> x;
      for (int i = 0; i < 6; ++i) x(i) = q(e.coordinate[at(i)]);
      const auto& c = t.model.types[at(e.type)];
      const auto kinematics = calc_kinematics(c, x);
      const SectionForces f = section_forces(c, kinematics);
      EXPECT_EQ(shown.axial_force[at(k)], f.axial);
      EXPECT_EQ(shown.shear_force[at(k)], f.shear);
      EXPECT_EQ(shown.bending_moment[at(2 * k)], f.moment_start);
      EXPECT_EQ(shown.bending_moment[at(2 * k + 1)], f.moment_end);
      EXPECT_EQ(shown.axial_strain[at(k)], kinematics.strain);
      EXPECT_EQ(shown.angle[at(2 * k)], x(2));
      EXPECT_EQ(shown.angle[at(2 * k + 1)], x(3));
      // N = EA ε.
      const Section& section = t.model.sections[at(rod.section)];
      EXPECT_NEAR(f.axial, section.axial_stiffness * kinematics.strain, 1e-14 * std::abs(f.axial));
    }
  }
}

TEST(Snapshot, ShowsForcesOfSupportsOnTheStructure) {
  // One support: what it gives is the rate of the structure's momentum, Σ of M a + f.
  CaseDescription d = test::random_frame(8, {.supports = false});
  d.supports = {{.point = "P2", .fix_x = true, .fix_y = true}};
  const Taken t(d);
  const auto m = test::assemble(t.model, to_natural(t.system, t.s.q), to_natural(t.system, t.s.v));
  const Vector inertia = m.mass * to_natural(t.system, t.a) + m.force;
  double x = 0;
  double y = 0;
  double size = 0;
  for (const Node& n : t.model.nodes) {
    x += inertia(n.x);
    y += inertia(n.x + 1);
    size += std::abs(m.force(n.x)) + std::abs(m.force(n.x + 1));
  }
  EXPECT_NEAR(t.snapshot.supports[0].force_x, x, 1e-12 * size);
  EXPECT_NEAR(t.snapshot.supports[0].force_y, y, 1e-12 * size);
  EXPECT_EQ(t.snapshot.supports[0].moment, 0);
}

TEST(Snapshot, ShowsMomentsOfDrivesOnTheSecondMember) {
  // A rod pinned to another one that is held: the drive alone turns it, so its moment is the rate
  // of angular momentum about the pin, less the pin's force, which has no arm.
  CaseDescription d;
  d.sections = {test::soft_section()};
  d.laws = {test::make_law("turn", LawKind::smooth, {0, 2}, {0, 1})};
  d.points = {{"A", {-1, 0}}, {"O", {0, 0}}, {"B", {1.5, 0}}};
  d.rods = {{"held", "soft", "A", "O", 1}, {"turned", "soft", "O", "B", 3}};
  d.hinges = {{"h", "O", {"held", "turned"}, "turn"}};
  d.supports = {{.point = "A", .fix_x = true, .fix_y = true, .fix_angle = true},
                {.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true, .rod = "held"}};
  d.analysis = {.end = 1, .output_every = 0.1};
  const Taken t(d);
  const Vector q = to_natural(t.system, t.s.q);
  const auto m = test::assemble(t.model, q, to_natural(t.system, t.s.v));
  const Vector inertia = m.mass * to_natural(t.system, t.a) + m.force;
  double moment = 0;
  const Rod& rod = t.model.rods[1];
  for (int k = 0; k <= rod.elements(); ++k) {
    const Node& n = t.model.nodes[at(rod.nodes[at(k)])];
    if (k > 0) moment += q(n.x) * inertia(n.x + 1) - q(n.x + 1) * inertia(n.x);
    const Element& e = t.model.elements[at(rod.first_element + std::max(k - 1, 0))];
    moment += inertia(e.coordinate[k == 0 ? 2 : 3]);
  }
  EXPECT_NEAR(t.snapshot.hinges[0].drive_moment, moment, 1e-11 * m.force.cwiseAbs().maxCoeff());
  EXPECT_EQ(t.snapshot.hinges[0].moment, t.snapshot.hinges[0].drive_moment);
  EXPECT_NEAR(t.snapshot.hinges[0].angle, evaluate(t.model.laws[0], kTime, Side::after).value,
              1e-15);
  EXPECT_NEAR(t.snapshot.hinges[0].rate, evaluate(t.model.laws[0], kTime, Side::after).rate, 1e-15);
}

TEST(Snapshot, FollowsHingesThroughWholeTurns) {
  // From +π, seven radians on: no wrap.
  CaseDescription d = test::three_rods(LawKind::smooth, 1);
  d.laws[1] = test::make_law("first", LawKind::smooth, {0, kTime}, {0, 7});
  const Taken t(d);
  EXPECT_NEAR(t.snapshot.hinges[0].angle, std::numbers::pi + 7, 1e-14);
}

TEST(Snapshot, StartsHingesInTheHalfOpenTurn) {
  // Folded rods: the second hinge goes from π to 0, its relative angle is +π all the same.
  const CaseDescription d = test::three_rods(LawKind::smooth, 1);
  const Model model = make_model(d);
  System system(model, {});
  std::vector<double> q = system.initial_positions();
  std::vector<double> v(system.size(), 0.0);
  std::vector<double> a(system.size(), 0.0);
  ASSERT_TRUE(system.acceleration(0, Side::after, q, v, a).ok());
  const Snapshot s = take_snapshot(system, {0, Side::after, q, v, a});
  for (const HingeSnapshot& h : s.hinges) EXPECT_EQ(h.angle, std::numbers::pi);
}

TEST(Snapshot, ShowsViolations) {
  Taken t(test::random_frame(9));
  EXPECT_LT(t.snapshot.position_violation, 1e-13);
  EXPECT_LT(t.snapshot.velocity_violation, 1e-13);
  const std::size_t place = t.system.place(t.model.rows[0].terms[0].first);
  t.s.q[place] += 0.5;
  t.s.v[place] += 0.25;
  const Snapshot s = take_snapshot(t.system, {kTime, Side::after, t.s.q, t.s.v, t.a});
  EXPECT_GE(s.position_violation, 0.5 - 1e-13);
  EXPECT_GE(s.velocity_violation, 0.25 - 1e-13);
}

TEST(Snapshot, ShowsTheAnglesOfBodies) {
  CaseDescription d = test::one_rod(test::soft_section(), 2, 2);
  d.bodies = {{.name = "hub", .at = "O", .mass = 1, .inertia = 0.1},
              {.name = "tip", .at = "A", .rod = "rod", .mass = 1, .inertia = 0.1}};
  d.hinges = {{.name = "root", .at = "O", .members = {"hub", "rod"}}};
  d.particles = {{.name = "ball", .at = "A", .mass = 1}};
  const Taken t(d);
  const ResultLayout layout = make_layout(t.model);
  ASSERT_THAT(layout.bodies, SizeIs(2));
  EXPECT_EQ(layout.bodies[0].name, "hub");
  EXPECT_EQ(layout.bodies[1].name, "tip");
  ASSERT_THAT(t.snapshot.bodies, SizeIs(2));
  EXPECT_EQ(t.snapshot.bodies[1].angle, t.snapshot.rods[0].angle.back());
  EXPECT_EQ(t.snapshot.hinges[0].angle,
            t.snapshot.rods[0].angle.front() - t.snapshot.bodies[0].angle);
  const std::size_t hub = t.system.place(t.model.bodies[0].angle);
  EXPECT_EQ(t.snapshot.bodies[0].rate, t.s.v[hub]);
}

}  // namespace
}  // namespace fem
