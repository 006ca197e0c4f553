// Strain energy, elastic forces, internal forces and tangent of the rod element.
#include <cmath>
#include <cstddef>
#include <numbers>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "libfem/rod/rod_element.hpp"
#include "libfem/rod/section_forces.hpp"
#include "tests/rod/samples.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/dual.hpp"
#include "tests/support/quadrature.hpp"

namespace fem {
namespace {

using test::all_near;
using test::as_moments;
using test::constants;
using test::ElementSample;
using test::measures;
using test::random_samples;

double energy_at(const RodConstants<double>& c, const Vector6<double>& q) {
  return strain_energy(c, calc_kinematics(c, q));
}
Vector6<double> force_at(const RodConstants<double>& c, const Vector6<double>& q) {
  return elastic_force(c, calc_kinematics(c, q));
}

// Size of the energies of a sample, J: of order-one strains.
double energy_scale(const ElementSample& s) {
  return s.section.axial_stiffness * s.length + s.section.bending_stiffness / s.length;
}

// The strain energy (9) by quadrature of the section's forces over the element, from the local
// fields (13): M = EI θ′, Q = GA_s(v′ − θ), ε the mean of u′ + v′²/2.
double integrated_energy(const ElementSample& s) {
  const Section& section = s.section;
  const double l = s.length;
  const double a = shear_coefficient(section, l);
  const double dx = s.q(4) - s.q(0);
  const double dy = s.q(5) - s.q(1);
  const auto from_chord = [&](double alpha) {
    return std::atan2(std::sin(alpha) * dx - std::cos(alpha) * dy,
                      std::cos(alpha) * dx + std::sin(alpha) * dy);
  };
  const double theta0 = from_chord(s.q(2));
  const double theta1 = from_chord(s.q(3));
  double local = 0;
  double strain = std::hypot(dx, dy) / l - 1;
  for (const auto& [xi, weight] : test::gauss_points(4)) {
    const double theta = theta0 * (1 - (1 + 3 * a) * xi + 3 * a * xi * xi) +
                         theta1 * ((1 - 3 * a) * xi + 3 * a * xi * xi);
    const double curvature =
        (theta0 * (-(1 + 3 * a) + 6 * a * xi) + theta1 * ((1 - 3 * a) + 6 * a * xi)) / l;
    const double slope = theta0 * ((1 + a) / 2 - (1 + 3 * a) * xi + 3 * a * xi * xi) +
                         theta1 * ((a - 1) / 2 + (1 - 3 * a) * xi + 3 * a * xi * xi);
    const double shear = slope - theta;
    local += 0.5 * l * weight *
             (section.bending_stiffness * curvature * curvature +
              section.shear_stiffness * shear * shear);
    strain += 0.5 * weight * slope * slope;
  }
  return local + 0.5 * l * section.axial_stiffness * strain * strain;
}

TEST(RodEnergy, IsTheIntegralOfTheSectionsEnergies) {
  for (const ElementSample& s : random_samples(200, 201)) {
    // Relative; where α is small, EI θ⁺² α stands beside EI θ⁻², nothing cancels.
    const double expected = integrated_energy(s);
    EXPECT_NEAR(energy_at(constants(s, false), s.q), expected, 1e-13 * expected + 1e-15);
  }
}

TEST(RodForce, IsTheGradientOfTheEnergy) {
  using Real = test::Gradient<6>;
  for (const ElementSample& s : random_samples(200, 202)) {
    const RodConstants<double> c = constants(s, false);
    Vector6<Real> q;
    for (int i = 0; i < 6; ++i) {
      q(i) = test::gradient_variable<6>(s.q(i), static_cast<std::size_t>(i));
    }
    const RodConstants<Real> dual = test::convert<Real>(c);
    const Real energy = strain_energy(dual, calc_kinematics(dual, q));
    Vector6<double> gradient;
    for (int i = 0; i < 6; ++i) gradient(i) = energy.d[static_cast<std::size_t>(i)];
    const Vector6<double> expected = as_moments(gradient, s.length);
    const double size = expected.cwiseAbs().maxCoeff();
    EXPECT_TRUE(all_near(as_moments(force_at(c, s.q), s.length), expected, 1e-12 * size));
  }
}

TEST(RodForce, IsTheDifferenceOfTheEnergy) {
  // Central differences with the step h: h²/6 of the third derivative (below 10 energies) and
  // 1e-16/h of the energy.
  const double h = 1e-5;
  for (const ElementSample& s : random_samples(100, 203)) {
    const RodConstants<double> c = constants(s, false);
    const Vector6<double> force = as_moments(force_at(c, s.q), s.length);
    const Vector6<double> sizes = test::measures(s.length);
    for (int i = 0; i < 6; ++i) {
      const Vector6<double> step = h * sizes(i) * Vector6<double>::Unit(i);
      const double slope = (energy_at(c, s.q + step) - energy_at(c, s.q - step)) / (2 * h);
      EXPECT_NEAR(slope, force(i), 2e-9 * energy_scale(s)) << i;
    }
  }
}

TEST(RodTangent, IsTheDerivativeOfTheForce) {
  using Real = test::Gradient<6>;
  for (const ElementSample& s : random_samples(200, 204)) {
    const RodConstants<double> c = constants(s, false);
    Vector6<Real> q;
    for (int i = 0; i < 6; ++i) {
      q(i) = test::gradient_variable<6>(s.q(i), static_cast<std::size_t>(i));
    }
    const RodConstants<Real> dual = test::convert<Real>(c);
    const Vector6<Real> force = elastic_force(dual, calc_kinematics(dual, q));
    Matrix6<double> derivative;
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) derivative(i, j) = force(i).d[static_cast<std::size_t>(j)];
    }
    const Matrix6<double> expected = as_moments(derivative, s.length);
    const Matrix6<double> actual =
        as_moments(elastic_tangent(c, calc_kinematics(c, s.q)), s.length);
    const double size = expected.cwiseAbs().maxCoeff();
    EXPECT_TRUE(all_near(actual, expected, 1e-12 * size));
    EXPECT_TRUE(all_near(actual, actual.transpose(), 1e-15 * size));
  }
}

