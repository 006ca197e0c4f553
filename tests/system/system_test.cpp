// The system against a dense oracle: accelerations, reactions, energies, powers, invariances.
#include "libfem/system/system.hpp"

#include <algorithm>
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

#include "tests/support/compare.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::Accelerations;
using test::accelerations;
using test::all_near;
using test::assemble;
using test::kTime;
using test::LawKind;
using test::Matrix;
using test::random_state;
using test::State;
using test::to_natural;
using test::to_stored;
using test::Vector;
using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Models of every kind: trees with rigid joints at odd angles, hinges, drives, supports; closed
// loops; element counts that leave lanes empty; several types in one tile; and rows of any kind.
std::vector<Model> sample_models() {
  std::vector<Model> models = {make_model(test::three_rods(LawKind::smooth, 2))};
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    models.push_back(make_model(test::random_frame(
        seed, {.rods = 1 + static_cast<int>(seed % 9), .loop = seed % 3 == 0 && seed > 3})));
  }
  for (std::uint64_t seed = 50; seed < 54; ++seed) {
    models.push_back(make_model(test::random_frame(seed, {.supports = false})));
  }
  test::Random random(600);
  for (std::uint64_t seed = 60; seed < 66; ++seed) {
    models.push_back(make_model(test::random_frame(seed, {.rods = 4})));
    for (int i = 0; i < 3; ++i) test::add_random_row(random, models.back());
  }
  return models;
}

TEST(SystemSamples, LeaveLanesEmptyAndMixTypes) {
  bool remainder[4] = {};
  bool mixed = false;
  bool loop = false;
  for (const Model& model : sample_models()) {
    remainder[model.elements.size() % 4] = true;
    for (std::size_t e = 0; e + 1 < model.elements.size(); ++e) {
      mixed = mixed || (e % 4 != 3 && model.elements[e].type != model.elements[e + 1].type);
    }
    const auto points = std::count_if(model.nodes.begin(), model.nodes.end(), [](const Node& n) {
      return n.name.find('/') == std::string::npos;
    });
    loop = loop || static_cast<std::ptrdiff_t>(model.rods.size()) == points;
  }
  EXPECT_TRUE(remainder[0] && remainder[1] && remainder[2] && remainder[3]);
  EXPECT_TRUE(mixed);
  EXPECT_TRUE(loop);
}

TEST(System, AccelerationsAndReactionsSatisfyTheEquationsOfMotion) {
  for (const Model& model : sample_models()) {
    SCOPED_TRACE(model.title);
    System system(model, {});
    State s = random_state(system, 601, kTime, Side::after);
    const auto [outcome, a] = accelerations(system, s);
    ASSERT_TRUE(outcome.ok());
    const Vector acceleration = to_natural(system, a);
    const auto lambda = system.reactions(a);
    const test::DenseForces m = assemble(model, to_natural(system, s.q), to_natural(system, s.v));
    const test::DenseRows rows = test::assemble_rows(model, kTime, Side::after);
    // M a + f = Dᵀλ. Roundings of the largest sums: the elastic forces of stiff elements, M a.
    const Vector reaction =
        rows.D.transpose() * Vector::Map(lambda.data(), static_cast<Eigen::Index>(lambda.size()));
    const double size =
        m.force.cwiseAbs().maxCoeff() + (m.mass.cwiseAbs() * acceleration.cwiseAbs()).maxCoeff();
    EXPECT_TRUE(all_near((m.mass * acceleration + m.force).eval(), reaction, 1e-12 * size));
    // D a = φ̈.
    EXPECT_TRUE(all_near((rows.D * acceleration).eval(), rows.acceleration,
                         1e-14 * (1 + acceleration.cwiseAbs().maxCoeff())));
  }
}

TEST(System, AccelerationsAndReactionsAreTheOracles) {
  for (const Model& model : sample_models()) {
    SCOPED_TRACE(model.title);
    System system(model, {});
    State s = random_state(system, 602, kTime, Side::after);
    const auto [outcome, a] = accelerations(system, s);
    ASSERT_TRUE(outcome.ok());
    const auto lambda = system.reactions(a);
    const test::DenseForces m = assemble(model, to_natural(system, s.q), to_natural(system, s.v));
    const test::DenseRows rows = test::assemble_rows(model, kTime, Side::after);
    const auto expected = test::solve_with_multipliers(m.mass, rows.D, -m.force, rows.acceleration);
    // The mass matrix has a condition of 1e4 to 1e6: thin elements turn more easily than they move.
    EXPECT_TRUE(
        all_near(to_natural(system, a), expected.x, 1e-9 * expected.x.cwiseAbs().maxCoeff()));
    EXPECT_TRUE(all_near(Vector::Map(lambda.data(), static_cast<Eigen::Index>(lambda.size())),
                         expected.lambda, 1e-9 * (1 + m.force.cwiseAbs().maxCoeff())));
  }
}

