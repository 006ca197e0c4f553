// GMRES (Saad & Schultz 1986) without restarts, for few iterations: A x = b by products with A.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Core>
#include <Eigen/QR>

namespace fem {

/// Minimizes |b − A x| over the Krylov space until it is below `tolerance` |b|, in the norm of
/// `dot`; at most `most` products. Meant for A = 1 + something of low rank or small.
template <class Product, class Dot>
[[nodiscard]] Eigen::VectorXd gmres(const Product& multiply, const Eigen::VectorXd& b,
                                    const Dot& dot, double tolerance, int most) {
  const double size = std::sqrt(dot(b, b));
  if (!(size > 0) || !std::isfinite(size)) return b;
  std::vector<Eigen::VectorXd> basis{b / size};
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(most + 1, most);
  Eigen::VectorXd rhs = Eigen::VectorXd::Zero(most + 1);
  rhs(0) = size;
  Eigen::VectorXd coefficients;
  for (int k = 0; k < most; ++k) {
    Eigen::VectorXd w = multiply(basis.back());
    for (int i = 0; i <= k; ++i) {
      h(i, k) = dot(w, basis[static_cast<std::size_t>(i)]);
      w -= h(i, k) * basis[static_cast<std::size_t>(i)];
    }
    h(k + 1, k) = std::sqrt(dot(w, w));
    if (!std::isfinite(h(k + 1, k))) break;
    const auto corner = h.topLeftCorner(k + 2, k + 1);
    coefficients = corner.colPivHouseholderQr().solve(rhs.head(k + 2));
    const double left = (rhs.head(k + 2) - corner * coefficients).norm();
    if (left <= tolerance * size || h(k + 1, k) <= tolerance) break;
    basis.emplace_back(w / h(k + 1, k));
  }
  Eigen::VectorXd x = Eigen::VectorXd::Zero(b.size());
  for (Eigen::Index i = 0; i < coefficients.size(); ++i) {
    x += coefficients(i) * basis[static_cast<std::size_t>(i)];
  }
  return x;
}

}  // namespace fem
