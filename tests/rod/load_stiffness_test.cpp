// Generalized forces of loads along an element and how they change with it: against work taken by
// quadrature on the element's own fields, and against differences of the forces.
#include "libfem/rod/load_stiffness.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "libfem/rod/shape_functions.hpp"
#include "tests/rod/samples.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/quadrature.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

using test::all_near;
using test::as_moments;
using test::ElementSample;
using test::measures;

constexpr double kStep = 1e-5;  // of differences: the square of it and 1e-16 over it are the errors

struct Case {
  RodConstants<double> c;
  Vector6<double> q;
  double length;
  RodElementLoad load;
  std::array<double, 2> gravity;
};

std::vector<Case> cases() {
  test::Random random(71);
  std::vector<Case> result;
  int n = 0;
  for (const ElementSample& s : test::random_samples(60, 70)) {
    Section section = s.section;
    const double radius = std::sqrt(section.inertia_per_length / section.mass_per_length);
    if (n % 3 != 0) section.mass_offset = random.uniform(-0.9, 0.9) * radius;
    const auto number = [&] { return random.uniform(-1, 1); };
    result.push_back(
        {.c = make_rod_constants(section, s.length, n % 2 == 0),
         .q = s.q,
         .length = s.length,
         .load = {.force = {{{number(), number()}, {number(), number()}}},
                  .moment = {s.length * number(), s.length * number()}},
         .gravity = {number() / section.mass_per_length, number() / section.mass_per_length}});
    ++n;
  }
  return result;
}

// ∫ (p·R + p_μ γ) dx on the fields that the inertia uses.
double work(const Case& s, const Vector6<double>& q) {
  const RodKinematics<double> k = calc_kinematics(s.c, q);
  const double beta = q(2) - k.theta0;  // with its turns
  const double stretch = s.c.paper_field != 0 ? k.strain : k.stretch;
  double sum = 0;
  for (const auto& [xi, weight] : test::gauss_points(6)) {
    const auto psi = fem::psi(xi, s.c.alpha, s.length);
    const auto phi = fem::phi(xi, s.c.alpha);
    const double along = (1 + stretch) * psi(1);
    const double across = k.theta0 * psi(3) + k.theta1 * psi(4);
    const std::array<double, 2> place{q(0) + k.cosine * along - k.sine * across,
                                      q(1) + k.sine * along + k.cosine * across};
    const double angle = beta * phi(0) + q(2) * phi(1) + q(3) * phi(2);
    const auto at = [&, xi = xi](double a, double b) { return a + xi * (b - a); };
    sum += weight * s.length *
           (at(s.load.force[0][0], s.load.force[1][0]) * place[0] +
            at(s.load.force[0][1], s.load.force[1][1]) * place[1] +
            at(s.load.moment[0], s.load.moment[1]) * angle);
  }
  return sum;
}

template <class Function>
Vector6<double> difference(const Case& s, const Function& f) {
  Vector6<double> slope;
  for (int i = 0; i < 6; ++i) {
    const Vector6<double> step = kStep * measures(s.length)(i) * Vector6<double>::Unit(i);
    slope(i) = (f(Vector6<double>(s.q + step)) - f(Vector6<double>(s.q - step))) / (2 * kStep);
  }
  return slope;
}

template <class Force>
Matrix6<double> differences(const Case& s, const Force& force) {
  Matrix6<double> slopes;
  for (int j = 0; j < 6; ++j) {
    const Vector6<double> step = kStep * measures(s.length)(j) * Vector6<double>::Unit(j);
    const Vector6<double> change =
        force(Vector6<double>(s.q + step)) - force(Vector6<double>(s.q - step));
    slopes.col(j) = as_moments(change, s.length) / (2 * kStep);
  }
  return slopes;
}

TEST(RodLoad, IsTheGradientOfItsWork) {
  for (const Case& s : cases()) {
    const Vector6<double> force =
        as_moments(rod_load_force(s.c, calc_kinematics(s.c, s.q), s.load), s.length);
    const Vector6<double> expected = difference(s, [&](const auto& q) { return work(s, q); });
    EXPECT_TRUE(all_near(force, expected, 1e-8 * s.length * s.length));
  }
}

TEST(RodLoad, StiffnessIsTheDerivativeOfTheForce) {
  for (const Case& s : cases()) {
    const Matrix6<double> stiffness =
        as_moments(rod_load_stiffness(s.c, calc_kinematics(s.c, s.q), s.load), s.length);
    const Matrix6<double> expected = differences(s, [&](const Vector6<double>& q) {
      return Vector6<double>(-rod_load_force(s.c, calc_kinematics(s.c, q), s.load));
    });
    const double size = s.length * s.length;
    EXPECT_TRUE(all_near(stiffness, expected, 1e-8 * size));
    EXPECT_TRUE(all_near(stiffness, stiffness.transpose(), 1e-15 * size));
    EXPECT_GT(stiffness.cwiseAbs().maxCoeff(), 1e-3 * size);
  }
}

TEST(RodGravity, StiffnessIsTheDerivativeOfTheWeight) {
  for (const Case& s : cases()) {
    const auto& g = s.gravity;
    const auto weight = [&](const Vector6<double>& q) {
      const Matrix6<double> mass =
          mass_matrix(s.c, calc_kinematics(s.c, q), {s.c.static_moment != 0})
              .selfadjointView<Eigen::Lower>();
      return Vector6<double>(-(mass * Vector6<double>{g[0], g[1], 0, 0, g[0], g[1]}));
    };
    const Matrix6<double> stiffness =
        as_moments(rod_gravity_stiffness(s.c, calc_kinematics(s.c, s.q), g), s.length);
    const double size = s.length * s.length;  // gravity · mass · length is about this
    EXPECT_TRUE(all_near(stiffness, differences(s, weight), 2e-8 * size));
    EXPECT_TRUE(all_near(stiffness, stiffness.transpose(), 1e-15 * size));
  }
}

TEST(RodGravity, IsTheGradientOfTheFirstMoment) {
  for (const Case& s : cases()) {
    const auto potential = [&](const Vector6<double>& q) {
      const auto moment = first_moment(s.c, calc_kinematics(s.c, q), {q(0), q(1)});
      return -(s.gravity[0] * moment[0] + s.gravity[1] * moment[1]);
    };
    const Matrix6<double> mass =
        mass_matrix(s.c, calc_kinematics(s.c, s.q), {s.c.static_moment != 0})
            .selfadjointView<Eigen::Lower>();
    const auto& g = s.gravity;
    const Vector6<double> weight = mass * Vector6<double>{g[0], g[1], 0, 0, g[0], g[1]};
    EXPECT_TRUE(all_near(as_moments(Vector6<double>(-weight), s.length), difference(s, potential),
                         1e-8 * s.length * s.length));
  }
}

}  // namespace
}  // namespace fem
