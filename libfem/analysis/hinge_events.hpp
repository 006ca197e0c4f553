// What happens to the hinges of a run, and when: they latch, are held and let go, jam, strike hard
// stops, come to rest on them and are drawn off again.
//
// Numbers in, decisions out: nothing is changed here (analysis/hinge_changes does that). A run asks
//   next_time()       what the clock demands: a step ends there
//   passed(), locate  whether something happened within a step, and when: roots of the watched
//                     quantities along the step's own polynomial, the first of them
//   next()            at an instant, the next thing to be done, one after another until there is
//   none
//
//   watched                      happens when
//   φ − angle of a latch         it changes its sign, or is there (kSameAngle)
//   φ − angle somebody waits for the same
//   gap to a hard stop           it closes and φ̇ goes on: a blow
//   moment of a stop that is     it would have to pull: the hinge parts from the stop
//   rested on
// A hinge that stands still at its stop and is pressed on it rests there.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libfem/base/archive.hpp"
#include "libfem/base/error.hpp"
#include "libfem/model/model.hpp"

namespace fem {

/// The relative motion of all hinges at one time [hinges].
struct HingeMotion {
  double time = 0;
  std::vector<double> angle{};         ///< rad, with all turns
  std::vector<double> rate{};          ///< rad/s
  std::vector<double> acceleration{};  ///< rad/s²; where hinges have hard stops, else 0
  std::vector<double> contact{};  ///< moment of the stop that is rested on, on the second member
  template <class Archive>
  void archive(Archive& a) {
    a(time, angle, rate, acceleration, contact);
  }
};

/// One thing that is to be done to a hinge.
struct Happening {
  enum class What { latch, hold, release, jam, strike, rest, part };
  friend constexpr What last_value(What /*of*/) { return What::part; }
  What what = What::latch;
  int hinge = 0;
  LockKind stop = LockKind::none;  ///< which stop, for strike and rest
  std::string cause{};             ///< of hold, release and jam: ", 'root' has latched"
};

class HingeEvents {
 public:
  /// The model must outlive the events; they follow its locks.
  explicit HingeEvents(const Model& model);

  /// Nothing ever happens to these hinges.
  [[nodiscard]] bool idle() const noexcept { return idle_; }

  /// The next time that a hold, a release or a jam is set to; infinity if none is.
  [[nodiscard]] double next_time() const;

  /// The next thing to be done at the instant of `now`; it is taken as done.
  [[nodiscard]] std::optional<Happening> next(const HingeMotion& now);

  /// A step starts from here, after whatever was done at this instant.
  void start(HingeMotion now);

  /// The next step starts from here; nothing has happened in the last one.
  void go_on(HingeMotion now) { start_ = std::move(now); }

  /// Whether the next step starts at time t, if any that is watched has started at all.
  [[nodiscard]] bool are_at(double t) const noexcept {
    return watches_.empty() || start_.time == t;
  }

  /// Whether something happened between the step's start and its end.
  [[nodiscard]] bool passed(const HingeMotion& end) const;

  /// When the first of it happened, in (start, end]: motion_at(t, motion) is that within the step.
  using MotionAt = std::function<Outcome(double, HingeMotion&)>;
  Outcome locate(const HingeMotion& end, const MotionAt& motion_at, double& time) const;

  /// What has happened and is waited for (base/archive).
  template <class Archive>
  void archive(Archive& a) {
    a(tasks_, at_stop_, holders_, start_, watches_);
    if (!fits()) throw ArchiveError("the stored state is of another model");
  }

 private:
  // Something that is waited for: it happens where its gap closes.
  struct Watch {
    enum class Kind { latch, angle, stop, contact };
    friend constexpr Kind last_value(Kind /*of*/) { return Kind::contact; }
    Kind kind = Kind::latch;
    std::size_t hinge = 0;
    double target = 0;   // angle
    double outward = 1;  // of a stop: the sense of φ that closes the gap
    template <class Archive>
    void archive(Archive& a) {
      a(kind, hinge, target, outward);
    }
    [[nodiscard]] double gap(const HingeMotion& m) const;
    [[nodiscard]] bool closed(double start_gap, const HingeMotion& now) const;
    [[nodiscard]] bool happened(const HingeMotion& start, const HingeMotion& end) const;
  };
  // What a hold or a jam asks for; `due` is set once its moment is known.
  struct Task {
    Happening::What what = Happening::What::latch;
    int hinge = 0;
    When when{};
    int hold = kNone;
    double due = std::numeric_limits<double>::infinity();
    bool waits = true;  // for an angle or a latch
    template <class Archive>
    void archive(Archive& a) {
      a(what, hinge, when, hold, due, waits);
    }
  };
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool fits() const;  // what is kept, the model's hinges
  void add_task(Happening::What what, int hinge, const When& when, int hold);
  void list_watches();
  void fire(Task& task, double now);
  void fire_latched(int hinge, double now);
  void fire_angles(const HingeMotion& now);
  [[nodiscard]] bool is_at(std::size_t hinge, double target, const HingeMotion& now) const;
  [[nodiscard]] std::optional<Happening> next_task(double now);
  [[nodiscard]] bool carry_out(const Task& task);
  [[nodiscard]] std::optional<Happening> next_latch(const HingeMotion& now);
  [[nodiscard]] std::optional<Happening> next_stop(const HingeMotion& now);
  [[nodiscard]] std::optional<Happening::What> meet(std::size_t hinge, double sense,
                                                    const HingeMotion& now);
  [[nodiscard]] std::string tell_cause(const Task& task) const;
  [[nodiscard]] const Hinge& hinge(int index) const {
    return model_->hinges[static_cast<std::size_t>(index)];
  }

  const Model* model_;
  bool idle_ = true;
  std::vector<Task> tasks_;
  // What keeps the events of one instant from going on for ever.
  struct AtStop {
    double parted = -kNever;  // when the hinge parted from a stop last: it does not rest again then
    double struck = -kNever;  // when it struck one last
    int strikes = 0;          // how often at that instant
    template <class Archive>
    void archive(Archive& a) {
      a(parted, struck, strikes);
    }
  };
  std::vector<AtStop> at_stop_;
  std::vector<int> holders_;    // how many holds are on a hinge
  HingeMotion start_;           // of the step
  std::vector<Watch> watches_;  // during the step
};

}  // namespace fem
