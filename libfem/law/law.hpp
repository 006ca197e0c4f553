// Laws: prescribed functions of time (angles, displacements).
//
//   symbol   code           unit            meaning
//   φ(t)     value          of the law      value
//   φ̇(t)     rate           .../s           first derivative
//   φ̈(t)     acceleration   .../s²          second derivative
//
// A law is held constant outside its points. Where the rate or the acceleration jumps (a break
// time), `Side` chooses the one-sided limit: a step that ends at a break sees `before`, the one
// that starts there sees `after`.
#pragma once

#include <span>
#include <variant>
#include <vector>

namespace fem {

/// One-sided limit taken at a break time.
enum class Side { before, after };

/// A law's value and its first two derivatives at one time.
struct LawValue {
  double value = 0;
  double rate = 0;
  double acceleration = 0;
};

/// φ(t) = value for all t.
struct ConstantLaw {
  double value = 0;
  bool operator==(const ConstantLaw&) const = default;
};

/// Straight lines between points: the rate jumps at every point (Danilin 2016, §2.7).
struct LinearLaw {
  std::vector<double> times;   ///< s, strictly increasing, at least one
  std::vector<double> values;  ///< same size
  bool operator==(const LinearLaw&) const = default;
};

/// Quintic s(x) = 10x³ − 15x⁴ + 6x⁵ between points: rate and acceleration vanish at every point,
/// so the law is twice continuously differentiable.
struct SmoothLaw {
  std::vector<double> times;   ///< s, strictly increasing, at least one
  std::vector<double> values;  ///< same size
  bool operator==(const SmoothLaw&) const = default;
};

using Law = std::variant<ConstantLaw, LinearLaw, SmoothLaw>;

/// Value, rate and acceleration at time t (s); at a break time the limit from `side`.
[[nodiscard]] LawValue evaluate(const Law& law, double t, Side side);

/// Whether the law keeps one value for ever.
[[nodiscard]] bool is_constant(const Law& law);

/// Times at which the rate or the acceleration jumps, increasing; empty for smooth laws.
[[nodiscard]] std::vector<double> break_times(const Law& law);

}  // namespace fem
