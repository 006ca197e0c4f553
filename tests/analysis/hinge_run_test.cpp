// Runs whose hinges latch, are held and let go, jam and strike stops: against exact solutions.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/analysis/dynamics.hpp"
#include "tests/analysis/record.hpp"
#include "tests/support/wheels.hpp"

namespace fem {
namespace {

using std::numbers::pi;
using test::loaded_wheel;
using test::Record;
using test::two_wheels;
using test::wheel;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

RunSummary run(const CaseDescription& d, Record& record) {
  return run_dynamics(make_model(d), {1}, record);
}

Record record_of(const CaseDescription& d) {
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
  return record;
}

const HingeSnapshot& last_hinge(const Record& record, std::size_t h = 0) {
  return record.snapshots.back().hinges[h];
}

std::vector<std::string> first_words(const Record& record) {
  std::vector<std::string> words;
  for (const Event& e : record.events) {
    words.push_back(e.name + " " + e.what.substr(0, e.what.find(" at ")));
  }
  return words;
}

// Models without rods make a thousand steps at least. The scheme is of second order: errors are
// fractions of the square of a step, times rates and accelerations of three at most.
double error_of(const CaseDescription& d) {
  const double step =
      std::min(1.0, d.analysis.method.frequency_limit.value_or(1.0)) * d.analysis.end / 1000;
  return 3 * step * step;
}

// The errors of the second-order steps: the value at three step lengths, its order, and the limit.
struct Limit {
  double order, value;
};
template <class Quantity>
Limit find_limit(CaseDescription d, const Quantity& quantity) {
  std::vector<double> x;
  for (const double limit : {0.4, 0.2, 0.1}) {
    d.analysis.method.frequency_limit = limit;
    d.analysis.method.local_tolerance = 1;
    x.push_back(quantity(record_of(d)));
  }
  return {std::log2((x[0] - x[1]) / (x[1] - x[2])), x[2] + (x[2] - x[1]) / 3};
}

// ---------------------------------------------------------------------------------------- latches

// Benchmark: J = 1, k = 1 about π, from rest at 0; φ = π(1 − cos t) arrives at π/2 when t = π/3.
CaseDescription latching_wheel() {
  CaseDescription d = wheel();
  d.hinges[0].spring = HingeSpringDescription{.stiffness = 1, .neutral = pi};
  d.hinges[0].latch = HingeLatchDescription{.angle = pi / 2};
  return d;
}

TEST(Latch, IsLocatedInTimeAndTakesTheEnergy) {
  const CaseDescription d = latching_wheel();
  // Fourth-order remainders of the extrapolation: (error of the last)² of 1e-7, times a few.
  const Limit time = find_limit(d, [](const Record& r) { return r.events.at(0).time; });
  EXPECT_NEAR(time.order, 2, 0.05);
  EXPECT_NEAR(time.value, pi / 3, 1e-9);
  const Limit lost =
      find_limit(d, [](const Record& r) { return r.snapshots.back().energy.dissipated; });
  EXPECT_NEAR(lost.order, 2, 0.05);
  EXPECT_NEAR(lost.value, 3.7011016504, 1e-8);
  EXPECT_NEAR(lost.value, 0.5 * 2.7206990464 * 2.7206990464, 1e-8);

  const Record record = record_of(d);
  ASSERT_EQ(record.events.size(), 1U);
  EXPECT_EQ(record.events[0].name, "h");
  EXPECT_EQ(
      record.events[0].what,
      "latched at 1.5708 rad, rate 2.7207 rad/s; impulse -2.7207 N m s, energy lost 3.7011 J");
  for (const Snapshot& s : record.snapshots) {
    const bool latched = s.time > pi / 3;
    EXPECT_EQ(s.hinges[0].state, latched ? 2 : 0);
    if (!latched) continue;
    EXPECT_NEAR(s.hinges[0].angle, pi / 2, 1e-15);
    EXPECT_EQ(s.hinges[0].rate, 0);
    // The lock carries what the spring pushes with: the wheel at rest needs no moment.
    EXPECT_NEAR(s.hinges[0].moment, 0, 1e-14);
    EXPECT_EQ(s.energy.kinetic, 0);
    EXPECT_NEAR(s.energy.balance, record.snapshots.back().energy.balance, 1e-14);
  }
}

TEST(Latch, CatchesFromAboveToo) {
  CaseDescription d = latching_wheel();
  d.hinges[0].spring->neutral = -pi;
  d.hinges[0].latch->angle = -pi / 2;
  const Record record = record_of(d);
  ASSERT_EQ(record.events.size(), 1U);
  EXPECT_NEAR(record.events[0].time, pi / 3, error_of(d));
  EXPECT_NEAR(last_hinge(record).angle, -pi / 2, 1e-15);
}

TEST(Latch, CountsTheTurnsOfTheHinge) {
  // S = 2 − φ/10 by a table: φ = 20(1 − cos(t/√10)), more than three turns on the way.
  for (const double angle : {5.0, 19.0}) {
    CaseDescription d = wheel();
    d.analysis.end = 8;
    d.hinges[0].spring = HingeSpringDescription{.table = {{0, 2}, {10, 1}, {20, 0}}};
    d.hinges[0].latch = HingeLatchDescription{.angle = angle};
    const Limit time = find_limit(d, [](const Record& r) { return r.events.at(0).time; });
    EXPECT_NEAR(time.value, std::sqrt(10) * std::acos(1 - angle / 20), 1e-7);
    d.analysis.output_every = 0.01;
    const Record record = record_of(d);
    EXPECT_NEAR(last_hinge(record).angle, angle, 1e-14);
    double before = 0;
    for (const Snapshot& s : record.snapshots) {
      EXPECT_GE(s.hinges[0].angle, before - 1e-14);
      EXPECT_LT(s.hinges[0].angle, before + 0.1);
      before = s.hinges[0].angle;
    }
  }
}

TEST(Latch, ThatStandsAtItsAngleIsLockedFromTheStart) {
  CaseDescription d = latching_wheel();
  d.hinges[0].latch->angle = 0;
  const Record record = record_of(d);
  EXPECT_THAT(record.events, IsEmpty());
  for (const Snapshot& s : record.snapshots) {
    EXPECT_EQ(s.hinges[0].state, 2);
    EXPECT_EQ(s.hinges[0].angle, 0);
    EXPECT_EQ(s.energy.kinetic, 0);
    EXPECT_EQ(s.energy.dissipated, 0);
    EXPECT_EQ(s.energy.balance, 0);
  }
}

TEST(Latch, WithASpringGivesAndComesToRest) {
  // From the latch on J φ̈ + c φ̇ + k φ + k_l (φ − φ_l) = k π: the exact damped oscillation.
  CaseDescription d = latching_wheel();
  const double stiffness = 24;
  const double viscosity = 2;
  d.hinges[0].latch->spring = LatchSpringDescription{stiffness, viscosity};
  d.analysis.output_every = 0.25;
  const double rate = pi * std::sin(pi / 3);
  const double rest = (pi + stiffness * pi / 2) / (1 + stiffness);
  const double decay = viscosity / 2;
  const double w = std::sqrt(1 + stiffness - decay * decay);
  const double a = pi / 2 - rest;
  const double b = (rate + decay * a) / w;
  const double t = 2 - pi / 3;
  const double expected = rest + std::exp(-decay * t) * (a * std::cos(w * t) + b * std::sin(w * t));
  const Limit angle = find_limit(d, [](const Record& r) { return last_hinge(r).angle; });
  EXPECT_NEAR(angle.order, 2, 0.1);
  EXPECT_NEAR(angle.value, expected, 1e-6);
  const Limit balance =
      find_limit(d, [](const Record& r) { return r.snapshots.back().energy.balance; });
  EXPECT_NEAR(balance.value, 0, 1e-6);
  const Record record = record_of(d);
  ASSERT_EQ(record.events.size(), 1U);
  EXPECT_THAT(record.events[0].what,
              StartsWith("latched at 1.5708 rad, rate 2.7207 rad/s; its spring"));
  EXPECT_EQ(last_hinge(record).state, 2);
  // What the hinge transmits is the moment of both springs and of the damper.
  const HingeSnapshot& h = last_hinge(record);
  EXPECT_NEAR(h.moment, pi - h.angle - stiffness * (h.angle - pi / 2) - viscosity * h.rate, 1e-12);
}

TEST(Latch, SharesTheMomentumOfTwoFreeBodies) {
  // Two wheels on a point that is free: L₁ + L₂ = 0 before and after, so both stop; and with the
  // first one held to a heavy base it does not matter.
  CaseDescription d = wheel(2);
  d.supports.clear();
  d.hinges[0].spring = HingeSpringDescription{.stiffness = 1, .neutral = pi};
  d.hinges[0].latch = HingeLatchDescription{.angle = pi / 2};
  const Limit lost =
      find_limit(d, [](const Record& r) { return r.snapshots.back().energy.dissipated; });
  // The same potential turns into kinetic energy, whatever the reduced inertia 2/3.
  EXPECT_NEAR(lost.value, 3.7011016504, 1e-8);
  const Limit time = find_limit(d, [](const Record& r) { return r.events.at(0).time; });
  EXPECT_NEAR(time.value, pi / 3 * std::sqrt(2.0 / 3), 1e-9);
}

TEST(Latch, OfSeveralHingesAtOneInstantAreHandledOneAfterAnother) {
  // The same motion of both: stiffness over inertia is 1.
  CaseDescription d = two_wheels();
  for (std::size_t h = 0; h < 2; ++h) {
    d.hinges[h].spring =
        HingeSpringDescription{.stiffness = static_cast<double>(h + 1), .neutral = pi};
    d.hinges[h].latch = HingeLatchDescription{.angle = pi / 2};
  }
  const Record record = record_of(d);
  EXPECT_THAT(first_words(record), ElementsAre("a latched", "b latched"));
  EXPECT_NEAR(record.events[0].time, record.events[1].time, 1e-9);
  EXPECT_NEAR(last_hinge(record, 0).angle, pi / 2, 1e-9);
  EXPECT_NEAR(last_hinge(record, 1).angle, pi / 2, 1e-9);
  const Limit lost =
      find_limit(d, [](const Record& r) { return r.snapshots.back().energy.dissipated; });
  EXPECT_NEAR(lost.value, 3 * 3.7011016504, 3e-8);
}

TEST(Latch, InAStepAreTakenInTheOrderOfTime) {
  // The second is the faster; both within one step of a tenth of a second.
  CaseDescription d = two_wheels();
  for (std::size_t h = 0; h < 2; ++h) {
    d.hinges[h].spring = HingeSpringDescription{.stiffness = 1, .neutral = pi};
    d.hinges[h].latch = HingeLatchDescription{.angle = h == 0 ? 0.5001 : 0.25};
  }
  d.hinges[1].latch->angle = pi * (1 - std::cos(std::acos(1 - 0.5 / pi) * std::sqrt(0.5)));
  d.analysis.method.frequency_limit = 1.7;
  const Record record = record_of(d);
  EXPECT_THAT(first_words(record), ElementsAre("b latched", "a latched"));
  EXPECT_LT(record.events[0].time, record.events[1].time);
  EXPECT_LT(record.events[1].time - record.events[0].time, 2e-3);
}

// --------------------------------------------------------------------------- holds, releases, jams

TEST(Hold, LetsGoAtItsTime) {
  CaseDescription d = latching_wheel();
  d.hinges[0].holds = {{.until = WhenDescription{.value = 0.7}}};
  const Record record = record_of(d);
  EXPECT_THAT(first_words(record), ElementsAre("h released", "h latched"));
  EXPECT_EQ(record.events[0].time, 0.7);
  EXPECT_NEAR(record.events[1].time, 0.7 + pi / 3, error_of(d));
  for (const Snapshot& s : record.snapshots) {
    if (s.time > 0.7) break;
    EXPECT_EQ(s.hinges[0].state, 1);
    EXPECT_EQ(s.hinges[0].angle, 0);
    EXPECT_NEAR(s.hinges[0].moment, 0, 1e-14);
  }
  EXPECT_THAT(record.warnings, IsEmpty());
}

TEST(Hold, LetsGoWhenAnotherHingeHasLatched) {
  CaseDescription d = two_wheels();
  d.analysis.end = 4;
  for (HingeDescription& h : d.hinges) {
    h.spring = HingeSpringDescription{.stiffness = 1, .neutral = pi};
    h.latch = HingeLatchDescription{.angle = pi / 2};
  }
  WhenDescription when{.kind = WhenDescription::Kind::latched, .hinge = "a"};
  d.hinges[1].holds = {{.until = when}};
  const Record at_once = record_of(d);
  EXPECT_THAT(first_words(at_once), ElementsAre("a latched", "b released", "b latched"));
  EXPECT_EQ(at_once.events[1].time, at_once.events[0].time);
  EXPECT_THAT(at_once.events[1].what, HasSubstr("'a' latched"));
  EXPECT_NEAR(at_once.events[2].time, pi / 3 * (1 + std::sqrt(2)), 2 * error_of(d));

  d.hinges[1].holds[0].until->delay = 0.25;
  const Record later = record_of(d);
  EXPECT_THAT(first_words(later), ElementsAre("a latched", "b released", "b latched"));
  EXPECT_EQ(later.events[1].time, later.events[0].time + 0.25);
  EXPECT_THAT(later.events[1].what, HasSubstr("0.25 s after 'a' latched"));
}

TEST(Hold, WaitsForTheAngleOfAnotherHinge) {
  CaseDescription d = two_wheels();
  d.hinges[0].spring = HingeSpringDescription{.stiffness = 1, .neutral = pi};
  d.hinges[1].holds = {{.until = WhenDescription{
                            .kind = WhenDescription::Kind::angle, .value = pi / 2, .hinge = "a"}}};
  const Record record = record_of(d);
  ASSERT_EQ(record.events.size(), 1U);
  EXPECT_NEAR(record.events[0].time, pi / 3, error_of(d));
  EXPECT_EQ(record.events[0].what, "released at 0 rad, 'a' came to 1.5708 rad");
}

TEST(Hold, LocksOnTheWayAndLetsGoAgain) {
  // φ = t²/2 until 1 s, held until 1.5 s, from rest again.
  CaseDescription d = loaded_wheel(1.0);
  d.hinges[0].holds = {
      {.from = WhenDescription{.value = 1}, .until = WhenDescription{.value = 1.5}}};
  const Record record = record_of(d);
  EXPECT_THAT(first_words(record), ElementsAre("h held", "h released"));
  EXPECT_NEAR(last_hinge(record).angle, 0.5 + 0.125, error_of(d));
  EXPECT_NEAR(last_hinge(record).rate, 0.5, error_of(d));
  EXPECT_NEAR(record.snapshots.back().energy.dissipated, 0.5, error_of(d));
  EXPECT_NEAR(record.snapshots.back().energy.external_work, 0.625, error_of(d));
  for (const Snapshot& s : record.snapshots) {
    EXPECT_NEAR(s.energy.balance, 0, error_of(d));
    if (s.time < 1.01 || s.time > 1.49) continue;
    EXPECT_NEAR(s.hinges[0].moment, -1, 1e-14);  // holds the motor's moment
  }
}

TEST(Hold, ThatIsOverBeforeItBeginsNeverBegins) {
  CaseDescription d = loaded_wheel(1.0);
  d.hinges[0].holds = {{.from = WhenDescription{.kind = WhenDescription::Kind::angle, .value = 1},
                        .until = WhenDescription{.value = 1}}};
  EXPECT_THAT(record_of(d).events, IsEmpty());
}

TEST(Hold, OfTwoKeepsTheHingeUntilBothAreOver) {
  CaseDescription d = loaded_wheel(1.0);
  d.hinges[0].holds = {
      {.until = WhenDescription{.value = 0.5}},
      {.from = WhenDescription{.value = 0.25}, .until = WhenDescription{.value = 1}}};
  const Record record = record_of(d);
  EXPECT_THAT(first_words(record), ElementsAre("h released"));
  EXPECT_EQ(record.events[0].time, 1);
}

TEST(Jam, StopsTheHingeForGood) {
  CaseDescription d = latching_wheel();
  d.hinges[0].jam = WhenDescription{.kind = WhenDescription::Kind::angle, .value = 1};
  d.hinges[0].holds = {
      {.from = WhenDescription{.value = 1.2}, .until = WhenDescription{.value = 1.4}}};
  const Limit time = find_limit(d, [](const Record& r) { return r.events.at(0).time; });
  EXPECT_NEAR(time.value, std::acos(1 - 1 / pi), 1e-9);
  const Record record = record_of(d);
  EXPECT_THAT(first_words(record), ElementsAre("h jammed"));
  EXPECT_EQ(last_hinge(record).state, 3);
  EXPECT_NEAR(last_hinge(record).angle, 1, 1e-15);
  EXPECT_NEAR(last_hinge(record).moment, 0, 1e-14);
}

TEST(Jam, AtATimeHoldsAgainstTheSpring) {
  CaseDescription d = latching_wheel();
  d.hinges[0].jam = WhenDescription{.value = 0.5};
  const Record record = record_of(d);
  EXPECT_THAT(first_words(record), ElementsAre("h jammed"));
  EXPECT_EQ(record.events[0].time, 0.5);
  EXPECT_NEAR(last_hinge(record).angle, pi * (1 - std::cos(0.5)), error_of(d));
}

TEST(Jam, OfADrivenMemberIsANamedFailure) {
  // Both members are moved by laws: the lock contradicts them.
  CaseDescription d = wheel();
  d.laws = {{"turn", LinearLaw{{0, 2}, {0, 1}}}};
  d.supports.clear();
  d.points.push_back({"P", {1, 0}});
  d.sections = {test::soft_section()};
  d.rods = {{"rod", "soft", "O", "P", 1}};
  d.bodies = {{.name = "base", .at = "O", .mass = 1, .inertia = 1}};
  d.hinges[0].members = {"base", "rod"};
  d.hinges[0].jam = WhenDescription{.value = 1};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true, .rod = "base"},
                {.point = "P", .angle = "turn"}};
  Record record;
  EXPECT_EQ(run(d, record).status, RunStatus::complete);  // the rod bends
  d.supports[1] = {.point = "P"};
  d.supports.pop_back();
  d.hinges[0].drive = "turn";
  d.hinges.push_back({.name = "twin", .at = "O", .members = {"rod", "base"}});
  d.hinges[0].jam.reset();
  d.hinges[1].jam = WhenDescription{.value = 1};
  Record failed;
  const RunSummary summary = run(d, failed);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_THAT(summary.reason, HasSubstr("at t = 1 s"));
  EXPECT_THAT(summary.reason, HasSubstr("lock of hinge 'twin'"));
  EXPECT_THAT(summary.reason, HasSubstr("drive of hinge 'h'"));
  EXPECT_NEAR(summary.final_time, 1, 0.11);
}

