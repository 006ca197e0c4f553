// Loops over independent work. Results must not depend on how the range is cut: a body may only
// write what belongs to its indices.
#pragma once

#include <cstddef>
#include <vector>

namespace fem {

/// How many threads parallel loops may use; a value handed down, never a global.
struct Parallelism {
  int threads = 1;
};

namespace parallel_detail {

/// A loop body by reference: allocates nothing.
struct Body {
  const void* object;
  void (*call)(const void* object, std::size_t begin, std::size_t end);
  void operator()(std::size_t begin, std::size_t end) const { call(object, begin, end); }
};

void run_tiles(int threads, std::size_t size, std::size_t grain, Body body);

}  // namespace parallel_detail

/// Calls body(begin, end) on disjoint ranges that cover [0, size), one a thread. Serial when one
/// thread is asked or the range is not larger than `grain`; every range but the last is a multiple
/// of `grain`. Throws what a body throws, when all have ended.
template <class Function>
void parallel_for(Parallelism parallelism, std::size_t size, std::size_t grain,
                  const Function& body) {
  if (size == 0) return;
  if (parallelism.threads <= 1 || size <= grain) {
    body(std::size_t{0}, size);
    return;
  }
  parallel_detail::run_tiles(parallelism.threads, size, grain,
                             {&body, [](const void* object, std::size_t begin, std::size_t end) {
                                (*static_cast<const Function*>(object))(begin, end);
                              }});
}

/// The grain of a loop over a vector of so many values. Short ones are not shared, it would cost
/// more; long ones are cut finely: a thread's share is then the half that its cache holds from
/// other loops.
[[nodiscard]] constexpr std::size_t vector_grain(std::size_t size) {
  constexpr std::size_t shared_from = 4096;
  return size <= shared_from ? shared_from : shared_from / 8;
}

/// Adds up what body(begin, end) says of [0, size), with +=. The range is cut into tiles of `grain`
/// that do not depend on the threads, and their results are added in order: so the bits do not
/// either. `scratch` keeps them between calls, so that these need not allocate.
template <class Result, class Function>
Result parallel_sum(Parallelism parallelism, std::size_t size, std::size_t grain,
                    std::vector<Result>& scratch, const Function& body) {
  if (size <= grain) return body(std::size_t{0}, size);
  scratch.resize((size + grain - 1) / grain);
  parallel_for(parallelism, scratch.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t tile = begin; tile < end; ++tile) {
      scratch[tile] = body(tile * grain, tile + 1 < scratch.size() ? (tile + 1) * grain : size);
    }
  });
  Result sum = scratch[0];
  for (std::size_t tile = 1; tile < scratch.size(); ++tile) sum += scratch[tile];
  return sum;
}

}  // namespace fem
