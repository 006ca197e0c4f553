#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "drivers/commands.hpp"
#include "drivers/computation.hpp"
#include "drivers/messages.hpp"
#include "libfem/analysis/determinacy.hpp"
#include "libfem/analysis/run_state.hpp"
#include "libfem/base/names.hpp"
#include "libfem/hereditary/relaxation_series.hpp"
#include "libfem/io/load_case.hpp"
#include "libfem/link/hinge_moment.hpp"
#include "libfem/model/model.hpp"
#include "libfem/system/system.hpp"

namespace fem::driver {
namespace {

void print_rods(const Model& model) {
  if (!model.rods.empty()) answer("rods\n");
  for (const Rod& rod : model.rods) {
    answer("  {}: {} elements, length {:.6g} m, from '{}' to '{}'\n", rod.name, rod.elements(),
           rod.length, model.nodes[static_cast<std::size_t>(rod.nodes.front())].name,
           model.nodes[static_cast<std::size_t>(rod.nodes.back())].name);
  }
}

const char* describe(const Hinge& h) {
  if (h.drive != kNone) return "driven";
  if (h.latched) return "latched";
  return h.lock != kNone ? "held" : "free";
}

// Which way it wants to turn and what awaits it, so that a sign can be seen before a run.
void print_hinge(const Model& model, const Hinge& h) {
  const std::vector<double>& q = model.start;
  const double angle =
      q[static_cast<std::size_t>(h.second)] - q[static_cast<std::size_t>(h.first)] + h.turns;
  answer("hinge {} at '{}': {}, angle {:.6g} rad", h.name,
         model.nodes[static_cast<std::size_t>(h.node)].name, describe(h), angle);
  if (h.law) {
    const double moment = -hinge_moment(*h.law, angle, 0).moment;  // on the second member
    if (moment != 0) {
      answer("; its moment of {:.6g} N m turns it to {} angles", std::abs(moment),
             moment > 0 ? "larger" : "smaller");
    }
  }
  if (h.latch && !h.latched) answer("; latches at {:.6g} rad", h.latch->angle);
  answer("\n");
}

void print_constraints(const Model& model) {
  for (const Hinge& h : model.hinges) print_hinge(model, h);
  for (const Support& s : model.supports) {
    answer("support {}: holds{}{}{}\n", s.name, s.x == kNone ? "" : " x", s.y == kNone ? "" : " y",
           s.angle == kNone ? "" : " angle");
  }
}

void print_series(const std::string& name, const HereditaryLaw& law, const Prehistory& before,
                  const TimeScales& scales) {
  const RelaxationSeries series =
      make_relaxation_series(law, {scales.step, scales.horizon + calc_span(before)});
  answer("{}: {} branches, relaxes to {:.6g} of its stiffness", name, series.size(),
         relaxed_part(law));
  if (series.resolution > 0) {
    answer("; relaxation function to {:.2g} from {:.2g} s on", series.error, series.resolution);
  }
  answer("\n");
}

// What a run will integrate, and which forms of the equations exist.
void print_hereditary(const System& system) {
  const Model& model = system.model();
  const double end = model.analysis.end;
  const TimeScales scales{largest_time_step(model, system.highest_frequency()), end};
  if (end > 0) {
    for (const HereditaryElement& e : model.hereditary) {
      print_series("hereditary " + e.name, e.material, e.before, scales);
    }
    for (std::size_t s = 0; s < model.sections.size(); ++s) {
      const auto& memory = model.section_memory[s];
      if (!memory) continue;
      print_series("section " + model.section_names[s], memory->material, memory->before, scales);
    }
  }
  if (model.hereditary.empty()) return;
  std::vector<double> q = system.initial_positions();
  const Determinacy d = calc_determinacy(system, q);
  answer("hereditary elements {}, rank of their deformations {}: dynamically {}\n", d.elements,
         d.rank,
         d.determinate() ? "determinate, differential, relaxation and rheology forms exist"
                         : "indeterminate, only the relaxation form exists");
}

void print_bodies(const Model& model) {
  for (const Body& body : model.bodies) {
    answer("{} {} at '{}': {:.6g} kg\n", body.angle == kNone ? "particle" : "body", body.name,
           model.nodes[static_cast<std::size_t>(body.node)].name, body.body.mass);
  }
}

void print_frequency(const Model& model, double highest) {
  if (model.analysis.long_steps) {
    answer("highest frequency of the mesh {:.6g} rad/s, which does not limit the step\n", highest);
  } else if (highest > 0) {
    answer("highest frequency of the mesh {:.6g} rad/s, step at most {:.3g} s\n", highest,
           *model.analysis.method.frequency_limit / highest);
  } else {
    answer("nothing vibrates: no frequency limits the step\n");
  }
}

// Of the velocities some follow from the others; those are Osiński's quasi-velocities.
void print_rates(const System& system, std::size_t free) {
  const std::size_t rows = system.projection().rates.size();
  if (rows == 0) return;
  answer("constraints of rates {}, independent velocities {}\n", rows, free - rows);
  const std::vector<char> follows = system.follows_from_rates();
  for (std::size_t p = 0; p < follows.size(); ++p) {
    if (follows[p] == 0) continue;
    answer("the rate of {} follows from the other velocities\n", system.describe_unknown(p));
  }
}

// What has no mass cannot be accelerated; statics do not mind.
void warn_of_missing_mass(System& system) {
  std::vector<double> q = system.initial_positions();
  std::vector<double> v(system.size(), 0.0);
  Outcome outcome = system.complete(0, Side::before, q, v);
  system.assemble_mass(q);
  int negative = 0;
  if (outcome.ok()) outcome = system.factorize_assembled(Pivots::positive, negative);
  if (outcome.ok()) return;
  answer("warning: {}: worst at {}; runs and modes need mass there\n", describe(outcome.status),
         system.describe_unknown(outcome.where));
}

}  // namespace

int check(const std::filesystem::path& case_file, const std::vector<std::string>& settings,
          Log& log) {
  const LoadedCase loaded = load_case(case_file, settings);
  const Model& model = loaded.model;
  log_model(log, model, loaded.document.text);
  System system = with_places(loaded.document, [&] { return System(model, {}); });
  const auto& projection = system.projection();
  const auto constraints = projection.dependents.size();

  const std::string title = model.title.empty() ? case_file.filename().string() : model.title;
  answer("{}\n", show_control_characters(title));
  answer("points {}, mesh nodes {}, rods {}, elements {}\n",
         std::count_if(model.nodes.begin(), model.nodes.end(),
                       [](const Node& n) { return n.name.find('/') == std::string::npos; }),
         model.nodes.size(), model.rods.size(), model.elements.size());
  print_rods(model);
  print_bodies(model);
  print_constraints(model);
  answer("coordinates {}, independent constraints {}, degrees of freedom {}\n", model.coordinates(),
         constraints, static_cast<std::size_t>(model.coordinates()) - constraints);
  print_rates(system, static_cast<std::size_t>(model.coordinates()) - constraints);
  print_frequency(model, system.highest_frequency());
  if (model.analysis.end > 0) {
    answer("run to {:.6g} s, output every {:.6g} s\n", model.analysis.end,
           model.analysis.output_every);
  }
  print_hereditary(system);
  for (const std::string& text : model.warnings) answer("warning: {}\n", text);
  for (const std::string& text : projection.warnings) answer("warning: {}\n", text);
  warn_of_missing_mass(system);
  return kDone;
}

}  // namespace fem::driver
