#include "libfem/body/rigid_body.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "libfem/rod/kinematics.hpp"
#include "libfem/rod/rod_constants.hpp"
#include "tests/rod/reference_element.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/dual.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::all_near;
using Gravity = std::array<double, 2>;

// A body as what it is: particles at fixed places of its own axes, the pole in their origin.
struct Particle {
  double mass, x, y;
};
using Cloud = std::vector<Particle>;

RigidBody body_of(const Cloud& cloud) {
  RigidBody b;
  for (const Particle& p : cloud) {
    b.mass += p.mass;
    b.static_x += p.mass * p.y;
    b.static_y += p.mass * p.x;
    b.inertia += p.mass * (p.x * p.x + p.y * p.y);
  }
  return b;
}

Cloud random_cloud(test::Random& random) {
  Cloud cloud;
  for (int i = random.integer(2, 5); i > 0; --i) {
    cloud.push_back({random.uniform(0.1, 2), random.uniform(-0.5, 1.5), random.uniform(-1.0, 0.5)});
  }
  return cloud;
}

Vector3d random_vector(test::Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

// T and V of the particles, from their positions and the rates of these by differentiation.
struct CloudEnergy {
  test::Hessian<6> kinetic, potential;  // in (q, v)
};

CloudEnergy energy(const Cloud& cloud, const Gravity& g, const Vector3d& q, const Vector3d& v) {
  using S = test::Hessian<6>;
  using T = test::Dual<S, 1>;  // a quantity and its rate
  std::array<T, 3> moving;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    moving[i].value = test::hessian_variable<6>(q(k), i);
    moving[i].d[0] = test::hessian_variable<6>(v(k), 3 + i);
  }
  CloudEnergy e{S(0.0), S(0.0)};
  for (const Particle& p : cloud) {
    const T x = moving[0] + p.x * cos(moving[2]) - p.y * sin(moving[2]);
    const T y = moving[1] + p.x * sin(moving[2]) + p.y * cos(moving[2]);
    e.kinetic += 0.5 * p.mass * (x.d[0] * x.d[0] + y.d[0] * y.d[0]);
    e.potential -= p.mass * (g[0] * x.value + g[1] * y.value);
  }
  return e;
}

TEST(RigidBody, MovesAsItsParticles) {
  // Lagrange's d/dt ∂T/∂v − ∂T/∂q = M q̈ + f with M = T_vv, f = T_vq v − T_q.
  test::Random random(301);
  for (int n = 0; n < 200; ++n) {
    const Cloud cloud = random_cloud(random);
    const RigidBody body = body_of(cloud);
    const Gravity g = {random.uniform(-10, 10), random.uniform(-10, 10)};
    const Vector3d q = random_vector(random, 8);
    const Vector3d v = random_vector(random, 3);
    const CloudEnergy e = energy(cloud, g, q, v);
    Matrix3d mass;
    Vector3d force;
    Vector3d gravity;
    Matrix3d hessian;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      force(row) = -e.kinetic.d[i].value;
      gravity(row) = -e.potential.d[i].value;
      for (std::size_t j = 0; j < 3; ++j) {
        const auto column = static_cast<Eigen::Index>(j);
        mass(row, column) = e.kinetic.d[3 + i].d[3 + j];
        force(row) += e.kinetic.d[3 + i].d[j] * v(column);
        hessian(row, column) = e.potential.d[i].d[j];
      }
    }
    const auto r = first_moment(body, q(2));
    // Sums of five particles with numbers up to 40, 200 (force, gravity), 900 (potential).
    EXPECT_TRUE(all_near(mass_matrix(body, r), mass, 1e-13));
    EXPECT_TRUE(all_near(velocity_force(r, v(2)), force, 1e-12));
    EXPECT_TRUE(all_near(gravity_force(body, r, g), gravity, 1e-12));
    EXPECT_NEAR(kinetic_energy(body, r, v), e.kinetic.value.value, 1e-12);
    EXPECT_NEAR(gravity_potential(body, r, g, q(0), q(1)), e.potential.value.value, 1e-11);
    Matrix3d expected = Matrix3d::Zero();
    expected(2, 2) = gravity_stiffness(r, g);
    EXPECT_TRUE(all_near(expected, hessian, 1e-12));
  }
}

TEST(RigidBody, KineticEnergyIsTheQuadraticFormOfItsMass) {
  test::Random random(302);
  for (int n = 0; n < 100; ++n) {
    const RigidBody body = body_of(random_cloud(random));
    const auto r = first_moment(body, random.uniform(-7, 7));
    const Vector3d v = random_vector(random, 3);
    const Matrix3d mass = mass_matrix(body, r);
    EXPECT_NEAR(kinetic_energy(body, r, v), 0.5 * v.dot(mass * v), 1e-12);
    EXPECT_EQ(mass, mass.transpose());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix3d>(mass).eigenvalues()(0), 0);
  }
}

