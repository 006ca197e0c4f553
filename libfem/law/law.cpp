#include "libfem/law/law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

#include "libfem/base/error.hpp"

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

template <class Formula>
LawValue evaluate_span(const Formula& law, double t, Side side) {
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
  bool operator()(const SumLaw& law) const {
    return !law.terms.empty() &&
           std::all_of(law.terms.begin(), law.terms.end(),
                       [this](const SimpleLaw& term) { return std::visit(*this, term); });
  }
  template <class PointLaw>
  bool operator()(const PointLaw& law) const {
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

}  // namespace

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
