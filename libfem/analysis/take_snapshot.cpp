#include "libfem/analysis/take_snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libfem/frame/frame_motion.hpp"
#include "libfem/link/hinge_moment.hpp"
#include "libfem/rod/section_forces.hpp"
#include "libfem/system/two_ends.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<double> node_vectors(const System& system, std::span<const double> x) {
  std::vector<double> result;
  result.reserve(3 * system.model().nodes.size());
  for (const Node& node : system.model().nodes) {
    result.push_back(x[system.place(node.x)]);
    result.push_back(x[system.place(node.x + 1)]);
    result.push_back(node.z == kNone ? 0.0 : x[system.place(node.z)]);
  }
  return result;
}

RodSnapshot take_rod(const System& system, const Rod& rod, const Motion& motion) {
  RodSnapshot s;
  const Model& model = system.model();
  for (int k = 0; k < rod.elements(); ++k) {
    const Element& element = model.elements[at(rod.first_element + k)];
    Vector6<double> x, w;
    for (int i = 0; i < 6; ++i) {
      const std::size_t place = system.place(element.coordinate[at(i)]);
      x(i) = motion.q[place];
      w(i) = motion.v[place];
    }
    const RodConstants<double>& c = model.types[at(element.type)];
    const RodKinematics<double> kinematics = calc_kinematics(c, x);
    SectionForces forces = section_forces(c, kinematics, calc_rates(kinematics, w));
    const RodStrains forgotten =
        system.rod_memory().memory_strains(rod.first_element + k, motion.time, kinematics);
    forces += rod_detail::section_forces(strain_forces(c, kinematics, forgotten), kinematics);
    s.angle.insert(s.angle.end(), {x(2), x(3)});
    s.axial_force.push_back(forces.axial);
    s.shear_force.push_back(forces.shear);
    s.bending_moment.insert(s.bending_moment.end(), {forces.moment_start, forces.moment_end});
    s.axial_strain.push_back(kinematics.strain);
  }
  return s;
}

BodySnapshot take_body(const System& system, const Body& body, const Motion& motion) {
  const std::size_t x = system.place(system.model().nodes[at(body.node)].x);
  const std::size_t y = system.place(system.model().nodes[at(body.node)].x + 1);
  const std::size_t angle = system.place(body.angle);
  const auto r = first_moment(body.body, motion.q[angle]);
  const double mass = body.body.mass > 0 ? body.body.mass : 1;  // without mass r is zero
  return {.angle = motion.q[angle],
          .rate = motion.v[angle],
          .center_x = motion.q[x] + r.x / mass,
          .center_y = motion.q[y] + r.y / mass};
}

SpringSnapshot take_spring(const System& system, const Spring& spring, const Motion& motion) {
  const Stencil s = end_stencil(system.model(), spring.nodes, 0);
  std::array<int, Stencil::kMost> places{};
  for (int i = 0; i < s.count; ++i) {
    places[at(i)] = static_cast<int>(system.place(s.coordinate[at(i)]));
  }
  const EndSlots slots = end_slots(system.model(), spring.nodes);
  const Vector6d x = gather_ends(slots, places, motion.q);
  const Vector6d w = gather_ends(slots, places, motion.v);
  const TwoPointForce f = two_point_force(spring.law, x, w);
  return {.length = f.distance, .rate = f.rate, .force = f.tension};
}

HereditarySnapshot take_hereditary(const System& system, std::size_t n, const Motion& motion) {
  const HereditaryAnswer e =
      system.hereditary().answer(n, motion.time, motion.side, motion.q, motion.load_factor);
  return {.deformation = e.deformation,
          .force = e.force,
          .instantaneous_force = e.instantaneous_force,
          .memory_force = e.force - e.instantaneous_force,
          .stored = e.stored,
          .dissipated = e.dissipated,
          .dissipated_power = e.dissipated_power,
          .rheonomic_reaction = -e.force,
          .rheonomic_power = e.rheonomic_power};
}

double law_value(const System& system, int law, const Motion& motion) {
  return motion.load_factor *
         evaluate(system.model().laws[at(law)], motion.time, motion.side).value;
}

LoadSnapshot take_point_load(const System& system, std::size_t n, const Motion& motion) {
  const Model& model = system.model();
  auto f = system.attachments().load_force(n, motion.time, motion.side, motion.q);
  for (double& component : f) component *= motion.load_factor;
  const bool in_space = model.nodes[at(model.point_loads[n].node)].z != kNone;
  return {.force_x = f[0],
          .force_y = f[1],
          .force_z = in_space ? f[2] : 0.0,
          .moment = in_space ? 0.0 : f[2]};
}

