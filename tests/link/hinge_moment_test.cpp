#include "libfem/link/hinge_moment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/quadrature.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

// A deployment spring: pushes at the folded angle, latches near 1.5 rad.
const std::vector<std::array<double, 2>> kTable = {{-1.5, 4.0}, {-0.5, 3.0}, {0.5, 2.5},
                                                   {1.2, 1.5},  {1.5, 0.0},  {1.6, -6.0}};

const HingeSpring kSpring{.stiffness = 3, .neutral = 0.4, .preload = 1.5};
const HingeFriction kFriction{
    .coulomb = 0.5, .static_moment = 0.8, .stribeck_rate = 0.3, .regularization = 0.02};
const HingeStop kStop{.lower = -1.0, .upper = 0.9, .stiffness = 400, .viscosity = 90};

struct Named {
  std::string name;
  HingeParts parts;
};

std::vector<Named> all_laws() {
  return {{"spring", {.spring = kSpring}},
          {"table", {.spring = HingeSpring{.table = kTable}}},
          {"damper", {.viscosity = 0.7}},
          {"friction", {.friction = kFriction}},
          {"stop", {.stop = kStop}},
          {"all", {.spring = kSpring, .viscosity = 0.7, .friction = kFriction, .stop = kStop}},
          {"all with table",
           {.spring = HingeSpring{.table = kTable},
            .viscosity = 0.7,
            .friction = kFriction,
            .stop = kStop}}};
}

// Where a second derivative or a stiffness jumps: points of the table, limits of the stop, and the
// rate at which a stop lets go.
bool near_kink(const HingeLaw& law, double angle, double rate, double h) {
  const auto near = [&](double x) { return std::abs(angle - x) < h; };
  if (near(law.lower) || near(law.upper)) return true;
  if (law.table) {
    const auto abscissae = law.table->abscissae();
    if (std::any_of(abscissae.begin(), abscissae.end(), near)) return true;
  }
  return law.stop_viscosity > 0 &&
         std::abs(std::abs(rate) - law.stop_stiffness / law.stop_viscosity) < h;
}

TEST(Hinge, StiffnessAndDampingAreTheDerivativesOfTheMoment) {
  const double h = 1e-6;
  test::Random random(601);
  for (const Named& named : all_laws()) {
    const HingeLaw law = make_hinge_law(named.parts);
    for (int n = 0; n < 2000; ++n) {
      const double angle = random.uniform(-2, 2);
      const double rate =
          n % 2 == 0 ? random.uniform(-8, 8) : random.log_uniform(1e-4, 1) * (n % 4 == 1 ? 1 : -1);
      if (near_kink(law, angle, rate, 2 * h)) continue;
      const HingeMoment m = hinge_moment(law, angle, rate);
      const double by_angle =
          hinge_moment(law, angle + h, rate).moment - hinge_moment(law, angle - h, rate).moment;
      const double by_rate =
          hinge_moment(law, angle, rate + h).moment - hinge_moment(law, angle, rate - h).moment;
      // 1e-16/h of moments up to 1000, h²/6 of third derivatives up to M/ω₀³ = 1e5.
      EXPECT_NEAR(by_angle / (2 * h), m.stiffness, 3e-7) << named.name << angle << " " << rate;
      EXPECT_NEAR(by_rate / (2 * h), m.damping, 3e-7) << named.name << angle << " " << rate;
    }
  }
}

TEST(Hinge, PotentialIsTheIntegralOfTheElasticMoment) {
  // Between kinks the moment at rest is a cubic at most: Gauss with three points is exact.
  for (const Named& named : all_laws()) {
    const HingeLaw law = make_hinge_law(named.parts);
    std::vector<double> joints = {-2, -1, 0.9, 2};
    for (const auto& point : kTable) joints.push_back(point[0]);
    std::sort(joints.begin(), joints.end());
    for (std::size_t i = 0; i + 1 < joints.size(); ++i) {
      const double width = joints[i + 1] - joints[i];
      double work = 0;
      for (const auto& [s, weight] : test::gauss_points(3)) {
        work += width * weight * hinge_moment(law, joints[i] + s * width, 0).moment;
      }
      const double stored =
          hinge_moment(law, joints[i + 1], 0).potential - hinge_moment(law, joints[i], 0).potential;
      EXPECT_NEAR(stored, work, 1e-12 * (1 + std::abs(work))) << named.name << i;
    }
  }
}

