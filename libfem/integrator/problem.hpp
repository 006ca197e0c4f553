// What a time scheme needs to know of a problem: an oscillator of three lines satisfies it.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include "libfem/base/error.hpp"
#include "libfem/law/law.hpp"

namespace fem {

/// q̈ = a(t, q, q̇) for vectors whose first independent() entries are free; the problem itself fills
/// in the others, which follow from them and from t. At a break time `side` tells which limit.
template <class P>
concept SecondOrderProblem = requires(P& problem, double t, Side side, std::span<double> x) {
  { problem.size() } -> std::convertible_to<std::size_t>;
  { problem.independent() } -> std::convertible_to<std::size_t>;
  { problem.acceleration(t, side, x, x, x) } -> std::same_as<Outcome>;
};

}  // namespace fem
