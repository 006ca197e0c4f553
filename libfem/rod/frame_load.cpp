#include "libfem/rod/frame_load.hpp"

#include "libfem/math/jet.hpp"
#include "libfem/rod/rod_element.hpp"

namespace fem {
namespace {

// f(q, ω t + v) + M (b(q) + 2 ω × v).
template <class Real>
Vector6<Real> inertia_force(const RodConstants<Real>& c, const Vector6<Real>& q,
                            const Vector6<Real>& v, const SteadyFrame& frame, bool offset_mass) {
  const Real rate = frame.rate;
  Vector6<Real> absolute, b;
  for (const int x : {0, 4}) {
    absolute(x) = v(x) - rate * q(x + 1);
    absolute(x + 1) = v(x + 1) + rate * q(x);
    b(x) = frame.field[0] - rate * (rate * q(x) + 2.0 * v(x + 1));
    b(x + 1) = frame.field[1] - rate * (rate * q(x + 1) - 2.0 * v(x));
  }
  for (const int angle : {2, 3}) {
    absolute(angle) = v(angle) + rate;
    b(angle) = Real(0);
  }
  const RodKinematics<Real> k = calc_kinematics(c, q);
  Vector6<Real> f = velocity_force(c, k, absolute, {offset_mass});
  const Matrix6<Real> mass = mass_matrix(c, k, {offset_mass});
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) f(i) += (i >= j ? mass(i, j) : mass(j, i)) * b(j);
  }
  return f;
}

Vector6<Jet<double>> constant(const Vector6<double>& x) {
  Vector6<Jet<double>> jets;
  for (int i = 0; i < 6; ++i) jets(i) = Jet<double>(x(i));
  return jets;
}

}  // namespace

Vector6<double> frame_force(const RodConstants<double>& c, const Vector6<double>& q,
                            const SteadyFrame& frame) {
  return inertia_force<double>(c, q, Vector6<double>::Zero(), frame, c.static_moment != 0);
}

Matrix6<double> frame_stiffness(const RodConstants<double>& c, const Vector6<double>& q,
                                const SteadyFrame& frame) {
  const auto constants = convert<Jet<double>>(c);
  Matrix6<double> stiffness;
  for (int j = 0; j < 6; ++j) {
    Vector6<Jet<double>> along = constant(q);
    along(j).rate = 1;
    const auto f = inertia_force(constants, along, constant(Vector6<double>::Zero()), frame,
                                 c.static_moment != 0);
    for (int i = 0; i < 6; ++i) stiffness(i, j) = f(i).rate;
  }
  return 0.5 * (stiffness + stiffness.transpose());
}

Matrix6<double> gyroscopic_matrix(const RodConstants<double>& c, const Vector6<double>& q,
                                  const SteadyFrame& frame) {
  const auto constants = convert<Jet<double>>(c);
  Matrix6<double> gyroscopic;
  for (int j = 0; j < 6; ++j) {
    Vector6<Jet<double>> v = constant(Vector6<double>::Zero());
    v(j).rate = 1;
    const auto f = inertia_force(constants, constant(q), v, frame, c.static_moment != 0);
    for (int i = 0; i < 6; ++i) gyroscopic(i, j) = f(i).rate;
  }
  return 0.5 * (gyroscopic - gyroscopic.transpose());
}

}  // namespace fem
