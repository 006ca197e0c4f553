// Loops over independent work. Results must not depend on how the range is cut: a body may only
// write what belongs to its indices.
#pragma once

#include <cstddef>

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

/// Number of hardware threads, at least 1.
[[nodiscard]] int hardware_threads();

}  // namespace fem
