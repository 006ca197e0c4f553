// What make_model says about objects that are wrong, called directly: an embedding program is
// refused like a case file. Names, bodies, particles, springs, loads, gravity, rods, analysis.
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"
#include "libfem/model/model.hpp"
#include "tests/support/models.hpp"
#include "tests/support/problems.hpp"

namespace fem {
namespace {

using test::LawKind;
using test::problem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Two hinged rods with an object of every kind.
CaseDescription good_case() {
  CaseDescription d;
  d.sections = {test::bar_section()};
  d.laws = {test::make_law("gust", LawKind::smooth, {0, 1}, {0, 1})};
  d.points = {{"O", {0, 0}}, {"A", {1, 0}}, {"B", {2, 0}}, {"P", {1, 1}}, {"W", {3, 3}}};
  d.rods = {{"first", "bar", "O", "A"}, {"second", "bar", "A", "B"}};
  d.hinges = {{"elbow", "A", {"first", "second"}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true}};
  d.bodies = {{.name = "ball", .at = "B", .rod = "second", .mass = 1, .inertia = 0.1},
              {.name = "hub", .at = "P", .mass = 2, .inertia = 0.2, .center = {0.1, 0}}};
  d.particles = {{"bead", "B", 0.5}};
  d.springs = {{.name = "cable", .between = {"P", "W"}, .stiffness = 10}};
  d.point_loads = {{.name = "push", .at = "B", .force = {"gust", 1.0}}};
  d.rod_loads = {{.name = "wind", .on = "first", .force = {{{0, 1}, {0, 2}}}, .factor = "gust"}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

std::vector<Problem> after(const std::function<void(CaseDescription&)>& change) {
  CaseDescription d = good_case();
  change(d);
  return test::problems_of([&] { return make_model(d); });
}

TEST(ModelObjectErrors, AreNoneInTheGoodCase) {
  EXPECT_THAT(after([](auto&) {}), IsEmpty());
}

// --- Names ---------------------------------------------------------------------------------------

TEST(ModelNames, AreGivenOnce) {
  EXPECT_THAT(after([](auto& d) { d.sections.push_back(d.sections[0]); }),
              ElementsAre(problem("/sections/bar", "two sections", "name of its own")));
  EXPECT_THAT(after([](auto& d) { d.laws.push_back(d.laws[0]); }),
              ElementsAre(problem("/laws/gust", "two laws", "name of its own")));
  EXPECT_THAT(after([](auto& d) { d.points.push_back(d.points[4]); }),
              ElementsAre(problem("/points/W", "two points are named 'W'", "name of its own")));
  EXPECT_THAT(after([](auto& d) { d.hinges.push_back(d.hinges[0]); }),
              ElementsAre(problem("/hinges/elbow", "two hinges", "name of its own")));
  EXPECT_THAT(after([](auto& d) {
                d.rods.push_back({"first", "bar", "B", "W"});
                d.hinges[0].members = {"second", "first"};
              }),
              ElementsAre(problem("/rods/first", "two rods", "name of its own")));
  EXPECT_THAT(after([](auto& d) {
                d.bodies.push_back({.name = "hub", .at = "W", .mass = 1, .inertia = 1});
              }),
              ElementsAre(problem("/bodies/hub", "two bodies", "name of its own")));
  EXPECT_THAT(after([](auto& d) { d.particles.push_back(d.particles[0]); }),
              ElementsAre(problem("/particles/bead", "two particles", "name of its own")));
  EXPECT_THAT(after([](auto& d) { d.springs.push_back(d.springs[0]); }),
              ElementsAre(problem("/springs/cable", "two springs", "name of its own")));
  EXPECT_THAT(after([](auto& d) { d.point_loads.push_back(d.point_loads[0]); }),
              ElementsAre(problem("/loads/push", "two loads", "name of its own")));
  EXPECT_THAT(after([](auto& d) { d.rod_loads.push_back(d.rod_loads[0]); }),
              ElementsAre(problem("/loads/wind", "two loads", "name of its own")));
  EXPECT_THAT(after([](auto& d) { d.rod_loads[0].name = "push"; }),
              ElementsAre(problem("/loads/push", "two loads", "name of its own")));
  EXPECT_THAT(after([](auto& d) { d.bodies[1].name = "first"; }),
              ElementsAre(problem("/bodies/first", "a rod is named 'first' too", "another name")));
}

TEST(ModelNames, ArePathsOfTheResults) {
  for (const std::string bad : {"", ".", "a/b", "a\nb"}) {
    EXPECT_THAT(after([&](auto& d) { d.particles[0].name = bad; }),
                ElementsAre(problem(join_pointer("/particles", bad), "is not allowed", "paths")));
    EXPECT_THAT(after([&](auto& d) { d.springs[0].name = bad; }),
                ElementsAre(problem(join_pointer("/springs", bad), "is not allowed", "paths")));
    EXPECT_THAT(after([&](auto& d) { d.point_loads[0].name = bad; }),
                ElementsAre(problem(join_pointer("/loads", bad), "is not allowed", "paths")));
    EXPECT_THAT(after([&](auto& d) { d.hinges[0].name = bad; }),
                ElementsAre(problem(join_pointer("/hinges", bad), "is not allowed", "paths")));
  }
}

// --- Dangling names ------------------------------------------------------------------------------

TEST(ModelObjectErrors, NameDanglingPointsWithTheNearestName) {
  const auto expected = [](const std::string& pointer) {
    return ElementsAre(problem(pointer, "no point 'X'", "'O', 'A', 'B', 'P' and 'W'"));
  };
  EXPECT_THAT(after([](auto& d) { d.bodies[1].at = "X"; }), expected("/bodies/hub/at"));
  EXPECT_THAT(after([](auto& d) { d.particles[0].at = "X"; }), expected("/particles/bead/at"));
  EXPECT_THAT(after([](auto& d) { d.springs[0].between[0] = "X"; }),
              expected("/springs/cable/between/0"));
  EXPECT_THAT(after([](auto& d) { d.springs[0].between[1] = "X"; }),
              expected("/springs/cable/between/1"));
  EXPECT_THAT(after([](auto& d) { d.point_loads[0].at = "X"; }), expected("/loads/push/at"));
}

TEST(ModelObjectErrors, NameDanglingRodsAndLawsWithTheNearestName) {
  EXPECT_THAT(after([](auto& d) { d.bodies[0].rod = "secnod"; }),
              ElementsAre(problem("/bodies/ball/rod", "no rod 'secnod'", "mean 'second'?")));
  EXPECT_THAT(after([](auto& d) { d.rod_loads[0].on = "frist"; }),
              ElementsAre(problem("/loads/wind/on", "no rod 'frist'", "mean 'first'?")));
  EXPECT_THAT(after([](auto& d) { d.rod_loads[0].on = "hub"; }),
              ElementsAre(problem("/loads/wind/on", "no rod 'hub'", "'first' and 'second'")));
  EXPECT_THAT(after([](auto& d) { d.point_loads[0].rod = "frist"; }),
              ElementsAre(problem("/loads/push/rod", "no rod or body 'frist'", "mean 'first'?")));
  EXPECT_THAT(after([](auto& d) { d.point_loads[0].force[1] = "gist"; }),
              ElementsAre(problem("/loads/push/force/1", "no law 'gist'", "mean 'gust'?")));
  EXPECT_THAT(after([](auto& d) {
                d.point_loads[0].moment = "gist";
                d.point_loads[0].rod = "second";
              }),
              ElementsAre(problem("/loads/push/moment", "no law 'gist'", "mean 'gust'?")));
  EXPECT_THAT(after([](auto& d) { d.rod_loads[0].factor = "gist"; }),
              ElementsAre(problem("/loads/wind/factor", "no law 'gist'", "mean 'gust'?")));
}

TEST(ModelObjectErrors, SayWhereANamedRodIsElsewhere) {
  EXPECT_THAT(after([](auto& d) { d.bodies[0].rod = "first"; }),
              ElementsAre(problem("/bodies/ball/rod",
                                  "'first' does not end at point 'B' of this body", "'second'")));
  EXPECT_THAT(after([](auto& d) { d.point_loads[0].rod = "first"; }),
              ElementsAre(problem("/loads/push/rod",
                                  "'first' does not end at point 'B' of this load", "'second'")));
}

TEST(ModelObjectErrors, SayThatABodySitsOnRodsOnly) {
  EXPECT_THAT(after([](auto& d) {
                d.bodies.push_back({.name = "lid", .at = "P", .rod = "hub", .mass = 1});
              }),
              ElementsAre(problem("/bodies/lid/rod", "no rod 'hub'", "'first' and 'second'")));
}

// --- Angles of loads -----------------------------------------------------------------------------

TEST(ModelObjectErrors, SayWhereALoadsAngleIsAmbiguousOrAbsent) {
  const auto expected = ElementsAre(problem("/loads/push", "several angles", "\"rod\": one of"));
  EXPECT_THAT(after([](auto& d) {
                d.point_loads[0].at = "A";
                d.point_loads[0].moment = 1.0;
              }),
              expected);
  EXPECT_THAT(after([](auto& d) {
                d.point_loads[0].at = "A";
                d.point_loads[0].follower = true;
              }),
              expected);
  EXPECT_THAT(after([](auto& d) { d.point_loads[0].at = "A"; }), IsEmpty()) << "a force alone";
  EXPECT_THAT(
      after([](auto& d) {
        d.point_loads[0].at = "W";
        d.point_loads[0].moment = "gust";
      }),
      ElementsAre(problem("/loads/push", "nothing turns at point 'W'", "where a rod ends")));
}

// --- Numbers -------------------------------------------------------------------------------------

TEST(ModelObjectErrors, SayWhichNumbersAreBad) {
  struct Case {
    std::string pointer;
    std::function<void(CaseDescription&, double)> set;
    bool negative;  // is wrong
    bool zero;
  };
  const std::vector<Case> cases = {
      {"/gravity/0", [](auto& d, double x) { d.gravity[0] = x; }, false, false},
      {"/gravity/1", [](auto& d, double x) { d.gravity[1] = x; }, false, false},
      {"/rods/first/curvature", [](auto& d, double x) { d.rods[0].curvature = x; }, false, false},
      {"/rods/first/elongation", [](auto& d, double x) { d.rods[0].elongation = x; }, true, false},
      {"/particles/bead/mass", [](auto& d, double x) { d.particles[0].mass = x; }, true, true},
      {"/particles/bead/velocity", [](auto& d, double x) { d.particles[0].velocity[1] = x; }, false,
       false},
      {"/springs/cable/stiffness",
       [](auto& d, double x) {
         d.springs[0].stiffness = x;
         d.springs[0].viscosity = 1;
       },
       true, false},
      {"/springs/cable/viscosity", [](auto& d, double x) { d.springs[0].viscosity = x; }, true,
       false},
      {"/springs/cable/length", [](auto& d, double x) { d.springs[0].length = x; }, true, false},
      {"/loads/push/force/0", [](auto& d, double x) { d.point_loads[0].force[0] = x; }, false,
       false},
      {"/loads/push/moment", [](auto& d, double x) { d.point_loads[0].moment = x; }, false, false},
      {"/loads/wind/force/1/0", [](auto& d, double x) { d.rod_loads[0].force[1][0] = x; }, false,
       false},
      {"/loads/wind/moment/0", [](auto& d, double x) { d.rod_loads[0].moment[0] = x; }, false,
       false},
      {"/loads/wind/factor", [](auto& d, double x) { d.rod_loads[0].factor = x; }, false, false},
      {"/analysis/end", [](auto& d, double x) { d.analysis.end = x; }, true, false},
      {"/analysis/output/every", [](auto& d, double x) { d.analysis.output_every = x; }, true,
       false},
      {"/analysis/method/local_tolerance",
       [](auto& d, double x) { d.analysis.method.local_tolerance = x; }, true, true},
      {"/analysis/method/iteration_tolerance",
       [](auto& d, double x) { d.analysis.method.iteration_tolerance = x; }, true, true},
      {"/analysis/method/frequency_limit",
       [](auto& d, double x) { d.analysis.method.frequency_limit = x; }, true, true},
      {"/analysis/method/reference_length",
       [](auto& d, double x) { d.analysis.method.reference_length = x; }, true, true},
      {"/analysis/method/reference_time",
       [](auto& d, double x) { d.analysis.method.reference_time = x; }, true, true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pointer);
    const auto with = [&](double x) { return after([&](CaseDescription& d) { c.set(d, x); }); };
    const auto refused = ElementsAre(problem(c.pointer, "", "finite"));
    for (const double bad : {kNaN, kInf, -kInf}) {
      const bool limit = c.pointer == "/analysis/method/frequency_limit";
      EXPECT_THAT(with(bad), limit ? ElementsAre(problem(c.pointer, "", "at most 1.7")) : refused);
    }
    EXPECT_THAT(with(-1.0).empty(), !c.negative);
    EXPECT_THAT(with(0.0).empty(), !c.zero);
    EXPECT_THAT(with(1.0), IsEmpty());
  }
}

TEST(ModelObjectErrors, SayWhichBodiesCannotBe) {
  const auto with = [](double mass, double inertia, double x) {
    return after([=](auto& d) {
      d.bodies[0].mass = mass;
      d.bodies[0].inertia = inertia;
      d.bodies[0].center = {0, x};
    });
  };
  EXPECT_THAT(with(0, 0, 0), IsEmpty());
  EXPECT_THAT(with(2, 0.5, 0.5), IsEmpty());
  for (const auto& bad :
       {with(-1, 1, 0), with(1, -1, 0), with(2, 0.499, 0.5), with(2, 0.499, -0.5), with(kNaN, 1, 0),
        with(1, kNaN, 0), with(1, 1, kNaN), with(kInf, 1, 0), with(1, kInf, 0), with(1, 1, kInf)}) {
    EXPECT_THAT(bad, ElementsAre(problem("/bodies/ball", "no body has", "about the point")));
  }
}

TEST(ModelObjectErrors, AskForMassAndInertiaOfAFreeBody) {
  const auto expected = ElementsAre(problem("/bodies/hub", "mass and inertia", "give both"));
  EXPECT_THAT(after([](auto& d) { d.bodies[1].mass = 0; }), expected);
  EXPECT_THAT(after([](auto& d) {
                d.bodies[1].inertia = 0;
                d.bodies[1].center = {0, 0};
              }),
              expected);
}

// --- Contradictions ------------------------------------------------------------------------------

TEST(ModelObjectErrors, SayWhereASpringHasNoDirection) {
  const auto expected = ElementsAre(problem("/springs/cable", "no direction", "move one"));
  EXPECT_THAT(after([](auto& d) { d.springs[0].between = {"P", "P"}; }), expected);
  const auto together = [](double length, double viscosity) {
    return after([=](auto& d) {
      d.points[4].position = d.points[3].position;
      d.springs[0].length = length;
      d.springs[0].viscosity = viscosity;
    });
  };
  EXPECT_THAT(together(0.1, 0), expected);
  EXPECT_THAT(together(0, 0.1), expected) << "a damper has no direction either";
  EXPECT_THAT(together(0, 0), IsEmpty());
}

TEST(ModelObjectErrors, SayWhereASpringDoesNothing) {
  EXPECT_THAT(after([](auto& d) { d.springs[0].stiffness = 0; }),
              ElementsAre(problem("/springs/cable", "neither", "greater than 0")));
}

TEST(ModelObjectErrors, SayWhereParticlesInOnePointPart) {
  const auto second = [](double x, double y) {
    return after([=](auto& d) {
      d.particles[0].velocity = {1, 2};
      d.particles.push_back({"pearl", "B", 1, {x, y}});
    });
  };
  EXPECT_THAT(second(1, 2), IsEmpty());
  EXPECT_THAT(second(0, 0), IsEmpty()) << "the velocity is given once";
  EXPECT_THAT(second(1, 3),
              ElementsAre(problem("/particles/pearl/velocity", "is given twice", "give it once")));
}

TEST(ModelObjectErrors, ABodyThatNoHingeNamesIsReported) {
  EXPECT_THAT(after([](auto& d) { d.bodies[1].at = "A"; }),
              ElementsAre(problem("/bodies/hub", "no hinge there names it", "\"drive\": 0")));
}

TEST(ModelObjectErrors, ALoadFollowsOneLineThatHasADirection) {
  const auto along = [](const char* from, const char* to, bool follower) {
    return after([&](auto& d) {
      d.points.push_back({"twin", {3, 3}});
      d.point_loads[0].along = {from, to};
      d.point_loads[0].follower = follower;
    });
  };
  EXPECT_THAT(along("P", "W", false), IsEmpty());
  EXPECT_THAT(along("twin", "W", false),
              ElementsAre(problem("/loads/push/along", "has no direction", "move one of them")));
  EXPECT_THAT(along("P", "W", true),
              ElementsAre(problem("/loads/push/follower", "follows a line already", "keep one")));
}

TEST(ModelObjectErrors, AnExpressionIsOfPositionsOrOfVelocities) {
  const auto with = [](const std::optional<std::string>& position,
                       const std::optional<std::string>& velocity) {
    return after([&](auto& d) {
      d.constraints = {{.name = "rail", .position = position, .velocity = velocity}};
    });
  };
  EXPECT_THAT(with("y_P - 1", {}), IsEmpty());
  const auto refused =
      ElementsAre(problem("/constraints/rail", "neither of positions nor", "give one of"));
  EXPECT_THAT(with({}, {}), refused);
  EXPECT_THAT(with("y_P - 1", "vy_P"), refused);
}

TEST(ModelObjectErrors, AreAllReportedInOnePass) {
  EXPECT_THAT(after([](auto& d) {
                d.gravity[0] = kNaN;
                d.bodies[0].mass = -1;
                d.particles[0].at = "X";
                d.springs[0].viscosity = -1;
                d.point_loads[0].force[0] = "X";
                d.rod_loads[0].on = "X";
                d.analysis.end = kInf;
              }),
              UnorderedElementsAre(
                  problem("/gravity/0"), problem("/bodies/ball"), problem("/particles/bead/at"),
                  problem("/springs/cable/viscosity"), problem("/loads/push/force/0"),
                  problem("/loads/wind/on"), problem("/analysis/end")));
}

}  // namespace
}  // namespace fem
