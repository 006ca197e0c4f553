#include "drivers/jobs.hpp"

#ifdef FEM_JOBS_TBB
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#else
#include <algorithm>
#include <atomic>
#include <future>
#include <vector>
#endif

namespace fem::driver {

#ifdef FEM_JOBS_TBB
void run_jobs(int workers, std::size_t count, const std::function<void(std::size_t)>& job) {
  oneapi::tbb::task_arena arena(workers);
  arena.execute([&] {
    oneapi::tbb::parallel_for(std::size_t{0}, count, job, oneapi::tbb::simple_partitioner());
  });
}
#else
// Plain threads: for the thread sanitizer, which does not see oneTBB's own synchronization.
void run_jobs(int workers, std::size_t count, const std::function<void(std::size_t)>& job) {
  std::atomic<std::size_t> next = 0;
  using Worker = std::future<void>;
  std::vector<Worker> pool;
  for (std::size_t w = 0; w < std::min(count, static_cast<std::size_t>(workers)); ++w) {
    pool.push_back(std::async(std::launch::async, [&] {
      for (std::size_t i = next++; i < count; i = next++) job(i);
    }));
  }
  for (Worker& worker : pool) worker.get();
}
#endif

}  // namespace fem::driver
