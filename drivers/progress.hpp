// How a run shows that it goes on: one line that is rewritten on a terminal, a plain line now and
// then otherwise.
#pragma once

#include <chrono>
#include <string>
#include <unistd.h>

#include <fmt/core.h>

#include "drivers/messages.hpp"
#include "libfem/analysis/observer.hpp"

namespace fem::driver {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

  void show(const Progress& p) {
    const auto now = Clock::now();
    if (begin_time_ < 0) begin_time_ = p.time;  // a resumed run begins later
    if (quiet_ || now - shown_ < (terminal_ ? kTerminalPause : kPlainPause)) return;
    shown_ = now;
    const double spent = seconds(now - begin_);
    const double rate = (p.time - begin_time_) / spent;
    const std::string text = fmt::format(
        "t = {:.6g} of {:g} s ({:.0f}%), step {:.3g} s, {} steps, {:.3g} s/s, {} left", p.time,
        p.end, 100 * p.time / p.end, p.step, p.steps, rate, duration((p.end - p.time) / rate));
    tell("{}{}{}", terminal_ ? "\r\033[K" : "", text, terminal_ ? "" : "\n");
    open_line_ = terminal_;
  }

  /// A line of its own, beside the progress.
  void say(const std::string& text) {
    close();
    tell("{}\n", text);
  }

  /// Ends the progress line, if one is open.
  void close() {
    if (open_line_) tell("\n");
    open_line_ = false;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::duration kTerminalPause = std::chrono::milliseconds(200);
  static constexpr Clock::duration kPlainPause = std::chrono::seconds(5);
  // In the unit that a wait of this length is thought of in.
  static std::string duration(double time) {
    constexpr double kHour = 3600, kDay = 24 * kHour, kYear = 365 * kDay;
    if (!(time < 100 * kYear)) return "more than 100 years";
    if (time > 2 * kDay) return fmt::format("{:.0f} days", time / kDay);
    if (time > 2 * kHour) return fmt::format("{:.1f} h", time / kHour);
    return fmt::format("{:.0f} s", time);
  }
  static double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

  bool quiet_, terminal_, open_line_ = false;
  double begin_time_ = -1;  // s, of the run
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_ = begin_;
};

}  // namespace fem::driver
