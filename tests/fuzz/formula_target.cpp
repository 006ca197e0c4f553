#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/formula/formula.hpp"
#include "libfem/law/law.hpp"
#include "libfem/math/jet.hpp"
#include "tests/fuzz/targets.hpp"

namespace fem::fuzz {
namespace {

// A program for a stack leaves one value, and never has more than its depth, or none to take.
void demand_sound(const Formula& formula) {
  std::size_t depth = 0;
  for (const Formula::Step& step : formula.steps) {
    if (step.operation == FormulaOperation::constant ||
        step.operation == FormulaOperation::variable) {
      ++depth;
      FEM_DEMAND(depth <= Formula::kMostDepth);
    } else {
      const auto taken = static_cast<std::size_t>(formula_arguments(step.operation));
      FEM_DEMAND(depth >= taken);
      depth -= taken - 1;
    }
    if (step.operation == FormulaOperation::variable) {
      FEM_DEMAND(static_cast<std::size_t>(step.variable) < formula.names.size());
    }
  }
  FEM_DEMAND(depth == 1);
}

}  // namespace

void read_formula(std::string_view bytes) {
  const auto parsed = parse_formula(bytes);
  if (const auto* problem = std::get_if<FormulaProblem>(&parsed)) {
    FEM_DEMAND(problem->column <= bytes.size() && !problem->what.empty());
    FEM_DEMAND(!show_place(bytes, problem->column).empty());
  } else {
    const auto& formula = std::get<Formula>(parsed);
    demand_sound(formula);
    for (const double x : {0.0, 0.75, -3.0, 1e300}) {
      static_cast<void>(evaluate<double>(formula, [&](int i) { return x + i; }));
    }
    static_cast<void>(find_not_linear(formula, std::vector<bool>(formula.names.size(), true)));
  }
  const auto law = parse_expression_law(bytes);
  if (const auto* expression = std::get_if<ExpressionLaw>(&law)) {
    for (const double t : {0.0, 0.75, 1e9}) {
      static_cast<void>(is_finite(evaluate(Law(*expression), t, Side::before)));
    }
    static_cast<void>(is_well_formed(Law(*expression)));
  }
}

}  // namespace fem::fuzz
