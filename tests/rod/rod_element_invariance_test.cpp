// What must not depend on where the element stands, how it is numbered and in which units it is
// measured, and what a rigid motion must give.
#include <cmath>
#include <numbers>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "libfem/rod/rod_element.hpp"
#include "tests/rod/samples.hpp"
#include "tests/support/compare.hpp"

namespace fem {
namespace {

using test::all_near;
using test::as_moments;
using test::constants;
using test::ElementSample;
using test::full;
using test::inertia_scale;
using test::kRateSquared;
using test::random_samples;

constexpr double kPi = std::numbers::pi;
constexpr bool kFields[] = {false, true};

// Everything the element says about a state, in moments and energies.
struct Answer {
  double strain_energy = 0;
  double kinetic_energy = 0;
  Vector6<double> elastic;   // U_q
  Vector6<double> velocity;  // f
  Matrix6<double> mass;
  Matrix6<double> tangent;
};

Answer answer(const RodConstants<double>& c, const Vector6<double>& q, const Vector6<double>& v) {
  const RodKinematics<double> k = calc_kinematics(c, q);
  Answer a;
  a.strain_energy = strain_energy(c, k);
  a.elastic = elastic_force(c, k);
  a.velocity = velocity_force(c, k, v);
  a.mass = full(mass_matrix(c, k));
  a.tangent = elastic_tangent(c, k);
  a.kinetic_energy = 0.5 * v.dot(a.mass * v);
  return a;
}

double energy_scale(const ElementSample& s) {
  return s.section.axial_stiffness * s.length + s.section.bending_stiffness / s.length;
}
// `tolerance` is relative to order-one strains and the sample's velocities.
void expect_same(const ElementSample& s, const Answer& actual, const Answer& expected,
                 double tolerance) {
  const double l = s.length;
  const double elastic = tolerance * energy_scale(s);
  const double inertia = tolerance * inertia_scale(s);
  EXPECT_NEAR(actual.strain_energy, expected.strain_energy, elastic);
  EXPECT_NEAR(actual.kinetic_energy, expected.kinetic_energy, inertia * kRateSquared);
  EXPECT_GT(actual.kinetic_energy, 0);
  EXPECT_TRUE(all_near(as_moments(actual.elastic, l), as_moments(expected.elastic, l), elastic));
  EXPECT_TRUE(all_near(as_moments(actual.tangent, l), as_moments(expected.tangent, l), elastic));
  EXPECT_TRUE(all_near(as_moments(actual.mass, l), as_moments(expected.mass, l), inertia));
  EXPECT_TRUE(all_near(as_moments(actual.velocity, l), as_moments(expected.velocity, l),
                       inertia * kRateSquared));
}

// Rotation of both position pairs.
Matrix6<double> rotation(double angle) {
  Matrix6<double> R = Matrix6<double>::Identity();
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  R.topLeftCorner<2, 2>() << c, -s, s, c;
  R.bottomRightCorner<2, 2>() << c, -s, s, c;
  return R;
}

TEST(RodInvariance, Rotation) {
  // Coordinates up to 3 l are rounded once more, angles of some turns to 4e-15; the tangent carries
  // products of a few such errors.
  test::Random random(401);
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(100, 402)) {
      const double angle = random.uniform(-20, 20);
      const Matrix6<double> R = rotation(angle);
      Vector6<double> q = R * s.q;
      q(2) += angle;
      q(3) += angle;
      const RodConstants<double> c = constants(s, paper);
      Answer expected = answer(c, s.q, s.v);
      expected.elastic = R * expected.elastic;
      expected.velocity = R * expected.velocity;
      expected.mass = R * expected.mass * R.transpose();
      expected.tangent = R * expected.tangent * R.transpose();
      expect_same(s, answer(c, q, R * s.v), expected, 3e-13);
    }
  }
}

TEST(RodInvariance, TranslationToTheBit) {
  // Coordinates and shifts of few binary digits: their differences are exact.
  test::Random random(403);
  for (const bool paper : kFields) {
    for (ElementSample s : random_samples(50, 404)) {
      for (const int i : {0, 1, 4, 5}) s.q(i) = std::round(s.q(i) * 0x1p20) * 0x1p-20;
      const double shift_x = random.integer(-1000000, 1000000) * 0x1p-10;
      const double shift_y = random.integer(-1000000, 1000000) * 0x1p-10;
      const Vector6<double> shift(shift_x, shift_y, 0, 0, shift_x, shift_y);
      const RodConstants<double> c = constants(s, paper);
      const Answer here = answer(c, s.q, s.v);
      const Answer there = answer(c, s.q + shift, s.v);
      EXPECT_EQ(there.strain_energy, here.strain_energy);
      EXPECT_EQ(there.elastic, here.elastic);
      EXPECT_EQ(there.velocity, here.velocity);
      EXPECT_EQ(there.mass, here.mass);
      EXPECT_EQ(there.tangent, here.tangent);
    }
  }
}

