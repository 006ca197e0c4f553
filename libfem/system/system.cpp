#include "libfem/system/system.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include <Eigen/Eigenvalues>

namespace fem {
namespace {

constexpr std::size_t kArea = kBlock * kBlock;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Largest natural frequency of the free, undeformed element.
double element_frequency(const RodConstants<double>& c) {
  const Vector6<double> q{0, 0, 0, 0, c.length, 0};
  const RodKinematics<double> k = calc_kinematics(c, q);
  const Matrix6<double> mass = mass_matrix(c, k).selfadjointView<Eigen::Lower>();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix6<double>> solver(
      elastic_tangent(c, k), mass, Eigen::EigenvaluesOnly);
  return std::sqrt(solver.eigenvalues().maxCoeff());
}

double highest_element_frequency(const Model& model) {
  double highest = 0;
  for (const auto& type : model.types) highest = std::max(highest, element_frequency(type));
  return highest;
}

}  // namespace

System::System(const Model& model, Parallelism parallelism)
    : model_(&model),
      parallelism_(parallelism),
      projection_(make_projection(model)),
      numbering_(make_numbering(model, projection_)),
      coordinate_count_(at(numbering_.size())),
      independent_(at(numbering_.independent)),
      rods_(model, numbering_),
      highest_frequency_(highest_element_frequency(model)),
      matrix_(numbering_.elimination, parallelism),
      buffer_(rods_.buffer_size()),
      row_position_(model.rows.size()),
      row_rate_(model.rows.size()),
      row_acceleration_(model.rows.size()),
      particular_(coordinate_count_) {
  compress_projection();
  list_driven();
  plan_assembly();
  for (std::size_t r = 0; r < model.rows.size(); ++r) row_position_[r] = model.rows[r].constant;
}

void System::compress_projection() {
  for (const auto& dependent : projection_.dependents) {
    for (const auto& [coordinate, g] : dependent.independents) {
      g_.index.push_back(numbering_.place[at(coordinate)]);
      g_.weight.push_back(g);
    }
    g_.start.push_back(static_cast<int>(g_.index.size()));
    for (const auto& [row, h] : dependent.rows) {
      h_.index.push_back(row);
      h_.weight.push_back(h);
    }
    h_.start.push_back(static_cast<int>(h_.index.size()));
  }
}

void System::list_driven() {
  for (std::size_t r = 0; r < model_->rows.size(); ++r) {
    if (model_->rows[r].law != kNone) moving_rows_.push_back(static_cast<int>(r));
  }
  std::vector<char> moves(projection_.dependents.size(), 0);
  for (std::size_t k = 0; k < projection_.dependents.size(); ++k) {
    for (const auto& [row, h] : projection_.dependents[k].rows) {
      if (model_->rows[at(row)].law != kNone) moves[k] = 1;
    }
    if (moves[k] != 0) moving_dependents_.push_back(static_cast<int>(k));
  }
  for (std::size_t e = 0; e < model_->elements.size(); ++e) {
    bool driven = false;
    for (std::size_t i = 0; i < 6; ++i) {
      const int k = projection_.dependent_of[at(model_->elements[e].coordinate[i])];
      if (k == kNone) continue;
      touches_.push_back({k, static_cast<int>(e), static_cast<int>(i)});
      driven = driven || moves[at(k)] != 0;
    }
    if (driven) driven_elements_.push_back(static_cast<int>(e));
  }
  std::stable_sort(touches_.begin(), touches_.end(),
                   [](const Touch& a, const Touch& b) { return a.dependent < b.dependent; });
  touch_start_.assign(projection_.dependents.size() + 1, 0);
  for (const Touch& touch : touches_) ++touch_start_[at(touch.dependent) + 1];
  for (std::size_t k = 1; k < touch_start_.size(); ++k) touch_start_[k] += touch_start_[k - 1];
  driven_inertia_.resize(6 * driven_elements_.size());
}

// Every entry of an element's matrix goes to the independent coordinates behind its own two.
void System::plan_assembly() {
  struct Share {
    int place;
    double weight;
  };
  const auto shares_of = [&](int coordinate, std::vector<Share>& shares) {
    shares.clear();
    const int k = projection_.dependent_of[at(coordinate)];
    if (k == kNone) {
      shares.push_back({numbering_.place[at(coordinate)], 1.0});
      return;
    }
    for (int i = g_.start[at(k)]; i < g_.start[at(k) + 1]; ++i) {
      shares.push_back({g_.index[at(i)], g_.weight[at(i)]});
    }
  };
  constexpr int block = static_cast<int>(kBlock);
  std::vector<GatherPlan::Contribution> diagonal, off_diagonal, force;
  std::array<std::vector<Share>, 6> shares;
  std::size_t next_driven = 0;
  for (int e = 0; e < static_cast<int>(model_->elements.size()); ++e) {
    for (std::size_t i = 0; i < 6; ++i) {
      shares_of(model_->elements[at(e)].coordinate[i], shares[i]);
    }
    const bool driven = next_driven < driven_elements_.size() && driven_elements_[next_driven] == e;
    for (int i = 0; i < 6; ++i) {
      for (const Share& row : shares[at(i)]) {
        force.push_back({row.place, RodPool::force_index(e, i), row.weight});
        if (driven) {
          driven_targets_.push_back({row.place, static_cast<int>(6 * next_driven) + i, row.weight});
        }
        for (int j = 0; j < 6; ++j) {
          for (const Share& column : shares[at(j)]) {
            const int ib = row.place / block;
            const int jb = column.place / block;
            const int inner = (row.place % block) * block + column.place % block;
            const double weight = row.weight * column.weight;
            const int source = RodPool::mass_index(e, i, j);
            if (ib == jb && row.place >= column.place) {
              diagonal.push_back({static_cast<int>(kArea) * ib + inner, source, weight});
            } else if (ib > jb) {
              const int entry = matrix_.structure().entry(ib, jb);
              off_diagonal.push_back({static_cast<int>(kArea) * entry + inner, source, weight});
            }
          }
        }
      }
    }
    if (driven) ++next_driven;
  }
  std::vector<double> base(matrix_.diagonal().size(), 0.0);
  for (std::size_t p = 0; p < independent_; ++p) {
    const bool spare = numbering_.coordinate[p] == kNone;
    if (spare) base[kArea * (p / kBlock) + (kBlock + 1) * (p % kBlock)] = 1.0;
  }
  diagonal_plan_ = GatherPlan(std::move(diagonal), std::move(base));
  off_diagonal_plan_ =
      GatherPlan(std::move(off_diagonal), std::vector<double>(matrix_.off_diagonal().size(), 0.0));
  force_plan_ = GatherPlan(std::move(force), std::vector<double>(independent_, 0.0));
}

std::vector<double> System::initial_positions() const {
  std::vector<double> q(size(), 0.0);
  for (std::size_t c = 0; c < model_->initial.size(); ++c) {
    q[at(numbering_.place[c])] = model_->initial[c];
  }
  return q;
}

void System::update_rows(double t, Side side) {
  for (const int r : moving_rows_) {
    const Row& row = model_->rows[at(r)];
    const LawValue value = row_value(*model_, row, t, side);
    row_position_[at(r)] = row.constant + value.value;
    row_rate_[at(r)] = value.rate;
    row_acceleration_[at(r)] = value.acceleration;
  }
}

// Σ H_kr values_r
double System::row_sum(const std::vector<double>& values, int k) const {
  double sum = 0;
  for (int i = h_.start[at(k)]; i < h_.start[at(k) + 1]; ++i) {
    sum += h_.weight[at(i)] * values[at(h_.index[at(i)])];
  }
  return sum;
}

// x_d = G x_i + H values
void System::fill_dependents(std::span<double> x, const std::vector<double>& row_values) const {
  for (std::size_t k = 0; k < projection_.dependents.size(); ++k) {
    double sum = row_sum(row_values, static_cast<int>(k));
    for (int i = g_.start[k]; i < g_.start[k + 1]; ++i) {
      sum += g_.weight[at(i)] * x[at(g_.index[at(i)])];
    }
    x[independent_ + k] = sum;
  }
}

void System::complete(double t, Side side, std::span<double> q, std::span<double> v) {
  update_rows(t, side);
  fill_dependents(q, row_position_);
  fill_dependents(v, row_rate_);
}

double System::element_force(int e, int i, std::span<const double> a) const {
  double sum = buffer_[at(RodPool::force_index(e, i))];
  for (int j = 0; j < 6; ++j) {
    sum += buffer_[at(RodPool::mass_index(e, i, j))] *
           a[place(model_->elements[at(e)].coordinate[at(j)])];
  }
  return sum;
}

// x_i −= 𝒯 M a_p, from the elements that hold moving dependents.
void System::subtract_driven_inertia(std::span<const double> particular) {
  for (std::size_t n = 0; n < driven_elements_.size(); ++n) {
    const int e = driven_elements_[n];
    for (int i = 0; i < 6; ++i) {
      driven_inertia_[6 * n + at(i)] =
          element_force(e, i, particular) - buffer_[at(RodPool::force_index(e, i))];
    }
  }
}

// A factorization stops at a pivot that is no number as at one that is not positive: tell them
// apart.
Outcome System::explain_failure(std::span<const double> q, const Outcome& outcome) const {
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (!std::isfinite(q[i])) return {Status::not_finite, i};
  }
  const bool finite =
      std::all_of(buffer_.begin(), buffer_.end(), [](double x) { return std::isfinite(x); });
  return finite ? outcome : Outcome{Status::not_finite, outcome.where};
}

