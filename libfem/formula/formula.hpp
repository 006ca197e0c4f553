// Formulas that a user writes: "hypot(x_P - 1, y_P) - 0.2*t", for any scalar.
//
//   sum      = product {("+" | "-") product}
//   product  = sign {("*" | "/") sign}
//   sign     = ["+" | "-"] sign | power
//   power    = value ["^" sign]                      right to left, before the sign: -x^2 = -(x^2)
//   value    = number | name | name "(" sum {"," sum} ")" | "(" sum ")"
//
// A name is made of letters, digits and "_", and of anything between two "'": x_'left tip'. Known
// are pi and the functions below. A formula becomes a program for a stack: evaluating it
// allocates nothing, and with jets (math/jet.hpp) gives its derivatives exactly.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fem {

enum class FormulaOperation {
  constant,
  variable,
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  hypot,
  abs
};

struct Formula {
  struct Step {
    FormulaOperation operation = FormulaOperation::constant;
    double constant = 0;     ///< of a constant
    int variable = 0;        ///< of a variable: index into `names`
    std::size_t column = 0;  ///< where it stands in the text, from 0, for messages
    bool operator==(const Step&) const = default;
  };
  static constexpr std::size_t kMostDepth = 32;  ///< of the stack

  std::vector<Step> steps{};
  std::vector<std::string> names{};  ///< of the variables, in the order of their first mention
  bool operator==(const Formula&) const = default;
};

/// What is wrong with a formula's text.
struct FormulaProblem {
  std::size_t column = 0;  ///< from 0
  std::string what;        ///< "there is no function 'sine'"
  std::string remedy;
};

[[nodiscard]] std::variant<Formula, FormulaProblem> parse_formula(std::string_view text);

/// A place in the text, for messages: "at column 7, '* y_P', of 'x_P + * y_P'".
[[nodiscard]] std::string show_place(std::string_view text, std::size_t column);

/// How many arguments an operation takes from the stack.
[[nodiscard]] int formula_arguments(FormulaOperation operation);

inline constexpr std::size_t kLinear = static_cast<std::size_t>(-1);

/// The first column where a formula is not linear in the variables that are marked [names]: a
/// product of two terms that hold them, a function or a power of one, or a division by one.
/// kLinear where there is none.
[[nodiscard]] std::size_t find_not_linear(const Formula& formula,
                                          const std::vector<bool>& variables);

/// One operation on one or two scalars (b only where it takes two).
template <class Scalar>
[[nodiscard]] Scalar apply(FormulaOperation operation, const Scalar& a, const Scalar& b) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp,
      std::hypot, std::log, std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  switch (operation) {
    case FormulaOperation::add:
      return a + b;
    case FormulaOperation::subtract:
      return a - b;
    case FormulaOperation::multiply:
      return a * b;
    case FormulaOperation::divide:
      return a / b;
    case FormulaOperation::power:
      return pow(a, b);
    case FormulaOperation::negate:
      return -a;
    case FormulaOperation::sin:
      return sin(a);
    case FormulaOperation::cos:
      return cos(a);
    case FormulaOperation::tan:
      return tan(a);
    case FormulaOperation::asin:
      return asin(a);
    case FormulaOperation::acos:
      return acos(a);
    case FormulaOperation::atan:
      return atan(a);
    case FormulaOperation::atan2:
      return atan2(a, b);
    case FormulaOperation::sinh:
      return sinh(a);
    case FormulaOperation::cosh:
      return cosh(a);
    case FormulaOperation::tanh:
      return tanh(a);
    case FormulaOperation::exp:
      return exp(a);
    case FormulaOperation::log:
      return log(a);
    case FormulaOperation::sqrt:
      return sqrt(a);
    case FormulaOperation::hypot:
      return hypot(a, b);
    case FormulaOperation::abs:
      return abs(a);
    case FormulaOperation::constant:
    case FormulaOperation::variable:
      break;
  }
  return a;
}

/// The value, with value(i) that of variable i.
template <class Scalar, class Value>
[[nodiscard]] Scalar evaluate(const Formula& formula, const Value& value) {
  std::array<Scalar, Formula::kMostDepth> stack{};
  std::size_t top = 0;
  for (const Formula::Step& step : formula.steps) {
    if (step.operation == FormulaOperation::constant) {
      stack[top++] = Scalar(step.constant);
    } else if (step.operation == FormulaOperation::variable) {
      stack[top++] = value(step.variable);
    } else if (formula_arguments(step.operation) == 2) {
      --top;
      stack[top - 1] = apply<Scalar>(step.operation, stack[top - 1], stack[top]);
    } else {
      stack[top - 1] = apply<Scalar>(step.operation, stack[top - 1], stack[top - 1]);
    }
  }
  return stack[0];
}

}  // namespace fem
