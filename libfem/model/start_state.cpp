#include "libfem/model/start_state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <unordered_map>
#include <utility>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"

namespace fem {
namespace {

constexpr double kSatisfied = 1e-6;  // of the model's size, or rad: a state that meets a row

std::size_t at(int i) { return static_cast<std::size_t>(i); }

[[noreturn]] void refuse(const std::string& pointer, const std::string& what) {
  throw InputError(Problem{
      pointer, what, "give results of a case with the same points, rods, bodies and elements"});
}

class Matcher {
 public:
  Matcher(const Model& model, const StoredState& state, const std::string& pointer)
      : model_(model), state_(state), pointer_(pointer), natural_(model.initial) {}

  std::vector<double> match() {
    match_points();
    for (const Rod& rod : model_.rods) match_rod(rod);
    for (const Body& body : model_.bodies) {
      if (stands_free(body)) match_body(body);
    }
    for (const double x : natural_) {
      if (!std::isfinite(x)) {
        throw InputError(Problem{pointer_,
                                 "the state in '" + state_.source +
                                     "' has numbers that "
                                     "are not finite",
                                 "give a file whose run went well"});
      }
    }
    return std::move(natural_);
  }

 private:
  void match_points() {
    std::unordered_map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < state_.points.size(); ++i) index.emplace(state_.points[i], i);
    for (const Node& node : model_.nodes) {
      const auto found = index.find(node.name);
      if (found == index.end()) {
        const std::string nearest = nearest_name(node.name, state_.points);
        refuse(pointer_, "'" + state_.source + "' has no point '" + node.name + "'" +
                             (nearest.empty() ? "" : ", only '" + nearest + "'"));
      }
      for (std::size_t k = 0; k < 2; ++k) {
        natural_[at(node.x) + k] = state_.position[3 * found->second + k];
      }
    }
    if (state_.points.size() != model_.nodes.size()) {
      refuse(pointer_, "'" + state_.source + "' has " + std::to_string(state_.points.size()) +
                           " points and nodes, this case " + std::to_string(model_.nodes.size()));
    }
  }

  // What is known of a rod or body of this name.
  const StoredState::Angles& find(const std::vector<StoredState::Angles>& all, const char* kind,
                                  const std::string& name) const {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const auto& angles) { return angles.name == name; });
    if (found == all.end()) {
      refuse(pointer_, "'" + state_.source + "' has no " + kind + " '" + name + "'");
    }
    return *found;
  }

  void match_rod(const Rod& rod) {
    const auto& angle = find(state_.rods, "rod", rod.name).angle;
    if (angle.size() != 2 * at(rod.elements())) {
      refuse(pointer_, "rod '" + rod.name + "' has " + std::to_string(angle.size() / 2) +
                           " elements in '" + state_.source + "', here " +
                           std::to_string(rod.elements()));
    }
    for (int k = 0; k < rod.elements(); ++k) {
      const auto& c = model_.elements[at(rod.first_element + k)].coordinate;
      natural_[at(c[2])] = angle[2 * at(k)];
      natural_[at(c[3])] = angle[2 * at(k) + 1];
    }
  }

  // A body on a rod has the angle of the rod's end.
  bool stands_free(const Body& body) const {
    return body.angle != kNone &&
           std::none_of(model_.rods.begin(), model_.rods.end(), [&](const Rod& rod) {
             return rod.end_angle[0] == body.angle || rod.end_angle[1] == body.angle;
           });
  }

  void match_body(const Body& body) {
    natural_[at(body.angle)] = find(state_.bodies, "body", body.name).angle.at(0);
  }

  const Model& model_;
  const StoredState& state_;
  const std::string& pointer_;
  std::vector<double> natural_;
};

// Fills in Model::start_rates.
class RateSetter {
 public:
  explicit RateSetter(Model& model) : model_(model), rates_(model.start_rates) {
    rates_.assign(model.initial.size(), 0.0);
  }

  void run() {
    for (const auto& given : model_.initial_motion.velocities) set_point(given);
    for (const Body& body : model_.bodies) set_particle(body);
    for (const Rod& rod : model_.rods) interpolate(rod);
    for (const auto& spin : model_.initial_motion.spins) set_spin(spin);
    if (!problems_.empty()) throw InputError(std::move(problems_));
  }

