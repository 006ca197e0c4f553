// Points of equilibrium of a system on its path over the load factor λ: Newton's method on a plane.
//
//   symbol   code             meaning
//   q        PathPoint::q     stored vector; the dependent entries follow from q_i and λ
//   λ        PathPoint::load  scales gravity, loads and prescribed changes
//   r        residual         𝒯(U_q − λQ) on the independent places
//   K        tangent          ∂r/∂q_i;  r_λ = ∂r/∂λ
//   n        Direction        normal of the plane that the next point lies on
//
//   K δq + r_λ δλ = −r,   n·(δq, δλ) = 0          (bordering: two solutions with one factorization)
//
// n = (0, 1) holds the load; n = the unit tangent of the path is the arc-length method of Riks
// (1979), which passes points where K is singular. Scalar products are in the scaled metric
//   a·b = Σ a_i b_i / (u_i² N_i) + a_λ b_λ / λ_u²
// with u the model's size for positions and 1 for angles, N how many there are of the kind.
//
// The tangent is exact. Its symmetric part S is factorized; follower loads, whose forces turn with
// a section, add Σ u wᵀ (one term a load) and are brought in by the formula of Sherman, Morrison
// and Woodbury. Where there are none, S has as many negative pivots as the potential has directions
// in which it falls: 0 in a stable equilibrium.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

#include "libfem/system/system.hpp"

namespace fem {

struct PathPoint {
  Eigen::VectorXd q;
  double load = 0;
};

/// A change of the independent coordinates and of the load factor.
struct Direction {
  Eigen::VectorXd q;
  double load = 0;
};

/// How a correction ended.
struct Correction {
  bool converged = false;
  int iterations = 0;
  int negative = 0;       ///< negative pivots of S
  std::size_t worst = 0;  ///< place of the unknown that is worst balanced
};

class Equilibrium {
 public:
  /// At the laws' values of `time`; λ_u = `load_unit`. The sizes of forces are taken at the stored
  /// positions `start`. The system must outlive this.
  Equilibrium(System& system, double time, double load_unit, std::span<const double> start);

  /// Forces of the start at λ = 0 (springs out of their rest, stress-free curvature) and
  /// whether anything is to be balanced at λ = 1.
  [[nodiscard]] bool starts_balanced() const { return starts_balanced_; }
  [[nodiscard]] bool has_load() const { return has_load_; }

  /// With settling on, λ is 0 and PathPoint::load grows from 0 to 1 while the forces of the
  /// undeformed state are let go.
  void set_settling(bool settling) { settling_ = settling; }
  [[nodiscard]] bool is_settling() const { return settling_; }

  /// Newton's method from y, on the plane through y with this normal.
  Correction correct(PathPoint& y, const Direction& normal);

  /// dy/dλ at the point that was corrected last (infinite where K is singular).
  [[nodiscard]] Direction load_rate();

  /// −r_λ·q of a direction, at the point that was corrected last.
  [[nodiscard]] double load_work(const Direction& direction) const;

  /// The eigenvalue κ of S next to zero, S x = κ W x with the metric's weights W, by inverse
  /// iteration from `motion` (resized if it does not fit), at the point that was corrected last.
  double critical_motion(Eigen::VectorXd& motion) const;

  [[nodiscard]] double dot(const Direction& a, const Direction& b) const;
  [[nodiscard]] double norm(const Direction& a) const;
  /// Independent part of b − a.
  [[nodiscard]] Direction difference(const PathPoint& a, const PathPoint& b) const;
  /// Largest change of an angle, rad.
  [[nodiscard]] double largest_turn(const Direction& change) const;
  /// Place of the largest change in units u.
  [[nodiscard]] std::size_t largest_entry(const Direction& change) const;
  /// Units u of the independent places: model size or 1; 0 for spare places.
  [[nodiscard]] const Eigen::VectorXd& units() const { return units_; }

  /// Completes q and leaves in the system what System::reactions() reads.
  void evaluate(PathPoint& y);

  [[nodiscard]] long evaluations() const { return evaluations_; }

 private:
  void set_units();
  void set_force_scales(std::span<const double> start);
  void assemble_full_load(Eigen::VectorXd& q, Eigen::VectorXd& full);
  [[nodiscard]] bool is_moved() const;
  void assemble(double load, Eigen::VectorXd& q, Eigen::VectorXd& r);
  void assemble_with_rate(PathPoint& y);
  [[nodiscard]] bool factorize(PathPoint& y, bool holds_load, int& negative);
  [[nodiscard]] Eigen::VectorXd follower_products(const Eigen::VectorXd& x) const;
  [[nodiscard]] Eigen::VectorXd solve(Eigen::VectorXd b) const;
  [[nodiscard]] double imbalance(std::size_t& worst) const;
  [[nodiscard]] double size_of(const Eigen::VectorXd& change) const;

  System* system_;
  std::vector<System::FollowerTerm> followers_;    // where the matrix was assembled
  Eigen::MatrixXd followers_solved_;               // S⁻¹u of each
  Eigen::PartialPivLU<Eigen::MatrixXd> coupling_;  // 1 + wᵀS⁻¹u
  double time_;
  double load_unit_;
  bool settling_ = false;
  bool starts_balanced_ = true, has_load_ = false;
  long evaluations_ = 0;
  enum class Kind { spare, position, angle };
  std::vector<Kind> kinds_;          // of the independent places
  Eigen::VectorXd units_, weights_;  // of the independent places
  Eigen::VectorXd tolerance_;        // of the residual
  Eigen::VectorXd soft_;             // springs whose force is the tolerance at a unit's motion
  Eigen::VectorXd initial_;          // r at the undeformed state and λ = 0
  Eigen::VectorXd residual_, residual_rate_;
};

}  // namespace fem
