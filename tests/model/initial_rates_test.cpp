#include "libfem/model/initial_rates.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/system/system.hpp"
#include "tests/support/models.hpp"
#include "tests/support/problems.hpp"

namespace fem {
namespace {

using test::problem;
using ::testing::ElementsAre;

// Two rods and bodies at their ends; the second body carries two points.
CaseDescription two_rods() {
  CaseDescription d;
  d.sections = {test::soft_section()};
  d.points = {{"O", {1, 0}}, {"A", {3, 1}}, {"B", {3, 4}}, {"C", {5, 4}}, {"D", {3, 5}}};
  d.rods = {{"first", "soft", "O", "A", 4}, {"second", "soft", "A", "B", 1}};
  d.bodies = {{.name = "hub", .at = "O", .mass = 1, .inertia = 1},
              {.name = "plate", .at = "B", .mass = 1, .inertia = 1, .carries = {"C", "D"}},
              {.name = "tip", .at = "A", .rod = "first", .mass = 1, .inertia = 1}};
  d.hinges = {{.name = "h", .at = "O", .members = {"hub", "first"}},
              {.name = "k", .at = "B", .members = {"second", "plate"}}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

double rate(const Model& model, int coordinate) {
  return model.initial_rates[static_cast<std::size_t>(coordinate)];
}

// The velocities of a turn about the origin, at this rate, and a shift.
std::array<double, 3> turning(const std::array<double, 3>& at, double turn) {
  return {0.3 - turn * at[1], -0.7 + turn * at[0]};
}

TEST(InitialRates, AreZeroByDefault) {
  const Model model = make_model(two_rods());
  EXPECT_THAT(model.initial_rates, ::testing::Each(0.0));
  EXPECT_EQ(model.initial_rates.size(), model.initial.size());
}

TEST(InitialRates, OfARigidMotionAreThatMotionEverywhere) {
  constexpr double turn = 1.3;
  CaseDescription d = two_rods();
  for (const PointDescription& p : d.points) {
    d.initial.velocities.push_back({p.name, turning({p.position[0], p.position[1], 0}, turn)});
  }
  d.initial.rates = {{"hub", turn}};
  const Model model = make_model(d);
  for (const Node& node : model.nodes) {
    const auto v = turning(node.initial, turn);
    EXPECT_NEAR(rate(model, node.x), v[0], 1e-14) << node.name;
    EXPECT_NEAR(rate(model, node.x + 1), v[1], 1e-14) << node.name;
  }
  for (int c = 0; c < model.coordinates(); ++c) {
    if (model.is_angle[static_cast<std::size_t>(c)] == 0) continue;
    EXPECT_NEAR(rate(model, c), turn, 1e-14);
  }
  // Nothing in it is against a constraint: the start changes nothing.
  System system(model, {});
  std::vector<double> q = system.initial_positions();
  std::vector<double> v = system.store(model.initial_rates);
  const std::vector<double> before = v;
  std::vector<double> impulses;
  ASSERT_TRUE(system.jump(0, q, v, impulses).ok());
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], before[i], 1e-12);
}

TEST(InitialRates, AGivenRateIsThatOfItsBodyAlone) {
  CaseDescription d = two_rods();
  d.initial.velocities = {{"C", {0, 3}}};
  Model model = make_model(d);
  EXPECT_EQ(rate(model, model.bodies[1].angle), 1.5);  // the line from B to C, 2 m long
  EXPECT_EQ(rate(model, model.bodies[0].angle), 0);
  d.initial.rates = {{"plate", -2}};
  model = make_model(d);
  EXPECT_EQ(rate(model, model.bodies[1].angle), -2);
  EXPECT_EQ(rate(model, model.bodies[0].angle), 0);
}

TEST(InitialRates, OfAParticleAreThoseOfItsPoint) {
  CaseDescription d = two_rods();
  d.particles = {{.name = "ball", .at = "A", .mass = 1, .velocity = {2, 1}}};
  const Model model = make_model(d);
  EXPECT_EQ(rate(model, model.nodes[1].x), 2);
  EXPECT_EQ(rate(model, model.nodes[1].x + 1), 1);
  EXPECT_EQ(rate(model, model.rods[0].end_angle[0]), 0);  // (2, 1) is along the rod
}

TEST(InitialRates, SayWhatIsWrong) {
  const auto after = [](auto change) {
    CaseDescription d = two_rods();
    change(d);
    return test::problems_of([&] { return make_model(d); });
  };
  EXPECT_THAT(after([](auto& d) {
                d.initial.velocities = {{"Q", {1, 0}}};
              }),
              ElementsAre(problem("/initial/velocity/Q", "no point 'Q'", "'O'")));
  EXPECT_THAT(after([](auto& d) {
                d.initial.velocities = {{"O", {std::nan(""), 0}}};
              }),
              ElementsAre(problem("/initial/velocity/O", "not finite", "[x, y]")));
  EXPECT_THAT(after([](auto& d) {
                d.initial.rates = {{"plaet", 1}};
              }),
              ElementsAre(problem("/initial/rate/plaet", "no body 'plaet'", "'plate'")));
  EXPECT_THAT(after([](auto& d) {
                d.initial.rates = {{"tip", 1}};
              }),
              ElementsAre(problem("/initial/rate/tip", "turns with rod 'first'", "points")));
  EXPECT_THAT(after([](auto& d) {
                d.particles = {{.name = "ball", .at = "A", .mass = 1, .velocity = {2, 1}}};
                d.initial.velocities = {{"A", {1, 0}}};
              }),
              ElementsAre(problem("/initial/velocity/A", "twice", "once")));
}

}  // namespace
}  // namespace fem
