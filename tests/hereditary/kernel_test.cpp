#include "libfem/hereditary/kernel.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/hereditary/curves.hpp"

namespace fem {
namespace {

using test::curve_references;
using test::kCurveTimes;
using test::kTimes;

HereditaryLaw law(Kernel kernel, KernelForm form = KernelForm::relaxation) {
  return {.instantaneous = 9, .form = form, .kernel = std::move(kernel)};
}

std::vector<Problem> problems_of(const HereditaryLaw& l) {
  std::vector<Problem> problems;
  check_admissible(l, "/k", problems);
  return problems;
}

TEST(Kernel, IntegralAgreesWithTheReference) {
  for (const auto& r : curve_references()) {
    for (std::size_t i = 0; i < kTimes; ++i) {
      EXPECT_NEAR(kernel_integral(r.law, kCurveTimes[i]), r.integral[i], 2e-14 * r.integral[5])
          << r.name << " at " << kCurveTimes[i];
      EXPECT_NEAR(kernel_mass(r.law), r.integral[i] + r.rest[i], 1e-13) << r.name;
    }
  }
}

// Simpson's rule over log t, where the kernel is smooth.
TEST(Kernel, ValueIsTheDerivativeOfTheIntegral) {
  for (const auto& r : curve_references()) {
    constexpr int parts = 400;
    double sum = 0;
    for (int i = 0; i <= parts; ++i) {
      const double t = 0.1 * std::pow(10.0, static_cast<double>(i) / parts);
      const double weight = i == 0 || i == parts ? 1 : (i % 2 == 1 ? 4 : 2);
      sum += weight * t * kernel_value(r.law, t);
    }
    sum *= std::log(10.0) / parts / 3;
    EXPECT_NEAR(sum, r.integral[3] - r.integral[2], 1e-11) << r.name;
  }
}

// ∫₀^∞ e^{−st} k(t) dt by parts: s ∫ e^{−st} I(t) dt, over log t.
TEST(Kernel, LaplaceTransformAgreesWithQuadrature) {
  for (const auto& r : curve_references()) {
    for (const double s : {0.3, 2.0, 17.0}) {
      constexpr double h = 0.05;
      double sum = 0;
      for (double x = -80; x < 4; x += h) {
        const double t = std::exp(x) / s;
        sum += h * s * t * std::exp(-s * t) * kernel_integral(r.law, t);
      }
      EXPECT_NEAR(kernel_laplace(r.law, s), sum, 1e-12 * sum) << r.name << " s = " << s;
    }
  }
}

TEST(Kernel, ValuesInClosedForm) {
  // Goroshko (7)-(9).
  EXPECT_NEAR(kernel_value(law(RzhanitsynKernel{0.25, 0.5, 0.8}), 2.0),
              0.25 * std::exp(-1.6) / std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(kernel_value(law(KoltunovKernel{0.3, 0.6, 0.9, 0.7}), 2.0),
              0.3 * std::pow(2.0, -0.4) * std::exp(-0.9 * std::pow(2.0, 0.7)), 1e-15);
  EXPECT_NEAR(kernel_value(law(SlonimskyKernel{0.3, 0.5, 1.0}), 2.0),
              0.3 / std::sqrt(2.0) * std::exp(-std::sqrt(2.0)), 1e-15);
  EXPECT_NEAR(kernel_value(law(PronyKernel{{{2, 0.5}, {3, 4.0}}}), 1.0),
              2 * std::exp(-2.0) + 3 * std::exp(-0.25), 1e-15);
  // α = 1/2: t^{−1/2} E_{1/2,1/2}(−√t) = 1/√(πt) − e^t erfc √t.
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(kernel_value(law(RabotnovKernel{1, 0.5, 1}), 2.0),
              1 / std::sqrt(2 * pi) - std::exp(2.0) * std::erfc(std::sqrt(2.0)), 1e-14);
}

// Exponents at the end of their range make plain exponentials of all of them.
TEST(Kernel, LimitsAreExponentials) {
  const double t = 0.7;
  const double plain = 0.4 * std::exp(-0.9 * t);
  EXPECT_NEAR(kernel_value(law(RzhanitsynKernel{0.4, 0, 0.9}), t), plain, 1e-15);
  EXPECT_NEAR(kernel_value(law(RabotnovKernel{0.4, 0, 0.9}), t), plain, 1e-15);
  EXPECT_NEAR(kernel_value(law(KoltunovKernel{0.4, 1, 0.9, 1}), t), plain, 1e-15);
  EXPECT_NEAR(kernel_value(law(SlonimskyKernel{0.4, 0, 0.9}), t), plain, 1e-15);
}

TEST(Kernel, TheReferenceLawsAreAdmissible) {
  for (const auto& r : curve_references()) EXPECT_TRUE(problems_of(r.law).empty()) << r.name;
  // Limits: an elastic spring, a Maxwell fluid, a kernel that takes away all of the force.
  EXPECT_TRUE(problems_of(law(StandardKernel{9, 0.5})).empty());
  EXPECT_TRUE(problems_of(law(StandardKernel{0, 0.5})).empty());
  EXPECT_TRUE(problems_of(law(PronyKernel{{{2, 0.5}}})).empty());
  EXPECT_TRUE(problems_of(law(RabotnovKernel{0.9, 0.4, 0.9})).empty());
  EXPECT_TRUE(problems_of(law(RzhanitsynKernel{0.25, 0.5, 0}, KernelForm::retardation)).empty());
}

TEST(Kernel, RefusesWhatIsNotPassive) {
  const double infinite = std::numeric_limits<double>::infinity();
  const struct {
    Kernel kernel;
    const char* pointer;
    const char* remedy;
  } wrong[] = {
      {StandardKernel{9.1, 0.5}, "/k/prolonged", "gives out energy"},
      {StandardKernel{-1, 0.5}, "/k/prolonged", "unstable"},
      {StandardKernel{4, 0}, "/k/time", "grows by itself"},
      {StandardKernel{4, -1}, "/k/time", "grows by itself"},
      {StandardKernel{4, infinite}, "/k/time", "finite"},
      {PronyKernel{}, "/k/terms", "at least one"},
      {PronyKernel{{{1, 0.2}, {-1, 0.5}}}, "/k/terms/1/0", "positive"},
      {PronyKernel{{{1, 0}}}, "/k/terms/0/1", "positive"},
      {PronyKernel{{{1, 0.6}, {1, 0.5}}}, "/k", "at most 1"},
      {RzhanitsynKernel{0, 0.5, 0.8}, "/k/A", "positive"},
      {RzhanitsynKernel{0.25, 1, 0.8}, "/k/alpha", "cannot be integrated"},
      {RzhanitsynKernel{0.25, -0.1, 0.8}, "/k/alpha", "fading"},
      {RzhanitsynKernel{0.25, 0.5, -0.8}, "/k/b", "zero or a positive"},
      {RzhanitsynKernel{0.25, 0.5, 0}, "/k", "retardation"},
      {RzhanitsynKernel{0.6, 0.5, 0.8}, "/k", "more than the whole force"},
      {RabotnovKernel{1, 0.4, 0.9}, "/k", "more than the whole force"},
      {RabotnovKernel{0.5, 0.4, 0}, "/k", "retardation"},
      {KoltunovKernel{0.3, 1.1, 0.9, 0.7}, "/k/beta", "fade"},
      {KoltunovKernel{0.3, 0, 0.9, 0.7}, "/k/beta", "fade"},
      {KoltunovKernel{0.3, 0.6, 0.9, 1.5}, "/k/alpha", "fade"},
      {KoltunovKernel{0.3, 0.6, 0, 0.7}, "/k/p", "positive"},
      {SlonimskyKernel{0.6, 0.5, 1}, "/k", "more than the whole force"},
      {SlonimskyKernel{0.3, 1, 1}, "/k/alpha", "cannot be integrated"},
      {SlonimskyKernel{std::nan(""), 0.5, 1}, "/k/a", "positive"},
  };
  for (const auto& w : wrong) {
    const auto problems = problems_of(law(w.kernel));
    ASSERT_EQ(problems.size(), 1U) << w.pointer << " " << w.remedy;
    EXPECT_EQ(problems[0].pointer, w.pointer);
    EXPECT_NE(problems[0].remedy.find(w.remedy), std::string::npos) << problems[0].remedy;
  }
}

// A creep kernel may be as large as it likes.
TEST(Kernel, CreepHasNoLimit) {
  EXPECT_TRUE(problems_of(law(SlonimskyKernel{6, 0.5, 1}, KernelForm::retardation)).empty());
  EXPECT_NEAR(relaxed_part(law(SlonimskyKernel{6, 0.5, 1}, KernelForm::retardation)), 1 / 13.0,
              1e-14);
}

TEST(Kernel, RelaxedPart) {
  for (const auto& r : curve_references()) {
    const double mass = r.integral[0] + r.rest[0];
    const double part = r.law.form == KernelForm::relaxation ? 1 - mass : 1 / (1 + mass);
    EXPECT_NEAR(relaxed_part(r.law), part, 1e-13) << r.name;
  }
  EXPECT_EQ(relaxed_part(law(RzhanitsynKernel{0.25, 0.5, 0}, KernelForm::retardation)), 0.0);
}

}  // namespace
}  // namespace fem
