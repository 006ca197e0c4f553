// The commands of `fem`, one file each. Each returns the process' exit code.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "libfem/analysis/statics.hpp"

namespace fem::driver {

enum ExitCode { kDone = 0, kBadInput = 2, kSolverFailed = 3, kFileFailed = 4, kInterrupted = 130 };

struct RunArguments {
  std::filesystem::path case_file;
  std::optional<std::filesystem::path> output;  ///< default: the case's name with .h5, here
  int threads = 0;                              ///< 0: all the machine has
  bool quiet = false;
};

/// `fem run`: time integration.
[[nodiscard]] int run(const RunArguments& arguments);

struct ModesArguments {
  std::filesystem::path case_file;
  std::optional<std::filesystem::path> output;  ///< default: no file
  int count = 10;
  bool quiet = false;
};

/// `fem modes`: natural frequencies and shapes about the initial state.
[[nodiscard]] int modes(const ModesArguments& arguments);

struct StaticsArguments {
  std::filesystem::path case_file;
  std::optional<std::filesystem::path> output;  ///< default: the case's name with .h5, here
  StaticsOptions options;
  int threads = 0;  ///< 0: all the machine has
  bool quiet = false;
};

/// `fem statics`: equilibrium, or its path over the load factor.
[[nodiscard]] int statics(const StaticsArguments& arguments);

/// `fem check`: reads and validates a case, prints the model.
[[nodiscard]] int check(const std::filesystem::path& case_file);

}  // namespace fem::driver
