#include "libfem/rod/kinematics.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

#include <gtest/gtest.h>

#include "libfem/rod/rod_element.hpp"
#include "tests/rod/samples.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/dual.hpp"

namespace fem {
namespace {

using test::constants;
using test::ElementSample;
using test::random_samples;

constexpr double kPi = std::numbers::pi;

TEST(RodKinematics, IsTheDistanceDirectionAndTurnOfTheEnds) {
  // Turns cost α the digits of 2 · 2π, so the θ's are good to 2e-15; lengths and cosines to a few
  // units of the coordinates, which are up to three lengths.
  for (const ElementSample& s : random_samples(200, 101)) {
    const RodConstants<double> c = constants(s, false);
    const RodKinematics<double> k = calc_kinematics(c, s.q);
    const double dx = s.q(4) - s.q(0);
    const double dy = s.q(5) - s.q(1);
    const double a = shear_coefficient(s.section, s.length);
    EXPECT_NEAR(k.chord, std::hypot(dx, dy), 1e-15 * s.length);
    EXPECT_NEAR(k.chord * k.inverse_chord, 1, 1e-15);
    EXPECT_NEAR(k.chord * k.cosine, dx, 1e-15 * s.length);
    EXPECT_NEAR(k.chord * k.sine, dy, 1e-15 * s.length);
    const double beta = std::atan2(dy, dx);
    EXPECT_NEAR(k.theta0, std::remainder(s.q(2) - beta, 2 * kPi), 5e-15);
    EXPECT_NEAR(k.theta1, std::remainder(s.q(3) - beta, 2 * kPi), 5e-15);
    EXPECT_DOUBLE_EQ(k.plus, k.theta1 + k.theta0);
    EXPECT_DOUBLE_EQ(k.minus, k.theta1 - k.theta0);
    EXPECT_NEAR(k.stretch, k.chord / s.length - 1, 1e-15);
    const double strain =
        k.chord / s.length - 1 + (k.minus * k.minus / 3 + a * a * k.plus * k.plus / 5) / 8;
    EXPECT_NEAR(k.strain, strain, 1e-15);                                   // (16)
    EXPECT_NEAR(k.slope0, (-k.minus / 3 + a * a * k.plus / 5) / 4, 1e-15);  // (30)
    EXPECT_NEAR(k.slope1, (k.minus / 3 + a * a * k.plus / 5) / 4, 1e-15);
  }
}

TEST(RodKinematics, AnglesPassTheCutOfTheDirection) {
  // The chord points along −x, a little above or below: its direction jumps, the turns do not.
  ElementSample s = random_samples(1, 102).front();
  for (const double tilt : {1e-3, 1e-9, 0.0, -1e-9, -1e-3}) {
    for (const double other : {kPi, -kPi, 3 * kPi, -5 * kPi}) {
      s.q << 0, 0, other + 0.25, other - 0.125, -s.length, tilt * s.length;
      const RodKinematics<double> k = calc_kinematics(constants(s, false), s.q);
      EXPECT_NEAR(k.theta0, 0.25 + std::atan(tilt), 4e-15);  // half a unit of 5π, and 5 of π's rest
      EXPECT_NEAR(k.theta1, -0.125 + std::atan(tilt), 4e-15);
    }
  }
}

TEST(RodKinematics, AnglesAreThoseOfLessThanHalfATurn) {
  ElementSample s = random_samples(1, 103).front();
  for (double turn = -3.1; turn < 3.14; turn += 0.1) {
    for (int turns = -3; turns <= 3; ++turns) {
      s.q << 1, 2, 0.3 + turn + 2 * kPi * turns, 0.3 - turn, 1 + s.length * std::cos(0.3),
          2 + s.length * std::sin(0.3);
      const RodKinematics<double> k = calc_kinematics(constants(s, false), s.q);
      EXPECT_NEAR(k.theta0, turn, 1e-14);
      EXPECT_NEAR(k.theta1, -turn, 1e-14);
    }
  }
}

TEST(RodRates, AreDerivativesOfTheKinematics) {
  using Real = test::Gradient<1>;
  // Velocities up to 3 l and 6 rad/s over chords ≥ 0.8 l: rates up to 20.
  for (const ElementSample& s : random_samples(200, 104)) {
    const RodConstants<double> c = constants(s, true);
    Vector6<Real> q;
    for (int i = 0; i < 6; ++i) {
      q(i).value = s.q(i);
      q(i).d[0] = s.v(i);
    }
    const RodKinematics<Real> moving = calc_kinematics(test::convert<Real>(c), q);
    const RodRates<double> r = calc_rates(calc_kinematics(c, s.q), s.v);
    constexpr double tolerance = 5e-14;
    EXPECT_NEAR(r.chord, moving.chord.d[0], tolerance * s.length);
    const double beta_rate =
        moving.sine.d[0] * moving.cosine.value - moving.cosine.d[0] * moving.sine.value;
    EXPECT_NEAR(r.beta, beta_rate, tolerance);
    EXPECT_NEAR(r.theta0, moving.theta0.d[0], tolerance);
    EXPECT_NEAR(r.theta1, moving.theta1.d[0], tolerance);
    const RodKinematics<double> k = calc_kinematics(c, s.q);
    EXPECT_NEAR(r.chord / s.length + k.slope0 * r.theta0 + k.slope1 * r.theta1, moving.strain.d[0],
                tolerance);
  }
}

// Rates of the chord basis (ṡ₀, ṅ₀, α̇₀, α̇₁, ṡ₁, β̇), from its definition.
Vector6<double> chord_rates(const Vector6<double>& q, const Vector6<double>& v) {
  const double dx = q(4) - q(0);
  const double dy = q(5) - q(1);
  const double chord = std::hypot(dx, dy);
  const Eigen::Vector2d t(dx / chord, dy / chord);
  const Eigen::Vector2d n(-t(1), t(0));
  const Eigen::Vector2d start = v.head<2>();
  const Eigen::Vector2d end = v.tail<2>();
  return Vector6<double>(t.dot(start), n.dot(start), v(2), v(3), t.dot(end),
                         n.dot(end - start) / chord);
}

TEST(ChordBasis, ForcesHaveTheSamePower) {
  test::Random random(105);
  for (const ElementSample& s : random_samples(100, 106)) {
    const RodKinematics<double> k = calc_kinematics(constants(s, false), s.q);
    Vector6<double> f;
    for (int i = 0; i < 6; ++i) f(i) = random.uniform(-1, 1);
    for (const int i : {kS0, kN0, kS1}) f(i) /= s.length;
    const double power = f.dot(chord_rates(s.q, s.v));
    EXPECT_NEAR(turn_force(k, f).dot(s.v), power, 1e-13);  // six products up to 20
  }
}

TEST(ChordBasis, FormsHaveTheSameValue) {
  // In the chord basis motion of end 0 across is coupled with that along by nothing; see turn_form.
  test::Random random(107);
  for (const ElementSample& s : random_samples(100, 108)) {
    const RodKinematics<double> k = calc_kinematics(constants(s, false), s.q);
    Matrix6<double> form;
    Vector6<double> size = test::measures(s.length);
    size(kBeta) = 1;
    size(kS1) = size(kS0) = size(kN0) = s.length;
    for (int j = 0; j < 6; ++j) {
      for (int i = j; i < 6; ++i) form(i, j) = random.uniform(-1, 1) / (size(i) * size(j));
    }
    form(kN0, kS0) = 0;
    form(kS1, kN0) = 0;
    const Vector6<double> w = chord_rates(s.q, s.v);
    const double value = w.dot(test::full(form) * w);
    const Matrix6<double> turned = test::full(rod_detail::turn_form(k, form));
    EXPECT_NEAR(s.v.dot(turned * s.v), value, 1e-12);  // 36 products up to 400
  }
}

}  // namespace
}  // namespace fem
