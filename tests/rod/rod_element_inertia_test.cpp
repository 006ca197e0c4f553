// Mass matrix and velocity forces of the rod element against Lagrange's equations of a kinetic
// energy that is written from the positions of the material points.
#include <cmath>
#include <cstddef>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <gtest/gtest.h>

#include "libfem/rod/rod_element.hpp"
#include "tests/rod/lagrange_oracle.hpp"
#include "tests/rod/paper_form.hpp"
#include "tests/rod/samples.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/dual.hpp"

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
using test::SampleRange;

constexpr bool kFields[] = {false, true};

struct Motion {
  Matrix6<double> mass;
  Vector6<double> force;
};

Motion motion(const ElementSample& s, bool paper) {
  const RodConstants<double> c = constants(s, paper);
  const RodKinematics<double> k = calc_kinematics(c, s.q);
  return {.mass = as_moments(full(mass_matrix(c, k)), s.length),
          .force = as_moments(velocity_force(c, k, s.v), s.length)};
}

TEST(RodInertia, FollowsLagrangesEquations) {
  // The θ's are good to the digits of α, 4e-15 after two turns; the rest are some tens of
  // roundings.
  constexpr double tolerance = 1e-13;
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(40, 301)) {
      const auto expected = test::lagrange_terms(
          {.section = s.section, .length = s.length, .paper_field = paper}, s.q, s.v);
      const Motion actual = motion(s, paper);
      const double size = inertia_scale(s);
      EXPECT_TRUE(all_near(actual.mass, as_moments(expected.mass, s.length), tolerance * size));
      EXPECT_TRUE(all_near(actual.force, as_moments(expected.force, s.length),
                           10 * tolerance * kRateSquared * size));
      const RodConstants<double> c = constants(s, paper);
      const Matrix6<double> mass = full(mass_matrix(c, calc_kinematics(c, s.q)));
      EXPECT_NEAR(0.5 * s.v.dot(mass * s.v), expected.energy, 1e-13 * expected.energy);
    }
  }
}

TEST(RodInertia, FollowsLagrangesEquationsAtAnyRotationOfTheEnds) {
  // θ's up to 3 rad: far outside the use of the element, where every term counts.
  for (const bool paper : kFields) {
    for (const ElementSample& s :
         random_samples(20, 302, SampleRange{.turn = 3, .stretch = 0.7, .turns = 0})) {
      const auto expected = test::lagrange_terms(
          {.section = s.section, .length = s.length, .paper_field = paper}, s.q, s.v);
      const Motion actual = motion(s, paper);
      // Chords down to 0.3 l raise the rates and the coupling by up to ten each.
      const Vector6<double> force = as_moments(expected.force, s.length);
      const Matrix6<double> mass = as_moments(expected.mass, s.length);
      EXPECT_TRUE(all_near(actual.mass, mass, 1e-12 * mass.cwiseAbs().maxCoeff()));
      EXPECT_TRUE(all_near(actual.force, force, 1e-11 * force.cwiseAbs().maxCoeff()));
    }
  }
}

TEST(RodInertia, FieldsDifferByTheStretchOfTheBow) {
  // The paper's u = εx does not end at the node: momentum of a translation has the arm
  // (1 + ε) l/2 instead of l̃/2 along the chord.
  for (const ElementSample& s : random_samples(20, 303)) {
    const double l = s.length;
    const double mass = s.section.mass_per_length * l;
    for (const bool paper : kFields) {
      const RodConstants<double> c = constants(s, paper);
      const RodKinematics<double> k = calc_kinematics(c, s.q);
      const Matrix6<double> M = full(mass_matrix(c, k));
      const Vector6<double> across(-k.sine, k.cosine, 0, 0, -k.sine, k.cosine);  // velocity n
      const Vector6<double> turn_about_start(0, 0, 1, 1, -(s.q(5) - s.q(1)), s.q(4) - s.q(0));
      const double arm = turn_about_start.dot(M * across) / mass;
      const double gap =
          paper ? l / 8 * (k.minus * k.minus / 3 + 20 * c.bow * k.plus * k.plus / 5) : 0;
      EXPECT_NEAR(arm, (k.chord + gap) / 2, 1e-14 * l);
    }
  }
}

