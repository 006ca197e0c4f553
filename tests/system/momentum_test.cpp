// Momentum of a system against what it is by definition: the rate of the centre of mass, and the
// change of the kinetic energy with a shift or a turn of the whole.
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/system/system.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::State;

// Everything that has mass, free in the plane: rods in both inertia fields, one with its mass
// aside, bodies on a rod and on their own, a particle on a spring.
CaseDescription everything_heavy() {
  CaseDescription d;
  SectionDescription aside = test::soft_section();
  aside.name = "aside";
  aside.mass_offset = 0.05;
  d.sections = {test::soft_section(), aside};
  d.points = {{"O", {0.3, -0.2}}, {"A", {1.1, 0.4}}, {"B", {2, 0}}, {"P", {0, 1}}};
  d.rods = {{"first", "soft", "O", "A", 2}, {"second", "aside", "A", "B", 3, InertiaField::paper}};
  d.hinges = {{.name = "elbow",
               .at = "A",
               .members = {"first", "second"},
               .spring = HingeSpringDescription{.stiffness = 3}}};
  d.bodies = {
      {.name = "tip", .at = "B", .rod = "second", .mass = 2, .inertia = 0.5, .center = {0.2, -0.3}},
      {.name = "hub", .at = "O", .mass = 3, .inertia = 0.9, .center = {-0.1, 0.4}}};
  d.hinges.push_back({.name = "root", .at = "O", .members = {"hub", "first"}});
  d.particles = {{.name = "ball", .at = "P", .mass = 0.7}};
  d.springs = {{.name = "tie", .between = {"P", "O"}, .stiffness = 4}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

struct Moving {
  Model model = make_model(everything_heavy());
  System system{model, {}};
  State s = test::random_state(system, 901, 0, Side::after, 0.1);
  Momentum momentum = system.momentum(0, Side::after, s.q, s.v);

  // s.q + h dq, and the same for v.
  [[nodiscard]] static std::vector<double> moved(const std::vector<double>& x, double h,
                                                 const std::vector<double>& dx) {
    std::vector<double> result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = x[i] + h * dx[i];
    return result;
  }
  // (T(v + u) − T(v − u))/2 = ∂T/∂v·u: T is a square of v.
  [[nodiscard]] double along(const std::vector<double>& u) {
    const double more = system.energies(0, Side::after, s.q, moved(s.v, 1, u)).kinetic;
    const double less = system.energies(0, Side::after, s.q, moved(s.v, -1, u)).kinetic;
    return (more - less) / 2;
  }
};

TEST(Momentum, KnowsTheMass) {
  const Moving m;
  const double second = std::hypot(0.9, 0.4);
  EXPECT_NEAR(m.momentum.mass, 1.0 + second + 2 + 3 + 0.7, 1e-14);
}

TEST(Momentum, IsMassTimesTheRateOfTheCentre) {
  Moving m;
  // The error of central differences: h²/6 of the third derivative, of order 1; roundings 1e-16/h.
  const double h = 1e-5;
  const Momentum later = m.system.momentum(0, Side::after, Moving::moved(m.s.q, h, m.s.v), m.s.v);
  const Momentum earlier = m.system.momentum(0, Side::after, Moving::moved(m.s.q, -h, m.s.v), m.s.v);
  for (const std::size_t k : {0U, 1U}) {
    const double rate = (later.center[k] - earlier.center[k]) / (2 * h);
    EXPECT_NEAR(m.momentum.linear[k], m.momentum.mass * rate, 1e-9);
    EXPECT_GT(std::abs(m.momentum.linear[k]), 0.1);
  }
}

TEST(Momentum, IsTheChangeOfTheKineticEnergyWithAShiftAndATurn) {
  Moving m;
  std::vector<double> x(m.s.q.size()), y(m.s.q.size()), turn(m.s.q.size());
  for (const Node& node : m.model.nodes) {
    const std::size_t p = m.system.place(node.x);
    const std::size_t r = m.system.place(node.x + 1);
    x[p] = y[r] = 1;
    turn[p] = -m.s.q[r];
    turn[r] = m.s.q[p];
  }
  for (int c = 0; c < m.model.coordinates(); ++c) {
    if (m.model.is_angle[static_cast<std::size_t>(c)] != 0) turn[m.system.place(c)] = 1;
  }
  EXPECT_NEAR(m.momentum.linear[0], m.along(x), 1e-13);
  EXPECT_NEAR(m.momentum.linear[1], m.along(y), 1e-13);
  EXPECT_NEAR(m.momentum.angular, m.along(turn), 1e-13);
  EXPECT_GT(std::abs(m.momentum.angular), 0.1);
}

}  // namespace
}  // namespace fem
