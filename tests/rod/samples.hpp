// Elements and states for the tests of the rod element, and the sizes that errors are measured in.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <Eigen/Core>

#include "libfem/math/lane.hpp"
#include "libfem/rod/kinematics.hpp"
#include "libfem/rod/rod_constants.hpp"
#include "libfem/rod/section.hpp"
#include "tests/support/random.hpp"

namespace fem::test {

/// The 10 × 10 mm bar of the three-rod deployment; α = 0.9969 for an element of 2/7 m.
inline constexpr Section kSlender{.axial_stiffness = 7.2e6,
                                  .bending_stiffness = 60,
                                  .shear_stiffness = 2.8e6,
                                  .mass_per_length = 0.28,
                                  .inertia_per_length = 0.28 * 0.01 * 0.01 / 12};

/// A soft section with much shear and inertia of rotation; α = 0.25 for an element of 0.2 m.
inline constexpr Section kThick{.axial_stiffness = 1e4,
                                .bending_stiffness = 100,
                                .shear_stiffness = 1e4,
                                .mass_per_length = 1,
                                .inertia_per_length = 0.01};

struct ElementSample {
  Section section;
  double length = 0;
  Vector6<double> q;
  Vector6<double> v;
};

/// How far random states go.
struct SampleRange {
  double turn = 1.2;     // rad, of an end section from the chord
  double stretch = 0.2;  // of the chord
  int turns = 2;         // whole turns added to both angles
};

/// A random section and length: α from nearly 1 down to a few hundredths.
inline ElementSample random_element(Random& random) {
  ElementSample s;
  s.length = random.log_uniform(0.1, 10);
  const double radius = s.length * random.log_uniform(0.003, 0.5);
  Section& c = s.section;
  c.axial_stiffness = random.log_uniform(1e2, 1e7);
  c.bending_stiffness = c.axial_stiffness * radius * radius;
  c.shear_stiffness = c.axial_stiffness * random.uniform(0.2, 0.5);
  c.mass_per_length = random.log_uniform(0.1, 10);
  c.inertia_per_length = c.mass_per_length * radius * radius * random.uniform(0.5, 2);
  s.q.setZero();
  s.v.setZero();
  return s;
}

/// A random state: any place and direction, large rotations, any velocities.
inline void draw_state(Random& random, const SampleRange& range, ElementSample& s) {
  constexpr double pi = std::numbers::pi;
  const double l = s.length;
  const double beta = random.uniform(-pi, pi);
  const double chord = l * (1 + random.uniform(-range.stretch, range.stretch));
  const double turns = 2 * pi * random.integer(-range.turns, range.turns);
  s.q(0) = l * random.uniform(-2, 2);
  s.q(1) = l * random.uniform(-2, 2);
  s.q(2) = beta + random.uniform(-range.turn, range.turn) + turns;
  s.q(3) = beta + random.uniform(-range.turn, range.turn) + turns;
  s.q(4) = s.q(0) + chord * std::cos(beta);
  s.q(5) = s.q(1) + chord * std::sin(beta);
  for (int i = 0; i < 6; ++i) s.v(i) = random.uniform(-3, 3) * (i == 2 || i == 3 ? 2 : l);
}

/// `count` random elements in random states, after two named sections.
[[nodiscard]] inline std::vector<ElementSample> random_samples(int count, std::uint64_t seed,
                                                               const SampleRange& range = {}) {
  Random random(seed);
  std::vector<ElementSample> samples;
  for (int i = 0; i < count; ++i) {
    ElementSample s = random_element(random);
    if (i == 0) {
      s.section = kSlender;
      s.length = 2.0 / 7;
    } else if (i == 1) {
      s.section = kThick;
      s.length = 0.2;
    }
    draw_state(random, range, s);
    samples.push_back(s);
  }
  return samples;
}

[[nodiscard]] inline RodConstants<double> constants(const ElementSample& s, bool paper_field) {
  return make_rod_constants(s.section, s.length, paper_field);
}

/// The natural lengths (l, l, 1, 1, l, l) of the coordinates: forces times these are all moments.
[[nodiscard]] inline Vector6<double> measures(double l) {
  return Vector6<double>(l, l, 1, 1, l, l);
}
[[nodiscard]] inline Vector6<double> as_moments(const Vector6<double>& force, double l) {
  return force.cwiseProduct(measures(l));
}
[[nodiscard]] inline Matrix6<double> as_moments(const Matrix6<double>& form, double l) {
  return measures(l).asDiagonal() * form * measures(l).asDiagonal();
}

/// Both triangles from the lower one.
[[nodiscard]] inline Matrix6<double> full(const Matrix6<double>& lower) {
  return lower.selfadjointView<Eigen::Lower>();
}

/// The constants one by one.
template <class Real>
[[nodiscard]] auto addresses(RodConstants<Real>& c) {
  auto& [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19,
         c20, c21, c22, c23, c24] = c;
  return std::array{&c0,  &c1,  &c2,  &c3,  &c4,  &c5,  &c6,  &c7,  &c8,  &c9,  &c10, &c11, &c12,
                    &c13, &c14, &c15, &c16, &c17, &c18, &c19, &c20, &c21, &c22, &c23, &c24};
}
[[nodiscard]] inline std::vector<double> numbers_of(RodConstants<double> c) {
  std::vector<double> numbers;
  for (const double* number : addresses(c)) numbers.push_back(*number);
  return numbers;
}

/// Constants for another scalar; `at(i)` gives number i of them.
template <class Real, class At>
[[nodiscard]] RodConstants<Real> make_constants(At at) {
  RodConstants<Real> c;
  std::size_t i = 0;
  for (Real* number : addresses(c)) *number = at(i++);
  return c;
}
template <class Real>
[[nodiscard]] RodConstants<Real> convert(const RodConstants<double>& c) {
  const std::vector<double> numbers = numbers_of(c);
  return make_constants<Real>([&](std::size_t i) { return Real(numbers[i]); });
}

/// Inertia of a sample about a node, kg m².
[[nodiscard]] inline double inertia_scale(const ElementSample& s) {
  const double l = s.length;
  return s.section.mass_per_length * l * l * l / 3 + s.section.inertia_per_length * l;
}

/// Size of squared angular velocities in the samples (up to 6 rad/s, and 3 l over a chord).
inline constexpr double kRateSquared = 36;

}  // namespace fem::test
