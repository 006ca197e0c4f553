// L D Lᵀ of a symmetric matrix of 3×3 blocks, leaf to root along an Elimination, without pivoting:
// for the projected mass matrix, which is positive definite.
//
//   symbol     code          shape        meaning
//   A, D_j     diagonal      9 a block    lower triangle in; its unit L (3 entries) and 1/d (3) out
//   L_ij       off_diagonal  9 an entry   A_ij in (row-major), L_ij out
//
// Blocks with fewer unknowns carry ones on their spare diagonal and zeros beside it. Subtrees that
// are large enough are factorized at the same time; which ones depends on the structure only, so
// results are bitwise the same for any number of threads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/base/long_array.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/linalg/elimination.hpp"

namespace fem {

inline constexpr std::size_t kBlock = 3;

/// Which pivots a factorization accepts.
enum class Pivots {
  positive,  ///< a mass matrix: anything else is an error
  nonzero,   ///< a tangent: negative ones are counted
};

class BlockLdlt {
 public:
  explicit BlockLdlt(Elimination structure, Parallelism parallelism = {});

  [[nodiscard]] const Elimination& structure() const noexcept { return structure_; }
  [[nodiscard]] std::size_t size() const noexcept { return kBlock * structure_.blocks(); }

  /// Storage to be filled before factorize(): [blocks][3][3], lower triangles, row-major.
  [[nodiscard]] std::span<double> diagonal() noexcept { return diagonal_; }
  /// [entries][3][3], row-major: rows of the later block, columns of the earlier one.
  [[nodiscard]] std::span<double> off_diagonal() noexcept { return off_diagonal_; }

  /// Factorizes in place. Fails with singular_mass at the first pivot that is not accepted (or not
  /// a number); `where` is the unknown in elimination order.
  Outcome factorize(Pivots pivots = Pivots::positive);

  /// Negative pivots of the last factorization: negative eigenvalues, by Sylvester's law.
  [[nodiscard]] int negative_pivots() const;

  /// Solves A x = b in place; b is in elimination order, 3 a block.
  void solve(std::span<double> b) const;

  /// Both, in two passes over the matrix where one after the other takes three; the same bits.
  Outcome factorize_and_solve(std::span<double> b, Pivots pivots = Pivots::positive);

 private:
  struct Subtree {
    int begin, end;  // columns, contiguous in post-order
  };

  void find_subtrees();
  Outcome eliminate(Pivots pivots, double* b);
  Outcome eliminate_columns(int begin, int end, int limit, Pivots pivots, double* b);
  void eliminate_entries(int j, int limit);
  void update_from_bridge(int j, int from_row);
  void update_later_blocks(int j, int a, const double* y);
  void forward(int begin, int end, int limit, double* b) const;
  void forward_column(int j, int limit, double* b) const;
  void forward_from(int j, int from_row, int to_row, double* b) const;
  void backward(double* b) const;
  void backward(int begin, int end, double* b) const;

  Elimination structure_;
  Parallelism parallelism_;
  LongArray<double> diagonal_;
  LongArray<double> off_diagonal_;
  std::vector<Subtree> subtrees_;  // independent, increasing; the rest is done after them
  std::vector<int> bridges_;       // columns of subtrees that reach rows outside their subtree
  std::vector<int> bridge_end_;    // end of the subtree of each bridge
  std::vector<int> rest_;          // begins and ends of the column ranges between the subtrees
  std::vector<Outcome> outcomes_;  // of the subtrees
};

}  // namespace fem
