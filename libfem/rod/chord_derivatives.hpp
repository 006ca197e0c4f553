// First and second derivatives of the chord's length and direction: what every tangent of the
// element is made of. t and n are spread over the difference of the end positions.
//
//   symbol            code                 shape
//   l̃_q = t           chord_q              6
//   β_q = n/l̃         beta_q               6
//   l̃_qq = nnᵀ/l̃      chord_qq             6×6
//   β_qq              beta_qq              6×6    −(tnᵀ + ntᵀ)/l̃²
//   ε_q, ε_qq         strain_q, strain_qq  6, 6×6 of (16)
#pragma once

#include "libfem/rod/kinematics.hpp"

namespace fem::rod_detail {

struct ChordDerivatives {
  Vector6<double> chord_q, beta_q;
  Matrix6<double> chord_qq, beta_qq;
};

[[nodiscard]] inline ChordDerivatives chord_derivatives(const RodKinematics<double>& k) {
  const Vector6<double> t{-k.cosine, -k.sine, 0, 0, k.cosine, k.sine};
  const Vector6<double> n{k.sine, -k.cosine, 0, 0, -k.sine, k.cosine};
  const double b = k.inverse_chord;
  return {.chord_q = t,
          .beta_q = n * b,
          .chord_qq = n * n.transpose() * b,
          .beta_qq = -(t * n.transpose() + n * t.transpose()) * (b * b)};
}

/// Gradients of θ₀ (end 0) and θ₁ (end 1).
[[nodiscard]] inline Vector6<double> theta_q(const ChordDerivatives& d, int end) {
  return Vector6<double>::Unit(2 + end) - d.beta_q;
}

[[nodiscard]] inline Vector6<double> strain_q(const RodConstants<double>& c,
                                              const RodKinematics<double>& k,
                                              const ChordDerivatives& d) {
  return d.chord_q * c.inverse_length + k.slope0 * theta_q(d, 0) + k.slope1 * theta_q(d, 1);
}

/// Second derivative of ½θ⁺².
[[nodiscard]] inline Matrix6<double> plus_form(const RodKinematics<double>& k,
                                               const ChordDerivatives& d) {
  const Vector6<double> plus_q = theta_q(d, 0) + theta_q(d, 1);
  return plus_q * plus_q.transpose() - 2 * k.plus * d.beta_qq;
}

/// Second derivative of ½θ⁻²; θ⁻ is linear.
[[nodiscard]] inline Matrix6<double> minus_form() {
  const Vector6<double> minus_q = Vector6<double>::Unit(3) - Vector6<double>::Unit(2);
  return minus_q * minus_q.transpose();
}

[[nodiscard]] inline Matrix6<double> strain_qq(const RodConstants<double>& c,
                                               const RodKinematics<double>& k,
                                               const ChordDerivatives& d) {
  return d.chord_qq * c.inverse_length + minus_form() / 12 + c.bow * plus_form(k, d);
}

}  // namespace fem::rod_detail
