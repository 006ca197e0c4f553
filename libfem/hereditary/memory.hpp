// The memory of a hereditary element, and how it moves on: exact for a deformation that is linear
// in time over a step, whatever the step. Pure functions of the committed state and a trial.
//
//   symbol   code           unit      meaning
//   y        deformation    m         also rad
//   z_j      branch         m         part of y that branch j still feels
//   x        –              –         Δt/τ_j;  E₁ = 1 − e^{−x},  φ₁ = E₁/x
//   P        force          N         c_∞ y + Σ c_j z_j
//   ψ        stored         J         ½ c_∞ y² + ½ Σ c_j z_j² ≥ 0
//   D        dissipated     J         Σ (c_j/τ_j) ∫ z_j² dt ≥ 0,   power Σ c_j z_j²/τ_j
//
//   z_j(t+Δt) = e^{−x} z_j + φ₁ Δy                                    (README.md)
//   ψ(t+Δt) − ψ(t) + D = ∫ P dy   exactly
//   ∂P/∂y = c_∞ + Σ c_j φ₁ ≤ c
//
// Δt = 0 is a jump of y: every z_j takes it up whole, nothing is dissipated. Error of a smooth y:
// |ΔP| ≤ (c − c_∞) Δt² max|ÿ|/8.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "libfem/hereditary/relaxation_series.hpp"

namespace fem {

/// The state of one element after the last accepted step.
struct HereditaryMemory {
  double time = 0;               ///< s
  double deformation = 0;        ///< y
  std::vector<double> branch{};  ///< z_j
  double dissipated = 0;         ///< D since the start, J
  bool operator==(const HereditaryMemory&) const = default;
};

/// What an element answers to a trial deformation.
struct HereditaryResponse {
  double force = 0;             ///< P
  double stiffness = 0;         ///< ∂P/∂y of the step
  double stored = 0;            ///< ψ, J
  double dissipated = 0;        ///< D since the start of the run, J
  double dissipated_power = 0;  ///< W
};

namespace hereditary_detail {

/// Factors of a step of one branch.
struct Decay {
  double left;       ///< e^{−x}
  double lost;       ///< E₁ = 1 − e^{−x}
  double mean_left;  ///< φ₁ = E₁/x
  /// ∫₀ˣ z² dξ = z² (E₁ − E₁²/2) + 2 z Δy E₁²/(2x) + Δy² `quadratic`,
  /// quadratic = (x − E₁ − E₁²/2)/x².
  double quadratic;
};

/// (x − E₁ − E₁²/2)/x² where x is small: Σ_{n≥3} (−1)^{n+1} (2^{n−1} − 2)/n! x^{n−2}.
[[nodiscard]] inline double small_quadratic(double x) noexcept {
  double sum = 0;
  double power = x / 6;  // x^{n−2}/n!
  double two = 4;        // 2^{n−1}
  for (int n = 3; n <= 16; ++n) {
    sum += (n % 2 == 0 ? -power : power) * (two - 2);
    power *= x / (n + 1);
    two *= 2;
  }
  return sum;
}

[[nodiscard]] inline Decay decay(double x) noexcept {
  constexpr double small = 0.3;
  if (x == 0) return {1, 0, 1, 0};
  const double lost = -std::expm1(-x);
  return {1 - lost, lost, lost / x,
          x < small ? small_quadratic(x) : (x - lost - 0.5 * lost * lost) / (x * x)};
}

/// Calls take(j, z_j before, decay) for every branch of a step to time t.
template <class Take>
void each_branch(const RelaxationSeries& series, const HereditaryMemory& memory, double t,
                 const Take& take) {
  const double dt = t - memory.time;
  for (std::size_t j = 0; j < series.size(); ++j) {
    take(j, memory.branch[j], decay(dt / series.time[j]));
  }
}

}  // namespace hereditary_detail

/// The answer at time t ≥ memory.time to the deformation y.
[[nodiscard]] inline HereditaryResponse respond(const RelaxationSeries& series,
                                                const HereditaryMemory& memory, double t,
                                                double y) noexcept {
  const double dy = y - memory.deformation;
  HereditaryResponse r{.force = series.relaxed * y,
                       .stiffness = series.relaxed,
                       .stored = 0.5 * series.relaxed * y * y,
                       .dissipated = memory.dissipated};
  hereditary_detail::each_branch(
      series, memory, t, [&](std::size_t j, double z, const hereditary_detail::Decay& e) {
        const double c = series.stiffness[j];
        const double z1 = e.left * z + e.mean_left * dy;
        r.force += c * z1;
        r.stiffness += c * e.mean_left;
        r.stored += 0.5 * c * z1 * z1;
        r.dissipated_power += c * z1 * z1 / series.time[j];
        r.dissipated += c * (z * z * (e.lost - 0.5 * e.lost * e.lost) +
                             z * dy * e.mean_left * e.lost + dy * dy * e.quadratic);
      });
  return r;
}

/// The force alone, for every evaluation of a step.
[[nodiscard]] inline double calc_force(const RelaxationSeries& series,
                                       const HereditaryMemory& memory, double t,
                                       double y) noexcept {
  const double dt = t - memory.time;
  const double dy = y - memory.deformation;
  double force = series.relaxed * y;
  for (std::size_t j = 0; j < series.size(); ++j) {
    const double x = dt / series.time[j];
    const double lost = -std::expm1(-x);
    const double mean = x == 0 ? 1 : lost / x;
    force += series.stiffness[j] * ((1 - lost) * memory.branch[j] + mean * dy);
  }
  return force;
}

/// The memory after a step to time t with the deformation y is accepted, in place.
inline void commit(const RelaxationSeries& series, double t, double y, HereditaryMemory& memory) {
  memory.dissipated = respond(series, memory, t, y).dissipated;
  const double dy = y - memory.deformation;
  hereditary_detail::each_branch(series, memory, t,
                                 [&](std::size_t j, double z, const hereditary_detail::Decay& e) {
                                   memory.branch[j] = e.left * z + e.mean_left * dy;
                                 });
  memory.time = t;
  memory.deformation = y;
}

}  // namespace fem
