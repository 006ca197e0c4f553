#include "libfem/system/attachments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <utility>

#include "libfem/frame/frame_motion.hpp"
#include "libfem/rod/load_stiffness.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Clears an object's part of the buffer.
void clear(const Stencil& s, std::span<double> buffer) {
  for (int k = 0; k < Stencil::entries(s.count); ++k) buffer[at(s.base + s.stride * k)] = 0;
}

template <class Matrix>
void store_matrix(const Stencil& s, const Matrix& matrix, std::span<double> buffer) {
  for (int j = 0; j < s.count; ++j) {
    for (int i = j; i < s.count; ++i) buffer[at(s.matrix_index(i, j))] = matrix(i, j);
  }
}

void store_ends(const Stencil& s, const EndSlots& slots, const Vector6d& force,
                std::span<double> buffer) {
  visit_ends(slots, [&](int i, Eigen::Index k) { buffer[at(s.force_index(i))] = force(k); });
}

void store_ends(const Stencil& s, const EndSlots& slots, const Matrix6d& matrix,
                std::span<double> buffer) {
  visit_ends(slots, [&](int i, Eigen::Index k) {
    visit_ends(slots, [&](int j, Eigen::Index l) {
      if (j <= i) buffer[at(s.matrix_index(i, j))] = matrix(k, l);
    });
  });
}

template <class Vector>
void store_force(const Stencil& s, const Vector& force, std::span<double> buffer) {
  for (int i = 0; i < s.count; ++i) buffer[at(s.force_index(i))] = force(i);
}

// A spring whose points meet has no direction, hence no force: no numbers, which stop the run or
// the search and name an unknown of the spring.
void spoil(const Stencil& s, std::span<double> buffer) {
  for (int k = 0; k < Stencil::entries(s.count); ++k) {
    buffer[at(s.base + s.stride * k)] = std::numeric_limits<double>::quiet_NaN();
  }
}

double hinge_angle(const Hinge& hinge, double first, double second) {
  return second - first + hinge.turns;
}

}  // namespace

std::vector<Attachments::ElementLoad> Attachments::make_element_loads(const Model& model) {
  std::vector<ElementLoad> loads;
  for (std::size_t l = 0; l < model.rod_loads.size(); ++l) {
    const Rod& rod = model.rods[at(model.rod_loads[l].rod)];
    for (int k = 0; k < rod.elements(); ++k) {
      loads.push_back({static_cast<int>(l), rod.first_element + k,
                       static_cast<double>(k) / rod.elements(),
                       static_cast<double>(k + 1) / rod.elements()});
    }
  }
  return loads;
}

std::vector<Stencil> Attachments::make_stencils(const Model& model, int base) {
  std::vector<Stencil> stencils;
  const auto add = [&](std::initializer_list<int> coordinates) {
    Stencil s{.count = static_cast<int>(coordinates.size()), .base = base};
    std::copy(coordinates.begin(), coordinates.end(), s.coordinate.begin());
    base += Stencil::entries(s.count);
    stencils.push_back(s);
  };
  // A point, and an angle that may be absent; in space there is none.
  const auto add_at = [&](int node, int angle) {
    const Node& n = model.nodes[at(node)];
    const int third = n.z != kNone ? n.z : angle;
    third == kNone ? add({n.x, n.x + 1}) : add({n.x, n.x + 1, third});
  };
  for (const Body& b : model.bodies) add_at(b.node, b.angle);
  for (const Hinge& h : model.hinges) {
    if (h.law) add({h.first, h.second});
  }
  for (const Spring& spring : model.springs) {
    stencils.push_back(end_stencil(model, spring.nodes, base));
    base += Stencil::entries(stencils.back().count);
  }
  for (const PointLoad& l : model.point_loads) add_at(l.node, l.angle);
  for (const ElementLoad& l : make_element_loads(model)) {
    const auto& c = model.elements[at(l.element)].coordinate;
    add({c[0], c[1], c[2], c[3], c[4], c[5]});
  }
  return stencils;
}

