// The system of a model with objects of every kind, against a dense oracle of energies: bodies,
// particles, springs, hinge laws, loads, gravity, damping, offset masses, curved rods; under rigid
// joints, drives, and rows with any coefficients.
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

#include "libfem/system/system.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"
#include "tests/support/object_oracle.hpp"

namespace fem {
namespace {

using test::Accelerations;
using test::accelerations;
using test::all_near;
using test::assemble_objects;
using test::DenseObjects;
using test::kTime;
using test::LawKind;
using test::Matrix;
using test::random_state;
using test::State;
using test::to_natural;
using test::to_stored;
using test::Vector;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

CaseDescription sample_case(std::uint64_t seed) {
  return test::with_objects(test::random_frame(seed, {.rods = 4 + static_cast<int>(seed % 4),
                                                      .most_elements = 3,
                                                      .loop = seed % 3 == 0}),
                            seed);
}

std::vector<Model> sample_models() {
  std::vector<Model> models;
  for (std::uint64_t seed = 100; seed < 120; ++seed)
    models.push_back(make_model(sample_case(seed)));
  test::Random random(640);
  for (std::uint64_t seed = 120; seed < 130; ++seed) {
    models.push_back(make_model(sample_case(seed)));
    for (int i = 0; i < 3; ++i) test::add_random_row(random, models.back());
  }
  return models;
}

std::vector<Model> models_of_constant_rows() {
  std::vector<Model> models;
  for (std::uint64_t seed = 180; seed < 196; ++seed) {
    CaseDescription d = sample_case(seed);
    for (BodyDescription& b : d.bodies) b.carries.clear();
    models.push_back(make_model(d));
  }
  return models;
}

// A system in a random state with its accelerations, and the oracle there.
struct Sample {
  const Model& model;
  System system;
  State s;
  std::vector<double> a;
  Vector q, v, acceleration;
  DenseObjects objects;
  test::DenseRows rows;

