#include "libfem/model/model.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::LawKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr double kPi = std::numbers::pi;
using Terms = std::vector<std::pair<int, double>>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Σ c q at the start: what the constant of a row must be.
double sum_at_start(const Model& model, const Row& row) {
  double sum = 0;
  for (const auto& [coordinate, c] : row.terms) sum += c * model.initial[at(coordinate)];
  return sum;
}

// Three rods that meet in P, and the points at their far ends.
CaseDescription tripod() {
  CaseDescription d;
  d.sections = {test::bar_section()};
  d.points = {{"P", {0, 0}}, {"E", {1, 0}}, {"N", {0, 2}}, {"W", {-3, 0}}};
  d.rods = {{"east", "bar", "P", "E"}, {"north", "bar", "N", "P"}, {"west", "bar", "P", "W"}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

TEST(ModelOfAChain, NumbersNodesAndCoordinatesInOrder) {
  CaseDescription d = test::one_rod(test::soft_section(), 3, 3);
  const Model model = make_model(d);
  // The two points first, each X and Y; then the rod: its angle at O, node by node X, Y, angle.
  ASSERT_THAT(model.nodes, SizeIs(4));
  EXPECT_EQ(model.coordinates(), 4 + 1 + 2 * 3 + 1);
  EXPECT_EQ(model.nodes[0].name, "O");
  EXPECT_EQ(model.nodes[1].name, "A");
  EXPECT_EQ(model.nodes[2].name, "rod/1");
  EXPECT_EQ(model.nodes[3].name, "rod/2");
  ASSERT_THAT(model.rods, SizeIs(1));
  const Rod& rod = model.rods[0];
  EXPECT_THAT(rod.nodes, ElementsAre(0, 2, 3, 1));
  EXPECT_EQ(rod.elements(), 3);
  EXPECT_DOUBLE_EQ(rod.length, 3);
  ASSERT_THAT(model.elements, SizeIs(3));
  for (int k = 0; k < 3; ++k) {
    const auto& c = model.elements[at(rod.first_element + k)].coordinate;
    const Node& start = model.nodes[at(rod.nodes[at(k)])];
    const Node& stop = model.nodes[at(rod.nodes[at(k) + 1])];
    EXPECT_EQ(c[0], start.x);
    EXPECT_EQ(c[1], start.x + 1);
    EXPECT_EQ(c[4], stop.x);
    EXPECT_EQ(c[5], stop.x + 1);
    EXPECT_DOUBLE_EQ(model.initial[at(c[4])], k + 1);
    const int before = k == 0 ? rod.end_angle[0] : model.elements[at(k) - 1].coordinate[3];
    EXPECT_EQ(c[2], before) << "sections inside a rod have one angle";
    EXPECT_EQ(model.is_angle[at(c[0])], 0);
    EXPECT_EQ(model.is_angle[at(c[2])], 1);
    EXPECT_EQ(model.is_angle[at(c[3])], 1);
  }
  EXPECT_EQ(rod.end_angle[1], model.elements.back().coordinate[3]);
  EXPECT_THAT(model.rows, IsEmpty());
  EXPECT_THAT(model.warnings, IsEmpty());
}

TEST(ModelOfAChain, PlacesNodesOnTheLine) {
  CaseDescription d = test::one_rod(test::soft_section(), 1, 7);
  d.points[0].position = {1, -2};
  d.points[1].position = {-2, 2};
  const Model model = make_model(d);
  EXPECT_DOUBLE_EQ(model.rods[0].length, 5);
  const double angle = std::atan2(4, -3);
  for (int k = 0; k <= 7; ++k) {
    const auto& p = model.nodes[at(model.rods[0].nodes[at(k)])].initial;
    EXPECT_NEAR(p[0], 1 - 3.0 * k / 7, 1e-15);
    EXPECT_NEAR(p[1], -2 + 4.0 * k / 7, 1e-15);
  }
  for (int c = 0; c < model.coordinates(); ++c) {
    EXPECT_TRUE(model.is_angle[at(c)] == 0 || model.initial[at(c)] == angle) << c;
  }
  EXPECT_DOUBLE_EQ(model.types.at(0).length, 5.0 / 7);
}

TEST(ModelOfAChain, DirectsRodsIntoTheHalfOpenTurn) {
  CaseDescription d = test::one_rod(test::soft_section(), 1, 1);
  d.points[0].position = {0, 0.0};
  for (const double y : {0.0, -0.0}) {  // atan2(−0, −1) is −π
    d.points[1].position = {-1, y};
    const Model model = make_model(d);
    EXPECT_EQ(model.initial[at(model.rods[0].end_angle[0])], kPi);
  }
}

TEST(ModelTypes, AreSharedByEqualElements) {
  CaseDescription d = tripod();
  d.rods[0].elements = 2;  // 1 m in 2, 2 m in 4, 3 m in 6: all of 0.5 m
  d.rods[1].elements = 4;
  d.rods[2].elements = 6;
  EXPECT_THAT(make_model(d).types, SizeIs(1));
  d.rods[1].inertia_field = InertiaField::paper;
  EXPECT_THAT(make_model(d).types, SizeIs(2));
  d.rods[2].elements = 5;
  EXPECT_THAT(make_model(d).types, SizeIs(3));
  d.sections.push_back(test::soft_section());
  d.rods[0].section = "soft";
  const Model model = make_model(d);
  ASSERT_THAT(model.types, SizeIs(3));
  for (const Rod& rod : model.rods) {
    const int type = model.elements[at(rod.first_element)].type;
    EXPECT_EQ(model.type_section[at(type)], rod.section);
    EXPECT_DOUBLE_EQ(model.types[at(type)].length, rod.length / rod.elements());
  }
}

TEST(ModelJoints, AreRigidWithoutHinges) {
  const Model model = make_model(tripod());
  // Every further rod turns with the first one that ends there: east starts, north ends, west
  // starts in P.
  ASSERT_THAT(model.rows, SizeIs(2));
  const int east = model.rods[0].end_angle[0];
  const int north = model.rods[1].end_angle[1];
  const int west = model.rods[2].end_angle[0];
  EXPECT_EQ(model.rows[0].terms, (Terms{{east, -1}, {north, 1}}));
  EXPECT_EQ(model.rows[1].terms, (Terms{{east, -1}, {west, 1}}));
  for (const Row& row : model.rows) {
    EXPECT_EQ(row.kind, RowKind::rigid_joint);
    EXPECT_EQ(row.law, kNone);
    EXPECT_EQ(model.nodes[at(row.owner)].name, "P");
    EXPECT_EQ(row.pointer, "/points/P");
    EXPECT_EQ(row.constant, sum_at_start(model, row));
  }
  // The angle between the rods is the constant: north points down, from N to P.
  EXPECT_DOUBLE_EQ(model.rows[0].constant, -kPi / 2);
  EXPECT_DOUBLE_EQ(model.rows[1].constant, kPi);
}

TEST(ModelJoints, AreFreeWhereAHingeIs) {
  CaseDescription d = tripod();
  d.hinges = {{"a", "P", {"east", "north"}, {}}, {"b", "P", {"west", "north"}, {}}};
  const Model model = make_model(d);
  EXPECT_THAT(model.rows, IsEmpty());
  ASSERT_THAT(model.hinges, SizeIs(2));
  EXPECT_EQ(model.hinges[1].name, "b");
  EXPECT_EQ(model.hinges[1].first, model.rods[2].end_angle[0]);
  EXPECT_EQ(model.hinges[1].second, model.rods[1].end_angle[1]);
  EXPECT_EQ(model.hinges[1].drive, kNone);
  EXPECT_EQ(model.nodes[at(model.hinges[1].node)].name, "P");
}

TEST(ModelHinges, HaveARowWhereDriven) {
  CaseDescription d = tripod();
  d.laws = {test::make_law("open", LawKind::smooth, {0, 1}, {0, 2})};
  d.hinges = {{"a", "P", {"east", "north"}, "open"}, {"b", "P", {"east", "west"}, 0.0}};
  const Model model = make_model(d);
  ASSERT_THAT(model.rows, SizeIs(2));
  const Row& driven = model.rows[at(model.hinges[0].drive)];
  EXPECT_EQ(driven.kind, RowKind::hinge_drive);
  EXPECT_EQ(driven.owner, 0);
  EXPECT_EQ(driven.pointer, "/hinges/a/drive");
  EXPECT_EQ(driven.terms, (Terms{{model.hinges[0].first, -1}, {model.hinges[0].second, 1}}));
  EXPECT_EQ(driven.constant, sum_at_start(model, driven));
  EXPECT_EQ(evaluate(model.laws[at(driven.law)], 5, Side::after).value, 2);
  const Row& held = model.rows[at(model.hinges[1].drive)];
  EXPECT_EQ(evaluate(model.laws[at(held.law)], 5, Side::after).value, 0);
}

TEST(ModelHinges, StartWithARelativeAngleInTheHalfOpenTurn) {
  for (int i = 0; i < 24; ++i) {
    for (int j = 0; j < 24; ++j) {
      const double a = kPi * i / 12;
      const double b = kPi * j / 12;
      CaseDescription d;
      d.sections = {test::bar_section()};
      d.points = {
          {"O", {-std::cos(a), -std::sin(a)}}, {"A", {0, 0}}, {"B", {std::cos(b), std::sin(b)}}};
      d.rods = {{"first", "bar", "O", "A"}, {"second", "bar", "A", "B"}};
      d.hinges = {{"h", "A", {"first", "second"}, {}}};
      d.analysis = {.end = 1, .output_every = 0.1};
      const Model model = make_model(d);
      const Hinge& h = model.hinges[0];
      const double angle = model.initial[at(h.second)] - model.initial[at(h.first)] + h.turns;
      EXPECT_GT(angle, -kPi);
      EXPECT_LE(angle, kPi);
      // Whole turns only, and the right angle: off by roundings of a few radians.
      EXPECT_NEAR(std::remainder(angle - (b - a), 2 * kPi), 0, 5e-15);
      EXPECT_NEAR(std::remainder(h.turns, 2 * kPi), 0, 1e-15);
    }
  }
}

TEST(ModelHinges, FoldedRodsStartAtPlusPi) {
  const Model model = make_model(test::three_rods(LawKind::smooth));
  for (const Hinge& h : model.hinges) {
    EXPECT_EQ(model.initial[at(h.second)] - model.initial[at(h.first)] + h.turns, kPi) << h.name;
  }
}

TEST(ModelOfTheDeployment, HasThePapersNumbers) {
  // 22 nodes but B lies on O and C on A as points of their own: 4 points and 18 inner nodes, 24
  // section angles; the paper's element-stacked count is another one.
  const Model model = make_model(test::three_rods(LawKind::linear));
  EXPECT_THAT(model.nodes, SizeIs(22));
  EXPECT_THAT(model.elements, SizeIs(21));
  EXPECT_EQ(model.coordinates(), 2 * 22 + 24);
  EXPECT_THAT(model.types, SizeIs(1));
  ASSERT_THAT(model.rows, SizeIs(5));  // two drives, then X, Y and the angle of the root
  EXPECT_EQ(model.rows[0].kind, RowKind::hinge_drive);
  EXPECT_EQ(model.rows[4].kind, RowKind::support_angle);
  EXPECT_THAT(model.break_times, ElementsAre(0, 5, 10, 15));
  EXPECT_DOUBLE_EQ(model.size, 2);
  EXPECT_THAT(model.warnings, IsEmpty());
  EXPECT_EQ(model.title, "three rods");
  EXPECT_EQ(model.analysis.method.metric, Metric::plain);
}

TEST(ModelSupports, HaveRowsForWhatTheyHold) {
  CaseDescription d = tripod();
  d.laws = {test::make_law("shake", LawKind::smooth, {0, 1}, {0, 0.1})};
  d.supports = {{.point = "E", .fix_y = true, .x = "shake"}, {.point = "P", .fix_angle = true}};
  const Model model = make_model(d);
  ASSERT_THAT(model.supports, SizeIs(2));
  const Support& e = model.supports[0];
  EXPECT_EQ(e.name, "E");
  EXPECT_EQ(e.angle, kNone);
  const int x = model.nodes[1].x;
  EXPECT_EQ(model.rows[at(e.x)].terms, (Terms{{x, 1}}));
  EXPECT_EQ(model.rows[at(e.x)].kind, RowKind::support_x);
  EXPECT_EQ(model.rows[at(e.x)].constant, 1);
  EXPECT_EQ(model.rows[at(e.x)].law, 0);
  EXPECT_EQ(model.rows[at(e.x)].pointer, "/supports/E/x");
  EXPECT_EQ(model.rows[at(e.y)].terms, (Terms{{x + 1, 1}}));
  EXPECT_EQ(model.rows[at(e.y)].kind, RowKind::support_y);
  EXPECT_EQ(model.rows[at(e.y)].law, kNone);
  EXPECT_EQ(model.rows[at(e.y)].pointer, "/supports/E/fix");
  const Support& p = model.supports[1];
  EXPECT_EQ(p.x, kNone);
  EXPECT_EQ(model.rows[at(p.angle)].kind, RowKind::support_angle);
  EXPECT_EQ(model.rows[at(p.angle)].owner, 1);
  EXPECT_EQ(model.rows[at(p.angle)].terms, (Terms{{model.rods[0].end_angle[0], 1}}));
}

TEST(ModelSupports, HoldTheAngleOfTheNamedRod) {
  CaseDescription d = tripod();
  d.hinges = {{"a", "P", {"east", "north"}, {}}, {"b", "P", {"west", "north"}, {}}};
  d.supports = {{.point = "P", .fix_angle = true, .rod = "north"}};
  const Model model = make_model(d);
  EXPECT_EQ(model.rows[at(model.supports[0].angle)].terms,
            (Terms{{model.rods[1].end_angle[1], 1}}));
}

TEST(ModelHinges, BesideAnotherAreTold) {
  CaseDescription d = tripod();
  d.hinges = {{"a", "P", {"east", "north"}, {}}, {"b", "P", {"west", "north"}, {}}};
  EXPECT_THAT(make_model(d).warnings, IsEmpty());
  d.hinges.push_back({"c", "P", {"north", "east"}, {}});
  EXPECT_THAT(make_model(d).warnings,
              ElementsAre(AllOf(HasSubstr("/hinges/c: "), HasSubstr("'a'"))));
}

TEST(ModelHinges, WithALatchManyTurnsAwayAreTold) {
  CaseDescription d = tripod();
  d.hinges = {{"a", "P", {"east", "north"}, {}}, {"b", "P", {"west", "north"}, {}}};
  d.hinges[0].latch = {.angle = 10};
  EXPECT_THAT(make_model(d).warnings, IsEmpty());
  d.hinges[0].latch = {.angle = 180};
  EXPECT_THAT(make_model(d).warnings,
              ElementsAre(AllOf(HasSubstr("/hinges/a/latch/angle: 180 rad"), HasSubstr("turns"))));
}

TEST(ModelPoints, ThatStayTellOfLoadsThatMoveNothing) {
  CaseDescription d = tripod();
  d.points.push_back({"lost", {7, 8}});
  d.point_loads = {{.name = "pull", .at = "lost", .force = {1.0, 0.0}}};
  EXPECT_THAT(make_model(d).warnings, Contains(HasSubstr("/loads/pull: point 'lost' has no mass")));
}

TEST(ModelPoints, WithoutRodsStayWithAWarning) {
  CaseDescription d = tripod();
  d.points.push_back({"lost", {7, 8}});
  d.points.push_back({"half", {1, 1}});
  d.supports = {{.point = "half", .fix_x = true}};
  const Model model = make_model(d);
  ASSERT_THAT(model.warnings, SizeIs(2));
  EXPECT_THAT(model.warnings[0], HasSubstr("/points/lost"));
  EXPECT_THAT(model.warnings[0], HasSubstr("carries nothing"));
  std::vector<Terms> held;
  for (const Row& row : model.rows) {
    if (row.kind == RowKind::unused_point) held.push_back(row.terms);
  }
  // X of "half" is held by its support already.
  EXPECT_THAT(held, ElementsAre(Terms{{model.nodes[4].x, 1}}, Terms{{model.nodes[4].x + 1, 1}},
                                Terms{{model.nodes[5].x + 1, 1}}));
}

TEST(ModelBreakTimes, AreThoseOfTheLawsInUse) {
  CaseDescription d = tripod();
  d.laws = {test::make_law("unused", LawKind::linear, {0, 0.3}, {0, 1}),
            test::make_law("a", LawKind::linear, {0, 0.5, 2}, {0, 1, 0}),
            test::make_law("b", LawKind::linear, {0.25, 0.5}, {0, 1}),
            test::make_law("c", LawKind::smooth, {0, 0.7}, {0, 1})};
  d.supports = {{.point = "E", .x = "a", .y = "b"}, {.point = "N", .x = "c"}};
  EXPECT_THAT(make_model(d).break_times, ElementsAre(0, 0.25, 0.5, 2));
}

TEST(ModelSize, IsTwiceTheLargestDistanceFromTheMean) {
  // The mean of the tripod's points is (-0.5, 0.5), W is farthest from it.
  EXPECT_DOUBLE_EQ(make_model(tripod()).size, 2 * std::hypot(2.5, 0.5));
  EXPECT_DOUBLE_EQ(make_model(test::one_rod(test::soft_section(), 2.5, 1)).size, 2.5);
}

TEST(ModelSize, KnowsNeitherDirectionNorMesh) {
  CaseDescription d = tripod();
  const double size = make_model(d).size;
  d.rods[1].elements = 9;
  EXPECT_EQ(make_model(d).size, size);
  for (PointDescription& p : d.points) {
    const auto [x, y] = p.position;
    p.position = {0.6 * x - 0.8 * y + 30, 0.8 * x + 0.6 * y - 20};
  }
  EXPECT_NEAR(make_model(d).size, size, 1e-14);
}

TEST(ModelOfARandomFrame, IsConsistentAtTheStart) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Model model = make_model(test::random_frame(seed, {.loop = seed % 2 == 1}));
    for (const Row& row : model.rows) {
      EXPECT_EQ(row.constant, sum_at_start(model, row));
      for (const auto& [coordinate, c] : row.terms) {
        EXPECT_TRUE(coordinate >= 0 && coordinate < model.coordinates());
        EXPECT_NE(c, 0);
      }
    }
    // Every coordinate belongs to an element.
    std::vector<int> used(model.initial.size(), 0);
    for (const Element& e : model.elements) {
      for (const int c : e.coordinate) used[at(c)] = 1;
    }
    EXPECT_THAT(used, Not(Contains(0)));
  }
}

}  // namespace
}  // namespace fem
