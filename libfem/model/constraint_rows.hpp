// The constraints that a case asks for by name, as rows of the model. Every kind but the linear
// ones is a formula of coordinates (a distance, a curve) or of rates (a knife edge).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/model/description.hpp"
#include "libfem/model/model.hpp"

namespace fem {

/// Adds the rows of a constraint to a model that has its points, rods, bodies and hinges. Names in
/// formulas: x_P, y_P, vx_P, vy_P of point P; angle_N, rate_N of hinge or free-standing body N, and
/// angle_R_from, angle_R_to (rates alike) of the ends of rod R; t. `law` is an index into the
/// model's laws: of a linear constraint the change from the start, of a distance or a circle the
/// length; kNone: the value stays.
void add_constraint(Model& model, const ConstraintDescription& description, int law,
                    std::vector<Problem>& problems);

/// How many terms of a linear constraint are lengths, x_P; the others are angles.
[[nodiscard]] std::size_t count_lengths(const ConstraintDescription& linear);

/// Of the sum of a linear constraint, whose change a law may prescribe: a length with any length.
[[nodiscard]] Dimension dimension_of_change(const ConstraintDescription& linear);

/// Throws InputError where the model has constraints of rates: an equilibrium or a vibration under
/// them depends on how it was reached.
void refuse_rates(const Model& model);

}  // namespace fem