  explicit Sample(const Model& m, std::uint64_t seed = 641)
      : model(m), system(m, {}), s(random_state(system, seed, kTime, Side::after)) {
    const Accelerations result = accelerations(system, s);
    EXPECT_TRUE(result.outcome.ok());
    a = result.a;
    q = to_natural(system, s.q);
    v = to_natural(system, s.v);
    acceleration = to_natural(system, a);
    objects = assemble_objects(m, kTime, Side::after, q, v);
    rows = test::assemble_rows(m, kTime, Side::after, q, v);
  }
  // The largest of the single forces that are summed, of elements and of M a.
  [[nodiscard]] double size() const {
    return objects.size + (objects.mass.cwiseAbs() * acceleration.cwiseAbs()).maxCoeff();
  }
};

TEST(ObjectSamples, HoldObjectsOfEveryKindUnderDrivesAndWeights) {
  int driven_hinge_with_law = 0, driven_body = 0, weighted_object = 0, follower = 0, carried = 0,
      table = 0, friction = 0, stopped = 0, offset = 0, damped = 0, slowed = 0, curved = 0;
  for (const Model& model : sample_models()) {
    const Projection p = make_projection(model);
    const auto moves = [&](int c) {
      const int k = p.dependent_of[at(c)];
      if (k == kNone) return false;
      const auto& rows = p.dependents[at(k)].rows;
      return std::any_of(rows.begin(), rows.end(),
                         [&](const auto& r) { return model.rows[at(r.first)].law != kNone; });
    };
    const auto weighted = [&](int c) {
      const int k = p.dependent_of[at(c)];
      if (k == kNone) return false;
      const auto& g = p.dependents[at(k)].independents;
      return std::any_of(g.begin(), g.end(), [](const auto& w) { return w.second != 1.0; });
    };
    System system(model, {});
    const State s = random_state(system, 641, kTime, Side::after);
    for (const Hinge& h : model.hinges) {
      if (!h.law) continue;
      driven_hinge_with_law += moves(h.second) ? 1 : 0;
      table += h.law->table ? 1 : 0;
      friction += h.law->coulomb + h.law->peak > 0 ? 1 : 0;
      const double phi = s.q[system.place(h.second)] - s.q[system.place(h.first)] + h.turns;
      stopped += phi > h.law->upper || phi < h.law->lower ? 1 : 0;
    }
    for (const Row& row : model.rows) carried += row.arm ? 1 : 0;
    for (const Body& b : model.bodies) driven_body += b.angle != kNone && moves(b.angle) ? 1 : 0;
    const std::vector<Stencil> stencils = Attachments::make_stencils(model, 0);
    for (const Stencil& stencil : stencils) {
      const auto end = stencil.coordinate.begin() + stencil.count;
      weighted_object += std::any_of(stencil.coordinate.begin(), end, weighted) ? 1 : 0;
    }
    for (const PointLoad& load : model.point_loads) follower += load.follower ? 1 : 0;
    for (const auto& c : model.types) {
      offset += c.static_moment != 0 ? 1 : 0;
      damped += c.damping_time != 0 ? 1 : 0;
      slowed += c.mass_damping != 0 ? 1 : 0;
      curved += c.rest_minus != 0 && c.rest_strain != 0 ? 1 : 0;
    }
    EXPECT_FALSE(model.bodies.empty() || model.springs.empty() || model.rod_loads.empty());
  }
  for (const int count : {driven_hinge_with_law, driven_body, follower, carried, table, friction,
                          stopped, offset, damped, slowed, curved, weighted_object}) {
    EXPECT_GT(count, 5);
  }
}

TEST(Objects, SatisfyTheEquationsOfMotion) {
  for (const Model& model : sample_models()) {
    SCOPED_TRACE(model.title);
    Sample m(model);
    const auto lambda = m.system.reactions(m.a);
    const Vector reaction =
        m.rows.D.transpose() * Vector::Map(lambda.data(), static_cast<Eigen::Index>(lambda.size()));
    EXPECT_TRUE(all_near((m.objects.mass * m.acceleration + m.objects.force).eval(), reaction,
                         1e-12 * m.size()));
    EXPECT_TRUE(all_near((m.rows.D * m.acceleration).eval(), m.rows.acceleration,
                         1e-14 * (1 + m.acceleration.cwiseAbs().maxCoeff())));
  }
}

TEST(Objects, HaveTheEnergiesAndPowersOfTheOracle) {
  for (const Model& model : sample_models()) {
    SCOPED_TRACE(model.title);
    Sample m(model);
    const Energies e = m.system.energies(kTime, Side::after, m.s.q, m.s.v);
    EXPECT_NEAR(e.kinetic, m.objects.kinetic, 1e-13 * m.objects.kinetic);
    EXPECT_NEAR(e.strain, m.objects.strain, 1e-13 * m.objects.strain);
    // Parts of either sign: roundings of the single ones, of some tens of J and W.
    EXPECT_NEAR(e.springs, m.objects.springs, 1e-11);
    EXPECT_NEAR(e.gravity, m.objects.gravity, 1e-11);
    EXPECT_NEAR(e.external, m.objects.external, 1e-11);
    EXPECT_NEAR(e.dissipated, m.objects.dissipated, 1e-12 * m.objects.dissipated);
    EXPECT_GT(e.dissipated, 0);
    const Energies powers = m.system.powers(kTime, Side::after, m.s.q, m.s.v);
    EXPECT_EQ(powers.external, e.external);
    EXPECT_EQ(powers.dissipated, e.dissipated);
    EXPECT_EQ(e.total(), e.kinetic + e.strain + e.springs + e.gravity);
  }
}

TEST(Objects, PowersLeaveWhatTheAccelerationsLeft) {
  for (const std::uint64_t seed : {100U, 101U, 102U}) {
    const Model model = make_model(sample_case(seed));
    Sample m(model);
    const auto lambda = m.system.reactions(m.a);
    static_cast<void>(m.system.powers(kTime, Side::after, m.s.q, m.s.v));
    EXPECT_EQ(m.system.reactions(m.a), lambda);
  }
}

// T + Π at a time h along the motion that starts with q, v, a; laws of loads stand still.
double energy_along(const Sample& m, double h) {
  System system(m.model, {});
  State moved = m.s;
  for (std::size_t i = 0; i < m.s.q.size(); ++i) {
    moved.q[i] += h * (m.s.v[i] + h / 2 * m.a[i]);
    moved.v[i] += h * m.a[i];
  }
  EXPECT_TRUE(system.complete(kTime + h, Side::after, moved.q, moved.v).ok());
  return system.energies(kTime + h, Side::after, moved.q, moved.v).total();
}

TEST(Objects, EnergyGrowsByThePowers) {
  for (const Model& model : sample_models()) {
    SCOPED_TRACE(model.title);
    Sample m(model);
    const Energies p = m.system.powers(kTime, Side::after, m.s.q, m.s.v);
    const double power = m.system.drive_power(m.a) + p.external - p.dissipated;
    // Differences of second order, extrapolated. What remains are h⁴ of the fifth derivative, with
    // frequencies up to 1e4 of the elements and a hundred times that in damped ones of the power
    // of single forces, and roundings of the energies over h.
    const auto difference = [&](double h) {
      return (energy_along(m, h) - energy_along(m, -h)) / (2 * h);
    };
    const double h = 1e-7;
    const double rate = (4 * difference(h) - difference(2 * h)) / 3;
    const double size = m.v.cwiseAbs().dot(m.objects.force.cwiseAbs());
    EXPECT_NEAR(rate, power, 1e-8 * size + 1e-15 / h * (m.objects.kinetic + m.objects.strain));
  }
}

TEST(Objects, JumpWithTheirMomentum) {
  for (std::uint64_t seed = 130; seed < 140; ++seed) {
    const Model model = make_model(test::with_objects(
        test::random_frame(seed, {.rods = 5, .laws = LawKind::linear, .loop = seed % 3 == 0}),
        seed));
    System system(model, {});
    State s = random_state(system, seed, 1, Side::before);
    const Vector q = to_natural(system, s.q);
    const Vector before = to_natural(system, s.v);
    std::vector<double> impulses;
    ASSERT_TRUE(system.jump(1, s.q, s.v, impulses).ok());
    const Vector after = to_natural(system, s.v);
    const Matrix mass = assemble_objects(model, 1, Side::after, q, before).mass;
    const test::DenseRows rows = test::assemble_rows(model, 1, Side::after, q, before);
    const Vector impulse = Vector::Map(impulses.data(), static_cast<Eigen::Index>(impulses.size()));
    const double size = (mass.cwiseAbs() * (before + after).cwiseAbs()).maxCoeff() + 1;
    // No load, spring or damper has an impulse.
    EXPECT_TRUE(all_near((mass * (after - before)).eval(), (rows.D.transpose() * impulse).eval(),
                         1e-12 * size));
    EXPECT_TRUE(all_near((rows.D * after).eval(), rows.rate, 1e-13));
  }
}

// --- Statics -------------------------------------------------------------------------------------

// Changes of all natural coordinates that follow a unit change of each independent place that is
// used, column by column.
Matrix motions(const System& system, std::vector<std::size_t>& places) {
  Matrix result = Matrix::Zero(system.model().coordinates(), 0);
  for (std::size_t p = 0; p < system.independent(); ++p) {
    if (system.numbering().coordinate[p] == kNone) continue;
    std::vector<double> x(system.size(), 0.0);
    x[p] = 1;
    system.complete_change(x);
    places.push_back(p);
    result.conservativeResize(Eigen::NoChange, result.cols() + 1);
    result.rightCols(1) = to_natural(system, x);
  }
  return result;
}

Vector pick(const std::vector<double>& values, const std::vector<std::size_t>& places) {
  Vector r(static_cast<Eigen::Index>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i)
    r(static_cast<Eigen::Index>(i)) = values[places[i]];
  return r;
}

TEST(ObjectStatics, ResidualIsTheForceAtRestWithScaledLoads) {
  for (const Model& model : sample_models()) {
    SCOPED_TRACE(model.title);
    System system(model, {});
    for (const double factor : {0.0, 0.4, 1.0}) {
      State s = random_state(system, 651, kTime, Side::before);
      std::vector<double> residual(system.independent(), kNaN);
      system.assemble_statics(kTime, factor, s.q, residual);
      std::vector<std::size_t> places;
      const Matrix G = motions(system, places);
      const Vector q = to_natural(system, s.q);
      const DenseObjects m =
          assemble_objects(model, kTime, Side::before, q, Vector::Zero(q.size()), factor);
      EXPECT_TRUE(
          all_near(pick(residual, places), (G.transpose() * m.force).eval(), 1e-12 * m.size));
      // Prescribed changes are scaled too; what the rows hold at the start stays.
      const test::DenseRows rows = test::assemble_rows(model, kTime, Side::before);
      for (std::size_t r = 0; r < model.rows.size(); ++r) {
        const Row& row = model.rows[r];
        const double change = rows.position(static_cast<Eigen::Index>(r)) - row.constant;
        const double actual = row_function(row, 0, [&](int c) { return q(c); });
        EXPECT_NEAR(actual, row.constant + factor * change, 2e-14);
      }
    }
  }
}

TEST(ObjectStatics, TangentIsTheSecondDerivativeOfThePotentials) {
  // Of elements, weight, bodies, hinges, springs and loads along rods; follower loads have no
  // potential, and the bodies of these models carry no points, whose rows have a curvature.
  for (const Model& model : models_of_constant_rows()) {
    SCOPED_TRACE(model.title);
    System system(model, {});
    std::vector<std::size_t> places;
    const Matrix G = motions(system, places);
    State s = random_state(system, 652, kTime, Side::before);
    std::vector<double> residual(system.independent());
    system.assemble_statics(kTime, 0.6, s.q, residual);
    const Matrix whole = Matrix(system.assembled_matrix());
    Matrix tangent(G.cols(), G.cols());
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = 0; j < places.size(); ++j) {
        tangent(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            whole(static_cast<Eigen::Index>(places[i]), static_cast<Eigen::Index>(places[j]));
      }
    }
    const Vector q = to_natural(system, s.q);
    const DenseObjects m =
        assemble_objects(model, kTime, Side::before, q, Vector::Zero(q.size()), 0.6);
    const Matrix expected = G.transpose() * m.stiffness * G;
    EXPECT_TRUE(all_near(tangent, expected, 1e-12 * m.stiffness.cwiseAbs().maxCoeff()));
  }
}

TEST(ObjectStatics, MassIsThatOfTheObjects) {
  for (const Model& model : sample_models()) {
    System system(model, {});
    const State s = random_state(system, 654, kTime, Side::before);
    std::vector<std::size_t> places;
    const Matrix G = motions(system, places);
    system.assemble_mass(s.q);
    const Matrix whole = Matrix(system.assembled_matrix());
    const Vector q = to_natural(system, s.q);
    const DenseObjects m = assemble_objects(model, kTime, Side::before, q, Vector::Zero(q.size()));
    const Matrix expected = G.transpose() * m.mass * G;
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = 0; j < places.size(); ++j) {
        EXPECT_NEAR(
            whole(static_cast<Eigen::Index>(places[i]), static_cast<Eigen::Index>(places[j])),
            expected(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)),
            1e-13 * expected.cwiseAbs().maxCoeff());
      }
    }
  }
}