// (𝒯M𝒯ᵀ) x_i = −𝒯(forces in the buffer + M particular_), leaving x_d = 0.
Outcome System::solve_independent(std::span<double> x) {
  diagonal_plan_.gather(parallelism_, buffer_, matrix_.diagonal());
  off_diagonal_plan_.gather(parallelism_, buffer_, matrix_.off_diagonal());
  const std::span<double> b = x.first(independent_);
  force_plan_.gather(parallelism_, buffer_, b);
  if (!driven_elements_.empty()) {
    subtract_driven_inertia(particular_);
    for (const auto& d : driven_targets_) {
      b[at(d.target)] += d.weight * driven_inertia_[at(d.source)];
    }
  }
  for (double& value : b) value = -value;
  const Outcome outcome = matrix_.factorize();
  if (!outcome.ok()) return outcome;
  matrix_.solve(b);
  return {};
}

Outcome System::acceleration(double t, Side side, std::span<double> q, std::span<double> v,
                             std::span<double> a) {
  complete(t, side, q, v);
  rods_.evaluate(parallelism_, q, v, buffer_);
  for (const int k : moving_dependents_) {
    particular_[independent_ + at(k)] = row_sum(row_acceleration_, k);
  }
  const Outcome outcome = solve_independent(a);
  if (!outcome.ok()) return explain_failure(q, outcome);
  fill_dependents(a, row_acceleration_);
  return {};
}

