// System in statics: residual, tangent and what follower loads add to it, how both change with the
// load factor, and the stiffness as a form of motions.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "libfem/frame/frame_motion.hpp"
#include "libfem/rod/load_stiffness.hpp"
#include "libfem/system/system.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// What a relative error of one of the coordinates makes of an element's aᵀU_qq b: strains that are
// not there act on the curvature of the strains.
double calc_form_rounding(const RodConstants<double>& c, const RodKinematics<double>& k,
                          const Vector6<double>& q, const RodRates<double>& a,
                          const RodRates<double>& b) {
  const double place = std::max({std::abs(q(0)), std::abs(q(1)), std::abs(q(4)), std::abs(q(5))});
  const double turn = std::max({1.0, std::abs(q(2)), std::abs(q(3))});
  const double strain = place * c.inverse_length + std::abs(k.strain) +
                        turn * (std::abs(k.slope0) + std::abs(k.slope1));
  const double minus = std::abs((a.theta1 - a.theta0) * (b.theta1 - b.theta0));
  const double plus = std::abs((a.theta0 + a.theta1) * (b.theta0 + b.theta1));
  const double chord = std::abs(a.beta * b.beta) * k.chord * c.inverse_length;
  const double beta =
      2 * (std::abs(a.chord * b.beta) + std::abs(a.beta * b.chord)) * k.inverse_chord;
  return c.axial * strain * (chord + minus / 12 + c.bow * (plus + turn * beta)) +
         c.shear * turn * beta;
}

}  // namespace

Outcome System::complete_statics(double t, double factor, std::span<double> q) {
  update_rows(t, Side::before);
  std::vector<double> position(row_position_.size());
  for (std::size_t r = 0; r < position.size(); ++r) {
    const double constant = model_->rows[r].constant;
    position[r] = constant + factor * (row_position_[r] - constant);
  }
  const Outcome outcome = fill_positions(t, q, position);
  if (!outcome.ok()) return outcome;
  const Outcome attached = attachments_.check(q);
  return attached.ok() ? hereditary_.check(q) : attached;
}

void System::evaluate_statics(double t, double factor, std::span<const double> q) {
  forces_are_whole_ = false;
  rods_.evaluate_tangent(parallelism_, factor, q, buffer_);
  attachments_.evaluate_tangent(t, factor, q, buffer_);
  hereditary_.evaluate_tangent(t, factor, q, buffer_);
  rod_memory_.evaluate_tangent(q, buffer_);
  if (!model_->frame) return;
  steady_frame_ = steady_frame(frame_motion(*model_, t, Side::before));
  add_frame_statics(factor, q);
}

