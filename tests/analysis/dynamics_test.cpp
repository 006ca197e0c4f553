// Whole runs of small cases: rest, the ledger, output times, events, interruption, failure,
// reproducibility.
#include "libfem/analysis/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/system/system.hpp"
#include "tests/analysis/record.hpp"

namespace fem {
namespace {

using test::driven_rod;
using test::LawKind;
using test::make_law;
using test::numbers_of;
using test::pinned_rod;
using test::Record;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Runs a case to its end.
RunSummary run(const CaseDescription& d, Record& record, int threads = 1) {
  const Model model = make_model(d);
  return run_dynamics(model, {threads}, record);
}

double largest(const std::vector<double>& x) {
  double result = 0;
  for (const double value : x) result = std::max(result, std::abs(value));
  return result;
}

// --- Rest ----------------------------------------------------------------------------------------

TEST(DynamicsAtRest, StaysAtRestExactly) {
  // Half-metre elements along OX: their lengths and angles are exact, so all forces are zero.
  const CaseDescription d = pinned_rod(4);
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::complete);
  ASSERT_THAT(record.snapshots, SizeIs(11));
  for (const Snapshot& s : record.snapshots) {
    EXPECT_EQ(s.position, record.snapshots[0].position);
    EXPECT_EQ(largest(s.velocity), 0);
    EXPECT_EQ(largest(s.acceleration), 0);
    EXPECT_EQ(s.energy.kinetic, 0);
    EXPECT_EQ(s.energy.strain, 0);
    EXPECT_EQ(s.energy.balance, 0);
  }
  EXPECT_THAT(record.events, IsEmpty());
  EXPECT_THAT(record.warnings, IsEmpty());
}

TEST(DynamicsAtRest, StaysAtRestInAnyDirection) {
  // Odd lengths and directions leave forces of EA times a rounding: 1e-16 · ω² t²/2 of the length
  // if they all pushed the same way; they oscillate instead.
  CaseDescription d = test::random_frame(21, {.rods = 3});
  for (LawDescription& law : d.laws) law.law = ConstantLaw{0};
  d.analysis = {.end = 0.05, .output_every = 0.01};
  Record record;
  EXPECT_EQ(run(d, record).status, RunStatus::complete);
  for (const Snapshot& s : record.snapshots) {
    for (std::size_t i = 0; i < s.position.size(); ++i) {
      EXPECT_NEAR(s.position[i], record.snapshots[0].position[i], 1e-14);
    }
  }
}

TEST(DynamicsAtRest, MovesOnlyWhatIsPrescribed) {
  // Nothing is left to integrate: time goes on all the same, and a warning says so.
  CaseDescription d = driven_rod(make_law("move", LawKind::smooth, {0, 1}, {0, 0.25}), 1);
  d.supports[0] = {.point = "O", .fix_y = true, .fix_angle = true, .x = "move"};
  d.supports.push_back({.point = "A", .fix_y = true, .fix_angle = true, .x = "move"});
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::complete);
  EXPECT_THAT(record.warnings, Contains(HasSubstr("nothing is left to integrate")));
  EXPECT_EQ(summary.warnings, record.warnings);
  ASSERT_THAT(record.snapshots, SizeIs(11));
  for (const Snapshot& s : record.snapshots) {
    const double x = evaluate(d.laws[0].law, s.time, Side::before).value;
    EXPECT_NEAR(s.position[0], x, 1e-15);
    EXPECT_NEAR(s.position[3], 2 + x, 1e-15);
  }
}

// --- Energy --------------------------------------------------------------------------------------

