// One element from the motion of its material points, written from eqs. (7)-(21) and (32)-(35) of
// Danilin 2016 and nothing else: positions and turns of sections, their rates by automatic
// differentiation in time, integrals along the element by quadrature. A section's centre of mass
// lies y_c beside the axis, R = r + y_c ν. No kernel of libfem is used.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "libfem/rod/rod_constants.hpp"
#include "libfem/rod/rod_load.hpp"
#include "libfem/rod/section.hpp"
#include "tests/support/dual.hpp"
#include "tests/support/lagrange.hpp"
#include "tests/support/quadrature.hpp"

namespace fem::test {

struct RodOracle {
  Section section;
  double length = 0;
  bool paper_field = false;  ///< u = εx (35), else u = (l̃/l − 1)x
  RestShape rest{};
  int points = 4;  ///< of quadrature: exact for degree 7; T has degree 6 without y_c

  /// Chord and local rotations; T is any scalar.
  template <class T>
  struct Chord {
    T x0, y0, cosine, sine, beta, theta0, theta1, strain, stretch;
  };
  /// A section: place of the axis and direction of the section's normal from X.
  template <class T>
  struct Place {
    T x, y, turn;
  };

  [[nodiscard]] double alpha() const {  // (11)
    return 1 / (1 + 12 * section.bending_stiffness / (length * length * section.shear_stiffness));
  }

