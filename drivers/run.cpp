#include <chrono>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "drivers/commands.hpp"
#include "drivers/computation.hpp"
#include "drivers/interrupt.hpp"
#include "drivers/messages.hpp"
#include "drivers/progress.hpp"
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
  RunObserver(Recorder& recorder, const RunArguments& arguments, std::filesystem::path output,
              std::string fingerprint)
      : recorder_(recorder),
        arguments_(arguments),
        output_(std::move(output)),
        fingerprint_(std::move(fingerprint)),
        line_(arguments.quiet) {}

  void snapshot(const Snapshot& snapshot) override { recorder_.append(snapshot); }
  void event(const Event& event) override { recorder_.event(event); }
  void warning(const std::string& text) override { line_.say("fem: warning: " + text); }
  bool proceed(const Progress& progress) override {
    time_ = progress.time;
    line_.show(progress);
    return !is_interrupted() && !is_over_limit();
  }
  bool wants_checkpoint() override { return seconds(Clock::now() - saved_) >= interval_; }
  void checkpoint(const std::string& state) override {
    const Clock::time_point start = Clock::now();
    recorder_.flush();
    write_checkpoint(output_, {fingerprint_, recorder_.written(), time_, state});
    saved_ = Clock::now();
    interval_ = burst_interval(arguments_.checkpoint_every, seconds(saved_ - start));
  }
  void close() { line_.close(); }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }
  [[nodiscard]] bool is_over_limit() const {
    return arguments_.wall_limit && seconds(Clock::now() - begin_) >= *arguments_.wall_limit;
  }

  Recorder& recorder_;
  const RunArguments& arguments_;
  std::filesystem::path output_;
  std::string fingerprint_;
  ProgressLine line_;
  double time_ = 0;  // s, of the run
  Clock::time_point begin_ = Clock::now();
  Clock::time_point saved_ = begin_;
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

RunSummary resume(const Model& model, Parallelism threads, Observer& observer,
                  const Checkpoint& checkpoint, const std::filesystem::path& output) {
  try {
    return resume_dynamics(model, threads, observer, checkpoint.state);
  } catch (const ArchiveError& error) {
    throw FileError("'" + checkpoint_path(output).string() + "': " + error.what());
  }
}

}  // namespace

int run(const RunArguments& arguments) {
  catch_interrupts();  // one that comes while the case is read ends the run at its first steps
  const auto [text, model] = load_case(arguments.case_file, arguments.settings);
  if (model.analysis.end == 0) {
    throw InputError(Problem{"/analysis/end",
                             "the key is missing: the case is for statics or modes",
                             "give the time at which the run ends, s"});
  }
  demand_memory_to_run(model);
  const std::string fingerprint = calc_fingerprint(text, model);
  const std::filesystem::path output =
      arguments.resume ? *arguments.resume : choose_output(arguments.output, arguments.case_file);
  const RecorderOptions options{
      .path = output, .case_text = text, .title = model.title, .version = kVersion};
  std::optional<Checkpoint> checkpoint;
  if (arguments.resume) {
    checkpoint = read_checkpoint(output, fingerprint);
  } else {
    demand_replaceable(output, model.start_file);
  }
  if (!arguments.quiet) announce(model.title, arguments.case_file);
  Recorder recorder = checkpoint ? Recorder(options, make_layout(model), checkpoint->recorded)
                                 : Recorder(options, make_layout(model));
  if (!checkpoint) remove_checkpoint(output);  // of an earlier run into this file
  RunObserver observer(recorder, arguments, output, fingerprint);
  const Parallelism threads = choose_threads(arguments.threads);
  const RunSummary summary = checkpoint ? resume(model, threads, observer, *checkpoint, output)
                                        : run_dynamics(model, threads, observer);
  observer.close();
  recorder.finish(summary);
  if (summary.status != RunStatus::interrupted) remove_checkpoint(output);
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