TEST(System, CompletesPositionsAndVelocities) {
  for (const LawKind kind : {LawKind::linear, LawKind::smooth}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Model model = make_model(test::random_frame(seed, {.laws = kind}));
      System system(model, {});
      for (const double t : {0.0, 0.7, 1.0, 2.5, 9.0}) {
        for (const Side side : {Side::before, Side::after}) {
          State s = random_state(system, seed, t, side);
          const State free = s;
          EXPECT_TRUE(system.complete(t, side, s.q, s.v).ok());
          EXPECT_EQ(s.q, free.q) << "to complete twice changes nothing";
          const test::DenseRows rows = test::assemble_rows(model, t, side);
          EXPECT_TRUE(all_near((rows.D * to_natural(system, s.q)).eval(), rows.position, 2e-14));
          EXPECT_TRUE(all_near((rows.D * to_natural(system, s.v)).eval(), rows.rate, 2e-14));
          const auto violation = system.violation(t, side, s.q, s.v);
          EXPECT_LT(violation.position, 2e-14);
          EXPECT_LT(violation.velocity, 2e-14);
        }
      }
    }
  }
}

TEST(System, LeavesIndependentCoordinatesAsTheyAre) {
  const Model model = make_model(test::random_frame(3));
  System system(model, {});
  std::vector<double> q(system.size(), 1.25);
  std::vector<double> v(system.size(), -0.5);
  EXPECT_TRUE(system.complete(kTime, Side::after, q, v).ok());
  for (std::size_t i = 0; i < system.independent(); ++i) {
    EXPECT_EQ(q[i], 1.25);
    EXPECT_EQ(v[i], -0.5);
  }
}

TEST(System, MeasuresViolations) {
  const Model model = make_model(test::random_frame(4));
  System system(model, {});
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    State s = random_state(system, 603, kTime, Side::after);
    const std::size_t place = system.place(model.rows[r].terms.back().first);
    s.q[place] += 0.25;
    s.v[place] -= 0.5;
    const auto violation = system.violation(kTime, Side::after, s.q, s.v);
    EXPECT_NEAR(violation.position, 0.25, 1e-13) << model.rows[r].pointer;
    EXPECT_NEAR(violation.velocity, 0.5, 1e-13) << model.rows[r].pointer;
  }
}

TEST(System, MeasuresViolationsOfDroppedRowsToo) {
  CaseDescription d = test::one_rod(test::soft_section(), 1, 2);
  d.supports = {{.point = "O", .fix_x = true}, {.point = "O", .fix_x = true}};
  const Model model = make_model(d);
  System system(model, {});
  ASSERT_EQ(system.projection().redundant.size(), 1U);
  State s = random_state(system, 604, 0, Side::after);
  s.q[system.place(0)] += 0.125;
  EXPECT_EQ(system.violation(0, Side::after, s.q, s.v).position, 0.125);
}

TEST(System, EnergiesAreSumsOverElements) {
  for (const Model& model : sample_models()) {
    SCOPED_TRACE(model.title);
    System system(model, {});
    const State s = random_state(system, 605, kTime, Side::after);
    const auto m = assemble(model, to_natural(system, s.q), to_natural(system, s.v));
    const Energies e = system.energies(kTime, Side::after, s.q, s.v);
    EXPECT_NEAR(e.kinetic, m.kinetic, 1e-13 * m.kinetic);
    EXPECT_NEAR(e.strain, m.strain, 1e-13 * m.strain);
    EXPECT_GT(e.kinetic, 0);
    EXPECT_GT(e.strain, 0);
  }
}

