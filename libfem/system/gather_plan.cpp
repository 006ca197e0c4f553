#include "libfem/system/gather_plan.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

GatherPlan::GatherPlan(std::vector<Contribution> contributions, std::vector<double> base,
                       std::size_t window) {
  FEM_DEMAND(window > 0 && base.size() % window == 0);
  blocks_ = base.size() / window;
  std::stable_sort(contributions.begin(), contributions.end(),
                   [](const auto& a, const auto& b) { return a.target < b.target; });
  start_.push_back(0);
  using Shape = std::tuple<std::vector<Sum>, std::vector<Sum>, std::vector<int>>;
  std::map<Shape, std::size_t> known;
  auto next = contributions.begin();
  for (std::size_t begin = 0; begin < base.size(); begin += window) {
    Pattern pattern;
    Window place{.target = static_cast<int>(begin), .first = -1, .second = -1};
    for (std::size_t t = begin; t < begin + window; ++t) {
      const auto first = next;
      while (next != contributions.end() && next->target == static_cast<int>(t)) ++next;
      const auto count = next - first;
      const int inner = static_cast<int>(t - begin);
      if (base[t] != 0 || count > 2) {
        target_.push_back(static_cast<int>(t));
        base_.push_back(base[t]);
        for (auto c = first; c != next; ++c) source_.push_back(c->source);
        start_.push_back(static_cast<int>(source_.size()));
      } else if (count == 0) {
        pattern.zeros.push_back(inner);
      } else {
        if (place.first < 0) place.first = first->source;
        if (count == 2 && place.second < 0) place.second = first[1].source;
        if (count == 1) {
          pattern.singles.push_back({inner, first->source - place.first, 0});
        } else {
          pattern.pairs.push_back(
              {inner, first->source - place.first, first[1].source - place.second});
        }
      }
    }
    const auto [found, added] =
        known.try_emplace({pattern.singles, pattern.pairs, pattern.zeros}, patterns_.size());
    if (added) patterns_.push_back(std::move(pattern));
    patterns_[found->second].windows.push_back(place);
  }
  FEM_DEMAND(next == contributions.end());
}

void GatherPlan::Pattern::gather(std::span<const Window> range, const double* buffer,
                                 double* target) const {
  const std::span<const Sum> of_two = pairs;
  const std::span<const Sum> of_one = singles;
  const std::span<const int> of_none = zeros;
  for (const Window& window : range) {
    double* to = target + window.target;
    const double* first = buffer + window.first;
    const double* second = buffer + window.second;
    for (const Sum& s : of_two) to[s.target] = first[s.first] + second[s.second];
    for (const Sum& s : of_one) to[s.target] = first[s.first];
    for (const int t : of_none) to[t] = 0;
  }
}

void GatherPlan::gather(const Part& part, std::span<const double> buffer,
                        std::span<double> target) const {
  const auto begin = [&](std::size_t size) { return size * part.index / part.count; };
  const auto end = [&](std::size_t size) { return size * (part.index + 1) / part.count; };
  for (const Pattern& pattern : patterns_) {
    const std::size_t first = begin(pattern.windows.size());
    const std::size_t last = end(pattern.windows.size());
    pattern.gather(std::span(pattern.windows).subspan(first, last - first), buffer.data(),
                   target.data());
  }
  for (std::size_t i = begin(target_.size()); i < end(target_.size()); ++i) {
    double sum = base_[i];
    for (int k = start_[i]; k < start_[i + 1]; ++k) sum += buffer[at(source_[at(k)])];
    target[at(target_[i])] = sum;
  }
}

void GatherPlan::gather(Parallelism parallelism, std::span<const double> buffer,
                        std::span<double> target) const {
  for_each_part(parallelism, blocks_, [&](const Part& part) { gather(part, buffer, target); });
}

}  // namespace fem
