// A run in the hands of a program: the facade over analysis/dynamics.
//
//   fem::Simulation run = fem::Simulation::from_file("case.json");   // or a CaseDescription
//   run.advance_to(5.0);
//   double angle = run.hinge("root").angle;
//
// Units SI, angles in radians, counter-clockwise positive. Nothing is global: any number of
// simulations may run in any number of threads, each in one thread at a time.
//
//   thrown        when                                              what() is
//   InputError    the case, a name or a request is wrong            the text of `fem`, exit code 2
//   SolverError   the solver cannot go on; what was read before     the text of `fem`, exit code 3
//                 and recorded stays good
//   FileError     a file cannot be read or written                  the text of `fem`, exit code 4
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "libfem/analysis/observer.hpp"
#include "libfem/analysis/snapshot.hpp"
#include "libfem/api/law_handle.hpp"
#include "libfem/api/quantities.hpp"
#include "libfem/model/description.hpp"

namespace fem {

/// The solver could not go on: what() says when, at which step, what diverged and where.
class SolverError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A case, integrated in time by its caller.
class Simulation {
 public:
  /// A case built in code. `threads` work on one step, with the same bits for any number of them.
  /// Throws InputError with every problem found.
  explicit Simulation(const CaseDescription& description, int threads = 1);

  /// A case file (docs/case-format.md); files that it names are sought beside it. Throws
  /// InputError, or FileError where it cannot be read.
  [[nodiscard]] static Simulation from_file(const std::filesystem::path& path, int threads = 1);
  /// The text of a case file; files that it names are sought in `folder`.
  [[nodiscard]] static Simulation from_text(const std::string& text,
                                            const std::filesystem::path& folder = {},
                                            int threads = 1);

  Simulation(Simulation&&) noexcept;             ///< handles of laws do not move along
  Simulation& operator=(Simulation&&) noexcept;  ///< handles of laws do not move along
  /// Closes the results file; a run that is not over is "interrupted" there.
  ~Simulation();

  // ---- time

  [[nodiscard]] double time() const;  ///< of the state, s
  [[nodiscard]] double end() const;   ///< of the case, s
  [[nodiscard]] bool done() const;    ///< the end is reached

  /// Integrates to exactly t (s), the case's end at the latest. False where `proceed` stopped it
  /// on the way. Throws SolverError; the state then is the last that was accepted.
  bool advance_to(double t);
  /// The same to the end of the case.
  bool run();
  /// One accepted step of the integrator, ending at break times, events and the end.
  void step();

  /// Called every few hundred steps; where it returns false, advance_to() comes back early, and
  /// can be called again.
  void set_proceed(std::function<bool(const Progress&)> proceed);

  // ---- what is there

  /// Everything about the present state: valid until the simulation goes on or a law is set.
  /// Reading changes nothing of the motion.
  [[nodiscard]] const Snapshot& state();
  /// Names and connectivity, in the order of Snapshot.
  [[nodiscard]] const ResultLayout& layout() const;

  /// Index of a point, or of a node "rod/1" inside a rod, in layout().points.
  [[nodiscard]] std::size_t find_point(const std::string& name) const;
  [[nodiscard]] std::array<double, 2> position(const std::string& point);  ///< X, Y, m
  [[nodiscard]] std::array<double, 2> velocity(const std::string& point);  ///< m/s
  /// Parts of state() by their names in the case, valid as long. A name that does not exist throws
  /// InputError with the nearest one.
  /// @{
  [[nodiscard]] const RodSnapshot& rod(const std::string& name);
  [[nodiscard]] const HingeSnapshot& hinge(const std::string& name);
  [[nodiscard]] const SupportSnapshot& support(const std::string& point);
  [[nodiscard]] const ConstraintSnapshot& constraint(const std::string& name);
  [[nodiscard]] const BodySnapshot& body(const std::string& name);
  [[nodiscard]] const SpringSnapshot& spring(const std::string& name);
  [[nodiscard]] const LoadSnapshot& load(const std::string& name);
  /// @}

  /// Energies, works and what does not close between them, J.
  [[nodiscard]] const EnergySnapshot& energy();

  /// The same by paths of the results file: run.quantities()["/hinges/root/angle"].values[0]. What
  /// is kept of it keeps the values of its instant.
  [[nodiscard]] std::shared_ptr<const Quantities> quantities();

  [[nodiscard]] const std::vector<Event>& events() const;          ///< so far
  [[nodiscard]] const std::vector<std::string>& warnings() const;  ///< so far, as `fem` says them
  [[nodiscard]] RunSummary summary() const;                        ///< so far

  // ---- what is done to it

  /// A law of the case, to read and to set while the run goes on.
  [[nodiscard]] LawHandle law(const std::string& name);

  /// Records what `fem run` would (docs/results-format.md). Before the run begins.
  void record(const std::filesystem::path& path);
  /// Ends the run where it is and closes the results file, if there is one.
  RunSummary finish();

 private:
  friend class LawHandle;
  struct Run;
  explicit Simulation(std::unique_ptr<Run> run);
  std::unique_ptr<Run> run_;
};

}  // namespace fem
