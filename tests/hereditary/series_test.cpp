// Sums of exponentials, their resolvents, and the series that is integrated.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/hereditary/relaxation_series.hpp"
#include "libfem/hereditary/resolvent.hpp"
#include "tests/hereditary/curves.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

using test::curve_references;
using test::kCurveTimes;
using test::kTimes;

constexpr double kY0 = 0.1;

double transform(const std::vector<Exponential>& terms, double s) {
  double sum = 0;
  for (const auto& [weight, rate] : terms) sum += weight / (rate + s);
  return sum;
}

TEST(Resolvent, InvertsTheTransform) {
  test::Random random(91);
  for (int n = 0; n < 50; ++n) {
    std::vector<Exponential> creep;
    double rate = n % 5 == 0 ? 0.0 : std::pow(10.0, random.uniform(-6, 0));
    const int terms = 1 + n % 40;
    for (int j = 0; j < terms; ++j) {
      creep.push_back({std::pow(10.0, random.uniform(-3, 2)), rate});
      rate = (rate + 1e-6) * std::pow(10.0, random.uniform(0.01, 0.6));
    }
    const auto relaxation = calc_resolvent(creep);
    ASSERT_EQ(relaxation.size(), creep.size());
    for (std::size_t j = 0; j < creep.size(); ++j) {
      EXPECT_GT(relaxation[j].rate, creep[j].rate);
      if (j > 0) {
        EXPECT_GT(creep[j].rate, relaxation[j - 1].rate);
      }
      EXPECT_GT(relaxation[j].weight, 0);
    }
    for (const double s : {1e-4, 0.3, 50.0}) {
      // 1 − R̂ is rounded like 1, and 1 + K̂ may be large.
      const double inverse = 1 + transform(creep, s);
      EXPECT_NEAR((1 - transform(relaxation, s)) * inverse, 1, 1e-14 * inverse);
    }
  }
}

// Hedrih (3), (5): the kernels of the standard body.
TEST(Resolvent, OfTheStandardBody) {
  const double c = 9, prolonged = 4, n = 0.5;
  const auto r = calc_resolvent({{(c - prolonged) / (n * c), prolonged / (n * c)}});
  ASSERT_EQ(r.size(), 1U);
  EXPECT_NEAR(r[0].weight, (c - prolonged) / (n * c), 1e-15);
  EXPECT_NEAR(r[0].rate, 1 / n, 1e-15);
}

TEST(RelaxationSeries, StandardBodyIsExact) {
  for (const KernelForm form : {KernelForm::relaxation, KernelForm::retardation}) {
    const auto s = make_relaxation_series({9, form, StandardKernel{4, 0.5}}, {0.01, 20});
    ASSERT_EQ(s.size(), 1U);
    EXPECT_NEAR(s.relaxed, 4, 1e-14);
    EXPECT_NEAR(s.stiffness[0], 5, 1e-14);
    EXPECT_NEAR(s.time[0], 0.5, 1e-14);
    EXPECT_EQ(s.error, 0);
  }
}

TEST(RelaxationSeries, AnElasticSpringHasNoBranches) {
  const auto s =
      make_relaxation_series({9, KernelForm::relaxation, StandardKernel{9, 0.5}}, {1, 2});
  EXPECT_EQ(s.size(), 0U);
  EXPECT_EQ(s.relaxed, 9);
}

// G(t) against relaxation curves of the reference, to the reported error. A stretched exponential
// needs the most branches (README.md).
TEST(RelaxationSeries, RelaxesLikeTheReference) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    for (auto r : curve_references()) {
      r.law.tolerance = tolerance;
      const auto s = make_relaxation_series(r.law, {0.01, 20});
      EXPECT_LE(s.error, tolerance) << r.name;
      EXPECT_LE(s.size(), tolerance > 1e-9 ? 80U : 110U) << r.name;
      EXPECT_NEAR(s.instantaneous(), r.law.instantaneous, 1e-12) << r.name;
      EXPECT_TRUE(
          std::all_of(s.stiffness.begin(), s.stiffness.end(), [](double c) { return c > 0; }));
      for (std::size_t i = 0; i < kTimes; ++i) {
        if (kCurveTimes[i] < s.resolution) continue;
        EXPECT_NEAR(s.relaxation(kCurveTimes[i]) * kY0, r.relaxation[i],
                    2 * tolerance * r.law.instantaneous * kY0)
            << r.name << " at " << kCurveTimes[i] << ", " << s.size() << " branches";
      }
    }
  }
}

// ∫₀^∞ and the first moment of what is faster than the resolution are right: the integral of G over
// times that do not resolve it.
TEST(RelaxationSeries, FastPartHasItsMassAndMoment) {
  for (const auto& r : curve_references()) {
    if (r.law.form == KernelForm::retardation) continue;
    const auto s = make_relaxation_series(r.law, {1.0, 1000});  // d is about 1e-3 s
    // ∫₀¹ (c − G) dt = c ∫₀¹ (1−u) R du.
    double series = 0;
    for (std::size_t j = 0; j < s.size(); ++j) {
      series += s.stiffness[j] * (1 + s.time[j] * std::expm1(-1 / s.time[j]));
    }
    constexpr double h = 0.02;
    double exact = 0;  // ∫₀¹ of ∫₀ᵗR by u = e^x
    for (double x = -60; x < 0; x += h) {
      // Simpson over [x, x+h]
      const auto f = [&](double u) { return std::exp(u) * kernel_integral(r.law, std::exp(u)); };
      exact += h / 6 * (f(x) + 4 * f(x + h / 2) + f(x + h));
    }
    EXPECT_NEAR(series / r.law.instantaneous, exact, 3e-8) << r.name;
  }
}

// Rules for the number of terms: README.md.
TEST(RelaxationSeries, NumberOfBranchesGrowsWithTheLogarithmOfTheSpan) {
  const HereditaryLaw law{9, KernelForm::relaxation, RzhanitsynKernel{0.25, 0.5, 0.8}};
  const auto count = [&](double horizon) {
    return make_relaxation_series(law, {0.01, horizon}).size();
  };
  EXPECT_LE(count(1e5), count(1e3) + 14);
  EXPECT_LE(count(20), 60U);
}

// Creep without end: t^{−α} as a creep kernel relaxes to nothing, as a tempered Rabotnov kernel:
// G/c = E_ν(−q t^ν) for b = 0, ν = 1/2: e^{q²t} erfc(q √t), q = A Γ(ν).
TEST(RelaxationSeries, UnboundedCreepRelaxesToNothing) {
  const HereditaryLaw law{9, KernelForm::retardation, RzhanitsynKernel{0.25, 0.5, 0}};
  const auto s = make_relaxation_series(law, {0.01, 20});
  EXPECT_EQ(s.relaxed, 0);
  const double q = 0.25 * std::tgamma(0.5);
  for (const double t : {0.001, 0.01, 0.1, 1.0, 5.0, 20.0}) {
    EXPECT_NEAR(s.relaxation(t) / 9, std::exp(q * q * t) * std::erfc(q * std::sqrt(t)), 2e-8)
        << t << ", " << s.size() << " branches";
  }
}

}  // namespace
}  // namespace fem
