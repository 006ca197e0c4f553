#include "libfem/system/gather_plan.hpp"

#include <algorithm>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

constexpr std::size_t kGrain = 8192;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

GatherPlan::GatherPlan(std::vector<Contribution> contributions, std::vector<double> base) {
  std::stable_sort(contributions.begin(), contributions.end(),
                   [](const auto& a, const auto& b) { return a.target < b.target; });
  start_.push_back(0);
  auto next = contributions.begin();
  for (std::size_t t = 0; t < base.size(); ++t) {
    const int target = static_cast<int>(t);
    const auto first = next;
    while (next != contributions.end() && next->target == target) ++next;
    const auto count = next - first;
    const bool plain = base[t] == 0;
    if (count == 0) {
      constants_.push_back({target, base[t]});
    } else if (plain && count == 1) {
      singles_.push_back({target, first->source});
    } else if (plain && count == 2) {
      pairs_.push_back({target, first->source, first[1].source});
    } else {
      target_.push_back(target);
      base_.push_back(base[t]);
      for (auto c = first; c != next; ++c) source_.push_back(c->source);
      start_.push_back(static_cast<int>(source_.size()));
    }
  }
  FEM_DEMAND(next == contributions.end());
}

void GatherPlan::gather(Parallelism parallelism, std::span<const double> buffer,
                        std::span<double> target) const {
  parallel_for(parallelism, constants_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      target[at(constants_[i].target)] = constants_[i].value;
  });
  parallel_for(parallelism, singles_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      target[at(singles_[i].target)] = buffer[at(singles_[i].source)];
    }
  });
  parallel_for(parallelism, pairs_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      target[at(pairs_[i].target)] = buffer[at(pairs_[i].first)] + buffer[at(pairs_[i].second)];
    }
  });
  parallel_for(parallelism, target_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      double sum = base_[i];
      for (int k = start_[i]; k < start_[i + 1]; ++k) sum += buffer[at(source_[at(k)])];
      target[at(target_[i])] = sum;
    }
  });
}

}  // namespace fem