Attachments::Attachments(const Model& model, const Numbering& numbering,
                         std::vector<Stencil> stencils)
    : model_(&model), stencils_(std::move(stencils)), element_loads_(make_element_loads(model)) {
  for (const Stencil& s : stencils_) {
    Places places{};
    for (int i = 0; i < s.count; ++i) places[at(i)] = numbering.place[at(s.coordinate[at(i)])];
    places_.push_back(places);
  }
  for (const PointLoad& load : model.point_loads) {
    auto& places = along_places_.emplace_back();
    for (std::size_t k = 0; load.along && k < 4; ++k) {
      const int x = model.nodes[at((*load.along)[k / 2])].x;
      places[k] = numbering.place[at(x) + k % 2];
    }
  }
  for (const Spring& s : model.springs) spring_slots_.push_back(end_slots(model, s.nodes));
  for (std::size_t h = 0; h < model.hinges.size(); ++h) {
    if (model.hinges[h].law) law_hinges_.push_back(static_cast<int>(h));
  }
  first_hinge_ = model.bodies.size();
  first_spring_ = first_hinge_ + law_hinges_.size();
  first_load_ = first_spring_ + model.springs.size();
  first_rod_load_ = first_load_ + model.point_loads.size();
}

bool Attachments::in_space(const Body& body) const {
  return model_->nodes[at(body.node)].z != kNone;
}

double Attachments::law_value(int law, double t, Side side) const {
  return fem::evaluate(model_->laws[at(law)], t, side).value;
}

// Force X, Y and moment of a load, or force X, Y, Z in space.
std::array<double, 3> Attachments::load_force(std::size_t n, double t, Side side,
                                              std::span<const double> q) const {
  const PointLoad& load = model_->point_loads[n];
  const double x = law_value(load.laws[0], t, side);
  const double y = law_value(load.laws[1], t, side);
  const bool in_space = model_->nodes[at(load.node)].z != kNone;
  const double third = law_value(load.laws[in_space ? 2 : 3], t, side);
  double c = 1;
  double s = 0;
  if (load.along) {
    const Vector6d line = along_line(n, q);
    const double distance = std::hypot(line(3) - line(0), line(4) - line(1));
    c = (line(3) - line(0)) / distance;
    s = (line(4) - line(1)) / distance;
  } else if (load.follower) {
    const double angle = load.angle == kNone ? 0.0 : q[at(places_[first_load_ + n][2])];
    c = std::cos(angle);
    s = std::sin(angle);
  } else if (model_->frame) {  // its axes are the inertial ones
    const double angle = law_value(model_->frame->angle, t, side);
    c = std::cos(angle);
    s = -std::sin(angle);
  }
  return {c * x - s * y, s * x + c * y, third};
}

// The two points whose line a load follows.
Vector6d Attachments::along_line(std::size_t n, std::span<const double> q) const {
  Vector6d line = Vector6d::Zero();
  const auto& places = along_places_[n];
  for (std::size_t k = 0; k < 4; ++k) {
    line(static_cast<Eigen::Index>(k < 2 ? k : k + 1)) = q[at(places[k])];
  }
  return line;
}

Attachments::LoadedElement Attachments::loaded_element(std::size_t n, double t, Side side,
                                                       std::span<const double> q) const {
  const ElementLoad& part = element_loads_[n];
  const RodLoad& load = model_->rod_loads[at(part.load)];
  const Places& places = places_[first_rod_load_ + n];
  Vector6<double> x;
  for (int i = 0; i < 6; ++i) x(i) = q[at(places[at(i)])];
  const double factor = law_value(load.law, t, side);
  const double turn = model_->frame ? law_value(model_->frame->angle, t, side) : 0.0;
  RodElementLoad ends;
  for (std::size_t end = 0; end < 2; ++end) {
    const double s = end == 0 ? part.begin : part.end;
    std::array<double, 3> force{};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      force[axis] =
          factor * (load.force[0][axis] + s * (load.force[1][axis] - load.force[0][axis]));
    }
    if (turn != 0) force = into_frame(turn, force);
    ends.force[end] = {force[0], force[1]};
    ends.moment[end] = factor * (load.moment[0] + s * (load.moment[1] - load.moment[0]));
  }
  const RodConstants<double>& c = model_->types[at(model_->elements[at(part.element)].type)];
  return {ends, &c, calc_kinematics(c, x)};
}

