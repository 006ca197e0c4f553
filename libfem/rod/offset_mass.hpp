// A section whose centre of mass lies off the axis by y_c: what it adds to M and f.
//
// With the section's direction γ = β + θ(x) and normal ν = (−sin γ, cos γ) its mass moves with
// R = r + y_c ν, so (the paper's (36)-(39) hold only at γ = 0)
//   M −= m y_c ∫ (g p̂ᵀ + p̂ gᵀ) dx
//   f −= m y_c ∫ [γ̈₀ p̂ + γ̇² ŝ + g (cos θ a_t + sin θ a_n)] dx
// where p, s, g are the motions along, across and in rotation (rod/rod_inertia.hpp),
//   p̂ = cos θ p + sin θ s,   ŝ = −sin θ p + cos θ s,
// and a_t, a_n, γ̈₀ what remains of the accelerations at q̈ = 0. The integrals are taken exactly for
// all practical purposes, by six Gauss points: to first order in θ they would need a table more.
#pragma once

#include <array>
#include <cmath>

#include <Eigen/Core>

#include "libfem/rod/kinematics.hpp"
#include "libfem/rod/rod_constants.hpp"
#include "libfem/rod/rod_inertia.hpp"

namespace fem::rod_detail {

struct GaussPoint {
  double xi, weight;  // on [0, 1]
};

inline constexpr std::array<GaussPoint, 6> kSixPoints{
    {{0.033765242898423986, 0.085662246189585173},
     {0.16939530676686774, 0.18038078652406930},
     {0.38069040695840155, 0.23395696728634552},
     {0.61930959304159845, 0.23395696728634552},
     {0.83060469323313226, 0.18038078652406930},
     {0.96623475710157601, 0.085662246189585173}}};

/// The motions at one point of the axis, in the chord basis, and its section's rotation from the
/// chord.
template <class Real>
struct SectionMotion {
  Vector6<Real> p_hat, s_hat, turn;
  Real cosine, sine;
  Real x, psi0, psi1, phi;
  Real theta_rate;
};

template <class Real>
[[nodiscard]] SectionMotion<Real> section_motion(const RodConstants<Real>& c,
                                                 const RodKinematics<Real>& k,
                                                 const RodRates<Real>& r,
                                                 const InertiaStretch<Real>& eta, double xi) {
  using std::cos;
  using std::sin;
  const Real& a = c.alpha;
  const double bubble = xi - xi * xi;
  const Real phi0 = 1 - xi - 3.0 * bubble * a;
  const Real phi1 = xi - 3.0 * bubble * a;
  SectionMotion<Real> m;
  m.phi = 6.0 * bubble * a;
  m.x = xi * c.length;
  // ψ₀ + ψ₁ = lα(ξ − 3ξ² + 2ξ³), ψ₀ − ψ₁ = l(ξ − ξ²)  (14)
  const Real sum = c.length * a * (xi * (1 - xi) * (1 - 2 * xi));
  const Real difference = c.length * bubble;
  m.psi0 = 0.5 * (sum + difference);
  m.psi1 = 0.5 * (sum - difference);
  const Real theta = k.theta0 * phi0 + k.theta1 * phi1;
  m.theta_rate = r.theta0 * phi0 + r.theta1 * phi1;
  m.cosine = cos(theta);
  m.sine = sin(theta);

  Vector6<Real> p, s;
  p(kS0) = 1.0 - xi;
  p(kN0) = Real(0);
  p(kAlpha0) = m.x * eta.slope0;
  p(kAlpha1) = m.x * eta.slope1;
  p(kS1) = Real(xi);
  p(kBeta) = -m.x * (eta.slope0 + eta.slope1) - (k.theta0 * m.psi0 + k.theta1 * m.psi1);
  s(kS0) = Real(0);
  s(kN0) = Real(1);
  s(kAlpha0) = m.psi0;
  s(kAlpha1) = m.psi1;
  s(kS1) = Real(0);
  s(kBeta) = m.x * eta.one_plus - sum;
  for (int i = 0; i < 6; ++i) {
    m.p_hat(i) = m.cosine * p(i) + m.sine * s(i);
    m.s_hat(i) = m.cosine * s(i) - m.sine * p(i);
    m.turn(i) = Real(0);
  }
  m.turn(kAlpha0) = phi0;
  m.turn(kAlpha1) = phi1;
  m.turn(kBeta) = m.phi;
  return m;
}

template <class Real>
void subtract_mass(const SectionMotion<Real>& m, const Real& weight, Matrix6<Real>& M) {
  for (int j = 0; j < 6; ++j) {
    for (int i = j; i < 6; ++i) {
      M(i, j) -= weight * (m.turn(i) * m.p_hat(j) + m.p_hat(i) * m.turn(j));
    }
  }
}

/// Adds the offset mass to M (chord basis, lower triangle).
template <class Real>
void add_offset_mass(const RodConstants<Real>& c, const RodKinematics<Real>& k,
                     const InertiaStretch<Real>& eta, Matrix6<Real>& M) {
  const RodRates<Real> rest{Real(0), Real(0), Real(0), Real(0)};
  for (const GaussPoint& point : kSixPoints) {
    subtract_mass(section_motion(c, k, rest, eta, point.xi),
                  Real(point.weight * c.length * c.static_moment), M);
  }
}

/// Adds the offset mass to M and f (chord basis).
template <class Real>
void add_offset_mass(const RodConstants<Real>& c, const RodKinematics<Real>& k,
                     const RodRates<Real>& r, const InertiaStretch<Real>& eta,
                     const RestAcceleration<Real>& acc, Matrix6<Real>& M, Vector6<Real>& f) {
  for (const GaussPoint& point : kSixPoints) {
    const SectionMotion<Real> m = section_motion(c, k, r, eta, point.xi);
    const Real weight = point.weight * c.length * c.static_moment;
    subtract_mass(m, weight, M);
    const Real along = acc.ax * m.x + acc.a0 * m.psi0 + acc.a1 * m.psi1;
    const Real across = acc.bx * m.x + acc.b0 * m.psi0 + acc.b1 * m.psi1;
    const Real turn_acc = acc.beta * m.phi;
    const Real turn_rate = r.beta + m.theta_rate;
    const Real remainder = m.cosine * along + m.sine * across;
    for (int i = 0; i < 6; ++i) {
      f(i) -= weight *
              (turn_acc * m.p_hat(i) + turn_rate * turn_rate * m.s_hat(i) + remainder * m.turn(i));
    }
  }
}

/// m y_c ∫ν dx along and across the chord, kg m: what the offset adds to the first moment of mass.
[[nodiscard]] inline std::array<double, 2> offset_moment(const RodConstants<double>& c,
                                                         const RodKinematics<double>& k,
                                                         const InertiaStretch<double>& eta) {
  const RodRates<double> rest{0, 0, 0, 0};
  std::array<double, 2> sum{};
  for (const GaussPoint& point : kSixPoints) {
    const auto m = section_motion(c, k, rest, eta, point.xi);
    const double weight = point.weight * c.length * c.static_moment;
    sum[0] -= weight * m.sine;
    sum[1] += weight * m.cosine;
  }
  return sum;
}

}  // namespace fem::rod_detail
