// Equilibrium: published problems, order of convergence, invariances, reactions, and what is said
// when there is none. Benchmarks: exact elliptic integrals, closed forms, a geometrically exact
// code (reference/benchmarks.md of the project).
#include "libfem/analysis/statics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/system/system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
constexpr double pi = std::numbers::pi;

struct Collector : Observer {
  void snapshot(const Snapshot& s) override { snapshots.push_back(s); }
  void event(const Event& e) override { events.push_back(e); }
  std::vector<Snapshot> snapshots;
  std::vector<Event> events;
};

struct Result {
  RunSummary summary;
  std::vector<Snapshot> path;
  std::vector<Event> events;
  [[nodiscard]] const Snapshot& last() const { return path.back(); }
};

Result solve(const CaseDescription& description, const StaticsOptions& options = {}) {
  const Model model = make_model(description);
  Collector collector;
  RunSummary summary = run_statics(model, options, {1}, collector).summary;
  return {std::move(summary), std::move(collector.snapshots), std::move(collector.events)};
}

std::vector<Event> named(const std::vector<Event>& events, const std::string& name) {
  std::vector<Event> found;
  std::copy_if(events.begin(), events.end(), std::back_inserter(found),
               [&](const Event& e) { return e.name == name; });
  return found;
}

SectionDescription section(double axial, double bending, double shear) {
  return {.name = "s",
          .axial_stiffness = axial,
          .bending_stiffness = bending,
          .shear_stiffness = shear,
          .mass_per_length = 1,
          .inertia_per_length = 1e-3};
}

// Clamped at the origin, turned by `angle`.
CaseDescription cantilever(const SectionDescription& s, double length, int elements,
                           double angle = 0) {
  CaseDescription d;
  d.sections = {s};
  d.points = {{"O", {0, 0}}, {"A", {length * std::cos(angle), length * std::sin(angle)}}};
  d.rods = {{"rod", s.name, "O", "A", elements}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true}};
  d.analysis = {.end = 1, .output_every = 1};
  return d;
}

// Transverse tip force a EI/L², downwards in the rod's axes.
CaseDescription bisshopp_drucker(double a, double stiffness, int elements, double angle = 0) {
  CaseDescription d = cantilever(section(stiffness, 1, stiffness), 1, elements, angle);
  d.point_loads = {{.name = "P", .at = "A", .force = {a * std::sin(angle), -a * std::cos(angle)}}};
  return d;
}

CaseDescription roll_up(double turns, int elements) {
  CaseDescription d = cantilever(section(1e8, 1, 1e8), 1, elements);
  d.point_loads = {{.name = "M", .at = "A", .moment = turns * 2 * pi}};
  return d;
}

// Lee's frame; the reference load is 20000.
CaseDescription lee_frame(int near) {
  CaseDescription d;
  d.sections = {section(4.32e7, 1.44e7, 1e12)};
  d.points = {{"A", {0, 0}}, {"B", {0, 120}}, {"P", {24, 120}}, {"C", {120, 120}}};
  d.rods = {{"column", "s", "A", "B", 5 * near},
            {"near", "s", "B", "P", near},
            {"far", "s", "P", "C", 4 * near}};
  d.supports = {{.point = "A", .fix_x = true, .fix_y = true},
                {.point = "C", .fix_x = true, .fix_y = true}};
  d.point_loads = {{.name = "P", .at = "P", .force = {0.0, -20000.0}}};
  d.analysis = {.end = 1, .output_every = 1};
  return d;
}

double x_of(const Snapshot& s, std::size_t point) { return s.position[3 * point]; }
double y_of(const Snapshot& s, std::size_t point) { return s.position[3 * point + 1]; }

// --------------------------------------------------------------------------------- benchmarks

struct Elastica {
  double a, deflection, shortening, slope;
};
constexpr std::array<Elastica, 3> kElastica{{{1, 0.3017207738, 0.0564332362834, 0.461351949712},
                                             {5, 0.713791523612, 0.387628360724, 1.21536811761},
                                             {10, 0.81060902488, 0.554995597754, 1.4302855388}}};

double elastica_error(const Elastica& e, int elements) {
  const Result r = solve(bisshopp_drucker(e.a, 1e8, elements));
  EXPECT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  return std::hypot(-y_of(r.last(), 1) - e.deflection, 1 - x_of(r.last(), 1) - e.shortening);
}

TEST(Statics, BendsTheElasticaWithOrderFour) {
  for (const Elastica& e : kElastica) {
    SCOPED_TRACE(e.a);
    const double coarse = elastica_error(e, 4);
    const double fine = elastica_error(e, 8);
    const double finest = elastica_error(e, 16);
    EXPECT_LT(finest, 3e-6);
    EXPECT_GT(std::log2(coarse / fine), 3.8);
    EXPECT_GT(std::log2(fine / finest), 3.8);
    const Result r = solve(bisshopp_drucker(e.a, 1e8, 16));
    EXPECT_NEAR(r.last().rods[0].angle.back(), -e.slope, 3e-6);
  }
}

