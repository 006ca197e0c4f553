// Monotone cubic interpolation of a table (Fritsch and Carlson 1980; slopes of Fritsch and Butland
// 1984, as in PCHIP): once continuously differentiable, and monotone between any two neighbouring
// points, so it never leaves the range of their values.
//
//   symbol     code          unit             meaning
//   x_i, y_i   points        of the table     abscissae, strictly increasing, and values
//   y(x)       value         of y
//   y′(x)      slope         of y / of x
//   ∫y dx      integral      of y · of x      from the first abscissa to x
//
// On a piece y = y_i + u(d_i + u(c₂ + u c₃)), u = x − x_i. The slope d_i is a weighted harmonic
// mean of the slopes of the two neighbouring chords, and zero where these differ in sign. At the
// ends it is the slope of the parabola through three points, limited so that it neither turns
// against the last chord nor breaks the monotony; beyond the ends the function goes on with it as a
// straight line.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace fem {

struct MonotoneCubicValue {
  double value = 0;
  double slope = 0;
  double integral = 0;
};

class MonotoneCubic {
 public:
  /// Through points (x, y), all finite, x strictly increasing; one point makes a constant.
  explicit MonotoneCubic(std::span<const std::array<double, 2>> points);

  /// Value, slope and integral at any x; allocates nothing.
  [[nodiscard]] MonotoneCubicValue evaluate(double x) const noexcept;

  /// The abscissae: at these the second derivative jumps.
  [[nodiscard]] std::span<const double> abscissae() const noexcept { return abscissae_; }

 private:
  struct Piece {
    double start;                        // x_i; for the piece before all points, its right end
    double value, slope, second, third;  // y_i, d_i, c₂, c₃
    double integral;                     // up to start
  };
  std::vector<double> abscissae_;
  std::vector<Piece> pieces_;  // one before the first point, then one from every point on
};

}  // namespace fem
