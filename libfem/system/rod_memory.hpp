// Rods whose section remembers: every generalized strain s of an element acts as what is left of
// it,
//
//   s + m,   m = −∫R s dt      (stiffness 1: force less deformation of hereditary/memory)
//
// The rods themselves are elastic with the instantaneous stiffness (system/rod_pool); here stand
// the forces of m, one object an element on the element's own coordinates. As in
// system/hereditary_pool, trials never touch the memory, and without one everything has relaxed.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "libfem/base/parallel.hpp"
#include "libfem/hereditary/memory.hpp"
#include "libfem/model/model.hpp"
#include "libfem/rod/strain_forces.hpp"
#include "libfem/system/hereditary_stiffness.hpp"
#include "libfem/system/numbering.hpp"
#include "libfem/system/stencil.hpp"

namespace fem {

/// What the rods remember; a value, part of the state of a run.
struct RodMemoryState {
  std::vector<RelaxationSeries> series{};                   ///< of every section; empty: none
  std::vector<std::array<HereditaryMemory, 3>> elements{};  ///< θ⁻, θ⁺, ε of those that remember
};

class RodMemory {
 public:
  [[nodiscard]] static std::vector<Stencil> make_stencils(const Model& model, int base);

  RodMemory(const Model& model, const Numbering& numbering, std::vector<Stencil> stencils);

  [[nodiscard]] bool empty() const noexcept { return stencils_.empty(); }

  void start(const TimeScales& scales, std::span<const double> q);
  [[nodiscard]] const RodMemoryState& state() const noexcept { return state_; }
  void set_state(RodMemoryState state) { state_ = std::move(state); }
  void set_stiffness(HereditaryStiffness stiffness) noexcept { stiffness_ = stiffness; }
  void commit(Parallelism parallelism, double t, std::span<const double> q);

  /// Forces in dynamics; the matrices are zero.
  void evaluate(Parallelism parallelism, double t, std::span<const double> q,
                std::span<double> buffer) const;
  /// Forces of what has relaxed, and what they change in the tangent.
  void evaluate_tangent(std::span<const double> q, std::span<double> buffer) const;
  /// Matrices of a step to t: the forces' derivatives with respect to q; what forces stand there
  /// stay.
  void evaluate_step_matrix(Parallelism parallelism, double t, std::span<const double> q,
                            std::span<double> buffer) const;

  void multiply(std::span<const double> u, std::span<double> buffer,
                Product product = Product::replace) const;

  /// m of an element of the model, at its configuration; zero if it does not remember.
  [[nodiscard]] RodStrains memory_strains(int element, double t,
                                          const RodKinematics<double>& k) const;

  struct Energy {
    double stored = 0;      ///< beyond the elastic energy of the strains, J; ≤ 0
    double dissipated = 0;  ///< since the start, J
  };
  [[nodiscard]] Energy energy(double t, std::span<const double> q) const;

 private:
  struct Item {
    int element;
    std::size_t section;
    std::array<int, 6> places;
  };
  struct Configuration {
    const RodConstants<double>* constants;
    RodKinematics<double> kinematics;
  };
  [[nodiscard]] Configuration configuration(const Item& item, std::span<const double> q) const;
  [[nodiscard]] RodStrains memory_strains(std::size_t item, double t, const RodStrains& s) const;
  [[nodiscard]] bool remembers() const noexcept { return !state_.elements.empty(); }

  const Model* model_;
  std::vector<Stencil> stencils_;
  std::vector<Item> items_;
  std::vector<int> item_of_;     // of every element
  std::vector<double> relaxed_;  // c_∞/c of every section
  RodMemoryState state_;
  HereditaryStiffness stiffness_ = HereditaryStiffness::relaxed;
};

}  // namespace fem