TEST(RodInvariance, MovingFrame) {
  // A common velocity of both ends is a translation: velocity forces do not feel it.
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(50, 405)) {
      const RodConstants<double> c = constants(s, paper);
      const RodKinematics<double> k = calc_kinematics(c, s.q);
      const double l = s.length;
      const Vector6<double> wind = l * Vector6<double>(3, -5, 0, 0, 3, -5);
      EXPECT_TRUE(all_near(as_moments(velocity_force(c, k, Vector6<double>(s.v + wind)), l),
                           as_moments(velocity_force(c, k, s.v), l),
                           1e-13 * kRateSquared * inertia_scale(s)));
    }
  }
}

TEST(RodInvariance, AThousandTurns) {
  // After 1000 turns α is known to 4.5e-13 (half a unit of 6283), and 2π · 1000 itself to as much:
  // θ is off by 1e-12, answers by a few times that.
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(100, 406, {.turns = 0})) {
      const RodConstants<double> c = constants(s, paper);
      const Answer expected = answer(c, s.q, s.v);
      for (const int turns : {1000, -1000, 1, -1}) {
        Vector6<double> q = s.q;
        q(2) += 2 * kPi * turns;
        q(3) += 2 * kPi * turns;
        expect_same(s, answer(c, q, s.v), expected, std::abs(turns) == 1000 ? 1e-11 : 1e-13);
      }
    }
  }
}

TEST(RodInvariance, EndsTurnedByDifferentTurns) {
  // Turns of either end alone do not count: local angles are those of less than half a turn.
  for (const ElementSample& s : random_samples(20, 407, {.turns = 0})) {
    const RodConstants<double> c = constants(s, true);
    const Answer expected = answer(c, s.q, s.v);
    Vector6<double> q = s.q;
    q(2) += 6 * kPi;
    q(3) -= 2 * kPi;
    expect_same(s, answer(c, q, s.v), expected, 3e-13);
  }
}

// The element seen from its other end: ends swapped, sections turned by half a turn.
constexpr int kOtherEnd[] = {4, 5, 3, 2, 0, 1};

Vector6<double> reversed(const Vector6<double>& x) {
  Vector6<double> r;
  for (int i = 0; i < 6; ++i) r(i) = x(kOtherEnd[i]);
  return r;
}
Matrix6<double> reversed(const Matrix6<double>& x) {
  Matrix6<double> r;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) r(i, j) = x(kOtherEnd[i], kOtherEnd[j]);
  }
  return r;
}

TEST(RodInvariance, Reversal) {
  for (const ElementSample& s : random_samples(100, 408)) {
    const RodConstants<double> c = constants(s, false);
    const Answer given = answer(c, s.q, s.v);
    Vector6<double> q = reversed(s.q);
    q(2) += kPi;
    q(3) += kPi;
    Answer expected = given;
    expected.elastic = reversed(given.elastic);
    expected.velocity = reversed(given.velocity);
    expected.mass = reversed(given.mass);
    expected.tangent = reversed(given.tangent);
    expect_same(s, answer(c, q, reversed(s.v)), expected, 1e-13);
  }
}

TEST(RodInvariance, ThePapersInertiaFieldHasADirection) {
  // u = εx starts at end 0: a bent element seen from its other end has another mass matrix. The
  // chord field has none of this (test above); a straight element has it in neither.
  ElementSample s = random_samples(1, 409).front();
  for (const double bend : {0.0, 0.5}) {
    const double l = s.length;
    s.q << 0, 0, -bend, bend, l, 0;
    const Vector6<double> other(l, 0, bend + kPi, -bend + kPi, 0, 0);
    const RodConstants<double> c = constants(s, true);
    const Matrix6<double> from_start = as_moments(answer(c, s.q, s.v).mass, l);
    const Matrix6<double> from_end = as_moments(reversed(answer(c, other, s.v).mass), l);
    const double difference = (from_start - from_end).cwiseAbs().maxCoeff() / inertia_scale(s);
    if (bend == 0) {
      EXPECT_LT(difference, 1e-14);
    } else {
      EXPECT_GT(difference, 1e-3);
    }
  }
}

