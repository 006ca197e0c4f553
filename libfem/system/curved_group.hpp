// A group of constraints that change with the configuration, solved for its dependent coordinates.
//
//   positions   Newton's iteration on f(q_i, q_d) = φ + constant
//   rates       q̇_d = G q̇_i + H d,   G = −D_d⁻¹D_i,   H = D_d⁻¹
//
// Where no dependent coordinate is held by the curved part of a row, D_d is constant and the
// positions follow in one pass: points that bodies carry, in trees.
//
// Near a singular pose, where D_d loses rank while the motion stays smooth (a linkage that passes
// its flat pose), rounding is magnified: by 1/δ in q_d, 1/δ² in G and 1/δ³ in accelerations, if δ
// is the smallest pivot of D_d. There q_d, G and H are computed in extended precision;
// accelerations are then off by ε/δ only.
#pragma once

#include <map>
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

  /// G and H at q, which satisfies the rows with these right sides.
  Outcome update(const Numbering& numbering, std::span<const double> q,
                 std::span<const double> right_sides);

  /// Whether D_d is close to losing its rank at the configuration of the last update.
  [[nodiscard]] bool near_singular() const noexcept { return closeness_ < kNearSingular; }

  /// Whether it is so close that lengths which are off by rounding show in the accelerations.
  [[nodiscard]] bool is_uncertain() const noexcept { return closeness_ < kUncertain; }

  [[nodiscard]] const Eigen::MatrixXd& g() const noexcept { return g_; }  ///< [dependents, indep.]
  [[nodiscard]] const Eigen::MatrixXd& h() const noexcept { return h_; }  ///< [dependents, rows]
  [[nodiscard]] const Projection::Group& members() const noexcept { return group_; }

  /// Largest entry of G, angles counted by the size of the model: large where another choice of
  /// dependent coordinates would be better. Zero where the choice cannot go bad.
  [[nodiscard]] double wear() const;

 private:
  static constexpr double kNearSingular = 0.05;
  static constexpr double kUncertain = 1e-3;  // ε/δ³ = 2e-7

  // D_d, D_i and f in one precision.
  template <class Real>
  struct Equations {
    Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> d_dependent, d_independent;
    Eigen::Matrix<Real, Eigen::Dynamic, 1> residual, change, position;
    Eigen::PartialPivLU<Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>> lu;
    void resize(Eigen::Index m, Eigen::Index n);
  };
  template <class Real, class Position>
  void fill_d(Equations<Real>& e, const Position& q) const;
  template <class Real, class Position>
  void fill_residual(Equations<Real>& e, const Position& q,
                     std::span<const double> right_sides) const;
  [[nodiscard]] double smallest_pivot() const;
  bool refine(const Numbering& numbering, std::span<const double> q,
              std::span<const double> right_sides);

  const Model* model_;
  Projection::Group group_;
  // Of every row and every entry of D in it: k ≥ 0 for dependent k, −1 − k for independent k.
  std::vector<std::vector<int>> columns_;
  std::vector<std::size_t> places_;                    // of the dependents
  std::map<int, int> order_;                           // coordinate: index of the dependent
  Eigen::VectorXd dependent_unit_, independent_unit_;  // m, or 1 for angles
  bool implicit_ = false;  // D_d changes: a curved part holds a dependent coordinate
  double closeness_ = 1;   // δ: the smallest pivot of D_d over the largest
  Equations<double> plain_;
  Equations<long double> fine_;
  Eigen::MatrixXd g_, h_;
};

}  // namespace fem
