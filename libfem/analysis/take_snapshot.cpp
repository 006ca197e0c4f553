#include "libfem/analysis/take_snapshot.hpp"

#include <cstddef>

#include "libfem/link/hinge_moment.hpp"
#include "libfem/rod/section_forces.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<double> node_vectors(const System& system, std::span<const double> x) {
  std::vector<double> result;
  result.reserve(3 * system.model().nodes.size());
  for (const Node& node : system.model().nodes) {
    result.push_back(x[system.place(node.x)]);
    result.push_back(x[system.place(node.x + 1)]);
    result.push_back(0);
  }
  return result;
}

RodSnapshot take_rod(const System& system, const Rod& rod, std::span<const double> q) {
  RodSnapshot s;
  const Model& model = system.model();
  for (int k = 0; k < rod.elements(); ++k) {
    const Element& element = model.elements[at(rod.first_element + k)];
    Vector6<double> x;
    for (int i = 0; i < 6; ++i) x(i) = q[system.place(element.coordinate[at(i)])];
    const RodConstants<double>& c = model.types[at(element.type)];
    const RodKinematics<double> kinematics = calc_kinematics(c, x);
    const SectionForces forces = section_forces(c, kinematics);
    s.angle.insert(s.angle.end(), {x(2), x(3)});
    s.axial_force.push_back(forces.axial);
    s.shear_force.push_back(forces.shear);
    s.bending_moment.insert(s.bending_moment.end(), {forces.moment_start, forces.moment_end});
    s.axial_strain.push_back(kinematics.strain);
  }
  return s;
}

}  // namespace

ResultLayout make_layout(const Model& model) {
  ResultLayout layout;
  for (const Node& node : model.nodes) layout.points.push_back(node.name);
  for (const Rod& rod : model.rods) layout.rods.push_back({rod.name, rod.nodes});
  for (const Hinge& hinge : model.hinges) layout.hinges.push_back(hinge.name);
  for (const Support& support : model.supports) layout.supports.push_back(support.name);
  return layout;
}

Snapshot take_snapshot(const System& system, const Motion& motion) {
  const Model& model = system.model();
  Snapshot s;
  s.time = motion.time;
  s.position = node_vectors(system, motion.q);
  s.velocity = node_vectors(system, motion.v);
  s.acceleration = node_vectors(system, motion.a);
  for (const Rod& rod : model.rods) s.rods.push_back(take_rod(system, rod, motion.q));
  const std::vector<double> lambda = system.reactions(motion.a);
  const auto reaction = [&](int row) { return row == kNone ? 0.0 : lambda[at(row)]; };
  for (const Hinge& h : model.hinges) {
    const std::size_t first = system.place(h.first);
    const std::size_t second = system.place(h.second);
    HingeSnapshot hinge{.angle = motion.q[second] - motion.q[first] + h.turns,
                        .rate = motion.v[second] - motion.v[first],
                        .drive_moment = reaction(h.drive)};
    hinge.moment = hinge.drive_moment + reaction(h.lock);
    hinge.state = static_cast<double>(h.latched ? LockKind::latch : h.locked);
    if (h.law) hinge.moment -= hinge_moment(*h.law, hinge.angle, hinge.rate).moment;
    s.hinges.push_back(hinge);
  }
  for (const Support& support : model.supports) {
    s.supports.push_back({.force_x = reaction(support.x),
                          .force_y = reaction(support.y),
                          .moment = reaction(support.angle)});
  }
  const auto violation = system.violation(motion.time, motion.side, motion.q, motion.v);
  s.position_violation = violation.position;
  s.velocity_violation = violation.velocity;
  return s;
}

}  // namespace fem
