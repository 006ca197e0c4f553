// Jets against derivatives of a known function along a known motion.
#include "libfem/math/jet.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace fem {
namespace {

template <class Scalar>
Scalar sample(const Scalar& x, const Scalar& y) {
  using std::cos;
  using std::sin;
  return sin(x * y) - cos(y) * x + (x - y) * (-x) + Scalar(2.5) * y;
}

// x = 0.3 + t − t²/2, y = −0.7 + 2 t + 3 t²/2: central differences of order 4.
TEST(Jet, CarriesTheFirstTwoDerivatives) {
  const Jet<double> x(0.3, 1, -1), y(-0.7, 2, 3);
  const Jet<double> f = sample(x, y);
  const auto at = [](double t) {
    return sample(0.3 + t - t * t / 2, -0.7 + 2 * t + 3 * t * t / 2);
  };
  const double h = 1e-3;
  EXPECT_DOUBLE_EQ(f.value, at(0));
  const double first = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  const double second =
      (16 * (at(h) + at(-h)) - (at(2 * h) + at(-2 * h)) - 30 * at(0)) / (12 * h * h);
  EXPECT_NEAR(f.rate, first, 1e-10);       // h⁴ f⁽⁵⁾/30
  EXPECT_NEAR(f.curvature, second, 1e-8);  // and rounding 1e-16/h²
}

TEST(Jet, OfAConstantDoesNotMove) {
  const Jet<double> c = 3.0;
  EXPECT_EQ(c.rate, 0);
  EXPECT_EQ(c.curvature, 0);
}

}  // namespace
}  // namespace fem
