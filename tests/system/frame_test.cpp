// A motion seen from a moving frame is the same motion: accelerations, energies, momentum and
// reactions of everything that has mass, loaded, against those of the inertial frame.
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/frame/frame_motion.hpp"
#include "libfem/system/system.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::State;

constexpr double kTime = 0.7;

CaseDescription make_case() {
  CaseDescription d;
  SectionDescription aside = test::soft_section();
  aside.name = "aside";
  aside.mass_offset = 0.05;
  d.gravity = {0.7, -3};
  d.gravity_z = -2;
  d.sections = {test::soft_section(), aside};
  d.points = {{"O", {0.3, -0.2}}, {"A", {1.1, 0.4}}, {"B", {2, 0}}, {"P", {0, 1}, 0.3}};
  d.rods = {{"first", "soft", "O", "A", 2}, {"second", "aside", "A", "B", 3, InertiaField::paper}};
  d.hinges = {{.name = "elbow",
               .at = "A",
               .members = {"first", "second"},
               .spring = HingeSpringDescription{.stiffness = 3},
               .viscosity = 0.4}};
  d.bodies = {
      {.name = "tip", .at = "B", .rod = "second", .mass = 2, .inertia = 0.5, .center = {0.2, -0.3}},
      {.name = "hub", .at = "O", .mass = 3, .inertia = 0.9, .center = {-0.1, 0.4}}};
  d.hinges.push_back({.name = "root", .at = "O", .members = {"hub", "first"}});
  d.particles = {{.name = "ball", .at = "P", .mass = 0.7}};
  d.springs = {{.name = "tie", .between = {"P", "O"}, .stiffness = 4, .viscosity = 0.2}};
  d.point_loads = {
      {.name = "push", .at = "B", .force = {1.0, -2.0}, .moment = 0.3},
      {.name = "jet", .at = "A", .force = {0.5, 0.2}, .follower = true, .rod = "first"},
      {.name = "pull", .at = "P", .force = {0.3, 0.2, -0.4}},
      {.name = "chase", .at = "O", .force = {0.6, -0.1}, .along = {{"O", "B"}}}};
  d.rod_loads = {{.name = "wind", .on = "first", .force = {{{0.2, 0.4}, {-0.1, 0.3}}}}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

CaseDescription make_framed_case() {
  CaseDescription d = make_case();
  d.laws = {{"x", PolynomialLaw{{0.2, 0.5, -0.3}}},
            {"y", HarmonicLaw{.amplitude = 0.4, .angular_frequency = 2}},
            {"psi", PolynomialLaw{{0.4, 0.9, 0.6}}}};
  d.frame = FrameDescription{.origin = {"x", "y"}, .angle = "psi"};
  return d;
}

// The state of the inertial model as it is seen from the frame, and vectors of it back.
struct Views {
  Model inertial = make_model(make_case());
  Model framed = make_model(make_framed_case());
  System here{inertial, {}};
  System there{framed, {}};
  FrameMotion frame = frame_motion(framed, kTime, Side::after);

  State seen(const State& s) const {
    State r{std::vector<double>(there.size()), std::vector<double>(there.size())};
    for (const Node& node : inertial.nodes) {
      auto p = components(here, node, s.q);
      const auto v = into_frame(frame.angle, components(here, node, s.v));
      for (std::size_t k = 0; k < 3; ++k) p[k] -= frame.origin[k];
      p = into_frame(frame.angle, p);
      const auto transport = transport_velocity(frame, p);
      for (int k = 0; k < node.axes(); ++k) {
        const auto i = static_cast<std::size_t>(k);
        r.q[there.place(node.x + k)] = p[i];
        r.v[there.place(node.x + k)] = v[i] - transport[i];
      }
    }
    for (int c = 0; c < inertial.coordinates(); ++c) {
      if (inertial.is_angle[static_cast<std::size_t>(c)] == 0) continue;
      r.q[there.place(c)] = s.q[here.place(c)] - frame.angle;
      r.v[there.place(c)] = s.v[here.place(c)] - frame.rate;
    }
    return r;
  }

  static std::array<double, 3> components(const System& system, const Node& node,
                                          const std::vector<double>& x) {
    return {x[system.place(node.x)], x[system.place(node.x + 1)],
            node.z == kNone ? 0.0 : x[system.place(node.z)]};
  }
};

TEST(Frame, AccelerationsAreThoseOfTheInertialFrame) {
  Views w;
  for (unsigned seed = 0; seed < 10; ++seed) {
    State s = test::random_state(w.here, 1200 + seed, kTime, Side::after, 0.1);
    State seen = w.seen(s);
    std::vector<double> a(w.here.size()), b(w.there.size());
    ASSERT_TRUE(w.here.acceleration(kTime, Side::after, s.q, s.v, a).ok());
    ASSERT_TRUE(w.there.acceleration(kTime, Side::after, seen.q, seen.v, b).ok());
    double size = 1;
    for (const double x : a) size = std::max(size, std::abs(x));
    for (const Node& node : w.inertial.nodes) {
      const auto expected = into_frame(w.frame.angle, Views::components(w.here, node, a));
      auto found = Views::components(w.there, node, b);
      const auto added = frame_acceleration(w.frame, Views::components(w.there, node, seen.q),
                                            Views::components(w.there, node, seen.v));
      for (int k = 0; k < node.axes(); ++k) {
        const auto i = static_cast<std::size_t>(k);
        EXPECT_NEAR(found[i] + added[i], expected[i], 1e-11 * size) << node.name;
      }
    }
    for (int c = 0; c < w.inertial.coordinates(); ++c) {
      if (w.inertial.is_angle[static_cast<std::size_t>(c)] == 0) continue;
      EXPECT_NEAR(b[w.there.place(c)] + w.frame.acceleration, a[w.here.place(c)], 1e-11 * size);
    }
  }
}

TEST(Frame, EnergiesPowersAndMomentumAreAbsolute) {
  Views w;
  const State s = test::random_state(w.here, 1300, kTime, Side::after, 0.1);
  const State seen = w.seen(s);
  const Energies here = w.here.energies(kTime, Side::after, s.q, s.v);
  const Energies there = w.there.energies(kTime, Side::after, seen.q, seen.v);
  const double size = here.kinetic + here.strain + std::abs(here.gravity);
  EXPECT_NEAR(there.kinetic, here.kinetic, 1e-13 * size);
  EXPECT_NEAR(there.strain, here.strain, 1e-13 * size);
  EXPECT_NEAR(there.springs, here.springs, 1e-13 * size);
  EXPECT_NEAR(there.gravity, here.gravity, 1e-13 * size);
  EXPECT_NEAR(there.external, here.external, 1e-12 * size);
  EXPECT_NEAR(there.dissipated, here.dissipated, 1e-12 * size);
  const Momentum p = w.here.momentum(kTime, Side::after, s.q, s.v);
  const Momentum o = w.there.momentum(kTime, Side::after, seen.q, seen.v);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(o.center[k], p.center[k], 1e-13);
    EXPECT_NEAR(o.linear[k], p.linear[k], 1e-12);
  }
  EXPECT_NEAR(o.angular, p.angular, 1e-12);
}

// T = T′ + s·M v + ½ sᵀM s with all that the frame's sums say of the masses.
TEST(Frame, KineticEnergyIsMadeOfTheFramesSums) {
  Views w;
  State s = w.seen(test::random_state(w.here, 1400, kTime, Side::after, 0.1));
  std::vector<double> a(w.there.size());
  ASSERT_TRUE(w.there.acceleration(kTime, Side::after, s.q, s.v, a).ok());
  const System::FrameSums sums = w.there.frame_sums(s.q, s.v);
  const auto& u = w.frame.pole_velocity;
  const double rate = w.frame.rate;
  double mass = 0, speed = 0, carried = 0;
  const Momentum m = w.there.momentum(kTime, Side::after, s.q, s.v);
  mass = m.mass;
  for (std::size_t k = 0; k < 3; ++k) {
    speed += u[k] * u[k];
    carried += u[k] * sums.momentum[k];
  }
  const double kinetic = sums.kinetic + carried + rate * sums.angular + 0.5 * mass * speed +
                         0.5 * rate * rate * sums.inertia +
                         rate * (u[1] * sums.first[0] - u[0] * sums.first[1]);
  EXPECT_NEAR(kinetic, w.there.energies(kTime, Side::after, s.q, s.v).kinetic, 1e-12 * kinetic);
}

}  // namespace
}  // namespace fem
