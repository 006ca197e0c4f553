#include "libfem/law/law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random.hpp"

namespace fem {
namespace {

constexpr Side kSides[] = {Side::before, Side::after};

// Points with unequal intervals and changes of both signs.
const std::vector<double> kTimes = {-0.5, 0.25, 1.75, 2.0, 6.5};
const std::vector<double> kValues = {1.0, -2.0, 0.5, 0.75, -3.0};

const LinearLaw kLinear{kTimes, kValues};
const SmoothLaw kSmooth{kTimes, kValues};

void expect_held(const LawValue& law, double value) {
  EXPECT_EQ(law.value, value);
  EXPECT_EQ(law.rate, 0);
  EXPECT_EQ(law.acceleration, 0);
}

TEST(ConstantLaw, IsConstant) {
  for (const double t : {-1e9, 0.0, 3.0}) {
    for (const Side side : kSides) expect_held(evaluate(ConstantLaw{4.5}, t, side), 4.5);
  }
  EXPECT_TRUE(break_times(ConstantLaw{4.5}).empty());
}

TEST(LinearLaw, FollowsItsSegments) {
  test::Random random(31);
  for (std::size_t i = 0; i + 1 < kTimes.size(); ++i) {
    const double slope = (kValues[i + 1] - kValues[i]) / (kTimes[i + 1] - kTimes[i]);
    for (int n = 0; n < 100; ++n) {
      const double s = random.uniform(0.001, 0.999);
      const double t = (1 - s) * kTimes[i] + s * kTimes[i + 1];
      for (const Side side : kSides) {
        const LawValue law = evaluate(kLinear, t, side);
        EXPECT_NEAR(law.value, (1 - s) * kValues[i] + s * kValues[i + 1], 1e-14);
        EXPECT_NEAR(law.rate, slope, 1e-14);
        EXPECT_EQ(law.acceleration, 0);
      }
    }
  }
}

TEST(LinearLaw, PassesThroughItsPointsFromBothSides) {
  for (std::size_t i = 0; i < kTimes.size(); ++i) {
    // Two roundings of numbers below 4.
    for (const Side side : kSides) {
      EXPECT_NEAR(evaluate(kLinear, kTimes[i], side).value, kValues[i], 2e-15);
    }
  }
}

TEST(LinearLaw, HasOneSidedRatesAtItsPoints) {
  const std::size_t last = kTimes.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    const auto slope = [](std::size_t k) {
      return (kValues[k + 1] - kValues[k]) / (kTimes[k + 1] - kTimes[k]);
    };
    const double left = i == 0 ? 0 : slope(i - 1);
    const double right = i == last ? 0 : slope(i);
    EXPECT_NE(left, right);
    EXPECT_DOUBLE_EQ(evaluate(kLinear, kTimes[i], Side::before).rate, left) << i;
    EXPECT_DOUBLE_EQ(evaluate(kLinear, kTimes[i], Side::after).rate, right) << i;
    // The limits are those of the neighbours, one number further.
    const double earlier = std::nextafter(kTimes[i], -10.0);
    const double later = std::nextafter(kTimes[i], 10.0);
    for (const Side side : kSides) {
      EXPECT_DOUBLE_EQ(evaluate(kLinear, earlier, side).rate, left) << i;
      EXPECT_DOUBLE_EQ(evaluate(kLinear, later, side).rate, right) << i;
    }
  }
}

TEST(LinearLaw, BreaksAtEveryPoint) { EXPECT_EQ(break_times(kLinear), kTimes); }

TEST(SmoothLaw, HasNoBreaks) { EXPECT_TRUE(break_times(kSmooth).empty()); }

TEST(SmoothLaw, PassesThroughItsPointsAtRest) {
  for (std::size_t i = 0; i < kTimes.size(); ++i) {
    for (const Side side : kSides) {
      const LawValue law = evaluate(kSmooth, kTimes[i], side);
      EXPECT_NEAR(law.value, kValues[i], 1e-15) << i;
      EXPECT_EQ(law.rate, 0) << i;
      EXPECT_EQ(law.acceleration, 0) << i;
    }
  }
}

TEST(SmoothLaw, IsTheQuintic) {
  const double change = kValues[2] - kValues[1];
  const double duration = kTimes[2] - kTimes[1];
  for (double x = 0.01; x < 1; x += 0.01) {
    const double s = 10 * std::pow(x, 3) - 15 * std::pow(x, 4) + 6 * std::pow(x, 5);
    const double s1 = 30 * std::pow(x, 2) - 60 * std::pow(x, 3) + 30 * std::pow(x, 4);
    const double s2 = 60 * x - 180 * std::pow(x, 2) + 120 * std::pow(x, 3);
    const LawValue law = evaluate(kSmooth, kTimes[1] + x * duration, Side::after);
    EXPECT_NEAR(law.value, kValues[1] + change * s, 2e-14);  // 10 + 15 + 6 units of 2.5
    EXPECT_NEAR(law.rate, change / duration * s1, 1e-13);
    EXPECT_NEAR(law.acceleration, change / (duration * duration) * s2, 1e-13);
  }
}

TEST(SmoothLaw, RatesAreDerivatives) {
  // Central differences: h² f‴/6 and h² f⁗/6 with |f| ≤ 360 · 4/0.25⁴ at worst, roundings 1e-15/h.
  const double h = 1e-6;
  for (std::size_t i = 0; i + 1 < kTimes.size(); ++i) {
    const double duration = kTimes[i + 1] - kTimes[i];
    const double change = std::abs(kValues[i + 1] - kValues[i]);
    for (double x = 0.05; x < 1; x += 0.05) {
      const double t = kTimes[i] + x * duration;
      const LawValue law = evaluate(kSmooth, t, Side::after);
      const LawValue later = evaluate(kSmooth, t + h, Side::after);
      const LawValue earlier = evaluate(kSmooth, t - h, Side::after);
      const double truncation = h * h * 360 * change / std::pow(duration, 3);
      EXPECT_NEAR((later.value - earlier.value) / (2 * h), law.rate, truncation + 1e-8);
      EXPECT_NEAR((later.rate - earlier.rate) / (2 * h), law.acceleration,
                  truncation / duration + 1e-7);
    }
  }
}

TEST(SmoothLaw, IsTwiceContinuouslyDifferentiable) {
  // Beside a point, at a distance d, acceleration is at most 60 · change · d/duration³, the rate d²
  // and the value's distance d³ times such numbers; 10 − 15 + 6 costs the value ten units of 4.
  const double d = 1e-7;
  for (const double point : kTimes) {
    const LawValue earlier = evaluate(kSmooth, point - d, Side::before);
    const LawValue later = evaluate(kSmooth, point + d, Side::after);
    const double bound = 60 * 4 / std::pow(0.25, 3);
    EXPECT_NEAR(earlier.value, later.value, bound * d * d * d + 1e-14);
    EXPECT_NEAR(earlier.rate, 0, bound * d * d);
    EXPECT_NEAR(later.rate, 0, bound * d * d);
    EXPECT_NEAR(earlier.acceleration, 0, bound * d);
    EXPECT_NEAR(later.acceleration, 0, bound * d);
  }
}

TEST(SmoothLaw, RisesMonotonicallyAndSymmetrically) {
  const SmoothLaw law{{0, 1}, {0, 1}};
  double previous = 0;
  for (double x = 1.0 / 64; x < 1; x += 1.0 / 64) {
    const LawValue here = evaluate(law, x, Side::after);
    const LawValue there = evaluate(law, 1 - x, Side::after);
    EXPECT_GT(here.value, previous);
    EXPECT_NEAR(here.value + there.value, 1, 1e-15);
    EXPECT_NEAR(here.acceleration + there.acceleration, 0, 1e-14);
    previous = here.value;
  }
  EXPECT_DOUBLE_EQ(evaluate(law, 0.5, Side::after).rate, 1.875);
}

template <class PointLaw>
class PointLaws : public ::testing::Test {};
using Kinds = ::testing::Types<LinearLaw, SmoothLaw, StepsLaw>;
TYPED_TEST_SUITE(PointLaws, Kinds);

TYPED_TEST(PointLaws, AreHeldOutsideTheirPoints) {
  const TypeParam law{kTimes, kValues};
  for (const Side side : kSides) {
    for (const double early : {-1e300, -100.0, std::nextafter(kTimes.front(), -10.0)}) {
      expect_held(evaluate(law, early, side), kValues.front());
    }
    for (const double late : {std::nextafter(kTimes.back(), 10.0), 100.0, 1e300}) {
      expect_held(evaluate(law, late, side), kValues.back());
    }
  }
  expect_held(evaluate(law, kTimes.front(), Side::before), kValues.front());
  expect_held(evaluate(law, kTimes.back(), Side::after), kValues.back());
}

TYPED_TEST(PointLaws, WithOnePointAreConstant) {
  const TypeParam law{{2.0}, {7.0}};
  for (const double t : {1.0, 2.0, 3.0}) {
    for (const Side side : kSides) expect_held(evaluate(law, t, side), 7.0);
  }
  EXPECT_TRUE(break_times(law).empty());
}

TYPED_TEST(PointLaws, WithTwoPointsHaveOnePiece) {
  const TypeParam law{{1.0, 3.0}, {5.0, 9.0}};
  const double middle = std::is_same_v<TypeParam, StepsLaw> ? 5.0 : 7.0;
  for (const Side side : kSides) EXPECT_DOUBLE_EQ(evaluate(law, 2.0, side).value, middle);
}

// ---- steps

TEST(StepsLaw, HoldsEachValueFromItsTimeOn) {
  const StepsLaw law{kTimes, kValues};
  for (std::size_t i = 0; i < kTimes.size(); ++i) {
    expect_held(evaluate(law, kTimes[i], Side::after), kValues[i]);
    expect_held(evaluate(law, kTimes[i], Side::before), kValues[i == 0 ? 0 : i - 1]);
    for (const Side side : kSides) {
      expect_held(evaluate(law, std::nextafter(kTimes[i], 10.0), side), kValues[i]);
    }
  }
}

TEST(StepsLaw, BreaksWhereItJumps) {
  EXPECT_EQ(break_times(StepsLaw{kTimes, kValues}), (std::vector{0.25, 1.75, 2.0, 6.5}));
}

// ---- formulas

const HarmonicLaw kHarmonic{
    .amplitude = 1.5, .angular_frequency = 3, .phase = 0.4, .mean = -0.7, .span = {0.5, 4}};
const PolynomialLaw kPolynomial{.coefficients = {0.3, -1, 0.5, 0.25}, .span = {0.5, 4}};

TEST(HarmonicLaw, IsTheSine) {
  for (double t = 0.55; t < 4; t += 0.1) {
    const LawValue law = evaluate(kHarmonic, t, Side::after);
    // One rounding of each factor; the argument is below 11.
    EXPECT_NEAR(law.value, -0.7 + 1.5 * std::sin(3 * (t - 0.5) + 0.4), 1e-14);
    EXPECT_NEAR(law.rate, 4.5 * std::cos(3 * (t - 0.5) + 0.4), 3e-14);
    EXPECT_NEAR(law.acceleration, -13.5 * std::sin(3 * (t - 0.5) + 0.4), 1e-13);
  }
}

TEST(PolynomialLaw, IsTheSumOfPowers) {
  for (double t = 0.55; t < 4; t += 0.1) {
    const double x = t - 0.5;
    const LawValue law = evaluate(kPolynomial, t, Side::after);
    EXPECT_NEAR(law.value, 0.3 - x + 0.5 * x * x + 0.25 * x * x * x, 1e-14);
    EXPECT_NEAR(law.rate, -1 + x + 0.75 * x * x, 1e-14);
    EXPECT_NEAR(law.acceleration, 1 + 1.5 * x, 1e-14);
  }
}

template <class Formula>
void expect_held_outside_span(const Formula& law) {
  const LawValue first = evaluate(law, 0.5, Side::after);
  const LawValue last = evaluate(law, 4, Side::before);
  EXPECT_NE(first.rate, 0);
  EXPECT_NE(last.rate, 0);
  expect_held(evaluate(law, 0.5, Side::before), first.value);
  expect_held(evaluate(law, 4, Side::after), last.value);
  for (const Side side : kSides) {
    expect_held(evaluate(law, -1e9, side), first.value);
    expect_held(evaluate(law, 1e9, side), last.value);
  }
  EXPECT_EQ(break_times(law), (std::vector{0.5, 4.0}));
}

TEST(HarmonicLaw, IsHeldOutsideItsSpan) { expect_held_outside_span(kHarmonic); }
TEST(PolynomialLaw, IsHeldOutsideItsSpan) { expect_held_outside_span(kPolynomial); }

TEST(PolynomialLaw, NeverEndsWithoutAnEnd) {
  const PolynomialLaw law{.coefficients = {0, 2}};
  EXPECT_EQ(evaluate(law, 1e6, Side::after).value, 2e6);
  EXPECT_EQ(break_times(law), std::vector{0.0});
}

// ---- sums

TEST(SumLaw, AddsValuesAndDerivatives) {
  const SumLaw sum{{kLinear, kHarmonic, kPolynomial, ConstantLaw{2}}};
  for (const Side side : kSides) {
    for (const double t : {-1.0, 0.25, 0.5, 1.2, 1.75, 3.0, 4.0, 8.0}) {
      const LawValue a = evaluate(kLinear, t, side);
      const LawValue b = evaluate(kHarmonic, t, side);
      const LawValue c = evaluate(kPolynomial, t, side);
      const LawValue law = evaluate(sum, t, side);
      EXPECT_NEAR(law.value, a.value + b.value + c.value + 2, 1e-14) << t;
      EXPECT_NEAR(law.rate, a.rate + b.rate + c.rate, 1e-14) << t;
      EXPECT_NEAR(law.acceleration, a.acceleration + b.acceleration + c.acceleration, 1e-14) << t;
    }
  }
}

TEST(SumLaw, BreaksWhereItsTermsDo) {
  EXPECT_EQ(break_times(SumLaw{{kHarmonic, kLinear, kPolynomial}}),
            (std::vector{-0.5, 0.25, 0.5, 1.75, 2.0, 4.0, 6.5}));
}

TEST(SumLaw, MakesALawOfSeveralFormulas) {
  // The angle of the spin-up of an arm (Simo, Vu-Quoc 1986): its rate rises smoothly to 6 rad/s.
  const double pi = std::acos(-1.0);
  const double w = 2 * pi / 15;
  const double a = 0.4 / (w * w);
  const LawSpan first{0, 15};
  const SumLaw spin{{PolynomialLaw{{0, 0, 0.2}, first}, HarmonicLaw{a, w, pi / 2, -a, first},
                     LinearLaw{{15, 20}, {0, 30}}}};
  for (const double t : {0.0, 3.0, 7.5, 14.0, 15.0}) {
    const LawValue law = evaluate(spin, t, Side::before);
    EXPECT_NEAR(law.value, 0.4 * (t * t / 2 + (std::cos(w * t) - 1) / (w * w)), 1e-14);
    if (t == 0) continue;
    EXPECT_NEAR(law.rate, 0.4 * (t - std::sin(w * t) / w), 1e-14);
    EXPECT_NEAR(law.acceleration, 0.4 * (1 - std::cos(w * t)), 1e-14);
  }
  for (const double t : {15.0, 17.0, 19.0}) {
    const LawValue law = evaluate(spin, t, Side::after);
    EXPECT_NEAR(law.value, 6 * t - 45, 2e-14);
    EXPECT_NEAR(law.rate, 6, 1e-14);
  }
}

// ---- what can be asked of any law

TEST(Law, IsConstantOnlyIfItNeverMoves) {
  for (const Law& law :
       {Law(ConstantLaw{3}), Law(LinearLaw{{0, 1}, {2, 2}}), Law(StepsLaw{{0, 1}, {2, 2}}),
        Law(HarmonicLaw{.amplitude = 0, .angular_frequency = 2, .mean = 1}),
        Law(PolynomialLaw{.coefficients = {4}}), Law(PolynomialLaw{.coefficients = {4, 0}}),
        Law(SumLaw{{ConstantLaw{3}, SmoothLaw{{0}, {1}}}})}) {
    EXPECT_TRUE(is_constant(law)) << law.index();
    EXPECT_TRUE(is_continuous(law)) << law.index();
  }
  for (const Law& law : {Law(kLinear), Law(kSmooth), Law(StepsLaw{kTimes, kValues}), Law(kHarmonic),
                         Law(kPolynomial), Law(SumLaw{{ConstantLaw{3}, kSmooth}})}) {
    EXPECT_FALSE(is_constant(law)) << law.index();
  }
}

TEST(Law, IsContinuousWithoutSteps) {
  const StepsLaw steps{kTimes, kValues};
  EXPECT_FALSE(is_continuous(steps));
  EXPECT_FALSE(is_continuous(SumLaw{{kSmooth, steps}}));
  EXPECT_TRUE(is_continuous(SumLaw{{kSmooth, kLinear, kHarmonic, kPolynomial}}));
}

TEST(Law, IsWellFormed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Law& law : {Law(ConstantLaw{3}), Law(kLinear), Law(kSmooth), Law(kHarmonic),
                         Law(kPolynomial), Law(SumLaw{{kLinear, kHarmonic}})}) {
    EXPECT_TRUE(is_well_formed(law)) << law.index();
  }
  for (const Law& law : {Law(ConstantLaw{nan}), Law(LinearLaw{}), Law(LinearLaw{{0, 0}, {1, 2}}),
                         Law(SmoothLaw{{0, 1}, {1}}), Law(StepsLaw{{0, infinity}, {1, 2}}),
                         Law(HarmonicLaw{.amplitude = infinity}), Law(HarmonicLaw{.phase = nan}),
                         Law(HarmonicLaw{.span = {1, 1}}), Law(HarmonicLaw{.span = {-infinity, 1}}),
                         Law(PolynomialLaw{}), Law(PolynomialLaw{.coefficients = {0, nan}}),
                         Law(PolynomialLaw{.coefficients = {1}, .span = {2, nan}}), Law(SumLaw{}),
                         Law(SumLaw{{kLinear, ConstantLaw{nan}}})}) {
    EXPECT_FALSE(is_well_formed(law)) << law.index();
  }
}

