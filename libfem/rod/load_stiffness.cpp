#include "libfem/rod/load_stiffness.hpp"

#include "libfem/rod/chord_derivatives.hpp"

namespace fem {

using namespace rod_detail;

namespace {

// The moments ∫ p f dx of a load in the chord's axes, along and across, and of its moment.
struct LoadMoments {
  struct Pair {
    double along, across;
  };
  Pair x, psi0, psi1;  // with x, ψ₀, ψ₁
  double phi;          // ∫ p_μ φ dx
};

Matrix6<double> sym(const Vector6<double>& a, const Vector6<double>& b) {
  return a * b.transpose() + b * a.transpose();
}

// η_q and η_qq of the inertia field.
struct Stretch {
  Vector6<double> q;
  Matrix6<double> qq;
};

Stretch stretch_derivatives(const RodConstants<double>& c, const RodKinematics<double>& k,
                            const ChordDerivatives& d) {
  if (c.paper_field != 0) return {strain_q(c, k, d), strain_qq(c, k, d)};
  return {d.chord_q * c.inverse_length, d.chord_qq * c.inverse_length};
}

// The axes turn with β: (p·t)_β = p·n, (p·n)_β = −p·t.
Matrix6<double> potential_qq(const RodConstants<double>& c, const RodKinematics<double>& k,
                             const LoadMoments& m) {
  const ChordDerivatives d = chord_derivatives(k);
  const Stretch eta = stretch_derivatives(c, k, d);
  const double h = inertia_stretch(c, k).one_plus;
  const Matrix6<double> turn = d.beta_q * d.beta_q.transpose();
  const Vector6<double> theta0_q = theta_q(d, 0);
  const Vector6<double> theta1_q = theta_q(d, 1);

  Matrix6<double> work = eta.qq * m.x.along + sym(eta.q, d.beta_q) * m.x.across +
                         h * (m.x.across * d.beta_qq - m.x.along * turn);
  const auto deflect = [&](const LoadMoments::Pair& p, double theta, const Vector6<double>& q) {
    work += -p.across * d.beta_qq - p.along * sym(q, d.beta_q) -
            theta * (p.across * turn + p.along * d.beta_qq);
  };
  deflect(m.psi0, k.theta0, theta0_q);
  deflect(m.psi1, k.theta1, theta1_q);
  work += m.phi * d.beta_qq;
  return -work;
}

// −m y_c ∫ g·ν dx, ν_γ = −(cos γ, sin γ).
Matrix6<double> offset_potential_qq(const RodConstants<double>& c, const RodKinematics<double>& k,
                                    const std::array<double, 2>& gravity) {
  const ChordDerivatives d = chord_derivatives(k);
  const double along = k.cosine * gravity[0] + k.sine * gravity[1];
  const double across = k.cosine * gravity[1] - k.sine * gravity[0];
  const auto eta = inertia_stretch(c, k);
  const RodRates<double> rest{0, 0, 0, 0};
  Matrix6<double> sum = Matrix6<double>::Zero();
  for (const GaussPoint& point : kSixPoints) {
    const auto m = section_motion(c, k, rest, eta, point.xi);
    const double weight = point.weight * c.length * c.static_moment;
    const Vector6<double> gamma_q = m.phi * d.beta_q + m.turn(kAlpha0) * Vector6<double>::Unit(2) +
                                    m.turn(kAlpha1) * Vector6<double>::Unit(3);
    const double tangential = m.cosine * along + m.sine * across;
    const double normal = m.cosine * across - m.sine * along;
    sum += weight * (normal * gamma_q * gamma_q.transpose() + tangential * m.phi * d.beta_qq);
  }
  return sum;
}

}  // namespace

Matrix6<double> rod_load_stiffness(const RodConstants<double>& c, const RodKinematics<double>& k,
                                   const RodElementLoad& load) {
  const RodMatrices r = make_rod_matrices(c.length, c.alpha);
  constexpr int x = 1, psi0 = 3, psi1 = 4;
  const auto moment = [&](int row) {
    const auto integrate = [&](double p0, double p1) {
      return p0 * r.Psi(row, 0) + (p1 - p0) * c.inverse_length * r.Psi(row, 1);
    };
    const double fx = integrate(load.force[0][0], load.force[1][0]);
    const double fy = integrate(load.force[0][1], load.force[1][1]);
    return LoadMoments::Pair{.along = k.cosine * fx + k.sine * fy,
                             .across = k.cosine * fy - k.sine * fx};
  };
  const double phi =
      load.moment[0] * r.Z(0, 0) + (load.moment[1] - load.moment[0]) * c.inverse_length * r.Z(0, 1);
  return potential_qq(c, k,
                      {.x = moment(x), .psi0 = moment(psi0), .psi1 = moment(psi1), .phi = phi});
}

Matrix6<double> rod_gravity_stiffness(const RodConstants<double>& c, const RodKinematics<double>& k,
                                      const std::array<double, 2>& gravity) {
  const double along = k.cosine * gravity[0] + k.sine * gravity[1];
  const double across = k.cosine * gravity[1] - k.sine * gravity[0];
  Matrix6<double> sum = potential_qq(c, k,
                                     {.x = {c.m12 * along, c.m12 * across},
                                      .psi0 = {c.m13 * along, c.m13 * across},
                                      .psi1 = {-c.m13 * along, -c.m13 * across},
                                      .phi = 0});
  if (c.static_moment != 0) sum += offset_potential_qq(c, k, gravity);
  return sum;
}

}  // namespace fem