// --- Frames --------------------------------------------------------------------------------------

std::array<double, 2> turned(const std::array<double, 2>& r, double angle) {
  return {std::cos(angle) * r[0] - std::sin(angle) * r[1],
          std::sin(angle) * r[0] + std::cos(angle) * r[1]};
}

// The case turned about the origin by an angle with all that acts on it, then moved.
CaseDescription placed(CaseDescription d, double angle, double x, double y) {
  for (PointDescription& p : d.points) {
    p.position = turned(p.position, angle);
    p.position[0] += x;
    p.position[1] += y;
  }
  d.gravity = turned(d.gravity, angle);
  for (PointLoadDescription& load : d.point_loads) {
    if (load.follower) continue;
    const auto force =
        turned({std::get<double>(load.force[0]), std::get<double>(load.force[1])}, angle);
    load.force = {force[0], force[1]};
  }
  for (RodLoadDescription& load : d.rod_loads) {
    for (auto& end : load.force) end = turned(end, angle);
  }
  return d;
}

TEST(ObjectFrame, DoesNotMatter) {
  for (std::uint64_t seed = 140; seed < 148; ++seed) {
    const CaseDescription d = test::with_objects(
        test::random_frame(seed, {.rods = 5, .loop = seed % 3 == 0, .turnable = true}), seed,
        {.turnable = true});
    const Model model = make_model(d);
    System system(model, {});
    const State state = random_state(system, seed, kTime, Side::after);
    State s = state;
    const auto [outcome, a] = accelerations(system, s);
    ASSERT_TRUE(outcome.ok());
    const Vector q = to_natural(system, state.q);
    const Vector v = to_natural(system, state.v);
    const Vector expected = to_natural(system, a);
    const Energies powers = system.powers(kTime, Side::after, s.q, s.v);
    struct Place {
      double angle, x, y;
    };
    for (const auto& [angle, x, y] :
         {Place{0, 10, -20}, Place{1, 0, 0}, Place{std::numbers::pi / 2, 0, 0}, Place{-2.5, 3, 4},
          Place{20, -1, 2}}) {
      SCOPED_TRACE(::testing::Message() << d.title << " turned by " << angle);
      const Model other = make_model(placed(d, angle, x, y));
      System there(other, {});
      const auto turn = [&, angle = angle](const Vector& from, double dx, double dy) {
        Vector to = from;
        for (const Node& n : model.nodes) {
          const auto r = turned({from(n.x), from(n.x + 1)}, angle);
          to(n.x) = dx + r[0];
          to(n.x + 1) = dy + r[1];
        }
        return to;
      };
      Vector positions = turn(q, x, y);
      for (int c = 0; c < model.coordinates(); ++c) {
        // Angles start within a turn: their changes are compared.
        if (model.is_angle[at(c)] != 0) {
          positions(c) = other.initial[at(c)] + (q(c) - model.initial[at(c)]);
        }
      }
      State moved{to_stored(there, positions), to_stored(there, turn(v, 0, 0))};
      const auto result = accelerations(there, moved);
      ASSERT_TRUE(result.outcome.ok());
      EXPECT_TRUE(all_near(to_natural(there, result.a), turn(expected, 0, 0),
                           1e-9 * expected.cwiseAbs().maxCoeff()));
      const Energies same = there.powers(kTime, Side::after, moved.q, moved.v);
      EXPECT_NEAR(same.external, powers.external, 1e-11);
      EXPECT_NEAR(same.dissipated, powers.dissipated, 1e-10 * powers.dissipated);
    }
  }
}

