// A stored state is matched with the model that starts from it by names and numbers.
#include "libfem/model/start_state.hpp"

#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/model/model.hpp"
#include "tests/support/models.hpp"
#include "tests/support/problems.hpp"

namespace fem {
namespace {

using test::problem;
using ::testing::ElementsAre;

// A rod of two elements and a free body.
Model make_example() {
  CaseDescription d;
  d.sections = {test::bar_section()};
  d.points = {{"O", {0, 0}}, {"A", {2, 0}}, {"P", {1, 1}}};
  d.rods = {{.name = "rod", .section = "bar", .from = "O", .to = "A", .elements = 2}};
  d.bodies = {{.name = "hub", .at = "P", .mass = 2, .inertia = 0.2}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true}};
  return make_model(d);
}

// As the example stands, the rod bent and the body turned.
StoredState state_of(const Model& model) {
  StoredState state{.source = "old.h5"};
  for (const Node& node : model.nodes) state.points.push_back(node.name);
  state.position = {0, 0, 0, 2, 0.1, 0, 1, 1, 0, 1, 0.02, 0};
  state.rods = {{"rod", {0, 0.01, 0.02, 0.03}}};
  state.bodies = {{"hub", {0.5}}};
  return state;
}

TEST(MatchState, RefusesWhatIsOfAnotherMesh) {
  const Model model = make_example();
  ASSERT_EQ(model.nodes.size(), 4U);
  const auto problems = [&](const std::function<void(StoredState&)>& change) {
    StoredState state = state_of(model);
    change(state);
    return test::problems_of([&] { return match_state(model, state, "/initial/state"); });
  };
  const auto refused = [](const char* text) {
    return ElementsAre(problem("/initial/state", text));
  };
  EXPECT_THAT(problems([](auto&) {}), testing::IsEmpty());
  EXPECT_THAT(problems([](auto& s) { s.points[1] = "B"; }), refused("'old.h5' has no point 'A'"));
  EXPECT_THAT(problems([](auto& s) {
                s.points.emplace_back("Z");
                s.position.insert(s.position.end(), {0, 0, 0});
              }),
              refused("'old.h5' has 5 points and nodes, this case 4"));
  EXPECT_THAT(problems([](auto& s) { s.rods[0].name = "bar"; }), refused("has no rod 'rod'"));
  EXPECT_THAT(problems([](auto& s) { s.rods[0].angle.resize(2); }),
              refused("rod 'rod' has 1 elements in 'old.h5', here 2"));
  EXPECT_THAT(problems([](auto& s) { s.bodies.clear(); }), refused("has no body 'hub'"));
  EXPECT_THAT(problems([](auto& s) { s.position[3] = std::numeric_limits<double>::quiet_NaN(); }),
              refused("numbers that are not finite"));
}

}  // namespace
}  // namespace fem
