// One constraint row and its derivatives along a motion: of positions,
//   f(q, t) = φ(t) + constant,     f = Σ c_k q_k − (R(α) r)·e + g(q, t)
//   D = ∂f/∂q,    D v = φ̇ − ∂f/∂t,    D a = φ̈ − d²f/dt² at a = 0
// or of rates alone (nonholonomic: knife edges, wheels),
//   g(q, v, t) = 0, linear in v,
//   D = ∂g/∂v,    D v = −g at v = 0,    D a = −dg/dt at a = 0
//
// The second part of f is there for the points that a rigid body carries: r is the point in the
// body's axes, α the body's angle, e the axis X or Y; the third is a formula. Both are written
// once, for any scalar; their derivatives are those of jets. Values are read through functions of
// the natural coordinate, so that every layer may keep its vectors in its own order.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "libfem/formula/formula.hpp"
#include "libfem/law/law.hpp"
#include "libfem/math/jet.hpp"

namespace fem {

/// What a constraint row stands for.
enum class RowKind {
  support_x,
  support_y,
  support_z,
  support_angle,
  hinge_drive,
  hinge_lock,
  rigid_joint,
  rigid_arm,
  unused_point,
  user  ///< one of the case's "constraints"
};

/// A rigid arm from a body's point to a point that it carries, along one axis.
struct Arm {
  int angle = 0;                   ///< coordinate of the body's angle α
  std::array<double, 2> offset{};  ///< r, in the body's axes, m
  int axis = 0;                    ///< 0: X, 1: Y
};

/// What a name in a formula stands for: a sum of coordinates or of their rates, the time, or a law.
struct FormulaVariable {
  enum class Kind { position, rate, time, law };
  Kind kind = Kind::time;
  std::vector<std::pair<int, double>> terms{};  ///< coordinate, coefficient
  double constant = 0;
  int law_index = -1;  ///< among the laws of the model
  Law law{};           ///< its rate does not jump after the start
};

/// Coordinates that a formula of positions may hold.
inline constexpr std::size_t kMostFormulaCoordinates = 6;

/// A formula of the motion.
struct MotionFormula {
  Formula formula{};
  std::vector<FormulaVariable> variables{};  ///< one for each of the formula's names
  std::vector<int> coordinates{};            ///< that D has entries for, each once
};

struct Row {
  std::vector<std::pair<int, double>> terms{};  ///< coordinate, coefficient c_k
  std::optional<Arm> arm{};
  std::optional<MotionFormula> formula{};
  bool of_rates = false;  ///< nonholonomic: the formula is linear in rates, and all there is
  int law = -1;           ///< prescribes φ(t) with φ = 0 at the start; −1: φ = 0
  double constant = 0;
  RowKind kind = RowKind::support_x;
  int owner = 0;          ///< index of the support, hinge, body, node or constraint
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

/// A law in a formula at time t: what it does before the start, and after the end, is no matter.
[[nodiscard]] inline LawValue law_of_formula(const Law& law, double t) {
  return evaluate(law, t, t > 0 ? Side::before : Side::after);
}
template <class Real>
[[nodiscard]] Real law_at(const Law& law, Real t) {
  return Real(law_of_formula(law, static_cast<double>(t)).value);
}
template <class Real>
[[nodiscard]] Jet<Real> law_at(const Law& law, const Jet<Real>& t) {
  const LawValue now = law_of_formula(law, static_cast<double>(t.value));
  return chain(t, Real(now.value), Real(now.rate), Real(now.acceleration));
}

/// A formula at time t, q(coordinate), v(coordinate) and law(variable), all of one scalar.
template <class Scalar, class Value, class Rate, class Prescribed>
[[nodiscard]] Scalar evaluate(const MotionFormula& m, const Scalar& t, const Value& q,
                              const Rate& v, const Prescribed& law) {
  return evaluate<Scalar>(m.formula, [&](int i) {
    const FormulaVariable& variable = m.variables[static_cast<std::size_t>(i)];
    if (variable.kind == FormulaVariable::Kind::time) return t;
    if (variable.kind == FormulaVariable::Kind::law) return Scalar(law(variable));
    Scalar sum(variable.constant);
    for (const auto& [coordinate, c] : variable.terms) {
      sum += Scalar(c) *
             (variable.kind == FormulaVariable::Kind::position ? q(coordinate) : v(coordinate));
    }
    return sum;
  });
}

/// The same with the laws at time t.
template <class Scalar, class Value, class Rate>
[[nodiscard]] Scalar evaluate(const MotionFormula& m, const Scalar& t, const Value& q,
                              const Rate& v) {
  return evaluate<Scalar>(m, t, q, v,
                          [&](const FormulaVariable& x) { return law_at(x.law, t); });
}

/// The part of f that is not linear.
template <class Scalar, class Value>
[[nodiscard]] Scalar curved_part(const Row& row, const Scalar& t, const Value& q) {
  Scalar sum(0);
  if (row.arm) sum -= turn_arm<Scalar>(*row.arm, q(row.arm->angle));
  if (row.formula) {
    sum += evaluate<Scalar>(*row.formula, t, q, [](int) { return Scalar(0); });
  }
  return sum;
}

/// Calls visit(coordinate) for every coordinate that the curved part has an entry of D for.
template <class Visit>
void visit_curved(const Row& row, const Visit& visit) {
  if (row.arm) visit(row.arm->angle);
  if (row.formula) {
    for (const int coordinate : row.formula->coordinates) visit(coordinate);
  }
}

[[nodiscard]] inline bool is_curved(const Row& row) {
  return row.arm.has_value() || row.formula.has_value();
}

/// f at time t and the coordinates q(coordinate), of any scalar. Zero of rows of rates: they have
/// no level of positions.
template <class Value>
[[nodiscard]] auto row_function(const Row& row, double t, const Value& q) {
  using Scalar = std::decay_t<decltype(q(0))>;
  if (row.of_rates) return Scalar(0);
  Scalar sum = curved_part<Scalar>(row, Scalar(t), q);
  for (const auto& [coordinate, c] : row.terms) sum += c * q(coordinate);
  return sum;
}

/// Calls visit(coordinate, coefficient) for every entry of the row of D; a coordinate may come
/// twice: the entries add.
template <class Value, class Visit>
void visit_terms(const Row& row, double t, const Value& q, const Visit& visit) {
  using Real = std::decay_t<decltype(q(0))>;
  for (const auto& [coordinate, c] : row.terms) visit(coordinate, Real(c));
  visit_curved(row, [&](int moved) {
    const auto still = [&](int c) { return Jet<Real>(q(c)); };
    const auto along = [&](int c) { return Jet<Real>(q(c), c == moved ? 1 : 0); };
    const auto rate = [&](int c) { return Jet<Real>(0, c == moved ? 1 : 0); };
    const Jet<Real> now(static_cast<Real>(t));
    visit(moved, row.of_rates ? evaluate<Jet<Real>>(*row.formula, now, still, rate).rate
                              : curved_part<Jet<Real>>(row, now, along).rate);
  });
}

/// D v.
template <class Value, class Rate>
[[nodiscard]] double row_rate(const Row& row, double t, const Value& q, const Rate& v) {
  double sum = 0;
  visit_terms(row, t, q, [&](int coordinate, double c) { sum += c * v(coordinate); });
  return sum;
}

/// What is there without any rate: ∂f/∂t, or g at v = 0. D v is φ̇ less that.
template <class Value>
[[nodiscard]] double row_drift(const Row& row, double t, const Value& q) {
  if (!row.formula) return 0;
  if (row.of_rates) return evaluate<double>(*row.formula, t, q, [](int) { return 0.0; });
  return curved_part<Jet<double>>(row, {t, 1}, [&](int c) { return Jet<double>(q(c)); }).rate;
}

/// What is there without any acceleration: d²f/dt², or dg/dt. D a is φ̈ less that.
template <class Value, class Rate>
[[nodiscard]] double row_curvature(const Row& row, double t, const Value& q, const Rate& v) {
  if (!is_curved(row)) return 0;
  const auto along = [&](int c) { return Jet<double>(q(c), v(c)); };
  if (!row.of_rates) return curved_part<Jet<double>>(row, {t, 1}, along).curvature;
  const auto rate = [&](int c) { return Jet<double>(v(c)); };
  return evaluate<Jet<double>>(*row.formula, {t, 1}, along, rate).rate;
}

/// ∂f/∂φ, or ∂g/∂φ, of a law that stands in the formula.
template <class Value, class Rate>
[[nodiscard]] double row_law_derivative(const Row& row, double t, const Value& q, const Rate& v,
                                        int law_index) {
  const auto along = [&](int c) { return Jet<double>(q(c)); };
  const auto rate = [&](int c) { return Jet<double>(v(c)); };
  const auto law = [&](const FormulaVariable& x) {
    return Jet<double>(law_of_formula(x.law, t).value, x.law_index == law_index ? 1.0 : 0.0);
  };
  return evaluate<Jet<double>>(*row.formula, Jet<double>(t), along, rate, law).rate;
}

/// ∂²f/∂q_i∂q_j of the curved part.
template <class Value>
[[nodiscard]] double row_second_derivative(const Row& row, double t, const Value& q, int i, int j) {
  const auto bend = [&](int a, int b) {  // along e_a + e_b
    const auto along = [&](int c) {
      return Jet<double>(q(c), (c == a ? 1.0 : 0.0) + (c == b ? 1.0 : 0.0));
    };
    return curved_part<Jet<double>>(row, Jet<double>(t), along).curvature;
  };
  if (i == j) return bend(i, -1);
  return 0.5 * (bend(i, j) - bend(i, -1) - bend(j, -1));
}

}  // namespace fem