TEST(RigidBody, IsTheSameFromEveryFrame) {
  // Axes turned by δ: forces turn, the mass block turns, moments and energies stay.
  test::Random random(303);
  for (int n = 0; n < 100; ++n) {
    const RigidBody body = body_of(random_cloud(random));
    const double angle = random.uniform(-3, 3);
    const double turn = random.uniform(-3, 3);
    const Vector3d v = random_vector(random, 3);
    Matrix3d rotation = Matrix3d::Identity();
    rotation.topLeftCorner<2, 2>() << std::cos(turn), -std::sin(turn), std::sin(turn),
        std::cos(turn);
    const Vector3d g = rotation * Vector3d(3, -9, 0);
    const auto r = first_moment(body, angle);
    const auto turned = first_moment(body, angle + turn);
    const Matrix3d mass = rotation * mass_matrix(body, r) * rotation.transpose();
    EXPECT_TRUE(all_near(mass_matrix(body, turned), mass, 1e-13));
    const Vector3d force = rotation * velocity_force(r, v(2));
    EXPECT_TRUE(all_near(velocity_force(turned, v(2)), force, 1e-12));
    const Vector3d gravity = rotation * gravity_force(body, r, {3, -9});
    EXPECT_TRUE(all_near(gravity_force(body, turned, {g(0), g(1)}), gravity, 1e-12));
    EXPECT_NEAR(kinetic_energy(body, turned, Vector3d(rotation * v)), kinetic_energy(body, r, v),
                1e-12);
  }
}

TEST(RigidBody, DoesNotDependOnThePole) {
  // The same particles seen from a pole at (a, b) of the first body's axes, that moves with it.
  test::Random random(304);
  for (int n = 0; n < 100; ++n) {
    const Cloud cloud = random_cloud(random);
    const double a = random.uniform(-1, 1);
    const double b = random.uniform(-1, 1);
    Cloud moved = cloud;
    for (Particle& p : moved) {
      p.x -= a;
      p.y -= b;
    }
    const double angle = random.uniform(-3, 3);
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    const Vector3d v = random_vector(random, 3);
    const Vector3d w(v(0) - v(2) * (a * s + b * c), v(1) + v(2) * (a * c - b * s), v(2));
    const RigidBody first = body_of(cloud);
    const RigidBody second = body_of(moved);
    EXPECT_NEAR(kinetic_energy(first, first_moment(first, angle), v),
                kinetic_energy(second, first_moment(second, angle), w), 1e-12);
    const Gravity g = {1, -9};
    EXPECT_NEAR(gravity_potential(first, first_moment(first, angle), g, 2.0, 3.0),
                gravity_potential(second, first_moment(second, angle), g, 2 + a * c - b * s,
                                  3 + a * s + b * c),
                1e-12);
  }
}

TEST(RigidBody, CompoundPendulumHasOneInertiaAtEveryAngle) {
  // The pole at the end of a massless arm L whose angle is the body's: the inertia about the pivot
  // is I + 2 L S_y + M L². (The block as printed gives values that change with the angle.)
  const RigidBody body = make_rigid_body(1.3, 0.4, {0.25, -0.1});
  const double arm = 0.8;
  const double expected = 0.4 + 2 * arm * 1.3 * 0.25 + 1.3 * arm * arm;
  for (int k = -8; k <= 8; ++k) {
    const double angle = k * std::numbers::pi / 8;
    const Vector3d motion(-arm * std::sin(angle), arm * std::cos(angle), 1);
    const Vector3d bend(-arm * std::cos(angle), -arm * std::sin(angle), 0);  // of the pole, α̇ = 1
    const auto r = first_moment(body, angle);
    EXPECT_NEAR(motion.dot(mass_matrix(body, r) * motion), expected, 1e-14);
    // At a steady rate nothing turns it: velocity forces and those of the pole's own acceleration
    // have no moment about the pivot.
    const Vector3d steady = velocity_force(r, 1.0) + mass_matrix(body, r) * bend;
    EXPECT_NEAR(motion.dot(steady), 0, 1e-14);
  }
}

