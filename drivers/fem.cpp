// fem: the command line of libfem. Messages go to standard error, results of a query to standard
// output; exit codes are in commands.hpp.
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "drivers/commands.hpp"
#include "drivers/log.hpp"
#include "drivers/messages.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/memory.hpp"
#include "libfem/base/version.hpp"
#include "libfem/io/hdf5.hpp"

namespace {

using namespace fem::driver;

// What is wrong may quote a formula of a megabyte.
std::string shorten(std::string text) {
  constexpr std::size_t kMost = 1000;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

int report(const std::string& file, const fem::InputError& error, Log& log) {
  for (fem::Problem problem : error.problems()) {
    problem.place = problem.place.empty() ? file : shorten(problem.place);
    problem.pointer = shorten(problem.pointer);
    problem.what = shorten(problem.what);
    const std::string text = describe(problem);
    tell("fem: {}\n", text);
    log.error(text);
  }
  const std::size_t count = error.problems().size();
  tell("fem: {} problem{} in {}; nothing was run\n", count, count == 1 ? "" : "s", file);
  return kBadInput;
}

int fail(ExitCode code, const std::string& text, Log& log) {
  tell("fem: {}\n", text);
  log.error(text);
  return code;
}

// Runs a command and turns what it throws into a message and an exit code.
template <class Command>
int guard(const std::string& file, Log& log, const Command& command) {
  try {
    return command(log);
  } catch (const fem::InputError& error) {
    return report(file, error, log);
  } catch (const fem::FileError& error) {
    return fail(kFileFailed, error.what(), log);
  } catch (const std::exception& error) {
    return fail(kSolverFailed, file + ": " + fem::describe_unforeseen(error), log);
  }
}

void add_log(CLI::App* command, LogOptions& options) {
  command->add_option("--log", options.file, "Add what happens to this file, with times");
  std::vector<std::pair<std::string, LogLevel>> levels;
  for (const std::string& name : log_level_names()) {
    levels.emplace_back(name, static_cast<LogLevel>(levels.size()));
  }
  command
      ->add_option("--log-level", options.level,
                   "How much goes into the log: error, warning, info (default) or debug")
      ->transform(CLI::CheckedTransformer(levels));
}

std::string refuse(const std::string& text, const std::string& allowed) {
  return "'" + shorten(text) + "' is not allowed; must be " + allowed;
}

// Numbers of an option. CLI11's own bounds let "nan" pass, and tell the largest double in full.
CLI::Validator number(bool (*is_allowed)(double), const std::string& allowed) {
  const auto refusal = [is_allowed, allowed](const std::string& text) -> std::string {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool is_number = end != text.c_str() && *end == '\0' && std::isfinite(value);
    if (is_number && is_allowed(value)) return "";
    return refuse(text, allowed);
  };
  return {refusal, ""};
}

CLI::Validator positive() {
  return number([](double x) { return x > 0; }, "a finite number greater than 0");
}

CLI::Validator not_negative() {
  return number([](double x) { return x >= 0; }, "a finite number, 0 or greater");
}

CLI::Validator finite() {
  return number([](double) { return true; }, "a finite number");
}

// CLI11's own range calls whatever is no number out of range.
CLI::Validator whole(int least, int most) {
  const auto refusal = [least, most](const std::string& text) -> std::string {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = error == std::errc{} && end == text.data() + text.size();
    if (is_whole && value >= least && value <= most) return "";
    return refuse(text, fmt::format("a whole number from {} to {}", least, most));
  };
  return {refusal, ""};
}

// Every command that reads a case can change it.
void add_case(CLI::App* command, std::filesystem::path& file, std::vector<std::string>& settings) {
  command->add_option("case", file, "Case file (JSON)")->required();
  command
      ->add_option("--set", settings,
                   "/json/pointer=value: a value of the case to replace; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
}

std::string version() {
  return fmt::format("fem {} ({}, {})", fem::kVersion, fem::kBuildType, fem::kArchitecture);
}

// The same with a log, which begins with the call and ends with the exit code.
template <class Command>
int call_logged(const std::string& file, const LogOptions& options,
                const std::vector<std::string>& words, const Command& command) {
  Log none;
  return guard(file, none, [&](Log&) {
    Log log(options);
    const auto begin = std::chrono::steady_clock::now();
    log.info(fmt::format("{}: {}", version(), fmt::join(words, " ")));
    const int code = guard(file, log, command);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    log.info(fmt::format("exit code {} after {:.3g} s", code, spent.count()));
    return code;
  });
}

int parse_and_run(int argc, char** argv) {
  CLI::App app{"Dynamics of flexible rods, hinges and rigid bodies in the plane."};
  app.set_version_flag("--version", version());
  app.require_subcommand(1);

  LogOptions log_options;  // of the one command that is called
  RunArguments run_arguments;
  CLI::App* run_command = app.add_subcommand("run", "Integrate a case in time");
  add_case(run_command, run_arguments.case_file, run_arguments.settings);
  add_log(run_command, log_options);
  run_command->add_option("-o,--output", run_arguments.output,
                          "Results file; default: the case's name with .h5, in this folder");
  run_command
      ->add_option("--resume", run_arguments.resume,
                   "Results file of this case, whose run was interrupted or killed: go on with it")
      ->excludes("--output");
  run_command
      ->add_option("--checkpoint", run_arguments.checkpoint_every,
                   "Wall time between checkpoints, s; default: 10")
      ->check(not_negative());
  run_command
      ->add_option("--wall-limit", run_arguments.wall_limit,
                   "End as if interrupted after so many seconds of wall time")
      ->check(positive());
  run_command->add_option("--threads", run_arguments.threads, "Threads; 0: all there are")
      ->check(whole(0, 4096));
  run_command->add_flag("--quiet", run_arguments.quiet, "Only warnings and errors");

  ModesArguments modes_arguments;
  CLI::App* modes_command = app.add_subcommand("modes", "Natural frequencies and shapes");
  add_case(modes_command, modes_arguments.case_file, modes_arguments.settings);
  add_log(modes_command, log_options);
  modes_command
      ->add_option("--count", modes_arguments.count, "How many, from the lowest on; default: 10")
      ->check(whole(1, 1000000));
  CLI::Option* about =
      modes_command
          ->add_option("--about", modes_arguments.about,
                       "About which state: start, or statics, the equilibrium under the loads")
          ->check(CLI::IsMember({"start", "statics"}));
  CLI::Option* from = modes_command
                          ->add_option("--from", modes_arguments.from,
                                       "About a state in a results file of the case")
                          ->excludes(about);
  modes_command
      ->add_option("--time", modes_arguments.time,
                   "Which state: the one nearest in time (statics: load factor); default: the last")
      ->check(finite())
      ->needs(from);
  modes_command->add_option("-o,--output", modes_arguments.output, "File for the shapes (HDF5)");
  modes_command->add_flag("--quiet", modes_arguments.quiet, "Only warnings and errors");

  StaticsArguments statics_arguments;
  CLI::App* statics_command = app.add_subcommand("statics", "Find the equilibrium under the loads");
  add_case(statics_command, statics_arguments.case_file, statics_arguments.settings);
  add_log(statics_command, log_options);
  statics_command->add_option("-o,--output", statics_arguments.output,
                              "Results file; default: the case's name with .h5, in this folder");
  statics_command->add_flag("--path", statics_arguments.path,
                            "Trace the whole path over the load factor, through limit points");
  statics_command
      ->add_option("--max-load", statics_arguments.max_load,
                   "The path ends where the load factor reaches this, up or down; default: 1")
      ->check(positive());
  statics_command
      ->add_option("--steps", statics_arguments.steps, "Most steps of the path; default: 1000")
      ->check(whole(1, std::numeric_limits<int>::max()));
  statics_command
      ->add_option("--time", statics_arguments.time,
                   "Time at which the laws are taken, s; default: the end of the case")
      ->check(not_negative());
  statics_command->add_option("--threads", statics_arguments.threads, "Threads; 0: all there are")
      ->check(whole(0, 4096));
  statics_command->add_flag("--quiet", statics_arguments.quiet, "Only warnings and errors");

  std::filesystem::path check_file;
  std::vector<std::string> check_settings;
  CLI::App* check_command = app.add_subcommand("check", "Validate a case and print its model");
  add_case(check_command, check_file, check_settings);
  add_log(check_command, log_options);

  SweepArguments sweep_arguments;
  CLI::App* sweep_command = app.add_subcommand("sweep", "Many runs of one case with varied values");
  add_log(sweep_command, log_options);
  sweep_command->add_option("sweep", sweep_arguments.sweep_file, "Sweep file (JSON)")
      ->required()
      ->check(CLI::ExistingFile);
  sweep_command->add_option("-o,--output", sweep_arguments.output,
                            "Results; default: the sweep's name with .h5, in this folder");
  sweep_command
      ->add_option("--workers", sweep_arguments.workers, "Runs at a time; 0: one a processor")
      ->check(whole(0, 4096));
  sweep_command->add_option("--shard", sweep_arguments.shard,
                            "i/n: only part i of n; a call without it collects all parts");
  sweep_command
      ->add_option("--shards", sweep_arguments.shards, "How many parts the task files ask for")
      ->check(whole(1, 1000000));
  sweep_command->add_option("--slurm", sweep_arguments.slurm, "Only write a Slurm array script");
  sweep_command->add_option("--hyperqueue", sweep_arguments.hyperqueue,
                            "Only write a task file for HyperQueue (hq submit --each-line)");
  sweep_command->add_flag("--quiet", sweep_arguments.quiet, "Only warnings and errors");

  CLI::App* schema_command = app.add_subcommand("schema", "Print the JSON Schema of a case");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kBadInput;
  }
  const auto call = [&](const std::filesystem::path& file, const auto& command) {
    return call_logged(file.string(), log_options, {argv, argv + argc}, command);
  };
  if (*run_command) {
    return call(run_arguments.case_file, [&](Log& log) { return run(run_arguments, log); });
  }
  if (*modes_command) {
    return call(modes_arguments.case_file, [&](Log& log) { return modes(modes_arguments, log); });
  }
  if (*statics_command) {
    return call(statics_arguments.case_file,
                [&](Log& log) { return statics(statics_arguments, log); });
  }
  if (*sweep_command) {
    return call(sweep_arguments.sweep_file, [&](Log& log) { return sweep(sweep_arguments, log); });
  }
  if (*schema_command) return call("schema", [](Log&) { return schema(); });
  return call(check_file, [&](Log& log) { return check(check_file, check_settings, log); });
}

}  // namespace

// Commands are guarded; outside them only the memory for a few words may be missing.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is told, whichever it is
  fem::hdf5::forgo_exit_handler();
  const int code = parse_and_run(argc, argv);
  if (write_answers()) return code;
  tell("fem: the answer could not be written to standard output: {}\n", std::strerror(errno));
  return code == kDone ? kFileFailed : code;
}
