// Kinematics of one element: chord, local rotations, generalized strains and their gradients.
// Danilin 2016, eqs. (16)-(21), (24), (30), (31), in the θ form: only differences of angles enter,
// wrapped to [−π, π], so nothing is lost after many turns.
//
//   symbol         code                 unit  meaning
//   q              q                    m, rad  (X₀, Y₀, α₀, α₁, X₁, Y₁)                     (24)
//   l̃, 1/l̃         chord, inverse_chord m     distance of the end sections                   (18)
//   cos β, sin β   cosine, sine         –     direction of the chord                         (19)
//   θ₀, θ₁         theta0, theta1       rad   rotations of the end sections from the chord   (21)
//   θ⁺, θ⁻         plus, minus          rad   θ₁ + θ₀, θ₁ − θ₀
//   ε              strain               –     axial strain, l̃/l − 1 + ⅛[θ⁻²/3 + α²θ⁺²/5]     (16)
//   κ₀, κ₁         slope0, slope1       –     ∂ε/∂θ₀, ∂ε/∂θ₁ at fixed l̃                      (30)
//
// Everything later is written in the **chord basis**: rates along and across the chord of end 0,
// (ṡ₀, ṅ₀), of the end sections' angles, (α̇₀, α̇₁), of end 1 along the chord, ṡ₁, and the chord's
// own rate β̇ = (ṅ₁ − ṅ₀)/l̃. There
//   l̃_q = e(ṡ₁) − e(ṡ₀),   θ_k,q = e(α̇_k) − e(β̇),   ε_q = l̃_q/l + κ₀θ₀,q + κ₁θ₁,q,
// so the paper's 6-vectors have a few entries each and no trigonometric factor.
#pragma once

#include <cmath>

#include <Eigen/Core>

#include "libfem/math/angle.hpp"
#include "libfem/rod/rod_constants.hpp"

namespace fem {

template <class Real>
using Vector6 = Eigen::Matrix<Real, 6, 1>;
template <class Real>
using Matrix6 = Eigen::Matrix<Real, 6, 6>;

/// Where a component stands in a vector of the chord basis.
enum ChordIndex { kS0 = 0, kN0 = 1, kAlpha0 = 2, kAlpha1 = 3, kS1 = 4, kBeta = 5 };

template <class Real>
struct RodKinematics {
  Real chord, inverse_chord, cosine, sine;
  Real theta0, theta1, plus, minus;
  Real strain, slope0, slope1;
  Real stretch;  ///< l̃/l − 1
};

/// Configuration of an element; its ends must not coincide.
template <class Real>
[[nodiscard]] RodKinematics<Real> calc_kinematics(const RodConstants<Real>& c,
                                                  const Vector6<Real>& q) {
  using std::sqrt;
  RodKinematics<Real> k;
  const Real dx = q(4) - q(0);
  const Real dy = q(5) - q(1);
  k.chord = sqrt(Real(dx * dx + dy * dy));
  k.inverse_chord = 1.0 / k.chord;
  k.cosine = dx * k.inverse_chord;
  k.sine = dy * k.inverse_chord;
  const Real beta = direction(dy, dx);
  k.theta0 = wrap_angle(Real(q(2) - beta));
  k.theta1 = wrap_angle(Real(q(3) - beta));
  k.plus = k.theta1 + k.theta0;
  k.minus = k.theta1 - k.theta0;
  k.stretch = (k.chord - c.length) * c.inverse_length;
  k.slope0 = c.bow * k.plus - k.minus * (1.0 / 12);
  k.slope1 = c.bow * k.plus + k.minus * (1.0 / 12);
  k.strain = k.stretch + 0.5 * (k.slope0 * k.theta0 + k.slope1 * k.theta1);
  return k;
}

/// Rates of an element in the chord basis, and of its strains.
template <class Real>
struct RodRates {
  Real chord;           ///< l̃˙, m/s
  Real beta;            ///< β̇, rad/s
  Real theta0, theta1;  ///< θ̇₀, θ̇₁, rad/s
};

template <class Real>
[[nodiscard]] RodRates<Real> calc_rates(const RodKinematics<Real>& k, const Vector6<Real>& v) {
  const Real dx = v(4) - v(0);
  const Real dy = v(5) - v(1);
  RodRates<Real> r;
  r.chord = k.cosine * dx + k.sine * dy;
  r.beta = (k.cosine * dy - k.sine * dx) * k.inverse_chord;
  r.theta0 = v(2) - r.beta;
  r.theta1 = v(3) - r.beta;
  return r;
}

/// A generalized force from the chord basis to q: β̇ is split over the ends' transverse motions,
/// then the pairs are turned into X, Y.
template <class Real>
[[nodiscard]] Vector6<Real> turn_force(const RodKinematics<Real>& k, const Vector6<Real>& f) {
  const Real n1 = f(kBeta) * k.inverse_chord;
  const Real n0 = f(kN0) - n1;
  Vector6<Real> g;
  g(0) = k.cosine * f(kS0) - k.sine * n0;
  g(1) = k.sine * f(kS0) + k.cosine * n0;
  g(2) = f(kAlpha0);
  g(3) = f(kAlpha1);
  g(4) = k.cosine * f(kS1) - k.sine * n1;
  g(5) = k.sine * f(kS1) + k.cosine * n1;
  return g;
}

}  // namespace fem
