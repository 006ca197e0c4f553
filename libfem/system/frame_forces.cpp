// What a moving frame does to a system (frame/frame_motion.hpp): velocities, forces, powers.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libfem/frame/frame_motion.hpp"
#include "libfem/system/system.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Calls set(place, value) for every coordinate: of_point(node) gives three components of a point.
template <class OfPoint, class Set>
void visit_coordinates(const System& system, const OfPoint& of_point, double of_angle,
                       const Set& set) {
  const Model& model = system.model();
  for (const Node& node : model.nodes) {
    const std::array<double, 3> value = of_point(node);
    for (int axis = 0; axis < node.axes(); ++axis) {
      set(system.place(node.x + axis), value[at(axis)]);
    }
  }
  for (int c = 0; c < model.coordinates(); ++c) {
    if (model.is_angle[at(c)] != 0) set(system.place(c), of_angle);
  }
}

std::array<double, 3> components(const System& system, const Node& node,
                                 std::span<const double> x) {
  return {x[system.place(node.x)], x[system.place(node.x + 1)],
          node.z == kNone ? 0.0 : x[system.place(node.z)]};
}

// Velocities of the whole that turns about the pole as one body, 1 rad/s; stored vector.
std::vector<double> turn_whole(const System& system, std::span<const double> q) {
  std::vector<double> motion(system.size(), 0.0);
  const auto across = [&](const Node& node) {
    const auto r = components(system, node, q);
    return std::array<double, 3>{-r[1], r[0], 0};
  };
  visit_coordinates(system, across, 1, [&](std::size_t p, double value) { motion[p] = value; });
  return motion;
}

// And that is shifted with these velocities.
std::vector<double> shift_whole(const System& system, const std::array<double, 3>& velocity) {
  std::vector<double> motion(system.size(), 0.0);
  visit_coordinates(
      system, [&](const Node&) { return velocity; }, 0,
      [&](std::size_t p, double value) { motion[p] = value; });
  return motion;
}

}  // namespace

std::vector<double> System::transport(double t, Side side, std::span<const double> q) const {
  std::vector<double> s(size(), 0.0);
  if (!model_->frame) return s;
  const FrameMotion frame = frame_motion(*model_, t, t == 0 ? Side::after : side);
  visit_coordinates(
      *this,
      [&](const Node& node) { return transport_velocity(frame, components(*this, node, q)); },
      frame.rate, [&](std::size_t p, double value) { s[p] = value; });
  return s;
}

// v + s; v itself without a frame.
std::span<const double> System::absolute_velocities(double t, Side side, std::span<const double> q,
                                                    std::span<const double> v) {
  if (!model_->frame) return v;
  absolute_ = transport(t, side, q);
  for (std::size_t p = 0; p < absolute_.size(); ++p) absolute_[p] += v[p];
  return absolute_;
}

// b − g: gravity is a uniform acceleration of the frame the other way.
void System::fill_frame_accelerations(double t, Side side, std::span<const double> q,
                                      std::span<const double> v, std::vector<double>& b_less_g) {
  const FrameMotion frame = frame_motion(*model_, t, side);
  b_less_g.assign(size(), 0.0);
  visit_coordinates(
      *this,
      [&](const Node& node) {
        auto b = frame_acceleration(frame, components(*this, node, q), components(*this, node, v));
        for (std::size_t k = 0; k < 3; ++k) b[k] -= frame.gravity[k];
        return b;
      },
      frame.acceleration, [&](std::size_t p, double value) { b_less_g[p] = value; });
}

// f += M (b − g)
void System::add_frame_forces(double t, Side side, std::span<const double> q,
                              std::span<const double> v) {
  fill_frame_accelerations(t, side, q, v, absolute_);
  multiply_objects(absolute_, Product::add);
}

double System::frame_power(double t, Side side, std::span<const double> q,
                           std::span<const double> a) const {
  if (!model_->frame) return 0;
  const std::vector<double> lambda = reactions(a);
  const std::vector<double> s = transport(t, side, q);
  const auto position = [&](int c) { return q[place(c)]; };
  double power = 0;
  for (std::size_t r = 0; r < lambda.size(); ++r) {
    if (lambda[r] == 0) continue;
    power += lambda[r] * row_rate(model_->rows[r], t, position, [&](int c) { return s[place(c)]; });
  }
  return power;
}