TEST(DynamicsLedger, ClosesForASmoothLaw) {
  CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 2}, {0, 2}));
  d.analysis.end = 3;
  d.analysis.method.frequency_limit = 0.1;
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::complete);
  EXPECT_GT(summary.largest_energy, 0.1);
  EXPECT_LT(summary.worst_balance, 1e-6 * summary.largest_energy);
  double worst = 0;
  for (const Snapshot& s : record.snapshots) {
    const EnergySnapshot& e = s.energy;
    EXPECT_NEAR(e.balance, e.kinetic + e.strain - e.rheonomic_work, 1e-15);
    worst = std::max(worst, std::abs(e.balance));
    EXPECT_LT(s.position_violation, 1e-14);
    EXPECT_LT(s.velocity_violation, 1e-14);
  }
  EXPECT_EQ(worst, summary.worst_balance);
  EXPECT_THAT(record.warnings, IsEmpty());
}

TEST(DynamicsLedger, ClosesWithTheSquareOfTheStep) {
  std::vector<double> balance;
  for (const double limit : {0.8, 0.4, 0.2}) {
    CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 1}, {0, 2}));
    d.analysis.method.frequency_limit = limit;
    d.analysis.method.local_tolerance = 1;
    Record record;
    balance.push_back(run(d, record).worst_balance);
  }
  // Two at least; where the steps' errors cancel over a cycle it falls faster.
  EXPECT_GT(balance[0] / balance[1], 3.5);
  EXPECT_GT(balance[1] / balance[2], 3.5);
}

TEST(DynamicsLedger, ClosesOverJumps) {
  CaseDescription d = driven_rod(make_law("turn", LawKind::linear, {0, 0.5, 1}, {0, 0.5, 0.25}));
  d.analysis.method.frequency_limit = 0.1;
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::complete);
  EXPECT_LT(summary.worst_balance, 1e-4 * summary.largest_energy);
}

TEST(DynamicsLedger, OfAFreeRodKeepsItsEnergyAndMomentum) {
  // Set in motion by a law of one end that stops; before it does, the other way is the ledger's.
  // After t = 0.5 the foot is held and the rod's energy stays.
  CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 0.5}, {0, 1}));
  d.analysis.end = 2;
  d.analysis.method.frequency_limit = 0.2;
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::complete);
  double least = 1e300;
  double most = 0;
  for (const Snapshot& s : record.snapshots) {
    if (s.time < 0.55) continue;
    const double energy = s.energy.kinetic + s.energy.strain;
    least = std::min(least, energy);
    most = std::max(most, energy);
  }
  EXPECT_NEAR(least / most, 1, 1e-4);
}

// --- Output times --------------------------------------------------------------------------------

TEST(DynamicsOutput, IsCompleteAndExact) {
  struct Times {
    double end, every;
    std::size_t count;
  };
  for (const auto& [end, every, count] :
       {Times{1, 0.1, 11}, Times{1, 0.3, 5}, Times{0.7, 0.1, 8}, Times{1, 1, 2}, Times{1, 5, 2},
        Times{0.3, 0.1, 4}, Times{0.05, 1e-4, 501}, Times{1, 1.0 / 3, 4}}) {
    SCOPED_TRACE(::testing::Message() << "end " << end << ", every " << every);
    CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 2}, {0, 1}));
    d.analysis.end = end;
    d.analysis.output_every = every;
    Record record;
    const RunSummary summary = run(d, record);
    EXPECT_EQ(summary.status, RunStatus::complete);
    EXPECT_EQ(summary.final_time, end);
    ASSERT_THAT(record.snapshots, SizeIs(count));
    for (std::size_t i = 0; i + 1 < count; ++i) {
      EXPECT_EQ(record.snapshots[i].time, static_cast<double>(i) * every);
    }
    EXPECT_EQ(record.snapshots.back().time, end);
  }
}

TEST(DynamicsOutput, FollowsThePrescribedMotion) {
  // Between steps and at break times: the law itself, not an interpolation of it.
  for (const LawKind kind : {LawKind::linear, LawKind::smooth}) {
    CaseDescription d = driven_rod(make_law("turn", kind, {0, 0.31, 1}, {0, 0.5, -0.5}));
    d.analysis.output_every = 0.01;
    Record record;
    EXPECT_EQ(run(d, record).status, RunStatus::complete);
    for (const Snapshot& s : record.snapshots) {
      EXPECT_NEAR(s.rods[0].angle[0], evaluate(d.laws[0].law, s.time, Side::before).value, 1e-15);
    }
  }
}