// ---- tables

TEST(TableLaw, ReproducesACubicWithItsDerivatives) {
  // Not-a-knot ends: a cubic is its own spline.
  const auto cubic = [](double t) { return 1 + t * (-2 + t * (0.5 + 0.25 * t)); };
  std::vector<double> values;
  for (const double t : kTimes) values.push_back(cubic(t));
  const Law law = make_table_law(kTimes, values);
  test::Random random(5);
  for (int n = 0; n < 200; ++n) {
    const double t = random.uniform(kTimes.front(), kTimes.back());
    const LawValue v = evaluate(law, t, Side::after);
    EXPECT_NEAR(v.value, cubic(t), 1e-12);
    EXPECT_NEAR(v.rate, -2 + t + 0.75 * t * t, 1e-12);
    EXPECT_NEAR(v.acceleration, 1 + 1.5 * t, 1e-12);
  }
}

TEST(TableLaw, IsTwiceContinuouslyDifferentiable) {
  const Law law = make_table_law(kTimes, kValues);
  for (std::size_t i = 0; i < kTimes.size(); ++i) {
    const LawValue before = evaluate(law, kTimes[i], Side::before);
    const LawValue after = evaluate(law, kTimes[i], Side::after);
    EXPECT_NEAR(before.value, kValues[i], 1e-14);
    EXPECT_NEAR(after.value, kValues[i], 1e-14);
    if (i == 0 || i + 1 == kTimes.size()) continue;
    EXPECT_NEAR(before.rate, after.rate, 1e-12);
    EXPECT_NEAR(before.acceleration, after.acceleration, 1e-12);
  }
}

