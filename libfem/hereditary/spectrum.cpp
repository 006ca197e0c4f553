#include "libfem/hereditary/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <type_traits>

namespace fem {
namespace {

using std::numbers::pi;

// ∫₀^∞ ρ^{β−1} exp(−P ρ^α e^{iαφ} + ρ e^{iφ}) dρ over u, ρ = exp(u − e^{−u}): the integrand
// vanishes double exponentially at both ends.
class KoltunovIntegrand {
 public:
  KoltunovIntegrand(double beta, double alpha, double P, double phi)
      : beta_(beta),
        alpha_(alpha),
        turn_(std::polar(1.0, phi)),
        decay_(P * std::polar(1.0, alpha * phi)),
        last_(std::log(800 / -std::cos(phi))) {}

  /// By the trapezoidal rule, halving its step until the error, which is squared by that, is
  /// below rounding.
  [[nodiscard]] std::complex<double> integrate() const {
    constexpr double first = -6.5;
    constexpr double finest = 1e-4;
    constexpr double squared_is_nothing = 1e-8;
    double h = 0.1;
    Sum sum = add(first, h);
    for (;;) {
      const Sum between = add(first + 0.5 * h, h);
      const std::complex<double> change = 0.5 * (between.value - sum.value) * h;
      sum.value += between.value;
      sum.size += between.size;
      h /= 2;
      if (std::abs(change) <= squared_is_nothing * h * sum.size || h < finest) break;
    }
    return h * sum.value;
  }

 private:
  struct Sum {
    std::complex<double> value = 0;
    double size = 0;
  };
  [[nodiscard]] Sum add(double first, double h) const {
    Sum sum;
    for (double u = first; u < last_; u += h) {
      const double e = std::exp(-u);
      const double log_rho = u - e;
      const std::complex<double> term =
          (1 + e) * std::exp(beta_ * log_rho - decay_ * std::exp(alpha_ * log_rho) +
                             turn_ * std::exp(log_rho));
      sum.value += term;
      sum.size += std::abs(term);
    }
    return sum;
  }

  double beta_, alpha_;
  std::complex<double> turn_, decay_;
  double last_;
};

// s μ(s) of a t^{β−1} e^{−p t^α}, α < 1. For s → 0 it is about exp(−(1−α)(α^α P)^{1/(1−α)}).
double koltunov_density(const KoltunovKernel& k, double log_s) {
  constexpr double vanished = 1e5;
  const double P = k.decay * std::exp(-k.alpha * log_s);
  if (!(std::pow(P, 1 / (1 - k.alpha)) < vanished)) return 0;
  const double phi = 0.5 * (pi / 2 + std::min(pi, pi / (2 * k.alpha)));
  const std::complex<double> integral = KoltunovIntegrand(k.beta, k.alpha, P, phi).integrate();
  const std::complex<double> turn = std::polar(1.0, k.beta * phi);
  return k.amplitude / pi * std::exp((1 - k.beta) * log_s) * (turn * integral).imag();
}

Spectrum make(const StandardKernel& k, const HereditaryLaw& law) {
  // R = (c−c̃)/(cn) e^{−t/n} and K = (c−c̃)/(cn) e^{−c̃t/(cn)} are resolvents of each other.
  const double weight = (law.instantaneous - k.prolonged) / (law.instantaneous * k.time);
  const double creep_rate = k.prolonged / (law.instantaneous * k.time);
  return {.lines = {{weight, law.form == KernelForm::relaxation ? 1 / k.time : creep_rate}}};
}

Spectrum make(const PronyKernel& k, const HereditaryLaw&) {
  Spectrum spectrum;
  for (const auto& [weight, time] : k.terms) spectrum.lines.push_back({weight, 1 / time});
  return spectrum;
}

Spectrum make(const RzhanitsynKernel& k, const HereditaryLaw&) {
  if (k.alpha == 0) return {.lines = {{k.amplitude, k.rate}}};
  const double factor = k.amplitude / std::tgamma(k.alpha);
  return {.density = [factor, a = k.alpha](double x) { return factor * std::exp(a * x); },
          .shift = k.rate,
          .decay = 1 - k.alpha};
}

Spectrum make(const RabotnovKernel& k, const HereditaryLaw&) {
  if (k.alpha == 0) return {.lines = {{k.amplitude, k.rate}}};
  const double nu = 1 - k.alpha;
  if (k.rate == 0) return make(RzhanitsynKernel{k.amplitude / std::tgamma(nu), k.alpha, 0}, {});
  const auto density = [k, nu](double x) {
    // Divided by s^{2ν}, so that nothing overflows where s is large.
    const double ratio = k.rate * std::exp(-nu * x);
    if (!std::isfinite(ratio * ratio)) return 0.0;
    return k.amplitude / pi * std::exp((1 - nu) * x) * std::sin(pi * nu) /
           (1 + 2 * ratio * std::cos(pi * nu) + ratio * ratio);
  };
  return {.density = density, .decay = nu};
}

Spectrum make(const KoltunovKernel& k, const HereditaryLaw& law) {
  if (k.alpha == 1) return make(RzhanitsynKernel{k.amplitude, 1 - k.beta, k.decay}, law);
  return {.density = [k](double x) { return koltunov_density(k, x); },
          .decay = k.beta,
          .essential = true,
          .center = std::pow(k.decay, 1 / k.alpha)};
}

Spectrum make(const SlonimskyKernel& k, const HereditaryLaw& law) {
  const double nu = 1 - k.alpha;
  return make(KoltunovKernel{k.amplitude, nu, k.decay, nu}, law);
}

}  // namespace

Spectrum make_spectrum(const HereditaryLaw& law) {
  return std::visit([&law](const auto& k) { return make(k, law); }, law.kernel);
}

}  // namespace fem
