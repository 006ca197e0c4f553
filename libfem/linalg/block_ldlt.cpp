#include "libfem/linalg/block_ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fem {
namespace {

constexpr std::size_t kArea = kBlock * kBlock;
constexpr int kSmallestSubtree = 512;  // columns; below this a task costs more than it saves

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Places in a factorized diagonal block: unit lower triangle below, inverse pivots on the diagonal.
enum { kD0 = 0, kL10 = 3, kD1 = 4, kL20 = 6, kL21 = 7, kD2 = 8 };

bool accepts(Pivots pivots, double d) {
  return pivots == Pivots::positive ? d > 0 : d != 0 && std::isfinite(d);
}

// L D Lᵀ of one 3×3 block in place; false, with its place, if a pivot is not accepted.
bool factorize_block(double* a, Pivots pivots, std::size_t& bad) {
  const double d0 = a[kD0];
  const double i0 = 1 / d0;
  const double l10 = a[kL10] * i0;
  const double l20 = a[kL20] * i0;
  const double d1 = a[kD1] - l10 * a[kL10];
  const double i1 = 1 / d1;
  const double s21 = a[kL21] - l20 * a[kL10];
  const double l21 = s21 * i1;
  const double d2 = a[kD2] - l20 * a[kL20] - l21 * s21;
  bad = !accepts(pivots, d0) ? 0 : !accepts(pivots, d1) ? 1 : !accepts(pivots, d2) ? 2 : kBlock;
  a[kD0] = i0;
  a[kL10] = l10;
  a[kD1] = i1;
  a[kL20] = l20;
  a[kL21] = l21;
  a[kD2] = 1 / d2;
  return bad == kBlock;
}

// X = B D⁻¹L⁻ᵀ (into b) and Y = B L⁻ᵀ = X D for the rows of a block below the diagonal block d.
void eliminate_block(const double* d, double* b, double* y) {
  for (std::size_t r = 0; r < kBlock; ++r) {
    double* x = b + kBlock * r;
    double* w = y + kBlock * r;
    w[0] = x[0];
    w[1] = x[1] - w[0] * d[kL10];
    w[2] = x[2] - w[0] * d[kL20] - w[1] * d[kL21];
    x[0] = w[0] * d[kD0];
    x[1] = w[1] * d[kD1];
    x[2] = w[2] * d[kD2];
  }
}

// Y again, from X.
void scale_block(const double* d, const double* x, double* y) {
  for (std::size_t r = 0; r < kArea; r += kBlock) {
    y[r] = x[r] / d[kD0];
    y[r + 1] = x[r + 1] / d[kD1];
    y[r + 2] = x[r + 2] / d[kD2];
  }
}

// C −= X Yᵀ
void subtract_product(const double* x, const double* y, double* c) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    for (std::size_t j = 0; j < kBlock; ++j) {
      c[kBlock * i + j] -= x[kBlock * i] * y[kBlock * j] + x[kBlock * i + 1] * y[kBlock * j + 1] +
                           x[kBlock * i + 2] * y[kBlock * j + 2];
    }
  }
}

}  // namespace

BlockLdlt::BlockLdlt(Elimination structure, Parallelism parallelism)
    : structure_(std::move(structure)),
      parallelism_(parallelism),
      diagonal_(kArea * structure_.blocks()),
      off_diagonal_(kArea * structure_.row.size()) {
  find_subtrees();
}

