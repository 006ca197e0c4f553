// Shape functions of the rod element: Danilin 2016, eqs. (13), (14), (34), (51).
//
//   symbol       code        unit  meaning
//   ξ = x/l      xi          –     dimensionless coordinate along the element, 0 ≤ ξ ≤ 1
//   α            alpha       –     shear coefficient (11)
//   φ, φ₀, φ₁    phi()       –     section rotation:  γ(x) = β φ + α₀ φ₀ + α₁ φ₁
//   ψ, ψ₀, ψ₁    psi()       m     deflection:        v(x) = θ₀ ψ₀ + θ₁ ψ₁,   ψ = ψ₀ + ψ₁
//
// They are the static solution of a shear-flexible rod bent by its end rotations.
#pragma once

#include <Eigen/Core>

namespace fem {

/// (φ, φ₀, φ₁) at ξ, eq. (52).
[[nodiscard]] inline Eigen::Vector3d phi(double xi, double alpha) {
  const double bubble = 3 * alpha * (xi - xi * xi);
  return {2 * bubble, 1 - xi - bubble, xi - bubble};
}

/// (1, x, ψ, ψ₀, ψ₁) at ξ for an element of length l (m), eq. (46).
[[nodiscard]] inline Eigen::Matrix<double, 5, 1> psi(double xi, double alpha, double length) {
  const double psi0 = length * xi * ((1 + alpha) / 2 + xi * (-(1 + 3 * alpha) / 2 + xi * alpha));
  const double psi1 = length * xi * ((alpha - 1) / 2 + xi * ((1 - 3 * alpha) / 2 + xi * alpha));
  return {1, length * xi, psi0 + psi1, psi0, psi1};
}

}  // namespace fem
