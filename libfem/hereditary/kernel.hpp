// Hereditary laws as values: stiffness and kernel of an element that remembers. Equations, sources
// and admissibility: hereditary/README.md. Goroshko & Puchko 1997 (1)-(9), Hedrih 2000 (2)-(6).
//
//   symbol      code            unit        meaning
//   c           instantaneous   N/m         instantaneous stiffness; N m/rad on a hinge
//   c̃           prolonged       N/m         stiffness of the standard body after a long time
//   n           time            s           relaxation time
//   R(t), K(t)  kernel_value    1/s         kernel of relaxation, of creep (retardation)
//   ∫₀ᵗ         kernel_integral –
//   ∫₀^∞        kernel_mass     –           κ
//   y, P        –               m, N        deformation (extension > 0), force (tension > 0)
//
//   relaxation    P(t) = c [ y(t) − ∫₋∞ᵗ R(t−s) y(s) ds ]
//   retardation   c y(t) = P(t) + ∫₋∞ᵗ K(t−s) P(s) ds
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/base/units.hpp"

namespace fem {

/// n Ṗ + P = n c ẏ + c̃ y (Goroshko (2) with its misprint mended). Both forms are the same body.
struct StandardKernel {
  double prolonged = 0;  ///< c̃, N/m
  double time = 0;       ///< n, s
  bool operator==(const StandardKernel&) const = default;
};

/// Σ w_j e^{−t/τ_j}.
struct PronyKernel {
  std::vector<std::array<double, 2>> terms;  ///< [w_j in 1/s, τ_j in s], at least one
  bool operator==(const PronyKernel&) const = default;
};

/// A e^{−bt} t^{−α}, Goroshko (7).
struct RzhanitsynKernel {
  double amplitude = 0;  ///< A, s^{α−1}
  double alpha = 0;      ///< 0 ≤ α < 1
  double rate = 0;       ///< b, 1/s
  bool operator==(const RzhanitsynKernel&) const = default;
};

/// a t^{β−1} e^{−p t^α}, Goroshko (8).
struct KoltunovKernel {
  double amplitude = 0;  ///< a, s^{−β}
  double beta = 0;       ///< 0 < β ≤ 1
  double decay = 0;      ///< p, s^{−α}
  double alpha = 0;      ///< 0 < α ≤ 1
  bool operator==(const KoltunovKernel&) const = default;
};

/// a t^{−α} e^{−p t^{1−α}}, Goroshko (9).
struct SlonimskyKernel {
  double amplitude = 0;  ///< a, s^{α−1}
  double alpha = 0;      ///< 0 ≤ α < 1
  double decay = 0;      ///< p, s^{α−1}
  bool operator==(const SlonimskyKernel&) const = default;
};

/// λ t^{−α} E_{ν,ν}(−b t^ν), ν = 1 − α: Rabotnov's fractional exponential, Goroshko (6), summed
/// from n = 0.
struct RabotnovKernel {
  double amplitude = 0;  ///< λ, s^{−ν}
  double alpha = 0;      ///< 0 ≤ α < 1
  double rate = 0;       ///< b, s^{−ν}
  bool operator==(const RabotnovKernel&) const = default;
};

using Kernel = std::variant<StandardKernel, PronyKernel, RzhanitsynKernel, KoltunovKernel,
                            SlonimskyKernel, RabotnovKernel>;

/// What the kernel stands for.
enum class KernelForm {
  relaxation,   ///< R: the force after a deformation
  retardation,  ///< K: the deformation after a force
};

/// Stiffness and kernel of an element that remembers.
struct HereditaryLaw {
  double instantaneous = 0;                  ///< c
  KernelForm form = KernelForm::relaxation;  ///< what the kernel is of
  Kernel kernel{};                           ///< R or K
  double tolerance = 1e-8;  ///< of the relaxation function over c, in the sum of exponentials
  bool operator==(const HereditaryLaw&) const = default;
};

/// In what messages say the numbers of a law.
struct KernelUnits {
  Units units{};          ///< of the case
  Dimension stiffness{};  ///< of its stiffnesses; of sections they are pure numbers
};

/// Adds what is physically wrong with the law (README, admissibility); the pointers begin with
/// `place`, "/hereditary/e/kernel". A law without problems is passive: it never gives back more
/// energy than it was given.
void check_admissible(const HereditaryLaw& law, const std::string& place,
                      std::vector<Problem>& problems, const KernelUnits& units = {});

// The functions below are for admissible laws.

/// R(t) or K(t), t > 0, 1/s.
[[nodiscard]] double kernel_value(const HereditaryLaw& law, double t);

/// ∫₀ᵗ of the kernel, t ≥ 0.
[[nodiscard]] double kernel_integral(const HereditaryLaw& law, double t);

/// κ = ∫₀^∞ of the kernel; infinite for creep without end.
[[nodiscard]] double kernel_mass(const HereditaryLaw& law);

/// ∫₀^∞ e^{−st} kernel(t) dt for s ≥ 0 (1/s).
[[nodiscard]] double kernel_laplace(const HereditaryLaw& law, double s);

/// c_∞/c, the part of the instantaneous stiffness that is left after an infinite time:
/// 1 − ∫R = 1/(1 + ∫K).
[[nodiscard]] double relaxed_part(const HereditaryLaw& law);

}  // namespace fem
