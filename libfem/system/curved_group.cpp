#include "libfem/system/curved_group.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

constexpr int kMostIterations = 30;
constexpr double kConverged = 1e-9;  // of the size; the iteration is quadratic: the next is exact
constexpr int kMostRefinements = 4;
constexpr long double kRefined = 1e-17L;
constexpr long double kRounding = 1e-7L;  // what rounding may have done to positions, of the size

}  // namespace

template <class Real>
void CurvedGroup::Equations<Real>::resize(Eigen::Index m, Eigen::Index n) {
  d_dependent.setZero(m, m);
  d_independent.setZero(m, n);
  residual.setZero(m);
  change.setZero(m);
  position.setZero(m);
}

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
    column[c] = order_[c] = k;
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
    visit_curved(row, [&](int coordinate) {
      columns_.back().push_back(column.at(coordinate));
      implicit_ = implicit_ || columns_.back().back() >= 0;
    });
  }
  plain_.resize(m, n);
  g_.setZero(m, n);
  h_.setZero(m, m);
  if (implicit_) {
    fine_.resize(m, n);
    return;
  }
  fill_d(plain_, 0, [](int) { return 0.0; });
  plain_.lu.compute(plain_.d_dependent);
  h_ = plain_.lu.inverse();
}

template <class Real, class Position>
void CurvedGroup::fill_d(Equations<Real>& e, double t, const Position& q) const {
  e.d_dependent.setZero();
  e.d_independent.setZero();
  for (std::size_t r = 0; r < group_.rows.size(); ++r) {
    auto column = columns_[r].begin();
    visit_terms(model_->rows[at(group_.rows[r])], t, q, [&](int, Real coefficient) {
      if (*column >= 0) {
        e.d_dependent(index(r), *column) += coefficient;
      } else {
        e.d_independent(index(r), -1 - *column) += coefficient;
      }
      ++column;
    });
  }
}

template <class Real, class Position>
void CurvedGroup::fill_residual(Equations<Real>& e, const Position& q, const Demand& demand) const {
  for (std::size_t r = 0; r < group_.rows.size(); ++r) {
    const int row = group_.rows[r];
    e.residual(index(r)) =
        row_function(model_->rows[at(row)], demand.t, q) - Real(demand.right_sides[at(row)]);
  }
}

Outcome CurvedGroup::solve_positions(const Numbering& numbering, std::span<double> q,
                                     const Demand& demand) {
  const auto value = [&](int c) { return q[at(numbering.place[at(c)])]; };
  if (!implicit_) {  // the result must not depend on where the entries were
    for (const std::size_t p : places_) q[p] = 0;
  }
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    fill_residual(plain_, value, demand);
    if (implicit_) {
      fill_d(plain_, demand.t, value);
      plain_.lu.compute(plain_.d_dependent);
      plain_.change = plain_.lu.solve(plain_.residual);
    } else {
      plain_.change.noalias() = h_ * plain_.residual;
    }
    double largest = 0;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const double change = plain_.change(index(k));
      if (!std::isfinite(change)) return {Status::constraints_apart, places_[k]};
      q[places_[k]] -= change;
      largest = std::max(largest, std::abs(change) / dependent_unit_(index(k)));
    }
    if (implicit_ && largest > kConverged) continue;
    if (implicit_ && smallest_pivot() < kNearSingular && refine(numbering, q, demand)) {
      for (std::size_t k = 0; k < places_.size(); ++k) {
        q[places_[k]] = static_cast<double>(fine_.position(index(k)));
      }
    }
    return {};
  }
  return {Status::constraints_apart, places_.front()};
}

// Of D_d's last factorization, over the largest: of all coordinates as lengths.
double CurvedGroup::smallest_pivot() const {
  const auto pivots = plain_.lu.matrixLU().diagonal().cwiseAbs().cwiseProduct(dependent_unit_);
  const double ratio = pivots.minCoeff() / pivots.maxCoeff();
  return ratio >= 0 ? ratio : 0;  // no number: no rank
}

// Positions, D_d and D_i in extended precision, from q. False if q was not a solution to rounding.
bool CurvedGroup::refine(const Numbering& numbering, std::span<const double> q,
                         const Demand& demand) {
  for (std::size_t k = 0; k < places_.size(); ++k) fine_.position(index(k)) = q[places_[k]];
  const auto value = [&](int c) -> long double {
    const auto dependent = order_.find(c);
    return dependent != order_.end() ? fine_.position(dependent->second)
                                     : q[at(numbering.place[at(c)])];
  };
  for (int iteration = 0; iteration < kMostRefinements; ++iteration) {
    fill_residual(fine_, value, demand);
    fill_d(fine_, demand.t, value);
    fine_.lu.compute(fine_.d_dependent);
    fine_.change = fine_.lu.solve(fine_.residual);
    const long double largest =
        fine_.change.cwiseQuotient(dependent_unit_.cast<long double>()).cwiseAbs().maxCoeff();
    if (!(largest <= kRounding)) return false;
    fine_.position -= fine_.change;
    if (largest <= kRefined) break;
  }
  fill_d(fine_, demand.t, value);
  return true;
}

Outcome CurvedGroup::update(const Numbering& numbering, std::span<const double> q,
                            const Demand& demand) {
  fill_d(plain_, demand.t, [&](int c) { return q[at(numbering.place[at(c)])]; });
  if (implicit_) {
    plain_.lu.compute(plain_.d_dependent);
    closeness_ = smallest_pivot();
    if (near_singular() && refine(numbering, q, demand)) {
      fine_.lu.compute(fine_.d_dependent);
      h_ = fine_.lu.inverse().cast<double>();
      // Eigen's solution of no columns binds a reference to nothing.
      if (g_.cols() > 0) g_ = -fine_.lu.solve(fine_.d_independent).cast<double>();
      return h_.allFinite() ? Outcome{} : Outcome{Status::constraints_apart, places_.front()};
    }
    h_ = plain_.lu.inverse();
    if (!h_.allFinite()) return {Status::constraints_apart, places_.front()};
  }
  g_.noalias() = -h_ * plain_.d_independent;
  return {};
}

double CurvedGroup::wear() const {
  if (!implicit_ || g_.cols() == 0) return 0;
  const auto scaled =
      dependent_unit_.cwiseInverse().asDiagonal() * g_ * independent_unit_.asDiagonal();
  return Eigen::MatrixXd(scaled).cwiseAbs().maxCoeff();
}

}  // namespace fem
