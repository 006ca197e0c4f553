// Equilibrium points on the path of a structure over its load factor, and the stretch of the path
// between two of them: where something on it changes its sign, and what work is done along it.
#pragma once

#include <functional>
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

/// The coordinate along a stretch of the path: the load factor, or the distance along a tangent.
enum class Along { load, tangent };

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
  };
  /// Where f of the station vanishes, to |f| ≤ tolerance; f has different signs at the ends. False
  /// if it cannot be located.
  [[nodiscard]] bool find_root(const std::function<double(const Station&)>& f, double tolerance,
                               Root& root) const;

  /// Where the number of negative pivots changes, which the ends have different: the point where K
  /// is singular, and the motion that meets no resistance there. The station is the nearest that
  /// Newton's method reaches. False if it cannot be located.
  struct SingularPoint : Root {
    double load = 0;         ///< of the singular point
    Eigen::VectorXd motion;  ///< on the independent places
  };
  [[nodiscard]] bool find_singular(SingularPoint& point) const;

 private:
  Equilibrium* equilibrium_;
  const Station* a_;
  const Station* b_;
  Direction normal_;  // its q is empty where s is the load factor
  double length_;
};

}  // namespace fem
