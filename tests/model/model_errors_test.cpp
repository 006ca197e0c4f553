// What make_model says about cases that are wrong: the pointer, the value found, what is allowed.
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/base/error.hpp"
#include "libfem/model/model.hpp"
#include "tests/support/models.hpp"
#include "tests/support/problems.hpp"

namespace fem {
namespace {

using test::LawKind;
using test::problem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Two rods and a hinge between them; a third rod goes on rigidly.
CaseDescription good_case() {
  CaseDescription d;
  d.sections = {test::bar_section()};
  d.laws = {test::make_law("open", LawKind::smooth, {0, 1}, {0, 1}),
            test::make_law("late", LawKind::smooth, {0, 1}, {0.5, 1})};
  d.points = {{"O", {0, 0}}, {"A", {1, 0}}, {"B", {2, 0}}, {"C", {3, 0}}};
  d.rods = {{"first", "bar", "O", "A"}, {"second", "bar", "A", "B"}, {"third", "bar", "B", "C"}};
  d.hinges = {{"elbow", "A", {"first", "second"}, "open"}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .angle = "open"}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

// The problems of the good case after a change.
std::vector<Problem> after(const std::function<void(CaseDescription&)>& change) {
  CaseDescription d = good_case();
  change(d);
  return test::problems_of([&] { return make_model(d); });
}

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ModelErrors, AreNoneInTheGoodCase) {
  EXPECT_THAT(after([](auto&) {}), IsEmpty());
}

TEST(ModelErrors, NameARodWhoseLengthNoNumberHolds) {
  EXPECT_THAT(after([](auto& d) {
                d.points[0] = {"O", {-1.5e308, 0}};
                d.points[1] = {"A", {1.5e308, 0}};
              }),
              Contains(problem("/rods/first", "the rod's length is not finite", "nearer")));
}

TEST(ModelErrors, NameADanglingSection) {
  EXPECT_THAT(after([](auto& d) { d.rods[1].section = "baz"; }),
              ElementsAre(problem("/rods/second/section", "no section 'baz'", "'bar'")));
  EXPECT_THAT(after([](auto& d) { d.rods[1].section = "tube"; }),
              ElementsAre(problem("/rods/second/section", "no section 'tube'", "'bar'")));
}

TEST(ModelErrors, NameADanglingPointWithTheNearestName) {
  EXPECT_THAT(
      after([](auto& d) {
        d.points[1].name = "elbow";
        d.hinges[0].at = "elbow";
        d.rods[0].to = "elbow";
        d.rods[1].from = "elbwo";
      }),
      ElementsAre(problem("/rods/second/from", "no point 'elbwo'", "did you mean 'elbow'?")));
  EXPECT_THAT(
      after([](auto& d) { d.rods[2].to = "somewhere"; }),
      ElementsAre(problem("/rods/third/to", "no point 'somewhere'", "'O', 'A', 'B' and 'C'")));
  EXPECT_THAT(after([](auto& d) { d.hinges[0].at = "nowhere"; }),
              ElementsAre(problem("/hinges/elbow/at", "no point 'nowhere'", "'A'")));
  EXPECT_THAT(after([](auto& d) { d.supports[0].point = "nowhere"; }),
              ElementsAre(problem("/supports/nowhere", "no point 'nowhere'", "'A'")));
}

TEST(ModelErrors, NameADanglingRodWithTheNearestName) {
  EXPECT_THAT(after([](auto& d) { d.hinges[0].members[1] = "secnod"; }),
              ElementsAre(problem("/hinges/elbow/members/1", "no rod or body 'secnod'",
                                  "did you mean 'second'?")));
  EXPECT_THAT(
      after([](auto& d) { d.supports[0].rod = "frist"; }),
      ElementsAre(problem("/supports/O/rod", "no rod or body 'frist'", "did you mean 'first'?")));
}

TEST(ModelErrors, NameADanglingLawWithTheNearestName) {
  EXPECT_THAT(after([](auto& d) { d.hinges[0].drive = "opem"; }),
              ElementsAre(problem("/hinges/elbow/drive", "no law 'opem'", "did you mean 'open'?")));
  EXPECT_THAT(after([](auto& d) { d.supports[0].angle = "opne"; }),
              ElementsAre(problem("/supports/O/angle", "no law 'opne'", "did you mean 'open'?")));
  EXPECT_THAT(after([](auto& d) {
                d.supports[0].fix_x = false;
                d.supports[0].x = "shake";
              }),
              ElementsAre(problem("/supports/O/x", "no law 'shake'", "'open' and 'late'")));
}

TEST(ModelErrors, SayWhereARodHasZeroLength) {
  EXPECT_THAT(after([](auto& d) { d.points[3].position = d.points[2].position; }),
              ElementsAre(problem("/rods/third", "zero length", "move one of the points")));
  EXPECT_THAT(after([](auto& d) { d.rods[2].to = "B"; }),
              ElementsAre(problem("/rods/third", "'B' and 'B'", "name another")));
}

TEST(ModelErrors, AskForAtLeastOneElement) {
  for (const int elements : {0, -3}) {
    EXPECT_THAT(
        after([&](auto& d) { d.rods[0].elements = elements; }),
        ElementsAre(problem("/rods/first/elements", std::to_string(elements), "at least 1")));
  }
}

TEST(ModelErrors, SayWhereAHingesRodIsElsewhere) {
  EXPECT_THAT(after([](auto& d) { d.hinges[0].members[1] = "third"; }),
              ElementsAre(problem("/hinges/elbow/members/1",
                                  "'third' does not end at point 'A' of this hinge",
                                  "'first' and 'second'")));
  EXPECT_THAT(after([](auto& d) { d.supports[0].rod = "third"; }),
              ElementsAre(problem("/supports/O/rod",
                                  "'third' does not end at point 'O' of this support", "'first'")));
}

TEST(ModelErrors, SayWhereAHingesMembersAreEqual) {
  EXPECT_THAT(after([](auto& d) {
                d.hinges[0].members = {"first", "first"};
              }),
              ElementsAre(problem("/hinges/elbow/members", "'first'", "two different members")));
}

TEST(ModelErrors, SayWhereAThirdRodIsNotHinged) {
  EXPECT_THAT(after([](auto& d) {
                d.rods.push_back({"fourth", "bar", "C", "A"});
              }),
              ElementsAre(problem("/rods/fourth", "no hinge there names it",
                                  "'first', 'second' and 'fourth'")));
}

TEST(ModelErrors, SayWhereAnyRodIsNotHinged) {
  // Wherever it stands in the case, before the hinged ones too.
  EXPECT_THAT(after([](auto& d) {
                d.rods.insert(d.rods.begin(), {"zeroth", "bar", "C", "A"});
              }),
              ElementsAre(problem("/rods/zeroth", "no hinge there names it",
                                  "'zeroth', 'first' and 'second'")));
}

TEST(ModelErrors, SayWhereASupportHoldsNothing) {
  EXPECT_THAT(after([](auto& d) { d.supports.push_back({.point = "C"}); }),
              ElementsAre(problem("/supports/C", "holds nothing", "\"fix\"")));
}

TEST(ModelErrors, SayWhereASupportHasNoRodForItsAngle) {
  EXPECT_THAT(after([](auto& d) {
                d.points.push_back({"alone", {5, 5}});
                d.supports.push_back({.point = "alone", .fix_angle = true});
              }),
              ElementsAre(problem("/supports/alone", "nothing turns at point 'alone'",
                                  "where a rod ends or a body stands")));
}

TEST(ModelErrors, SayWhereASupportsAngleIsAmbiguous) {
  EXPECT_THAT(after([](auto& d) { d.supports.push_back({.point = "A", .fix_angle = true}); }),
              ElementsAre(problem("/supports/A", "several angles", "'first' and 'second'")));
}

TEST(ModelErrors, SayWhereSomethingIsFixedAndPrescribed) {
  for (const std::string key : {"x", "y", "angle"}) {
    EXPECT_THAT(
        after([&](auto& d) {
          d.supports[0] = {.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true};
          (key == "x"   ? d.supports[0].x
           : key == "y" ? d.supports[0].y
                        : d.supports[0].angle) = "open";
        }),
        ElementsAre(problem("/supports/O/" + key, "both fixed and prescribed", "not both")));
  }
}

TEST(ModelErrors, SayWhereALawDoesNotStartAtZero) {
  EXPECT_THAT(after([](auto& d) { d.hinges[0].drive = "late"; }),
              ElementsAre(problem("/hinges/elbow/drive", "0.5 rad at the start", "start at 0")));
  EXPECT_THAT(after([](auto& d) { d.supports[0].angle = 0.25; }),
              ElementsAre(problem("/supports/O/angle", "0.25 rad at the start", "start at 0")));
  // Points before t = 0: the law is somewhere between them at the start.
  EXPECT_THAT(after([](auto& d) {
                d.laws[0] = test::make_law("open", LawKind::linear, {-1, 1}, {0, 1});
              }),
              ElementsAre(problem("/hinges/elbow/drive", "0.5 rad at the start", "start at 0"),
                          problem("/supports/O/angle", "0.5 rad at the start", "start at 0")));
}

TEST(ModelErrors, SayThatNothingIsMovedByAJump) {
  const auto with = [](Law law) { return after([&](auto& d) { d.laws[0] = {"open", law}; }); };
  const auto expected = ElementsAre(problem("/hinges/elbow/drive", "jumps", "only loads"),
                                    problem("/supports/O/angle", "jumps", "only loads"));
  const StepsLaw steps{{0, 1}, {0, 1}};
  EXPECT_THAT(with(steps), expected);
  EXPECT_THAT(with(SumLaw{{ConstantLaw{0}, steps}}), expected);
  EXPECT_THAT(with(StepsLaw{{0, 1}, {0, 0}}), IsEmpty());
}

TEST(ModelErrors, TakeASumThatIsZeroButForRoundings) {
  // −sin(0.3) + sin(0.3), as someone writes it.
  const HarmonicLaw law{
      .amplitude = 1, .angular_frequency = 2, .phase = 0.3, .mean = -0.2955202066613396};
  EXPECT_THAT(after([&](auto& d) { d.laws[0] = {"open", law}; }), IsEmpty());
}

TEST(ModelErrors, SayWhichSectionNumbersAreBad) {
  const auto with = [](double SectionDescription::*member, double value) {
    return after([=](auto& d) { d.sections[0].*member = value; });
  };
  using S = SectionDescription;
  for (const double bad : {-1.0, 0.0, kNaN, kInf}) {
    EXPECT_THAT(with(&S::axial_stiffness, bad),
                ElementsAre(problem("/sections/bar/EA", "the value is", "positive")));
    EXPECT_THAT(with(&S::bending_stiffness, bad),
                ElementsAre(problem("/sections/bar/EI", "the value is", "positive")));
    EXPECT_THAT(with(&S::shear_stiffness, bad),
                ElementsAre(problem("/sections/bar/GAs", "the value is", "positive")));
    EXPECT_THAT(with(&S::mass_per_length, bad),
                ElementsAre(problem("/sections/bar/mass_per_length", "the value is", "positive")));
  }
  for (const double bad : {-1.0, kNaN, kInf}) {
    EXPECT_THAT(
        with(&S::inertia_per_length, bad),
        ElementsAre(problem("/sections/bar/inertia_per_length", "the value is", "zero or")));
    EXPECT_THAT(with(&S::stiffness_damping, bad),
                ElementsAre(problem("/sections/bar/stiffness_damping", "the value is", "zero or")));
    EXPECT_THAT(with(&S::mass_damping, bad),
                ElementsAre(problem("/sections/bar/mass_damping", "the value is", "zero or")));
    EXPECT_THAT(with(&S::height, bad),
                ElementsAre(problem("/sections/bar/height", "the value is", "zero or")));
    EXPECT_THAT(with(&S::modulus, bad),
                ElementsAre(problem("/sections/bar/E", "the value is", "zero or")));
  }
  for (const double bad : {kNaN, kInf, -kInf}) {
    EXPECT_THAT(with(&S::mass_offset, bad),
                ElementsAre(problem("/sections/bar/mass_offset", "the value is", "finite")));
  }
  EXPECT_THAT(with(&S::inertia_per_length, 0), IsEmpty());
  EXPECT_THAT(with(&S::axial_stiffness, -2.5),
              ElementsAre(problem("/sections/bar/EA", "the value is -2.5", "positive")));
}

TEST(ModelErrors, SayWhereTheInertiaIsNotAboutTheAxis) {
  // I_z = I_c + m y_c² about the axis: 0.28 · 0.1² = 2.8e-3 at least.
  const auto with = [](double offset, double inertia) {
    return after([=](auto& d) {
      d.sections[0].mass_offset = offset;
      d.sections[0].inertia_per_length = inertia;
    });
  };
  for (const double offset : {0.1, -0.1}) {
    EXPECT_THAT(with(offset, 2.8e-3), IsEmpty());
    EXPECT_THAT(with(offset, 2.79e-3), ElementsAre(problem("/sections/bar/inertia_per_length",
                                                           "0.00279", "at least 0.0028")));
  }
}

TEST(ModelErrors, TellSmallNumbersFromZero) {
  // The value found is what the user wrote, also where it is small.
  EXPECT_THAT(after([](auto& d) { d.sections[0].axial_stiffness = -1e-9; }),
              ElementsAre(problem("/sections/bar/EA", "the value is -1e-09", "positive")));
}

TEST(ModelErrors, SayWhichLawsAreBad) {
  const auto with = [](Law law) { return after([&](auto& d) { d.laws.push_back({"bad", law}); }); };
  const auto expected = ElementsAre(problem("/laws/bad", "not in order", "strictly increasing"));
  EXPECT_THAT(with(LinearLaw{{0, 1, 1}, {0, 1, 2}}), expected);
  EXPECT_THAT(with(SmoothLaw{{0, 2, 1}, {0, 1, 2}}), expected);
  EXPECT_THAT(with(SmoothLaw{{0, 1}, {0, 1, 2}}), expected);
  EXPECT_THAT(with(LinearLaw{}), expected);
  EXPECT_THAT(with(LinearLaw{{0, kNaN}, {0, 1}}), expected);
  EXPECT_THAT(with(LinearLaw{{0, 1}, {0, kInf}}), expected);
  EXPECT_THAT(with(ConstantLaw{kNaN}), expected);
  EXPECT_THAT(with(HarmonicLaw{.amplitude = kInf}), expected);
  EXPECT_THAT(with(PolynomialLaw{{1}, {2, 2}}), expected);
  EXPECT_THAT(with(SumLaw{{SmoothLaw{{0, 2, 1}, {0, 1, 2}}}}), expected);
}

TEST(ModelErrors, SayWhichPointsAreNotFinite) {
  for (const double bad : {kNaN, kInf, -kInf}) {
    for (const std::size_t k : {0U, 1U}) {
      EXPECT_THAT(after([=](auto& d) { d.points[3].position[k] = bad; }),
                  Contains(problem("/points/C", "not finite", "[x, y]")));
    }
  }
}

TEST(ModelErrors, EscapeNamesInPointers) {
  EXPECT_THAT(after([](auto& d) {
                d.rods[2].name = "a/b~c";
                d.rods[2].section = "none";
              }),
              ElementsAre(problem("/rods/a~1b~0c/section", "'none'", "'bar'"),
                          problem("/rods/a~1b~0c", "'a/b~c' is not allowed", "without '/'")));
}

TEST(ModelErrors, OfPartsAreAllReportedInOnePass) {
  EXPECT_THAT(after([](auto& d) {
                d.sections[0].axial_stiffness = -1;
                d.laws.push_back({"bad", LinearLaw{{1, 0}, {0, 0}}});
                d.points[0].position[0] = kInf;
                d.rods[0].section = "none";
                d.rods[1].from = "none";
                d.rods[1].to = "neither";
                d.rods[2].elements = 0;
              }),
              UnorderedElementsAre(
                  problem("/sections/bar/EA", "-1"), problem("/laws/bad"), problem("/points/O"),
                  problem("/rods/first/section", "'none'"), problem("/rods/second/from", "'none'"),
                  problem("/rods/second/to", "'neither'"), problem("/rods/third/elements", "0")));
}

TEST(ModelErrors, OfJointsAreAllReportedInOnePass) {
  EXPECT_THAT(after([](auto& d) {
                d.hinges.push_back({"h1", "none", {"first", "second"}, {}});
                d.hinges.push_back({"h2", "B", {"second", "missing"}, "missing"});
                d.supports.push_back({.point = "C"});
                d.supports.push_back({.point = "A", .fix_y = true, .y = 0.0, .angle = "late"});
              }),
              UnorderedElementsAre(problem("/hinges/h1/at", "'none'"),
                                   problem("/hinges/h2/members/1", "no rod or body 'missing'"),
                                   problem("/hinges/h2/drive", "law 'missing'"),
                                   problem("/supports/C", "holds nothing"),
                                   problem("/supports/A/y", "both"),
                                   problem("/supports/A", "several angles"),
                                   problem("/supports/A/angle", "0.5 rad at the start")));
}

TEST(ModelErrors, OfPartsAndJointsAreReportedInOnePass) {
  EXPECT_THAT(after([](auto& d) {
                d.rods[2].section = "none";
                d.hinges[0].drive = "missing";
                d.supports[0].point = "nowhere";
              }),
              UnorderedElementsAre(problem("/rods/third/section"), problem("/hinges/elbow/drive"),
                                   problem("/supports/nowhere")));
}

TEST(ModelErrors, DoNotBringFollowUps) {
  // A hinge with a bad law is still a hinge: the rods there have several angles, and none is
  // without a hinge.
  EXPECT_THAT(after([](auto& d) {
                d.rods.push_back({"fourth", "bar", "A", "C"});
                d.hinges.push_back({"side", "A", {"first", "fourth"}, "missing"});
              }),
              ElementsAre(problem("/hinges/side/drive")));
  EXPECT_THAT(
      after([](auto& d) {
        d.hinges[0].drive = "missing";
        d.supports.push_back({.point = "A", .fix_angle = true});
      }),
      ElementsAre(problem("/hinges/elbow/drive"), problem("/supports/A", "several angles")));
  // A point that is nowhere gives no rod a length of zero.
  EXPECT_THAT(after([](auto& d) { d.points[3].position[1] = kNaN; }),
              ElementsAre(problem("/points/C", "not finite")));
}

}  // namespace
}  // namespace fem
