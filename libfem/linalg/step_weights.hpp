// The matrix of an implicit step, m M + c C + K: how much accelerations and velocities change when
// positions do.
#pragma once

namespace fem {

struct StepWeights {
  double mass = 0;  ///< m = ∂q̈/∂q, 1/s²
  double rate = 0;  ///< c = ∂q̇/∂q, 1/s
};

}  // namespace fem