// ------------------------------------------------------------------------------------------ stops

CaseDescription bouncing_wheel(double restitution) {
  CaseDescription d = loaded_wheel(1.0);
  d.hinges[0].stop = HingeStopDescription{.upper = 0.5, .restitution = restitution};
  d.analysis.end = 4;
  return d;
}

TEST(HardStop, ReturnsTheRateTimesTheRestitution) {
  // Rates e^n ω₁ with ω₁ = 1 at t = 1; hops of 2eⁿ: like a ball on the floor. Rests at 1 +
  // 2e/(1−e).
  const double e = 0.5;
  CaseDescription d = bouncing_wheel(e);
  d.analysis.output_every = 0.05;
  const Record record = record_of(d);
  ASSERT_GE(record.events.size(), 6U);
  double time = 1;
  double lost = 0;
  double rate = 1;
  for (std::size_t n = 0; n + 1 < record.events.size(); ++n) {
    EXPECT_NEAR(record.events[n].time, time, error_of(d)) << n;
    EXPECT_THAT(record.events[n].what, StartsWith("stop hit at 0.5 rad, rate from "));
    lost += 0.5 * (1 - e * e) * rate * rate;
    for (const Snapshot& s : record.snapshots) {  // between this blow and the next one
      if (s.time < time + 1e-3 || s.time > time + 2 * e * rate - 1e-3) continue;
      EXPECT_NEAR(s.energy.dissipated, lost, error_of(d));
      const double since = s.time - time;
      EXPECT_NEAR(s.hinges[0].rate, since - e * rate, error_of(d));
      EXPECT_NEAR(s.hinges[0].moment, 0, 1e-12);
    }
    rate *= e;
    time += 2 * rate;
  }
  EXPECT_THAT(record.events.back().what, StartsWith("stop hit and rested on at 0.5 rad"));
  EXPECT_NEAR(record.events.back().time, 3, 0.02);
  const Snapshot& end = record.snapshots.back();
  EXPECT_EQ(end.hinges[0].state, 5);
  EXPECT_NEAR(end.hinges[0].angle, 0.5, 1e-11);
  EXPECT_NEAR(end.hinges[0].moment, -1, 1e-14);          // the stop carries the motor's moment
  EXPECT_NEAR(end.energy.dissipated, 0.5, error_of(d));  // all its work
  for (const Snapshot& s : record.snapshots) {
    EXPECT_NEAR(s.energy.balance, 0, error_of(d));
    EXPECT_LT(s.hinges[0].angle, 0.5 + 1e-11);
  }
}