TEST(RodTangent, IsTheDifferenceOfTheForce) {
  const double h = 1e-5;
  for (const ElementSample& s : random_samples(50, 205)) {
    const RodConstants<double> c = constants(s, false);
    const Matrix6<double> tangent =
        as_moments(elastic_tangent(c, calc_kinematics(c, s.q)), s.length);
    const Vector6<double> sizes = test::measures(s.length);
    for (int j = 0; j < 6; ++j) {
      const Vector6<double> step = h * sizes(j) * Vector6<double>::Unit(j);
      const Vector6<double> slope =
          as_moments(Vector6<double>(force_at(c, s.q + step) - force_at(c, s.q - step)), s.length) /
          (2 * h);
      EXPECT_TRUE(all_near(slope, tangent.col(j), 5e-9 * energy_scale(s)));
    }
  }
}

TEST(RodTangent, IsTheFormOfTheStrains) {
  for (const ElementSample& s : random_samples(100, 208)) {
    const RodConstants<double> c = constants(s, false);
    const RodKinematics<double> k = calc_kinematics(c, s.q);
    const Vector6<double> w = measures(s.length).asDiagonal() * Vector6<double>(1, -2, 3, 1, 2, -1);
    const Matrix6<double> tangent = elastic_tangent(c, k);
    const double size = as_moments(tangent, s.length).cwiseAbs().maxCoeff();
    const auto form = [&](const Vector6<double>& a, const Vector6<double>& b) {
      return elastic_form(c, k, calc_rates(k, a), calc_rates(k, b));
    };
    const double scale = s.v.cwiseQuotient(measures(s.length)).norm();
    EXPECT_NEAR(form(s.v, w), s.v.dot(tangent * w), 1e-13 * size * scale * 5);
    EXPECT_NEAR(form(s.v, s.v), s.v.dot(tangent * s.v), 1e-13 * size * scale * scale);
  }
}

// A rotation far from the origin, of an element without stress: the strains vanish to rounding, so
// the form does to its square. The tangent leaves 1e-16 of the axial stiffness.
TEST(RodTangent, OfARigidMotionVanishesToTheSquareOfRounding) {
  const RodConstants<double> c = make_rod_constants(test::kSlender, 0.25, false);
  const double angle = 0.75;
  const Vector6<double> q(0, 0, angle, angle, 0.25 * std::cos(angle), 0.25 * std::sin(angle));
  const RodKinematics<double> k = calc_kinematics(c, q);
  const Vector6<double> turn(-q(1), q(0), 1, 1, -q(5), q(4));
  const RodRates<double> rates = calc_rates(k, turn);
  // The strain of the state itself is rounding too, and its force N l acts on β̇².
  const double stress = std::abs(c.axial * k.strain);
  EXPECT_LE(stress, 1e-15 * c.axial);
  EXPECT_NEAR(elastic_form(c, k, rates, rates), 0, 2 * stress + 1e-30 * c.axial);
}

