// Jobs of unequal length on several workers: one that is free takes a job that nobody has begun.
#pragma once

#include <cstddef>
#include <functional>

namespace fem::driver {

/// Calls job(i) once for every i in [0, count), on so many workers at a time. What a job throws is
/// thrown here when none is running any more; those not begun by then may be left out.
void run_jobs(int workers, std::size_t count, const std::function<void(std::size_t)>& job);

}  // namespace fem::driver