// The largest subtrees with at most half of the blocks each are independent of one another.
void BlockLdlt::find_subtrees() {
  const int n = static_cast<int>(structure_.blocks());
  const int largest = std::max(kSmallestSubtree, (n + 1) / 2);
  std::vector<int> size(at(n), 1);
  for (int j = 0; j < n; ++j) {
    const int parent = structure_.parent[at(j)];
    if (parent >= 0) size[at(parent)] += size[at(j)];
  }
  int done = 0;
  for (int j = 0; j < n; ++j) {
    const int parent = structure_.parent[at(j)];
    const bool root = size[at(j)] <= largest && (parent < 0 || size[at(parent)] > largest);
    if (!root || n <= kSmallestSubtree) continue;
    const int begin = j + 1 - size[at(j)];
    rest_.insert(rest_.end(), {done, begin});
    subtrees_.push_back({begin, j + 1});
    done = j + 1;
  }
  rest_.insert(rest_.end(), {done, n});
  outcomes_.resize(subtrees_.size());
  for (const Subtree& s : subtrees_) {
    for (int j = s.begin; j < s.end; ++j) {
      const int last = structure_.column_start[at(j) + 1];
      if (last == structure_.column_start[at(j)] || structure_.row[at(last) - 1] < s.end) continue;
      bridges_.push_back(j);
      bridge_end_.push_back(s.end);
    }
  }
}

// What column j, with Y of its entry a, takes from the blocks in the column of that entry's row.
void BlockLdlt::update_later_blocks(int j, int a, const double* y) {
  const int first = structure_.column_start[at(j)];
  const int last = structure_.column_start[at(j) + 1];
  const int* targets = structure_.update.data() + structure_.update_start[at(j)];
  for (int b = a; b < last; ++b) {
    const int i = b - first;
    const int target = targets[i * (i + 1) / 2 + (a - first)];
    double* block = target < 0 ? diagonal_.data() + kArea * at(-1 - target)
                               : off_diagonal_.data() + kArea * at(target);
    subtract_product(off_diagonal_.data() + kArea * at(b), y, block);
  }
}

// The entries of column j, last to first: every product then has both its factors. Of the later
// blocks those below `limit` are updated.
void BlockLdlt::eliminate_entries(int j, int limit) {
  const double* d = diagonal_.data() + kArea * at(j);
  const int first = structure_.column_start[at(j)];
  for (int a = structure_.column_start[at(j) + 1] - 1; a >= first; --a) {
    double y[kArea];
    eliminate_block(d, off_diagonal_.data() + kArea * at(a), y);
    if (structure_.row[at(a)] < limit) update_later_blocks(j, a, y);
  }
}

// The updates from `from_row` on that eliminate_entries() left.
void BlockLdlt::update_from_bridge(int j, int from_row) {
  for (int a = structure_.column_start[at(j)]; a < structure_.column_start[at(j) + 1]; ++a) {
    if (structure_.row[at(a)] < from_row) continue;
    double y[kArea];
    scale_block(diagonal_.data() + kArea * at(j), off_diagonal_.data() + kArea * at(a), y);
    update_later_blocks(j, a, y);
  }
}

// Columns [begin, end); of what is behind them, blocks and b (if any), that below `limit` is
// updated.
Outcome BlockLdlt::eliminate_columns(int begin, int end, int limit, Pivots pivots, double* b) {
  for (int j = begin; j < end; ++j) {
    std::size_t bad = 0;
    if (!factorize_block(diagonal_.data() + kArea * at(j), pivots, bad)) {
      return {Status::singular_mass, kBlock * at(j) + bad};
    }
    eliminate_entries(j, limit);
    if (b != nullptr) forward_column(j, limit, b);
  }
  return {};
}

// L D Lᵀ, and L⁻¹ b if there is a b.
Outcome BlockLdlt::eliminate(Pivots pivots, double* b) {
  parallel_for(parallelism_, subtrees_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Subtree& s = subtrees_[i];
      outcomes_[i] = eliminate_columns(s.begin, s.end, s.end, pivots, b);
    }
  });
  for (const Outcome& outcome : outcomes_) {
    if (!outcome.ok()) return outcome;
  }
  const int n = static_cast<int>(structure_.blocks());
  for (std::size_t i = 0; i < bridges_.size(); ++i) {
    update_from_bridge(bridges_[i], bridge_end_[i]);
    if (b != nullptr) forward_from(bridges_[i], bridge_end_[i], n, b);
  }
  for (std::size_t i = 0; i < rest_.size(); i += 2) {
    const Outcome outcome = eliminate_columns(rest_[i], rest_[i + 1], n, pivots, b);
    if (!outcome.ok()) return outcome;
  }
  return {};
}

