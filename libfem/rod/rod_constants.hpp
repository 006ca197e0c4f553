// The numbers of one element that do not change with its motion, in the form the kernels use.
//
//   symbol                 code               unit    meaning
//   l                      length             m       natural length
//   EI/l, 3αEI/l           bending, shear     N m     stiffness of θ⁻ and of θ⁺, eq. (20)
//   EA l                   axial              N m     stiffness of ε
//   α²/20                  bow                –       ½∂²ε/∂θ⁺², eq. (16)
//   κ⁰l, ε⁰                rest_minus, rest_strain     stress-free θ⁻ (rad) and ε (–)
//   τ                      damping_time       s       Kelvin-Voigt: stresses follow strain + τ rate
//   μ                      mass_damping       1/s     force −μ M q̇
//   m y_c                  static_moment      kg      of the section's offset centre of mass, a
//   length α                      alpha              –       shear coefficient – paper_field – 1:
//   inertia by u = ε x; 0: by the chord mΨ₁₁, mΨ₁₂, …          m11, m12, …        kg..    eq. (62)
//   on the basis (1, x, ψ₀, ψ₁): 3 is ψ₀, 4 is ψ₁ I_zΦ₁₁, …              j11, …             kg m²
//   eq. (64) on (φ, φ₀, φ₁): 1 is φ, 2 is φ₀
//
// Symmetry of the element leaves these: Ψ₁₅ = −Ψ₁₄, Ψ₅₅ = Ψ₄₄, Φ₁₃ = Φ₁₂, Φ₃₃ = Φ₂₂.
#pragma once

#include "libfem/rod/rod_matrices.hpp"
#include "libfem/rod/section.hpp"

namespace fem {

template <class Real>
struct RodConstants {
  Real length, inverse_length;
  Real bending, shear, axial;
  Real bow;
  Real rest_minus, rest_strain;
  Real damping_time, mass_damping;
  Real static_moment, alpha;
  Real paper_field;
  Real m11, m12, m13, m22, m23, m24, m33, m34;
  Real j11, j12, j22, j23;
};

/// The same constants as another scalar.
template <class Real>
[[nodiscard]] RodConstants<Real> convert(const RodConstants<double>& c) {
  const auto& [length, inverse_length, bending, shear, axial, bow, rest_minus, rest_strain,
               damping_time, mass_damping, static_moment, alpha, paper_field, m11, m12, m13, m22,
               m23, m24, m33, m34, j11, j12, j22, j23] = c;
  return {Real(length),       Real(inverse_length), Real(bending),       Real(shear),
          Real(axial),        Real(bow),            Real(rest_minus),    Real(rest_strain),
          Real(damping_time), Real(mass_damping),   Real(static_moment), Real(alpha),
          Real(paper_field),  Real(m11),            Real(m12),           Real(m13),
          Real(m22),          Real(m23),            Real(m24),           Real(m33),
          Real(m34),          Real(j11),            Real(j12),           Real(j22),
          Real(j23)};
}

/// Stress-free shape of a rod.
struct RestShape {
  double curvature = 0;   ///< κ⁰, 1/m, counter-clockwise along the rod
  double elongation = 0;  ///< ε⁰
};

/// Constants of an element of length l (m).
[[nodiscard]] inline RodConstants<double> make_rod_constants(const Section& section, double l,
                                                             bool paper_field,
                                                             const RestShape& rest = {}) {
  const double alpha = shear_coefficient(section, l);
  const RodMatrices r = make_rod_matrices(l, alpha);
  const double m = section.mass_per_length;
  const double j = section.inertia_per_length;
  return {.length = l,
          .inverse_length = 1 / l,
          .bending = section.bending_stiffness / l,
          .shear = 3 * alpha * section.bending_stiffness / l,
          .axial = section.axial_stiffness * l,
          .bow = alpha * alpha / 20,
          .rest_minus = rest.curvature * l,
          .rest_strain = rest.elongation,
          .damping_time = section.stiffness_damping,
          .mass_damping = section.mass_damping,
          .static_moment = m * section.mass_offset,
          .alpha = alpha,
          .paper_field = paper_field ? 1.0 : 0.0,
          .m11 = m * r.Psi(0, 0),
          .m12 = m * r.Psi(0, 1),
          .m13 = m * r.Psi(0, 3),
          .m22 = m * r.Psi(1, 1),
          .m23 = m * r.Psi(1, 3),
          .m24 = m * r.Psi(1, 4),
          .m33 = m * r.Psi(3, 3),
          .m34 = m * r.Psi(3, 4),
          .j11 = j * r.Phi(0, 0),
          .j12 = j * r.Phi(0, 1),
          .j22 = j * r.Phi(1, 1),
          .j23 = j * r.Phi(1, 2)};
}

}  // namespace fem
