// Motions that nothing holds back: which of them are rigid motions of the whole, which mechanisms.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "libfem/system/system.hpp"

namespace fem {

/// A basis of the free motions, as combinations of the given ones.
struct FreeMotions {
  Eigen::MatrixXd combinations;  ///< orthonormal columns, rigid motions first
  std::vector<std::string> names;
};

/// Sorts the motions, stored vectors in the columns (dependents too) about the state q: rigid
/// motions of all that moves come first, translations before rotations, mechanisms after them.
[[nodiscard]] FreeMotions sort_free_motions(const System& system, std::span<const double> q,
                                            const Eigen::MatrixXd& motions);

/// "hinge 'knee' (1), hinge 'hip' (-0.5); point 'tip' along (0, 1)": the hinges that turn most, by
/// their parts, and the point that moves most in a motion, a stored vector. Where points hardly
/// move, what turns most.
[[nodiscard]] std::string describe_motion(const System& system, std::span<const double> motion);

}  // namespace fem
