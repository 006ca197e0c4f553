// What stands in a hinge and may happen to it: what the model makes of it, and what is refused.
#include "libfem/model/hinge_parts.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/model/model.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/wheels.hpp"

namespace fem {
namespace {

using Kind = WhenDescription::Kind;
using test::problem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// Two wheels with everything in the hinge "a" but a drive.
CaseDescription full_case() {
  CaseDescription d = test::two_wheels();
  d.hinges[0].spring = HingeSpringDescription{.stiffness = 2, .neutral = 1, .preload = 3};
  d.hinges[0].viscosity = 0.5;
  d.hinges[0].friction = HingeFrictionDescription{.coulomb = 1, .static_moment = 2};
  d.hinges[0].stop = HingeStopDescription{.lower = -1, .upper = 2, .stiffness = 9, .viscosity = 1};
  d.hinges[0].latch = HingeLatchDescription{.angle = 1.5, .spring = LatchSpringDescription{7, 1}};
  d.hinges[0].holds = {{.until = WhenDescription{.value = 1}},
                       {.from = WhenDescription{.kind = Kind::angle, .value = 1, .hinge = "b"},
                        .until = WhenDescription{.kind = Kind::latched, .hinge = "b", .delay = 2}}};
  d.hinges[0].jam = WhenDescription{.kind = Kind::angle, .value = 1.2};
  d.hinges[1].latch = HingeLatchDescription{.angle = -1};
  return d;
}

using Change = std::function<void(CaseDescription&, HingeDescription&)>;

std::vector<Problem> after(const Change& change) {
  CaseDescription d = full_case();
  change(d, d.hinges[0]);
  return test::problems_of([&] { return make_model(d); });
}

TEST(HingeParts, AreResolved) {
  const Model model = make_model(full_case());
  const Hinge& a = model.hinges[0];
  ASSERT_TRUE(a.law && a.latch && a.jam);
  EXPECT_EQ(a.law->stiffness, 2);
  EXPECT_EQ(a.law->viscosity, 0.5);
  EXPECT_EQ(a.law->coulomb + a.law->peak, 2);
  EXPECT_EQ(a.law->stop_stiffness, 9);
  EXPECT_EQ(a.law->latch_stiffness, 0);  // not caught yet
  EXPECT_FALSE(a.stop);
  EXPECT_EQ(a.latch->spring.value().stiffness, 7);
  ASSERT_THAT(a.holds, SizeIs(2));
  EXPECT_FALSE(a.holds[0].from);
  EXPECT_EQ(a.holds[0].until.value().kind, When::Kind::time);
  EXPECT_EQ(a.holds[0].until->value, 1);
  EXPECT_EQ(a.holds[1].from.value().hinge, 1);
  EXPECT_EQ(a.holds[1].until.value().kind, When::Kind::latched);
  EXPECT_EQ(a.holds[1].until->delay, 2);
  EXPECT_EQ(a.jam->hinge, 0);  // its own angle
  EXPECT_EQ(a.locked, LockKind::hold);
  ASSERT_NE(a.lock, kNone);
  const Row& row = model.rows[static_cast<std::size_t>(a.lock)];
  EXPECT_EQ(row.kind, RowKind::hinge_lock);
  EXPECT_EQ(row.pointer, "/hinges/a/hold");
  EXPECT_EQ(model.hinges[1].locked, LockKind::none);
}

TEST(HingeParts, OfAHardStop) {
  CaseDescription d = test::wheel();
  d.hinges[0].stop = HingeStopDescription{.upper = 2, .restitution = 0.5};
  const Hinge h = make_model(d).hinges[0];
  EXPECT_FALSE(h.law);
  EXPECT_EQ(h.stop.value().lower, -kInf);
  EXPECT_EQ(h.stop->upper, 2);
  EXPECT_EQ(h.stop->restitution, 0.5);
}

TEST(HingeParts, LatchesAtTheirAngleHaveCaught) {
  CaseDescription d = test::wheel();
  for (const double off : {0.0, 5e-10, -5e-10}) {
    d.hinges[0].latch = HingeLatchDescription{.angle = off};
    d.hinges[0].holds = {{}};
    const Hinge rigid = make_model(d).hinges[0];
    EXPECT_TRUE(rigid.latched);
    EXPECT_EQ(rigid.locked, LockKind::latch);
    d.hinges[0].holds.clear();
    d.hinges[0].latch->spring = LatchSpringDescription{7, 2};
    const Hinge gives = make_model(d).hinges[0];
    EXPECT_TRUE(gives.latched);
    EXPECT_EQ(gives.locked, LockKind::none);
    EXPECT_EQ(gives.law.value().latch_stiffness, 7);
    EXPECT_EQ(gives.law->latch_viscosity, 2);
    EXPECT_EQ(gives.law->latch_angle, off);
  }
  d.hinges[0].latch = HingeLatchDescription{.angle = 2e-9};
  EXPECT_FALSE(make_model(d).hinges[0].latched);
}

TEST(HingePartsErrors, AreNoneInTheFullCase) {
  EXPECT_THAT(after([](auto&, auto&) {}), IsEmpty());
}

TEST(HingePartsErrors, OfSprings) {
  const auto table = [](std::vector<std::array<double, 2>> points) {
    return after([&](auto&, auto& h) { h.spring = HingeSpringDescription{.table = points}; });
  };
  const std::string at = "/hinges/a/spring";
  EXPECT_THAT(table({{0, 1}, {1, 0}}), IsEmpty());
  EXPECT_THAT(table({{0, 1}}), ElementsAre(problem(at + "/table", "one point", "two")));
  EXPECT_THAT(
      table({{0, 1}, {2, 1}, {2, 0}}),
      ElementsAre(problem(at + "/table", "2 rad does not come after 2 rad", "increase strictly")));
  EXPECT_THAT(table({{0, 1}, {1, kNaN}}), ElementsAre(problem(at + "/table", "not finite")));
  EXPECT_THAT(table({{-kInf, 1}, {1, 0}}), ElementsAre(problem(at + "/table", "not finite")));
  EXPECT_THAT(after([](auto&, auto& h) {
                h.spring->table = {{0, 1}, {1, 0}};
              }),
              ElementsAre(problem(at, "beside stiffness", "alone")));
  EXPECT_THAT(after([](auto&, auto& h) {
                h.spring =
                    HingeSpringDescription{.stiffness = kInf, .neutral = kNaN, .preload = -kInf};
              }),
              ElementsAre(problem(at + "/stiffness", "inf"), problem(at + "/neutral", "nan"),
                          problem(at + "/preload", "-inf")));
}

TEST(HingePartsErrors, OfDampersAndFriction) {
  EXPECT_THAT(after([](auto&, auto& h) { h.viscosity = -0.5; }),
              ElementsAre(problem("/hinges/a/damper/viscosity", "-0.5", "zero or a positive")));
  EXPECT_THAT(after([](auto&, auto& h) { h.viscosity = kInf; }), SizeIs(1));
  const std::string at = "/hinges/a/friction/";
  EXPECT_THAT(after([](auto&, auto& h) { h.friction->coulomb = -1; }),
              ElementsAre(problem(at + "coulomb", "-1")));
  EXPECT_THAT(after([](auto&, auto& h) { h.friction->coulomb = 3; }),
              ElementsAre(problem(at + "static", "2 N m is less", "at least coulomb, 3 N m")));
  EXPECT_THAT(after([](auto&, auto& h) { h.friction->stribeck_rate = 0; }),
              ElementsAre(problem(at + "stribeck_rate", "0", "positive")));
  EXPECT_THAT(after([](auto&, auto& h) { h.friction->regularization = kNaN; }),
              ElementsAre(problem(at + "regularization", "nan")));
}

TEST(HingePartsErrors, OfStops) {
  const std::string at = "/hinges/a/stop";
  const auto stop = [](HingeStopDescription s) {
    return after([&](auto&, auto& h) { h.stop = s; });
  };
  EXPECT_THAT(stop({.stiffness = 1}), ElementsAre(problem(at, "no limit")));
  EXPECT_THAT(stop({.lower = 2, .upper = 2, .stiffness = 1}),
              ElementsAre(problem(at + "/upper", "2 rad is not above", "lower, 2 rad")));
  EXPECT_THAT(stop({.lower = kNaN, .upper = kInf, .stiffness = 1}), SizeIs(2));
  EXPECT_THAT(stop({.upper = 2}), ElementsAre(problem(at + "/stiffness", "0", "positive")));
  EXPECT_THAT(stop({.upper = 2, .stiffness = 1, .viscosity = -1}),
              ElementsAre(problem(at + "/viscosity", "-1")));
  for (const double e : {-0.1, 1.1, kNaN}) {
    EXPECT_THAT(stop({.upper = 2, .restitution = e}),
                ElementsAre(problem(at + "/restitution", "the value is", "0 (it stays there)")));
  }
  EXPECT_THAT(stop({.upper = 2, .stiffness = 1, .restitution = 1}),
              ElementsAre(problem(at, "restitution stands beside")));
  EXPECT_THAT(
      stop({.upper = 1.4, .restitution = 1}),
      ElementsAre(problem("/hinges/a/latch/angle", "1.5 rad is beyond", "give at most 1.4 rad")));
  EXPECT_THAT(stop({.lower = 0.1, .restitution = 1}),
              ElementsAre(problem(at + "/lower", "starts at 0 rad, beyond", "move the limit")));
  EXPECT_THAT(stop({.upper = 2, .restitution = 0}), IsEmpty());
}

TEST(HingePartsErrors, OfLatches) {
  const std::string at = "/hinges/a/latch";
  EXPECT_THAT(after([](auto&, auto& h) { h.latch->angle = kNaN; }),
              ElementsAre(problem(at + "/angle", "nan")));
  EXPECT_THAT(after([](auto&, auto& h) { h.latch->spring->stiffness = 0; }),
              ElementsAre(problem(at + "/spring/stiffness", "0", "positive")));
  EXPECT_THAT(after([](auto&, auto& h) { h.latch->spring->viscosity = -1; }),
              ElementsAre(problem(at + "/spring/viscosity", "-1")));
}

TEST(HingePartsErrors, OfHoldsAndJams) {
  const std::string at = "/hinges/a/hold";
  const auto hold = [](HingeHoldDescription description) {
    return after([&](auto&, auto& h) { h.holds = {description}; });
  };
  EXPECT_THAT(hold({}), IsEmpty());
  EXPECT_THAT(hold({.until = WhenDescription{.value = 0}}),
              ElementsAre(problem(at + "/until", "ends at 0 s", "more than 0")));
  EXPECT_THAT(hold({.from = WhenDescription{.value = 2}, .until = WhenDescription{.value = 2}}),
              ElementsAre(problem(at + "/until", "ends at 2 s", "more than 2")));
  EXPECT_THAT(hold({.from = WhenDescription{.value = -1}}),
              ElementsAre(problem(at + "/from", "-1", "not less than 0")));
  EXPECT_THAT(hold({.until = WhenDescription{.kind = Kind::angle, .value = kInf, .hinge = "b"}}),
              ElementsAre(problem(at + "/until", "inf", "finite angle")));
  EXPECT_THAT(hold({.until = WhenDescription{.kind = Kind::latched, .hinge = "b", .delay = -1}}),
              ElementsAre(problem(at + "/until/delay", "-1", "zero or")));
  EXPECT_THAT(hold({.until = WhenDescription{.kind = Kind::angle, .value = 1}}),
              ElementsAre(problem(at + "/until", "does not move while it is held", "\"of\"")));
  EXPECT_THAT(hold({.until = WhenDescription{.kind = Kind::latched, .hinge = "bb"}}),
              ElementsAre(problem(at + "/until/latched", "no hinge 'bb'", "'a' and 'b'")));
  EXPECT_THAT(hold({.from = WhenDescription{.kind = Kind::angle, .hinge = "c"}}),
              ElementsAre(problem(at + "/from/of", "no hinge 'c'")));
  EXPECT_THAT(hold({.from = WhenDescription{.kind = Kind::latched}}),
              ElementsAre(problem(at + "/from", "own latch", "another hinge")));
  EXPECT_THAT(after([](auto& d, auto&) { d.hinges[1].latch.reset(); }),
              ElementsAre(problem(at + "/1/until/latched", "'b' has no latch", "with a latch")));
  EXPECT_THAT(
      after([](auto&, auto& h) { h.jam = WhenDescription{.kind = Kind::latched, .hinge = "a"}; }),
      ElementsAre(problem("/hinges/a/jam/at", "own latch")));
}

TEST(HingePartsErrors, OfWhatIsDriven) {
  EXPECT_THAT(after([](auto&, auto& h) { h.drive = 0.0; }),
              UnorderedElementsAre(problem("/hinges/a/latch", "driven"),
                                   problem("/hinges/a/hold", "driven"),
                                   problem("/hinges/a/jam", "driven")));
  EXPECT_THAT(after([](auto&, auto& h) {
                h = {.name = "a", .at = "O", .members = h.members, .drive = 0.0};
                h.stop = HingeStopDescription{.upper = 1, .restitution = 0};
              }),
              ElementsAre(problem("/hinges/a/stop/restitution", "driven", "remove the drive")));
}

TEST(HingePartsErrors, OfHingesThatWaitForOneAnother) {
  const auto wait_for = [](const char* hinge) {
    return std::vector<HingeHoldDescription>{
        {.until = WhenDescription{.kind = Kind::latched, .hinge = hinge}}};
  };
  EXPECT_THAT(after([&](auto& d, auto& h) {
                h.holds = wait_for("b");
                d.hinges[1].holds = wait_for("a");
              }),
              ElementsAre(AllOf(problem("/hinges/a/hold/until", "'a' and 'b' wait", "by a time"))));
  EXPECT_THAT(after([&](auto& d, auto& h) {
                h.holds = wait_for("b");
                d.hinges[1].holds = {{.until = WhenDescription{.value = 1}}};
              }),
              IsEmpty());
}

TEST(HingePartsErrors, AreAllFoundInOnePass) {
  EXPECT_THAT(after([](auto& d, auto& h) {
                h.viscosity = -1;
                h.latch->angle = kInf;
                h.jam->hinge = "nobody";
                d.hinges[1].spring = HingeSpringDescription{.table = {{0, 0}}};
              }),
              SizeIs(4));
}

}  // namespace
}  // namespace fem
