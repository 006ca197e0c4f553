#include "libfem/law/law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "libfem/base/error.hpp"
#include "libfem/math/cubic_spline.hpp"
#include "libfem/math/jet.hpp"

namespace fem {
namespace {

struct Piece {
  std::size_t index = 0;  // the piece runs from point index to index + 1
  bool outside = true;    // before the first or after the last point: held constant at `held`
  double held = 0;
};

// The piece that holds t; at a point, the one on the asked side.
Piece find_piece(const std::vector<double>& times, const std::vector<double>& values, double t,
                 Side side) {
  FEM_ASSERT(!times.empty() && times.size() == values.size());
  const auto next = side == Side::before ? std::lower_bound(times.begin(), times.end(), t)
                                         : std::upper_bound(times.begin(), times.end(), t);
  if (next == times.begin()) return {.held = values.front()};
  if (next == times.end()) return {.held = values.back()};
  return {.index = static_cast<std::size_t>(next - times.begin()) - 1, .outside = false};
}

LawValue evaluate_piece(const LinearLaw& law, std::size_t i, double t) {
  const double rate = (law.values[i + 1] - law.values[i]) / (law.times[i + 1] - law.times[i]);
  return {.value = law.values[i] + rate * (t - law.times[i]), .rate = rate};
}

LawValue evaluate_piece(const SmoothLaw& law, std::size_t i, double t) {
  const double duration = law.times[i + 1] - law.times[i];
  const double change = law.values[i + 1] - law.values[i];
  const double x = (t - law.times[i]) / duration;
  const double y = 1 - x;
  return {.value = law.values[i] + change * (x * x * x * (10 + x * (6 * x - 15))),
          .rate = change / duration * (30 * x * x * y * y),
          .acceleration = change / (duration * duration) * (60 * x * y * (1 - 2 * x))};
}

LawValue evaluate_piece(const StepsLaw& law, std::size_t i, double /*t*/) {
  return {.value = law.values[i]};
}

LawValue evaluate_piece(const TableLaw& law, std::size_t i, double t) {
  const SplineValue s = evaluate_spline_piece(law.times, law.values, law.curvatures, i, t);
  return {.value = s.value, .rate = s.slope, .acceleration = s.curvature};
}

template <class PointLaw>
LawValue evaluate_points(const PointLaw& law, double t, Side side) {
  const Piece piece = find_piece(law.times, law.values, t, side);
  if (piece.outside) return {.value = piece.held};
  return evaluate_piece(law, piece.index, t);
}

// At the time since the span's start.
LawValue evaluate_formula(const HarmonicLaw& law, double time) {
  const double w = law.angular_frequency;
  const double sine = law.amplitude * std::sin(w * time + law.phase);
  const double cosine = law.amplitude * std::cos(w * time + law.phase);
  return {.value = law.mean + sine, .rate = w * cosine, .acceleration = -w * w * sine};
}

LawValue evaluate_formula(const PolynomialLaw& law, double time) {
  LawValue p;
  for (std::size_t k = law.coefficients.size(); k-- > 0;) {  // Horner, with its derivatives
    p.acceleration = 2 * p.rate + time * p.acceleration;
    p.rate = p.value + time * p.rate;
    p.value = law.coefficients[k] + time * p.value;
  }
  return p;
}

LawValue evaluate_formula(const ExpressionLaw& law, double time) {
  const double t = law.time_scale * (law.span.start + time);
  const auto f =
      evaluate<Jet<double>>(law.formula, [&](int) { return Jet<double>(t, law.time_scale); });
  return {.value = law.value_scale * f.value,
          .rate = law.value_scale * f.rate,
          .acceleration = law.value_scale * f.curvature};
}

template <class SpanLaw>
LawValue evaluate_span(const SpanLaw& law, double t, Side side) {
  const auto [start, end] = law.span;
  const bool early = side == Side::before ? t <= start : t < start;
  const bool late = side == Side::before ? t > end : t >= end;
  if (early) return {.value = evaluate_formula(law, 0).value};
  if (late) return {.value = evaluate_formula(law, end - start).value};
  return evaluate_formula(law, t - start);
}

struct Evaluate {
  double t;
  Side side;
  LawValue operator()(const ConstantLaw& law) const { return {.value = law.value}; }
  LawValue operator()(const LinearLaw& law) const { return evaluate_points(law, t, side); }
  LawValue operator()(const SmoothLaw& law) const { return evaluate_points(law, t, side); }
  LawValue operator()(const StepsLaw& law) const { return evaluate_points(law, t, side); }
  LawValue operator()(const HarmonicLaw& law) const { return evaluate_span(law, t, side); }
  LawValue operator()(const PolynomialLaw& law) const { return evaluate_span(law, t, side); }
  LawValue operator()(const TableLaw& law) const { return evaluate_points(law, t, side); }
  LawValue operator()(const ExpressionLaw& law) const { return evaluate_span(law, t, side); }
  LawValue operator()(const SumLaw& law) const {
    LawValue sum;
    for (const SimpleLaw& term : law.terms) {
      const LawValue value = std::visit(*this, term);
      sum.value += value.value;
      sum.rate += value.rate;
      sum.acceleration += value.acceleration;
    }
    return sum;
  }
  LawValue operator()(const ReplacedLaw& law) const {
    const bool early = t < law.time || (t == law.time && side == Side::before);
    return early ? law.before : (*this)(law.after);
  }
};

// Numbers that are all the same, or none.
bool all_equal(const std::vector<double>& numbers) {
  return std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) == numbers.end();
}

struct IsConstant {
  bool operator()(const ReplacedLaw& law) const {
    return law.before.rate == 0 && law.before.acceleration == 0 && (*this)(law.after);
  }
  bool operator()(const ConstantLaw&) const { return true; }
  bool operator()(const HarmonicLaw& law) const {
    return law.amplitude == 0 || law.angular_frequency == 0;
  }
  bool operator()(const PolynomialLaw& law) const {
    return std::all_of(law.coefficients.begin() + 1, law.coefficients.end(),
                       [](double c) { return c == 0; });
  }
  bool operator()(const ExpressionLaw& law) const { return law.formula.names.empty(); }
  bool operator()(const SumLaw& law) const {
    return std::all_of(law.terms.begin(), law.terms.end(),
                       [this](const SimpleLaw& term) { return std::visit(*this, term); });
  }
  template <class PointLaw>
  bool operator()(const PointLaw& law) const {
    return all_equal(law.values);
  }
};

struct IsContinuous {
  bool operator()(const ReplacedLaw& law) const { return (*this)(law.after); }
  bool operator()(const StepsLaw& law) const { return all_equal(law.values); }
  bool operator()(const SumLaw& law) const {
    return std::all_of(law.terms.begin(), law.terms.end(),
                       [this](const SimpleLaw& term) { return std::visit(*this, term); });
  }
  template <class Other>
  bool operator()(const Other&) const {
    return true;
  }
};

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

struct IsWellFormed {
  bool operator()(const ReplacedLaw& law) const { return (*this)(law.after); }
  static bool good(const LawSpan& span) {
    return std::isfinite(span.start) && span.end > span.start;
  }
  bool operator()(const ConstantLaw& law) const { return std::isfinite(law.value); }
  bool operator()(const HarmonicLaw& law) const {
    return all_finite({law.amplitude, law.angular_frequency, law.phase, law.mean}) &&
           good(law.span);
  }
  bool operator()(const PolynomialLaw& law) const {
    return !law.coefficients.empty() && all_finite(law.coefficients) && good(law.span);
  }
  bool operator()(const TableLaw& law) const {
    return good_points(law) && law.curvatures.size() == law.times.size() &&
           all_finite(law.curvatures);
  }
  bool operator()(const ExpressionLaw& law) const {
    const auto& names = law.formula.names;
    return !law.formula.steps.empty() &&
           (names.empty() || names == std::vector{std::string("t")}) &&
           all_finite({law.time_scale, law.value_scale}) && good(law.span);
  }
  bool operator()(const SumLaw& law) const {
    return !law.terms.empty() &&
           std::all_of(law.terms.begin(), law.terms.end(),
                       [this](const SimpleLaw& term) { return std::visit(*this, term); });
  }
  template <class PointLaw>
  bool operator()(const PointLaw& law) const {
    return good_points(law);
  }
  template <class PointLaw>
  static bool good_points(const PointLaw& law) {
    return !law.times.empty() && law.times.size() == law.values.size() && all_finite(law.times) &&
           all_finite(law.values) &&
           std::adjacent_find(law.times.begin(), law.times.end(), std::greater_equal<>()) ==
               law.times.end();
  }
};

std::vector<double> ends_of(const LawSpan& span) {
  std::vector<double> times{span.start};
  if (std::isfinite(span.end)) times.push_back(span.end);
  return times;
}

struct BreakTimes {
  std::vector<double> operator()(const ReplacedLaw& law) const { return (*this)(law.after); }
  std::vector<double> operator()(const ConstantLaw&) const { return {}; }
  std::vector<double> operator()(const SmoothLaw&) const { return {}; }
  std::vector<double> operator()(const LinearLaw& law) const {
    return law.times.size() > 1 ? law.times : std::vector<double>{};
  }
  std::vector<double> operator()(const StepsLaw& law) const {
    return {law.times.begin() + 1, law.times.end()};
  }
  std::vector<double> operator()(const HarmonicLaw& law) const { return ends_of(law.span); }
  std::vector<double> operator()(const PolynomialLaw& law) const { return ends_of(law.span); }
  // Where the spline ends with a slope or a curvature, the law has none beyond.
  std::vector<double> operator()(const TableLaw& law) const {
    std::vector<double> times;
    const auto jumps = [](const LawValue& end) { return end.rate != 0 || end.acceleration != 0; };
    if (law.times.size() < 2) return times;
    if (jumps(evaluate_points(law, law.times.front(), Side::after)))
      times.push_back(law.times.front());
    if (jumps(evaluate_points(law, law.times.back(), Side::before)))
      times.push_back(law.times.back());
    return times;
  }
  // Without a start the span begins at zero, where a formula of t goes on smoothly.
  std::vector<double> operator()(const ExpressionLaw& law) const { return ends_of(law.span); }
  std::vector<double> operator()(const SumLaw& law) const {
    std::vector<double> times;
    for (const SimpleLaw& term : law.terms) {
      const std::vector<double> more = std::visit(*this, term);
      times.insert(times.end(), more.begin(), more.end());
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
  }
};

struct Scale {
  double factor;
  void operator()(std::vector<double>& numbers) const {
    for (double& x : numbers) x *= factor;
  }
  void operator()(ConstantLaw& law) const { law.value *= factor; }
  void operator()(HarmonicLaw& law) const {
    law.amplitude *= factor;
    law.mean *= factor;
  }
  void operator()(PolynomialLaw& law) const { (*this)(law.coefficients); }
  void operator()(ReplacedLaw& law) const {
    law.before.value *= factor;
    law.before.rate *= factor;
    law.before.acceleration *= factor;
    (*this)(law.after);
  }
  void operator()(TableLaw& law) const {
    (*this)(law.values);
    (*this)(law.curvatures);
  }
  void operator()(ExpressionLaw& law) const { law.value_scale *= factor; }
  void operator()(SumLaw& law) const {
    for (SimpleLaw& term : law.terms) std::visit(*this, term);
  }
  template <class PointLaw>
  void operator()(PointLaw& law) const {
    (*this)(law.values);
  }
};

}  // namespace

TableLaw make_table_law(std::vector<double> times, std::vector<double> values) {
  std::vector<double> curvatures = calc_spline_curvatures(times, values);
  return {std::move(times), std::move(values), std::move(curvatures)};
}

std::variant<ExpressionLaw, FormulaProblem> parse_expression_law(std::string_view text) {
  auto parsed = parse_formula(text);
  if (auto* problem = std::get_if<FormulaProblem>(&parsed)) return std::move(*problem);
  auto& formula = std::get<Formula>(parsed);
  for (const Formula::Step& step : formula.steps) {
    if (step.operation != FormulaOperation::variable) continue;
    const std::string& name = formula.names[static_cast<std::size_t>(step.variable)];
    if (name == "t") continue;
    return FormulaProblem{step.column, "there is nothing named '" + name + "'",
                          "the only name in the expression of a law is t, the time"};
  }
  return ExpressionLaw{.formula = std::move(formula)};
}

bool is_finite(const LawValue& value) {
  return std::isfinite(value.value) && std::isfinite(value.rate) &&
         std::isfinite(value.acceleration);
}

void scale(Law& law, double factor) { std::visit(Scale{factor}, law); }

LawValue evaluate(const Law& law, double t, Side side) {
  return std::visit(Evaluate{t, side}, law);
}

bool is_constant(const Law& law) { return std::visit(IsConstant{}, law); }

bool is_continuous(const Law& law) { return std::visit(IsContinuous{}, law); }

bool is_well_formed(const Law& law) { return std::visit(IsWellFormed{}, law); }

namespace {

struct Terms {
  SumLaw operator()(const SumLaw& law) const { return law; }
  SumLaw operator()(const ReplacedLaw& law) const { return law.after; }
  template <class Simple>
  SumLaw operator()(const Simple& law) const {
    return {{law}};
  }
};

SumLaw plus(SumLaw sum, double by) {
  sum.terms.insert(sum.terms.begin(), ConstantLaw{by});
  return sum;
}

}  // namespace

Law shifted(const Law& law, double by) {
  SumLaw sum = plus(std::visit(Terms{}, law), by);
  const auto* of = std::get_if<ReplacedLaw>(&law);
  if (of == nullptr) return sum;
  LawValue before = of->before;
  before.value += by;
  return ReplacedLaw{of->time, before, std::move(sum)};
}

ReplacedLaw replaced(double time, const LawValue& before, const Law& law) {
  return {time, before, std::visit(Terms{}, law)};
}

std::vector<double> break_times(const Law& law) { return std::visit(BreakTimes{}, law); }

}  // namespace fem
