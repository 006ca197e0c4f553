// All rod elements of a model, four at a time: gathers their coordinates, runs the element kernel
// in lanes, and leaves mass matrices and forces in a buffer from which the system is summed.
//
// Buffer of a tile of four elements: [27][4], first the lower triangle of M column by column
// (21 entries), then the force (6), each with the four elements side by side.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "libfem/base/parallel.hpp"
#include "libfem/math/lane.hpp"
#include "libfem/model/model.hpp"
#include "libfem/rod/rod_element.hpp"
#include "libfem/system/numbering.hpp"

namespace fem {

class RodPool {
 public:
  static constexpr int kMassEntries = 21;
  static constexpr int kEntries = kMassEntries + 6;

  RodPool(const Model& model, const Numbering& numbering);

  [[nodiscard]] std::size_t buffer_size() const noexcept {
    return tiles_.size() * kEntries * kLanes;
  }

  /// M and f + U_q of every element at (q, v), into the buffer.
  void evaluate(Parallelism parallelism, std::span<const double> q, std::span<const double> v,
                std::span<double> buffer) const;

  /// Replaces the forces in the buffer by M u, with the mass matrices that stand there.
  void multiply_mass(Parallelism parallelism, std::span<const double> u,
                     std::span<double> buffer) const;

  /// Index into the buffer of M_ij (any order of i, j) and of f_i of an element.
  [[nodiscard]] static int mass_index(int element, int i, int j);
  [[nodiscard]] static int force_index(int element, int i);

 private:
  struct Tile {
    std::array<std::array<int, kLanes>, 6> place;  // stored coordinates of the four elements
    int constants;                                 // index into constants_
  };
  [[nodiscard]] static Vector6<Lane> gather(const Tile& tile, std::span<const double> values);

  std::vector<Tile> tiles_;
  std::vector<RodConstants<Lane>> constants_;  // of the combinations of types that occur
};

}  // namespace fem
