#include "libfem/system/numbering.hpp"

#include <cstddef>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::LawKind;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Numbering number(const Model& model) {
  return make_numbering(model, make_projection(model), test::stencils_of(model));
}

std::vector<Model> sample_models() {
  std::vector<Model> models = {make_model(test::three_rods(LawKind::smooth)),
                               make_model(test::one_rod(test::soft_section(), 1, 30))};
  test::Random random(520);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    models.push_back(make_model(test::random_frame(seed, {.rods = 12, .loop = seed % 2 == 0})));
    if (seed % 4 == 0) test::add_random_row(random, models.back());
  }
  return models;
}

TEST(Numbering, PlacesEveryCoordinateOnce) {
  for (const Model& model : sample_models()) {
    const Projection p = make_projection(model);
    const Numbering n = number(model);
    std::set<int> places;
    for (int c = 0; c < model.coordinates(); ++c) {
      const int place = n.place[at(c)];
      ASSERT_TRUE(place >= 0 && place < n.size());
      EXPECT_EQ(n.coordinate[at(place)], c);
      EXPECT_EQ(place < n.independent, p.dependent_of[at(c)] == kNone);
      places.insert(place);
    }
    EXPECT_EQ(places.size(), model.initial.size());
    // The others are spare places of blocks.
    int spare = 0;
    for (int place = 0; place < n.size(); ++place) {
      if (n.coordinate[at(place)] != kNone) continue;
      ++spare;
      EXPECT_LT(place, n.independent);
      EXPECT_NE(place % 3, 0) << "a block without a coordinate";
    }
    EXPECT_EQ(n.size(), model.coordinates() + spare);
    EXPECT_EQ(n.independent, 3 * static_cast<int>(n.elimination.blocks()));
    for (std::size_t k = 0; k < p.dependents.size(); ++k) {
      EXPECT_EQ(n.place[at(p.dependents[k].coordinate)], n.independent + static_cast<int>(k));
    }
  }
}

TEST(Numbering, JoinsWhatObjectsCouple) {
  for (const Model& model : sample_models()) {
    const Projection p = make_projection(model);
    const Numbering n = number(model);
    const auto blocks_of = [&](int coordinate) {
      std::vector<int> blocks;
      const int k = p.dependent_of[at(coordinate)];
      if (k == kNone) return std::vector{n.place[at(coordinate)] / 3};
      for (const auto& [c, g] : p.dependents[at(k)].independents)
        blocks.push_back(n.place[at(c)] / 3);
      return blocks;
    };
    for (const Stencil& s : test::stencils_of(model)) {
      const std::vector<int> coordinates(s.coordinate.begin(), s.coordinate.begin() + s.count);
      for (const int a : coordinates) {
        for (const int b : coordinates) {
          for (const int i : blocks_of(a)) {
            for (const int j : blocks_of(b)) {
              EXPECT_TRUE(i <= j || n.elimination.entry(i, j) >= 0);
            }
          }
        }
      }
    }
  }
}

TEST(Numbering, OfAChainIsANarrowBand) {
  // One rod of 30 elements: 31 nodes in one block each, joined in a row, without fill.
  const Model chain = make_model(test::one_rod(test::soft_section(), 1, 30));
  const Numbering n = number(chain);
  EXPECT_EQ(n.elimination.blocks(), 31U);
  EXPECT_EQ(n.elimination.row.size(), 30U);
}

TEST(Numbering, OfTheDeploymentHasNoFill) {
  // Joined rods are a chain still: a driven hinge's outboard angle moves with the inboard one.
  const Model model = make_model(test::three_rods(LawKind::smooth));
  const Numbering n = number(model);
  EXPECT_EQ(n.elimination.row.size(), n.elimination.blocks() - 1);
  EXPECT_EQ(n.elimination.blocks(), 21U);  // 22 nodes, of which the root has nothing left
}

}  // namespace
}  // namespace fem