TEST(RodInvariance, Units) {
  // mm, N, s, t instead of m, N, s, kg. The factors are powers of ten: one rounding in each number.
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(50, 410)) {
      ElementSample mm = s;
      mm.length *= 1e3;
      mm.section.bending_stiffness *= 1e6;  // N m² → N mm²
      mm.section.mass_per_length *= 1e-6;   // kg/m → t/mm
      mm.section.inertia_per_length *= 1;   // kg m → t mm
      Vector6<double> to_mm(1e3, 1e3, 1, 1, 1e3, 1e3);
      mm.q = s.q.cwiseProduct(to_mm);
      mm.v = s.v.cwiseProduct(to_mm);
      Answer a = answer(constants(mm, paper), mm.q, mm.v);
      // Energies in N mm; forces in N and N mm.
      a.strain_energy *= 1e-3;
      a.kinetic_energy *= 1e-3;
      a.elastic = 1e-3 * a.elastic.cwiseProduct(to_mm);
      a.velocity = 1e-3 * a.velocity.cwiseProduct(to_mm);
      a.mass = 1e-3 * (to_mm.asDiagonal() * a.mass * to_mm.asDiagonal());
      a.tangent = 1e-3 * (to_mm.asDiagonal() * a.tangent * to_mm.asDiagonal());
      expect_same(s, a, answer(constants(s, paper), s.q, s.v), 1e-13);
    }
  }
}

TEST(RodInvariance, ElasticForcesAreInEquilibrium) {
  test::Random random(411);
  for (const ElementSample& s : random_samples(200, 412)) {
    const RodConstants<double> c = constants(s, false);
    const Vector6<double> f = elastic_force(c, calc_kinematics(c, s.q));
    // The same numbers with opposite signs: exactly zero.
    EXPECT_EQ(f(0) + f(4), 0);
    EXPECT_EQ(f(1) + f(5), 0);
    const double x = s.length * random.uniform(-3, 3);
    const double y = s.length * random.uniform(-3, 3);
    const double moment = f(2) + f(3) + (s.q(0) - x) * f(1) - (s.q(1) - y) * f(0) +
                          (s.q(4) - x) * f(5) - (s.q(5) - y) * f(4);
    EXPECT_NEAR(moment, 0, 1e-14 * energy_scale(s));
  }
}

TEST(RodInvariance, MassTimesATranslationIsMomentum) {
  // Any state: all of the element moves along, p = m l v.
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(50, 413)) {
      const RodConstants<double> c = constants(s, paper);
      const Matrix6<double> M = full(mass_matrix(c, calc_kinematics(c, s.q)));
      const double mass = s.section.mass_per_length * s.length;
      const Vector6<double> momentum = M * Vector6<double>(1, 0, 0, 0, 1, 0);
      EXPECT_NEAR(momentum(0) + momentum(4), mass, 1e-13 * mass);
      EXPECT_NEAR(momentum(1) + momentum(5), 0, 1e-13 * mass);
    }
  }
}

// An undeformed element in a given place.
Vector6<double> straight(double x, double y, double beta, double l, int turns) {
  const double alpha = beta + 2 * kPi * turns;
  return Vector6<double>(x, y, alpha, alpha, x + l * std::cos(beta), y + l * std::sin(beta));
}

// A rigid velocity: ω about (px, py).
Vector6<double> spin(const Vector6<double>& q, double px, double py, double omega) {
  return omega * Vector6<double>(-(q(1) - py), q(0) - px, 1, 1, -(q(5) - py), q(4) - px);
}

TEST(RodRigidMotion, HasNoElasticForce) {
  // Rounding of coordinates up to 3 l (strain 1e-15) and of angles of two turns (θ 4e-15).
  test::Random random(414);
  for (const ElementSample& s : random_samples(200, 415)) {
    const RodConstants<double> c = constants(s, false);
    const double l = s.length;
    const Vector6<double> q =
        straight(s.q(0), s.q(1), random.uniform(-4, 4), l, random.integer(-2, 2));
    const RodForces<double> f = internal_forces(c, calc_kinematics(c, q));
    EXPECT_LE(std::abs(f.axial), 4e-15 * s.section.axial_stiffness);
    const double bending = 6 * s.section.bending_stiffness / l;
    EXPECT_LE(std::abs(f.moment0), 1e-14 * bending);
    EXPECT_LE(std::abs(f.moment1), 1e-14 * bending);
    EXPECT_LE(strain_energy(c, calc_kinematics(c, q)), 1e-28 * energy_scale(s));
  }
}

