#include "libfem/system/hereditary_pool.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace fem {
namespace {

constexpr double kMeeting = 1e-9;  // of the natural length: a distance without direction

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

std::vector<Stencil> HereditaryPool::make_stencils(const Model& model, int base) {
  std::vector<Stencil> stencils;
  for (const HereditaryElement& e : model.hereditary) {
    Stencil s{.base = base};
    if (e.hinge != kNone) {
      const Hinge& h = model.hinges[at(e.hinge)];
      s.coordinate = {h.first, h.second};
      s.count = 2;
    } else {
      s = end_stencil(model, e.nodes, base);
    }
    base += Stencil::entries(s.count);
    stencils.push_back(s);
  }
  return stencils;
}

HereditaryPool::HereditaryPool(const Model& model, const Numbering& numbering,
                               std::vector<Stencil> stencils)
    : model_(&model), stencils_(std::move(stencils)) {
  for (const Stencil& s : stencils_) {
    Places places{};
    for (int i = 0; i < s.count; ++i) places[at(i)] = numbering.place[at(s.coordinate[at(i)])];
    places_.push_back(places);
  }
  for (const HereditaryElement& e : model.hereditary) {
    relaxed_.push_back(relaxed_part(e.material) * e.material.instantaneous);
    slots_.push_back(e.hinge == kNone ? end_slots(model, e.nodes) : EndSlots{});
  }
}

void HereditaryPool::start(const TimeScales& scales, std::span<const double> q) {
  state_ = {};
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    const HereditaryElement& e = model_->hereditary[n];
    state_.series.push_back(
        make_relaxation_series(e.material, {scales.step, scales.horizon + calc_span(e.before)}));
    state_.memory.push_back(
        remember(state_.series.back(), e.before, deformation(n, 0, Side::before, q)));
  }
}

void HereditaryPool::set_state(HereditaryState state) {
  FEM_DEMAND(state.memory.empty() || state.memory.size() == stencils_.size());
  state_ = std::move(state);
}

void HereditaryPool::commit(double t, Side side, std::span<const double> q) {
  FEM_DEMAND(remembers() || empty());
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    fem::commit(state_.series[n], t, deformation(n, t, side, q), state_.memory[n]);
  }
}

HereditaryPool::Geometry HereditaryPool::geometry(std::size_t n, std::span<const double> q,
                                                  bool bends) const {
  const HereditaryElement& e = model_->hereditary[n];
  const Places& p = places_[n];
  if (e.hinge != kNone) {
    const Hinge& h = model_->hinges[at(e.hinge)];
    return {.measure = q[at(p[1])] - q[at(p[0])] + h.turns, .along = {-1, 1}};
  }
  const Line line = line_between(gather_ends(slots_[n], p, q),
                                 std::max(kMeeting * e.rest, std::numeric_limits<double>::min()));
  Geometry g{.measure = line.distance, .defined = line.defined};
  if (!g.defined) return g;
  const Vector6d gradient = line.gradient();
  visit_ends(slots_[n], [&](int i, Eigen::Index k) { g.along[at(i)] = gradient(k); });
  if (!bends) return g;
  const Matrix6d second = line.second();
  visit_ends(slots_[n], [&](int i, Eigen::Index k) {
    visit_ends(slots_[n], [&](int j, Eigen::Index l) { g.second[at(i)][at(j)] = second(k, l); });
  });
  return g;
}

LawValue HereditaryPool::series_law(std::size_t n, double t, Side side) const {
  const int law = model_->hereditary[n].law;
  return law == kNone ? LawValue{} : fem::evaluate(model_->laws[at(law)], t, side);
}

// a(t), or a(0) and a part of its change.
double HereditaryPool::series_length(std::size_t n, double t, Side side, double factor) const {
  const double now = series_law(n, t, side).value;
  if (factor == 1) return now;
  const double start = series_law(n, 0, Side::before).value;
  return start + factor * (now - start);
}

double HereditaryPool::deformation(std::size_t n, double t, Side side, std::span<const double> q,
                                   double factor) const {
  return geometry(n, q).measure - model_->hereditary[n].rest - series_length(n, t, side, factor);
}