// T + Π at a time h along the motion that starts with q, v, a.
double energy_along(System& system, const State& s, const std::vector<double>& a, double h) {
  State moved = s;
  for (std::size_t i = 0; i < s.q.size(); ++i) {
    moved.q[i] += h * (s.v[i] + h / 2 * a[i]);
    moved.v[i] += h * a[i];
  }
  EXPECT_TRUE(system.complete(kTime + h, Side::after, moved.q, moved.v).ok());
  const Energies e = system.energies(kTime + h, Side::after, moved.q, moved.v);
  return e.kinetic + e.strain;
}

TEST(System, PowerOfTheDrivesIsTheRateOfTheEnergy) {
  int driven = 0;
  for (const Model& model : sample_models()) {
    SCOPED_TRACE(model.title);
    System system(model, {});
    State s = random_state(system, 606, kTime, Side::after, 0.01);
    const Accelerations result = accelerations(system, s);
    ASSERT_TRUE(result.outcome.ok());
    const std::vector<double>& a = result.a;
    const double power = system.drive_power(a);
    // The motion is right to second order and the differences are extrapolated: what remains is of
    // order (ω h)⁴ of what single forces do, with ω up to 1e4, and the roundings of T + Π over h.
    const auto difference = [&](double h) {
      return (energy_along(system, s, a, h) - energy_along(system, s, a, -h)) / (2 * h);
    };
    const double h = 1e-6;
    const double rate = (4 * difference(h) - difference(2 * h)) / 3;
    const auto m = assemble(model, to_natural(system, s.q), to_natural(system, s.v));
    const double size = to_natural(system, s.v).cwiseAbs().dot(m.force.cwiseAbs());
    EXPECT_NEAR(rate, power, 1e-8 * size + 1e-15 / h * (m.kinetic + m.strain));
    driven += std::abs(power) > 1e-3 * size ? 1 : 0;
  }
  EXPECT_GT(driven, 10);
}

TEST(System, PowerIsReactionsTimesRates) {
  for (const Model& model : sample_models()) {
    System system(model, {});
    State s = random_state(system, 607, kTime, Side::after);
    const auto [outcome, a] = accelerations(system, s);
    ASSERT_TRUE(outcome.ok());
    const auto lambda = system.reactions(a);
    const auto rows = test::assemble_rows(model, kTime, Side::after);
    double power = 0;
    double size = 0;
    for (std::size_t r = 0; r < lambda.size(); ++r) {
      const double part = lambda[r] * rows.rate(static_cast<Eigen::Index>(r));
      power += part;
      size += std::abs(part);
    }
    EXPECT_NEAR(system.drive_power(a), power, 1e-13 * size);
  }
}

TEST(System, InitialPositionsAreTheModels) {
  for (const Model& model : sample_models()) {
    System system(model, {});
    const auto q = system.initial_positions();
    for (int c = 0; c < model.coordinates(); ++c) {
      EXPECT_EQ(q[system.place(c)], model.initial[at(c)]);
    }
    // Straight rods are without strain: roundings of places and angles, 1e-16 each, squared.
    const std::vector<double> rest(system.size(), 0.0);
    double stiffness = 0;
    for (const auto& type : model.types) {
      stiffness += type.axial + type.bending + type.shear;
    }
    EXPECT_LT(system.energies(0, Side::after, q, rest).strain,
              1e-29 * stiffness * static_cast<double>(model.elements.size()));
    EXPECT_EQ(system.energies(0, Side::after, q, rest).kinetic, 0);
  }
}

TEST(System, DropsRedundantRowsWithoutEffect) {
  CaseDescription d = test::random_frame(7);
  const Model once = make_model(d);
  d.supports.push_back(d.supports[0]);  // the same foot again: x, y and angle follow
  const Model twice = make_model(d);
  System one(once, {});
  System two(twice, {});
  ASSERT_EQ(two.projection().redundant.size(), 3U);
  State s = random_state(one, 608, kTime, Side::after);
  State t = random_state(two, 608, kTime, Side::after);
  const auto a = accelerations(one, s);
  const auto b = accelerations(two, t);
  ASSERT_TRUE(a.outcome.ok() && b.outcome.ok());
  EXPECT_EQ(to_natural(one, a.a), to_natural(two, b.a));
  const auto lambda = one.reactions(a.a);
  const auto mu = two.reactions(b.a);
  for (std::size_t r = 0; r < mu.size(); ++r) EXPECT_EQ(mu[r], r < lambda.size() ? lambda[r] : 0);
  EXPECT_EQ(one.drive_power(a.a), two.drive_power(b.a));
}

