// All rod elements of a model, four at a time: gathers their coordinates, runs the element kernel
// in lanes, and leaves mass matrices and forces in a buffer from which the system is summed.
//
// Buffer of a tile of four elements: [27][4], first the lower triangle of the matrix column by
// column (21 entries), then the force (6), each with the four elements side by side: a Stencil of
// stride 4.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "libfem/base/long_array.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/linalg/step_weights.hpp"
#include "libfem/math/lane.hpp"
#include "libfem/model/model.hpp"
#include "libfem/rod/rod_element.hpp"
#include "libfem/system/numbering.hpp"
#include "libfem/system/stencil.hpp"

namespace fem {

class RodPool {
 public:
  static constexpr int kEntries = Stencil::entries(6);

  RodPool(const Model& model, const Numbering& numbering);

  /// Where element e stands in the buffer.
  [[nodiscard]] static Stencil stencil(const Element& element, int e);

  [[nodiscard]] std::size_t buffer_size() const noexcept {
    return tiles_.size() * kEntries * kLanes;
  }

  /// M and f + U_q + damping − M g of every element at (q, v), into the buffer.
  void evaluate(Parallelism parallelism, std::span<const double> q, std::span<const double> v,
                std::span<double> buffer) const;

  /// U_q − factor M g and its derivative with respect to q, for statics.
  void evaluate_tangent(Parallelism parallelism, double factor, std::span<const double> q,
                        std::span<double> buffer) const;

  /// Forces M (a − g) + f + U_q + damping of every element at (q, v, a), into the buffer; what
  /// matrices stand there stay.
  void evaluate_step_force(Parallelism parallelism, std::span<const double> q,
                           std::span<const double> v, std::span<const double> a,
                           std::span<double> buffer) const;

  /// Matrices m M + c C + K (rod/rod_step.hpp); what forces stand there stay.
  void evaluate_step_matrix(Parallelism parallelism, const StepWeights& weights,
                            std::span<const double> q, std::span<const double> v,
                            std::span<double> buffer) const;

  /// Replaces the forces in the buffer by A u, with the matrices A that stand there.
  void multiply(Parallelism parallelism, std::span<const double> u, std::span<double> buffer,
                Product product = Product::replace) const;

 private:
  struct Tile {
    std::array<std::array<int, kLanes>, 6> place;  // stored coordinates of the four elements
    int constants;                                 // index into constants_
    RodOptions options;
    bool mass_damping;
  };
  [[nodiscard]] static Vector6<Lane> gather(const Tile& tile, std::span<const double> values);

  LongArray<Tile> tiles_;
  std::vector<RodConstants<Lane>> constants_;  // of the combinations of types that occur
  const Model* model_;
};

}  // namespace fem
