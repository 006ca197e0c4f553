#include "libfem/system/curved_group.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

constexpr int kMostIterations = 30;
constexpr double kConverged = 1e-9;  // of the size; the iteration is quadratic: the next is exact

}  // namespace

CurvedGroup::CurvedGroup(const Model& model, const Projection& projection,
                         const Projection::Group& group, const Numbering& numbering)
    : model_(&model), group_(group) {
  const Eigen::Index m = index(group.dependents.size());
  const Eigen::Index n = index(group.independents.size());
  const double size = model.size > 0 ? model.size : 1.0;
  const auto unit = [&](int coordinate) {
    return model.is_angle[at(coordinate)] != 0 ? 1.0 : size;
  };
  std::map<int, int> column;
  dependent_unit_.resize(m);
  independent_unit_.resize(n);
  for (int k = 0; k < m; ++k) {
    const int c = projection.dependents[at(group.dependents[at(k)])].coordinate;
    column[c] = k;
    dependent_unit_(k) = unit(c);
    places_.push_back(at(numbering.place[at(c)]));
  }
  for (int k = 0; k < n; ++k) {
    column[group.independents[at(k)]] = -1 - k;
    independent_unit_(k) = unit(group.independents[at(k)]);
  }
  for (const int r : group.rows) {
    const Row& row = model.rows[at(r)];
    columns_.emplace_back();
    for (const auto& [coordinate, c] : row.terms) columns_.back().push_back(column.at(coordinate));
    if (!row.arm) continue;
    columns_.back().push_back(column.at(row.arm->angle));
    implicit_ = implicit_ || columns_.back().back() >= 0;
  }
  d_dependent_.setZero(m, m);
  d_independent_.setZero(m, n);
  g_.setZero(m, n);
  h_.setZero(m, m);
  residual_.setZero(m);
  change_.setZero(m);
  if (implicit_) return;
  fill_d(numbering, std::vector<double>(numbering.coordinate.size(), 0.0));
  lu_.compute(d_dependent_);
  h_ = lu_.inverse();
}

void CurvedGroup::fill_d(const Numbering& numbering, std::span<const double> q) {
  d_dependent_.setZero();
  d_independent_.setZero();
  const auto value = [&](int c) { return q[at(numbering.place[at(c)])]; };
  for (std::size_t r = 0; r < group_.rows.size(); ++r) {
    auto column = columns_[r].begin();
    visit_terms(model_->rows[at(group_.rows[r])], value, [&](int, double coefficient) {
      if (*column >= 0) {
        d_dependent_(index(r), *column) += coefficient;
      } else {
        d_independent_(index(r), -1 - *column) += coefficient;
      }
      ++column;
    });
  }
}

Outcome CurvedGroup::solve_positions(const Numbering& numbering, std::span<double> q,
                                     std::span<const double> right_sides) {
  const auto value = [&](int c) { return q[at(numbering.place[at(c)])]; };
  if (!implicit_) {  // the result must not depend on where the entries were
    for (const std::size_t p : places_) q[p] = 0;
  }
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    for (std::size_t r = 0; r < group_.rows.size(); ++r) {
      const int row = group_.rows[r];
      residual_(index(r)) = row_function(model_->rows[at(row)], value) - right_sides[at(row)];
    }
    if (implicit_) {
      fill_d(numbering, q);
      lu_.compute(d_dependent_);
      change_ = lu_.solve(residual_);
    } else {
      change_.noalias() = h_ * residual_;
    }
    double largest = 0;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const double change = change_(index(k));
      if (!std::isfinite(change)) return {Status::constraints_apart, places_[k]};
      q[places_[k]] -= change;
      largest = std::max(largest, std::abs(change) / dependent_unit_(index(k)));
    }
    if (!implicit_ || largest <= kConverged) return {};
  }
  return {Status::constraints_apart, places_.front()};
}

Outcome CurvedGroup::update(const Numbering& numbering, std::span<const double> q) {
  fill_d(numbering, q);
  if (implicit_) {
    lu_.compute(d_dependent_);
    h_ = lu_.inverse();
    if (!h_.allFinite()) return {Status::constraints_apart, places_.front()};
  }
  g_.noalias() = -h_ * d_independent_;
  return {};
}

double CurvedGroup::wear() const {
  if (!implicit_ || g_.cols() == 0) return 0;
  const auto scaled =
      dependent_unit_.cwiseInverse().asDiagonal() * g_ * independent_unit_.asDiagonal();
  return Eigen::MatrixXd(scaled).cwiseAbs().maxCoeff();
}

}  // namespace fem
