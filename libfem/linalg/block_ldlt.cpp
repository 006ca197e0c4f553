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

// X = B D⁻¹L⁻ᵀ (into b) and Y = B L⁻ᵀ for the rows of a block below the diagonal block d.
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
      off_diagonal_(kArea * structure_.row.size()),
      scaled_(off_diagonal_.size()) {
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

// The changes that column j brings to blocks whose earlier index lies in [from_row, to_row).
void BlockLdlt::update_later_blocks(int j, int from_row, int to_row) {
  const int first = structure_.column_start[at(j)];
  const int last = structure_.column_start[at(j) + 1];
  const int* target = structure_.update.data() + structure_.update_start[at(j)];
  for (int b = first; b < last; ++b) {
    for (int a = first; a <= b; ++a, ++target) {
      const int row = structure_.row[at(a)];
      if (row < from_row || row >= to_row) continue;
      double* block = *target < 0 ? diagonal_.data() + kArea * at(-1 - *target)
                                  : off_diagonal_.data() + kArea * at(*target);
      subtract_product(off_diagonal_.data() + kArea * at(b), scaled_.data() + kArea * at(a), block);
    }
  }
}

// Columns [begin, end); of the blocks behind them, those below `limit` are updated.
Outcome BlockLdlt::factorize_columns(int begin, int end, int limit, Pivots pivots) {
  for (int j = begin; j < end; ++j) {
    double* d = diagonal_.data() + kArea * at(j);
    std::size_t bad = 0;
    if (!factorize_block(d, pivots, bad)) return {Status::singular_mass, kBlock * at(j) + bad};
    for (int e = structure_.column_start[at(j)]; e < structure_.column_start[at(j) + 1]; ++e) {
      eliminate_block(d, off_diagonal_.data() + kArea * at(e), scaled_.data() + kArea * at(e));
    }
    update_later_blocks(j, j, limit);
  }
  return {};
}

Outcome BlockLdlt::factorize(Pivots pivots) {
  parallel_for(
      parallelism_, subtrees_.size(), 1, [this, pivots](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          outcomes_[i] =
              factorize_columns(subtrees_[i].begin, subtrees_[i].end, subtrees_[i].end, pivots);
        }
      });
  for (const Outcome& outcome : outcomes_) {
    if (!outcome.ok()) return outcome;
  }
  const int n = static_cast<int>(structure_.blocks());
  for (std::size_t i = 0; i < bridges_.size(); ++i) {
    update_later_blocks(bridges_[i], bridge_end_[i], n);
  }
  for (std::size_t i = 0; i < rest_.size(); i += 2) {
    const Outcome outcome = factorize_columns(rest_[i], rest_[i + 1], n, pivots);
    if (!outcome.ok()) return outcome;
  }
  return {};
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

void BlockLdlt::forward(int begin, int end, int limit, double* b) const {
  for (int j = begin; j < end; ++j) {
    const double* d = diagonal_.data() + kArea * at(j);
    double* z = b + kBlock * at(j);
    z[1] -= d[kL10] * z[0];
    z[2] -= d[kL20] * z[0] + d[kL21] * z[1];
    forward_from(j, j, limit, b);
  }
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
  for (std::size_t i = rest_.size(); i > 0; i -= 2) backward(rest_[i - 2], rest_[i - 1], b.data());
  parallel_for(parallelism_, subtrees_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      backward(subtrees_[i].begin, subtrees_[i].end, b.data());
    }
  });
}

}  // namespace fem
