#include "libfem/rod/section_forces.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/rod/samples.hpp"

namespace fem {
namespace {

RodKinematics<double> kinematics_at(const RodConstants<double>& c, const test::ElementSample& s,
                                    double time) {
  return calc_kinematics(c, Vector6<double>(s.q + time * s.v));
}

// The power of the section forces on the element's deformation is the rate of the strain energy
// and what Kelvin-Voigt damping takes, τ Σ stiffness · (strain rate)²: both by differences in time.
TEST(SectionForces, ArePowerConjugateToTheDeformation) {
  for (test::ElementSample s : test::random_samples(40, 31, {.turn = 0.4, .stretch = 0.05})) {
    s.section.stiffness_damping = 0.3;
    const RodConstants<double> c =
        make_rod_constants(s.section, s.length, false, {.curvature = 0.1 / s.length});
    const RodKinematics<double> k = kinematics_at(c, s, 0);
    const RodRates<double> r = calc_rates(k, s.v);
    const SectionForces f = section_forces(c, k, r);
    const double power = f.axial * r.chord - f.moment_start * r.theta0 + f.moment_end * r.theta1;

    const double h = 1e-5;
    const RodKinematics<double> ahead = kinematics_at(c, s, h);
    const RodKinematics<double> behind = kinematics_at(c, s, -h);
    const auto rate = [&](double a, double b) { return (a - b) / (2 * h); };
    const double energy_rate = rate(strain_energy(c, ahead), strain_energy(c, behind));
    const double minus = rate(ahead.minus, behind.minus);
    const double plus = rate(ahead.plus, behind.plus);
    const double strain = rate(ahead.strain, behind.strain);
    const double damping =
        s.section.stiffness_damping *
        (c.bending * minus * minus + c.shear * plus * plus + c.axial * strain * strain);
    // Differences are off by h² times rates cubed, which are of order 10.
    EXPECT_NEAR(power, energy_rate + damping, 1e-6 * (std::abs(energy_rate) + damping));
    EXPECT_GT(damping, 0);
  }
}

TEST(SectionForces, OfAnElementAtRestAreElastic) {
  for (test::ElementSample s : test::random_samples(10, 32)) {
    s.section.stiffness_damping = 0.3;
    const RodConstants<double> c = test::constants(s, false);
    const RodKinematics<double> k = kinematics_at(c, s, 0);
    const SectionForces rest = section_forces(c, k);
    const SectionForces still =
        section_forces(c, k, calc_rates(k, Vector6<double>{Vector6<double>::Zero()}));
    EXPECT_EQ(rest.axial, still.axial);
    EXPECT_EQ(rest.shear, still.shear);
    EXPECT_EQ(rest.moment_start, still.moment_start);
    EXPECT_EQ(rest.moment_end, still.moment_end);
  }
}

}  // namespace
}  // namespace fem
