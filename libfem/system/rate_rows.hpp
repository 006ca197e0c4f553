// Constraints of rates alone, C q̇_i = c: knife edges, wheels, whatever cannot be integrated
// (nonholonomic; Osiński 2000, (3), (36)). They have no level of positions, so no coordinate is
// eliminated for them. Of the independent velocities some follow from the others,
//
//   v_p = C_p⁻¹ (c − C_r v_r),                      v_r: Osiński's quasi-velocities
//
// and accelerations get multipliers μ, with M that of the system in independent coordinates:
//
//   a_i = a_free + M⁻¹Cᵀμ,    (C M⁻¹Cᵀ) μ = ċ − C a_free
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "libfem/base/error.hpp"
#include "libfem/model/model.hpp"

namespace fem {

class RateRows {
 public:
  /// Rows of the model, by index; `independent` unknowns with these units (m, or 1 for angles).
  RateRows(std::vector<int> rows, std::vector<double> units);

  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }
  [[nodiscard]] const std::vector<int>& rows() const noexcept { return rows_; }

  /// C, [independent][rows]: to be filled before what follows is called.
  [[nodiscard]] Eigen::MatrixXd& c() noexcept { return c_; }
  [[nodiscard]] const Eigen::MatrixXd& c() const noexcept { return c_; }

  /// Chooses v_p for the present C: the largest coefficients by elimination. False if the rows
  /// depend on one another.
  bool choose();

  /// Places of v_p, in the order of the rows.
  [[nodiscard]] const std::vector<std::size_t>& places() const noexcept { return places_; }

  /// Adds to v_p what cancels the residuals c − C v [rows].
  Outcome correct(const Eigen::VectorXd& residual, std::span<double> v) const;

  /// Largest entry of C_p⁻¹C, angles counted by the size of the model.
  [[nodiscard]] double wear() const;

 private:
  [[nodiscard]] Eigen::MatrixXd pivots() const;  // C_pᵀ

  std::vector<int> rows_;
  Eigen::VectorXd units_;
  Eigen::MatrixXd c_;
  std::vector<std::size_t> places_;
};

}  // namespace fem
