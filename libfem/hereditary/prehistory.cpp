#include "libfem/hereditary/prehistory.hpp"

#include <cmath>
#include <cstddef>

namespace fem {
namespace {

// ∫₋∞⁰ e^{s/τ} y(s) ds/τ: what branch τ has forgotten of the deformation.
double calc_forgotten(const NaturalPrehistory&, double) { return 0; }

double calc_forgotten(const ConstantPrehistory& p, double) { return p.deformation; }

double calc_forgotten(const ExponentialPrehistory& p, double time) {
  return p.deformation / (1 + p.rate * time);
}

double calc_forgotten(const WindowPrehistory& p, double time) {
  return -p.deformation * std::expm1(-p.duration / time);
}

// y − z of the recurrence, from the natural state to the first point and on from point to point.
double calc_forgotten(const TablePrehistory& p, double time) {
  if (p.points.empty()) return 0;
  double z = p.points.front()[1];
  for (std::size_t i = 1; i < p.points.size(); ++i) {
    const auto e = hereditary_detail::decay((p.points[i][0] - p.points[i - 1][0]) / time);
    z = e.left * z + e.mean_left * (p.points[i][1] - p.points[i - 1][1]);
  }
  return p.points.back()[1] - z * std::exp(p.points.back()[0] / time);
}

}  // namespace

HereditaryMemory remember(const RelaxationSeries& series, const Prehistory& before, double y0) {
  HereditaryMemory memory{.deformation = y0};
  for (const double time : series.time) {
    memory.branch.push_back(
        y0 - std::visit([time](const auto& p) { return calc_forgotten(p, time); }, before));
  }
  return memory;
}

}  // namespace fem
