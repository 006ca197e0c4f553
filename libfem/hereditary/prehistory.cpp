#include "libfem/hereditary/prehistory.hpp"

#include <cmath>
#include <cstddef>

namespace fem {
namespace {

// ∫₋∞⁰ e^{s/τ} y(s) ds/τ: what branch τ has forgotten of the deformation.
double calc_forgotten(const NaturalPrehistory&, double, double) { return 0; }

double calc_forgotten(const ConstantPrehistory& p, double, double y0) {
  return p.deformation.value_or(y0);
}

double calc_forgotten(const ExponentialPrehistory& p, double time, double) {
  return p.deformation / (1 + p.rate * time);
}

double calc_forgotten(const WindowPrehistory& p, double time, double y0) {
  return -p.deformation.value_or(y0) * std::expm1(-p.duration / time);
}

// y − z of the recurrence, from the natural state to the first point and on from point to point.
double calc_forgotten(const TablePrehistory& p, double time, double) {
  if (p.points.empty()) return 0;
  double z = p.points.front()[1];
  for (std::size_t i = 1; i < p.points.size(); ++i) {
    const auto e = hereditary_detail::decay((p.points[i][0] - p.points[i - 1][0]) / time);
    z = e.left * z + e.mean_left * (p.points[i][1] - p.points[i - 1][1]);
  }
  return p.points.back()[1] - z * std::exp(p.points.back()[0] / time);
}

double span_of(const NaturalPrehistory&) { return 0; }
double span_of(const ConstantPrehistory&) { return 0; }
double span_of(const ExponentialPrehistory& p) { return 36 / p.rate; }  // e^{−36} is rounding
double span_of(const WindowPrehistory& p) { return p.duration; }
double span_of(const TablePrehistory& p) { return p.points.empty() ? 0 : -p.points.front()[0]; }

class Checker {
 public:
  Checker(const std::string& place, std::vector<Problem>& problems)
      : place_(place), problems_(problems) {}

  void operator()(const NaturalPrehistory&) const {}
  void operator()(const ConstantPrehistory& p) const {
    if (p.deformation) finite(*p.deformation, "deformation");
  }
  void operator()(const ExponentialPrehistory& p) const {
    finite(p.deformation, "deformation");
    positive(p.rate, "rate");
  }
  void operator()(const WindowPrehistory& p) const {
    if (p.deformation) finite(*p.deformation, "deformation");
    positive(p.duration, "duration");
  }
  void operator()(const TablePrehistory& p) const {
    bool sound = !p.points.empty();
    for (std::size_t i = 0; i < p.points.size(); ++i) {
      sound = sound && std::isfinite(p.points[i][0]) && std::isfinite(p.points[i][1]) &&
              p.points[i][0] <= 0 && (i == 0 || p.points[i][0] > p.points[i - 1][0]);
    }
    if (sound) return;
    problems_.push_back({place_ + "/points", "the table is not before the run, or not in order",
                         "give at least one point [time, deformation] of finite numbers, the "
                         "times increasing and not after 0"});
  }

 private:
  void finite(double value, const char* key) const {
    if (std::isfinite(value)) return;
    problems_.push_back({place_ + "/" + key, "the value is not finite", "give a finite number"});
  }
  void positive(double value, const char* key) const {
    if (std::isfinite(value) && value > 0) return;
    problems_.push_back(
        {place_ + "/" + key, "the value is not positive", "give a positive, finite number"});
  }
  const std::string& place_;
  std::vector<Problem>& problems_;
};

}  // namespace

void check_prehistory(const Prehistory& before, const std::string& place,
                      std::vector<Problem>& problems) {
  std::visit(Checker(place, problems), before);
}

double calc_span(const Prehistory& before) {
  return std::visit([](const auto& p) { return span_of(p); }, before);
}

HereditaryMemory remember(const RelaxationSeries& series, const Prehistory& before, double y0) {
  HereditaryMemory memory{.deformation = y0};
  for (const double time : series.time) {
    memory.branch.push_back(
        y0 - std::visit([&](const auto& p) { return calc_forgotten(p, time, y0); }, before));
  }
  return memory;
}

}  // namespace fem
