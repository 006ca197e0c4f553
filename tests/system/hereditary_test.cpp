// Hereditary elements and rods in a system: forces, energies, and memory as part of the state.
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/analysis/determinacy.hpp"
#include "libfem/analysis/dynamics.hpp"
#include "libfem/analysis/modes.hpp"
#include "libfem/integrator/arc_length.hpp"
#include "libfem/model/model.hpp"
#include "libfem/system/system.hpp"
#include "tests/analysis/record.hpp"
#include "tests/support/models.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random.hpp"

namespace fem {
namespace {

using ::testing::HasSubstr;

const HereditaryLaw kSingular{.instantaneous = 9, .kernel = RzhanitsynKernel{0.25, 0.5, 0.8}};

// Two particles and an anchor, elements of several kernels, one with a length in series.
CaseDescription three_points() {
  CaseDescription d;
  d.laws = {{"l", HarmonicLaw{.amplitude = 0.1, .angular_frequency = 3}}};
  d.points = {{"A", {0, 0}}, {"P", {1, 0.2}}, {"Q", {0.3, 1.1}}};
  d.particles = {{.name = "p", .at = "P", .mass = 1.2, .velocity = {0.3, -0.5}},
                 {.name = "q", .at = "Q", .mass = 0.7}};
  d.hereditary = {{.name = "a", .between = {"A", "P"}, .law = kSingular, .length = 0.9},
                  {.name = "b",
                   .between = {"P", "Q"},
                   .law = {.instantaneous = 20, .kernel = StandardKernel{8, 0.4}},
                   .length = 1.1,
                   .rheonomic = "l"},
                  {.name = "c",
                   .between = {"A", "Q"},
                   .law = {.instantaneous = 5,
                           .form = KernelForm::retardation,
                           .kernel = SlonimskyKernel{0.3, 0.5, 1}}}};
  d.analysis = {.end = 3, .output_every = 0.1};
  return d;
}

// A rod that remembers, bent and held at one end.
CaseDescription creeping_rod() {
  CaseDescription d = test::one_rod(test::soft_section(), 2, 4);
  d.sections[0].hereditary =
      SectionHereditaryDescription{.law = {.instantaneous = 1, .kernel = StandardKernel{0.4, 0.3}}};
  return d;
}

ArcLengthOptions options_of(const System& system) {
  return {.local_tolerance = 1e-6,
          .iteration_tolerance = 1e-12,
          .highest_frequency = 40,
          .weights = std::vector<double>(system.size(), 1.0),
          .scales = std::vector<double>(system.size(), 1.0)};
}

// Everything there is of a motion.
struct State {
  double t = 0;
  std::vector<double> q, v;
  System::Memory memory;
};

// Runs a fresh system from a copied state, n steps.
State run_from(const Model& model, State state, int steps) {
  System system(model, {1});
  system.set_memory(state.memory);
  ArcLength<System> integrator(system, options_of(system));
  EXPECT_TRUE(integrator.start(state.t, state.q, state.v).ok());
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(integrator.step(100).ok());
    system.commit_memory(integrator.time(), Side::before, integrator.positions());
  }
  state.t = integrator.time();
  state.q.assign(integrator.positions().begin(), integrator.positions().end());
  state.v.assign(integrator.velocities().begin(), integrator.velocities().end());
  state.memory = system.memory();
  return state;
}

State start_of(const Model& model) {
  System system(model, {1});
  State state;
  state.q = system.initial_positions();
  state.v = system.store(model.initial_rates);
  system.start_memory({0.01, 3}, state.q);
  state.memory = system.memory();
  return state;
}

TEST(HereditarySystem, ACopiedStateGoesOnBitwise) {
  for (const CaseDescription& d : {three_points(), creeping_rod()}) {
    const Model model = make_model(d);
    State start = start_of(model);
    if (!model.rods.empty()) start.v[0] = 0.5;
    const State half = run_from(model, start, 60);
    const State copy = half;
    const State one = run_from(model, half, 60);
    const State other = run_from(model, copy, 60);
    EXPECT_EQ(one.t, other.t);
    EXPECT_EQ(one.q, other.q);
    EXPECT_EQ(one.v, other.v);
    EXPECT_EQ(one.memory.elements.memory, other.memory.elements.memory);
    EXPECT_EQ(one.memory.rods.elements, other.memory.rods.elements);
    EXPECT_NE(one.q, half.q);
    // Without its memory the state goes on in another way.
    State forgetful = half;
    forgetful.memory = start.memory;
    EXPECT_NE(run_from(model, forgetful, 60).q, one.q);
  }
}

TEST(HereditarySystem, TrialsDoNotTouchTheMemory) {
  const Model model = make_model(three_points());
  System system(model, {1});
  const State state = start_of(model);
  system.set_memory(state.memory);
  test::Random random(5);
  std::vector<double> a(system.size());
  for (int i = 0; i < 20; ++i) {
    std::vector<double> q = state.q, v = state.v;
    for (double& x : q) x += random.uniform(-0.1, 0.1);
    EXPECT_TRUE(system.acceleration(random.uniform(0, 0.1), Side::before, q, v, a).ok());
    (void)system.energies(0.05, Side::before, q, v);
  }
  EXPECT_EQ(system.memory().elements.memory, state.memory.elements.memory);
}

// P ∂y/∂q on the masses, with y differentiated numerically.
TEST(HereditarySystem, ForcesAreThoseOfTheDeformations) {
  const Model model = make_model(three_points());
  System system(model, {1});
  const State state = run_from(model, start_of(model), 40);
  system.set_memory(state.memory);
  std::vector<double> q = state.q, v = state.v, a(system.size());
  const double t = state.t + 0.02;
  ASSERT_TRUE(system.acceleration(t, Side::before, q, v, a).ok());
  for (const Body& body : model.bodies) {
    for (int axis = 0; axis < 2; ++axis) {
      const std::size_t place =
          system.place(model.nodes[static_cast<std::size_t>(body.node)].x + axis);
      double force = 0;
      for (std::size_t n = 0; n < model.hereditary.size(); ++n) {
        const auto deformation = [&](double step) {
          std::vector<double> moved = q;
          moved[place] += step;
          return system.hereditary().answer(n, t, Side::before, moved).deformation;
        };
        const double h = 1e-6;
        force -= system.hereditary().answer(n, t, Side::before, q).force *
                 (deformation(h) - deformation(-h)) / (2 * h);
      }
      EXPECT_NEAR(body.body.mass * a[place], force, 1e-8);
    }
  }
}

// An instant change of shape is elastic with c: the force of memory and rod is the gradient of what
// is stored.
TEST(HereditarySystem, RodForcesAreTheGradientOfTheStoredEnergy) {
  const Model model = make_model(creeping_rod());
  System system(model, {1});
  test::Random random(8);
  State state = start_of(model);
  std::vector<double> q = state.q;
  for (double& x : q) x += random.uniform(-0.05, 0.05);
  system.set_memory(state.memory);
  system.commit_memory(0.2, Side::before, q);
  const std::vector<double> rest(system.size(), 0.0);
  const Model& m = model;
  // Σ over elements of elastic force and memory force, against differences of energies().strain.
  for (std::size_t e = 0; e < m.elements.size(); ++e) {
    const auto& c = m.types[static_cast<std::size_t>(m.elements[e].type)];
    Vector6<double> x;
    for (int i = 0; i < 6; ++i) {
      x(i) = q[system.place(m.elements[e].coordinate[static_cast<std::size_t>(i)])];
    }
    const auto k = calc_kinematics(c, x);
    const auto lost = system.rod_memory().memory_strains(static_cast<int>(e), 0.2, k);
    const Vector6<double> force = elastic_force(c, k) + strain_force(c, k, lost);
    const Vector6<double> elastic = elastic_force(c, k);
    EXPECT_GT((force - elastic).norm(), 0.01 * elastic.norm());
    for (int i = 0; i < 6; ++i) {
      const auto stored = [&](double step) {
        // Only this element's share changes when its memory is asked at another configuration.
        Vector6<double> moved = x;
        moved(i) += step;
        const auto kinematics = calc_kinematics(c, moved);
        const RodStrains s = elastic_strains(c, kinematics);
        const auto& memory = system.rod_memory().state().elements[e];
        const auto& series = system.rod_memory().state().series[0];
        return c.bending * respond(series, memory[0], 0.2, s.minus).stored +
               c.shear * respond(series, memory[1], 0.2, s.plus).stored +
               c.axial * respond(series, memory[2], 0.2, s.strain).stored;
      };
      const double h = 1e-6;
      EXPECT_NEAR((stored(h) - stored(-h)) / (2 * h), force(i), 1e-6 * force.norm());
    }
  }
}

// The geometric stiffness of given stresses against differences of their force.
TEST(HereditarySystem, StressTangentIsTheDerivativeOfTheForce) {
  const Model model = make_model(creeping_rod());
  const auto& c = model.types[0];
  const RodStrains s{0.03, -0.02, 0.01};
  const Vector6<double> x{0.1, -0.2, 0.4, 0.7, 0.5, 0.15};
  const Matrix6<double> tangent = stress_tangent(c, calc_kinematics(c, x), s);
  for (int i = 0; i < 6; ++i) {
    const double h = 1e-6;
    const auto force = [&](double step) -> Vector6<double> {
      return strain_force(
          c, calc_kinematics(c, Vector6<double>(x + step * Vector6<double>::Unit(i))), s);
    };
    const Vector6<double> slope = (force(h) - force(-h)) / (2 * h);
    EXPECT_LE((tangent.col(i) - slope).norm(), 1e-7 * tangent.norm());
  }
}

TEST(HereditarySystem, TheLedgerCloses) {
  for (const CaseDescription& d : {three_points(), creeping_rod()}) {
    CaseDescription given = d;
    if (!given.rods.empty()) {
      given.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true}};
      given.initial.velocities = {{given.points[1].name, {0, 0.3}}};
      given.analysis.output_every = given.analysis.end / 50;
    }
    const Model model = make_model(given);
    test::Record record;
    const RunSummary summary = run_dynamics(model, {1}, record);
    EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
    EXPECT_LE(summary.worst_balance, 2e-5 * summary.largest_energy);
    EXPECT_GT(record.snapshots.back().energy.dissipated, 1e-3 * summary.largest_energy);
  }
}

