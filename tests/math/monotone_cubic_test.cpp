#include "libfem/math/monotone_cubic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/quadrature.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

using Table = std::vector<std::array<double, 2>>;

// Rises, falls, stays: unequal steps, values up to 4.
const Table kTable = {{-2.0, 1.0}, {-1.5, 2.5}, {0.0, 3.0}, {0.25, -1.0},
                      {1.0, -1.0}, {1.5, -4.0}, {3.0, -4.5}};

Table random_table(test::Random& random, bool monotone) {
  Table table;
  double x = random.uniform(-3, 3);
  double y = random.uniform(-3, 3);
  const int n = random.integer(3, 9);
  for (int i = 0; i < n; ++i) {
    table.push_back({x, y});
    x += random.log_uniform(1e-2, 1);
    const double change = random.log_uniform(1e-3, 10);
    y += monotone || random.uniform(0, 1) < 0.5 ? change : -change;
  }
  return table;
}

TEST(MonotoneCubic, PassesThroughItsPoints) {
  const MonotoneCubic f(kTable);
  for (const auto& [x, y] : kTable) {
    EXPECT_EQ(f.evaluate(x).value, y);
    // From below: the last point of a piece, two roundings of numbers below 5.
    EXPECT_NEAR(f.evaluate(std::nextafter(x, -10)).value, y, 4e-15);
  }
}

TEST(MonotoneCubic, ValueSlopeAndIntegralAreContinuous) {
  const MonotoneCubic f(kTable);
  for (const auto& point : kTable) {
    const MonotoneCubicValue before = f.evaluate(std::nextafter(point[0], -10));
    const MonotoneCubicValue after = f.evaluate(point[0]);
    EXPECT_NEAR(before.value, after.value, 4e-15);
    EXPECT_NEAR(before.slope, after.slope, 3e-14);  // slopes up to 16
    EXPECT_NEAR(before.integral, after.integral, 1e-14);
  }
}

TEST(MonotoneCubic, NeverLeavesTheRangeOfNeighbouringPoints) {
  test::Random random(41);
  for (int n = 0; n < 200; ++n) {
    const Table table = random_table(random, n % 2 == 0);
    const MonotoneCubic f(table);
    for (std::size_t i = 0; i + 1 < table.size(); ++i) {
      const auto [low, high] = std::minmax(table[i][1], table[i + 1][1]);
      const double direction = table[i + 1][1] > table[i][1] ? 1 : -1;
      const double steep = (high - low) / (table[i + 1][0] - table[i][0]);
      for (int k = 0; k <= 50; ++k) {
        const double s = k / 50.0;
        const auto v = f.evaluate((1 - s) * table[i][0] + s * table[i + 1][0]);
        EXPECT_GE(v.value, low - 1e-14 * (1 + std::abs(low)));
        EXPECT_LE(v.value, high + 1e-14 * (1 + std::abs(high)));
        // A joint of two pieces may belong to the neighbour by a rounding.
        if (k > 0 && k < 50) {
          EXPECT_GE(direction * v.slope, -1e-13 * steep);
        }
      }
    }
  }
}

TEST(MonotoneCubic, IsFlatAtTurningPointsAndOnSteps) {
  const MonotoneCubic f(kTable);
  EXPECT_EQ(f.evaluate(0.0).slope, 0);  // the summit
  for (const double x : {0.25, 0.5, 0.8, 1.0}) {
    EXPECT_EQ(f.evaluate(x).value, -1);
    EXPECT_EQ(f.evaluate(x).slope, 0);
  }
}

TEST(MonotoneCubic, SlopeIsTheDerivative) {
  test::Random random(42);
  const MonotoneCubic f(kTable);
  const double h = 1e-6;
  for (int n = 0; n < 500; ++n) {
    const double x = random.uniform(-3, 4);
    const bool near_joint = std::any_of(kTable.begin(), kTable.end(), [&](const auto& point) {
      return std::abs(point[0] - x) < 2 * h;
    });
    if (near_joint) continue;
    const MonotoneCubicValue low = f.evaluate(x - h);
    const MonotoneCubicValue high = f.evaluate(x + h);
    // h²/6 of third derivatives up to 2000, and 1e-15/h.
    EXPECT_NEAR((high.value - low.value) / (2 * h), f.evaluate(x).slope, 3e-9);
    EXPECT_NEAR((high.integral - low.integral) / (2 * h), f.evaluate(x).value, 3e-9);
  }
}

TEST(MonotoneCubic, IntegralIsThatOfQuadrature) {
  // Cubic pieces: two points of Gauss are exact.
  const MonotoneCubic f(kTable);
  double sum = 0;
  EXPECT_EQ(f.evaluate(kTable.front()[0]).integral, 0);
  for (std::size_t i = 0; i + 1 < kTable.size(); ++i) {
    const double h = kTable[i + 1][0] - kTable[i][0];
    for (const auto& [s, weight] : test::gauss_points(2)) {
      sum += h * weight * f.evaluate(kTable[i][0] + s * h).value;
    }
    EXPECT_NEAR(f.evaluate(kTable[i + 1][0]).integral, sum, 1e-14);
  }
}

