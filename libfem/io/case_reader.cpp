// The objects of a case: one function read_… each, which is the table of the object's keys with
// their readers (io/json_reader). A new kind of object is one read_… function and one line in
// read_root.
#include "libfem/io/case_reader.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"
#include "libfem/io/case_parts.hpp"

namespace fem {
namespace case_file {
namespace {

constexpr int kMostElements = 10'000'000;
constexpr int kMostSteps = 100'000'000;
constexpr int kMostModes = 1'000'000;
constexpr double kMostOutputRows = 1e7;

constexpr Bound kStrain{.allowed = "a number greater than -1", .above = -1};
// The simple iteration of the arc-length method contracts for (ω Δt)²/6 < 1 only, that is
// ω Δt < 2.45; 1.7 leaves a factor of two.
constexpr Bound kContracts{
    .allowed = "a number greater than 0 and at most 1.7", .above = 0, .most = 1.7};

}  // namespace

// ------------------------------------------------------------------------------------- common

Reader two_names(std::array<std::string, 2>& out, const std::string& things, const char* allowed) {
  const std::string list_allowed = "a list of two names of " + things;
  const Reader names = list(
      list_allowed, 2, 2, [&out, allowed](std::size_t i) { return filled_text(out[i], allowed); });
  return {list_allowed,
          [&out, names, things](const Value& value) {
            names.read(value);
            if (!out[0].empty() && out[0] == out[1]) {
              value.wrong("both names are " + show(out[0]), "must be two different " + things);
            }
          },
          names.describe};
}

Reader name_list(std::vector<std::string>& out, const std::string& allowed_list,
                 const char* allowed) {
  return list(allowed_list, 1, kAnyNumber, [&out, allowed](std::size_t i) {
    out.resize(i + 1);
    return filled_text(out[i], allowed);
  });
}

Reader path(std::optional<std::string>& out, const std::string& allowed) {
  return {allowed,
          [&out, allowed](const Value& value) {
            const auto* name = value.tree.as<std::string>();
            if (name == nullptr || name->empty()) return value.refuse(allowed);
            const std::size_t source = value.tree.place.source;
            const auto& sources = value.findings.sources;
            const std::string folder = source < sources.size() ? sources[source].folder : "";
            out = (std::filesystem::path(folder) / *name).string();
          },
          [] {
            return make_object({{"type", {"string"}}, {"minLength", {1.0}}});
          }};
}

namespace {

// [x, y], or [x, y, z] into the same and `z`.
template <class Third>
Reader two_or_three(std::array<double, 2>& plane, Third& z, Dimension dimension) {
  return list(
      "[x, y] or [x, y, z], numbers", 2, 3,
      [&plane, &z, dimension](std::size_t i) {
        return i < 2 ? number(plane[i], kFinite, dimension) : number(z, kFinite, dimension);
      },
      dimension);
}

Reader two_or_three(std::array<double, 3>& components, Dimension dimension) {
  return list(
      "[x, y] or [x, y, z], numbers", 2, 3,
      [&components, dimension](std::size_t i) { return number(components[i], kFinite, dimension); },
      dimension);
}

Reader two_or_three(std::array<LawReference, 3>& components, Dimension dimension) {
  return list(
      "[x, y] or [x, y, z], each a number or the name of a law", 2, 3,
      [&components, dimension](std::size_t i) { return law_reference(components[i], dimension); },
      dimension);
}

}  // namespace

// --------------------------------------------------------------------------------- rods, supports

void read_rod(ObjectReader& in, RodDescription& rod) {
  in.required("section", filled_text(rod.section, "the name of a section"));
  in.required("from", filled_text(rod.from, kPoint));
  in.required("to", filled_text(rod.to, kPoint));
  in.optional("elements", integer(rod.elements, 1, kMostElements));
  in.optional("inertia_field", word(rod.inertia_field, {{"chord", InertiaField::chord},
                                                        {"paper", InertiaField::paper}}));
  in.optional("curvature", number(rod.curvature, kFinite, dim::kAngle / dim::kLength));
  in.optional("elongation", number(rod.elongation, kStrain));
}

namespace {

Reader fixed_quantity(SupportDescription& support) {
  bool* unused = nullptr;
  const auto words = [&support](bool*& fixed) {
    return word(fixed, {{"x", &support.fix_x},
                        {"y", &support.fix_y},
                        {"z", &support.fix_z},
                        {"angle", &support.fix_angle}});
  };
  const Reader any = words(unused);
  return {any.allowed,
          [words](const Value& item) {
            bool* fixed = nullptr;
            words(fixed).read(item);
            if (fixed == nullptr) return;
            if (*fixed) item.wrong(show(item.tree) + " is repeated", "name each quantity once");
            *fixed = true;
          },
          any.describe};
}

void read_support(ObjectReader& in, SupportDescription& support) {
  in.optional("fix", list("a list of x, y, z, angle", 0, kAnyNumber,
                          [&support](std::size_t) { return fixed_quantity(support); }));
  in.optional("x", law_reference(support.x, dim::kLength));
  in.optional("y", law_reference(support.y, dim::kLength));
  in.optional("z", law_reference(support.z, dim::kLength));
  in.optional("angle", law_reference(support.angle, dim::kAngle));
  in.optional("rod", filled_text(support.rod, kRodOrBody));

  bool holds = false;
  const auto check = [&](const std::string& key, bool fixed, bool prescribed) {
    holds = holds || fixed || prescribed;
    if (fixed && prescribed) {
      in.wrong_at(key, key + " is fixed and prescribed at once",
                  "remove \"" + key + "\" from \"fix\", or this key");
    }
  };
  check("x", support.fix_x, support.x.has_value());
  check("y", support.fix_y, support.y.has_value());
  check("z", support.fix_z, support.z.has_value());
  check("angle", support.fix_angle, support.angle.has_value());
  if (!in.has_any({"fix", "x", "y", "z", "angle"}) || (!holds && in.clean())) {
    in.wrong("the support holds nothing",
             "fix or prescribe at least one of x, y, z, angle, or remove the support");
  }
}

// ------------------------------------------------------------------- bodies, particles, springs

void read_body(ObjectReader& in, BodyDescription& body) {
  in.required("at", filled_text(body.at, kPoint));
  in.optional("rod", filled_text(body.rod, kRod));
  in.required("mass", number(body.mass, kNotNegative, dim::kMass));
  in.required("inertia", number(body.inertia, kNotNegative, dim::kMass * dim::kArea));
  in.optional("center", number_pair(body.center, "[x, y]", dim::kLength));
  in.optional("carries", name_list(body.carries, "a list of names of points", kPoint));
  if (!in.clean()) return;
  const double distance = std::hypot(body.center[0], body.center[1]);
  const double least = body.mass * distance * distance;
  if (body.inertia < least * (1 - kRounding)) {
    in.wrong_at(
        "inertia",
        in.shown("inertia", dim::kMass * dim::kArea) + " is too small for a centre of mass " +
            in.shown(distance, dim::kLength) + " away",
        "the inertia is about the point, not about the centre of mass: it must be at least mass "
        "|center|² = " +
            in.shown(least, dim::kMass * dim::kArea));
  }
}

void read_particle(ObjectReader& in, ParticleDescription& particle) {
  in.required("at", filled_text(particle.at, kPoint));
  in.required("mass", number(particle.mass, kPositive, dim::kMass));
  in.optional("velocity", two_or_three(particle.velocity, dim::kVelocity));
}

void read_spring(ObjectReader& in, SpringDescription& spring) {
  in.required("between", two_names(spring.between, "points", kPoint));
  in.optional("stiffness", number(spring.stiffness, kNotNegative, dim::kForce / dim::kLength));
  in.optional("viscosity", number(spring.viscosity, kNotNegative, dim::kForce / dim::kVelocity));
  in.optional("length", number(spring.length, kNotNegative, dim::kLength));
  if (in.clean() && spring.stiffness == 0 && spring.viscosity == 0) {
    in.wrong("the spring has neither stiffness nor viscosity",
             "give at least one of them, greater than 0");
  }
}

// ---------------------------------------------------------------------------------------- loads

void demand_force_or_moment(ObjectReader& in) {
  if (!in.has_any({"force", "moment"})) {
    in.wrong("the load has neither force nor moment", "give at least one of them");
  }
}

Reader along_reader(std::optional<std::array<std::string, 2>>& out) {
  std::array<std::string, 2> unused;
  return {"the names of two points",
          [&out](const Value& value) { two_names(out.emplace(), "points", kPoint).read(value); },
          [described = two_names(unused, "points", kPoint).describe()] { return described; }};
}

void read_point_load(ObjectReader& in, PointLoadDescription& load) {
  in.required("at", filled_text(load.at, kPoint));
  in.optional("force", two_or_three(load.force, dim::kForce));
  in.optional("along", along_reader(load.along));
  in.optional("moment", law_reference(load.moment, dim::kMoment));
  in.optional("follower", flag(load.follower));
  in.optional("rod", filled_text(load.rod, kRodOrBody));
  demand_force_or_moment(in);
}

void read_rod_load(ObjectReader& in, RodLoadDescription& load) {
  const auto end = [&load](std::size_t i) {
    return number_pair(load.force[i], "[x, y]", dim::kForce / dim::kLength);
  };
  in.required("on", filled_text(load.on, kRod));
  in.optional("force", list("[[x, y], [x, y]], the forces at both ends", 2, 2, end));
  in.optional("moment", number_pair(load.moment, "[from, to]", dim::kForce));
  in.optional("factor", law_reference(load.factor, dim::kPure));
  demand_force_or_moment(in);
}

// At a point or along a rod.
Reader load_reader(CaseDescription& description) {
  return keyed([&description](const std::string& name) {
    return object([&description, name](ObjectReader& in) {
      const auto place = in.exactly_one({"at", "on"});
      if (place == "at") {
        auto& load = description.point_loads.emplace_back();
        load.name = name;
        read_point_load(in, load);
      } else if (place == "on") {
        auto& load = description.rod_loads.emplace_back();
        load.name = name;
        read_rod_load(in, load);
      } else {
        in.ignore_other_keys();
      }
    });
  });
}

// -------------------------------------------------------------------------------------- initial

// A word, or the velocities of points.
Reader initial_velocity(InitialDescription& initial) {
  const std::string allowed = "\"rest\", \"consistent\", or velocities [x, y] keyed by points";
  const Reader of_points = named(initial.velocities, [](PointVelocityDescription& point) {
    return two_or_three(point.velocity, dim::kVelocity);
  });
  bool unused = false;
  const Reader words = word(unused, {{"rest", false}, {"consistent", true}});
  return {allowed,
          [&initial, of_points, allowed](const Value& value) {
            if (value.tree.as<Tree::Members>() != nullptr) return of_points.read(value);
            const auto* given = value.tree.as<std::string>();
            if (given == nullptr || (*given != "rest" && *given != "consistent")) {
              return value.refuse(allowed);
            }
            initial.moves_with_laws = *given == "consistent";
          },
          [of_points, describe = words.describe] {
            return any_of({describe(), of_points.describe()});
          }};
}

void read_initial(ObjectReader& in, InitialDescription& initial) {
  in.optional("velocity", initial_velocity(initial));
  in.optional("rate", named(initial.rates, [](BodyRateDescription& body) {
                return number(body.rate, kFinite, dim::kAngularVelocity);
              }));
  in.optional("from", path(initial.from, "the path of a results file"));
}

// ------------------------------------------------------------------------------------- analysis

void read_arc_length(ObjectReader& in, ArcLengthDescription& method) {
  in.optional("local_tolerance", number(method.local_tolerance, kPositive));
  in.optional("iteration_tolerance", number(method.iteration_tolerance, kPositive));
  in.optional("frequency_limit", number(method.frequency_limit, kContracts));
  in.optional("ledger_tolerance", number(method.ledger_tolerance, kPositive));
  in.optional("metric",
              word(method.metric, {{"plain", Metric::plain}, {"scaled", Metric::scaled}}));
  in.optional("reference_length", number(method.reference_length, kPositive, dim::kLength));
  in.optional("reference_time", number(method.reference_time, kPositive, dim::kTime));
}

constexpr Bound kRadius{.allowed = "a number from 0 to 1", .least = 0, .most = 1};

void read_generalized_alpha(ObjectReader& in, GeneralizedAlphaDescription& method) {
  in.optional("spectral_radius", number(method.spectral_radius, kRadius));
  in.optional("tolerance", number(method.tolerance, kPositive));
  in.optional("step", number(method.step, kPositive, dim::kTime));
  if (in.has("step") && in.has("tolerance")) {
    in.wrong_at("tolerance", "steps of a given length do not follow from it",
                "give one of \"step\" and \"tolerance\"");
  }
}

void read_method(ObjectReader& in, AnalysisDescription& analysis) {
  in.by_kind(
      {{"arc_length", [&] { read_arc_length(in, analysis.method); }},
       {"generalized_alpha", [&] { read_generalized_alpha(in, analysis.long_steps.emplace()); }}},
      ObjectReader::Absent::means_the_first, {});
}

void read_output(ObjectReader& in, AnalysisDescription& analysis) {
  in.optional("every", number(analysis.output_every, kPositive, dim::kTime));
  if (analysis.end / analysis.output_every > kMostOutputRows) {
    in.wrong_at("every", in.shown("every", dim::kTime) + " gives more than 10000000 rows of output",
                "must be at least " + in.shown(analysis.end / kMostOutputRows, dim::kTime));
  }
}

void read_statics(ObjectReader& in, StaticsDescription& statics) {
  int steps = 0;
  in.optional("time", number(statics.time, kNotNegative, dim::kTime));
  in.optional("path", flag(statics.follow_path));
  in.optional("max_load", number(statics.max_load, kPositive));
  in.optional("steps", integer(steps, 1, kMostSteps));
  if (steps > 0) statics.steps = steps;
  for (const char* key : {"max_load", "steps"}) {
    if (!in.has(key) || statics.follow_path) continue;
    in.wrong_at(key, "it belongs to a path, which is not asked for",
                "add \"path\": true, or remove it");
  }
}

void read_modes(ObjectReader& in, ModesDescription& modes) {
  in.optional("count", integer(modes.count, 1, kMostModes));
  in.optional("about", word(modes.about_statics, {{"start", false}, {"statics", true}}));
}

// A case for statics or modes needs no end.
void read_analysis(ObjectReader& in, AnalysisDescription& analysis) {
  const bool rests = in.has_any({"statics", "modes"}) && !in.has_any({"method", "output"});
  in.optional("statics", object([&](ObjectReader& part) { read_statics(part, analysis.statics); }));
  in.optional("modes", object([&](ObjectReader& part) { read_modes(part, analysis.modes); }));
  const Reader end = number(analysis.end, kPositive, dim::kTime);
  rests ? in.optional("end", end) : in.required("end", end);
  analysis.output_every = analysis.end / kDefaultOutputRows;
  in.optional("method", object([&](ObjectReader& method) { read_method(method, analysis); }));
  in.optional("output", object([&](ObjectReader& output) { read_output(output, analysis); }));
}

// --------------------------------------------------------------------------------------- a case

void read_frame(ObjectReader& in, FrameDescription& frame) {
  in.optional("origin", two_or_three(frame.origin, dim::kLength));
  in.optional("angle", law_reference(frame.angle, dim::kAngle));
  if (!in.has_any({"origin", "angle"})) {
    in.wrong("the frame does not move", "give \"origin\", \"angle\" or both");
  }
}

// A hinge names its members among rods and bodies.
void read_bodies(ObjectReader& in, CaseDescription& description) {
  std::unordered_set<std::string> rods;
  for (const RodDescription& rod : description.rods) rods.insert(rod.name);
  in.optional("bodies", named(description.bodies, [&](ObjectReader& item, BodyDescription& body) {
                read_body(item, body);
                if (item.clean() && rods.count(body.name) != 0) {
                  item.wrong("a rod is named " + show(body.name) + " too",
                             "give the body another name: hinges name rods and bodies alike");
                }
              }));
}

Reader unit(Unit& out, UnitNames units) {
  Words<Unit> words;
  for (const Unit& unit : units) words.emplace_back(unit.first, unit);
  return word(out, words);
}

void read_units(ObjectReader& in) {
  Units& units = in.findings().units;
  in.optional("length", unit(units.length, length_units()));
  in.optional("force", unit(units.force, force_units()));
  in.optional("mass", unit(units.mass, mass_units()));
  in.optional("time", unit(units.time, time_units()));
  in.optional("angle", unit(units.angle, angle_units()));
}

// Files that are merged when the case is loaded (io/case_document): nothing is left to be read.
Reader included() {
  const std::string allowed = "the path of a file, or a list of paths";
  const Schema one = make_object({{"type", {"string"}}, {"minLength", {1.0}}});
  const Schema several = make_object({{"type", {"array"}}, {"minItems", {1.0}}, {"items", one}});
  return {allowed,
          [](const Value& value) {
            value.wrong("a case that is no file has no folder to include files from",
                        "write what it includes into the case");
          },
          [=] {
            return any_of({one, several});
          }};
}

void read_root(ObjectReader& in, CaseDescription& description) {
  in.required("libfem", plain(
                            "1, the version of the format that this libfem reads",
                            [](const Tree& tree) {
                              return tree.as<double>() != nullptr && *tree.as<double>() == 1;
                            },
                            make_object({{"const", {1.0}}})));
  std::string schema;  // from which editors know where to find it
  in.optional("$schema", text(schema, "a text"));
  in.optional("units", object(read_units));  // before all that has units
  description.units = in.findings().units;
  in.optional("include", included());
  in.optional("title", text(description.title, "a text"));
  in.optional("gravity",
              two_or_three(description.gravity, description.gravity_z, dim::kAcceleration));
  in.optional("frame",
              object([&](ObjectReader& frame) { read_frame(frame, description.frame.emplace()); }));
  in.optional("sections", named(description.sections, read_section));
  in.optional("laws", named(description.laws, read_law));
  in.required("points", named(description.points, [](PointDescription& point) {
                return two_or_three(point.position, point.z, dim::kLength);
              }));
  in.optional("rods", named(description.rods, read_rod));
  in.optional("hinges", named(description.hinges, read_hinge));
  in.optional("supports", named(description.supports, read_support));
  in.optional("constraints", named(description.constraints, read_constraint));
  read_bodies(in, description);
  in.optional("particles", named(description.particles, read_particle));
  in.optional("springs", named(description.springs, read_spring));
  in.optional("hereditary", named(description.hereditary, read_hereditary));
  in.optional("loads", load_reader(description));
  in.required("analysis", object([&](ObjectReader& analysis) {
                read_analysis(analysis, description.analysis);
              }));
  in.optional("initial",
              object([&](ObjectReader& initial) { read_initial(initial, description.initial); }));
  if (!in.has_any({"rods", "bodies", "particles"})) {
    in.wrong("there is nothing that moves", "add \"rods\", \"bodies\" or \"particles\"");
  }
}

}  // namespace
}  // namespace case_file

CaseDescription read_case(const CaseDocument& document) {
  CaseDescription description;
  json::Findings findings{.problems = document.problems, .sources = document.sources};
  const json::Reader root = json::object([&](json::ObjectReader& in) {
    case_file::read_root(in, description);
    case_file::convert_laws(description.laws, in.findings());
  });
  json::read(document.tree, findings, root);
  return description;
}

CaseDescription read_case(std::string_view text) {
  CaseDocument document;
  document.tree = json::parse(text, 0, "", document.problems);
  return read_case(document);
}

std::string case_schema() {
  CaseDescription unused;
  const json::Reader root =
      json::object([&](json::ObjectReader& in) { case_file::read_root(in, unused); });
  json::Tree::Members schema{{"$schema", {"https://json-schema.org/draft/2020-12/schema"}},
                             {"title", {"libfem case"}},
                             {"description",
                              {"docs/case-format.md; \"unit\" is the SI unit of a number, where "
                               "\"units\" of the case do not say otherwise"}}};
  json::Schema body = root.describe();
  for (auto& member : std::get<json::Tree::Members>(body.value))
    schema.push_back(std::move(member));
  return json::dump({std::move(schema)});
}

}  // namespace fem