  template <class T>
  [[nodiscard]] Chord<T> chord(const std::array<T, 6>& q) const {
    using std::atan2;
    using std::cos;
    using std::sin;
    using std::sqrt;
    const auto& [x0, y0, alpha0, alpha1, x1, y1] = q;
    const T along = sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0));  // (18)
    Chord<T> c;
    c.x0 = x0;
    c.y0 = y0;
    c.cosine = (x1 - x0) / along;  // (19)
    c.sine = (y1 - y0) / along;
    c.beta = atan2(y1 - y0, x1 - x0);
    const auto from_chord = [&](const T& a) {  // (21), the turns dropped
      return atan2(sin(a) * c.cosine - cos(a) * c.sine, cos(a) * c.cosine + sin(a) * c.sine);
    };
    c.theta0 = from_chord(alpha0);
    c.theta1 = from_chord(alpha1);
    const double a = alpha();
    const T minus = c.theta1 - c.theta0;
    const T plus = c.theta1 + c.theta0;
    c.strain = along / length - 1.0 + 0.125 * (minus * minus / 3.0 + a * a * plus * plus / 5.0);
    c.stretch = paper_field ? c.strain : along / length - 1.0;  // (16), (35)
    return c;
  }

  template <class T>
  [[nodiscard]] Place<T> place(const Chord<T>& c, double xi) const {
    const double a = alpha();
    const double l = length;
    const double phi0 = 1 - (1 + 3 * a) * xi + 3 * a * xi * xi;  // (14)
    const double phi1 = (1 - 3 * a) * xi + 3 * a * xi * xi;
    const double psi0 = l * (0.5 * (1 + a) * xi - 0.5 * (1 + 3 * a) * xi * xi + a * xi * xi * xi);
    const double psi1 = l * (0.5 * (a - 1) * xi + 0.5 * (1 - 3 * a) * xi * xi + a * xi * xi * xi);
    const T along = (1.0 + c.stretch) * (l * xi);
    const T across = c.theta0 * psi0 + c.theta1 * psi1;  // (13)
    return {c.x0 + along * c.cosine - across * c.sine,   // (32)
            c.y0 + along * c.sine + across * c.cosine, c.beta + c.theta0 * phi0 + c.theta1 * phi1};
  }

  /// The centre of mass of the section.
  template <class T>
  [[nodiscard]] std::array<T, 2> centre(const Place<T>& p) const {
    using std::cos;
    using std::sin;
    if (section.mass_offset == 0) return {p.x, p.y};
    return {p.x - section.mass_offset * sin(p.turn), p.y + section.mass_offset * cos(p.turn)};
  }

  /// A quantity and its rate.
  template <class S>
  [[nodiscard]] static std::array<Dual<S, 1>, 6> moving(const std::array<S, 6>& q,
                                                        const std::array<S, 6>& v) {
    std::array<Dual<S, 1>, 6> m;
    for (std::size_t i = 0; i < 6; ++i) {
      m[i].value = q[i];
      m[i].d[0] = v[i];
    }
    return m;
  }

  /// T(q, v), J: of the centres of mass, and of the turning about them.
  template <class S>
  [[nodiscard]] S kinetic_energy(const std::array<S, 6>& q, const std::array<S, 6>& v) const {
    const auto c = chord(moving(q, v));
    const double m = section.mass_per_length;
    const double about_centre =
        section.inertia_per_length - m * section.mass_offset * section.mass_offset;
    S energy(0.0);
    for (const auto& [xi, weight] : gauss_points(points)) {
      const auto p = place(c, xi);
      const auto r = centre(p);
      energy += 0.5 * length * weight *
                (m * (r[0].d[0] * r[0].d[0] + r[1].d[0] * r[1].d[0]) +
                 about_centre * p.turn.d[0] * p.turn.d[0]);
    }
    return energy;
  }

  /// −∫ m g·R dx, J.
  template <class S>
  [[nodiscard]] S gravity_potential(const std::array<S, 6>& q,
                                    const std::array<double, 2>& g) const {
    const auto c = chord(q);
    S energy(0.0);
    for (const auto& [xi, weight] : gauss_points(points)) {
      const auto r = centre(place(c, xi));
      energy -= length * weight * section.mass_per_length * (g[0] * r[0] + g[1] * r[1]);
    }
    return energy;
  }

  /// ½∫[EI(θ′ − κ⁰)² + GA_s(v′ − θ)²]dx + ½ EA l (ε − ε⁰)², J, of local fields linear in θ₀, θ₁.
  template <class S>
  [[nodiscard]] S section_energy(const S& theta0, const S& theta1, const S& strain,
                                 double curvature) const {
    const double a = alpha();
    const double l = length;
    S energy = 0.5 * section.axial_stiffness * l * strain * strain;
    for (const auto& [xi, weight] : gauss_points(4)) {
      const S bend =
          (theta0 * (-(1 + 3 * a) + 6 * a * xi) + theta1 * ((1 - 3 * a) + 6 * a * xi)) / l -
          S(curvature);
      const S turn = theta0 * (1 - (1 + 3 * a) * xi + 3 * a * xi * xi) +
                     theta1 * ((1 - 3 * a) * xi + 3 * a * xi * xi);
      const S slope = theta0 * ((1 + a) / 2 - (1 + 3 * a) * xi + 3 * a * xi * xi) +
                      theta1 * ((a - 1) / 2 + (1 - 3 * a) * xi + 3 * a * xi * xi);
      energy += 0.5 * l * weight *
                (section.bending_stiffness * bend * bend +
                 section.shear_stiffness * (slope - turn) * (slope - turn));
    }
    return energy;
  }
  template <class S>
  [[nodiscard]] S strain_energy(const std::array<S, 6>& q) const {
    const auto c = chord(q);
    return section_energy(c.theta0, c.theta1, S(c.strain - S(rest.elongation)), rest.curvature);
  }

  /// Rayleigh's function, half the power that damping takes, W: Kelvin-Voigt in the rates of the
  /// strains, and μ on every momentum.
  template <class S>
  [[nodiscard]] S dissipation(const std::array<S, 6>& q, const std::array<S, 6>& v) const {
    const auto c = chord(moving(q, v));
    return section.stiffness_damping *
               section_energy(c.theta0.d[0], c.theta1.d[0], c.strain.d[0], 0.0) +
           section.mass_damping * kinetic_energy(q, v);
  }

  /// −∫(p·r + p_μ γ)dx of a load that is linear along the element, J, γ the turn of the sections.
  template <class S>
  [[nodiscard]] S load_potential(const RodElementLoad& load, const std::array<S, 6>& q) const {
    const auto c = chord(q);
    S energy(0.0);
    for (const auto& [xi, weight] : gauss_points(4)) {
      const auto p = place(c, xi);
      const auto at = [x = xi](double a, double b) { return a + x * (b - a); };
      energy -= length * weight *
                (at(load.force[0][0], load.force[1][0]) * p.x +
                 at(load.force[0][1], load.force[1][1]) * p.y +
                 at(load.moment[0], load.moment[1]) * p.turn);
    }
    return energy;
  }

  /// Power of a load that is linear along the element, W.
  template <class S>
  [[nodiscard]] S load_power(const RodElementLoad& load, const std::array<S, 6>& q,
                             const std::array<S, 6>& v) const {
    const auto c = chord(moving(q, v));
    S power(0.0);
    for (const auto& [xi, weight] : gauss_points(4)) {
      const auto p = place(c, xi);
      const auto at = [x = xi](double a, double b) { return a + x * (b - a); };
      power += length * weight *
               (at(load.force[0][0], load.force[1][0]) * p.x.d[0] +
                at(load.force[0][1], load.force[1][1]) * p.y.d[0] +
                at(load.moment[0], load.moment[1]) * p.turn.d[0]);
    }
    return power;
  }
};

/// M and f of an element.
[[nodiscard]] inline LagrangeTerms<6> lagrange_terms(const RodOracle& rod, const ObjectVector<6>& q,
                                                     const ObjectVector<6>& v) {
  return lagrange_terms<6>([&](const auto& x, const auto& w) { return rod.kinetic_energy(x, w); },
                           q, v);
}

}  // namespace fem::test
