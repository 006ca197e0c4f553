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
// The mass matrix m(PΨPᵀ + SΨSᵀ) + I_zCΦCᵀ is formed in the chord basis (rod/kinematics.hpp),
// where along the chord (P), across it (S) and in rotation (C) a point of the element moves with
//   along:   e(ṡ₀) + x η_q − v e(β̇),     v = θ₀ψ₀ + θ₁ψ₁
//   across:  e(ṅ₀) + x(1 + η) e(β̇) + ψ₀(e(α̇₀) − e(β̇)) + ψ₁(e(α̇₁) − e(β̇))
//   turn:    φ e(β̇) + φ₀ e(α̇₀) + φ₁ e(α̇₁)
// η is the stretch of the inertia field: ε (the paper's u = εx) or l̃/l − 1 (chord field).
#pragma once

#include <Eigen/Core>

#include "libfem/rod/kinematics.hpp"
#include "libfem/rod/rod_constants.hpp"

namespace fem {

/// U (20), J.
template <class Real>
[[nodiscard]] Real strain_energy(const RodConstants<Real>& c, const RodKinematics<Real>& k) {
  return 0.5 * (c.bending * k.minus * k.minus + c.shear * k.plus * k.plus +
                c.axial * k.strain * k.strain);
}

/// Generalized internal forces: N = EA ε, M_k = ∂U/∂θ_k; moments act on the element's ends,
/// counter-clockwise positive, and balance the strain.
template <class Real>
struct RodForces {
  Real axial;             ///< N, N
  Real moment0, moment1;  ///< ∂U/∂θ₀, ∂U/∂θ₁, N m
};

template <class Real>
[[nodiscard]] RodForces<Real> internal_forces(const RodConstants<Real>& c,
                                              const RodKinematics<Real>& k) {
  const Real bending = c.bending * k.minus;
  const Real shear = c.shear * k.plus;
  const Real axial = c.axial * k.strain;  // N l
  return {.axial = axial * c.inverse_length,
          .moment0 = shear - bending + axial * k.slope0,
          .moment1 = shear + bending + axial * k.slope1};
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

/// Mass matrix (lower triangle in `mass`) and velocity forces.
template <class Real>
struct RodInertia {
  Matrix6<Real> mass;
  Vector6<Real> force;
};

namespace rod_detail {

/// Stretch η of the inertia field with its slopes ∂η/∂θ_k.
template <class Real>
struct InertiaStretch {
  Real one_plus;  // 1 + η
  Real slope0, slope1;
};

template <class Real>
[[nodiscard]] InertiaStretch<Real> inertia_stretch(const RodConstants<Real>& c,
                                                   const RodKinematics<Real>& k) {
  return {.one_plus = 1.0 + k.stretch + c.paper_field * (k.strain - k.stretch),
          .slope0 = c.paper_field * k.slope0,
          .slope1 = c.paper_field * k.slope1};
}

/// The mass matrix in the chord basis, lower triangle.
template <class Real>
[[nodiscard]] Matrix6<Real> chord_mass(const RodConstants<Real>& c, const RodKinematics<Real>& k,
                                       const InertiaStretch<Real>& eta) {
  const Real& t0 = k.theta0;
  const Real& t1 = k.theta1;
  const Real& h = eta.one_plus;
  // Moments of the deflection v = θ₀ψ₀ + θ₁ψ₁ with 1, x and itself, times m.
  const Real v1 = c.m13 * (t0 - t1);
  const Real v2 = c.m23 * t0 + c.m24 * t1;
  const Real vv = c.m33 * (t0 * t0 + t1 * t1) + 2.0 * c.m34 * t0 * t1;

  // Along the chord: with η_q = E, the form is sym(E, w) + Ψ₁₁ e₁e₁ − V₁ sym(e₁, e_β) + V e_βe_β,
  // where w = Ψ₁₂ e₁ − V₂ e_β + ½Ψ₂₂ E. E and w have no component on ṅ₀.
  Vector6<Real> E;
  E(kS0) = -c.inverse_length;
  E(kN0) = Real(0);
  E(kAlpha0) = eta.slope0;
  E(kAlpha1) = eta.slope1;
  E(kS1) = c.inverse_length;
  E(kBeta) = -(eta.slope0 + eta.slope1);
  const Real half = 0.5 * c.m22;
  Vector6<Real> w;
  for (int i = 0; i < 6; ++i) w(i) = half * E(i);
  w(kS0) += c.m12;
  w(kBeta) -= v2;

  Matrix6<Real> M;
  for (int j = 0; j < 6; ++j) {
    if (j == kN0) continue;
    for (int i = j; i < 6; ++i) {
      if (i == kN0) continue;
      M(i, j) = E(i) * w(j) + w(i) * E(j);
    }
  }
  M(kS0, kS0) += c.m11;
  M(kBeta, kS0) -= v1;
  M(kBeta, kBeta) += vv;

  // Across the chord, with χ = x(1 + η) − ψ₀ − ψ₁ on β̇, and rotation.
  M(kN0, kN0) = c.m11;
  M(kAlpha0, kN0) = c.m13;
  M(kAlpha1, kN0) = -c.m13;
  M(kBeta, kN0) = h * c.m12;
  const Real m3 = c.m33 + c.m34;  // ∫ψ₀(ψ₀ + ψ₁) m
  M(kAlpha0, kAlpha0) += c.m33 + c.j22;
  M(kAlpha1, kAlpha0) += c.m34 + c.j23;
  M(kAlpha1, kAlpha1) += c.m33 + c.j22;
  M(kBeta, kAlpha0) += h * c.m23 - m3 + c.j12;
  M(kBeta, kAlpha1) += h * c.m24 - m3 + c.j12;
  M(kBeta, kBeta) += h * (h * c.m22 - 2.0 * (c.m23 + c.m24)) + 2.0 * m3 + c.j11;
  return M;
}

/// The velocity forces in the chord basis: moments of the acceleration that remains at q̈ = 0.
template <class Real>
[[nodiscard]] Vector6<Real> chord_velocity_force(const RodConstants<Real>& c,
                                                 const RodKinematics<Real>& k,
                                                 const RodRates<Real>& r,
                                                 const InertiaStretch<Real>& eta) {
  const Real& h = eta.one_plus;
  const Real plus = r.theta0 + r.theta1;
  const Real minus = r.theta1 - r.theta0;
  const Real beta2 = r.beta * r.beta;
  const Real beta_acc = -2.0 * r.beta * r.chord * k.inverse_chord;
  const Real eta_rate = r.chord * c.inverse_length + eta.slope0 * r.theta0 + eta.slope1 * r.theta1;
  const Real bow_acc = minus * minus * (1.0 / 12) + c.bow * (plus * plus - 2.0 * k.plus * beta_acc);
  const Real eta_acc = k.chord * beta2 * c.inverse_length + c.paper_field * bow_acc;

  // Accelerations along and across, as coefficients of x, ψ₀, ψ₁.
  const Real ax = eta_acc - h * beta2;
  const Real a0 = -(beta_acc * k.theta0 + 2.0 * r.beta * r.theta0);
  const Real a1 = -(beta_acc * k.theta1 + 2.0 * r.beta * r.theta1);
  const Real bx = h * beta_acc + 2.0 * r.beta * eta_rate;
  const Real b0 = -(beta_acc + beta2 * k.theta0);
  const Real b1 = -(beta_acc + beta2 * k.theta1);

  // Their moments with 1, x, ψ₀, ψ₁.
  const Real along1 = c.m12 * ax + c.m13 * (a0 - a1);
  const Real alongx = c.m22 * ax + c.m23 * a0 + c.m24 * a1;
  const Real along_v = k.theta0 * (c.m23 * ax + c.m33 * a0 + c.m34 * a1) +
                       k.theta1 * (c.m24 * ax + c.m34 * a0 + c.m33 * a1);
  const Real across1 = c.m12 * bx + c.m13 * (b0 - b1);
  const Real acrossx = c.m22 * bx + c.m23 * b0 + c.m24 * b1;
  const Real across0 = c.m23 * bx + c.m33 * b0 + c.m34 * b1;
  const Real across_1 = c.m24 * bx + c.m34 * b0 + c.m33 * b1;

  Vector6<Real> f;
  f(kS0) = along1 - c.inverse_length * alongx;
  f(kN0) = across1;
  f(kAlpha0) = eta.slope0 * alongx + across0 + c.j12 * beta_acc;
  f(kAlpha1) = eta.slope1 * alongx + across_1 + c.j12 * beta_acc;
  f(kS1) = c.inverse_length * alongx;
  f(kBeta) = -(eta.slope0 + eta.slope1) * alongx - along_v + h * acrossx - across0 - across_1 +
             c.j11 * beta_acc;
  return f;
}

/// A symmetric form from the chord basis to q; lower triangles. Nothing couples ṅ₀ with ṡ₀ and ṡ₁:
/// those entries are not read.
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

/// M (81), lower triangle.
template <class Real>
[[nodiscard]] Matrix6<Real> mass_matrix(const RodConstants<Real>& c, const RodKinematics<Real>& k) {
  return rod_detail::turn_form(k, rod_detail::chord_mass(c, k, rod_detail::inertia_stretch(c, k)));
}

/// f (82), without elastic and external forces.
template <class Real>
[[nodiscard]] Vector6<Real> velocity_force(const RodConstants<Real>& c,
                                           const RodKinematics<Real>& k, const Vector6<Real>& v) {
  return turn_force(k, rod_detail::chord_velocity_force(c, k, calc_rates(k, v),
                                                        rod_detail::inertia_stretch(c, k)));
}

/// M and f + U_q, what one evaluation of the accelerations needs of an element.
template <class Real>
[[nodiscard]] RodInertia<Real> calc_motion(const RodConstants<Real>& c, const Vector6<Real>& q,
                                           const Vector6<Real>& v) {
  const RodKinematics<Real> k = calc_kinematics(c, q);
  const auto eta = rod_detail::inertia_stretch(c, k);
  Vector6<Real> f = rod_detail::chord_velocity_force(c, k, calc_rates(k, v), eta);
  const Vector6<Real> u = chord_elastic_force(internal_forces(c, k));
  for (int i = 0; i < 6; ++i) f(i) += u(i);
  return {.mass = rod_detail::turn_form(k, rod_detail::chord_mass(c, k, eta)),
          .force = turn_force(k, f)};
}

}  // namespace fem
