#include "libfem/hereditary/relaxation_series.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libfem/base/error.hpp"
#include "libfem/hereditary/exponential_sum.hpp"
#include "libfem/hereditary/resolvent.hpp"

namespace fem {
namespace {

constexpr double kCoarsest = 0.6;  // steps of the quadrature
constexpr double kFinest = 0.02;
constexpr double kFiner = 0.9;

// The branches of a relaxation kernel: c_j = c w/s, τ_j = 1/s.
RelaxationSeries make_branches(const HereditaryLaw& law, const std::vector<Exponential>& kernel) {
  RelaxationSeries series{.relaxed = relaxed_part(law) * law.instantaneous};
  for (const auto& [weight, rate] : kernel) {
    series.stiffness.push_back(law.instantaneous * weight / rate);
    series.time.push_back(1 / rate);
  }
  return series;
}

RelaxationSeries make_series(const HereditaryLaw& law, const std::vector<Exponential>& kernel) {
  return make_branches(law, law.form == KernelForm::relaxation ? kernel : calc_resolvent(kernel));
}

// Largest difference of the relaxation functions between two times.
double calc_difference(const RelaxationSeries& a, const RelaxationSeries& b, double from,
                       double to) {
  constexpr int points = 200;
  double largest = 0;
  for (int i = 0; i <= points; ++i) {
    const double t = from * std::pow(to / from, static_cast<double>(i) / points);
    largest = std::max(largest, std::abs(a.relaxation(t) - b.relaxation(t)));
  }
  return largest / a.instantaneous();
}

// Lines of the same rate are one.
std::vector<Exponential> merge_lines(std::vector<Exponential> lines) {
  std::sort(lines.begin(), lines.end(),
            [](const Exponential& a, const Exponential& b) { return a.rate < b.rate; });
  std::vector<Exponential> merged;
  for (const Exponential& line : lines) {
    if (line.weight == 0) continue;
    if (!merged.empty() && merged.back().rate == line.rate) {
      merged.back().weight += line.weight;
    } else {
      merged.push_back(line);
    }
  }
  return merged;
}

// Motion with |ÿ| ≤ |y|/Δt² feels what is faster than d as (d/Δt)^{2+ν} of the kernel's mass
// within a step (README.md): the d at which that is the tolerance.
double calc_resolution(const HereditaryLaw& law, const Spectrum& spectrum, double step) {
  return step * std::pow(law.tolerance, 1 / (2 + spectrum.decay));
}

}  // namespace

double RelaxationSeries::instantaneous() const noexcept {
  double sum = relaxed;
  for (const double c : stiffness) sum += c;
  return sum;
}

double RelaxationSeries::relaxation(double t) const noexcept {
  double sum = relaxed;
  for (std::size_t j = 0; j < size(); ++j) sum += stiffness[j] * std::exp(-t / time[j]);
  return sum;
}

RelaxationSeries make_relaxation_series(const HereditaryLaw& law, const TimeScales& scales) {
  FEM_DEMAND(scales.step > 0 && scales.horizon > 0);
  const Spectrum spectrum = make_spectrum(law);
  if (spectrum.is_discrete()) return make_series(law, merge_lines(spectrum.lines));
  const double horizon = std::max(scales.horizon, scales.step);
  const double resolution = calc_resolution(law, spectrum, std::min(scales.step, horizon));
  const SumEnds ends{.horizon = horizon,
                     .slowest = 0.1 * std::sqrt(law.tolerance) / horizon,
                     .fastest = (3 - std::log(law.tolerance)) / resolution,
                     .mass = kernel_mass(law)};
  const SumEnds all{.horizon = horizon,
                    .slowest = 1e-3 * ends.slowest,
                    .fastest = 10 * ends.fastest,
                    .mass = ends.mass};
  for (double h = kCoarsest;; h *= kFiner) {
    // Twice as fine, the error is squared: the difference is the error.
    RelaxationSeries series = make_series(law, sample_spectrum(spectrum, h, ends));
    const RelaxationSeries fine = make_series(law, sample_spectrum(spectrum, 0.5 * h, all));
    series.error = calc_difference(series, fine, resolution, horizon);
    series.resolution = resolution;
    if (series.error <= law.tolerance || h < kFinest) return series;
  }
}

}  // namespace fem
