// What an element went through before the run, and the memory that is left of it at t = 0, where
// the deformation jumps to y₀: z_j = y₀ − ∫₋∞⁰ e^{s/τ_j} y(s) ds/τ_j, exactly.
//
//   natural       y = 0 for t < 0                    z_j = y₀
//   constant      y = y_p for t < 0                  z_j = y₀ − y_p
//   exponential   y = y_p e^{κt} for t < 0           z_j = y₀ − y_p/(1 + κτ_j)
//   window        y = y_p for −T₀ < t < 0, else 0    z_j = y₀ − y_p (1 − e^{−T₀/τ_j})
//   table         linear between points [t, y], 0 before the first and y of the last up to t = 0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/hereditary/memory.hpp"

namespace fem {

/// It was never deformed: y = 0 before the start.
struct NaturalPrehistory {};

/// It has been deformed by y_p for ever.
struct ConstantPrehistory {
  std::optional<double> deformation{};  ///< y_p; default: y₀, the element has relaxed
};

/// Its deformation has grown as y_p e^{κt}.
struct ExponentialPrehistory {
  double deformation = 0;  ///< y_p
  double rate = 0;         ///< κ > 0, 1/s
};

/// It has been deformed by y_p for the time T₀.
struct WindowPrehistory {
  std::optional<double> deformation{};  ///< y_p; default: y₀
  double duration = 0;                  ///< T₀ > 0, s
};

/// Its deformation was linear between points.
struct TablePrehistory {
  std::vector<std::array<double, 2>> points{};  ///< [t, y], t ≤ 0 increasing
};

using Prehistory = std::variant<NaturalPrehistory, ConstantPrehistory, ExponentialPrehistory,
                                WindowPrehistory, TablePrehistory>;

/// Adds what is wrong with the pre-history; the pointers begin with `place`.
void check_prehistory(const Prehistory& before, const std::string& place,
                      std::vector<Problem>& problems);

/// How long before the run the deformation still changed, s; what was constant before is known
/// exactly. Of an exponential rise: until it has become nothing.
[[nodiscard]] double calc_span(const Prehistory& before);

/// The memory at t = 0⁺ with the deformation y₀.
[[nodiscard]] HereditaryMemory remember(const RelaxationSeries& series, const Prehistory& before,
                                        double y0);

}  // namespace fem
