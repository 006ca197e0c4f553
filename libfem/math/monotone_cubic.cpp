#include "libfem/math/monotone_cubic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

// At a point between chords of widths h0, h1 and slopes s0, s1.
double inner_slope(double h0, double h1, double s0, double s1) {
  if (!((s0 > 0 && s1 > 0) || (s0 < 0 && s1 < 0))) return 0;
  const double w0 = h0 + 2 * h1;
  const double w1 = 2 * h0 + h1;
  return (w0 + w1) / (w0 / s0 + w1 / s1);
}

// At the end of the chord of width h0 and slope s0, whose neighbour has h1, s1.
double end_slope(double h0, double h1, double s0, double s1) {
  const double slope = s0 + h0 / (h0 + h1) * (s0 - s1);
  if (s0 >= 0) return std::clamp(slope, 0.0, 3 * s0);
  return std::clamp(slope, 3 * s0, 0.0);
}

}  // namespace

MonotoneCubic::MonotoneCubic(std::span<const std::array<double, 2>> points) {
  const std::size_t n = points.size();
  FEM_DEMAND(n > 0);
  for (std::size_t i = 0; i < n; ++i) {
    FEM_DEMAND(std::isfinite(points[i][0]) && std::isfinite(points[i][1]));
    FEM_DEMAND(i == 0 || points[i - 1][0] < points[i][0]);
  }

  std::vector<double> width(n - 1);
  std::vector<double> chord(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    width[i] = points[i + 1][0] - points[i][0];
    chord[i] = (points[i + 1][1] - points[i][1]) / width[i];
  }
  std::vector<double> slope(n, 0.0);
  if (n == 2) slope[0] = slope[1] = chord[0];
  if (n > 2) {
    slope[0] = end_slope(width[0], width[1], chord[0], chord[1]);
    slope[n - 1] = end_slope(width[n - 2], width[n - 3], chord[n - 2], chord[n - 3]);
    for (std::size_t i = 1; i + 1 < n; ++i) {
      slope[i] = inner_slope(width[i - 1], width[i], chord[i - 1], chord[i]);
    }
  }

  abscissae_.reserve(n);
  pieces_.reserve(n + 1);
  pieces_.push_back({points[0][0], points[0][1], slope[0], 0, 0, 0});
  double integral = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Piece piece{points[i][0], points[i][1], slope[i], 0, 0, integral};
    if (i + 1 < n) {
      const double h = width[i];
      piece.second = (3 * chord[i] - 2 * slope[i] - slope[i + 1]) / h;
      piece.third = (slope[i] + slope[i + 1] - 2 * chord[i]) / (h * h);
      integral += h * ((points[i][1] + points[i + 1][1]) / 2 + h * (slope[i] - slope[i + 1]) / 12);
    }
    abscissae_.push_back(points[i][0]);
    pieces_.push_back(piece);
  }
}

MonotoneCubicValue MonotoneCubic::evaluate(double x) const noexcept {
  const auto next = std::upper_bound(abscissae_.begin(), abscissae_.end(), x);
  const Piece& p = pieces_[static_cast<std::size_t>(next - abscissae_.begin())];
  const double u = x - p.start;
  return {.value = p.value + u * (p.slope + u * (p.second + u * p.third)),
          .slope = p.slope + u * (2 * p.second + u * (3 * p.third)),
          .integral = p.integral +
                      u * (p.value + u * (p.slope / 2 + u * (p.second / 3 + u * (p.third / 4))))};
}

}  // namespace fem
