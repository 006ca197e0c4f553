// The inertia of one element as Danilin 2016 prints it: matrices A, B of eq. (47) and C of (54) in
// OXY, with β and the α's standing explicitly in their columns, (81) for the mass matrix and (82)
// for the velocity forces, y_c = 0. Ȧ, Ḃ, Ċ ("the formulas are omitted") by automatic
// differentiation of (47), (54) in time. Valid as printed while the angles have made no turns.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <Eigen/Core>

#include "libfem/rod/rod_matrices.hpp"
#include "libfem/rod/section.hpp"
#include "tests/support/dual.hpp"

namespace fem::test {

template <class S>
struct PaperMatrices {
  std::array<std::array<S, 6>, 5> A, B;  // columns
  std::array<std::array<S, 6>, 3> C;
};

template <class S>
[[nodiscard]] PaperMatrices<S> paper_matrices(double l, double a, const std::array<S, 6>& q) {
  using std::atan2;
  using std::cos;
  using std::sin;
  using std::sqrt;
  const auto& [x0, y0, alpha0, alpha1, x1, y1] = q;
  const S chord = sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0));
  const S beta = atan2(y1 - y0, x1 - x0);
  const S cosine = cos(beta);
  const S sine = sin(beta);
  const S plus = alpha1 + alpha0 - 2 * beta;
  const S minus = alpha1 - alpha0;
  const S strain = (chord - l) / l + 0.125 * (minus * minus / 3 + a * a * plus * plus / 5);  // (16)
  const S zero(0.0);
  const S one(1.0);
  const std::array<S, 6> beta_q = {sine / chord, -cosine / chord, zero,  // (31)
                                   zero,         -sine / chord,   cosine / chord};
  std::array<S, 6> strain_q;  // (30)
  strain_q[0] = -cosine / l - a * a / 10 * plus * beta_q[0];
  strain_q[1] = -sine / l - a * a / 10 * plus * beta_q[1];
  strain_q[2] = 0.25 * (-minus / 3 + a * a / 5 * plus);
  strain_q[3] = 0.25 * (minus / 3 + a * a / 5 * plus);
  strain_q[4] = -strain_q[0];
  strain_q[5] = -strain_q[1];
  PaperMatrices<S> r;
  for (std::size_t i = 0; i < 6; ++i) {  // (47), (54)
    const auto e = [&](std::size_t k) { return i + 1 == k ? one : zero; };
    r.A[0][i] = e(1);
    r.B[0][i] = e(2);
    r.A[1][i] = cosine * strain_q[i] - (1 + strain) * sine * beta_q[i];
    r.B[1][i] = sine * strain_q[i] + (1 + strain) * cosine * beta_q[i];
    r.A[2][i] = (sine + beta * cosine) * beta_q[i];
    r.B[2][i] = (-cosine + beta * sine) * beta_q[i];
    r.A[3][i] = -sine * e(3) - alpha0 * cosine * beta_q[i];
    r.B[3][i] = cosine * e(3) - alpha0 * sine * beta_q[i];
    r.A[4][i] = -sine * e(4) - alpha1 * cosine * beta_q[i];
    r.B[4][i] = cosine * e(4) - alpha1 * sine * beta_q[i];
    r.C[0][i] = beta_q[i];
    r.C[1][i] = e(3);
    r.C[2][i] = e(4);
  }
  return r;
}

struct PaperInertia {
  Eigen::Matrix<double, 6, 6> mass;   // (81)
  Eigen::Matrix<double, 6, 1> force;  // (82), −F + Q − U_q
};

[[nodiscard]] inline PaperInertia paper_inertia(const Section& section, double l,
                                                const Eigen::Matrix<double, 6, 1>& q,
                                                const Eigen::Matrix<double, 6, 1>& v) {
  const double a = shear_coefficient(section, l);
  const RodMatrices tables = make_rod_matrices(l, a);
  std::array<Gradient<1>, 6> moving;
  for (std::size_t i = 0; i < 6; ++i) {
    moving[i].value = q(static_cast<Eigen::Index>(i));
    moving[i].d[0] = v(static_cast<Eigen::Index>(i));
  }
  const auto matrices = paper_matrices(l, a, moving);
  const auto split = [](const auto& columns, auto& value, auto& rate) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      for (std::size_t i = 0; i < 6; ++i) {
        value(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = columns[j][i].value;
        rate(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = columns[j][i].d[0];
      }
    }
  };
  Eigen::Matrix<double, 6, 5> A, A_rate, B, B_rate;
  Eigen::Matrix<double, 6, 3> C, C_rate;
  split(matrices.A, A, A_rate);
  split(matrices.B, B, B_rate);
  split(matrices.C, C, C_rate);
  const double m = section.mass_per_length;
  const double inertia = section.inertia_per_length;
  PaperInertia r;
  r.mass = m * (A * tables.Psi * A.transpose() + B * tables.Psi * B.transpose()) +
           inertia * C * tables.Phi * C.transpose();
  const Eigen::Matrix<double, 6, 6> gyration =
      m * (A_rate * tables.Psi * A.transpose() + B_rate * tables.Psi * B.transpose()) +
      inertia * C_rate * tables.Phi * C.transpose();
  r.force = gyration.transpose() * v;
  return r;
}

}  // namespace fem::test
