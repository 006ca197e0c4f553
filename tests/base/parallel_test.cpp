#include "libfem/base/parallel.hpp"

#include <atomic>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace fem {
namespace {

// How often every index is visited, and whether the cuts are where they may be.
struct Visits {
  std::vector<std::atomic<int>> count;
  std::atomic<int> calls = 0;
  std::atomic<bool> cut_well = true;

  Visits(int threads, std::size_t size, std::size_t grain) : count(size) {
    parallel_for({threads}, size, grain, [&](std::size_t begin, std::size_t end) {
      ++calls;
      if (begin >= end || begin % grain != 0 || (end != size && end % grain != 0)) cut_well = false;
      for (std::size_t i = begin; i < end && i < size; ++i) ++count[i];
    });
  }
  [[nodiscard]] bool all_once() const {
    for (const auto& n : count) {
      if (n != 1) return false;
    }
    return true;
  }
};

TEST(ParallelFor, VisitsEveryIndexOnce) {
  for (const std::size_t size : {1U, 2U, 3U, 7U, 63U, 64U, 65U, 255U, 1000U, 4097U}) {
    for (const std::size_t grain : {1U, 2U, 3U, 64U, 1000U, 5000U}) {
      for (const int threads : {0, 1, 2, 3, 8}) {
        const Visits visits(threads, size, grain);
        EXPECT_TRUE(visits.all_once()) << size << ' ' << grain << ' ' << threads;
        EXPECT_TRUE(visits.cut_well) << size << ' ' << grain << ' ' << threads;
      }
    }
  }
}

TEST(ParallelFor, IsNotCalledForNothing) {
  for (const int threads : {1, 4}) EXPECT_EQ(Visits(threads, 0, 8).calls, 0);
}

TEST(ParallelFor, IsSerialForOneThreadOrOneGrain) {
  EXPECT_EQ(Visits(1, 1000, 8).calls, 1);
  EXPECT_EQ(Visits(4, 8, 8).calls, 1);
}

TEST(ParallelFor, SharesTheWorkOtherwise) { EXPECT_GT(Visits(4, 1000, 8).calls, 1); }

TEST(VectorGrain, LeavesShortVectorsWholeAndCutsLongOnesIntoEvenShares) {
  EXPECT_EQ(Visits(2, 4096, vector_grain(4096)).calls, 1);
  for (const std::size_t size : {4097U, 30000U}) {
    std::vector<std::size_t> shares(2);
    parallel_for({2}, size, vector_grain(size), [&](std::size_t begin, std::size_t end) {
      shares[begin == 0 ? 0 : 1] = end - begin;
    });
    EXPECT_EQ(shares[0] + shares[1], size);
    EXPECT_NEAR(static_cast<double>(shares[0]), static_cast<double>(shares[1]), 512);
  }
}

TEST(ParallelFor, ThrowsWhatABodyThrows) {
  const auto fail_late = [](std::size_t, std::size_t end) {
    if (end == 1000) throw std::runtime_error("the last range");
  };
  for (const int threads : {1, 2, 4}) {
    EXPECT_THROW(parallel_for({threads}, 1000, 8, fail_late), std::runtime_error) << threads;
  }
}

TEST(ParallelSum, HasTheSameBitsForAnyNumberOfThreads) {
  std::vector<double> scratch;
  for (const std::size_t size : {0U, 1U, 100U, 101U, 5000U}) {
    std::vector<double> numbers(size);
    for (std::size_t i = 0; i < size; ++i) numbers[i] = 1 / (1.0 + static_cast<double>(i));
    const auto add = [&](std::size_t begin, std::size_t end) {
      return std::accumulate(numbers.begin() + static_cast<std::ptrdiff_t>(begin),
                             numbers.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    };
    const double serial = parallel_sum({1}, size, 100, scratch, add);
    EXPECT_NEAR(serial, add(0, size), 1e-14 * static_cast<double>(size));
    for (const int threads : {2, 3, 8}) {
      EXPECT_EQ(parallel_sum({threads}, size, 100, scratch, add), serial) << size;
    }
  }
}

TEST(ParallelFor, MayBeNested) {
  std::vector<std::atomic<int>> count(100);
  parallel_for({2}, 10, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      parallel_for({2}, 10, 1, [&, i](std::size_t b, std::size_t e) {
        for (std::size_t j = b; j < e; ++j) ++count[10 * i + j];
      });
    }
  });
  for (const auto& n : count) EXPECT_EQ(n, 1);
}

}  // namespace
}  // namespace fem
