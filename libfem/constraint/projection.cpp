#include "libfem/constraint/projection.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr double kZeroCoefficient = 1e-12;  // relative to the row's largest, after elimination

void add_scaled(std::map<int, double>& sum, const SparseRow& row, double factor) {
  for (const auto& [index, coefficient] : row) sum[index] += factor * coefficient;
}

SparseRow to_row(const std::map<int, double>& sum) { return {sum.begin(), sum.end()}; }

// What a row demands, in words.
std::string describe_row(const Model& model, const Row& row) {
  std::string what;
  switch (row.kind) {
    case RowKind::support_x:
    case RowKind::support_y:
    case RowKind::support_z:
    case RowKind::support_angle:
      what = "support '" + model.supports[at(row.owner)].name + "'";
      break;
    case RowKind::hinge_drive:
      what = "drive of hinge '" + model.hinges[at(row.owner)].name + "'";
      break;
    case RowKind::hinge_lock:
      what = "lock of hinge '" + model.hinges[at(row.owner)].name + "'";
      break;
    case RowKind::rigid_arm:
      what = "body '" + model.bodies[at(row.owner)].name + "', which carries a point";
      break;
    case RowKind::rigid_joint:
    case RowKind::unused_point:
      what = "point '" + model.nodes[at(row.owner)].name + "'";
      break;
    case RowKind::user:
      what = "constraint '" + model.constraints[at(row.owner)].name + "'";
      break;
  }
  return what + " (" + row.pointer + ")";
}

class Eliminator {
 public:
  Eliminator(const Model& model, std::span<const double> natural, double t)
      : model_(model), natural_(natural), time_(t), preference_(model.initial.size(), 1.0) {
    result_.dependent_of.assign(model.initial.size(), kNone);
    users_.resize(model.initial.size());
    set_preferences();
  }

  // Constant rows first: they are redundant everywhere or nowhere. A row that has no coefficient
  // left may still get one from a row that comes after it, so it is looked at again.
  Projection run() {
    std::vector<int> order, again;
    const auto count = static_cast<int>(model_.rows.size());
    for (int r = 0; r < count; ++r) {
      if (model_.rows[at(r)].of_rates) result_.rates.push_back(r);
      if (!is_curved(model_.rows[at(r)])) order.push_back(r);
    }
    for (int r = 0; r < count; ++r) {
      if (is_curved(model_.rows[at(r)]) && !model_.rows[at(r)].of_rates) order.push_back(r);
    }
    for (const int r : order) {
      if (!add_row(r)) again.push_back(r);
    }
    for (const int r : again) {
      if (!add_row(r)) drop_row(r);
    }
    if (!problems_.empty()) throw InputError(std::move(problems_));
    return std::move(result_);
  }

 private:
  // What a coefficient of one counts as a pivot: an angle moves things by an arm at most as long as
  // the model. The points that a body carries follow the body rather than the other way round.
  void set_preferences() {
    const double size = model_.size > 0 ? model_.size : 1.0;
    for (std::size_t c = 0; c < preference_.size(); ++c) {
      if (model_.is_angle[c] != 0) preference_[c] = 0.5 / size;
    }
    for (const Row& row : model_.rows) {
      if (!row.arm) continue;
      preference_[at(row.terms.back().first)] = 1.01;
      preference_[at(row.arm->angle)] = 0.25 / size;
    }
  }

  // Row r with the dependents found so far replaced: Σ c q̇ (independent) = Σ w_k d_k. False if
  // nothing is left of it.
  bool add_row(int r) {
    std::map<int, double> terms;
    std::map<int, double> sources{{r, 1.0}};
    double scale = 0;
    const auto q = [this](int c) { return natural_[at(c)]; };
    visit_terms(model_.rows[at(r)], time_, q, [&](int coordinate, double c) {
      scale = std::max(scale, std::abs(c));
      const int known = result_.dependent_of[at(coordinate)];
      if (known == kNone) {
        terms[coordinate] += c;
      } else {
        add_scaled(terms, result_.dependents[at(known)].independents, c);
        add_scaled(sources, result_.dependents[at(known)].rows, -c);
      }
    });
    std::erase_if(terms,
                  [&](const auto& t) { return std::abs(t.second) <= kZeroCoefficient * scale; });
    std::erase_if(sources, [](const auto& s) { return std::abs(s.second) <= kZeroCoefficient; });
    left_ = std::move(sources);
    if (terms.empty()) return false;
    make_dependent(r, terms, left_);
    return true;
  }

  // The largest coefficient becomes dependent; of equal ones the last, the outboard member.
  void make_dependent(int r, const std::map<int, double>& terms,
                      const std::map<int, double>& sources) {
    const auto weight = [this](const auto& term) {
      return preference_[at(term->first)] * std::abs(term->second);
    };
    auto pivot = terms.begin();
    for (auto t = terms.begin(); t != terms.end(); ++t) {
      if (weight(t) >= weight(pivot)) pivot = t;
    }
    Projection::Dependent dependent{.coordinate = pivot->first, .row = r};
    for (const auto& [coordinate, c] : terms) {
      if (coordinate != pivot->first) {
        dependent.independents.emplace_back(coordinate, -c / pivot->second);
      }
    }
    for (const auto& [row, w] : sources) dependent.rows.emplace_back(row, w / pivot->second);
    replace_in_others(dependent);
    const int index = static_cast<int>(result_.dependents.size());
    result_.dependent_of[at(pivot->first)] = index;
    for (const auto& [coordinate, g] : dependent.independents) users_[at(coordinate)].insert(index);
    result_.dependents.push_back(std::move(dependent));
  }

