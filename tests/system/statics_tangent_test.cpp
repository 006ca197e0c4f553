// The tangent of statics against differences of its residual, with all that has a stiffness.
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "libfem/system/system.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::Matrix;
using test::Vector;

// A random frame with gravity, loads of every kind, bodies, springs and sprung hinges.
CaseDescription loaded_frame(std::uint64_t seed) {
  CaseDescription d = test::random_frame(seed, {.rods = 6, .loop = seed % 3 == 0});
  test::Random random(seed + 100);
  const auto number = [&](double size) { return random.uniform(-size, size); };
  d.gravity = {number(20), number(20)};
  d.sections[0].mass_offset =
      0.3 * std::sqrt(d.sections[0].inertia_per_length / d.sections[0].mass_per_length);
  for (HingeDescription& h : d.hinges) {
    if (!h.drive) h.spring = {.stiffness = random.uniform(1, 50), .preload = number(3)};
  }
  d.rods[1].curvature = number(0.3);
  d.bodies = {{.name = "b0",
               .at = d.rods[0].to,
               .rod = d.rods[0].name,
               .mass = 2,
               .inertia = 0.5,
               .center = {0.2, -0.3}}};
  d.springs = {{.name = "s", .between = {"P1", "P5"}, .stiffness = 40, .length = 0.4}};
  // Statics sees what remembers as relaxed.
  const HereditaryLaw law{.instantaneous = 30, .kernel = StandardKernel{12, 0.5}};
  d.hereditary = {{.name = "e", .between = {"P0", "P4"}, .law = law, .length = 0.6}};
  for (HingeDescription& h : d.hinges) {
    if (!h.drive) h.hereditary = HingeHereditaryDescription{.law = law, .neutral = 0.1};
  }
  d.sections[0].hereditary =
      SectionHereditaryDescription{.law = {.instantaneous = 1, .kernel = StandardKernel{0.6, 0.5}}};
  // Every other frame ends in a plate that carries two points, one of them held.
  if (seed % 2 == 1) {
    const auto corner = d.points.back().position;
    d.points.push_back({"R0", {corner[0] + 1, corner[1]}});
    d.points.push_back({"R1", {corner[0] + 1, corner[1] + 0.7}});
    d.points.push_back({"R2", {corner[0] + 2, corner[1] + 0.3}});
    d.bodies.push_back({.name = "plate",
                        .at = "R0",
                        .mass = 3,
                        .inertia = 2,
                        .center = {0.3, 0.1},
                        .carries = {"R1", "R2"}});
    d.rods.push_back({.name = "neck",
                      .section = "section0",
                      .from = d.points[6].name,
                      .to = "R0",
                      .elements = 3});
    d.hinges.push_back({.name = "wrist",
                        .at = "R0",
                        .members = {"neck", "plate"},
                        .spring = HingeSpringDescription{.stiffness = 5, .neutral = 0.2}});
    d.supports.push_back({.point = "R2", .fix_y = true});
    d.point_loads.push_back({.name = "p", .at = "R1", .force = {number(20), number(20)}});
  }
  const RodDescription& tip = d.rods.back();
  const RodDescription& first = d.rods.front();
  d.point_loads = {{.name = "dead", .at = "P2", .force = {number(20), number(20)}},
                   {.name = "f",
                    .at = tip.to,
                    .force = {number(20), number(20)},
                    .moment = number(5),
                    .follower = true,
                    .rod = tip.name},
                   {.name = "g",
                    .at = first.to,
                    .force = {number(20), number(20)},
                    .follower = true,
                    .rod = first.name}};
  d.rod_loads = {{.name = "w",
                  .on = d.rods[2].name,
                  .force = {{{number(9), number(9)}, {number(9), number(9)}}},
                  .moment = {number(9), number(9)}}};
  return d;
}

Vector residual_at(System& system, const Vector& independent, double factor) {
  std::vector<double> q = system.initial_positions();
  Vector::Map(q.data(), independent.size()) = independent;
  Vector r(independent.size());
  system.assemble_statics(1, factor, q, {r.data(), system.independent()});
  return r;
}

// r_λ against differences over the factor; prescribed changes move with it.
void check_load_rate(System& system, const Vector& at, double factor) {
  std::vector<double> q = system.initial_positions();
  Vector::Map(q.data(), at.size()) = at;
  Vector r(at.size()), rate(at.size());
  system.assemble_load_rate(1, factor, q, {r.data(), system.independent()},
                            {rate.data(), system.independent()});
  const Vector here = residual_at(system, at, factor);
  EXPECT_EQ((r - here).cwiseAbs().maxCoeff(), 0);
  const double h = 1e-5;
  const Vector slope =
      (residual_at(system, at, factor + h) - residual_at(system, at, factor - h)) / (2 * h);
  EXPECT_TRUE(test::all_near(rate, slope, 1e-7 * slope.cwiseAbs().maxCoeff()));
}

TEST(StaticsTangent, IsTheDerivativeOfTheResidual) {
  int with_followers = 0;  // the others hang on what is prescribed
  for (std::uint64_t seed = 0; seed < 9; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = make_model(loaded_frame(seed));
    System system(model, {1});
    const double factor = 0.7;
    std::vector<double> q = test::random_state(system, seed, 1, Side::before, 0.1).q;
    const auto n = static_cast<Eigen::Index>(system.independent());
    const Vector at = Vector::Map(q.data(), n);
    residual_at(system, at, factor);
    Matrix tangent = system.assembled_matrix();
    const Matrix symmetric = tangent;
    q = system.initial_positions();
    Vector::Map(q.data(), n) = at;
    std::vector<double> r(system.independent());
    system.assemble_statics(1, factor, q, r);
    const auto followers = system.follower_terms(1, factor, q);
    for (const auto& term : followers) {
      for (const auto& [row, u] : term.u) {
        for (const auto& [column, w] : term.w) {
          tangent(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) += u * w;
        }
      }
    }
    if ((tangent - symmetric).cwiseAbs().maxCoeff() > 1) ++with_followers;
    check_load_rate(system, at, factor);
    const double h = 1e-4;  // elements are 1/8 m and longer: errors (8h)⁴/30 and 1e-15/h
    const double size = tangent.cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < n; ++j) {
      if (system.numbering().coordinate[static_cast<std::size_t>(j)] == kNone) continue;
      const auto change = [&](double step) -> Vector {
        return residual_at(system, at + step * Vector::Unit(n, j), factor) -
               residual_at(system, at - step * Vector::Unit(n, j), factor);
      };
      const Vector slope = (8 * change(h) - change(2 * h)) / (12 * h);
      EXPECT_TRUE(test::all_near(slope, tangent.col(j), 1e-10 * size)) << j;
    }
  }
  EXPECT_GE(with_followers, 6);
}

}  // namespace
}  // namespace fem
