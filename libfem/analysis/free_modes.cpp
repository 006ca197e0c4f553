#include "libfem/analysis/free_modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <Eigen/SparseCholesky>

namespace fem {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// A stiffness below this part of the diagonal is rounding: rotated rods leave 1e-16 to 1e-15 of the
// axial stiffness in a free rotation.
constexpr double kNoStiffness = 1e-14;
constexpr int kInverseIterations = 4;
constexpr std::size_t kNamed = 4;  // entries in a description

}  // namespace

// K − τ diag(K) has as many negative pivots as there are ρ < τ (Sylvester); inverse iteration with
// it tends to the ρ next to τ.
FreeModes find_free_modes(const Eigen::SparseMatrix<double>& stiffness) {
  const Index n = stiffness.rows();
  if (n == 0) return {};
  VectorXd diagonal = stiffness.diagonal().cwiseAbs();
  const double stiffest = diagonal.maxCoeff();
  if (stiffest == 0) return {.count = static_cast<int>(n), .mode = VectorXd::Unit(n, 0)};
  for (Index i = 0; i < n; ++i) {
    if (diagonal(i) == 0) diagonal(i) = stiffest;
  }
  Eigen::SparseMatrix<double> shifted = stiffness;
  for (Index i = 0; i < n; ++i) shifted.coeffRef(i, i) -= kNoStiffness * diagonal(i);
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(shifted);
  if (factors.info() != Eigen::Success) return {};
  FreeModes result{.count = static_cast<int>((factors.vectorD().array() < 0).count()), .mode = {}};
  if (result.count == 0) return result;
  result.mode = VectorXd::Ones(n) + 0.5 * VectorXd::LinSpaced(n, 0, 100).array().sin().matrix();
  for (int i = 0; i < kInverseIterations; ++i) {
    result.mode = factors.solve(diagonal.cwiseProduct(result.mode));
    result.mode /= result.mode.cwiseAbs().maxCoeff();
  }
  return result;
}

std::string describe_mode(const System& system, const VectorXd& mode, const VectorXd& units) {
  std::vector<Index> order;
  const auto size = [&](Index i) { return std::abs(mode(i)) / units(i); };
  for (Index i = 0; i < mode.size(); ++i) {
    if (units(i) != 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return size(a) > size(b); });
  order.resize(std::min(order.size(), kNamed));
  std::string text;
  for (const Index i : order) {
    const double part = mode(i) / units(i) / size(order.front());
    if (std::abs(part) < 0.01) break;
    char number[32];
    std::snprintf(number, sizeof number, " (%.2g)", part);
    text +=
        (text.empty() ? "" : ", ") + system.describe_unknown(static_cast<std::size_t>(i)) + number;
  }
  return text;
}

}  // namespace fem
