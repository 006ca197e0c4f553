// Bodies that carry points: the projected equations against multipliers, and against formulas.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/model/model.hpp"
#include "libfem/system/system.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::all_near;
using test::Matrix;
using test::to_natural;
using test::to_stored;
using test::Vector;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

BodyDescription bar(const std::string& name, const std::string& from, const std::string& to,
                    std::array<double, 2> center, double mass, double central) {
  const double square = center[0] * center[0] + center[1] * center[1];
  return {.name = name,
          .at = from,
          .mass = mass,
          .inertia = central + mass * square,
          .center = center,
          .carries = {to}};
}

// Two point masses on massless rods of 1 m: benchmark of the rigid double pendulum.
CaseDescription double_pendulum(double first, double second) {
  CaseDescription d;
  d.title = "double pendulum";
  d.gravity = {0, -9.81};
  const std::array<double, 2> a{std::cos(first), std::sin(first)};
  const std::array<double, 2> b{std::cos(second), std::sin(second)};
  d.points = {{"O", {0, 0}}, {"A", a}, {"B", {a[0] + b[0], a[1] + b[1]}}};
  d.bodies = {bar("upper", "O", "A", a, 1, 0), bar("lower", "A", "B", b, 1, 0)};
  d.hinges = {{.name = "h", .at = "A", .members = {"upper", "lower"}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

// Crank, coupler, rocker: one degree of freedom, the angles of two bodies depend on the third.
CaseDescription four_bar() {
  CaseDescription d;
  d.title = "four-bar";
  d.gravity = {0, -9.81};
  d.points = {{"O", {0, 0}}, {"A", {0.8, 1.2}}, {"B", {1.9, 1.1}}, {"C", {2, 0}}};
  d.bodies = {bar("crank", "O", "A", {0.1, 0.2}, 1.3, 0.05),
              bar("coupler", "A", "B", {0.8, 0.3}, 0.7, 0.2),
              bar("rocker", "C", "B", {-0.05, 0.4}, 2, 0.1)};
  d.hinges = {{.name = "a", .at = "A", .members = {"crank", "coupler"}},
              {.name = "b", .at = "B", .members = {"coupler", "rocker"}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true},
                {.point = "C", .fix_x = true, .fix_y = true}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

// A free hub that carries the roots of two rods, one rigid and one hinged with a prescribed angle.
CaseDescription hub_with_rods() {
  CaseDescription d;
  d.title = "hub";
  d.sections = {test::soft_section()};
  d.laws = {test::make_law("open", test::LawKind::smooth, {0, 2}, {0, 1})};
  d.points = {
      {"H", {0, 0}}, {"L", {-0.5, 0.2}}, {"R", {0.6, 0.1}}, {"l", {-1.5, 0.6}}, {"r", {1.6, 0.3}}};
  d.rods = {{"left", "soft", "L", "l", 2}, {"right", "soft", "R", "r", 3}};
  d.bodies = {{.name = "hub",
               .at = "H",
               .mass = 5,
               .inertia = 1.2,
               .center = {0.1, -0.05},
               .carries = {"L", "R"}}};
  d.hinges = {{.name = "hinge", .at = "R", .members = {"hub", "right"}, .drive = "open"}};
  d.analysis = {.end = 2, .output_every = 0.1};
  return d;
}

struct Dense {
  Matrix mass;
  Vector force;  // velocity forces, elastic forces, less gravity
};

Dense assemble_all(const Model& model, const Vector& q, const Vector& v) {
  Model rods = model;  // bodies are written down here
  rods.bodies.clear();
  rods.gravity = {};
  const test::DenseForces elements = test::assemble(rods, q, v);
  Dense d{elements.mass, elements.force};
  for (const Body& b : model.bodies) {
    const Eigen::Index x = model.nodes[at(b.node)].x;
    const double c = std::cos(q(b.angle));
    const double s = std::sin(q(b.angle));
    const double rx = c * b.body.static_y - s * b.body.static_x;
    const double ry = s * b.body.static_y + c * b.body.static_x;
    d.mass(x, x) += b.body.mass;
    d.mass(x + 1, x + 1) += b.body.mass;
    d.mass(b.angle, b.angle) += b.body.inertia;
    d.mass(x, b.angle) -= ry;
    d.mass(b.angle, x) -= ry;
    d.mass(x + 1, b.angle) += rx;
    d.mass(b.angle, x + 1) += rx;
    const double w = v(b.angle);
    d.force(x) += -w * w * rx - b.body.mass * model.gravity[0];
    d.force(x + 1) += -w * w * ry - b.body.mass * model.gravity[1];
    d.force(b.angle) -= model.gravity[1] * rx - model.gravity[0] * ry;
  }
  return d;
}

struct Sample {
  std::string name;
  Model model;
};

// The hub with relations of positions: a distance, and a curve that moves in time.
CaseDescription hub_with_relations() {
  CaseDescription d = hub_with_rods();
  d.constraints = {
      {.name = "bar", .kind = ConstraintDescription::Kind::distance, .between = {"l", "r"}},
      {.name = "cam",
       .kind = ConstraintDescription::Kind::expression,
       .position = "y_r - y_H - 0.3 - 0.05*sin(3*(x_r - 1.6)) - 0.1*t"}};
  return d;
}

// The hub with relations of rates.
CaseDescription hub_with_edges() {
  CaseDescription d = hub_with_rods();
  d.constraints = {{.name = "edge",
                    .kind = ConstraintDescription::Kind::knife_edge,
                    .at = "r",
                    .body = "hub",
                    .direction = 0.4},
                   {.name = "drift",
                    .kind = ConstraintDescription::Kind::expression,
                    .velocity = "vx_l*cos(angle_hub) + 0.3*rate_hub - 0.1*t*y_l"}};
  return d;
}

std::vector<Sample> samples_of_positions() {
  return {{"double pendulum", make_model(double_pendulum(-0.3, 0.9))},
          {"four-bar", make_model(four_bar())},
          {"hub", make_model(hub_with_rods())},
          {"relations", make_model(hub_with_relations())}};
}

std::vector<Sample> samples() {
  std::vector<Sample> all = samples_of_positions();
  all.push_back({"edges", make_model(hub_with_edges())});
  return all;
}

// A completed state near the initial one with random rates of the independent coordinates.
test::State moved_state(System& system, std::uint64_t seed, double t) {
  return test::random_state(system, seed, t, Side::after, 0.05, 1);
}

TEST(Linkage, PositionsAndRatesSatisfyTheConstraints) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    System system(sample.model, {});
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const test::State s = moved_state(system, seed, 0.6);
      const auto worst = system.violation(0.6, Side::after, s.q, s.v);
      EXPECT_LE(worst.position, 2e-15);
      EXPECT_LE(worst.velocity, 1e-14);
    }
  }
}

TEST(Linkage, AccelerationsAndReactionsSatisfyTheEquationsOfMotion) {
  constexpr double t = 0.6;
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    const Model& model = sample.model;
    System system(model, {});
    for (std::uint64_t seed = 10; seed < 15; ++seed) {
      test::State s = moved_state(system, seed, t);
      std::vector<double> a(system.size());
      ASSERT_TRUE(system.acceleration(t, Side::after, s.q, s.v, a).ok());
      const Vector q = to_natural(system, s.q);
      const Vector v = to_natural(system, s.v);
      const Vector acceleration = to_natural(system, a);
      const auto lambda = system.reactions(a);
      const auto m = static_cast<Eigen::Index>(model.rows.size());
      Matrix D = Matrix::Zero(m, q.size());
      Vector right(m);
      for (Eigen::Index r = 0; r < m; ++r) {
        const Row& row = model.rows[static_cast<std::size_t>(r)];
        visit_terms(
            row, t, [&](int c) { return q(c); }, [&](int c, double w) { D(r, c) += w; });
        right(r) = row_value(model, row, t, Side::after).acceleration -
                   row_curvature(
                       row, t, [&](int c) { return q(c); }, [&](int c) { return v(c); });
      }
      const double size = 1 + acceleration.cwiseAbs().maxCoeff();
      EXPECT_TRUE(all_near((D * acceleration).eval(), right, 1e-13 * size));
      const Dense dense = assemble_all(model, q, v);
      const Vector reaction = D.transpose() * Vector::Map(lambda.data(), m);
      EXPECT_TRUE(all_near((dense.mass * acceleration + dense.force).eval(), reaction,
                           1e-12 * (1 + dense.force.cwiseAbs().maxCoeff()) * size));
    }
  }
}

// Lagrange's equations of two equal point masses m = L = 1, angles a, b from the horizontal:
// 2ä + cos(b − a)b̈ − sin(b − a)ḃ² = −2g cos a,  b̈ + cos(b − a)ä + sin(b − a)ȧ² = −g cos b.
TEST(Linkage, DoublePendulumHasLagrangesAccelerations) {
  constexpr double a = -0.3;
  constexpr double b = 0.9;
  constexpr double wa = 1.7;
  constexpr double wb = -2.2;
  const Model model = make_model(double_pendulum(a, b));
  System system(model, {});
  std::vector<double> q = system.initial_positions();
  std::vector<double> v(system.size(), 0.0);
  v[system.place(model.bodies[0].angle)] = wa;
  v[system.place(model.bodies[1].angle)] = wb;
  std::vector<double> acceleration(system.size());
  ASSERT_TRUE(system.acceleration(0, Side::after, q, v, acceleration).ok());
  Eigen::Matrix2d m;
  m << 2, std::cos(b - a), std::cos(b - a), 1;
  const Eigen::Vector2d f(-2 * 9.81 * std::cos(a) + std::sin(b - a) * wb * wb,
                          -9.81 * std::cos(b) - std::sin(b - a) * wa * wa);
  const Eigen::Vector2d expected = m.inverse() * f;
  EXPECT_NEAR(acceleration[system.place(model.bodies[0].angle)], expected(0), 1e-12);
  EXPECT_NEAR(acceleration[system.place(model.bodies[1].angle)], expected(1), 1e-12);
}

// The tangent of statics is the derivative of its residual, constraint forces included: central
// differences with error h² · third derivative ≈ 1e-9 of the largest entry.
TEST(Linkage, StaticTangentIsTheDerivativeOfTheResidual) {
  for (const Sample& sample : samples_of_positions()) {
    SCOPED_TRACE(sample.name);
    System system(sample.model, {});
    constexpr double h = 1e-5;
    std::vector<double> q = moved_state(system, 20, 0).q;
    const std::size_t n = system.independent();
    std::vector<double> residual(n);
    system.assemble_statics(0, 1, q, residual);
    const Matrix tangent = Matrix(system.assembled_matrix());
    for (std::size_t j = 0; j < n; ++j) {
      if (system.numbering().coordinate[j] == kNone) continue;
      std::vector<double> forward(n), backward(n);
      std::vector<double> moved = q;
      moved[j] += h;
      system.assemble_statics(0, 1, moved, forward);
      moved = q;
      moved[j] -= h;
      system.assemble_statics(0, 1, moved, backward);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR((forward[i] - backward[i]) / (2 * h),
                    tangent(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)),
                    1e-7 * (1 + tangent.cwiseAbs().maxCoeff()));
      }
    }
  }
}

