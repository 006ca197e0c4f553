// How make_model resolves objects: whose angle, which nodes, which laws, what stays where it is.
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/model/model.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::LawKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kPi = std::numbers::pi;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Two rods hinged in A, the first along X, the second along Y.
CaseDescription elbow() {
  CaseDescription d;
  d.sections = {test::bar_section(), test::soft_section()};
  d.laws = {test::make_law("gust", LawKind::linear, {0, 0.5}, {0, 1}),
            test::make_law("push", LawKind::linear, {0.25, 2}, {0, 1})};
  d.points = {{"O", {0, 0}}, {"A", {1, 0}}, {"B", {1, 1}}, {"P", {4, 4}}};
  d.rods = {{"first", "bar", "O", "A", 2}, {"second", "soft", "A", "B", 3}};
  d.hinges = {{"elbow", "A", {"first", "second"}}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

double law_at(const Model& model, int law, double t) {
  return evaluate(model.laws[at(law)], t, Side::before).value;
}

TEST(ModelBodies, OnARodTurnWithTheEndThatStandsThere) {
  CaseDescription d = elbow();
  d.bodies = {
      {.name = "a1", .at = "A", .rod = "first", .mass = 2, .inertia = 1, .center = {0.1, -0.2}},
      {.name = "a2", .at = "A", .rod = "second", .mass = 1, .inertia = 1},
      {.name = "o", .at = "O", .rod = "first", .mass = 1, .inertia = 1}};
  const Model model = make_model(d);
  ASSERT_THAT(model.bodies, SizeIs(3));
  EXPECT_EQ(model.bodies[0].node, 1);
  EXPECT_EQ(model.bodies[0].angle, model.rods[0].end_angle[1]);
  EXPECT_EQ(model.bodies[1].angle, model.rods[1].end_angle[0]);
  EXPECT_EQ(model.bodies[2].angle, model.rods[0].end_angle[0]);
  EXPECT_EQ(model.bodies[0].body.mass, 2);
  EXPECT_EQ(model.bodies[0].body.inertia, 1);
  EXPECT_EQ(model.bodies[0].body.static_x, 2 * -0.2);  // S_x = M y_C
  EXPECT_EQ(model.bodies[0].body.static_y, 2 * 0.1);
  // They bring no coordinates.
  EXPECT_EQ(model.coordinates(), make_model(elbow()).coordinates());
}

TEST(ModelBodies, StandFreeWithAnAngleOfTheirOwn) {
  CaseDescription d = elbow();
  d.bodies = {{.name = "hub", .at = "P", .mass = 1, .inertia = 1}};
  const Model model = make_model(d);
  EXPECT_EQ(model.coordinates(), make_model(elbow()).coordinates() + 1);
  const int angle = model.bodies[0].angle;
  EXPECT_EQ(angle, model.coordinates() - 1);
  EXPECT_EQ(model.initial[at(angle)], 0);
  EXPECT_NE(model.is_angle[at(angle)], 0);
  EXPECT_THAT(model.warnings, IsEmpty());
  for (const Row& row : model.rows) EXPECT_NE(row.kind, RowKind::unused_point);
}

TEST(ModelBodies, JoinRodsRigidlyOrByAHinge) {
  CaseDescription d = elbow();
  d.points.pop_back();  // P carries nothing
  d.bodies = {{.name = "hub", .at = "B", .mass = 1, .inertia = 1}};
  const Model rigid = make_model(d);
  ASSERT_THAT(rigid.rows, SizeIs(1));
  EXPECT_EQ(rigid.rows[0].kind, RowKind::rigid_joint);
  EXPECT_THAT(rigid.rows[0].terms, ElementsAre(std::pair{rigid.rods[1].end_angle[1], -1.0},
                                               std::pair{rigid.bodies[0].angle, 1.0}));
  EXPECT_EQ(rigid.rows[0].constant, -kPi / 2);  // the angles of the start stay apart
  d.hinges.push_back({"wrist", "B", {"second", "hub"}});
  const Model hinged = make_model(d);
  EXPECT_THAT(hinged.rows, IsEmpty());
  EXPECT_EQ(hinged.hinges[1].first, hinged.rods[1].end_angle[1]);
  EXPECT_EQ(hinged.hinges[1].second, hinged.bodies[0].angle);
}

TEST(ModelParticles, HaveMassAndVelocityAndNoAngle) {
  CaseDescription d = elbow();
  d.particles = {{"bead", "P", 0.5, {1, -2}}};
  const Model model = make_model(d);
  ASSERT_THAT(model.bodies, SizeIs(1));
  EXPECT_EQ(model.bodies[0].name, "bead");
  EXPECT_EQ(model.bodies[0].node, 3);
  EXPECT_EQ(model.bodies[0].angle, kNone);
  EXPECT_EQ(model.bodies[0].body.mass, 0.5);
  EXPECT_EQ(model.initial_rates[static_cast<std::size_t>(model.nodes[3].x)], 1);
  EXPECT_EQ(model.initial_rates[static_cast<std::size_t>(model.nodes[3].x) + 1], -2);
  EXPECT_THAT(model.rows, IsEmpty()) << "the point is free";
}

TEST(ModelSprings, TakeTheInitialDistanceAsTheirLength) {
  CaseDescription d = elbow();
  d.springs = {{.name = "default", .between = {"O", "B"}, .stiffness = 2, .viscosity = 3},
               {.name = "given", .between = {"B", "O"}, .stiffness = 2, .length = 0.25}};
  const Model model = make_model(d);
  EXPECT_EQ(model.springs[0].nodes, (std::array<int, 2>{0, 2}));
  EXPECT_EQ(model.springs[0].law.length, std::sqrt(2.0));
  EXPECT_EQ(model.springs[0].law.stiffness, 2);
  EXPECT_EQ(model.springs[0].law.viscosity, 3);
  EXPECT_EQ(model.springs[1].nodes, (std::array<int, 2>{2, 0}));
  EXPECT_EQ(model.springs[1].law.length, 0.25);
}

TEST(ModelSprings, HoldTheAnchorWithoutMassWhereItIs) {
  CaseDescription d = elbow();
  d.springs = {{.name = "stay", .between = {"B", "P"}, .stiffness = 2}};
  const Model model = make_model(d);
  EXPECT_THAT(model.warnings, IsEmpty());
  ASSERT_THAT(model.rows, SizeIs(2));
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(model.rows[at(k)].kind, RowKind::unused_point);
    EXPECT_THAT(model.rows[at(k)].terms, ElementsAre(std::pair{model.nodes[3].x + k, 1.0}));
  }
}

TEST(ModelLoads, ActOnTheAngleThatIsMeant) {
  CaseDescription d = elbow();
  d.point_loads = {{.name = "dead", .at = "A", .force = {"gust", -2.0}},
                   {.name = "moment", .at = "B", .moment = "push"},
                   {.name = "follower", .at = "B", .force = {1.0, 0.0}, .follower = true},
                   {.name = "named", .at = "A", .moment = 5.0, .rod = "second"},
                   {.name = "elsewhere", .at = "A", .follower = true, .rod = "first"}};
  const Model model = make_model(d);
  ASSERT_THAT(model.point_loads, SizeIs(5));
  EXPECT_EQ(model.point_loads[0].angle, kNone) << "a dead force needs none";
  EXPECT_EQ(model.point_loads[1].angle, model.rods[1].end_angle[1]);
  EXPECT_EQ(model.point_loads[2].angle, model.rods[1].end_angle[1]);
  EXPECT_EQ(model.point_loads[3].angle, model.rods[1].end_angle[0]);
  EXPECT_EQ(model.point_loads[4].angle, model.rods[0].end_angle[1]);
  EXPECT_EQ(model.point_loads[0].node, 1);
  EXPECT_EQ(model.point_loads[1].node, 2);
  EXPECT_FALSE(model.point_loads[1].follower);
  EXPECT_TRUE(model.point_loads[2].follower);
  EXPECT_EQ(law_at(model, model.point_loads[0].laws[0], 0.25), 0.5);
  EXPECT_EQ(law_at(model, model.point_loads[0].laws[1], 0.25), -2);
  EXPECT_EQ(law_at(model, model.point_loads[0].laws[3], 0.25), 0);
  EXPECT_EQ(law_at(model, model.point_loads[1].laws[3], 2), 1);
}

TEST(ModelLoads, AlongARodKeepTheirValuesAtBothEnds) {
  CaseDescription d = elbow();
  d.rod_loads = {{.name = "wind",
                  .on = "second",
                  .force = {{{1, 2}, {3, 4}}},
                  .moment = {5, 6},
                  .factor = "gust"}};
  const Model model = make_model(d);
  EXPECT_EQ(model.rod_loads[0].rod, 1);
  EXPECT_EQ(model.rod_loads[0].force[1][0], 3);
  EXPECT_EQ(model.rod_loads[0].moment[1], 6);
  EXPECT_EQ(law_at(model, model.rod_loads[0].law, 0.25), 0.5);
}

TEST(ModelLoads, BreakTheRunWhereTheirLawsDo) {
  CaseDescription d = elbow();
  d.laws.push_back(test::make_law("unused", LawKind::linear, {0, 0.125}, {0, 1}));
  d.point_loads = {{.name = "dead", .at = "A", .force = {"gust", 0.0}}};
  d.rod_loads = {{.name = "wind", .on = "second", .force = {{{1, 2}, {3, 4}}}, .factor = "push"}};
  EXPECT_THAT(make_model(d).break_times, ElementsAre(0, 0.25, 0.5, 2));
}

TEST(ModelRods, HaveTheConstantsOfTheirSectionAndShape) {
  CaseDescription d = elbow();
  d.sections[0].mass_offset = 0.01;
  d.sections[0].inertia_per_length = 1e-3;
  d.sections[0].stiffness_damping = 0.25;
  d.sections[1].mass_damping = 0.5;
  d.rods[0].curvature = 0.3;
  d.rods[0].elongation = 0.02;
  d.rods[1].inertia_field = InertiaField::paper;
  const Model model = make_model(d);
  const auto type_of = [&](int rod, int element) {
    const int e = model.rods[at(rod)].first_element + element;
    return model.types[at(model.elements[at(e)].type)];
  };
  for (int k = 0; k < 2; ++k) {
    const RodConstants<double> c = type_of(0, k);
    EXPECT_EQ(c.length, 0.5);
    EXPECT_EQ(c.static_moment, 0.28 * 0.01);
    EXPECT_EQ(c.damping_time, 0.25);
    EXPECT_EQ(c.mass_damping, 0);
    EXPECT_EQ(c.rest_minus, 0.3 * 0.5);
    EXPECT_EQ(c.rest_strain, 0.02);
    EXPECT_EQ(c.paper_field, 0);
  }
  const RodConstants<double> c = type_of(1, 2);
  EXPECT_DOUBLE_EQ(c.length, 1.0 / 3);
  EXPECT_EQ(c.static_moment, 0);
  EXPECT_EQ(c.damping_time, 0);
  EXPECT_EQ(c.mass_damping, 0.5);
  EXPECT_EQ(c.rest_minus, 0);
  EXPECT_EQ(c.rest_strain, 0);
  EXPECT_EQ(c.paper_field, 1);
  EXPECT_THAT(model.types, SizeIs(2));
}

TEST(ModelRods, OfTheSameSectionButAnotherShapeShareNoConstants) {
  CaseDescription d = elbow();
  d.rods[1] = {"second", "bar", "A", "B", 2};
  EXPECT_THAT(make_model(d).types, SizeIs(1));
  d.rods[1].curvature = 0.1;
  EXPECT_THAT(make_model(d).types, SizeIs(2));
  d.rods[1].curvature = 0;
  d.rods[1].elongation = 0.1;
  EXPECT_THAT(make_model(d).types, SizeIs(2));
}

TEST(ModelGravity, IsTheCases) {
  CaseDescription d = elbow();
  d.gravity = {1, -9.81};
  EXPECT_EQ(make_model(d).gravity, (std::array<double, 2>{1, -9.81}));
}

}  // namespace
}  // namespace fem
