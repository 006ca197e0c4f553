// A dense oracle for the system of a model, in natural coordinates: M and forces summed element by
// element, the rows D, and the equations of motion solved with multipliers.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "libfem/constraint/projection.hpp"
#include "libfem/model/model.hpp"
#include "libfem/rod/rod_element.hpp"
#include "libfem/system/stencil.hpp"
#include "libfem/system/system.hpp"
#include "tests/support/random.hpp"

namespace fem::test {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Stencils of a model's objects in the system's order; where they stand in a buffer is left open.
[[nodiscard]] inline std::vector<Stencil> stencils_of(const Model& model) {
  std::vector<Stencil> stencils;
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    stencils.push_back(RodPool::stencil(model.elements[e], static_cast<int>(e)));
  }
  const auto others = Attachments::make_stencils(model, 0);
  stencils.insert(stencils.end(), others.begin(), others.end());
  return stencils;
}

/// M, and the forces f + U_q, at (q, v).
struct DenseForces {
  Matrix mass;
  Vector force;
  double kinetic = 0;
  double strain = 0;
};

[[nodiscard]] inline DenseForces assemble(const Model& model, const Vector& q, const Vector& v) {
  const auto n = static_cast<Eigen::Index>(model.coordinates());
  DenseForces d{.mass = Matrix::Zero(n, n), .force = Vector::Zero(n)};
  for (const Element& e : model.elements) {
    Vector6<double> qe;
    Vector6<double> ve;
    for (int i = 0; i < 6; ++i) {
      const Eigen::Index c = e.coordinate[static_cast<std::size_t>(i)];
      qe(i) = q(c);
      ve(i) = v(c);
    }
    const RodConstants<double>& constants = model.types[static_cast<std::size_t>(e.type)];
    const RodKinematics<double> k = calc_kinematics(constants, qe);
    const Matrix6<double> mass = mass_matrix(constants, k).selfadjointView<Eigen::Lower>();
    const Vector6<double> force = velocity_force(constants, k, ve) + elastic_force(constants, k);
    for (int i = 0; i < 6; ++i) {
      const Eigen::Index row = e.coordinate[static_cast<std::size_t>(i)];
      d.force(row) += force(i);
      for (int j = 0; j < 6; ++j) {
        d.mass(row, e.coordinate[static_cast<std::size_t>(j)]) += mass(i, j);
      }
    }
    d.kinetic += 0.5 * ve.dot(mass * ve);
    d.strain += strain_energy(constants, k);
  }
  return d;
}

/// D, and the right sides of its rows.
struct DenseRows {
  Matrix D;
  Vector position, rate, acceleration;
};

[[nodiscard]] inline DenseRows assemble_rows(const Model& model, double t, Side side) {
  const auto m = static_cast<Eigen::Index>(model.rows.size());
  const auto n = static_cast<Eigen::Index>(model.coordinates());
  DenseRows d{Matrix::Zero(m, n), Vector(m), Vector(m), Vector(m)};
  for (Eigen::Index r = 0; r < m; ++r) {
    const Row& row = model.rows[static_cast<std::size_t>(r)];
    for (const auto& [coordinate, c] : row.terms) d.D(r, coordinate) += c;
    const LawValue value = row.law == kNone
                               ? LawValue{}
                               : evaluate(model.laws[static_cast<std::size_t>(row.law)], t, side);
    d.position(r) = row.constant + value.value;
    d.rate(r) = value.rate;
    d.acceleration(r) = value.acceleration;
  }
  return d;
}

/// One more row, of up to three coordinates anywhere in the model with any coefficients: what
/// gears, rods that slide along others, or users' constraints will ask for. It follows a law if
/// there is one.
inline void add_random_row(Random& random, Model& model) {
  Row row{.kind = RowKind::rigid_joint, .owner = 0, .pointer = "/constraints/random"};
  const int law = static_cast<int>(model.laws.size());
  if (law > 0 && random.integer(0, 1) == 1) row.law = random.integer(0, law - 1);
  for (int i = 0; i < 3; ++i) {
    const int c = random.integer(0, model.coordinates() - 1);
    const double coefficient = random.uniform(-2, 2);
    row.terms.emplace_back(c, coefficient);
    row.constant += coefficient * model.initial[static_cast<std::size_t>(c)];
  }
  model.rows.push_back(row);
}

/// x and the multipliers λ of  A x − Dᵀλ = b,  D x = d;  D of full rank.
struct Multipliers {
  Vector x, lambda;
};

[[nodiscard]] inline Multipliers solve_with_multipliers(const Matrix& A, const Matrix& D,
                                                        const Vector& b, const Vector& d) {
  const Eigen::Index n = A.rows();
  const Eigen::Index m = D.rows();
  Matrix K = Matrix::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = A;
  K.topRightCorner(n, m) = -D.transpose();
  K.bottomLeftCorner(m, n) = D;
  Vector right(n + m);
  right << b, d;
  const Vector solution = K.fullPivLu().solve(right);
  return {solution.head(n), solution.tail(m)};
}

/// Natural coordinates of a stored vector, and the other way round.
[[nodiscard]] inline Vector to_natural(const System& system, std::span<const double> stored) {
  Vector x(system.model().coordinates());
  for (int c = 0; c < system.model().coordinates(); ++c) x(c) = stored[system.place(c)];
  return x;
}
[[nodiscard]] inline std::vector<double> to_stored(const System& system, const Vector& natural) {
  std::vector<double> x(system.size(), 0.0);
  for (int c = 0; c < system.model().coordinates(); ++c) x[system.place(c)] = natural(c);
  return x;
}

struct State {
  std::vector<double> q, v;
};

/// The initial state, moved by up to `shift` (m, rad) in every coordinate, with velocities of up to
/// `speed`, completed at time t: the same for every numbering.
[[nodiscard]] inline State random_state(System& system, std::uint64_t seed, double t, Side side,
                                        double shift = 0.05, double speed = 1) {
  Random random(seed);
  const int n = system.model().coordinates();
  Vector q(n);
  Vector v(n);
  for (int c = 0; c < n; ++c) {
    q(c) = system.model().initial[static_cast<std::size_t>(c)] + random.uniform(-shift, shift);
    v(c) = random.uniform(-speed, speed);
  }
  State s{to_stored(system, q), to_stored(system, v)};
  EXPECT_TRUE(system.complete(t, side, s.q, s.v).ok());
  return s;
}

inline constexpr double kTime = 0.7;  ///< the laws of random frames are moving

struct Accelerations {
  Outcome outcome;
  std::vector<double> a;  ///< what the system leaves as it was is not a number
};

[[nodiscard]] inline Accelerations accelerations(System& system, State& s, double t = kTime,
                                                 Side side = Side::after) {
  std::vector<double> a(system.size(), std::numeric_limits<double>::quiet_NaN());
  const Outcome outcome = system.acceleration(t, side, s.q, s.v, a);
  return {outcome, a};
}

}  // namespace fem::test