  // Dependents that used the new dependent coordinate now use its independents.
  void replace_in_others(const Projection::Dependent& added) {
    for (const int user : users_[at(added.coordinate)]) {
      Projection::Dependent& other = result_.dependents[at(user)];
      std::map<int, double> independents(other.independents.begin(), other.independents.end());
      std::map<int, double> rows(other.rows.begin(), other.rows.end());
      const double factor = independents.at(added.coordinate);
      independents.erase(added.coordinate);
      add_scaled(independents, added.independents, factor);
      add_scaled(rows, added.rows, factor);
      other.independents = to_row(independents);
      other.rows = to_row(rows);
      for (const auto& [coordinate, g] : other.independents) users_[at(coordinate)].insert(user);
    }
    users_[at(added.coordinate)].clear();
  }

  // Laws of different names may prescribe the same.
  int first_equal_law(int law) const {
    const auto& laws = model_.laws;
    return static_cast<int>(std::find(laws.begin(), laws.end(), laws[at(law)]) - laws.begin());
  }

  // Row r is a combination of others; it must prescribe the same combination of their laws.
  void drop_row(int r) {
    const std::map<int, double>& sources = left_;  // add_row has just left them
    std::map<int, double> law_sum;
    std::string others;
    for (const auto& [row, w] : sources) {
      const Row& source = model_.rows[at(row)];
      if (source.law != kNone && !is_constant(model_.laws[at(source.law)])) {
        law_sum[first_equal_law(source.law)] += w;
      }
      if (row != r) others += (others.empty() ? "" : ", ") + describe_row(model_, source);
    }
    const bool agrees = std::all_of(law_sum.begin(), law_sum.end(), [](const auto& entry) {
      return std::abs(entry.second) <= kZeroCoefficient;
    });
    const Row& row = model_.rows[at(r)];
    if (!agrees) {
      problems_.push_back(
          {row.pointer,
           describe_row(model_, row) + " contradicts " + others +
               ": together they prescribe different motions of the same coordinates",
           "remove one of them, or give them laws that agree"});
      return;
    }
    result_.redundant.push_back(r);
    result_.warnings.push_back(row.pointer + ": " + describe_row(model_, row) + " follows from " +
                               others +
                               " and is dropped; its reaction is not unique and is reported as 0");
  }

  const Model& model_;
  std::span<const double> natural_;
  double time_;
  std::vector<double> preference_;  // of every coordinate
  std::map<int, double> left_;      // the sources of the row looked at last
  Projection result_;
  std::vector<std::set<int>> users_;  // dependents whose row of G holds a coordinate
  std::vector<Problem> problems_;
};

// Sets of dependents, joined where their rows share a dependent coordinate.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) {
    for (std::size_t i = 0; i < count; ++i) parent_[i] = static_cast<int>(i);
  }
  int find(int i) {
    while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
    return i;
  }
  void join(int i, int j) { parent_[at(find(j))] = find(i); }

 private:
  std::vector<int> parent_;
};

// Calls visit for every coordinate that a row holds.
template <class Visit>
void visit_coordinates(const Row& row, const Visit& visit) {
  for (const auto& [coordinate, c] : row.terms) visit(coordinate);
  visit_curved(row, visit);
}

// Entries of `sparse` on the listed indices, zeros included.
SparseRow spread(const SparseRow& sparse, const std::vector<int>& indices) {
  const std::map<int, double> known(sparse.begin(), sparse.end());
  SparseRow result;
  for (const int i : indices) {
    const auto found = known.find(i);
    result.emplace_back(i, found == known.end() ? 0.0 : found->second);
  }
  return result;
}

// Gathers the dependents whose rows change with the configuration, and all that these reach.
void form_groups(const Model& model, Projection& p) {
  Sets sets(p.dependents.size());
  for (std::size_t k = 0; k < p.dependents.size(); ++k) {
    visit_coordinates(model.rows[at(p.dependents[k].row)], [&](int c) {
      const int other = p.dependent_of[at(c)];
      if (other != kNone) sets.join(static_cast<int>(k), other);
    });
  }
  std::set<int> curved;
  for (std::size_t k = 0; k < p.dependents.size(); ++k) {
    if (is_curved(model.rows[at(p.dependents[k].row)]))
      curved.insert(sets.find(static_cast<int>(k)));
  }
  for (const int root : curved) {
    Projection::Group group;
    std::set<int> independents;
    for (std::size_t k = 0; k < p.dependents.size(); ++k) {
      if (sets.find(static_cast<int>(k)) != root) continue;
      group.dependents.push_back(static_cast<int>(k));
      group.rows.push_back(p.dependents[k].row);
      visit_coordinates(model.rows[at(p.dependents[k].row)], [&](int c) {
        if (p.dependent_of[at(c)] == kNone) independents.insert(c);
      });
    }
    group.independents.assign(independents.begin(), independents.end());
    for (const int k : group.dependents) {
      Projection::Dependent& d = p.dependents[at(k)];
      d.independents = spread(d.independents, group.independents);
      d.rows = spread(d.rows, group.rows);
    }
    p.groups.push_back(std::move(group));
  }
}

}  // namespace

Projection make_projection(const Model& model, std::span<const double> natural, double t) {
  const std::span<const double> q =
      natural.empty() ? std::span<const double>(model.start) : natural;
  FEM_DEMAND(q.size() == model.initial.size());
  Projection projection = Eliminator(model, q, t).run();
  form_groups(model, projection);
  return projection;
}

LawValue row_value(const Model& model, const Row& row, double t, Side side) {
  return row.law == kNone ? LawValue{} : evaluate(model.laws[at(row.law)], t, side);
}

}  // namespace fem
