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
#include "libfem/model/hinge_lock.hpp"
#include "libfem/model/hinge_parts.hpp"
#include "libfem/model/initial_rates.hpp"

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
      for (std::size_t k = 0; k < at(node.axes()); ++k) {
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

}  // namespace

std::vector<double> match_state(const Model& model, const StoredState& state,
                                const std::string& pointer) {
  return Matcher(model, state, pointer).match();
}

namespace {

int find_hinge(const Model& model, const std::string& name) {
  for (std::size_t h = 0; h < model.hinges.size(); ++h) {
    if (model.hinges[h].name == name) return static_cast<int>(h);
  }
  return kNone;
}

void lock_as(Model& model, int h, LockKind kind, const std::vector<double>& natural) {
  const Hinge& hinge = model.hinges[at(h)];
  if (hinge.lock != kNone && hinge.locked != kind) unlock_hinge(model, h);
  if (kind == LockKind::none) return;
  if (kind == LockKind::latch && hinge.latch) {
    if (!hinge.latched) catch_latch(model, h);
    if (hinge.latch->spring) return;
  }
  if (hinge.lock == kNone) lock_hinge(model, h, kind, natural);
}

}  // namespace

void lock_as_stored(Model& model, const StoredState& state, const std::vector<double>& natural) {
  for (const auto& [name, locked] : state.hinges) {
    const int h = find_hinge(model, name);
    if (h != kNone) lock_as(model, h, locked, natural);
  }
}

void start_from(Model& model, const StoredState& state, const std::string& pointer) {
  std::vector<double> natural = match_state(model, state, pointer);
  const auto q = [&](int c) { return natural[at(c)]; };
  std::vector<Problem> problems;
  for (Row& row : model.rows) {
    const double f = row_function(row, 0, q);
    const bool fixed = row.kind == RowKind::rigid_joint || row.kind == RowKind::rigid_arm ||
                       row.formula.has_value();
    if (!fixed) {
      row.constant = f;
      continue;
    }
    if (row.law != kNone) {  // a length that a law prescribes goes on from where it is
      row.constant = f;
      continue;
    }
    const bool angle = row.kind == RowKind::rigid_joint && model.is_angle[at(row.terms[0].first)];
    const double tolerance = kSatisfied * (angle ? 1.0 : model.size);
    if (std::abs(f - row.constant) <= tolerance) continue;
    char text[64];
    const Dimension unit = angle ? dimension::kAngle : dimension::kLength;
    std::snprintf(text, sizeof text, " is off by %.3g %s in that state",
                  (f - row.constant) / model.units.factor(unit), model.units.name(unit).c_str());
    problems.push_back({pointer, "the rigid connection at " + row.pointer + text,
                        "the case that made the state had a hinge, or another shape, there"});
  }
  for (const Hinge& hinge : model.hinges) {
    check_start(hinge, q(hinge.second) - q(hinge.first) + hinge.turns, model.units, problems);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  lock_at_start(model, natural);
  for (const auto& [name, locked] : state.hinges) {
    const int h = find_hinge(model, name);
    const bool for_good = locked == LockKind::latch || locked == LockKind::jam;
    if (h != kNone && for_good) lock_as(model, h, locked, natural);
  }
  model.start = std::move(natural);
  set_initial_rates(model);
}

}  // namespace fem
