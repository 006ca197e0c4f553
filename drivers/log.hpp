// The log of a command: a file with a time on every line, for those who look into a run afterwards.
// What a person is told (standard error) and the results of a query (standard output) do not depend
// on it. Commands write lines; what they compute knows nothing of a log.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spdlog {
class logger;
}

namespace fem::driver {

enum class LogLevel { error, warning, info, debug };

struct LogOptions {
  std::optional<std::filesystem::path> file{};  ///< default: no log
  LogLevel level = LogLevel::info;              ///< what is less important is left out
};

/// Names of the levels, from the most important on.
[[nodiscard]] std::vector<std::string> log_level_names();

class Log {
 public:
  /// No log: lines go nowhere.
  Log();
  /// Adds to the file if there is one. Throws FileError if it cannot be written.
  explicit Log(const LogOptions& options);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log();

  /// One line; line breaks in the text become blanks. Every line is in the file when this returns.
  void write(LogLevel level, const std::string& text);
  void error(const std::string& text) { write(LogLevel::error, text); }
  void warning(const std::string& text) { write(LogLevel::warning, text); }
  void info(const std::string& text) { write(LogLevel::info, text); }
  void debug(const std::string& text) { write(LogLevel::debug, text); }

  /// Lines of this level are written: what costs to be put together need not be otherwise.
  [[nodiscard]] bool takes(LogLevel level) const;

 private:
  std::unique_ptr<spdlog::logger> logger_;  // null: no log
};

}  // namespace fem::driver
