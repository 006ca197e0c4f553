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

// What an error of a coordinate by its unit, the model's size or a radian, makes of the row.
double unit_of(const Model& model, const Row& row, double t, const std::function<double(int)>& q) {
  double largest = 0;
  visit_terms(row, t, q, [&](int coordinate, double c) {
    const bool angle = model.is_angle[static_cast<std::size_t>(coordinate)] != 0;
    largest = std::max(largest, std::abs(c) * (angle ? 1.0 : model.size));
  });
  return largest;
}

}  // namespace

std::optional<BrokenRow> find_broken_row(const Model& model, double t, Side side, double load,
                                         const std::function<double(int)>& q) {
  BrokenRow worst;
  double most = 1;  // over what is allowed
  for (const Row& row : model.rows) {
    const double f = row_error(model, row, t, side, load, q);
    double largest = std::abs(load * row_value(model, row, t, side).value);
    for (const auto& [coordinate, c] : row.terms) {
      largest = std::max(largest, std::abs(c * q(coordinate)));
    }
    const double allowed = kInaccuracy * unit_of(model, row, t, q) + kRounding * largest;
    const double part = f == 0 ? 0 : std::abs(f) / allowed;
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
