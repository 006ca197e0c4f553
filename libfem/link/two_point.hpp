// Spring and damper between two points, along the line that joins them. Theory in link/README.md.
// Pure functions of q = (X₀, Y₀, Z₀, X₁, Y₁, Z₁) and its rate; in the plane Z = 0.
//
//   symbol   code         unit       meaning
//   k        stiffness    N/m
//   c        viscosity    N s/m
//   ρ₀       length       m          natural length
//   ρ        distance     m
//   ρ̇        rate         m/s
//   F        tension      N          k(ρ − ρ₀) + c ρ̇
//   F ρ_q    force        N          what resists, as U_q does; ρ_q = (−t, t). The points get ±F t
//   V        potential    J          ½ k (ρ − ρ₀)²
//   P        dissipated   W          c ρ̇² ≥ 0;  F ρ_q·q̇ = V̇ + P
//
// Where the points meet, t is undefined. Then `defined` is false, t is X, and all numbers are
// finite but mean nothing: the caller turns it into an Outcome. A spring without damper and natural
// length, F ρ_q = k (r₀ − r₁, r₁ − r₀), needs no direction and is defined everywhere.
#pragma once

#include <algorithm>
#include <limits>

#include <Eigen/Core>

#include "libfem/link/line.hpp"

namespace fem {

struct TwoPointLaw {
  double stiffness = 0;
  double viscosity = 0;
  double length = 0;
};

struct TwoPointForce {
  double distance = 0;
  double rate = 0;
  double tension = 0;
  Vector6d force = Vector6d::Zero();
  double potential = 0;
  double dissipated = 0;
  bool defined = true;
};

/// Derivatives of `force`: stiffness ∂/∂q (if c = 0 it is V_qq, symmetric) and damping ∂/∂q̇.
struct TwoPointTangent {
  Matrix6d stiffness, damping;
};

namespace two_point_detail {

/// ρ/ρ₀ below which the line between the points is no direction.
inline constexpr double kMeeting = 1e-9;

/// Without damper and natural length `inverse` stays 0: no direction is needed.
[[nodiscard]] inline Line line(const TwoPointLaw& law, const Vector6d& q) {
  Line r = line_between(q, std::max(kMeeting * law.length, std::numeric_limits<double>::min()));
  if (law.length == 0 && law.viscosity == 0) {
    r.defined = true;
    r.inverse = 0;
  }
  return r;
}

}  // namespace two_point_detail

[[nodiscard]] inline TwoPointForce two_point_force(const TwoPointLaw& law, const Vector6d& q,
                                                   const Vector6d& v) {
  const Line t = two_point_detail::line(law, q);
  const double rate = t.direction.dot(v.tail<3>() - v.head<3>());
  const double elongation = t.distance - law.length;
  const double tension = law.stiffness * elongation + law.viscosity * rate;
  return {.distance = t.distance,
          .rate = rate,
          .tension = tension,
          .force = tension * t.gradient(),
          .potential = 0.5 * law.stiffness * elongation * elongation,
          .dissipated = law.viscosity * rate * rate,
          .defined = t.defined};
}

/// k ρ_qρ_qᵀ + F ρ_qq + c ρ_q(ρ_qq q̇)ᵀ and c ρ_qρ_qᵀ.
[[nodiscard]] inline TwoPointTangent two_point_tangent(const TwoPointLaw& law, const Vector6d& q,
                                                       const Vector6d& v) {
  const Line t = two_point_detail::line(law, q);
  const Vector6d g = t.gradient();
  // F/ρ, in the form that is k where there is neither damper nor natural length.
  const double across =
      law.stiffness * (1 - law.length * t.inverse) + law.viscosity * g.dot(v) * t.inverse;
  Line unit = t;
  unit.inverse = 1;
  const Matrix6d turn = unit.second();  // ρ ρ_qq
  return {.stiffness = law.stiffness * g * g.transpose() + across * turn +
                       law.viscosity * t.inverse * g * (turn * v).transpose(),
          .damping = law.viscosity * g * g.transpose()};
}

}  // namespace fem
