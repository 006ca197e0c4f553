// An observer that keeps everything, and runs of small cases.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "libfem/analysis/dynamics.hpp"
#include "tests/support/models.hpp"

namespace fem::test {

struct Record : Observer {
  std::vector<Snapshot> snapshots;
  std::vector<Event> events;
  std::vector<std::string> warnings;
  std::vector<Progress> progress;
  std::size_t proceed_calls = static_cast<std::size_t>(-1);  ///< how many are answered by true

  void snapshot(const Snapshot& s) override { snapshots.push_back(s); }
  void event(const Event& e) override { events.push_back(e); }
  void warning(const std::string& text) override { warnings.push_back(text); }
  bool proceed(const Progress& p) override {
    progress.push_back(p);
    return progress.size() <= proceed_calls;
  }
  [[nodiscard]] std::vector<double> times() const {
    std::vector<double> t;
    for (const Snapshot& s : snapshots) t.push_back(s.time);
    return t;
  }
};

/// Every number of a snapshot.
[[nodiscard]] inline std::vector<double> numbers_of(const Snapshot& s) {
  std::vector<double> x = {s.time};
  const auto add = [&x](const std::vector<double>& more) {
    x.insert(x.end(), more.begin(), more.end());
  };
  add(s.position);
  add(s.velocity);
  add(s.acceleration);
  for (const RodSnapshot& r : s.rods) {
    add(r.angle);
    add(r.axial_force);
    add(r.shear_force);
    add(r.bending_moment);
    add(r.axial_strain);
  }
  for (const HingeSnapshot& h : s.hinges) {
    add({h.angle, h.rate, h.moment, h.drive_moment, h.state});
  }
  for (const SupportSnapshot& p : s.supports) add({p.force_x, p.force_y, p.moment});
  for (const BodySnapshot& b : s.bodies) add({b.angle, b.rate});
  const MomentumSnapshot& m = s.momentum;
  add({m.center_x, m.center_y, m.linear_x, m.linear_y, m.angular});
  const EnergySnapshot& e = s.energy;
  add({e.kinetic, e.strain, e.external_work, e.rheonomic_work, e.dissipated, e.balance});
  add({s.solver.step, s.solver.iterations, s.solver.local_error});
  add({s.position_violation, s.velocity_violation});
  return x;
}

/// A soft rod of 2 m, pinned at O; its angle there follows a law, if one is given.
[[nodiscard]] inline CaseDescription pinned_rod(int elements = 4) {
  CaseDescription d = one_rod(soft_section(), 2, elements);
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true}};
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}
[[nodiscard]] inline CaseDescription driven_rod(const LawDescription& law, int elements = 4) {
  CaseDescription d = pinned_rod(elements);
  d.laws = {law};
  d.supports[0].angle = law.name;
  return d;
}

}  // namespace fem::test
