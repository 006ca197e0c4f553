#include "libfem/system/system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include <Eigen/Eigenvalues>

#include "libfem/frame/frame_motion.hpp"

namespace fem {
namespace {

constexpr std::size_t kArea = kBlock * kBlock;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

int rod_entries(const Model& model) {
  const std::size_t tiles = (model.elements.size() + kLanes - 1) / kLanes;
  return RodPool::kEntries * static_cast<int>(tiles * kLanes);
}

// Rows with a formula of positions are objects too: their forces change with the configuration.
bool has_stencil(const Row& row) { return row.formula.has_value() && !row.of_rates; }

std::vector<Stencil> make_stencils(const Model& model) {
  std::vector<Stencil> stencils;
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    stencils.push_back(RodPool::stencil(model.elements[e], static_cast<int>(e)));
  }
  int base = rod_entries(model);
  const auto add = [&](const std::vector<Stencil>& more) {
    stencils.insert(stencils.end(), more.begin(), more.end());
    for (const Stencil& s : more) base += Stencil::entries(s.count);
  };
  add(Attachments::make_stencils(model, base));
  add(HereditaryPool::make_stencils(model, base));
  add(RodMemory::make_stencils(model, base));
  for (const Row& row : model.rows) {  // what they add in statics needs a place
    if (!has_stencil(row)) continue;
    Stencil s{.count = static_cast<int>(row.formula->coordinates.size()), .base = base};
    std::copy(row.formula->coordinates.begin(), row.formula->coordinates.end(),
              s.coordinate.begin());
    add({s});
  }
  return stencils;
}

static_assert(kMostFormulaCoordinates <= Stencil::kMost);

// Units of independent unknowns: lengths count as angles times the size of the model.
std::vector<double> make_units(const Model& model, const Numbering& numbering) {
  const double size = model.size > 0 ? model.size : 1.0;
  std::vector<double> units;
  for (int p = 0; p < numbering.independent; ++p) {
    const int c = numbering.coordinate[at(p)];
    units.push_back(c == kNone || model.is_angle[at(c)] != 0 ? 1.0 : size);
  }
  return units;
}

// Largest natural frequency of the free, undeformed element.
double element_frequency(const RodConstants<double>& c) {
  const Vector6<double> q{0, 0, 0, 0, c.length, 0};
  const RodKinematics<double> k = calc_kinematics(c, q);
  const Matrix6<double> mass =
      mass_matrix(c, k, {c.static_moment != 0}).selfadjointView<Eigen::Lower>();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix6<double>> solver(
      elastic_tangent(c, k), mass, Eigen::EigenvaluesOnly);
  return std::sqrt(solver.eigenvalues().maxCoeff());
}

double highest_element_frequency(const Model& model) {
  double highest = 0;
  for (const auto& type : model.types) highest = std::max(highest, element_frequency(type));
  return highest;
}

// The stencils of one kind, which stand behind `before` others.
std::vector<Stencil> take(const std::vector<Stencil>& stencils, std::size_t before,
                          std::size_t count) {
  const auto begin = stencils.begin() + static_cast<std::ptrdiff_t>(before);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

std::size_t count_attachments(const Model& model) {
  return Attachments::make_stencils(model, 0).size();
}

}  // namespace

System::System(const Model& model, Parallelism parallelism, std::span<const double> natural,
               std::optional<double> highest_frequency, double t)
    : model_(&model),
      parallelism_(parallelism),
      projection_(make_projection(
          model, natural.empty() ? std::span<const double>(model.start) : natural, t)),
      stencils_(make_stencils(model)),
      first_row_stencil_(
          stencils_.size() -
          at(static_cast<int>(std::count_if(model.rows.begin(), model.rows.end(), has_stencil)))),
      numbering_(make_numbering(model, projection_, stencils_)),
      coordinate_count_(at(numbering_.size())),
      independent_(at(numbering_.independent)),
      rods_(model, numbering_),
      attachments_(model, numbering_,
                   take(stencils_, model.elements.size(), count_attachments(model))),
      hereditary_(model, numbering_,
                  take(stencils_, model.elements.size() + count_attachments(model),
                       model.hereditary.size())),
      rod_memory_(model, numbering_,
                  {stencils_.begin() + static_cast<std::ptrdiff_t>(model.elements.size() +
                                                                   count_attachments(model) +
                                                                   model.hereditary.size()),
                   stencils_.begin() + static_cast<std::ptrdiff_t>(first_row_stencil_)}),
      rate_rows_(projection_.rates, make_units(model, numbering_)),
      highest_frequency_(highest_frequency.value_or(0)),
      matrix_(numbering_.elimination, parallelism),
      row_position_(model.rows.size()),
      row_rate_(model.rows.size()),
      row_acceleration_(model.rows.size()),
      particular_(coordinate_count_),
      rate_force_(coordinate_count_) {
  compress_projection();
  for (const auto& group : projection_.groups) {
    groups_.emplace_back(model, projection_, group, numbering_);
  }
  list_touches();
  list_indirect();
  plan_assembly();
  for (std::size_t r = 0; r < model.rows.size(); ++r) row_position_[r] = model.rows[r].constant;
  update_rows(t, Side::before);
  start_groups(t, natural.empty() ? std::span<const double>(model.start) : natural);
  const auto damped = [](const Section& s) {
    return s.stiffness_damping != 0 || s.mass_damping != 0;
  };
  has_powers_ = stencils_.size() > model.elements.size() ||
                std::any_of(model.sections.begin(), model.sections.end(), damped);
  if (highest_frequency) return;
  highest_frequency_ = highest_element_frequency(model);
  if (stencils_.size() > model.elements.size()) {
    highest_frequency_ =
        std::max(highest_frequency_,
                 1.05 * estimate_highest_frequency(
                            natural.empty() ? std::span<const double>(model.start) : natural));
  }
}

// Springs and hinges may vibrate faster than any rod: power iteration on M⁻¹K of the first state.
double System::estimate_highest_frequency(std::span<const double> natural) {
  constexpr int most_iterations = 2000;
  constexpr int settled = 20;  // iterations over which the estimate must stand still
  constexpr double kStandsStill = 1e-4;
  std::vector<double> q = store(natural);
  std::vector<double> x(independent_), product(independent_);
  set_hereditary_stiffness(HereditaryStiffness::instantaneous);
  assemble_statics(0, 0, q, product);
  set_hereditary_stiffness(HereditaryStiffness::relaxed);
  const Eigen::SparseMatrix<double> stiffness = assembled_matrix();
  assemble_mass(q);
  int negative = 0;
  if (!factorize_assembled(Pivots::positive, negative).ok()) return 0;  // the run will say so
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (numbering_.coordinate[i] == kNone) continue;  // its ones would be a frequency of 1 rad/s
    x[i] = std::remainder(0.61803398874989485 * static_cast<double>(i + 1), 1.0);  // no pattern
  }
  double square = 0;
  double before = 0;
  using Map = Eigen::Map<Eigen::VectorXd>;
  Map from(x.data(), static_cast<Eigen::Index>(x.size()));
  Map to(product.data(), static_cast<Eigen::Index>(x.size()));
  for (int i = 1; i <= most_iterations && from.norm() > 0; ++i) {
    from.normalize();
    to.noalias() = stiffness * from;
    solve_factorized(product);
    square = to.norm();
    from = to;
    if (i % settled != 0) continue;
    if (std::abs(square - before) <= kStandsStill * square) break;
    before = square;
  }
  return std::sqrt(square);
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

void System::list_touches() {
  is_curved_.assign(projection_.dependents.size(), 0);
  for (const auto& group : projection_.groups) {
    for (const int k : group.dependents) is_curved_[at(k)] = 1;
  }
  for (std::size_t r = 0; r < model_->rows.size(); ++r) {
    if (model_->rows[r].law != kNone) moving_rows_.push_back(static_cast<int>(r));
    if (is_curved(model_->rows[r])) curved_rows_.push_back(static_cast<int>(r));
  }
  moves_.assign(projection_.dependents.size(), 0);
  for (std::size_t k = 0; k < projection_.dependents.size(); ++k) {
    for (const auto& [row, h] : projection_.dependents[k].rows) {
      if (model_->rows[at(row)].law != kNone || is_curved(model_->rows[at(row)])) moves_[k] = 1;
    }
    if (moves_[k] != 0) moving_dependents_.push_back(static_cast<int>(k));
  }
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    for (int i = 0; i < stencils_[n].count; ++i) {
      const int k = projection_.dependent_of[at(stencils_[n].coordinate[at(i)])];
      if (k != kNone) touches_.push_back({k, static_cast<int>(n), i});
    }
  }
  std::stable_sort(touches_.begin(), touches_.end(),
                   [](const Touch& a, const Touch& b) { return a.dependent < b.dependent; });
  touch_start_.assign(projection_.dependents.size() + 1, 0);
  for (const Touch& touch : touches_) ++touch_start_[at(touch.dependent) + 1];
  for (std::size_t k = 1; k < touch_start_.size(); ++k) touch_start_[k] += touch_start_[k - 1];
}

