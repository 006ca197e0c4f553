#include "libfem/math/sampling.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace fem {
namespace {

// SplitMix64 (Steele, Lea & Flood 2014): a bijection that mixes all bits.
std::uint64_t mix(std::uint64_t x) noexcept {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

std::uint64_t calc_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) noexcept {
  return mix(mix(mix(seed) ^ stream) ^ index);
}

// Primitive polynomial (degree s, inner coefficients a) and the first direction numbers m.
struct Direction {
  unsigned s, a;
  std::array<std::uint32_t, 7> m;
};
constexpr std::array<Direction, kMostSobolDimensions - 1> kDirections{{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
}};

constexpr unsigned kBits = 32;

// Direction numbers v_1 … v_32, each shifted to the top.
std::array<std::uint32_t, kBits> calc_directions(std::size_t dimension) noexcept {
  std::array<std::uint32_t, kBits> v{};
  if (dimension == 0) {
    for (unsigned i = 0; i < kBits; ++i) v[i] = 1U << (kBits - 1 - i);
    return v;
  }
  const Direction& d = kDirections[dimension - 1];
  for (unsigned i = 0; i < kBits; ++i) {
    if (i < d.s) {
      v[i] = d.m[i] << (kBits - 1 - i);
      continue;
    }
    v[i] = v[i - d.s] ^ (v[i - d.s] >> d.s);
    for (unsigned k = 1; k < d.s; ++k) {
      if (((d.a >> (d.s - 1 - k)) & 1U) != 0) v[i] ^= v[i - k];
    }
  }
  return v;
}

// Never 0 or 1.
double to_open_interval(std::uint64_t bits53) noexcept {
  return (static_cast<double>(bits53) + 0.5) * 0x1p-53;
}

}  // namespace

double calc_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) noexcept {
  return to_open_interval(calc_bits(seed, stream, index) >> 11U);
}

std::vector<double> make_latin_slices(std::uint64_t seed, std::uint64_t stream, std::size_t count) {
  std::vector<std::size_t> slice(count);
  for (std::size_t i = 0; i < count; ++i) slice[i] = i;
  const std::uint64_t shuffle = mix(stream);
  for (std::size_t i = count; i-- > 1;) {
    const double u = calc_uniform(seed, shuffle, i);
    std::swap(slice[i], slice[static_cast<std::size_t>(u * static_cast<double>(i + 1))]);
  }
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double within = calc_uniform(seed, stream, i);
    values[i] = (static_cast<double>(slice[i]) + within) / static_cast<double>(count);
  }
  return values;
}

double calc_sobol(std::uint64_t seed, std::size_t dimension, std::uint32_t index) noexcept {
  const std::array<std::uint32_t, kBits> v = calc_directions(dimension);
  std::uint32_t x = 0;
  for (unsigned i = 0; i < kBits; ++i) {
    if (((index >> i) & 1U) != 0) x ^= v[i];
  }
  const std::uint64_t shift = calc_bits(seed, dimension, 0);
  const std::uint64_t shifted = (static_cast<std::uint64_t>(x) << 32U) ^ shift;
  return to_open_interval(shifted >> 11U);
}

double calc_normal_quantile(double p) noexcept {
  if (p > 0.5) return -calc_normal_quantile(1 - p);
  // A rational start (Abramowitz & Stegun 26.2.23, to 4.5e-4), then Halley's iteration.
  const double t = std::sqrt(-2 * std::log(p));
  double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int i = 0; i < 3; ++i) {
    const double below = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    const double change = (below - p) / density;
    x -= change / (1 + 0.5 * x * change);
  }
  return x;
}

}  // namespace fem
