// From the velocities that a case gives to the rates of all coordinates.
#pragma once

#include <array>
#include <map>

#include "libfem/model/model.hpp"

namespace fem {

/// Fills model.initial_rates: nodes in `velocities` (index, m/s) move as given, other named points
/// rest; rods move as rigid ones between their ends; free-standing bodies turn as in `rates`
/// (index, rad/s), by default with the line to the first point that they carry. Constraints are not
/// looked at: the run makes the rates consistent.
void set_initial_rates(Model& model, const std::map<int, std::array<double, 2>>& velocities,
                       const std::map<int, double>& rates);

}  // namespace fem
