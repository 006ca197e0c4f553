#include "libfem/link/two_point.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "tests/support/compare.hpp"
#include "tests/support/dual.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

using test::all_near;

// X and Y of both points.
Vector6d in_plane(double x0, double y0, double x1, double y1) {
  Vector6d q;
  q << x0, y0, 0, x1, y1, 0;
  return q;
}
Vector6d in_plane(const Eigen::Vector4d& q) { return in_plane(q(0), q(1), q(2), q(3)); }

struct Sample {
  TwoPointLaw law;
  Vector6d q, v;
};

// Points 0.2 to 3 m apart, forces of up to some hundreds of N.
Sample random_sample(test::Random& random, bool damped) {
  Sample s;
  s.law = {.stiffness = random.uniform(0, 100),
           .viscosity = damped ? random.uniform(0, 20) : 0.0,
           .length = random.uniform(0, 2)};
  const double distance = random.uniform(0.2, 3);
  const double angle = random.uniform(-std::numbers::pi, std::numbers::pi);
  const double height = random.uniform(-1, 1);
  for (int i = 0; i < 3; ++i) s.q(i) = random.uniform(-3, 3);
  s.q(3) = s.q(0) + distance * std::sqrt(1 - height * height) * std::cos(angle);
  s.q(4) = s.q(1) + distance * std::sqrt(1 - height * height) * std::sin(angle);
  s.q(5) = s.q(2) + distance * height;
  for (int i = 0; i < 6; ++i) s.v(i) = random.uniform(-3, 3);
  return s;
}

TEST(TwoPoint, ForceIsTheGradientOfThePotential) {
  using S = test::Hessian<6>;
  test::Random random(501);
  for (int n = 0; n < 200; ++n) {
    const Sample s = random_sample(random, false);
    std::array<S, 6> q;
    for (std::size_t i = 0; i < 6; ++i) {
      q[i] = test::hessian_variable<6>(s.q(static_cast<Eigen::Index>(i)), i);
    }
    const S dx = q[3] - q[0];
    const S dy = q[4] - q[1];
    const S dz = q[5] - q[2];
    const S stretch = sqrt(dx * dx + dy * dy + dz * dz) - s.law.length;
    const S potential = 0.5 * s.law.stiffness * stretch * stretch;
    Vector6d gradient;
    Matrix6d hessian;
    for (std::size_t i = 0; i < 6; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      gradient(row) = potential.d[i].value;
      for (std::size_t j = 0; j < 6; ++j) {
        hessian(row, static_cast<Eigen::Index>(j)) = potential.d[i].d[j];
      }
    }
    const TwoPointForce f = two_point_force(s.law, s.q, s.v);
    EXPECT_TRUE(f.defined);
    EXPECT_NEAR(f.potential, potential.value.value, 1e-12);
    EXPECT_TRUE(all_near(f.force, gradient, 1e-12));
    const TwoPointTangent t = two_point_tangent(s.law, s.q, s.v);
    EXPECT_TRUE(all_near(t.stiffness, hessian, 1e-11));
    EXPECT_TRUE(all_near(t.stiffness, t.stiffness.transpose(), 1e-12));
    EXPECT_EQ(t.damping, Matrix6d::Zero());
    EXPECT_EQ(f.dissipated, 0);
  }
}

TEST(TwoPoint, TangentsAreTheDerivativesOfTheForce) {
  using S = test::Gradient<12>;
  test::Random random(502);
  for (int n = 0; n < 200; ++n) {
    const Sample s = random_sample(random, true);
    std::array<S, 6> q;
    std::array<S, 6> v;
    for (std::size_t i = 0; i < 6; ++i) {
      q[i] = test::gradient_variable<12>(s.q(static_cast<Eigen::Index>(i)), i);
      v[i] = test::gradient_variable<12>(s.v(static_cast<Eigen::Index>(i)), 6 + i);
    }
    // Written once more, in components.
    const S dx = q[3] - q[0];
    const S dy = q[4] - q[1];
    const S dz = q[5] - q[2];
    const S distance = sqrt(dx * dx + dy * dy + dz * dz);
    const S rate = (dx * (v[3] - v[0]) + dy * (v[4] - v[1]) + dz * (v[5] - v[2])) / distance;
    const S pull =
        (s.law.stiffness * (distance - s.law.length) + s.law.viscosity * rate) / distance;
    const std::array<S, 6> force = {-pull * dx, -pull * dy, -pull * dz,
                                    pull * dx,  pull * dy,  pull * dz};
    const TwoPointForce f = two_point_force(s.law, s.q, s.v);
    const TwoPointTangent t = two_point_tangent(s.law, s.q, s.v);
    EXPECT_NEAR(f.distance, distance.value, 1e-14);
    EXPECT_NEAR(f.rate, rate.value, 1e-14);
    EXPECT_NEAR(f.tension, (pull * distance).value, 1e-12);
    for (int i = 0; i < 6; ++i) {
      const S& expected = force[static_cast<std::size_t>(i)];
      EXPECT_NEAR(f.force(i), expected.value, 1e-12);
      for (int j = 0; j < 6; ++j) {
        const auto column = static_cast<std::size_t>(j);
        EXPECT_NEAR(t.stiffness(i, j), expected.d[column], 3e-11);
        EXPECT_NEAR(t.damping(i, j), expected.d[6 + column], 1e-13);
      }
    }
  }
}