TEST(System, WithEverythingPrescribedNeedsNoUnknowns) {
  CaseDescription d = test::one_rod(test::soft_section(), 1, 1);
  d.laws = {test::make_law("turn", LawKind::smooth, {0, 1}, {0, 1}),
            test::make_law("move", LawKind::smooth, {0, 1}, {0, 0.1})};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .angle = "turn"},
                {.point = "A", .fix_y = true, .x = "move", .angle = "turn"}};
  const Model model = make_model(d);
  System system(model, {});
  EXPECT_EQ(system.independent(), 0U);
  State s = random_state(system, 609, kTime, Side::after);
  const auto [outcome, a] = accelerations(system, s);
  ASSERT_TRUE(outcome.ok());
  const Vector acceleration = to_natural(system, a);
  const auto m = assemble(model, to_natural(system, s.q), to_natural(system, s.v));
  const auto rows = test::assemble_rows(model, kTime, Side::after);
  const Vector expected = rows.D.transpose().fullPivLu().solve(m.mass * acceleration + m.force);
  const auto lambda = system.reactions(a);
  EXPECT_TRUE(all_near(Vector::Map(lambda.data(), expected.size()), expected,
                       1e-13 * m.force.cwiseAbs().maxCoeff()));
}

TEST(System, HoldsPointsThatCarryNothing) {
  CaseDescription d = test::random_frame(8);
  d.points.push_back({"lonely", {3, 4}});
  const Model model = make_model(d);
  System system(model, {});
  State s = random_state(system, 610, kTime, Side::after);
  const auto [outcome, a] = accelerations(system, s);
  ASSERT_TRUE(outcome.ok());
  const int x = model.nodes[d.points.size() - 1].x;
  EXPECT_EQ(s.q[system.place(x)], 3);
  EXPECT_EQ(s.q[system.place(x + 1)], 4);
  EXPECT_EQ(a[system.place(x)], 0);
  const auto lambda = system.reactions(a);
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    EXPECT_TRUE(model.rows[r].kind != RowKind::unused_point || lambda[r] == 0);
  }
}

// --- Momenta of free structures ------------------------------------------------------------------

// The velocities of all coordinates when the structure moves along X or Y, or turns about the
// origin.
std::vector<Vector> rigid_motions(const Model& model, const Vector& q) {
  std::vector<Vector> motions(3, Vector::Zero(model.coordinates()));
  for (const Node& node : model.nodes) {
    motions[0](node.x) = 1;
    motions[1](node.x + 1) = 1;
    motions[2](node.x) = -q(node.x + 1);
    motions[2](node.x + 1) = q(node.x);
  }
  for (int c = 0; c < model.coordinates(); ++c) {
    if (model.is_angle[at(c)] != 0) motions[2](c) = 1;
  }
  return motions;
}

std::vector<Model> free_models() {
  std::vector<Model> models = {make_model(test::one_rod(test::soft_section(), 2, 5))};
  for (std::uint64_t seed = 70; seed < 76; ++seed) {
    models.push_back(
        make_model(test::random_frame(seed, {.loop = seed % 2 == 0, .supports = false})));
  }
  return models;
}

TEST(FreeSystem, FromRestAcceleratesWithoutMomentum) {
  for (const Model& model : free_models()) {
    SCOPED_TRACE(model.title);
    System system(model, {});
    State s = random_state(system, 611, 0, Side::after, 0.05, 0);
    const auto [outcome, a] = accelerations(system, s, 0);
    ASSERT_TRUE(outcome.ok());
    const Vector q = to_natural(system, s.q);
    const Vector acceleration = to_natural(system, a);
    const Matrix mass = assemble(model, q, Vector::Zero(q.size())).mass;
    const double size = (mass.cwiseAbs() * acceleration.cwiseAbs()).sum();
    EXPECT_GT(size, 1);  // it does accelerate
    for (const Vector& motion : rigid_motions(model, q)) {
      EXPECT_NEAR(motion.dot(mass * acceleration), 0, 1e-13 * size);
    }
  }
}