Outcome BlockLdlt::factorize(Pivots pivots) { return eliminate(pivots, nullptr); }

Outcome BlockLdlt::factorize_and_solve(std::span<double> b, Pivots pivots) {
  FEM_ASSERT(b.size() == size());
  const Outcome outcome = eliminate(pivots, b.data());
  if (outcome.ok()) backward(b.data());
  return outcome;
}

int BlockLdlt::negative_pivots() const {
  int count = 0;
  for (std::size_t j = 0; j < diagonal_.size(); j += kArea) {
    for (const std::size_t d : {j + kD0, j + kD1, j + kD2}) count += diagonal_[d] < 0 ? 1 : 0;
  }
  return count;
}

// r_i −= L_ij z_j for the rows of column j in [from_row, to_row).
void BlockLdlt::forward_from(int j, int from_row, int to_row, double* b) const {
  const double* z = b + kBlock * at(j);
  for (int e = structure_.column_start[at(j)]; e < structure_.column_start[at(j) + 1]; ++e) {
    const int row = structure_.row[at(e)];
    if (row < from_row || row >= to_row) continue;
    const double* x = off_diagonal_.data() + kArea * at(e);
    double* r = b + kBlock * at(row);
    for (std::size_t i = 0; i < kBlock; ++i) {
      r[i] -= x[kBlock * i] * z[0] + x[kBlock * i + 1] * z[1] + x[kBlock * i + 2] * z[2];
    }
  }
}

void BlockLdlt::forward_column(int j, int limit, double* b) const {
  const double* d = diagonal_.data() + kArea * at(j);
  double* z = b + kBlock * at(j);
  z[1] -= d[kL10] * z[0];
  z[2] -= d[kL20] * z[0] + d[kL21] * z[1];
  forward_from(j, j, limit, b);
}

void BlockLdlt::forward(int begin, int end, int limit, double* b) const {
  for (int j = begin; j < end; ++j) forward_column(j, limit, b);
}

void BlockLdlt::backward(int begin, int end, double* b) const {
  for (int j = end - 1; j >= begin; --j) {
    const double* d = diagonal_.data() + kArea * at(j);
    double* z = b + kBlock * at(j);
    double w[kBlock] = {z[0] * d[kD0], z[1] * d[kD1], z[2] * d[kD2]};
    for (int e = structure_.column_start[at(j)]; e < structure_.column_start[at(j) + 1]; ++e) {
      const double* x = off_diagonal_.data() + kArea * at(e);
      const double* r = b + kBlock * at(structure_.row[at(e)]);
      for (std::size_t i = 0; i < kBlock; ++i) {
        w[i] -= x[i] * r[0] + x[kBlock + i] * r[1] + x[2 * kBlock + i] * r[2];
      }
    }
    w[1] -= d[kL21] * w[2];
    w[0] -= d[kL10] * w[1] + d[kL20] * w[2];
    std::copy(w, w + kBlock, z);
  }
}

void BlockLdlt::solve(std::span<double> b) const {
  FEM_ASSERT(b.size() == size());
  const int n = static_cast<int>(structure_.blocks());
  parallel_for(parallelism_, subtrees_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      forward(subtrees_[i].begin, subtrees_[i].end, subtrees_[i].end, b.data());
    }
  });
  for (std::size_t i = 0; i < bridges_.size(); ++i) {
    forward_from(bridges_[i], bridge_end_[i], n, b.data());
  }
  for (std::size_t i = 0; i < rest_.size(); i += 2) {
    forward(rest_[i], rest_[i + 1], n, b.data());
  }
  backward(b.data());
}

// D⁻¹, then L⁻ᵀ, root to leaf.
void BlockLdlt::backward(double* b) const {
  for (std::size_t i = rest_.size(); i > 0; i -= 2) backward(rest_[i - 2], rest_[i - 1], b);
  parallel_for(parallelism_, subtrees_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) backward(subtrees_[i].begin, subtrees_[i].end, b);
  });
}

}  // namespace fem