// --- Momenta of free structures ------------------------------------------------------------------

TEST(ObjectMomentum, IsKeptByEverythingInternal) {
  // Springs, dampers, friction, stops, damped and curved rods: no resultant, about any motion of
  // the whole, for M a + Ṁ v too. The oracle's momentum is differentiated along the motion.
  for (std::uint64_t seed = 150; seed < 158; ++seed) {
    const Model model = make_model(test::with_objects(
        test::random_frame(seed, {.rods = 5, .loop = seed % 2 == 0, .supports = false}), seed,
        {.external = false}));
    SCOPED_TRACE(model.title);
    System system(model, {});
    State s = random_state(system, 661, kTime, Side::after, 0.02);
    const auto [outcome, a] = accelerations(system, s);
    ASSERT_TRUE(outcome.ok());
    const Vector q = to_natural(system, s.q);
    const Vector v = to_natural(system, s.v);
    const Vector acceleration = to_natural(system, a);
    const auto momenta = [&](double h) {
      const Vector qh = q + h * v + h * h / 2 * acceleration;
      const Vector vh = v + h * acceleration;
      const Vector p = assemble_objects(model, kTime, Side::after, qh, vh).mass * vh;
      Eigen::Vector3d sum = Eigen::Vector3d::Zero();
      for (const Node& n : model.nodes) {
        sum += Eigen::Vector3d(p(n.x), p(n.x + 1), qh(n.x) * p(n.x + 1) - qh(n.x + 1) * p(n.x));
      }
      for (int c = 0; c < model.coordinates(); ++c) sum(2) += model.is_angle[at(c)] != 0 ? p(c) : 0;
      return sum;
    };
    const auto difference = [&](double h) {
      return Eigen::Vector3d((momenta(h) - momenta(-h)) / (2 * h));
    };
    // Fourth order in h, of the rates' changes in the parts.
    const double h = 1e-6;
    const Eigen::Vector3d rate = (4 * difference(h) - difference(2 * h)) / 3;
    const double size = (assemble_objects(model, kTime, Side::after, q, v).mass.cwiseAbs() *
                         acceleration.cwiseAbs())
                            .sum();
    EXPECT_TRUE(all_near(rate, Eigen::Vector3d::Zero(), 1e-7 * size));
  }
}