TEST(TableLaw, MeetsASmoothFunctionToFourthOrder) {
  const auto error = [](int intervals) {
    std::vector<double> t, y;
    for (int i = 0; i <= intervals; ++i) {
      t.push_back(2.0 * i / intervals);
      y.push_back(std::sin(t.back()));
    }
    const Law law = make_table_law(t, y);
    double worst = 0;
    for (int i = 0; i <= 1000; ++i) {
      const double at = 2.0 * i / 1000;
      worst = std::max(worst, std::abs(evaluate(law, at, Side::before).value - std::sin(at)));
    }
    return worst;
  };
  EXPECT_GT(std::log2(error(16) / error(32)), 3.7);
}

TEST(TableLaw, IsHeldOutsideAndBreaksWhereItEndsWithASlope) {
  const Law law = make_table_law(kTimes, kValues);
  expect_held(evaluate(law, kTimes.front() - 1, Side::after), kValues.front());
  expect_held(evaluate(law, kTimes.back() + 1, Side::after), kValues.back());
  EXPECT_EQ(break_times(law), (std::vector<double>{kTimes.front(), kTimes.back()}));
  const Law flat = make_table_law({0, 1, 2, 3}, {2, 2, 2, 2});
  EXPECT_TRUE(break_times(flat).empty());
  EXPECT_TRUE(is_constant(flat));
  EXPECT_TRUE(break_times(make_table_law({1}, {2})).empty());
  // Two points are a straight line, three a parabola.
  EXPECT_EQ(evaluate(make_table_law({0, 2}, {1, 5}), 1, Side::after).rate, 2);
  EXPECT_NEAR(evaluate(make_table_law({0, 1, 3}, {0, 1, 9}), 2, Side::after).value, 4, 1e-14);
  EXPECT_FALSE(is_well_formed(TableLaw{{0, 1}, {0, 1}, {0}}));
}

