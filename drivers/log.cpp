#include "drivers/log.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>

#include "drivers/messages.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"

namespace fem::driver {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::debug:
      break;
  }
  return spdlog::level::debug;
}

}  // namespace

std::vector<std::string> log_level_names() { return {"error", "warning", "info", "debug"}; }

Log::Log() = default;

Log::Log(const LogOptions& options) {
  if (!options.file) return;
  const auto fail = [&](const std::string& reason) {
    throw FileError("the log '" + options.file->string() + "' cannot be written: " + reason);
  };
  // The library would make it, whatever was misspelt.
  const std::filesystem::path folder = options.file->parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    fail("there is no folder '" + folder.string() + "'");
  }
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(options.file->string());
    logger_ = std::make_unique<spdlog::logger>("fem", std::move(sink));
  } catch (const spdlog::spdlog_ex& error) {
    fail(error.what());
  }
  // UTC, so that logs of several machines can be laid side by side.
  logger_->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      "%Y-%m-%dT%H:%M:%S.%eZ %P %-7l %v", spdlog::pattern_time_type::utc));
  logger_->set_level(to_spdlog(options.level));
  logger_->flush_on(spdlog::level::trace);  // a killed run leaves its last line
  logger_->set_error_handler([told = false](const std::string& what) mutable {
    if (!told) tell("fem: warning: the log cannot be written: {}\n", what);
    told = true;
  });
}

Log::~Log() = default;

void Log::write(LogLevel level, const std::string& text) {
  if (!takes(level)) return;
  std::string line = text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  logger_->log(to_spdlog(level), "{}", show_control_characters(line));
}

bool Log::takes(LogLevel level) const { return logger_ && logger_->should_log(to_spdlog(level)); }

}  // namespace fem::driver
