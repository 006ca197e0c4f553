// Graphs of blocks for the tests of the elimination and the factorization.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/random.hpp"

namespace fem::test {

using Edges = std::vector<std::array<int, 2>>;

struct Graph {
  std::string name;
  int blocks = 0;
  Edges edges;
};

[[nodiscard]] inline Graph chain(int n) {
  Graph g{"chain of " + std::to_string(n), n, {}};
  for (int i = 1; i < n; ++i) g.edges.push_back({i - 1, i});
  return g;
}

[[nodiscard]] inline Graph loop(int n) {
  Graph g = chain(n);
  g.name = "loop of " + std::to_string(n);
  g.edges.push_back({n - 1, 0});
  return g;
}

[[nodiscard]] inline Graph star(int n) {
  Graph g{"star of " + std::to_string(n), n, {}};
  for (int i = 1; i < n; ++i) g.edges.push_back({i, 0});
  return g;
}

/// `legs` chains of `length` blocks that meet in block 0.
[[nodiscard]] inline Graph spider(int legs, int length) {
  Graph g{"spider of " + std::to_string(legs) + " legs", 1 + legs * length, {}};
  for (int leg = 0; leg < legs; ++leg) {
    const int first = 1 + leg * length;
    g.edges.push_back({0, first});
    for (int i = 1; i < length; ++i) g.edges.push_back({first + i - 1, first + i});
  }
  return g;
}

[[nodiscard]] inline Graph tree(Random& random, int n) {
  Graph g{"tree of " + std::to_string(n), n, {}};
  for (int i = 1; i < n; ++i) g.edges.push_back({random.integer(0, i - 1), i});
  return g;
}

[[nodiscard]] inline Graph grid(int rows, int columns) {
  Graph g{"grid " + std::to_string(rows) + " by " + std::to_string(columns), rows * columns, {}};
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if (i > 0) g.edges.push_back({(i - 1) * columns + j, i * columns + j});
      if (j > 0) g.edges.push_back({i * columns + j - 1, i * columns + j});
    }
  }
  return g;
}

/// Any edges, some of them twice.
[[nodiscard]] inline Graph random_graph(Random& random, int n, int edges) {
  Graph g{"random graph of " + std::to_string(n), n, {}};
  for (int k = 0; k < edges; ++k) {
    const int a = random.integer(0, n - 1);
    const int b = random.integer(0, n - 1);
    if (a != b) g.edges.push_back({a, b});
  }
  if (!g.edges.empty()) g.edges.push_back({g.edges.front()[1], g.edges.front()[0]});
  return g;
}

/// Two graphs side by side.
[[nodiscard]] inline Graph beside(const Graph& a, const Graph& b) {
  Graph g{a.name + " and " + b.name, a.blocks + b.blocks, a.edges};
  for (const auto& [i, j] : b.edges) g.edges.push_back({i + a.blocks, j + a.blocks});
  return g;
}

/// The same graph with other numbers.
[[nodiscard]] inline Graph shuffled(Random& random, Graph g) {
  std::vector<int> number;
  for (int i = 0; i < g.blocks; ++i) {
    number.push_back(i);
    std::swap(number.back(), number[static_cast<std::size_t>(random.integer(0, i))]);
  }
  for (auto& [a, b] : g.edges) {
    a = number[static_cast<std::size_t>(a)];
    b = number[static_cast<std::size_t>(b)];
  }
  g.name = "shuffled " + g.name;
  return g;
}

[[nodiscard]] inline std::vector<Graph> sample_graphs() {
  Random random(400);
  std::vector<Graph> graphs = {chain(1),
                               chain(2),
                               chain(17),
                               star(9),
                               spider(4, 6),
                               loop(3),
                               loop(12),
                               grid(4, 5),
                               grid(2, 9),
                               {"three alone", 3, {}},
                               beside(chain(5), loop(6))};
  for (int i = 0; i < 4; ++i) {
    graphs.push_back(tree(random, 20));
    graphs.push_back(random_graph(random, 20, 25 + 10 * i));
    graphs.push_back(shuffled(random, beside(grid(3, 4), tree(random, 8))));
  }
  return graphs;
}

}  // namespace fem::test
