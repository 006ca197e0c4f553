// Springs whose ends meet: a named failure, or no matter where no direction is needed.
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/analysis/dynamics.hpp"
#include "libfem/model/model.hpp"
#include "libfem/system/system.hpp"
#include "tests/analysis/record.hpp"
#include "tests/support/problems.hpp"

namespace fem {
namespace {

using test::problem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A particle on a spring to an anchor at the origin.
CaseDescription tied(SpringDescription spring) {
  CaseDescription d;
  d.points = {{"anchor", {0, 0}}, {"P", {1, 0}}};
  d.particles = {{.name = "ball", .at = "P", .mass = 1}};
  spring.name = "tie";
  spring.between = {"anchor", "P"};
  d.springs = {spring};
  d.analysis = {.end = 2, .output_every = 0.1};
  return d;
}

TEST(MeetingSprings, AreANamedFailureWhereTheyNeedADirection) {
  for (const SpringDescription& spring :
       {SpringDescription{.stiffness = 1, .length = 0.5},
        SpringDescription{.stiffness = 1, .viscosity = 1, .length = 0}}) {
    const Model model = make_model(tied(spring));
    System system(model, {});
    std::vector<double> q = system.initial_positions();
    std::vector<double> v(system.size(), 0.0), a(system.size(), 0.0);
    EXPECT_TRUE(system.acceleration(0, Side::before, q, v, a).ok());
    q[system.place(model.nodes[1].x)] = 0;
    const Outcome outcome = system.acceleration(0, Side::before, q, v, a);
    EXPECT_EQ(outcome.status, Status::points_meet);
    EXPECT_THAT(system.describe_unknown(outcome.where), HasSubstr("'anchor'"));
    q[system.place(model.nodes[1].x)] = NAN;
    EXPECT_EQ(system.acceleration(0, Side::before, q, v, a).status, Status::not_finite);
  }
}

TEST(MeetingSprings, WithoutLengthAndDamperOscillateThroughTheirAnchor) {
  const Model model = make_model(tied({.stiffness = 1, .length = 0}));
  test::Record record;
  EXPECT_EQ(run_dynamics(model, {1}, record).status, RunStatus::complete);
  EXPECT_NEAR(record.snapshots.back().position[3], std::cos(2.0), 1e-5);
}

TEST(MeetingSprings, EndTheRunWithTheirName) {
  // The ball is brought to the anchor exactly.
  CaseDescription d = tied({.stiffness = 1, .length = 0.5});
  d.laws = {{"in", LinearLaw{{0, 1}, {0, -1}}}};
  d.supports = {{.point = "P", .fix_y = true, .x = "in"}};
  test::Record record;
  const RunSummary summary = run_dynamics(make_model(d), {1}, record);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_THAT(summary.reason, HasSubstr("the ends of a spring meet"));
  EXPECT_THAT(summary.reason, HasSubstr("at t = "));
  EXPECT_GT(summary.final_time, 0.8);
}

TEST(MeetingSprings, AreRefusedAtTheStart) {
  CaseDescription d = tied({.stiffness = 1, .viscosity = 1});
  d.points[1].position = {0, 0};
  EXPECT_THAT(test::problems_of([&] { return make_model(d); }),
              ElementsAre(problem("/springs/tie", "no direction", "no viscosity")));
  d.springs[0].viscosity = 0;
  EXPECT_THAT(test::problems_of([&] { return make_model(d); }), ElementsAre());
}

}  // namespace
}  // namespace fem