TEST(Hinge, PowerIsStoredOrDissipated) {
  // m ω = V̇ + P with V̇ = (moment at rest) ω, and P never negative.
  test::Random random(602);
  for (const Named& named : all_laws()) {
    const HingeLaw law = make_hinge_law(named.parts);
    for (int n = 0; n < 5000; ++n) {
      const double angle = random.uniform(-2, 2);
      const double rate = random.log_uniform(1e-6, 20) * (n % 2 == 0 ? 1 : -1);
      const HingeMoment m = hinge_moment(law, angle, rate);
      const double stored = hinge_moment(law, angle, 0).moment * rate;
      const double size = std::abs(stored) + m.dissipated;
      EXPECT_GE(m.dissipated, 0) << named.name;
      EXPECT_NEAR(m.moment * rate, stored + m.dissipated, 1e-14 * size) << named.name;
      EXPECT_EQ(m.potential, hinge_moment(law, angle, 0).potential);
    }
  }
}

TEST(Hinge, LinearSpring) {
  const HingeLaw law = make_hinge_law({.spring = kSpring});
  const HingeMoment neutral = hinge_moment(law, 0.4, 0);
  EXPECT_EQ(neutral.moment, -1.5);  // on the second member: +1.5, it opens
  EXPECT_EQ(neutral.potential, 0);
  const HingeMoment m = hinge_moment(law, 2.4, 5);
  EXPECT_NEAR(m.moment, 3 * 2 - 1.5, 1e-14);
  EXPECT_NEAR(m.potential, 0.5 * 3 * 4 - 1.5 * 2, 1e-14);
  EXPECT_EQ(m.stiffness, 3);
  EXPECT_EQ(m.damping, 0);
  EXPECT_EQ(m.dissipated, 0);
}

TEST(Hinge, TableIsTheMomentOnTheSecondMember) {
  const HingeLaw law = make_hinge_law({.spring = HingeSpring{.table = kTable}});
  for (const auto& [angle, moment] : kTable) {
    EXPECT_NEAR(hinge_moment(law, angle, 3).moment, -moment, 1e-15);
  }
  EXPECT_EQ(hinge_moment(law, -1.5, 0).potential, 0);
  // Falls all the way, and never beyond its points.
  double before = -kTable[0][1];
  for (int i = 1; i <= 1000; ++i) {
    const HingeMoment m = hinge_moment(law, -1.5 + 3.1 * i / 1000, 0);
    EXPECT_GE(m.moment, before);
    EXPECT_LE(m.moment, 6 + 1e-14);
    EXPECT_GE(m.stiffness, 0);
    before = m.moment;
  }
}

TEST(Hinge, TwoPointTableIsTheLinearSpring) {
  // S = 1.5 − 3(φ − 0.4) through two of its points, also beyond them.
  const HingeLaw linear = make_hinge_law({.spring = kSpring});
  const HingeLaw table =
      make_hinge_law({.spring = HingeSpring{.table = {{0.4, 1.5}, {1.4, -1.5}}}});
  for (const double angle : {-3.0, 0.4, 0.9, 1.4, 5.0}) {
    const HingeMoment a = hinge_moment(linear, angle, 0);
    const HingeMoment b = hinge_moment(table, angle, 0);
    EXPECT_NEAR(a.moment, b.moment, 1e-14);
    EXPECT_NEAR(a.potential, b.potential, 1e-13);  // both zero at 0.4
    EXPECT_NEAR(a.stiffness, b.stiffness, 1e-14);
  }
}

