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
    case RowKind::support_angle:
      what = "support '" + model.supports[at(row.owner)].name + "'";
      break;
    case RowKind::hinge_drive:
      what = "drive of hinge '" + model.hinges[at(row.owner)].name + "'";
      break;
    case RowKind::hinge_lock:
      what = "lock of hinge '" + model.hinges[at(row.owner)].name + "'";
      break;
    case RowKind::rigid_joint:
    case RowKind::unused_point:
      what = "point '" + model.nodes[at(row.owner)].name + "'";
      break;
  }
  return what + " (" + row.pointer + ")";
}

class Eliminator {
 public:
  explicit Eliminator(const Model& model) : model_(model) {
    result_.dependent_of.assign(model.initial.size(), kNone);
    users_.resize(model.initial.size());
  }

  Projection run() {
    for (std::size_t r = 0; r < model_.rows.size(); ++r) add_row(static_cast<int>(r));
    if (!problems_.empty()) throw InputError(std::move(problems_));
    return std::move(result_);
  }

 private:
  // Row r with the dependents found so far replaced: Σ c q̇ (independent) = Σ w_k d_k.
  void add_row(int r) {
    std::map<int, double> terms;
    std::map<int, double> sources{{r, 1.0}};
    double scale = 0;
    for (const auto& [coordinate, c] : model_.rows[at(r)].terms) {
      scale = std::max(scale, std::abs(c));
      const int known = result_.dependent_of[at(coordinate)];
      if (known == kNone) {
        terms[coordinate] += c;
      } else {
        add_scaled(terms, result_.dependents[at(known)].independents, c);
        add_scaled(sources, result_.dependents[at(known)].rows, -c);
      }
    }
    std::erase_if(terms,
                  [&](const auto& t) { return std::abs(t.second) <= kZeroCoefficient * scale; });
    std::erase_if(sources, [](const auto& s) { return std::abs(s.second) <= kZeroCoefficient; });
    if (terms.empty()) {
      drop_row(r, sources);
    } else {
      make_dependent(terms, sources);
    }
  }

  // The largest coefficient becomes dependent; of equal ones the last, the outboard member.
  void make_dependent(const std::map<int, double>& terms, const std::map<int, double>& sources) {
    auto pivot = terms.begin();
    for (auto t = terms.begin(); t != terms.end(); ++t) {
      if (std::abs(t->second) >= std::abs(pivot->second)) pivot = t;
    }
    Projection::Dependent dependent{.coordinate = pivot->first};
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
  void drop_row(int r, const std::map<int, double>& sources) {
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
  Projection result_;
  std::vector<std::set<int>> users_;  // dependents whose row of G holds a coordinate
  std::vector<Problem> problems_;
};

}  // namespace

Projection make_projection(const Model& model) { return Eliminator(model).run(); }

LawValue row_value(const Model& model, const Row& row, double t, Side side) {
  return row.law == kNone ? LawValue{} : evaluate(model.laws[at(row.law)], t, side);
}

}  // namespace fem
