#include "libfem/law/law.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

struct Piece {
  std::size_t index = 0;  // the piece runs from point index to index + 1
  bool outside = true;    // before the first or after the last point: held constant at `held`
  double held = 0;
};

// The piece that holds t; at a point, the one on the asked side.
Piece find_piece(const std::vector<double>& times, const std::vector<double>& values, double t,
                 Side side) {
  FEM_ASSERT(!times.empty() && times.size() == values.size());
  const auto next = side == Side::before ? std::lower_bound(times.begin(), times.end(), t)
                                         : std::upper_bound(times.begin(), times.end(), t);
  if (next == times.begin()) return {.held = values.front()};
  if (next == times.end()) return {.held = values.back()};
  return {.index = static_cast<std::size_t>(next - times.begin()) - 1, .outside = false};
}

LawValue evaluate_piece(const LinearLaw& law, std::size_t i, double t) {
  const double rate = (law.values[i + 1] - law.values[i]) / (law.times[i + 1] - law.times[i]);
  return {.value = law.values[i] + rate * (t - law.times[i]), .rate = rate};
}

LawValue evaluate_piece(const SmoothLaw& law, std::size_t i, double t) {
  const double duration = law.times[i + 1] - law.times[i];
  const double change = law.values[i + 1] - law.values[i];
  const double x = (t - law.times[i]) / duration;
  const double y = 1 - x;
  return {.value = law.values[i] + change * (x * x * x * (10 + x * (6 * x - 15))),
          .rate = change / duration * (30 * x * x * y * y),
          .acceleration = change / (duration * duration) * (60 * x * y * (1 - 2 * x))};
}

template <class PointLaw>
LawValue evaluate_points(const PointLaw& law, double t, Side side) {
  const Piece piece = find_piece(law.times, law.values, t, side);
  if (piece.outside) return {.value = piece.held};
  return evaluate_piece(law, piece.index, t);
}

struct Evaluate {
  double t;
  Side side;
  LawValue operator()(const ConstantLaw& law) const { return {.value = law.value}; }
  LawValue operator()(const LinearLaw& law) const { return evaluate_points(law, t, side); }
  LawValue operator()(const SmoothLaw& law) const { return evaluate_points(law, t, side); }
};

struct BreakTimes {
  std::vector<double> operator()(const ConstantLaw&) const { return {}; }
  std::vector<double> operator()(const LinearLaw& law) const {
    return law.times.size() > 1 ? law.times : std::vector<double>{};
  }
  std::vector<double> operator()(const SmoothLaw&) const { return {}; }
};

struct IsConstant {
  bool operator()(const ConstantLaw&) const { return true; }
  template <class PointLaw>
  bool operator()(const PointLaw& law) const {
    return std::adjacent_find(law.values.begin(), law.values.end(), std::not_equal_to<>()) ==
           law.values.end();
  }
};

}  // namespace

LawValue evaluate(const Law& law, double t, Side side) {
  return std::visit(Evaluate{t, side}, law);
}

bool is_constant(const Law& law) { return std::visit(IsConstant{}, law); }

std::vector<double> break_times(const Law& law) { return std::visit(BreakTimes{}, law); }

}  // namespace fem
