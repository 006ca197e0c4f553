// The system of a model: accelerations under constraints, reactions, energies, velocity jumps.
//
//   (𝒯 M 𝒯ᵀ) a_i = −𝒯 (f + M a_p),    a = 𝒯ᵀ a_i + a_p,    a_p = (0, H φ̈)
//   λ = Hᵀ (M a + f)_d                                     with M q̈ + f = Dᵀλ
//
// Vectors q, v, a are stored vectors (system/numbering): independent coordinates first. A System
// owns its scratch, so one System serves one thread of control; copies are independent.
#pragma once

#include <span>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/constraint/projection.hpp"
#include "libfem/law/law.hpp"
#include "libfem/linalg/block_ldlt.hpp"
#include "libfem/model/model.hpp"
#include "libfem/system/gather_plan.hpp"
#include "libfem/system/numbering.hpp"
#include "libfem/system/rod_pool.hpp"

namespace fem {

/// T and Π, J.
struct Energies {
  double kinetic = 0;
  double strain = 0;
};

class System {
 public:
  /// The model must outlive the system. Throws InputError where constraints contradict.
  System(const Model& model, Parallelism parallelism);

  [[nodiscard]] const Model& model() const noexcept { return *model_; }
  [[nodiscard]] const Projection& projection() const noexcept { return projection_; }
  [[nodiscard]] const Numbering& numbering() const noexcept { return numbering_; }

  /// Length of stored vectors, and how many of their entries are independent.
  [[nodiscard]] std::size_t size() const noexcept { return coordinate_count_; }
  [[nodiscard]] std::size_t independent() const noexcept { return independent_; }

  /// Stored place of a natural coordinate.
  [[nodiscard]] std::size_t place(int coordinate) const {
    return static_cast<std::size_t>(numbering_.place[static_cast<std::size_t>(coordinate)]);
  }

  /// Positions of the initial state.
  [[nodiscard]] std::vector<double> initial_positions() const;

  /// Fills in the dependent entries of q and v: q_d = G q_i + H φ, v_d = G v_i + H φ̇. This is the
  /// projection onto the constraints that leaves the independent coordinates as they are.
  void complete(double t, Side side, std::span<double> q, std::span<double> v);

  /// Accelerations at (t, q, v); completes q and v first. Leaves what reactions() and
  /// drive_power() read.
  Outcome acceleration(double t, Side side, std::span<double> q, std::span<double> v,
                       std::span<double> a);

  /// λ of every row [rows] at the state and accelerations of the last acceleration(): force or
  /// moment of the constraint, in the sense of its coordinate (a drive: on the second member).
  [[nodiscard]] std::vector<double> reactions(std::span<const double> a) const;

  /// Σ λ φ̇ over the prescribed laws, W, at the last acceleration().
  [[nodiscard]] double drive_power(std::span<const double> a) const;

  /// Velocities after the rates of laws jump at t: the least change in the mass metric that
  /// satisfies D v = d⁺. `v` holds v⁻ and receives v⁺. Returns in `impulses` the Λ of every row.
  Outcome jump(double t, std::span<double> q, std::span<double> v, std::vector<double>& impulses);

  [[nodiscard]] Energies energies(std::span<const double> q, std::span<const double> v);

  /// Largest |f| and |D v − d| over all rows, dropped ones too.
  struct Violation {
    double position = 0;
    double velocity = 0;
  };
  [[nodiscard]] Violation violation(double t, Side side, std::span<const double> q,
                                    std::span<const double> v) const;

  /// An upper bound of the natural frequencies of the mesh, rad/s: the largest of any free
  /// undeformed element.
  [[nodiscard]] double highest_frequency() const noexcept { return highest_frequency_; }

  /// Name of what an unknown belongs to, for messages: "X of point 'A'".
  [[nodiscard]] std::string describe_unknown(std::size_t place) const;

 private:
  // Rows of G and H, in stored places.
  struct Compressed {
    std::vector<int> start{0};
    std::vector<int> index;
    std::vector<double> weight;
  };
  // (element, local coordinate) whose coordinate is a dependent one.
  struct Touch {
    int dependent;
    int element;
    int local;
  };
  void compress_projection();
  void plan_assembly();
  void list_driven();
  void update_rows(double t, Side side);
  [[nodiscard]] double row_sum(const std::vector<double>& values, int dependent) const;
  void subtract_driven_inertia(std::span<const double> particular);
  Outcome solve_independent(std::span<double> x);
  void fill_dependents(std::span<double> x, const std::vector<double>& row_values) const;
  [[nodiscard]] double element_force(int element, int local, std::span<const double> a) const;
  [[nodiscard]] Outcome explain_failure(std::span<const double> q, const Outcome& outcome) const;

  const Model* model_;
  Parallelism parallelism_;
  Projection projection_;
  Numbering numbering_;
  std::size_t coordinate_count_;
  std::size_t independent_;
  RodPool rods_;
  Compressed g_, h_;
  GatherPlan diagonal_plan_, off_diagonal_plan_, force_plan_;
  std::vector<int> moving_rows_;                          // rows with a law
  std::vector<int> moving_dependents_;                    // dependents with a moving row in H
  std::vector<Touch> touches_;                            // sorted by dependent
  std::vector<int> touch_start_;                          // [dependents + 1]
  std::vector<int> driven_elements_;                      // elements that hold a moving dependent
  std::vector<GatherPlan::Contribution> driven_targets_;  // of their inertia to independents
  double highest_frequency_ = 0;

  // Scratch.
  BlockLdlt matrix_;
  std::vector<double> buffer_;
  std::vector<double> row_position_, row_rate_, row_acceleration_;
  std::vector<double> particular_;      // stored vector, nonzero on moving dependents
  std::vector<double> driven_inertia_;  // [driven elements][6]
};

}  // namespace fem
