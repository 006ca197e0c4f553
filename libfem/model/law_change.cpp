#include "libfem/model/law_change.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <variant>

#include "libfem/base/names.hpp"

namespace fem {
namespace {

constexpr double kGoesOn = 1e-12;  // of values: rounding

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string print(const char* format, double a, double b, double c) {
  char text[200];
  std::snprintf(text, sizeof text, format, a, b, c);
  return text;
}

}  // namespace

int find_law(const Model& model, const std::string& name) {
  const auto& names = model.law_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  const std::string nearest = nearest_name(name, names);
  throw InputError(Problem{
      join_pointer("/laws", name), "there is no such law",
      nearest.empty() ? "give the name of a law of the case" : "did you mean '" + nearest + "'?"});
}

bool prescribes_place(const Model& model, int law) {
  const auto in_row = [&](const Row& row) {
    if (row.law != kNone && named_law(model, row.law) == law) return true;
    if (!row.formula) return false;
    const auto& variables = row.formula->variables;
    return std::any_of(variables.begin(), variables.end(),
                       [law](const FormulaVariable& v) { return v.law_index == law; });
  };
  if (std::any_of(model.rows.begin(), model.rows.end(), in_row)) return true;
  if (!model.frame) return false;
  const auto& origin = model.frame->origin;
  return model.frame->angle == law || std::find(origin.begin(), origin.end(), law) != origin.end();
}

std::optional<Problem> find_law_change_problem(const Model& model, const NewLaw& change, double t,
                                               Side side) {
  const std::string place = join_pointer("/laws", model.law_names[at(change.index)]);
  if (!is_well_formed(change.law)) {
    return Problem{place, "the law's numbers are not finite or not in order", kLawRemedy};
  }
  if (!prescribes_place(model, change.index)) return {};
  if (!is_continuous(change.law)) {
    return Problem{place, "the law has steps, and a place follows it",
                   "only loads may follow a law with steps: use a law of kind linear or smooth"};
  }
  const double value = evaluate(change.law, t, Side::after).value;
  const double now = evaluate(model.laws[at(change.index)], t, side).value;
  if (std::abs(value - now) <= kGoesOn * std::max(1.0, std::abs(now))) return {};
  return Problem{place,
                 print("at t = %.9g s the value would jump from %.12g to %.12g, and a place "
                       "follows it",
                       t, now, value),
                 "let the new law start from the present value"};
}

void replace_law(Model& model, const NewLaw& change, std::optional<double> t, Side side) {
  const auto value_of = [&](int law) { return evaluate(model.laws[at(law)], t.value_or(0), side); };
  const auto make = [&](int law, double by) {
    const Law future = by == 0 ? change.law : shifted(change.law, by);
    return t ? Law(replaced(*t, value_of(law), future)) : future;
  };
  const double named = value_of(change.index).value;
  for (const auto& [law, of] : model.law_of_change) {
    if (of == change.index) model.laws[at(law)] = make(law, value_of(law).value - named);
  }
  model.laws[at(change.index)] = make(change.index, 0);
  for (Row& row : model.rows) {  // formulas have laws of their own
    if (!row.formula) continue;
    for (FormulaVariable& v : row.formula->variables) {
      if (v.law_index == change.index) v.law = model.laws[at(change.index)];
    }
  }
  model.break_times = list_break_times(model);
}

std::vector<double> list_break_times(const Model& model) {
  std::vector<double> times;
  const auto add = [&](int law) {
    if (law == kNone) return;
    const auto more = break_times(model.laws[at(law)]);
    times.insert(times.end(), more.begin(), more.end());
  };
  for (const Row& row : model.rows) {
    add(row.law);
    if (!row.formula) continue;
    for (const FormulaVariable& v : row.formula->variables) add(v.law_index);
  }
  for (const PointLoad& load : model.point_loads) {
    for (const int law : load.laws) add(law);
  }
  for (const RodLoad& load : model.rod_loads) add(load.law);
  for (const HereditaryElement& element : model.hereditary) add(element.law);
  if (model.frame) {
    for (const int law : model.frame->origin) add(law);
    add(model.frame->angle);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace fem
