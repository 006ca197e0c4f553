#include "libfem/rod/rod_element.hpp"

namespace fem {

Matrix6<double> elastic_tangent(const RodConstants<double>& c, const RodKinematics<double>& k) {
  using V = Vector6<double>;
  using M = Matrix6<double>;
  // t and n spread over the relative position of the ends: l̃_q = t, β_q = n/l̃.
  const V t{-k.cosine, -k.sine, 0, 0, k.cosine, k.sine};
  const V n{k.sine, -k.cosine, 0, 0, -k.sine, k.cosine};
  const V chord_q = t;
  const V beta_q = n * k.inverse_chord;
  const V e0 = V::Unit(2);
  const V e1 = V::Unit(3);
  const V plus_q = e0 + e1 - 2 * beta_q;
  const V minus_q = e1 - e0;
  const V strain_q =
      chord_q * c.inverse_length + k.slope0 * (e0 - beta_q) + k.slope1 * (e1 - beta_q);

  const M chord_qq = n * n.transpose() * k.inverse_chord;
  const M beta_qq = -(t * n.transpose() + n * t.transpose()) * (k.inverse_chord * k.inverse_chord);
  const M plus_form = plus_q * plus_q.transpose() - 2 * k.plus * beta_qq;
  const M minus_form = minus_q * minus_q.transpose();
  const M strain_qq = chord_qq * c.inverse_length + minus_form / 12 + c.bow * plus_form;

  return c.bending * minus_form + c.shear * plus_form +
         c.axial * (strain_q * strain_q.transpose() + (k.strain - c.rest_strain) * strain_qq);
}

}  // namespace fem
