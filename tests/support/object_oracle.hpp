// A dense oracle for a model with objects of every kind, in natural coordinates: Lagrange's
// equations of energies that are written here from the motion of masses and the lengths and angles
// of springs, object by object, by automatic differentiation. No kernel of libfem is used but the
// table of a hinge's spring (math/monotone_cubic).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

#include <Eigen/Dense>

#include "libfem/law/law.hpp"
#include "libfem/model/model.hpp"
#include "tests/rod/lagrange_oracle.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/lagrange.hpp"

namespace fem::test {

/// M q̈ + f = Dᵀλ at (t, q, v), with everything that acts in f; energies and powers.
struct DenseObjects {
  Matrix mass;
  Vector force;
  Matrix stiffness;  ///< second derivatives of all potentials, dead loads along rods included
  double kinetic = 0, strain = 0, springs = 0, gravity = 0;
  double external = 0, dissipated = 0;
  double size = 0;  ///< the largest single force, N or N m: what roundings are measured by
  [[nodiscard]] double energy() const { return kinetic + strain + springs + gravity; }
};

class ObjectOracle {
 public:
  /// Loads and gravity are scaled by `factor`.
  ObjectOracle(const Model& model, double t, Side side, const Vector& q, const Vector& v,
               double factor = 1)
      : model_(model), t_(t), side_(side), factor_(factor), q_(q), v_(v) {
    const Eigen::Index n = model.coordinates();
    sum_ = {.mass = Matrix::Zero(n, n), .force = Vector::Zero(n), .stiffness = Matrix::Zero(n, n)};
    for (const double g : model.gravity) gravity_.push_back(factor * g);
    for (const Rod& rod : model.rods) add_rod(rod);
    for (const Body& body : model.bodies) add_body(body);
    for (const Hinge& hinge : model.hinges) {
      if (hinge.law) add_hinge(hinge);
    }
    for (const Spring& spring : model.springs) add_spring(spring);
    for (const PointLoad& load : model.point_loads) add_point_load(load);
    for (const RodLoad& load : model.rod_loads) add_rod_load(load);
  }
  [[nodiscard]] const DenseObjects& sum() const { return sum_; }

 private:
  template <std::size_t N>
  using Coordinates = std::array<int, N>;
  template <std::size_t N>
  [[nodiscard]] static ObjectVector<N> pick(const Coordinates<N>& c, const Vector& x) {
    ObjectVector<N> r;
    for (std::size_t i = 0; i < N; ++i) r(static_cast<Eigen::Index>(i)) = x(c[i]);
    return r;
  }
  template <std::size_t N>
  void add_force(const Coordinates<N>& c, const ObjectVector<N>& force) {
    for (std::size_t i = 0; i < N; ++i) {
      const double f = force(static_cast<Eigen::Index>(i));
      sum_.force(c[i]) += f;
      sum_.size = std::max(sum_.size, std::abs(f));
    }
  }
  template <std::size_t N>
  static void add_matrix(const Coordinates<N>& c, const ObjectMatrix<N>& from, Matrix& to) {
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) {
        to(c[i], c[j]) += from(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      }
    }
  }
  template <std::size_t N, class Energy>
  void add_inertia(const Coordinates<N>& c, const Energy& kinetic) {
    const auto terms = lagrange_terms<N>(kinetic, pick(c, q_), pick(c, v_));
    add_matrix(c, terms.mass, sum_.mass);
    add_force(c, terms.force);
    sum_.kinetic += terms.energy;
  }
  template <std::size_t N, class Potential>
  void add_potential(const Coordinates<N>& c, const Potential& potential,
                     double DenseObjects::*energy) {
    const auto terms = potential_terms<N>(potential, pick(c, q_));
    add_matrix(c, terms.stiffness, sum_.stiffness);
    add_force(c, terms.force);
    sum_.*energy += terms.energy;
  }
  // A force that resists the motion, and what it takes.
  template <std::size_t N>
  void add_resistance(const Coordinates<N>& c, const ObjectVector<N>& force) {
    add_force(c, force);
    sum_.dissipated += force.dot(pick(c, v_));
  }
  // The force behind a power that is linear in the velocities.
  template <std::size_t N, class Power>
  void add_load(const Coordinates<N>& c, const Power& power) {
    const ObjectVector<N> force = velocity_gradient<N>(power, pick(c, q_), pick(c, v_));
    add_force(c, ObjectVector<N>(-force));
    sum_.external += force.dot(pick(c, v_));
  }
  [[nodiscard]] double law(int index) const {
    return factor_ * evaluate(model_.laws[static_cast<std::size_t>(index)], t_, side_).value;
  }
  [[nodiscard]] int x_of(int node) const { return model_.nodes[static_cast<std::size_t>(node)].x; }

