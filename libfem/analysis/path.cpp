#include "libfem/analysis/path.hpp"

#include <cmath>
#include <utility>

namespace fem {
namespace {

using Eigen::Index;

constexpr int kMostRootIterations = 60;
constexpr double kSingular = 1e-9;  // critical eigenvalue over the one at the first trial
constexpr double kNear = 1e-5;      // the same, of a trial that can stand for it

}  // namespace

bool settle_station(Equilibrium& equilibrium, const Direction& normal, const Direction& ahead,
                    Station& station) {
  const Correction c = equilibrium.correct(station.point, normal);
  station.negative = c.negative;
  station.iterations = c.iterations;
  station.worst = c.worst;
  if (!c.converged) return false;
  station.tangent = equilibrium.load_rate();
  const double side = ahead.q.size() == 0 ? 1.0 : equilibrium.dot(station.tangent, ahead);
  const double length = std::copysign(equilibrium.norm(station.tangent), side);
  station.tangent.q /= length;
  station.tangent.load /= length;
  station.load_work = equilibrium.load_work(station.tangent);
  return std::isfinite(length);
}

Direction motion_of(const Equilibrium& equilibrium, const Direction& direction) {
  return {direction.q / equilibrium.norm({direction.q, 0}), 0};
}

Segment::Segment(Equilibrium& equilibrium, const Station& a, const Station& b, Along along)
    : equilibrium_(&equilibrium), a_(&a), b_(&b), normal_{{}, 1}, ahead_(a.tangent), length_(0) {
  if (along == Along::motion) ahead_ = motion_of(equilibrium, a.tangent);
  if (along != Along::load) {
    normal_ = ahead_;
    length_ = equilibrium.dot(normal_, equilibrium.difference(a.point, b.point));
  } else {
    length_ = b.point.load - a.point.load;
  }
}

Direction Segment::rate(const Station& station) const {
  const Direction& t = station.tangent;
  const double speed = normal_.q.size() == 0 ? t.load : equilibrium_->dot(normal_, t);
  return {t.q / speed, t.load / speed};
}

PathPoint Segment::interpolate(double s) const {
  const Index n = a_->tangent.q.size();
  const double x = s / length_;
  const double h = x * x * (3 - 2 * x);
  const double ha = x * (1 - x) * (1 - x) * length_;
  const double hb = -x * x * (1 - x) * length_;
  const Direction ra = rate(*a_), rb = rate(*b_);
  PathPoint y = a_->point;
  y.q.head(n) += h * (b_->point.q.head(n) - a_->point.q.head(n)) + ha * ra.q + hb * rb.q;
  y.load += h * (b_->point.load - a_->point.load) + ha * ra.load + hb * rb.load;
  return y;
}

bool Segment::find_station(double s, Station& station) const {
  station.point = interpolate(s);
  return settle_station(*equilibrium_, normal_, ahead_, station);
}

// Regula falsi, Illinois: the end that stays twice counts half. At a kink f jumps, and the ends
// come together.
Segment::Root Segment::find_root(const std::function<double(const Station&)>& f,
                                 double tolerance) const {
  Root near{.station = *a_}, far{.s = length_, .station = *b_};
  double f0 = f(near.station), f1 = f(far.station);
  if (std::abs(f0) <= tolerance) return near;
  if (std::abs(f1) <= tolerance) return far;
  double length = far.s - near.s;
  double share = -f0 / (f1 - f0);
  for (int i = 0; i < kMostRootIterations; ++i) {
    Root trial{.s = near.s + share * length, .station = {}};
    if (!find_station(trial.s, trial.station)) break;
    const double value = f(trial.station);
    if (std::abs(value) <= tolerance) return trial;
    if (value * f1 < 0) {
      near = std::move(far);
      f0 = f1;
    } else {
      f0 *= 0.5;
    }
    far = std::move(trial);
    f1 = value;
    const double before = std::exchange(length, far.s - near.s);
    share = std::abs(length) > 0.5 * std::abs(before) ? 0.5 : -f0 / (f1 - f0);
  }
  far.load_error = std::abs(far.station.point.load - near.station.point.load);
  return far;
}

// The critical eigenvalue of K is followed by inverse iteration; the counts of negative pivots keep
// the bracket. Close to the point Newton's method is disturbed by rounding, so the load factor is
// taken from the secant through the best two trials.
bool Segment::find_singular(SingularPoint& best) const {
  double s0 = 0, s1 = length_;
  double k0 = 0, k1 = 0;  // critical eigenvalues at the ends; 0: not known yet
  double first = 0, smallest = 0, second = 0, second_load = 0;
  best.motion.resize(0);
  for (int i = 0; i < kMostRootIterations; ++i) {
    const double s = k0 * k1 < 0 ? s0 - k0 * (s1 - s0) / (k1 - k0) : 0.5 * (s0 + s1);
    Station trial;
    if (!(s > s0 && s < s1) || !find_station(s, trial)) break;
    const double k = equilibrium_->critical_motion(best.motion);
    if (first == 0) first = std::abs(k);
    const bool before = trial.negative == a_->negative;
    if (before) {
      s0 = s;
      k0 = k;
      k1 *= 0.5;
    } else {
      s1 = s;
      k1 = k;
      k0 *= 0.5;
    }
    if (i == 0 || std::abs(k) < std::abs(smallest)) {
      second = smallest;
      second_load = best.station.point.load;
      smallest = k;
      best.s = s;
      best.station = trial;
    }
    if (std::abs(k) <= kSingular * first) break;
  }
  best.load = best.station.point.load;
  if (first == 0 || std::abs(smallest) > kNear * first) return false;
  if (second != smallest && second != 0) {
    best.load -= smallest * (best.load - second_load) / (smallest - second);
  }
  return true;
}

}  // namespace fem
