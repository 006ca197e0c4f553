// What a run has in its hands: the model as it stands, the system and integrator made for it, and
// the state at an instant. When a hinge is locked or let go they are made anew; the state stays.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "libfem/analysis/hinge_events.hpp"
#include "libfem/base/archive.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/integrator/time_scheme.hpp"
#include "libfem/model/law_change.hpp"
#include "libfem/system/system.hpp"

namespace fem {

/// The impulses of a jump of velocities, and their works.
struct Jump {
  std::vector<double> impulses{};  ///< Λ of every row
  std::vector<double> works{};     ///< ½(D v⁻ + D v⁺)·Λ of every row, J: Σ is T⁺ − T⁻
  double frame = 0;  ///< what a moving frame adds to the sum, as it carries the constraints, J
};

/// The largest step of a run, s: by the highest frequency (rad/s), or by its length.
[[nodiscard]] double largest_time_step(const Model& model, double highest_frequency);

class RunState {
 public:
  RunState(const Model& model, Parallelism parallelism);
  RunState(const RunState&) = delete;
  RunState& operator=(const RunState&) = delete;

  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] System& system() noexcept { return *system_; }
  [[nodiscard]] const System& system() const noexcept { return *system_; }
  [[nodiscard]] TimeScheme& integrator() noexcept { return *integrator_; }
  [[nodiscard]] const TimeScheme& integrator() const noexcept { return *integrator_; }

  /// The state at the instant that take() was given last, in stored vectors of the system.
  [[nodiscard]] std::span<double> positions() noexcept { return q_; }
  [[nodiscard]] std::span<double> velocities() noexcept { return v_; }

  /// The values of all coordinates in natural order.
  [[nodiscard]] std::vector<double> natural_positions() const { return natural(q_); }
  [[nodiscard]] std::vector<double> natural_velocities() const { return natural(v_); }
  void set_velocities(const std::vector<double>& natural_v);

  /// Takes the state at t, within the last step or at its end; `side` where laws break there.
  Outcome take(double t, Side side = Side::before);

  /// Hereditary elements remember the state at t, at the end of the last step or within it, when
  /// nothing asks for anything before t any more.
  Outcome commit(double t);

  /// The same where lengths in series with them jump at t; the work of that, J.
  double commit_jump(double t);

  /// Changes the model by change(Model&). Throws InputError where locks contradict other rows.
  template <class Change>
  void change(const Change& change) {
    const std::vector<double> q = natural(q_);
    const std::vector<double> v = natural(v_);
    change(model_);
    rebuild(q, v);
  }

  /// From time t on the laws are these; `side` is the state's there. Without a time, before a run
  /// begins, it is as if the case had said so. Throws InputError where constraints contradict with
  /// them; all is as it was then.
  void replace_laws(const std::vector<NewLaw>& laws, std::optional<double> t, Side side);

  /// The same model with dependent coordinates chosen anew, where the old ones serve badly.
  void renew() {
    change([](Model&) {});
  }

  /// The state at t within the last step: the independent coordinates from the step's polynomial,
  /// the others as at its end, for System::complete() to start from.
  void dense_state(double t, std::span<double> q, std::span<double> v);

  /// Velocities after what holds at t⁺, by the balance of momentum (System::jump).
  Outcome jump(double t, Jump& jump);

  /// The same where `with`, another model of the same coordinates, holds; the own rows stay.
  Outcome jump_with(const Model& with, double t, Jump& jump);

  /// The integrator starts from the state at t.
  Outcome start(double t) { return integrator_->start(t, q_, v_); }

  /// Motion of the hinges at the instant, t⁺.
  Outcome hinge_motion(double t, HingeMotion& motion);

  /// The same at the end of the last step, and within it.
  Outcome hinge_motion_at_end(HingeMotion& motion);
  Outcome hinge_motion_within(double t, HingeMotion& motion);

  /// Of all integrators so far.
  [[nodiscard]] StepStatistics statistics() const;

  /// Steps along the arc are no longer than this, s, from now on.
  void limit_step(double longest);

  /// The largest step that the integrator makes, s.
  [[nodiscard]] double largest_step() const;

  /// The state as it stands between two steps, for a checkpoint; and back, of the same case. Throws
  /// ArchiveError.
  void save(StateWriter& out);
  void load(StateReader& in);

 private:
  void make_integrator();
  // Which hinges are locked, and which latches have caught: what the highest frequency depends on.
  [[nodiscard]] std::vector<bool> locks() const;
  void rebuild(const std::vector<double>& natural_q, const std::vector<double>& natural_v);
  [[nodiscard]] std::vector<double> natural(std::span<const double> stored) const;
  [[nodiscard]] HingeMotion measure(double t, std::span<const double> q, std::span<const double> v,
                                    std::span<const double> a) const;

  Model model_;
  Parallelism parallelism_;
  std::unique_ptr<System> system_;
  std::unique_ptr<TimeScheme> integrator_;
  double time_ = 0;  // of the state
  std::vector<double> q_, v_;
  std::vector<double> scratch_q_, scratch_v_, scratch_a_;
  std::map<std::vector<bool>, double> frequencies_;  // the highest, by locks(): estimated once
  StepStatistics past_;                              // of the integrators that are gone
  std::vector<double>
      birth_;  // natural coordinates for which the system was made; empty: the start
  double birth_time_ = 0;
};

}  // namespace fem