TEST(Hinge, IsContinuousAtTableEndsAndStops) {
  for (const Named& named : all_laws()) {
    const HingeLaw law = make_hinge_law(named.parts);
    for (const double angle : {-1.5, -1.0, 0.9, 1.6}) {
      for (const double rate : {-20.0, -1.0, 0.0, 1.0, 20.0}) {
        const HingeMoment below = hinge_moment(law, std::nextafter(angle, -9), rate);
        const HingeMoment at = hinge_moment(law, angle, rate);
        const HingeMoment above = hinge_moment(law, std::nextafter(angle, 9), rate);
        for (const HingeMoment& m : {below, above}) {
          EXPECT_NEAR(m.moment, at.moment, 1e-12) << named.name;
          EXPECT_NEAR(m.potential, at.potential, 1e-13) << named.name;
          EXPECT_NEAR(m.dissipated, at.dissipated, 1e-11) << named.name;
        }
      }
    }
  }
}

TEST(HingeFriction, FollowsStribecksCurve) {
  const HingeLaw law = make_hinge_law({.friction = kFriction});
  EXPECT_EQ(hinge_moment(law, 0, 0).moment, 0);
  EXPECT_NEAR(hinge_moment(law, 0, 10).moment, 0.5, 1e-15);  // Coulomb's
  const double expected = (0.5 + 0.3 * std::exp(-0.25)) * std::tanh(7.5);
  EXPECT_NEAR(hinge_moment(law, 0, 0.15).moment, expected, 1e-15);
  double most = 0;
  for (int i = 0; i < 10000; ++i) most = std::max(most, hinge_moment(law, 0, i * 1e-4).moment);
  EXPECT_LE(most, 0.8);
  EXPECT_GT(most, 0.78);                            // the peak, less what ω₀ blunts
  EXPECT_LT(hinge_moment(law, 0, 0.2).damping, 0);  // the falling branch
  EXPECT_NEAR(hinge_moment(law, 0, 0).damping, 0.8 / 0.02, 1e-12);
  for (const double rate : {1e-3, 0.1, 4.0}) {
    EXPECT_EQ(hinge_moment(law, 0, -rate).moment, -hinge_moment(law, 0, rate).moment);
    EXPECT_EQ(hinge_moment(law, 0, -rate).damping, hinge_moment(law, 0, rate).damping);
  }
  // Very fast: no 0 · ∞.
  EXPECT_EQ(hinge_moment(law, 0, 1e200).moment, 0.5);
  EXPECT_EQ(hinge_moment(law, 0, 1e200).damping, 0);
}

TEST(HingeFriction, WithoutStaticMomentIsCoulombs) {
  HingeFriction friction = kFriction;
  friction.static_moment = 0;
  const HingeLaw law = make_hinge_law({.friction = friction});
  for (const double rate : {0.01, 0.1, 0.3, 2.0}) {
    EXPECT_EQ(hinge_moment(law, 0, rate).moment, 0.5 * std::tanh(rate * (1 / 0.02)));
  }
}

TEST(HingeStop, ActsBeyondTheLimitsOnlyAndNeverPulls) {
  const HingeLaw law = make_hinge_law({.stop = kStop});
  for (const double rate : {-50.0, -1.0, 0.0, 1.0, 50.0}) {
    for (const double angle : {-1.0, -0.3, 0.9}) {
      const HingeMoment m = hinge_moment(law, angle, rate);
      EXPECT_EQ(m.moment, 0);
      EXPECT_EQ(m.potential, 0);
      EXPECT_EQ(m.stiffness, 0);
      EXPECT_EQ(m.dissipated, 0);
    }
    for (const double p : {1e-6, 0.01, 0.5}) {
      const HingeMoment upper = hinge_moment(law, 0.9 + p, rate);
      const HingeMoment lower = hinge_moment(law, -1.0 - p, -rate);
      EXPECT_GE(upper.moment, 0);  // drives the angle back
      EXPECT_NEAR(upper.moment, std::max(0.0, p * (400 + 90 * rate)), 1e-10);
      EXPECT_NEAR(upper.potential, 0.5 * 400 * p * p, 1e-10);
      EXPECT_NEAR(lower.moment, -upper.moment, 1e-10);  // a mirror image
      EXPECT_NEAR(lower.potential, upper.potential, 1e-10);
      EXPECT_NEAR(lower.stiffness, upper.stiffness, 1e-10);
      EXPECT_NEAR(lower.damping, upper.damping, 1e-10);
      EXPECT_NEAR(lower.dissipated, upper.dissipated, 1e-9);
      if (rate == -50) {  // faster than k/c = 4.4 rad/s
        EXPECT_EQ(upper.moment, 0);
        EXPECT_EQ(upper.damping, 0);
        EXPECT_NEAR(upper.dissipated, 400 * p * 50, 1e-9);
      }
    }
  }
}