std::vector<Attachments::FollowerTurn> Attachments::follower_turns(
    double t, double factor, std::span<const double> q) const {
  std::vector<FollowerTurn> turns;
  for (std::size_t n = 0; n < model_->point_loads.size(); ++n) {
    const PointLoad& load = model_->point_loads[n];
    if (!load.follower || load.angle == kNone) continue;
    const auto f = load_force(n, t, Side::before, q);
    if (f[0] == 0 && f[1] == 0) continue;
    turns.push_back({.x = model_->nodes[at(load.node)].x,
                     .angle = load.angle,
                     .on_x = factor * f[1],
                     .on_y = -factor * f[0]});
  }
  return turns;
}

TwoPointForce Attachments::spring_force(std::size_t n, std::span<const double> q,
                                        std::span<const double> v) const {
  const auto& p = places_[first_spring_ + n];
  return two_point_force(model_->springs[n].law, gather_ends(spring_slots_[n], p, q),
                         gather_ends(spring_slots_[n], p, v));
}

Outcome Attachments::check(std::span<const double> q) const {
  for (std::size_t n = 0; n < model_->springs.size(); ++n) {
    if (spring_force(n, q, q).defined) continue;  // whatever the velocities
    return {Status::points_meet, at(places_[first_spring_ + n][0])};
  }
  for (std::size_t n = 0; n < model_->point_loads.size(); ++n) {
    if (!model_->point_loads[n].along) continue;
    if (!line_between(along_line(n, q), std::numeric_limits<double>::min()).defined) {
      return {Status::points_meet, at(along_places_[n][0])};
    }
  }
  return {};
}

void Attachments::evaluate(double t, Side side, std::span<const double> q,
                           std::span<const double> v, std::span<double> buffer) const {
  for (std::size_t n = 0; n < model_->bodies.size(); ++n) {
    const Body& b = model_->bodies[n];
    const Stencil& s = stencils_[n];
    const bool turns = b.angle != kNone;
    const auto r = first_moment(b.body, turns ? q[at(places_[n][2])] : 0.0);
    Eigen::Matrix3d mass = mass_matrix(b.body, r);
    if (in_space(b)) mass(2, 2) = b.body.mass;
    store_matrix(s, mass, buffer);
    Eigen::Vector3d f = velocity_force(r, turns ? v[at(places_[n][2])] : 0.0) -
                        gravity_force(b.body, r, model_->gravity);
    if (in_space(b)) f(2) = -b.body.mass * model_->gravity_z;
    store_force(s, f, buffer);
  }
  for (std::size_t n = 0; n < law_hinges_.size(); ++n) {
    const Hinge& h = model_->hinges[at(law_hinges_[n])];
    const Stencil& s = stencils_[first_hinge_ + n];
    const auto& p = places_[first_hinge_ + n];
    clear(s, buffer);
    const double m =
        hinge_moment(*h.law, hinge_angle(h, q[at(p[0])], q[at(p[1])]), v[at(p[1])] - v[at(p[0])])
            .moment;
    store_force(s, Eigen::Vector2d(-m, m), buffer);
  }
  for (std::size_t n = 0; n < model_->springs.size(); ++n) {
    const Stencil& s = stencils_[first_spring_ + n];
    clear(s, buffer);
    store_ends(s, spring_slots_[n], spring_force(n, q, v).force, buffer);
  }
  for (std::size_t n = 0; n < model_->point_loads.size(); ++n) {
    const Stencil& s = stencils_[first_load_ + n];
    clear(s, buffer);
    const auto f = load_force(n, t, side, q);
    store_force(s, Eigen::Vector3d(-f[0], -f[1], -f[2]), buffer);
  }
  for (std::size_t n = 0; n < element_loads_.size(); ++n) {
    const Stencil& s = stencils_[first_rod_load_ + n];
    clear(s, buffer);
    const auto [load, c, k] = loaded_element(n, t, side, q);
    store_force(s, Vector6<double>(-rod_load_force(*c, k, load)), buffer);
  }
}

