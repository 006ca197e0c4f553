#include "libfem/math/cubic_spline.hpp"

#include "libfem/base/error.hpp"

namespace fem {
namespace {

// Of four points and more.
std::vector<double> solve_not_a_knot(std::span<const double> h, std::span<const double> delta) {
  const std::size_t last = h.size();  // index of the last point
  // Rows 1 … last − 1 of a tridiagonal matrix; what stands at the ends is put into their
  // neighbours.
  std::vector<double> lower{0}, diagonal{0}, upper{0}, m{0};
  for (std::size_t i = 1; i < last; ++i) {
    lower.push_back(h[i - 1]);
    diagonal.push_back(2 * (h[i - 1] + h[i]));
    upper.push_back(h[i]);
    m.push_back(6 * (delta[i] - delta[i - 1]));
  }
  m.push_back(0);
  const double first_ratio = h[0] / h[1];
  const double last_ratio = h[last - 1] / h[last - 2];
  diagonal[1] += h[0] * (1 + first_ratio);
  upper[1] -= h[0] * first_ratio;
  diagonal[last - 1] += h[last - 1] * (1 + last_ratio);
  lower[last - 1] -= h[last - 1] * last_ratio;
  for (std::size_t i = 2; i < last; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    m[i] -= factor * m[i - 1];
  }
  m[last - 1] /= diagonal[last - 1];
  for (std::size_t i = last - 1; i-- > 1;) m[i] = (m[i] - upper[i] * m[i + 1]) / diagonal[i];
  m[0] = m[1] * (1 + first_ratio) - m[2] * first_ratio;
  m[last] = m[last - 1] * (1 + last_ratio) - m[last - 2] * last_ratio;
  return m;
}

}  // namespace

std::vector<double> calc_spline_curvatures(std::span<const double> x, std::span<const double> y) {
  FEM_DEMAND(x.size() == y.size());
  std::vector<double> h, delta;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    h.push_back(x[i + 1] - x[i]);
    delta.push_back((y[i + 1] - y[i]) / h[i]);
  }
  if (x.size() < 3) return std::vector<double>(x.size(), 0.0);
  if (x.size() == 3) return std::vector<double>(3, 2 * (delta[1] - delta[0]) / (h[0] + h[1]));
  return solve_not_a_knot(h, delta);
}

SplineValue evaluate_spline_piece(std::span<const double> x, std::span<const double> y,
                                  std::span<const double> curvatures, std::size_t i,
                                  double at) noexcept {
  const double h = x[i + 1] - x[i];
  const double a = (x[i + 1] - at) / h;
  const double b = (at - x[i]) / h;
  const double m0 = curvatures[i];
  const double m1 = curvatures[i + 1];
  return {
      .value = a * y[i] + b * y[i + 1] + h * h / 6 * (a * (a * a - 1) * m0 + b * (b * b - 1) * m1),
      .slope = (y[i + 1] - y[i]) / h + h / 6 * ((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1),
      .curvature = a * m0 + b * m1};
}

}  // namespace fem
