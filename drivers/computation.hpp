// What the commands that compute have in common, from the case to the process' exit code.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "drivers/commands.hpp"
#include "libfem/analysis/observer.hpp"
#include "libfem/analysis/snapshot.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/base/version.hpp"

namespace fem::driver {

/// The results file: as asked for, else the case's name with .h5 in the working folder.
[[nodiscard]] inline std::filesystem::path choose_output(
    const std::optional<std::filesystem::path>& asked, const std::filesystem::path& case_file) {
  return asked.value_or(case_file.filename().replace_extension(".h5"));
}

/// Threads as asked for; 0: all the machine has.
[[nodiscard]] inline Parallelism choose_threads(int asked) {
  return {asked > 0 ? asked : hardware_threads()};
}

/// First line on standard error: the version and what is computed.
inline void announce(const std::string& title, const std::filesystem::path& case_file) {
  fmt::print(stderr, "fem {} ({}): {}\n", kVersion, kBuildType,
             title.empty() ? case_file.string() : title);
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
