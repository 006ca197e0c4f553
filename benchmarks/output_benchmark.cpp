// Cost of a row of output on chains of three hinged rods, per element: what is computed for it, and
// what it takes to write it to a results file in bursts.
#include <cstddef>
#include <filesystem>
#include <string>
#include <unistd.h>

#include <benchmark/benchmark.h>

#include "benchmarks/chain.hpp"
#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/io/recorder.hpp"

namespace {

using namespace fem;
using benchmarks::Chain;
using benchmarks::report;

constexpr int kRows = 64;  // of a burst

// Accelerations, which are known where a row is due.
void accelerate(benchmark::State& state, Chain& c) {
  if (!c.system.acceleration(1, Side::before, c.q, c.v, c.a).ok()) state.SkipWithError("failed");
}

void output_snapshot(benchmark::State& state) {
  Chain c(state);
  accelerate(state, c);
  for (auto _ : state) {
    benchmark::DoNotOptimize(take_snapshot(c.system, {1, Side::before, c.q, c.v, c.a}));
  }
  report(state, c.model.elements.size());
}

void output_row(benchmark::State& state) {
  Chain c(state);
  accelerate(state, c);
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("fem_benchmark_" + std::to_string(getpid()) + ".h5");
  const ResultLayout layout = make_layout(c.model);
  Snapshot snapshot = take_snapshot(c.system, {1, Side::before, c.q, c.v, c.a});
  snapshot.laws.resize(layout.laws.size());  // of the work of laws, which a run sums up
  const std::size_t elements = kRows * c.model.elements.size();
  {
    Recorder recorder({.path = path, .case_text = "{}", .title = {}, .version = {}}, layout);
    for (auto _ : state) {
      for (int i = 0; i < kRows; ++i) {
        snapshot.time += 1e-3;
        recorder.append(snapshot);
      }
      recorder.flush();
    }
    report(state, elements);
    state.counters["file_bytes_per_element"] =
        static_cast<double>(std::filesystem::file_size(path)) /
        static_cast<double>(elements * static_cast<std::size_t>(state.iterations()));
  }
  std::filesystem::remove(path);
}

void chains(benchmark::internal::Benchmark* b) {
  b->ArgNames({"elements", "threads"});
  for (const int elements : {21, 210, 2100}) b->Args({elements, 1});
}

BENCHMARK(output_snapshot)->Apply(chains)->UseRealTime();
BENCHMARK(output_row)->Apply(chains)->Iterations(4)->UseRealTime();  // files of 150 MB at most

}  // namespace
