#include "libfem/rod/shape_functions.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "libfem/rod/section.hpp"
#include "tests/rod/samples.hpp"

namespace fem {
namespace {

constexpr double kAlphas[] = {1, 0.9969, 0.8, 0.3, 0.01};
constexpr double kLengths[] = {0.07, 1, 12.5};

// Values of order one, or l, after about six roundings.
constexpr double kRounding = 2e-15;

TEST(ShearCoefficient, IsTheRatioOfFlexibilities) {
  const Section section{.bending_stiffness = 7, .shear_stiffness = 21};
  EXPECT_DOUBLE_EQ(shear_coefficient(section, 2), 0.5);         // 12 EI = l² GA
  EXPECT_DOUBLE_EQ(shear_coefficient(section, 0.5), 1 / 17.0);  // a quarter of the length
  EXPECT_NEAR(shear_coefficient(section, 1e9), 1, 1e-15);
  EXPECT_NEAR(shear_coefficient(test::kSlender, 2.0 / 7), 0.9969, 5e-5);
}

TEST(ShapeFunctions, AreThePrintedPolynomials) {
  for (const double a : kAlphas) {
    for (const double l : kLengths) {
      for (double s = 0; s <= 1; s += 1.0 / 16) {
        const auto f = phi(s, a);
        const auto p = psi(s, a, l);
        const double s2 = s * s;
        const double s3 = s2 * s;
        EXPECT_NEAR(f(0), 6 * a * (s - s2), kRounding);                  // (51)
        EXPECT_NEAR(f(1), 1 - (1 + 3 * a) * s + 3 * a * s2, kRounding);  // (14)
        EXPECT_NEAR(f(2), (1 - 3 * a) * s + 3 * a * s2, kRounding);
        EXPECT_EQ(p(0), 1);
        EXPECT_DOUBLE_EQ(p(1), l * s);
        EXPECT_NEAR(p(2), l * a * (s - 3 * s2 + 2 * s3), kRounding * l);  // (34)
        EXPECT_NEAR(p(3), l * ((1 + a) / 2 * s - (1 + 3 * a) / 2 * s2 + a * s3), kRounding * l);
        EXPECT_NEAR(p(4), l * ((a - 1) / 2 * s + (1 - 3 * a) / 2 * s2 + a * s3), kRounding * l);
      }
    }
  }
}

TEST(ShapeFunctions, MeetTheBoundaryConditions) {
  for (const double a : kAlphas) {
    const auto start = phi(0, a);
    const auto end = phi(1, a);
    EXPECT_EQ(start(0), 0);
    EXPECT_EQ(start(1), 1);
    EXPECT_EQ(start(2), 0);
    EXPECT_EQ(end(0), 0);
    EXPECT_EQ(end(1), 0);
    EXPECT_EQ(end(2), 1);
    for (const double l : kLengths) {
      for (int i = 2; i < 5; ++i) {
        EXPECT_EQ(psi(0, a, l)(i), 0);
        EXPECT_NEAR(psi(1, a, l)(i), 0, kRounding * l);
      }
    }
  }
}

TEST(ShapeFunctions, TurnWithARigidElement) {
  // β = α₀ = α₁ turns every section by the same angle; the deflections of θ₀ = θ₁ add to ψ.
  for (const double a : kAlphas) {
    for (double s = 0; s <= 1; s += 0.125) {
      EXPECT_NEAR(phi(s, a).sum(), 1, kRounding);
      const auto p = psi(s, a, 3);
      EXPECT_NEAR(p(2), p(3) + p(4), kRounding);
    }
  }
}

TEST(ShapeFunctions, MirrorEachOther) {
  for (const double a : kAlphas) {
    for (double s = 0; s <= 1; s += 0.125) {
      EXPECT_NEAR(phi(s, a)(1), phi(1 - s, a)(2), kRounding);
      EXPECT_NEAR(psi(s, a, 2)(3), -psi(1 - s, a, 2)(4), 2 * kRounding);
    }
  }
}

TEST(ShapeFunctions, SolveTheStaticEquations) {
  // Eq. (10): θ‴ = 0, v′ − θ + (l²/12)(1 − α)/α θ″ = 0. The difference formulas below are exact for
  // the degrees at hand (θ: 2, v: 3), so rounding alone remains: with the step 1/4 it is
  // (16/12) · 1e-16/h and, in θ″, (l²/12)(1 − α)/α · 4e-16/h² ≤ 100/12 · 64 · 1e-16.
  constexpr double h = 0.25;
  for (const double a : kAlphas) {
    for (const double l : kLengths) {
      for (double s = 0; s <= 1; s += 0.125) {
        for (int end = 0; end < 2; ++end) {
          const auto theta = [&](double at) { return phi(at, a)(1 + end); };
          const auto v = [&](double at) { return psi(at, a, l)(3 + end); };
          const double third = theta(s + 2 * h) - 3 * theta(s + h) + 3 * theta(s) - theta(s - h);
          EXPECT_NEAR(third, 0, 1e-14);
          const double slope =
              (v(s - 2 * h) - 8 * v(s - h) + 8 * v(s + h) - v(s + 2 * h)) / (12 * h * l);
          const double curvature = (theta(s + h) - 2 * theta(s) + theta(s - h)) / (h * h * l * l);
          EXPECT_NEAR(slope - theta(s) + l * l / 12 * (1 - a) / a * curvature, 0, 2e-13)
              << "α = " << a << ", l = " << l << ", ξ = " << s;
        }
      }
    }
  }
}

}  // namespace
}  // namespace fem
