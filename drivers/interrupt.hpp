// Ctrl-C, `kill` and a terminal that closes ask a command to end in good order; a second one ends
// it at once. Under nohup a terminal may close. That nobody reads the messages any more ends
// nothing.
#pragma once

#include <atomic>
#include <csignal>

namespace fem::driver {

namespace interrupt_detail {

// A signal handler can reach nothing but this; the threads of a sweep read it while it is written.
inline std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a lock might be held by who is interrupted");

inline void on_signal(int) { interrupted.store(true, std::memory_order_relaxed); }

}  // namespace interrupt_detail

inline void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = interrupt_detail::on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hang_up {};
  sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  action.sa_handler = SIG_IGN;
  action.sa_flags = 0;
  sigaction(SIGPIPE, &action, nullptr);
}

[[nodiscard]] inline bool is_interrupted() {
  return interrupt_detail::interrupted.load(std::memory_order_relaxed);
}

}  // namespace fem::driver
