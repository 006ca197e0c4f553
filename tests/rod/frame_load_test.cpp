// An element in a turning frame: potential, force, stiffness and the gyroscopic matrix against
// differences and against what they are by definition.
#include "libfem/rod/frame_load.hpp"

#include <gtest/gtest.h>

#include "libfem/rod/rod_element.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

struct Sample {
  RodConstants<double> c;
  Vector6<double> q;
  SteadyFrame frame;
  [[nodiscard]] RodOptions options() const { return {c.static_moment != 0}; }
};

Sample random_sample(test::Random& random, bool aside) {
  Section section{.axial_stiffness = 40,
                  .bending_stiffness = 3,
                  .shear_stiffness = 25,
                  .mass_per_length = 1.3,
                  .inertia_per_length = 0.02,
                  .mass_offset = aside ? 0.08 : 0.0};
  const double length = random.uniform(0.4, 1.5);
  const double angle = random.uniform(-3, 3);
  Sample s{.c = make_rod_constants(section, length, false), .q = {}, .frame = {}};
  const double x = random.uniform(-2, 2), y = random.uniform(-2, 2);
  const double chord = length * random.uniform(0.95, 1.05);
  s.q << x, y, angle + random.uniform(-0.3, 0.3), angle + random.uniform(-0.3, 0.3),
      x + chord * std::cos(angle), y + chord * std::sin(angle);
  s.frame = {.rate = random.uniform(-2, 2),
             .field = {random.uniform(-5, 5), random.uniform(-5, 5), 0}};
  return s;
}

Matrix6<double> mass_at(const Sample& s, const Vector6<double>& q) {
  return mass_matrix(s.c, calc_kinematics(s.c, q), s.options()).selfadjointView<Eigen::Lower>();
}

Vector6<double> turn(const Vector6<double>& q) {
  Vector6<double> t;
  t << -q(1), q(0), 1, 1, -q(5), q(4);
  return t;
}

double potential(const Sample& s, const Vector6<double>& q) {
  const auto moment = first_moment(s.c, calc_kinematics(s.c, q), {q(0), q(1)});
  const double inertia = turn(q).dot(mass_at(s, q) * turn(q));
  return s.frame.field[0] * moment[0] + s.frame.field[1] * moment[1] -
         0.5 * s.frame.rate * s.frame.rate * inertia;
}

constexpr double kStep = 1e-5;  // differences are off by its square times third derivatives

TEST(FrameLoad, ForceIsTheGradientOfThePotential) {
  test::Random random(1101);
  for (int n = 0; n < 40; ++n) {
    const Sample s = random_sample(random, n % 2 == 1);
    const Vector6<double> force = frame_force(s.c, s.q, s.frame);
    for (int i = 0; i < 6; ++i) {
      const Vector6<double> step = kStep * Vector6<double>::Unit(i);
      const double slope = (potential(s, s.q + step) - potential(s, s.q - step)) / (2 * kStep);
      EXPECT_NEAR(force(i), slope, 1e-7) << i;
    }
  }
}

TEST(FrameLoad, StiffnessIsTheSlopeOfTheForce) {
  test::Random random(1102);
  for (int n = 0; n < 40; ++n) {
    const Sample s = random_sample(random, n % 2 == 1);
    const Matrix6<double> stiffness = frame_stiffness(s.c, s.q, s.frame);
    for (int j = 0; j < 6; ++j) {
      const Vector6<double> step = kStep * Vector6<double>::Unit(j);
      const Vector6<double> slope =
          (frame_force(s.c, s.q + step, s.frame) - frame_force(s.c, s.q - step, s.frame)) /
          (2 * kStep);
      EXPECT_TRUE(test::all_near(stiffness.col(j), slope, 1e-7));
    }
  }
}

TEST(FrameLoad, GyroscopicForcesDoNoWorkAndAreThoseOfTheMotion) {
  test::Random random(1103);
  for (int n = 0; n < 40; ++n) {
    const Sample s = random_sample(random, n % 2 == 1);
    const Matrix6<double> g = gyroscopic_matrix(s.c, s.q, s.frame);
    const RodKinematics<double> k = calc_kinematics(s.c, s.q);
    const double w = s.frame.rate;
    for (int j = 0; j < 6; ++j) {
      // The inertia of velocities ±v in the frame, written with the kernels of the run.
      const auto force = [&](double sign) -> Vector6<double> {
        const Vector6<double> v = sign * Vector6<double>::Unit(j);
        Vector6<double> coriolis = Vector6<double>::Zero();
        coriolis(0) = -2 * w * v(1);
        coriolis(1) = 2 * w * v(0);
        coriolis(4) = -2 * w * v(5);
        coriolis(5) = 2 * w * v(4);
        return velocity_force(s.c, k, Vector6<double>(w * turn(s.q) + v), s.options()) +
               mass_at(s, s.q) * coriolis;
      };
      const Vector6<double> slope = 0.5 * (force(1) - force(-1));  // exact: a square of v
      EXPECT_TRUE(test::all_near(g.col(j), slope, 1e-12));
    }
    EXPECT_TRUE(test::all_near(g, -g.transpose(), 0));
  }
}

}  // namespace
}  // namespace fem
