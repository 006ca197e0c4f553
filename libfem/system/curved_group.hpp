// A group of constraints that change with the configuration, solved for its dependent coordinates.
//
//   positions   Newton's iteration on f(q_i, q_d) = φ + constant
//   rates       q̇_d = G q̇_i + H d,   G = −D_d⁻¹D_i,   H = D_d⁻¹
//
// Where no dependent coordinate is the angle of an arm, D_d is constant and the positions follow
// in one pass: points that bodies carry, in trees.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Dense>

#include "libfem/base/error.hpp"
#include "libfem/constraint/projection.hpp"
#include "libfem/model/model.hpp"
#include "libfem/system/numbering.hpp"

namespace fem {

class CurvedGroup {
 public:
  /// The model must outlive the group; so must the numbering, that later calls get.
  CurvedGroup(const Model& model, const Projection& projection, const Projection::Group& group,
              const Numbering& numbering);

  /// The dependent entries of q, from where they are, for given right sides φ + constant of all
  /// rows of the model.
  Outcome solve_positions(const Numbering& numbering, std::span<double> q,
                          std::span<const double> right_sides);

  /// G and H at q.
  Outcome update(const Numbering& numbering, std::span<const double> q);

  [[nodiscard]] const Eigen::MatrixXd& g() const noexcept { return g_; }  ///< [dependents, indep.]
  [[nodiscard]] const Eigen::MatrixXd& h() const noexcept { return h_; }  ///< [dependents, rows]
  [[nodiscard]] const Projection::Group& members() const noexcept { return group_; }

  /// Largest entry of G, angles counted by the size of the model: large where another choice of
  /// dependent coordinates would be better. Zero where the choice cannot go bad.
  [[nodiscard]] double wear() const;

 private:
  void fill_d(const Numbering& numbering, std::span<const double> q);

  const Model* model_;
  Projection::Group group_;
  // Of every row and every entry of D in it: k ≥ 0 for dependent k, −1 − k for independent k.
  std::vector<std::vector<int>> columns_;
  std::vector<std::size_t> places_;                    // of the dependents
  Eigen::VectorXd dependent_unit_, independent_unit_;  // m, or 1 for angles
  bool implicit_ = false;  // D_d changes: an arm's angle is a dependent coordinate
  Eigen::MatrixXd d_dependent_, d_independent_, g_, h_;
  Eigen::VectorXd residual_, change_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace fem
