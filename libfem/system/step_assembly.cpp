// System in implicit steps: balance of forces at given accelerations, and the matrix of Newton's
// method.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "libfem/system/system.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void System::evaluate_step_forces(double t, Side side, std::span<const double> q,
                                  std::span<const double> v, std::span<const double> a) {
  rods_.evaluate_step_force(parallelism_, q, v, a, buffer_);
  attachments_.evaluate_step_force(t, side, q, v, a, buffer_);
  hereditary_.evaluate(t, side, q, buffer_);
  rod_memory_.evaluate(parallelism_, t, q, buffer_);
  clear_row_stencils();
  forces_are_whole_ = true;
}

Outcome System::balance(double t, Side side, std::span<double> q, std::span<double> v,
                        std::span<double> a, std::span<double> residual) {
  Outcome outcome = complete(t, side, q, v);
  if (outcome.ok()) outcome = attachments_.check(q);
  if (outcome.ok()) outcome = hereditary_.check(q);
  if (!outcome.ok()) return explain_failure(q, outcome);
  update_curvature(t, side, q, v);
  fill_dependents(a, row_acceleration_);
  if (model_->frame) {
    fill_frame_accelerations(t, side, q, v, whole_);
    for (std::size_t i = 0; i < whole_.size(); ++i) whole_[i] += a[i];
    evaluate_step_forces(t, side, q, absolute_velocities(t, side, q, v), whole_);
  } else {
    evaluate_step_forces(t, side, q, v, a);
  }
  for (const Indirect& object : indirect_) {
    const Stencil& s = stencils_[at(object.stencil)];
    const int n = static_cast<int>(object.places.size());
    const Stencil reduced{.count = n, .base = object.base};
    for (int u = 0; u < n; ++u) {
      double sum = 0;
      for (int i = 0; i < s.count; ++i) {
        sum += object.weights[at(i * n + u)] * buffer_[at(s.force_index(i))];
      }
      buffer_[at(reduced.force_index(u))] = sum;
    }
  }
  force_plan_.gather(parallelism_, buffer_, residual);
  return {};
}

Outcome System::factorize_step(double t, const StepWeights& weights, std::span<const double> q,
                               std::span<const double> v) {
  rods_.evaluate_step_matrix(parallelism_, weights, q, v, buffer_);
  attachments_.evaluate_step_matrix(t, weights, q, v, buffer_);
  hereditary_.evaluate_step_matrix(t, q, buffer_);
  rod_memory_.evaluate_step_matrix(parallelism_, t, q, buffer_);
  if (!step_matrix_) step_matrix_.emplace(numbering_.elimination, parallelism_);
  gather_matrix(*step_matrix_);
  const Outcome outcome = step_matrix_->factorize(Pivots::nonzero);
  return outcome.ok() ? outcome : explain_failure(q, outcome);
}

std::vector<double> System::step_factors() {
  std::vector<double> factors;
  if (!step_matrix_) return factors;
  for (const auto& part : {step_matrix_->diagonal(), step_matrix_->off_diagonal()}) {
    factors.insert(factors.end(), part.begin(), part.end());
  }
  return factors;
}

bool System::set_step_factors(std::span<const double> factors) {
  if (factors.empty()) return true;
  if (!step_matrix_) step_matrix_.emplace(numbering_.elimination, parallelism_);
  const std::size_t diagonal = step_matrix_->diagonal().size();
  if (factors.size() != diagonal + step_matrix_->off_diagonal().size()) return false;
  const auto middle = factors.begin() + static_cast<std::ptrdiff_t>(diagonal);
  std::copy(factors.begin(), middle, step_matrix_->diagonal().begin());
  std::copy(middle, factors.end(), step_matrix_->off_diagonal().begin());
  return true;
}

}  // namespace fem
