// How many threads there should be, and can be: found out before OpenMP needs them.
#pragma once

#include <string>

namespace fem {

/// Processors that a control group's quota lets a process use, at least 1: of the text of its file
/// cpu.max, "200000 100000" for two. As many as `all` where it says "max", or nothing that can be
/// read.
[[nodiscard]] int count_allowed_processors(const std::string& cpu_max, int all);

/// As many as there are processors for this process: of the machine, by its affinity and by its
/// control group's quota. More would wait for each other in every loop. At least 1.
[[nodiscard]] int hardware_threads();

/// How many of `wanted` threads, this one among them, can be alive at once: limits of processes and
/// of memory may allow fewer.
[[nodiscard]] int count_startable_threads(int wanted);

/// The same, with OpenMP's started, so that it need not later: it ends the whole process (exit code
/// 1) where it is refused one.
[[nodiscard]] int start_threads(int wanted);

}  // namespace fem