TEST(FreeSystem, ConservesLinearAndAngularMomentum) {
  for (const Model& model : free_models()) {
    SCOPED_TRACE(model.title);
    System system(model, {});
    State s = random_state(system, 612, kTime, Side::after, 0.02);
    const auto [outcome, a] = accelerations(system, s);
    ASSERT_TRUE(outcome.ok());
    const Vector q = to_natural(system, s.q);
    const Vector v = to_natural(system, s.v);
    const Vector acceleration = to_natural(system, a);
    const auto momenta = [&](double h) {
      const Vector qh = q + h * v + h * h / 2 * acceleration;
      const Vector vh = v + h * acceleration;
      const Vector p = assemble(model, qh, vh).mass * vh;
      std::vector<double> result;
      for (const Vector& motion : rigid_motions(model, qh)) result.push_back(motion.dot(p));
      return result;
    };
    // Central differences of fourth order along the motion. Accelerations of 1e4 move the state by
    // h² 1e4: errors are h² ω² of the single parts' rates.
    const double h = 1e-5;
    const auto p1 = momenta(h);
    const auto m1 = momenta(-h);
    const auto p2 = momenta(2 * h);
    const auto m2 = momenta(-2 * h);
    const double size = (assemble(model, q, v).mass.cwiseAbs() * acceleration.cwiseAbs()).sum();
    for (std::size_t i = 0; i < 3; ++i) {
      const double rate = (8 * (p1[i] - m1[i]) - (p2[i] - m2[i])) / (12 * h);
      EXPECT_NEAR(rate, 0, 1e-7 * size) << i;
    }
  }
}

// --- Frames --------------------------------------------------------------------------------------

// The case turned about the origin by an angle, then moved.
CaseDescription placed(CaseDescription d, double angle, double x, double y) {
  for (PointDescription& p : d.points) {
    p.position = {x + std::cos(angle) * p.position[0] - std::sin(angle) * p.position[1],
                  y + std::sin(angle) * p.position[0] + std::cos(angle) * p.position[1]};
  }
  return d;
}

TEST(SystemFrame, DoesNotMatter) {
  for (std::uint64_t seed = 80; seed < 90; ++seed) {
    const CaseDescription d = test::random_frame(seed, {.loop = seed % 3 == 0, .turnable = true});
    const Model model = make_model(d);
    System system(model, {});
    const State state = random_state(system, seed, kTime, Side::after);
    State s = state;
    const auto [outcome, a] = accelerations(system, s);
    ASSERT_TRUE(outcome.ok());
    const Vector q = to_natural(system, state.q);
    const Vector v = to_natural(system, state.v);
    const Vector expected = to_natural(system, a);
    struct Place {
      double angle, x, y;
    };
    for (const auto& [angle, x, y] :
         {Place{0, 10, -20}, Place{1, 0, 0}, Place{std::numbers::pi / 2, 0, 0}, Place{-2.5, 3, 4},
          Place{std::numbers::pi, 0, 0}, Place{20, -1, 2}}) {
      SCOPED_TRACE(::testing::Message() << d.title << " turned by " << angle);
      const Model other = make_model(placed(d, angle, x, y));
      System there(other, {});
      const double cosine = std::cos(angle);
      const double sine = std::sin(angle);
      const auto turn = [&](const Vector& from, double dx, double dy) {
        Vector to = from;
        for (const Node& n : model.nodes) {
          to(n.x) = dx + cosine * from(n.x) - sine * from(n.x + 1);
          to(n.x + 1) = dy + sine * from(n.x) + cosine * from(n.x + 1);
        }
        return to;
      };
      Vector turned = turn(q, x, y);
      for (int c = 0; c < model.coordinates(); ++c) {
        // Angles start within a turn: their changes are compared.
        if (model.is_angle[at(c)] != 0) {
          turned(c) = other.initial[at(c)] + (q(c) - model.initial[at(c)]);
        }
      }
      State moved{to_stored(there, turned), to_stored(there, turn(v, 0, 0))};
      const auto result = accelerations(there, moved);
      ASSERT_TRUE(result.outcome.ok());
      EXPECT_TRUE(all_near(to_natural(there, result.a), turn(expected, 0, 0),
                           1e-9 * expected.cwiseAbs().maxCoeff()));
      EXPECT_NEAR(there.drive_power(result.a), system.drive_power(a),
                  1e-9 * (1 + std::abs(system.drive_power(a)) +
                          v.cwiseAbs().dot(assemble(model, q, v).force.cwiseAbs())));
    }
  }
}