  [[nodiscard]] RodOracle oracle(const Rod& rod, const Element& element) const {
    const auto& type = model_.types[static_cast<std::size_t>(element.type)];
    const Section& section = model_.sections[static_cast<std::size_t>(rod.section)];
    const double l = rod.length / rod.elements();
    return {.section = section,
            .length = l,
            .paper_field = type.paper_field == 1,
            .rest = {.curvature = type.rest_minus / l, .elongation = type.rest_strain},
            .points = 6};
  }
  void add_rod(const Rod& rod) {
    const std::array<double, 2> g{gravity_[0], gravity_[1]};
    for (int k = 0; k < rod.elements(); ++k) {
      const Element& element = model_.elements[static_cast<std::size_t>(rod.first_element + k)];
      const Coordinates<6>& c = element.coordinate;
      const RodOracle r = oracle(rod, element);
      add_inertia<6>(c, [&](const auto& x, const auto& w) { return r.kinetic_energy(x, w); });
      add_potential<6>(
          c, [&](const auto& x) { return r.strain_energy(x); }, &DenseObjects::strain);
      add_potential<6>(
          c, [&](const auto& x) { return r.gravity_potential(x, g); }, &DenseObjects::gravity);
      const auto rayleigh = [&](const auto& x, const auto& w) { return r.dissipation(x, w); };
      add_resistance<6>(c, velocity_gradient<6>(rayleigh, pick(c, q_), pick(c, v_)));
    }
  }

  // The centre of mass moves, and the body turns about it. (x, y) of the centre turn with α.
  void add_body(const Body& body) {
    const int x = x_of(body.node);
    const double m = body.body.mass;
    const std::array<double, 2> g{gravity_[0], gravity_[1]};
    if (body.angle == kNone) {
      const Coordinates<2> c{x, x + 1};
      add_inertia<2>(
          c, [m](const auto&, const auto& w) { return 0.5 * m * (w[0] * w[0] + w[1] * w[1]); });
      add_potential<2>(
          c, [&](const auto& r) { return -m * (g[0] * r[0] + g[1] * r[1]); },
          &DenseObjects::gravity);
      return;
    }
    const double cx = m > 0 ? body.body.static_y / m : 0;
    const double cy = m > 0 ? body.body.static_x / m : 0;
    const double about_centre = body.body.inertia - m * (cx * cx + cy * cy);
    const auto centre = [cx, cy](const auto& r) {
      using std::cos;
      using std::sin;
      const auto co = cos(r[2]);
      const auto si = sin(r[2]);
      return std::array{r[0] + cx * co - cy * si, r[1] + cx * si + cy * co};
    };
    const Coordinates<3> c{x, x + 1, body.angle};
    add_inertia<3>(c, [&](const auto& r, const auto& w) {
      using S = std::decay_t<decltype(r[0])>;
      std::array<Dual<S, 1>, 3> moving;
      for (std::size_t i = 0; i < 3; ++i) {
        moving[i].value = r[i];
        moving[i].d[0] = w[i];
      }
      const auto place = centre(moving);
      return 0.5 * m * (place[0].d[0] * place[0].d[0] + place[1].d[0] * place[1].d[0]) +
             0.5 * about_centre * w[2] * w[2];
    });
    add_potential<3>(
        c,
        [&](const auto& r) {
          const auto place = centre(r);
          return -m * (g[0] * place[0] + g[1] * place[1]);
        },
        &DenseObjects::gravity);
  }

  // Moment against the relative angle φ and its rate.
  void add_hinge(const Hinge& hinge) {
    const HingeLaw& l = *hinge.law;
    const double phi = q_(hinge.second) - q_(hinge.first) + hinge.turns;
    const double rate = v_(hinge.second) - v_(hinge.first);
    double elastic = l.stiffness * (phi - l.neutral) - l.preload;
    double stiffness = l.stiffness;
    sum_.springs += l.stiffness / 2 * std::pow(phi - l.neutral, 2) - l.preload * (phi - l.neutral);
    if (l.table) {
      const MonotoneCubicValue s = l.table->evaluate(phi);
      elastic -= s.value;
      stiffness -= s.slope;
      sum_.springs -= s.integral;
    }
    double resisting = l.viscosity * rate;
    const double slow = std::exp(-std::pow(rate * l.inverse_stribeck_rate, 2));
    resisting += (l.coulomb + l.peak * slow) * std::tanh(rate * l.inverse_regularization);
    for (const double outward : {1.0, -1.0}) {
      const double p = outward > 0 ? phi - l.upper : l.lower - phi;
      if (!(p > 0)) continue;
      const double whole =
          std::max(0.0, p * (l.stop_stiffness + l.stop_viscosity * outward * rate));
      elastic += outward * l.stop_stiffness * p;
      stiffness += l.stop_stiffness;
      sum_.springs += l.stop_stiffness * p * p / 2;
      resisting += outward * (whole - l.stop_stiffness * p);
    }
    const Coordinates<2> c{hinge.first, hinge.second};
    add_force<2>(c, {-elastic, elastic});
    add_resistance<2>(c, {-resisting, resisting});
    ObjectMatrix<2> k;
    k << stiffness, -stiffness, -stiffness, stiffness;
    add_matrix<2>(c, k, sum_.stiffness);
  }

