// What a Simulation holds; not for embedding programs.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libfem/analysis/dynamics.hpp"
#include "libfem/api/simulation.hpp"
#include "libfem/io/recorder.hpp"

namespace fem {

struct Simulation::Run : Observer {
  Run(const Model& model, std::string text, int threads);

  // What the run tells.
  void snapshot(const Snapshot& snapshot) override;
  void event(const Event& event) override;
  void warning(const std::string& text) override;
  bool proceed(const Progress& progress) override;

  /// Begins the run if it has not begun, carries out what laws were set.
  void make_current();
  bool advance(double until, bool one_step);
  void set_law(const NewLaw& law);
  [[nodiscard]] LawValue law_value(int index) const;
  /// Throws SolverError where the run has failed.
  void check();
  void forget_state();
  const Snapshot& look();
  RunSummary finish();

  Dynamics dynamics;
  ResultLayout layout;
  std::string case_text;
  std::unique_ptr<Recorder> recorder{};
  std::function<bool(const Progress&)> may_proceed{};
  std::vector<Event> events{};
  std::vector<std::string> warnings{};
  std::vector<NewLaw> new_laws{};  // set, not carried out yet
  Snapshot now{};                  // of the present state, if `looked`
  std::shared_ptr<Quantities> quantities{};
  bool begun = false;
  bool finished = false;
  bool looked = false;
  bool read = false;     // `quantities` are those of the present state
  bool stopped = false;  // by `may_proceed`
};

}  // namespace fem