// Frequencies are those of the instantaneous stiffness, equilibria those of the relaxed one.
TEST(HereditarySystem, VibrationsFeelTheInstantaneousStiffness) {
  CaseDescription d;
  d.points = {{"A", {0, 0}}, {"P", {1, 0}}};
  d.particles = {{.name = "p", .at = "P", .mass = 4}};
  d.supports = {{.point = "P", .fix_y = true}};
  d.hereditary = {{.name = "e",
                   .between = {"A", "P"},
                   .law = {.instantaneous = 100, .kernel = StandardKernel{36, 0.4}}}};
  d.analysis = {.end = 3, .output_every = 0.1};
  const Model model = make_model(d);
  System system(model, {1});
  const std::vector<double> q = system.initial_positions();
  const Modes modes = calc_modes(system, q, {.count = 1});
  ASSERT_TRUE(modes.outcome.ok());
  EXPECT_NEAR(modes.frequencies.at(0), 5, 1e-9);
  std::vector<double> moved = q, residual(system.independent());
  moved[system.place(model.nodes[1].x)] += 0.01;
  system.assemble_statics(0, 1, moved, residual);
  EXPECT_NEAR(residual[system.place(model.nodes[1].x)], 0.36, 1e-12);
  EXPECT_NEAR(system.highest_frequency(), 5 * 1.05, 1e-3);
}