std::vector<double> System::reactions(std::span<const double> a) const {
  std::vector<double> lambda(model_->rows.size(), 0.0);
  for (std::size_t k = 0; k < projection_.dependents.size(); ++k) {
    double force = 0;
    for (int i = touch_start_[k]; i < touch_start_[k + 1]; ++i) {
      force += element_force(touches_[at(i)].element, touches_[at(i)].local, a);
    }
    for (int i = h_.start[k]; i < h_.start[k + 1]; ++i) {
      lambda[at(h_.index[at(i)])] += h_.weight[at(i)] * force;
    }
  }
  return lambda;
}

double System::drive_power(std::span<const double> a) const {
  double power = 0;
  for (const int k : moving_dependents_) {
    const double rate = row_sum(row_rate_, k);
    if (rate == 0) continue;
    double force = 0;
    for (int i = touch_start_[at(k)]; i < touch_start_[at(k) + 1]; ++i) {
      force += element_force(touches_[at(i)].element, touches_[at(i)].local, a);
    }
    power += force * rate;
  }
  return power;
}

// (𝒯M𝒯ᵀ) v_i⁺ = 𝒯 M (v⁻ − v_p⁺), v⁺ = 𝒯ᵀ v_i⁺ + v_p⁺; Λ = Hᵀ[M(v⁺ − v⁻)]_d.
Outcome System::jump(double t, std::span<double> q, std::span<double> v,
                     std::vector<double>& impulses) {
  const std::vector<double> before(v.begin(), v.end());
  update_rows(t, Side::after);
  fill_dependents(q, row_position_);
  rods_.evaluate(parallelism_, q, before, buffer_);
  std::vector<double> minus(before.size());
  std::transform(before.begin(), before.end(), minus.begin(), [](double x) { return -x; });
  rods_.multiply_mass(parallelism_, minus, buffer_);  // −𝒯(forces) becomes 𝒯 M v⁻
  for (const int k : moving_dependents_) {
    particular_[independent_ + at(k)] = row_sum(row_rate_, k);
  }
  const Outcome outcome = solve_independent(v);
  if (!outcome.ok()) return explain_failure(q, outcome);
  fill_dependents(v, row_rate_);
  impulses = reactions(v);  // M v⁺ plus the buffer's −M v⁻
  return {};
}