TEST(HardStop, WithoutLossGoesOnForEver) {
  CaseDescription d = bouncing_wheel(1);
  d.analysis.end = 20;
  const Record record = record_of(d);
  ASSERT_EQ(record.events.size(), 10U);
  for (std::size_t n = 0; n < 10; ++n) {
    EXPECT_NEAR(record.events[n].time, 1 + 2 * static_cast<double>(n), error_of(d));
  }
  EXPECT_NEAR(record.snapshots.back().energy.dissipated, 0, error_of(d));
}

TEST(HardStop, WithoutReboundIsRestedOnAtOnce) {
  const CaseDescription d = bouncing_wheel(0);
  const Record record = record_of(d);
  ASSERT_EQ(record.events.size(), 1U);
  EXPECT_THAT(record.events[0].what, StartsWith("stop hit and rested on at 0.5 rad, rate 1"));
  const Limit lost =
      find_limit(d, [](const Record& r) { return r.snapshots.back().energy.dissipated; });
  EXPECT_NEAR(lost.value, 0.5, 1e-8);
}

TEST(HardStop, IsLeftWhenTheMomentTurns) {
  // The motor's moment falls from 1 to −1 between 2 and 3 s: at 2.5 s it draws the wheel off.
  for (const double side : {1.0, -1.0}) {
    CaseDescription d = loaded_wheel("motor");
    d.laws = {{"motor", LinearLaw{{0, 2, 3}, {side, side, -side}}}};
    d.hinges[0].stop = HingeStopDescription{.lower = -0.5, .upper = 0.5, .restitution = 0};
    d.analysis.end = 3;
    const Record record = record_of(d);
    EXPECT_THAT(first_words(record), ElementsAre("h stop hit and rested on", "h leaves its stop"));
    EXPECT_NEAR(record.events[1].time, 2.5, 1e-12);
    // M = −2τ afterwards: φ = 0.5 − τ³/3.
    EXPECT_NEAR(last_hinge(record).angle, side * (0.5 - 0.125 / 3), error_of(d));
    EXPECT_EQ(last_hinge(record).state, 0);
    for (const Snapshot& s : record.snapshots) {
      EXPECT_NEAR(s.energy.balance, 0, error_of(d));
      if (s.time > 1.01 && s.time < 2.49) {
        EXPECT_EQ(s.hinges[0].state, side > 0 ? 5 : 4);
      }
    }
  }
}

