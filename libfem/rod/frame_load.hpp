// What a steadily turning frame does to an element that rests in it, or vibrates about rest: the
// field e of a uniform acceleration the other way, the rate ω of the frame about its pole.
//
//   V = e·∫r dm − ½ ω² J,   J = tᵀM t,   t = (−Y₀, X₀, 1, 1, −Y₁, X₁)    potential at rest
//   frame_force        V_q = f(q, ω t) + M b,   b = e − ω² r              f: velocity forces
//   frame_stiffness    V_qq
//   gyroscopic_matrix  G = ∂/∂v [f(q, ω t + v) + M (2 ω × v)] at v = 0, skew
//
// The potential is not differentiated twice by hand: V_qq and G are jets (math/jet.hpp) of the
// forces.
#pragma once

#include <array>

#include "libfem/rod/kinematics.hpp"
#include "libfem/rod/rod_constants.hpp"

namespace fem {

/// A frame that turns steadily, and the uniform field in its axes.
struct SteadyFrame {
  double rate = 0;                 ///< ω, rad/s
  std::array<double, 3> field{};   ///< e = a_A − g, m/s²
};

/// V_q, N and N m.
[[nodiscard]] Vector6<double> frame_force(const RodConstants<double>& c, const Vector6<double>& q,
                                          const SteadyFrame& frame);

/// V_qq, symmetric.
[[nodiscard]] Matrix6<double> frame_stiffness(const RodConstants<double>& c,
                                              const Vector6<double>& q, const SteadyFrame& frame);

/// G, skew: the force of velocities v in the frame is G v.
[[nodiscard]] Matrix6<double> gyroscopic_matrix(const RodConstants<double>& c,
                                                const Vector6<double>& q,
                                                const SteadyFrame& frame);

}  // namespace fem
