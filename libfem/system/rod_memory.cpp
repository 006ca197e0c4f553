#include "libfem/system/rod_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace fem {
namespace {

constexpr std::size_t kGrain = 128;  // elements

std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <class Action>
void for_each(Parallelism parallelism, std::size_t count, const Action& action) {
  parallel_for(parallelism, count, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) action(n);
  });
}

std::array<double, 3> list(const RodStrains& s) { return {s.minus, s.plus, s.strain}; }

std::array<double, 3> stiffnesses(const RodConstants<double>& c) {
  return {c.bending, c.shear, c.axial};
}

std::size_t section_of(const Model& model, std::size_t element) {
  return at(model.type_section[at(model.elements[element].type)]);
}

}  // namespace

std::vector<Stencil> RodMemory::make_stencils(const Model& model, int base) {
  std::vector<Stencil> stencils;
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    if (!model.section_memory[section_of(model, e)]) continue;
    stencils.push_back({.coordinate = model.elements[e].coordinate, .count = 6, .base = base});
    base += Stencil::entries(6);
  }
  return stencils;
}

RodMemory::RodMemory(const Model& model, const Numbering& numbering, std::vector<Stencil> stencils)
    : model_(&model), stencils_(std::move(stencils)), item_of_(model.elements.size(), kNone) {
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    const std::size_t section = section_of(model, e);
    if (!model.section_memory[section]) continue;
    item_of_[e] = static_cast<int>(items_.size());
    Item item{.element = static_cast<int>(e), .section = section, .places = {}};
    for (std::size_t i = 0; i < 6; ++i) {
      item.places[i] = numbering.place[at(model.elements[e].coordinate[i])];
    }
    items_.push_back(item);
  }
  for (const auto& memory : model.section_memory) {
    relaxed_.push_back(memory ? relaxed_part(memory->material) : 1.0);
  }
}

RodMemory::Configuration RodMemory::configuration(const Item& item,
                                                  std::span<const double> q) const {
  Vector6<double> x;
  for (int i = 0; i < 6; ++i) x(i) = q[at(item.places[at(i)])];
  const auto& c = model_->types[at(model_->elements[at(item.element)].type)];
  return {&c, calc_kinematics(c, x)};
}

void RodMemory::start(const TimeScales& scales, std::span<const double> q) {
  state_ = {};
  for (const auto& memory : model_->section_memory) {
    state_.series.push_back(
        memory ? make_relaxation_series(memory->material,
                                        {scales.step, scales.horizon + calc_span(memory->before)})
               : RelaxationSeries{});
  }
  for (const Item& item : items_) {
    const auto [c, k] = configuration(item, q);
    const auto s = list(elastic_strains(*c, k));
    auto& memories = state_.elements.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      memories[i] =
          remember(state_.series[item.section], model_->section_memory[item.section]->before, s[i]);
    }
  }
}

void RodMemory::commit(Parallelism parallelism, double t, std::span<const double> q) {
  for_each(parallelism, items_.size(), [&](std::size_t n) {
    const auto [c, k] = configuration(items_[n], q);
    const auto s = list(elastic_strains(*c, k));
    for (std::size_t i = 0; i < 3; ++i) {
      fem::commit(state_.series[items_[n].section], t, s[i], state_.elements[n][i]);
    }
  });
}

RodStrains RodMemory::memory_strains(std::size_t n, double t, const RodStrains& s) const {
  const std::size_t section = items_[n].section;
  const auto strains = list(s);
  std::array<double, 3> m{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double left =
        remembers() ? calc_force(state_.series[section], state_.elements[n][i], t, strains[i])
                    : relaxed_[section] * strains[i];
    m[i] = left - strains[i];
  }
  return {m[0], m[1], m[2]};
}

RodStrains RodMemory::memory_strains(int element, double t, const RodKinematics<double>& k) const {
  const int item = item_of_[at(element)];
  if (item == kNone) return {};
  const auto& c = model_->types[at(model_->elements[at(element)].type)];
  return memory_strains(at(item), t, elastic_strains(c, k));
}