bool System::is_indirect(const Stencil& stencil) const {
  for (int i = 0; i < stencil.count; ++i) {
    const int k = projection_.dependent_of[at(stencil.coordinate[at(i)])];
    if (k == kNone) continue;
    const int count = g_.start[at(k) + 1] - g_.start[at(k)];
    const bool plain = count == 0 || (count == 1 && g_.weight[at(g_.start[at(k)])] == 1.0);
    if (!plain || moves_[at(k)] != 0 || is_curved_[at(k)] != 0) return true;
  }
  return false;
}

System::Indirect System::make_indirect(int n, int base) const {
  const Stencil& stencil = stencils_[at(n)];
  Indirect result{.stencil = n, .places = {}, .weights = {}, .base = base};
  struct Share {
    int place;
    double weight;
    int entry;  // of G, where it changes
  };
  std::vector<std::vector<Share>> rows(at(stencil.count));
  for (int i = 0; i < stencil.count; ++i) {
    const int coordinate = stencil.coordinate[at(i)];
    const int k = projection_.dependent_of[at(coordinate)];
    if (k == kNone) rows[at(i)].push_back({numbering_.place[at(coordinate)], 1.0, kNone});
    for (int g = k == kNone ? 0 : g_.start[at(k)]; k != kNone && g < g_.start[at(k) + 1]; ++g) {
      rows[at(i)].push_back({g_.index[at(g)], g_.weight[at(g)], g});
    }
    for (const Share& share : rows[at(i)]) result.places.push_back(share.place);
  }
  auto& places = result.places;
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  result.weights.assign(rows.size() * places.size(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [place, w, entry] : rows[i]) {
      const auto column = std::lower_bound(places.begin(), places.end(), place) - places.begin();
      const std::size_t index = i * places.size() + static_cast<std::size_t>(column);
      result.weights[index] = w;
      if (entry != kNone && is_curved_[at(projection_.dependent_of[at(stencil.coordinate[i])])]) {
        result.renewed.push_back({static_cast<int>(index), entry});
      }
    }
  }
  return result;
}

