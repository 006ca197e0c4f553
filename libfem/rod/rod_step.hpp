// What an implicit step asks of an element: its forces at given accelerations, and the matrix of
// Newton's method. Theory in rod/README.md; for double and Lane.
//
//   symbol                     code                  shape
//   M u + f + U_q              calc_step_force()     6      u = q̈ − g + μq̇, Kelvin-Voigt included
//   m M + c C + K              calc_step_matrix()    6×6    lower triangle
//
// K and C are the derivatives of the elastic and Kelvin-Voigt forces with respect to q and q̇, the
// latter without the part that turns with the rates; velocity forces and the change of M with q are
// left out of the matrix: they are small beside m M for steps that follow the motion.
#pragma once

#include <Eigen/Core>

#include "libfem/rod/rod_element.hpp"

namespace fem {

namespace rod_detail {

/// Forces of inertia M u + f in the chord basis: the moments of the whole acceleration of the
/// field, u's part and what remains at q̈ = 0.
template <class Real>
[[nodiscard]] Vector6<Real> chord_inertia_force(const RodConstants<Real>& c,
                                                const RodKinematics<Real>& k,
                                                const RodRates<Real>& r, const Vector6<Real>& u) {
  const auto eta = inertia_stretch(c, k);
  const auto rest = rest_acceleration(c, k, r, eta);
  const RodRates<Real> w = calc_rates(k, u);
  // Coefficients of 1, x, ψ₀, ψ₁ along (a) and across (b) the chord.
  const Real a_one = k.cosine * u(0) + k.sine * u(1);
  const Real b_one = k.cosine * u(1) - k.sine * u(0);
  const Real ax =
      rest.ax + w.chord * c.inverse_length + eta.slope0 * w.theta0 + eta.slope1 * w.theta1;
  const Real a0 = rest.a0 - k.theta0 * w.beta;
  const Real a1 = rest.a1 - k.theta1 * w.beta;
  const Real bx = rest.bx + eta.one_plus * w.beta;
  const Real b0 = rest.b0 + w.theta0;
  const Real b1 = rest.b1 + w.theta1;
  const Real turn = rest.beta + w.beta;
  // Their moments with 1, x, ψ₀, ψ₁.
  const Real along1 = c.m11 * a_one + c.m12 * ax + c.m13 * (a0 - a1);
  const Real alongx = c.m12 * a_one + c.m22 * ax + c.m23 * a0 + c.m24 * a1;
  const Real along0 = c.m13 * a_one + c.m23 * ax + c.m33 * a0 + c.m34 * a1;
  const Real along_1 = c.m24 * ax + c.m34 * a0 + c.m33 * a1 - c.m13 * a_one;
  const Real across1 = c.m11 * b_one + c.m12 * bx + c.m13 * (b0 - b1);
  const Real acrossx = c.m12 * b_one + c.m22 * bx + c.m23 * b0 + c.m24 * b1;
  const Real across0 = c.m13 * b_one + c.m23 * bx + c.m33 * b0 + c.m34 * b1;
  const Real across_1 = c.m24 * bx + c.m34 * b0 + c.m33 * b1 - c.m13 * b_one;

  Vector6<Real> f;
  f(kS0) = along1 - c.inverse_length * alongx;
  f(kN0) = across1;
  f(kAlpha0) = eta.slope0 * alongx + across0 + c.j12 * turn + c.j22 * u(2) + c.j23 * u(3);
  f(kAlpha1) = eta.slope1 * alongx + across_1 + c.j12 * turn + c.j23 * u(2) + c.j22 * u(3);
  f(kS1) = c.inverse_length * alongx;
  f(kBeta) = eta.one_plus * acrossx - (eta.slope0 + eta.slope1) * alongx - k.theta0 * along0 -
             k.theta1 * along_1 - across0 - across_1 + c.j11 * turn + c.j12 * (u(2) + u(3));
  return f;
}

/// M += the matrix K + c C of elastic and Kelvin-Voigt forces; chord basis, lower triangles. Second
/// derivatives are those of elastic_form(): in this basis β_qq and l̃_qq have three entries.
template <class Real>
void add_chord_stiffness(const RodConstants<Real>& c, const RodKinematics<Real>& k,
                         const RodRates<Real>& r, double rate_weight, Matrix6<Real>& M) {
  const Real material = 1.0 + c.damping_time * rate_weight;
  const Real strain = k.strain - c.rest_strain + c.damping_time * strain_rate(c, k, r);
  const Real plus_force = c.shear * (k.plus + c.damping_time * (r.theta0 + r.theta1)) +
                          c.axial * strain * c.bow * k.plus;
  const Real minus = c.bending * material + c.axial * strain * (1.0 / 12);
  const Real plus = c.shear * material + c.axial * strain * c.bow;
  const Real same = plus + minus;
  const Real other = plus - minus;

  Vector6<Real> e;  // ε_q; nothing on ṅ₀
  e(kS0) = -c.inverse_length;
  e(kAlpha0) = k.slope0;
  e(kAlpha1) = k.slope1;
  e(kS1) = c.inverse_length;
  e(kBeta) = -(k.slope0 + k.slope1);
  const Real axial = c.axial * material;
  for (int j = 0; j < 6; ++j) {
    if (j == kN0) continue;
    const Real column = axial * e(j);
    for (int i = j; i < 6; ++i) {
      if (i != kN0) M(i, j) += column * e(i);
    }
  }
  M(kAlpha0, kAlpha0) += same;
  M(kAlpha1, kAlpha0) += other;
  M(kAlpha1, kAlpha1) += same;
  M(kBeta, kAlpha0) -= 2.0 * plus;
  M(kBeta, kAlpha1) -= 2.0 * plus;
  M(kBeta, kBeta) += 4.0 * plus + c.axial * strain * k.chord * c.inverse_length;
  // −2β_qq of θ⁺, with β_qq = −(l̃_q β_qᵀ + β_q l̃_qᵀ)/l̃
  const Real bend = 2.0 * plus_force * k.inverse_chord;
  M(kBeta, kS0) -= bend;
  M(kBeta, kS1) += bend;
}

}  // namespace rod_detail

/// M u + f + U_q and Kelvin-Voigt forces.
template <class Real>
[[nodiscard]] Vector6<Real> calc_step_force(const RodConstants<Real>& c, const Vector6<Real>& q,
                                            const Vector6<Real>& v, const Vector6<Real>& u,
                                            RodOptions options = {}) {
  if (options.offset_mass) {
    const RodInertia<Real> e = calc_motion(c, q, v, options);
    Vector6<Real> f = e.force;
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) f(i) += (i > j ? e.mass(i, j) : e.mass(j, i)) * u(j);
    }
    return f;
  }
  const RodKinematics<Real> k = calc_kinematics(c, q);
  const RodRates<Real> r = calc_rates(k, v);
  Vector6<Real> f = rod_detail::chord_inertia_force(c, k, r, u);
  const Vector6<Real> elastic = chord_elastic_force(internal_forces(c, k, r));
  for (int i = 0; i < 6; ++i) f(i) += elastic(i);
  return turn_force(k, f);
}

/// m M + c C + K, lower triangle.
template <class Real>
[[nodiscard]] Matrix6<Real> calc_step_matrix(const RodConstants<Real>& c, const Vector6<Real>& q,
                                             const Vector6<Real>& v, const Real& mass_weight,
                                             double rate_weight, RodOptions options = {}) {
  const RodKinematics<Real> k = calc_kinematics(c, q);
  const RodRates<Real> r = calc_rates(k, v);
  const auto eta = rod_detail::inertia_stretch(c, k);
  Matrix6<Real> M = rod_detail::chord_mass(c, k, eta);
  if (options.offset_mass) rod_detail::add_offset_mass(c, k, eta, M);
  for (int j = 0; j < 6; ++j) {
    for (int i = j; i < 6; ++i) M(i, j) *= mass_weight;
  }
  rod_detail::add_chord_stiffness(c, k, r, rate_weight, M);
  return rod_detail::turn_form(k, M);
}

}  // namespace fem
