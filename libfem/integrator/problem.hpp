// What time schemes need to know of a problem: an oscillator of a few lines satisfies it.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include "libfem/base/error.hpp"
#include "libfem/law/law.hpp"
#include "libfem/linalg/step_weights.hpp"

namespace fem {

/// q̈ = a(t, q, q̇) for vectors whose first independent() entries are free; the problem itself fills
/// in the others, which follow from them and from t. At a break time `side` tells which limit.
template <class P>
concept SecondOrderProblem = requires(P& problem, double t, Side side, std::span<double> x) {
  { problem.size() } -> std::convertible_to<std::size_t>;
  { problem.independent() } -> std::convertible_to<std::size_t>;
  { problem.acceleration(t, side, x, x, x) } -> std::same_as<Outcome>;
};

/// The same as a balance of forces M(q) a + f(t, q, v) = 0 on the independent coordinates, and the
/// matrix of Newton's method for it, weighted by ∂a/∂q and ∂v/∂q of the scheme.
template <class P>
concept ImplicitProblem = SecondOrderProblem<P> &&
    requires(P& problem, double t, Side side, std::span<double> x, std::span<const double> y,
             StepWeights weights) {
  { problem.balance(t, side, x, x, x, x) } -> std::same_as<Outcome>;
  { problem.factorize_step(t, weights, y, y) } -> std::same_as<Outcome>;
  problem.solve_step(x);
};

}  // namespace fem
