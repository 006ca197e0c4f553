// What is done to hinges at an instant: momenta, impulses, energies, rates, in structures that
// float free; and the same over long runs.
#include "libfem/analysis/hinge_changes.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/analysis/hinge_events.hpp"
#include "libfem/body/rigid_body.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::Vector;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Momentum, angular momentum about the origin and kinetic energy, from the masses alone.
struct Momenta {
  double x = 0, y = 0, angular = 0, kinetic = 0;
};

Momenta momenta_of(const RunState& state) {
  const Model& model = state.model();
  const std::vector<double> q = state.natural_positions();
  const std::vector<double> v = state.natural_velocities();
  const auto n = static_cast<Eigen::Index>(q.size());
  const Vector velocities = Vector::Map(v.data(), n);
  Vector p = test::assemble(model, Vector::Map(q.data(), n), velocities).mass * velocities;
  for (const Body& b : model.bodies) {
    const std::array<int, 3> c{model.nodes[at(b.node)].x, model.nodes[at(b.node)].x + 1, b.angle};
    const Eigen::Vector3d w(v[at(c[0])], v[at(c[1])], v[at(c[2])]);
    const Eigen::Vector3d share = mass_matrix(b.body, first_moment(b.body, q[at(b.angle)])) * w;
    for (std::size_t k = 0; k < 3; ++k) p(c[k]) += share(static_cast<Eigen::Index>(k));
  }
  Momenta m{.kinetic = 0.5 * p.dot(velocities)};
  for (const Node& node : model.nodes) {
    m.x += p(node.x);
    m.y += p(node.x + 1);
    m.angular += q[at(node.x)] * p(node.x + 1) - q[at(node.x + 1)] * p(node.x);
  }
  for (Eigen::Index c = 0; c < n; ++c) {
    if (model.is_angle[static_cast<std::size_t>(c)] != 0) m.angular += p(c);
  }
  return m;
}

void expect_same_momenta(const Momenta& a, const Momenta& b, double relative) {
  const double linear = std::hypot(a.x, a.y);
  EXPECT_NEAR(b.x, a.x, relative * linear);
  EXPECT_NEAR(b.y, a.y, relative * linear);
  EXPECT_NEAR(b.angular, a.angular, relative * std::abs(a.angular));
}

// Three bodies with offset centres in a row, two hinges, nothing else: afloat.
CaseDescription floating_bodies() {
  CaseDescription d;
  d.points = {{"A", {0, 0}}, {"B", {1, 0}}};
  d.bodies = {
      {.name = "hub", .at = "A", .mass = 5, .inertia = 2, .center = {-0.3, 0.1}, .carries = {"B"}},
      {.name = "left", .at = "A", .mass = 1, .inertia = 0.5, .center = {-0.2, 0.5}},
      {.name = "right", .at = "B", .mass = 1.5, .inertia = 0.8, .center = {0.6, 0.1}}};
  d.hinges = {{.name = "l", .at = "A", .members = {"hub", "left"}},
              {.name = "r", .at = "B", .members = {"hub", "right"}}};
  d.analysis = {.end = 4, .output_every = 1};
  return d;
}

// Two rods on a hinge, afloat: light and soft.
CaseDescription floating_rods() {
  CaseDescription d;
  d.sections = {test::soft_section()};
  d.points = {{"O", {0, 0}}, {"A", {1, 0}}, {"B", {1, 1}}};
  d.rods = {{"first", "soft", "O", "A", 3}, {"second", "soft", "A", "B", 3}};
  d.hinges = {{.name = "h", .at = "A", .members = {"first", "second"}}};
  d.analysis = {.end = 4, .output_every = 1};
  return d;
}

// Sets velocities that the constraints allow, from any numbers.
void set_in_motion(RunState& state, std::uint64_t seed) {
  test::Random random(seed);
  for (double& v : state.velocities()) v = random.uniform(-1, 1);
  ASSERT_TRUE(state.system().complete(0, Side::before, state.positions(), state.velocities()).ok());
}

double rate_of(const RunState& state, std::size_t h) {
  const Hinge& hinge = state.model().hinges[h];
  const std::vector<double> v = state.natural_velocities();
  return v[at(hinge.second)] - v[at(hinge.first)];
}

