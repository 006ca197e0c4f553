// The lowest eigenpairs of K φ = ω² M φ, K and M symmetric and sparse, M positive definite.
//
// They come from the inverse of K − σM with a small σ < 0 below all eigenvalues, so a singular K is
// no special case: by full matrices where there are few unknowns, else by Lanczos' method
// (Spectra). That none is missed is checked by the signs of the pivots of K − τM (Sylvester).
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "libfem/base/error.hpp"

namespace fem {

/// Both matrices with the same pattern, in an order that fills in little.
struct Pencil {
  Eigen::SparseMatrix<double> stiffness, mass;
  [[nodiscard]] Eigen::Index size() const { return mass.rows(); }
};

/// Eigenvalues, ascending, and vectors of unit modal mass in the columns.
struct EigenPairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  double shift = 0;  ///< σ
};

/// The largest quotient of the diagonals: about the largest eigenvalue.
[[nodiscard]] double largest_quotient(const Pencil& pencil);

/// How many eigenvalues are below τ.
[[nodiscard]] int count_eigenvalues(const Pencil& pencil, double below);

/// The `count` lowest pairs, by full matrices up to `dense_limit` unknowns. Fails with
/// no_convergence.
[[nodiscard]] Outcome solve_lowest(const Pencil& pencil, int count, int dense_limit,
                                   EigenPairs& pairs);

/// (K − σM)⁻¹ b of every column, at the σ of these pairs.
[[nodiscard]] Eigen::MatrixXd solve_shifted(const Pencil& pencil, const EigenPairs& pairs,
                                            const Eigen::MatrixXd& b);

}  // namespace fem
