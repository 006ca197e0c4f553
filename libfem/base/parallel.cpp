#include "libfem/base/parallel.hpp"

#include <algorithm>
#include <thread>

#ifdef FEM_THREADS_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#else
#include <vector>
#endif

namespace fem {
namespace parallel_detail {

#ifdef FEM_THREADS_TBB
void run_tiles(int threads, std::size_t size, std::size_t grain, Body body) {
  const std::size_t tiles = (size + grain - 1) / grain;
  const auto run = [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
    body(range.begin() * grain, std::min(range.end() * grain, size));
  };
  oneapi::tbb::task_arena arena(threads);
  arena.execute(
      [&] { oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, tiles), run); });
}
#else
// Plain threads: for the thread sanitizer, which does not see oneTBB's own synchronization.
void run_tiles(int threads, std::size_t size, std::size_t grain, Body body) {
  const std::size_t tiles = (size + grain - 1) / grain;
  const std::size_t workers = std::min(static_cast<std::size_t>(threads), tiles);
  std::vector<std::thread> pool;
  for (std::size_t w = 0; w < workers; ++w) {
    const std::size_t begin = tiles * w / workers * grain;
    const std::size_t end = std::min(tiles * (w + 1) / workers * grain, size);
    pool.emplace_back([body, begin, end] { body(begin, end); });
  }
  for (std::thread& thread : pool) thread.join();
}
#endif

}  // namespace parallel_detail

int hardware_threads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace fem
