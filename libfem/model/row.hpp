// One constraint row, f(q) = φ(t) + constant, and its derivatives along a motion.
//
//   f = Σ c_k q_k − (R(α) r)·e,     D = ∂f/∂q,     d/dt(D) v = (R(α) r)·e α̇²
//
// The second part is there for the points that a rigid body carries: r is the point in the body's
// axes, α the body's angle, e the axis X or Y. f is written once, for any scalar; its derivatives
// are those of jets. Values are read through a function of the natural coordinate, so that every
// layer may keep its vectors in its own order.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "libfem/math/jet.hpp"

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

/// (R(α) r)·e.
template <class Scalar>
[[nodiscard]] Scalar turn_arm(const Arm& arm, const Scalar& angle) {
  using std::cos;
  using std::sin;
  const Scalar x = arm.offset[0], y = arm.offset[1];
  return arm.axis == 0 ? cos(angle) * x - sin(angle) * y : sin(angle) * x + cos(angle) * y;
}

/// The part of f that is not linear.
template <class Value>
[[nodiscard]] auto curved_part(const Row& row, const Value& q) {
  using Scalar = std::decay_t<decltype(q(0))>;
  return row.arm ? -turn_arm<Scalar>(*row.arm, q(row.arm->angle)) : Scalar(0);
}

/// Calls visit(coordinate) for every coordinate that the curved part holds.
template <class Visit>
void visit_curved(const Row& row, const Visit& visit) {
  if (row.arm) visit(row.arm->angle);
}

[[nodiscard]] inline bool is_curved(const Row& row) { return row.arm.has_value(); }

/// f at the coordinates q(coordinate), of any scalar.
template <class Value>
[[nodiscard]] auto row_function(const Row& row, const Value& q) {
  auto sum = curved_part(row, q);
  for (const auto& [coordinate, c] : row.terms) sum += c * q(coordinate);
  return sum;
}

/// Calls visit(coordinate, coefficient) for every entry of the row of D; a coordinate may come
/// twice: the entries add.
template <class Value, class Visit>
void visit_terms(const Row& row, const Value& q, const Visit& visit) {
  using Real = std::decay_t<decltype(q(0))>;
  for (const auto& [coordinate, c] : row.terms) visit(coordinate, Real(c));
  visit_curved(row, [&](int moved) {
    const auto along = [&](int c) { return Jet<Real>(q(c), c == moved ? 1 : 0); };
    visit(moved, curved_part(row, along).rate);
  });
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
  if (!is_curved(row)) return 0;
  return curved_part(row, [&](int c) { return Jet<double>(q(c), v(c)); }).curvature;
}

}  // namespace fem
