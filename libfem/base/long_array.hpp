// Arrays that are swept through at every step. Long ones ask the system for large pages: a million
// elements are some 200 000 pages of 4 kB, which the processor's table of pages does not hold.
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <vector>

namespace fem {

/// Memory of so many bytes, in large pages if there are enough of them and the system has such
/// pages. Throws std::bad_alloc.
[[nodiscard]] void* allocate_pages(std::size_t bytes, std::align_val_t alignment);
/// Gives back what allocate_pages() gave, with the same numbers.
void free_pages(void* memory, std::size_t bytes, std::align_val_t alignment) noexcept;

template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>& /*other*/) noexcept {}  // as every allocator, for rebinding

  [[nodiscard]] T* allocate(std::size_t n) {
    // What operator new adds for the alignment must not overflow either.
    if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return static_cast<T*>(allocate_pages(n * sizeof(T), std::align_val_t{alignof(T)}));
  }
  void deallocate(T* memory, std::size_t n) noexcept {
    free_pages(memory, n * sizeof(T), std::align_val_t{alignof(T)});
  }

  template <class U>
  bool operator==(const LargePages<U>& /*other*/) const noexcept {
    return true;
  }
};

template <class T>
using LongArray = std::vector<T, LargePages<T>>;

}  // namespace fem
