// Inertia of an element in the chord basis (rod/kinematics.hpp): mass matrix (81) and velocity
// forces (82) for a section whose centre of mass lies on the axis.
//
// m(PΨPᵀ + SΨSᵀ) + I_zCΦCᵀ: along the chord (P), across it (S) and in rotation (C) a point of the
// element moves with
//   along:   e(ṡ₀) + x η_q − v e(β̇),     v = θ₀ψ₀ + θ₁ψ₁
//   across:  e(ṅ₀) + x(1 + η) e(β̇) + ψ₀(e(α̇₀) − e(β̇)) + ψ₁(e(α̇₁) − e(β̇))
//   turn:    φ e(β̇) + φ₀ e(α̇₀) + φ₁ e(α̇₁)
// η is the stretch of the inertia field: ε (the paper's u = εx) or l̃/l − 1 (chord field).
#pragma once

#include <Eigen/Core>

#include "libfem/rod/kinematics.hpp"
#include "libfem/rod/rod_constants.hpp"

namespace fem::rod_detail {

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
  M(kN0, kS0) = Real(0);
  M(kN0, kN0) = c.m11;
  M(kAlpha0, kN0) = c.m13;
  M(kAlpha1, kN0) = -c.m13;
  M(kS1, kN0) = Real(0);
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

/// Acceleration of a point that remains at q̈ = 0, as coefficients of x, ψ₀, ψ₁ along (a) and
/// across (b) the chord, and the chord's own angular acceleration.
template <class Real>
struct RestAcceleration {
  Real ax, a0, a1;
  Real bx, b0, b1;
  Real beta;
};

template <class Real>
[[nodiscard]] RestAcceleration<Real> rest_acceleration(const RodConstants<Real>& c,
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

  return {.ax = eta_acc - h * beta2,
          .a0 = -(beta_acc * k.theta0 + 2.0 * r.beta * r.theta0),
          .a1 = -(beta_acc * k.theta1 + 2.0 * r.beta * r.theta1),
          .bx = h * beta_acc + 2.0 * r.beta * eta_rate,
          .b0 = -(beta_acc + beta2 * k.theta0),
          .b1 = -(beta_acc + beta2 * k.theta1),
          .beta = beta_acc};
}

/// The velocity forces in the chord basis: the moments of that acceleration.
template <class Real>
[[nodiscard]] Vector6<Real> chord_velocity_force(const RodConstants<Real>& c,
                                                 const RodKinematics<Real>& k,
                                                 const InertiaStretch<Real>& eta,
                                                 const RestAcceleration<Real>& acc) {
  const auto& [ax, a0, a1, bx, b0, b1, beta_acc] = acc;
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
  f(kBeta) = -(eta.slope0 + eta.slope1) * alongx - along_v + eta.one_plus * acrossx - across0 -
             across_1 + c.j11 * beta_acc;
  return f;
}

}  // namespace fem::rod_detail
