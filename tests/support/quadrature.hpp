// Gauss-Legendre quadrature on [0, 1], for tests: n points are exact up to degree 2n − 1.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

namespace fem::test {

struct QuadraturePoint {
  double x;
  double weight;
};

[[nodiscard]] inline std::vector<QuadraturePoint> gauss_points(int n) {
  std::vector<QuadraturePoint> points;
  for (int i = 0; i < n; ++i) {
    long double z = std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (n + 0.5L));
    long double slope = 0;
    for (int iteration = 0; iteration < 20; ++iteration) {  // Newton on the Legendre polynomial
      long double p0 = 1;
      long double p1 = z;
      for (int k = 2; k <= n; ++k) {
        const long double p2 = ((2 * k - 1) * z * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = p2;
      }
      slope = n * (z * p1 - p0) / (z * z - 1);
      z -= p1 / slope;
    }
    points.push_back(
        {static_cast<double>((1 + z) / 2), static_cast<double>(1 / ((1 - z * z) * slope * slope))});
  }
  return points;
}

}  // namespace fem::test