TEST(HardStop, IsRestedOnFromTheStart) {
  CaseDescription d = bouncing_wheel(0.5);
  d.hinges[0].stop->upper = 0;
  const Record pressed = record_of(d);
  EXPECT_THAT(first_words(pressed), ElementsAre("h rests on its stop"));
  EXPECT_EQ(last_hinge(pressed).angle, 0);
  EXPECT_EQ(pressed.snapshots.back().energy.dissipated, 0);
  d.point_loads[0].moment = -1.0;
  d.analysis.end = 1;
  const Record drawn_off = record_of(d);
  EXPECT_THAT(drawn_off.events, IsEmpty());
  EXPECT_NEAR(last_hinge(drawn_off).angle, -0.5, error_of(d));
}

TEST(HardStop, BetweenTwoStopsTheWheelGoesToAndFro) {
  // Without a moment, after a push of 0.1 s: a blow every 1/ω, less by e each time.
  CaseDescription d = loaded_wheel("push");
  d.laws = {{"push", LinearLaw{{0, 0.1, 0.1 + 1e-9}, {10, 10, 0}}}};
  d.hinges[0].stop = HingeStopDescription{.lower = -0.5, .upper = 0.5, .restitution = 0.8};
  d.analysis.end = 6;
  d.analysis.method.frequency_limit = 0.1;
  d.analysis.method.reference_time = 0.1;  // in which the push is over
  const Record record = record_of(d);
  ASSERT_EQ(record.events.size(), 4U);
  double time = 0.1 + 0.45;  // φ = 0.05 and ω = 1 at 0.1 s
  double rate = 1;
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_NEAR(record.events[n].time, time, 4 * error_of(d));
    rate *= 0.8;
    time += 1 / rate;
  }
  EXPECT_NEAR(last_hinge(record).rate, std::pow(0.8, 4), 4 * error_of(d));
}