void System::list_indirect() {
  int base = 0;
  for (const Stencil& s : stencils_) {
    base = std::max(base, s.base + s.stride * (Stencil::entries(s.count) - 1) + 1);
  }
  base = std::max(base, rod_entries(*model_));
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    if (!is_indirect(stencils_[n])) continue;
    indirect_.push_back(make_indirect(static_cast<int>(n), base));
    base += Stencil::entries(static_cast<int>(indirect_.back().places.size()));
  }
  buffer_.assign(at(base), 0.0);
}

// Every entry of an object's matrix goes to the places of its two coordinates.
void System::plan_assembly() {
  constexpr int block = static_cast<int>(kBlock);
  std::vector<GatherPlan::Contribution> diagonal, off_diagonal, force;
  const auto add = [&](const Stencil& s, std::span<const int> places) {
    for (int i = 0; i < s.count; ++i) {
      const int row = places[at(i)];
      if (row == kNone) continue;
      force.push_back({row, s.force_index(i)});
      for (int j = 0; j < s.count; ++j) {
        const int column = places[at(j)];
        if (column == kNone) continue;
        const int ib = row / block;
        const int jb = column / block;
        const int inner = (row % block) * block + column % block;
        if (ib == jb && row >= column) {
          diagonal.push_back({static_cast<int>(kArea) * ib + inner, s.matrix_index(i, j)});
        } else if (ib > jb) {
          const int entry = matrix_.structure().entry(ib, jb);
          off_diagonal.push_back({static_cast<int>(kArea) * entry + inner, s.matrix_index(i, j)});
        }
      }
    }
  };
  auto next = indirect_.begin();
  std::vector<int> places;
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    if (next != indirect_.end() && next->stencil == static_cast<int>(n)) {
      Stencil reduced{.count = static_cast<int>(next->places.size()), .base = next->base};
      add(reduced, next->places);
      ++next;
      continue;
    }
    places.clear();
    for (int i = 0; i < stencils_[n].count; ++i) {
      const int coordinate = stencils_[n].coordinate[at(i)];
      const int k = projection_.dependent_of[at(coordinate)];
      const bool fixed = k != kNone && g_.start[at(k)] == g_.start[at(k) + 1];
      places.push_back(k == kNone ? numbering_.place[at(coordinate)]
                       : fixed    ? kNone
                                  : g_.index[at(g_.start[at(k)])]);
    }
    add(stencils_[n], places);
  }
  std::vector<double> base(matrix_.diagonal().size(), 0.0);
  for (std::size_t p = 0; p < independent_; ++p) {
    const bool spare = numbering_.coordinate[p] == kNone;
    if (spare) base[kArea * (p / kBlock) + (kBlock + 1) * (p % kBlock)] = 1.0;
  }
  const std::size_t parts = GatherPlan::count_parts(matrix_.structure().blocks());
  diagonal_plan_ = GatherPlan(std::move(diagonal), base, kArea, parts);
  off_diagonal_plan_ =
      GatherPlan(std::move(off_diagonal), std::vector<double>(matrix_.off_diagonal().size(), 0.0),
                 kArea, parts);
  force_plan_ = GatherPlan(std::move(force), std::vector<double>(independent_, 0.0), kBlock, parts);
}

