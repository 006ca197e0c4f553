// A hereditary element of the model: between two points, or in a hinge.
#pragma once

#include <array>
#include <string>

#include "libfem/hereditary/kernel.hpp"
#include "libfem/hereditary/prehistory.hpp"
#include "libfem/model/hinge.hpp"

namespace fem {

/// Deformation y = ρ − rest − a(t) of the distance ρ of two points, or of the relative angle of a
/// hinge; a is a rheonomic length or angle in series with the element (Hedrih 2000, §4).
struct HereditaryElement {
  std::string name;
  std::array<int, 2> nodes{kNone, kNone};  ///< between two points; or
  int hinge = kNone;                       ///< in this hinge, whose name it bears
  double rest = 0;                         ///< natural length, m, or neutral angle, rad
  int law = kNone;                         ///< a
  HereditaryLaw material{};
  Prehistory before{};  ///< of y
};

/// What a section remembers: its generalized strains, with a stiffness of 1.
struct SectionMemory {
  HereditaryLaw material{};
  Prehistory before{};
};

}  // namespace fem
