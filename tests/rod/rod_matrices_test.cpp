#include "libfem/rod/rod_matrices.hpp"

#include <cmath>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "libfem/rod/rod_constants.hpp"
#include "libfem/rod/shape_functions.hpp"
#include "tests/rod/samples.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/quadrature.hpp"

namespace fem {
namespace {

using test::all_near;

constexpr double kAlphas[] = {1, 0.9969, 0.8, 0.3, 0.01};
constexpr double kLengths[] = {0.07, 1, 12.5};

// The integrals by Gauss quadrature: five points are exact to degree 9, the integrands end with 7.
RodMatrices integrate(double l, double alpha) {
  RodMatrices r;
  r.Psi.setZero();
  r.Z.setZero();
  r.Phi.setZero();
  r.Phi_x.setZero();
  r.Phi_psi.setZero();
  r.Phi_psi0.setZero();
  r.Phi_psi1.setZero();
  for (const auto& [xi, weight] : test::gauss_points(5)) {
    const Eigen::Vector3d f = phi(xi, alpha);
    const Eigen::Matrix<double, 5, 1> p = psi(xi, alpha, l);
    const double w = l * weight;
    r.Psi += w * p * p.transpose();
    r.Z += w * f * p.transpose();
    const Eigen::Matrix3d ff = w * f * f.transpose();
    r.Phi += ff;
    r.Phi_x += p(1) * ff;
    r.Phi_psi += p(2) * ff;
    r.Phi_psi0 += p(3) * ff;
    r.Phi_psi1 += p(4) * ff;
  }
  return r;
}

// Entries in units of the powers of l they carry: columns and rows of ψ are 1, l, l, l, l.
template <class Psi>
auto without_lengths(const Psi& matrix, double l, bool rows) {
  Eigen::Matrix<double, 5, 1> scale;
  scale << 1, 1 / l, 1 / l, 1 / l, 1 / l;
  Eigen::MatrixXd r = matrix * scale.asDiagonal() / l;
  if (rows) r = (scale.asDiagonal() * r).eval();
  return r;
}

TEST(RodMatrices, EveryEntryIsItsIntegral) {
  // Without lengths, entries are below 1: sums of up to four terms below 1 in the closed form, of
  // five in the quadrature, each with a few roundings of 1.1e-16; its points and weights are good
  // to 1e-16.
  constexpr double tolerance = 2e-15;
  for (const double a : kAlphas) {
    for (const double l : kLengths) {
      SCOPED_TRACE(::testing::Message() << "α = " << a << ", l = " << l);
      const RodMatrices r = make_rod_matrices(l, a);
      const RodMatrices e = integrate(l, a);
      EXPECT_TRUE(
          all_near(without_lengths(r.Psi, l, true), without_lengths(e.Psi, l, true), tolerance));
      EXPECT_TRUE(
          all_near(without_lengths(r.Z, l, false), without_lengths(e.Z, l, false), tolerance));
      const double l2 = l * l;
      EXPECT_TRUE(all_near(r.Phi / l, e.Phi / l, tolerance));
      EXPECT_TRUE(all_near(r.Phi_x / l2, e.Phi_x / l2, tolerance));
      EXPECT_TRUE(all_near(r.Phi_psi / l2, e.Phi_psi / l2, tolerance));
      EXPECT_TRUE(all_near(r.Phi_psi0 / l2, e.Phi_psi0 / l2, tolerance));
      EXPECT_TRUE(all_near(r.Phi_psi1 / l2, e.Phi_psi1 / l2, tolerance));
    }
  }
}

TEST(RodMatrices, ThePrintedEntry23OfPhiXIsWrong) {
  // (67) prints 3α/4 where the integral has 3α/5: a difference of (l²/4)α · 3α/20.
  for (const double a : kAlphas) {
    for (const double l : kLengths) {
      const double printed = l * l / 12 - l * l / 4 * a * (1 - 3 * a / 4);
      const double right = integrate(l, a).Phi_x(1, 2);
      EXPECT_NEAR(printed - right, 3 * l * l * a * a / 80, 1e-15 * l * l);
      EXPECT_GT(std::abs(printed - right), 1e-6 * l * l);
    }
  }
}

TEST(RodMatrices, AreSymmetric) {
  const RodMatrices r = make_rod_matrices(0.7, 0.6);
  EXPECT_EQ(r.Psi, r.Psi.transpose());
  for (const Eigen::Matrix3d& m : {r.Phi, r.Phi_x, r.Phi_psi, r.Phi_psi0, r.Phi_psi1}) {
    EXPECT_EQ(m, m.transpose());
  }
}

TEST(RodConstants, CarryTheIntegralsTimesTheInertia) {
  const Section section{.axial_stiffness = 11,
                        .bending_stiffness = 13,
                        .shear_stiffness = 170,
                        .mass_per_length = 1.9,
                        .inertia_per_length = 0.23};
  const double l = 1.7;
  const double a = shear_coefficient(section, l);
  const RodMatrices e = integrate(l, a);
  for (const bool paper : {false, true}) {
    const RodConstants<double> c = make_rod_constants(section, l, paper);
    constexpr double tolerance = 5e-14;  // entries up to 60
    EXPECT_EQ(c.length, l);
    EXPECT_DOUBLE_EQ(c.inverse_length, 1 / l);
    EXPECT_DOUBLE_EQ(c.bending, 13 / l);
    EXPECT_DOUBLE_EQ(c.shear, 3 * a * 13 / l);
    EXPECT_DOUBLE_EQ(c.axial, 11 * l);
    EXPECT_DOUBLE_EQ(c.bow, a * a / 20);
    EXPECT_EQ(c.paper_field, paper ? 1 : 0);
    EXPECT_NEAR(c.m11, 1.9 * e.Psi(0, 0), tolerance);
    EXPECT_NEAR(c.m12, 1.9 * e.Psi(0, 1), tolerance);
    EXPECT_NEAR(c.m13, 1.9 * e.Psi(0, 3), tolerance);
    EXPECT_NEAR(c.m22, 1.9 * e.Psi(1, 1), tolerance);
    EXPECT_NEAR(c.m23, 1.9 * e.Psi(1, 3), tolerance);
    EXPECT_NEAR(c.m24, 1.9 * e.Psi(1, 4), tolerance);
    EXPECT_NEAR(c.m33, 1.9 * e.Psi(3, 3), tolerance);
    EXPECT_NEAR(c.m34, 1.9 * e.Psi(3, 4), tolerance);
    EXPECT_NEAR(c.j11, 0.23 * e.Phi(0, 0), tolerance);
    EXPECT_NEAR(c.j12, 0.23 * e.Phi(0, 1), tolerance);
    EXPECT_NEAR(c.j22, 0.23 * e.Phi(1, 1), tolerance);
    EXPECT_NEAR(c.j23, 0.23 * e.Phi(1, 2), tolerance);
  }
}

TEST(RodConstants, LeaveOutOnlyWhatSymmetryGives) {
  const RodMatrices e = integrate(1.3, 0.7);
  EXPECT_NEAR(e.Psi(0, 4), -e.Psi(0, 3), 1e-15);
  EXPECT_NEAR(e.Psi(4, 4), e.Psi(3, 3), 1e-15);
  EXPECT_NEAR(e.Phi(0, 2), e.Phi(0, 1), 1e-15);
  EXPECT_NEAR(e.Phi(2, 2), e.Phi(1, 1), 1e-15);
}

}  // namespace
}  // namespace fem
