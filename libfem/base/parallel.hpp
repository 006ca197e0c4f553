// Loops over independent work. Results must not depend on how the range is cut: a body may only
// write what belongs to its indices.
#pragma once

#include <cstddef>
#include <functional>

namespace fem {

/// How many threads parallel loops may use; a value handed down, never a global.
struct Parallelism {
  int threads = 1;
};

/// Calls body(begin, end) on disjoint ranges that cover [0, size). Serial when one thread is asked
/// or the range is not larger than `grain`; every range but the last is a multiple of `grain`.
void parallel_for(Parallelism parallelism, std::size_t size, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& body);

/// Number of hardware threads, at least 1.
[[nodiscard]] int hardware_threads();

}  // namespace fem