// xᵀM y, with the mass matrices in the buffer.
double System::mass_form(std::span<const double> x, std::span<const double> y) const {
  double sum = 0;
  for (const Stencil& s : stencils_) {
    for (int i = 0; i < s.count; ++i) {
      for (int j = 0; j < s.count; ++j) {
        sum += x[place(s.coordinate[at(i)])] * buffer_[at(s.matrix_index(i, j))] *
               y[place(s.coordinate[at(j)])];
      }
    }
  }
  return sum;
}

System::FrameSums System::frame_sums(std::span<const double> q, std::span<const double> v) const {
  FrameSums sums{.kinetic = 0.5 * mass_form(v, v)};
  const std::vector<double> turn = turn_whole(*this, q);
  sums.inertia = mass_form(turn, turn);
  sums.angular = mass_form(turn, v);
  Momentum moments;
  add_first_moments(q, moments);
  sums.first = moments.center;
  for (std::size_t k = 0; k < 3; ++k) {
    std::array<double, 3> axis{};
    axis[k] = 1;
    sums.momentum[k] = mass_form(shift_whole(*this, axis), v);
  }
  return sums;
}

void System::add_frame_statics(double factor, std::span<const double> q) {
  for (std::size_t e = 0; e < model_->elements.size(); ++e) {
    const Element& element = model_->elements[e];
    const RodConstants<double>& c = model_->types[at(element.type)];
    Vector6<double> x;
    for (int i = 0; i < 6; ++i) x(i) = q[place(element.coordinate[at(i)])];
    const Matrix6<double> stiffness = frame_stiffness(c, x, steady_frame_);
    const Vector6<double> force = frame_force(c, x, steady_frame_);
    const Stencil& s = stencils_[e];
    for (int i = 0; i < 6; ++i) {
      buffer_[at(s.force_index(i))] += factor * force(i);
      for (int j = 0; j <= i; ++j) buffer_[at(s.matrix_index(i, j))] += factor * stiffness(i, j);
    }
  }
  for (std::size_t n = 0; n < model_->bodies.size(); ++n) {
    const FrameLoad load = body_frame_load(n, q);
    const Stencil& s = stencils_[model_->elements.size() + n];
    for (int i = 0; i < s.count; ++i) {
      buffer_[at(s.force_index(i))] += factor * load.force(i);
      for (int j = 0; j <= i; ++j) {
        buffer_[at(s.matrix_index(i, j))] += factor * load.stiffness(i, j);
      }
    }
  }
}

// The third row is that of the angle, or of Z.
FrameLoad System::body_frame_load(std::size_t n, std::span<const double> q) const {
  const Body& b = model_->bodies[n];
  const Node& node = model_->nodes[at(b.node)];
  const auto r = first_moment(b.body, b.angle == kNone ? 0.0 : q[place(b.angle)]);
  FrameLoad load = frame_load(b.body, r, q[place(node.x)], q[place(node.x + 1)], steady_frame_.rate,
                              steady_frame_.field);
  if (node.z != kNone) load.force(2) = b.body.mass * steady_frame_.field[2];
  return load;
}

Energies System::energies_at_rest(double t, std::span<const double> q, double factor) {
  const std::vector<double> rest(size(), 0.0);
  Energies energies = System::energies(t, Side::before, q, rest, factor);
  if (!model_->frame) return energies;
  const SteadyFrame frame = steady_frame(frame_motion(*model_, t, Side::before));
  const FrameSums sums = frame_sums(q, rest);
  energies.kinetic = 0;
  energies.gravity = -0.5 * frame.rate * frame.rate * sums.inertia;
  for (std::size_t k = 0; k < 3; ++k) energies.gravity += frame.field[k] * sums.first[k];
  return energies;
}

