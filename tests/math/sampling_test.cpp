#include "libfem/math/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace fem {
namespace {

TEST(Sampling, UniformNumbersHaveTheirMoments) {
  constexpr int kCount = 100000;
  double mean = 0, square = 0, product = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const double a = calc_uniform(7, 0, i);
    const double b = calc_uniform(7, 1, i);
    ASSERT_TRUE(a > 0 && a < 1);
    mean += a / kCount;
    square += a * a / kCount;
    product += a * b / kCount;
  }
  // Five standard deviations of a mean of so many numbers.
  const double margin = 5 / std::sqrt(12.0 * kCount);
  EXPECT_NEAR(mean, 0.5, margin);
  EXPECT_NEAR(square, 1.0 / 3, margin);
  EXPECT_NEAR(product, 0.25, margin);
  EXPECT_NE(calc_uniform(7, 0, 3), calc_uniform(8, 0, 3));
}

TEST(Sampling, LatinHypercubeHasOneSampleInEverySlice) {
  const std::vector<double> x = make_latin_slices(3, 0, 1000);
  std::set<int> slices;
  for (const double value : x) slices.insert(static_cast<int>(value * 1000));
  EXPECT_EQ(slices.size(), 1000U);
  EXPECT_FALSE(std::is_sorted(x.begin(), x.end()));
  EXPECT_EQ(x, make_latin_slices(3, 0, 1000));
  EXPECT_NE(x, make_latin_slices(3, 1, 1000));
}

// Of 2^k points in a row every direction has one in each of 2^k slices, and the first two
// directions one in each of all boxes of 2^i by 2^(k−i): a (0, k, 2)-net.
TEST(Sampling, SobolPointsAreANet) {
  constexpr unsigned kPower = 6;
  constexpr unsigned kCount = 1U << kPower;
  for (std::size_t d = 0; d < kMostSobolDimensions; ++d) {
    std::set<int> slices;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      slices.insert(static_cast<int>(calc_sobol(11, d, i) * kCount));
    }
    EXPECT_EQ(slices.size(), kCount) << "direction " << d;
  }
  for (unsigned wide = 0; wide <= kPower; ++wide) {
    std::set<std::pair<int, int>> boxes;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      boxes.insert({static_cast<int>(calc_sobol(11, 0, i) * (1U << wide)),
                    static_cast<int>(calc_sobol(11, 1, i) * (1U << (kPower - wide)))});
    }
    EXPECT_EQ(boxes.size(), kCount);
  }
}

// An integral over all directions: far better than by random numbers.
TEST(Sampling, SobolIntegrates) {
  constexpr std::uint32_t kCount = 1U << 12U;
  double sum = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    double product = 1;
    for (std::size_t d = 0; d < kMostSobolDimensions; ++d) {
      product *= 1 + 0.3 * (calc_sobol(5, d, i) - 0.5);
    }
    sum += product / kCount;
  }
  EXPECT_NEAR(sum, 1, 2e-3);  // random numbers: standard deviation 6e-3
}

TEST(Sampling, NormalQuantileInvertsTheDistribution) {
  for (const double p : {1e-12, 1e-6, 0.01, 0.2, 0.5, 0.7, 0.975, 1 - 1e-9}) {
    const double x = calc_normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::numbers::sqrt2), p, 4e-16 + 1e-13 * p);
  }
  EXPECT_NEAR(calc_normal_quantile(0.975), 1.959963984540054, 1e-14);
}

}  // namespace
}  // namespace fem
