// The integrals over one element that are computed once per section and length:
// Danilin 2016, eqs. (61)-(70), in closed form.
//
//   symbol             code        shape  unit  meaning
//   Ψ                  Psi         5×5    m..m³ ∫ψψᵀdx,   ψ = (1, x, ψ, ψ₀, ψ₁)     (62)
//   Z                  Z           3×5    m..m² ∫φψᵀdx,   φ = (φ, φ₀, φ₁)           (63)
//   Φ                  Phi         3×3    m     ∫φφᵀdx                              (64)
//   Φˣ                 Phi_x       3×3    m²    ∫x φφᵀdx                            (67), corrected
//   Φ^ψ, Φ^ψ₀, Φ^ψ₁    Phi_psi …   3×3    m²    ∫ψ φφᵀdx …                          (68)-(70)
//
// Misprints put right here: Φˣ₂₃ has 3α/5, not 3α/4; Φ^ψ₁₂ = −Φ^ψ₁₃.
#pragma once

#include <Eigen/Core>

namespace fem {

struct RodMatrices {
  Eigen::Matrix<double, 5, 5> Psi;
  Eigen::Matrix<double, 3, 5> Z;
  Eigen::Matrix3d Phi;
  Eigen::Matrix3d Phi_x;
  Eigen::Matrix3d Phi_psi;
  Eigen::Matrix3d Phi_psi0;
  Eigen::Matrix3d Phi_psi1;
};

/// All integrals of an element of length l (m) with shear coefficient α in (0, 1].
[[nodiscard]] inline RodMatrices make_rod_matrices(double l, double alpha) {
  const double a = alpha;
  const double l2 = l * l;
  const double l3 = l2 * l;
  RodMatrices r;

  const double p44 = l3 / 120 * (1 + a * a / 7);
  const double p45 = l3 / 120 * (-1 + a * a / 7);
  const double p24 = l3 / 24 * (1 - a / 5);
  const double p25 = -l3 / 24 * (1 + a / 5);
  const double p23 = -l3 / 60 * a;
  const double p34 = l3 / 420 * a * a;
  r.Psi << l, l2 / 2, 0, l2 / 12, -l2 / 12,  //
      l2 / 2, l3 / 3, p23, p24, p25,         //
      0, p23, l3 / 210 * a * a, p34, p34,    //
      l2 / 12, p24, p34, p44, p45,           //
      -l2 / 12, p25, p34, p45, p44;

  r.Z << l * a, l2 / 2 * a, 0, l2 / 10 * a, -l2 / 10 * a,  //
      l / 2 * (1 - a), l2 / 2 * (1.0 / 3 - a / 2), l2 / 60 * a, l2 / 24 * (1 - a),
      -l2 / 24 * (1 - 7 * a / 5),  //
      l / 2 * (1 - a), l2 * (1.0 / 3 - a / 4), -l2 / 60 * a, l2 / 24 * (1 - 7 * a / 5),
      -l2 / 24 * (1 - a);

  const double f12 = l * a * (0.5 - 3 * a / 5);
  const double f22 = l / 3 - l / 2 * a * (1 - 3 * a / 5);
  const double f23 = l / 6 - l / 2 * a * (1 - 3 * a / 5);
  r.Phi << 6.0 / 5 * l * a * a, f12, f12, f12, f22, f23, f12, f23, f22;

  const double x12 = l2 / 5 * a * (1 - 3 * a / 2);
  const double x13 = 3 * l2 / 10 * a * (1 - a);
  const double x22 = l2 / 12 - l2 / 5 * a * (1 - 3 * a / 4);
  const double x23 = l2 / 12 - l2 / 4 * a * (1 - 3 * a / 5);
  const double x33 = l2 / 4 - 3 * l2 / 10 * a * (1 - a / 2);
  r.Phi_x << 3 * l2 / 5 * a * a, x12, x13, x12, x22, x23, x13, x23, x33;

  const double s12 = l2 / 70 * a * a;
  const double s22 = l2 / 10 * a * (1.0 / 6 - a / 7);
  r.Phi_psi << 0, s12, -s12, s12, s22, 0, -s12, 0, -s22;

  const double t11 = 9 * l2 / 70 * a * a;
  const double t12 = l2 / 5 * a * (0.25 - 2 * a / 7);
  const double t13 = l2 / 2 * a * (0.1 - a / 7);
  const double t22 = l2 / 8 * (0.2 - a * (1.0 / 3 - a / 5));
  const double t23 = l2 / 20 * (1.0 / 3 - a * (1 - 9 * a / 14));
  const double t33 = l2 / 40 * (1 - a * (7.0 / 3 - 11 * a / 7));
  r.Phi_psi0 << t11, t12, t13, t12, t22, t23, t13, t23, t33;
  r.Phi_psi1 << -t11, -t13, -t12, -t13, -t33, -t23, -t12, -t23, -t22;
  return r;
}

}  // namespace fem