TEST(RodTangent, OfAStraightRodIsTimoshenkosStiffness) {
  // The textbook matrix, Φ = 12 EI/(GA_s l²), in our order of coordinates.
  for (const Section& section : {test::kSlender, test::kThick}) {
    const double l = 0.4;
    const double EA = section.axial_stiffness;
    const double EI = section.bending_stiffness;
    const double shear = 12 * EI / (section.shear_stiffness * l * l);
    const double k = EI / (1 + shear) / (l * l * l);
    Matrix6<double> expected;
    expected << EA / l, 0, 0, 0, -EA / l, 0,                                            //
        0, 12 * k, 6 * l * k, 6 * l * k, 0, -12 * k,                                    //
        0, 6 * l * k, (4 + shear) * l * l * k, (2 - shear) * l * l * k, 0, -6 * l * k,  //
        0, 6 * l * k, (2 - shear) * l * l * k, (4 + shear) * l * l * k, 0, -6 * l * k,  //
        -EA / l, 0, 0, 0, EA / l, 0,                                                    //
        0, -12 * k, -6 * l * k, -6 * l * k, 0, 12 * k;
    const RodConstants<double> c = make_rod_constants(section, l, false);
    const Vector6<double> q(0, 0, 0, 0, l, 0);
    EXPECT_TRUE(all_near(as_moments(elastic_tangent(c, calc_kinematics(c, q)), l),
                         as_moments(expected, l), 1e-14 * EA * l));
  }
}

TEST(RodInternalForces, AreTheDerivativesOfTheEnergyInTheStrains) {
  // Work of N over l̃ and of M₀, M₁ over θ₀, θ₁: move end 1 along the chord, turn each end.
  for (const ElementSample& s : random_samples(100, 206)) {
    const RodConstants<double> c = constants(s, false);
    const RodKinematics<double> k = calc_kinematics(c, s.q);
    const RodForces<double> forces = internal_forces(c, k);
    const Vector6<double> force = force_at(c, s.q);
    const double tolerance = 1e-13 * energy_scale(s);
    EXPECT_NEAR(forces.axial * s.length, s.section.axial_stiffness * k.strain * s.length,
                tolerance);
    EXPECT_NEAR(forces.axial * s.length, s.length * (k.cosine * force(4) + k.sine * force(5)),
                tolerance);
    EXPECT_NEAR(forces.moment0, force(2), tolerance);
    EXPECT_NEAR(forces.moment1, force(3), tolerance);
    // Q = (M₀ + M₁)/l̃ acts on end 0 along the normal, −Q on end 1.
    const double shear = (forces.moment0 + forces.moment1) / k.chord;
    EXPECT_NEAR(s.length * (k.cosine * force(1) - k.sine * force(0)), s.length * shear, tolerance);
    EXPECT_NEAR(s.length * (k.cosine * force(5) - k.sine * force(4)), -s.length * shear, tolerance);
  }
}

TEST(RodInternalForces, HaveTheSignsOfTheTextbook) {
  const double l = 0.5;
  const RodConstants<double> c = make_rod_constants(test::kThick, l, false);
  const auto forces = [&](double alpha0, double alpha1, double stretch) {
    const Vector6<double> q(0, 0, alpha0, alpha1, l * (1 + stretch), 0);
    return internal_forces(c, calc_kinematics(c, q));
  };
  // Tension is positive.
  EXPECT_NEAR(forces(0, 0, 1e-3).axial, 1e-3 * test::kThick.axial_stiffness, 1e-10);
  EXPECT_NEAR(forces(0, 0, -1e-3).axial, -1e-3 * test::kThick.axial_stiffness, 1e-10);
  // Pure bending with the ends turned up: M₁ = −M₀ = EI θ⁻/l, up to the tension of the arc, (16).
  const double bend = 1e-4;
  const RodForces<double> bent = forces(-bend, bend, 0);
  const double moment = test::kThick.bending_stiffness * 2 * bend / l;
  EXPECT_NEAR(bent.moment1, moment, 1e-6 * moment);
  EXPECT_NEAR(bent.moment0, -moment, 1e-6 * moment);
  // Both ends turned the same way: M₀ = M₁ = 6α EI θ/l.
  const double a = shear_coefficient(test::kThick, l);
  const RodForces<double> sheared = forces(bend, bend, 0);
  const double each = 6 * a * test::kThick.bending_stiffness * bend / l;
  EXPECT_NEAR(sheared.moment0, each, 1e-6 * each);
  EXPECT_NEAR(sheared.moment1, each, 1e-6 * each);
}

