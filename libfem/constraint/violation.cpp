#include "libfem/constraint/violation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>

#include "libfem/constraint/projection.hpp"

namespace fem {
namespace {

constexpr double kInaccuracy = 1e-6;  // of the model's size, or rad: far above any solver's
constexpr double kRounding = 1e-13;   // of the coordinates of the row

// An angle's row is in rad; where a row mixes both, its arm is a length.
bool is_length(const Model& model, const Row& row) {
  return is_curved(row) || std::any_of(row.terms.begin(), row.terms.end(), [&](const auto& term) {
           return model.is_angle[static_cast<std::size_t>(term.first)] == 0;
         });
}

}  // namespace

std::optional<BrokenRow> find_broken_row(const Model& model, double t, Side side, double load,
                                         const std::function<double(int)>& q) {
  BrokenRow worst;
  double most = 1;  // over what is allowed
  for (const Row& row : model.rows) {
    const double change = load * row_value(model, row, t, side).value;
    const double f = row_function(row, t, q) - row.constant - change;
    double largest = std::abs(change);
    for (const auto& [coordinate, c] : row.terms) {
      largest = std::max(largest, std::abs(c * q(coordinate)));
    }
    const double unit = is_length(model, row) ? model.size : 1.0;
    const double part = std::abs(f) / (kInaccuracy * unit + kRounding * largest);
    if (!(part > most)) continue;
    most = part;
    worst = {&row, f};
  }
  if (worst.row == nullptr) return std::nullopt;
  return worst;
}

std::string describe_broken_row(const BrokenRow& broken) {
  char number[40];
  std::snprintf(number, sizeof number, "%.3g", std::abs(broken.violation));
  return broken.row->pointer + " is violated by " + number +
         " m or rad: at the start it follows from other constraints, and on the way it does not; "
         "start off that pose, or take away what holds the structure twice";
}

}  // namespace fem
