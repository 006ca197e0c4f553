// The facade for embedding programs: the same run as run_dynamics', read and steered from outside.
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/analysis/dynamics.hpp"
#include "libfem/base/error.hpp"
#include "libfem/io/stored_state.hpp"
#include "libfem/libfem.hpp"
#include "tests/analysis/record.hpp"
#include "tests/support/wheels.hpp"

namespace fem {
namespace {

using test::driven_rod;
using test::LawKind;
using test::loaded_wheel;
using test::make_law;
using test::numbers_of;
using test::pinned_rod;
using test::Record;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

// A soft rod that is turned with jumps of the rate at 0 and 0.5 s.
CaseDescription turned_rod() {
  return driven_rod(make_law("turn", LawKind::linear, {0, 0.5, 1}, {0, 0.2, -0.1}));
}

std::string text_of(const auto& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// ---- time and reading

TEST(Simulation, IsTheRunOfTheDriverToTheLastBit) {
  Record record;
  const RunSummary summary = run_dynamics(make_model(turned_rod()), {1}, record);
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  Simulation run(turned_rod());
  EXPECT_TRUE(run.run());
  EXPECT_TRUE(run.done());
  EXPECT_EQ(run.time(), 1);
  std::vector<double> expected = numbers_of(record.snapshots.back());
  std::vector<double> found = numbers_of(run.state());
  // The solver's record is that since the last output: there is none since.
  for (auto* x : {&expected, &found}) x->erase(x->end() - 5, x->end() - 2);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(run.summary().steps, summary.steps);
  EXPECT_EQ(run.events().size(), record.events.size());
}

TEST(Simulation, ReadingChangesNothing) {
  Simulation quiet(turned_rod()), read(turned_rod());
  quiet.run();
  while (!read.done()) {
    read.step();
    EXPECT_TRUE(std::isfinite(read.energy().balance));
  }
  EXPECT_EQ(numbers_of(read.state()), numbers_of(quiet.state()));
  EXPECT_EQ(read.summary().worst_balance, quiet.summary().worst_balance);
}

TEST(Simulation, StopsExactlyWhereItIsAskedTo) {
  Simulation run(turned_rod());
  for (const double t : {0.0, 0.1, 0.33, 0.5, 0.50001, 1.0}) {
    EXPECT_TRUE(run.advance_to(t));
    EXPECT_EQ(run.time(), t);
    EXPECT_EQ(run.state().time, t);
    // The rod is held at its foot by the law, whatever the rest of it does.
    EXPECT_NEAR(run.rod("rod").angle[0], t <= 0.5 ? 0.4 * t : 0.2 - 0.6 * (t - 0.5), 1e-12);
  }
  EXPECT_TRUE(run.done());
}

TEST(Simulation, StopsChangeTheMotionByTheErrorOfStepsOnly) {
  // Accelerations of 1000 rad/s² ring in the rod, so that a place that is off by the tolerance 1e-8
  // of its size at some steps is what may be left: a hundred steps add up to 1e-5 at the most.
  Simulation whole(turned_rod()), cut(turned_rod());
  whole.run();
  for (int i = 1; i <= 20; ++i) cut.advance_to(0.05 * i);
  const auto a = whole.position("A"), b = cut.position("A");
  EXPECT_NEAR(a[0], b[0], 1e-5);
  EXPECT_NEAR(a[1], b[1], 1e-5);
}

TEST(Simulation, IsReadByNamesAndByPaths) {
  Simulation run(turned_rod());
  run.advance_to(0.3);
  const auto before = run.quantities();
  const double angle = (*before)["/rods/rod/angle"].values[0];
  EXPECT_EQ(angle, run.rod("rod").angle[0]);
  EXPECT_THAT(std::vector((*before)["/rods/rod/angle"].shape.begin(),
                          (*before)["/rods/rod/angle"].shape.end()),
              ElementsAre(4, 2));
  EXPECT_STREQ((*before)["/energy/balance"].unit, "J");
  EXPECT_EQ((*before)["/energy/kinetic"].values[0], run.energy().kinetic);
  EXPECT_EQ((*before)["/points/position"].values[3], run.position(run.layout().points[1])[0]);
  EXPECT_EQ((*before)["/supports/O/moment"].values[0], run.support("O").moment);
  run.advance_to(0.4);
  EXPECT_EQ((*before)["/rods/rod/angle"].values[0], angle) << "what was kept has changed";
  EXPECT_NEAR((*run.quantities())["/rods/rod/angle"].values[0], 0.16, 1e-12);
}

TEST(Simulation, ComesBackEarlyAndGoesOn) {
  CaseDescription d = turned_rod();
  d.analysis.method.frequency_limit = 0.02;  // many steps
  Simulation whole(d), stopped(d);
  whole.run();
  int calls = 0;
  stopped.set_proceed([&](const Progress&) { return ++calls % 2 == 0; });
  int returns = 0;
  while (!stopped.run()) ++returns;
  EXPECT_GT(returns, 1);
  EXPECT_EQ(numbers_of(stopped.state()), numbers_of(whole.state()));
}

TEST(Simulation, OfACaseInCodeIsRecordedWhereverItEnds) {
  const std::string path = ::testing::TempDir() + "simulation_recorded.h5";
  std::vector<double> expected;
  {
    Simulation run(turned_rod());
    run.record(path);
    run.advance_to(0.5);
    expected = run.state().position;
  }  // it is left there: the file is closed
  const StoredState state = read_stored_state(path);
  EXPECT_EQ(state.time, 0.5);  // the last output time, of every 0.1 s
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(state.position[i], expected[i], 1e-9);
  Simulation run(turned_rod());
  run.record(path);
  run.run();
  run.finish();
  EXPECT_EQ(read_stored_state(path).time, 1);
}

TEST(Simulation, ThatLosesItsFileEndsQuietly) {
  const std::string path = ::testing::TempDir() + "simulation_lost.h5";
  Simulation told(turned_rod());
  told.record(path);
  told.run();
  std::filesystem::remove(path);
  EXPECT_THROW(told.finish(), FileError);
  {
    Simulation untold(turned_rod());
    untold.record(path);
    untold.run();
    std::filesystem::remove(path);
  }  // nobody is left to be told
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Simulation, SeveralRunInSeveralThreads) {
  std::vector<CaseDescription> cases;
  for (const int elements : {2, 3, 4, 5}) {
    cases.push_back(driven_rod(make_law("turn", LawKind::linear, {0, 1}, {0, 0.3}), elements));
  }
  const auto result = [](const CaseDescription& d) {
    Simulation run(d);
    run.advance_to(0.5);
    run.law("turn").go_on(-0.2);
    run.run();
    return numbers_of(run.state());
  };
  std::vector<std::vector<double>> alone, together(cases.size());
  for (const CaseDescription& d : cases) alone.push_back(result(d));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    threads.emplace_back([&, i] { together[i] = result(cases[i]); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together, alone);
}

// ---- steering

// A wheel of inertia 1 whose motor has the moment of a law that a caller sets.
CaseDescription motor_wheel() {
  CaseDescription d = loaded_wheel("u");
  d.laws = {{"u", ConstantLaw{0}}};
  return d;
}

TEST(SteeredLoad, HoldsWhatASampledControllerAsksFor) {
  // φ̈ = u, held over every period: what the controller sees and what it does follow exactly. The
  // steps, a thousandth of the run twice over, are of second order: errors are fractions of their
  // square times rates and accelerations of five at most, and the controller damps them.
  constexpr double kPeriod = 0.1, kError = 5 * 2e-3 * 2e-3;
  Simulation run(motor_wheel());
  LawHandle motor = run.law("u");
  double angle = 0, rate = 0;
  for (int i = 1; i <= 20; ++i) {
    const HingeSnapshot& seen = run.hinge("h");
    const double u = 5 * (1 - seen.angle) - 3 * seen.rate;
    motor.set_value(u);
    EXPECT_EQ(motor.now().value, u);
    EXPECT_EQ(run.load("motor").moment, u);
    const double exact = 5 * (1 - angle) - 3 * rate;
    run.advance_to(i * kPeriod);
    angle += kPeriod * (rate + kPeriod / 2 * exact);
    rate += kPeriod * exact;
    EXPECT_NEAR(run.hinge("h").angle, angle, kError);
    EXPECT_NEAR(run.hinge("h").rate, rate, kError);
    EXPECT_NEAR(run.energy().external_work, rate * rate / 2, kError);
    EXPECT_NEAR(run.energy().balance, 0, kError);
  }
  EXPECT_THAT(run.events(), IsEmpty());
}

// The turned rod with steps that are all the same: what starts the integrator anew does not change
// them, and two runs with the same motion have the same numbers but for rounding.
CaseDescription evenly_turned_rod() {
  CaseDescription d = turned_rod();
  d.analysis.method.frequency_limit = 0.2;
  d.analysis.method.local_tolerance = 1;
  d.analysis.method.iteration_tolerance = 1e-13;
  return d;
}

// Accelerations and forces are 1e4 times as sensitive as places: by ω² and by EA/l.
void expect_same(Simulation& found, Simulation& expected) {
  const std::vector<double> x = numbers_of(found.state()), y = numbers_of(expected.state());
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-8) << i;
  for (std::size_t i = 0; i < 3 * found.layout().points.size(); ++i) {
    EXPECT_NEAR(found.state().position[i], expected.state().position[i], 1e-12) << i;
  }
}

TEST(SteeredPlace, MovesAsTheSameLawOfACase) {
  CaseDescription d = evenly_turned_rod();
  Simulation whole(d);
  d.laws[0].law = ConstantLaw{0};
  Simulation steered(d);
  LawHandle turn = steered.law("turn");
  turn.go_on(0.4);
  EXPECT_EQ(turn.now().rate, 0.4);
  steered.advance_to(0.5);
  turn.go_on(-0.6);
  steered.run();
  whole.run();
  expect_same(steered, whole);
  ASSERT_THAT(steered.events(), SizeIs(whole.events().size()));
  for (std::size_t i = 0; i < whole.events().size(); ++i) {
    EXPECT_EQ(steered.events()[i].time, whole.events()[i].time);
    EXPECT_EQ(steered.events()[i].name, whole.events()[i].name);
    EXPECT_EQ(steered.events()[i].what, whole.events()[i].what);
  }
}

TEST(SteeredPlace, SetToWhatItDoesAnywayChangesNothing) {
  Simulation whole(evenly_turned_rod()), steered(evenly_turned_rod());
  for (const double t : {0.0, 0.5}) {  // the velocities have jumped there already
    steered.advance_to(t);
    const std::size_t events = steered.events().size();
    const double rate = steered.law("turn").now().rate;
    EXPECT_NEAR(rate, t == 0 ? 0.4 : -0.6, 1e-15);
    const double before = steered.energy().kinetic;
    steered.law("turn").go_on(rate);
    EXPECT_NEAR(steered.energy().kinetic, before, 1e-14);
    EXPECT_THAT(steered.events(), SizeIs(events)) << "a velocity has jumped";
    steered.law("turn").set(LinearLaw{{0, 0.5, 1}, {0, 0.2, -0.1}});  // the breaks, too
  }
  steered.run();
  whole.run();
  expect_same(steered, whole);
}

TEST(SteeredPlace, ReachesAValueWithoutAJump) {
  CaseDescription d = turned_rod();
  d.laws[0].law = PolynomialLaw{{0, 0.4, 0.3}};
  Simulation run(d);
  run.advance_to(0.25);
  LawHandle turn = run.law("turn");
  const LawValue before = turn.now();
  const std::size_t events = run.events().size();
  turn.reach(-0.2, 0.5);
  EXPECT_NEAR(turn.now().value, before.value, 1e-15);
  EXPECT_NEAR(turn.now().rate, before.rate, 1e-15);
  EXPECT_NEAR(turn.now().acceleration, before.acceleration, 1e-15);
  run.advance_to(0.7499999);
  EXPECT_NEAR(turn.now().rate, 0, 1e-10);
  EXPECT_NEAR(turn.now().acceleration, 0, 1e-4);
  run.run();
  EXPECT_NEAR(run.rod("rod").angle[0], -0.2, 1e-12);
  EXPECT_THAT(run.events(), SizeIs(events)) << "a velocity has jumped";
  EXPECT_LT(std::abs(run.energy().balance), 1e-4 * run.summary().largest_energy);
}

TEST(SteeredPlace, OfALengthFollowsTheLawToo) {
  // The law of a distance is the length, of which a row has the change.
  CaseDescription d;
  d.points = {{"O", {0, 0}}, {"P", {1, 0}}};
  d.particles = {{.name = "m", .at = "P", .mass = 1, .velocity = {0, 1}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true}};
  d.laws = {{"length", ConstantLaw{1}}};
  d.constraints = {{.name = "string",
                    .kind = ConstraintDescription::Kind::distance,
                    .law = "length",
                    .between = {"O", "P"}}};
  d.initial.velocities = {{"P", {0, 1}}};
  d.analysis.end = 2;
  d.particles[0].velocity = {0, 1};
  Simulation run(d);
  run.advance_to(0.5);
  run.law("length").reach(0.5, 1);
  run.run();
  const auto p = run.position("P"), v = run.velocity("P");
  EXPECT_NEAR(std::hypot(p[0], p[1]), 0.5, 1e-10);
  EXPECT_NEAR(p[0] * v[1] - p[1] * v[0], 1, 1e-5);  // a central force: the momentum stays
}

TEST(SteeredPlace, DoesNotJump) {
  Simulation run(turned_rod());
  run.advance_to(0.25);
  EXPECT_EQ(text_of([&] { run.law("turn").set_value(0.3); }),
            "/laws/turn: at t = 0.25 s the value would jump from 0.1 to 0.3, and a place follows "
            "it; let the new law start from the present value\n");
  EXPECT_THAT(text_of([&] {
                run.law("turn").set(StepsLaw{{0, 1}, {0.1, 0.1001}});
              }),
              StartsWith("/laws/turn: the law has steps"));
  EXPECT_THAT(text_of([&] { run.law("turn").go_on(std::nan("")); }),
              StartsWith("/laws/turn: the law's numbers are not finite"));
  EXPECT_THAT(text_of([&] { run.law("turn").reach(1, 0); }), HasSubstr("in no time"));
  EXPECT_EQ(run.law("turn").now().rate, 0.4);  // nothing has changed
  run.run();
  EXPECT_NEAR(run.rod("rod").angle[0], -0.1, 1e-12);
}

// ---- what goes wrong

// Two constraints say the same of the rod's angle, until one of their laws is changed.
TEST(SteeredPlace, ThatContradictsAnotherIsRefusedAndChangesNothing) {
  CaseDescription d = turned_rod();
  d.laws.push_back(make_law("again", LawKind::linear, {0, 0.5, 1}, {0, 0.2, -0.1}));
  d.constraints = {{.name = "twin",
                    .kind = ConstraintDescription::Kind::linear,
                    .terms = {{"rod_from", 1}},
                    .law = "again"}};
  Simulation run(d), untouched(d);
  run.advance_to(0.2);
  untouched.advance_to(0.2);
  const LinearLaw slower{{0, 0.2, 1}, {0, 0.08, 0.1}};
  run.law("again").set(slower);
  EXPECT_THROW(run.advance_to(0.3), InputError);
  EXPECT_EQ(numbers_of(run.state()), numbers_of(untouched.state()));
}

TEST(Simulation, KeepsTheWarningsOfItsRun) {
  CaseDescription d = turned_rod();
  d.analysis.long_steps = GeneralizedAlphaDescription{.step = 0.1};  // too long for this rod
  Simulation run(d);
  EXPECT_THAT(run.warnings(), IsEmpty());
  run.run();
  run.finish();
  EXPECT_THAT(run.warnings(), ElementsAre(HasSubstr("the energy ledger does not close")));
}

TEST(SimulationError, OfACaseIsThatOfTheModel) {
  CaseDescription d = turned_rod();
  d.supports[0].point = "Q";
  d.rods[0].section = "sfot";
  EXPECT_EQ(text_of([&] { Simulation{d}; }), text_of([&] { (void)make_model(d); }));
  d = turned_rod();
  d.analysis.end = 0;
  EXPECT_THAT(text_of([&] { Simulation{d}; }), StartsWith("/analysis/end: "));
}

TEST(SimulationError, NamesTheNearestName) {
  Simulation run(turned_rod());
  EXPECT_EQ(text_of([&] { (void)run.law("turm"); }),
            "/laws/turm: there is no such law; did you mean 'turn'?\n");
  EXPECT_EQ(text_of([&] { (void)run.rod("rood"); }),
            "/rods/rood: there is no such name; did you mean 'rod'?\n");
  EXPECT_THAT(text_of([&] { (void)run.hinge("h"); }), HasSubstr("known are none"));
  EXPECT_EQ(text_of([&] { (void)(*run.quantities())["/energy/kinetik"]; }),
            "/energy/kinetik: there is no such quantity; did you mean '/energy/kinetic'?\n");
}

TEST(SimulationError, OfTimesThatAreNotAhead) {
  Simulation run(turned_rod());
  run.advance_to(0.5);
  for (const double t : {0.4, 1.5, std::nan("")}) {
    EXPECT_THAT(text_of([&] { run.advance_to(t); }), HasSubstr("cannot advance to")) << t;
  }
  EXPECT_THAT(text_of([&] { run.record("/tmp/late.h5"); }), HasSubstr("has begun"));
}

TEST(SimulationError, OfTheSolverIsTheReasonOfTheRun) {
  CaseDescription d = pinned_rod(2);
  d.laws = {make_law("push", LawKind::smooth, {0, 1e-3}, {0, -1e5})};
  d.supports.push_back({.point = "A", .x = "push"});
  Record record;
  const RunSummary summary = run_dynamics(make_model(d), {1}, record);
  ASSERT_EQ(summary.status, RunStatus::failed);
  Simulation run(d);
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      run.run();
      FAIL() << "it should have failed";
    } catch (const SolverError& error) {
      EXPECT_EQ(error.what(), summary.reason);
    }
  }
  EXPECT_EQ(run.finish().status, RunStatus::failed);
}

}  // namespace
}  // namespace fem
