#include <chrono>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "drivers/commands.hpp"
#include "drivers/computation.hpp"
#include "drivers/interrupt.hpp"
#include "drivers/log.hpp"
#include "drivers/messages.hpp"
#include "drivers/progress.hpp"
#include "drivers/results_file.hpp"
#include "libfem/analysis/dynamics.hpp"
#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/base/archive.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/version.hpp"
#include "libfem/io/checkpoint_file.hpp"
#include "libfem/io/load_case.hpp"
#include "libfem/io/recorder.hpp"

namespace fem::driver {
namespace {

// Writes the results and checkpoints, and shows the progress.
class RunObserver : public Observer {
 public:
  RunObserver(ResultsFile& results, const RunArguments& arguments, std::filesystem::path output,
              std::string fingerprint, Log& log)
      : results_(results),
        arguments_(arguments),
        output_(std::move(output)),
        fingerprint_(std::move(fingerprint)),
        line_(arguments.quiet),
        log_(log) {}

  void snapshot(const Snapshot& snapshot) override {
    recorder().append(snapshot);
    if (log_.takes(LogLevel::debug)) log_.debug(fmt::format("row at t = {:.9g} s", snapshot.time));
  }
  void event(const Event& event) override {
    recorder().event(event);
    log_.info(fmt::format("t = {:.9g} s: {}: {}", event.time, event.name, event.what));
  }
  void warning(const std::string& text) override {
    line_.say("fem: warning: " + text);
    log_.warning(text);
  }
  bool proceed(const Progress& progress) override {
    time_ = progress.time;
    line_.show(progress);
    log_progress(progress);
    warn_of_no_end(progress);
    return !is_interrupted() && !is_over_limit();
  }
  bool wants_checkpoint() override { return seconds(Clock::now() - saved_) >= interval_; }
  void checkpoint(const std::string& state) override {
    const Clock::time_point start = Clock::now();
    recorder().flush();
    write_checkpoint(output_, {fingerprint_, recorder().written(), time_, state});
    saved_ = Clock::now();
    log_.debug(fmt::format("checkpoint at t = {:.9g} s, {} bytes of state, in {:.2g} s", time_,
                           state.size(), seconds(saved_ - start)));
    interval_ = burst_interval(arguments_.checkpoint_every, seconds(saved_ - start));
  }
  void close() { line_.close(); }

 private:
  using Clock = std::chrono::steady_clock;
  Recorder& recorder() {
    if (!results_.is_open()) remove_checkpoint(output_);  // of an earlier run into this file
    return results_.recorder();
  }
  static double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }
  [[nodiscard]] bool is_over_limit() const {
    return arguments_.wall_limit && seconds(Clock::now() - begin_) >= *arguments_.wall_limit;
  }

  // A slip in a unit can make a structure so stiff that its steps never come to an end.
  void warn_of_no_end(const Progress& p) {
    constexpr double kMostSteps = 1e11;  // days of the smallest models
    const double left = (p.end - p.time) / p.step;
    if (warned_ || !(left > kMostSteps)) return;
    warned_ = true;
    warning(
        fmt::format("at steps of {:.2g} s the end is {:.2g} steps away: check stiffnesses, "
                    "masses and their units (fem check tells the highest frequency), or take "
                    "long steps, \"method\": {{\"kind\": \"generalized_alpha\"}}",
                    p.step, left));
  }
  void log_progress(const Progress& p) {
    constexpr double kPause = 10;  // s
    if (seconds(Clock::now() - logged_) < kPause) return;
    logged_ = Clock::now();
    log_.info(fmt::format("t = {:.6g} of {:g} s, step {:.3g} s, {} steps", p.time, p.end, p.step,
                          p.steps));
  }