// Goroshko (25)-(29); the reference's systems.
TEST(Determinacy, RankOfTheDeformations) {
  const auto determinacy = [](const CaseDescription& d) {
    const Model model = make_model(d);
    System system(model, {1});
    std::vector<double> q = system.initial_positions();
    return calc_determinacy(system, q);
  };
  const auto tie = [](const char* name, const char* a, const char* b) {
    return HereditaryDescription{.name = name, .between = {a, b}, .law = kSingular};
  };
  CaseDescription d;
  d.points = {{"A", {0, 0}}, {"B", {2, 0}}, {"P", {0.7, 0.8}}, {"Q", {1.5, 1.5}}};
  d.particles = {{.name = "p", .at = "P", .mass = 1}, {.name = "q", .at = "Q", .mass = 1}};
  d.analysis = {.end = 1, .output_every = 0.1};
  // Two anchors; a chain.
  d.hereditary = {tie("a", "A", "P"), tie("b", "B", "P"), tie("c", "P", "Q")};
  EXPECT_EQ(determinacy(d).rank, 3);
  EXPECT_TRUE(determinacy(d).determinate());
  // Two on one pair.
  d.hereditary.push_back(tie("d", "P", "Q"));
  EXPECT_EQ(determinacy(d).rank, 3);
  EXPECT_FALSE(determinacy(d).determinate());
  // Anchors collinear with the mass.
  d.hereditary = {tie("a", "A", "P"), tie("b", "B", "P")};
  d.points[2].position = {0.7, 0};
  EXPECT_EQ(determinacy(d).rank, 1);
  // Held masses have no coordinates.
  d.supports = {{.point = "P", .fix_x = true, .fix_y = true}};
  EXPECT_EQ(determinacy(d).rank, 0);
}

