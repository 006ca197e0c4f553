// Cases for tests, built in code: the three-rod deployment and random frames of rods.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "libfem/law/law.hpp"
#include "libfem/model/description.hpp"
#include "tests/support/random.hpp"

namespace fem::test {

enum class LawKind { linear, smooth };

[[nodiscard]] inline LawDescription make_law(std::string name, LawKind kind,
                                             std::vector<double> times,
                                             std::vector<double> values) {
  if (kind == LawKind::linear) {
    return {std::move(name), LinearLaw{std::move(times), std::move(values)}};
  }
  return {std::move(name), SmoothLaw{std::move(times), std::move(values)}};
}

/// The 10 × 10 mm aluminium bar of the deployment.
[[nodiscard]] inline SectionDescription bar_section() {
  return {.name = "bar",
          .axial_stiffness = 7.2e6,
          .bending_stiffness = 60,
          .shear_stiffness = 2.8e6,
          .mass_per_length = 0.28,
          .inertia_per_length = 0.28 * 0.01 * 0.01 / 12};
}

/// A soft section: low frequencies, large strains, few steps.
[[nodiscard]] inline SectionDescription soft_section() {
  return {.name = "soft",
          .axial_stiffness = 400,
          .bending_stiffness = 2,
          .shear_stiffness = 150,
          .mass_per_length = 1,
          .inertia_per_length = 0.005};
}

/// Danilin 2016, §2.7: three rods of 2 m, folded along OX, unfolded by prescribed angles.
[[nodiscard]] inline CaseDescription three_rods(LawKind kind, int elements = 7) {
  constexpr double pi = std::numbers::pi;
  CaseDescription d;
  d.title = "three rods";
  d.sections = {bar_section()};
  d.laws = {make_law("root", kind, {5, 15}, {0, pi / 2}), make_law("first", kind, {0, 5}, {0, -pi}),
            make_law("second", kind, {5, 10}, {0, -pi})};
  d.points = {{"O", {0, 0}}, {"A", {2, 0}}, {"B", {0, 0}}, {"C", {2, 0}}};
  const InertiaField field = InertiaField::paper;
  d.rods = {{"rod1", "bar", "O", "A", elements, field},
            {"rod2", "bar", "A", "B", elements, field},
            {"rod3", "bar", "B", "C", elements, field}};
  d.hinges = {{"hinge1", "A", {"rod1", "rod2"}, "first"},
              {"hinge2", "B", {"rod2", "rod3"}, "second"}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .angle = "root"}};
  d.analysis = {.end = 20, .output_every = 0.05, .method = {.metric = Metric::plain}};
  return d;
}

/// One straight rod from (0, 0) to (length, 0), free in the plane.
[[nodiscard]] inline CaseDescription one_rod(const SectionDescription& section, double length,
                                             int elements) {
  CaseDescription d;
  d.title = "one rod";
  d.sections = {section};
  d.points = {{"O", {0, 0}}, {"A", {length, 0}}};
  d.rods = {{"rod", section.name, "O", "A", elements}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

struct RandomFrame {
  int rods = 7;
  int most_elements = 4;           ///< a rod
  LawKind laws = LawKind::smooth;  ///< with points at 0, 1 and 2.5 s
  bool loop = false;               ///< one closed loop of rods
  bool supports = true;            ///< a driven foot, and one more point
  bool turnable = false;           ///< supports that do not tell X from Y
};

namespace models_detail {

inline SectionDescription random_section(Random& random, const std::string& name) {
  SectionDescription s{.name = name};
  const double radius = random.log_uniform(0.01, 0.2);
  s.axial_stiffness = random.log_uniform(1e2, 1e5);
  s.bending_stiffness = s.axial_stiffness * radius * radius;
  s.shear_stiffness = s.axial_stiffness * random.uniform(0.2, 0.5);
  s.mass_per_length = random.log_uniform(0.2, 2);
  s.inertia_per_length = s.mass_per_length * radius * radius;
  return s;
}

inline std::string add_random_law(Random& random, LawKind kind, CaseDescription& d) {
  std::string name = "law" + std::to_string(d.laws.size());
  d.laws.push_back(
      make_law(name, kind, {0, 1, 2.5}, {0, random.uniform(-1, 1), random.uniform(-1, 1)}));
  return name;
}

// At every point where rods meet: rigid, or a tree of hinges, each free, driven or held.
inline void add_random_joints(Random& random, const RandomFrame& options, CaseDescription& d) {
  for (const PointDescription& p : d.points) {
    std::vector<std::string> there;
    for (const RodDescription& r : d.rods) {
      if (r.from == p.name || r.to == p.name) there.push_back(r.name);
    }
    if (there.size() < 2 || random.uniform(0, 1) < 0.4) continue;
    for (std::size_t i = 1; i < there.size(); ++i) {
      const auto earlier = static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1));
      HingeDescription h{.name = p.name + "-" + std::to_string(i),
                         .at = p.name,
                         .members = {there[earlier], there[i]}};
      const int kind = random.integer(0, 3);
      if (kind == 1) h.drive = 0.0;
      if (kind > 1) h.drive = add_random_law(random, options.laws, d);
      d.hinges.push_back(std::move(h));
    }
  }
}

}  // namespace models_detail

/// A tree of rods with random lengths, directions, sections, meshes and joints; with `loop`, one
/// more rod that closes a loop. No constraint is redundant.
[[nodiscard]] inline CaseDescription random_frame(std::uint64_t seed,
                                                  const RandomFrame& options = {}) {
  Random random(seed);
  CaseDescription d;
  d.title = "random frame " + std::to_string(seed);
  for (int i = 0; i < 3; ++i) {
    d.sections.push_back(models_detail::random_section(random, "section" + std::to_string(i)));
  }
  const auto point = [](int i) { return "P" + std::to_string(i); };
  const auto add_rod = [&](int a, int b) {
    if (random.integer(0, 1) == 1) std::swap(a, b);
    d.rods.push_back(
        {.name = "rod" + std::to_string(d.rods.size()),
         .section = "section" + std::to_string(random.integer(0, 2)),
         .from = point(a),
         .to = point(b),
         .elements = random.integer(1, options.most_elements),
         .inertia_field = random.integer(0, 1) == 1 ? InertiaField::paper : InertiaField::chord});
  };
  d.points.push_back({point(0), {random.uniform(-1, 1), random.uniform(-1, 1)}});
  for (int i = 1; i <= options.rods; ++i) {
    const int parent = random.integer(std::max(0, i - 3), i - 1);
    const double length = random.uniform(0.5, 1.5);
    const double angle = random.uniform(-std::numbers::pi, std::numbers::pi);
    const auto from = d.points[static_cast<std::size_t>(parent)].position;
    d.points.push_back(
        {point(i), {from[0] + length * std::cos(angle), from[1] + length * std::sin(angle)}});
    add_rod(parent, i);
  }
  if (options.loop) add_rod(0, options.rods);
  models_detail::add_random_joints(random, options, d);
  if (options.supports) {
    SupportDescription foot{.point = point(0), .fix_x = true, .fix_y = true};
    foot.angle = models_detail::add_random_law(random, options.laws, d);
    for (const RodDescription& r : d.rods) {
      if (r.from == foot.point || r.to == foot.point) foot.rod = r.name;
    }
    d.supports.push_back(foot);
    SupportDescription other{.point = point((options.rods + 1) / 2)};
    other.y = models_detail::add_random_law(random, options.laws, d);
    if (options.turnable) other = {.point = other.point, .fix_x = true, .fix_y = true};
    d.supports.push_back(other);
  }
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

}  // namespace fem::test