TEST(MonotoneCubic, GoesOnStraightBeyondTheEnds) {
  const MonotoneCubic f(kTable);
  for (const std::size_t end : {std::size_t{0}, kTable.size() - 1}) {
    const auto [x, y] = kTable[end];
    const MonotoneCubicValue at = f.evaluate(x);
    for (const double distance : {1e-3, 0.5, 20.0}) {
      const double u = end == 0 ? -distance : distance;
      const MonotoneCubicValue v = f.evaluate(x + u);
      EXPECT_EQ(v.slope, at.slope);
      EXPECT_NEAR(v.value, y + at.slope * u, 1e-13);
      EXPECT_NEAR(v.integral, at.integral + y * u + at.slope * u * u / 2, 1e-12);
    }
  }
}

TEST(MonotoneCubic, EndSlopeDoesNotTurnAgainstTheLastChord) {
  // The parabola through three points would start downwards, or too steeply.
  EXPECT_EQ(MonotoneCubic(Table{{0, 0}, {1, 1}, {2, 10}}).evaluate(0).slope, 0);
  EXPECT_EQ(MonotoneCubic(Table{{0, 0}, {1, -1}, {2, -10}}).evaluate(0).slope, 0);
  EXPECT_EQ(MonotoneCubic(Table{{0, 0}, {1, 1}, {2, -10}}).evaluate(0).slope, 3);
  EXPECT_EQ(MonotoneCubic(Table{{0, 10}, {1, -1}, {2, 0}}).evaluate(3).slope, 3);
  test::Random random(43);
  for (int n = 0; n < 200; ++n) {
    const Table table = random_table(random, true);
    const MonotoneCubic f(table);
    EXPECT_GE(f.evaluate(table.front()[0] - 1).slope, 0);
    EXPECT_GE(f.evaluate(table.back()[0] + 1).slope, 0);
  }
}

TEST(MonotoneCubic, IsExactForAStraightLine) {
  for (const std::size_t n : {2u, 3u, 6u}) {
    const Table line = {{-1, 3}, {-0.5, 2}, {0.25, 0.5}, {1, -1}, {4, -7}, {6, -11}};
    const MonotoneCubic f{std::span(line).first(n)};
    for (const double x : {-4.0, -0.75, 0.0, 0.9, 5.0, 9.0}) {
      EXPECT_NEAR(f.evaluate(x).value, 1 - 2 * x, 1e-13);
      EXPECT_NEAR(f.evaluate(x).slope, -2, 1e-13);
      EXPECT_NEAR(f.evaluate(x).integral, (x + 1) - (x * x - 1), 1e-12);
    }
  }
}

TEST(MonotoneCubic, OnePointIsAConstant) {
  const MonotoneCubic f(Table{{2, 5}});
  for (const double x : {-1.0, 2.0, 7.0}) {
    EXPECT_EQ(f.evaluate(x).value, 5);
    EXPECT_EQ(f.evaluate(x).slope, 0);
    EXPECT_EQ(f.evaluate(x).integral, 5 * (x - 2));
  }
}

TEST(MonotoneCubic, HasTheSlopesOfPchip) {
  // scipy.interpolate.PchipInterpolator on kTable.
  const MonotoneCubic f(kTable);
  const Table expected = {{-1.9, 1.379589743589744}, {-1.7, 2.098153846153846},
                          {-1, 2.7834757834757835},  {-0.3, 2.981230769230769},
                          {0.1, 1.5919999999999996}, {0.6, -1.0},
                          {1.2, -2.020371134020618}, {1.45, -3.8859381443298977},
                          {1.8, -4.194515463917526}, {2.9, -4.4982481863306605}};
  for (const auto& [x, value] : expected) EXPECT_NEAR(f.evaluate(x).value, value, 1e-14);
}

TEST(MonotoneCubic, ConvergesToASmoothFunction) {
  // Third order at the interior of a monotone stretch, second at the ends.
  const auto error = [](int n) {
    Table table;
    for (int i = 0; i <= n; ++i) {
      const double x = static_cast<double>(i) / n;
      table.push_back({x, std::exp(x)});
    }
    const MonotoneCubic f(table);
    double most = 0;
    for (int i = 0; i <= 1000; ++i) {
      const double x = i / 1000.0;
      most = std::max(most, std::abs(f.evaluate(x).value - std::exp(x)));
    }
    return most;
  };
  EXPECT_LT(error(40), 1e-5);
  EXPECT_GT(error(20) / error(40), 6);
}

TEST(MonotoneCubic, KeepsNotANumber) {
  const MonotoneCubic f(kTable);
  EXPECT_TRUE(std::isnan(f.evaluate(std::numeric_limits<double>::quiet_NaN()).value));
}

TEST(MonotoneCubic, DemandsIncreasingFinitePoints) {
  EXPECT_THROW(MonotoneCubic(Table{}), std::logic_error);
  EXPECT_THROW(MonotoneCubic(Table{{0, 1}, {0, 2}}), std::logic_error);
  EXPECT_THROW(MonotoneCubic(Table{{1, 1}, {0, 2}}), std::logic_error);
  EXPECT_THROW(MonotoneCubic(Table{{0, 1}, {1, std::numeric_limits<double>::infinity()}}),
               std::logic_error);
}

}  // namespace
}  // namespace fem
