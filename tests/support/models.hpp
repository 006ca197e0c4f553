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

/// Three bars in a straight line between two pins cannot move. To first order they can: there the
/// last bar's length follows from the others and is dropped.
[[nodiscard]] inline CaseDescription three_bars_in_line() {
  CaseDescription d;
  d.points = {{"O", {0, 0}}, {"A", {1, 0}}, {"B", {2, 0}}, {"C", {3, 0}}};
  d.bodies = {{.name = "b", .at = "O", .mass = 1, .inertia = 1, .carries = {"A"}},
              {.name = "c", .at = "A", .mass = 1, .inertia = 1, .carries = {"B"}},
              {.name = "d", .at = "B", .mass = 1, .inertia = 1, .carries = {"C"}}};
  d.hinges = {{.name = "h", .at = "A", .members = {"b", "c"}},
              {.name = "g", .at = "B", .members = {"c", "d"}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true},
                {.point = "C", .fix_x = true, .fix_y = true}};
  d.analysis = {.end = 1, .output_every = 0.01};
  return d;
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

/// What stands on a random frame.
struct RandomObjects {
  bool external = true;   ///< gravity, loads, damping by mass: what changes momentum
  bool turnable = false;  ///< nothing tells X from Y by a law, or a body's own axes from X, Y
};

namespace models_detail {

inline void change_sections(Random& random, const RandomObjects& options, CaseDescription& d) {
  for (SectionDescription& s : d.sections) {
    const double radius = std::sqrt(s.inertia_per_length / s.mass_per_length);
    s.mass_offset = random.integer(0, 2) == 0 ? 0.0 : radius * random.uniform(-1, 1);
    s.inertia_per_length += s.mass_per_length * s.mass_offset * s.mass_offset;
    if (random.integer(0, 2) > 0) s.stiffness_damping = random.log_uniform(1e-5, 1e-3);
    if (options.external && random.integer(0, 2) > 0) s.mass_damping = random.uniform(0, 2);
  }
  for (RodDescription& r : d.rods) {
    if (random.integer(0, 1) == 0) continue;
    r.curvature = random.uniform(-0.5, 0.5);
    r.elongation = random.uniform(-0.02, 0.02);
  }
}

inline BodyDescription random_body(Random& random, std::string name, std::string at) {
  BodyDescription b{.name = std::move(name), .at = std::move(at)};
  b.mass = random.log_uniform(0.05, 2);
  b.center = {random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)};
  const double square = b.center[0] * b.center[0] + b.center[1] * b.center[1];
  b.inertia = b.mass * (square + random.log_uniform(1e-3, 1e-1));
  return b;
}

inline std::vector<std::string> rods_at(const CaseDescription& d, const std::string& point) {
  std::vector<std::string> rods;
  for (const RodDescription& r : d.rods) {
    if (r.from == point || r.to == point) rods.push_back(r.name);
  }
  return rods;
}

// Bodies on ends of rods; one that flies free with two points more; one hinged to the tip of a rod,
// if there is a tip.
inline void add_bodies(Random& random, const RandomObjects& options, CaseDescription& d) {
  for (std::size_t i = 0; i < d.rods.size(); i += 2) {
    const RodDescription& r = d.rods[i];
    d.bodies.push_back(
        random_body(random, "body" + std::to_string(i), random.integer(0, 1) == 0 ? r.from : r.to));
    d.bodies.back().rod = r.name;
  }
  d.bodies[0].mass = 0;  // a wheel without mass has its inertia alone
  d.points.push_back({"F", {random.uniform(2, 3), random.uniform(-3, -2)}});
  if (options.turnable) return;
  d.bodies.push_back(random_body(random, "free", "F"));
  // It carries the root of a rod and a point for springs.
  const auto centre = d.points.back().position;
  for (const char* name : {"G", "K", "k"}) {
    d.points.push_back(
        {name, {centre[0] + random.uniform(-1, 1), centre[1] + random.uniform(-1, 1)}});
  }
  d.bodies.back().carries = {"G", "K"};
  d.rods.push_back({"boom", "section0", "K", "k", 2});
  for (const PointDescription& p : d.points) {
    const auto rods = rods_at(d, p.name);
    if (rods.size() != 1) continue;
    d.bodies.push_back(random_body(random, "hub", p.name));
    d.hinges.push_back({.name = "hub", .at = p.name, .members = {"hub", rods[0]}});
    break;
  }
}

inline HingeSpringDescription random_spring(Random& random) {
  if (random.integer(0, 1) == 0) {
    return {.stiffness = random.log_uniform(0.1, 10),
            .neutral = random.uniform(-1, 1),
            .preload = random.uniform(-1, 1),
            .table = {}};
  }
  HingeSpringDescription s;
  for (const double angle : {-2.0, -0.5, 0.3, 1.5}) {
    s.table.push_back({angle + random.uniform(0, 0.5), random.uniform(-2, 2)});
  }
  return s;
}

// Springs, dampers, friction and stops of all hinges; a stop begins near the angle of the start.
inline void add_hinge_laws(Random& random, CaseDescription& d) {
  for (HingeDescription& h : d.hinges) {
    if (random.integer(0, 1) == 0) h.spring = random_spring(random);
    if (random.integer(0, 1) == 0) h.viscosity = random.log_uniform(1e-3, 1e-1);
    if (random.integer(0, 1) == 0) {
      h.friction = HingeFrictionDescription{.coulomb = random.uniform(0, 0.5),
                                            .static_moment = random.uniform(0.5, 1),
                                            .stribeck_rate = random.uniform(0.5, 1),
                                            .regularization = random.uniform(0.1, 0.5)};
    }
    if (random.integer(0, 1) == 0) {
      h.stop = HingeStopDescription{.lower = random.uniform(-2, 0),
                                    .upper = random.uniform(0, 2),
                                    .stiffness = random.log_uniform(1, 100),
                                    .viscosity = random.uniform(0, 10)};
    }
  }
}

// Particles: one where a rod ends, one in a point of its own; springs from there to the frame, to F
// and to a point of the plane.
inline void add_springs(Random& random, CaseDescription& d) {
  const auto vertex = [&] { return "P" + std::to_string(random.integer(0, 3)); };
  d.points.push_back({"Q", {random.uniform(-3, -2), random.uniform(2, 3)}});
  d.points.push_back({"anchor", {random.uniform(-4, -3), random.uniform(-4, -3)}});
  d.particles = {{"tip", d.rods.back().to, random.uniform(0.1, 1)}, {"bead", "Q", 0.5}};
  if (d.bodies.back().name != "hub" && d.bodies.back().name != "free") {
    d.particles.push_back({"flyer", "F", 0.3});
  }
  int k = 0;
  const auto add = [&](std::string a, std::string b) {
    d.springs.push_back({.name = "spring" + std::to_string(k++),
                         .between = {std::move(a), std::move(b)},
                         .stiffness = random.log_uniform(1, 100),
                         .viscosity = random.integer(0, 1) == 0 ? 0.0 : random.uniform(0, 1)});
    if (random.integer(0, 1) == 0) d.springs.back().length = random.uniform(0.5, 3);
  };
  add("Q", vertex());
  if (d.rods.back().name == "boom") add("G", vertex());
  add("F", "Q");
  add("P0", "F");
  add("P1", "P" + std::to_string(random.integer(2, 3)));
}

inline void add_loads(Random& random, const RandomObjects& options, CaseDescription& d) {
  const auto law = [&]() -> LawReference {
    if (options.turnable || d.laws.empty() || random.integer(0, 1) == 0) {
      return random.uniform(-1, 1);
    }
    return d.laws[static_cast<std::size_t>(random.integer(0, static_cast<int>(d.laws.size()) - 1))]
        .name;
  };
  for (int i = 0; i < 4; ++i) {
    const RodDescription& r =
        d.rods[static_cast<std::size_t>(random.integer(0, static_cast<int>(d.rods.size()) - 1))];
    PointLoadDescription load{.name = "load" + std::to_string(i),
                              .at = random.integer(0, 1) == 0 ? r.from : r.to};
    load.force = {law(), law()};
    load.follower = i == 1;
    if (i > 0) load.rod = r.name;  // the first is a force without an angle
    if (i > 0) load.moment = law();
    d.point_loads.push_back(std::move(load));
    RodLoadDescription along{.name = "along" + std::to_string(i), .on = r.name};
    for (auto& end : along.force) end = {random.uniform(-1, 1), random.uniform(-1, 1)};
    along.moment = {random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2)};
    along.factor = law();
    d.rod_loads.push_back(std::move(along));
  }
  d.gravity = {random.uniform(-5, 5), random.uniform(-10, 10)};
}

}  // namespace models_detail

/// Puts objects of every kind on a random frame of at least four rods: sections with offset mass
/// and damping, curved rods, bodies, particles, springs, hinge laws and loads.
[[nodiscard]] inline CaseDescription with_objects(CaseDescription d, std::uint64_t seed,
                                                  const RandomObjects& options = {}) {
  Random random(seed + 1000);
  d.title += " with objects";
  models_detail::change_sections(random, options, d);
  models_detail::add_bodies(random, options, d);
  models_detail::add_hinge_laws(random, d);
  models_detail::add_springs(random, d);
  if (!options.external) {  // the plane itself holds the anchor
    d.points.pop_back();
    return d;
  }
  d.springs.push_back({.name = "stay", .between = {"anchor", "Q"}, .stiffness = 5});
  models_detail::add_loads(random, options, d);
  return d;
}

}  // namespace fem::test