std::vector<double> System::store(std::span<const double> natural) const {
  std::vector<double> q(size(), 0.0);
  for (std::size_t c = 0; c < natural.size(); ++c) q[at(numbering_.place[c])] = natural[c];
  return q;
}

std::vector<double> System::initial_positions() const { return store(model_->start); }

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

// x_d = G x_i + H values; positions of curved rows are not to be had that way.
void System::fill_dependents(std::span<double> x, const std::vector<double>& row_values,
                             bool curved) const {
  for (std::size_t k = 0; k < projection_.dependents.size(); ++k) {
    if (!curved && is_curved_[k] != 0) continue;
    double sum = row_sum(row_values, static_cast<int>(k));
    for (int i = g_.start[k]; i < g_.start[k + 1]; ++i) {
      sum += g_.weight[at(i)] * x[at(g_.index[at(i)])];
    }
    x[independent_ + k] = sum;
  }
}

Outcome System::complete(double t, Side side, std::span<double> q, std::span<double> v) {
  update_rows(t, side);
  const Outcome outcome = fill_positions(t, q, row_position_);
  if (!outcome.ok()) return outcome;
  update_drift(t, side, q);
  fill_dependents(v, row_rate_);
  return satisfy_rates(t, q, v);
}

// Dependent positions, and G and H there.
Outcome System::fill_positions(double t, std::span<double> q,
                               const std::vector<double>& right_sides) {
  fill_dependents(q, right_sides, /*curved=*/false);
  if (groups_.empty()) return {};
  satisfied_ = right_sides;
  satisfied_time_ = t;
  for (CurvedGroup& group : groups_) {
    const Outcome outcome = group.solve_positions(numbering_, q, {t, right_sides});
    if (!outcome.ok()) return outcome;
  }
  return update_groups(q);
}

Outcome System::update_groups(std::span<const double> q) {
  for (CurvedGroup& group : groups_) {
    const Outcome outcome = group.update(numbering_, q, {satisfied_time_, satisfied_});
    if (!outcome.ok()) return outcome;
    const auto& dependents = group.members().dependents;
    for (std::size_t k = 0; k < dependents.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      const auto from_g = at(g_.start[at(dependents[k])]);
      const auto from_h = at(h_.start[at(dependents[k])]);
      for (Eigen::Index j = 0; j < group.g().cols(); ++j) {
        g_.weight[from_g + static_cast<std::size_t>(j)] = group.g()(row, j);
      }
      for (Eigen::Index j = 0; j < group.h().cols(); ++j) {
        h_.weight[from_h + static_cast<std::size_t>(j)] = group.h()(row, j);
      }
    }
  }
  for (Indirect& object : indirect_) {
    for (const auto& [weight, entry] : object.renewed) {
      object.weights[at(weight)] = g_.weight[at(entry)];
    }
  }
  return {};
}

// What the formulas of rows do by themselves: D v = φ̇ − drift.
void System::update_drift(double t, Side side, std::span<const double> q) {
  const auto position = [&](int c) { return q[place(c)]; };
  for (const int r : curved_rows_) {
    const Row& row = model_->rows[at(r)];
    if (!row.formula) continue;
    row_rate_[at(r)] = row_value(*model_, row, t, side).rate - row_drift(row, t, position);
  }
}

// What the curvature of the constraints adds to φ̈: D a = φ̈ − d/dt(D) v.
void System::update_curvature(double t, Side side, std::span<const double> q,
                              std::span<const double> v) {
  const auto position = [&](int c) { return q[place(c)]; };
  const auto rate = [&](int c) { return v[place(c)]; };
  for (const int r : curved_rows_) {
    const Row& row = model_->rows[at(r)];
    row_acceleration_[at(r)] =
        row_value(*model_, row, t, side).acceleration - row_curvature(row, t, position, rate);
  }
}

std::vector<char> System::follows_from_rates() const {
  std::vector<char> follows(independent_, 0);
  for (const std::size_t p : rate_rows_.places()) follows[p] = 1;
  return follows;
}

bool System::wants_new_dependents() const {
  if (rate_rows_.wear() > wear_limit_) return true;
  return std::any_of(groups_.begin(), groups_.end(),
                     [this](const CurvedGroup& group) { return group.wear() > wear_limit_; });
}

bool System::near_singular() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const CurvedGroup& group) { return group.near_singular(); });
}

bool System::is_uncertain() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const CurvedGroup& group) { return group.is_uncertain(); });
}

// G and H at the first configuration. A choice that is worn at once must become twice as bad before
// another one is asked for.
void System::start_groups(double t, std::span<const double> natural) {
  constexpr double least_wear = 4;
  wear_limit_ = least_wear;
  satisfied_ = row_position_;
  satisfied_time_ = t;
  const std::vector<double> q = store(natural);
  const Outcome outcome = update_groups(q);
  FEM_DEMAND(outcome.ok());
  choose_rates(t, q);
  wear_limit_ = std::max(wear_limit_, 2 * rate_rows_.wear());
  for (const CurvedGroup& group : groups_) {
    wear_limit_ = std::max(wear_limit_, 2 * group.wear());
  }
}

