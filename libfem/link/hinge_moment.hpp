// Moment between two members that share a point: spring, damper, friction and end stops over the
// relative angle. Theory in link/README.md.
//
//   symbol   code          unit       meaning
//   φ        angle         rad        angle(second) − angle(first), with its turns
//   ω        rate          rad/s      φ̇
//   m        moment        N m        what resists: −m on the second member, +m on the first
//   V        potential     J          of spring, stops and latch; zero at the neutral angle, for a
//                                     table at its first angle
//   ∂m/∂φ    stiffness     N m/rad
//   ∂m/∂ω    damping       N m s/rad  negative on the falling branch of Stribeck's curve
//   P        dissipated    W          ≥ 0;  m ω = V̇ + P
//
//   spring      S(φ) = M₀ − k(φ − φ₀), or a monotone cubic through a table of (angle, moment): the
//               moment **on the second member**; m = −S, V = −∫S dφ. A positive moment opens.
//   damper      m = c ω
//   friction    m = (M_c + (M_s − M_c) e^{−(ω/ω_s)²}) tanh(ω/ω₀)
//   stop        p = φ − upper, ṗ = ω  or  p = lower − φ, ṗ = −ω; for p > 0, against its growth,
//               |m| = max(0, p (k_s + c_s ṗ)), V = ½ k_s p²
//   latch       m = k_l (φ − φ_l) + c_l ω, once a latch that gives has caught
//
// Everything is continuous in φ and ω. ∂m/∂φ jumps where a stop is met, ∂²m/∂φ² at the points of a
// table. The damping of a stop grows with the penetration, so that the moment starts at zero and
// never pulls.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "libfem/math/monotone_cubic.hpp"

namespace fem {

/// A spring over the relative angle: linear, or through a table.
struct HingeSpring {
  double stiffness = 0;                        ///< k, N m/rad, of any sign
  double neutral = 0;                          ///< φ₀, rad
  double preload = 0;                          ///< M₀ on the second member at φ₀, N m
  std::vector<std::array<double, 2>> table{};  ///< (rad, N m on the second member), instead
};

/// Coulomb friction with Stribeck's peak, regularized: a joint that sticks creeps below ω₀.
struct HingeFriction {
  double coulomb = 0;            ///< M_c ≥ 0, N m
  double static_moment = 0;      ///< M_s ≥ M_c, N m; 0: as coulomb
  double stribeck_rate = 0.1;    ///< ω_s > 0, rad/s
  double regularization = 1e-3;  ///< ω₀ > 0, rad/s
};

/// Stops at the limits of the relative angle.
struct HingeStop {
  std::optional<double> lower{}, upper{};  ///< rad, lower ≤ upper
  double stiffness = 0;                    ///< k_s ≥ 0, N m/rad
  double viscosity = 0;                    ///< c_s ≥ 0, N m s/rad per rad of penetration
};

/// What stands in one hinge.
struct HingeParts {
  std::optional<HingeSpring> spring{};
  double viscosity = 0;  ///< c ≥ 0, N m s/rad
  std::optional<HingeFriction> friction{};
  std::optional<HingeStop> stop{};
};

/// The parts in the form the kernel uses; a part that is absent has zeros.
struct HingeLaw {
  double stiffness = 0, neutral = 0, preload = 0;  ///< k, φ₀, M₀
  std::optional<MonotoneCubic> table{};            ///< S, beside the linear spring (then zero)
  double viscosity = 0;                            ///< c
  double coulomb = 0, peak = 0;                    ///< M_c, M_s − M_c
  double inverse_stribeck_rate = 0;                ///< 1/ω_s
  double inverse_regularization = 0;               ///< 1/ω₀
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double stop_stiffness = 0, stop_viscosity = 0;                     ///< k_s, c_s
  double latch_stiffness = 0, latch_viscosity = 0, latch_angle = 0;  ///< k_l, c_l, φ_l
};

/// Allocates for a table. The numbers must be what the comments above say (FEM_DEMAND).
[[nodiscard]] HingeLaw make_hinge_law(const HingeParts& parts);

struct HingeMoment {
  double moment = 0;
  double potential = 0;
  double stiffness = 0;
  double damping = 0;
  double dissipated = 0;
};

/// Allocates nothing.
[[nodiscard]] HingeMoment hinge_moment(const HingeLaw& law, double angle, double rate) noexcept;

}  // namespace fem
