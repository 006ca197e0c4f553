#include "libfem/model/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <numbers>
#include <tuple>
#include <unordered_map>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double distance(const Node& a, const Node& b) {
  return std::hypot(b.initial[0] - a.initial[0], b.initial[1] - a.initial[1]);
}

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

// Names of one kind of object, their indices, and what to say about one that does not exist.
class Catalogue {
 public:
  template <class Descriptions>
  Catalogue(std::string kind, const Descriptions& descriptions) : kind_(std::move(kind)) {
    for (const auto& d : descriptions) add(d.name);
  }
  [[nodiscard]] int find(const std::string& name, const std::string& pointer,
                         std::vector<Problem>& problems) const {
    const auto found = index_.find(name);
    if (found != index_.end()) return found->second;
    const std::string nearest = nearest_name(name, names_);
    problems.push_back({pointer, "there is no " + kind_ + " '" + name + "'",
                        nearest.empty() ? "name one of the " + kind_ + "s: " + list_names(names_)
                                        : "did you mean '" + nearest + "'? the " + kind_ +
                                              "s are: " + list_names(names_)});
    return kNone;
  }

 private:
  void add(const std::string& name) {
    index_.emplace(name, static_cast<int>(names_.size()));
    names_.push_back(name);
  }
  std::string kind_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> index_;
};

// A rod end: where it is and the coordinate of its section's angle.
struct RodEnd {
  int rod;
  int angle;
};

class Builder {
 public:
  explicit Builder(const CaseDescription& d)
      : d_(d),
        section_names_("section", d.sections),
        law_names_("law", d.laws),
        point_names_("point", d.points),
        rod_names_("rod", d.rods) {}

  Model build() {
    model_.title = d_.title;
    model_.analysis = d_.analysis;
    add_sections();
    for (const LawDescription& law : d_.laws) add_law(law);
    add_points();
    for (std::size_t i = 0; i < d_.rods.size(); ++i) add_rod(static_cast<int>(i));
    // Where rods are wrong, what hangs on them is still looked up, but not where they end.
    ends_known_ = problems_.empty();
    for (const HingeDescription& hinge : d_.hinges) add_hinge(hinge);
    if (ends_known_) join_rigidly();
    for (const SupportDescription& support : d_.supports) add_support(support);
    stop_at_problems();
    hold_unused_points();
    finish();
    return std::move(model_);
  }