void System::assemble_statics(double t, double factor, std::span<double> q,
                              std::span<double> residual) {
  FEM_DEMAND(q.size() == size() && residual.size() == independent_);
  if (!complete_statics(t, factor, q).ok()) {
    std::fill(residual.begin(), residual.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  evaluate_statics(t, factor, q);
  clear_row_stencils();
  add_constraint_stiffness(t, q);
  std::fill(particular_.begin(), particular_.end(), 0.0);
  gather_matrix(matrix_);
  gather_forces(residual);
  for (double& value : residual) value = -value;
}

// r_λ = −𝒯Q + 𝒯K (0, Hφ). Q is the difference of the forces under one load more, at the same q.
void System::assemble_load_rate(double t, double factor, std::span<double> q,
                                std::span<double> residual, std::span<double> rate) {
  assemble_statics(t, factor, q, residual);
  if (std::isnan(residual.empty() ? 0.0 : residual[0])) return;
  const LongArray<double> kept = buffer_;
  evaluate_statics(t, factor + 1, q);
  reduce_indirect();
  gather_forces(rate);
  for (std::size_t i = 0; i < rate.size(); ++i) rate[i] = -rate[i] - residual[i];
  buffer_ = kept;
  if (moving_rows_.empty()) return;

  std::vector<double> change(size(), 0.0), follow(rate.size());
  complete_change(t, 1, change);
  multiply_objects(change);
  reduce_indirect();
  gather_forces(follow);
  for (std::size_t i = 0; i < rate.size(); ++i) rate[i] -= follow[i];
  for (const auto& turn : attachments_.follower_turns(t, factor, q)) {
    const double angle = change[place(turn.angle)];
    for (const auto& [place, w] : independent_shares(turn.x)) rate[place] += w * turn.on_x * angle;
    for (const auto& [place, w] : independent_shares(turn.x + 1)) {
      rate[place] += w * turn.on_y * angle;
    }
  }
  buffer_ = kept;
}

// ∂q/∂q_i of one coordinate, by independent places.
std::vector<std::pair<std::size_t, double>> System::independent_shares(int coordinate) const {
  const int k = projection_.dependent_of[at(coordinate)];
  if (k == kNone) return {{place(coordinate), 1.0}};
  std::vector<std::pair<std::size_t, double>> shares;
  for (int i = g_.start[at(k)]; i < g_.start[at(k) + 1]; ++i) {
    shares.emplace_back(at(g_.index[at(i)]), g_.weight[at(i)]);
  }
  return shares;
}

std::vector<System::FollowerTerm> System::follower_terms(double t, double factor,
                                                         std::span<const double> q) const {
  std::vector<FollowerTerm> terms;
  for (const auto& turn : attachments_.follower_turns(t, factor, q)) {
    FollowerTerm term{.u = {}, .w = independent_shares(turn.angle)};
    for (const auto& [place, weight] : independent_shares(turn.x)) {
      term.u.emplace_back(place, weight * turn.on_x);
    }
    for (const auto& [place, weight] : independent_shares(turn.x + 1)) {
      term.u.emplace_back(place, weight * turn.on_y);
    }
    if (!term.u.empty() && !term.w.empty()) terms.push_back(std::move(term));
  }
  return terms;
}

System::Form System::stiffness_form(double factor, std::span<const double> q,
                                    std::span<const double> x, std::span<const double> y) const {
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  const auto& g = model_->gravity;
  const bool heavy = factor != 0 && (g[0] != 0 || g[1] != 0);
  Form form;
  for (const Element& element : model_->elements) {
    const RodConstants<double>& c = model_->types[at(element.type)];
    const auto gather = [&](std::span<const double> values) {
      Vector6<double> local;
      for (int i = 0; i < 6; ++i) local(i) = values[place(element.coordinate[at(i)])];
      return local;
    };
    const Vector6<double> qe = gather(q), xe = gather(x), ye = gather(y);
    const RodKinematics<double> k = calc_kinematics(c, qe);
    const RodRates<double> a = calc_rates(k, xe), b = calc_rates(k, ye);
    form.value += elastic_form(c, k, a, b);
    if (heavy) form.value += factor * xe.dot(rod_gravity_stiffness(c, k, g) * ye);
    if (model_->frame) {
      form.value += factor * xe.dot(frame_stiffness(c, qe, steady_frame_) * ye);
    }
    form.rounding += rounding * calc_form_rounding(c, k, qe, a, b) +
                     rounding * rounding * c.axial * c.inverse_length * c.inverse_length *
                         xe.cwiseAbs().maxCoeff() * ye.cwiseAbs().maxCoeff();
  }
  for (std::size_t n = model_->elements.size(); n < stencils_.size(); ++n) {
    const Stencil& s = stencils_[n];
    for (int i = 0; i < s.count; ++i) {
      for (int j = 0; j < s.count; ++j) {
        const double product = x[place(s.coordinate[at(i)])] * buffer_[at(s.matrix_index(i, j))] *
                               y[place(s.coordinate[at(j)])];
        form.value += product;
        form.rounding += rounding * std::abs(product);
      }
    }
  }
  return form;
}

// −λ ∂²f/∂q²: constraint forces turn with what they hold. λ = HᵀR with the residual forces R on the
// dependent coordinates. An arm has the second derivative (R(α) r)·e, on the body's angle.
void System::add_constraint_stiffness(double t, std::span<const double> q) {
  if (curved_rows_.empty()) return;
  const std::vector<double> lambda = reactions(std::vector<double>(size(), 0.0));
  const auto position = [&](int c) { return q[place(c)]; };
  std::size_t formulas = first_row_stencil_;
  for (const int r : curved_rows_) {
    const Row& row = model_->rows[at(r)];
    if (row.arm) {
      const Stencil& body = stencils_[model_->elements.size() + at(row.owner)];
      const double curvature = turn_arm(*row.arm, q[place(row.arm->angle)]);
      buffer_[at(body.matrix_index(2, 2))] -= lambda[at(r)] * curvature;
    } else if (!row.of_rates) {
      const Stencil& s = stencils_[formulas++];
      for (int i = 0; i < s.count; ++i) {
        for (int j = 0; j <= i; ++j) {
          buffer_[at(s.matrix_index(i, j))] -=
              lambda[at(r)] *
              row_second_derivative(row, t, position, s.coordinate[at(i)], s.coordinate[at(j)]);
        }
      }
    }
  }
}

void System::complete_change(double t, double rate, std::span<double> x) const {
  std::vector<double> changes(model_->rows.size(), 0.0);
  for (const int r : moving_rows_) {
    changes[at(r)] = rate * row_value(*model_, model_->rows[at(r)], t, Side::before).value;
  }
  fill_dependents(x, changes);
}

double System::static_drive_power(double t, double factor, double rate,
                                  std::span<const double> q) const {
  double power = hereditary_.static_power(t, factor, rate, q);
  if (moving_rows_.empty()) return power;
  const std::vector<double> lambda = reactions(std::vector<double>(size(), 0.0));
  for (const int r : moving_rows_) {
    power += lambda[at(r)] * rate * row_value(*model_, model_->rows[at(r)], t, Side::before).value;
  }
  return power;
}

}  // namespace fem
