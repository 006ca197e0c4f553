// What an implicit step asks of the system: balance and matrix, against accelerations and finite
// differences.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/system/system.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::kTime;
using test::LawKind;
using test::State;

std::vector<Model> sample_models() {
  std::vector<Model> models = {make_model(test::three_rods(LawKind::smooth, 2))};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    models.push_back(make_model(
        test::random_frame(seed, {.rods = 1 + static_cast<int>(seed % 5), .loop = seed % 3 == 0})));
  }
  return models;
}

double largest(std::span<const double> x) {
  double result = 0;
  for (const double value : x) result = std::max(result, std::abs(value));
  return result;
}

TEST(SystemStep, BalancesAtTheAccelerations) {
  for (const Model& model : sample_models()) {
    SCOPED_TRACE(model.title);
    System system(model, {});
    State s = test::random_state(system, 811, kTime, Side::after);
    std::vector<double> a(system.size());
    std::vector<double> residual(system.independent());
    ASSERT_TRUE(system.balance(kTime, Side::after, s.q, s.v, a, residual).ok());
    const double scale = largest(residual);  // of the forces at rest accelerations
    ASSERT_TRUE(system.acceleration(kTime, Side::after, s.q, s.v, a).ok());
    const std::vector<double> expected = system.reactions(a);
    const double power = system.drive_power(a);
    ASSERT_TRUE(system.balance(kTime, Side::after, s.q, s.v, a, residual).ok());
    EXPECT_LT(largest(residual), 1e-10 * scale);
    const std::vector<double> lambda = system.reactions(a);
    const double force = 1 + largest(expected);
    for (std::size_t r = 0; r < lambda.size(); ++r) {
      EXPECT_NEAR(lambda[r], expected[r], 1e-9 * force);
    }
    EXPECT_NEAR(system.drive_power(a), power, 1e-9 * (std::abs(power) + force));
  }
}

// At rest, without accelerations, nothing is left out of the matrix.
TEST(SystemStep, TheMatrixIsTheDerivativeOfTheBalance) {
  constexpr StepWeights weights{.mass = 3e4, .rate = 200};
  constexpr double kStep = 1e-6;
  for (const Model& model : sample_models()) {
    SCOPED_TRACE(model.title);
    System system(model, {});
    State s = test::random_state(system, 812, 0, Side::before);
    std::fill(s.v.begin(), s.v.end(), 0.0);
    test::Random random(813);
    std::vector<double> direction(system.independent());
    for (std::size_t i = 0; i < direction.size(); ++i) {
      if (system.numbering().coordinate[i] != kNone) direction[i] = random.uniform(-1, 1);
    }
    const auto residual_at = [&](double d) {
      std::vector<double> q = s.q;
      std::vector<double> v = s.v;
      std::vector<double> a(system.size());
      for (std::size_t i = 0; i < direction.size(); ++i) {
        q[i] += d * direction[i];
        v[i] += d * weights.rate * direction[i];
        a[i] += d * weights.mass * direction[i];
      }
      std::vector<double> r(system.independent());
      EXPECT_TRUE(system.balance(0, Side::before, q, v, a, r).ok());
      return r;
    };
    const auto plus = residual_at(kStep);
    const auto minus = residual_at(-kStep);
    residual_at(0);
    ASSERT_TRUE(system.factorize_step(0, weights, s.q, s.v).ok());
    std::vector<double> solved(direction.size());
    for (std::size_t i = 0; i < solved.size(); ++i) solved[i] = (plus[i] - minus[i]) / (2 * kStep);
    system.solve_step(solved);
    for (std::size_t i = 0; i < solved.size(); ++i) {
      EXPECT_NEAR(solved[i], direction[i], 1e-5) << i;
    }
  }
}

}  // namespace
}  // namespace fem
