// A section whose centre of mass lies beside the axis, against Lagrange's equations of the motion
// of its centres of mass; first moments of mass, and gravity as an acceleration of the frame.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "libfem/rod/rod_element.hpp"
#include "tests/rod/lagrange_oracle.hpp"
#include "tests/rod/samples.hpp"
#include "tests/support/compare.hpp"

namespace fem {
namespace {

using test::all_near;
using test::as_moments;
using test::ElementSample;
using test::full;
using test::inertia_scale;
using test::kRateSquared;
using test::RodOracle;
using test::SampleRange;

constexpr bool kFields[] = {false, true};
constexpr RodOptions kOffset{.offset_mass = true};

// Random elements whose centres of mass are up to a radius of inertia beside the axis, and two far
// ones.
std::vector<ElementSample> offset_samples(int count, std::uint64_t seed, const SampleRange& range) {
  test::Random random(seed);
  std::vector<ElementSample> samples = test::random_samples(count, seed, range);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Section& c = samples[i].section;
    const double radius = std::sqrt(c.inertia_per_length / c.mass_per_length);
    c.mass_offset =
        i < 2 ? (i == 0 ? 0.3 : -0.3) * samples[i].length : radius * random.uniform(-1, 1);
    c.inertia_per_length += c.mass_per_length * c.mass_offset * c.mass_offset;
  }
  return samples;
}

RodOracle oracle(const ElementSample& s, bool paper, int points) {
  return {.section = s.section, .length = s.length, .paper_field = paper, .points = points};
}

struct Motion {
  Matrix6<double> mass;
  Vector6<double> force;
};

Motion motion(const ElementSample& s, bool paper) {
  const RodConstants<double> c = test::constants(s, paper);
  const RodKinematics<double> k = calc_kinematics(c, s.q);
  return {.mass = as_moments(full(mass_matrix(c, k, kOffset)), s.length),
          .force = as_moments(velocity_force(c, k, s.v, kOffset), s.length)};
}

void expect_oracle(const SampleRange& range, int points, double tolerance) {
  for (const bool paper : kFields) {
    for (const ElementSample& s : offset_samples(30, 381, range)) {
      const auto expected = test::lagrange_terms(oracle(s, paper, points), s.q, s.v);
      const Motion actual = motion(s, paper);
      const double size = inertia_scale(s);
      EXPECT_TRUE(all_near(actual.mass, as_moments(expected.mass, s.length), tolerance * size));
      EXPECT_TRUE(all_near(actual.force, as_moments(expected.force, s.length),
                           10 * tolerance * kRateSquared * size));
    }
  }
}

TEST(RodOffsetMass, FollowsLagrangesEquations) {
  // By the same six points, to roundings: those of the angles after two turns are 4e-15.
  expect_oracle({}, 6, 1e-13);
}

TEST(RodOffsetMass, IsIntegratedToTheFourthPowerOfTheRotations) {
  // The integrand's part of power j in θ is a polynomial of degree 2j + 5 along the element, and
  // six points are exact to degree 11: what is left begins with θ⁴. There the highest term, ξ¹²,
  // has the coefficient (3θ⁺)⁴/24 times some tens of the other factors, and the rule is off by
  // 6!⁴/(13 · 12!²) = 9e-8 of it: 1e-5 at |θ| = 0.5, with y_c at most 0.3 l 3e-6 of the inertia.
  for (const double turn : {0.5, 0.25, 0.1, 0.05}) {
    const double error = 3e-6 * std::pow(turn / 0.5, 4);
    expect_oracle({.turn = turn, .stretch = 0.1, .turns = 0}, 20, std::max(1e-13, error));
  }
}

TEST(RodOffsetMass, IsNoneWithoutOffset) {
  for (const ElementSample& s : test::random_samples(10, 382)) {
    const RodConstants<double> c = test::constants(s, false);
    const RodKinematics<double> k = calc_kinematics(c, s.q);
    EXPECT_EQ(full(mass_matrix(c, k, kOffset)), full(mass_matrix(c, k)));
    EXPECT_EQ(velocity_force(c, k, s.v, kOffset), velocity_force(c, k, s.v));
  }
}

TEST(RodOffsetMass, CalcMotionHasItToo) {
  for (const ElementSample& s : offset_samples(10, 383, {})) {
    const RodConstants<double> c = test::constants(s, true);
    const RodKinematics<double> k = calc_kinematics(c, s.q);
    const auto m = calc_motion(c, s.q, s.v, kOffset);
    const Matrix6<double> mass = mass_matrix(c, k, kOffset);
    EXPECT_TRUE(all_near(full(m.mass), full(mass), 1e-14 * full(mass).cwiseAbs().maxCoeff()));
    const Vector6<double> force = velocity_force(c, k, s.v, kOffset) + elastic_force(c, k);
    const double size = force.cwiseAbs().maxCoeff() + elastic_force(c, k).cwiseAbs().maxCoeff();
    EXPECT_TRUE(all_near(m.force, force, 1e-13 * size));
  }
}

TEST(RodOffsetMass, OfARigidBarIsThatOfAParallelBar) {
  // A straight bar turning about its end: the centre of mass is l/2 along and y_c beside, so the
  // centrifugal force on the whole is m l ω² √(l²/4 + y_c²), and the inertia m l³/3 + I_z l holds
  // for either sign of y_c, at any angle.
  Section section = test::kThick;
  section.inertia_per_length = 0.05;
  const double l = 0.7;
  const double omega = 1.5;
  for (const double offset : {-0.2, 0.0, 0.2}) {
    section.mass_offset = offset;
    for (const double beta : {0.0, 0.4, 2.0, -3.0}) {
      const RodConstants<double> c = make_rod_constants(section, l, false);
      const double x = std::cos(beta);
      const double y = std::sin(beta);
      const Vector6<double> q{1, 2, beta, beta, 1 + l * x, 2 + l * y};
      const Vector6<double> v{0, 0, omega, omega, -omega * l * y, omega * l * x};
      const RodKinematics<double> k = calc_kinematics(c, q);
      const Matrix6<double> mass = full(mass_matrix(c, k, kOffset));
      const double m = section.mass_per_length * l;
      const double inertia = m * l * l / 3 + section.inertia_per_length * l;
      EXPECT_NEAR(v.dot(mass * v), inertia * omega * omega, 1e-14);
      const Vector6<double> a{0, 0, 0, 0, -omega * omega * l * x, -omega * omega * l * y};
      const Vector6<double> f = mass * a + velocity_force(c, k, v, kOffset);
      const double along = l / 2 * x - offset * y;
      const double across = l / 2 * y + offset * x;
      EXPECT_NEAR(f(0) + f(4), -m * omega * omega * along, 1e-14);
      EXPECT_NEAR(f(1) + f(5), -m * omega * omega * across, 1e-14);
      const std::array<double, 2> moment = first_moment(c, k, {1, 2});
      EXPECT_NEAR(moment[0], m * (1 + along), 1e-14);
      EXPECT_NEAR(moment[1], m * (2 + across), 1e-14);
    }
  }
}

TEST(RodGravity, HasThePotentialOfTheFirstMoment) {
  const std::array<double, 2> g{1.5, -9.81};
  for (const bool paper : kFields) {
    for (const ElementSample& s : offset_samples(30, 384, {})) {
      const RodConstants<double> c = test::constants(s, paper);
      const RodKinematics<double> k = calc_kinematics(c, s.q);
      const std::array<double, 2> moment = first_moment(c, k, {s.q(0), s.q(1)});
      const RodOracle rod = oracle(s, paper, 6);
      const auto expected =
          test::potential_terms<6>([&](const auto& x) { return rod.gravity_potential(x, g); }, s.q);
      const double size = 10 * s.section.mass_per_length * s.length * s.length * 8;
      EXPECT_NEAR(-g[0] * moment[0] - g[1] * moment[1], expected.energy, 1e-14 * size);
      // −M G with the uniform acceleration G of the frame is the gradient of that potential.
      const Vector6<double> force =
          -full(mass_matrix(c, k, kOffset)) * Vector6<double>{g[0], g[1], 0, 0, g[0], g[1]};
      EXPECT_TRUE(all_near(as_moments(force, s.length), as_moments(expected.force, s.length),
                           1e-13 * size));
    }
  }
}

}  // namespace
}  // namespace fem
