// A hinge of the model: its members' angles, the moments in it, what may happen to it, and what
// holds it at present.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "libfem/link/hinge_moment.hpp"

namespace fem {

inline constexpr int kNone = -1;

/// Relative angles nearer than this are the same place: a latch that stands at its angle.
inline constexpr double kSameAngle = 1e-9;  // rad

/// When something is done to a hinge, with names resolved.
struct When {
  enum class Kind { time, angle, latched };
  friend constexpr Kind last_value(Kind /*of*/) { return Kind::latched; }
  Kind kind = Kind::time;
  double value = 0;   ///< the time, s, or the angle, rad
  int hinge = kNone;  ///< whose angle, or which latches
  double delay = 0;   ///< s
  template <class Archive>
  void archive(Archive& a) {
    a(kind, value, hinge, delay);
  }
};

struct LatchSpring {
  double stiffness = 0;  ///< N m/rad
  double viscosity = 0;  ///< N m s/rad
};

struct Latch {
  double angle = 0;                     ///< rad
  std::optional<LatchSpring> spring{};  ///< holds the angle, instead of a lock
};

/// A lock from one moment (the start) until another (never).
struct Hold {
  std::optional<When> from{}, until{};
};

/// Stops that turn the rate around in an instant, by −restitution.
struct HardStop {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double restitution = 0;
};

/// What locks a hinge. A stop pushes one way only: a hinge rests on it until it is drawn off. The
/// numbers stand in results.
enum class LockKind { none = 0, hold = 1, latch = 2, jam = 3, lower_stop = 4, upper_stop = 5 };
constexpr LockKind last_value(LockKind /*of*/) { return LockKind::upper_stop; }

struct Hinge {
  std::string name;
  int node = 0;
  int first = 0, second = 0;  ///< coordinates of the members' angles
  double turns = 0;           ///< added to angle(second) − angle(first): starts in (−π, π]
  int drive = kNone;          ///< row
  std::optional<HingeLaw>
      law{};               ///< spring, damper, friction, compliant stops, caught latch spring
  int hereditary = kNone;  ///< index of the element in it that remembers
  std::optional<Latch> latch{};
  std::vector<Hold> holds{};
  std::optional<When> jam{};
  std::optional<HardStop> stop{};

  // How it stands: at the start, and in a run's own copy of the model at present.
  bool latched = false;
  LockKind locked = LockKind::none;
  int lock = kNone;  ///< row that holds the angle while it is locked
};

[[nodiscard]] inline bool rests_on_stop(const Hinge& hinge) {
  return hinge.locked == LockKind::lower_stop || hinge.locked == LockKind::upper_stop;
}

/// The sense of φ that drives a hinge on this stop.
[[nodiscard]] inline double outward_sense(LockKind stop) {
  return stop == LockKind::upper_stop ? 1.0 : -1.0;
}

}  // namespace fem
