// Where every coordinate is stored: the paper's partition (90), q = (q_i, q_d).
//
// Independent coordinates come first, three to a block (X, Y and one angle of a node; further
// angles of a hinged node follow in blocks of their own), blocks in elimination order: a chain is a
// narrow band. Spare places of a block hold nothing and stay zero. Dependent coordinates follow in
// the order of Projection::dependents.
#pragma once

#include <span>
#include <vector>

#include "libfem/constraint/projection.hpp"
#include "libfem/linalg/elimination.hpp"
#include "libfem/model/model.hpp"
#include "libfem/system/stencil.hpp"

namespace fem {

struct Numbering {
  std::vector<int> place;       ///< [coordinates] index into stored vectors
  std::vector<int> coordinate;  ///< [size] natural coordinate of a place, or kNone for a spare one
  int independent = 0;          ///< places before the dependent coordinates
  Elimination elimination;      ///< of the blocks
  [[nodiscard]] int size() const { return static_cast<int>(coordinate.size()); }
};

[[nodiscard]] Numbering make_numbering(const Model& model, const Projection& projection,
                                       std::span<const Stencil> stencils);

}  // namespace fem
