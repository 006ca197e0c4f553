#include "libfem/analysis/static_work.hpp"

#include <algorithm>
#include <cmath>

namespace fem {
namespace {

constexpr int kDeepest = 6;  // halvings of a segment

StaticWork simpson(double length, const StaticWork& a, const StaticWork& m, const StaticWork& b) {
  return {length / 6 * (a.external + 4 * m.external + b.external),
          length / 6 * (a.rheonomic + 4 * m.rheonomic + b.rheonomic)};
}

StaticWork sum(const StaticWork& a, double factor, const StaticWork& b) {
  return {a.external + factor * b.external, a.rheonomic + factor * b.rheonomic};
}

}  // namespace

WorkIntegrator::WorkIntegrator(System& system, Equilibrium& equilibrium, double time,
                               double start_potential)
    : system_(&system),
      equilibrium_(&equilibrium),
      time_(time),
      heavy_(system.model().gravity[0] != 0 || system.model().gravity[1] != 0 ||
             system.model().gravity_z != 0 || system.model().frame.has_value()),
      start_potential_(start_potential) {}

WorkIntegrator::Sample WorkIntegrator::sample(const Segment& segment, double s,
                                              const Station& station) {
  Sample result{.s = s, .station = station, .rate = {}};
  PathPoint y = station.point;
  equilibrium_->evaluate(y);
  const Direction rate = segment.rate(station);
  const std::size_t size = system_->size();
  std::vector<double> v(size, 0.0);
  std::copy(rate.q.data(), rate.q.data() + rate.q.size(), v.begin());
  const std::span<const double> q(y.q.data(), size);
  result.rate.rheonomic = system_->static_drive_power(time_, y.load, rate.load, q);
  system_->complete_change(time_, rate.load, v);
  result.rate.external = y.load * system_->powers_of_motion(time_, Side::before, q, v).external;
  if (heavy_) {
    const double potential = system_->energies_at_rest(time_, q, 1).gravity;
    result.rate.external += (potential - start_potential_) * rate.load;
  }
  return result;
}

bool WorkIntegrator::find_sample(const Segment& segment, double s, Sample& found) {
  Station station;
  if (!segment.find_station(s, station)) return false;
  found = sample(segment, s, station);
  return true;
}

// Simpson's rule on both halves against the one on the whole: the difference is 15 errors.
bool WorkIntegrator::refine(const Segment& segment, const Sample& a, const Sample& middle,
                            const Sample& b, double tolerance, int depth,
                            std::vector<Part>& parts) {
  Sample left, right;
  if (!find_sample(segment, 0.5 * (a.s + middle.s), left) ||
      !find_sample(segment, 0.5 * (middle.s + b.s), right)) {
    return false;
  }
  const StaticWork whole = simpson(b.s - a.s, a.rate, middle.rate, b.rate);
  const StaticWork first = simpson(middle.s - a.s, a.rate, left.rate, middle.rate);
  const StaticWork second = simpson(b.s - middle.s, middle.rate, right.rate, b.rate);
  const StaticWork error = sum(sum(first, 1, second), -1, whole);
  const bool accurate =
      std::max(std::abs(error.external), std::abs(error.rheonomic)) / 15 <= tolerance;
  if (accurate || depth == kDeepest) {
    parts.push_back({middle.station, sum(first, 1.0 / 30, error)});
    parts.push_back({b.station, sum(second, 1.0 / 30, error)});
    return true;
  }
  return refine(segment, a, left, middle, 0.5 * tolerance, depth + 1, parts) &&
         refine(segment, middle, right, b, 0.5 * tolerance, depth + 1, parts);
}

std::vector<WorkIntegrator::Part> WorkIntegrator::integrate(const Segment& segment,
                                                            double tolerance) {
  const Sample a = sample(segment, 0, segment.begin());
  const Sample b = sample(segment, segment.length(), segment.end());
  Sample middle;
  std::vector<Part> parts;
  if (find_sample(segment, 0.5 * segment.length(), middle) &&
      refine(segment, a, middle, b, tolerance, 0, parts)) {
    return parts;
  }
  // No station was found between the ends: the balance will tell.
  return {{segment.end(),
           simpson(segment.length(), a.rate, sum({}, 0.5, sum(a.rate, 1, b.rate)), b.rate)}};
}

}  // namespace fem
