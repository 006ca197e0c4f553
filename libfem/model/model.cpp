#include "libfem/model/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <tuple>
#include <unordered_map>
#include <variant>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"
#include "libfem/model/constraint_rows.hpp"
#include "libfem/model/description_check.hpp"
#include "libfem/model/hinge_lock.hpp"
#include "libfem/model/hinge_parts.hpp"
#include "libfem/model/initial_rates.hpp"
#include "libfem/model/law_change.hpp"

namespace fem {
namespace {

// Local tolerances by default: without rods nothing but the motion itself asks for small steps, and
// they cost little.
constexpr double kTolerance = 1e-8;
constexpr double kToleranceWithoutRods = 1e-12;
constexpr double kDefaultLedgerTolerance = 1e-6;

constexpr double kRounding = 1e-12;  // of numbers that a user wrote with twelve digits

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double distance(const Node& a, const Node& b) {
  // Rounded once in the plane: on slender rods a strain of 1e-16 can be felt.
  return std::hypot(std::hypot(b.initial[0] - a.initial[0], b.initial[1] - a.initial[1]),
                    b.initial[2] - a.initial[2]);
}

constexpr Dimension kMassLength = dimension::kMass * dimension::kLength;
constexpr Dimension kInertia = dimension::kMass * dimension::kArea;

std::string format(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// Into (−π, π].
double wrap_half_open(double angle) {
  const double wrapped = std::remainder(angle, 2 * std::numbers::pi);
  return wrapped <= -std::numbers::pi ? std::numbers::pi : wrapped;
}

// What forces and masses of an element are made of is neither infinite nor lost below all numbers.
bool is_representable(const RodConstants<double>& c) {
  const auto positive = [](double x) {
    return std::isfinite(x) && x >= std::numeric_limits<double>::min();
  };
  return positive(c.bending) && positive(c.shear) && positive(c.axial) && positive(c.m11) &&
         std::isfinite(c.m33) && std::isfinite(c.j11);
}

// Names of one kind of object, their indices, and what to say about one that does not exist.
class Catalogue {
 public:
  template <class Descriptions>
  Catalogue(std::string kind, const Descriptions& descriptions) : kind_(std::move(kind)) {
    for (const auto& d : descriptions) add(d.name);
  }
  [[nodiscard]] bool contains(const std::string& name) const { return index_.count(name) != 0; }
  [[nodiscard]] int find(const std::string& name, const std::string& pointer,
                         std::vector<Problem>& problems) const {
    const auto found = index_.find(name);
    if (found != index_.end()) return found->second;
    problems.push_back({pointer, "there is no " + kind_ + " '" + name + "'", remedy(name)});
    return kNone;
  }

 private:
  [[nodiscard]] std::string remedy(const std::string& name) const {
    if (names_.empty()) {
      const std::string number = kind_ == "law" ? "; a number does not stand in quotes" : "";
      return "the case has no " + plural() + ": add it to \"" + plural() + "\"" + number;
    }
    const std::string nearest = nearest_name(name, names_);
    const std::string list = plural() + ": " + list_names(names_);
    return nearest.empty() ? "name one of the " + list
                           : "did you mean '" + nearest + "'? name one of the " + list;
  }
  void add(const std::string& name) {
    index_.emplace(name, static_cast<int>(names_.size()));
    names_.push_back(name);
  }
  [[nodiscard]] std::string plural() const { return kind_ == "body" ? "bodies" : kind_ + "s"; }
  std::string kind_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> index_;
};

// What turns in a point: a rod's end section or a free-standing body, and its angle's coordinate.
struct End {
  std::string name;
  int angle;
};

class Builder {
 public:
  explicit Builder(const CaseDescription& d)
      : d_(d),
        section_names_("section", d.sections),
        law_names_("law", d.laws),
        point_names_("point", d.points),
        rod_names_("rod", d.rods),
        body_names_("body", d.bodies) {
    for (const RodDescription& rod : d.rods) member_names_.push_back(rod.name);
    for (const BodyDescription& body : d.bodies) {
      if (!body.rod || !body.carries.empty()) member_names_.push_back(body.name);
    }
  }

  Model build() {
    model_.title = d_.title;
    model_.units = d_.units;
    model_.analysis = d_.analysis;
    resolve_defaults(model_.analysis.method);
    add_sections();
    for (const LawDescription& law : d_.laws) add_law(law);
    add_points();
    for (std::size_t i = 0; i < d_.rods.size(); ++i) add_rod(static_cast<int>(i));
    ends_known_ = problems_.empty();
    model_.gravity = d_.gravity;
    model_.gravity_z = d_.gravity_z;
    if (d_.frame) add_frame(*d_.frame);
    for (const BodyDescription& body : d_.bodies) add_body(body);
    for (const ParticleDescription& particle : d_.particles) add_particle(particle);
    // Where these are wrong, what hangs on them is still looked up, but not where they end.
    ends_known_ = problems_.empty();
    for (std::size_t h = 0; h < d_.hinges.size(); ++h) add_hinge(h);
    if (ends_known_) join_rigidly();
    for (const SupportDescription& support : d_.supports) add_support(support);
    for (const SpringDescription& spring : d_.springs) add_spring(spring);
    for (const HereditaryDescription& element : d_.hereditary) add_hereditary(element);
    for (const PointLoadDescription& load : d_.point_loads) add_point_load(load);
    for (const RodLoadDescription& load : d_.rod_loads) add_rod_load(load);
    add_initial(d_.initial);
    check_description(d_, problems_);
    find_size();
    add_constraints();
    if (problems_.empty()) find_deadlocks(model_.hinges, problems_);
    stop_at_problems();
    hold_unused_points();
    lock_at_start(model_, model_.initial);
    finish();
    return std::move(model_);
  }

 private:
  void resolve_defaults(ArcLengthDescription& method) const {
    if (!method.local_tolerance && !method.frequency_limit && !method.ledger_tolerance) {
      method.ledger_tolerance = kDefaultLedgerTolerance;
    }
    if (!method.frequency_limit) method.frequency_limit = 1.0;
    auto& tolerance = method.local_tolerance;
    if (!tolerance) tolerance = d_.rods.empty() ? kToleranceWithoutRods : kTolerance;
    auto& between_iterates = method.iteration_tolerance;
    if (!between_iterates) between_iterates = std::min(1e-10, 0.01 * *tolerance);
  }

  void report(std::string pointer, std::string what, std::string remedy) {
    problems_.push_back({std::move(pointer), std::move(what), std::move(remedy)});
  }
  // A number in the units of the case.
  std::string say(double si, const Dimension& dimension) const {
    return show(si, d_.units, dimension);
  }
  void stop_at_problems() {
    if (!problems_.empty()) throw InputError(std::move(problems_));
  }

  void require(bool good, const std::string& pointer, double value, const char* allowed) {
    if (!good) report(pointer, "the value is " + format(value), allowed);
  }

  void add_sections() {
    for (const SectionDescription& s : d_.sections) {
      const std::string place = join_pointer("/sections", s.name);
      const auto positive = [&](double value, const char* key) {
        require(std::isfinite(value) && value > 0, join_pointer(place, key), value,
                "give a positive, finite number");
      };
      const auto not_negative = [&](double value, const char* key) {
        require(std::isfinite(value) && value >= 0, join_pointer(place, key), value,
                "give zero or a positive, finite number");
      };
      const std::size_t before = problems_.size();
      positive(s.axial_stiffness, "EA");
      positive(s.bending_stiffness, "EI");
      positive(s.shear_stiffness, "GAs");
      positive(s.mass_per_length, "mass_per_length");
      not_negative(s.inertia_per_length, "inertia_per_length");
      require(std::isfinite(s.mass_offset), place + "/mass_offset", s.mass_offset,
              "give a finite number");
      not_negative(s.stiffness_damping, "stiffness_damping");
      not_negative(s.mass_damping, "mass_damping");
      not_negative(s.height, "height");
      not_negative(s.modulus, "E");
      const double least = s.mass_per_length * s.mass_offset * s.mass_offset;
      if (problems_.size() == before && s.inertia_per_length < least * (1 - kRounding)) {
        report(place + "/inertia_per_length",
               "the value is " + say(s.inertia_per_length, kMassLength),
               "it is about the rod's axis: give at least " + say(least, kMassLength) +
                   ", which is mass_per_length * mass_offset^2");
      }
      model_.sections.push_back({.axial_stiffness = s.axial_stiffness,
                                 .bending_stiffness = s.bending_stiffness,
                                 .shear_stiffness = s.shear_stiffness,
                                 .mass_per_length = s.mass_per_length,
                                 .inertia_per_length = s.inertia_per_length,
                                 .mass_offset = s.mass_offset,
                                 .stiffness_damping = s.stiffness_damping,
                                 .mass_damping = s.mass_damping,
                                 .height = s.height,
                                 .modulus = s.modulus});
      model_.section_names.push_back(s.name);
      auto& memory = model_.section_memory.emplace_back();
      if (s.hereditary) {
        memory = {s.hereditary->law, s.hereditary->before};
        check_section_memory(*memory, place + "/hereditary");
      }
    }
  }

  void check_section_memory(const SectionMemory& memory, const std::string& place) {
    check_admissible(memory.material, place + "/kernel", problems_, {d_.units, {}});
    check_prehistory(memory.before, place + "/prehistory", problems_);
    const auto* constant = std::get_if<ConstantPrehistory>(&memory.before);
    const auto* window = std::get_if<WindowPrehistory>(&memory.before);
    if (std::holds_alternative<NaturalPrehistory>(memory.before)) return;
    if ((constant != nullptr && !constant->deformation) ||
        (window != nullptr && !window->deformation)) {
      return;
    }
    report(place + "/prehistory", "a section has no deformation of its own before the run",
           "give \"natural\", or \"constant\" or \"window\" without a deformation: the strains of "
           "the start");
  }

  void add_law(const LawDescription& law) {
    if (!is_well_formed(law.law)) {
      report(join_pointer("/laws", law.name), "the law's numbers are not finite or not in order",
             kLawRemedy);
    } else if (!std::isfinite(evaluate(law.law, 0, Side::after).value)) {
      report(join_pointer("/laws", law.name), "the law is not a finite number at the start, t = 0",
             "give an expression that is defined there, or let it begin later with \"start\"");
    }
    model_.laws.push_back(law.law);
    model_.law_names.push_back(law.name);
  }

  int add_coordinate(double initial, bool is_angle) {
    model_.initial.push_back(initial);
    model_.is_angle.push_back(is_angle ? 1 : 0);
    return model_.coordinates() - 1;
  }

  int add_node(std::string name, std::array<double, 2> position, std::optional<double> z = {}) {
    const int x = add_coordinate(position[0], false);
    add_coordinate(position[1], false);
    model_.nodes.push_back({.name = std::move(name),
                            .initial = {position[0], position[1], z.value_or(0)},
                            .x = x,
                            .z = z ? add_coordinate(*z, false) : kNone});
    return static_cast<int>(model_.nodes.size()) - 1;
  }

  void add_points() {
    for (const PointDescription& p : d_.points) {
      if (!std::isfinite(p.position[0]) || !std::isfinite(p.position[1]) ||
          !std::isfinite(p.z.value_or(0))) {
        report(join_pointer("/points", p.name), "a coordinate is not finite",
               "give finite numbers, [x, y] or [x, y, z] in metres");
      }
      add_node(p.name, p.position, p.z);
    }
    ends_at_.resize(d_.points.size());
  }

  // Rods and bodies lie in the plane.
  void demand_in_plane(int point, const std::string& place, const char* object) {
    if (point == kNone || model_.nodes[at(point)].z == kNone) return;
    report(place,
           "point '" + d_.points[at(point)].name + "' is in space, and a " + object +
               " lies in the plane",
           "give the point two coordinates, [x, y]");
  }

  // Element constants are shared by all rods with the same section, element length and field.
  int find_type(int section, double length, const RodDescription& rod) {
    const bool paper = rod.inertia_field == InertiaField::paper;
    const auto [found, added] =
        types_.try_emplace({section, length, paper, rod.curvature, rod.elongation},
                           static_cast<int>(model_.types.size()));
    if (added) {
      model_.types.push_back(make_rod_constants(model_.sections[at(section)], length, paper,
                                                {rod.curvature, rod.elongation}));
      model_.type_section.push_back(section);
    }
    return found->second;
  }

  void add_rod(int index) {
    const RodDescription& r = d_.rods[at(index)];
    const std::string place = join_pointer("/rods", r.name);
    const int section = section_names_.find(r.section, place + "/section", problems_);
    const int from = point_names_.find(r.from, place + "/from", problems_);
    const int to = point_names_.find(r.to, place + "/to", problems_);
    model_.rods.push_back({.name = r.name});
    if (r.elements < 1) {
      report(place + "/elements", "the rod has " + std::to_string(r.elements) + " elements",
             "give a whole number, at least 1");
    }
    demand_in_plane(from, place + "/from", "rod");
    demand_in_plane(to, place + "/to", "rod");
    if (section == kNone || from == kNone || to == kNone || r.elements < 1) return;
    const double length = distance(model_.nodes[at(from)], model_.nodes[at(to)]);
    if (!std::isfinite(length)) {
      if (problems_.empty()) {
        report(place, "the rod's length is not finite", "move its points nearer to one another");
      }
      return;
    }
    if (!(length > 0)) {
      report(place,
             "the rod has zero length: '" + r.from + "' and '" + r.to + "' are at the same place",
             "move one of the points, or name another");
      return;
    }
    if (!problems_.empty()) return;  // sections may be bad: no constants can be made of them
    mesh_rod(index, section, from, to, length);
  }

  void mesh_rod(int index, int section, int from, int to, double length) {
    const RodDescription& r = d_.rods[at(index)];
    Rod& rod = model_.rods[at(index)];
    rod.section = section;
    rod.length = length;
    rod.first_element = static_cast<int>(model_.elements.size());
    rod.nodes.push_back(from);
    const auto start = model_.nodes[at(from)].initial;
    const auto stop = model_.nodes[at(to)].initial;
    const double angle = wrap_half_open(std::atan2(stop[1] - start[1], stop[0] - start[0]));
    const int type = find_type(section, length / r.elements, r);
    if (!is_representable(model_.types[at(type)])) {
      report(join_pointer("/rods", r.name),
             "stiffness or mass of an element of " + say(length / r.elements, dimension::kLength) +
                 " is beyond the range of numbers",
             "check the units of its points and of its section");
    }
    int before = add_coordinate(angle, true);
    rod.end_angle[0] = before;
    for (int k = 1; k <= r.elements; ++k) {
      int node = to;
      if (k < r.elements) {
        const double part = static_cast<double>(k) / r.elements;
        node = add_node(r.name + "/" + std::to_string(k), {start[0] + part * (stop[0] - start[0]),
                                                           start[1] + part * (stop[1] - start[1])});
      }
      const int after = add_coordinate(angle, true);
      const int x0 = model_.nodes[at(rod.nodes.back())].x;
      const int x1 = model_.nodes[at(node)].x;
      model_.elements.push_back(
          {.coordinate = {x0, x0 + 1, before, after, x1, x1 + 1}, .type = type});
      rod.nodes.push_back(node);
      before = after;
    }
    rod.end_angle[1] = before;
    ends_at_[at(from)].push_back({r.name, rod.end_angle[0]});
    ends_at_[at(to)].push_back({r.name, rod.end_angle[1]});
  }

  // Angle coordinate of a rod or body at a point; reports if it is not there.
  int find_end(const std::string& name, int point, const std::string& pointer, const char* object,
               const std::string& other = "") {
    if (!ends_known_) return kNone;
    const auto& ends = ends_at_[at(point)];
    const auto found =
        std::find_if(ends.begin(), ends.end(), [&](const End& end) { return end.name == name; });
    if (found != ends.end()) return found->angle;
    const bool known =
        std::find(member_names_.begin(), member_names_.end(), name) != member_names_.end();
    std::vector<std::string> candidates = known ? ends_of(point) : member_names_;
    candidates.erase(std::remove(candidates.begin(), candidates.end(), other), candidates.end());
    const std::string nearest = nearest_name(name, candidates);
    report(pointer,
           known ? "'" + name + "' does not end at point '" + d_.points[at(point)].name +
                       "' of this " + object + ", but at " + list_names(points_of(name))
                 : "there is no rod or body '" + name + "'",
           (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") +
               (ends_of(point).empty() ? "nothing ends at this point"
                                       : "at this point are: " + list_names(ends_of(point))));
    return kNone;
  }

  // Where a rod or body ends.
  std::vector<std::string> points_of(const std::string& member) const {
    std::vector<std::string> names;
    for (std::size_t p = 0; p < ends_at_.size(); ++p) {
      const auto& ends = ends_at_[p];
      if (std::any_of(ends.begin(), ends.end(), [&](const End& e) { return e.name == member; })) {
        names.push_back(d_.points[p].name);
      }
    }
    return names;
  }

  std::vector<std::string> ends_of(int point) const {
    std::vector<std::string> names;
    for (const End& end : ends_at_[at(point)]) names.push_back(end.name);
    return names;
  }

  // Law index of a reference; numbers become constant laws.
  int find_law(const LawReference& reference, const std::string& pointer) {
    if (const auto* name = std::get_if<std::string>(&reference)) {
      return law_names_.find(*name, pointer, problems_);
    }
    if (!std::isfinite(std::get<double>(reference))) {
      report(pointer, "the number is not finite", "give a finite number or the name of a law");
      return kNone;
    }
    model_.laws.emplace_back(ConstantLaw{std::get<double>(reference)});
    return static_cast<int>(model_.laws.size()) - 1;
  }

  // The law of a prescribed change, which must start from zero.
  int find_change(const LawReference& reference, const std::string& pointer,
                  const Dimension& dimension) {
    const int law = find_law(reference, pointer);
    if (law == kNone || !is_well_formed(model_.laws[at(law)])) return kNone;
    if (!is_continuous(model_.laws[at(law)])) {
      report(pointer, "the prescribed change jumps",
             "only loads may follow a law with steps: use "
             "a law of kind linear or smooth");
      return kNone;
    }
    if (!is_finite(evaluate(model_.laws[at(law)], 0, Side::after))) {
      report(pointer, "rate or acceleration of the prescribed change are not finite at t = 0",
             "let the law start with a finite rate and acceleration");
      return kNone;
    }
    const double start = evaluate(model_.laws[at(law)], 0, Side::before).value;
    if (!(std::abs(start) <= kRounding)) {
      report(pointer, "the prescribed change is " + say(start, dimension) + " at the start",
             "it is the change from the initial position: let it start at 0, and put the offset "
             "into the points");
      return kNone;
    }
    return law;
  }

  // Where things are must be known: only with nothing else wrong.
  void add_constraints() {
    if (!problems_.empty()) return;
    for (const ConstraintDescription& c : d_.constraints) {
      const bool changes = c.kind == ConstraintDescription::Kind::linear;
      const std::string place = join_pointer("/constraints", c.name);
      const std::string key = c.kind == ConstraintDescription::Kind::circle ? "/radius" : "/length";
      int law = kNone;
      if (c.law)
        law = changes ? find_change(*c.law, place + "/change", dimension_of_change(c))
                      : find_law(*c.law, place + key);
      add_constraint(model_, c, law, problems_);
    }
  }

  int add_row(Row row) {
    row.constant = row_function(row, 0, [this](int c) { return model_.initial[at(c)]; });
    model_.rows.push_back(std::move(row));
    return static_cast<int>(model_.rows.size()) - 1;
  }

  // Two hinges side by side are a model (a spring in one, a latch in the other), or a slip.
  void warn_of_twin(std::size_t index) {
    const HingeDescription& h = d_.hinges[index];
    const auto [first, second] = std::minmax(h.members[0], h.members[1]);
    const auto [other, alone] = joints_.try_emplace(std::array{h.at, first, second}, h.name);
    if (alone) return;
    model_.warnings.push_back(join_pointer("/hinges", h.name) + ": hinge '" + h.name +
                              "' joins the same members at '" + h.at + "' as '" + other->second +
                              "' does; both act, side by side");
  }

  // More than two turns away: degrees, most likely, taken for radians.
  void warn_of_far_latch(const Hinge& hinge, double start) {
    constexpr double kTurn = 2 * std::numbers::pi;
    if (!hinge.latch || !(std::abs(hinge.latch->angle - start) > 2 * kTurn)) return;
    model_.warnings.push_back(join_pointer("/hinges", hinge.name) +
                              "/latch/angle: " + say(hinge.latch->angle, dimension::kAngle) +
                              " is " + format(std::abs(hinge.latch->angle - start) / kTurn) +
                              " turns from where the hinge starts; is that meant?");
  }

  void add_hinge(std::size_t index) {
    const HingeDescription& h = d_.hinges[index];
    const std::string place = join_pointer("/hinges", h.name);
    const int point = point_names_.find(h.at, place + "/at", problems_);
    std::array<int, 2> angle{kNone, kNone};
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string member = place + "/members/" + std::to_string(k);
      if (point != kNone) {
        angle[k] = find_end(h.members[k], point, member, "hinge", h.members[1 - k]);
      }
    }
    if (h.members[0] == h.members[1]) {
      report(place + "/members", "both members are '" + h.members[0] + "'",
             "a hinge joins two different members");
      return;
    }
    warn_of_twin(index);
    const bool joined = angle[0] != kNone && angle[1] != kNone;
    hinges_known_ = hinges_known_ && joined;
    if (joined) {
      hinged_.insert({point, angle[0]});
      hinged_.insert({point, angle[1]});
    }
    int law = kNone;
    if (h.drive) {
      law = find_change(*h.drive, place + "/drive", dimension::kAngle);
      if (law == kNone) return;
    }
    if (!joined) return;
    const double relative = model_.initial[at(angle[1])] - model_.initial[at(angle[0])];
    Hinge hinge{.name = h.name,
                .node = point,
                .first = angle[0],
                .second = angle[1],
                .turns = wrap_half_open(relative) - relative};
    if (law != kNone) {
      hinge.drive = add_row({.terms = {{angle[0], -1.0}, {angle[1], 1.0}},
                             .law = law,
                             .kind = RowKind::hinge_drive,
                             .owner = static_cast<int>(model_.hinges.size()),
                             .pointer = place + "/drive"});
    }
    add_hinge_parts(d_, index, relative + hinge.turns, hinge, problems_);
    warn_of_far_latch(hinge, relative + hinge.turns);
    if (h.hereditary) {
      hinge.hereditary = static_cast<int>(model_.hereditary.size());
      add_remembering(place + "/hereditary", "rheonomic_angle", h.hereditary->rheonomic,
                      {.name = h.name,
                       .hinge = static_cast<int>(model_.hinges.size()),
                       .rest = h.hereditary->neutral,
                       .material = h.hereditary->law,
                       .before = h.hereditary->before});
      require(std::isfinite(h.hereditary->neutral), place + "/hereditary/neutral",
              h.hereditary->neutral, "give a finite number, rad");
    }
    model_.hinges.push_back(std::move(hinge));
  }

  bool has_hinge(int point) const {
    const auto& ends = ends_at_[at(point)];
    return std::any_of(ends.begin(), ends.end(), [&](const End& end) {
      return hinged_.count({point, end.angle}) != 0;
    });
  }

  // Rods that meet in a point without hinges turn together there.
  void join_rigidly() {
    for (std::size_t p = 0; p < ends_at_.size(); ++p) {
      const auto& ends = ends_at_[p];
      if (ends.size() < 2) continue;
      const bool any = has_hinge(static_cast<int>(p));
      for (std::size_t i = any ? 0 : 1; i < ends.size(); ++i) {
        if (!any) {
          add_row({.terms = {{ends[0].angle, -1.0}, {ends[i].angle, 1.0}},
                   .kind = RowKind::rigid_joint,
                   .owner = static_cast<int>(p),
                   .pointer = join_pointer("/points", d_.points[p].name)});
        } else if (hinges_known_ && hinged_.count({static_cast<int>(p), ends[i].angle}) == 0) {
          const bool body = !rod_names_.contains(ends[i].name);
          report(join_pointer(body ? "/bodies" : "/rods", ends[i].name),
                 "'" + ends[i].name + "' ends at point '" + d_.points[p].name +
                     "', where others are hinged, but no hinge there names it",
                 "add a hinge between it and one of " + list_names(ends_of(static_cast<int>(p))) +
                     "; with \"drive\": 0 it is rigid");
        }
      }
    }
  }

  int add_support_row(const std::string& place, const char* key, bool fixed,
                      const std::optional<LawReference>& change, int coordinate, RowKind kind) {
    if (fixed && change) {
      report(place + "/" + key, std::string("'") + key + "' is both fixed and prescribed",
             "keep it in \"fix\" or give the law, not both");
      return kNone;
    }
    int law = kNone;
    if (change) {
      law = find_change(*change, place + "/" + key,
                        kind == RowKind::support_angle ? dimension::kAngle : dimension::kLength);
      if (law == kNone) return kNone;
    }
    if ((!fixed && !change) || coordinate == kNone) return kNone;
    return add_row({.terms = {{coordinate, 1.0}},
                    .law = law,
                    .kind = kind,
                    .owner = static_cast<int>(model_.supports.size()),
                    .pointer = fixed ? place + "/fix" : place + "/" + key});
  }

  // The angle of the named rod or body, or the one that all in the point share.
  int find_angle(const std::optional<std::string>& member, int point, const std::string& place,
                 const char* object) {
    if (member) return find_end(*member, point, place + "/rod", object);
    if (!ends_known_) return kNone;
    const auto& ends = ends_at_[at(point)];
    const std::string& name = d_.points[at(point)].name;
    if (ends.empty()) {
      report(place, "nothing turns at point '" + name + "', so it has no angle",
             "name a point where a rod ends or a body stands");
      return kNone;
    }
    if (has_hinge(point)) {
      report(place, "members are hinged at point '" + name + "', so there are several angles",
             "say whose angle is meant: \"rod\": one of " + list_names(ends_of(point)));
      return kNone;
    }
    return ends.front().angle;
  }

  int find_support_angle(const SupportDescription& s, int point, const std::string& place) {
    return find_angle(s.rod, point, place, "support");
  }

  void add_support(const SupportDescription& s) {
    const std::string place = join_pointer("/supports", s.point);
    const int point = point_names_.find(s.point, place, problems_);
    if (point == kNone) return;
    if (!s.fix_x && !s.fix_y && !s.fix_z && !s.fix_angle && !s.x && !s.y && !s.z && !s.angle) {
      report(place, "the support holds nothing",
             "give \"fix\" with some of \"x\", \"y\", \"z\", \"angle\", or a law for one of them");
      return;
    }
    const int z = model_.nodes[at(point)].z;
    if ((s.fix_z || s.z) && z == kNone) {
      report(place + (s.z ? "/z" : "/fix"), "point '" + s.point + "' is in the plane",
             "give the point three coordinates, [x, y, z], or remove \"z\"");
    }
    Support support{.name = s.point, .node = point};
    const int x = model_.nodes[at(point)].x;
    support.x = add_support_row(place, "x", s.fix_x, s.x, x, RowKind::support_x);
    support.y = add_support_row(place, "y", s.fix_y, s.y, x + 1, RowKind::support_y);
    support.z = add_support_row(place, "z", s.fix_z, s.z, z, RowKind::support_z);
    if (s.fix_angle || s.angle) {
      const int angle = find_support_angle(s, point, place);
      support.angle =
          add_support_row(place, "angle", s.fix_angle, s.angle, angle, RowKind::support_angle);
    }
    model_.supports.push_back(std::move(support));
  }

  void add_body(const BodyDescription& b) {
    const std::string place = join_pointer("/bodies", b.name);
    const int point = point_names_.find(b.at, place + "/at", problems_);
    const double offset = std::hypot(b.center[0], b.center[1]);
    if (!(b.mass >= 0) || !(b.inertia >= b.mass * offset * offset * (1 - kRounding)) ||
        !std::isfinite(b.mass) || !std::isfinite(b.inertia)) {
      report(place,
             "no body has mass " + say(b.mass, dimension::kMass) + ", inertia " +
                 say(b.inertia, kInertia) + " and its centre " + say(offset, dimension::kLength) +
                 " from the point",
             "give mass >= 0 and the inertia about the point, at least mass * distance^2");
    }
    demand_in_plane(point, place + "/at", "body");
    if (point == kNone) return;
    Body body{.name = b.name, .node = point, .body = make_rigid_body(b.mass, b.inertia, b.center)};
    if (b.rod) {
      const bool known = rod_names_.find(*b.rod, place + "/rod", problems_) != kNone;
      if (known) body.angle = find_end(*b.rod, point, place + "/rod", "body");
    } else {
      if (!(b.mass > 0) || !(b.inertia > 0)) {
        report(place, "a free-standing body needs mass and inertia",
               "give both, or name the rod whose end it sits on: \"rod\"");
      }
      body.angle = add_coordinate(0, true);
      body.stands = true;
      ends_at_[at(point)].push_back({b.name, body.angle});
    }
    has_mass_.insert(point);
    for (std::size_t k = 0; k < b.carries.size(); ++k) {
      carry(b, body, b.carries[k], place + "/carries/" + std::to_string(k));
    }
    model_.bodies.push_back(std::move(body));
  }

  // Fixes a point in a body: what ends there turns with it, unless a hinge says otherwise.
  void carry(const BodyDescription& b, Body& body, const std::string& name,
             const std::string& place) {
    const int point = point_names_.find(name, place, problems_);
    demand_in_plane(point, place, "body");
    if (point == kNone || body.angle == kNone) return;
    if (point == body.node ||
        std::find(body.carries.begin(), body.carries.end(), point) != body.carries.end()) {
      report(place, "body '" + b.name + "' already holds point '" + name + "'",
             "list every further point once; the point it stands at needs no mention");
      return;
    }
    body.carries.push_back(point);
    has_mass_.insert(point);
    ends_at_[at(point)].push_back({b.name, body.angle});
    const Node& from = model_.nodes[at(body.node)];
    const Node& to = model_.nodes[at(point)];
    const std::array<double, 2> reach{to.initial[0] - from.initial[0],
                                      to.initial[1] - from.initial[1]};
    const double c = std::cos(model_.initial[at(body.angle)]);
    const double s = std::sin(model_.initial[at(body.angle)]);
    for (int axis = 0; axis < 2; ++axis) {
      add_row({.terms = {{from.x + axis, -1.0}, {to.x + axis, 1.0}},
               .arm = Arm{.angle = body.angle,
                          .offset = {c * reach[0] + s * reach[1], c * reach[1] - s * reach[0]},
                          .axis = axis},
               .kind = RowKind::rigid_arm,
               .owner = static_cast<int>(model_.bodies.size()),
               .pointer = place});
    }
  }

  void add_particle(const ParticleDescription& p) {
    const std::string place = join_pointer("/particles", p.name);
    const int point = point_names_.find(p.at, place + "/at", problems_);
    require(std::isfinite(p.mass) && p.mass > 0, place + "/mass", p.mass,
            "give a positive, finite number");
    if (point == kNone) return;
    has_mass_.insert(point);
    model_.bodies.push_back({.name = p.name, .node = point, .body = {.mass = p.mass}});
    if (p.velocity != std::array<double, 3>{})
      give_velocity(point, p.velocity, place + "/velocity");
  }

  void add_spring(const SpringDescription& s) {
    const std::string place = join_pointer("/springs", s.name);
    std::array<int, 2> nodes{};
    for (std::size_t k = 0; k < 2; ++k) {
      nodes[k] =
          point_names_.find(s.between[k], place + "/between/" + std::to_string(k), problems_);
    }
    if (nodes[0] == kNone || nodes[1] == kNone) return;
    const double initial = distance(model_.nodes[at(nodes[0])], model_.nodes[at(nodes[1])]);
    const double length = s.length.value_or(initial);
    const bool needs_direction = length > 0 || s.viscosity > 0;
    if (nodes[0] == nodes[1] || (initial == 0 && needs_direction)) {
      report(place, "the spring's ends are at the same place: it has no direction",
             "move one of the points, or name another; with \"length\": 0 and without viscosity "
             "two points may be at the same place");
      return;
    }
    anchors_.insert(nodes.begin(), nodes.end());
    model_.springs.push_back(
        {.name = s.name,
         .nodes = nodes,
         .law = {.stiffness = s.stiffness, .viscosity = s.viscosity, .length = length}});
  }

  void add_hereditary(const HereditaryDescription& d) {
    const std::string place = join_pointer("/hereditary", d.name);
    HereditaryElement element{.name = d.name, .material = d.law, .before = d.before};
    for (std::size_t k = 0; k < 2; ++k) {
      element.nodes[k] =
          point_names_.find(d.between[k], place + "/between/" + std::to_string(k), problems_);
    }
    if (element.nodes[0] == kNone || element.nodes[1] == kNone) return;
    const double initial =
        distance(model_.nodes[at(element.nodes[0])], model_.nodes[at(element.nodes[1])]);
    element.rest = d.length.value_or(initial);
    require(std::isfinite(element.rest) && element.rest >= 0, place + "/length", element.rest,
            "give zero or a positive, finite number");
    if (!(initial > 0)) {
      report(place, "the element's ends are at the same place: it has no direction",
             "move one of the points, or name another");
      return;
    }
    const auto same = std::find_if(d_.hinges.begin(), d_.hinges.end(), [&](const auto& hinge) {
      return hinge.hereditary && hinge.name == d.name;
    });
    if (same != d_.hinges.end()) {
      report(place, "the hereditary hinge '" + d.name + "' bears the same name",
             "give the element another name: results list both under /hereditary");
    }
    anchors_.insert(element.nodes.begin(), element.nodes.end());
    add_remembering(place, "rheonomic_length", d.rheonomic, std::move(element));
  }

  void add_remembering(const std::string& place, const std::string& key,
                       const std::optional<LawReference>& rheonomic, HereditaryElement element) {
    const Dimension stiffness = element.hinge == kNone ? dimension::kForce / dimension::kLength
                                                       : dimension::kMoment / dimension::kAngle;
    check_admissible(element.material, place + "/kernel", problems_, {d_.units, stiffness});
    check_prehistory(element.before, place + "/prehistory", problems_);
    if (rheonomic) element.law = find_law(*rheonomic, join_pointer(place, key));
    model_.hereditary.push_back(std::move(element));
  }

  void add_point_load(const PointLoadDescription& l) {
    const std::string place = join_pointer("/loads", l.name);
    const int point = point_names_.find(l.at, place + "/at", problems_);
    PointLoad load{.name = l.name, .node = point, .follower = l.follower};
    load.laws[0] = find_law(l.force[0], place + "/force/0");
    load.laws[1] = find_law(l.force[1], place + "/force/1");
    load.laws[2] = find_law(l.force[2], place + "/force/2");
    load.laws[3] = find_law(l.moment, place + "/moment");
    const bool turns = l.follower || l.rod || l.moment != LawReference(0.0);
    const bool in_space = point != kNone && model_.nodes[at(point)].z != kNone;
    if (!in_space && l.force[2] != LawReference(0.0)) {
      report(place + "/force/2", "the force leaves the plane, and its point does not",
             "give two components, [x, y], or the point three coordinates");
    }
    if (l.along) follow_line(l, place, load);
    if (point != kNone && turns) load.angle = find_angle(l.rod, point, place, "load");
    model_.point_loads.push_back(std::move(load));
  }

  void follow_line(const PointLoadDescription& l, const std::string& place, PointLoad& load) {
    std::array<int, 2> nodes{};
    for (std::size_t k = 0; k < 2; ++k) {
      nodes[k] = point_names_.find((*l.along)[k], place + "/along/" + std::to_string(k), problems_);
    }
    if (l.follower) {
      report(place + "/follower", "the load follows a line already",
             "keep one of \"along\" and \"follower\"");
    }
    if (nodes[0] == kNone || nodes[1] == kNone) return;
    if (distance(model_.nodes[at(nodes[0])], model_.nodes[at(nodes[1])]) == 0) {
      report(place + "/along", "the points are at the same place: their line has no direction",
             "move one of them, or name another");
    }
    load.along = nodes;
  }

  void add_frame(const FrameDescription& f) {
    Frame frame{.gravity = {d_.gravity[0], d_.gravity[1], d_.gravity_z}};
    for (std::size_t k = 0; k < 3; ++k) {
      frame.origin[k] = find_continuous(f.origin[k], "/frame/origin/" + std::to_string(k));
    }
    frame.angle = find_continuous(f.angle, "/frame/angle");
    model_.gravity = {};
    model_.gravity_z = 0;
    model_.frame = frame;
  }

  int find_continuous(const LawReference& reference, const std::string& pointer) {
    const int law = find_law(reference, pointer);
    if (law == kNone || !is_well_formed(model_.laws[at(law)])) return kNone;
    if (is_continuous(model_.laws[at(law)])) return law;
    report(pointer, "the frame jumps", "use a law of kind linear or smooth");
    return kNone;
  }

  void add_rod_load(const RodLoadDescription& l) {
    const std::string place = join_pointer("/loads", l.name);
    model_.rod_loads.push_back({.name = l.name,
                                .rod = rod_names_.find(l.on, place + "/on", problems_),
                                .force = l.force,
                                .moment = l.moment,
                                .law = find_law(l.factor, place + "/factor")});
  }

  void give_velocity(int point, const std::array<double, 3>& velocity, const std::string& place) {
    for (const double v : velocity) {
      if (!std::isfinite(v)) {
        return report(place, "a velocity is not finite",
                      "give finite numbers, [x, y] or [x, y, z] in m/s");
      }
    }
    if (velocity[2] != 0 && model_.nodes[at(point)].z == kNone) {
      return report(place,
                    "point '" + d_.points[at(point)].name + "' is in the plane, and is to leave it",
                    "give the point three coordinates, [x, y, z], or a velocity [x, y]");
    }
    if (model_.given_velocities.emplace(point, velocity).first->second != velocity) {
      report(place, "the velocity of point '" + d_.points[at(point)].name + "' is given twice",
             "give it once: in \"initial\" or of one particle");
    }
  }

  void add_initial(const InitialDescription& initial) {
    model_.start_file = initial.from;
    model_.moves_with_laws = initial.moves_with_laws;
    for (const PointVelocityDescription& v : initial.velocities) {
      const std::string place = join_pointer("/initial/velocity", v.name);
      const int point = point_names_.find(v.name, place, problems_);
      if (point != kNone) give_velocity(point, v.velocity, place);
    }
    for (const BodyRateDescription& r : initial.rates) {
      const std::string place = join_pointer("/initial/rate", r.name);
      require(std::isfinite(r.rate), place, r.rate, "give a finite number, rad/s");
      const int body = body_names_.find(r.name, place, problems_);
      if (body == kNone) continue;
      if (d_.bodies[at(body)].rod) {
        report(place, "body '" + r.name + "' turns with rod '" + *d_.bodies[at(body)].rod + "'",
               "give the velocities of the rod's points");
      }
      model_.given_rates.emplace(body, r.rate);
    }
  }

  // A point without mass stays where it is: the anchor of a spring, or a point nobody uses.
  void hold_unused_points() {
    for (std::size_t p = 0; p < ends_at_.size(); ++p) {
      const int point = static_cast<int>(p);
      if (!ends_at_[p].empty() || has_mass_.count(point) != 0) continue;
      const std::string& name = d_.points[p].name;
      if (anchors_.count(point) == 0 && !is_constrained(point)) {
        model_.warnings.push_back(join_pointer("/points", name) + ": point '" + name +
                                  "' carries nothing; it stays where it is");
      }
      warn_of_loads_on(point);
      for (int k = 0; k < model_.nodes[p].axes(); ++k) {
        const int coordinate = model_.nodes[p].x + k;
        const bool held = std::any_of(model_.rows.begin(), model_.rows.end(), [&](const Row& row) {
          return row.terms.size() == 1 && row.terms[0].first == coordinate;
        });
        if (held) continue;
        add_row({.terms = {{coordinate, 1.0}},
                 .kind = RowKind::unused_point,
                 .owner = static_cast<int>(p),
                 .pointer = join_pointer("/points", name)});
      }
    }
  }

  // A constraint of the case holds one of the point's coordinates.
  bool is_constrained(int point) const {
    const Node& node = model_.nodes[at(point)];
    const auto is_here = [&](int c) { return c >= node.x && c < node.x + node.axes(); };
    return std::any_of(model_.rows.begin(), model_.rows.end(), [&](const Row& row) {
      if (row.kind != RowKind::user) return false;
      const auto& terms = row.terms;
      if (std::any_of(terms.begin(), terms.end(),
                      [&](const auto& term) { return is_here(term.first); })) {
        return true;
      }
      if (!row.formula) return false;
      const auto& held = row.formula->coordinates;
      return std::any_of(held.begin(), held.end(), is_here);
    });
  }

  void warn_of_loads_on(int held_point) {
    for (const PointLoad& load : model_.point_loads) {
      if (load.node != held_point) continue;
      model_.warnings.push_back(join_pointer("/loads", load.name) + ": point '" +
                                d_.points[at(held_point)].name +
                                "' has no mass and stays where it is: the load moves nothing");
    }
  }

  void finish() {
    model_.start = model_.initial;
    set_initial_rates(model_);
    model_.break_times = list_break_times(model_);
  }

  void find_size() {
    std::array<double, 3> middle{};  // of the named points: where the mesh is fine is no matter
    const auto place = [](const PointDescription& p) {
      return std::array<double, 3>{p.position[0], p.position[1], p.z.value_or(0)};
    };
    for (const PointDescription& p : d_.points) {
      for (std::size_t k = 0; k < 3; ++k) {
        middle[k] += place(p)[k] / static_cast<double>(d_.points.size());
      }
    }
    for (const PointDescription& p : d_.points) {
      const auto [x, y, z] = place(p);
      const double radius = std::hypot(x - middle[0], y - middle[1], z - middle[2]);
      model_.size = std::max(model_.size, 2 * radius);
    }
    if (model_.size == 0) model_.size = 1;  // all in one point: no length is longer than another
  }

  const CaseDescription& d_;
  Catalogue section_names_, law_names_, point_names_, rod_names_, body_names_;
  Model model_;
  std::vector<Problem> problems_;
  bool ends_known_ = false;   // all rods are meshed, all bodies stand
  bool hinges_known_ = true;  // all hinges so far join two members
  std::map<std::tuple<int, double, bool, double, double>, int> types_;
  std::vector<std::string> member_names_;                     // rods and free-standing bodies
  std::vector<std::vector<End>> ends_at_;                     // what turns in every point
  std::set<int> has_mass_, anchors_;                          // points with bodies, with springs
  std::map<std::array<std::string, 3>, std::string> joints_;  // point and members: the hinge there
  std::set<std::pair<int, int>> hinged_;  // point and angle that a hinge there names
};

}  // namespace

int named_law(const Model& model, int law) {
  const auto found = model.law_of_change.find(law);
  return found == model.law_of_change.end() ? law : found->second;
}

std::vector<int> prescribing_laws(const Model& model) {
  std::set<int> laws;
  const auto add = [&](int law) {
    if (law == kNone) return;
    const int named = named_law(model, law);
    if (named < static_cast<int>(model.law_names.size())) laws.insert(named);
  };
  for (const Row& row : model.rows) {
    add(row.law);
    if (!row.formula) continue;
    for (const FormulaVariable& v : row.formula->variables) add(v.law_index);
  }
  for (const HereditaryElement& element : model.hereditary) add(element.law);
  if (model.frame) {
    for (const int law : model.frame->origin) add(law);
    add(model.frame->angle);
  }
  return {laws.begin(), laws.end()};
}

double calc_statics_time(const Model& model) {
  const auto& analysis = model.analysis;
  if (analysis.statics.time) return *analysis.statics.time;
  if (analysis.end > 0) return analysis.end;
  return model.break_times.empty() ? 0.0 : std::max(0.0, model.break_times.back());
}

std::string find_undefined_law(const Model& model, double t, double span) {
  constexpr int kPlaces = 64;
  std::vector<char> moves(model.laws.size(), 0);  // what moves something needs derivatives too
  for (const int law : prescribing_laws(model)) moves[at(law)] = 1;
  for (std::size_t i = 0; i < model.law_names.size(); ++i) {
    for (int k = 0; k <= kPlaces; ++k) {
      const LawValue value = evaluate(model.laws[i], t + span * k / kPlaces, Side::before);
      const bool good = moves[i] != 0 ? is_finite(value) : std::isfinite(value.value);
      if (!good) return model.law_names[i];
    }
  }
  return "";
}

Model make_model(const CaseDescription& description) { return Builder(description).build(); }

}  // namespace fem
