#include "libfem/system/gather_plan.hpp"

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

TEST(GatherPlan, GivesTheSameBitsForAnyNumberOfThreads) {
  test::Random random(502);
  constexpr int targets = 100000;  // several grains of each kind of sum
  const auto contributions = draw(random, 250000, targets, 5000);
  const auto buffer = draw_numbers(random, 5000);
  const std::vector<double> base(at(targets), 0.0);
  const GatherPlan plan(contributions, base);
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