TEST(RigidBody, FromItsCentre) {
  const RigidBody body = make_rigid_body(2, 5, {0.5, -0.25});
  EXPECT_EQ(body.mass, 2);
  EXPECT_EQ(body.static_x, -0.5);
  EXPECT_EQ(body.static_y, 1);
  EXPECT_EQ(body.inertia, 5);
  // At a quarter turn the centre stands at (0.25, 0.5) from the pole.
  const auto r = first_moment(body, std::numbers::pi / 2);
  EXPECT_NEAR(r.x, 2 * 0.25, 1e-15);
  EXPECT_NEAR(r.y, 2 * 0.5, 1e-15);
}

namespace reference = test::reference;
using reference::Six;
using reference::SixBySix;

// An element (paper's inertia field) with a body on each end: the computation of
// tests/rod/reference_element.hpp. Gravity acts on the element as well.
constexpr RigidBody kBody0{.mass = 1.3, .static_x = 0.2, .static_y = -0.3, .inertia = 0.4};
constexpr RigidBody kBody1{.mass = 0.7, .static_x = -0.1, .static_y = 0.15, .inertia = 0.2};
constexpr Gravity kGravity = {0.0, -9.81};
constexpr SixBySix kMass = {
    1.3275532911612715,      -0.001767281183717713,  0.1757293868900942,     0.0004948982346679963,
    0.011191290527186407,    0.0003981378289517388,  -0.0017672811837177026, 1.3287408677343688,
    -0.313534142238514,      -0.0005332898650412551, 0.0026650457305300544,  0.01223822294171248,
    0.1757293868900942,      -0.313534142238514,     0.40006398765251583,    -4.908341289819484e-05,
    -0.00044720307822855224, 0.0005854847270242219,  0.0004948982346679964,  -0.0005332898650412555,
    -4.9083412898194846e-05, 0.2000654297998435,     -0.019348593896573344,  0.1782173568845379,
    0.011191290527186412,    0.002665045730530057,   -0.0004472030782285523, -0.019348593896573344,
    0.7300641277843557,      -0.0012959023757640892, 0.00039813782895173187, 0.012238222941712482,
    0.0005854847270242219,   0.1782173568845379,     -0.0012959023757640857, 0.7267826863822062};
constexpr Six kForce = {1.671492102111769,      0.9359064552651208,   -0.00014828617448340908,
                        -0.0002671267281529597, -0.08673115009054129, 0.0005578331223379078};
constexpr Six kGravityForce = {0.013431296310254212, -13.155004879532358,   3.070026330187715,
                               -1.7430806974612623,  -0.013431296310254132, -7.249795120467643};
constexpr double kGravityPotential = -3.9223894024437627;

TEST(RigidBodyReference, BodiesOnTheEndsOfAnElement) {
  using Vector = Eigen::Matrix<double, 6, 1>;
  using Matrix = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
  const Vector q(reference::kPosition.data());
  const Vector v(reference::kVelocity.data());
  const Matrix bare(reference::kPaperMass.data());
  Matrix mass = bare;
  Vector force(reference::kPaperForce.data());
  // A uniform field does on the element what its negative acceleration would.
  Vector field;
  field << kGravity[0], kGravity[1], 0, 0, kGravity[0], kGravity[1];
  Vector gravity = bare * field;
  // −∫ m g·R dx with the field (32) and the integrals Ψ₁₁, Ψ₁₂, Ψ₁₄ = −Ψ₁₅ (62).
  const double l = reference::kLength;
  const auto k = calc_kinematics(make_rod_constants(reference::kSection, l, true), q);
  double potential = -reference::kSection.mass_per_length * kGravity[1] *
                     (l * q(1) + (1 + k.strain) * k.sine * l * l / 2 +
                      (k.theta0 - k.theta1) * k.cosine * l * l / 12);

  const auto add = [&](const RigidBody& body, const std::array<int, 3>& at) {
    const auto r = first_moment(body, q(at[2]));
    const Matrix3d m = mass_matrix(body, r);
    const Vector3d f = velocity_force(r, v(at[2]));
    const Vector3d w = gravity_force(body, r, kGravity);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      force(at[i]) += f(row);
      gravity(at[i]) += w(row);
      for (std::size_t j = 0; j < 3; ++j) {
        mass(at[i], at[j]) += m(row, static_cast<Eigen::Index>(j));
      }
    }
    potential += gravity_potential(body, r, kGravity, q(at[0]), q(at[1]));
  };
  add(kBody0, {0, 1, 2});
  add(kBody1, {4, 5, 3});

  EXPECT_TRUE(all_near(mass, Matrix(kMass.data()), 1e-12));
  EXPECT_TRUE(all_near(force, Vector(kForce.data()), 1e-12));
  EXPECT_TRUE(all_near(gravity, Vector(kGravityForce.data()), 1e-11));
  EXPECT_NEAR(potential, kGravityPotential, 1e-12);
}

}  // namespace
}  // namespace fem