// Of the velocities that a row of rates ties one follows from the others, and a jump keeps the
// rows.
TEST(Linkage, RowsOfRatesTieVelocitiesOnly) {
  const Model model = make_model(hub_with_edges());
  System system(model, {});
  const std::vector<char> follows = system.follows_from_rates();
  EXPECT_EQ(std::count(follows.begin(), follows.end(), 1), 2);
  test::State s = moved_state(system, 3, 0.6);
  const std::vector<double> q = s.q;
  std::vector<double> v(system.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::sin(1.0 + static_cast<double>(i));
  std::vector<double> impulses;
  const std::vector<double> before = v;
  ASSERT_TRUE(system.jump(0.6, s.q, v, impulses).ok());
  EXPECT_EQ(s.q, q);
  EXPECT_LE(system.violation(0.6, Side::after, s.q, v).velocity, 1e-13);
  // M(v⁺ − v⁻) = DᵀΛ.
  const Vector position = to_natural(system, s.q);
  const Dense dense = assemble_all(model, position, to_natural(system, v));
  Vector impulse = Vector::Zero(position.size());
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    visit_terms(
        model.rows[r], 0.6, [&](int c) { return position(c); },
        [&](int c, double w) { impulse(c) += w * impulses[r]; });
  }
  const Vector change = to_natural(system, v) - to_natural(system, before);
  EXPECT_TRUE(all_near((dense.mass * change).eval(), impulse, 1e-12));
}

