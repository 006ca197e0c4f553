// What a snapshot says of bodies, springs and loads, against the geometry of a random state.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/analysis/take_snapshot.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr double kTime = 0.7;

CaseDescription make_case() {
  CaseDescription d = test::one_rod(test::soft_section(), 2, 3);
  d.sections[0].height = 0.1;
  d.sections[0].modulus = 4e4;
  d.sections[0].stiffness_damping = 0.02;
  d.points.push_back({"F", {0.5, 1}});
  d.laws = {test::make_law("ramp", test::LawKind::smooth, {0, 1}, {0, 3})};
  d.rods[0].curvature = 0.25;
  d.rods[0].elongation = -0.01;
  d.bodies = {
      {.name = "tip", .at = "A", .rod = "rod", .mass = 2, .inertia = 1, .center = {0.3, 0.2}},
      {.name = "free", .at = "F", .mass = 1, .inertia = 0.5, .center = {-0.1, 0.4}}};
  d.particles = {{.name = "bead", .at = "O", .mass = 1}};
  d.springs = {
      {.name = "cable", .between = {"F", "A"}, .stiffness = 50, .viscosity = 4, .length = 1.1}};
  d.point_loads = {{.name = "dead", .at = "A", .force = {"ramp", -2.0}, .moment = 0.5},
                   {.name = "jet", .at = "A", .force = {1.0, 0.0}, .follower = true}};
  d.rod_loads = {{.name = "wind",
                  .on = "rod",
                  .force = {{{1, 0}, {3, -2}}},
                  .moment = {0.5, 1.5},
                  .factor = "ramp"}};
  return d;
}

struct Taken {
  Model model = make_model(make_case());
  System system{model, {}};
  test::State s = test::random_state(system, 811, kTime, Side::after, 0.2);
  std::vector<double> a = std::vector<double>(system.size());
  Snapshot shown;
  ResultLayout layout = make_layout(model);

  Taken() {
    EXPECT_TRUE(system.acceleration(kTime, Side::after, s.q, s.v, a).ok());
    shown = take_snapshot(system, {kTime, Side::after, s.q, s.v, a});
  }
  [[nodiscard]] double position(std::size_t point, std::size_t axis) const {
    return shown.position[3 * point + axis];
  }
  [[nodiscard]] double velocity(std::size_t point, std::size_t axis) const {
    return shown.velocity[3 * point + axis];
  }
};

TEST(SnapshotObjects, AreNamedInTheLayout) {
  const Taken t;
  ASSERT_THAT(t.layout.sections, SizeIs(1));
  EXPECT_EQ(t.layout.sections[0].name, "soft");
  EXPECT_EQ(t.layout.sections[0].section.height, 0.1);
  EXPECT_EQ(t.layout.sections[0].section.modulus, 4e4);
  EXPECT_EQ(t.layout.rods[0].section, "soft");
  EXPECT_EQ(t.layout.rods[0].length, 2);
  EXPECT_EQ(t.layout.rods[0].alpha,
            shear_coefficient(t.model.sections[0], t.layout.rods[0].length / 3));
  EXPECT_NEAR(t.layout.rods[0].curvature, 0.25, 1e-15);
  EXPECT_EQ(t.layout.rods[0].elongation, -0.01);
  ASSERT_THAT(t.layout.bodies, SizeIs(2));  // without the particle
  EXPECT_EQ(t.layout.bodies[1].name, "free");
  EXPECT_EQ(t.layout.bodies[1].point, 2);
  EXPECT_EQ(t.layout.bodies[0].mass, 2);
  EXPECT_EQ(t.layout.bodies[0].inertia, 1);
  EXPECT_THAT(t.layout.springs[0].points, ElementsAre(2, 1));
  EXPECT_THAT(t.layout.loads, ElementsAre("dead", "jet", "wind"));
}

TEST(SnapshotObjects, BodiesTurnWithTheirSection) {
  const Taken t;
  const std::vector<double>& angle = t.shown.rods[0].angle;
  EXPECT_EQ(t.shown.bodies[0].angle, angle.back());
  for (std::size_t b = 0; b < 2; ++b) {
    const BodySnapshot& body = t.shown.bodies[b];
    const std::size_t point = b == 0 ? 1 : 2;
    const double x = b == 0 ? 0.3 : -0.1;
    const double y = b == 0 ? 0.2 : 0.4;
    const double c = std::cos(body.angle);
    const double s = std::sin(body.angle);
    EXPECT_NEAR(body.center_x, t.position(point, 0) + c * x - s * y, 1e-14);
    EXPECT_NEAR(body.center_y, t.position(point, 1) + s * x + c * y, 1e-14);
  }
}

TEST(SnapshotObjects, SpringsPullAlongTheirLine) {
  const Taken t;
  const double x = t.position(1, 0) - t.position(2, 0);
  const double y = t.position(1, 1) - t.position(2, 1);
  const double length = std::hypot(x, y);
  const double rate =
      ((t.velocity(1, 0) - t.velocity(2, 0)) * x + (t.velocity(1, 1) - t.velocity(2, 1)) * y) /
      length;
  EXPECT_NEAR(t.shown.springs[0].length, length, 1e-14);
  EXPECT_NEAR(t.shown.springs[0].rate, rate, 1e-13);
  EXPECT_NEAR(t.shown.springs[0].force, 50 * (length - 1.1) + 4 * rate, 1e-12);
}

TEST(SnapshotObjects, LoadsFollowTheirLawsAndSections) {
  const Taken t;
  const double ramp = 3 * std::pow(kTime, 3) * (10 - 15 * kTime + 6 * kTime * kTime);
  ASSERT_THAT(t.shown.loads, SizeIs(3));
  EXPECT_NEAR(t.shown.loads[0].force_x, ramp, 1e-14);
  EXPECT_EQ(t.shown.loads[0].force_y, -2);
  EXPECT_EQ(t.shown.loads[0].moment, 0.5);
  const double angle = t.shown.rods[0].angle.back();
  EXPECT_NEAR(t.shown.loads[1].force_x, std::cos(angle), 1e-15);
  EXPECT_NEAR(t.shown.loads[1].force_y, std::sin(angle), 1e-15);
  // Along 2 m, from 1 to 3 and 0 to -2 N/m, 0.5 to 1.5 N m/m.
  EXPECT_NEAR(t.shown.loads[2].force_x, 4 * ramp, 1e-13);
  EXPECT_NEAR(t.shown.loads[2].force_y, -2 * ramp, 1e-13);
  EXPECT_NEAR(t.shown.loads[2].moment, 2 * ramp, 1e-13);
}

TEST(SnapshotObjects, ScaleLoadsInStatics) {
  Taken t;
  const Snapshot half = take_snapshot(t.system, {kTime, Side::after, t.s.q, t.s.v, t.a, 0.5});
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(half.loads[n].force_x, 0.5 * t.shown.loads[n].force_x);
    EXPECT_EQ(half.loads[n].moment, 0.5 * t.shown.loads[n].moment);
  }
}

}  // namespace
}  // namespace fem
