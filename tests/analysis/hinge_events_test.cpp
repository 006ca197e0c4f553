// What is due to hinges, and when, from their motion alone: no system, no integrator.
#include "libfem/analysis/hinge_events.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/base/archive.hpp"
#include "libfem/model/hinge_lock.hpp"

namespace fem {
namespace {

using What = Happening::What;
using ::testing::ElementsAre;

constexpr double kInf = std::numeric_limits<double>::infinity();

// A model of hinges and nothing else; hinge k turns coordinate k + 1 against coordinate 0.
Model model_of(std::vector<Hinge> hinges) {
  Model model;
  model.hinges = std::move(hinges);
  model.initial.assign(model.hinges.size() + 1, 0.0);
  for (std::size_t h = 0; h < model.hinges.size(); ++h) {
    model.hinges[h].second = static_cast<int>(h) + 1;
  }
  return model;
}

HingeMotion motion(double time, std::vector<double> angle, std::vector<double> rate = {},
                   std::vector<double> acceleration = {}, std::vector<double> contact = {}) {
  const std::size_t count = angle.size();
  rate.resize(count);
  acceleration.resize(count);
  contact.resize(count);
  return {time, angle, rate, acceleration, contact};
}

Hinge latching(const std::string& name, double angle) {
  Hinge h{.name = name};
  h.latch = Latch{.angle = angle};
  return h;
}

Hinge stopped(double lower, double upper) {
  Hinge h{.name = "h"};
  h.stop = HardStop{.lower = lower, .upper = upper, .restitution = 0.5};
  return h;
}

// As hinge_changes does it.
void relock(Model& model, int h, LockKind kind) {
  if (model.hinges[static_cast<std::size_t>(h)].lock != kNone) unlock_hinge(model, h);
  lock_hinge(model, h, kind, model.initial);
}

// Everything that is due at an instant, with the locks done that it asks for.
std::vector<std::string> all_due(HingeEvents& events, Model& model, const HingeMotion& now) {
  constexpr const char* names[] = {"latch", "hold", "release", "jam", "strike", "rest", "part"};
  std::vector<std::string> due;
  while (const auto next = events.next(now)) {
    due.push_back(model.hinges[static_cast<std::size_t>(next->hinge)].name + " " +
                  names[static_cast<int>(next->what)]);
    switch (next->what) {
      case What::latch:
        catch_latch(model, next->hinge);
        relock(model, next->hinge, LockKind::latch);
        break;
      case What::hold:
        relock(model, next->hinge, LockKind::hold);
        break;
      case What::jam:
        relock(model, next->hinge, LockKind::jam);
        break;
      case What::rest:
        relock(model, next->hinge, next->stop);
        break;
      case What::release:
      case What::part:
        unlock_hinge(model, next->hinge);
        break;
      case What::strike:
        break;
    }
    if (due.size() > 100) return {"for ever"};
  }
  events.start(now);
  return due;
}

TEST(HingeEvents, AreIdleWithoutAnythingToHappen) {
  Model model = model_of({{.name = "a"}, {.name = "b"}});
  HingeEvents events(model);
  EXPECT_TRUE(events.idle());
  EXPECT_EQ(events.next_time(), kInf);
  EXPECT_THAT(all_due(events, model, motion(0, {0, 0})), ElementsAre());
}

TEST(HingeEvents, FindTheFirstOfSeveralRootsInAStep) {
  Model model = model_of({latching("a", 0.5), latching("b", 0.3), latching("c", 2)});
  HingeEvents events(model);
  EXPECT_FALSE(events.idle());
  EXPECT_THAT(all_due(events, model, motion(1, {0, 0, 0})), ElementsAre());
  // a moves with (t − 1), b with (t − 1)², c stays behind.
  const auto at = [](double t, HingeMotion& m) {
    m = motion(t, {t - 1, (t - 1) * (t - 1), t - 1});
    return Outcome{};
  };
  HingeMotion end;
  ASSERT_TRUE(at(1.25, end).ok());
  EXPECT_FALSE(events.passed(end));
  ASSERT_TRUE(at(2, end).ok());
  EXPECT_TRUE(events.passed(end));
  double t = 0;
  ASSERT_TRUE(events.locate(end, at, t).ok());
  EXPECT_DOUBLE_EQ(t, 1.5);
  HingeMotion now;
  ASSERT_TRUE(at(t, now).ok());
  EXPECT_THAT(all_due(events, model, now), ElementsAre("a latch"));
  EXPECT_TRUE(events.passed(end));
  ASSERT_TRUE(events.locate(end, at, t).ok());
  EXPECT_DOUBLE_EQ(t, 1 + std::sqrt(0.3));
}

TEST(HingeEvents, TellWhyAStepCouldNotBeSearched) {
  Model model = model_of({latching("a", 0.5)});
  HingeEvents events(model);
  events.start(motion(0, {0}));
  double t = 0;
  const Outcome outcome = events.locate(
      motion(1, {1}),
      [](double, HingeMotion&) {
        return Outcome{Status::not_finite, 7};
      },
      t);
  EXPECT_EQ(outcome.status, Status::not_finite);
  EXPECT_EQ(outcome.where, 7U);
}

TEST(HingeEvents, LatchesNearTheSameInstantCatchTogether) {
  Model model = model_of({latching("a", 1), latching("b", -1), latching("c", 1)});
  HingeEvents events(model);
  events.start(motion(0, {0, 0, 0}));
  EXPECT_THAT(all_due(events, model, motion(1, {1 + 1e-16, -1 + 1e-10, 1 - 1e-8})),
              ElementsAre("a latch", "b latch"));
}

TEST(HingeEvents, ATaskMaySetOffOthers) {
  // a latches: b is let go; b stands at its own latch: it latches; c waits for b, with a delay.
  Model model = model_of({latching("a", 1), latching("b", 0), {.name = "c"}});
  model.hinges[1].holds = {{.until = When{.kind = When::Kind::latched, .hinge = 0}}};
  model.hinges[2].holds = {{.until = When{.kind = When::Kind::latched, .hinge = 1, .delay = 0.5}}};
  lock_hinge(model, 1, LockKind::hold, model.initial);
  lock_hinge(model, 2, LockKind::hold, model.initial);
  HingeEvents events(model);
  events.start(motion(0, {0, 0, 0}));
  EXPECT_EQ(events.next_time(), kInf);
  EXPECT_THAT(all_due(events, model, motion(2, {1, 0, 0})),
              ElementsAre("a latch", "b release", "b latch"));
  EXPECT_EQ(events.next_time(), 2.5);
  EXPECT_THAT(all_due(events, model, motion(2.5, {1, 0, 0})), ElementsAre("c release"));
  EXPECT_EQ(events.next_time(), kInf);
}

TEST(HingeEvents, WhatALatchWaitsForMayBeThereFromTheStart) {
  Model model = model_of({latching("a", 0), {.name = "b"}});
  model.hinges[1].holds = {{.until = When{.kind = When::Kind::latched, .hinge = 0, .delay = 1}}};
  catch_latch(model, 0);
  lock_hinge(model, 0, LockKind::latch, model.initial);
  lock_hinge(model, 1, LockKind::hold, model.initial);
  HingeEvents events(model);
  EXPECT_THAT(all_due(events, model, motion(0, {0, 0})), ElementsAre());
  EXPECT_EQ(events.next_time(), 1);
}

TEST(HingeEvents, AJamOutlastsHoldsAndLatches) {
  Model model = model_of({latching("a", 1)});
  model.hinges[0].holds = {{.from = When{.value = 1}, .until = When{.value = 3}}};
  model.hinges[0].jam = When{.value = 2};
  HingeEvents events(model);
  EXPECT_EQ(events.next_time(), 1);
  EXPECT_THAT(all_due(events, model, motion(1, {0})), ElementsAre("a hold"));
  EXPECT_THAT(all_due(events, model, motion(2, {0})), ElementsAre("a jam"));
  EXPECT_THAT(all_due(events, model, motion(3, {0})), ElementsAre());
  EXPECT_EQ(model.hinges[0].locked, LockKind::jam);
  EXPECT_THAT(all_due(events, model, motion(4, {1})), ElementsAre());
}

TEST(HingeEvents, AStopIsStruckOnTheWayOutOnly) {
  Model model = model_of({stopped(-1, 1)});
  HingeEvents events(model);
  events.start(motion(0, {0}));
  EXPECT_FALSE(events.passed(motion(1, {0.9}, {1})));
  EXPECT_TRUE(events.passed(motion(1, {1.1}, {1})));
  EXPECT_TRUE(events.passed(motion(1, {-1.1}, {-1})));
  EXPECT_TRUE(events.passed(motion(1, {1.1}, {-1})));  // in and out of the stop in one step
  // After a blow at 1 + 1e-17 the hinge goes back: nothing happens.
  events.start(motion(1, {1 + 1e-11}, {-1}));
  EXPECT_FALSE(events.passed(motion(1.1, {1 + 1e-12}, {-1})));
  EXPECT_FALSE(events.passed(motion(1.1, {0.9}, {-1})));
  // Unless it has turned around meanwhile; then that is noticed at the end of the step.
  const HingeMotion end = motion(1.1, {1 + 1e-10}, {0.5});
  EXPECT_TRUE(events.passed(end));
  double t = 0;
  ASSERT_TRUE(events
                  .locate(
                      end, [](double, HingeMotion&) { return Outcome{Status::not_finite}; }, t)
                  .ok());
  EXPECT_EQ(t, 1.1);
}

TEST(HingeEvents, AHingeAtItsStopRestsWherePressedAndPartsWherePulled) {
  Model model = model_of({stopped(-1, 1)});
  HingeEvents events(model);
  EXPECT_THAT(all_due(events, model, motion(0, {1}, {0}, {-2})), ElementsAre());
  EXPECT_THAT(all_due(events, model, motion(1, {1}, {0}, {2})), ElementsAre("h rest"));
  EXPECT_EQ(model.hinges[0].locked, LockKind::upper_stop);
  EXPECT_FALSE(events.passed(motion(2, {1}, {0}, {0}, {-3})));
  EXPECT_THAT(all_due(events, model, motion(2, {1}, {0}, {0}, {-3})), ElementsAre());
  EXPECT_TRUE(events.passed(motion(3, {1}, {0}, {0}, {1e-3})));
  // It parts once, and does not rest again at that instant whatever the accelerations say.
  EXPECT_THAT(all_due(events, model, motion(3, {1}, {0}, {1e-9}, {1e-3})), ElementsAre("h part"));
  EXPECT_THAT(all_due(events, model, motion(4, {-1}, {0}, {-1})), ElementsAre("h rest"));
  EXPECT_EQ(model.hinges[0].locked, LockKind::lower_stop);
  EXPECT_THAT(all_due(events, model, motion(5, {-1}, {0}, {0}, {-1})), ElementsAre("h part"));
}

TEST(HingeEvents, BlowsAtOneInstantComeToAnEnd) {
  // Somebody drives the hinge out again and again: it is left to rest there.
  Model model = model_of({stopped(-1, 1)});
  HingeEvents events(model);
  const auto due = all_due(events, model, motion(1, {1}, {0.5}));
  EXPECT_EQ(due.size(), 21U);
  EXPECT_EQ(due.front(), "h strike");
  EXPECT_EQ(due.back(), "h rest");
}

TEST(HingeEvents, RefuseWhatIsKeptOfOtherHinges) {
  const Model one = model_of({latching("a", 1)});
  const Model two = model_of({latching("a", 1), latching("b", 2)});
  HingeEvents of_one(one), of_two(two);
  of_two.start(motion(0, {0, 0}));
  StateWriter out;
  of_two.archive(out);
  const std::string state = out.take();
  StateReader in(state), again(state);
  EXPECT_THROW(of_one.archive(in), ArchiveError);
  EXPECT_NO_THROW(of_two.archive(again));
}

}  // namespace
}  // namespace fem