TEST(DynamicsOutput, DoesNotChangeTheRun) {
  CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 1}, {0, 1}));
  Record rare;
  d.analysis.output_every = 1;
  const RunSummary a = run(d, rare);
  Record often;
  d.analysis.output_every = 0.001;
  const RunSummary b = run(d, often);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.evaluations, b.evaluations);
  EXPECT_EQ(rare.snapshots.back().position, often.snapshots.back().position);
  EXPECT_EQ(rare.snapshots.back().velocity, often.snapshots.back().velocity);
}

TEST(DynamicsOutput, TellsWhatTheSolverDid) {
  CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 1}, {0, 1}));
  Record record;
  const RunSummary summary = run(d, record);
  const double tolerance = *make_model(d).analysis.method.local_tolerance;
  EXPECT_EQ(record.snapshots[0].solver.iterations, 0);
  for (std::size_t i = 1; i < record.snapshots.size(); ++i) {
    const SolverSnapshot& s = record.snapshots[i].solver;
    EXPECT_GT(s.step, 0);
    EXPECT_GE(s.iterations, 1);
    EXPECT_GT(s.local_error, 0);
    EXPECT_LE(s.local_error, tolerance);
  }
  EXPECT_GT(summary.steps, 10);
  EXPECT_GE(summary.evaluations, summary.steps);
  EXPECT_GT(summary.wall_time, 0);
}

// --- Events --------------------------------------------------------------------------------------

TEST(DynamicsEvents, AreTheJumpsOfRates) {
  // Two laws with breaks of their own; one more break after the end.
  CaseDescription d = driven_rod(make_law("turn", LawKind::linear, {0, 0.2, 0.4, 3}, {0, 1, 1, 2}));
  d.laws.push_back(make_law("lift", LawKind::linear, {0.1, 0.2, 0.6}, {0, 0.1, 0}));
  d.supports.push_back({.point = "A", .y = "lift"});
  d.analysis.end = 0.5;
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::complete);
  std::vector<std::string> what;
  for (const Event& e : record.events) {
    what.push_back(e.name + " at " + std::to_string(e.time).substr(0, 3) + " " +
                   e.what.substr(0, e.what.find(';')));
  }
  EXPECT_THAT(what, ElementsAre("O at 0.0 the prescribed rate jumps from 0 to 5",
                                "A at 0.1 the prescribed rate jumps from 0 to 1",
                                "O at 0.2 the prescribed rate jumps from 5 to 0",
                                "A at 0.2 the prescribed rate jumps from 1 to -0.25",
                                "O at 0.4 the prescribed rate jumps from 0 to 0.384615"));
  for (const Event& e : record.events) {
    EXPECT_THAT(e.what, HasSubstr("impulse "));
    EXPECT_THAT(e.what, HasSubstr("work "));
  }
}

TEST(DynamicsEvents, HaveTheImpulseAndItsWork) {
  CaseDescription d = driven_rod(make_law("turn", LawKind::linear, {0, 1}, {0, 0.5}));
  d.analysis = {.end = 0.1, .output_every = 0.1};
  Record record;
  EXPECT_EQ(run(d, record).status, RunStatus::complete);
  ASSERT_THAT(record.events, SizeIs(1));
  // The same jump by the system: from rest, work ½ · rate · impulse, all of it kinetic energy.
  const Model model = make_model(d);
  System system(model, {});
  std::vector<double> q = system.initial_positions();
  std::vector<double> v(system.size(), 0.0);
  std::vector<double> impulses;
  ASSERT_TRUE(system.jump(0, q, v, impulses).ok());
  const double impulse = impulses[static_cast<std::size_t>(model.supports[0].angle)];
  char text[80];
  std::snprintf(text, sizeof text, "impulse %.6g, work %.6g J", impulse, 0.25 * impulse);
  EXPECT_THAT(record.events[0].what, HasSubstr(text));
  EXPECT_NEAR(record.snapshots[0].energy.kinetic, 0.25 * impulse, 1e-15);
  EXPECT_EQ(record.snapshots[0].energy.rheonomic_work, 0.25 * impulse);
  EXPECT_GT(impulse, 0);
}

