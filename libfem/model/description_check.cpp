#include "libfem/model/description_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <unordered_set>

#include "libfem/base/names.hpp"

namespace fem {
namespace {

constexpr double kMostFrequencyLimit = 1.7;  // (ω Δt)²/6 < 1 with a factor of two to spare

std::string show(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

class Checker {
 public:
  Checker(const CaseDescription& description, std::vector<Problem>& problems)
      : d_(description), problems_(problems) {}

  void check() {
    check_names();
    check_gravity();
    for (const RodDescription& rod : d_.rods) check_rod(rod);
    for (const SpringDescription& spring : d_.springs) check_spring(spring);
    for (const RodLoadDescription& load : d_.rod_loads) check_rod_load(load);
    for (const ConstraintDescription& c : d_.constraints) check_constraint(c);
    check_analysis(d_.analysis);
  }

 private:
  using NamesSeen = std::unordered_set<std::string>;

  void report(std::string pointer, std::string what, std::string remedy) {
    problems_.push_back({std::move(pointer), std::move(what), std::move(remedy)});
  }
  void require(bool good, const std::string& pointer, double value, const char* allowed) {
    if (!good) report(pointer, "the value is " + show(value), allowed);
  }
  void finite(double value, const std::string& pointer) {
    require(std::isfinite(value), pointer, value, "give a finite number");
  }
  void positive(double value, const std::string& pointer) {
    require(std::isfinite(value) && value > 0, pointer, value, "give a positive, finite number");
  }
  void not_negative(double value, const std::string& pointer) {
    require(std::isfinite(value) && value >= 0, pointer, value,
            "give zero or a positive, finite number");
  }
  void pair(const std::array<double, 2>& values, const std::string& pointer) {
    for (std::size_t i = 0; i < 2; ++i) finite(values[i], pointer + "/" + std::to_string(i));
  }

  void check_name(const std::string& name, const std::string& family, NamesSeen& seen) {
    const std::string place = join_pointer(family, name);
    if (!is_path_name(name)) {
      report(place, "the name '" + name + "' is not allowed", kPathNames);
    }
    if (!seen.insert(name).second) {
      report(place, "two " + family.substr(1) + " are named '" + name + "'",
             "give each of them a name of its own");
    }
  }

  template <class Descriptions>
  void check_names_of(const Descriptions& all, const std::string& family) {
    NamesSeen seen;
    for (const auto& d : all) check_name(d.name, family, seen);
  }

  void check_names() {
    check_names_of(d_.sections, "/sections");
    check_names_of(d_.laws, "/laws");
    check_names_of(d_.points, "/points");
    check_names_of(d_.rods, "/rods");
    check_names_of(d_.hinges, "/hinges");
    check_names_of(d_.bodies, "/bodies");
    check_names_of(d_.particles, "/particles");
    check_names_of(d_.springs, "/springs");
    check_names_of(d_.constraints, "/constraints");
    check_names_of(d_.hereditary, "/hereditary");
    NamesSeen loads;
    for (const auto& load : d_.point_loads) check_name(load.name, "/loads", loads);
    for (const auto& load : d_.rod_loads) check_name(load.name, "/loads", loads);
    check_members();
  }

  // Hinges, supports and loads name rods and bodies alike.
  void check_members() {
    NamesSeen rods;
    for (const RodDescription& rod : d_.rods) rods.insert(rod.name);
    for (const BodyDescription& body : d_.bodies) {
      if (rods.count(body.name) == 0) continue;
      report(join_pointer("/bodies", body.name), "a rod is named '" + body.name + "' too",
             "give the body another name: hinges name rods and bodies alike");
    }
  }

  void check_gravity() {
    pair(d_.gravity, "/gravity");
    finite(d_.gravity_z, "/gravity/2");
  }

  void check_rod(const RodDescription& rod) {
    const std::string place = join_pointer("/rods", rod.name);
    finite(rod.curvature, place + "/curvature");
    require(std::isfinite(rod.elongation) && rod.elongation > -1, place + "/elongation",
            rod.elongation, "give a finite number greater than -1");
  }

  void check_spring(const SpringDescription& spring) {
    const std::string place = join_pointer("/springs", spring.name);
    not_negative(spring.stiffness, place + "/stiffness");
    not_negative(spring.viscosity, place + "/viscosity");
    if (spring.length) not_negative(*spring.length, place + "/length");
    if (spring.stiffness == 0 && spring.viscosity == 0) {
      report(place, "the spring has neither stiffness nor viscosity",
             "give at least one of them, greater than 0");
    }
  }

  void check_rod_load(const RodLoadDescription& load) {
    const std::string place = join_pointer("/loads", load.name);
    for (std::size_t end = 0; end < 2; ++end) {
      pair(load.force[end], place + "/force/" + std::to_string(end));
    }
    pair(load.moment, place + "/moment");
  }

  void check_constraint(const ConstraintDescription& c) {
    const std::string place = join_pointer("/constraints", c.name);
    finite(c.direction, place + "/direction");
    finite(c.radius, place + "/radius");
    pair(c.center, place + "/center");
    for (std::size_t i = 0; i < c.terms.size(); ++i) {
      finite(c.terms[i].second, place + "/terms/" + std::to_string(i) + "/1");
    }
    if (c.kind == ConstraintDescription::Kind::rolling && c.radius == 0) {
      report(place + "/radius", "the wheel has no radius", "give a number other than 0");
    }
    if (c.kind == ConstraintDescription::Kind::expression &&
        c.position.has_value() == c.velocity.has_value()) {
      report(place, "the expression is neither of positions nor of velocities, or of both",
             "give one of \"position\" and \"velocity\"");
    }
  }

  // An embedding program that runs nothing may leave `end` and `output_every` at zero.
  void check_analysis(const AnalysisDescription& analysis) {
    not_negative(analysis.end, "/analysis/end");
    not_negative(analysis.output_every, "/analysis/output/every");
    const ArcLengthDescription& method = analysis.method;
    const std::string place = "/analysis/method";
    if (method.local_tolerance) positive(*method.local_tolerance, place + "/local_tolerance");
    if (method.iteration_tolerance) {
      positive(*method.iteration_tolerance, place + "/iteration_tolerance");
    }
    if (method.frequency_limit) {
      require(*method.frequency_limit > 0 && *method.frequency_limit <= kMostFrequencyLimit,
              place + "/frequency_limit", *method.frequency_limit,
              "give a number greater than 0 and at most 1.7");
    }
    if (method.ledger_tolerance) positive(*method.ledger_tolerance, place + "/ledger_tolerance");
    if (method.reference_length) positive(*method.reference_length, place + "/reference_length");
    if (method.reference_time) positive(*method.reference_time, place + "/reference_time");
    if (analysis.long_steps) check_long_steps(*analysis.long_steps, place);
  }

  void check_long_steps(const GeneralizedAlphaDescription& method, const std::string& place) {
    require(method.spectral_radius >= 0 && method.spectral_radius <= 1, place + "/spectral_radius",
            method.spectral_radius, "give a number from 0 to 1");
    positive(method.tolerance, place + "/tolerance");
    if (method.step) positive(*method.step, place + "/step");
    if (std::any_of(d_.constraints.begin(), d_.constraints.end(), is_of_rates)) {
      refuse_long_steps("constraints of velocities");
    }
  }

  static bool is_of_rates(const ConstraintDescription& c) {
    using Kind = ConstraintDescription::Kind;
    return c.kind == Kind::knife_edge || c.velocity.has_value();
  }
  void refuse_long_steps(const std::string& what) {
    report("/analysis/method/kind", "generalized_alpha does not integrate " + what + " yet",
           "use \"arc_length\"");
  }

  const CaseDescription& d_;
  std::vector<Problem>& problems_;
};

}  // namespace

void check_description(const CaseDescription& description, std::vector<Problem>& problems) {
  Checker(description, problems).check();
}

}  // namespace fem