TEST(SystemFrame, TurnsOfTheSectionsDoNotMatter) {
  // All angles ten full turns further: the same accelerations, to the roundings of the angles.
  const Model model = make_model(test::random_frame(91, {.supports = false}));
  System system(model, {});
  State s = random_state(system, 613, kTime, Side::after);
  State turned = s;
  for (int c = 0; c < model.coordinates(); ++c) {
    if (model.is_angle[at(c)] != 0) turned.q[system.place(c)] += 20 * std::numbers::pi;
  }
  const auto a = accelerations(system, s);
  const auto b = accelerations(system, turned);
  ASSERT_TRUE(a.outcome.ok() && b.outcome.ok());
  const Vector expected = to_natural(system, a.a);
  EXPECT_TRUE(all_near(to_natural(system, b.a), expected, 1e-11 * expected.cwiseAbs().maxCoeff()));
}

// --- Threads, copies, repeats --------------------------------------------------------------------

// Enough elements and unknowns for several grains of every loop, and drives along the way.
CaseDescription long_chain() {
  CaseDescription d;
  d.title = "long chain";
  d.sections = {test::bar_section(), test::soft_section()};
  d.laws = {test::make_law("swing", LawKind::smooth, {0, 1}, {0, 1})};
  for (int i = 0; i <= 6; ++i) {
    d.points.push_back({"P" + std::to_string(i), {2.0 * i, i % 2 == 0 ? 0.0 : 1.0}});
    if (i == 0) continue;
    const std::string rod = "rod" + std::to_string(i);
    d.rods.push_back({rod, i % 3 == 0 ? "soft" : "bar", "P" + std::to_string(i - 1),
                      "P" + std::to_string(i), 501});
    if (i % 2 == 0) {
      d.hinges.push_back({"h" + std::to_string(i),
                          "P" + std::to_string(i - 1),
                          {"rod" + std::to_string(i - 1), rod},
                          "swing"});
    }
  }
  d.supports = {{.point = "P0", .fix_x = true, .fix_y = true, .angle = "swing"}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

TEST(SystemThreads, GiveTheSameBits) {
  const Model model = make_model(long_chain());
  std::vector<double> a, v, lambda, impulses;
  Energies e;
  for (const int threads : {1, 2, 3}) {
    System system(model, {threads});
    State s = random_state(system, 614, kTime, Side::after, 1e-4);
    const auto result = accelerations(system, s);
    ASSERT_TRUE(result.outcome.ok());
    const auto reactions = system.reactions(result.a);
    const Energies energies = system.energies(kTime, Side::after, s.q, s.v);
    std::vector<double> jumped = s.v;
    std::vector<double> jump_impulses;
    ASSERT_TRUE(system.jump(0.3, s.q, jumped, jump_impulses).ok());
    if (threads == 1) {
      a = result.a;
      v = jumped;
      lambda = reactions;
      impulses = jump_impulses;
      e = energies;
      continue;
    }
    EXPECT_EQ(result.a, a) << threads;
    EXPECT_EQ(jumped, v) << threads;
    EXPECT_EQ(reactions, lambda) << threads;
    EXPECT_EQ(jump_impulses, impulses) << threads;
    EXPECT_EQ(energies.kinetic, e.kinetic) << threads;
    EXPECT_EQ(energies.strain, e.strain) << threads;
  }
}

TEST(System, HasNoMemoryOfEarlierStates) {
  const Model model = make_model(test::random_frame(92));
  System fresh(model, {});
  System used(model, {});
  State other = random_state(used, 615, 0.2, Side::after);
  static_cast<void>(accelerations(used, other, 0.2));
  std::vector<double> impulses;
  ASSERT_TRUE(used.jump(0.4, other.q, other.v, impulses).ok());
  System copy = used;
  State s = random_state(fresh, 616, kTime, Side::after);
  State t = s;
  State u = s;
  const auto expected = accelerations(fresh, s);
  EXPECT_EQ(accelerations(used, t).a, expected.a);
  EXPECT_EQ(accelerations(copy, u).a, expected.a);
}

TEST(System, CopiesAreIndependent) {
  const Model model = make_model(test::random_frame(93));
  System system(model, {});
  State s = random_state(system, 617, kTime, Side::after);
  const auto a = accelerations(system, s).a;
  const auto lambda = system.reactions(a);
  System copy = system;
  State other = random_state(copy, 618, 0.1, Side::after);
  static_cast<void>(accelerations(copy, other, 0.1));
  EXPECT_EQ(system.reactions(a), lambda);
}

// --- Failures ------------------------------------------------------------------------------------

TEST(SystemFailure, NamesThePositionThatIsNotFinite) {
  const Model model = make_model(test::random_frame(94));
  System system(model, {});
  for (int c = 0; c < model.coordinates(); ++c) {
    const std::size_t place = system.place(c);
    if (place >= system.independent() || model.is_angle[at(c)] != 0) continue;
    State s = random_state(system, 619, kTime, Side::after);
    s.q[place] = kNaN;
    const auto result = accelerations(system, s);
    EXPECT_EQ(result.outcome.status, Status::not_finite);
    EXPECT_EQ(result.outcome.where, place);
  }
}

TEST(SystemFailure, NamesAnUnknownOfACollapsedElement) {
  // Both ends of an element in one place: its chord has no direction.
  const Model model = make_model(test::one_rod(test::soft_section(), 4, 4));
  System system(model, {});
  State s = random_state(system, 620, 0, Side::after, 0);
  const Node& node = model.nodes[at(model.rods[0].nodes[2])];
  s.q[system.place(node.x)] = 1;  // its neighbour's place
  const auto result = accelerations(system, s, 0);
  EXPECT_FALSE(result.outcome.ok());
  const std::string name = system.describe_unknown(result.outcome.where);
  EXPECT_THAT(name, AnyOf(HasSubstr("'rod/1'"), HasSubstr("'rod/2'"))) << name;
}

TEST(SystemFailure, DescribesUnknowns) {
  const Model model = make_model(test::three_rods(LawKind::smooth, 2));
  System system(model, {});
  const auto describe = [&](int coordinate) {
    return system.describe_unknown(system.place(coordinate));
  };
  EXPECT_EQ(describe(model.nodes[0].x), "X of 'O'");
  EXPECT_EQ(describe(model.nodes[1].x + 1), "Y of 'A'");
  EXPECT_EQ(describe(model.rods[1].end_angle[0]), "the angle of rod 'rod2' at 'A'");
  EXPECT_EQ(describe(model.rods[1].end_angle[1]), "the angle of rod 'rod2' at 'B'");
  EXPECT_EQ(describe(model.elements[at(model.rods[2].first_element)].coordinate[3]),
            "the angle of rod 'rod3' at 'rod3/1'");
  EXPECT_EQ(system.describe_unknown(system.size() + 7), "a spare unknown");
}

// --- Frequencies ---------------------------------------------------------------------------------

TEST(SystemFrequency, BoundsThoseOfTheStructure) {
  for (const Model& model : sample_models()) {
    SCOPED_TRACE(model.title);
    System system(model, {});
    // Dense frequencies of the free undeformed structure, with tangents by elements.
    const Eigen::Index n = model.coordinates();
    Matrix stiffness = Matrix::Zero(n, n);
    const Vector q = to_natural(system, system.initial_positions());
    for (const Element& e : model.elements) {
      Vector6<double> qe;
      for (int i = 0; i < 6; ++i) qe(i) = q(e.coordinate[at(i)]);
      const auto& c = model.types[at(e.type)];
      const Matrix6<double> k = elastic_tangent(c, calc_kinematics(c, qe));
      for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) stiffness(e.coordinate[at(i)], e.coordinate[at(j)]) += k(i, j);
      }
    }
    const Matrix mass = assemble(model, q, Vector::Zero(n)).mass;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(stiffness, mass,
                                                                  Eigen::EigenvaluesOnly);
    const double highest = std::sqrt(solver.eigenvalues().maxCoeff());
    EXPECT_LE(highest, system.highest_frequency() * (1 + 1e-9));
    EXPECT_GE(highest, 0.5 * system.highest_frequency());  // and is no wild guess
  }
}

TEST(SystemFrequency, OfTheDeploymentIsThePublishedOne) {
  // Highest frequency of the mesh 61353 rad/s; a free element has a little more.
  const Model model = make_model(test::three_rods(LawKind::smooth));
  const System system(model, {});
  EXPECT_GE(system.highest_frequency(), 61352);
  EXPECT_LE(system.highest_frequency(), 1.02 * 61353);
}

}  // namespace
}  // namespace fem
