#include "libfem/hereditary/exponential_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fem {
namespace {

// One sample: rate above the shift, rate, weight.
struct Sample {
  double above = 0;
  double rate = 0;
  double weight = 0;
};

Sample sample(const Spectrum& spectrum, double x, double h, double horizon) {
  const double e = spectrum.essential ? 0.0 : std::exp(-x);
  const double log_s =
      spectrum.essential ? x + std::log(spectrum.center) : x - e - std::log(horizon);
  const double above = std::exp(log_s);
  return {above, spectrum.shift + above, h * (1 + e) * spectrum.density(log_s)};
}

// From x = start in steps of h (of either sign) until nothing more comes of it: w/s towards fast
// rates, where it falls like s^{−ν}; the weight towards slow ones, where w/s may not fall.
void sample_side(const Spectrum& spectrum, double start, double h, double horizon,
                 std::vector<Sample>& samples) {
  constexpr double nothing = 1e-18;
  constexpr int most = 20000;
  double largest = 0;
  double x = start;
  for (int i = 0; i < most; ++i, x += h) {
    const Sample s = sample(spectrum, x, std::abs(h), horizon);
    const double mass = s.weight / s.rate;
    const double measure = h > 0 || std::isfinite(mass) ? mass : s.weight;
    largest = std::max(largest, measure);
    if (s.weight > 0) samples.push_back(s);
    const bool past_peak = h > 0 ? x > 2 : x < -2;
    if (past_peak && !(measure > nothing * largest)) return;
    if (h < 0 && !spectrum.essential && x < -8) return;  // s − b < e^{−2989}
  }
}

}  // namespace

std::vector<Exponential> sample_spectrum(const Spectrum& spectrum, double h, const SumEnds& ends) {
  std::vector<Sample> samples;
  sample_side(spectrum, -h, -h, ends.horizon, samples);
  std::reverse(samples.begin(), samples.end());
  sample_side(spectrum, 0, h, ends.horizon, samples);

  std::vector<Exponential> sum;
  double slow_weight = 0, slow_mass = 0, fast_mass = 0, fast_moment = 0, kept_mass = 0;
  for (const Sample& s : samples) {
    const double mass = s.weight / s.rate;
    if (s.above < ends.slowest) {
      slow_weight += s.weight;
      slow_mass += mass;
    } else if (s.rate > ends.fastest) {
      fast_mass += mass;
      fast_moment += mass / s.rate;
    } else {
      sum.push_back({s.weight, s.rate});
      kept_mass += mass;
    }
  }
  if (slow_weight > 0) {
    // Creep without end: a rate of zero.
    const double rate =
        std::isfinite(slow_mass) && std::isfinite(ends.mass) ? slow_weight / slow_mass : 0.0;
    sum.insert(sum.begin(), {slow_weight, rate});
    kept_mass += slow_mass;
  }
  if (fast_mass > 0) {
    const double rate = fast_mass / fast_moment;
    const double restored = std::isfinite(ends.mass) ? ends.mass - kept_mass : fast_mass;
    if (restored > 0) sum.push_back({restored * rate, rate});
  }
  return sum;
}

}  // namespace fem
