// The order in which the blocks of a structure are eliminated, and the blocks that fill in.
//
// Blocks are small groups of unknowns (a node's X, Y and angle); an edge joins two that an element
// couples. Leaves go first and the parent of a block is the first later block it is joined to, so
// a chain or tree eliminates without fill, from all its ends towards its middle: subtrees are
// independent and their result does not depend on who computes them. What remains when the leaves
// are gone (closed loops) is ordered by approximate minimum degree.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fem {

/// Structure of the lower triangle of a block matrix after factorization, by columns.
struct Elimination {
  std::vector<int> position;      ///< [blocks] place of a block in the elimination order
  std::vector<int> column_start;  ///< [blocks + 1] first off-diagonal entry of a column
  std::vector<int> row;           ///< [entries] row of an entry, increasing within a column
  std::vector<int> parent;        ///< [blocks] first row of a column, or −1 for a root
  /// Update targets: column j with entries e₁ < e₂ < … changes, for every pair (e_a, e_b), a ≤ b,
  /// the block (row e_b, row e_a): `update[update_start[j] + …]` is its entry index, or −1 − row
  /// for a diagonal block. Pairs are in the order (1,1), (2,1), (2,2), (3,1), …
  std::vector<std::int64_t> update_start;  ///< [blocks + 1]
  std::vector<int> update;

  [[nodiscard]] std::size_t blocks() const noexcept { return position.size(); }
  /// Entry of the block (i, j), i > j both in elimination order; −1 if it is zero.
  [[nodiscard]] int entry(int i, int j) const;
};

/// Order and structure for `blocks` blocks joined by `edges` (pairs of different blocks; repeated
/// edges are allowed).
[[nodiscard]] Elimination make_elimination(int blocks, std::span<const std::array<int, 2>> edges);

}  // namespace fem
