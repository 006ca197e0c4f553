// Samples of a unit cube, each a function of its own number alone: the same for any order of work.
//
//   random            independent uniform numbers
//   latin hypercube   of n samples in each direction one in each of n equal slices
//   Sobol             a digital net in base 2 (direction numbers of Joe & Kuo 2008), shifted at
//                     random by an exclusive or, so that no sample is at an edge
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fem {

/// A uniform number in (0, 1) that depends on nothing but these three.
[[nodiscard]] double calc_uniform(std::uint64_t seed, std::uint64_t stream,
                                  std::uint64_t index) noexcept;

/// The numbers of one direction of a latin hypercube of `count` samples.
[[nodiscard]] std::vector<double> make_latin_slices(std::uint64_t seed, std::uint64_t stream,
                                                    std::size_t count);

inline constexpr std::size_t kMostSobolDimensions = 21;

/// Direction `dimension` (from 0) of point `index` of the shifted Sobol sequence.
[[nodiscard]] double calc_sobol(std::uint64_t seed, std::size_t dimension,
                                std::uint32_t index) noexcept;

/// The number that a standard normal variable stays below with probability p in (0, 1).
[[nodiscard]] double calc_normal_quantile(double p) noexcept;

}  // namespace fem
