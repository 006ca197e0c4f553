#include "libfem/base/memory.hpp"

#include <cstddef>
#include <limits>
#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

namespace fem {
namespace {

TEST(AvailableMemory, IsWhatCanBeHad) {
  EXPECT_GT(calc_available_memory(), std::size_t{1'000'000});
  EXPECT_NO_THROW(demand_available(1'000'000));
  EXPECT_THROW(demand_available(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
}

TEST(DescribeUnforeseen, TellsMemoryFromDefects) {
  EXPECT_EQ(describe_unforeseen(std::bad_alloc()), "there is not enough memory for this model");
  EXPECT_EQ(describe_unforeseen(std::bad_array_new_length()),
            "there is not enough memory for this model");
  EXPECT_EQ(describe_unforeseen(std::logic_error("broken contract: x > 0")),
            "broken contract: x > 0 (this is a defect of fem: please report it)");
}

TEST(MemoryReserve, IsThereOnceMemoryHasRunOut) {
  MemoryReserve reserve(1'000'000);
  reserve.take();
  reserve.take();
  reserve.release();
  reserve.release();
  reserve.take();
  MemoryReserve impossible(std::numeric_limits<std::size_t>::max() / 4);
  EXPECT_THROW(impossible.take(), std::bad_alloc);
}

}  // namespace
}  // namespace fem