TEST(HardStop, OfTwoHingesAtOneInstant) {
  CaseDescription d = two_wheels();
  for (std::size_t h = 0; h < 2; ++h) {
    const double moment = static_cast<double>(h + 1);
    d.point_loads.push_back(
        {.name = d.hinges[h].name, .at = "O", .moment = moment, .rod = d.hinges[h].members[1]});
    d.hinges[h].stop = HingeStopDescription{.upper = 0.5, .restitution = 0.5};
  }
  d.analysis.end = 1.5;
  const Record record = record_of(d);
  EXPECT_THAT(first_words(record), ElementsAre("a stop hit", "b stop hit"));
  EXPECT_NEAR(record.events[0].time, 1, error_of(d));
  EXPECT_NEAR(record.events[1].time, 1, error_of(d));
  EXPECT_NEAR(record.snapshots.back().energy.dissipated, 3 * 0.375, error_of(d));
}

TEST(HardStop, ThatIsRestedOnOpensWhenABlowDrawsTheHingeOff) {
  // A chain base – first – second about one point. The second wheel is driven against its stop on
  // the first one, which rests on the base's: the blow draws it off there.
  CaseDescription d = two_wheels();
  d.hinges[1].members = {"first", "second"};
  d.hinges[0].stop = HingeStopDescription{.lower = 0, .restitution = 0};
  d.hinges[1].stop = HingeStopDescription{.upper = 0.5, .restitution = 0};
  d.point_loads = {{.name = "down", .at = "O", .moment = -1.0, .rod = "first"},
                   {.name = "up", .at = "O", .moment = 2.0, .rod = "second"}};
  d.analysis.end = 1.5;
  const Record record = record_of(d);
  EXPECT_THAT(first_words(record),
              ElementsAre("a rests on its stop", "a leaves its stop", "b stop hit and rested on"));
  // ω₂ = 1 at t = 1; together 2·1/3 afterwards, under the moment 1 on the inertia 3.
  EXPECT_NEAR(record.events[2].time, 1, error_of(d));
  EXPECT_NEAR(last_hinge(record, 0).rate, 2.0 / 3 + 0.5 / 3, error_of(d));
  EXPECT_EQ(last_hinge(record, 1).rate, 0);
  EXPECT_NEAR(record.snapshots.back().energy.dissipated, 1 - 0.5 * 3 * 4 / 9, error_of(d));
  EXPECT_EQ(last_hinge(record, 0).state, 0);
  EXPECT_EQ(last_hinge(record, 1).state, 5);
}