// ---- expressions

Law expression(const char* text) { return std::get<ExpressionLaw>(parse_expression_law(text)); }

TEST(ExpressionLaw, HasExactDerivatives) {
  const Law law = expression("0.1*sin(3*t) + t^3*exp(-t)");
  for (const double t : {0.0, 0.3, 1.7, 40.0}) {
    const LawValue v = evaluate(law, t, Side::after);
    const double e = std::exp(-t);
    EXPECT_NEAR(v.value, 0.1 * std::sin(3 * t) + t * t * t * e, 1e-15);
    EXPECT_NEAR(v.rate, 0.3 * std::cos(3 * t) + (3 * t * t - t * t * t) * e, 2e-15);
    EXPECT_NEAR(v.acceleration, -0.9 * std::sin(3 * t) + (6 * t - 6 * t * t + t * t * t) * e,
                5e-15);
  }
}

TEST(ExpressionLaw, HasASpanAndUnits) {
  ExpressionLaw law = std::get<ExpressionLaw>(parse_expression_law("t^2"));
  law.time_scale = 1000;  // t in ms
  law.span = {0.5, 2};
  Law scaled = law;
  scale(scaled, 1e-3);
  const LawValue v = evaluate(scaled, 1.5, Side::after);
  EXPECT_NEAR(v.value, 1e-3 * 1500 * 1500, 1e-9);
  EXPECT_NEAR(v.rate, 1e-3 * 2 * 1500 * 1000, 1e-6);
  EXPECT_NEAR(v.acceleration, 1e-3 * 2 * 1e6, 1e-6);
  expect_held(evaluate(scaled, 0.2, Side::after), 1e-3 * 500 * 500);
  expect_held(evaluate(scaled, 7, Side::after), 1e-3 * 2000 * 2000);
  EXPECT_EQ(break_times(scaled), (std::vector<double>{0.5, 2}));
}