// (M a + f)_i of one object, from the buffer.
double System::object_force(int n, int i, std::span<const double> a) const {
  const Stencil& s = stencils_[at(n)];
  double sum = buffer_[at(s.force_index(i))];
  if (forces_are_whole_) return sum;
  for (int j = 0; j < s.count; ++j) {
    sum += buffer_[at(s.matrix_index(i, j))] * a[place(s.coordinate[at(j)])];
  }
  return sum;
}

// (M a + f) on a dependent coordinate.
double System::dependent_force(int k, std::span<const double> a) const {
  double force = 0;
  for (int i = touch_start_[at(k)]; i < touch_start_[at(k) + 1]; ++i) {
    force += object_force(touches_[at(i)].stencil, touches_[at(i)].local, a);
  }
  return force - rate_force_[independent_ + at(k)];
}

// WᵀMW and Wᵀ(f + M a_p) of the objects that need it; a_p is in particular_.
void System::reduce_indirect() {
  constexpr auto most = static_cast<std::size_t>(Stencil::kMost);
  for (const Indirect& object : indirect_) {
    const Stencil& s = stencils_[at(object.stencil)];
    const std::size_t count = at(s.count);
    const std::size_t n = object.places.size();
    const Stencil reduced{.count = static_cast<int>(n), .base = object.base};
    double mass[most][most], force[most];  // copied once: the buffer is a triangle with strides
    for (std::size_t i = 0; i < count; ++i) {
      force[i] = buffer_[at(s.force_index(static_cast<int>(i)))];
      for (std::size_t j = 0; j < count; ++j) {
        mass[i][j] = buffer_[at(s.matrix_index(static_cast<int>(i), static_cast<int>(j)))];
        if (!forces_are_whole_) force[i] += mass[i][j] * particular_[place(s.coordinate[j])];
      }
    }
    for (std::size_t u = 0; u < n; ++u) {
      double column[most];  // M W_u
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) {
        column[i] = 0;
        for (std::size_t j = 0; j < count; ++j) column[i] += mass[i][j] * object.weights[j * n + u];
        sum += object.weights[i * n + u] * force[i];
      }
      buffer_[at(reduced.force_index(static_cast<int>(u)))] = sum;
      for (std::size_t w = u; w < n; ++w) {
        double product = 0;
        for (std::size_t i = 0; i < count; ++i) product += object.weights[i * n + w] * column[i];
        buffer_[at(reduced.matrix_index(static_cast<int>(w), static_cast<int>(u)))] = product;
      }
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

void System::evaluate_objects(double t, Side side, std::span<const double> q,
                              std::span<const double> v) {
  forces_are_whole_ = false;
  rods_.evaluate(parallelism_, q, v, buffer_);
  attachments_.evaluate(t, side, q, v, buffer_);
  hereditary_.evaluate(t, side, q, buffer_);
  rod_memory_.evaluate(parallelism_, t, q, buffer_);
  clear_row_stencils();
}

void System::clear_row_stencils() {
  for (std::size_t n = first_row_stencil_; n < stencils_.size(); ++n) {
    const Stencil& s = stencils_[n];
    std::fill_n(buffer_.begin() + s.base, Stencil::entries(s.count), 0.0);
  }
}

void System::multiply_objects(std::span<const double> u, Product product) {
  rods_.multiply(parallelism_, u, buffer_, product);
  attachments_.multiply(u, buffer_, product);
  hereditary_.multiply(u, buffer_, product);
  rod_memory_.multiply(u, buffer_, product);
}

void System::change_sign(std::span<double> b) const {
  parallel_for(parallelism_, b.size(), vector_grain(b.size()),
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) b[i] = -b[i];
               });
}

// −𝒯(forces in the buffer + M a_p)
void System::gather_forces(std::span<double> b) {
  force_plan_.gather(parallelism_, buffer_, b);
  change_sign(b);
}

// Matrix and forces of the objects that need it in independent coordinates, then the sums; of the
// forces too, as gather_forces() does, where they are asked for: in one pass over the buffer.
void System::gather_matrix(BlockLdlt& matrix, std::optional<std::span<double>> forces) {
  reduce_indirect();
  const std::size_t parts = GatherPlan::count_parts(matrix.structure().blocks());
  GatherPlan::for_each_part(parallelism_, parts, [&](std::size_t part) {
    diagonal_plan_.gather_part(part, buffer_, matrix.diagonal());
    off_diagonal_plan_.gather_part(part, buffer_, matrix.off_diagonal());
    if (forces) force_plan_.gather_part(part, buffer_, *forces);
  });
  if (forces) change_sign(*forces);
}