TEST(RodInertia, OfAStraightRodAtRestIsTheConsistentMassMatrix) {
  // The textbook's matrices for a shear-rigid rod: translation and rotation of the sections.
  const Section section{.axial_stiffness = 1e9,
                        .bending_stiffness = 1,
                        .shear_stiffness = 1e22,  // α = 1 to the last digit
                        .mass_per_length = 2.5,
                        .inertia_per_length = 0.03};
  const double l = 0.7;
  Matrix6<double> translation;
  translation << 140, 0, 0, 0, 70, 0,                 //
      0, 156, 22 * l, -13 * l, 0, 54,                 //
      0, 22 * l, 4 * l * l, -3 * l * l, 0, 13 * l,    //
      0, -13 * l, -3 * l * l, 4 * l * l, 0, -22 * l,  //
      70, 0, 0, 0, 140, 0,                            //
      0, 54, 13 * l, -22 * l, 0, 156;
  Matrix6<double> rotation;
  rotation << 0, 0, 0, 0, 0, 0,                //
      0, 36, 3 * l, 3 * l, 0, -36,             //
      0, 3 * l, 4 * l * l, -l * l, 0, -3 * l,  //
      0, 3 * l, -l * l, 4 * l * l, 0, -3 * l,  //
      0, 0, 0, 0, 0, 0,                        //
      0, -36, -3 * l, -3 * l, 0, 36;
  const Matrix6<double> expected = section.mass_per_length * l / 420 * translation +
                                   section.inertia_per_length / (30 * l) * rotation;
  for (const bool paper : kFields) {
    const RodConstants<double> c = make_rod_constants(section, l, paper);
    const RodKinematics<double> k = calc_kinematics(c, Vector6<double>(0, 0, 0, 0, l, 0));
    EXPECT_TRUE(all_near(full(mass_matrix(c, k)), expected, 1e-14));
  }
}

TEST(RodInertia, HasThePaperForm) {
  // (81), (82) as printed lose the digits of β and α only; without turns these are of order one.
  // Their columns cancel from terms of size |β|, |α| ≤ 4.4.
  for (const ElementSample& s : random_samples(60, 304, SampleRange{.turns = 0})) {
    const test::PaperInertia expected = test::paper_inertia(s.section, s.length, s.q, s.v);
    const Motion actual = motion(s, true);
    const double size = inertia_scale(s);
    EXPECT_TRUE(all_near(actual.mass, as_moments(expected.mass, s.length), 1e-13 * size));
    EXPECT_TRUE(
        all_near(actual.force, as_moments(expected.force, s.length), 1e-13 * kRateSquared * size));
  }
}

TEST(RodInertia, IsPositiveDefinite) {
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(500, 305)) {
      const Motion m = motion(s, paper);
      const Eigen::LDLT<Matrix6<double>> factor(m.mass);
      EXPECT_EQ(factor.info(), Eigen::Success);
      EXPECT_GT(factor.vectorD().minCoeff(), 1e-9 * inertia_scale(s));
    }
  }
}

TEST(RodInertia, VelocityForcesConserveTheKineticEnergy) {
  // v·f = ½ vᵀ Ṁ v: what the velocity forces do is what the mass matrix gains.
  using Real = test::Gradient<1>;
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(100, 306)) {
      const RodConstants<double> c = constants(s, paper);
      Vector6<Real> q;
      for (int i = 0; i < 6; ++i) {
        q(i).value = s.q(i);
        q(i).d[0] = s.v(i);
      }
      const RodConstants<Real> dual = test::convert<Real>(c);
      const Matrix6<Real> moving = mass_matrix(dual, calc_kinematics(dual, q));
      Matrix6<double> rate;
      for (int j = 0; j < 6; ++j) {
        for (int i = j; i < 6; ++i) rate(i, j) = moving(i, j).d[0];
      }
      const double gain = 0.5 * s.v.dot(full(rate) * s.v);
      const double power = s.v.dot(velocity_force(c, calc_kinematics(c, s.q), s.v));
      EXPECT_NEAR(power, gain, 1e-12 * inertia_scale(s) * kRateSquared * 6);
    }
  }
}

TEST(RodInertia, VelocityForcesAreQuadratic) {
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(20, 307)) {
      const RodConstants<double> c = constants(s, paper);
      const RodKinematics<double> k = calc_kinematics(c, s.q);
      const Vector6<double> once = velocity_force(c, k, s.v);
      const Vector6<double> back = velocity_force(c, k, Vector6<double>(-2 * s.v));
      EXPECT_EQ(back, Vector6<double>(4 * once));  // powers of two: no rounding
      EXPECT_TRUE(velocity_force(c, k, Vector6<double>::Zero().eval()).isZero(0));
    }
  }
}

TEST(RodMotion, IsMassAndAllForces) {
  for (const bool paper : kFields) {
    for (const ElementSample& s : random_samples(50, 308)) {
      const RodConstants<double> c = constants(s, paper);
      const RodKinematics<double> k = calc_kinematics(c, s.q);
      const RodInertia<double> whole = calc_motion(c, s.q, s.v);
      EXPECT_EQ(full(whole.mass), full(mass_matrix(c, k)));
      const Vector6<double> sum = velocity_force(c, k, s.v) + elastic_force(c, k);
      const Vector6<double> expected = as_moments(sum, s.length);
      const double size = expected.cwiseAbs().maxCoeff();
      EXPECT_TRUE(all_near(as_moments(whole.force, s.length), expected, 1e-14 * size));
    }
  }
}

}  // namespace
}  // namespace fem
