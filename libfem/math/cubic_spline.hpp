// Cubic splines: piecewise cubics whose first two derivatives do not jump, through given points.
//
//   symbol   code         meaning
//   M_i      curvatures   second derivative at point i; linear between points
//   h_i      –            x_{i+1} − x_i
//   δ_i      –            (y_{i+1} − y_i)/h_i
//
//   h_{i−1} M_{i−1} + 2(h_{i−1} + h_i) M_i + h_i M_{i+1} = 6(δ_i − δ_{i−1})
//
// The ends are "not a knot": the third derivative does not jump at the second and at the last but
// one point. So cubics are reproduced, and smooth data are met to fourth order up to the ends.
// Three points make a parabola, two a straight line.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fem {

/// M_i of the spline through (x_i, y_i), x strictly increasing.
[[nodiscard]] std::vector<double> calc_spline_curvatures(std::span<const double> x,
                                                         std::span<const double> y);

struct SplineValue {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

/// The cubic from point i to i + 1, at `at`.
[[nodiscard]] SplineValue evaluate_spline_piece(std::span<const double> x,
                                                std::span<const double> y,
                                                std::span<const double> curvatures, std::size_t i,
                                                double at) noexcept;

}  // namespace fem
