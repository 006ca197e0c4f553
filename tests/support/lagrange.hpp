// Lagrange's equations by automatic differentiation: from energies that a test writes down, the
// matrices and forces that the library must have,
//   d/dt ∂T/∂v − ∂T/∂q = M q̈ + f,   M = T_vv,   f = T_vq v − T_q.
#pragma once

#include <array>
#include <cstddef>

#include <Eigen/Core>

#include "tests/support/dual.hpp"

namespace fem::test {

template <std::size_t N>
using ObjectVector = Eigen::Matrix<double, static_cast<int>(N), 1>;
template <std::size_t N>
using ObjectMatrix = Eigen::Matrix<double, static_cast<int>(N), static_cast<int>(N)>;

template <std::size_t N>
struct LagrangeTerms {
  double energy = 0;
  ObjectMatrix<N> mass;
  ObjectVector<N> force;
};

/// M and f of a kinetic energy T(q, v), a template on its scalar.
template <std::size_t N, class Energy>
[[nodiscard]] LagrangeTerms<N> lagrange_terms(const Energy& kinetic_energy,
                                              const ObjectVector<N>& q, const ObjectVector<N>& v) {
  using S = Hessian<2 * N>;
  std::array<S, N> position;
  std::array<S, N> velocity;
  for (std::size_t i = 0; i < N; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    position[i] = hessian_variable<2 * N>(q(k), i);
    velocity[i] = hessian_variable<2 * N>(v(k), N + i);
  }
  const S energy = kinetic_energy(position, velocity);
  LagrangeTerms<N> r;
  r.energy = energy.value.value;
  for (std::size_t i = 0; i < N; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    r.force(row) = -energy.d[i].value;
    for (std::size_t j = 0; j < N; ++j) {
      const auto column = static_cast<Eigen::Index>(j);
      r.mass(row, column) = energy.d[N + i].d[N + j];
      r.force(row) += energy.d[N + i].d[j] * v(column);
    }
  }
  return r;
}

template <std::size_t N>
struct PotentialTerms {
  double energy = 0;
  ObjectVector<N> force;      ///< V_q
  ObjectMatrix<N> stiffness;  ///< V_qq
};

/// Gradient and second derivatives of a potential V(q).
template <std::size_t N, class Potential>
[[nodiscard]] PotentialTerms<N> potential_terms(const Potential& potential,
                                                const ObjectVector<N>& q) {
  std::array<Hessian<N>, N> position;
  for (std::size_t i = 0; i < N; ++i) {
    position[i] = hessian_variable<N>(q(static_cast<Eigen::Index>(i)), i);
  }
  const Hessian<N> energy = potential(position);
  PotentialTerms<N> r;
  r.energy = energy.value.value;
  for (std::size_t i = 0; i < N; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    r.force(row) = energy.d[i].value;
    for (std::size_t j = 0; j < N; ++j) {
      r.stiffness(row, static_cast<Eigen::Index>(j)) = energy.d[i].d[j];
    }
  }
  return r;
}

/// ∂P/∂v of a function P(q, v) of the velocities, at fixed q.
template <std::size_t N, class Power>
[[nodiscard]] ObjectVector<N> velocity_gradient(const Power& power, const ObjectVector<N>& q,
                                                const ObjectVector<N>& v) {
  std::array<Gradient<N>, N> position;
  std::array<Gradient<N>, N> velocity;
  for (std::size_t i = 0; i < N; ++i) {
    position[i] = Gradient<N>(q(static_cast<Eigen::Index>(i)));
    velocity[i] = gradient_variable<N>(v(static_cast<Eigen::Index>(i)), i);
  }
  const Gradient<N> value = power(position, velocity);
  ObjectVector<N> r;
  for (std::size_t i = 0; i < N; ++i) r(static_cast<Eigen::Index>(i)) = value.d[i];
  return r;
}

}  // namespace fem::test
