// From the velocities that a case gives to the rates of all coordinates.
#pragma once

#include "libfem/model/model.hpp"

namespace fem {

/// Fills model.initial_rates at model.start: nodes of model.given_velocities move as given, other
/// named points rest; rods move as rigid ones between their ends; free-standing bodies turn as in
/// model.given_rates, by default with the line to the first point that they carry. Constraints are
/// not looked at: the run makes the rates consistent.
void set_initial_rates(Model& model);

}  // namespace fem