// (𝒯M𝒯ᵀ) x_i = −𝒯(forces in the buffer + M a_p)
Outcome System::solve_independent(std::span<double> x) {
  const std::span<double> b = x.first(independent_);
  gather_matrix(matrix_, b);
  return matrix_.factorize_and_solve(b);
}

void System::start_memory(const TimeScales& scales, std::span<const double> q) {
  if (!hereditary_.empty()) hereditary_.start(scales, q);
  if (!rod_memory_.empty()) rod_memory_.start(scales, q);
}

void System::set_memory(const Memory& memory) {
  hereditary_.set_state(memory.elements);
  rod_memory_.set_state(memory.rods);
}

void System::commit_memory(double t, Side side, std::span<const double> q) {
  hereditary_.commit(t, side, q);
  rod_memory_.commit(parallelism_, t, q);
}

void System::set_hereditary_stiffness(HereditaryStiffness stiffness) noexcept {
  hereditary_.set_stiffness(stiffness);
  rod_memory_.set_stiffness(stiffness);
}

Outcome System::acceleration(double t, Side side, std::span<double> q, std::span<double> v,
                             std::span<double> a) {
  Outcome outcome = complete(t, side, q, v);
  if (outcome.ok()) outcome = attachments_.check(q);
  if (outcome.ok()) outcome = hereditary_.check(q);
  if (!outcome.ok()) return explain_failure(q, outcome);
  update_curvature(t, side, q, v);
  evaluate_objects(t, side, q, absolute_velocities(t, side, q, v));
  if (model_->frame) add_frame_forces(t, side, q, v);
  for (const int k : moving_dependents_) {
    particular_[independent_ + at(k)] = row_sum(row_acceleration_, k);
  }
  outcome = solve_independent(a);
  if (!outcome.ok()) return explain_failure(q, outcome);
  fill_dependents(a, row_acceleration_);
  return constrain_rates(row_acceleration_, a);
}

std::vector<double> System::reactions(std::span<const double> a) const {
  std::vector<double> lambda(model_->rows.size(), 0.0);
  for (std::size_t k = 0; k < projection_.dependents.size(); ++k) {
    const double force = dependent_force(static_cast<int>(k), a);
    for (int i = h_.start[k]; i < h_.start[k + 1]; ++i) {
      lambda[at(h_.index[at(i)])] += h_.weight[at(i)] * force;
    }
  }
  for (std::size_t r = 0; r < rate_multipliers_.size(); ++r) {
    lambda[at(rate_rows_.rows()[r])] = rate_multipliers_[r];
  }
  return lambda;
}

double System::drive_power(std::span<const double> a) const {
  double power = 0;
  for (const int k : moving_dependents_) {
    const double rate = row_sum(row_rate_, k);
    if (rate != 0) power += dependent_force(k, a) * rate;
  }
  for (std::size_t r = 0; r < rate_multipliers_.size(); ++r) {
    power += rate_multipliers_[r] * row_rate_[at(rate_rows_.rows()[r])];
  }
  return power;
}

// (𝒯M𝒯ᵀ) v_i⁺ = 𝒯 M (v⁻ − v_p⁺), v⁺ = 𝒯ᵀ v_i⁺ + v_p⁺; Λ = Hᵀ[M(v⁺ − v⁻)]_d. In a moving frame v⁻ is
// what the absolute velocities before look like from the frame after.
Outcome System::jump(double t, std::span<double> q, std::span<double> v,
                     std::vector<double>& impulses) {
  std::vector<double> before(v.begin(), v.end());
  update_rows(t, Side::after);
  Outcome outcome = fill_positions(t, q, row_position_);
  if (!outcome.ok()) return explain_failure(q, outcome);
  update_drift(t, Side::after, q);
  update_rate_rows(t, q);
  if (model_->frame) {
    const std::vector<double> old_frame = transport(t, Side::before, q);
    const std::vector<double> new_frame = transport(t, Side::after, q);
    for (std::size_t i = 0; i < before.size(); ++i) before[i] += old_frame[i] - new_frame[i];
  }
  evaluate_objects(t, Side::after, q, before);
  std::vector<double> minus(before.size());
  std::transform(before.begin(), before.end(), minus.begin(), [](double x) { return -x; });
  multiply_objects(minus);  // −𝒯(forces) becomes 𝒯 M v⁻
  for (const int k : moving_dependents_) {
    particular_[independent_ + at(k)] = row_sum(row_rate_, k);
  }
  outcome = solve_independent(v);
  if (!outcome.ok()) return explain_failure(q, outcome);
  fill_dependents(v, row_rate_);
  outcome = constrain_rates(row_rate_, v);
  if (!outcome.ok()) return explain_failure(q, outcome);
  impulses = reactions(v);  // M v⁺ plus the buffer's −M v⁻
  return {};
}

