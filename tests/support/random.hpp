// Reproducible random numbers for tests: the same on every platform and library.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace fem::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [low, high).
  double uniform(double low, double high) {
    const double unit = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return low + (high - low) * unit;
  }
  /// Uniform in its decimal logarithm.
  double log_uniform(double low, double high) {
    return std::pow(10.0, uniform(std::log10(low), std::log10(high)));
  }
  /// Integer in [low, high].
  int integer(int low, int high) {
    return low + static_cast<int>(std::floor(uniform(0, high - low + 1)));
  }
  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace fem::test