Energies System::energies(std::span<const double> q, std::span<const double> v) {
  rods_.evaluate(parallelism_, q, v, buffer_);
  rods_.multiply_mass(parallelism_, v, buffer_);
  Energies energies;
  for (std::size_t e = 0; e < model_->elements.size(); ++e) {
    const Element& element = model_->elements[e];
    Vector6<double> x;
    for (int i = 0; i < 6; ++i) {
      const std::size_t p = place(element.coordinate[at(i)]);
      x(i) = q[p];
      energies.kinetic += 0.5 * v[p] * buffer_[at(RodPool::force_index(static_cast<int>(e), i))];
    }
    const RodConstants<double>& c = model_->types[at(element.type)];
    energies.strain += strain_energy(c, calc_kinematics(c, x));
  }
  return energies;
}

System::Violation System::violation(double t, Side side, std::span<const double> q,
                                    std::span<const double> v) const {
  Violation worst;
  for (const Row& row : model_->rows) {
    const LawValue value = row_value(*model_, row, t, side);
    double f = -(row.constant + value.value);
    double rate = -value.rate;
    for (const auto& [coordinate, c] : row.terms) {
      f += c * q[place(coordinate)];
      rate += c * v[place(coordinate)];
    }
    worst.position = std::max(worst.position, std::abs(f));
    worst.velocity = std::max(worst.velocity, std::abs(rate));
  }
  return worst;
}

std::string System::describe_unknown(std::size_t place) const {
  const int coordinate = place < size() ? numbering_.coordinate[place] : kNone;
  if (coordinate == kNone) return "a spare unknown";
  for (const Node& node : model_->nodes) {
    if (coordinate == node.x) return "X of '" + node.name + "'";
    if (coordinate == node.x + 1) return "Y of '" + node.name + "'";
  }
  for (const Rod& rod : model_->rods) {
    for (int k = 0; k < rod.elements(); ++k) {
      const auto& c = model_->elements[at(rod.first_element + k)].coordinate;
      const bool first = c[2] == coordinate;
      if (!first && c[3] != coordinate) continue;
      const int node = rod.nodes[at(first ? k : k + 1)];
      return "the angle of rod '" + rod.name + "' at '" + model_->nodes[at(node)].name + "'";
    }
  }
  return "an unknown";
}

}  // namespace fem
