#include "libfem/math/angle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random.hpp"

namespace fem {
namespace {

using test::Random;

constexpr double kPi = std::numbers::pi;
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();

// Unit in the last place of x.
double ulp(double x) {
  const double a = std::abs(x);
  return std::nextafter(a, std::numeric_limits<double>::infinity()) - a;
}

// Signed error of direction(y, x) in units of its last place; the reference has 11 bits more.
double error_in_ulps(double y, double x) {
  const double angle = direction(y, x);
  const long double exact = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
  return static_cast<double>(static_cast<long double>(angle) - exact) /
         ulp(static_cast<double>(exact));
}

// Worst case, just above the border tan(π/8) where the upper half of an octant begins: the quotient
// z ≈ −0.41 has three roundings of 1.1e-16 (1.24 units of the result 0.39), its sum with the rest
// has half a unit and the final sum has another half.
constexpr double kBound = 2.25;

TEST(Direction, AgreesWithAtan2AllRound) {
  Random random(11);
  double largest = 0;
  for (int i = 0; i < 400000; ++i) {
    const double angle = random.uniform(-kPi, kPi);
    const double radius = random.log_uniform(1e-6, 1e6);
    largest = std::max(largest,
                       std::abs(error_in_ulps(radius * std::sin(angle), radius * std::cos(angle))));
  }
  EXPECT_LE(largest, kBound);
}

TEST(Direction, AgreesWithAtan2ForComponentsOfAnySize) {
  Random random(12);
  for (int i = 0; i < 200000; ++i) {
    const double x = (random.integer(0, 1) == 1 ? 1 : -1) * random.log_uniform(1e-300, 1e300);
    const double y = (random.integer(0, 1) == 1 ? 1 : -1) * random.log_uniform(1e-300, 1e300);
    // A quotient below the normal numbers has fewer digits: its last place is that of zero.
    ASSERT_LE(std::abs(error_in_ulps(y, x)), kBound) << "x = " << x << ", y = " << y;
  }
}

TEST(Direction, IsExactOnTheAxes) {
  for (const double r : {1.0, 3.0, 1e-300, 1e300, kSmallest}) {
    EXPECT_EQ(direction(0.0, r), 0);
    EXPECT_EQ(direction(r, 0.0), kPi / 2);
    EXPECT_EQ(direction(-r, 0.0), -kPi / 2);
    EXPECT_EQ(direction(0.0, -r), kPi);
    EXPECT_EQ(direction(r, -0.0), kPi / 2);
  }
}

TEST(Direction, BelongsToTheHalfOpenInterval) {
  // On the negative half-axis the direction is +π, whatever the sign of zero.
  EXPECT_EQ(direction(0.0, -1.0), kPi);
  EXPECT_EQ(direction(-0.0, -1.0), kPi);
  // Just below it, −π to rounding.
  EXPECT_EQ(direction(-kSmallest, -1.0), -kPi);
}

TEST(Direction, IsExactOnTheDiagonals) {
  for (const double r : {1.0, 0.3, 1e-200, 1e200}) {
    EXPECT_EQ(direction(r, r), kPi / 4);
    EXPECT_EQ(direction(r, -r), 3 * kPi / 4);
    EXPECT_EQ(direction(-r, r), -kPi / 4);
    EXPECT_EQ(direction(-r, -r), -3 * kPi / 4);
  }
}

TEST(Direction, HasNoJumpAtTheBordersOfItsOctants) {
  // Borders of the branches: tan(π/8) : 1 and 1 : 1, with the neighbouring numbers, turned by
  // all symmetries.
  const double eighth = std::tan(kPi / 8);
  for (const double slope : {eighth, 0.41421356237309503, 1.0}) {
    double y = slope;
    for (int step = 0; step < 40; ++step) y = std::nextafter(y, 0.0);
    for (int step = 0; step < 80; ++step, y = std::nextafter(y, 2.0)) {
      for (const double sx : {1.0, -1.0}) {
        for (const double sy : {1.0, -1.0}) {
          ASSERT_LE(std::abs(error_in_ulps(sy * y, sx)), kBound);
          ASSERT_LE(std::abs(error_in_ulps(sx, sy * y)), kBound);
        }
      }
    }
  }
  // Either branch is exact enough at the border; the polynomial is not meant for |z| > 0.66.
  for (double tangent = 0.3; tangent < 0.6; tangent += 1e-4) {
    ASSERT_LE(std::abs(error_in_ulps(tangent, 1.0)), kBound) << tangent;
  }
}

TEST(Direction, IsNotBiased) {
  // π/4, π/2 and π are stored with a rest of 0.28 units in the last place. Where it is added, the
  // mean error over an octant is a few hundredths; left out or with the wrong sign, it is 0.3 and
  // more. Beside the y-axis a half of it is lost to rounding.
  Random random(13);
  for (int octant = -4; octant < 4; ++octant) {
    double sum = 0;
    constexpr int kCount = 40000;
    for (int i = 0; i < kCount; ++i) {
      const double angle = (octant + random.uniform(0, 1)) * kPi / 4;
      sum += error_in_ulps(std::sin(angle), std::cos(angle));
    }
    const bool beside_y = octant == -3 || octant == -2 || octant == 1 || octant == 2;
    EXPECT_LT(std::abs(sum / kCount), beside_y ? 0.3 : 0.03) << "octant " << octant;
  }
}

TEST(Direction, IsOddAndScaleFree) {
  Random random(14);
  for (int i = 0; i < 10000; ++i) {
    const double x = random.uniform(-1, 1);
    const double y = random.uniform(-1, 1);
    ASSERT_EQ(direction(-y, x), -direction(y, x));
    ASSERT_EQ(direction(0x1p300 * y, 0x1p300 * x), direction(y, x));
    ASSERT_EQ(direction(0x1p-300 * y, 0x1p-300 * x), direction(y, x));
  }
}

// The angle minus whole turns, to 1e-18: a fused product with 2π split into two parts.
long double wrapped(double angle, double turns) {
  constexpr long double turn = 6.283185307179586231995926937088L;  // the double nearest to 2π
  constexpr long double rest = 2.449293598294706353554866849e-16L;
  const long double n = turns;
  return std::fma(-n, turn, static_cast<long double>(angle)) - n * rest;
}

TEST(WrapAngle, LeavesTheHalfTurnsAroundZeroAlone) {
  for (double angle = -3.14; angle < 3.14; angle += 0.0137) EXPECT_EQ(wrap_angle(angle), angle);
  EXPECT_EQ(wrap_angle(kPi), kPi);
  EXPECT_EQ(wrap_angle(-kPi), -kPi);
}

TEST(WrapAngle, TakesWholeTurnsAway) {
  // The high part is subtracted exactly; then there is the rounding of the difference, half a unit
  // of the result, and that of the low part, 2.4e-10 · 1e6 · 1e-16.
  Random random(15);
  for (int i = 0; i < 200000; ++i) {
    const double most = random.log_uniform(1, 1e6);
    const double turns = std::round(random.uniform(-most, most));
    const double angle = random.uniform(-kPi, kPi) * 0.9999 + turns * 2 * kPi;
    const double result = wrap_angle(angle);
    ASSERT_LE(std::abs(result), kPi);
    const double tolerance = 0.5 * ulp(result) + 3e-20;
    ASSERT_LE(std::abs(static_cast<double>(result - wrapped(angle, turns))), tolerance)
        << turns << " turns";
  }
}

TEST(WrapAngle, KeepsSmallAnglesSmall) {
  // Near a whole turn the result is small and still has all the digits the angle holds.
  Random random(16);
  for (int i = 0; i < 100000; ++i) {
    const double turns = std::round(random.uniform(-1e6, 1e6));
    const double angle = turns * 2 * kPi + random.log_uniform(1e-12, 1e-2);
    const double result = wrap_angle(angle);
    const double tolerance = 0.5 * ulp(result) + 3e-20;
    ASSERT_LE(std::abs(static_cast<double>(result - wrapped(angle, turns))), tolerance)
        << turns << " turns";
  }
}

TEST(WrapAngle, StaysInRange) {
  // At odd multiples of π either end may come out, passed by no more than the rounding of the
  // number of turns: 1.5 units of it, so 2 units of the angle.
  for (int k = -1001; k <= 1001; k += 2) {
    double angle = k * kPi;
    for (int step = 0; step < 5; ++step) angle = std::nextafter(angle, -1e9);
    for (int step = 0; step < 10; ++step, angle = std::nextafter(angle, 1e9)) {
      ASSERT_LE(std::abs(wrap_angle(angle)), kPi + 2 * ulp(k * kPi)) << k;
    }
  }
}

TEST(RoundToInteger, RoundsToTheNearestAndTiesToEven) {
  Random random(17);
  for (int i = 0; i < 100000; ++i) {
    const double x = (random.integer(0, 1) == 1 ? 1 : -1) * random.log_uniform(1e-3, 0x1p51);
    ASSERT_EQ(round_to_integer(x), std::nearbyint(x)) << x;
  }
  for (const double x : {0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 1e9 + 0.5, 0.49999999999999994}) {
    EXPECT_EQ(round_to_integer(x), std::nearbyint(x)) << x;
  }
  EXPECT_EQ(round_to_integer(0x1p51 - 0.5), std::nearbyint(0x1p51 - 0.5));
}

}  // namespace
}  // namespace fem
