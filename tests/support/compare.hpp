// Comparisons for tests that say by how much they fail. NaN never compares as near.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace fem::test {

/// Every entry within `tolerance` (absolute).
template <class A, class B>
[[nodiscard]] ::testing::AssertionResult all_near(const Eigen::MatrixBase<A>& actual,
                                                  const Eigen::MatrixBase<B>& expected,
                                                  double tolerance) {
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) {
    return ::testing::AssertionFailure() << "different shapes";
  }
  for (Eigen::Index j = 0; j < actual.cols(); ++j) {
    for (Eigen::Index i = 0; i < actual.rows(); ++i) {
      const double difference = actual(i, j) - expected(i, j);
      if (!(std::abs(difference) <= tolerance)) {
        return ::testing::AssertionFailure()
               << "entry (" << i << ", " << j << "): " << actual(i, j) << ", expected "
               << expected(i, j) << ", difference " << difference << ", tolerance " << tolerance;
      }
    }
  }
  return ::testing::AssertionSuccess();
}

/// The same bits (so −0 differs from 0).
[[nodiscard]] inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace fem::test
