// The six coordinates (X₀, Y₀, Z₀, X₁, Y₁, Z₁) of an object between two nodes, and which of them
// its stencil holds: a node in the plane has no Z, and is at Z = 0.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "libfem/link/line.hpp"
#include "libfem/model/model.hpp"
#include "libfem/system/stencil.hpp"

namespace fem {

/// Index into the stencil of each of the six, or kNone.
using EndSlots = std::array<int, 6>;

[[nodiscard]] inline EndSlots end_slots(const Model& model, const std::array<int, 2>& nodes) {
  EndSlots slots{};
  int next = 0;
  for (std::size_t end = 0; end < 2; ++end) {
    const int axes = model.nodes[static_cast<std::size_t>(nodes[end])].axes();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      slots[3 * end + axis] = static_cast<int>(axis) < axes ? next++ : kNone;
    }
  }
  return slots;
}

/// The stencil of an object between two nodes, its buffer entries from `base` on.
[[nodiscard]] inline Stencil end_stencil(const Model& model, const std::array<int, 2>& nodes,
                                         int base) {
  Stencil s{.base = base};
  for (const int n : nodes) {
    const Node& node = model.nodes[static_cast<std::size_t>(n)];
    for (int axis = 0; axis < node.axes(); ++axis) {
      s.coordinate[static_cast<std::size_t>(s.count++)] = node.x + axis;
    }
  }
  return s;
}

/// The six values of a stored vector; `places` are those of the stencil's coordinates.
[[nodiscard]] inline Vector6d gather_ends(const EndSlots& slots, std::span<const int> places,
                                          std::span<const double> values) {
  Vector6d result = Vector6d::Zero();
  for (std::size_t k = 0; k < 6; ++k) {
    if (slots[k] == kNone) continue;
    result(static_cast<Eigen::Index>(k)) =
        values[static_cast<std::size_t>(places[static_cast<std::size_t>(slots[k])])];
  }
  return result;
}

/// Calls visit(i, k) for every coordinate i of the stencil and its place k among the six.
template <class Visit>
void visit_ends(const EndSlots& slots, const Visit& visit) {
  for (std::size_t k = 0; k < 6; ++k) {
    if (slots[k] != kNone) visit(slots[k], static_cast<Eigen::Index>(k));
  }
}

}  // namespace fem
