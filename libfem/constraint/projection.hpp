// The 𝒯 projection: Danilin 2016, eqs. (88)-(95), sparse.
//
// The rows D q̇ = d are solved for dependent coordinates, one a row, by elimination with the
// largest coefficient as pivot:
//   q̇_d = G q̇_i + H d,      G = −D_d⁻¹D_i,      H = D_d⁻¹,
// so that with q = (q_i, q_d)
//   q̇ = 𝒯ᵀ q̇_i + (0, H d),      𝒯 = (E, Gᵀ),      𝒯Dᵀ = 0,
// and the reactions of M a = F + Dᵀλ are λ = Hᵀ(M a − F)_d. (The paper's λ has the other sign.)
// The rows of supports, hinges and joints hold two coordinates each: G and H stay as sparse.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "libfem/model/model.hpp"

namespace fem {

using SparseRow = std::vector<std::pair<int, double>>;  ///< index, coefficient

struct Projection {
  struct Dependent {
    int coordinate = 0;
    SparseRow independents{};  ///< row of G: natural coordinate, coefficient
    SparseRow rows{};          ///< row of H: row of the model, coefficient
  };
  std::vector<Dependent> dependents;
  std::vector<int> dependent_of;      ///< [coordinates] index into `dependents`, or kNone
  std::vector<int> redundant;         ///< rows that follow from others, dropped
  std::vector<std::string> warnings;  ///< about them
};

/// Chooses the dependent coordinates. Redundant rows that agree with the others are dropped with a
/// warning; throws InputError where they contradict.
[[nodiscard]] Projection make_projection(const Model& model);

/// Right sides of the rows at one time: φ, φ̇, φ̈.
[[nodiscard]] LawValue row_value(const Model& model, const Row& row, double t, Side side);

}  // namespace fem