TEST(RodRigidMotion, HasTheKineticEnergyOfARigidBar) {
  test::Random random(416);
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(50, 417)) {
      const RodConstants<double> c = constants(s, paper);
      const double l = s.length;
      const Vector6<double> q = straight(s.q(0), s.q(1), random.uniform(-3, 3), l, 0);
      const double px = l * random.uniform(-2, 2);
      const double py = l * random.uniform(-2, 2);
      const double omega = random.uniform(1, 4);
      const Vector6<double> v = spin(q, px, py, omega);
      const double cx = (q(0) + q(4)) / 2 - px;
      const double cy = (q(1) + q(5)) / 2 - py;
      const double m = s.section.mass_per_length;
      const double inertia =
          m * l * (cx * cx + cy * cy) + m * l * l * l / 12 + s.section.inertia_per_length * l;
      const Matrix6<double> M = full(mass_matrix(c, calc_kinematics(c, q)));
      EXPECT_NEAR(0.5 * v.dot(M * v), 0.5 * inertia * omega * omega,
                  1e-13 * inertia * omega * omega);
    }
  }
}

TEST(RodRigidMotion, PullsItsPivotWithTheCentrifugalForce) {
  // Steady spin about any point: with the centripetal accelerations of the ends, M q̈ + f is the
  // force that holds the element on its circle: m l ω² times the distance of the centre of mass,
  // with no moment about the pivot; pinned at end 0, m l² ω²/2, of which a third less on end 0.
  test::Random random(418);
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(50, 419)) {
      const RodConstants<double> c = constants(s, paper);
      const double l = s.length;
      const double m = s.section.mass_per_length;
      const double omega = random.uniform(-4, 4);
      const double beta = random.uniform(-3, 3);
      const Vector6<double> q = straight(s.q(0), s.q(1), beta, l, 1);
      const double tolerance = 1e-13 * inertia_scale(s) * kRateSquared;
      for (const bool at_start : {true, false}) {
        const double px = at_start ? q(0) : l * random.uniform(-2, 2);
        const double py = at_start ? q(1) : l * random.uniform(-2, 2);
        const Vector6<double> v = spin(q, px, py, omega);
        const Vector6<double> acceleration =
            -omega * omega * Vector6<double>(q(0) - px, q(1) - py, 0, 0, q(4) - px, q(5) - py);
        const RodKinematics<double> k = calc_kinematics(c, q);
        const Vector6<double> f = full(mass_matrix(c, k)) * acceleration + velocity_force(c, k, v);
        const double cx = (q(0) + q(4)) / 2 - px;
        const double cy = (q(1) + q(5)) / 2 - py;
        EXPECT_NEAR(l * (f(0) + f(4)), -l * m * l * omega * omega * cx, 10 * tolerance);
        EXPECT_NEAR(l * (f(1) + f(5)), -l * m * l * omega * omega * cy, 10 * tolerance);
        const double moment = f(2) + f(3) + (q(0) - px) * f(1) - (q(1) - py) * f(0) +
                              (q(4) - px) * f(5) - (q(5) - py) * f(4);
        EXPECT_NEAR(moment, 0, 30 * tolerance);
        if (!at_start) continue;
        const double pull = m * l * l * omega * omega;
        EXPECT_NEAR(l * (k.cosine * f(0) + k.sine * f(1)), -l * pull / 6, tolerance);
        EXPECT_NEAR(l * (k.cosine * f(4) + k.sine * f(5)), -l * pull / 3, tolerance);
      }
    }
  }
}

TEST(RodRigidMotion, NeedsNoForceOnStraightPaths) {
  // At q̈ = 0 the ends of a spinning straight element fly straight on and with them, in proportion,
  // all its points: f = 0.
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(20, 420)) {
      const RodConstants<double> c = constants(s, paper);
      const Vector6<double> q = straight(s.q(0), s.q(1), 0.7, s.length, 0);
      const Vector6<double> v = spin(q, 0, 0, 5);
      const Vector6<double> f = velocity_force(c, calc_kinematics(c, q), v);
      EXPECT_TRUE(all_near(as_moments(f, s.length), Vector6<double>::Zero(),
                           1e-13 * kRateSquared * inertia_scale(s)));
    }
  }
}

}  // namespace
}  // namespace fem