TEST(ExpressionLaw, TellsWhatIsWrong) {
  const auto problem = [](const char* text) {
    return std::get<FormulaProblem>(parse_expression_law(text));
  };
  EXPECT_EQ(problem("2*x + t").column, 2U);
  EXPECT_NE(problem("2*x + t").what.find("'x'"), std::string::npos);
  EXPECT_EQ(problem("1 + sin(t").column, 4U);
  EXPECT_TRUE(is_constant(expression("2*pi")));
  EXPECT_FALSE(is_constant(expression("t - t")));
  EXPECT_FALSE(is_finite(evaluate(expression("sqrt(1 - t)"), 2, Side::after)));
  EXPECT_FALSE(is_finite(evaluate(expression("1/t"), 0, Side::after)));
}

// ---- units

TEST(AnyLaw, IsScaledAsAWhole) {
  const std::vector<Law> laws{ConstantLaw{2},
                              kLinear,
                              kSmooth,
                              StepsLaw{kTimes, kValues},
                              HarmonicLaw{2, 3, 0.5, 1},
                              PolynomialLaw{{1, -2, 0.5}},
                              make_table_law(kTimes, kValues),
                              expression("1 + sin(t)"),
                              SumLaw{{kLinear, ConstantLaw{1}}}};
  for (const Law& law : laws) {
    Law scaled = law;
    scale(scaled, -2.5);
    for (const double t : {-1.0, 0.1, 1.9, 9.0}) {
      const LawValue a = evaluate(law, t, Side::after);
      const LawValue b = evaluate(scaled, t, Side::after);
      EXPECT_NEAR(b.value, -2.5 * a.value, 1e-13);
      EXPECT_NEAR(b.rate, -2.5 * a.rate, 1e-13);
      EXPECT_NEAR(b.acceleration, -2.5 * a.acceleration, 1e-13);
    }
  }
}

}  // namespace
}  // namespace fem