Energies System::energies(double t, Side side, std::span<const double> q, std::span<const double> v,
                          double factor) {
  const std::span<const double> w = absolute_velocities(t, side, q, v);
  evaluate_objects(t, side, q, w);
  multiply_objects(w);
  Energies sum = powers_of_motion(t, side, q, w);
  const auto& g = model_->gravity;
  for (std::size_t e = 0; e < model_->elements.size(); ++e) {
    const Element& element = model_->elements[e];
    Vector6<double> x;
    for (int i = 0; i < 6; ++i) {
      const std::size_t p = place(element.coordinate[at(i)]);
      x(i) = q[p];
      sum.kinetic += 0.5 * w[p] * buffer_[at(stencils_[e].force_index(i))];
    }
    const RodConstants<double>& c = model_->types[at(element.type)];
    const RodKinematics<double> k = calc_kinematics(c, x);
    sum.strain += strain_energy(c, k);
    if (g[0] != 0 || g[1] != 0) {
      const auto moment = first_moment(c, k, {x(0), x(1)});
      sum.gravity -= g[0] * moment[0] + g[1] * moment[1];
    }
  }
  const AttachmentPowers others = attachments_.powers(t, side, q, w);
  sum.kinetic += others.kinetic;
  sum.springs = others.springs;
  sum.gravity += others.gravity;
  if (model_->frame) sum.gravity = frame_gravity(t, side, q);
  for (std::size_t n = 0; n < model_->hereditary.size(); ++n) {
    const HereditaryAnswer e = hereditary_.answer(n, t, side, q, factor);
    sum.hereditary += e.stored;
    sum.forgotten += e.dissipated;
  }
  const RodMemory::Energy rods = rod_memory_.energy(t, q);
  sum.strain += rods.stored;
  sum.forgotten += rods.dissipated;
  return sum;
}

Momentum System::momentum(double t, Side side, std::span<const double> q,
                          std::span<const double> v) {
  const std::span<const double> w = absolute_velocities(t, side, q, v);
  evaluate_objects(t, side, q, w);
  multiply_objects(w);
  std::vector<double> momentum(at(model_->coordinates()), 0.0);  // M v
  for (const Stencil& s : stencils_) {
    for (int i = 0; i < s.count; ++i) {
      momentum[at(s.coordinate[at(i)])] += buffer_[at(s.force_index(i))];
    }
  }
  Momentum sum;
  for (const Node& node : model_->nodes) {
    const double x = momentum[at(node.x)];
    const double y = momentum[at(node.x) + 1];
    sum.linear[0] += x;
    sum.linear[1] += y;
    if (node.z != kNone) sum.linear[2] += momentum[at(node.z)];
    sum.angular += q[place(node.x)] * y - q[place(node.x + 1)] * x;
  }
  for (std::size_t c = 0; c < momentum.size(); ++c) {
    if (model_->is_angle[c] != 0) sum.angular += momentum[c];
  }
  add_first_moments(q, sum);
  for (double& x : sum.center) x /= sum.mass;
  if (model_->frame) into_inertial_axes(frame_motion(*model_, t, side), sum);
  return sum;
}

void System::add_first_moments(std::span<const double> q, Momentum& sum) const {
  const auto add = [&sum](double mass, double x, double y, double z = 0) {
    sum.mass += mass;
    sum.center[0] += x;
    sum.center[1] += y;
    sum.center[2] += z;
  };
  for (const Element& element : model_->elements) {
    Vector6<double> x;
    for (int i = 0; i < 6; ++i) x(i) = q[place(element.coordinate[at(i)])];
    const RodConstants<double>& c = model_->types[at(element.type)];
    const auto moment = first_moment(c, calc_kinematics(c, x), {x(0), x(1)});
    add(c.m11, moment[0], moment[1]);
  }
  for (const Body& b : model_->bodies) {
    const int x = model_->nodes[at(b.node)].x;
    const auto r = first_moment(b.body, b.angle == kNone ? 0.0 : q[place(b.angle)]);
    const int z = model_->nodes[at(b.node)].z;
    add(b.body.mass, b.body.mass * q[place(x)] + r.x, b.body.mass * q[place(x + 1)] + r.y,
        z == kNone ? 0.0 : b.body.mass * q[place(z)]);
  }
}

Energies System::powers(double t, Side side, std::span<const double> q, std::span<const double> v) {
  return powers_of_motion(t, side, q, absolute_velocities(t, side, q, v));
}

