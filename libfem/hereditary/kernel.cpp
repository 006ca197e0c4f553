#include "libfem/hereditary/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>

#include "libfem/hereditary/spectrum.hpp"

namespace fem {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::string show(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// ∫ μ(s) w(s, t) ds by the trapezoidal rule over x, weigh(s, (s−b)μ) = w μ (s−b):
// s − b = exp(x − e^{−x})/t, or e^x/t where μ itself vanishes fast enough towards s = 0.
template <class Weigh>
double integrate_spectrum(const Spectrum& spectrum, double t, double last, const Weigh& weigh) {
  constexpr double h = 0.03125;
  constexpr double first = -8, first_essential = -100;
  const double log_t = std::log(t);
  double sum = 0;
  for (double x = spectrum.essential ? first_essential : first; x <= last; x += h) {
    const double e = spectrum.essential ? 0.0 : std::exp(-x);
    const double log_s = x - e - log_t;
    const double density = spectrum.density(log_s);
    if (density != 0) sum += h * (1 + e) * weigh(spectrum.shift + std::exp(log_s), density);
  }
  return sum;
}

// ∫₀ᵗ f(u) du, f ∝ u^{β−1} for small u, by u = t/(1 + exp(−π sinh x)).
template <class Function>
double integrate_singular(double t, const Function& f) {
  constexpr double h = 0.03125;
  double sum = 0;
  for (double x = -6; x <= 4; x += h) {
    const double e = std::exp(-3.141592653589793 * std::sinh(x));
    const double u = t / (1 + e);
    if (!(u > 0) || !std::isfinite(e)) continue;
    sum += h * f(u) * u * e / (1 + e) * 3.141592653589793 * std::cosh(x);
  }
  return sum;
}

double koltunov_value(const KoltunovKernel& k, double t) {
  return k.amplitude * std::pow(t, k.beta - 1) * std::exp(-k.decay * std::pow(t, k.alpha));
}

double koltunov_mass(const KoltunovKernel& k) {
  const double ratio = k.beta / k.alpha;
  return k.amplitude / k.alpha * std::pow(k.decay, -ratio) * std::tgamma(ratio);
}

// Slonimsky's kernel is Koltunov's with β = α.
const KoltunovKernel* as_koltunov(const Kernel& kernel, KoltunovKernel& made) {
  if (const auto* k = std::get_if<KoltunovKernel>(&kernel)) return k;
  const auto* s = std::get_if<SlonimskyKernel>(&kernel);
  if (s == nullptr) return nullptr;
  made = {s->amplitude, 1 - s->alpha, s->decay, 1 - s->alpha};
  return &made;
}

// ------------------------------------------------------------------------------- admissibility

class Checker {
 public:
  Checker(const HereditaryLaw& law, const std::string& place, std::vector<Problem>& problems,
          const KernelUnits& units)
      : law_(law), place_(place), problems_(problems), units_(units), before_(problems.size()) {}

  void check() {
    positive(law_.instantaneous, "instantaneous", units_.stiffness);
    if (!(law_.tolerance >= kLeastTolerance && law_.tolerance <= kMostTolerance)) {
      report("tolerance", law_.tolerance, {}, "give a number from 1e-12 to 1e-3");
    }
    std::visit([this](const auto& k) { check(k); }, law_.kernel);
    if (problems_.size() == before_) check_mass();
  }

 private:
  static constexpr double kLeastTolerance = 1e-12;
  static constexpr double kMostTolerance = 1e-3;
  static constexpr double kRounding = 1e-12;

  std::string say(double value, const Dimension& unit) const {
    return show(value, units_.units, unit);
  }
  void report(const std::string& key, double value, const Dimension& unit,
              const std::string& remedy) {
    problems_.push_back(
        {place_ + (key.empty() ? "" : "/" + key), "the value is " + say(value, unit), remedy});
  }
  void positive(double value, const char* key, const Dimension& unit) {
    if (!std::isfinite(value) || value <= 0) {
      report(key, value, unit, "give a positive, finite number");
    }
  }
  void not_negative(double value, const char* key, const Dimension& unit) {
    if (!std::isfinite(value) || value < 0) {
      report(key, value, unit, "give zero or a positive, finite number");
    }
  }
  void exponent(double value, const char* key) {
    if (value >= 0 && value < 1) return;
    report(key, value, {},
           value >= 1 ? "give at least 0 and less than 1: t^-alpha cannot be integrated up to t = 0"
                      : "give at least 0 and less than 1: otherwise the memory of the past grows "
                        "at first instead of fading");
  }
  void fading(double value, const char* key) {
    if (value > 0 && value <= 1) return;
    report(key, value, {},
           "give more than 0 and at most 1: otherwise the memory does not fade monotonely and the "
           "element may give out energy");
  }

  void check(const StandardKernel& k) {
    if (!std::isfinite(k.time) || k.time <= 0) {
      report("time", k.time, dimension::kTime,
             "give a positive, finite number: with another the force grows by itself");
    }
    if (!std::isfinite(k.prolonged) || k.prolonged < 0) {
      report("prolonged", k.prolonged, units_.stiffness,
             "give at least 0: a negative stiffness after a long time is unstable");
    } else if (k.prolonged > law_.instantaneous) {
      report("prolonged", k.prolonged, units_.stiffness,
             "give at most instantaneous, " + say(law_.instantaneous, units_.stiffness) +
                 ": an element that grows stiffer while it is held gives out energy");
    }
  }
  void check(const PronyKernel& k) {
    if (k.terms.empty()) {
      problems_.push_back(
          {place_ + "/terms", "there are no terms", "give at least one [weight, time]"});
    }
    for (std::size_t i = 0; i < k.terms.size(); ++i) {
      const std::string key = "terms/" + std::to_string(i) + "/";
      positive(k.terms[i][0], (key + "0").c_str(), dimension::time_to(-1));
      positive(k.terms[i][1], (key + "1").c_str(), dimension::kTime);
    }
  }
  void check(const RzhanitsynKernel& k) {
    positive(k.amplitude, "A", dimension::time_to(k.alpha - 1));
    exponent(k.alpha, "alpha");
    not_negative(k.rate, "b", dimension::time_to(-1));
  }
  void check(const KoltunovKernel& k) {
    positive(k.amplitude, "a", dimension::time_to(-k.beta));
    positive(k.decay, "p", dimension::time_to(-k.alpha));
    fading(k.beta, "beta");
    fading(k.alpha, "alpha");
  }
  void check(const SlonimskyKernel& k) {
    positive(k.amplitude, "a", dimension::time_to(k.alpha - 1));
    positive(k.decay, "p", dimension::time_to(k.alpha - 1));
    exponent(k.alpha, "alpha");
  }
  void check(const RabotnovKernel& k) {
    positive(k.amplitude, "lambda", dimension::time_to(k.alpha - 1));
    exponent(k.alpha, "alpha");
    not_negative(k.rate, "b", dimension::time_to(k.alpha - 1));
  }

  // A relaxation kernel may take away all of the force, and no more.
  void check_mass() {
    if (law_.form == KernelForm::retardation) return;
    const double mass = kernel_mass(law_);
    if (mass <= 1 + kRounding) return;
    problems_.push_back(
        {place_,
         "the integral of the relaxation kernel is " +
             (std::isfinite(mass) ? show(mass) : "infinite"),
         "let it be at most 1: a larger one takes away more than the whole force, and the element "
         "pushes where it was pulled; or is it a creep kernel, \"form\": \"retardation\"?"});
  }

  const HereditaryLaw& law_;
  const std::string& place_;
  std::vector<Problem>& problems_;
  const KernelUnits& units_;
  std::size_t before_;
};

}  // namespace

void check_admissible(const HereditaryLaw& law, const std::string& place,
                      std::vector<Problem>& problems, const KernelUnits& units) {
  Checker(law, place, problems, units).check();
}

double kernel_value(const HereditaryLaw& law, double t) {
  KoltunovKernel made;
  if (const auto* k = as_koltunov(law.kernel, made)) return koltunov_value(*k, t);
  if (const auto* k = std::get_if<RzhanitsynKernel>(&law.kernel)) {
    return k->amplitude * std::exp(-k->rate * t) * std::pow(t, -k->alpha);
  }
  const Spectrum spectrum = make_spectrum(law);
  double value = 0;
  for (const auto& [weight, rate] : spectrum.lines) value += weight * std::exp(-rate * t);
  if (spectrum.is_discrete()) return value;
  constexpr double last = 4;  // e^{-e^4} = 2e-24
  return integrate_spectrum(spectrum, t, last,
                            [t](double s, double density) { return density * std::exp(-s * t); });
}

double kernel_integral(const HereditaryLaw& law, double t) {
  if (t <= 0) return 0;
  KoltunovKernel made;
  if (const auto* k = as_koltunov(law.kernel, made)) {
    return integrate_singular(t, [k](double u) { return koltunov_value(*k, u); });
  }
  const Spectrum spectrum = make_spectrum(law);
  double value = 0;
  for (const auto& [weight, rate] : spectrum.lines) {
    value += rate > 0 ? -weight / rate * std::expm1(-rate * t) : weight * t;
  }
  if (spectrum.is_discrete()) return value;
  const double last = 40 / spectrum.decay;  // the integrand falls like e^{−νx}
  return integrate_spectrum(spectrum, t, last, [t](double s, double density) {
    return s > 0 ? -density / s * std::expm1(-s * t) : density * t;
  });
}

double kernel_mass(const HereditaryLaw& law) {
  KoltunovKernel made;
  if (const auto* k = as_koltunov(law.kernel, made)) return koltunov_mass(*k);
  if (const auto* k = std::get_if<RzhanitsynKernel>(&law.kernel)) {
    const double nu = 1 - k->alpha;
    return k->rate > 0 ? k->amplitude * std::pow(k->rate, -nu) * std::tgamma(nu) : kInfinite;
  }
  if (const auto* k = std::get_if<RabotnovKernel>(&law.kernel)) {
    return k->rate > 0 ? k->amplitude / k->rate : kInfinite;
  }
  double mass = 0;
  for (const auto& [weight, rate] : make_spectrum(law).lines) mass += weight / rate;
  return mass;
}

double kernel_laplace(const HereditaryLaw& law, double s) {
  if (const auto* k = std::get_if<RabotnovKernel>(&law.kernel)) {
    return k->amplitude / (std::pow(s, 1 - k->alpha) + k->rate);
  }
  if (const auto* k = std::get_if<RzhanitsynKernel>(&law.kernel)) {
    const double nu = 1 - k->alpha;
    return k->amplitude * std::tgamma(nu) * std::pow(s + k->rate, -nu);
  }
  if (s == 0) return kernel_mass(law);
  const Spectrum spectrum = make_spectrum(law);
  double value = 0;
  for (const auto& [weight, rate] : spectrum.lines) value += weight / (rate + s);
  if (spectrum.is_discrete()) return value;
  const double last = 40 / spectrum.decay;
  return integrate_spectrum(spectrum, 1 / s, last,
                            [s](double r, double density) { return density / (r + s); });
}

double relaxed_part(const HereditaryLaw& law) {
  if (const auto* k = std::get_if<StandardKernel>(&law.kernel)) {
    return k->prolonged / law.instantaneous;
  }
  const double mass = kernel_mass(law);
  return law.form == KernelForm::relaxation ? std::max(0.0, 1 - mass) : 1 / (1 + mass);
}

}  // namespace fem