TEST(TwoPoint, TangentsAreTheDifferencesOfTheForce) {
  const double h = 1e-5;
  test::Random random(503);
  for (int n = 0; n < 100; ++n) {
    const Sample s = random_sample(random, true);
    const TwoPointTangent t = two_point_tangent(s.law, s.q, s.v);
    for (int j = 0; j < 6; ++j) {
      const Vector6d step = h * Vector6d::Unit(j);
      const Vector6d by_q = (two_point_force(s.law, s.q + step, s.v).force -
                             two_point_force(s.law, s.q - step, s.v).force) /
                            (2 * h);
      const Vector6d by_v = (two_point_force(s.law, s.q, s.v + step).force -
                             two_point_force(s.law, s.q, s.v - step).force) /
                            (2 * h);
      // h²/6 of third derivatives, up to 6 · 200 N / (0.2 m)³ and more with the damper.
      EXPECT_TRUE(all_near(t.stiffness.col(j), by_q, 1e-5));
      EXPECT_TRUE(all_near(t.damping.col(j), by_v, 1e-8));
    }
  }
}

TEST(TwoPoint, PowerIsStoredOrDissipated) {
  test::Random random(504);
  for (int n = 0; n < 1000; ++n) {
    const Sample s = random_sample(random, true);
    const TwoPointForce f = two_point_force(s.law, s.q, s.v);
    TwoPointLaw spring = s.law;
    spring.viscosity = 0;
    const double stored = two_point_force(spring, s.q, s.v).force.dot(s.v);
    EXPECT_GE(f.dissipated, 0);
    EXPECT_NEAR(f.force.dot(s.v), stored + f.dissipated, 1e-11);
  }
}

TEST(TwoPoint, ForcesBalance) {
  // No resultant, no moment, and nothing from a motion of both points as one body but −Ω × F.
  test::Random random(505);
  for (int n = 0; n < 200; ++n) {
    const Sample s = random_sample(random, true);
    const Vector6d f = two_point_force(s.law, s.q, s.v).force;
    EXPECT_EQ(f.head<3>(), -f.tail<3>());
    const Eigen::Vector3d from = s.q.head<3>(), to = s.q.tail<3>();
    EXPECT_LE((to - from).cross(Eigen::Vector3d(f.tail<3>())).norm(), 1e-12);
    const Eigen::Vector3d axis(0.3, -0.5, 0.8);
    const auto turn = [&](const Vector6d& x) {
      Vector6d result;
      result << axis.cross(Eigen::Vector3d(x.head<3>())), axis.cross(Eigen::Vector3d(x.tail<3>()));
      return result;
    };
    const Vector6d turning = turn(s.q);
    const TwoPointForce rigid = two_point_force(s.law, s.q, 0.7 * turning);
    EXPECT_NEAR(rigid.rate, 0, 1e-14);
    const TwoPointTangent t = two_point_tangent(s.law, s.q, Vector6d::Zero());
    const Vector6d still = two_point_force(s.law, s.q, Vector6d::Zero()).force;
    EXPECT_TRUE(all_near(t.stiffness * turning, turn(still), 1e-11));
    Vector6d shift;
    shift << 1, 2, 3, 1, 2, 3;
    EXPECT_TRUE(all_near(t.stiffness * shift, Vector6d::Zero(), 1e-11));
  }
}

TEST(TwoPoint, TensionPullsThePointsTogether) {
  const TwoPointLaw law{.stiffness = 10, .viscosity = 2, .length = 1};
  const TwoPointForce f = two_point_force(law, in_plane(0, 0, 3, 0), in_plane(0, 0, 0.5, 7));
  EXPECT_EQ(f.distance, 3);
  EXPECT_EQ(f.rate, 0.5);
  EXPECT_EQ(f.tension, 21);
  EXPECT_EQ(f.force, in_plane(-21, 0, 21, 0));  // the points get the opposite
  EXPECT_EQ(f.potential, 20);
  EXPECT_EQ(f.dissipated, 0.5);
}

