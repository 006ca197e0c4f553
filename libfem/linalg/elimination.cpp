#include "libfem/linalg/elimination.hpp"

#include <algorithm>
#include <cstddef>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

using Edges = std::span<const std::array<int, 2>>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Neighbours of every block, increasing, without repeats.
std::vector<std::vector<int>> make_adjacency(int blocks, Edges edges) {
  std::vector<std::vector<int>> neighbours(at(blocks));
  for (const auto& [a, b] : edges) {
    FEM_DEMAND(a != b && a >= 0 && b >= 0 && a < blocks && b < blocks);
    neighbours[at(a)].push_back(b);
    neighbours[at(b)].push_back(a);
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

// Takes leaves away round by round; what is left (`remaining`) has only blocks in loops.
std::vector<int> peel_leaves(const std::vector<std::vector<int>>& neighbours,
                             std::vector<char>& remaining) {
  std::vector<int> order;
  std::vector<int> degree;
  for (const auto& list : neighbours) degree.push_back(static_cast<int>(list.size()));
  std::vector<int> round;
  for (std::size_t i = 0; i < degree.size(); ++i) {
    if (degree[i] <= 1) round.push_back(static_cast<int>(i));
  }
  while (!round.empty()) {
    std::vector<int> next;
    for (const int leaf : round) {
      remaining[at(leaf)] = 0;
      order.push_back(leaf);
      for (const int other : neighbours[at(leaf)]) {
        if (remaining[at(other)] != 0 && --degree[at(other)] == 1) next.push_back(other);
      }
    }
    round = std::move(next);
  }
  return order;
}

// Approximate minimum degree of the subgraph of the remaining blocks.
void append_minimum_degree(const std::vector<std::vector<int>>& neighbours,
                           const std::vector<char>& remaining, std::vector<int>& order) {
  std::vector<int> block;
  std::vector<int> local(neighbours.size(), -1);
  for (std::size_t i = 0; i < remaining.size(); ++i) {
    if (remaining[i] == 0) continue;
    local[i] = static_cast<int>(block.size());
    block.push_back(static_cast<int>(i));
  }
  if (block.empty()) return;
  std::vector<Eigen::Triplet<double>> entries;
  for (const int i : block) {
    entries.emplace_back(local[at(i)], local[at(i)], 1.0);
    for (const int j : neighbours[at(i)]) {
      if (local[at(j)] >= 0) entries.emplace_back(local[at(i)], local[at(j)], 1.0);
    }
  }
  const auto n = static_cast<Eigen::Index>(block.size());
  Eigen::SparseMatrix<double> pattern(n, n);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(pattern, permutation);
  for (Eigen::Index k = 0; k < n; ++k) order.push_back(block[at(permutation.indices()(k))]);
}

// Rows of every column of the factor, for the given order (structure of the sparse Cholesky).
std::vector<std::vector<int>> make_columns(const std::vector<std::vector<int>>& neighbours,
                                           const std::vector<int>& order,
                                           const std::vector<int>& position) {
  const std::size_t n = order.size();
  std::vector<std::vector<int>> column(n);
  for (std::size_t j = 0; j < n; ++j) {
    auto& rows = column[j];  // already holds what the children passed on
    for (const int neighbour : neighbours[at(order[j])]) {
      if (position[at(neighbour)] > static_cast<int>(j)) rows.push_back(position[at(neighbour)]);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty()) continue;
    auto& parent = column[at(rows.front())];
    parent.insert(parent.end(), rows.begin() + 1, rows.end());
  }
  return column;
}

std::vector<int> invert(const std::vector<int>& order) {
  std::vector<int> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[at(order[k])] = static_cast<int>(k);
  return position;
}

// Columns of the elimination tree below each column; the last collects the roots. Subtrees are in
// the order of their first blocks: threads, which take the halves of a structure in that order too,
// then find in their caches what they wrote.
std::vector<std::vector<int>> list_children(const std::vector<std::vector<int>>& column,
                                            const std::vector<int>& order) {
  const std::size_t n = order.size();
  std::vector<std::vector<int>> children(n + 1);
  std::vector<int> first = order;  // block of each subtree
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t parent = column[j].empty() ? n : at(column[j].front());
    children[parent].push_back(static_cast<int>(j));
    if (parent < n) first[parent] = std::min(first[parent], first[j]);
  }
  for (auto& list : children) {
    std::sort(list.begin(), list.end(), [&](int a, int b) { return first[at(a)] < first[at(b)]; });
  }
  return children;
}

// Blocks in post-order of the elimination tree: every subtree stands together in memory.
std::vector<int> post_order(const std::vector<std::vector<int>>& column,
                            const std::vector<int>& order) {
  const std::size_t n = order.size();
  const std::vector<std::vector<int>> children = list_children(column, order);
  std::vector<int> result;
  result.reserve(n);
  std::vector<std::pair<std::size_t, std::size_t>> path{{n, 0}};
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next < children[node].size()) {
      const std::size_t child = at(children[node][next++]);
      path.emplace_back(child, 0);
    } else {
      if (node < n) result.push_back(order[node]);
      path.pop_back();
    }
  }
  return result;
}

void fill_structure(const std::vector<std::vector<int>>& column, Elimination& e) {
  e.column_start.push_back(0);
  for (const auto& rows : column) {
    e.row.insert(e.row.end(), rows.begin(), rows.end());
    e.column_start.push_back(static_cast<int>(e.row.size()));
    e.parent.push_back(rows.empty() ? -1 : rows.front());
  }
  e.update_start.push_back(0);
  for (const auto& rows : column) {
    for (std::size_t b = 0; b < rows.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) e.update.push_back(e.entry(rows[b], rows[a]));
      e.update.push_back(-1 - rows[b]);
    }
    e.update_start.push_back(static_cast<std::int64_t>(e.update.size()));
  }
}

}  // namespace

int Elimination::entry(int i, int j) const {
  const auto first = row.begin() + column_start[at(j)];
  const auto last = row.begin() + column_start[at(j) + 1];
  const auto found = std::lower_bound(first, last, i);
  return found != last && *found == i ? static_cast<int>(found - row.begin()) : -1;
}

Elimination make_elimination(int blocks, Edges edges) {
  const auto neighbours = make_adjacency(blocks, edges);
  std::vector<char> remaining(at(blocks), 1);
  std::vector<int> order = peel_leaves(neighbours, remaining);
  append_minimum_degree(neighbours, remaining, order);
  order = post_order(make_columns(neighbours, order, invert(order)), order);

  Elimination e;
  e.position = invert(order);
  fill_structure(make_columns(neighbours, order, e.position), e);
  return e;
}

}  // namespace fem