TEST(HingeChanges, LocksKeepMomentaAndTakeTheEnergyTheySay) {
  for (CaseDescription d : {floating_bodies(), floating_rods()}) {
    d.hinges[0].latch = HingeLatchDescription{.angle = 3};
    for (const Happening::What what :
         {Happening::What::latch, Happening::What::hold, Happening::What::jam}) {
      RunState state(make_model(d), {1});
      set_in_motion(state, 5);
      const Momenta before = momenta_of(state);
      Consequences told;
      ASSERT_TRUE(carry_out({.what = what, .hinge = 0}, 0.5, state, told).ok());
      const Momenta after = momenta_of(state);
      expect_same_momenta(before, after, 1e-13);
      EXPECT_NEAR(rate_of(state, 0), 0, 1e-15);
      EXPECT_NEAR(told.lost, before.kinetic - after.kinetic, 1e-13 * before.kinetic);
      EXPECT_GT(told.lost, 1e-5);
      EXPECT_EQ(told.supplied, 0);
      ASSERT_THAT(told.events, SizeIs(1));
      EXPECT_EQ(told.events[0].time, 0.5);
    }
  }
}

TEST(HingeChanges, AnImpulseIsWhatTheSecondMemberGets) {
  // Of two bodies about one point that do not touch otherwise: I₂(ω₂⁺ − ω₂⁻) = Λ.
  CaseDescription d;
  d.points = {{"A", {0, 0}}};
  d.bodies = {{.name = "one", .at = "A", .mass = 1, .inertia = 2},
              {.name = "two", .at = "A", .mass = 1, .inertia = 3}};
  d.hinges = {{.name = "h", .at = "A", .members = {"one", "two"}}};
  d.hinges[0].stop = HingeStopDescription{.upper = 0, .restitution = 0.25};
  d.analysis = {.end = 1, .output_every = 1};
  RunState state(make_model(d), {1});
  const std::vector<double> v{0, 0, 1, 2};
  state.set_velocities(v);
  Consequences told;
  ASSERT_TRUE(carry_out({.what = Happening::What::strike, .hinge = 0, .stop = LockKind::upper_stop},
                        0, state, told)
                  .ok());
  const std::vector<double> after = state.natural_velocities();
  const double reduced = 2.0 * 3.0 / 5.0;
  const double impulse = -reduced * 1.25;
  EXPECT_NEAR(after[3] - 2, impulse / 3, 1e-15);
  EXPECT_NEAR(after[2] - 1, -impulse / 2, 1e-15);
  EXPECT_NEAR(told.lost, 0.5 * reduced * (1 - 0.25 * 0.25), 1e-15);
  ASSERT_THAT(told.events, SizeIs(1));
  EXPECT_EQ(told.events[0].what,
            "stop hit at 0 rad, rate from 1 to -0.25 rad/s; impulse -1.5 N m s, energy lost "
            "0.5625 J");
}

TEST(HingeChanges, BlowsTurnTheRateAndKeepMomenta) {
  for (CaseDescription d : {floating_bodies(), floating_rods()}) {
    for (const double e : {0.3, 1.0}) {
      d.hinges[0].stop = HingeStopDescription{.lower = -2, .upper = 2, .restitution = e};
      RunState state(make_model(d), {1});
      set_in_motion(state, 11);
      const double rate = rate_of(state, 0);
      const Momenta before = momenta_of(state);
      Consequences told;
      const LockKind stop = rate > 0 ? LockKind::upper_stop : LockKind::lower_stop;
      ASSERT_TRUE(
          carry_out({.what = Happening::What::strike, .hinge = 0, .stop = stop}, 0, state, told)
              .ok());
      const Momenta after = momenta_of(state);
      ASSERT_THAT(told.events[0].what, HasSubstr("rate from"));
      expect_same_momenta(before, after, 1e-13);
      EXPECT_NEAR(rate_of(state, 0), -e * rate, 1e-13);
      EXPECT_NEAR(told.lost, before.kinetic - after.kinetic, 1e-13 * before.kinetic);
      EXPECT_EQ(state.model().hinges[0].lock, kNone);
    }
  }
}

