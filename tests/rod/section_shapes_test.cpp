#include "libfem/rod/section_shapes.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/quadrature.hpp"

namespace fem {
namespace {

using std::numbers::pi;

constexpr double kRatios[] = {0, 0.25, 0.3, 0.5, -0.4};  // Poisson's

double kappa(const SectionShape& shape, double nu) { return calc_shape_numbers(shape, nu).kappa; }

template <class Function>
double integrate(double from, double to, const Function& f) {
  double sum = 0;
  for (const auto& [x, weight] : test::gauss_points(12)) {
    sum += weight * (to - from) * f(from + x * (to - from));
  }
  return sum;
}

// ---- Cowper's definition
//
// With x across the rod in the plane, y out of it,
//   κ = 2(1 + ν) I_y / [½ν(I_x − I_y) − (A/I_y) ∫x(χ + xy²) dF],   I_y = ∫x² dF,  I_x = ∫y² dF
// where the flexure function χ is harmonic and ∂χ/∂n = F·n on the boundary,
//   F = −(½νx² + (1 − ½ν)y², (2 + ν)xy).
// With a function g, ∇²g = x and ∂g/∂n = 0, Green's identity gives ∫xχ dF = −∮g F·n ds: no χ.
double cowper(double nu, double area, double i_x, double i_y, double integral) {
  return 2 * (1 + nu) * i_y / (nu / 2 * (i_x - i_y) - area / i_y * integral);
}

double flexure_x(double nu, double x, double y) { return -(nu / 2 * x * x + (1 - nu / 2) * y * y); }
double flexure_y(double nu, double x, double y) { return -(2 + nu) * x * y; }

double rectangle_by_definition(double width, double height, double nu) {
  const double a = height / 2;
  const double b = width / 2;
  const auto g = [a](double x) { return x * x * x / 6 - a * a * x / 2; };
  const double sides = 2 * integrate(-b, b, [&](double y) { return g(a) * flexure_x(nu, a, y); });
  const double caps = 2 * integrate(-a, a, [&](double x) { return g(x) * flexure_y(nu, x, b); });
  const double area = width * height;
  const double i_y = area * height * height / 12;
  const double i_x = area * width * width / 12;
  return cowper(nu, area, i_x, i_y, -(sides + caps) + area * a * a * b * b / 9);
}

double tube_by_definition(double outer, double inner, double nu) {
  const double a = outer / 2;
  const double b = inner / 2;
  // g = (r³/8 + c r + d/r) cos θ with no slope at r = a and r = b.
  const double d = -3 * a * a * b * b / 8;
  const double c = d / (a * a) - 3 * a * a / 8;
  const auto boundary = [&](double r, double outward) {
    const double amplitude = r * r * r / 8 + c * r + d / r;
    double sum = 0;
    constexpr int kPoints = 16;  // exact: trigonometric polynomials of degree 4
    for (int i = 0; i < kPoints; ++i) {
      const double angle = 2 * pi * i / kPoints;
      const double x = r * std::cos(angle);
      const double y = r * std::sin(angle);
      const double normal =
          outward * (flexure_x(nu, x, y) * std::cos(angle) + flexure_y(nu, x, y) * std::sin(angle));
      sum += amplitude * std::cos(angle) * normal * r * 2 * pi / kPoints;
    }
    return sum;
  };
  const double rim = boundary(a, 1) + (b > 0 ? boundary(b, -1) : 0);
  const double area = pi * (a * a - b * b);
  const double i = pi / 4 * (std::pow(a, 4) - std::pow(b, 4));
  return cowper(nu, area, i, i, -rim + pi / 24 * (std::pow(a, 6) - std::pow(b, 6)));
}

// Thin walls b × h (mid-line), flanges and webs of thickness t: χ follows from the shear flow q of
// the elementary theory, dχ/ds = −2(1 + ν) q/t + F·(dx, dy)/ds with q for the force I_y.
double thin_box_by_definition(double b, double h, double t, double nu) {
  const auto web_chi = [&](double x) {
    return integrate(0, x, [&](double s) {
      const double flow_by_wall = b * h / 4 + (h * h / 4 - s * s) / 2;
      return -2 * (1 + nu) * flow_by_wall + flexure_x(nu, s, b / 2);
    });
  };
  const auto flange_chi = [&](double y) {
    return web_chi(h / 2) - integrate(y, b / 2, [&](double s) {
             return 2 * (1 + nu) * h / 2 * s + flexure_y(nu, h / 2, s);
           });
  };
  const double webs =
      4 * t * integrate(0, h / 2, [&](double x) { return x * (web_chi(x) + x * b * b / 4); });
  const double flanges = 4 * t * integrate(0, b / 2, [&](double y) {
                           return h / 2 * (flange_chi(y) + h / 2 * y * y);
                         });
  const double i_y = t * h * h * h / 6 + t * b * h * h / 2;
  const double i_x = t * b * b * b / 6 + t * h * b * b / 2;
  return cowper(nu, 2 * t * (b + h), i_x, i_y, webs + flanges);
}

TEST(ShearCoefficients, AreCowpersDefinition) {
  for (const double nu : kRatios) {
    SCOPED_TRACE(nu);
    for (const double width : {0.1, 1.0, 7.0}) {
      EXPECT_NEAR(kappa(RectangleShape{width, 2}, nu), rectangle_by_definition(width, 2, nu),
                  1e-12);
    }
    for (const double inner : {0.0, 0.3, 1.0, 1.9}) {
      EXPECT_NEAR(kappa(TubeShape{2, inner}, nu), tube_by_definition(2, inner, nu), 1e-11);
    }
    EXPECT_NEAR(kappa(CircleShape{2}, nu), tube_by_definition(2, 0, nu), 1e-12);
    for (const double b : {0.2, 1.0, 3.0}) {
      constexpr double t = 0.01;
      EXPECT_NEAR(kappa(BoxShape{b + t, 1 + t, t}, nu), thin_box_by_definition(b, 1, t, nu), 1e-12);
    }
  }
}

TEST(ShearCoefficients, ArePublishedNumbers) {
  EXPECT_NEAR(kappa(RectangleShape{1, 1}, 0), 5.0 / 6, 1e-15);
  EXPECT_NEAR(kappa(RectangleShape{1, 1}, 0.3), 0.850, 5e-4);  // Cowper's Table 2
  EXPECT_NEAR(kappa(RectangleShape{1, 1}, 0.5), 0.857, 5e-4);
  EXPECT_NEAR(kappa(CircleShape{1}, 0), 0.857, 5e-4);
  EXPECT_NEAR(kappa(CircleShape{1}, 0.3), 0.886, 5e-4);
  EXPECT_NEAR(kappa(CircleShape{1}, 0.5), 0.900, 5e-4);
}

TEST(ShearCoefficients, Limits) {
  for (const double nu : kRatios) {
    SCOPED_TRACE(nu);
    // A tube without a hole, and with a wall of no thickness.
    EXPECT_DOUBLE_EQ(kappa(TubeShape{1, 0}, nu), 6 * (1 + nu) / (7 + 6 * nu));
    EXPECT_NEAR(kappa(TubeShape{1, 1 - 1e-7}, nu), 2 * (1 + nu) / (4 + 3 * nu), 1e-7);
    // A narrow box is two webs side by side, that is a rectangle; a flat one all flange.
    EXPECT_NEAR(kappa(BoxShape{3e-7, 1, 1e-7}, nu), kappa(RectangleShape{1, 1}, nu), 1e-6);
    EXPECT_LT(kappa(BoxShape{100, 1, 1e-3}, nu), 1e-3);
  }
}

TEST(SectionShapes, AreasAndMoments) {
  const auto rectangle = calc_shape_numbers(RectangleShape{.width = 2, .height = 3}, 0.3);
  EXPECT_DOUBLE_EQ(rectangle.area, 6);
  EXPECT_DOUBLE_EQ(rectangle.second_moment, 4.5);
  EXPECT_EQ(rectangle.height, 3);
  const auto circle = calc_shape_numbers(CircleShape{.diameter = 4}, 0.3);
  EXPECT_DOUBLE_EQ(circle.area, 4 * pi);
  EXPECT_DOUBLE_EQ(circle.second_moment, 4 * pi);  // πr⁴/4
  EXPECT_EQ(circle.height, 4);
  const auto tube = calc_shape_numbers(TubeShape{.outer = 4, .inner = 2}, 0.3);
  EXPECT_DOUBLE_EQ(tube.area, 3 * pi);
  EXPECT_DOUBLE_EQ(tube.second_moment, 15 * pi / 4);
  EXPECT_EQ(tube.height, 4);
  const auto box = calc_shape_numbers(BoxShape{.width = 3, .height = 5, .wall = 0.5}, 0.3);
  EXPECT_DOUBLE_EQ(box.area, 3 * 5 - 2 * 4);
  EXPECT_DOUBLE_EQ(box.second_moment, (3 * 125 - 2 * 64) / 12.0);
  EXPECT_EQ(box.height, 5);
}

TEST(SectionShapes, ThinWallsKeepTheirDigits) {
  // Differences of outer and inner would have four digits left here.
  constexpr double t = 1e-12;
  const auto tube = calc_shape_numbers(TubeShape{.outer = 2 + t, .inner = 2 - t}, 0);
  const double wall = ((2 + t) - (2 - t)) / 2;
  EXPECT_NEAR(tube.area / (2 * pi * wall), 1, 1e-14);
  EXPECT_NEAR(tube.second_moment / (pi * wall), 1, 1e-14);
  const auto box = calc_shape_numbers(BoxShape{.width = 2 + t, .height = 1 + t, .wall = t}, 0);
  EXPECT_NEAR(box.area / (6 * t), 1, 1e-11);
  EXPECT_NEAR(box.second_moment / (t * (1.0 / 6 + 1)), 1, 1e-11);
}

TEST(SectionShapes, MakeTheBarOfThePaper) {
  // Danilin 2016, §2.7: EF, EJ and the density are those of a 10 mm square bar.
  const Material aluminium{.modulus = 7.2e10, .poisson = 0.3, .density = 2800};
  const Section s = make_section(aluminium, RectangleShape{.width = 0.01, .height = 0.01}, 0);
  EXPECT_NEAR(s.axial_stiffness, 7.2e6, 1e-8);
  EXPECT_NEAR(s.bending_stiffness, 60, 1e-12);
  EXPECT_NEAR(s.shear_stiffness, 2'352'941, 1);  // the paper's 2.8e6 has κ = 1
  EXPECT_NEAR(s.mass_per_length, 0.28, 1e-15);
  EXPECT_NEAR(s.inertia_per_length, 2.3333333333333333e-6, 1e-20);
  EXPECT_EQ(s.mass_offset, 0);
}

TEST(SectionShapes, AnOffsetAddsInertiaOnly) {
  const Material material{.modulus = 2e11, .poisson = 0.25, .density = 8000};
  const SectionShape shape = TubeShape{.outer = 0.1, .inner = 0.09};
  const Section centred = make_section(material, shape, 0);
  const Section offset = make_section(material, shape, -0.2);
  EXPECT_EQ(offset.bending_stiffness, centred.bending_stiffness);
  EXPECT_EQ(offset.mass_per_length, centred.mass_per_length);
  EXPECT_EQ(offset.mass_offset, -0.2);
  EXPECT_DOUBLE_EQ(offset.inertia_per_length,
                   centred.inertia_per_length + 0.04 * centred.mass_per_length);
  EXPECT_DOUBLE_EQ(centred.shear_stiffness,
                   kappa(shape, 0.25) * 8e10 * calc_shape_numbers(shape, 0.25).area);
}

}  // namespace
}  // namespace fem
