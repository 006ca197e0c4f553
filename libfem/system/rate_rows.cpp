// Rows of rates, and the system under them.
#include "libfem/system/rate_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libfem/system/system.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

constexpr double kDependent = 1e-10;  // pivot over the largest

}  // namespace

RateRows::RateRows(std::vector<int> rows, std::vector<double> units)
    : rows_(std::move(rows)), units_(Eigen::VectorXd::Map(units.data(), index(units.size()))) {
  c_.setZero(units_.size(), index(rows_.size()));
}

bool RateRows::choose() {
  places_.clear();
  Eigen::MatrixXd scaled = units_.asDiagonal() * c_;
  scaled.colwise().normalize();  // whatever units the rows are written in
  Eigen::FullPivLU<Eigen::MatrixXd> lu(scaled);
  lu.setThreshold(kDependent);
  if (lu.rank() < c_.cols()) return false;
  // Rows of C in the order into which elimination has brought them.
  const Eigen::PermutationMatrix<Eigen::Dynamic> order = lu.permutationP().inverse();
  for (Eigen::Index k = 0; k < c_.cols(); ++k) {
    places_.push_back(at(order.indices()(k)));
  }
  return true;
}

Eigen::MatrixXd RateRows::pivots() const {
  Eigen::MatrixXd p(c_.cols(), c_.cols());
  for (std::size_t k = 0; k < places_.size(); ++k) p.row(index(k)) = c_.row(index(places_[k]));
  return p;
}

Outcome RateRows::correct(const Eigen::VectorXd& residual, std::span<double> v) const {
  const Eigen::VectorXd change = pivots().transpose().partialPivLu().solve(residual);
  for (std::size_t k = 0; k < places_.size(); ++k) {
    if (!std::isfinite(change(index(k)))) return {Status::constraints_apart, places_[k]};
    v[places_[k]] += change(index(k));
  }
  return {};
}

double RateRows::wear() const {
  if (empty()) return 0;
  const Eigen::MatrixXd scaled = units_.asDiagonal() * c_;
  Eigen::MatrixXd p(c_.cols(), c_.cols());
  for (std::size_t k = 0; k < places_.size(); ++k) p.row(index(k)) = scaled.row(index(places_[k]));
  return (scaled * p.partialPivLu().inverse()).cwiseAbs().maxCoeff();
}

// C = D 𝒯ᵀ at the positions q, with the G of the last update.
void System::update_rate_rows(double t, std::span<const double> q) {
  if (rate_rows_.empty()) return;
  const auto position = [&](int c) { return q[place(c)]; };
  rate_rows_.c().setZero();
  rate_terms_.clear();
  for (std::size_t r = 0; r < rate_rows_.rows().size(); ++r) {
    const Row& row = model_->rows[at(rate_rows_.rows()[r])];
    visit_terms(row, t, position, [&](int coordinate, double d) {
      rate_terms_.push_back({static_cast<int>(r), place(coordinate), d});
      for (const auto& [where, g] : independent_shares(coordinate)) {
        rate_rows_.c()(index(where), index(r)) += d * g;
      }
    });
  }
}

Eigen::VectorXd System::rate_residual(const std::vector<double>& right,
                                      std::span<const double> x) const {
  const auto& rows = rate_rows_.rows();
  Eigen::VectorXd residual(index(rows.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) residual(index(r)) = right[at(rows[r])];
  for (const RateTerm& term : rate_terms_) residual(term.row) -= term.weight * x[term.place];
  return residual;
}

// Velocities that satisfy the rows of rates: v_p from the others, and the dependent ones with them.
Outcome System::satisfy_rates(double t, std::span<const double> q, std::span<double> v) {
  if (rate_rows_.empty()) return {};
  update_rate_rows(t, q);
  const Outcome outcome = rate_rows_.correct(rate_residual(row_rate_, v), v);
  if (outcome.ok()) fill_dependents(v, row_rate_);
  return outcome;
}

// x, the free solution of the factorized system, gets the reactions that make D x = right.
Outcome System::constrain_rates(const std::vector<double>& right, std::span<double> x) {
  if (rate_rows_.empty()) return {};
  const Eigen::MatrixXd& c = rate_rows_.c();
  Eigen::MatrixXd mobility = c;  // M⁻¹Cᵀ
  for (Eigen::Index r = 0; r < c.cols(); ++r) {
    matrix_.solve({mobility.col(r).data(), independent_});
  }
  const Eigen::VectorXd mu =
      (c.transpose() * mobility).ldlt().solve(rate_residual(right, x)).eval();
  if (!mu.allFinite()) return {Status::singular_mass, rate_rows_.places().front()};
  Eigen::VectorXd::Map(x.data(), index(independent_)) += mobility * mu;
  fill_dependents(x, right);
  rate_multipliers_.assign(mu.data(), mu.data() + mu.size());
  std::fill(rate_force_.begin(), rate_force_.end(), 0.0);
  for (const RateTerm& term : rate_terms_) {
    rate_force_[term.place] += term.weight * mu(term.row);
  }
  return {};
}

// Where a choice of v_p would serve better, and whether there is any.
void System::choose_rates(double t, std::span<const double> q) {
  if (rate_rows_.empty()) return;
  update_rate_rows(t, q);
  if (rate_rows_.choose()) return;
  std::vector<Problem> problems;
  for (const int r : rate_rows_.rows()) {
    problems.push_back({model_->rows[at(r)].pointer,
                        "the constraints of rates depend on one another or on other constraints",
                        "remove one of them"});
  }
  throw InputError(std::move(problems));
}

}  // namespace fem
