#include "libfem/base/threads.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

#include "libfem/base/parallel.hpp"

namespace fem {

int count_allowed_processors(const std::string& cpu_max, int all) {
  std::istringstream text(cpu_max);
  double quota = 0, period = 0;
  if (!(text >> quota >> period) || !(quota > 0 && period > 0)) return all;
  return static_cast<int>(std::clamp(quota / period, 1.0, static_cast<double>(std::max(all, 1))));
}

int hardware_threads() {
  const int all = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string cpu_max;
  std::getline(file, cpu_max);
  return count_allowed_processors(cpu_max, all);
}

int count_startable_threads(int wanted) {
  if (wanted <= 1) return 1;
  std::mutex all_started;
  std::vector<std::thread> others;
  {
    const std::lock_guard hold(all_started);  // until then each is alive
    try {
      others.reserve(static_cast<std::size_t>(wanted) - 1);
      while (others.size() + 1 < static_cast<std::size_t>(wanted)) {
        others.emplace_back([&all_started] { const std::lock_guard wait(all_started); });
      }
    } catch (const std::exception&) {
      // std::system_error or std::bad_alloc: these are all that there can be.
    }
  }
  for (std::thread& thread : others) thread.join();
  return static_cast<int>(others.size()) + 1;
}

int start_threads(int wanted) {
  const int started = count_startable_threads(wanted);
  parallel_for({started}, static_cast<std::size_t>(started), 1, [](std::size_t, std::size_t) {});
  return started;
}

}  // namespace fem
