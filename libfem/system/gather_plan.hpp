// Assembly as a gather: every entry of the system sums its contributions in a fixed order, read
// from the buffer that the elements wrote. No entry is written twice, so the sum can be cut among
// threads in any way and has the same bits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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
  /// also where the sum of the others starts.
  GatherPlan(std::vector<Contribution> contributions, std::vector<double> base);

  /// target[i] = base[i] + Σ buffer[source]
  void gather(Parallelism parallelism, std::span<const double> buffer,
              std::span<double> target) const;

 private:
  struct Constant {
    int target;
    double value;
  };
  struct Single {
    int target, source;
  };
  struct Pair {
    int target, first, second;
  };
  // The two common cases, without a base, have lists of their own.
  std::vector<Constant> constants_;
  std::vector<Single> singles_;
  std::vector<Pair> pairs_;
  std::vector<int> target_;  // of the general ones
  std::vector<double> base_;
  std::vector<int> start_;
  std::vector<int> source_;
};

}  // namespace fem