LoadSnapshot take_load(const System& system, const RodLoad& load, const Motion& motion) {
  const double half =
      0.5 * system.model().rods[at(load.rod)].length * law_value(system, load.law, motion);
  std::array<double, 3> force{half * (load.force[0][0] + load.force[1][0]),
                              half * (load.force[0][1] + load.force[1][1]), 0};
  if (const auto& frame = system.model().frame) {
    force = into_frame(
        evaluate(system.model().laws[at(frame->angle)], motion.time, motion.side).value, force);
  }
  return {.force_x = force[0],
          .force_y = force[1],
          .moment = half * (load.moment[0] + load.moment[1])};
}

ConstraintSnapshot take_constraint(const System& system, const Constraint& constraint,
                                   const Motion& motion, const std::vector<double>& lambda) {
  ConstraintSnapshot s{.multiplier = lambda[at(constraint.rows.front())]};
  for (const int r : constraint.rows) {
    const auto violation = system.row_violation(r, motion.time, motion.side, motion.q, motion.v);
    const bool of_rates = system.model().rows[at(r)].of_rates;
    s.violation = std::max(s.violation, of_rates ? violation.velocity : violation.position);
  }
  return s;
}

ResultLayout::Rod lay_out_rod(const Model& model, const Rod& rod) {
  const Element& first = model.elements[at(rod.first_element)];
  const RodConstants<double>& c = model.types[at(first.type)];
  return {.name = rod.name,
          .nodes = rod.nodes,
          .section = model.section_names[at(rod.section)],
          .length = rod.length,
          .alpha = c.alpha,
          .curvature = c.rest_minus * c.inverse_length,
          .elongation = c.rest_strain};
}

}  // namespace

ResultLayout make_layout(const Model& model, Analysis analysis) {
  ResultLayout layout;
  layout.analysis = analysis;
  for (const Node& node : model.nodes) layout.points.push_back(node.name);
  for (std::size_t s = 0; s < model.sections.size(); ++s) {
    layout.sections.push_back({model.section_names[s], model.sections[s]});
  }
  for (const Rod& rod : model.rods) layout.rods.push_back(lay_out_rod(model, rod));
  for (const Hinge& hinge : model.hinges) layout.hinges.push_back(hinge.name);
  for (const Support& support : model.supports) layout.supports.push_back(support.name);
  for (const Constraint& c : model.constraints) layout.constraints.push_back(c.name);
  for (const Body& body : model.bodies) {
    if (body.angle == kNone) continue;
    layout.bodies.push_back({body.name, body.node, body.body.mass, body.body.inertia});
  }
  for (const Spring& spring : model.springs) layout.springs.push_back({spring.name, spring.nodes});
  for (const HereditaryElement& e : model.hereditary) layout.hereditary.push_back(e.name);
  for (const PointLoad& load : model.point_loads) layout.loads.push_back(load.name);
  for (const RodLoad& load : model.rod_loads) layout.loads.push_back(load.name);
  for (const int law : prescribing_laws(model)) layout.laws.push_back(model.law_names[at(law)]);
  layout.moves = model.frame.has_value();
  return layout;
}

Snapshot take_snapshot(const System& system, const Motion& motion) {
  const Model& model = system.model();
  Snapshot s;
  s.time = motion.time;
  s.position = node_vectors(system, motion.q);
  s.velocity = node_vectors(system, motion.v);
  s.acceleration = node_vectors(system, motion.a);
  for (const Rod& rod : model.rods) s.rods.push_back(take_rod(system, rod, motion));
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
    if (h.hereditary != kNone) {
      const HereditaryAnswer e = system.hereditary().answer(
          at(h.hereditary), motion.time, motion.side, motion.q, motion.load_factor);
      hinge.moment -= e.force;
    }
    if (h.law) hinge.moment -= hinge_moment(*h.law, hinge.angle, hinge.rate).moment;
    s.hinges.push_back(hinge);
  }
  for (const Support& support : model.supports) {
    s.supports.push_back({.force_x = reaction(support.x),
                          .force_y = reaction(support.y),
                          .force_z = reaction(support.z),
                          .moment = reaction(support.angle)});
  }
  for (const Constraint& constraint : model.constraints) {
    s.constraints.push_back(take_constraint(system, constraint, motion, lambda));
  }
  for (const Body& body : model.bodies) {
    if (body.angle != kNone) s.bodies.push_back(take_body(system, body, motion));
  }
  for (const Spring& spring : model.springs) {
    s.springs.push_back(take_spring(system, spring, motion));
  }
  for (std::size_t n = 0; n < model.hereditary.size(); ++n) {
    s.hereditary.push_back(take_hereditary(system, n, motion));
  }
  for (std::size_t n = 0; n < model.point_loads.size(); ++n) {
    s.loads.push_back(take_point_load(system, n, motion));
  }
  for (const RodLoad& load : model.rod_loads) s.loads.push_back(take_load(system, load, motion));
  const auto violation = system.violation(motion.time, motion.side, motion.q, motion.v);
  s.position_violation = violation.position;
  s.velocity_violation = violation.velocity;
  return s;
}

}  // namespace fem
