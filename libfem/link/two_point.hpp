// Spring and damper between two points, along the line that joins them. Theory in link/README.md.
// Pure functions of q = (X₀, Y₀, X₁, Y₁) and its rate.
//
//   symbol   code         unit       meaning
//   k        stiffness    N/m
//   c        viscosity    N s/m
//   ρ₀       length       m          natural length
//   ρ        distance     m
//   ρ̇        rate         m/s
//   t, n     –            –          unit vectors from point 0 to point 1, and across: t turned π/2
//   F        tension      N          k(ρ − ρ₀) + c ρ̇
//   F ρ_q    force        N          what resists, as U_q does; ρ_q = (−t, t). The points get ±F t
//   V        potential    J          ½ k (ρ − ρ₀)²
//   P        dissipated   W          c ρ̇² ≥ 0;  F ρ_q·q̇ = V̇ + P
//
// Where the points meet, t is undefined. Then `defined` is false, t is (1, 0), and all numbers are
// finite but mean nothing: the caller turns it into an Outcome. A spring without damper and natural
// length, F ρ_q = k (r₀ − r₁, r₁ − r₀), needs no direction and is defined everywhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Core>

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
  Eigen::Vector4d force = Eigen::Vector4d::Zero();
  double potential = 0;
  double dissipated = 0;
  bool defined = true;
};

/// Derivatives of `force`: stiffness ∂/∂q (if c = 0 it is V_qq, symmetric) and damping ∂/∂q̇.
struct TwoPointTangent {
  Eigen::Matrix4d stiffness, damping;
};

namespace two_point_detail {

/// ρ/ρ₀ below which the line between the points is no direction.
inline constexpr double kMeeting = 1e-9;

struct Line {
  double distance = 0, x = 1, y = 0;  // ρ, t
  double inverse = 0;                 // 1/ρ; zero where t is not needed or not defined
  bool defined = true;
};

[[nodiscard]] inline Line line(const TwoPointLaw& law, const Eigen::Vector4d& q) {
  const double dx = q(2) - q(0);
  const double dy = q(3) - q(1);
  Line r{.distance = std::hypot(dx, dy)};
  if (r.distance > 0) {
    r.x = dx / r.distance;
    r.y = dy / r.distance;
  }
  if (law.length > 0 || law.viscosity > 0) {
    r.defined = r.distance > std::max(kMeeting * law.length, std::numeric_limits<double>::min());
    if (r.defined) r.inverse = 1 / r.distance;
  }
  return r;
}

}  // namespace two_point_detail

[[nodiscard]] inline TwoPointForce two_point_force(const TwoPointLaw& law, const Eigen::Vector4d& q,
                                                   const Eigen::Vector4d& v) {
  const two_point_detail::Line t = two_point_detail::line(law, q);
  const double rate = (v(2) - v(0)) * t.x + (v(3) - v(1)) * t.y;
  const double elongation = t.distance - law.length;
  const double tension = law.stiffness * elongation + law.viscosity * rate;
  return {.distance = t.distance,
          .rate = rate,
          .tension = tension,
          .force = {-tension * t.x, -tension * t.y, tension * t.x, tension * t.y},
          .potential = 0.5 * law.stiffness * elongation * elongation,
          .dissipated = law.viscosity * rate * rate,
          .defined = t.defined};
}

/// k ρ_qρ_qᵀ + F ρ_qq + c ρ_q(ρ_qq q̇)ᵀ with ρ_qq = hhᵀ/ρ, h = (−n, n), and c ρ_qρ_qᵀ.
[[nodiscard]] inline TwoPointTangent two_point_tangent(const TwoPointLaw& law,
                                                       const Eigen::Vector4d& q,
                                                       const Eigen::Vector4d& v) {
  const two_point_detail::Line t = two_point_detail::line(law, q);
  const Eigen::Vector4d g(-t.x, -t.y, t.x, t.y);
  const Eigen::Vector4d h(t.y, -t.x, -t.y, t.x);
  // F/ρ, in the form that is k where there is neither damper nor natural length.
  const double across =
      law.stiffness * (1 - law.length * t.inverse) + law.viscosity * g.dot(v) * t.inverse;
  const double shear = law.viscosity * h.dot(v) * t.inverse;
  return {.stiffness = law.stiffness * g * g.transpose() + across * h * h.transpose() +
                       shear * g * h.transpose(),
          .damping = law.viscosity * g * g.transpose()};
}

}  // namespace fem