// --- Threads, repeats ----------------------------------------------------------------------------

// Several grains of elements, with objects on every second joint.
CaseDescription long_chain() {
  CaseDescription d;
  d.title = "long chain with objects";
  d.sections = {test::bar_section(), test::soft_section()};
  d.sections[0].mass_offset = 0.001;
  d.sections[0].inertia_per_length *= 2;
  d.sections[1].stiffness_damping = 1e-6;
  d.sections[1].mass_damping = 0.1;
  d.gravity = {1, -9.81};
  d.laws = {test::make_law("swing", LawKind::smooth, {0, 1}, {0, 1})};
  for (int i = 0; i <= 6; ++i) {
    const std::string point = "P" + std::to_string(i);
    d.points.push_back({point, {2.0 * i, i % 2 == 0 ? 0.0 : 1.0}});
    if (i == 0) continue;
    const std::string rod = "rod" + std::to_string(i);
    d.rods.push_back({rod, i % 3 == 0 ? "soft" : "bar", "P" + std::to_string(i - 1), point, 501});
    d.bodies.push_back({.name = "body" + std::to_string(i),
                        .at = point,
                        .rod = rod,
                        .mass = 1,
                        .inertia = 0.1,
                        .center = {0.1, 0.2}});
    d.rod_loads.push_back(
        {.name = "wind" + std::to_string(i), .on = rod, .force = {{{0, 1}, {1, 0}}}});
    if (i % 2 == 0) {
      d.hinges.push_back({"h" + std::to_string(i),
                          "P" + std::to_string(i - 1),
                          {"rod" + std::to_string(i - 1), rod},
                          "swing"});
      d.hinges.back().spring = HingeSpringDescription{.stiffness = 3};
      d.springs.push_back({.name = "s" + std::to_string(i),
                           .between = {"P" + std::to_string(i - 2), point},
                           .stiffness = 10,
                           .viscosity = 1});
    }
  }
  d.supports = {{.point = "P0", .fix_x = true, .fix_y = true, .angle = "swing"}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

TEST(ObjectThreads, GiveTheSameBits) {
  const Model model = make_model(long_chain());
  std::vector<double> a, v, lambda, impulses, residual;
  Energies e;
  for (const int threads : {1, 2}) {
    System system(model, {threads});
    State s = random_state(system, 671, kTime, Side::after, 1e-4);
    const auto result = accelerations(system, s);
    ASSERT_TRUE(result.outcome.ok());
    const auto reactions = system.reactions(result.a);
    const Energies energies = system.energies(kTime, Side::after, s.q, s.v);
    std::vector<double> jumped = s.v;
    std::vector<double> jump_impulses;
    ASSERT_TRUE(system.jump(0.3, s.q, jumped, jump_impulses).ok());
    std::vector<double> statics(system.independent());
    system.assemble_statics(kTime, 0.5, s.q, statics);
    if (threads == 1) {
      a = result.a;
      v = jumped;
      lambda = reactions;
      impulses = jump_impulses;
      residual = statics;
      e = energies;
      continue;
    }
    EXPECT_EQ(result.a, a);
    EXPECT_EQ(jumped, v);
    EXPECT_EQ(reactions, lambda);
    EXPECT_EQ(jump_impulses, impulses);
    EXPECT_EQ(statics, residual);
    EXPECT_EQ(energies.kinetic, e.kinetic);
    EXPECT_EQ(energies.strain, e.strain);
    EXPECT_EQ(energies.springs, e.springs);
    EXPECT_EQ(energies.gravity, e.gravity);
    EXPECT_EQ(energies.external, e.external);
    EXPECT_EQ(energies.dissipated, e.dissipated);
  }
}

TEST(Objects, HaveNoMemoryOfEarlierStates) {
  const Model model = make_model(sample_case(103));
  System fresh(model, {});
  System used(model, {});
  State other = random_state(used, 672, 0.2, Side::after);
  static_cast<void>(accelerations(used, other, 0.2));
  std::vector<double> impulses;
  ASSERT_TRUE(used.jump(0.4, other.q, other.v, impulses).ok());
  std::vector<double> residual(used.independent());
  used.assemble_statics(0.3, 0.5, other.q, residual);
  used.assemble_mass(other.q);
  State s = random_state(fresh, 673, kTime, Side::after);
  State t = s;
  EXPECT_EQ(accelerations(used, t).a, accelerations(fresh, s).a);
}

// --- Failures ------------------------------------------------------------------------------------

TEST(ObjectFailure, OfASpringWhosePointsMeetNamesThem) {
  CaseDescription d;
  d.points = {{"wall", {0, 0}}, {"A", {1, 0}}, {"B", {2, 0}}};
  d.particles = {{"a", "A", 1}, {"b", "B", 1}};
  d.springs = {{.name = "s", .between = {"wall", "A"}, .stiffness = 3},
               {.name = "t", .between = {"A", "B"}, .stiffness = 3, .length = 0}};
  const Model model = make_model(d);
  System system(model, {});
  State s{system.initial_positions(), std::vector<double>(system.size(), 0.0)};
  const std::size_t x = system.place(model.nodes[1].x);
  s.q[x] = 2;
  EXPECT_TRUE(accelerations(system, s, 0).outcome.ok())
      << "a spring of length zero may be as short";
  s.q[x] = 0;
  const auto outcome = accelerations(system, s, 0).outcome;
  EXPECT_EQ(outcome.status, Status::points_meet);
  EXPECT_EQ(system.describe_unknown(outcome.where), "X of 'wall'") << "the spring's first point";
  std::vector<double> residual(system.independent());
  system.assemble_statics(0, 1, s.q, residual);
  EXPECT_TRUE(std::isnan(residual[x]));
}

// --- Frequencies ---------------------------------------------------------------------------------

// What the constraint forces add to the stiffness where bodies carry points: −λ ∂²f/∂α², with
// D_dᵀλ = R_d for the forces R on the dependent coordinates.
void add_stiffness_of_arms(const System& system, const Vector& q, const Vector& force,
                           Matrix& stiffness) {
  const Model& model = system.model();
  const Vector rest = Vector::Zero(q.size());
  const Vector turning = Vector::Ones(q.size());
  const test::DenseRows rows = test::assemble_rows(model, 0, Side::before, q, rest);
  const Vector along =
      rows.acceleration - test::assemble_rows(model, 0, Side::before, q, turning).acceleration;
  const auto& dependents = system.projection().dependents;
  Matrix D = Matrix::Zero(static_cast<Eigen::Index>(dependents.size()), rows.D.rows());
  Vector R(D.rows());
  for (Eigen::Index k = 0; k < D.rows(); ++k) {
    const int c = dependents[static_cast<std::size_t>(k)].coordinate;
    D.row(k) = rows.D.col(c).transpose();
    R(k) = force(c);
  }
  const Vector lambda = D.fullPivHouseholderQr().solve(R);
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    const auto& arm = model.rows[r].arm;
    const auto i = static_cast<Eigen::Index>(r);
    if (arm) stiffness(arm->angle, arm->angle) -= lambda(i) * along(i);
  }
}

TEST(ObjectFrequency, IsSeenWhereSpringsMakeItHigher) {
  for (std::uint64_t seed = 160; seed < 170; ++seed) {
    CaseDescription d = sample_case(seed);
    d.gravity = {0, 0};
    for (SpringDescription& spring : d.springs) spring.stiffness *= 1e6;
    for (RodDescription& r : d.rods) r.curvature = r.elongation = 0;
    const Model model = make_model(d);
    SCOPED_TRACE(model.title);
    System system(model, {});
    State start = random_state(system, 0, 0, Side::before, 0);
    std::vector<std::size_t> places;
    const Matrix G = motions(system, places);
    const Vector q = to_natural(system, start.q);
    DenseObjects m = assemble_objects(model, 0, Side::before, q, Vector::Zero(q.size()), 0);
    add_stiffness_of_arms(system, q, m.force, m.stiffness);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(
        G.transpose() * m.stiffness * G, G.transpose() * m.mass * G, Eigen::EigenvaluesOnly);
    const double highest = std::sqrt(solver.eigenvalues().maxCoeff());
    EXPECT_LE(highest, system.highest_frequency() * (1 + 1e-9));
  }
}

TEST(ObjectFrequency, OfSlowThingsIsTheirOwn) {
  // 1 kg on 1e-6 N/m: 1e-3 rad/s along the spring, nothing across it.
  CaseDescription d;
  d.points = {{"O", {0, 0}}, {"P", {1, 0}}};
  d.particles = {{.name = "p", .at = "P", .mass = 1}};
  d.springs = {{.name = "s", .between = {"O", "P"}, .stiffness = 1e-6}};
  d.analysis = {.end = 1e4, .output_every = 1e3};
  const Model model = make_model(d);
  const double frequency = System(model, {}).highest_frequency();
  EXPECT_GE(frequency, 1e-3);
  EXPECT_LE(frequency, 1.06e-3);
}

}  // namespace
}  // namespace fem
