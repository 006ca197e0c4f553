#include "libfem/base/memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <new>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace fem {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

// The number behind a word in a file of lines "word number", or the first one of the file.
std::optional<std::size_t> find_number(const char* path, const std::string& word) {
  std::ifstream file(path);
  std::string found;
  std::size_t number = 0;
  while (word.empty() || file >> found) {
    if (word.empty() || found == word) {
      return file >> number ? std::optional(number) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::size_t difference(std::size_t limit, std::size_t used) {
  return limit > used ? limit - used : 0;
}

std::size_t left_on_machine() {
  const auto kilobytes = find_number("/proc/meminfo", "MemAvailable:");
  return kilobytes ? *kilobytes * 1024 : kNoLimit;
}

std::size_t left_to_process() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  const auto pages = find_number("/proc/self/statm", "");
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return difference(static_cast<std::size_t>(limit.rlim_cur), pages.value_or(0) * page);
}

// Of control groups, version 2, as a container sees its own ("max" is no number: no limit). Pages
// of files that nobody has asked for lately go when memory is needed.
std::size_t left_to_group() {
  const auto limit = find_number("/sys/fs/cgroup/memory.max", "");
  const auto used = find_number("/sys/fs/cgroup/memory.current", "");
  const auto idle = find_number("/sys/fs/cgroup/memory.stat", "inactive_file");
  return limit && used ? difference(*limit + idle.value_or(0), *used) : kNoLimit;
}

void* ask_for(std::size_t bytes) {
  constexpr int kAccess = PROT_READ | PROT_WRITE;
  void* const given = mmap(nullptr, bytes, kAccess, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return given == MAP_FAILED ? nullptr : given;
}

}  // namespace

std::size_t calc_available_memory() {
  return std::min({left_on_machine(), left_to_process(), left_to_group()});
}

void demand_available(std::size_t bytes) {
  MemoryReserve reserve(bytes);
  reserve.take();
}

std::string describe_unforeseen(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return "there is not enough memory for this model";
  }
  return std::string(error.what()) + " (this is a defect of fem: please report it)";
}

// From the system itself: whether malloc() would ask it, and for how much, depends on its past.
void MemoryReserve::take() {
  if (taken_ != nullptr) return;
  taken_ = ask_for(bytes_);
  if (taken_ != nullptr) return;
  malloc_trim(0);  // what was freed, and malloc() has kept
  taken_ = ask_for(bytes_);
  if (taken_ == nullptr) throw std::bad_alloc();
}

void MemoryReserve::release() noexcept {
  if (taken_ != nullptr) munmap(taken_, bytes_);
  taken_ = nullptr;
}

}  // namespace fem
