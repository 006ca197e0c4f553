// Work that goes into a structure along a segment of its equilibrium path:
//
//   dW_ext = λQ·dq + V dλ      loads, and what the growing gravity puts in (its potential is λV)
//   dW_rheo = Σ Λ φ dλ         prescribed changes λφ against their reactions Λ
//
// by Simpson's rule with further stations where it is not accurate enough; what it finds on the way
// are points of equilibrium that the results can have.
#pragma once

#include <vector>

#include "libfem/analysis/path.hpp"
#include "libfem/system/system.hpp"

namespace fem {

struct StaticWork {
  double external = 0, rheonomic = 0;  ///< J
};

class WorkIntegrator {
 public:
  /// Laws at `time`; V is counted from `start_potential`, J.
  WorkIntegrator(System& system, Equilibrium& equilibrium, double time, double start_potential);

  /// Stations in the order of the path, the segment's end the last, with the work from the one
  /// before to each, to `tolerance` (J) where that can be had.
  struct Part {
    Station station;
    StaticWork work;
  };
  [[nodiscard]] std::vector<Part> integrate(const Segment& segment, double tolerance);

 private:
  struct Sample {
    double s = 0;
    Station station;
    StaticWork rate;
  };
  [[nodiscard]] Sample sample(const Segment& segment, double s, const Station& station);
  [[nodiscard]] bool find_sample(const Segment& segment, double s, Sample& sample);
  bool refine(const Segment& segment, const Sample& a, const Sample& middle, const Sample& b,
              double tolerance, int depth, std::vector<Part>& parts);

  System* system_;
  Equilibrium* equilibrium_;
  double time_;
  bool heavy_;
  double start_potential_;
};

}  // namespace fem
