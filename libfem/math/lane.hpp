// Lane: four doubles that go through a kernel side by side, one element each. The kernels are
// templates on their scalar, so the code that the tests differentiate in double is the code that
// runs here. Four lanes on every machine (SSE2: two registers, AVX: one), so padding, order of
// summation and results do not depend on it.
#pragma once

#include <cmath>
#include <cstddef>
#include <experimental/simd>

#include <Eigen/Core>

namespace fem {

inline constexpr std::size_t kLanes = 4;
using Lane = std::experimental::simd<double, std::experimental::simd_abi::deduce_t<double, kLanes>>;

[[nodiscard]] inline Lane load_lane(const double* from) {
  return Lane(from, std::experimental::element_aligned);
}
inline void store_lane(const Lane& lane, double* to) {
  lane.copy_to(to, std::experimental::element_aligned);
}

/// condition ? yes : no, lane by lane.
[[nodiscard]] inline Lane select(const Lane::mask_type& condition, const Lane& yes,
                                 const Lane& no) {
  Lane result = no;
  std::experimental::where(condition, result) = yes;
  return result;
}
[[nodiscard]] constexpr double select(bool condition, double yes, double no) {
  return condition ? yes : no;
}

/// Nearest integer, for |x| < 2⁵¹; no library call, the same bits in every lane width.
template <class Real>
[[nodiscard]] Real round_to_integer(const Real& x) {
  constexpr double shift = 6755399441055744.0;  // 1.5 · 2⁵²: its last bit is worth one
  return (x + shift) - shift;
}

}  // namespace fem

/// Eigen holds Lanes as coefficients; it never computes with them.
template <>
struct Eigen::NumTraits<fem::Lane> : Eigen::GenericNumTraits<fem::Lane> {
  using Real = fem::Lane;
  using NonInteger = fem::Lane;
  using Nested = const fem::Lane&;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};