 private:
  // Points come before the nodes inside rods, whose names have a slash.
  void set_point(const InitialDescription::Velocity& given) {
    std::vector<std::string> names;
    for (const Node& node : model_.nodes) {
      if (node.name == given.point && node.name.find('/') == std::string::npos) {
        return set_node(node, given.velocity);
      }
      names.push_back(node.name);
    }
    report("velocity", given.point, "there is no point '" + given.point + "'", names);
  }

  void set_node(const Node& node, const std::array<double, 2>& velocity) {
    rates_[at(node.x)] = velocity[0];
    rates_[at(node.x) + 1] = velocity[1];
  }

  void set_particle(const Body& body) {
    if (body.velocity[0] == 0 && body.velocity[1] == 0) return;
    const Node& node = model_.nodes[at(body.node)];
    const auto& given = model_.initial_motion.velocities;
    if (std::any_of(given.begin(), given.end(),
                    [&](const auto& v) { return v.point == node.name; })) {
      problems_.push_back({join_pointer("/initial/velocity", node.name),
                           "particle '" + body.name + "' gives this point a velocity too",
                           "give one of them"});
    }
    set_node(node, body.velocity);
  }

  void interpolate(const Rod& rod) {
    const Node& from = model_.nodes[at(rod.nodes.front())];
    const Node& to = model_.nodes[at(rod.nodes.back())];
    const auto difference = [&](const std::vector<double>& x, int k) {
      return x[at(to.x + k)] - x[at(from.x + k)];
    };
    for (int i = 1; i < rod.elements(); ++i) {
      const double part = static_cast<double>(i) / rod.elements();
      const Node& node = model_.nodes[at(rod.nodes[at(i)])];
      for (int k = 0; k < 2; ++k) {
        rates_[at(node.x + k)] = rates_[at(from.x + k)] + part * difference(rates_, k);
      }
    }
    const double x = difference(model_.start, 0), y = difference(model_.start, 1);
    const double square = x * x + y * y;
    if (square == 0) return;
    turn_sections(rod, (x * difference(rates_, 1) - y * difference(rates_, 0)) / square);
  }

  void turn_sections(const Rod& rod, double rate) {
    for (int k = 0; k < rod.elements(); ++k) {
      const auto& c = model_.elements[at(rod.first_element + k)].coordinate;
      rates_[at(c[2])] = rates_[at(c[3])] = rate;
    }
  }

  void set_spin(const InitialDescription::Spin& spin) {
    std::vector<std::string> names;
    for (const Rod& rod : model_.rods) {
      if (rod.name == spin.member) return turn_sections(rod, spin.rate);
      names.push_back(rod.name);
    }
    for (const Body& body : model_.bodies) {
      if (body.angle == kNone) continue;
      if (body.name == spin.member) {
        rates_[at(body.angle)] = spin.rate;
        return;
      }
      names.push_back(body.name);
    }
    report("angular_velocity", spin.member, "there is no rod or body '" + spin.member + "'", names);
  }

  void report(const char* key, const std::string& name, const std::string& what,
              const std::vector<std::string>& names) {
    const std::string nearest = nearest_name(name, names);
    problems_.push_back({join_pointer(std::string("/initial/") + key, name), what,
                         (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") +
                             ("there are: " + list_names(names))});
  }

  Model& model_;
  std::vector<double>& rates_;
  std::vector<Problem> problems_;
};

}  // namespace

void set_start_rates(Model& model) { RateSetter(model).run(); }

std::vector<double> match_state(const Model& model, const StoredState& state,
                                const std::string& pointer) {
  return Matcher(model, state, pointer).match();
}

void start_from(Model& model, std::vector<double> natural, const std::string& pointer) {
  FEM_DEMAND(natural.size() == model.initial.size());
  const auto q = [&](int c) { return natural[at(c)]; };
  std::vector<Problem> problems;
  for (Row& row : model.rows) {
    const double f = row_function(row, q);
    if (row.kind != RowKind::rigid_joint && row.kind != RowKind::rigid_arm) {
      row.constant = f;
      continue;
    }
    const bool angle = row.kind == RowKind::rigid_joint && model.is_angle[at(row.terms[0].first)];
    const double tolerance = kSatisfied * (angle ? 1.0 : model.size);
    if (std::abs(f - row.constant) <= tolerance) continue;
    char text[64];
    std::snprintf(text, sizeof text, " is off by %.3g %s in that state", f - row.constant,
                  angle ? "rad" : "m");
    problems.push_back({pointer, "the rigid connection at " + row.pointer + text,
                        "the case that made the state had a hinge, or another shape, there"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  model.start = std::move(natural);
  set_start_rates(model);
}

}  // namespace fem