TEST(RodSectionForces, BalanceTheEnds) {
  // What the neighbours do to the element, from its section forces: N and Q on the two faces, M on
  // the left one clockwise, on the right one counter-clockwise; and M is linear with dM/dx = Q.
  for (const ElementSample& s : random_samples(100, 207)) {
    const RodConstants<double> c = constants(s, false);
    const RodKinematics<double> k = calc_kinematics(c, s.q);
    const SectionForces f = section_forces(c, k);
    const Eigen::Vector2d t(k.cosine, k.sine);
    const Eigen::Vector2d n(-k.sine, k.cosine);
    const Eigen::Vector2d on_start = -f.axial * t + f.shear * n;
    Vector6<double> expected;
    expected << on_start, -f.moment_start, f.moment_end, -on_start;
    EXPECT_TRUE(all_near(as_moments(force_at(c, s.q), s.length), as_moments(expected, s.length),
                         1e-13 * energy_scale(s)));
    EXPECT_NEAR(f.moment_end - f.moment_start, f.shear * k.chord, 1e-14 * energy_scale(s));
  }
}

TEST(RodSectionForces, OfACircularArcAreItsBendingMoment) {
  // Bent to an arc, without tension: M = EI θ⁻/l all along, Q = 0, N = 0.
  const double l = 0.5;
  const RodConstants<double> c = make_rod_constants(test::kThick, l, false);
  const double bend = 0.3;
  const double chord = l * (1 - bend * bend / 6);  // ε = 0 in (16) with θ⁻ = 2 · 0.3
  const Vector6<double> q(0, 0, -bend, bend, chord, 0);
  const SectionForces f = section_forces(c, calc_kinematics(c, q));
  const double moment = test::kThick.bending_stiffness * 2 * bend / l;
  EXPECT_NEAR(f.moment_start, moment, 1e-13 * moment);
  EXPECT_NEAR(f.moment_end, moment, 1e-13 * moment);
  EXPECT_NEAR(f.shear, 0, 1e-13 * moment / l);
  EXPECT_NEAR(f.axial, 0, 1e-15 * test::kThick.axial_stiffness);
}

// Transverse tangent (Y, α of the nodes) of a clamped straight column under the end load P.
Eigen::MatrixXd column_tangent(const Section& section, double length, int elements, double P) {
  const double l = length / elements;
  const RodConstants<double> c = make_rod_constants(section, l, false);
  const double chord = l * (1 - P / section.axial_stiffness);
  const Matrix6<double> k =
      elastic_tangent(c, calc_kinematics(c, Vector6<double>(0, 0, 0, 0, chord, 0)));
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(2 * elements + 2, 2 * elements + 2);
  const int local[] = {1, 2, 5, 3};  // Y₀, α₀, Y₁, α₁
  for (int e = 0; e < elements; ++e) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) K(2 * e + i, 2 * e + j) += k(local[i], local[j]);
    }
  }
  return K.bottomRightCorner(2 * elements, 2 * elements);
}

double buckling_load(const Section& section, double length, int elements, double high) {
  double low = 0;
  for (int i = 0; i < 50; ++i) {
    const double P = (low + high) / 2;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
        column_tangent(section, length, elements, P), Eigen::EigenvaluesOnly);
    (eigen.eigenvalues()(0) > 0 ? low : high) = P;
  }
  return low;
}

TEST(RodTangent, GivesEulersColumn) {
  // Slender: P_E = π² EI/(4 L²); errors: the mesh's (order 4 in l/L), P/EA and P/GA of 1e-7.
  const Section section{.axial_stiffness = 1e7, .bending_stiffness = 1, .shear_stiffness = 1e7};
  const double euler = std::numbers::pi * std::numbers::pi / 4;
  const double coarse = buckling_load(section, 1, 2, 2 * euler) / euler - 1;
  const double fine = buckling_load(section, 1, 8, 2 * euler) / euler - 1;
  EXPECT_NEAR(coarse, 5e-4, 2e-4);
  EXPECT_NEAR(fine, 0, 4e-6);
}

TEST(RodTangent, GivesEngessersColumn) {
  // N acts along the axis, not across the section: P = P_E/(1 + P_E/GA) (Engesser), and not
  // Haringx' root, to which a geometrically exact rod would go. Order 2 in l/L.
  const double euler = std::numbers::pi * std::numbers::pi / 4;
  const Section section{
      .axial_stiffness = 1e7, .bending_stiffness = 1, .shear_stiffness = 2.03 * euler};
  const double s = euler / section.shear_stiffness;
  const double engesser = 1 / (1 + s);
  const double haringx = (std::sqrt(1 + 4 * s) - 1) / (2 * s);
  const double error16 = buckling_load(section, 1, 16, euler) / euler - engesser;
  const double error32 = buckling_load(section, 1, 32, euler) / euler - engesser;
  EXPECT_NEAR(error32, 0, 1e-3);
  EXPECT_NEAR(error16 / error32, 4, 0.2);
  EXPECT_GT(haringx - engesser, 0.06);
}

}  // namespace
}  // namespace fem
