// Generalized forces of a load along an element: Danilin 2016, eqs. (78), (79).
//
//   symbol      code           unit     meaning
//   p_x, p_y    force          N/m      at the element's ends, inertial axes, linear between
//   p_μ         moment         N m/m    at the element's ends
//
// The load's work is taken on the motion that the inertia uses (rod/rod_inertia.hpp), so that
// gravity as a load and gravity as an acceleration are the same.
#pragma once

#include <array>

#include "libfem/rod/rod_element.hpp"

namespace fem {

struct RodElementLoad {
  std::array<std::array<double, 2>, 2> force{};
  std::array<double, 2> moment{};
};

/// Q on (X₀, Y₀, α₀, α₁, X₁, Y₁).
[[nodiscard]] inline Vector6<double> rod_load_force(const RodConstants<double>& c,
                                                    const RodKinematics<double>& k,
                                                    const RodElementLoad& load) {
  const auto eta = rod_detail::inertia_stretch(c, k);
  const RodMatrices r = make_rod_matrices(c.length, c.alpha);
  // Moments of a linear load p with 1, x, ψ₀, ψ₁ and φ, φ₀, φ₁: columns 1 and x of Ψ and Z.
  const auto psi_moment = [&](double p0, double p1, int row) {
    return p0 * r.Psi(row, 0) + (p1 - p0) * c.inverse_length * r.Psi(row, 1);
  };
  const auto phi_moment = [&](int row) {
    return load.moment[0] * r.Z(row, 0) +
           (load.moment[1] - load.moment[0]) * c.inverse_length * r.Z(row, 1);
  };
  const auto along = [&](const std::array<double, 2>& p) {
    return k.cosine * p[0] + k.sine * p[1];
  };
  const auto across = [&](const std::array<double, 2>& p) {
    return k.cosine * p[1] - k.sine * p[0];
  };
  const double t0 = along(load.force[0]);
  const double t1 = along(load.force[1]);
  const double n0 = across(load.force[0]);
  const double n1 = across(load.force[1]);

  constexpr int one = 0, x = 1, psi0 = 3, psi1 = 4;
  const double tx = psi_moment(t0, t1, x);
  const double tv = k.theta0 * psi_moment(t0, t1, psi0) + k.theta1 * psi_moment(t0, t1, psi1);
  const double nx = psi_moment(n0, n1, x);
  const double n_psi0 = psi_moment(n0, n1, psi0);
  const double n_psi1 = psi_moment(n0, n1, psi1);
  Vector6<double> f;
  f(kS0) = psi_moment(t0, t1, one) - c.inverse_length * tx;
  f(kN0) = psi_moment(n0, n1, one);
  f(kAlpha0) = eta.slope0 * tx + n_psi0 + phi_moment(1);
  f(kAlpha1) = eta.slope1 * tx + n_psi1 + phi_moment(2);
  f(kS1) = c.inverse_length * tx;
  f(kBeta) =
      -(eta.slope0 + eta.slope1) * tx - tv + eta.one_plus * nx - n_psi0 - n_psi1 + phi_moment(0);
  return turn_force(k, f);
}

}  // namespace fem
