// Section forces of an element from its generalized strains, elastic and Kelvin-Voigt's.
//
//   N           axial force, N, tension positive
//   M(0), M(l)  bending moments, N m (EI κ where N = 0), positive where the axis turns
//   counter-clockwise along
//               the rod; they run on continuously from one element to the next: −∂U/∂θ₀, ∂U/∂θ₁
//   Q           shear force, N: Q = (∂U/∂θ₀ + ∂U/∂θ₁)/l̃ = dM/dx
#pragma once

#include "libfem/rod/rod_element.hpp"

namespace fem {

struct SectionForces {
  double axial = 0;
  double shear = 0;
  double moment_start = 0;
  double moment_end = 0;
  SectionForces& operator+=(const SectionForces& more) {
    axial += more.axial;
    shear += more.shear;
    moment_start += more.moment_start;
    moment_end += more.moment_end;
    return *this;
  }
};

namespace rod_detail {

[[nodiscard]] inline SectionForces section_forces(const RodForces<double>& f,
                                                  const RodKinematics<double>& k) {
  return {.axial = f.axial,
          .shear = (f.moment0 + f.moment1) * k.inverse_chord,
          .moment_start = -f.moment0,
          .moment_end = f.moment1};
}

}  // namespace rod_detail

/// Of an element at rest.
[[nodiscard]] inline SectionForces section_forces(const RodConstants<double>& c,
                                                  const RodKinematics<double>& k) {
  return rod_detail::section_forces(internal_forces(c, k), k);
}

/// Of an element that moves: Kelvin-Voigt stresses are part of its forces.
[[nodiscard]] inline SectionForces section_forces(const RodConstants<double>& c,
                                                  const RodKinematics<double>& k,
                                                  const RodRates<double>& r) {
  return rod_detail::section_forces(internal_forces(c, k, r), k);
}

}  // namespace fem
