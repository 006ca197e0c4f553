// Equilibrium points on the path of a structure over its load factor, and the stretch of the path
// between two of them: where something on it changes its sign, and what work is done along it.
#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "libfem/analysis/equilibrium.hpp"

namespace fem {

/// A point of equilibrium with the path's unit tangent there.
struct Station {
  PathPoint point;
  Direction tangent;
  int negative = 0;  ///< negative pivots: directions in which the equilibrium is unstable
  int iterations = 0;
  std::size_t worst = 0;  ///< the unknown that is worst balanced
  /// What the loads at λ = 1 would do along the tangent, −r_λ·dq/ds: changes its sign where their
  /// own displacement turns back.
  double load_work = 0;
};

/// The sign of a quantity along the path. What is as small as rounding has none: of a quantity that
/// stays zero for a while, the sign before and the sign behind count.
class SignWatch {
 public:
  void start(double value, double rounding) {
    sign_ = 0;
    static_cast<void>(changes(value, rounding));
  }
  /// Whether the sign is another than it was last.
  bool changes(double value, double rounding) {
    if (!(std::abs(value) > rounding)) return false;
    const int before = std::exchange(sign_, value > 0 ? 1 : -1);
    return before * sign_ < 0;
  }

 private:
  int sign_ = 0;
};

/// The coordinate along a stretch of the path: the load factor, or the distance along a tangent, or
/// along its motion alone.
enum class Along { load, tangent, motion };

/// What moves along a direction: its load left out, of length 1.
[[nodiscard]] Direction motion_of(const Equilibrium& equilibrium, const Direction& direction);

/// Newton's method from station.point on the plane with this normal ({} and 1 hold the load), then
/// the tangent on the side of `ahead`. False if there is no convergence.
[[nodiscard]] bool settle_station(Equilibrium& equilibrium, const Direction& normal,
                                  const Direction& ahead, Station& station);

/// The path between two stations, by the coordinate s from 0 at `a` to length() at `b`.
class Segment {
 public:
  Segment(Equilibrium& equilibrium, const Station& a, const Station& b, Along along);

  [[nodiscard]] const Station& begin() const { return *a_; }
  [[nodiscard]] const Station& end() const { return *b_; }
  [[nodiscard]] double length() const { return length_; }
  /// Hermite's cubic through both stations.
  [[nodiscard]] PathPoint interpolate(double s) const;
  /// The station at s; false if Newton's method finds none.
  [[nodiscard]] bool find_station(double s, Station& station) const;
  /// dy/ds at a station of the segment.
  [[nodiscard]] Direction rate(const Station& station) const;

  struct Root {
    double s = 0;
    Station station;
    double load_error = 0;  ///< how far the load factor of the root may be from the station's
  };
  /// Where f of the station vanishes, to |f| ≤ tolerance, or changes its sign in a jump; f has
  /// different signs at the ends, or vanishes at one. Where Newton's method finds no station
  /// between two, it is one of them; load_error tells how far apart they are.
  [[nodiscard]] Root find_root(const std::function<double(const Station&)>& f,
                               double tolerance) const;

  /// Where the number of negative pivots changes, which the ends have different: the point where K
  /// is singular, and the motion that meets no resistance there. The station is the nearest that
  /// Newton's method reaches. False if it cannot be located.
  struct SingularPoint : Root {
    double load = 0;         ///< of the singular point
    Eigen::VectorXd motion;  ///< on the independent places
  };
  [[nodiscard]] bool find_singular(SingularPoint& best) const;

 private:
  Equilibrium* equilibrium_;
  const Station* a_;
  const Station* b_;
  Direction normal_;  // its q is empty where s is the load factor
  Direction ahead_;   // the side to which tangents point
  double length_;
};

}  // namespace fem
