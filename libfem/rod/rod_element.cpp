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

}  // namespace fem
