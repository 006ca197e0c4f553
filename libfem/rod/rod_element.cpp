#include "libfem/rod/rod_element.hpp"

#include "libfem/rod/chord_derivatives.hpp"

namespace fem {

using namespace rod_detail;

Matrix6<double> elastic_tangent(const RodConstants<double>& c, const RodKinematics<double>& k) {
  const ChordDerivatives d = chord_derivatives(k);
  const Vector6<double> e = strain_q(c, k, d);
  return c.bending * minus_form() + c.shear * plus_form(k, d) +
         c.axial * (e * e.transpose() + (k.strain - c.rest_strain) * strain_qq(c, k, d));
}

double elastic_form(const RodConstants<double>& c, const RodKinematics<double>& k,
                    const RodRates<double>& a, const RodRates<double>& b) {
  const double minus = (a.theta1 - a.theta0) * (b.theta1 - b.theta0);
  const double chord_qq = a.beta * b.beta * k.chord;
  const double beta_qq = -(a.chord * b.beta + a.beta * b.chord) * k.inverse_chord;
  const double plus = (a.theta0 + a.theta1) * (b.theta0 + b.theta1) - 2 * k.plus * beta_qq;
  const double strain_qq = chord_qq * c.inverse_length + minus / 12 + c.bow * plus;
  return c.bending * minus + c.shear * plus +
         c.axial *
             (strain_rate(c, k, a) * strain_rate(c, k, b) + (k.strain - c.rest_strain) * strain_qq);
}

}  // namespace fem
