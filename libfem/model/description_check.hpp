// What can be said of a case without resolving it: names, and numbers in their ranges.
#pragma once

#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/model/description.hpp"

namespace fem {

/// Adds what is wrong with names (given twice, or no paths of the results file) and with the
/// numbers of rods, springs, loads and analysis. The others are checked where make_model builds
/// them.
void check_description(const CaseDescription& description, std::vector<Problem>& problems);

}  // namespace fem
