// What the commands that compute have in common, from the case to the process' exit code.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

#include "drivers/commands.hpp"
#include "drivers/log.hpp"
#include "drivers/messages.hpp"
#include "libfem/analysis/observer.hpp"
#include "libfem/analysis/snapshot.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/base/threads.hpp"
#include "libfem/base/version.hpp"
#include "libfem/io/sha256.hpp"
#include "libfem/model/model.hpp"

namespace fem::driver {

/// The results file: as asked for, else the case's name with .h5 in the working folder.
[[nodiscard]] inline std::filesystem::path choose_output(
    const std::optional<std::filesystem::path>& asked, const std::filesystem::path& case_file) {
  return asked.value_or(case_file.filename().replace_extension(".h5"));
}

/// Throws FileError where results would take the place of what is none: the case itself, a table,
/// the state that the run starts from. Older results are replaced.
inline void demand_replaceable(const std::filesystem::path& output,
                               const std::optional<std::filesystem::path>& start = {}) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(output, ignored)) return;
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  std::array<char, kSignature.size()> head{};
  std::ifstream file(output, std::ios::binary);
  file.read(head.data(), head.size());
  const auto size = static_cast<std::size_t>(file.gcount());
  if (size > 0 && std::string_view(head.data(), size) != kSignature) {
    throw FileError("'" + output.string() +
                    "' holds no results and is not overwritten: remove it, or give another file");
  }
  if (start && std::filesystem::equivalent(output, *start, ignored)) {
    throw FileError("'" + output.string() +
                    "' is the state to start from and is not overwritten: give another file");
  }
}

/// Threads as asked for, 0 for all the machine has; as many of them as the system lets start.
[[nodiscard]] inline Parallelism choose_threads(int asked, int (*start)(int) = start_threads) {
  const int wanted = asked > 0 ? asked : hardware_threads();
  const int started = start(wanted);
  if (started < wanted) {
    tell("fem: warning: the system lets {} of {} threads start\n", started, wanted);
  }
  return {started};
}

/// First line on standard error: the version and what is computed.
inline void announce(const std::string& title, const std::filesystem::path& case_file) {
  tell("fem {} ({}): {}\n", kVersion, kBuildType,
       show_control_characters(title.empty() ? case_file.string() : title));
}

/// What is computed, in a log.
inline void log_model(Log& log, const Model& model, const std::string& case_text) {
  log.info(fmt::format("case '{}', sha256 {}: {} rods, {} elements, {} coordinates", model.title,
                       sha256(case_text), model.rods.size(), model.elements.size(),
                       model.coordinates()));
  for (const std::string& text : model.warnings) log.warning(text);
}

/// How it has ended, in a log.
inline void log_summary(Log& log, const RunSummary& s) {
  const std::string numbers = fmt::format(
      "{} steps, {} rejected, {} evaluations, worst energy balance {:.3g} J, {:.3g} s of wall time",
      s.steps, s.rejected_steps, s.evaluations, s.worst_balance, s.wall_time);
  if (s.status == RunStatus::complete) return log.info("complete: " + numbers);
  log.write(s.status == RunStatus::failed ? LogLevel::error : LogLevel::warning,
            s.reason + ": " + numbers);
}

[[nodiscard]] inline int exit_code(RunStatus status) {
  switch (status) {
    case RunStatus::complete:
      return kDone;
    case RunStatus::interrupted:
      return kInterrupted;
    default:
      return kSolverFailed;
  }
}

}  // namespace fem::driver
