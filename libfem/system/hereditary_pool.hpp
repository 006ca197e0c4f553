// Hereditary elements of a system: what resists their deformation, from the memory of all accepted
// steps and the trial at hand (hereditary/README.md).
//
//   symbol   code          unit          meaning
//   y        deformation   m or rad      ρ − rest − a(t)
//   P        force         N or N m      tension; what resists is P ∂y/∂q
//   P^c      c y           N or N m      what it would be without a memory, Hedrih (55)
//   P^c̃      P − P^c       N or N m      what the past takes away, Hedrih (56)
//   R₀       −P            N or N m      rheonomic reaction, conjugate to a; power R₀ ȧ
//
// The pool owns the memory. A trial never touches it: commit() moves it on, once for every accepted
// step. Before start() there is no memory: the elements have relaxed, P = c_∞ y. That is what
// statics sees.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/hereditary/memory.hpp"
#include "libfem/law/law.hpp"
#include "libfem/model/model.hpp"
#include "libfem/system/hereditary_stiffness.hpp"
#include "libfem/system/numbering.hpp"
#include "libfem/system/stencil.hpp"
#include "libfem/system/two_ends.hpp"

namespace fem {

/// What all hereditary elements of a model remember; a value, part of the state of a run.
struct HereditaryState {
  std::vector<RelaxationSeries> series{};
  std::vector<HereditaryMemory> memory{};
};

/// One element at one state.
struct HereditaryAnswer {
  double deformation = 0;
  double force = 0;
  double instantaneous_force = 0;  ///< P^c
  double stored = 0;               ///< J
  double dissipated = 0;           ///< since the start, J
  double dissipated_power = 0;     ///< W
  double rheonomic_power = 0;      ///< W
};

class HereditaryPool {
 public:
  /// Stencils of the model's hereditary elements, their buffer entries from `base` on.
  [[nodiscard]] static std::vector<Stencil> make_stencils(const Model& model, int base);

  HereditaryPool(const Model& model, const Numbering& numbering, std::vector<Stencil> stencils);

  [[nodiscard]] bool empty() const noexcept { return stencils_.empty(); }

  /// The memory at t = 0⁻ that the pre-histories leave at q.
  void start(const TimeScales& scales, std::span<const double> q);
  [[nodiscard]] const HereditaryState& state() const noexcept { return state_; }
  void set_state(HereditaryState state);
  void set_stiffness(HereditaryStiffness stiffness) noexcept { stiffness_ = stiffness; }

  /// The state at t is accepted: the memory moves on.
  void commit(double t, Side side, std::span<const double> q);

  /// points_meet where an element between points has no direction, with the place of X of its
  /// first end.
  [[nodiscard]] Outcome check(std::span<const double> q) const;

  /// Forces in dynamics; the matrices are zero.
  void evaluate(double t, Side side, std::span<const double> q, std::span<double> buffer) const;

  /// Stiffness and forces in statics; what a law changes is scaled by `factor`.
  void evaluate_tangent(double t, double factor, std::span<const double> q,
                        std::span<double> buffer) const;

  /// Matrices of a step to t: the forces' derivatives with respect to q; what forces stand there
  /// stay.
  void evaluate_step_matrix(double t, std::span<const double> q, std::span<double> buffer) const;

  /// Power of the laws in statics while the factor changes by `rate`.
  [[nodiscard]] double static_power(double t, double factor, double rate,
                                    std::span<const double> q) const;

  /// Replaces the forces in the buffer by A u with the matrices A that stand there.
  void multiply(std::span<const double> u, std::span<double> buffer,
                Product product = Product::replace) const;

  /// In statics the change of a is scaled by `factor`.
  [[nodiscard]] HereditaryAnswer answer(std::size_t element, double t, Side side,
                                        std::span<const double> q, double factor = 1) const;

  /// ∂y/∂q of an element, over its stencil.
  struct Gradient {
    Stencil stencil;
    std::array<double, Stencil::kMost> value{};
  };
  [[nodiscard]] Gradient gradient(std::size_t element, std::span<const double> q) const;

 private:
  using Places = std::array<int, Stencil::kMost>;
  // Distance or angle, its gradient and, if it `bends`, its second derivatives, over the stencil.
  struct Geometry {
    double measure = 0;
    bool defined = true;
    std::array<double, Stencil::kMost> along{};
    std::array<std::array<double, Stencil::kMost>, Stencil::kMost> second{};
  };
  [[nodiscard]] Geometry geometry(std::size_t element, std::span<const double> q,
                                  bool bends = false) const;
  [[nodiscard]] LawValue series_law(std::size_t element, double t, Side side) const;
  [[nodiscard]] double series_length(std::size_t element, double t, Side side,
                                     double factor = 1) const;
  [[nodiscard]] double deformation(std::size_t element, double t, Side side,
                                   std::span<const double> q, double factor = 1) const;
  [[nodiscard]] bool remembers() const noexcept { return !state_.memory.empty(); }

  const Model* model_;
  std::vector<Stencil> stencils_;
  std::vector<Places> places_;
  std::vector<EndSlots> slots_;
  std::vector<double> relaxed_;  // c_∞
  HereditaryState state_;
  HereditaryStiffness stiffness_ = HereditaryStiffness::relaxed;
};

}  // namespace fem
