#include "libfem/system/numbering.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace fem {
namespace {

constexpr int kBlockSize = 3;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Coordinates of every node, position first, in the order in which elements name them.
std::vector<std::vector<int>> coordinates_of_nodes(const Model& model) {
  std::vector<std::vector<int>> of_node(model.nodes.size());
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    for (int k = 0; k < model.nodes[n].axes(); ++k) of_node[n].push_back(model.nodes[n].x + k);
  }
  std::vector<char> seen(model.initial.size(), 0);
  const auto add = [&](int node, int angle) {
    if (seen[at(angle)] == 0) of_node[at(node)].push_back(angle);
    seen[at(angle)] = 1;
  };
  for (const Rod& rod : model.rods) {
    for (int k = 0; k < rod.elements(); ++k) {
      const auto& c = model.elements[at(rod.first_element + k)].coordinate;
      add(rod.nodes[at(k)], c[2]);
      add(rod.nodes[at(k) + 1], c[3]);
    }
  }
  for (const Body& body : model.bodies) {
    if (body.angle != kNone) add(body.node, body.angle);
  }
  return of_node;
}

// The independent coordinates that a coordinate moves with.
template <class Visit>
void visit_independents(const Projection& projection, int coordinate, const Visit& visit) {
  const int dependent = projection.dependent_of[at(coordinate)];
  if (dependent == kNone) {
    visit(coordinate);
  } else {
    for (const auto& [c, g] : projection.dependents[at(dependent)].independents) visit(c);
  }
}

std::vector<std::array<int, 2>> join_blocks(std::span<const Stencil> stencils,
                                            const Projection& projection,
                                            const std::vector<int>& block) {
  std::vector<std::array<int, 2>> edges;
  std::vector<int> touched;
  for (const Stencil& stencil : stencils) {
    touched.clear();
    for (int i = 0; i < stencil.count; ++i) {
      visit_independents(projection, stencil.coordinate[at(i)],
                         [&](int c) { touched.push_back(block[at(c)]); });
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (std::size_t i = 0; i < touched.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) edges.push_back({touched[j], touched[i]});
    }
  }
  return edges;
}

}  // namespace

Numbering make_numbering(const Model& model, const Projection& projection,
                         std::span<const Stencil> stencils) {
  const std::size_t n = model.initial.size();
  std::vector<int> block(n, kNone);
  std::vector<int> slot(n, 0);
  int blocks = 0;
  for (const auto& coordinates : coordinates_of_nodes(model)) {
    int used = kBlockSize;  // the node's first independent coordinate opens a block
    for (const int c : coordinates) {
      if (projection.dependent_of[at(c)] != kNone) continue;
      if (used == kBlockSize) {
        ++blocks;
        used = 0;
      }
      block[at(c)] = blocks - 1;
      slot[at(c)] = used++;
    }
  }

  Numbering numbering;
  numbering.elimination = make_elimination(blocks, join_blocks(stencils, projection, block));
  numbering.independent = kBlockSize * blocks;
  numbering.coordinate.assign(at(numbering.independent), kNone);
  numbering.place.assign(n, kNone);
  for (std::size_t c = 0; c < n; ++c) {
    if (block[c] == kNone) continue;
    const int place = kBlockSize * numbering.elimination.position[at(block[c])] + slot[c];
    numbering.place[c] = place;
    numbering.coordinate[at(place)] = static_cast<int>(c);
  }
  for (const auto& dependent : projection.dependents) {
    numbering.place[at(dependent.coordinate)] = numbering.size();
    numbering.coordinate.push_back(dependent.coordinate);
  }
  return numbering;
}

}  // namespace fem
