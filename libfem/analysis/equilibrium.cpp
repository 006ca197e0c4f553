#include "libfem/analysis/equilibrium.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "libfem/constraint/projection.hpp"

namespace fem {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kIncrement = 1e-9;  // largest last increment, in units u
constexpr double kResidual = 1e-9;   // of the largest force that is to be balanced
constexpr double kRounding = 1e-14;  // of the stiffest spring times u: what a residual resolves
constexpr double kStalled = 1e-5;    // increments below this may stall at rounding
constexpr double kLargestIncrement = 20;  // in units u: beyond, nothing is near
constexpr int kFewIterations = 16;        // afterwards every increment must halve
constexpr int kMostIterations = 40;
constexpr int kInverseIterations = 6;
constexpr double kPart = 0.7;  // of the load, while the whole makes no finite forces
constexpr double kSmallestPart = 1e-3;

std::span<double> span(VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

Index index(std::size_t i) { return static_cast<Index>(i); }

}  // namespace

Equilibrium::Equilibrium(System& system, double time, double load_unit,
                         std::span<const double> start)
    : system_(&system), time_(time), load_unit_(load_unit) {
  set_units();
  set_force_scales(start);
}

void Equilibrium::set_units() {
  const Model& model = system_->model();
  const Index n = index(system_->independent());
  kinds_.assign(static_cast<std::size_t>(n), Kind::spare);
  std::array<double, 3> count{};
  for (int c = 0; c < model.coordinates(); ++c) {
    const std::size_t place = system_->place(c);
    if (place >= kinds_.size()) continue;
    const bool angle = model.is_angle[static_cast<std::size_t>(c)] != 0;
    kinds_[place] = angle ? Kind::angle : Kind::position;
    ++count[static_cast<std::size_t>(kinds_[place])];
  }
  units_ = VectorXd::Zero(n);
  weights_ = VectorXd::Zero(n);
  for (Index i = 0; i < n; ++i) {
    const Kind kind = kinds_[static_cast<std::size_t>(i)];
    if (kind == Kind::spare) continue;
    units_(i) = kind == Kind::angle ? 1.0 : model.size;
    weights_(i) = 1 / (units_(i) * units_(i) * count[static_cast<std::size_t>(kind)]);
  }
}

// A residual is small against the largest force of the undeformed structure under all of its load,
// or against what the rounding of the coordinates makes of the stiffest entries.
void Equilibrium::set_force_scales(std::span<const double> start) {
  const Index n = units_.size();
  VectorXd q = Eigen::Map<const VectorXd>(start.data(), index(start.size()));
  VectorXd full(n);
  initial_.setZero(n);
  residual_.setZero(n);
  residual_rate_.setZero(n);
  assemble(0, q, initial_);
  const VectorXd diagonal = system_->assembled_matrix().diagonal();
  assemble_full_load(q, full);
  const double stiffest =  // times u²
      n == 0 ? 0 : diagonal.cwiseAbs().cwiseProduct(units_).cwiseProduct(units_).maxCoeff();
  const auto largest = [&](const VectorXd& r) {
    return r.cwiseAbs().cwiseProduct(units_).maxCoeff();
  };
  const double force = n == 0 ? 0 : std::max(largest(full), largest(initial_));
  VectorXd rounding = VectorXd::Constant(n, std::numeric_limits<double>::infinity());
  tolerance_ = rounding;  // spare places are always balanced
  soft_.setZero(n);
  for (Index i = 0; i < n; ++i) {
    if (units_(i) == 0) continue;
    rounding(i) = kRounding * stiffest / units_(i);
    tolerance_(i) = kResidual * force / units_(i) + rounding(i);
    soft_(i) = tolerance_(i) / units_(i);
  }
  starts_balanced_ = (initial_.cwiseAbs().array() <= rounding.array()).all();
  // Elastic forces are the same in both. A structure that only moves is loaded, too.
  has_load_ = (full.array() != initial_.array()).any() || is_moved();
}

// Forces of the undeformed structure under all of its load. A prescribed change may put both ends
// of an element into one place: the rest of the structure will have followed when it comes to that.
void Equilibrium::assemble_full_load(VectorXd& q, VectorXd& full) {
  double load = 1;
  assemble(load, q, full);
  while (!full.allFinite() && load > kSmallestPart) {
    load *= kPart;
    assemble(load, q, full);
  }
  if (load < 1) full = initial_ + (full - initial_) / load;
}

bool Equilibrium::is_moved() const {
  const Model& model = system_->model();
  return std::any_of(model.rows.begin(), model.rows.end(), [&](const Row& row) {
    return row_value(model, row, time_, Side::before).value != 0;
  });
}

void Equilibrium::assemble(double load, VectorXd& q, VectorXd& r) {
  system_->assemble_statics(time_, settling_ ? 0.0 : load, span(q), span(r));
  if (settling_) r -= (1 - load) * initial_;
  ++evaluations_;
}

// r, r_λ, and the matrix and forces of y.
void Equilibrium::assemble_with_rate(PathPoint& y) {
  if (settling_) {
    assemble(y.load, y.q, residual_);
    residual_rate_ = initial_;
    return;
  }
  system_->assemble_load_rate(time_, y.load, span(y.q), span(residual_), span(residual_rate_));
  ++evaluations_;
}

void Equilibrium::evaluate(PathPoint& y) { assemble(y.load, y.q, residual_); }

// Largest residual over its tolerance.
double Equilibrium::imbalance(std::size_t& worst) const {
  double largest = 0;
  for (Index i = 0; i < residual_.size(); ++i) {
    const double ratio = std::abs(residual_(i)) / tolerance_(i);
    if (ratio <= largest) continue;
    worst = static_cast<std::size_t>(i);
    if (std::isnan(ratio)) return ratio;
    largest = ratio;
  }
  return largest;
}

double Equilibrium::size_of(const VectorXd& change) const {
  double largest = 0;
  for (Index i = 0; i < units_.size(); ++i) {
    if (units_(i) != 0) largest = std::max(largest, std::abs(change(i)) / units_(i));
  }
  return largest;
}

Correction Equilibrium::correct(PathPoint& y, const Direction& normal) {
  Correction result;
  const Index n = units_.size();
  const bool holds_load = normal.q.size() == 0;
  double last = std::numeric_limits<double>::infinity();
  double before_last = last;
  for (;; ++result.iterations) {
    assemble_with_rate(y);
    const double unbalanced = imbalance(result.worst);
    if (!std::isfinite(unbalanced)) return result;
    if (!factorize(y, holds_load, result.negative)) return result;
    const bool stalled = last <= kStalled && last > 0.5 * before_last;
    if (unbalanced <= 1 && (last <= kIncrement || stalled)) {
      result.converged = true;
      return result;
    }
    const bool slow = result.iterations >= kFewIterations && last > 0.5 * before_last;
    if (slow || result.iterations == kMostIterations) return result;

    Direction change{solve(-residual_), 0};
    if (!holds_load) {
      const Direction rate = load_rate();
      change.load = -dot(normal, change) / dot(normal, rate);
      change.q += change.load * rate.q;
    }
    before_last = last;
    last = std::max(size_of(change.q), std::abs(change.load) / load_unit_);
    if (!(last <= kLargestIncrement)) return result;
    y.q.head(n) += change.q;
    y.load += change.load;
  }
}

Direction Equilibrium::load_rate() { return {solve(-residual_rate_), 1}; }

// Where K is singular to the last bit, as on a spring of constant moment, the load says nothing of
// how far the structure moves: the distance along the path does, if K is held by springs that
// balance does not see.
bool Equilibrium::factorize(PathPoint& y, bool holds_load, int& negative) {
  if (!system_->factorize_assembled(Pivots::nonzero, negative).ok()) {
    if (holds_load) return false;
    assemble_with_rate(y);
    system_->stiffen_assembled(span(soft_));
    if (!system_->factorize_assembled(Pivots::nonzero, negative).ok()) return false;
  }
  followers_ = settling_ ? std::vector<System::FollowerTerm>()
                         : system_->follower_terms(time_, y.load, {y.q.data(), system_->size()});
  const auto count = index(followers_.size());
  if (count == 0) return true;
  followers_solved_.setZero(units_.size(), count);
  for (Index k = 0; k < count; ++k) {
    VectorXd u = VectorXd::Zero(units_.size());
    for (const auto& [place, value] : followers_[static_cast<std::size_t>(k)].u) {
      u(index(place)) += value;
    }
    system_->solve_factorized(span(u));
    followers_solved_.col(k) = u;
  }
  Eigen::MatrixXd coupling = Eigen::MatrixXd::Identity(count, count);
  for (Index j = 0; j < count; ++j) coupling.col(j) += follower_products(followers_solved_.col(j));
  coupling_.compute(coupling);
  return true;
}

// wᵀx of every follower load.
VectorXd Equilibrium::follower_products(const VectorXd& x) const {
  VectorXd products = VectorXd::Zero(index(followers_.size()));
  for (Index k = 0; k < products.size(); ++k) {
    for (const auto& [place, value] : followers_[static_cast<std::size_t>(k)].w) {
      products(k) += value * x(index(place));
    }
  }
  return products;
}

// K⁻¹ b
VectorXd Equilibrium::solve(VectorXd b) const {
  system_->solve_factorized(span(b));
  if (!followers_.empty()) b -= followers_solved_ * coupling_.solve(follower_products(b));
  return b;
}

double Equilibrium::load_work(const Direction& direction) const {
  return -residual_rate_.dot(direction.q);
}

double Equilibrium::critical_motion(VectorXd& motion) const {
  const Index n = units_.size();
  if (motion.size() != n) {
    motion = VectorXd::Zero(n);
    for (Index i = 0; i < n; ++i) {  // nothing is orthogonal to it by symmetry
      motion(i) = units_(i) * (1 + 0.5 * std::sin(static_cast<double>(i)));
    }
  }
  double eigenvalue = 0;
  for (int i = 0; i < kInverseIterations; ++i) {
    motion /= std::sqrt(motion.cwiseProduct(weights_).dot(motion));
    VectorXd next = motion.cwiseProduct(weights_);
    system_->solve_factorized(span(next));
    eigenvalue = 1 / motion.cwiseProduct(weights_).dot(next);
    motion = next;
  }
  motion /= std::sqrt(motion.cwiseProduct(weights_).dot(motion));
  return eigenvalue;
}

double Equilibrium::dot(const Direction& a, const Direction& b) const {
  return a.q.cwiseProduct(weights_).dot(b.q) + a.load * b.load / (load_unit_ * load_unit_);
}

double Equilibrium::norm(const Direction& a) const { return std::sqrt(dot(a, a)); }

Direction Equilibrium::difference(const PathPoint& a, const PathPoint& b) const {
  const Index n = units_.size();
  return {b.q.head(n) - a.q.head(n), b.load - a.load};
}

double Equilibrium::largest_turn(const Direction& change) const {
  double largest = 0;
  for (Index i = 0; i < units_.size(); ++i) {
    if (kinds_[static_cast<std::size_t>(i)] != Kind::angle) continue;
    largest = std::max(largest, std::abs(change.q(i)));
  }
  return largest;
}

std::size_t Equilibrium::largest_entry(const Direction& change) const {
  Index largest = 0;
  for (Index i = 1; i < units_.size(); ++i) {
    const auto size = [&](Index k) {
      return units_(k) == 0 ? 0 : std::abs(change.q(k)) / units_(k);
    };
    if (size(i) > size(largest)) largest = i;
  }
  return static_cast<std::size_t>(largest);
}

}  // namespace fem