 private:
  void report(std::string pointer, std::string what, std::string remedy) {
    problems_.push_back({std::move(pointer), std::move(what), std::move(remedy)});
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
      positive(s.axial_stiffness, "EA");
      positive(s.bending_stiffness, "EI");
      positive(s.shear_stiffness, "GAs");
      positive(s.mass_per_length, "mass_per_length");
      require(std::isfinite(s.inertia_per_length) && s.inertia_per_length >= 0,
              join_pointer(place, "inertia_per_length"), s.inertia_per_length,
              "give zero or a positive, finite number");
      model_.sections.push_back({.axial_stiffness = s.axial_stiffness,
                                 .bending_stiffness = s.bending_stiffness,
                                 .shear_stiffness = s.shear_stiffness,
                                 .mass_per_length = s.mass_per_length,
                                 .inertia_per_length = s.inertia_per_length});
    }
  }

  struct CheckLaw {
    static bool finite(const std::vector<double>& numbers) {
      return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
    }
    bool operator()(const ConstantLaw& law) const { return std::isfinite(law.value); }
    template <class PointLaw>
    bool operator()(const PointLaw& law) const {
      return !law.times.empty() && law.times.size() == law.values.size() && finite(law.times) &&
             finite(law.values) &&
             std::adjacent_find(law.times.begin(), law.times.end(), std::greater_equal<>()) ==
                 law.times.end();
    }
  };

  void add_law(const LawDescription& law) {
    if (!std::visit(CheckLaw{}, law.law)) {
      report(join_pointer("/laws", law.name), "the law's points are not finite or not in order",
             "give finite numbers at strictly increasing times");
    }
    model_.laws.push_back(law.law);
  }

  int add_coordinate(double initial, bool is_angle) {
    model_.initial.push_back(initial);
    model_.is_angle.push_back(is_angle ? 1 : 0);
    return model_.coordinates() - 1;
  }

  int add_node(std::string name, std::array<double, 2> position) {
    const int x = add_coordinate(position[0], false);
    add_coordinate(position[1], false);
    model_.nodes.push_back({.name = std::move(name), .initial = position, .x = x});
    return static_cast<int>(model_.nodes.size()) - 1;
  }

  void add_points() {
    for (const PointDescription& p : d_.points) {
      if (!std::isfinite(p.position[0]) || !std::isfinite(p.position[1])) {
        report(join_pointer("/points", p.name), "a coordinate is not finite",
               "give two finite numbers, [x, y] in metres");
      }
      add_node(p.name, p.position);
    }
    ends_at_.resize(d_.points.size());
  }

  // Element constants are shared by all rods with the same section, element length and field.
  int find_type(int section, double length, InertiaField field) {
    const bool paper = field == InertiaField::paper;
    const auto [found, added] =
        types_.try_emplace({section, length, paper}, static_cast<int>(model_.types.size()));
    if (added) {
      model_.types.push_back(make_rod_constants(model_.sections[at(section)], length, paper));
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
    const int type = find_type(section, length / r.elements, r.inertia_field);
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
    ends_at_[at(from)].push_back({index, rod.end_angle[0]});
    ends_at_[at(to)].push_back({index, rod.end_angle[1]});
  }

  // Angle coordinate of a rod where it ends in a point; reports if it does not.
  int find_end(int rod, int point, const std::string& pointer, const char* object) {
    if (!ends_known_) return kNone;
    const auto& ends = ends_at_[at(point)];
    const auto found =
        std::find_if(ends.begin(), ends.end(), [rod](const RodEnd& end) { return end.rod == rod; });
    if (found != ends.end()) return found->angle;
    const RodDescription& r = d_.rods[at(rod)];
    report(pointer,
           "rod '" + r.name + "' does not end at point '" + d_.points[at(point)].name +
               "' of this " + object + " (it goes from '" + r.from + "' to '" + r.to + "')",
           "name one of the rods that end there: " + list_names(rods_at(point)));
    return kNone;
  }

  std::vector<std::string> rods_at(int point) const {
    std::vector<std::string> names;
    for (const RodEnd& end : ends_at_[at(point)]) names.push_back(d_.rods[at(end.rod)].name);
    return names;
  }

  // Law index of a reference; numbers become constant laws, which a change must start from zero.
  int find_law(const LawReference& reference, const std::string& pointer) {
    int law = kNone;
    if (const auto* name = std::get_if<std::string>(&reference)) {
      law = law_names_.find(*name, pointer, problems_);
      if (law == kNone) return kNone;
    } else {
      law = static_cast<int>(model_.laws.size());
      model_.laws.emplace_back(ConstantLaw{std::get<double>(reference)});
    }
    const double start = evaluate(model_.laws[at(law)], 0, Side::before).value;
    if (start != 0) {
      report(pointer, "the prescribed change is " + format(start) + " at the start",
             "it is the change from the initial position: let it start at 0, and put the offset "
             "into the points");
      return kNone;
    }
    return law;
  }

  int add_row(Row row) {
    for (const auto& [coordinate, coefficient] : row.terms) {
      row.constant += coefficient * model_.initial[at(coordinate)];
    }
    model_.rows.push_back(std::move(row));
    return static_cast<int>(model_.rows.size()) - 1;
  }

  void add_hinge(const HingeDescription& h) {
    const std::string place = join_pointer("/hinges", h.name);
    const int point = point_names_.find(h.at, place + "/at", problems_);
    std::array<int, 2> angle{kNone, kNone};
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string member = place + "/members/" + std::to_string(k);
      const int rod = rod_names_.find(h.members[k], member, problems_);
      if (rod != kNone && point != kNone) angle[k] = find_end(rod, point, member, "hinge");
    }
    if (h.members[0] == h.members[1]) {
      report(place + "/members", "both members are '" + h.members[0] + "'",
             "a hinge joins two different rods");
      return;
    }
    const bool joined = angle[0] != kNone && angle[1] != kNone;
    if (joined) {
      is_hinged_.resize(model_.initial.size());
      is_hinged_[at(angle[0])] = is_hinged_[at(angle[1])] = 1;
    }
    int law = kNone;
    if (h.drive) {
      law = find_law(*h.drive, place + "/drive");
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
    model_.hinges.push_back(std::move(hinge));
  }

  bool has_hinge(int point) const {
    const auto& ends = ends_at_[at(point)];
    return std::any_of(ends.begin(), ends.end(),
                       [this](const RodEnd& end) { return is_hinged_[at(end.angle)] != 0; });
  }

  // Rods that meet in a point without hinges turn together there.
  void join_rigidly() {
    is_hinged_.resize(model_.initial.size());
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
        } else if (is_hinged_[at(ends[i].angle)] == 0) {
          const std::string rod = d_.rods[at(ends[i].rod)].name;
          report(join_pointer("/rods", rod),
                 "the rod ends at point '" + d_.points[p].name +
                     "', where other rods are hinged, but no hinge there names it",
                 "add a hinge between it and one of " + list_names(rods_at(static_cast<int>(p))) +
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
      law = find_law(*change, place + "/" + key);
      if (law == kNone) return kNone;
    }
    if ((!fixed && !change) || coordinate == kNone) return kNone;
    return add_row({.terms = {{coordinate, 1.0}},
                    .law = law,
                    .kind = kind,
                    .owner = static_cast<int>(model_.supports.size()),
                    .pointer = fixed ? place + "/fix" : place + "/" + key});
  }

  // The angle a support holds: of the named rod, or the one all rods in the point share.
  int find_support_angle(const SupportDescription& s, int point, const std::string& place) {
    if (s.rod) {
      const int rod = rod_names_.find(*s.rod, place + "/rod", problems_);
      return rod == kNone ? kNone : find_end(rod, point, place + "/rod", "support");
    }
    if (!ends_known_) return kNone;
    const auto& ends = ends_at_[at(point)];
    if (ends.empty()) {
      report(place, "no rod ends at point '" + s.point + "', so it has no angle",
             "hold \"x\" and \"y\" only, or name a point where a rod ends");
      return kNone;
    }
    if (has_hinge(point)) {
      report(place, "rods are hinged at point '" + s.point + "', so they have several angles",
             "say whose angle is held: \"rod\": one of " + list_names(rods_at(point)));
      return kNone;
    }
    return ends.front().angle;
  }

  void add_support(const SupportDescription& s) {
    const std::string place = join_pointer("/supports", s.point);
    const int point = point_names_.find(s.point, place, problems_);
    if (point == kNone) return;
    if (!s.fix_x && !s.fix_y && !s.fix_angle && !s.x && !s.y && !s.angle) {
      report(place, "the support holds nothing",
             "give \"fix\" with some of \"x\", \"y\", \"angle\", or a law for one of them");
      return;
    }
    Support support{.name = s.point, .node = point};
    const int x = model_.nodes[at(point)].x;
    support.x = add_support_row(place, "x", s.fix_x, s.x, x, RowKind::support_x);
    support.y = add_support_row(place, "y", s.fix_y, s.y, x + 1, RowKind::support_y);
    if (s.fix_angle || s.angle) {
      const int angle = find_support_angle(s, point, place);
      support.angle =
          add_support_row(place, "angle", s.fix_angle, s.angle, angle, RowKind::support_angle);
    }
    model_.supports.push_back(std::move(support));
  }

  // A point that no rod uses has no mass: it stays where it is.
  void hold_unused_points() {
    for (std::size_t p = 0; p < ends_at_.size(); ++p) {
      if (!ends_at_[p].empty()) continue;
      const std::string& name = d_.points[p].name;
      model_.warnings.push_back(join_pointer("/points", name) + ": point '" + name +
                                "' carries nothing; it stays where it is");
      for (int k = 0; k < 2; ++k) {
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

  void finish() {
    for (const Row& row : model_.rows) {
      if (row.law == kNone) continue;
      const auto times = break_times(model_.laws[at(row.law)]);
      model_.break_times.insert(model_.break_times.end(), times.begin(), times.end());
    }
    auto& times = model_.break_times;
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());

    std::array<double, 4> box{};  // min x, max x, min y, max y
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        const double c = model_.nodes[i].initial[k];
        box[2 * k] = i == 0 ? c : std::min(box[2 * k], c);
        box[2 * k + 1] = i == 0 ? c : std::max(box[2 * k + 1], c);
      }
    }
    model_.size = std::hypot(box[1] - box[0], box[3] - box[2]);
    for (const Rod& rod : model_.rods) model_.size = std::max(model_.size, rod.length);
  }

  const CaseDescription& d_;
  Catalogue section_names_, law_names_, point_names_, rod_names_;
  Model model_;
  std::vector<Problem> problems_;
  bool ends_known_ = false;  // all rods are meshed
  std::map<std::tuple<int, double, bool>, int> types_;
  std::vector<std::vector<RodEnd>> ends_at_;  // rod ends of every point
  std::vector<char> is_hinged_;               // of every coordinate: an angle that a hinge names
};

}  // namespace

Model make_model(const CaseDescription& description) { return Builder(description).build(); }

}  // namespace fem