  ResultsFile& results_;
  const RunArguments& arguments_;
  std::filesystem::path output_;
  std::string fingerprint_;
  ProgressLine line_;
  Log& log_;
  bool warned_ = false;
  double time_ = 0;  // s, of the run
  Clock::time_point begin_ = Clock::now();
  Clock::time_point saved_ = begin_;
  Clock::time_point logged_ = begin_;
  double interval_ = arguments_.checkpoint_every;  // s, between checkpoints
};

void print_summary(const RunSummary& s, const std::filesystem::path& output) {
  const double relative = s.largest_energy > 0 ? s.worst_balance / s.largest_energy : 0;
  answer("final time            {:.9g} s\n", s.final_time);
  answer("steps                 {} accepted, {} rejected, {} evaluations\n", s.steps,
         s.rejected_steps, s.evaluations);
  answer("energy balance        {:.3g} J at worst, {:.3g} of the largest energy {:.6g} J\n",
         s.worst_balance, relative, s.largest_energy);
  answer("constraint violation  {:.3g} in position, {:.3g} in velocity\n",
         s.worst_position_violation, s.worst_velocity_violation);
  answer("wall time             {:.3g} s\n", s.wall_time);
  answer("results               {}\n", output.string());
}

// What is behind the checkpoint is cut from the results once its state is known to be good.
RunSummary resume(const Model& model, Parallelism threads, Observer& observer,
                  const Checkpoint& checkpoint, ResultsFile& results) {
  Dynamics rest(model, threads, observer);
  try {
    rest.resume(checkpoint.state);
  } catch (const ArchiveError& error) {
    throw FileError("'" + checkpoint_path(results.path()).string() + "': " + error.what());
  }
  results.resume(checkpoint.recorded);
  return run_to_end(rest);
}

}  // namespace

int run(const RunArguments& arguments, Log& log) {
  catch_interrupts();  // one that comes while the case is read ends the run at its first steps
  const auto [document, model] = load_case(arguments.case_file, arguments.settings);
  with_places(document, [&end = model.analysis.end] {
    if (end > 0) return;
    throw InputError(Problem{"/analysis",
                             "the key 'end' is missing: the case is for statics or modes",
                             "give the time at which the run ends, s"});
  });
  demand_memory_to_run(model);
  const std::string fingerprint = calc_fingerprint(document.text, model);
  const std::filesystem::path output =
      arguments.resume ? *arguments.resume : choose_output(arguments.output, arguments.case_file);
  ResultsFile results(
      {.path = output, .case_text = document.text, .title = model.title, .version = kVersion},
      make_layout(model));
  std::optional<Checkpoint> checkpoint;
  if (arguments.resume) {
    checkpoint = read_checkpoint(output, fingerprint);
  } else {
    demand_replaceable(output, model.start_file);
  }
  if (!arguments.quiet) announce(model.title, arguments.case_file);
  RunObserver observer(results, arguments, output, fingerprint, log);
  const Parallelism threads = choose_threads(arguments.threads);
  log_model(log, model, document.text);
  log.info(fmt::format("threads {}, results {}", threads.threads, output.string()));
  if (checkpoint) {
    log.info(fmt::format("goes on at t = {:.9g} s, behind row {}", checkpoint->time,
                         checkpoint->recorded.rows));
  }
  const RunSummary summary = with_places(document, [&, &computed = model] {
    return checkpoint ? resume(computed, threads, observer, *checkpoint, results)
                      : run_dynamics(computed, threads, observer);
  });
  observer.close();
  results.recorder().finish(summary);
  if (summary.status != RunStatus::interrupted) remove_checkpoint(output);
  log_summary(log, summary);
  if (!summary.reason.empty()) {
    tell("fem: {}: {}; results up to {:.6g} s are in {}\n", arguments.case_file.string(),
         summary.reason, summary.final_time, output.string());
  }
  std::error_code ignored;
  if (summary.status == RunStatus::interrupted &&
      std::filesystem::exists(checkpoint_path(output), ignored)) {
    tell("fem: go on with: fem run {} --resume {}\n", arguments.case_file.string(),
         output.string());
  }
  if (!arguments.quiet) print_summary(summary, output);
  return exit_code(summary.status);
}

}  // namespace fem::driver