// Turned towards its dead centre the rocker can no longer lead: another angle must. Wear is asked
// for before the positions are lost, and a new choice is fresh.
TEST(Linkage, AsksForOtherDependentsBeforeItsOwnFail) {
  const Model model = make_model(four_bar());
  System system(model, {});
  std::vector<double> q = system.initial_positions();
  std::vector<double> v(system.size(), 0.0);
  ASSERT_TRUE(system.complete(0, Side::after, q, v).ok());
  EXPECT_FALSE(system.wants_new_dependents());
  const auto lead = std::find_if(system.numbering().coordinate.begin(),
                                 system.numbering().coordinate.end(), [](int c) { return c >= 0; });
  const auto place = static_cast<std::size_t>(lead - system.numbering().coordinate.begin());
  int steps = 0;
  while (!system.wants_new_dependents() && steps < 700) {
    q[place] += 0.01;
    ASSERT_TRUE(system.complete(0, Side::after, q, v).ok()) << "after " << steps << " steps";
    ++steps;
  }
  ASSERT_LT(steps, 700) << "the leading angle turns freely: choose another linkage";
  const Vector natural = to_natural(system, q);
  const System fresh(model, {}, {natural.data(), static_cast<std::size_t>(natural.size())});
  EXPECT_FALSE(fresh.wants_new_dependents());
}

