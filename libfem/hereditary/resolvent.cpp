#include "libfem/hereditary/resolvent.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

// 1 + Σ w_j/(s_j − x) at x = s_k + offset. Written from the pole at s_k, where it is −∞ for small
// offsets, so that nothing cancels; it grows with x.
double function(const std::vector<Exponential>& terms, std::size_t k, double offset) {
  double sum = 1;
  for (const Exponential& term : terms) {
    sum += term.weight / ((term.rate - terms[k].rate) - offset);
  }
  return sum;
}

// The root above s_k, as an offset from it: bisection over the offset's logarithm.
double find_offset(const std::vector<Exponential>& terms, std::size_t k) {
  const bool is_last = k + 1 == terms.size();
  double total = 0;
  for (const Exponential& term : terms) total += term.weight;
  // Above all poles every 1/(x − s_j) is at most 1/offset: the root is at most Σw away.
  double high = is_last ? 2 * total : terms[k + 1].rate - terms[k].rate;
  double low = high;
  while (low > std::numeric_limits<double>::min() && function(terms, k, low * (1 - 1e-9)) > 0) {
    low /= 16;
  }
  for (int i = 0; i < 200; ++i) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    if (!(middle > low && middle < high)) break;
    (function(terms, k, middle) > 0 ? high : low) = middle;
  }
  return high;
}

}  // namespace

std::vector<Exponential> calc_resolvent(const std::vector<Exponential>& creep) {
  std::vector<Exponential> relaxation;
  for (std::size_t k = 0; k < creep.size(); ++k) {
    FEM_DEMAND(creep[k].weight > 0 && (k == 0 || creep[k].rate > creep[k - 1].rate));
    const double offset = find_offset(creep, k);
    double sum = 0;
    for (const Exponential& term : creep) {
      const double gap = (term.rate - creep[k].rate) - offset;
      sum += term.weight / (gap * gap);
    }
    relaxation.push_back({.weight = 1 / sum, .rate = creep[k].rate + offset});
  }
  return relaxation;
}

}  // namespace fem
