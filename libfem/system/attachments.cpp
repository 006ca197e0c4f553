#include "libfem/system/attachments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <utility>

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
  // A point, and an angle that may be absent.
  const auto add_at = [&](int node, int angle) {
    const int x = model.nodes[at(node)].x;
    angle == kNone ? add({x, x + 1}) : add({x, x + 1, angle});
  };
  for (const Body& b : model.bodies) add_at(b.node, b.angle);
  for (const Hinge& h : model.hinges) {
    if (h.law) add({h.first, h.second});
  }
  for (const Spring& s : model.springs) {
    const int a = model.nodes[at(s.nodes[0])].x;
    const int b = model.nodes[at(s.nodes[1])].x;
    add({a, a + 1, b, b + 1});
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
  for (std::size_t h = 0; h < model.hinges.size(); ++h) {
    if (model.hinges[h].law) law_hinges_.push_back(static_cast<int>(h));
  }
  first_hinge_ = model.bodies.size();
  first_spring_ = first_hinge_ + law_hinges_.size();
  first_load_ = first_spring_ + model.springs.size();
  first_rod_load_ = first_load_ + model.point_loads.size();
}

double Attachments::law_value(int law, double t, Side side) const {
  return fem::evaluate(model_->laws[at(law)], t, side).value;
}

// Force X, Y and moment of a load, in the inertial axes.
std::array<double, 3> Attachments::load_force(const PointLoad& load, double t, Side side,
                                              double angle) const {
  const double x = law_value(load.laws[0], t, side);
  const double y = law_value(load.laws[1], t, side);
  const double moment = law_value(load.laws[2], t, side);
  if (!load.follower) return {x, y, moment};
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * x - s * y, s * x + c * y, moment};
}

Attachments::LoadedElement Attachments::loaded_element(std::size_t n, double t, Side side,
                                                       std::span<const double> q) const {
  const ElementLoad& part = element_loads_[n];
  const RodLoad& load = model_->rod_loads[at(part.load)];
  const Places& places = places_[first_rod_load_ + n];
  Vector6<double> x;
  for (int i = 0; i < 6; ++i) x(i) = q[at(places[at(i)])];
  const double factor = law_value(load.law, t, side);
  RodElementLoad ends;
  for (std::size_t end = 0; end < 2; ++end) {
    const double s = end == 0 ? part.begin : part.end;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      ends.force[end][axis] =
          factor * (load.force[0][axis] + s * (load.force[1][axis] - load.force[0][axis]));
    }
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
    const auto f = load_force(load, t, Side::before, q[at(places_[first_load_ + n][2])]);
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
  const Eigen::Vector4d x(q[at(p[0])], q[at(p[1])], q[at(p[2])], q[at(p[3])]);
  const Eigen::Vector4d w(v[at(p[0])], v[at(p[1])], v[at(p[2])], v[at(p[3])]);
  return two_point_force(model_->springs[n].law, x, w);
}

Outcome Attachments::check(std::span<const double> q) const {
  for (std::size_t n = 0; n < model_->springs.size(); ++n) {
    if (spring_force(n, q, q).defined) continue;  // whatever the velocities
    return {Status::points_meet, at(places_[first_spring_ + n][0])};
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
    store_matrix(s, mass_matrix(b.body, r), buffer);
    const Eigen::Vector3d f = velocity_force(r, turns ? v[at(places_[n][2])] : 0.0) -
                              gravity_force(b.body, r, model_->gravity);
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
    store_force(s, spring_force(n, q, v).force, buffer);
  }
  for (std::size_t n = 0; n < model_->point_loads.size(); ++n) {
    const PointLoad& load = model_->point_loads[n];
    const Stencil& s = stencils_[first_load_ + n];
    clear(s, buffer);
    const double angle = load.angle == kNone ? 0.0 : q[at(places_[first_load_ + n][2])];
    const auto f = load_force(load, t, side, angle);
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
    const Eigen::Vector3d f = -factor * gravity_force(b.body, r, model_->gravity);
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
    const auto& p = places_[first_spring_ + n];
    const Eigen::Vector4d x(q[at(p[0])], q[at(p[1])], q[at(p[2])], q[at(p[3])]);
    const Eigen::Vector4d rest = Eigen::Vector4d::Zero();
    store_matrix(s, two_point_tangent(model_->springs[n].law, x, rest).stiffness, buffer);
    const TwoPointForce f = two_point_force(model_->springs[n].law, x, rest);
    store_force(s, f.force, buffer);
    if (!f.defined) spoil(s, buffer);
  }
  for (std::size_t n = 0; n < model_->point_loads.size(); ++n) {
    const PointLoad& load = model_->point_loads[n];
    const Stencil& s = stencils_[first_load_ + n];
    clear(s, buffer);
    const double angle = load.angle == kNone ? 0.0 : q[at(places_[first_load_ + n][2])];
    const auto f = load_force(load, t, side, angle);
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
    store_matrix(s, Eigen::Matrix3d(weights.mass * mass_matrix(b.body, r)), buffer);
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
    const Eigen::Vector4d x(q[at(p[0])], q[at(p[1])], q[at(p[2])], q[at(p[3])]);
    const Eigen::Vector4d w(v[at(p[0])], v[at(p[1])], v[at(p[2])], v[at(p[3])]);
    const TwoPointTangent tangent = two_point_tangent(model_->springs[n].law, x, w);
    const Eigen::Matrix4d k = tangent.stiffness + weights.rate * tangent.damping;
    store_matrix(stencils_[first_spring_ + n], Eigen::Matrix4d(0.5 * (k + k.transpose())), buffer);
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

void Attachments::multiply(std::span<const double> u, std::span<double> buffer) const {
  for (std::size_t n = 0; n < stencils_.size(); ++n) {
    fem::multiply(stencils_[n], places_[n], u, buffer);
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
    const PointLoad& load = model_->point_loads[n];
    const auto& p = places_[first_load_ + n];
    const bool turns = load.angle != kNone;
    const auto f = load_force(load, t, side, turns ? q[at(p[2])] : 0.0);
    sum.external += f[0] * v[at(p[0])] + f[1] * v[at(p[1])] + (turns ? f[2] * v[at(p[2])] : 0.0);
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