  void add_spring(const Spring& spring) {
    const int a = x_of(spring.nodes[0]);
    const int b = x_of(spring.nodes[1]);
    const Coordinates<4> c{a, a + 1, b, b + 1};
    const TwoPointLaw& l = spring.law;
    const auto distance = [](const auto& r) {
      using std::sqrt;
      const auto dx = r[2] - r[0];
      const auto dy = r[3] - r[1];
      return sqrt(dx * dx + dy * dy);
    };
    add_potential<4>(
        c,
        [&](const auto& r) {
          const auto stretch = distance(r) - l.length;
          return 0.5 * l.stiffness * stretch * stretch;
        },
        &DenseObjects::springs);
    const ObjectVector<4> slope = potential_terms<4>(distance, pick(c, q_)).force;
    const double rate = slope.dot(pick(c, v_));
    add_resistance<4>(c, ObjectVector<4>(l.viscosity * rate * slope));
  }

  void add_point_load(const PointLoad& load) {
    const double fx = law(load.laws[0]);
    const double fy = law(load.laws[1]);
    const double m = law(load.laws[3]);
    const int x = x_of(load.node);
    if (load.angle == kNone) {
      add_load<2>({x, x + 1}, [&](const auto&, const auto& w) { return fx * w[0] + fy * w[1]; });
      return;
    }
    const double a = load.follower ? q_(load.angle) : 0;
    const double along = std::cos(a) * fx - std::sin(a) * fy;
    const double across = std::sin(a) * fx + std::cos(a) * fy;
    add_load<3>({x, x + 1, load.angle}, [&](const auto&, const auto& w) {
      return along * w[0] + across * w[1] + m * w[2];
    });
  }

  // Values in between are read off the straight lines between the rod's ends.
  void add_rod_load(const RodLoad& load) {
    const Rod& rod = model_.rods[static_cast<std::size_t>(load.rod)];
    const double factor = law(load.law);
    for (int k = 0; k < rod.elements(); ++k) {
      const Element& element = model_.elements[static_cast<std::size_t>(rod.first_element + k)];
      const auto between = [&](double from, double to, int node) {
        const double s = static_cast<double>(node) / rod.elements();
        return factor * ((1 - s) * from + s * to);
      };
      RodElementLoad ends;
      for (int end = 0; end < 2; ++end) {
        const auto e = static_cast<std::size_t>(end);
        for (std::size_t axis = 0; axis < 2; ++axis) {
          ends.force[e][axis] = between(load.force[0][axis], load.force[1][axis], k + end);
        }
        ends.moment[e] = between(load.moment[0], load.moment[1], k + end);
      }
      const RodOracle r = oracle(rod, element);
      const Coordinates<6>& c = element.coordinate;
      add_load<6>(c, [&](const auto& x, const auto& w) { return r.load_power(ends, x, w); });
      const auto potential = [&](const auto& x) { return r.load_potential(ends, x); };
      add_matrix(c, potential_terms<6>(potential, pick(c, q_)).stiffness, sum_.stiffness);
    }
  }

  const Model& model_;
  double t_;
  Side side_;
  double factor_;
  std::vector<double> gravity_;
  const Vector& q_;
  const Vector& v_;
  DenseObjects sum_;
};

/// The rows at a state: with the arms of points that bodies carry,
///   r_point − r_pole − R(α) r = 0,   D changes with α,   D a = φ̈ − Ḋ v.
[[nodiscard]] inline DenseRows assemble_rows(const Model& model, double t, Side side,
                                             const Vector& q, const Vector& v) {
  DenseRows d = assemble_rows(model, t, side);
  for (std::size_t k = 0; k < model.rows.size(); ++k) {
    const auto& arm = model.rows[k].arm;
    if (!arm) continue;
    const auto r = static_cast<Eigen::Index>(k);
    const double a = q(arm->angle);
    // X and Y of a vector that turns with α are a quarter turn apart.
    const double phase = arm->axis == 0 ? a : a - std::numbers::pi / 2;
    const double along = arm->offset[0] * std::cos(phase) - arm->offset[1] * std::sin(phase);
    const double across = -arm->offset[0] * std::sin(phase) - arm->offset[1] * std::cos(phase);
    d.D(r, arm->angle) -= across;
    d.position(r) += along;
    d.acceleration(r) -= along * v(arm->angle) * v(arm->angle);
  }
  return d;
}

[[nodiscard]] inline DenseObjects assemble_objects(const Model& model, double t, Side side,
                                                   const Vector& q, const Vector& v,
                                                   double factor = 1) {
  return ObjectOracle(model, t, side, q, v, factor).sum();
}

}  // namespace fem::test
