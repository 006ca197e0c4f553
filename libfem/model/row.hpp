// One constraint row, f(q) = φ(t) + constant, and its derivatives along a motion.
//
//   f = Σ c_k q_k − (R(α) r)·e,     D = ∂f/∂q,     d/dt(D) v = (R(α) r)·e α̇²
//
// The second part is there for the points that a rigid body carries: r is the point in the body's
// axes, α the body's angle, e the axis X or Y. Values are read through a function of the natural
// coordinate, so that every layer may keep its vectors in its own order.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fem {

/// What a constraint row stands for.
enum class RowKind {
  support_x,
  support_y,
  support_angle,
  hinge_drive,
  hinge_lock,
  rigid_joint,
  rigid_arm,
  unused_point
};

/// A rigid arm from a body's point to a point that it carries, along one axis.
struct Arm {
  int angle = 0;                   ///< coordinate of the body's angle α
  std::array<double, 2> offset{};  ///< r, in the body's axes, m
  int axis = 0;                    ///< 0: X, 1: Y
};

struct Row {
  std::vector<std::pair<int, double>> terms{};  ///< coordinate, coefficient c_k
  std::optional<Arm> arm{};
  int law = -1;  ///< prescribes φ(t) with φ = 0 at the start; −1: φ = 0
  double constant = 0;
  RowKind kind = RowKind::support_x;
  int owner = 0;          ///< index of the support, hinge, body or node
  std::string pointer{};  ///< place in the case, for messages
};

/// (R(α) r)·e and its slope with respect to α; the second slope is minus the value.
struct ArmValue {
  double value = 0;
  double slope = 0;
};

[[nodiscard]] inline ArmValue turn_arm(const Arm& arm, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double x = c * arm.offset[0] - s * arm.offset[1];
  const double y = s * arm.offset[0] + c * arm.offset[1];
  return arm.axis == 0 ? ArmValue{x, -y} : ArmValue{y, x};
}

/// f at the coordinates q(coordinate).
template <class Value>
[[nodiscard]] double row_function(const Row& row, const Value& q) {
  double sum = 0;
  for (const auto& [coordinate, c] : row.terms) sum += c * q(coordinate);
  if (row.arm) sum -= turn_arm(*row.arm, q(row.arm->angle)).value;
  return sum;
}

/// Calls visit(coordinate, coefficient) for every entry of the row of D.
template <class Value, class Visit>
void visit_terms(const Row& row, const Value& q, const Visit& visit) {
  for (const auto& [coordinate, c] : row.terms) visit(coordinate, c);
  if (row.arm) visit(row.arm->angle, -turn_arm(*row.arm, q(row.arm->angle)).slope);
}

/// D v.
template <class Value, class Rate>
[[nodiscard]] double row_rate(const Row& row, const Value& q, const Rate& v) {
  double sum = 0;
  visit_terms(row, q, [&](int coordinate, double c) { sum += c * v(coordinate); });
  return sum;
}

/// What d/dt(D) adds to the second derivative of f, d/dt(D) v.
template <class Value, class Rate>
[[nodiscard]] double row_curvature(const Row& row, const Value& q, const Rate& v) {
  if (!row.arm) return 0;
  const double rate = v(row.arm->angle);
  return turn_arm(*row.arm, q(row.arm->angle)).value * rate * rate;
}

}  // namespace fem
