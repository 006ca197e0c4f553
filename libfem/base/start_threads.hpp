// How many threads the system lets a process start, found out before OpenMP needs them.
#pragma once

namespace fem {

/// How many of `wanted` threads, this one among them, can be alive at once: limits of processes and
/// of memory may allow fewer.
[[nodiscard]] int count_startable_threads(int wanted);

/// The same, with OpenMP's started, so that it need not later: it ends the whole process (exit code
/// 1) where it is refused one.
[[nodiscard]] int start_threads(int wanted);

}  // namespace fem
