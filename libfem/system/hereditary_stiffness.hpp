// Which stiffness of what remembers a tangent has.
#pragma once

namespace fem {

enum class HereditaryStiffness {
  relaxed,        ///< c_∞: of equilibria that have lasted
  instantaneous,  ///< c: of vibrations
};

}  // namespace fem
