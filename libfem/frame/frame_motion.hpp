// A moving frame: the state of the motion is relative to it. Mušicki 2002, §3; pure functions.
//
// The frame's pole A moves and its axes turn by ψ about Z, ω = ψ̇, both by laws. With r and v what an
// observer in the frame sees, all components in the frame's axes, coordinates move absolutely with
//
//   v_abs = v + s,   s = v_A + ω × r              of an angle: v + ω          (transport)
//   a_abs = a + b,   b = a_A + ω̇ × r + 2 ω × v − ω² r     of an angle: a + ω̇   (transport, Coriolis)
//
// The kinetic energy does not know which axes its components are written in: with M and f, the
// inertia and the forces of the structure, M(q) a_abs + f(q, v_abs) = Dᵀλ holds in the frame's
// axes, so that the frame adds the force M b at the velocities v + s, and nothing else.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "libfem/base/error.hpp"
#include "libfem/law/law.hpp"
#include "libfem/model/model.hpp"
#include "libfem/rod/frame_load.hpp"

namespace fem {

struct FrameMotion {
  std::array<double, 3> origin{};  ///< of the pole, in the inertial axes, m
  double angle = 0;                ///< ψ, rad
  double rate = 0;                 ///< ω, rad/s
  double acceleration = 0;         ///< ω̇, rad/s²
  // In the frame's axes:
  std::array<double, 3> pole_velocity{};      ///< v_A, m/s
  std::array<double, 3> pole_acceleration{};  ///< a_A, m/s²
  std::array<double, 3> gravity{};            ///< m/s²
};

/// A vector of the inertial axes in those of a frame that is turned by `angle`.
[[nodiscard]] inline std::array<double, 3> into_frame(double angle,
                                                      const std::array<double, 3>& x) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * x[0] + s * x[1], c * x[1] - s * x[0], x[2]};
}

/// The frame's motion at one time; the model has a frame.
[[nodiscard]] inline FrameMotion frame_motion(const Model& model, double t, Side side) {
  const Frame& frame = *model.frame;
  const LawValue turn = evaluate(model.laws[static_cast<std::size_t>(frame.angle)], t, side);
  FrameMotion motion{.angle = turn.value, .rate = turn.rate, .acceleration = turn.acceleration};
  std::array<double, 3> velocity{}, acceleration{};
  for (std::size_t k = 0; k < 3; ++k) {
    const LawValue x = evaluate(model.laws[static_cast<std::size_t>(frame.origin[k])], t, side);
    motion.origin[k] = x.value;
    velocity[k] = x.rate;
    acceleration[k] = x.acceleration;
  }
  motion.pole_velocity = into_frame(motion.angle, velocity);
  motion.pole_acceleration = into_frame(motion.angle, acceleration);
  motion.gravity = into_frame(motion.angle, frame.gravity);
  return motion;
}

/// The frame as it is for what rests in it, where its rate does not change.
[[nodiscard]] inline SteadyFrame steady_frame(const FrameMotion& f) {
  SteadyFrame steady{.rate = f.rate};
  for (std::size_t k = 0; k < 3; ++k) steady.field[k] = f.pole_acceleration[k] - f.gravity[k];
  return steady;
}

/// s = v_A + ω × r of a point at r.
[[nodiscard]] inline std::array<double, 3> transport_velocity(const FrameMotion& f,
                                                              const std::array<double, 3>& r) {
  return {f.pole_velocity[0] - f.rate * r[1], f.pole_velocity[1] + f.rate * r[0],
          f.pole_velocity[2]};
}

/// b = a_A + ω̇ × r + 2 ω × v − ω² r of a point at r that moves with v.
[[nodiscard]] inline std::array<double, 3> frame_acceleration(const FrameMotion& f,
                                                              const std::array<double, 3>& r,
                                                              const std::array<double, 3>& v) {
  const double square = f.rate * f.rate;
  return {f.pole_acceleration[0] - f.acceleration * r[1] - 2 * f.rate * v[1] - square * r[0],
          f.pole_acceleration[1] + f.acceleration * r[0] + 2 * f.rate * v[0] - square * r[1],
          f.pole_acceleration[2]};
}

/// Throws InputError if the model has a frame whose rate changes at t: Euler's force has no
/// potential, so that statics and modes cannot use it.
inline void refuse_changing_frame(const Model& model, double t) {
  if (!model.frame) return;
  const FrameMotion frame = frame_motion(model, t, Side::before);
  if (frame.acceleration == 0) return;
  throw InputError(Problem{"/frame/angle",
                           "the frame's rate changes at the time at which statics and modes take it",
                           "give \"statics\" a \"time\" at which the frame turns steadily"});
}

}  // namespace fem
