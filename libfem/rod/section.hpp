// The cross-section of a rod: what the element needs to know of material and shape.
#pragma once

namespace fem {

/// Stiffnesses and inertia of a section about the rod's axis.
struct Section {
  double axial_stiffness = 0;     ///< EA, N
  double bending_stiffness = 0;   ///< EI, N m²
  double shear_stiffness = 0;     ///< GA_s, N
  double mass_per_length = 0;     ///< m = ∫ρ dF, kg/m
  double inertia_per_length = 0;  ///< I_z = ∫ρ y² dF about the axis, kg m
  double mass_offset = 0;         ///< y_c = ∫ρ y dF / m, m
  double stiffness_damping = 0;   ///< Kelvin-Voigt time τ: stress follows ε + τ ε̇, s
  double mass_damping = 0;        ///< μ: force −μ m ṙ a length, 1/s
  double height = 0;              ///< extent across the axis, m, for fibre stresses; 0: not known
  double modulus = 0;             ///< E, Pa, for fibre stresses; 0: not known
};

/// Shear coefficient α = 1/(1 + 12 EI/(l² GA_s)) of an element of length l (m); Danilin 2016,
/// eq. (11). Tends to 1 for slender elements.
[[nodiscard]] constexpr double shear_coefficient(const Section& section, double length) {
  return 1 / (1 + 12 * section.bending_stiffness / (length * length * section.shear_stiffness));
}

}  // namespace fem