TEST(HingeStop, OneLimitMayBeAbsent) {
  const HingeLaw law = make_hinge_law({.stop = HingeStop{.upper = 0.0, .stiffness = 5}});
  EXPECT_EQ(hinge_moment(law, -1e9, 0).moment, 0);
  EXPECT_EQ(hinge_moment(law, 2, 0).moment, 10);
}

TEST(HingeLatch, ThatGivesIsASpringAndADamperAboutItsAngle) {
  HingeLaw law = make_hinge_law({.spring = kSpring, .viscosity = 0.5});
  const HingeMoment before = hinge_moment(law, 1.25, 2);
  law.latch_stiffness = 40;
  law.latch_viscosity = 3;
  law.latch_angle = 1;
  const HingeMoment m = hinge_moment(law, 1.25, 2);
  EXPECT_NEAR(m.moment - before.moment, 40 * 0.25 + 3 * 2, 1e-13);
  EXPECT_NEAR(m.potential - before.potential, 0.5 * 40 * 0.0625, 1e-13);
  EXPECT_NEAR(m.stiffness - before.stiffness, 40, 1e-13);
  EXPECT_NEAR(m.damping - before.damping, 3, 1e-13);
  EXPECT_NEAR(m.dissipated - before.dissipated, 3 * 4, 1e-13);
  EXPECT_EQ(hinge_moment(law, 1, 0).potential,
            hinge_moment(make_hinge_law({.spring = kSpring}), 1, 0).potential);
}

TEST(Hinge, WithoutPartsDoesNothing) {
  const HingeMoment m = hinge_moment(make_hinge_law({}), 3, -7);
  EXPECT_EQ(m.moment, 0);
  EXPECT_EQ(m.potential, 0);
  EXPECT_EQ(m.stiffness, 0);
  EXPECT_EQ(m.damping, 0);
  EXPECT_EQ(m.dissipated, 0);
}

// A wheel J φ̈ = −m with what it has dissipated, by the classical Runge-Kutta method.
struct Wheel {
  HingeLaw law;
  double inertia = 0.5;
  double angle = 0, rate = 0, dissipated = 0;

  [[nodiscard]] double energy() const {
    return 0.5 * inertia * rate * rate + hinge_moment(law, angle, rate).potential;
  }
  void step(double h) {
    using Rates = std::array<double, 3>;
    const auto rates = [&](const Rates& k, double part) -> Rates {
      const double w = rate + part * k[1];
      const HingeMoment m = hinge_moment(law, angle + part * k[0], w);
      return {w, -m.moment / inertia, m.dissipated};
    };
    const Rates k1 = rates({}, 0);
    const Rates k2 = rates(k1, h / 2);
    const Rates k3 = rates(k2, h / 2);
    const Rates k4 = rates(k3, h);
    angle += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]);
    rate += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]);
    dissipated += h / 6 * (k1[2] + 2 * k2[2] + 2 * k3[2] + k4[2]);
  }
};

// J, over 10 s: a step h over the limit of a stop is wrong by a tenth of k ω² h² at most, one way
// or the other; k = 400 N m/rad, ω = 4 rad/s. Of 2 to 6 J.
constexpr double kKinkError = 3e-5;