TEST(HardStop, WithALatchAtTheSameAngleLatches) {
  CaseDescription d = bouncing_wheel(0.5);
  d.hinges[0].latch = HingeLatchDescription{.angle = 0.5};
  const Record record = record_of(d);
  EXPECT_THAT(first_words(record), ElementsAre("h latched"));
}

// ----------------------------------------------------------------------------- dampers and
// friction

TEST(HingeDamper, TakesThePowerOfItsMoment) {
  // ω = (M/c)(1 − e^{−ct/J}) under a constant moment: all power goes into the damper in the end.
  CaseDescription d = loaded_wheel(2.0);
  d.hinges[0].viscosity = 4;
  const Limit rate = find_limit(d, [](const Record& r) { return last_hinge(r).rate; });
  EXPECT_NEAR(rate.value, 0.5 * (1 - std::exp(-8.0)), 1e-8);
  const Limit lost =
      find_limit(d, [](const Record& r) { return r.snapshots.back().energy.dissipated; });
  const auto decay = [](double t) { return std::exp(-4 * t); };
  // ∫ c ω² dt = (M²/c) [t − 2(1 − e^{−4t})/4 + (1 − e^{−8t})/8].
  const double expected = 1 * (2 - 0.5 * (1 - decay(2)) + 0.125 * (1 - decay(4)));
  EXPECT_NEAR(lost.value, expected, 1e-7);
}

