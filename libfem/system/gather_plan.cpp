#include "libfem/system/gather_plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr std::size_t kAhead = 16;  // windows between asking the cache for sources and reading them

// Asks the cache for what stands from `source` on: steps from entry to entry of interleaved
// elements are none that hardware foresees. Windows of neighbours read the same lines, so each asks
// for every fourth of the sixteen that a tile of elements fills, in turn.
void fetch(const double* source, std::size_t turn) {
  constexpr std::size_t line = 8;  // values
  constexpr std::size_t turns = 4;
  for (std::size_t k = 0; k < 4; ++k) {
    __builtin_prefetch(source + line * (turn % turns + turns * k));
  }
}

}  // namespace

GatherPlan::GatherPlan(std::vector<Contribution> contributions, const std::vector<double>& base,
                       std::size_t window, std::size_t parts)
    : parts_(parts) {
  FEM_DEMAND(base.size() % window == 0 && parts > 0);
  std::stable_sort(contributions.begin(), contributions.end(),
                   [](const auto& a, const auto& b) { return a.target < b.target; });
  std::vector<std::size_t> first{0};  // contribution of each target
  for (std::size_t t = 0, next = 0; t < base.size(); ++t) {
    while (next < contributions.size() && contributions[next].target == static_cast<int>(t)) ++next;
    first.push_back(next);
  }
  FEM_DEMAND(first.back() == contributions.size());
  const auto terms = [&](std::size_t t) {
    return std::span(contributions).subspan(first[t], first[t + 1] - first[t]);
  };
  const auto is_general = [&](std::size_t t) { return base[t] != 0 || terms(t).size() > 2; };

  // Where the parts begin in a list that goes by targets: a part is a range of blocks.
  const auto cut = [&](const auto& list, const auto& target_of) {
    std::vector<std::size_t> start;
    for (std::size_t part = 0; part <= parts; ++part) {
      const std::size_t target = base.size() / window * part / parts * window;
      const auto begin = std::partition_point(
          list.begin(), list.end(), [&](const auto& entry) { return target_of(entry) < target; });
      start.push_back(static_cast<std::size_t>(begin - list.begin()));
    }
    return start;
  };

  // Windows by the shape of their sums. A shape of few windows is not worth a pattern: every part
  // asks every pattern for its windows.
  std::map<Shape, LongArray<Window>> by_shape;
  for (std::size_t begin = 0; begin < base.size(); begin += window) {
    Shape shape;
    Window place{.target = static_cast<int>(begin)};
    bool has_first = false;
    bool has_second = false;
    for (std::size_t t = begin; t < begin + window; ++t) {
      if (is_general(t)) continue;
      const int inner = static_cast<int>(t - begin);
      const auto sum = terms(t);
      if (sum.empty()) {
        shape.zeros.push_back(inner);
        continue;
      }
      if (!std::exchange(has_first, true)) place.first = sum[0].source;
      const int from_first = sum[0].source - place.first;
      if (sum.size() == 1) {
        shape.singles.push_back({inner, from_first, 0});
      } else {
        if (!std::exchange(has_second, true)) place.second = sum[1].source;
        shape.pairs.push_back({inner, from_first, sum[1].source - place.second});
      }
    }
    by_shape[shape].push_back(place);
  }
  std::vector<char> has_pattern(base.size() / window, 0);
  for (auto& [shape, windows] : by_shape) {
    if (windows.size() < parts) continue;
    for (const Window& w : windows) has_pattern[at(w.target) / window] = 1;
    std::vector<std::size_t> start = cut(windows, [](const Window& w) { return at(w.target); });
    patterns_.push_back({shape, std::move(windows), std::move(start)});
  }

  start_.push_back(0);
  for (std::size_t t = 0; t < base.size(); ++t) {
    if (has_pattern[t / window] != 0 && !is_general(t)) continue;
    target_.push_back(static_cast<int>(t));
    base_.push_back(base[t]);
    for (const Contribution& c : terms(t)) source_.push_back(c.source);
    start_.push_back(static_cast<int>(source_.size()));
  }
  general_start_ = cut(target_, at);
}

void GatherPlan::Pattern::gather(std::size_t part, const double* buffer, double* target) const {
  const std::span<const Sum> of_two = shape.pairs;
  const std::span<const Sum> of_one = shape.singles;
  const std::span<const int> of_none = shape.zeros;
  for (std::size_t i = start[part]; i < start[part + 1]; ++i) {
    if (i + kAhead < windows.size()) fetch(buffer + windows[i + kAhead].first, i);
    double* to = target + windows[i].target;
    const double* first = buffer + windows[i].first;
    const double* second = buffer + windows[i].second;
    for (const Sum& s : of_two) to[s.target] = first[s.first] + second[s.second];
    for (const Sum& s : of_one) to[s.target] = first[s.first];
    for (const int t : of_none) to[t] = 0;
  }
}

void GatherPlan::gather_part(std::size_t part, std::span<const double> buffer,
                             std::span<double> target) const {
  FEM_ASSERT(part < parts_);
  for (const Pattern& pattern : patterns_) pattern.gather(part, buffer.data(), target.data());
  for (std::size_t i = general_start_[part]; i < general_start_[part + 1]; ++i) {
    double sum = base_[i];
    for (int k = start_[i]; k < start_[i + 1]; ++k) sum += buffer[at(source_[at(k)])];
    target[at(target_[i])] = sum;
  }
}

void GatherPlan::gather(Parallelism parallelism, std::span<const double> buffer,
                        std::span<double> target) const {
  for_each_part(parallelism, parts_, [&](std::size_t part) { gather_part(part, buffer, target); });
}

}  // namespace fem
