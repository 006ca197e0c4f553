// What the program says. A message that cannot be written (its reader is gone, the disk is full) is
// no reason to end a computation; an answer that cannot be is a failure, told once at the end.
#pragma once

#include <cstdio>
#include <fcntl.h>
#include <string>
#include <utility>

#include <fmt/core.h>

namespace fem::driver {

/// A message, on standard error.
template <class... Values>
void tell(fmt::format_string<Values...> text, Values&&... values) {
  const std::string line = fmt::format(text, std::forward<Values>(values)...);
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
}

/// A result of a query, on standard output.
template <class... Values>
void answer(fmt::format_string<Values...> text, Values&&... values) {
  const std::string line = fmt::format(text, std::forward<Values>(values)...);
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stdout));
}

/// Whether all answers have been written.
[[nodiscard]] inline bool write_answers() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

/// A standard stream that is closed leads to nowhere: its number would go to the next file that is
/// opened, and messages into that file.
inline void open_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    if (open("/dev/null", O_RDWR) < 0) return;  // takes the lowest number that is free
  }
}

}  // namespace fem::driver
