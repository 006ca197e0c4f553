#include "libfem/hereditary/memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libfem/base/error.hpp"

namespace fem {

using hereditary_detail::decay;
using hereditary_detail::Decay;

namespace {

// (x − E₁ − E₁²/2)/x² where x is small: Σ_{n≥3} (−1)^{n+1} (2^{n−1} − 2)/n! x^{n−2}.
double small_quadratic(double x) noexcept {
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

double passed(const HereditaryMemory& memory, double t) noexcept {
  return std::max(0.0, t - memory.time);
}

// Calls take(j, z_j before, decay) for every branch of a step to time t.
template <class Take>
void each_branch(const RelaxationSeries& series, const HereditaryMemory& memory, double t,
                 const Take& take) {
  const double dt = passed(memory, t);
  for (std::size_t j = 0; j < series.size(); ++j) {
    take(j, memory.branch[j], decay(dt / series.time[j]));
  }
}

}  // namespace

Decay hereditary_detail::decay(double x) noexcept {
  constexpr double small = 0.3;
  if (x == 0) return {1, 0, 1, 0};
  const double lost = -std::expm1(-x);
  return {1 - lost, lost, lost / x,
          x < small ? small_quadratic(x) : (x - lost - 0.5 * lost * lost) / (x * x)};
}

HereditaryResponse respond(const RelaxationSeries& series, const HereditaryMemory& memory, double t,
                           double y) noexcept {
  const double dy = y - memory.deformation;
  HereditaryResponse r{.force = series.relaxed * y,
                       .stiffness = series.relaxed,
                       .stored = 0.5 * series.relaxed * y * y,
                       .dissipated = memory.dissipated};
  each_branch(series, memory, t, [&](std::size_t j, double z, const Decay& e) {
    const double c = series.stiffness[j];
    const double z1 = e.left * z + e.mean_left * dy;
    r.force += c * z1;
    r.stiffness += c * e.mean_left;
    r.stored += 0.5 * c * z1 * z1;
    r.dissipated_power += c * z1 * z1 / series.time[j];
    r.dissipated += c * (z * z * (e.lost - 0.5 * e.lost * e.lost) + z * dy * e.mean_left * e.lost +
                         dy * dy * e.quadratic);
  });
  return r;
}

double calc_force(const RelaxationSeries& series, const HereditaryMemory& memory, double t,
                  double y) noexcept {
  const double dt = passed(memory, t);
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

void commit(const RelaxationSeries& series, double t, double y, HereditaryMemory& memory) {
  FEM_ASSERT(t >= memory.time);
  memory.dissipated = respond(series, memory, t, y).dissipated;
  const double dy = y - memory.deformation;
  each_branch(series, memory, t, [&](std::size_t j, double z, const Decay& e) {
    memory.branch[j] = e.left * z + e.mean_left * dy;
  });
  memory.time = t;
  memory.deformation = y;
}

}  // namespace fem