TEST(Statics, DoesNotLockAndDoesNotStallHoweverStiffTheAxis) {
  for (const double stiffness : {1e6, 1e10, 1e12}) {
    SCOPED_TRACE(stiffness);
    const Result r = solve(bisshopp_drucker(10, stiffness, 8));
    ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
    EXPECT_NEAR(-y_of(r.last(), 1), 0.81060902488, 4e-5);
  }
}

TEST(Statics, RollsUpByItsOwnSteps) {
  for (const double turns : {0.5, 1.0, 2.0}) {
    for (const int elements : {6, 32}) {
      SCOPED_TRACE(::testing::Message() << turns << " turns, " << elements << " elements");
      const Result r = solve(roll_up(turns, elements));
      ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
      EXPECT_LT(r.summary.steps, 40);
      const double angle = turns * 2 * pi;
      EXPECT_NEAR(r.last().rods[0].angle.back(), angle, 1e-8);
      EXPECT_NEAR(x_of(r.last(), 1), 0, 1e-7);
      EXPECT_NEAR(y_of(r.last(), 1), (1 - std::cos(angle)) / angle, elements == 6 ? 6e-5 : 1e-7);
      EXPECT_NEAR(r.last().supports[0].moment, -angle, 1e-7);
    }
  }
}

// A geometrically exact rod: u = −0.596471272, v = −2.159693894, θ = −0.672006064. The element has
// its own limit, for its normal force acts along the axis (Engesser), not across the section.
TEST(Statics, BendsTheThickCantileverToItsOwnLimit) {
  const auto tip = [](int elements) {
    CaseDescription d = cantilever(section(4.8e8, 9.346e6, 3.231e8), 5, elements);
    d.point_loads = {{.name = "F", .at = "A", .force = {0.0, -6e5}}};
    const Result r = solve(d);
    EXPECT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
    return Eigen::Vector3d(x_of(r.last(), 1) - 5, y_of(r.last(), 1), r.last().rods[0].angle.back());
  };
  const Eigen::Vector3d fine = tip(32);
  const Eigen::Vector3d limit = fine + (fine - tip(16)) / 3;  // order 2 for thick rods
  const Eigen::Vector3d exact(-0.596471272, -2.159693894, -0.672006064);
  EXPECT_LT((fine - limit).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((limit - exact).cwiseAbs().maxCoeff(), 4e-6);
  EXPECT_GT((limit - exact).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Statics, FollowsLeesFrameThroughItsLimitPoints) {
  constexpr std::array<double, 2> exact{18556.727, -9414.431};
  std::array<double, 2> before{};
  for (const int near : {1, 2, 4}) {
    SCOPED_TRACE(near);
    const Result r = solve(lee_frame(near), {.follow_path = true});
    ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
    const std::vector<Event> limits = named(r.events, "limit point");
    ASSERT_EQ(limits.size(), 2);
    for (std::size_t i = 0; i < 2; ++i) {
      const double error = std::abs(20000 * limits[i].time - exact[i]);
      if (near > 1) {
        EXPECT_GT(std::log2(before[i] / error), 3.7);
      }
      before[i] = error;
    }
    EXPECT_LT(before[0], near == 4 ? 0.04 : 10);
    EXPECT_LT(before[1], near == 4 ? 0.04 : 10);
    EXPECT_THAT(limits[0].what, HasSubstr("maximum"));
    EXPECT_THAT(limits[1].what, HasSubstr("minimum"));
    EXPECT_EQ(r.last().time, 1);
    ASSERT_EQ(r.summary.warnings.size(), 2);
    EXPECT_THAT(r.summary.warnings[0], HasSubstr("becomes unstable (1 direction)"));
    EXPECT_THAT(r.summary.warnings[1], HasSubstr("stable again"));
  }
}

// Limit points, and the first point where v turns back: P, u, v, with what 8 elements over the
// short part of the beam (40 a bar) make of them. Their error is of order 4: a sixteenth of that of
// half the mesh.
TEST(Statics, PutsLimitPointsAndTurningPointsIntoThePath) {
  struct Point {
    double load, u, v;
  };
  constexpr std::array<Point, 3> exact{
      {{18556.727, 26.8806, 48.7351}, {11944.105, NAN, 61.00298}, {-9414.431, 90.1957, 58.2168}}};
  const auto points = [](int near) {
    const Result r = solve(lee_frame(near), {.follow_path = true});
    const std::vector<Event> limits = named(r.events, "limit point");
    const std::vector<Event> turns = named(r.events, "turning point");
    EXPECT_EQ(limits.size(), 2);
    EXPECT_EQ(turns.size(), 2);
    std::vector<Point> found;
    for (const Event& e : {limits[0], turns[0], limits[1]}) {
      const auto s = std::find_if(r.path.begin(), r.path.end(),
                                  [&](const Snapshot& x) { return x.time == e.time; });
      EXPECT_NE(s, r.path.end());
      found.push_back({20000 * s->time, x_of(*s, 2) - 24, 120 - y_of(*s, 2)});
    }
    return found;
  };
  const std::vector<Point> coarse = points(4), fine = points(8);
  for (std::size_t i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    EXPECT_NEAR(fine[i].load, exact[i].load, 0.003);
    EXPECT_NEAR(fine[i].v, exact[i].v, 1e-4);
    EXPECT_LT(std::abs(fine[i].load - coarse[i].load), 0.04);
    if (!std::isnan(exact[i].u)) {
      EXPECT_NEAR(fine[i].u, exact[i].u, 1e-4);
    }
  }
}

// An arm on a hinge, whose spring balances λ: the path is the spring's table.
CaseDescription arm_on_a_spring(std::vector<std::array<double, 2>> table) {
  CaseDescription d;
  d.points = {{"O", {0, 0}}, {"A", {1, 0}}};
  d.bodies = {{.name = "ground", .at = "O", .mass = 1, .inertia = 1},
              {.name = "arm", .at = "O", .mass = 1, .inertia = 1, .carries = {"A"}}};
  d.hinges = {{.name = "root",
               .at = "O",
               .members = {"ground", "arm"},
               .spring = HingeSpringDescription{.table = std::move(table)}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true, .rod = "ground"}};
  d.point_loads = {{.name = "M", .at = "A", .moment = 1.0}};
  d.analysis = {.end = 1, .output_every = 1};
  return d;
}

// The path is complete and has limit points at these load factors, and no others.
void expect_limits(const Result& r, const std::vector<double>& loads, double tolerance) {
  ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  const std::vector<Event> limits = named(r.events, "limit point");
  ASSERT_EQ(limits.size(), loads.size());
  for (std::size_t i = 0; i < loads.size(); ++i) EXPECT_NEAR(limits[i].time, loads[i], tolerance);
}

TEST(Statics, FindsLimitPointsWhereASpringHasThem) {
  const Result r = solve(arm_on_a_spring({{-1, 1}, {0, 0}, {0.5, -2}, {1, -1}, {2, -4}}),
                         {.follow_path = true, .max_load = 3});
  expect_limits(r, {2, 1}, 1e-8);
  ASSERT_EQ(r.events.size(), 2);
  EXPECT_THAT(r.events[0].what, HasSubstr("maximum"));
  EXPECT_THAT(r.events[1].what, HasSubstr("minimum"));
  ASSERT_EQ(r.summary.warnings.size(), 2);
  EXPECT_THAT(r.summary.warnings[0], HasSubstr("unstable (1 direction), at a limit point"));
  EXPECT_THAT(r.summary.warnings[1], HasSubstr("stable again, at a limit point"));
  EXPECT_EQ(r.last().time, 3);
}

// The load rises steeply, turns back at a kink and falls; the motion goes on.
TEST(Statics, FollowsASteepSpringOverItsKink) {
  const Result r =
      solve(arm_on_a_spring({{-1, 1.2}, {0, 0}, {0.001, -0.2224}, {0.55, 18.3}, {0.85, 17.6}}),
            {.follow_path = true, .max_load = 1});
  expect_limits(r, {0.2224}, 1e-8);
  ASSERT_EQ(r.events.size(), 1);
  EXPECT_EQ(r.last().time, -1);
  for (std::size_t i = 1; i < r.path.size(); ++i) {
    EXPECT_GE(r.path[i].hinges[0].angle, r.path[i - 1].hinges[0].angle) << i;
    EXPECT_LE(r.path[i].time, r.events[0].time + 1e-12) << i;
  }
}

// A fall and a rise of the load within a hundredth of a radian.
TEST(Statics, StepsOverNoPairOfLimitPoints) {
  const Result r =
      solve(arm_on_a_spring({{-1, 0.5}, {0, 0}, {0.225, -0.385}, {0.235, 0.177}, {0.535, -0.843}}),
            {.follow_path = true, .max_load = 10});
  expect_limits(r, {0.385, -0.177}, 1e-6);
}

// Where the load factor all but stays the same, no rounding error is a limit point.
TEST(Statics, TellsOnceWhereThePathIsLevel) {
  const Result r =
      solve(arm_on_a_spring({{-1, 1}, {0, 0}, {0.5, -2}, {1, -1}, {1.5, -2.5}, {4, -2.5 - 1e-11}}),
            {.follow_path = true, .max_load = 3, .steps = 100});
  EXPECT_EQ(named(r.events, "limit point").size(), 2);
  EXPECT_THAT(named(r.events, "bifurcation"), IsEmpty());
  EXPECT_NEAR(r.last().time, 2.5, 1e-8);
  EXPECT_GT(r.last().hinges[0].angle, 3);
  std::size_t told = 0;
  for (const std::string& text : r.summary.warnings) {
    if (text.find("the load factor stays 2.5 along the path") != std::string::npos) ++told;
  }
  EXPECT_EQ(told, 1);
  EXPECT_LE(r.summary.warnings.size(), 4);  // and two of stability, one of the number of steps
}

// A spring of constant moment between 0.5 and 1 rad: K is zero to the last bit.
TEST(Statics, FollowsASpringOfConstantMoment) {
  const Result r = solve(arm_on_a_spring({{-1, 1}, {0, 0}, {0.5, -2}, {1, -2}, {1.5, -4}}),
                         {.follow_path = true, .max_load = 3});
  ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  EXPECT_THAT(r.events, IsEmpty());
  EXPECT_THAT(r.summary.warnings, ::testing::ElementsAre(HasSubstr("the load factor stays 2 ")));
  EXPECT_EQ(r.last().time, 3);
  for (const Snapshot& s : r.path) {
    if (s.hinges[0].angle >= 0.5 && s.hinges[0].angle <= 1) {
      EXPECT_NEAR(s.time, 2, 1e-8);
    }
  }
  EXPECT_LE(r.summary.worst_balance, 1e-6 * r.summary.largest_energy);
}

// The same where the load falls behind the level stretch: that is one maximum.
TEST(Statics, TakesALevelStretchForOneLimitPoint) {
  const Result r =
      solve(arm_on_a_spring({{-1, 1}, {0, 0}, {0.5, -2}, {1, -2 - 1e-11}, {2, 1}, {3, -4}}),
            {.follow_path = true, .max_load = 3});
  expect_limits(r, {2, -1}, 1e-8);
}

TEST(Statics, StopsAPathAtItsCap) {
  const Result r = solve(lee_frame(1), {.follow_path = true, .steps = 5});
  EXPECT_EQ(r.summary.status, RunStatus::complete);
  EXPECT_EQ(r.summary.steps, 5);
  EXPECT_GE(r.path.size(), 11);  // the start, and at least two points a step
  EXPECT_THAT(r.summary.warnings, ::testing::ElementsAre(HasSubstr("ends after 5 steps")));
}

TEST(Statics, EndsAPathAtTheLoadAskedFor) {
  const Result r = solve(bisshopp_drucker(1, 1e6, 8), {.follow_path = true, .max_load = 5});
  ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  EXPECT_EQ(r.last().time, 5);
  EXPECT_NEAR(-y_of(r.last(), 1), 0.713791523612, 2e-5);
}

// ------------------------------------------------------------------------------------- Newton

// Newton's method by hand, at the full load.
TEST(Statics, ConvergesQuadratically) {
  const Model model = make_model(bisshopp_drucker(1, 1e3, 4, 0.3));
  System system(model, {1});
  std::vector<double> q = system.initial_positions();
  std::vector<double> increments;
  std::vector<double> r(system.independent());
  for (int i = 0; i < 9; ++i) {
    system.assemble_statics(1, 1, q, r);
    int negative = 0;
    ASSERT_TRUE(system.factorize_assembled(Pivots::nonzero, negative).ok());
    system.solve_factorized(r);
    double largest = 0;
    for (std::size_t k = 0; k < r.size(); ++k) {
      q[k] -= r[k];
      largest = std::max(largest, std::abs(r[k]));
    }
    increments.push_back(largest);
  }
  double best = 0;
  for (std::size_t i = 1; i + 1 < increments.size(); ++i) {
    if (increments[i] > 0.05 || increments[i + 1] < 1e-13) continue;
    best = std::max(best, std::log(increments[i + 1]) / std::log(increments[i]));
  }
  EXPECT_GT(best, 1.8) << ::testing::PrintToString(increments);
  EXPECT_LT(increments.back(), 1e-12);
}

TEST(Statics, IsInvariantUnderRotation) {
  const Result straight = solve(bisshopp_drucker(5, 1e6, 5));
  for (const double angle : {0.4, 2.0, pi, 5.5}) {
    SCOPED_TRACE(angle);
    const Result turned = solve(bisshopp_drucker(5, 1e6, 5, angle));
    ASSERT_EQ(turned.summary.status, RunStatus::complete) << turned.summary.reason;
    const double x = x_of(turned.last(), 1), y = y_of(turned.last(), 1);
    const double c = std::cos(angle), s = std::sin(angle);
    EXPECT_NEAR(c * x + s * y, x_of(straight.last(), 1), 1e-9);
    EXPECT_NEAR(-s * x + c * y, y_of(straight.last(), 1), 1e-9);
    EXPECT_NEAR(turned.last().supports[0].moment, straight.last().supports[0].moment, 1e-8);
  }
}

// ---------------------------------------------------------------------------------- reactions

// An angle frame with gravity, a load along a rod, forces, and a body; clamped and propped.
TEST(Statics, ReactionsBalanceTheLoads) {
  CaseDescription d;
  d.sections = {section(1e5, 10, 4e4)};
  d.points = {{"O", {0, 0}}, {"A", {0, 1}}, {"B", {1.5, 1.2}}};
  d.rods = {{"post", "s", "O", "A", 4}, {"beam", "s", "A", "B", 6}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true},
                {.point = "B", .fix_y = true}};
  d.gravity = {0, -9.81};
  d.bodies = {
      {.name = "hub", .at = "A", .rod = "post", .mass = 2, .inertia = 0.1, .center = {0.1, 0}}};
  d.point_loads = {{.name = "P", .at = "A", .force = {3.0, 1.0}, .moment = 0.5}};
  d.rod_loads = {{.name = "wind", .on = "beam", .force = {{{0, -1}, {0, -3}}}}};
  d.analysis = {.end = 1, .output_every = 1};
  const Result r = solve(d);
  ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  const double beam = std::hypot(1.5, 0.2);
  for (const Snapshot& s : r.path) {
    const double x = s.supports[0].force_x + s.supports[1].force_x;
    const double y = s.supports[0].force_y + s.supports[1].force_y;
    EXPECT_NEAR(x, -3.0 * s.time, 1e-6);
    EXPECT_NEAR(y, s.time * (9.81 * (2 + 1 + beam) - 1 + 2 * beam), 1e-6);
    EXPECT_LT(s.position_violation, 1e-14);
  }
}

// A follower load stays across the tip: far beyond where its part of the tangent could be left out.
TEST(Statics, FollowerLoadsTurnWithTheSection) {
  CaseDescription d = cantilever(section(1e6, 1, 1e6), 1, 8);
  d.point_loads = {{.name = "P", .at = "A", .force = {0.0, -10.0}, .follower = true}};
  const Result r = solve(d);
  ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  const double angle = r.last().rods[0].angle.back();
  EXPECT_LT(angle, -2.9);
  const SupportSnapshot& root = r.last().supports[0];
  EXPECT_NEAR(root.force_x, -10 * std::sin(angle), 1e-7);
  EXPECT_NEAR(root.force_y, 10 * std::cos(angle), 1e-7);
  EXPECT_NEAR(root.moment,
              10 * (std::cos(angle) * x_of(r.last(), 1) + std::sin(angle) * y_of(r.last(), 1)),
              1e-6);
}

// One element a rod: gravity's own derivative is far from small.
TEST(Statics, HangsUnderHeavyGravityOnACoarseMesh) {
  for (const int elements : {1, 4}) {
    CaseDescription d = cantilever(section(1e8, 1, 1e8), 1, elements);
    d.gravity = {0, -100};
    const Result r = solve(d);
    ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
    EXPECT_LT(r.summary.steps, 20);
    EXPECT_NEAR(r.last().supports[0].force_y, 100, 1e-5);
  }
}

TEST(Statics, ReachesPrescribedChangesByItself) {
  CaseDescription d = test::three_rods(test::LawKind::linear, 3);
  const Result r = solve(d);
  ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  EXPECT_NEAR(x_of(r.last(), 3), 0, 1e-9);
  EXPECT_NEAR(y_of(r.last(), 3), 6, 1e-9);
  EXPECT_LT(r.summary.worst_position_violation, 1e-12);
  EXPECT_NEAR(r.last().energy.strain, 0, 1e-9);
}

TEST(Statics, LetsStressesOfTheUndeformedStateGo) {
  CaseDescription d = cantilever(section(1e6, 1, 1e6), 1, 12);
  d.rods[0].curvature = 5;
  const Result r = solve(d);
  ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  EXPECT_NEAR(r.last().rods[0].angle.back(), 5, 1e-9);
  EXPECT_NEAR(r.last().energy.strain, 0, 1e-9);
}

// ------------------------------------------------------------------- what is said, and when

TEST(Statics, ReturnsAtOnceWithoutLoad) {
  const Result r = solve(cantilever(section(1e6, 1, 1e6), 1, 4));
  EXPECT_EQ(r.summary.status, RunStatus::complete);
  EXPECT_EQ(r.summary.steps, 0);
  ASSERT_EQ(r.path.size(), 1);
  EXPECT_EQ(r.last().time, 1);
  EXPECT_EQ(x_of(r.last(), 1), 1);
  EXPECT_THAT(r.summary.warnings, IsEmpty());
}

CaseDescription pendulum(double angle) {
  CaseDescription d = cantilever(section(1e6, 1e2, 1e6), 1, 3, angle);
  d.supports[0].fix_angle = false;
  d.gravity = {0, -9.81};
  return d;
}

TEST(Statics, NamesAMechanism) {
  const Result r = solve(pendulum(0.2));
  EXPECT_EQ(r.summary.status, RunStatus::failed);
  EXPECT_THAT(r.summary.reason, HasSubstr("is a mechanism: 1 motion is without resistance: "
                                          "rotation about (0, 0);"));
  CaseDescription flying = pendulum(0.2);
  flying.supports.clear();
  EXPECT_THAT(solve(flying).summary.reason,
              HasSubstr("3 motions are without resistance: translation along X | translation "
                        "along Y | rotation about ("));
  CaseDescription hinged = test::three_rods(test::LawKind::linear, 3);
  hinged.hinges[1].drive.reset();
  const Result folded = solve(hinged);
  EXPECT_THAT(folded.summary.reason, HasSubstr("1 motion is without resistance: mechanism: hinge "
                                               "'hinge2'; point "));
}

TEST(Statics, NamesAMechanismThatNothingLoads) {
  CaseDescription d = pendulum(0.2);
  d.gravity = {0, 0};
  const Result r = solve(d);
  EXPECT_EQ(r.summary.status, RunStatus::complete);
  EXPECT_THAT(r.summary.warnings,
              testing::Contains("nothing loads the structure, and it is a mechanism: 1 motion is "
                                "without resistance: rotation about (0, 0)"));
}

TEST(Statics, FailsWhereAConstraintFollowedFromOthersOnlyAtTheStart) {
  CaseDescription d = test::three_bars_in_line();
  for (HingeDescription& h : d.hinges) h.spring = HingeSpringDescription{.stiffness = 1};
  d.point_loads = {{.name = "P", .at = "A", .force = {0.0, -1.0}}};
  const Result r = solve(d);
  EXPECT_EQ(r.summary.status, RunStatus::failed);
  EXPECT_THAT(r.summary.reason, HasSubstr("at the load factor "));
  EXPECT_THAT(r.summary.reason, HasSubstr("/bodies/d/carries/0 is violated by"));
}

// Bodies on hinges without springs: no stiffness at all, against which a motion could be free.
TEST(Statics, NamesAMechanismOfBodiesAlone) {
  CaseDescription d;
  d.points = {{"O", {0, 0}}, {"A", {1, 0}}, {"B", {2, 1}}};
  d.bodies = {{.name = "arm", .at = "O", .mass = 1, .inertia = 1, .carries = {"A"}},
              {.name = "hand", .at = "A", .mass = 1, .inertia = 1, .carries = {"B"}}};
  d.hinges = {{.name = "wrist", .at = "A", .members = {"arm", "hand"}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true}};
  d.point_loads = {{.name = "P", .at = "B", .force = {0.0, -1.0}}};
  const Result r = solve(d);
  EXPECT_EQ(r.summary.status, RunStatus::failed);
  EXPECT_THAT(r.summary.reason,
              HasSubstr("is a mechanism: 2 motions are without resistance: rotation about (0, 0) | "
                        "mechanism: hinge 'wrist'"));
}

TEST(Statics, LetsGravityHoldAPendulum) {
  const Result r = solve(pendulum(-pi / 2));
  ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  EXPECT_NEAR(r.last().supports[0].force_y, 9.81, 1e-8);
  EXPECT_THAT(r.summary.warnings, ::testing::ElementsAre(HasSubstr("mechanism")));
}

TEST(Statics, FindsNoMechanismInASlenderRod) {
  const Result r = solve(bisshopp_drucker(1, 1e10, 64, 0.7));
  EXPECT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
}

TEST(Statics, NamesTheLastLoadOfAFailure) {
  const Result r = solve(lee_frame(2));
  EXPECT_EQ(r.summary.status, RunStatus::failed);
  EXPECT_THAT(r.summary.reason, HasSubstr("carries no more than the load factor 0.9278"));
  EXPECT_THAT(r.summary.reason, HasSubstr("worst balanced is "));
  EXPECT_THAT(r.summary.reason, HasSubstr("--path"));
  const std::vector<Event> limits = named(r.events, "limit point");
  ASSERT_EQ(limits.size(), 1);
  EXPECT_EQ(r.last().time, limits[0].time);
  const Result path = solve(lee_frame(2), {.follow_path = true});
  EXPECT_NEAR(r.last().time, named(path.events, "limit point")[0].time, 1e-9);
  EXPECT_EQ(r.summary.final_time, r.last().time);
}

// A column of length 1, EI = 1: its buckling load is P_E = π²/4 where it is slender. It stays
// straight, is told to be unstable beyond its load, and the load and what buckles are named.
CaseDescription column(double load, double shear, int elements) {
  CaseDescription d = cantilever(section(1e7, 1, shear), 1, elements, pi / 2);
  d.point_loads = {{.name = "P", .at = "A", .force = {0.0, -load}}};
  return d;
}

TEST(Statics, FindsEulersLoad) {
  constexpr double euler = pi * pi / 4;
  std::array<double, 2> error{};
  for (std::size_t i = 0; i < 2; ++i) {
    const Result r = solve(column(1.5 * euler, 1e7, i == 0 ? 4 : 8));
    EXPECT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
    EXPECT_THAT(r.summary.warnings, ::testing::ElementsAre(HasSubstr("unstable (1 direction)")));
    const std::vector<Event> events = named(r.events, "bifurcation");
    ASSERT_EQ(events.size(), 1);
    EXPECT_THAT(events[0].what, HasSubstr("it moves point 'A' along (1, 0)"));
    error[i] = 1.5 * events[0].time - 1;
  }
  EXPECT_NEAR(error[1], 0, 4e-6);  // of which P/EA + P/GA are 5e-7
  EXPECT_NEAR(std::log2(error[0] / error[1]), 4, 0.3);
  const Result below = solve(column(0.999 * euler, 1e7, 8));
  EXPECT_THAT(below.summary.warnings, IsEmpty());
  EXPECT_THAT(below.events, IsEmpty());
}

// N acts along the axis: P = P_E/(1 + P_E/GA), Engesser's; an independent program of the same
// element gives 0.910185 and 0.669607 with 32 elements.
TEST(Statics, FindsEngessersLoad) {
  constexpr double euler = pi * pi / 4;
  struct Case {
    double shear, engesser, mesh;  // GA L²/EI; P/P_E
  };
  for (const Case& c : {Case{25, 0.91017, 0.910185}, Case{5, 0.669577, 0.669607}}) {
    EXPECT_NEAR(c.engesser, 1 / (1 + euler / c.shear), 1e-6);
    const auto load = [shear = c.shear](int elements) {
      const Result r = solve(column(euler, shear, elements));
      const std::vector<Event> events = named(r.events, "bifurcation");
      EXPECT_EQ(events.size(), 1);
      return events[0].time;
    };
    const double fine = load(32), coarse = load(16);
    EXPECT_NEAR(fine, c.mesh, 1e-6);
    EXPECT_NEAR(fine + (fine - coarse) / 3, c.engesser, 1e-6);  // order 2 for thick rods
  }
}

// Gravity has its part in the stability: a heavy column buckles under its own weight, at
// q L³/EI = 7.8373 (Greenhill), and one that hangs never does.
TEST(Statics, FindsGreenhillsWeight) {
  CaseDescription d = cantilever(section(1e7, 1, 1e7), 1, 16, pi / 2);
  d.gravity = {0, -10};
  const Result r = solve(d);
  const std::vector<Event> events = named(r.events, "bifurcation");
  ASSERT_EQ(events.size(), 1);
  EXPECT_NEAR(10 * events[0].time, 7.83735, 2e-4);
  d.gravity = {0, 100};
  EXPECT_THAT(solve(d).events, IsEmpty());
}

// The same weight as a load along the rod.
TEST(Statics, FindsGreenhillsLoad) {
  CaseDescription d = cantilever(section(1e7, 1, 1e7), 1, 16, pi / 2);
  d.rod_loads = {{.name = "q", .on = "rod", .force = {{{0, -10}, {0, -10}}}}};
  const std::vector<Event> events = named(solve(d).events, "bifurcation");
  ASSERT_EQ(events.size(), 1);
  EXPECT_NEAR(10 * events[0].time, 7.83735, 2e-4);
}

// Beck's column has no neighbouring equilibrium at all; it flutters. Statics does not judge it.
TEST(Statics, DoesNotJudgeFollowerLoads) {
  CaseDescription d = column(0, 1e7, 8);
  d.point_loads = {{.name = "P", .at = "A", .force = {-3 * pi * pi, 0.0}, .follower = true}};
  const Result r = solve(d);
  EXPECT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  EXPECT_THAT(r.events, IsEmpty());
  EXPECT_THAT(r.summary.warnings, ::testing::ElementsAre(HasSubstr("not judged")));
  for (const Snapshot& s : r.path) EXPECT_EQ(s.statics.unstable_directions, -1);
}

// A slider-crank that a torsion spring holds: the crank turns by M/k, whatever hangs on it. Beyond
// a quarter turn and at the dead point other coordinates have to depend on the rest.
TEST(Statics, TurnsALinkageThroughItsDeadPoint) {
  CaseDescription d;
  d.points = {{"O", {0, 0}}, {"A", {1, 0}}, {"B", {1 + std::sqrt(3.75), 0.5}}};
  d.bodies = {{.name = "ground", .at = "O", .mass = 1, .inertia = 1},
              {.name = "crank", .at = "O", .mass = 1, .inertia = 1, .carries = {"A"}},
              {.name = "rod", .at = "A", .mass = 1, .inertia = 1, .carries = {"B"}}};
  d.hinges = {{.name = "motor",
               .at = "O",
               .members = {"ground", "crank"},
               .spring = HingeSpringDescription{.stiffness = 2}},
              {.name = "pin", .at = "A", .members = {"crank", "rod"}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true, .rod = "ground"},
                {.point = "B", .fix_y = true}};
  d.point_loads = {{.name = "M", .at = "O", .moment = 8.0, .rod = "crank"}};
  d.analysis = {.end = 1, .output_every = 1};
  const Result r = solve(d);
  ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  EXPECT_NEAR(r.last().hinges[0].angle, 4, 1e-9);
  EXPECT_NEAR(x_of(r.last(), 1), std::cos(4), 1e-9);
  EXPECT_NEAR(y_of(r.last(), 2), 0.5, 1e-12);
  EXPECT_NEAR(std::hypot(x_of(r.last(), 2) - x_of(r.last(), 1), 0.5 - y_of(r.last(), 1)), 2, 1e-9);
  EXPECT_NEAR(r.last().energy.external_work, 16, 1e-6);
  EXPECT_LT(r.summary.worst_balance, 1e-6);
}

// ------------------------------------------------------------------------------------- energy

void expect_balance(const CaseDescription& d, const StaticsOptions& options = {}) {
  const Result r = solve(d, options);
  ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  ASSERT_GE(r.path.size(), 3);
  EXPECT_GT(r.summary.largest_energy, 1e-3);
  EXPECT_LT(r.summary.worst_balance, 1e-7 * r.summary.largest_energy);
  double worst = 0;
  for (const Snapshot& s : r.path) {
    const EnergySnapshot& e = s.energy;
    const EnergySnapshot& first = r.path.front().energy;
    worst = std::max(worst, std::abs(e.strain + e.springs + e.gravity - first.strain -
                                     first.springs - e.external_work - e.rheonomic_work));
    EXPECT_EQ(e.kinetic, 0);
  }
  EXPECT_DOUBLE_EQ(worst, r.summary.worst_balance);
}

TEST(Statics, BalancesTheWorkOfDeadLoads) { expect_balance(bisshopp_drucker(10, 1e4, 6)); }

TEST(Statics, BalancesTheWorkAlongAWholePath) {
  expect_balance(lee_frame(2), {.follow_path = true});
}

TEST(Statics, BalancesTheWorkOfGravityAndLoadsAlongRods) {
  CaseDescription d = cantilever(section(1e4, 1, 1e4), 1, 6, 0.3);
  d.gravity = {1, -12};
  d.bodies = {
      {.name = "b", .at = "A", .rod = "rod", .mass = 0.3, .inertia = 0.1, .center = {0.1, 0.1}}};
  d.rod_loads = {{.name = "q", .on = "rod", .force = {{{0, 3}, {1, -2}}}, .moment = {0.3, 1}}};
  d.springs = {{.name = "s", .between = {"A", "O"}, .stiffness = 3, .length = 0.8}};
  expect_balance(d);
}

TEST(Statics, BalancesTheWorkOfFollowers) {
  CaseDescription d = cantilever(section(1e4, 1, 1e4), 1, 6, 0.3);
  d.point_loads = {{.name = "f", .at = "A", .force = {0.5, 3.0}, .follower = true}};
  expect_balance(d);
}

TEST(Statics, BalancesTheWorkOfPrescribedChanges) {
  CaseDescription d = cantilever(section(1e4, 1, 1e4), 1, 6, 0.3);
  d.supports[0].fix_angle = false;
  d.laws = {{"turn", LinearLaw{{0, 1}, {0, 1.2}}}, {"lift", LinearLaw{{0, 1}, {0, 0.4}}}};
  d.supports[0].angle = "turn";
  d.supports.push_back({.point = "A", .y = "lift"});
  expect_balance(d);
}

TEST(Statics, BalancesTheWorkOfFollowersAndPrescribedChanges) {
  CaseDescription d = cantilever(section(1e4, 1, 1e4), 1, 6, 0.3);
  d.supports[0].fix_angle = false;
  d.laws = {{"turn", LinearLaw{{0, 1}, {0, 1.2}}}, {"lift", LinearLaw{{0, 1}, {0, 0.4}}}};
  d.supports[0].angle = "turn";
  d.supports.push_back({.point = "A", .y = "lift"});
  d.point_loads = {{.name = "f", .at = "A", .force = {0.5, 3.0}, .follower = true}};
  expect_balance(d);
}

TEST(Statics, StopsWhenTheObserverSaysSo) {
  struct Stopper : Observer {
    bool proceed(const Progress&) override { return false; }
  } observer;
  const Model model = make_model(roll_up(1, 8));
  const RunSummary summary = run_statics(model, {}, {1}, observer).summary;
  EXPECT_EQ(summary.status, RunStatus::interrupted);
  EXPECT_EQ(summary.steps, 1);
}

// --- Prescribed changes --------------------------------------------------------------------------

CaseDescription moved_cantilever(double change) {
  CaseDescription d = cantilever(section(1e4, 10, 1e3), 1, 4);
  d.laws = {test::make_law("move", test::LawKind::smooth, {0, 1}, {0, change})};
  d.supports = {{.point = "O", .fix_y = true, .fix_angle = true, .x = "move"}};
  return d;
}

TEST(StaticsMoved, AStructureMayGoWhereItsOwnPointsAre) {
  // The foot arrives where the next node, the middle or the tip stood.
  for (const double change : {0.25, 0.5, 1.0, 3.0}) {
    const Result r = solve(moved_cantilever(change));
    ASSERT_EQ(r.summary.status, RunStatus::complete) << change << r.summary.reason;
    EXPECT_NEAR(r.last().position[3], 1 + change, 1e-9);  // X of the tip
  }
}

TEST(StaticsMoved, WithoutStressesHasNoLedgerToWarnOf) {
  for (const double change : {1e-3, 0.1, 0.7}) {
    EXPECT_THAT(solve(moved_cantilever(change)).summary.warnings, IsEmpty()) << change;
  }
}

TEST(StaticsMoved, HasTheWorkOfWhatIsPrescribedWhereNothingElseMoves) {
  CaseDescription d = cantilever(section(1e4, 10, 1e3), 1, 1);
  d.laws = {test::make_law("pull", test::LawKind::smooth, {0, 1}, {0, 0.2})};
  d.supports.push_back({.point = "A", .fix_y = true, .fix_angle = true, .x = "pull"});
  const Result r = solve(d);
  ASSERT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
  EXPECT_THAT(r.summary.warnings, IsEmpty());
  // EA u²/2L.
  EXPECT_NEAR(r.last().energy.strain, 200, 1e-9);
  EXPECT_NEAR(r.last().energy.rheonomic_work, 200, 1e-9);
}

}  // namespace
}  // namespace fem