TEST(TwoPoint, SaysWhereThePointsMeet) {
  const Vector6d q = in_plane(1, 2, 1, 2);
  const Vector6d v = in_plane(0, 0, 3, 4);
  for (const TwoPointLaw& law :
       {TwoPointLaw{.stiffness = 10, .length = 1}, TwoPointLaw{.stiffness = 10, .viscosity = 1},
        TwoPointLaw{.stiffness = 10, .viscosity = 1, .length = 1}}) {
    const Vector6d close = in_plane(1, 2, 1, 2 + 1e-10 * law.length);
    for (const Vector6d& at : {q, close}) {
      const TwoPointForce f = two_point_force(law, at, v);
      EXPECT_FALSE(f.defined);
      EXPECT_TRUE(f.force.allFinite());
      EXPECT_TRUE(std::isfinite(f.potential) && std::isfinite(f.dissipated));
      const TwoPointTangent t = two_point_tangent(law, at, v);
      EXPECT_TRUE(t.stiffness.allFinite() && t.damping.allFinite());
    }
    EXPECT_TRUE(two_point_force(law, in_plane(0, 0, 0, 1e-8), v).defined);
  }
}

TEST(TwoPoint, WithoutNaturalLengthAndDamperItIsLinear) {
  // k times the difference of the positions, and no direction is needed where the points meet.
  const TwoPointLaw law{.stiffness = 7};
  const Vector6d v = in_plane(1, 0, 0, 1);
  for (const Vector6d& q : {in_plane(1, 2, 1, 2), in_plane(0, 0, 5e-324, 0),
                            in_plane(0, 0, 1e-200, -1e-200), in_plane(1, 2, -3, 5)}) {
    const TwoPointForce f = two_point_force(law, q, v);
    EXPECT_TRUE(f.defined);
    const double x = 7 * (q(3) - q(0));
    const double y = 7 * (q(4) - q(1));
    EXPECT_TRUE(all_near(f.force, in_plane(-x, -y, x, y), 1e-14));
    Matrix6d expected = 7 * Matrix6d::Identity();
    expected.topRightCorner<3, 3>().diagonal().setConstant(-7);
    expected.bottomLeftCorner<3, 3>().diagonal().setConstant(-7);
    EXPECT_TRUE(all_near(two_point_tangent(law, q, v).stiffness, expected, 1e-14));
  }
}

// Two free masses, coupled; energy and dissipated energy after RK4 steps.
struct Flight {
  double start, end, dissipated;
  Eigen::Vector2d momentum;
  double angular;
};

Flight fly(const TwoPointLaw& law, int steps) {
  const Eigen::Vector4d mass(2, 2, 0.5, 0.5);
  using State = Eigen::Matrix<double, 9, 1>;
  const auto rate = [&](const State& y) {
    const TwoPointForce f = two_point_force(law, in_plane(y.head<4>()), in_plane(y.segment<4>(4)));
    const Eigen::Vector4d force(f.force(0), f.force(1), f.force(3), f.force(4));
    State r;
    r << y.segment<4>(4), -(force.array() / mass.array()).matrix(), f.dissipated;
    return r;
  };
  const auto energy = [&](const State& y) {
    return 0.5 * mass.dot(y.segment<4>(4).cwiseAbs2()) +
           two_point_force(law, in_plane(y.head<4>()), in_plane(y.segment<4>(4))).potential;
  };
  State y;
  y << 0, 0, 1.2, 0.3, 0.1, -0.4, 0.5, 1.5, 0;
  Flight flight{.start = energy(y), .end = 0, .dissipated = 0, .momentum = {}, .angular = 0};
  const double h = 4.0 / steps;
  for (int n = 0; n < steps; ++n) {
    const State k1 = rate(y);
    const State k2 = rate(y + h / 2 * k1);
    const State k3 = rate(y + h / 2 * k2);
    const State k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  flight.end = energy(y);
  flight.dissipated = y(8);
  const Eigen::Vector4d p = mass.cwiseProduct(y.segment<4>(4));
  flight.momentum = {p(0) + p(2), p(1) + p(3)};
  flight.angular = y(0) * p(1) - y(1) * p(0) + y(2) * p(3) - y(3) * p(2);
  return flight;
}

TEST(TwoPoint, FreeFlightKeepsItsBalances) {
  for (const double viscosity : {0.0, 0.8}) {
    const Flight f = fly({.stiffness = 20, .viscosity = viscosity, .length = 1}, 4000);
    EXPECT_NEAR(f.end + f.dissipated, f.start, 1e-10);
    EXPECT_NEAR(f.momentum(0), 2 * 0.1 + 0.5 * 0.5, 1e-13);
    EXPECT_NEAR(f.momentum(1), -2 * 0.4 + 0.5 * 1.5, 1e-13);
    EXPECT_NEAR(f.angular, 1.2 * 0.75 - 0.3 * 0.25, 1e-10);
    if (viscosity > 0) {
      EXPECT_GT(f.dissipated, 0.01);
    }
  }
}

}  // namespace
}  // namespace fem