TEST(HingeFriction, StopsTheHinge) {
  // A moment of 2 for 1 s against the friction 0.5, then that alone: at rest at t = 1 + 1.5/0.5.
  CaseDescription d = loaded_wheel("push");
  d.laws = {{"push", LinearLaw{{0, 1, 1 + 1e-9}, {2, 2, 0}}}};
  d.hinges[0].friction = HingeFrictionDescription{.coulomb = 0.5, .regularization = 1e-3};
  d.analysis.end = 5;
  const Record record = record_of(d);
  for (const Snapshot& s : record.snapshots) {
    EXPECT_NEAR(s.energy.balance, 0, 1e-4);
    const double rate = s.time < 1 ? 1.5 * s.time : std::max(0.0, 1.5 - 0.5 * (s.time - 1));
    // tanh falls off within a few ω₀, a few milliseconds of the motion.
    EXPECT_NEAR(s.hinges[0].rate, rate, 5e-3) << s.time;
    if (s.time > 1.01 && s.time < 3.9) {
      EXPECT_NEAR(s.hinges[0].moment, -0.5, 1e-9);
    }
  }
  EXPECT_LT(std::abs(last_hinge(record).rate), 1e-9);  // decays by ω₀ J/M = 2 ms
  EXPECT_NEAR(last_hinge(record).angle, 0.75 + 2.25, 5e-3);
  EXPECT_NEAR(record.snapshots.back().energy.dissipated, 2 * 0.75, 1e-3);
}

