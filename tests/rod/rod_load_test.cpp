// Generalized forces of loads along an element: eqs. (78), (79).
#include "libfem/rod/rod_load.hpp"

#include <array>
#include <cmath>
#include <cstddef>

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
using test::RodOracle;

constexpr bool kFields[] = {false, true};

RodElementLoad random_load(test::Random& random) {
  RodElementLoad load;
  for (auto& end : load.force) {
    for (double& p : end) p = random.uniform(-1, 1);
  }
  for (double& p : load.moment) p = random.uniform(-1, 1);
  return load;
}

Vector6<double> force_of(const ElementSample& s, bool paper, const RodElementLoad& load) {
  const RodConstants<double> c = test::constants(s, paper);
  return rod_load_force(c, calc_kinematics(c, s.q), load);
}

TEST(RodLoad, DoesTheWorkOfItsForces) {
  test::Random random(371);
  for (const bool paper : kFields) {
    for (const ElementSample& s : test::random_samples(60, 372)) {
      const RodElementLoad load = random_load(random);
      const RodOracle rod{.section = s.section, .length = s.length, .paper_field = paper};
      const auto power = [&](const auto& x, const auto& w) { return rod.load_power(load, x, w); };
      const Vector6<double> expected = test::velocity_gradient<6>(power, s.q, s.v);
      const double size = s.length * (s.length + 1);  // loads of 1 N/m and 1 N m/m
      EXPECT_TRUE(all_near(as_moments(force_of(s, paper, load), s.length),
                           as_moments(expected, s.length), 1e-13 * size));
    }
  }
}

TEST(RodLoad, OnAStraightRodHasTheTextbooksEndForces) {
  // Fixed ends: q l/2 and ± q l²/12 of a uniform load whatever the shear; a load that grows from
  // zero has 3/20, 7/20 and 1/30, −1/20 of q l and q l² where shear is stiff.
  Section section = test::kThick;
  const double l = 2;
  for (const double shear : {1e2, 1e4, 1e9}) {
    section.shear_stiffness = shear;
    const RodConstants<double> c = make_rod_constants(section, l, false);
    const RodKinematics<double> k = calc_kinematics(c, Vector6<double>{0, 0, 0, 0, l, 0});
    const auto uniform = rod_load_force(c, k, {.force = {{{0, -3}, {0, -3}}}});
    EXPECT_TRUE(all_near(uniform, Vector6<double>{0, -3, -1, 1, 0, -3}, 1e-14));
    const auto axial = rod_load_force(c, k, {.force = {{{6, 0}, {6, 0}}}});
    EXPECT_TRUE(all_near(axial, Vector6<double>{6, 0, 0, 0, 6, 0}, 1e-14));
    const auto growing = rod_load_force(c, k, {.force = {{{6, 0}, {12, 0}}}});
    EXPECT_TRUE(all_near(growing, Vector6<double>{8, 0, 0, 0, 10, 0}, 1e-14));
  }
  section.shear_stiffness = 1e12;
  const RodConstants<double> c = make_rod_constants(section, l, false);
  const RodKinematics<double> k = calc_kinematics(c, Vector6<double>{0, 0, 0, 0, l, 0});
  const double q = 60;
  // α = 1 − 3e-10 here.
  EXPECT_TRUE(all_near(
      rod_load_force(c, k, {.force = {{{0, 0}, {0, q}}}}),
      Vector6<double>{0, 0.15 * q * l, q * l * l / 30, -q * l * l / 20, 0, 0.35 * q * l}, 1e-7));
  // A uniform moment μ of slender rods is a pair of forces ∓ μ at the ends.
  EXPECT_TRUE(
      all_near(rod_load_force(c, k, {.moment = {5, 5}}), Vector6<double>{0, -5, 0, 0, 0, 5}, 1e-7));
}

TEST(RodLoad, IsItsResultant) {
  // In a translation all points move alike, so the sum of the end forces is ∫p dx.
  test::Random random(373);
  for (const bool paper : kFields) {
    for (const ElementSample& s : test::random_samples(20, 374)) {
      const RodElementLoad load = random_load(random);
      const Vector6<double> f = force_of(s, paper, load);
      for (int axis = 0; axis < 2; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const double whole = s.length * (load.force[0][a] + load.force[1][a]) / 2;
        EXPECT_NEAR(f(axis) + f(4 + axis), whole, 1e-13 * s.length);
      }
    }
  }
}

TEST(RodLoad, OfTheWeightIsGravity) {
  const std::array<double, 2> g{1.5, -9.81};
  for (const bool paper : kFields) {
    for (const ElementSample& s : test::random_samples(20, 375)) {
      const double m = s.section.mass_per_length;
      const std::array<double, 2> weight{m * g[0], m * g[1]};
      const RodConstants<double> c = test::constants(s, paper);
      const Matrix6<double> mass = test::full(mass_matrix(c, calc_kinematics(c, s.q)));
      const Vector6<double> expected = mass * Vector6<double>{g[0], g[1], 0, 0, g[0], g[1]};
      EXPECT_TRUE(all_near(as_moments(force_of(s, paper, {.force = {weight, weight}}), s.length),
                           as_moments(expected, s.length), 1e-12 * m * s.length * s.length));
    }
  }
}

}  // namespace
}  // namespace fem
