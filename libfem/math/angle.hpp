// Directions and wrapped angles in the plane, the same code for double and Lane.
#pragma once

#include <cmath>

#include "libfem/math/lane.hpp"

namespace fem {

namespace angle_detail {

// atan(z)/z − 1 over z² for |z| ≤ 0.66; rational approximation of S. Moshier's Cephes library
// (atan.c), peak relative error 1.8e-16.
template <class Real>
[[nodiscard]] Real arctangent_tail(const Real& z2) {
  const Real p = (((-8.750608600031904122785e-1 * z2 - 1.615753718733365076637e1) * z2 -
                   7.500855792314704667340e1) * z2 - 1.228866684490136173410e2) * z2 -
                 6.485021904942025371773e1;
  const Real q = ((((z2 + 2.485846490142306297962e1) * z2 + 1.650270098316988542046e2) * z2 +
                   4.328810604912902668951e2) * z2 + 4.853903996359136964868e2) * z2 +
                 1.945506571482613964425e2;
  return z2 * p / q;
}

}  // namespace angle_detail

/// Direction of the vector (x, y) in (−π, π]; accurate to two units in the last place.
/// The vector must not be zero. Unlike std::atan2 it is branch-free, so it runs in lanes.
template <class Real>
[[nodiscard]] Real direction(const Real& y, const Real& x) {
  using std::abs;
  constexpr double quarter = 7.853981633974482790e-1;       // π/4
  constexpr double quarter_rest = 3.061616997868382943e-17; // π/4 − quarter
  const Real ax = abs(x);
  const Real ay = abs(y);
  const auto steep = ay > ax;
  const Real low = select(steep, ax, ay);
  const Real high = select(steep, ay, ax);
  // The upper part of the octant is turned back by π/4, so that |z| ≤ 0.66.
  const auto upper = low > 0.66 * high;
  const Real z = select(upper, low - high, low) / select(upper, low + high, high);
  const Real turned = select(upper, Real(1), Real(0));
  const Real base = quarter * turned;
  const Real tail = z * angle_detail::arctangent_tail(Real(z * z)) + quarter_rest * turned;
  const Real quadrant =
      select(steep, Real((2 * quarter - base) - (z + (tail - 2 * quarter_rest))),
             Real(base + (z + tail)));
  const Real half = select(x < 0.0, Real(4 * quarter - (quadrant - 4 * quarter_rest)), quadrant);
  return select(y < 0.0, Real(-half), half);
}

/// The angle taken into [−π, π] by whole turns (either end for odd multiples of π). Turns are subtracted in two parts (Cody & Waite),
/// exactly for up to a million of them: only the storage of `angle` itself limits the digits.
template <class Real>
[[nodiscard]] Real wrap_angle(const Real& angle) {
  constexpr double turn_high = 6.28318530693650245668;     // 33 bits of 2π
  constexpr double turn_low = 2.43084020260247689973e-10;  // the rest
  const Real turns = round_to_integer(Real(angle * 0.15915494309189533577));
  return (angle - turns * turn_high) - turns * turn_low;
}

}  // namespace fem
