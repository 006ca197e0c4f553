#include "libfem/base/long_array.hpp"

#include <algorithm>
#include <sys/mman.h>

namespace fem {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;  // a large one of x86-64 and of most of ARM
constexpr std::size_t kLong = 2 * kPage;  // bytes from which on it is worth its alignment

std::align_val_t find_alignment(std::size_t bytes, std::align_val_t alignment) {
  return bytes < kLong ? alignment : std::max(alignment, std::align_val_t{kPage});
}

}  // namespace

void* allocate_pages(std::size_t bytes, std::align_val_t alignment) {
  void* memory = ::operator new(bytes, find_alignment(bytes, alignment));
#ifdef MADV_HUGEPAGE
  // A wish: what becomes of it changes no result.
  if (bytes >= kLong) (void)madvise(memory, bytes / kPage * kPage, MADV_HUGEPAGE);
#endif
  return memory;
}

void free_pages(void* memory, std::size_t bytes, std::align_val_t alignment) noexcept {
  ::operator delete(memory, find_alignment(bytes, alignment));
}

}  // namespace fem
