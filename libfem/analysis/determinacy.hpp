// Dynamic determinacy of hereditary systems: Goroshko & Puchko 1997, §7 (25)-(29).
//
//   b_kj = ∂y_k/∂q_j     deformations of the K hereditary elements, by independent coordinates
//
// Determinate where rank b = K: the deformations can be coordinates, and the equations exist in the
// differential, relaxation and rheology (creep) forms (31), (33), (34). Otherwise only the
// relaxation form does, which is what libfem integrates. The rank depends on the configuration.
#pragma once

#include <cstddef>
#include <span>

#include "libfem/system/system.hpp"

namespace fem {

struct Determinacy {
  int elements = 0;  ///< K
  int rank = 0;      ///< of b
  [[nodiscard]] bool determinate() const noexcept { return rank == elements; }
};

/// At a completed configuration q.
[[nodiscard]] Determinacy calc_determinacy(const System& system, std::span<const double> q);

}  // namespace fem