TEST(HingeChanges, ReleasesChangeNoVelocity) {
  CaseDescription d = floating_bodies();
  d.hinges[0].holds = {{}};
  RunState state(make_model(d), {1});
  set_in_motion(state, 3);
  const std::vector<double> q = state.natural_positions();
  const std::vector<double> v = state.natural_velocities();
  const std::size_t independent = state.system().independent();
  Consequences told;
  ASSERT_TRUE(carry_out({.what = Happening::What::release, .hinge = 0}, 1, state, told).ok());
  EXPECT_EQ(state.natural_positions(), q);
  EXPECT_EQ(state.natural_velocities(), v);
  EXPECT_EQ(state.model().hinges[0].locked, LockKind::none);
  EXPECT_EQ(told.lost, 0);
  EXPECT_GE(state.system().independent(), independent);
}

// Integrates `steps` steps of a fixed length with all that happens to hinges, as a run does;
// returns the largest change of momenta, relative to their size.
struct LongRun {
  double worst = 0;
  std::vector<Event> events;
};
LongRun integrate(RunState& state, int steps) {
  HingeEvents events(state.model());
  Consequences told;
  const Momenta start = momenta_of(state);
  const double linear = std::hypot(start.x, start.y);
  LongRun run;
  const auto begin = [&](double t) {
    HingeMotion motion;
    for (;;) {
      EXPECT_TRUE(state.hinge_motion(t, motion).ok());
      const auto next = events.next(motion);
      if (!next) break;
      EXPECT_TRUE(carry_out(*next, t, state, told).ok());
    }
    events.start(motion);
    EXPECT_TRUE(state.start(t).ok());
  };
  begin(0);
  for (int n = 0; n < steps; ++n) {
    EXPECT_TRUE(state.integrator().step(1e9).ok());
    HingeMotion end;
    EXPECT_TRUE(state.hinge_motion_at_end(end).ok());
    double t = end.time;
    if (events.passed(end)) {
      EXPECT_TRUE(events
                      .locate(
                          end,
                          [&](double middle, HingeMotion& m) {
                            return state.hinge_motion_within(middle, m);
                          },
                          t)
                      .ok());
      EXPECT_TRUE(state.take(t).ok());
      begin(t);
    } else {
      EXPECT_TRUE(state.take(t).ok());
      events.go_on(std::move(end));
    }
    const Momenta now = momenta_of(state);
    run.worst = std::max({run.worst, std::hypot(now.x - start.x, now.y - start.y) / linear,
                          std::abs(now.angular - start.angular) / std::abs(start.angular)});
  }
  run.events = told.events;
  return run;
}

TEST(HingeChanges, FloatingBodiesWithSpringsAndLatchesKeepTheirMomentaOverALongRun) {
  // 100 000 steps of 3 µs, in which one hinge latches rigidly and the other on a spring. The scheme
  // is of second order: a mode ω loses (ωT)³/12 N² at most, 1e-10 for ωT = 2 of N = 1e5 steps.
  CaseDescription d = floating_bodies();
  d.hinges[0].spring = HingeSpringDescription{.stiffness = 3, .neutral = 2.5};
  d.hinges[0].latch = HingeLatchDescription{.angle = 0.3};
  d.hinges[1].spring = HingeSpringDescription{.table = {{-1, 2}, {0, 1.5}, {2, 0}}};
  d.hinges[1].latch = HingeLatchDescription{.angle = 0.01, .spring = LatchSpringDescription{20, 1}};
  d.analysis.end = 0.3;
  d.analysis.method.frequency_limit = 0.01;
  RunState state(make_model(d), {1});
  std::vector<double> v(state.natural_velocities().size(), 0.0);
  const auto set = [&](const char* body, std::array<double, 3> velocity) {
    for (const Body& b : state.model().bodies) {
      if (b.name != body) continue;
      v[at(state.model().nodes[at(b.node)].x)] = velocity[0];
      v[at(state.model().nodes[at(b.node)].x + 1)] = velocity[1];
      v[at(b.angle)] = velocity[2];
    }
  };
  set("hub", {0.2, -0.1, 0.3});
  set("left", {0.2, -0.1, 0.3});
  set("right", {0.2, -0.1, 0.3});
  state.set_velocities(v);
  ASSERT_TRUE(state.system().complete(0, Side::before, state.positions(), state.velocities()).ok());
  const LongRun run = integrate(state, 100000);
  ASSERT_THAT(run.events, SizeIs(2));
  EXPECT_LT(run.worst, 1e-10);
}

}  // namespace
}  // namespace fem
