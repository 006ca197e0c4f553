// How much memory there is, to refuse what cannot fit before it is tried; what to do and to say
// when it has run out all the same.
#pragma once

#include <cstddef>
#include <exception>
#include <string>

namespace fem {

/// Bytes that this process can still take: the least of what the machine has free, of the process's
/// own limit (ulimit -v) and of its control group's; what cannot be found out is no limit.
[[nodiscard]] std::size_t calc_available_memory();

/// Throws std::bad_alloc unless the system would give that many bytes at once, now. They are not
/// kept: for calls of libraries that cannot do without.
void demand_available(std::size_t bytes);

/// What to say of an exception that nobody has foreseen: memory that ran out, or a defect.
[[nodiscard]] std::string describe_unforeseen(const std::exception& error);

/// Memory put aside for what has to be done even when all the rest is taken: addresses, no pages.
class MemoryReserve {
 public:
  explicit MemoryReserve(std::size_t bytes) : bytes_(bytes) {}
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;
  ~MemoryReserve() { release(); }
  void take();              ///< std::bad_alloc if there is none left; nothing if it is taken
  void release() noexcept;  ///< for whoever asks next

 private:
  std::size_t bytes_;
  void* taken_ = nullptr;
};

}  // namespace fem
