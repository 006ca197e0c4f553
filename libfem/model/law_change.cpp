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
  const auto follows = [&](int of) {
    return std::any_of(model.rows.begin(), model.rows.end(),
                       [of](const Row& row) { return row.law == of; });
  };
  return follows(law) ||
         std::any_of(model.law_shifts.begin(), model.law_shifts.end(),
                     [&](const LawShift& shift) { return shift.of == law && follows(shift.law); });
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

void replace_law(Model& model, const NewLaw& change) {
  model.laws[at(change.index)] = change.law;
  for (const LawShift& shift : model.law_shifts) {
    if (shift.of == change.index) model.laws[at(shift.law)] = shifted(change.law, shift.by);
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
  for (const Row& row : model.rows) add(row.law);
  for (const PointLoad& load : model.point_loads) {
    for (const int law : load.laws) add(law);
  }
  for (const RodLoad& load : model.rod_loads) add(load.law);
  for (const HereditaryElement& element : model.hereditary) add(element.law);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace fem
