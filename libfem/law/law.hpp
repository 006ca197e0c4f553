// Laws: prescribed functions of time (angles, displacements, loads).
//
//   symbol   code           unit            meaning
//   φ(t)     value          of the law      value
//   φ̇(t)     rate           .../s           first derivative
//   φ̈(t)     acceleration   .../s²          second derivative
//
// A law is held constant outside its points, or outside its span. Where the value, the rate or the
// acceleration jumps (a break time), `Side` chooses the one-sided limit: a step that ends at a
// break sees `before`, the one that starts there sees `after`.
#pragma once

#include <limits>
#include <string_view>
#include <variant>
#include <vector>

#include "libfem/formula/formula.hpp"

namespace fem {

/// One-sided limit taken at a break time.
enum class Side { before, after };
constexpr Side last_value(Side /*of*/) { return Side::after; }

/// A law's value and its first two derivatives at one time.
struct LawValue {
  double value = 0;         ///< φ
  double rate = 0;          ///< φ̇, 1/s
  double acceleration = 0;  ///< φ̈, 1/s²
  bool operator==(const LawValue&) const = default;
};

/// φ(t) = value for all t.
struct ConstantLaw {
  double value = 0;  ///< in the law's unit
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

/// Constant between points, the value jumps: value k from time k on.
struct StepsLaw {
  std::vector<double> times;   ///< s, strictly increasing, at least one
  std::vector<double> values;  ///< same size; the first one is held before its time too
  bool operator==(const StepsLaw&) const = default;
};

/// Where a formula holds; the law is held constant before and after.
struct LawSpan {
  double start = 0;                                      ///< s
  double end = std::numeric_limits<double>::infinity();  ///< s, > start
  bool operator==(const LawSpan&) const = default;
};

/// φ(t) = mean + amplitude sin(ω (t − start) + phase).
struct HarmonicLaw {
  double amplitude = 0;          ///< in the law's unit
  double angular_frequency = 0;  ///< ω, rad/s
  double phase = 0;              ///< rad
  double mean = 0;               ///< in the law's unit
  LawSpan span{};                ///< where it holds
  bool operator==(const HarmonicLaw&) const = default;
};

/// φ(t) = Σ c_k (t − start)^k.
struct PolynomialLaw {
  std::vector<double> coefficients;  ///< c_0, c_1, …, at least one
  LawSpan span{};                    ///< where it holds
  bool operator==(const PolynomialLaw&) const = default;
};

/// Cubic spline through points, twice continuously differentiable between the first and the last
/// (math/cubic_spline); where it ends with a slope or a curvature they jump to zero.
struct TableLaw {
  std::vector<double> times;       ///< s, strictly increasing, at least one
  std::vector<double> values;      ///< same size
  std::vector<double> curvatures;  ///< second derivatives at the times, same size
  bool operator==(const TableLaw&) const = default;
};

[[nodiscard]] TableLaw make_table_law(std::vector<double> times, std::vector<double> values);

/// φ(t) = value_scale f(time_scale t) of a formula of one variable, t; its derivatives are exact.
/// The formula is smooth within the span: what has a kink or a jump is a sum of laws with spans.
struct ExpressionLaw {
  Formula formula{};       ///< f, of the variable t
  double time_scale = 1;   ///< of t in f: 1 if it is seconds
  double value_scale = 1;  ///< of f: its unit
  LawSpan span{};          ///< where it holds
  bool operator==(const ExpressionLaw&) const = default;
};

/// The law of a text like "0.1*sin(3*t)", or what is wrong with it.
[[nodiscard]] std::variant<ExpressionLaw, FormulaProblem> parse_expression_law(
    std::string_view text);

using SimpleLaw = std::variant<ConstantLaw, LinearLaw, SmoothLaw, StepsLaw, HarmonicLaw,
                               PolynomialLaw, TableLaw, ExpressionLaw>;

/// Sum of other laws. Laws with spans that follow one another make a law of several formulas.
struct SumLaw {
  std::vector<SimpleLaw> terms;  ///< at least one
  bool operator==(const SumLaw&) const = default;
};

/// A law that took the place of another one at a time, of which only the limit there is left. It is
/// what a run makes of a law that is set from outside.
struct ReplacedLaw {
  double time = 0;    ///< s
  LawValue before{};  ///< at `time`, from the side before
  SumLaw after;       ///< from `time` on
  bool operator==(const ReplacedLaw&) const = default;
};

using Law = std::variant<ConstantLaw, LinearLaw, SmoothLaw, StepsLaw, HarmonicLaw, PolynomialLaw,
                         TableLaw, ExpressionLaw, SumLaw, ReplacedLaw>;

/// Value, rate and acceleration at time t (s); at a break time the limit from `side`.
[[nodiscard]] LawValue evaluate(const Law& law, double t, Side side);

/// Whether value, rate and acceleration are finite numbers: an expression may leave its domain.
[[nodiscard]] bool is_finite(const LawValue& value);

/// Multiplies the law by a factor: a change of its unit.
void scale(Law& law, double factor);

/// Whether the law keeps one value for ever.
[[nodiscard]] bool is_constant(const Law& law);

/// Whether the value never jumps, so that a law can move something.
[[nodiscard]] bool is_continuous(const Law& law);

/// Whether the law is defined: finite numbers, times that increase strictly, something to evaluate.
[[nodiscard]] bool is_well_formed(const Law& law);

/// What is to be done about a law that is not, for messages.
inline constexpr const char* kLawRemedy =
    "give finite numbers at strictly increasing times, an end after the start, and at least one "
    "point, coefficient or term";

/// The law plus a constant.
[[nodiscard]] Law shifted(const Law& law, double by);

/// `law` from `time` on, after a law that had the limit `before` there.
[[nodiscard]] ReplacedLaw replaced(double time, const LawValue& before, const Law& law);

/// Times at which the value, the rate or the acceleration may jump, increasing; empty for laws that
/// are smooth.
[[nodiscard]] std::vector<double> break_times(const Law& law);

}  // namespace fem
