// The 𝒯 projection: Danilin 2016, eqs. (88)-(95), sparse.
//
// The rows D q̇ = d are solved for dependent coordinates, one a row, by elimination with the
// largest coefficient as pivot:
//   q̇_d = G q̇_i + H d,      G = −D_d⁻¹D_i,      H = D_d⁻¹,
// so that with q = (q_i, q_d)
//   q̇ = 𝒯ᵀ q̇_i + (0, H d),      𝒯 = (E, Gᵀ),      𝒯Dᵀ = 0,
// and the reactions of M a = F + Dᵀλ are λ = Hᵀ(M a − F)_d. (The paper's λ has the other sign.)
// The rows of supports, hinges and joints hold two coordinates each: G and H stay as sparse.
//
// Rows with an arm have a D that changes with the configuration. Rows that share dependent
// coordinates with one form a group: G and H of a group are small dense matrices, computed anew at
// every configuration (system/curved_group); all others are constant.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "libfem/model/model.hpp"

namespace fem {

using SparseRow = std::vector<std::pair<int, double>>;  ///< index, coefficient

struct Projection {
  struct Dependent {
    int coordinate = 0;
    int row = 0;               ///< the row that was solved for it
    SparseRow independents{};  ///< row of G: natural coordinate, coefficient
    SparseRow rows{};          ///< row of H: row of the model, coefficient
  };
  /// Dependents whose G and H change; each of them holds all rows and independents listed here, in
  /// this order, zeros included.
  struct Group {
    std::vector<int> dependents{};    ///< indices into Projection::dependents
    std::vector<int> rows{};          ///< rows solved for them, in the same order
    std::vector<int> independents{};  ///< natural coordinates
  };
  std::vector<Dependent> dependents;
  std::vector<Group> groups;
  std::vector<int> dependent_of;  ///< [coordinates] index into `dependents`, or kNone
  std::vector<int> rates;  ///< rows of rates: no coordinate is solved for them (system/rate_rows)
  std::vector<int> redundant;         ///< rows that follow from others, dropped
  std::vector<std::string> warnings;  ///< about them
};

/// Chooses the dependent coordinates at the configuration `natural` [coordinates] and time t, by
/// default the initial ones. Redundant rows that agree with the others are dropped with a warning;
/// throws InputError where they contradict.
[[nodiscard]] Projection make_projection(const Model& model, std::span<const double> natural = {},
                                         double t = 0);

/// Right sides of the rows at one time: φ, φ̇, φ̈.
[[nodiscard]] LawValue row_value(const Model& model, const Row& row, double t, Side side);

/// What the positions of a row are off by, f − constant − load φ(t), with the coordinates
/// q(coordinate); `load` is 1 but in statics.
template <class Value>
[[nodiscard]] double row_error(const Model& model, const Row& row, double t, Side side, double load,
                               const Value& q) {
  return row_function(row, t, q) - row.constant - load * row_value(model, row, t, side).value;
}

}  // namespace fem
