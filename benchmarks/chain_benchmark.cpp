// Cost of the parts of a step on chains of three hinged rods, per element. Of the short steps:
// element kernel (mass and forces), factorization and solution, one evaluation of the
// accelerations, one step. Of the long ones: balance of forces, matrix with its factorization,
// solution, one step. The counter "per_element" is in seconds; run with --benchmark_format=json for
// the numbers.
#include <algorithm>
#include <array>
#include <cstddef>
#include <malloc.h>
#include <numbers>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "benchmarks/counted.hpp"
#include "libfem/base/error.hpp"
#include "libfem/integrator/arc_length.hpp"
#include "libfem/integrator/generalized_alpha.hpp"
#include "libfem/model/model.hpp"
#include "libfem/rod/rod_step.hpp"
#include "libfem/system/rod_pool.hpp"
#include "libfem/system/system.hpp"

namespace {

using namespace fem;

// The deployment's three rods with elements of its own length, half unfolded.
CaseDescription chain(int elements, bool remembers) {
  const double length = 2.0 / 7 * elements / 3;
  CaseDescription d;
  d.sections = {{"bar", 7.2e6, 60, 2.8e6, 0.28, 7.0 / 3e6}};
  if (remembers) {
    d.sections[0].hereditary.emplace().law.kernel = PronyKernel{{{0.2, 0.1}, {0.1, 1}}};
  }
  d.laws = {{"open", SmoothLaw{{0, 5}, {0, -std::numbers::pi}}}};
  d.points = {{"O", {0, 0}}, {"A", {length, 0}}, {"B", {length, length}}, {"C", {0, length}}};
  for (const auto& [name, from, to] :
       {std::array{"rod1", "O", "A"}, std::array{"rod2", "A", "B"}, std::array{"rod3", "B", "C"}}) {
    d.rods.push_back({name, "bar", from, to, elements / 3, InertiaField::paper});
  }
  d.hinges = {{"h1", "A", {"rod1", "rod2"}, "open"}, {"h2", "B", {"rod2", "rod3"}, "open"}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true}};
  d.analysis = {.end = 5, .output_every = 1};
  return d;
}

void report(benchmark::State& state, std::size_t elements) {
  state.counters["per_element"] = benchmark::Counter(
      static_cast<double>(elements),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

std::size_t allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct Chain {
  explicit Chain(benchmark::State& state, bool remembers = false)
      : before(allocated_bytes()),
        model(make_model(chain(static_cast<int>(state.range(0)), remembers))),
        system(model, {static_cast<int>(state.range(1))}),
        q(system.initial_positions()),
        v(system.size(), 0.0),
        a(system.size(), 0.0) {
    // A shape and a motion of its own for every element, small enough for the rods.
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += 1e-4 * static_cast<double>(i % 7);
      v[i] = 0.1 * static_cast<double>(i % 5);
    }
    FEM_DEMAND(system.complete(1, Side::before, q, v).ok());
    bytes = allocated_bytes() - before;
  }
  std::size_t before, bytes = 0;  // of model, system and state
  Model model;
  System system;
  std::vector<double> q, v, a;
};

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
    if (!matrix.factorize().ok()) state.SkipWithError("not positive definite");
    matrix.solve(b);
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
  b->ArgNames({"elements", "threads"});
  for (const int elements : {21, 210, 2100, 9999, 21000, 999999}) b->Args({elements, 1});
  for (const int elements : {9999, 21000, 999999}) b->Args({elements, 2});
}

BENCHMARK(element_kernel)->Apply(chains)->UseRealTime();
BENCHMARK(factorize_and_solve)->Apply(chains)->UseRealTime();
BENCHMARK(acceleration)->Apply(chains)->UseRealTime();
BENCHMARK(remembering_acceleration)->Apply(chains)->UseRealTime();
BENCHMARK(integrator_step)->Apply(chains)->UseRealTime();
BENCHMARK(step_balance)->Apply(chains)->UseRealTime();
BENCHMARK(step_matrix)->Apply(chains)->UseRealTime();
BENCHMARK(step_solution)->Apply(chains)->UseRealTime();
BENCHMARK(long_step)->Apply(chains)->UseRealTime();

}  // namespace
