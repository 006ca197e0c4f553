// A run in time: steps, break times with their velocity jumps, output times, the ledger.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "libfem/analysis/observer.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/model/law_change.hpp"
#include "libfem/model/model.hpp"

namespace fem {

/// |balance| over the largest energy beyond which a run says that its ledger does not close, where
/// the case does not say ("ledger_tolerance").
inline constexpr double kLedgerTolerance = 1e-4;

/// A run that its owner steps on. Numerical failure ends it, and so does memory that runs out in
/// start() or step(): status() and reason() tell.
class Dynamics {
 public:
  /// The observer must outlive the run, the model need not. Throws InputError where constraints
  /// contradict.
  Dynamics(const Model& model, Parallelism parallelism, Observer& observer);
  ~Dynamics();
  Dynamics(const Dynamics&) = delete;
  Dynamics& operator=(const Dynamics&) = delete;

  [[nodiscard]] RunStatus status() const;
  [[nodiscard]] const std::string& reason() const;  ///< of a failure or an interruption
  [[nodiscard]] double time() const;                ///< of the state, s
  [[nodiscard]] Side side() const;                  ///< of a break time, where the state is at one
  /// As it stands: hinges lock and let go, laws are replaced.
  [[nodiscard]] const Model& model() const;

  /// What happens at t = 0; the first snapshot. Once, before the first step.
  void start();

  /// Instead: goes on from the bytes that Observer::checkpoint() got from a run of the same model,
  /// exactly as that run would have: every number from there on has the same bits. Throws
  /// ArchiveError, and is of no further use, where the bytes are not those of such a run.
  void resume(std::string_view checkpoint);

  /// One accepted step that ends at `until` (> time()) at the latest, with all that happens on it.
  /// The status must be running. Where steps are cut, they are so nowhere else: that a caller
  /// stops at some time changes the motion by the integrator's error, what he looks at by nothing.
  void step(double until);

  /// All that is reported of the present state; of the solver since the last output. False if its
  /// accelerations cannot be computed: the run has failed then.
  [[nodiscard]] bool look(Snapshot& snapshot);

  /// From now on the laws are these (model/law_change: find_law_change_problem() must find
  /// nothing). Rates that jump make velocities jump, in the mass metric, as at any break time.
  /// Throws InputError, and leaves all as it was, where constraints contradict with them.
  void replace_laws(const std::vector<NewLaw>& laws);

  /// The summary so far.
  [[nodiscard]] RunSummary summary() const;

  /// Warns of a ledger that does not close. A run that is not over ends as interrupted.
  RunSummary finish();

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

/// Integrates the model from rest at t = 0 to its analysis' end. Numerical failure and interruption
/// are reported in the summary; whatever was reported to the observers before stands.
[[nodiscard]] RunSummary run_dynamics(const Model& model, Parallelism parallelism,
                                      Observer& observer);

/// The rest of a run that has been started or resumed.
RunSummary run_to_end(Dynamics& run);

}  // namespace fem
