// The kernels in lanes: every lane has the bits of the scalar code, whatever the other lanes hold.
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/math/lane.hpp"
#include "libfem/rod/rod_element.hpp"
#include "tests/rod/samples.hpp"
#include "tests/support/compare.hpp"

namespace fem {
namespace {

using test::constants;
using test::ElementSample;
using test::random_samples;
using test::same_bits;

// Four elements of the samples from `first` on; fields of inertia mixed in turn.
struct Four {
  std::array<RodConstants<double>, kLanes> constants;
  std::array<Vector6<double>, kLanes> q, v;
  RodConstants<Lane> lane_constants;
  Vector6<Lane> lane_q, lane_v;
};

Four gather(const std::vector<ElementSample>& samples, std::size_t first) {
  Four four;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const ElementSample& s = samples[first + i];
    four.constants[i] = constants(s, (first / kLanes + i) % 3 == 0);
    four.q[i] = s.q;
    four.v[i] = s.v;
    for (int k = 0; k < 6; ++k) {
      four.lane_q(k)[i] = s.q(k);
      four.lane_v(k)[i] = s.v(k);
    }
  }
  four.lane_constants = test::make_constants<Lane>([&](std::size_t number) {
    Lane lane;
    for (std::size_t i = 0; i < kLanes; ++i) lane[i] = test::numbers_of(four.constants[i])[number];
    return lane;
  });
  return four;
}

template <class Check>
void for_all_fours(std::uint64_t seed, Check check) {
  const std::vector<ElementSample> samples = random_samples(400, seed);
  for (std::size_t first = 0; first + kLanes <= samples.size(); first += kLanes) {
    check(gather(samples, first));
  }
}

TEST(RodLanes, CalcMotion) {
  for_all_fours(501, [](const Four& four) {
    const RodInertia<Lane> lanes = calc_motion(four.lane_constants, four.lane_q, four.lane_v);
    for (std::size_t n = 0; n < kLanes; ++n) {
      const RodInertia<double> one = calc_motion(four.constants[n], four.q[n], four.v[n]);
      for (int i = 0; i < 6; ++i) {
        ASSERT_TRUE(same_bits(lanes.force(i)[n], one.force(i)));
        for (int j = 0; j <= i; ++j) {
          ASSERT_TRUE(same_bits(lanes.mass(i, j)[n], one.mass(i, j)));
          ASSERT_TRUE(std::isfinite(one.mass(i, j)));
        }
      }
    }
  });
}

TEST(RodLanes, Kinematics) {
  for_all_fours(502, [](const Four& four) {
    const RodKinematics<Lane> k = calc_kinematics(four.lane_constants, four.lane_q);
    const RodRates<Lane> r = calc_rates(k, four.lane_v);
    for (std::size_t n = 0; n < kLanes; ++n) {
      const RodKinematics<double> k1 = calc_kinematics(four.constants[n], four.q[n]);
      const RodRates<double> r1 = calc_rates(k1, four.v[n]);
      ASSERT_TRUE(same_bits(k.chord[n], k1.chord));
      ASSERT_TRUE(same_bits(k.inverse_chord[n], k1.inverse_chord));
      ASSERT_TRUE(same_bits(k.cosine[n], k1.cosine));
      ASSERT_TRUE(same_bits(k.sine[n], k1.sine));
      ASSERT_TRUE(same_bits(k.theta0[n], k1.theta0));
      ASSERT_TRUE(same_bits(k.theta1[n], k1.theta1));
      ASSERT_TRUE(same_bits(k.strain[n], k1.strain));
      ASSERT_TRUE(same_bits(k.stretch[n], k1.stretch));
      ASSERT_TRUE(same_bits(r.chord[n], r1.chord));
      ASSERT_TRUE(same_bits(r.beta[n], r1.beta));
      ASSERT_TRUE(same_bits(r.theta0[n], r1.theta0));
      ASSERT_TRUE(same_bits(r.theta1[n], r1.theta1));
    }
  });
}

TEST(RodLanes, EnergyAndForces) {
  for_all_fours(503, [](const Four& four) {
    const RodKinematics<Lane> k = calc_kinematics(four.lane_constants, four.lane_q);
    const Lane energy = strain_energy(four.lane_constants, k);
    const RodForces<Lane> internal = internal_forces(four.lane_constants, k);
    const Vector6<Lane> elastic = elastic_force(four.lane_constants, k);
    const Vector6<Lane> velocity = velocity_force(four.lane_constants, k, four.lane_v);
    const Matrix6<Lane> mass = mass_matrix(four.lane_constants, k);
    for (std::size_t n = 0; n < kLanes; ++n) {
      const RodConstants<double>& c = four.constants[n];
      const RodKinematics<double> k1 = calc_kinematics(c, four.q[n]);
      const RodForces<double> internal1 = internal_forces(c, k1);
      ASSERT_TRUE(same_bits(energy[n], strain_energy(c, k1)));
      ASSERT_TRUE(same_bits(internal.axial[n], internal1.axial));
      ASSERT_TRUE(same_bits(internal.moment0[n], internal1.moment0));
      ASSERT_TRUE(same_bits(internal.moment1[n], internal1.moment1));
      const Vector6<double> elastic1 = elastic_force(c, k1);
      const Vector6<double> velocity1 = velocity_force(c, k1, four.v[n]);
      const Matrix6<double> mass1 = mass_matrix(c, k1);
      for (int i = 0; i < 6; ++i) {
        ASSERT_TRUE(same_bits(elastic(i)[n], elastic1(i)));
        ASSERT_TRUE(same_bits(velocity(i)[n], velocity1(i)));
        for (int j = 0; j <= i; ++j) ASSERT_TRUE(same_bits(mass(i, j)[n], mass1(i, j)));
      }
    }
  });
}

}  // namespace
}  // namespace fem
