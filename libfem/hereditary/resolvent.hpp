// Resolvents of sums of exponentials: (1 − R̂)(1 + K̂) = 1 for the Laplace transforms of a kernel of
// relaxation and of the kernel of creep of the same body.
//
// The resolvent has as many terms, one rate x in every gap between the given ones (above each, up
// to the next), from 1 + Σ w_j/(s_j − x) = 0, and weights 1/Σ w_j/(s_j − x)² > 0.
#pragma once

#include <vector>

#include "libfem/hereditary/spectrum.hpp"

namespace fem {

/// The relaxation kernel of a body with the creep kernel `creep`: w > 0, rates ≥ 0 that increase
/// strictly.
[[nodiscard]] std::vector<Exponential> calc_resolvent(const std::vector<Exponential>& creep);

}  // namespace fem