TEST(DynamicsEvents, AreNoneForSmoothLaws) {
  CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 0.2, 0.5}, {0, 1, 0}));
  Record record;
  EXPECT_EQ(run(d, record).status, RunStatus::complete);
  EXPECT_THAT(record.events, IsEmpty());
}

TEST(DynamicsEvents, MayBeCloseTogether) {
  // Breaks one number apart: 0.1 + 0.2 and 0.3.
  CaseDescription d = driven_rod(make_law("a", LawKind::linear, {0, 0.1 + 0.2}, {0, 0.3}));
  d.laws.push_back(make_law("b", LawKind::linear, {0, 0.3}, {0, 0.03}));
  d.supports.push_back({.point = "A", .y = "b"});
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
  EXPECT_THAT(record.events, SizeIs(4));
  EXPECT_LT(summary.worst_balance, 1e-2 * summary.largest_energy);
}

// --- Interruption and failure --------------------------------------------------------------------

TEST(DynamicsInterruption, EndsTheRunInGoodOrder) {
  CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 1}, {0, 1}));
  d.analysis.method.frequency_limit = 0.05;
  d.analysis.output_every = 0.01;
  Record all;
  const RunSummary complete = run(d, all);
  ASSERT_GE(all.progress.size(), 4U);
  for (const Progress& p : all.progress) {
    EXPECT_EQ(p.end, 1);
    EXPECT_GT(p.time, 0);
    EXPECT_GT(p.step, 0);
  }
  Record record;
  record.proceed_calls = 2;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::interrupted);
  EXPECT_THAT(summary.reason, HasSubstr("interrupted at t = "));
  EXPECT_THAT(record.progress, SizeIs(3));
  EXPECT_EQ(summary.steps, record.progress.back().steps);
  EXPECT_LT(summary.steps, complete.steps);
  // What was reported stands, and is what the whole run reports.
  ASSERT_FALSE(record.snapshots.empty());
  EXPECT_EQ(summary.final_time, record.snapshots.back().time);
  for (std::size_t i = 0; i < record.snapshots.size(); ++i) {
    EXPECT_EQ(numbers_of(record.snapshots[i]), numbers_of(all.snapshots[i]));
  }
}

TEST(DynamicsFailure, SaysWhatDivergedAndWhere) {
  // The end is pushed through the foot, a hundred times the length in a moment.
  CaseDescription d = pinned_rod(2);
  d.laws = {make_law("push", LawKind::smooth, {0, 1e-3}, {0, -1e5})};
  d.supports.push_back({.point = "A", .x = "push"});
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_THAT(summary.reason, HasSubstr("at t = "));
  EXPECT_THAT(summary.reason, Not(HasSubstr("spare")));
  ASSERT_FALSE(record.snapshots.empty());
  for (const double x : numbers_of(record.snapshots.back())) EXPECT_TRUE(std::isfinite(x));
}

// A bead between two anchors, on two elements that remember; it starts on their line.
CaseDescription remembered_bead() {
  const HereditaryLaw law{.instantaneous = 2, .kernel = RzhanitsynKernel{0.4, 0.3, 2}};
  CaseDescription d;
  d.points = {{"A", {-1, 0}}, {"B", {1, 0}}, {"P", {0, 0}}};
  d.particles = {{.name = "bead", .at = "P", .mass = 1, .velocity = {0, 1, 0}}};
  d.hereditary = {{.name = "a", .between = {"A", "P"}, .law = law},
                  {.name = "b", .between = {"B", "P"}, .law = law}};
  d.analysis = {.end = 0.2, .output_every = 0.1};
  return d;
}