Energies System::powers_of_motion(double t, Side side, std::span<const double> q,
                                  std::span<const double> v) const {
  if (!has_powers_) return {};
  const AttachmentPowers others = attachments_.powers(t, side, q, v);
  Energies sum{.external = others.external, .dissipated = others.dissipated};
  for (std::size_t n = 0; n < model_->hereditary.size(); ++n) {
    if (model_->hereditary[n].law == kNone) continue;
    sum.rheonomic += hereditary_.answer(n, t, side, q).rheonomic_power;
  }
  for (const Element& element : model_->elements) {
    const RodConstants<double>& c = model_->types[at(element.type)];
    if (c.damping_time == 0 && c.mass_damping == 0) continue;
    Vector6<double> x, w;
    for (int i = 0; i < 6; ++i) {
      x(i) = q[place(element.coordinate[at(i)])];
      w(i) = v[place(element.coordinate[at(i)])];
    }
    const RodKinematics<double> k = calc_kinematics(c, x);
    sum.dissipated += damping_power(c, k, calc_rates(k, w));
    if (c.mass_damping != 0) {
      const Matrix6<double> mass =
          mass_matrix(c, k, {c.static_moment != 0}).selfadjointView<Eigen::Lower>();
      sum.dissipated += c.mass_damping * w.dot(mass * w);
    }
  }
  return sum;
}

void System::assemble_mass(std::span<const double> q) {
  const std::vector<double> rest(size(), 0.0);
  const Outcome outcome = update_groups(q);
  FEM_DEMAND(outcome.ok());
  evaluate_objects(0, Side::before, q, rest);
  std::fill(particular_.begin(), particular_.end(), 0.0);
  gather_matrix(matrix_);
}

Eigen::SparseMatrix<double> System::assembled_matrix() {
  std::vector<Eigen::Triplet<double>> entries;
  constexpr int block = static_cast<int>(kBlock);
  const Elimination& e = matrix_.structure();
  for (int j = 0; j < static_cast<int>(e.blocks()); ++j) {
    for (int r = 0; r < block; ++r) {
      for (int c = 0; c <= r; ++c) {
        const double value = matrix_.diagonal()[kArea * at(j) + at(block * r + c)];
        entries.emplace_back(block * j + r, block * j + c, value);
        if (r != c) entries.emplace_back(block * j + c, block * j + r, value);
      }
    }
    for (int n = e.column_start[at(j)]; n < e.column_start[at(j) + 1]; ++n) {
      for (int r = 0; r < block; ++r) {
        for (int c = 0; c < block; ++c) {
          const double value = matrix_.off_diagonal()[kArea * at(n) + at(block * r + c)];
          entries.emplace_back(block * e.row[at(n)] + r, block * j + c, value);
          entries.emplace_back(block * j + c, block * e.row[at(n)] + r, value);
        }
      }
    }
  }
  const auto n = static_cast<Eigen::Index>(independent_);
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void System::stiffen_assembled(std::span<const double> stiffness) {
  for (std::size_t i = 0; i < independent_; ++i) {
    const std::size_t in_block = (kBlock + 1) * (i % kBlock);
    matrix_.diagonal()[kArea * (i / kBlock) + in_block] += stiffness[i];
  }
}

Outcome System::factorize_assembled(Pivots pivots, int& negative) {
  const Outcome outcome = matrix_.factorize(pivots);
  negative = outcome.ok() ? matrix_.negative_pivots() : 0;
  return outcome;
}

void System::complete_change(std::span<double> x) const {
  const std::vector<double> none(model_->rows.size(), 0.0);
  fill_dependents(x, none);
}

System::Violation System::row_violation(int r, double t, Side side, std::span<const double> q,
                                        std::span<const double> v) const {
  const auto position = [&](int c) { return q[place(c)]; };
  const auto velocity = [&](int c) { return v[place(c)]; };
  const Row& row = model_->rows[at(r)];
  const double f = row_error(*model_, row, t, side, 1, position);
  const double rate = row_rate(row, t, position, velocity) + row_drift(row, t, position) -
                      row_value(*model_, row, t, side).rate;
  return {std::abs(f), std::abs(rate)};
}

System::Violation System::violation(double t, Side side, std::span<const double> q,
                                    std::span<const double> v) const {
  Violation worst;
  for (std::size_t r = 0; r < model_->rows.size(); ++r) {
    const Violation of_row = row_violation(static_cast<int>(r), t, side, q, v);
    worst.position = std::max(worst.position, of_row.position);
    worst.velocity = std::max(worst.velocity, of_row.velocity);
  }
  return worst;
}

std::string System::describe_unknown(std::size_t place) const {
  const int coordinate = place < size() ? numbering_.coordinate[place] : kNone;
  if (coordinate == kNone) return "a spare unknown";
  for (const Node& node : model_->nodes) {
    if (coordinate == node.x) return "X of '" + node.name + "'";
    if (coordinate == node.x + 1) return "Y of '" + node.name + "'";
    if (coordinate == node.z) return "Z of '" + node.name + "'";
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
  for (const Body& body : model_->bodies) {
    if (body.angle == coordinate) return "the angle of body '" + body.name + "'";
  }
  return "an unknown";
}

}  // namespace fem
