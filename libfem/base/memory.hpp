// How much memory there is, to refuse what cannot fit before it is tried.
#pragma once

#include <cstddef>

namespace fem {

/// Bytes that this process can still take: the least of what the machine has free, of the process's
/// own limit (ulimit -v) and of its control group's; what cannot be found out is no limit.
[[nodiscard]] std::size_t calc_available_memory();

}  // namespace fem
