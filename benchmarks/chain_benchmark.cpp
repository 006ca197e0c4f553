// Cost of the parts of a step on chains of three hinged rods, per element. Of the short steps:
// element kernel (mass and forces), factorization and solution, one evaluation of the
// accelerations, one step. Of the long ones: balance of forces, matrix with its factorization,
// solution, one step. The counter "per_element" is in seconds; run with --benchmark_format=json for
// the numbers.
#include <algorithm>
#include <cstddef>
#include <vector>

#include <benchmark/benchmark.h>

#include "benchmarks/chain.hpp"
#include "benchmarks/counted.hpp"
#include "libfem/integrator/arc_length.hpp"
#include "libfem/integrator/generalized_alpha.hpp"
#include "libfem/rod/rod_step.hpp"
#include "libfem/system/rod_pool.hpp"
#include "libfem/system/system.hpp"

namespace {

using namespace fem;
using benchmarks::Chain;
using benchmarks::report;

// Operations of one element kernel, counted.
template <class Kernel>
double count_operations(const Kernel& kernel) {
  const Vector6<benchmarks::Counted> q{0.0, 0.0, 0.01, 0.02, 0.3, 0.01};
  const Vector6<benchmarks::Counted> v{1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  RodConstants<benchmarks::Counted> constants{};
  constants.length = 0.3;
  constants.inverse_length = 1 / 0.3;
  benchmarks::operations = 0;
  kernel(constants, q, v);
  return static_cast<double>(benchmarks::operations);
}

void element_kernel(benchmark::State& state) {
  Chain c(state);
  const RodPool pool(c.model, c.system.numbering());
  std::vector<double> buffer(pool.buffer_size());
  for (auto _ : state) {
    pool.evaluate({static_cast<int>(state.range(1))}, c.q, c.v, buffer);
    benchmark::DoNotOptimize(buffer.data());
    benchmark::ClobberMemory();
  }
  report(state, c.model.elements.size());
  state.counters["flops_per_element"] =
      count_operations([](const auto& constants, const auto& q, const auto& v) {
        benchmark::DoNotOptimize(calc_motion(constants, q, v));
      });
}

void factorize_and_solve(benchmark::State& state) {
  Chain c(state);
  BlockLdlt matrix(c.system.numbering().elimination, {static_cast<int>(state.range(1))});
  std::vector<double> b(matrix.size());
  const auto refill = [&] {
    std::fill(matrix.off_diagonal().begin(), matrix.off_diagonal().end(), 0.1);
    for (std::size_t i = 0; i < matrix.diagonal().size(); ++i) {
      matrix.diagonal()[i] = i % 9 % 4 == 0 ? 2.0 : 0.1;
    }
  };
  for (auto _ : state) {
    refill();  // part of what assembly costs too
    if (!matrix.factorize_and_solve(b).ok()) state.SkipWithError("not positive definite");
    benchmark::DoNotOptimize(b.data());
  }
  report(state, c.model.elements.size());
}

void acceleration(benchmark::State& state) {
  Chain c(state);
  for (auto _ : state) {
    if (!c.system.acceleration(1, Side::before, c.q, c.v, c.a).ok()) state.SkipWithError("failed");
    benchmark::DoNotOptimize(c.a.data());
  }
  report(state, c.model.elements.size());
  state.counters["bytes_per_element"] =
      static_cast<double>(c.bytes) / static_cast<double>(c.model.elements.size());
}

// The same where the section remembers: two exponentials a strain.
void remembering_acceleration(benchmark::State& state) {
  Chain c(state, true);
  c.system.start_memory({1e-4, 5}, c.q);
  double t = 1;
  for (auto _ : state) {
    t += 1e-4;
    if (!c.system.acceleration(t, Side::before, c.q, c.v, c.a).ok()) state.SkipWithError("failed");
    c.system.commit_memory(t, Side::before, c.q);
    benchmark::DoNotOptimize(c.a.data());
  }
  report(state, c.model.elements.size());
}

void integrator_step(benchmark::State& state) {
  Chain c(state);
  const std::vector<double> ones(c.system.size(), 1.0);
  ArcLength<System> integrator(c.system, {.highest_frequency = c.system.highest_frequency(),
                                          .weights = ones,
                                          .scales = ones,
                                          .parallelism = {static_cast<int>(state.range(1))}});
  std::vector<double> impulses;
  c.q = c.system.initial_positions();
  std::fill(c.v.begin(), c.v.end(), 0.0);
  if (!c.system.jump(0, c.q, c.v, impulses).ok()) state.SkipWithError("failed");
  if (!integrator.start(0, c.q, c.v).ok()) state.SkipWithError("failed");
  for (auto _ : state) {
    if (!integrator.step(5).ok()) state.SkipWithError("failed");
  }
  report(state, c.model.elements.size());
  state.counters["evaluations_per_step"] =
      static_cast<double>(integrator.statistics().evaluations) /
      static_cast<double>(integrator.statistics().steps);
}

constexpr StepWeights kWeights{.mass = 4e6, .rate = 2e3};  // of steps of 1 ms

void step_balance(benchmark::State& state) {
  Chain c(state);
  std::vector<double> residual(c.system.independent());
  for (auto _ : state) {
    if (!c.system.balance(1, Side::before, c.q, c.v, c.a, residual).ok()) {
      state.SkipWithError("failed");
    }
    benchmark::DoNotOptimize(residual.data());
  }
  report(state, c.model.elements.size());
  state.counters["flops_per_element"] =
      count_operations([](const auto& constants, const auto& q, const auto& v) {
        benchmark::DoNotOptimize(calc_step_force(constants, q, v, v));
      });
}

void step_matrix(benchmark::State& state) {
  Chain c(state);
  for (auto _ : state) {
    if (!c.system.factorize_step(1, kWeights, c.q, c.v).ok()) state.SkipWithError("failed");
  }
  report(state, c.model.elements.size());
  state.counters["kernel_flops_per_element"] =
      count_operations([](const auto& constants, const auto& q, const auto& v) {
        benchmark::DoNotOptimize(calc_step_matrix(constants, q, v, benchmarks::Counted(1), 1.0));
      });
}

void step_solution(benchmark::State& state) {
  Chain c(state);
  if (!c.system.factorize_step(1, kWeights, c.q, c.v).ok()) state.SkipWithError("failed");
  std::vector<double> b(c.system.independent());
  for (auto _ : state) {
    c.system.solve_step(b);
    benchmark::DoNotOptimize(b.data());
  }
  report(state, c.model.elements.size());
}

void long_step(benchmark::State& state) {
  Chain c(state);
  GeneralizedAlpha<System> integrator(c.system,
                                      {.fixed_step = 1e-3,
                                       .scales = std::vector<double>(c.system.size(), 1.0),
                                       .parallelism = {static_cast<int>(state.range(1))}});
  c.q = c.system.initial_positions();
  std::fill(c.v.begin(), c.v.end(), 0.0);
  std::vector<double> impulses;
  if (!c.system.jump(0, c.q, c.v, impulses).ok()) state.SkipWithError("failed");
  if (!integrator.start(0, c.q, c.v).ok()) state.SkipWithError("failed");
  for (auto _ : state) {
    if (!integrator.step(1e9).ok()) state.SkipWithError("failed");
  }
  report(state, c.model.elements.size());
  const StepStatistics& s = integrator.statistics();
  const auto steps = static_cast<double>(s.steps);
  state.counters["iterations_per_step"] = static_cast<double>(s.evaluations) / steps;
  state.counters["matrices_per_step"] = static_cast<double>(s.tangents) / steps;
}

void chains(benchmark::internal::Benchmark* b) {
  b->ArgNames({"elements", "threads"})->UseRealTime();
  for (const int elements : {21, 210, 2100, 9999, 21000}) b->Args({elements, 1});
  for (const int elements : {9999, 21000}) b->Args({elements, 2});
}

// Of a million, whose making takes longer than what is measured: called once, for so many times.
void long_chains(benchmark::internal::Benchmark* b) {
  b->ArgNames({"elements", "threads"})->UseRealTime()->Iterations(10);
  for (const int threads : {1, 2}) b->Args({999999, threads});
}

BENCHMARK(element_kernel)->Apply(chains);
BENCHMARK(element_kernel)->Apply(long_chains);
BENCHMARK(factorize_and_solve)->Apply(chains);
BENCHMARK(factorize_and_solve)->Apply(long_chains);
BENCHMARK(acceleration)->Apply(chains);
BENCHMARK(acceleration)->Apply(long_chains);
BENCHMARK(remembering_acceleration)->Apply(chains);
BENCHMARK(remembering_acceleration)->Apply(long_chains);
BENCHMARK(integrator_step)->Apply(chains);
BENCHMARK(integrator_step)->Apply(long_chains);
BENCHMARK(step_balance)->Apply(chains);
BENCHMARK(step_balance)->Apply(long_chains);
BENCHMARK(step_matrix)->Apply(chains);
BENCHMARK(step_matrix)->Apply(long_chains);
BENCHMARK(step_solution)->Apply(chains);
BENCHMARK(step_solution)->Apply(long_chains);
BENCHMARK(long_step)->Apply(chains);
BENCHMARK(long_step)->Apply(long_chains);

}  // namespace
