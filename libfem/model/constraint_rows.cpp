#include "libfem/model/constraint_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "libfem/base/names.hpp"
#include "libfem/formula/formula.hpp"

namespace fem {
namespace {

using Kind = ConstraintDescription::Kind;
using Variable = FormulaVariable;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string format(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

constexpr double kOnConstraint = 1e-9;  // of the size: what a user writes with ten digits

// What a name stands for, without its prefix's level.
struct Quantity {
  std::vector<std::pair<int, double>> terms{};
  double constant = 0;
};

template <class Objects>
int find(const Objects& objects, const std::string& name) {
  const auto found = std::find_if(objects.begin(), objects.end(),
                                  [&](const auto& object) { return object.name == name; });
  return found == objects.end() ? kNone : static_cast<int>(found - objects.begin());
}

class Builder {
 public:
  Builder(Model& model, const ConstraintDescription& d, int law, std::vector<Problem>& problems)
      : model_(model),
        d_(d),
        law_(law),
        problems_(problems),
        place_(join_pointer("/constraints", d.name)) {}

  void build() {
    const std::size_t before = problems_.size();
    std::vector<Row> rows = make_rows();
    if (problems_.size() != before) return;
    Constraint constraint{.name = d_.name};
    for (Row& row : rows) {
      row.kind = RowKind::user;
      row.owner = static_cast<int>(model_.constraints.size());
      row.pointer = place_;
      constraint.rows.push_back(static_cast<int>(model_.rows.size()));
      model_.rows.push_back(std::move(row));
    }
    model_.constraints.push_back(std::move(constraint));
  }

 private:
  void report(const std::string& key, std::string what, std::string remedy) {
    problems_.push_back({place_ + key, std::move(what), std::move(remedy)});
  }

  std::vector<Row> make_rows() {
    switch (d_.kind) {
      case Kind::linear:
        return linear();
      case Kind::distance:
        return distance();
      case Kind::line:
        return line();
      case Kind::circle:
        return circle();
      case Kind::curve:
        return curve();
      case Kind::knife_edge:
        return knife_edge();
      case Kind::rolling:
        return rolling();
      case Kind::expression:
        return d_.position ? position("/position", *d_.position, {})
                           : velocity("/velocity", *d_.velocity);
    }
    return {};
  }

  // ---- names

  int point(const std::string& name, const std::string& key) {
    const int index = find(model_.nodes, name);
    if (index != kNone) return index;
    std::vector<std::string> names;
    for (const Node& node : model_.nodes) names.push_back(node.name);
    unknown(key, "point", "points", name, names);
    return kNone;
  }

  void unknown(const std::string& key, const std::string& what, const std::string& all,
               const std::string& name, const std::vector<std::string>& names) {
    const std::string nearest = nearest_name(name, names);
    report(key, "there is no " + what + " '" + name + "'",
           (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") + "name one of the " + all +
               ": " + list_names(names));
  }

  // The angle of a hinge, of a free-standing body, or of a rod's end ("rod_from", "rod_to").
  std::optional<Quantity> angle(const std::string& name) {
    const int hinge = find(model_.hinges, name);
    if (hinge != kNone) {
      const Hinge& h = model_.hinges[at(hinge)];
      return Quantity{{{h.first, -1.0}, {h.second, 1.0}}, h.turns};
    }
    const int body = find(model_.bodies, name);
    if (body != kNone && model_.bodies[at(body)].angle != kNone) {
      return Quantity{{{model_.bodies[at(body)].angle, 1.0}}};
    }
    for (const Rod& rod : model_.rods) {
      if (name == rod.name + "_from") return Quantity{{{rod.end_angle[0], 1.0}}};
      if (name == rod.name + "_to") return Quantity{{{rod.end_angle[1], 1.0}}};
    }
    return std::nullopt;
  }

  std::vector<std::string> angle_names() const {
    std::vector<std::string> names;
    for (const Hinge& h : model_.hinges) names.push_back(h.name);
    for (const Body& b : model_.bodies) {
      if (b.angle != kNone) names.push_back(b.name);
    }
    for (const Rod& rod : model_.rods) {
      names.push_back(rod.name + "_from");
      names.push_back(rod.name + "_to");
    }
    return names;
  }

  // A name of a formula. Local names come first.
  std::optional<Variable> variable(const std::string& name,
                                   const std::vector<std::pair<std::string, Variable>>& local) {
    for (const auto& [known, meaning] : local) {
      if (known == name) return meaning;
    }
    if (name == "t") return Variable{.kind = Variable::Kind::time};
    const auto begins = [&](const char* prefix) { return name.rfind(prefix, 0) == 0; };
    const auto rest = [&](std::size_t n) { return name.substr(n); };
    const auto of_point = [&](std::size_t n, int axis,
                              Variable::Kind kind) -> std::optional<Variable> {
      const int index = find(model_.nodes, rest(n));
      if (index == kNone || axis >= model_.nodes[at(index)].axes()) return std::nullopt;
      return Variable{.kind = kind, .terms = {{model_.nodes[at(index)].x + axis, 1.0}}};
    };
    const auto of_angle = [&](std::size_t n, Variable::Kind kind) -> std::optional<Variable> {
      const auto quantity = angle(rest(n));
      if (!quantity) return std::nullopt;
      const bool rate = kind == Variable::Kind::rate;
      return Variable{kind, quantity->terms, rate ? 0.0 : quantity->constant};
    };
    if (begins("x_")) return of_point(2, 0, Variable::Kind::position);
    if (begins("y_")) return of_point(2, 1, Variable::Kind::position);
    if (begins("z_")) return of_point(2, 2, Variable::Kind::position);
    if (begins("vx_")) return of_point(3, 0, Variable::Kind::rate);
    if (begins("vy_")) return of_point(3, 1, Variable::Kind::rate);
    if (begins("vz_")) return of_point(3, 2, Variable::Kind::rate);
    if (begins("angle_")) return of_angle(6, Variable::Kind::position);
    if (begins("rate_")) return of_angle(5, Variable::Kind::rate);
    const auto law = std::find(model_.law_names.begin(), model_.law_names.end(), name);
    if (law == model_.law_names.end()) return std::nullopt;
    const int index = static_cast<int>(law - model_.law_names.begin());
    return Variable{.kind = Variable::Kind::law, .law_index = index, .law = model_.laws[at(index)]};
  }

  std::vector<std::string> all_names(
      const std::vector<std::pair<std::string, Variable>>& local) const {
    std::vector<std::string> names;
    for (const auto& [name, meaning] : local) names.push_back(name);
    for (const std::string& name : angle_names()) {
      names.push_back("angle_" + name);
      names.push_back("rate_" + name);
    }
    for (const Node& node : model_.nodes) {
      if (node.name.find('/') != std::string::npos) continue;
      for (const char* prefix : {"x_", "y_", "vx_", "vy_"}) names.push_back(prefix + node.name);
      if (node.z == kNone) continue;
      for (const char* prefix : {"z_", "vz_"}) names.push_back(prefix + node.name);
    }
    names.insert(names.end(), model_.law_names.begin(), model_.law_names.end());
    names.emplace_back("t");
    return names;
  }

  // ---- formulas

  static void add_coordinates(MotionFormula& m, Variable::Kind kind) {
    std::set<int> coordinates;
    for (const Variable& v : m.variables) {
      if (v.kind != kind) continue;
      for (const auto& [coordinate, c] : v.terms) coordinates.insert(coordinate);
    }
    m.coordinates.assign(coordinates.begin(), coordinates.end());
  }

  // A text with its names, which are the local ones or those of the model.
  std::optional<MotionFormula> bind(const std::string& key, const std::string& text,
                                    const std::vector<std::pair<std::string, Variable>>& local) {
    const auto parsed = parse_formula(text);
    if (const auto* problem = std::get_if<FormulaProblem>(&parsed)) {
      report(key, problem->what + ", " + show_place(text, problem->column), problem->remedy);
      return std::nullopt;
    }
    MotionFormula m{.formula = std::get<Formula>(parsed)};
    for (std::size_t i = 0; i < m.formula.names.size(); ++i) {
      const auto meaning = variable(m.formula.names[i], local);
      if (meaning) {
        if (!moves_smoothly(*meaning)) {
          report(key,
                 "the law '" + m.formula.names[i] + "' or its rate jumps, " +
                     show_place(text, column_of(m.formula, i)),
                 "a formula takes laws whose rates do not jump after the start: smooth, harmonic, "
                 "polynomial, or one straight line");
          return std::nullopt;
        }
        m.variables.push_back(*meaning);
        continue;
      }
      const std::vector<std::string> names = all_names(local);
      const std::string nearest = nearest_name(m.formula.names[i], names);
      report(key,
             "the name '" + m.formula.names[i] + "' is not known, " +
                 show_place(text, column_of(m.formula, i)),
             (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") +
                 "names are x_, y_, vx_, vy_ with a point, z_, vz_ with one in space, angle_, "
                 "rate_ with a hinge, a body or "
                 "an end of a rod, laws, and t: " +
                 list_names(names));
      return std::nullopt;
    }
    return m;
  }

  // A formula does not know on which side of an instant it is.
  bool moves_smoothly(const Variable& variable) const {
    if (variable.kind != Variable::Kind::law) return true;
    if (!is_continuous(variable.law)) return false;
    const auto times = break_times(variable.law);
    return std::all_of(times.begin(), times.end(), [&](double t) {
      const double before = evaluate(variable.law, t, Side::before).rate;
      const double after = evaluate(variable.law, t, Side::after).rate;
      return t <= 0 || t >= model_.analysis.end ||
             std::abs(after - before) <= kOnConstraint * (1 + std::abs(before));
    });
  }

  static std::size_t column_of(const Formula& formula, std::size_t variable) {
    for (const Formula::Step& step : formula.steps) {
      if (step.operation == FormulaOperation::variable && at(step.variable) == variable) {
        return step.column;
      }
    }
    return 0;
  }

  [[nodiscard]] auto start() const {
    return [this](int c) { return model_.initial[at(c)]; };
  }

  // f(q, t) = 0, or = the value at the start.
  std::vector<Row> position(const std::string& key, const std::string& text,
                            const std::vector<std::pair<std::string, Variable>>& local,
                            bool hold_start = false) {
    auto m = bind(key, text, local);
    if (!m) return {};
    for (std::size_t i = 0; i < m->variables.size(); ++i) {
      if (m->variables[i].kind != Variable::Kind::rate) continue;
      report(key,
             "'" + m->formula.names[i] + "' is a velocity, " +
                 show_place(text, column_of(m->formula, i)),
             "a relation of velocities goes under \"velocity\"");
      return {};
    }
    add_coordinates(*m, Variable::Kind::position);
    if (m->coordinates.empty()) {
      report(key, "'" + text + "' holds no coordinate", "name one, like x_P or angle_hub");
      return {};
    }
    if (m->coordinates.size() > kMostFormulaCoordinates) {
      report(key, "'" + text + "' holds " + std::to_string(m->coordinates.size()) + " coordinates",
             "at most " + std::to_string(kMostFormulaCoordinates) +
                 " may stand in one formula; the kind \"linear\" takes any number");
      return {};
    }
    Row row{.formula = std::move(*m)};
    const double value = row_function(row, 0, start());
    if (hold_start) row.constant = value;
    check_start(key, text, row, hold_start ? 0 : value);
    return {std::move(row)};
  }

  // How far the start is from the constraint, by its gradient.
  void check_start(const std::string& key, const std::string& text, const Row& row, double value) {
    double steepness = 0;
    double largest = 0;
    visit_terms(row, 0, start(), [&](int c, double d) {
      const double slope = d * (model_.is_angle[at(c)] != 0 ? 1.0 : model_.size);
      steepness += slope * slope;
      largest = std::max(largest, std::abs(d));
    });
    steepness = std::sqrt(steepness);
    if (!std::isfinite(value) || !std::isfinite(steepness)) {
      report(key, "'" + text + "' is not finite at the start", "let it be defined there");
    } else if (steepness == 0) {
      report(key,
             "'" + text +
                 "' does not change with any coordinate at the start: it has no "
                 "direction there",
             "write it so that its derivative is not zero where it is satisfied");
    } else if (std::abs(value) > kOnConstraint * steepness) {
      report(key,
             "'" + text + "' is " + format(value) + " at the start, not 0: the points are off by " +
                 format(std::abs(value) / steepness) + " of the size of the model",
             "move the points onto the constraint, or add a constant to the formula");
    }
  }

  std::vector<Row> velocity(const std::string& key, const std::string& text,
                            const std::vector<std::pair<std::string, Variable>>& local = {}) {
    auto m = bind(key, text, local);
    if (!m) return {};
    std::vector<bool> rates;
    for (const Variable& v : m->variables) rates.push_back(v.kind == Variable::Kind::rate);
    const std::size_t bad = find_not_linear(m->formula, rates);
    if (bad != kLinear) {
      report(key, "a velocity enters nonlinearly, " + show_place(text, bad),
             "velocities may only be multiplied by coordinates, numbers and functions of these");
      return {};
    }
    add_coordinates(*m, Variable::Kind::rate);
    if (m->coordinates.empty()) {
      report(key, "'" + text + "' holds no velocity",
             "name one, like vx_P or rate_hub, or put the formula under \"position\"");
      return {};
    }
    Row row{.formula = std::move(*m), .of_rates = true};
    bool finite = std::isfinite(row_drift(row, 0, start()));
    bool holds = false;
    visit_terms(row, 0, start(), [&](int, double d) {
      finite = finite && std::isfinite(d);
      holds = holds || d != 0;
    });
    if (!finite) {
      report(key, "'" + text + "' is not finite at the start", "let it be defined there");
    } else if (!holds) {
      report(key, "'" + text + "' does not hold any velocity at the start", "let it do so");
    }
    return {std::move(row)};
  }

  // ---- kinds

  std::vector<Row> linear() {
    Row row;
    std::map<int, double> sum;
    for (std::size_t i = 0; i < d_.terms.size(); ++i) {
      const auto& [name, factor] = d_.terms[i];
      const std::string key = "/terms/" + std::to_string(i);
      auto quantity = angle(name);
      if (!quantity) {
        const auto v = variable(name, {});
        if (v && v->kind == Variable::Kind::position) quantity = Quantity{v->terms, v->constant};
      }
      if (!quantity) {
        unknown(key + "/0", "hinge, body or coordinate", "hinges, bodies and coordinates", name,
                angle_names());
        continue;
      }
      for (const auto& [coordinate, c] : quantity->terms) sum[coordinate] += factor * c;
    }
    std::erase_if(sum, [](const auto& term) { return term.second == 0; });
    if (sum.empty()) {
      report("/terms", "nothing is left of the sum", "give terms that do not cancel");
      return {};
    }
    row.terms.assign(sum.begin(), sum.end());
    row.law = law_;
    row.constant = row_function(row, 0, start());
    return {std::move(row)};
  }

  Variable coordinate(int node, int axis, Variable::Kind kind = Variable::Kind::position,
                      double constant = 0) const {
    return {kind, {{model_.nodes[at(node)].x + axis, 1.0}}, constant};
  }
  Variable difference(int from, int to, int axis) const {
    const Node &a = model_.nodes[at(from)], &b = model_.nodes[at(to)];
    Variable sum{Variable::Kind::position, {}};
    if (axis < a.axes()) sum.terms.emplace_back(a.x + axis, -1.0);
    if (axis < b.axes()) sum.terms.emplace_back(b.x + axis, 1.0);
    return sum;
  }

  std::vector<Row> distance() {
    const int a = point(d_.between[0], "/between/0");
    const int b = point(d_.between[1], "/between/1");
    if (a == kNone || b == kNone) return {};
    const auto &p = model_.nodes[at(a)].initial, &q = model_.nodes[at(b)].initial;
    if (p == q) {
      report("/between", "the points are at the same place: their distance has no direction",
             "move one of them, or hold one on the other with two formulas, x_P - x_Q and "
             "y_P - y_Q");
      return {};
    }
    std::vector<std::pair<std::string, Variable>> names{{"dx", difference(a, b, 0)},
                                                        {"dy", difference(a, b, 1)}};
    const Variable across = difference(a, b, 2);
    if (!across.terms.empty()) names.emplace_back("dz", across);
    auto rows =
        position("/between", across.terms.empty() ? "hypot(dx, dy)" : "hypot(hypot(dx, dy), dz)",
                 names, true);
    for (Row& row : rows) row.law = change_from(row.constant, "/length");
    return rows;
  }

  // The law of a length, which is `initial` at the start, as a change from there.
  int change_from(double initial, const std::string& key) {
    if (law_ == kNone) return kNone;
    const Law law = model_.laws[at(law_)];
    const double start = evaluate(law, 0, Side::before).value;
    if (!is_continuous(law) ||
        !(std::abs(start - initial) <= kOnConstraint * std::max(initial, model_.size))) {
      report(key,
             "the length is " + show(start, model_.units, dimension::kLength) +
                 " at the start, and it is " + show(initial, model_.units, dimension::kLength) +
                 " as the points stand",
             "let the law start with that, without a jump");
      return kNone;
    }
    const int change = static_cast<int>(model_.laws.size());
    model_.laws.push_back(shifted(law, -start));
    model_.law_of_change.emplace(change, law_);
    return change;
  }

  // Across the direction a point stays where it is.
  std::vector<Row> line() {
    const int p = point(d_.at, "/at");
    if (p == kNone) return {};
    return {across(p, d_.direction)};
  }

  Row across(int node, double direction) const {
    const int x = model_.nodes[at(node)].x;
    Row row{.terms = {{x, -std::sin(direction)}, {x + 1, std::cos(direction)}}};
    std::erase_if(row.terms, [](const auto& term) { return std::abs(term.second) < 1e-16; });
    row.constant = row_function(row, 0, start());
    return row;
  }

  std::vector<Row> circle() {
    const int p = point(d_.at, "/at");
    if (p == kNone) return {};
    const auto& place = model_.nodes[at(p)].initial;
    if (place[0] == d_.center[0] && place[1] == d_.center[1]) {
      report("/center", "point '" + d_.at + "' is in the centre: the circle has no radius",
             "move the point or the centre");
      return {};
    }
    auto rows = position("/center", "hypot(dx, dy)",
                         {{"dx", coordinate(p, 0, Variable::Kind::position, -d_.center[0])},
                          {"dy", coordinate(p, 1, Variable::Kind::position, -d_.center[1])}},
                         true);
    for (Row& row : rows) row.law = change_from(row.constant, "/radius");
    return rows;
  }

  std::vector<Row> curve() {
    const int p = point(d_.at, "/at");
    if (p == kNone) return {};
    return position("/curve", d_.curve, {{"x", coordinate(p, 0)}, {"y", coordinate(p, 1)}});
  }

  std::optional<Quantity> body_angle() {
    const int body = find(model_.bodies, d_.body);
    if (body != kNone && model_.bodies[at(body)].angle != kNone) {
      return Quantity{{{model_.bodies[at(body)].angle, 1.0}}};
    }
    std::vector<std::string> names;
    for (const Body& b : model_.bodies) {
      if (b.angle != kNone) names.push_back(b.name);
    }
    unknown("/body", "body", "bodies", d_.body, names);
    return std::nullopt;
  }

  // The point moves along a direction that is fixed in the body (Osiński 2000, examples 1 and 2).
  std::vector<Row> knife_edge() {
    const int p = point(d_.at, "/at");
    const auto turn = body_angle();
    if (p == kNone || !turn) return {};
    return velocity("", "vy*cos(h) - vx*sin(h)",
                    {{"vx", coordinate(p, 0, Variable::Kind::rate)},
                     {"vy", coordinate(p, 1, Variable::Kind::rate)},
                     {"h", {Variable::Kind::position, turn->terms, d_.direction}}});
  }

  // The wheel's centre moves along a line, and its rim does not slip: s + R α = const, where a
  // wheel that turns clockwise moves forward on a line that is on its right side.
  std::vector<Row> rolling() {
    const int p = point(d_.at, "/at");
    const auto turn = body_angle();
    if (p == kNone || !turn) return {};
    const int x = model_.nodes[at(p)].x;
    Row roll{.terms = {{x, std::cos(d_.direction)}, {x + 1, std::sin(d_.direction)}}};
    std::erase_if(roll.terms, [](const auto& term) { return std::abs(term.second) < 1e-16; });
    roll.terms.emplace_back(turn->terms[0].first, d_.radius);
    roll.constant = row_function(roll, 0, start());
    return {across(p, d_.direction), std::move(roll)};
  }

  Model& model_;
  const ConstraintDescription& d_;
  int law_;
  std::vector<Problem>& problems_;
  std::string place_;
};

}  // namespace

std::size_t count_lengths(const ConstraintDescription& linear) {
  const auto is_length = [](const auto& term) {
    const std::string start = term.first.substr(0, 2);
    return start == "x_" || start == "y_" || start == "z_";
  };
  return static_cast<std::size_t>(
      std::count_if(linear.terms.begin(), linear.terms.end(), is_length));
}

Dimension dimension_of_change(const ConstraintDescription& linear) {
  return count_lengths(linear) > 0 ? dimension::kLength : dimension::kAngle;
}

void add_constraint(Model& model, const ConstraintDescription& description, int law,
                    std::vector<Problem>& problems) {
  Builder(model, description, law, problems).build();
}

void refuse_rates(const Model& model) {
  std::vector<Problem> problems;
  for (const Row& row : model.rows) {
    if (!row.of_rates) continue;
    problems.push_back({row.pointer,
                        "a constraint of velocities does not say where things are: statics and "
                        "modes cannot use it",
                        "remove it for this command, or give a relation of positions"});
  }
  for (const PointLoad& load : model.point_loads) {
    if (!load.along) continue;
    problems.push_back({join_pointer("/loads", load.name) + "/along",
                        "a load that follows a line has no potential, and its tangent is not there "
                        "for statics and modes",
                        "remove it for this command"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace fem
