// Sections from material and shape: the numbers of a Section for a homogeneous, isotropic rod.
//
//   symbol    code           unit    meaning
//   E, ν, ρ   Material       Pa, –, kg/m³
//   G         –              Pa      E/(2(1 + ν))
//   A         area           m²
//   J         second_moment  m⁴      ∫y² dF about the centroid, y across the rod in the plane
//   κ         kappa          –       shear coefficient, GA_s = κ G A
//   H         height         m       extent across the rod in the plane
//   y_c       mass_offset    m       centre of mass from the rod's axis
//
//   EA = E A,   EI = E J,   GA_s = κ G A,   m = ρ A,   I_z = ρ J + m y_c²
//
// κ is G. R. Cowper's (The shear coefficient in Timoshenko's beam theory, J. Appl. Mech. 33, 1966,
// 335–340), from the flexure of an elastic prism:
//   rectangle   10(1 + ν)/(12 + 11ν), whatever its sides
//   circle      6(1 + ν)/(7 + 6ν)
//   tube        6(1 + ν)(1 + r²)²/((7 + 6ν)(1 + r²)² + (20 + 12ν)r²),   r = inner/outer
//   box         10(1 + ν)(1 + 3p)²/(12 + 72p + 150p² + 90p³ + ν(11 + 66p + 135p² + 90p³)
//               + 10n²((3 + ν)p + 3p²)),   p = one flange/one web (areas), n = b/h
// The box's holds for thin walls; b (flanges) and h (webs) are the sides of its mid-line, and with
// one wall all round p = n. Cowper's integral over the true walls is larger: with sides from 1:2 to
// 2:1 by up to 1 % for a wall of a fiftieth of the smaller side, 7 % for a tenth, 20 % for a fifth.
#pragma once

#include <variant>

#include "libfem/rod/section.hpp"

namespace fem {

struct Material {
  double modulus = 0;  ///< E, Pa
  double poisson = 0;  ///< ν, −1 < ν ≤ 0.5
  double density = 0;  ///< ρ, kg/m³
};

struct RectangleShape {
  double width = 0;   ///< across the plane, m
  double height = 0;  ///< in the plane, m
};

struct CircleShape {
  double diameter = 0;  ///< m
};

struct TubeShape {
  double outer = 0;  ///< diameter, m
  double inner = 0;  ///< diameter, m, less than outer
};

/// A rectangle with a rectangular hole, the same wall all round.
struct BoxShape {
  double width = 0;   ///< outer, across the plane, m
  double height = 0;  ///< outer, in the plane, m
  double wall = 0;    ///< m, less than half of either side
};

using SectionShape = std::variant<RectangleShape, CircleShape, TubeShape, BoxShape>;

/// What the rod needs of a shape.
struct ShapeNumbers {
  double area = 0;           ///< A, m²
  double second_moment = 0;  ///< J, m⁴
  double kappa = 0;          ///< κ
  double height = 0;         ///< H, m
};

/// A, J, κ and H; κ depends on Poisson's ratio ν.
[[nodiscard]] ShapeNumbers calc_shape_numbers(const SectionShape& shape, double poisson);

/// The section of a rod along the centroid of the shape. `mass_offset` (y_c, m) moves the mass
/// aside, not the material: it changes I_z, not EI.
[[nodiscard]] Section make_section(const Material& material, const SectionShape& shape,
                                   double mass_offset);

}  // namespace fem
