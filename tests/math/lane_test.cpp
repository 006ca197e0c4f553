#include "libfem/math/lane.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include "libfem/math/angle.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

using test::Random;
using test::same_bits;

static_assert(Lane::size() == kLanes);
static_assert(kLanes == 4);

template <class Draw>
Lane make_lane(Draw draw) {
  Lane lane;
  for (std::size_t i = 0; i < kLanes; ++i) lane[i] = draw();
  return lane;
}

TEST(Lane, SelectsLaneByLane) {
  const Lane a([](auto i) { return static_cast<double>(i); });
  const Lane chosen = select(a > 1.5, Lane(10.0), a);
  const std::array<double, 4> expected = {0, 1, 10, 10};
  for (std::size_t i = 0; i < kLanes; ++i) EXPECT_EQ(chosen[i], expected.at(i));
  EXPECT_EQ(select(true, 1.0, 2.0), 1.0);
  EXPECT_EQ(select(false, 1.0, 2.0), 2.0);
}

TEST(Lane, DirectionHasTheBitsOfTheScalarCode) {
  Random random(21);
  for (int n = 0; n < 100000; ++n) {
    const auto draw = [&] {
      const double sign = random.integer(0, 1) == 1 ? 1 : -1;
      return random.integer(0, 9) == 0 ? 0.0 * sign : sign * random.log_uniform(1e-3, 1e3);
    };
    const Lane x = make_lane([&] {
      const double value = draw();
      return value == 0 ? -2.0 : value;
    });
    const Lane y = make_lane(draw);
    const Lane angle = direction(y, x);
    for (std::size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(same_bits(angle[i], direction(double(y[i]), double(x[i]))));
    }
  }
}

TEST(Lane, WrapAngleAndRoundToIntegerHaveTheBitsOfTheScalarCode) {
  Random random(22);
  for (int n = 0; n < 100000; ++n) {
    const Lane angle = make_lane(
        [&] { return (random.integer(0, 1) == 1 ? 1 : -1) * random.log_uniform(1e-3, 1e7); });
    const Lane wrapped = wrap_angle(angle);
    const Lane rounded = round_to_integer(angle);
    for (std::size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(same_bits(wrapped[i], wrap_angle(double(angle[i]))));
      ASSERT_TRUE(same_bits(rounded[i], round_to_integer(double(angle[i]))));
    }
  }
}

}  // namespace
}  // namespace fem
