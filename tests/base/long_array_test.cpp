#include "libfem/base/long_array.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <numeric>

#include <gtest/gtest.h>

namespace fem {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;

std::uintptr_t address(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

TEST(LongArray, KeepsItsValuesThroughAllSizes) {
  LongArray<double> array;
  for (std::size_t n = 1; n < 2'000'000; n = 3 * n + 1) {
    const std::size_t old = array.size();
    array.resize(n);
    std::iota(array.begin() + static_cast<std::ptrdiff_t>(old), array.end(),
              static_cast<double>(old));
  }
  const LongArray<double> copy = array;
  for (std::size_t i = 0; i < copy.size(); ++i) ASSERT_EQ(copy[i], static_cast<double>(i));
}

TEST(LongArray, BeginsWithALargePageWhereItIsLong) {
  EXPECT_EQ(address(LongArray<double>(kPage).data()) % kPage, 0U);
  EXPECT_EQ(address(LongArray<char>(2 * kPage).data()) % kPage, 0U);
}

TEST(LongArray, KeepsTheAlignmentOfItsValues) {
  struct alignas(64) Line {
    double values[8];
  };
  for (const std::size_t n : {std::size_t{1}, std::size_t{3}, kPage / 16}) {
    EXPECT_EQ(address(LongArray<Line>(n).data()) % alignof(Line), 0U) << n;
  }
}

TEST(LongArray, RefusesWhatNoMemoryHolds) {
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW((void)LargePages<double>().allocate(most), std::bad_alloc);
  EXPECT_THROW((void)LargePages<double>().allocate(most / sizeof(double)), std::bad_alloc);
}

}  // namespace
}  // namespace fem
