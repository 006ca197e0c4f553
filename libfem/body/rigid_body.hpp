// A rigid body that moves with a point (the pole) and an angle: the end section of a rod, or its
// own. Danilin 2016, eqs. (71)-(75), in the form that holds at every angle; theory in
// body/README.md. Pure functions from values to values, on the coordinates (X, Y, α) of the pole.
//
//   M q̈ + f = Q
//
//   symbol      code                 shape  unit     meaning
//   M           mass                        kg
//   S_x, S_y    static_x, static_y          kg m     M y_C, M x_C; C from the pole, body's axes
//   I           inertia                     kg m²    about the pole
//   r           first_moment()       2      kg m     ∫(R − pole) dM in the inertial axes,
//                                           (S_y cos α − S_x sin α, S_y sin α + S_x cos α)
//   M_b         mass_matrix()        3×3    kg …     [[M, 0, −r_y], [0, M, r_x], [−r_y, r_x, I]]
//   f           velocity_force()     3      N, N m   (−α̇² r, 0)
//   Q_g         gravity_force()      3      N, N m   (M g, g_y r_x − g_x r_y)
//   V           gravity_potential()         J        −M g·(X, Y) − g·r
//   ∂²V/∂α²     gravity_stiffness()         N m      g·r, the only second derivative of V
//   T           kinetic_energy()            J
#pragma once

#include <array>
#include <cmath>

#include <Eigen/Core>

namespace fem {

struct RigidBody {
  double mass = 0;
  double static_x = 0;
  double static_y = 0;
  double inertia = 0;
};

/// From the centre of mass in the body's axes (m) and the inertia about the pole, not the centre.
[[nodiscard]] constexpr RigidBody make_rigid_body(double mass, double inertia,
                                                  const std::array<double, 2>& center) {
  return {
      .mass = mass, .static_x = mass * center[1], .static_y = mass * center[0], .inertia = inertia};
}

/// r: what the angle enters through.
template <class Real>
struct FirstMoment {
  Real x, y;
};

template <class Real>
[[nodiscard]] FirstMoment<Real> first_moment(const RigidBody& body, const Real& angle) {
  using std::cos;
  using std::sin;
  const Real c = cos(angle);
  const Real s = sin(angle);
  return {.x = body.static_y * c - body.static_x * s, .y = body.static_y * s + body.static_x * c};
}

/// M_b, both triangles.
template <class Real>
[[nodiscard]] Eigen::Matrix3<Real> mass_matrix(const RigidBody& body, const FirstMoment<Real>& r) {
  Eigen::Matrix3<Real> m;
  m(0, 0) = m(1, 1) = Real(body.mass);
  m(0, 1) = m(1, 0) = Real(0);
  m(2, 0) = m(0, 2) = -r.y;
  m(2, 1) = m(1, 2) = r.x;
  m(2, 2) = Real(body.inertia);
  return m;
}

/// f at the rate α̇ of the angle.
template <class Real>
[[nodiscard]] Eigen::Vector3<Real> velocity_force(const FirstMoment<Real>& r, const Real& rate) {
  const Real squared = rate * rate;
  return {-squared * r.x, -squared * r.y, Real(0)};
}

/// Q_g, on the right of the equations of motion; gravity in m/s², inertial axes.
template <class Real>
[[nodiscard]] Eigen::Vector3<Real> gravity_force(const RigidBody& body, const FirstMoment<Real>& r,
                                                 const std::array<double, 2>& gravity) {
  return {Real(body.mass * gravity[0]), Real(body.mass * gravity[1]),
          gravity[1] * r.x - gravity[0] * r.y};
}

/// V, zero at the origin of the inertial axes.
template <class Real>
[[nodiscard]] Real gravity_potential(const RigidBody& body, const FirstMoment<Real>& r,
                                     const std::array<double, 2>& gravity, const Real& x,
                                     const Real& y) {
  return -(gravity[0] * (body.mass * x + r.x) + gravity[1] * (body.mass * y + r.y));
}

/// ∂²V/∂α² = −∂Q_g/∂α on α; all other second derivatives of V are zero.
template <class Real>
[[nodiscard]] Real gravity_stiffness(const FirstMoment<Real>& r,
                                     const std::array<double, 2>& gravity) {
  return gravity[0] * r.x + gravity[1] * r.y;
}

/// What a frame that turns steadily at ω does to a body at rest in it, (X, Y) from the frame's pole,
/// in a uniform field e (rod/frame_load.hpp): V = e·(M (X, Y) + r) − ½ ω² (M (X² + Y²) + 2 (X, Y)·r + J).
struct FrameLoad {
  Eigen::Vector3d force;       ///< V_q
  Eigen::Matrix3d stiffness;   ///< V_qq
  Eigen::Matrix3d gyroscopic;  ///< skew; the force of velocities v in the frame is this times v
};
[[nodiscard]] inline FrameLoad frame_load(const RigidBody& body, const FirstMoment<double>& r,
                                          double x, double y, double rate,
                                          const std::array<double, 3>& field) {
  const double m = body.mass;
  const double square = rate * rate;
  FrameLoad load;
  load.force << m * field[0] - square * (m * x + r.x), m * field[1] - square * (m * y + r.y),
      field[1] * r.x - field[0] * r.y - square * (y * r.x - x * r.y);
  load.stiffness << -square * m, 0, square * r.y, 0, -square * m, -square * r.x, square * r.y,
      -square * r.x, square * (x * r.x + y * r.y) - field[0] * r.x - field[1] * r.y;
  load.gyroscopic << 0, -m, -r.x, m, 0, -r.y, r.x, r.y, 0;
  load.gyroscopic *= 2 * rate;
  return load;
}

/// T = ½ vᵀ M_b v, v = (Ẋ, Ẏ, α̇).
template <class Real>
[[nodiscard]] Real kinetic_energy(const RigidBody& body, const FirstMoment<Real>& r,
                                  const Eigen::Vector3<Real>& v) {
  return 0.5 * (body.mass * (v(0) * v(0) + v(1) * v(1)) + body.inertia * (v(2) * v(2))) +
         v(2) * (r.x * v(1) - r.y * v(0));
}

}  // namespace fem
