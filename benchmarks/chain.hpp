// The chains that the benchmarks run, and how they report.
#pragma once

#include <array>
#include <cstddef>
#include <malloc.h>
#include <numbers>
#include <vector>

#include <benchmark/benchmark.h>

#include "libfem/base/error.hpp"
#include "libfem/model/model.hpp"
#include "libfem/system/system.hpp"

namespace fem::benchmarks {

// The deployment's three rods with elements of its own length, half unfolded.
inline CaseDescription chain(int elements, bool remembers) {
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

/// Time per element, s, for chains of so many.
inline void report(benchmark::State& state, std::size_t elements) {
  state.counters["per_element"] = benchmark::Counter(
      static_cast<double>(elements),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Bytes that the program holds.
inline std::size_t allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Of the elements and for the threads that a benchmark was called with, in motion.
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

}  // namespace fem::benchmarks