void RodMemory::evaluate(Parallelism parallelism, double t, std::span<const double> q,
                         std::span<double> buffer) const {
  for_each(parallelism, items_.size(), [&](std::size_t n) {
    const Stencil& s = stencils_[n];
    const auto [c, k] = configuration(items_[n], q);
    const Vector6<double> f = strain_force(*c, k, memory_strains(n, t, elastic_strains(*c, k)));
    for (int e = 0; e < Stencil::entries(6); ++e) buffer[at(s.base + s.stride * e)] = 0;
    for (int i = 0; i < 6; ++i) buffer[at(s.force_index(i))] = f(i);
  });
}

// m = (c_∞/c − 1) s: the tangent of −(1 − c_∞/c) U, or its geometric part alone.
void RodMemory::evaluate_tangent(std::span<const double> q, std::span<double> buffer) const {
  for (std::size_t n = 0; n < items_.size(); ++n) {
    const Stencil& s = stencils_[n];
    const auto [c, k] = configuration(items_[n], q);
    const double lost = relaxed_[items_[n].section] - 1;
    const RodStrains e = elastic_strains(*c, k);
    const RodStrains m{lost * e.minus, lost * e.plus, lost * e.strain};
    const Vector6<double> f = strain_force(*c, k, m);
    const Matrix6<double> tangent = stiffness_ == HereditaryStiffness::relaxed
                                        ? Matrix6<double>(lost * elastic_tangent(*c, k))
                                        : stress_tangent(*c, k, m);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j <= i; ++j) buffer[at(s.matrix_index(i, j))] = tangent(i, j);
      buffer[at(s.force_index(i))] = f(i);
    }
  }
}

// m = (g − 1) s + what is left of the past, with the same g for every strain of a section: the
// tangent of −(1 − g) U without its geometric part, and the geometric part of m.
void RodMemory::evaluate_step_matrix(Parallelism parallelism, double t, std::span<const double> q,
                                     std::span<double> buffer) const {
  for_each(parallelism, items_.size(), [&](std::size_t n) {
    const Stencil& s = stencils_[n];
    const std::size_t section = items_[n].section;
    const auto [c, k] = configuration(items_[n], q);
    const RodStrains e = elastic_strains(*c, k);
    const double g =
        remembers() ? respond(state_.series[section], state_.elements[n][0], t, e.minus).stiffness
                    : relaxed_[section];
    const Matrix6<double> material = elastic_tangent(*c, k) - stress_tangent(*c, k, e);
    const Matrix6<double> tangent =
        (g - 1) * material + stress_tangent(*c, k, memory_strains(n, t, e));
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j <= i; ++j) buffer[at(s.matrix_index(i, j))] = tangent(i, j);
    }
  });
}

void RodMemory::multiply(std::span<const double> u, std::span<double> buffer,
                         Product product) const {
  for (std::size_t n = 0; n < items_.size(); ++n) {
    fem::multiply(stencils_[n], items_[n].places, u, buffer, product);
  }
}

RodMemory::Energy RodMemory::energy(double t, std::span<const double> q) const {
  Energy sum;
  for (std::size_t n = 0; n < items_.size(); ++n) {
    const auto [c, k] = configuration(items_[n], q);
    const auto s = list(elastic_strains(*c, k));
    const auto stiffness = stiffnesses(*c);
    const double relaxed = relaxed_[items_[n].section];
    for (std::size_t i = 0; i < 3; ++i) {
      double stored = 0.5 * relaxed * s[i] * s[i];
      if (remembers()) {
        const HereditaryResponse r =
            respond(state_.series[items_[n].section], state_.elements[n][i], t, s[i]);
        stored = r.stored;
        sum.dissipated += stiffness[i] * r.dissipated;
      }
      sum.stored += stiffness[i] * (stored - 0.5 * s[i] * s[i]);
    }
  }
  return sum;
}

}  // namespace fem
