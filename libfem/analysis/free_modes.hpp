// Motions that nothing holds: the null space of a stiffness matrix, named.
#pragma once

#include <string>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "libfem/system/system.hpp"

namespace fem {

struct FreeModes {
  int count = 0;         ///< independent motions without stiffness
  Eigen::VectorXd mode;  ///< one of them, on the independent places; empty if there is none
};

/// Eigenvectors of K x = ρ diag(K) x with ρ below what rounding leaves of a zero.
[[nodiscard]] FreeModes find_free_modes(const Eigen::SparseMatrix<double>& stiffness);

/// "Y of 'A' (1), the angle of rod 'arm' at 'A' (−0.52)": the largest entries of a mode in `units`,
/// relative to the largest of all.
[[nodiscard]] std::string describe_mode(const System& system, const Eigen::VectorXd& mode,
                                        const Eigen::VectorXd& units);

}  // namespace fem
