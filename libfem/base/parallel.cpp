#include "libfem/base/parallel.hpp"

#include <algorithm>
#include <exception>
#include <mutex>

#ifndef FEM_THREADS_OPENMP
#include <thread>
#include <vector>
#endif

namespace fem {
namespace {

// Calls the action for every share; with OpenMP by threads that wait awake for the next loop for
// some milliseconds, so that a loop of 10 us gains from two. (To wake one that sleeps, as oneTBB's
// do, takes longer than most loops here last.)
template <class Action>
void run_shares(int shares, const Action& action) {
#ifdef FEM_THREADS_OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(shares)
  for (int share = 0; share < shares; ++share) action(share);
#else
  // For the thread sanitizer, which does not see OpenMP's own synchronization.
  std::vector<std::thread> pool;
  for (int share = 0; share < shares; ++share) pool.emplace_back([&, share] { action(share); });
  for (std::thread& thread : pool) thread.join();
#endif
}

}  // namespace

void parallel_detail::run_tiles(int threads, std::size_t size, std::size_t grain, Body body) {
  const std::size_t tiles = (size + grain - 1) / grain;
  const std::size_t shares = std::min(static_cast<std::size_t>(threads), tiles);
  std::exception_ptr failure;
  std::mutex mutex;
  run_shares(static_cast<int>(shares), [&](int share) {
    const auto s = static_cast<std::size_t>(share);
    try {
      body(tiles * s / shares * grain, std::min(tiles * (s + 1) / shares * grain, size));
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fem
