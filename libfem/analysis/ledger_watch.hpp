// Keeps the energy ledger of a run closed: bounds the steps by what it has seen of the balance.
//
// The linear-acceleration step conserves the energy of a mode but for z²/12 of its potential part,
// z = ω Δt, and loses some along the arc (integrator/README.md). So the balance swings and drifts,
// by amounts that go with the square of the step or faster, and each change of the step leaves a
// part behind. What is lost is lost: the watch judges what the present steps add. It changes their
// bound seldom, by factors of two:
//
//   finer     where the balance has moved, since the last change, by more than half of what is
//             left of the allowed one
//   coarser   where it has moved by so little over a window of steps that four times that would fit
//             well; after a coarser bound was regretted the window is twice as long
//   a start   is made with 1/64 of the largest step: a shock fills the highest modes at once, and
//             what they hold is seen before it is too late
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace fem {

class LedgerWatch {
 public:
  /// `tolerance`: largest |balance| over the largest energy, none: nothing is watched; `ignored`:
  /// balance that says nothing, J.
  LedgerWatch(std::optional<double> tolerance, double ignored)
      : tolerance_(tolerance), ignored_(ignored) {}

  /// The bound (s) with which steps start at an instant where something has happened.
  [[nodiscard]] double start(double largest_step) {
    if (!tolerance_) return largest_step;
    largest_step_ = largest_step;
    level_ = std::max(level_, kStartLevel);
    bound_ = std::min(bound_, std::ldexp(largest_step, -kStartLevel));
    coarsened_ = false;
    base_.reset();
    return bound_;
  }

  /// Whether the balance is wanted after this step.
  [[nodiscard]] bool is_due() { return tolerance_ && ++steps_ % kStride == 0; }

  /// The new bound, where it changes, after a step of length `step` that ended with this balance
  /// and this largest part of the ledger (Ledger::magnitude), known to `rounding`. What others see
  /// of the run, and when, is nothing to it: the motion must not depend on that.
  [[nodiscard]] std::optional<double> observe(double balance, double magnitude, double rounding,
                                              double step) {
    largest_ = std::max(largest_, magnitude);
    const double allowed =
        std::max(kAimed * *tolerance_ * largest_ + ignored_, kRoundings * rounding);
    if (!base_) begin(balance);
    swing_ = std::max(swing_, std::abs(balance - window_base_));
    ++seen_;
    const double left = std::max(0.5 * (allowed - std::abs(*base_)), kLeastPart * allowed);
    if (std::abs(balance - *base_) > left && level_ < kFinest) {
      ++level_;
      bound_ = 0.5 * std::min(bound_, step);
      if (coarsened_) window_ *= 2;
      coarsened_ = false;
    } else if (seen_ < window_) {
      return std::nullopt;
    } else if (level_ > 0 && swing_ <= kFits * left) {
      --level_;
      bound_ = level_ == 0 ? largest_step_ : std::min(largest_step_, 2 * bound_);
      coarsened_ = true;
    } else {
      begin_window(balance);
      return std::nullopt;
    }
    begin(balance);
    return bound_;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(largest_, largest_step_, bound_, level_, base_, window_base_, swing_, seen_, window_,
      coarsened_, steps_);
  }

 private:
  static constexpr int kStartLevel = 6;
  static constexpr int kFinest = 10;     // a thousand times the work is what a ledger is worth
  static constexpr double kAimed = 0.5;  // of the tolerance: the rest is for what comes too late
  static constexpr double kRoundings = 1000;      // a part of what is allowed is to be seen
  static constexpr double kLeastPart = 1.0 / 32;  // of what is allowed, that steps may always add
  static constexpr double kFits = 1.0 / 8;        // of what is left: four times that is half of it
  static constexpr long kStride = 7;  // a balance costs an evaluation; prime, to meet every phase
  static constexpr long kWindow = 50;

  void begin(double balance) {
    base_ = balance;
    begin_window(balance);
  }
  void begin_window(double balance) {
    window_base_ = balance;
    swing_ = 0;
    seen_ = 0;
  }

  std::optional<double> tolerance_;
  double ignored_;
  double largest_ = 0;  // energy, J
  double largest_step_ = 0;
  double bound_ = std::numeric_limits<double>::infinity();
  int level_ = 0;               // halvings of the step
  std::optional<double> base_;  // balance at the last change
  double window_base_ = 0;      // and at the beginning of the window
  double swing_ = 0;            // farthest from it within the window
  long seen_ = 0, window_ = kWindow, steps_ = 0;
  bool coarsened_ = false;  // by the last change
};

}  // namespace fem