TEST(Linkage, NamesABodyThatPinsFixTwice) {
  CaseDescription d = double_pendulum(0, 0.4);
  d.supports.push_back({.point = "A", .fix_x = true, .fix_y = true});
  const Model model = make_model(d);
  const System system(model, {});
  ASSERT_EQ(system.projection().warnings.size(), 1u);
  EXPECT_NE(system.projection().warnings[0].find("body 'upper'"), std::string::npos);
}

// Two cranks and a coupler of equal length, turned by `turn` and the cranks by `angle` from
// upright: the loop is flat at ±π/2.
CaseDescription parallelogram(double angle, double turn) {
  const auto along = [turn](double x, double y) -> std::array<double, 2> {
    return {std::cos(turn) * x - std::sin(turn) * y, std::sin(turn) * x + std::cos(turn) * y};
  };
  const auto crank = [&](double length) {
    return along(length * std::sin(angle), length * std::cos(angle));
  };
  CaseDescription d;
  d.title = "parallelogram";
  d.gravity = along(0, -9.81);
  const auto top = crank(1), half = crank(0.5), right = along(1, 0);
  d.points = {
      {"A0", {0, 0}}, {"A1", right}, {"B0", top}, {"B1", {right[0] + top[0], right[1] + top[1]}}};
  d.bodies = {bar("crank0", "A0", "B0", half, 1, 1. / 12),
              bar("crank1", "A1", "B1", half, 1, 1. / 12),
              bar("coupler", "B0", "B1", along(0.5, 0), 1, 1. / 12)};
  d.hinges = {{.name = "h0", .at = "B0", .members = {"crank0", "coupler"}},
              {.name = "h1", .at = "B1", .members = {"crank1", "coupler"}}};
  d.supports = {{.point = "A0", .fix_x = true, .fix_y = true},
                {.point = "A1", .fix_x = true, .fix_y = true}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

// One crank's angle φ from upright is all there is: (2/3 + 1) φ̈ = (1/2 + 1/2 + 1) g sin φ. Close to
// the flat pose, at δ = π/2 − φ, plain rounding would leave ε/δ³ of it: 1e-3 at 1e-4.
TEST(SingularPose, LeavesTheAccelerationsExactNearby) {
  for (const double turn : {0.0, 0.3, 2.0}) {
    for (const double delta : {1e-2, 1e-3, 1e-4, -1e-4, -1e-3}) {
      const double angle = 0.5 * std::numbers::pi - delta;
      const Model model = make_model(parallelogram(angle, turn));
      System system(model, Parallelism{1});
      std::vector<double> q = system.initial_positions();
      const double rate = 3;  // of φ; the bodies' angles turn the other way
      Vector natural = Vector::Zero(model.coordinates());
      for (const Body& body : model.bodies) {
        if (body.name != "coupler") natural(body.angle) = -rate;
      }
      std::vector<double> v = to_stored(system, natural);
      for (std::size_t i = system.independent(); i < v.size(); ++i) v[i] = 0;
      // Whichever angle is independent, the motion is the one in which the cranks stay parallel.
      std::vector<double> a(system.size());
      ASSERT_TRUE(system.acceleration(0, Side::after, q, v, a).ok());
      EXPECT_TRUE(system.near_singular());
      const double expected = -2 * 9.81 * std::sin(angle) / (5. / 3);
      for (const Body& body : model.bodies) {
        const double acceleration = a[system.place(body.angle)];
        const double known = body.name == "coupler" ? 0 : expected;
        // Rounding by itself leaves ε/δ. Lengths that are off by it where the linkage is turned are
        // another linkage, that has other accelerations, here by ε/δ² times some ten.
        constexpr double epsilon = std::numeric_limits<double>::epsilon();
        const double rounding = 30 * epsilon / std::abs(delta);
        const double geometry = turn == 0 ? 0 : 100 * epsilon / (delta * delta);
        EXPECT_NEAR(acceleration, known, rounding + geometry)
            << body.name << " at " << delta << ", turned by " << turn;
      }
    }
  }
}

// Under sanitizers: what has no independent coordinate is solved for no columns.
TEST(SingularPose, MayLeaveNothingFree) {
  CaseDescription d = parallelogram(0.5 * std::numbers::pi - 1e-3, 0);
  d.supports[0].fix_angle = true;
  const Model model = make_model(d);
  System system(model, Parallelism{1});
  EXPECT_EQ(system.independent(), 0U);
  std::vector<double> q = system.initial_positions();
  std::vector<double> v(system.size(), 0.0), a(system.size(), 1.0);
  ASSERT_TRUE(system.acceleration(0, Side::after, q, v, a).ok());
  EXPECT_TRUE(system.near_singular());
  EXPECT_THAT(a, ::testing::Each(0.0));
}

TEST(SingularPose, IsToldFromOrdinaryOnes) {
  const Model model = make_model(parallelogram(0.3, 0));
  System system(model, Parallelism{1});
  std::vector<double> q = system.initial_positions();
  std::vector<double> v(system.size(), 0.0), a(system.size());
  ASSERT_TRUE(system.acceleration(0, Side::after, q, v, a).ok());
  EXPECT_FALSE(system.near_singular());
  EXPECT_FALSE(system.is_uncertain());
}

}  // namespace
}  // namespace fem
