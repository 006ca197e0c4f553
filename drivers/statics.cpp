#include "libfem/analysis/statics.hpp"

#include <string>
#include <utility>

#include <fmt/core.h>

#include "drivers/commands.hpp"
#include "drivers/computation.hpp"
#include "drivers/interrupt.hpp"
#include "drivers/log.hpp"
#include "drivers/messages.hpp"
#include "drivers/results_file.hpp"
#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/version.hpp"
#include "libfem/io/load_case.hpp"
#include "libfem/io/recorder.hpp"

namespace fem::driver {
namespace {

// Writes the results; says what happens on the way.
class StaticsObserver : public Observer {
 public:
  StaticsObserver(ResultsFile& results, bool quiet, Log& log)
      : results_(results), quiet_(quiet), log_(log) {}

  void snapshot(const Snapshot& snapshot) override { results_.recorder().append(snapshot); }
  void event(const Event& event) override {
    results_.recorder().event(event);
    log_.info(fmt::format("load factor {:.9g}: {}: {}", event.time, event.name, event.what));
    if (!quiet_) tell("{}: {}\n", event.name, event.what);
  }
  void warning(const std::string& text) override {
    tell("fem: warning: {}\n", text);
    log_.warning(text);
  }
  bool proceed(const Progress&) override { return !is_interrupted(); }

 private:
  ResultsFile& results_;
  bool quiet_;
  Log& log_;
};

void print_summary(const RunSummary& s, const std::filesystem::path& output) {
  answer("load factor           {:.9g}\n", s.final_time);
  answer("steps                 {} accepted, {} rejected, {} evaluations\n", s.steps,
         s.rejected_steps, s.evaluations);
  answer("energy                {:.9g} J at most, balanced to {:.3g} J\n", s.largest_energy,
         s.worst_balance);
  answer("constraint violation  {:.3g}\n", s.worst_position_violation);
  answer("wall time             {:.3g} s\n", s.wall_time);
  answer("results               {}\n", output.string());
}

// The command line goes before the case.
StaticsOptions choose_options(const StaticsArguments& arguments, const Model& model) {
  StaticsOptions options = model.analysis.statics;
  options.follow_path = options.follow_path || arguments.path;
  if (arguments.max_load) options.max_load = *arguments.max_load;
  if (arguments.steps) options.steps = *arguments.steps;
  if (arguments.time) options.time = arguments.time;
  if (!options.follow_path && (arguments.max_load || arguments.steps)) {
    throw InputError(Problem{"--max-load, --steps", "they belong to a path, which is not asked for",
                             "add --path, or leave them out"});
  }
  return options;
}

}  // namespace

int statics(const StaticsArguments& arguments, Log& log) {
  const auto [document, model] = load_case(arguments.case_file, arguments.settings);
  const StaticsOptions options = choose_options(arguments, model);
  const std::filesystem::path output = choose_output(arguments.output, arguments.case_file);
  demand_replaceable(output, model.start_file);
  if (!arguments.quiet) announce(model.title, arguments.case_file);
  ResultLayout layout = make_layout(model, Analysis::statics);
  layout.laws_time = options.time.value_or(calc_statics_time(model));
  ResultsFile results(
      {.path = output, .case_text = document.text, .title = model.title, .version = kVersion},
      std::move(layout));
  catch_interrupts();
  StaticsObserver observer(results, arguments.quiet, log);
  log_model(log, model, document.text);
  log.info("results " + output.string());
  const RunSummary summary = with_places(document, [&, &computed = model] {
    return run_statics(computed, options, choose_threads(arguments.threads), observer).summary;
  });
  results.recorder().finish(summary);
  log_summary(log, summary);
  if (!summary.reason.empty()) {
    tell("fem: {}: {}; results up to there are in {}\n", arguments.case_file.string(),
         summary.reason, output.string());
  }
  if (!arguments.quiet) print_summary(summary, output);
  return exit_code(summary.status);
}

}  // namespace fem::driver
