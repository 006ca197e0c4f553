#include "libfem/system/gather_plan.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random.hpp"

namespace fem {
namespace {

using Contribution = GatherPlan::Contribution;

constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Sums as the header says them, one contribution after the other in the order given.
std::vector<double> sum(const std::vector<Contribution>& contributions, std::vector<double> base,
                        const std::vector<double>& buffer) {
  for (const Contribution& c : contributions) base[at(c.target)] += buffer[at(c.source)];
  return base;
}

std::vector<Contribution> draw(test::Random& random, int count, int targets, int sources) {
  std::vector<Contribution> contributions;
  for (int i = 0; i < count; ++i) {
    contributions.push_back({random.integer(0, targets - 1), random.integer(0, sources - 1)});
  }
  return contributions;
}

std::vector<double> draw_numbers(test::Random& random, std::size_t n) {
  std::vector<double> numbers(n);
  for (double& x : numbers) x = random.uniform(-1, 1);
  return numbers;
}

TEST(GatherPlan, SumsInTheOrderGiven) {
  test::Random random(501);
  for (const int count : {0, 5, 50, 500}) {
    const auto contributions = draw(random, count, 40, 60);
    std::vector<double> base(40, 0.0);
    for (std::size_t i = 0; i < base.size(); i += 3) base[i] = random.uniform(-1, 1);
    const auto buffer = draw_numbers(random, 60);
    std::vector<double> target(40, kUnset);
    GatherPlan(contributions, base).gather({1}, buffer, target);
    EXPECT_EQ(target, sum(contributions, base, buffer));
  }
}

// Windows that are summed alike, some that are not, and some without any term.
TEST(GatherPlan, SumsBlocksOfOnePattern) {
  test::Random random(503);
  constexpr int blocks = 3000;
  for (const int window : {3, 9}) {
    std::vector<Contribution> contributions;
    for (int b = 0; b < blocks; ++b) {
      if (b % 7 == 6) continue;
      for (int i = 0; i < window; ++i) {
        if (i % 4 != 3) contributions.push_back({window * b + i, 20 * b + 2 * i});
        if (i % 2 == 0) contributions.push_back({window * b + i, 20 * b + 2 * i + 1});
        if (b % 11 == 0)
          contributions.push_back({window * b + i, random.integer(0, 20 * blocks - 1)});
      }
      // A shape of its own: the general way of summing.
      if (b % 13 == 0)
        contributions.push_back({window * b + 2, random.integer(0, 20 * blocks - 1)});
    }
    std::vector<double> base(at(window * blocks), 0.0);
    base[at(window)] = 0.5;
    const auto buffer = draw_numbers(random, at(20 * blocks));
    const auto expected = sum(contributions, base, buffer);
    for (const std::size_t parts : {1, 5, 7}) {
      const GatherPlan plan(contributions, base, at(window), parts);
      for (const int threads : {1, 2}) {
        std::vector<double> target(base.size(), kUnset);
        plan.gather({threads}, buffer, target);
        EXPECT_EQ(target, expected) << parts;
      }
      for (std::size_t part = 0; part < parts; ++part) {  // a part is a range of blocks
        std::vector<double> target(base.size(), kUnset);
        plan.gather_part(part, buffer, target);
        for (std::size_t t = 0; t < target.size(); ++t) {
          const bool inside = t >= at(window) * (at(blocks) * part / parts) &&
                              t < at(window) * (at(blocks) * (part + 1) / parts);
          ASSERT_TRUE(inside ? target[t] == expected[t] : std::isnan(target[t]))
              << part << ' ' << t;
        }
      }
    }
  }
}

TEST(GatherPlan, GivesTheSameBitsForAnyNumberOfThreads) {
  test::Random random(502);
  constexpr int targets = 100000;  // several grains of each kind of sum
  const auto contributions = draw(random, 250000, targets, 5000);
  const auto buffer = draw_numbers(random, 5000);
  const std::vector<double> base(at(targets), 0.0);
  const GatherPlan plan(contributions, base, 1, 20);
  const auto expected = sum(contributions, base, buffer);
  for (const int threads : {1, 2, 4}) {
    std::vector<double> target(at(targets), kUnset);
    plan.gather({threads}, buffer, target);
    EXPECT_EQ(target, expected) << threads;
  }
}

TEST(GatherPlan, DemandsTargetsWithinItsRange) {
  EXPECT_THROW(GatherPlan({{2, 0}}, {0.0, 0.0}), std::logic_error);
}

}  // namespace
}  // namespace fem