TEST(DynamicsWarnings, TellWhereDeformationsBecomeCoordinates) {
  Record record;
  EXPECT_EQ(run(remembered_bead(), record).status, RunStatus::complete);
  EXPECT_THAT(record.warnings, ElementsAre(HasSubstr("deformations changes: from 1 to 2 by t = 0.1 "
                                                     "s, of 2 elements")));
}

TEST(DynamicsWarnings, TellKernelsThatAreCoarserThanAsked) {
  CaseDescription d = remembered_bead();
  d.hereditary[1].law.form = KernelForm::retardation;
  d.hereditary[1].law.kernel = RzhanitsynKernel{0.02, 0.95, 0};  // close to t^-1
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_GT(summary.kernel_error, 1e-8);
  EXPECT_THAT(record.warnings,
              Contains(HasSubstr("hereditary element 'b' has a relaxation function "
                                 "that is right to ")));
  EXPECT_THAT(record.warnings, Not(Contains(HasSubstr("element 'a'"))));
}

TEST(DynamicsFailure, OfNumbersThatOverflowIsReported) {
  CaseDescription d = pinned_rod(2);
  d.laws = {make_law("throw", LawKind::smooth, {0, 1}, {0, 1e300})};
  d.supports.push_back({.point = "A", .y = "throw"});
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_THAT(summary.reason, HasSubstr("not finite"));
  EXPECT_THAT(summary.reason, HasSubstr("worst at "));
}

TEST(DynamicsFailure, OfAConstraintThatFollowedFromOthersOnlyAtTheStart) {
  CaseDescription d = test::three_bars_in_line();
  d.gravity = {0, -1};
  Record record;
  const RunSummary summary = run(d, record);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_THAT(summary.reason, HasSubstr("/bodies/d/carries/0 is violated by"));
  EXPECT_LT(summary.worst_position_violation, 1e-4);  // it ends with the first such row
}

// --- Reproducibility -----------------------------------------------------------------------------

std::vector<std::vector<double>> numbers(const Record& record) {
  std::vector<std::vector<double>> result;
  for (const Snapshot& s : record.snapshots) result.push_back(numbers_of(s));
  return result;
}

TEST(DynamicsReproducibility, TwoRunsInOneProcessAreTheSame) {
  CaseDescription d = test::three_rods(LawKind::linear, 2);
  d.analysis = {.end = 0.05, .output_every = 0.01, .method = d.analysis.method};
  Record first;
  const RunSummary a = run(d, first);
  Record between;  // something else, to leave traces
  static_cast<void>(run(driven_rod(make_law("x", LawKind::smooth, {0, 1}, {0, 1})), between));
  Record second;
  const RunSummary b = run(d, second);
  EXPECT_EQ(numbers(first), numbers(second));
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.evaluations, b.evaluations);
  ASSERT_EQ(first.events.size(), second.events.size());
  for (std::size_t i = 0; i < first.events.size(); ++i) {
    EXPECT_EQ(first.events[i].what, second.events[i].what);
  }
}

TEST(DynamicsReproducibility, ThreadsGiveTheSameBits) {
  // Enough elements for two threads to share: three rods of 400.
  CaseDescription d = test::three_rods(LawKind::linear, 400);
  d.analysis = {.end = 3e-5, .output_every = 1e-5, .method = d.analysis.method};
  Record one;
  const RunSummary a = run(d, one, 1);
  Record two;
  const RunSummary b = run(d, two, 2);
  EXPECT_EQ(a.status, RunStatus::complete);
  EXPECT_GT(a.steps, 20);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(numbers(one), numbers(two));
}

// --- Units ---------------------------------------------------------------------------------------