void Attachments::evaluate_tangent(double t, double factor, std::span<const double> q,
                                   std::span<double> buffer) const {
  constexpr Side side = Side::before;
  for (std::size_t n = 0; n < model_->bodies.size(); ++n) {
    const Body& b = model_->bodies[n];
    const Stencil& s = stencils_[n];
    clear(s, buffer);
    const auto r = first_moment(b.body, b.angle != kNone ? q[at(places_[n][2])] : 0.0);
    Eigen::Vector3d f = -factor * gravity_force(b.body, r, model_->gravity);
    if (in_space(b)) f(2) = -factor * b.body.mass * model_->gravity_z;
    store_force(s, f, buffer);
    if (b.angle != kNone) {
      buffer[at(s.matrix_index(2, 2))] = factor * gravity_stiffness(r, model_->gravity);
    }
  }
  for (std::size_t n = 0; n < law_hinges_.size(); ++n) {
    const Hinge& h = model_->hinges[at(law_hinges_[n])];
    const Stencil& s = stencils_[first_hinge_ + n];
    const auto& p = places_[first_hinge_ + n];
    const HingeMoment m = hinge_moment(*h.law, hinge_angle(h, q[at(p[0])], q[at(p[1])]), 0);
    Eigen::Matrix2d k;
    k << m.stiffness, -m.stiffness, -m.stiffness, m.stiffness;
    store_matrix(s, k, buffer);
    store_force(s, Eigen::Vector2d(-m.moment, m.moment), buffer);
  }
  for (std::size_t n = 0; n < model_->springs.size(); ++n) {
    const Stencil& s = stencils_[first_spring_ + n];
    const Vector6d x = gather_ends(spring_slots_[n], places_[first_spring_ + n], q);
    const Vector6d rest = Vector6d::Zero();
    store_ends(s, spring_slots_[n], two_point_tangent(model_->springs[n].law, x, rest).stiffness,
               buffer);
    const TwoPointForce f = two_point_force(model_->springs[n].law, x, rest);
    store_ends(s, spring_slots_[n], f.force, buffer);
    if (!f.defined) spoil(s, buffer);
  }
  for (std::size_t n = 0; n < model_->point_loads.size(); ++n) {
    const Stencil& s = stencils_[first_load_ + n];
    clear(s, buffer);
    const auto f = load_force(n, t, side, q);
    store_force(s, -factor * Eigen::Vector3d(f[0], f[1], f[2]), buffer);
  }
  for (std::size_t n = 0; n < element_loads_.size(); ++n) {
    const Stencil& s = stencils_[first_rod_load_ + n];
    const auto [load, c, k] = loaded_element(n, t, side, q);
    store_matrix(s, Matrix6<double>(factor * rod_load_stiffness(*c, k, load)), buffer);
    store_force(s, Vector6<double>(-factor * rod_load_force(*c, k, load)), buffer);
  }
}

void Attachments::evaluate_step_force(double t, Side side, std::span<const double> q,
                                      std::span<const double> v, std::span<const double> a,
                                      std::span<double> buffer) const {
  evaluate(t, side, q, v, buffer);
  for (std::size_t n = 0; n < model_->bodies.size(); ++n) {  // nothing else has mass
    const Stencil& s = stencils_[n];
    for (int i = 0; i < s.count; ++i) {
      for (int j = 0; j < s.count; ++j) {
        buffer[at(s.force_index(i))] += buffer[at(s.matrix_index(i, j))] * a[at(places_[n][at(j)])];
      }
    }
  }
}

