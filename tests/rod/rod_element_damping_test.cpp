// Kelvin-Voigt damping and stress-free shapes of the rod element, against energies and Rayleigh's
// function of the sections by quadrature.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "libfem/rod/rod_element.hpp"
#include "libfem/rod/section_forces.hpp"
#include "tests/rod/lagrange_oracle.hpp"
#include "tests/rod/samples.hpp"
#include "tests/support/compare.hpp"

namespace fem {
namespace {

using test::all_near;
using test::as_moments;
using test::ElementSample;
using test::RodOracle;

struct Shaped {
  ElementSample s;
  RestShape rest;
  [[nodiscard]] RodConstants<double> constants() const {
    return make_rod_constants(s.section, s.length, false, rest);
  }
  [[nodiscard]] RodOracle oracle() const {
    return {.section = s.section, .length = s.length, .rest = rest};
  }
  // Energies and forces times lengths, J: of order-one strains, and of what is stress-free.
  [[nodiscard]] double scale() const {
    const double bend = 1 + std::abs(rest.curvature) * s.length;
    const double strain = 1 + std::abs(rest.elongation);
    return s.section.axial_stiffness * s.length * strain * strain +
           s.section.bending_stiffness / s.length * bend * bend;
  }
};

// Elements with damping, curved by up to half a turn and strained by a tenth where stress-free.
std::vector<Shaped> samples(std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Shaped> result;
  for (ElementSample& s : test::random_samples(60, seed)) {
    s.section.stiffness_damping = random.log_uniform(1e-4, 1);
    const RestShape rest{.curvature = random.uniform(-3, 3) / s.length,
                         .elongation = random.uniform(-0.1, 0.1)};
    result.push_back({s, rest});
  }
  return result;
}

TEST(RodRestShape, ShiftsTheStrainsOfTheEnergy) {
  for (const Shaped& sample : samples(391)) {
    const ElementSample& s = sample.s;
    const RodConstants<double> c = sample.constants();
    const RodKinematics<double> k = calc_kinematics(c, s.q);
    const RodOracle rod = sample.oracle();
    const auto expected =
        test::potential_terms<6>([&](const auto& x) { return rod.strain_energy(x); }, s.q);
    // Roundings of the angles after two turns, 4e-15, on the stiffest part.
    const double size = sample.scale();
    EXPECT_NEAR(strain_energy(c, k), expected.energy, 1e-13 * size);
    EXPECT_TRUE(all_near(as_moments(elastic_force(c, k), s.length),
                         as_moments(expected.force, s.length), 1e-13 * size));
    EXPECT_TRUE(all_near(as_moments(elastic_tangent(c, k), s.length),
                         as_moments(expected.stiffness, s.length), 1e-12 * size));
  }
}

TEST(RodRestShape, IsAtRestWhereItIsStressFree) {
  // A rod of curvature κ⁰ and strain ε⁰ with its ends on the arc of length (1 + ε⁰) l has no
  // section forces: θ₁ = −θ₀ = κ⁰l/2, and the chord by ε = ε⁰.
  const double l = 0.6;
  const RestShape rest{.curvature = 0.8, .elongation = 0.02};
  const RodConstants<double> c = make_rod_constants(test::kThick, l, false, rest);
  const double half = rest.curvature * l / 2;
  const double chord = l * (1 + rest.elongation - half * half / 6);  // ⅛ (2 half)²/3
  for (const double beta : {0.0, 1.0, -2.0}) {
    const Vector6<double> q{
        0, 0, beta - half, beta + half, chord * std::cos(beta), chord * std::sin(beta)};
    const SectionForces f = section_forces(c, calc_kinematics(c, q));
    EXPECT_NEAR(f.axial, 0, 1e-15 * test::kThick.axial_stiffness);
    EXPECT_NEAR(f.shear, 0, 1e-15 * test::kThick.shear_stiffness);
    EXPECT_NEAR(f.moment_start, 0, 1e-15 * test::kThick.bending_stiffness / l);
    EXPECT_NEAR(f.moment_end, 0, 1e-15 * test::kThick.bending_stiffness / l);
  }
  // To hold it straight takes N = −EA ε⁰ and M = −EI κ⁰ all along.
  const SectionForces straight =
      section_forces(c, calc_kinematics(c, Vector6<double>{0, 0, 0, 0, l, 0}));
  EXPECT_NEAR(straight.axial, -1e4 * 0.02, 1e-11);
  EXPECT_NEAR(straight.moment_start, -100 * 0.8, 1e-12);
  EXPECT_NEAR(straight.moment_end, -100 * 0.8, 1e-12);
}

TEST(RodDamping, IsKelvinVoigtsInTheRatesOfTheStrains) {
  for (const Shaped& sample : samples(392)) {
    const ElementSample& s = sample.s;
    const RodConstants<double> c = sample.constants();
    const RodKinematics<double> k = calc_kinematics(c, s.q);
    const RodRates<double> r = calc_rates(k, s.v);
    const RodOracle rod = sample.oracle();
    const auto rayleigh = [&](const auto& x, const auto& w) { return rod.dissipation(x, w); };
    const Vector6<double> expected = test::velocity_gradient<6>(rayleigh, s.q, s.v);
    const Vector6<double> actual =
        calc_motion(c, s.q, s.v).force - velocity_force(c, k, s.v) - elastic_force(c, k);
    const double tau = s.section.stiffness_damping;
    // Rates up to 36 rad/s; what was subtracted leaves its roundings.
    const double size = (1 + 36 * tau) * sample.scale() +
                        as_moments(velocity_force(c, k, s.v), s.length).cwiseAbs().maxCoeff();
    EXPECT_TRUE(
        all_near(as_moments(actual, s.length), as_moments(expected, s.length), 1e-13 * size));
    EXPECT_NEAR(damping_power(c, k, r), s.v.dot(expected), 1e-12 * std::abs(s.v.dot(expected)));
    EXPECT_GT(damping_power(c, k, r), 0);
  }
}

TEST(RodDamping, IsNoneInRigidMotions) {
  for (const Shaped& sample : samples(393)) {
    ElementSample s = sample.s;
    const double omega = 2;
    for (int i = 0; i < 6; i += 4) {  // turning about the origin, and moving on
      s.v(i) = 3 - omega * s.q(i + 1);
      s.v(i + 1) = -1 + omega * s.q(i);
    }
    s.v(2) = s.v(3) = omega;
    const RodConstants<double> c = sample.constants();
    const RodKinematics<double> k = calc_kinematics(c, s.q);
    const double tau = s.section.stiffness_damping;
    // The rates of the strains cancel to roundings of velocities over a chord.
    EXPECT_NEAR(damping_power(c, k, calc_rates(k, s.v)), 0, tau * 1e-27 * sample.scale());
  }
}

}  // namespace
}  // namespace fem
