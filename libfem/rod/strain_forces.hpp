// Forces of generalized strains that are not those of the configuration: of what a rod with a
// memory has forgotten (hereditary/README.md).
//
//   symbol   code             shape  meaning
//   s        RodStrains       3      (θ⁻, θ⁺, ε), beyond the stress-free ones
//   U_q(s)   strain_force     6      forces of s in the configuration k
//            stress_tangent   6×6    their derivative with s as it is: Σ K s e_qq
#pragma once

#include "libfem/rod/chord_derivatives.hpp"
#include "libfem/rod/rod_element.hpp"

namespace fem {

/// θ⁻, θ⁺, ε and the stiffnesses that U = ½ Σ stiffness · strain² has for them.
struct RodStrains {
  double minus = 0;
  double plus = 0;
  double strain = 0;
};

[[nodiscard]] inline RodStrains elastic_strains(const RodConstants<double>& c,
                                                const RodKinematics<double>& k) {
  return {k.minus - c.rest_minus, k.plus, k.strain - c.rest_strain};
}

[[nodiscard]] inline RodForces<double> strain_forces(const RodConstants<double>& c,
                                                     const RodKinematics<double>& k,
                                                     const RodStrains& s) {
  return rod_detail::forces_of_strains(c, k, s.minus, s.plus, s.strain);
}

[[nodiscard]] inline Vector6<double> strain_force(const RodConstants<double>& c,
                                                  const RodKinematics<double>& k,
                                                  const RodStrains& s) {
  return turn_force(k, chord_elastic_force(strain_forces(c, k, s)));
}

/// θ⁻ is linear in q.
[[nodiscard]] inline Matrix6<double> stress_tangent(const RodConstants<double>& c,
                                                    const RodKinematics<double>& k,
                                                    const RodStrains& s) {
  const auto d = rod_detail::chord_derivatives(k);
  return -2 * c.shear * s.plus * d.beta_qq + c.axial * s.strain * rod_detail::strain_qq(c, k, d);
}

}  // namespace fem