TEST(Hinge, FreeOscillationKeepsItsEnergy) {
  HingeStop elastic = kStop;
  elastic.viscosity = 0;
  const std::vector<Named> laws = {
      {"spring", {.spring = kSpring}},
      {"table", {.spring = HingeSpring{.table = kTable}}},
      {"stop", {.stop = elastic}},
      {"table and stop", {.spring = HingeSpring{.table = kTable}, .stop = elastic}}};
  for (const Named& named : laws) {
    Wheel wheel{.law = make_hinge_law(named.parts), .angle = -0.5, .rate = 2};
    const double start = wheel.energy();
    for (int n = 0; n < 50000; ++n) {
      wheel.step(2e-4);
      ASSERT_NEAR(wheel.energy(), start, kKinkError) << named.name << n;
    }
    EXPECT_EQ(wheel.dissipated, 0) << named.name;
  }
}

TEST(Hinge, FreeOscillationLosesWhatIsDissipated) {
  const std::vector<Named> laws = {{"damper", {.spring = kSpring, .viscosity = 0.2}},
                                   {"friction", {.spring = kSpring, .friction = kFriction}},
                                   {"stop", {.stop = kStop}},
                                   {"all",
                                    {.spring = HingeSpring{.table = kTable},
                                     .viscosity = 0.1,
                                     .friction = kFriction,
                                     .stop = kStop}}};
  for (const Named& named : laws) {
    Wheel wheel{.law = make_hinge_law(named.parts), .angle = -0.5, .rate = 2};
    const double start = wheel.energy();
    double before = start;
    for (int n = 0; n < 50000; ++n) {
      wheel.step(2e-4);
      const double now = wheel.energy();
      ASSERT_LE(now, before + 1e-6) << named.name << n;
      ASSERT_NEAR(now + wheel.dissipated, start, kKinkError) << named.name << n;
      before = now;
    }
    EXPECT_GT(wheel.dissipated, 0.2) << named.name;
  }
}

TEST(HingeStop, RestitutionIsThatOfTheIntegratedImpact) {
  // ω dω/dp J = −k p (1 + a ω), a = c/k, gives ω/a − ln(1 + aω)/a² = const − k p²/(2J): the rates
  // before and after have the same left side. Neither J nor k enters, only aω.
  HingeStop stop = kStop;
  for (const double a : {0.01, 0.1, 0.5}) {
    stop.viscosity = a * stop.stiffness;
    const auto left = [&](double rate) { return rate / a - std::log1p(a * rate) / (a * a); };
    for (const double inertia : {0.05, 0.5}) {
      Wheel wheel{
          .law = make_hinge_law({.stop = stop}), .inertia = inertia, .angle = 0.9, .rate = 3};
      do wheel.step(1e-5);
      while (wheel.angle > 0.9);
      EXPECT_LT(wheel.rate, 0);
      EXPECT_NEAR(left(wheel.rate), left(3), 2e-5 * left(3));
      // For light damping the restitution is 1 − ⅔ a ω.
      if (a == 0.01) {
        EXPECT_NEAR(-wheel.rate / 3, 1 - 2.0 / 3 * a * 3, 1e-3);
      }
    }
  }
}

TEST(Hinge, DemandsSoundNumbers) {
  const auto broken = [](const HingeParts& parts) {
    EXPECT_THROW((void)make_hinge_law(parts), std::logic_error);
  };
  broken({.viscosity = -1});
  broken({.spring = HingeSpring{.stiffness = NAN}});
  broken({.spring = HingeSpring{.table = {{1, 0}, {1, 2}}}});
  broken({.friction = HingeFriction{.coulomb = -1}});
  broken({.friction = HingeFriction{.coulomb = 1, .static_moment = 0.5}});
  broken({.friction = HingeFriction{.coulomb = 1, .stribeck_rate = 0}});
  broken({.friction = HingeFriction{.coulomb = 1, .regularization = 0}});
  broken({.stop = HingeStop{.lower = 1, .upper = 0, .stiffness = 1}});
  broken({.stop = HingeStop{.upper = 0, .stiffness = -1}});
  broken({.stop = HingeStop{.upper = 0, .stiffness = 1, .viscosity = -1}});
}

}  // namespace
}  // namespace fem