Outcome HereditaryPool::check(std::span<const double> q) const {
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    if (!geometry(n, q).defined) return {Status::points_meet, at(places_[n][0])};
  }
  return {};
}

void HereditaryPool::evaluate(double t, Side side, std::span<const double> q,
                              std::span<double> buffer) const {
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    const Stencil& s = stencils_[n];
    const Geometry g = geometry(n, q);
    const double y = g.measure - model_->hereditary[n].rest - series_length(n, t, side);
    const double force =
        remembers() ? calc_force(state_.series[n], state_.memory[n], t, y) : relaxed_[n] * y;
    for (int k = 0; k < Stencil::entries(s.count); ++k) buffer[at(s.base + s.stride * k)] = 0;
    for (int i = 0; i < s.count; ++i) buffer[at(s.force_index(i))] = force * g.along[at(i)];
  }
}

// c y_q y_qᵀ + P y_qq.
void HereditaryPool::evaluate_tangent(double t, double factor, std::span<const double> q,
                                      std::span<double> buffer) const {
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    const Stencil& s = stencils_[n];
    const Geometry g = geometry(n, q, /*bends=*/true);
    const double force = relaxed_[n] * deformation(n, t, Side::before, q, factor);
    const double stiffness = stiffness_ == HereditaryStiffness::relaxed
                                 ? relaxed_[n]
                                 : model_->hereditary[n].material.instantaneous;
    const double nothing = g.defined ? 0.0 : std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < s.count; ++i) {
      for (int j = 0; j <= i; ++j) {
        buffer[at(s.matrix_index(i, j))] =
            nothing + stiffness * g.along[at(i)] * g.along[at(j)] + force * g.second[at(i)][at(j)];
      }
      buffer[at(s.force_index(i))] = nothing + force * g.along[at(i)];
    }
  }
}

void HereditaryPool::evaluate_step_matrix(double t, std::span<const double> q,
                                          std::span<double> buffer) const {
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    const Stencil& s = stencils_[n];
    const Geometry g = geometry(n, q, /*bends=*/true);
    const double y = deformation(n, t, Side::before, q);
    HereditaryResponse r{.force = relaxed_[n] * y, .stiffness = relaxed_[n]};
    if (remembers()) r = respond(state_.series[n], state_.memory[n], t, y);
    for (int i = 0; i < s.count; ++i) {
      for (int j = 0; j <= i; ++j) {
        buffer[at(s.matrix_index(i, j))] =
            r.stiffness * g.along[at(i)] * g.along[at(j)] + r.force * g.second[at(i)][at(j)];
      }
    }
  }
}

double HereditaryPool::static_power(double t, double factor, double rate,
                                    std::span<const double> q) const {
  double power = 0;
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    if (model_->hereditary[n].law == kNone) continue;
    const double force = relaxed_[n] * deformation(n, t, Side::before, q, factor);
    const double change = series_length(n, t, Side::before) - series_length(n, t, Side::before, 0);
    power -= force * change * rate;
  }
  return power;
}

void HereditaryPool::multiply(std::span<const double> u, std::span<double> buffer,
                              Product product) const {
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    fem::multiply(stencils_[n], places_[n], u, buffer, product);
  }
}

HereditaryAnswer HereditaryPool::answer(std::size_t n, double t, Side side,
                                        std::span<const double> q, double factor) const {
  const double y = deformation(n, t, side, q, factor);
  HereditaryAnswer a{.deformation = y,
                     .instantaneous_force = model_->hereditary[n].material.instantaneous * y};
  if (remembers()) {
    const HereditaryResponse r = respond(state_.series[n], state_.memory[n], t, y);
    a.force = r.force;
    a.stored = r.stored;
    a.dissipated = r.dissipated;
    a.dissipated_power = r.dissipated_power;
  } else {
    a.force = relaxed_[n] * y;
    a.stored = 0.5 * a.force * y;
  }
  a.rheonomic_power = -a.force * series_law(n, t, side).rate;
  return a;
}

HereditaryPool::Gradient HereditaryPool::gradient(std::size_t n, std::span<const double> q) const {
  return {stencils_[n], geometry(n, q).along};
}

}  // namespace fem
