// What a run asks of a time scheme, whichever it is.
#pragma once

#include <span>

#include "libfem/base/error.hpp"

namespace fem {

struct StepStatistics {
  long steps = 0;        ///< accepted
  long rejected = 0;     ///< taken back
  long evaluations = 0;  ///< of accelerations, or of the balance of forces
  long tangents = 0;     ///< factorized
  template <class Archive>
  void archive(Archive& a) {
    a(steps, rejected, evaluations, tangents);
  }
};

class TimeScheme {
 public:
  virtual ~TimeScheme() = default;

  /// Starts, or starts again after a jump, from (t, q, v): the past is forgotten.
  virtual Outcome start(double t, std::span<const double> q, std::span<const double> v) = 0;

  /// One accepted step; ends exactly at `until` if it would come close to it.
  virtual Outcome step(double until) = 0;

  /// The state at the end of the last step.
  [[nodiscard]] virtual double time() const noexcept = 0;
  [[nodiscard]] virtual std::span<double> positions() noexcept = 0;
  [[nodiscard]] virtual std::span<double> velocities() noexcept = 0;
  [[nodiscard]] virtual std::span<const double> accelerations() const noexcept = 0;

  /// q and v at a time within the last step. The dependent entries are near what the constraints
  /// demand: the problem searches from them.
  virtual void dense_output(double t, std::span<double> q, std::span<double> v) const = 0;

  /// Accelerations of a state that dense_output() gave; completes q and v.
  virtual Outcome accelerations_within(double t, std::span<double> q, std::span<double> v,
                                       std::span<double> a) = 0;

  [[nodiscard]] virtual double last_step() const noexcept = 0;      ///< s
  [[nodiscard]] virtual double last_estimate() const noexcept = 0;  ///< of the local error
  [[nodiscard]] virtual const StepStatistics& statistics() const noexcept = 0;
};

}  // namespace fem