std::vector<double> System::gyroscopic_forces(double t, std::span<const double> q,
                                              std::span<const double> v) {
  std::fill(buffer_.begin(), buffer_.end(), 0.0);
  std::fill(particular_.begin(), particular_.end(), 0.0);
  std::vector<double> forces(independent_, 0.0);
  steady_frame_ = steady_frame(frame_motion(*model_, t, Side::before));
  const auto add = [&](const Stencil& s, const auto& matrix) {
    for (int i = 0; i < s.count; ++i) {
      double sum = 0;
      for (int j = 0; j < s.count; ++j) sum += matrix(i, j) * v[place(s.coordinate[at(j)])];
      buffer_[at(s.force_index(i))] = sum;
    }
  };
  for (std::size_t e = 0; e < model_->elements.size(); ++e) {
    const Element& element = model_->elements[e];
    Vector6<double> x;
    for (int i = 0; i < 6; ++i) x(i) = q[place(element.coordinate[at(i)])];
    add(stencils_[e], gyroscopic_matrix(model_->types[at(element.type)], x, steady_frame_));
  }
  for (std::size_t n = 0; n < model_->bodies.size(); ++n) {
    add(stencils_[model_->elements.size() + n], body_frame_load(n, q).gyroscopic);
  }
  reduce_indirect();
  gather_forces(forces);
  for (double& f : forces) f = -f;
  return forces;
}

void System::law_reactions(double t, Side side, std::span<const double> q,
                           std::span<const double> v, std::span<const double> a,
                           std::span<double> reactions) const {
  const std::vector<double> lambda = System::reactions(a);
  const auto position = [&](int c) { return q[place(c)]; };
  const auto rate = [&](int c) { return v[place(c)]; };
  for (std::size_t r = 0; r < lambda.size(); ++r) {
    const Row& row = model_->rows[r];
    if (row.law != kNone) reactions[at(named_law(*model_, row.law))] += lambda[r];
    if (!row.formula) continue;
    for (const FormulaVariable& x : row.formula->variables) {
      if (x.kind != FormulaVariable::Kind::law) continue;
      reactions[at(x.law_index)] -=
          lambda[r] * row_law_derivative(row, t, position, rate, x.law_index);
    }
  }
  for (std::size_t n = 0; n < model_->hereditary.size(); ++n) {
    const int law = model_->hereditary[n].law;
    if (law != kNone) reactions[at(law)] -= hereditary_.answer(n, t, side, q).force;
  }
  if (!model_->frame) return;
  const FrameMotion frame = frame_motion(*model_, t, side);
  const auto work_along = [&](const std::vector<double>& motion) {
    double work = 0;
    for (std::size_t r = 0; r < lambda.size(); ++r) {
      if (lambda[r] == 0) continue;
      work += lambda[r] *
              row_rate(model_->rows[r], t, position, [&](int c) { return motion[place(c)]; });
    }
    return work;
  };
  reactions[at(model_->frame->angle)] += work_along(turn_whole(*this, q));
  for (std::size_t k = 0; k < 3; ++k) {
    std::array<double, 3> axis{};
    axis[k] = 1;
    reactions[at(model_->frame->origin[k])] +=
        work_along(shift_whole(*this, into_frame(frame.angle, axis)));
  }
}

// −g · ∫ r dm over the absolute places.
double System::frame_gravity(double t, Side side, std::span<const double> q) const {
  const FrameMotion frame = frame_motion(*model_, t, side);
  Momentum sums;
  add_first_moments(q, sums);
  double potential = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    potential -= frame.gravity[k] * sums.center[k];
    potential -= model_->frame->gravity[k] * sums.mass * frame.origin[k];
  }
  return potential;
}

void into_inertial_axes(const FrameMotion& frame, Momentum& m) {
  const auto turn = [&](const std::array<double, 3>& x) { return into_frame(-frame.angle, x); };
  m.center = turn(m.center);
  for (std::size_t k = 0; k < 3; ++k) m.center[k] += frame.origin[k];
  m.linear = turn(m.linear);
  m.angular += frame.origin[0] * m.linear[1] - frame.origin[1] * m.linear[0];
}

}  // namespace fem
