// Kinetic energy of one element from the motion of its material points, written from eqs. (11)-(21)
// and (32)-(35) of Danilin 2016 and nothing else: positions of points, their velocities by
// automatic differentiation in time, the integral along the element by quadrature. Lagrange's
// equations
//   d/dt ∂T/∂v − ∂T/∂q = M q̈ + f,   M = T_vv,   f = T_vq v − T_q
// then come from second derivatives of T. No kernel of libfem is used.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <Eigen/Core>

#include "libfem/rod/section.hpp"
#include "tests/support/dual.hpp"
#include "tests/support/quadrature.hpp"

namespace fem::test {

enum class InertiaField { paper, chord };

/// T(q, v), J.
template <class S>
[[nodiscard]] S kinetic_energy(const Section& section, double l, InertiaField field,
                               const std::array<S, 6>& q, const std::array<S, 6>& v) {
  using std::atan2;
  using std::cos;
  using std::sin;
  using std::sqrt;
  using T = Dual<S, 1>;  // a quantity and its rate
  std::array<T, 6> moving;
  for (std::size_t i = 0; i < 6; ++i) {
    moving[i].value = q[i];
    moving[i].d[0] = v[i];
  }
  const auto& [x0, y0, alpha0, alpha1, x1, y1] = moving;
  const double a =
      1 / (1 + 12 * section.bending_stiffness / (l * l * section.shear_stiffness));  // (11)
  const T chord = sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0));               // (18)
  const T cosine = (x1 - x0) / chord;                                                // (19)
  const T sine = (y1 - y0) / chord;
  const T beta = atan2(y1 - y0, x1 - x0);
  const auto from_chord = [&](const T& alpha) {  // (21), the turns dropped
    return atan2(sin(alpha) * cosine - cos(alpha) * sine, cos(alpha) * cosine + sin(alpha) * sine);
  };
  const T theta0 = from_chord(alpha0);
  const T theta1 = from_chord(alpha1);
  T stretch = (chord - l) / l;
  if (field == InertiaField::paper) {  // (16)
    stretch += 0.125 * ((theta1 - theta0) * (theta1 - theta0) / 3 +
                        a * a * (theta1 + theta0) * (theta1 + theta0) / 5);
  }
  S energy(0.0);
  for (const auto& [xi, weight] : gauss_points(4)) {  // exact for degree 7; T has degree 6
    const double phi0 = 1 - (1 + 3 * a) * xi + 3 * a * xi * xi;  // (14)
    const double phi1 = (1 - 3 * a) * xi + 3 * a * xi * xi;
    const double psi0 = l * (0.5 * (1 + a) * xi - 0.5 * (1 + 3 * a) * xi * xi + a * xi * xi * xi);
    const double psi1 = l * (0.5 * (a - 1) * xi + 0.5 * (1 - 3 * a) * xi * xi + a * xi * xi * xi);
    const T along = (1.0 + stretch) * (l * xi);
    const T across = theta0 * psi0 + theta1 * psi1;   // (13)
    const T x = x0 + along * cosine - across * sine;  // (32)
    const T y = y0 + along * sine + across * cosine;
    const T turn = beta + theta0 * phi0 + theta1 * phi1;
    energy += 0.5 * l * weight *
              (section.mass_per_length * (x.d[0] * x.d[0] + y.d[0] * y.d[0]) +
               section.inertia_per_length * turn.d[0] * turn.d[0]);
  }
  return energy;
}

struct LagrangeTerms {
  double energy = 0;
  Eigen::Matrix<double, 6, 6> mass;
  Eigen::Matrix<double, 6, 1> force;
};

[[nodiscard]] inline LagrangeTerms lagrange_terms(const Section& section, double l,
                                                  InertiaField field,
                                                  const Eigen::Matrix<double, 6, 1>& q,
                                                  const Eigen::Matrix<double, 6, 1>& v) {
  using S = Hessian<12>;
  std::array<S, 6> position;
  std::array<S, 6> velocity;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    position[i] = hessian_variable<12>(q(k), i);
    velocity[i] = hessian_variable<12>(v(k), 6 + i);
  }
  const S energy = kinetic_energy(section, l, field, position, velocity);
  LagrangeTerms r;
  r.energy = energy.value.value;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    r.force(row) = -energy.d[i].value;
    for (std::size_t j = 0; j < 6; ++j) {
      const auto column = static_cast<Eigen::Index>(j);
      r.mass(row, column) = energy.d[6 + i].d[6 + j];
      r.force(row) += energy.d[6 + i].d[j] * v(column);
    }
  }
  return r;
}

}  // namespace fem::test