// The same case in millimetres, newtons, seconds and tonnes.
CaseDescription in_millimetres(CaseDescription d) {
  for (SectionDescription& s : d.sections) {
    s.bending_stiffness *= 1e6;  // N mm²
    s.mass_per_length *= 1e-6;   // t/mm
  }                              // EA, GA in N and ∫ρy² dF in t mm keep their numbers
  for (PointDescription& p : d.points) {
    for (double& x : p.position) x *= 1000;
  }
  return d;
}

RunSummary run_tight(CaseDescription d, Metric metric) {
  d.analysis.method.metric = metric;
  d.analysis.method.frequency_limit = 1.5;
  d.analysis.method.local_tolerance = 1e-8;
  Record record;
  return run(d, record);
}

TEST(DynamicsUnits, DoNotMatterToTheScaledMetric) {
  const CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 1}, {0, 1}));
  const RunSummary metres = run_tight(d, Metric::scaled);
  const RunSummary millimetres = run_tight(in_millimetres(d), Metric::scaled);
  EXPECT_EQ(metres.status, RunStatus::complete);
  EXPECT_EQ(millimetres.status, RunStatus::complete);
  // The tolerance governs, not the frequency limit: more steps than that would ask for.
  const System system(make_model(d), {});
  EXPECT_GT(static_cast<double>(metres.steps), 1.2 * system.highest_frequency() / 1.5);
  const auto steps = static_cast<double>(metres.steps);
  EXPECT_NEAR(static_cast<double>(millimetres.steps), steps, 0.03 * steps);
  EXPECT_NEAR(millimetres.largest_energy, 1000 * metres.largest_energy,
              1e-3 * millimetres.largest_energy);
  // The plain metric takes numbers as they come: lengths in millimetres want smaller steps.
  const auto plain = static_cast<double>(run_tight(d, Metric::plain).steps);
  const auto plain_mm = static_cast<double>(run_tight(in_millimetres(d), Metric::plain).steps);
  EXPECT_GT(plain_mm, 1.2 * plain);
}

TEST(DynamicsUnits, OfTimeDoNotMatterToTheScaledMetric) {
  // The same motion a thousand times as slow, by sections a thousand times as heavy, squared: in
  // units of its own it is the same, step by step.
  CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 1}, {0, 1}));
  CaseDescription slow = driven_rod(make_law("turn", LawKind::smooth, {0, 1000}, {0, 1}));
  slow.analysis = {.end = 1000, .output_every = 100};
  slow.sections[0].mass_per_length *= 1e6;
  slow.sections[0].inertia_per_length *= 1e6;
  // All quotients are the same but for roundings, the plain metric's are not.
  const RunSummary a = run_tight(d, Metric::scaled);
  const RunSummary b = run_tight(slow, Metric::scaled);
  EXPECT_NEAR(static_cast<double>(a.steps), static_cast<double>(b.steps), 2);
  EXPECT_NEAR(static_cast<double>(a.evaluations), static_cast<double>(b.evaluations), 20);
  EXPECT_GT(std::abs(run_tight(slow, Metric::plain).steps - run_tight(d, Metric::plain).steps), 2);
}

TEST(DynamicsMesh, DoesNotMatterToTheScaledMetric) {
  // Within the stability limit's own scaling: steps go with the highest frequency.
  const auto steps_times_period = [](int elements) {
    CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 1}, {0, 1}), elements);
    d.analysis.end = 0.5;
    d.analysis.method.local_tolerance = 1e-3;
    Record record;
    const RunSummary summary = run(d, record);
    EXPECT_EQ(summary.status, RunStatus::complete);
    const Model model = make_model(d);
    return static_cast<double>(summary.steps) / System(model, {}).highest_frequency();
  };
  const double coarse = steps_times_period(4);
  EXPECT_NEAR(steps_times_period(40) / coarse, 1, 0.1);
}

}  // namespace
}  // namespace fem
