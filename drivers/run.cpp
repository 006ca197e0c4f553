#include <csignal>
#include <string>

#include <fmt/core.h>

#include "drivers/commands.hpp"
#include "drivers/load_case.hpp"
#include "drivers/progress.hpp"
#include "libfem/analysis/dynamics.hpp"
#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/base/version.hpp"
#include "libfem/io/recorder.hpp"

namespace fem::driver {
namespace {

// A signal handler can reach nothing but this.
volatile std::sig_atomic_t interrupted = 0;

void on_signal(int) { interrupted = 1; }

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends at once
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

// Writes the results and shows the progress.
class RunObserver : public Observer {
 public:
  RunObserver(Recorder& recorder, bool quiet) : recorder_(recorder), line_(quiet) {}

  void snapshot(const Snapshot& snapshot) override { recorder_.append(snapshot); }
  void event(const Event& event) override { recorder_.event(event); }
  void warning(const std::string& text) override { line_.say("fem: warning: " + text); }
  bool proceed(const Progress& progress) override {
    line_.show(progress);
    return interrupted == 0;
  }
  void close() { line_.close(); }

 private:
  Recorder& recorder_;
  ProgressLine line_;
};

void print_summary(const RunSummary& s, const std::filesystem::path& output) {
  const double relative = s.largest_energy > 0 ? s.worst_balance / s.largest_energy : 0;
  fmt::print("final time            {:.9g} s\n", s.final_time);
  fmt::print("steps                 {} accepted, {} rejected, {} evaluations\n", s.steps,
             s.rejected_steps, s.evaluations);
  fmt::print("energy balance        {:.3g} J at worst, {:.3g} of the largest energy {:.6g} J\n",
             s.worst_balance, relative, s.largest_energy);
  fmt::print("constraint violation  {:.3g} in position, {:.3g} in velocity\n",
             s.worst_position_violation, s.worst_velocity_violation);
  fmt::print("wall time             {:.3g} s\n", s.wall_time);
  fmt::print("results               {}\n", output.string());
}

int exit_code(RunStatus status) {
  switch (status) {
    case RunStatus::complete:
      return kDone;
    case RunStatus::interrupted:
      return kInterrupted;
    default:
      return kSolverFailed;
  }
}

}  // namespace

int run(const RunArguments& arguments) {
  const auto [text, model] = load_case(arguments.case_file);
  if (model.analysis.end == 0) {
    throw InputError(Problem{"/analysis/end",
                             "the key is missing: the case is for statics or modes",
                             "give the time at which the run ends, s"});
  }
  const std::filesystem::path output =
      arguments.output.value_or(arguments.case_file.filename().replace_extension(".h5"));
  const int threads = arguments.threads > 0 ? arguments.threads : hardware_threads();
  if (!arguments.quiet) {
    fmt::print(stderr, "fem {} ({}): {}\n", kVersion, kBuildType,
               model.title.empty() ? arguments.case_file.string() : model.title);
  }
  Recorder recorder({.path = output, .case_text = text, .title = model.title, .version = kVersion},
                    make_layout(model));
  catch_signals();
  RunObserver observer(recorder, arguments.quiet);
  const RunSummary summary = run_dynamics(model, {threads}, observer);
  observer.close();
  recorder.finish(summary);
  if (!summary.reason.empty()) {
    fmt::print(stderr, "fem: {}: {}; results up to {:.6g} s are in {}\n",
               arguments.case_file.string(), summary.reason, summary.final_time, output.string());
  }
  if (!arguments.quiet) print_summary(summary, output);
  return exit_code(summary.status);
}

}  // namespace fem::driver