void Attachments::evaluate_step_matrix(double t, const StepWeights& weights,
                                       std::span<const double> q, std::span<const double> v,
                                       std::span<double> buffer) const {
  for (std::size_t n = 0; n < model_->bodies.size(); ++n) {
    const Body& b = model_->bodies[n];
    const Stencil& s = stencils_[n];
    const auto r = first_moment(b.body, b.angle != kNone ? q[at(places_[n][2])] : 0.0);
    Eigen::Matrix3d mass = mass_matrix(b.body, r);
    if (in_space(b)) mass(2, 2) = b.body.mass;
    store_matrix(s, Eigen::Matrix3d(weights.mass * mass), buffer);
    if (b.angle != kNone) {
      buffer[at(s.matrix_index(2, 2))] += gravity_stiffness(r, model_->gravity);
    }
  }
  for (std::size_t n = 0; n < law_hinges_.size(); ++n) {
    const Hinge& h = model_->hinges[at(law_hinges_[n])];
    const auto& p = places_[first_hinge_ + n];
    const HingeMoment m =
        hinge_moment(*h.law, hinge_angle(h, q[at(p[0])], q[at(p[1])]), v[at(p[1])] - v[at(p[0])]);
    const double k = m.stiffness + weights.rate * m.damping;
    Eigen::Matrix2d matrix;
    matrix << k, -k, -k, k;
    store_matrix(stencils_[first_hinge_ + n], matrix, buffer);
  }
  for (std::size_t n = 0; n < model_->springs.size(); ++n) {
    const auto& p = places_[first_spring_ + n];
    const TwoPointTangent tangent =
        two_point_tangent(model_->springs[n].law, gather_ends(spring_slots_[n], p, q),
                          gather_ends(spring_slots_[n], p, v));
    const Matrix6d k = tangent.stiffness + weights.rate * tangent.damping;
    store_ends(stencils_[first_spring_ + n], spring_slots_[n], Matrix6d(0.5 * (k + k.transpose())),
               buffer);
  }
  for (std::size_t n = 0; n < model_->point_loads.size(); ++n) {
    const Stencil& s = stencils_[first_load_ + n];
    store_matrix(s, Eigen::Matrix3d(Eigen::Matrix3d::Zero()), buffer);
  }
  for (std::size_t n = 0; n < element_loads_.size(); ++n) {
    const auto [load, c, k] = loaded_element(n, t, Side::before, q);
    store_matrix(stencils_[first_rod_load_ + n], Matrix6<double>(rod_load_stiffness(*c, k, load)),
                 buffer);
  }
}

void Attachments::multiply(std::span<const double> u, std::span<double> buffer,
                           Product product) const {
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    fem::multiply(stencils_[n], places_[n], u, buffer, product);
  }
}

AttachmentPowers Attachments::powers(double t, Side side, std::span<const double> q,
                                     std::span<const double> v) const {
  AttachmentPowers sum;
  for (std::size_t n = 0; n < model_->bodies.size(); ++n) {
    const Body& b = model_->bodies[n];
    const auto& p = places_[n];
    const bool turns = b.angle != kNone;
    const auto r = first_moment(b.body, turns ? q[at(p[2])] : 0.0);
    sum.kinetic += kinetic_energy(
        b.body, r, Eigen::Vector3d(v[at(p[0])], v[at(p[1])], turns ? v[at(p[2])] : 0.0));
    sum.gravity += gravity_potential(b.body, r, model_->gravity, q[at(p[0])], q[at(p[1])]);
    if (in_space(b)) {
      sum.kinetic += 0.5 * b.body.mass * v[at(p[2])] * v[at(p[2])];
      sum.gravity -= b.body.mass * model_->gravity_z * q[at(p[2])];
    }
  }
  for (std::size_t n = 0; n < law_hinges_.size(); ++n) {
    const Hinge& h = model_->hinges[at(law_hinges_[n])];
    const auto& p = places_[first_hinge_ + n];
    const HingeMoment m =
        hinge_moment(*h.law, hinge_angle(h, q[at(p[0])], q[at(p[1])]), v[at(p[1])] - v[at(p[0])]);
    sum.springs += m.potential;
    sum.dissipated += m.dissipated;
  }
  for (std::size_t n = 0; n < model_->springs.size(); ++n) {
    const TwoPointForce f = spring_force(n, q, v);
    sum.springs += f.potential;
    sum.dissipated += f.dissipated;
  }
  for (std::size_t n = 0; n < model_->point_loads.size(); ++n) {
    const auto& p = places_[first_load_ + n];
    const auto f = load_force(n, t, side, q);
    for (int i = 0; i < stencils_[first_load_ + n].count; ++i) {
      sum.external += f[at(i)] * v[at(p[at(i)])];
    }
  }
  for (std::size_t n = 0; n < element_loads_.size(); ++n) {
    const auto& p = places_[first_rod_load_ + n];
    const auto [load, c, k] = loaded_element(n, t, side, q);
    const Vector6<double> f = rod_load_force(*c, k, load);
    for (int i = 0; i < 6; ++i) sum.external += f(i) * v[at(p[at(i)])];
  }
  return sum;
}

}  // namespace fem
