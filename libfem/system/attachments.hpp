// Everything in a system that is not a rod element: bodies, particles, hinge moments, springs,
// loads. Each object writes its matrix and force into the buffer where its stencil says, like the
// rods.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "libfem/base/error.hpp"
#include "libfem/law/law.hpp"
#include "libfem/linalg/step_weights.hpp"
#include "libfem/model/model.hpp"
#include "libfem/rod/rod_load.hpp"
#include "libfem/system/numbering.hpp"
#include "libfem/system/stencil.hpp"
#include "libfem/system/two_ends.hpp"

namespace fem {

/// Energies and powers of the attachments at one state.
struct AttachmentPowers {
  double kinetic = 0;     ///< of bodies, J
  double springs = 0;     ///< potential of springs and hinges, J
  double gravity = 0;     ///< potential of bodies, J
  double external = 0;    ///< power of loads, W
  double dissipated = 0;  ///< power of dampers and friction, W
};

class Attachments {
 public:
  /// Stencils of the model's attachments, their buffer entries from `base` on.
  [[nodiscard]] static std::vector<Stencil> make_stencils(const Model& model, int base);

  Attachments(const Model& model, const Numbering& numbering, std::vector<Stencil> stencils);

  /// points_meet where the ends of a spring do and its force has no direction, with the place of X
  /// of its first end.
  [[nodiscard]] Outcome check(std::span<const double> q) const;

  /// Matrices (mass) and forces (velocity, spring, damper, − loads, − M g) in dynamics.
  void evaluate(double t, Side side, std::span<const double> q, std::span<const double> v,
                std::span<double> buffer) const;

  /// Stiffness and forces in statics; the loads are scaled by `factor`. The part of follower loads
  /// is not symmetric and has no place here: follower_turns().
  void evaluate_tangent(double t, double factor, std::span<const double> q,
                        std::span<double> buffer) const;

  /// ∂(− factor force)/∂α of a follower load.
  struct FollowerTurn {
    int x, angle;       ///< coordinates of X, Y is the next one, and of the angle α
    double on_x, on_y;  ///< N/rad
  };
  /// Of the follower loads that turn and are not zero.
  [[nodiscard]] std::vector<FollowerTurn> follower_turns(double t, double factor,
                                                         std::span<const double> q) const;

  /// The forces of evaluate() and M a with them.
  void evaluate_step_force(double t, Side side, std::span<const double> q,
                           std::span<const double> v, std::span<const double> a,
                           std::span<double> buffer) const;

  /// Matrices m M + c C + K of all objects, symmetric parts; what forces stand there stay. Follower
  /// loads add nothing.
  void evaluate_step_matrix(double t, const StepWeights& weights, std::span<const double> q,
                            std::span<const double> v, std::span<double> buffer) const;

  /// Replaces the forces in the buffer by A u, with the matrices A that stand there.
  void multiply(std::span<const double> u, std::span<double> buffer,
                Product product = Product::replace) const;

  /// Force X, Y and moment of a load at a point, or force X, Y, Z of one in space; in a moving
  /// frame in its axes.
  [[nodiscard]] std::array<double, 3> load_force(std::size_t load, double t, Side side,
                                                 std::span<const double> q) const;

  [[nodiscard]] AttachmentPowers powers(double t, Side side, std::span<const double> q,
                                        std::span<const double> v) const;

 private:
  // Stored places of an object's coordinates.
  using Places = std::array<int, Stencil::kMost>;
  [[nodiscard]] TwoPointForce spring_force(std::size_t spring, std::span<const double> q,
                                           std::span<const double> v) const;
  [[nodiscard]] double law_value(int law, double t, Side side) const;
  [[nodiscard]] bool in_space(const Body& body) const;
  [[nodiscard]] Vector6d along_line(std::size_t load, std::span<const double> q) const;
  // A load on one element, the element and its configuration.
  struct LoadedElement {
    RodElementLoad load;
    const RodConstants<double>* constants;
    RodKinematics<double> kinematics;
  };
  [[nodiscard]] LoadedElement loaded_element(std::size_t element_load, double t, Side side,
                                             std::span<const double> q) const;
  const Model* model_;
  std::vector<Stencil> stencils_;
  std::vector<Places> places_;
  struct ElementLoad {
    int load, element;
    double begin, end;  // the element's part of its rod, 0 … 1
  };
  [[nodiscard]] static std::vector<ElementLoad> make_element_loads(const Model& model);
  std::vector<ElementLoad> element_loads_;
  std::size_t first_hinge_, first_spring_, first_load_, first_rod_load_;  // into stencils_
  std::vector<int> law_hinges_;                                           // hinges with a law
  std::vector<EndSlots> spring_slots_;
  std::vector<std::array<int, 4>> along_places_;  // of X₀, Y₀, X₁, Y₁ of the line a load follows
};

}  // namespace fem
