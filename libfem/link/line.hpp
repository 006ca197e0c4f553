// The line between two points, in space or in the plane (Z = 0 at both).
//
//   symbol   code          unit   meaning
//   ρ        distance      m
//   t        direction     –      unit vector from point 0 to point 1
//   ρ_q      gradient()    –      (−t, t), of q = (r₀, r₁)
//   ρ_qq     second()      1/m    [A −A; −A A]/ρ, A = E − t tᵀ
#pragma once

#include <cmath>

#include <Eigen/Core>

namespace fem {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

struct Line {
  double distance = 0;
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();
  double inverse = 0;   ///< 1/ρ; 0 where the points meet
  bool defined = true;  ///< whether there is a direction

  [[nodiscard]] Vector6d gradient() const {
    Vector6d g;
    g << -direction, direction;
    return g;
  }
  [[nodiscard]] Matrix6d second() const {
    const Eigen::Matrix3d across =
        inverse * (Eigen::Matrix3d::Identity() - direction * direction.transpose());
    Matrix6d s;
    s << across, -across, -across, across;
    return s;
  }
};

/// The line of q = (r₀, r₁), which has no direction up to the distance `least`.
[[nodiscard]] inline Line line_between(const Vector6d& q, double least) {
  const Eigen::Vector3d d = q.tail<3>() - q.head<3>();
  Line line{.distance = std::hypot(d(0), d(1), d(2))};
  if (line.distance > 0) line.direction = d / line.distance;
  line.defined = line.distance > least;
  if (line.defined) line.inverse = 1 / line.distance;
  return line;
}

}  // namespace fem
