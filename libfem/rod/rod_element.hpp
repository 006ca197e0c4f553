// The rod element: strain energy, elastic forces, mass matrix, velocity forces, tangent.
// Danilin 2016, section 2; theory in rod/README.md. Pure functions from values to values, for
// double and Lane.
//
//   M q̈ + f + U_q = Q
//
//   symbol   code                shape  unit        source
//   U        strain_energy()            J           (20)
//   U_q      elastic_force()     6      N, N m      (28), gradient of U with respect to q
//   U_qq     elastic_tangent()   6×6    N/m …       second derivative of U
//   M        RodInertia::mass    6×6    kg …        (81) with y_c = 0; lower triangle
//   f        RodInertia::force   6      N, N m      (82), quadratic in the velocities
//
// Everything is formed in the chord basis (rod/kinematics.hpp, rod/rod_inertia.hpp) and turned into
// X, Y at the end.
#pragma once

#include <array>

#include <Eigen/Core>

#include "libfem/rod/kinematics.hpp"
#include "libfem/rod/offset_mass.hpp"
#include "libfem/rod/rod_constants.hpp"
#include "libfem/rod/rod_inertia.hpp"

namespace fem {

/// U (20), J, of the strains beyond the stress-free ones.
template <class Real>
[[nodiscard]] Real strain_energy(const RodConstants<Real>& c, const RodKinematics<Real>& k) {
  const Real minus = k.minus - c.rest_minus;
  const Real strain = k.strain - c.rest_strain;
  return 0.5 * (c.bending * minus * minus + c.shear * k.plus * k.plus + c.axial * strain * strain);
}

/// Generalized internal forces: N = EA ε, M_k = ∂U/∂θ_k; moments act on the element's ends,
/// counter-clockwise positive, and balance the strain.
template <class Real>
struct RodForces {
  Real axial;             ///< N, N
  Real moment0, moment1;  ///< ∂U/∂θ₀, ∂U/∂θ₁, N m
};

namespace rod_detail {

/// Internal forces that belong to generalized strains (θ⁻, θ⁺, ε) in the configuration k.
template <class Real>
[[nodiscard]] RodForces<Real> forces_of_strains(const RodConstants<Real>& c,
                                                const RodKinematics<Real>& k, const Real& minus,
                                                const Real& plus, const Real& strain) {
  const Real bending = c.bending * minus;
  const Real shear = c.shear * plus;
  const Real axial = c.axial * strain;  // N l
  return {.axial = axial * c.inverse_length,
          .moment0 = shear - bending + axial * k.slope0,
          .moment1 = shear + bending + axial * k.slope1};
}

/// ε̇ = l̃˙/l + κ₀θ̇₀ + κ₁θ̇₁
template <class Real>
[[nodiscard]] Real strain_rate(const RodConstants<Real>& c, const RodKinematics<Real>& k,
                               const RodRates<Real>& r) {
  return r.chord * c.inverse_length + k.slope0 * r.theta0 + k.slope1 * r.theta1;
}

}  // namespace rod_detail

/// Elastic internal forces.
template <class Real>
[[nodiscard]] RodForces<Real> internal_forces(const RodConstants<Real>& c,
                                              const RodKinematics<Real>& k) {
  return rod_detail::forces_of_strains(c, k, Real(k.minus - c.rest_minus), k.plus,
                                       Real(k.strain - c.rest_strain));
}

/// Elastic and Kelvin-Voigt internal forces: every strain s acts as s + τ ṡ.
template <class Real>
[[nodiscard]] RodForces<Real> internal_forces(const RodConstants<Real>& c,
                                              const RodKinematics<Real>& k,
                                              const RodRates<Real>& r) {
  const Real& tau = c.damping_time;
  return rod_detail::forces_of_strains(
      c, k, Real(k.minus - c.rest_minus + tau * (r.theta1 - r.theta0)),
      Real(k.plus + tau * (r.theta0 + r.theta1)),
      Real(k.strain - c.rest_strain + tau * rod_detail::strain_rate(c, k, r)));
}

/// Power that Kelvin-Voigt damping takes, W, never negative: τ Σ stiffness · (strain rate)².
template <class Real>
[[nodiscard]] Real damping_power(const RodConstants<Real>& c, const RodKinematics<Real>& k,
                                 const RodRates<Real>& r) {
  const Real minus = r.theta1 - r.theta0;
  const Real plus = r.theta0 + r.theta1;
  const Real strain = rod_detail::strain_rate(c, k, r);
  return c.damping_time *
         (c.bending * minus * minus + c.shear * plus * plus + c.axial * strain * strain);
}

/// U_q in the chord basis.
template <class Real>
[[nodiscard]] Vector6<Real> chord_elastic_force(const RodForces<Real>& s) {
  Vector6<Real> f;
  f(kS0) = -s.axial;
  f(kN0) = Real(0);
  f(kAlpha0) = s.moment0;
  f(kAlpha1) = s.moment1;
  f(kS1) = s.axial;
  f(kBeta) = -(s.moment0 + s.moment1);
  return f;
}

/// U_q (28).
template <class Real>
[[nodiscard]] Vector6<Real> elastic_force(const RodConstants<Real>& c,
                                          const RodKinematics<Real>& k) {
  return turn_force(k, chord_elastic_force(internal_forces(c, k)));
}

/// U_qq, symmetric, both triangles; rod/README.md.
[[nodiscard]] Matrix6<double> elastic_tangent(const RodConstants<double>& c,
                                              const RodKinematics<double>& k);

/// aᵀU_qq b of two motions, through the strains they cause: rounding does not give a rigid motion
/// the stiffness of the axis, as products with the tangent do.
[[nodiscard]] double elastic_form(const RodConstants<double>& c, const RodKinematics<double>& k,
                                  const RodRates<double>& a, const RodRates<double>& b);

/// Mass matrix (lower triangle in `mass`) and velocity forces.
template <class Real>
struct RodInertia {
  Matrix6<Real> mass;
  Vector6<Real> force;
};

namespace rod_detail {

/// A symmetric form from the chord basis to q; lower triangles.
template <class Real>
[[nodiscard]] Matrix6<Real> turn_form(const RodKinematics<Real>& k, const Matrix6<Real>& M) {
  const Real& c = k.cosine;
  const Real& s = k.sine;
  const Real& b = k.inverse_chord;
  // β̇ = (ṅ₁ − ṅ₀)/l̃: the form on (ṡ₀, ṅ₀, α̇₀, α̇₁, ṡ₁, ṅ₁).
  const Real n1_s0 = b * M(kBeta, kS0);
  const Real n1_a0 = b * M(kBeta, kAlpha0);
  const Real n1_a1 = b * M(kBeta, kAlpha1);
  const Real n1_s1 = b * M(kBeta, kS1);
  const Real n1_n1 = b * b * M(kBeta, kBeta);
  const Real cross = b * M(kBeta, kN0);
  const Real n0_n0 = M(kN0, kN0) - 2.0 * cross + n1_n1;
  const Real n1_n0 = cross - n1_n1;
  const Real a0_n0 = M(kAlpha0, kN0) - n1_a0;
  const Real a1_n0 = M(kAlpha1, kN0) - n1_a1;

  const Real cc = c * c;
  const Real ss = s * s;
  const Real cs = c * s;
  Matrix6<Real> G;
  const Real s0_n0 = -n1_s0;
  G(0, 0) = cc * M(kS0, kS0) - 2.0 * cs * s0_n0 + ss * n0_n0;
  G(1, 0) = cs * (M(kS0, kS0) - n0_n0) + (cc - ss) * s0_n0;
  G(1, 1) = ss * M(kS0, kS0) + 2.0 * cs * s0_n0 + cc * n0_n0;
  G(2, 0) = c * M(kAlpha0, kS0) - s * a0_n0;
  G(2, 1) = s * M(kAlpha0, kS0) + c * a0_n0;
  G(3, 0) = c * M(kAlpha1, kS0) - s * a1_n0;
  G(3, 1) = s * M(kAlpha1, kS0) + c * a1_n0;
  G(2, 2) = M(kAlpha0, kAlpha0);
  G(3, 2) = M(kAlpha1, kAlpha0);
  G(3, 3) = M(kAlpha1, kAlpha1);
  const Real s1_n0 = -n1_s1;
  const Real along = M(kS1, kS0);
  G(4, 0) = cc * along - cs * (s1_n0 + n1_s0) + ss * n1_n0;
  G(4, 1) = cs * (along - n1_n0) + cc * s1_n0 - ss * n1_s0;
  G(5, 0) = cs * (along - n1_n0) - ss * s1_n0 + cc * n1_s0;
  G(5, 1) = ss * along + cs * (s1_n0 + n1_s0) + cc * n1_n0;
  G(4, 2) = c * M(kS1, kAlpha0) - s * n1_a0;
  G(5, 2) = s * M(kS1, kAlpha0) + c * n1_a0;
  G(4, 3) = c * M(kS1, kAlpha1) - s * n1_a1;
  G(5, 3) = s * M(kS1, kAlpha1) + c * n1_a1;
  G(4, 4) = cc * M(kS1, kS1) - 2.0 * cs * n1_s1 + ss * n1_n1;
  G(5, 4) = cs * (M(kS1, kS1) - n1_n1) + (cc - ss) * n1_s1;
  G(5, 5) = ss * M(kS1, kS1) + 2.0 * cs * n1_s1 + cc * n1_n1;
  return G;
}

}  // namespace rod_detail

/// What a model may ask of its elements beyond elasticity and inertia; known before the loop.
struct RodOptions {
  bool offset_mass = false;  ///< some section has y_c ≠ 0 (rod/offset_mass.hpp)
};

/// M and f + U_q + Kelvin-Voigt forces: what one evaluation of the accelerations needs.
template <class Real>
[[nodiscard]] RodInertia<Real> calc_motion(const RodConstants<Real>& c, const Vector6<Real>& q,
                                           const Vector6<Real>& v, RodOptions options = {}) {
  const RodKinematics<Real> k = calc_kinematics(c, q);
  const RodRates<Real> r = calc_rates(k, v);
  const auto eta = rod_detail::inertia_stretch(c, k);
  const auto acc = rod_detail::rest_acceleration(c, k, r, eta);
  Vector6<Real> f = rod_detail::chord_velocity_force(c, k, eta, acc);
  Matrix6<Real> M = rod_detail::chord_mass(c, k, eta);
  if (options.offset_mass) rod_detail::add_offset_mass(c, k, r, eta, acc, M, f);
  const Vector6<Real> u = chord_elastic_force(internal_forces(c, k, r));
  for (int i = 0; i < 6; ++i) f(i) += u(i);
  return {.mass = rod_detail::turn_form(k, M), .force = turn_force(k, f)};
}

/// M (81), lower triangle.
template <class Real>
[[nodiscard]] Matrix6<Real> mass_matrix(const RodConstants<Real>& c, const RodKinematics<Real>& k,
                                        RodOptions options = {}) {
  const auto eta = rod_detail::inertia_stretch(c, k);
  Matrix6<Real> M = rod_detail::chord_mass(c, k, eta);
  if (options.offset_mass) rod_detail::add_offset_mass(c, k, eta, M);
  return rod_detail::turn_form(k, M);
}

/// ∫ (position) dm, kg m, of an element that starts at `start`: for the potential of gravity.
[[nodiscard]] inline std::array<double, 2> first_moment(const RodConstants<double>& c,
                                                        const RodKinematics<double>& k,
                                                        const std::array<double, 2>& start) {
  const auto eta = rod_detail::inertia_stretch(c, k);
  double along = eta.one_plus * c.m12;
  double across = c.m13 * (k.theta0 - k.theta1);
  if (c.static_moment != 0) {
    const auto normal = rod_detail::offset_moment(c, k, eta);
    along += normal[0];
    across += normal[1];
  }
  return {c.m11 * start[0] + k.cosine * along - k.sine * across,
          c.m11 * start[1] + k.sine * along + k.cosine * across};
}

/// f (82), without elastic and external forces.
template <class Real>
[[nodiscard]] Vector6<Real> velocity_force(const RodConstants<Real>& c,
                                           const RodKinematics<Real>& k, const Vector6<Real>& v,
                                           RodOptions options = {}) {
  const RodRates<Real> r = calc_rates(k, v);
  const auto eta = rod_detail::inertia_stretch(c, k);
  const auto acc = rod_detail::rest_acceleration(c, k, r, eta);
  Vector6<Real> f = rod_detail::chord_velocity_force(c, k, eta, acc);
  if (options.offset_mass) {
    Matrix6<Real> unused = rod_detail::chord_mass(c, k, eta);
    rod_detail::add_offset_mass(c, k, r, eta, acc, unused, f);
  }
  return turn_force(k, f);
}

}  // namespace fem
