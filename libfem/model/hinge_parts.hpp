// What stands in a hinge and what may happen to it, checked: from the description to the model.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/model/description.hpp"
#include "libfem/model/hinge.hpp"

namespace fem {

/// Law, latch, stops, holds and jam of hinge `index` of the description, into `hinge`, which
/// stands at the relative angle `angle`. What is wrong is added to `problems`; `hinge` is then
/// incomplete.
void add_hinge_parts(const CaseDescription& description, std::size_t index, double angle,
                     Hinge& hinge, std::vector<Problem>& problems);

/// A hinge that stands at the relative angle `angle` at the start, beyond its hard stop.
void check_start(const Hinge& hinge, double angle, const Units& units,
                 std::vector<Problem>& problems);

/// Hinges that are held from the start until one another have moved.
void find_deadlocks(const std::vector<Hinge>& hinges, std::vector<Problem>& problems);

}  // namespace fem