TEST(HereditaryModel, RefusesWhatIsWrong) {
  const auto problems = [](const auto& spoil) {
    CaseDescription d = three_points();
    spoil(d);
    try {
      (void)make_model(d);
    } catch (const InputError& error) {
      return error.problems();
    }
    return std::vector<Problem>{};
  };
  using D = CaseDescription;
  EXPECT_TRUE(problems([](D&) {}).empty());
  const auto expect = [&](const auto& spoil, const char* pointer, const char* words) {
    const auto found = problems(spoil);
    ASSERT_EQ(found.size(), 1U) << pointer;
    EXPECT_EQ(found[0].pointer, pointer);
    EXPECT_THAT(found[0].what + found[0].remedy, HasSubstr(words));
  };
  expect([](D& d) { d.points[1].position = {0, 0}; }, "/hereditary/a", "no direction");
  expect([](D& d) { d.hereditary[0].length = -1; }, "/hereditary/a/length", "-1");
  expect([](D& d) { d.hereditary[1].between[1] = "R"; }, "/hereditary/b/between/1", "no point");
  expect([](D& d) { d.hereditary[1].rheonomic = "m"; }, "/hereditary/b/rheonomic_length", "no law");
  expect([](D& d) { d.hereditary[1].rheonomic = NAN; }, "/hereditary/b/rheonomic_length", "finite");
  expect(
      [](D& d) {
        d.hereditary[1].law.kernel = StandardKernel{21, 0.4};
      },
      "/hereditary/b/kernel/prolonged", "gives out energy");
  expect([](D& d) { d.hereditary[0].law.instantaneous = 0; }, "/hereditary/a/kernel/instantaneous",
         "positive");
  expect([](D& d) { d.hereditary[0].law.tolerance = 0.1; }, "/hereditary/a/kernel/tolerance",
         "1e-3");
  expect(
      [](D& d) {
        d.hereditary[0].before = ExponentialPrehistory{0.1, -1};
      },
      "/hereditary/a/prehistory/rate", "positive");
  expect(
      [](D& d) {
        d.hereditary[0].before = TablePrehistory{{{-1, 0}, {0.5, 1}}};
      },
      "/hereditary/a/prehistory/points", "not after 0");
  expect([](D& d) { d.hereditary[1].name = "a"; }, "/hereditary/a", "two hereditary");
}

}  // namespace
}  // namespace fem
