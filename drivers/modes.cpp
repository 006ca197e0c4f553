#include "libfem/analysis/modes.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "drivers/commands.hpp"
#include "drivers/computation.hpp"
#include "drivers/messages.hpp"
#include "libfem/analysis/statics.hpp"
#include "libfem/base/version.hpp"
#include "libfem/io/load_case.hpp"
#include "libfem/io/modes_file.hpp"
#include "libfem/io/stored_state.hpp"
#include "libfem/system/system.hpp"

namespace fem::driver {
namespace {

// A state that modes can be about, in natural coordinates.
struct State {
  std::string about;
  std::vector<double> natural;
  double time = 0;
  double load_factor = 1;
};

// Passes on what statics has to say; the points on the way interest nobody here.
class Listener : public Observer {
 public:
  explicit Listener(std::string file) : file_(std::move(file)) {}
  void warning(const std::string& text) override { tell("fem: {}: warning: {}\n", file_, text); }

 private:
  std::string file_;
};

// Nothing if there is no equilibrium; says why.
std::optional<State> find_equilibrium(const Model& model, const std::string& file) {
  Listener listener(file);
  StaticsOptions options = model.analysis.statics;
  options.follow_path = false;
  StaticsResult result = run_statics(model, options, {}, listener);
  if (result.summary.status != RunStatus::complete) {
    tell("fem: {}: {}; there are no modes\n", file, result.summary.reason);
    return {};
  }
  return State{.about = "the equilibrium under the loads",
               .natural = std::move(result.positions),
               .time = result.time,
               .load_factor = result.load_factor};
}

// Hinges of the model are locked as in the file.
State read_state(Model& model, const std::filesystem::path& path, std::optional<double> time) {
  const StoredState stored = read_stored_state(path, time);
  const bool statics = stored.is_statics;
  std::vector<double> natural = match_state(model, stored, "");
  lock_as_stored(model, stored, natural);
  return {
      .about = fmt::format("'{}' at {} {:.9g}{}", path.string(), statics ? "load factor" : "t =",
                           statics ? stored.load_factor : stored.time, statics ? "" : " s"),
      .natural = std::move(natural),
      .time = stored.time,
      .load_factor = stored.load_factor};
}

std::optional<State> find_state(const ModesArguments& arguments, Model& model) {
  const std::string file = arguments.case_file.string();
  if (arguments.from) return read_state(model, *arguments.from, arguments.time);
  const bool statics =
      arguments.about ? *arguments.about == "statics" : model.analysis.modes.about_statics;
  if (statics) return find_equilibrium(model, file);
  return State{.about = "the state at the start", .natural = model.start};
}

void print_table(const Modes& modes, const std::string& about) {
  answer("modes about {}\n", about);
  answer("{:>5}  {:>16}  {:>16}  {:>14}  {}\n", "mode", "omega, rad/s", "f, Hz", "period, s",
         "what moves");
  for (std::size_t i = 0; i < modes.frequencies.size(); ++i) {
    const double omega = std::max(0.0, modes.frequencies[i]);
    const double f = omega / (2 * std::numbers::pi);
    const std::string period = omega > 0 ? fmt::format("{:.9g}", 1 / f) : "-";
    const std::string growth =
        modes.growth_rates[i] > 0
            ? fmt::format("unstable, grows by {:.6g}/s: ", modes.growth_rates[i])
            : "";
    answer("{:>5}  {:>16.10g}  {:>16.10g}  {:>14}  {}{}\n", i + 1, omega, f, period, growth,
           modes.descriptions[i]);
  }
}

void warn(const std::string& file, const Modes& modes) {
  if (modes.negative > 0) {
    tell("fem: {}: warning: the state is unstable: {} mode{}\n", file, modes.negative,
         modes.negative == 1 ? " grows" : "s grow");
  }
  if (modes.imbalance > 0) {
    tell(
        "fem: {}: warning: the state is no equilibrium: up to {:.3g} N or N m are not "
        "balanced, and the stresses they cause are not in these frequencies; \"--about "
        "statics\" finds the equilibrium\n",
        file, modes.imbalance);
  }
}

std::string failure(const System& system, const Outcome& outcome) {
  switch (outcome.status) {
    case Status::no_convergence:
      return "the iteration for the modes does not converge";
    case Status::singular_mass:
      return fmt::format("{}: {}", describe(outcome.status),
                         system.describe_unknown(outcome.where));
    default:
      return describe(outcome.status);
  }
}

int modes_of(const ModesArguments& arguments, LoadedCase& loaded) {
  Model& model = loaded.model;
  const std::string file = arguments.case_file.string();
  if (arguments.output) {
    demand_replaceable(*arguments.output, model.start_file);
    demand_replaceable(*arguments.output, arguments.from);
  }
  const std::optional<State> state = find_state(arguments, model);
  if (!state) return kSolverFailed;
  System system(model, {}, state->natural);
  ModesState about{.about = state->about,
                   .time = state->time,
                   .load_factor = state->load_factor,
                   .q = system.store(state->natural)};
  const Modes result = calc_modes(system, about.q,
                                  {.count = arguments.count.value_or(model.analysis.modes.count),
                                   .time = about.time,
                                   .load_factor = about.load_factor});
  if (!result.outcome.ok()) {
    tell("fem: {}: {}; there are no modes\n", file, failure(system, result.outcome));
    return kSolverFailed;
  }
  warn(file, result);
  if (!arguments.quiet) print_table(result, about.about);
  if (arguments.output) {
    write_modes({.path = *arguments.output,
                 .case_text = loaded.document.text,
                 .title = model.title,
                 .version = kVersion},
                system, about, result);
  }
  return kDone;
}

}  // namespace

int modes(const ModesArguments& arguments, Log& log) {
  LoadedCase loaded = load_case(arguments.case_file, arguments.settings);
  log_model(log, loaded.model, loaded.document.text);
  return with_places(loaded.document, [&] { return modes_of(arguments, loaded); });
}

}  // namespace fem::driver
