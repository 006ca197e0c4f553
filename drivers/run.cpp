#include <string>

#include <fmt/core.h>

#include "drivers/commands.hpp"
#include "drivers/computation.hpp"
#include "drivers/interrupt.hpp"
#include "drivers/progress.hpp"
#include "libfem/analysis/dynamics.hpp"
#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/version.hpp"
#include "libfem/io/load_case.hpp"
#include "libfem/io/recorder.hpp"

namespace fem::driver {
namespace {

// Writes the results and shows the progress.
class RunObserver : public Observer {
 public:
  RunObserver(Recorder& recorder, bool quiet) : recorder_(recorder), line_(quiet) {}

  void snapshot(const Snapshot& snapshot) override { recorder_.append(snapshot); }
  void event(const Event& event) override { recorder_.event(event); }
  void warning(const std::string& text) override { line_.say("fem: warning: " + text); }
  bool proceed(const Progress& progress) override {
    line_.show(progress);
    return !is_interrupted();
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

}  // namespace

int run(const RunArguments& arguments) {
  const auto [text, model] = load_case(arguments.case_file);
  if (model.analysis.end == 0) {
    throw InputError(Problem{"/analysis/end",
                             "the key is missing: the case is for statics or modes",
                             "give the time at which the run ends, s"});
  }
  const std::filesystem::path output = choose_output(arguments.output, arguments.case_file);
  if (!arguments.quiet) announce(model.title, arguments.case_file);
  Recorder recorder({.path = output, .case_text = text, .title = model.title, .version = kVersion},
                    make_layout(model));
  catch_interrupts();
  RunObserver observer(recorder, arguments.quiet);
  const RunSummary summary = run_dynamics(model, choose_threads(arguments.threads), observer);
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