TEST(HingeFriction, HoldsAMomentBelowItsOwn) {
  // The joint creeps at ω₀ artanh(M/M_s), as documented.
  CaseDescription d = loaded_wheel(0.25);
  d.hinges[0].friction = HingeFrictionDescription{
      .coulomb = 0.3, .static_moment = 0.5, .stribeck_rate = 0.1, .regularization = 1e-3};
  const Record record = record_of(d);
  EXPECT_NEAR(last_hinge(record).rate, 1e-3 * std::atanh(0.5), 1e-3 * 1e-3);
  EXPECT_LT(last_hinge(record).angle, 2e-3);
}

TEST(HingeTable, KeepsItsEnergy) {
  CaseDescription d = wheel();
  d.hinges[0].spring =
      HingeSpringDescription{.table = {{-1, 3}, {0, 2.5}, {1, 1}, {1.2, 0.2}, {1.4, -4}, {2, -9}}};
  d.analysis.end = 4;
  d.analysis.method.local_tolerance = 1;
  std::vector<double> worst;
  for (const double limit : {0.2, 0.1, 0.05}) {
    d.analysis.method.frequency_limit = limit;
    Record record;
    worst.push_back(run(d, record).worst_balance);
    double released = 0;
    for (const Snapshot& s : record.snapshots) {
      EXPECT_NEAR(s.energy.kinetic, 0.5 * s.hinges[0].rate * s.hinges[0].rate, 1e-13);
      released = std::max(released, record.snapshots[0].energy.springs - s.energy.springs);
    }
    EXPECT_GT(released, 1.5);
  }
  EXPECT_GT(worst[0] / worst[1], 3.5);  // second order
  EXPECT_GT(worst[1] / worst[2], 3.5);
  EXPECT_LT(worst[2], 1e-5);
}

// --------------------------------------------------------------------------------- reproducibility

TEST(HingeEventsInARun, GiveTheSameBitsAgain) {
  CaseDescription d = bouncing_wheel(0.5);
  const Record first = record_of(d);
  const Record second = record_of(d);
  ASSERT_EQ(first.snapshots.size(), second.snapshots.size());
  for (std::size_t i = 0; i < first.snapshots.size(); ++i) {
    EXPECT_EQ(test::numbers_of(first.snapshots[i]), test::numbers_of(second.snapshots[i]));
  }
}

}  // namespace
}  // namespace fem
