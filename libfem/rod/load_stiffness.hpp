// How the generalized forces of loads along an element, and of its weight, change with its
// configuration: the second derivatives of their potentials. Statics and modes need them.
//
// A point of the axis is at R = R₀ + (1 + η)x t + v n with v = θ₀ψ₀ + θ₁ψ₁, and its section has the
// angle γ = βφ + α₀φ₀ + α₁φ₁. The load p, p_μ in the inertial axes has the potential
//   V = −∫ (p·R + p_μ γ) dx,      Q = −V_q (rod/rod_load.hpp),      ∂Q/∂q = −V_qq;
// the weight of an offset centre of mass (rod/offset_mass.hpp) has −m y_c ∫ g·ν dx beside it. V_qq
// is symmetric; with distributed moments too, for in the plane a turn has a potential.
#pragma once

#include <array>

#include "libfem/rod/rod_load.hpp"

namespace fem {

/// V_qq of a load along the element, symmetric, both triangles.
[[nodiscard]] Matrix6<double> rod_load_stiffness(const RodConstants<double>& c,
                                                 const RodKinematics<double>& k,
                                                 const RodElementLoad& load);

/// V_qq of the element's weight, gravity in m/s², inertial axes.
[[nodiscard]] Matrix6<double> rod_gravity_stiffness(const RodConstants<double>& c,
                                                    const RodKinematics<double>& k,
                                                    const std::array<double, 2>& gravity);

}  // namespace fem
