#include "libfem/linalg/elimination.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/linalg/graphs.hpp"

namespace fem {
namespace {

using test::Edges;
using test::Graph;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool is_permutation(std::vector<int> position) {
  std::sort(position.begin(), position.end());
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (position[i] != static_cast<int>(i)) return false;
  }
  return true;
}

// Rows of every column of the factor by playing the elimination on sets.
std::vector<std::set<int>> play_elimination(const Graph& graph, const Elimination& e) {
  std::vector<std::set<int>> later(at(graph.blocks));
  for (const auto& [a, b] : graph.edges) {
    const int i = e.position[at(a)];
    const int j = e.position[at(b)];
    later[at(std::min(i, j))].insert(std::max(i, j));
  }
  for (int j = 0; j < graph.blocks; ++j) {
    for (const int r : later[at(j)]) {
      for (const int s : later[at(j)]) {
        if (s > r) later[at(r)].insert(s);
      }
    }
  }
  return later;
}

std::size_t fill(const Graph& graph) {
  std::set<std::array<int, 2>> distinct;
  for (const auto& [a, b] : graph.edges) distinct.insert({std::min(a, b), std::max(a, b)});
  return make_elimination(graph.blocks, graph.edges).row.size() - distinct.size();
}

TEST(Elimination, HasTheStructureOfTheFactor) {
  for (const Graph& graph : test::sample_graphs()) {
    SCOPED_TRACE(graph.name);
    const Elimination e = make_elimination(graph.blocks, graph.edges);
    ASSERT_EQ(e.blocks(), at(graph.blocks));
    ASSERT_TRUE(is_permutation(e.position));
    const auto expected = play_elimination(graph, e);
    ASSERT_EQ(e.column_start.size(), at(graph.blocks) + 1);
    for (int j = 0; j < graph.blocks; ++j) {
      const std::vector<int> rows(e.row.begin() + e.column_start[at(j)],
                                  e.row.begin() + e.column_start[at(j) + 1]);
      EXPECT_EQ(rows, std::vector<int>(expected[at(j)].begin(), expected[at(j)].end()));
      EXPECT_EQ(e.parent[at(j)], rows.empty() ? -1 : rows.front());
    }
  }
}

TEST(Elimination, FindsItsEntries) {
  for (const Graph& graph : test::sample_graphs()) {
    SCOPED_TRACE(graph.name);
    const Elimination e = make_elimination(graph.blocks, graph.edges);
    const auto expected = play_elimination(graph, e);
    std::size_t found = 0;
    for (int j = 0; j < graph.blocks; ++j) {
      for (int i = j + 1; i < graph.blocks; ++i) {
        const int entry = e.entry(i, j);
        EXPECT_EQ(entry >= 0, expected[at(j)].count(i) == 1);
        if (entry < 0) continue;
        ++found;
        EXPECT_EQ(e.row[at(entry)], i);
        EXPECT_TRUE(entry >= e.column_start[at(j)] && entry < e.column_start[at(j) + 1]);
      }
    }
    EXPECT_EQ(found, e.row.size());
  }
}

TEST(Elimination, ListsTheUpdatesOfEveryColumn) {
  for (const Graph& graph : test::sample_graphs()) {
    SCOPED_TRACE(graph.name);
    const Elimination e = make_elimination(graph.blocks, graph.edges);
    std::size_t next = 0;
    for (int j = 0; j < graph.blocks; ++j) {
      EXPECT_EQ(at(static_cast<int>(e.update_start[at(j)])), next);
      for (int b = e.column_start[at(j)]; b < e.column_start[at(j) + 1]; ++b) {
        for (int a = e.column_start[at(j)]; a <= b; ++a, ++next) {
          const int expected = a == b ? -1 - e.row[at(b)] : e.entry(e.row[at(b)], e.row[at(a)]);
          EXPECT_EQ(e.update[next], expected);
          EXPECT_TRUE(a == b || expected >= 0);
        }
      }
    }
    EXPECT_EQ(e.update.size(), next);
  }
}

TEST(Elimination, KeepsSubtreesTogether) {
  for (const Graph& graph : test::sample_graphs()) {
    SCOPED_TRACE(graph.name);
    const Elimination e = make_elimination(graph.blocks, graph.edges);
    std::vector<int> size(at(graph.blocks), 1);
    for (int j = 0; j < graph.blocks; ++j) {
      const int parent = e.parent[at(j)];
      if (parent < 0) continue;
      size[at(parent)] += size[at(j)];
      EXPECT_GT(parent, j);
    }
    // In post-order, the descendants of a block are the blocks right before it.
    for (int j = 0; j < graph.blocks; ++j) {
      for (int i = j - size[at(j)] + 1; i < j; ++i) {
        EXPECT_TRUE(e.parent[at(i)] > i && e.parent[at(i)] <= j) << i << ' ' << j;
      }
    }
  }
}

TEST(Elimination, TakesSubtreesInTheOrderOfTheirBlocks) {
  for (int n = 1; n < 40; ++n) {
    const Graph graph = test::chain(n);
    EXPECT_EQ(make_elimination(graph.blocks, graph.edges).position[0], 0) << n;
  }
  for (const Graph& graph : test::sample_graphs()) {
    SCOPED_TRACE(graph.name);
    const Elimination e = make_elimination(graph.blocks, graph.edges);
    std::vector<int> first(at(graph.blocks));  // block of the subtree of every column
    for (int i = 0; i < graph.blocks; ++i) first[at(e.position[at(i)])] = i;
    std::vector<int> last_child(at(graph.blocks) + 1, -1);  // the last one is of the roots
    for (int j = 0; j < graph.blocks; ++j) {
      const int parent = e.parent[at(j)];
      EXPECT_LT(std::exchange(last_child[at(parent < 0 ? graph.blocks : parent)], first[at(j)]),
                first[at(j)]);
      if (parent >= 0) first[at(parent)] = std::min(first[at(parent)], first[at(j)]);
    }
  }
}

TEST(Elimination, OfChainsAndTreesHasNoFill) {
  test::Random random(401);
  for (const int n : {1, 2, 3, 10, 1000}) EXPECT_EQ(fill(test::chain(n)), 0U) << n;
  for (const int n : {2, 10, 200}) EXPECT_EQ(fill(test::star(n)), 0U) << n;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(fill(test::tree(random, 200)), 0U) << i;
  EXPECT_EQ(fill(test::shuffled(random, test::chain(500))), 0U);
}

TEST(Elimination, OfALoopFillsOncePerBlock) {
  // A closed loop of n blocks: every block but the last three joins its two neighbours.
  for (const int n : {3, 4, 5, 10, 50}) EXPECT_EQ(fill(test::loop(n)), at(n - 3)) << n;
}

TEST(Elimination, OfAGridFillsLessThanABand) {
  // Row by row, n by n, every entry of the band of width n is filled: n³ of them. Minimum degree
  // does much better: here half of it is not reached.
  for (const int n : {20, 30, 40}) {
    const Graph graph = test::grid(n, n);
    const Elimination e = make_elimination(graph.blocks, graph.edges);
    EXPECT_LT(e.row.size(), at(n * n * n) / 2) << n;
  }
}

TEST(Elimination, WorksFromTheEndsOfAChainTowardsItsMiddle) {
  // Two halves that are independent of one another: the tree of a chain is half as deep as it.
  const int n = 1001;
  const Graph graph = test::chain(n);
  const Elimination e = make_elimination(graph.blocks, graph.edges);
  std::vector<int> depth(at(n), 0);
  for (int j = n - 1; j >= 0; --j) {
    if (e.parent[at(j)] >= 0) depth[at(j)] = depth[at(e.parent[at(j)])] + 1;
  }
  EXPECT_EQ(*std::max_element(depth.begin(), depth.end()), n / 2);
}

TEST(Elimination, OfNothingIsEmpty) {
  const Elimination e = make_elimination(0, {});
  EXPECT_EQ(e.blocks(), 0U);
  EXPECT_TRUE(e.row.empty());
}

TEST(Elimination, DemandsEdgesBetweenDifferentBlocksOfTheGraph) {
  for (const std::array<int, 2> edge : {std::array{1, 1}, std::array{0, 3}, std::array{-1, 2}}) {
    const Edges edges = {edge};
    EXPECT_THROW(static_cast<void>(make_elimination(3, edges)), std::logic_error);
  }
}

}  // namespace
}  // namespace fem
