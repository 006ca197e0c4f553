// The spectrum of a kernel: R(t) = ∫ e^{−st} μ(s) ds + Σ w_j e^{−s_j t} with μ ≥ 0, w_j > 0. It is
// what makes a kernel completely monotone, and what is sampled by a sum of exponentials.
//
//   kernel       μ(s)                                            s
//   Rzhanitsyn   A (s−b)^{α−1}/Γ(α)                               > b
//   Rabotnov     (λ/π) s^ν sin πν / (s^{2ν} + 2b s^ν cos πν + b²)  > 0
//   Koltunov     (1/π) Im ∫₀^∞ f(re^{iφ}) e^{s r e^{iφ}} e^{iφ} dr   > 0, π/2 < φ < min(π, π/2α)
//   Slonimsky    Koltunov's with β = α = 1 − α
//
// Where an exponent makes a kernel a plain exponential its spectrum is a single line.
#pragma once

#include <functional>
#include <vector>

#include "libfem/hereditary/kernel.hpp"

namespace fem {

/// w e^{−st}.
struct Exponential {
  double weight = 0;  ///< w, 1/s
  double rate = 0;    ///< s, 1/s
};

struct Spectrum {
  std::vector<Exponential> lines{};

  /// (s−b) μ(s) over log(s−b); empty: lines only.
  std::function<double(double)> density{};
  double shift = 0;  ///< b, 1/s
  double decay = 1;  ///< ν: (s−b) μ ∝ s^{1−ν} for large s, kernel ∝ t^{ν−1} for small t

  /// μ vanishes faster than any power where s → 0; `center` is where it begins to.
  bool essential = false;
  double center = 0;  ///< 1/s

  [[nodiscard]] bool is_discrete() const { return !density; }
};

[[nodiscard]] Spectrum make_spectrum(const HereditaryLaw& law);

}  // namespace fem
