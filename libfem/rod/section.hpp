// The cross-section of a rod: what the element needs to know of material and shape.
#pragma once

namespace fem {

/// Stiffnesses and inertia of a section about the rod's axis.
struct Section {
  double axial_stiffness = 0;     ///< EA, N
  double bending_stiffness = 0;   ///< EI, N m²
  double shear_stiffness = 0;     ///< GA_s, N
  double mass_per_length = 0;     ///< m = ∫ρ dF, kg/m
  double inertia_per_length = 0;  ///< I_z = ∫ρ y² dF, kg m
};

/// Shear coefficient α = 1/(1 + 12 EI/(l² GA_s)) of an element of length l (m); Danilin 2016,
/// eq. (11). Tends to 1 for slender elements.
[[nodiscard]] constexpr double shear_coefficient(const Section& section, double length) {
  return 1 / (1 + 12 * section.bending_stiffness / (length * length * section.shear_stiffness));
}

}  // namespace fem
