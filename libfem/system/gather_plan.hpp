// Assembly as a gather: every entry of the system sums its contributions in a fixed order, read
// from the buffer that the elements wrote. No entry is written twice, so the sum can be cut among
// threads in any way and has the same bits.
//
// Most blocks of a structure are summed alike: of an inner node of a rod, from its two elements.
// The targets are cut into windows of one block each; windows whose sums differ only by where their
// sources begin share a pattern, and of each only three indices are kept and read.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "libfem/base/long_array.hpp"
#include "libfem/base/parallel.hpp"

namespace fem {

class GatherPlan {
 public:
  struct Contribution {
    int target;
    int source;
  };

  GatherPlan() = default;
  /// Contributions are summed in the order given. Targets without any are set to `base`, which is
  /// also where the sum of the others starts. `window` is the number of values of a block; `parts`
  /// says how often the targets can be cut.
  GatherPlan(std::vector<Contribution> contributions, const std::vector<double>& base,
             std::size_t window = 1, std::size_t parts = 1);

  /// target[i] = base[i] + Σ buffer[source], for the targets of one part of so many, which stand
  /// together: so that several plans can read a part of the buffer while the cache holds it.
  void gather_part(std::size_t part, std::span<const double> buffer,
                   std::span<double> target) const;
  /// The same for all targets.
  void gather(Parallelism parallelism, std::span<const double> buffer,
              std::span<double> target) const;

  /// Parts of a system of so many blocks: a core's cache holds what one reads.
  [[nodiscard]] static std::size_t count_parts(std::size_t blocks) { return 1 + blocks / 512; }

  /// Calls action(part).
  template <class Function>
  static void for_each_part(Parallelism parallelism, std::size_t parts, const Function& action) {
    parallel_for(parallelism, parts, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) action(i);
    });
  }

 private:
  // Where the target and the terms of a sum stand, counted from its window's.
  struct Sum {
    int target, first, second;
    auto operator<=>(const Sum&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14
  };
  struct Shape {
    std::vector<Sum> singles, pairs;                 // of one term (`second` is not used), of two
    std::vector<int> zeros;                          // targets without any
    auto operator<=>(const Shape&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  // Where a window begins: its target, the first of all first terms and of all second ones.
  struct Window {
    int target, first = 0, second = 0;
  };
  struct Pattern {
    Shape shape;
    LongArray<Window> windows;
    std::vector<std::size_t> start;  // [parts + 1] windows of every part
    void gather(std::size_t part, const double* buffer, double* target) const;
  };

  std::size_t parts_ = 1;
  std::vector<Pattern> patterns_;
  std::vector<std::size_t> general_start_{0, 0};  // [parts + 1], of the next ones
  std::vector<int> target_;  // of the sums of more terms, and of those with a base
  std::vector<double> base_;
  std::vector<int> start_;
  std::vector<int> source_;
};

}  // namespace fem
