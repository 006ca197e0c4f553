// Forces and matrices of an element in an implicit step, against those of its explicit kernels.
#include "libfem/rod/rod_step.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "tests/rod/samples.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

using test::all_near;
using test::ElementSample;

struct Sample {
  RodConstants<double> constants;
  RodOptions options;
  Vector6<double> q, v, u;
};

// Damped, curved and stretched where stress-free, of both inertia fields, a third with an offset.
std::vector<Sample> samples(std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Sample> result;
  int n = 0;
  for (ElementSample& s : test::random_samples(60, seed)) {
    s.section.stiffness_damping = random.log_uniform(1e-4, 1);
    const bool offset = n % 3 == 0;
    if (offset) s.section.mass_offset = 0.05 * s.length;
    const RestShape rest{.curvature = random.uniform(-3, 3) / s.length,
                         .elongation = random.uniform(-0.1, 0.1)};
    Vector6<double> u;
    for (int i = 0; i < 6; ++i) u(i) = random.uniform(-1, 1);
    result.push_back({make_rod_constants(s.section, s.length, n % 2 == 0, rest),
                      {.offset_mass = offset},
                      s.q,
                      s.v,
                      u});
    ++n;
  }
  return result;
}

// Elastic and Kelvin-Voigt forces.
Vector6<double> strain_force(const RodConstants<double>& c, const Vector6<double>& q,
                             const Vector6<double>& v) {
  const RodKinematics<double> k = calc_kinematics(c, q);
  return turn_force(k, chord_elastic_force(internal_forces(c, k, calc_rates(k, v))));
}

Matrix6<double> step_matrix(const Sample& s, const Vector6<double>& v, double mass, double rate) {
  return calc_step_matrix(s.constants, s.q, v, mass, rate, s.options)
      .selfadjointView<Eigen::Lower>();
}

TEST(RodStep, ForcesAreThoseOfTheAccelerations) {
  for (const Sample& s : samples(801)) {
    const RodInertia<double> e = calc_motion(s.constants, s.q, s.v, s.options);
    const Matrix6<double> mass = e.mass.selfadjointView<Eigen::Lower>();
    const Vector6<double> expected = mass * s.u + e.force;
    const double scale = (mass.cwiseAbs() * s.u.cwiseAbs() + e.force.cwiseAbs()).maxCoeff();
    EXPECT_TRUE(
        all_near(calc_step_force(s.constants, s.q, s.v, s.u, s.options), expected, 1e-13 * scale));
  }
}

TEST(RodStep, TheMatrixAtRestIsTheTangentAndTheMass) {
  for (const Sample& s : samples(802)) {
    const RodKinematics<double> k = calc_kinematics(s.constants, s.q);
    const Matrix6<double> mass =
        mass_matrix(s.constants, k, s.options).selfadjointView<Eigen::Lower>();
    const Matrix6<double> stiffness = elastic_tangent(s.constants, k);
    const double weight = stiffness.cwiseAbs().maxCoeff() / mass.cwiseAbs().maxCoeff();
    const Matrix6<double> expected = weight * mass + stiffness;
    EXPECT_TRUE(all_near(step_matrix(s, Vector6<double>::Zero(), weight, 0), expected,
                         1e-13 * expected.cwiseAbs().maxCoeff()));
  }
}

TEST(RodStep, TheRatePartIsTheDerivativeOfTheDamping) {
  for (const Sample& s : samples(803)) {
    const Matrix6<double> damping = step_matrix(s, s.v, 0, 1) - step_matrix(s, s.v, 0, 0);
    Matrix6<double> expected;  // the forces are linear in the rates
    for (int j = 0; j < 6; ++j) {
      expected.col(j) = strain_force(s.constants, s.q, Vector6<double>::Unit(j)) -
                        strain_force(s.constants, s.q, Vector6<double>::Zero());
    }
    const double scale = step_matrix(s, s.v, 0, 1).cwiseAbs().maxCoeff();
    EXPECT_TRUE(all_near(damping, expected, 1e-12 * scale));
  }
}

}  // namespace
}  // namespace fem
