// What the machine can do, in the same run: the limits that docs/performance.md states distances
// to, and what ratios to a stored baseline are freed of the machine's own speed with.
#include <array>
#include <cstddef>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

// Multiplications and additions of doubles in independent chains, as many as hide the latency:
// "flops" per second of one core. They are not fused, as in libfem (results must not depend on it).
void machine_flops(benchmark::State& state) {
  constexpr std::size_t kLanes = 40;
  std::array<double, kLanes> x;
  x.fill(1.0);
  double factor = 1 - 1e-9;
  double term = 1e-9;
  benchmark::DoNotOptimize(factor);
  benchmark::DoNotOptimize(term);
  constexpr int kRounds = 1000;
  for (auto _ : state) {
    for (int round = 0; round < kRounds; ++round) {
      for (double& lane : x) lane = lane * factor + term;
    }
    benchmark::DoNotOptimize(x);
  }
  state.counters["flops"] =
      benchmark::Counter(2.0 * kLanes * kRounds, benchmark::Counter::kIsIterationInvariantRate);
}

// a = b + s c over arrays far larger than any cache: bytes per second of one core, three a number.
void machine_triad(benchmark::State& state) {
  constexpr std::size_t kSize = 1u << 23;
  std::vector<double> a(kSize, 1.0), b(kSize, 2.0), c(kSize, 3.0);
  double scale = 0.5;
  benchmark::DoNotOptimize(scale);
  for (auto _ : state) {
    for (std::size_t i = 0; i < kSize; ++i) a[i] = b[i] + scale * c[i];
    benchmark::ClobberMemory();
  }
  state.counters["bytes"] = benchmark::Counter(3.0 * sizeof(double) * kSize,
                                               benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(machine_flops);
BENCHMARK(machine_triad);

}  // namespace
