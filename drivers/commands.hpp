// The commands of `fem`, one file each. Each returns the process' exit code.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fem::driver {

class Log;

enum ExitCode { kDone = 0, kBadInput = 2, kSolverFailed = 3, kFileFailed = 4, kInterrupted = 130 };

struct RunArguments {
  std::filesystem::path case_file;
  std::vector<std::string> settings{};          ///< "/json/pointer=value"
  std::optional<std::filesystem::path> output;  ///< default: the case's name with .h5, here
  std::optional<std::filesystem::path> resume;  ///< results file of a run to go on with
  double checkpoint_every = 10;                 ///< s of wall time
  std::optional<double> wall_limit;             ///< s
  int threads = 0;                              ///< 0: all the machine has
  bool quiet = false;
};

/// `fem run`: time integration.
[[nodiscard]] int run(const RunArguments& arguments, Log& log);

struct ModesArguments {
  std::filesystem::path case_file;
  std::vector<std::string> settings{};            ///< "/json/pointer=value"
  std::optional<std::filesystem::path> output{};  ///< default: no file
  std::optional<int> count{};                     ///< default: the case's, 10
  std::optional<std::string> about{};             ///< "start" or "statics"; default: the case's
  std::optional<std::filesystem::path> from{};    ///< a results file: about one of its rows
  std::optional<double> time{};                   ///< of the row, the nearest; default: the last
  bool quiet = false;
};

/// `fem modes`: natural frequencies and shapes.
[[nodiscard]] int modes(const ModesArguments& arguments, Log& log);

/// What is not given is as the case says (StaticsDescription).
struct StaticsArguments {
  std::filesystem::path case_file;
  std::vector<std::string> settings{};            ///< "/json/pointer=value"
  std::optional<std::filesystem::path> output{};  ///< default: the case's name with .h5, here
  bool path = false;
  std::optional<double> max_load{}, time{};
  std::optional<long> steps{};
  int threads = 0;  ///< 0: all the machine has
  bool quiet = false;
};

/// `fem statics`: equilibrium, or its path over the load factor.
[[nodiscard]] int statics(const StaticsArguments& arguments, Log& log);

/// `fem check`: reads and validates a case, prints the model.
[[nodiscard]] int check(const std::filesystem::path& case_file,
                        const std::vector<std::string>& settings, Log& log);

struct SweepArguments {
  std::filesystem::path sweep_file;
  std::optional<std::filesystem::path> output{};  ///< default: the sweep's name with .h5, here
  int workers = 0;                                ///< 0: all the machine has
  std::string shard{};                            ///< "i/n": only every n-th sample
  int shards = 1;                                 ///< of the task files
  std::optional<std::filesystem::path> slurm{}, hyperqueue{};  ///< task files to write
  bool quiet = false;
};

/// `fem sweep`: many runs of one case with varied values.
[[nodiscard]] int sweep(const SweepArguments& arguments, Log& log);

/// `fem schema`: prints the JSON Schema of a case.
[[nodiscard]] int schema();

}  // namespace fem::driver
