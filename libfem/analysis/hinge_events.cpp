#include "libfem/analysis/hinge_events.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace fem {
namespace {

constexpr double kStill = 1e-9;      // rad/s: slower is at rest, at a stop
constexpr int kMostStrikes = 20;     // of one stop at one instant; then it stays there
constexpr double kStopSkin = 1e-12;  // rad: a stop gives by so much, that roundings close no gap

}  // namespace

// ------------------------------------------------------------------------------------- watches

double HingeEvents::Watch::gap(const HingeMotion& m) const {
  switch (kind) {
    case Kind::stop:
      return outward * (target - m.angle[hinge]) + kStopSkin;
    case Kind::contact:
      return -outward * m.contact[hinge];
    default:
      return m.angle[hinge] - target;
  }
}

// Whether the gap is closed or crossed, seen from its value at the start.
bool HingeEvents::Watch::closed(double start_gap, const HingeMotion& now) const {
  const double g = gap(now);
  const bool one_sided = kind == Kind::stop || kind == Kind::contact;
  return one_sided ? g < 0 : g * start_gap <= 0;
}

// A stop whose gap was closed at the start has just been struck: it counts if φ still goes outward.
bool HingeEvents::Watch::happened(const HingeMotion& start, const HingeMotion& end) const {
  const double before = gap(start);
  if (!closed(before, end)) return false;
  return kind != Kind::stop || before > 0 || outward * end.rate[hinge] > 0;
}

void HingeEvents::list_watches() {
  watches_.clear();
  for (std::size_t h = 0; h < model_->hinges.size(); ++h) {
    const Hinge& hinge = model_->hinges[h];
    if (rests_on_stop(hinge)) {
      watches_.push_back(
          {.kind = Watch::Kind::contact, .hinge = h, .outward = outward_sense(hinge.locked)});
    }
    if (hinge.lock != kNone) continue;
    if (hinge.latch && !hinge.latched) {
      watches_.push_back({.kind = Watch::Kind::latch, .hinge = h, .target = hinge.latch->angle});
    }
    if (!hinge.stop) continue;
    for (const double side : {-1.0, 1.0}) {
      const double limit = side < 0 ? hinge.stop->lower : hinge.stop->upper;
      if (!std::isfinite(limit)) continue;
      watches_.push_back({.kind = Watch::Kind::stop, .hinge = h, .target = limit, .outward = side});
    }
  }
  for (const Task& task : tasks_) {
    if (!task.waits || task.when.kind != When::Kind::angle) continue;
    watches_.push_back({.kind = Watch::Kind::angle,
                        .hinge = static_cast<std::size_t>(task.when.hinge),
                        .target = task.when.value});
  }
}

bool HingeEvents::fits() const {
  const std::size_t hinges = model_->hinges.size();
  const auto is_hinge = [&](int index) {
    return index >= 0 && static_cast<std::size_t>(index) < hinges;
  };
  const auto is_task = [&](const Task& task) {
    if (!is_hinge(task.hinge)) return false;
    const bool by_hinge = task.when.kind != When::Kind::time;
    const auto holds = static_cast<int>(hinge(task.hinge).holds.size());
    return (!by_hinge || is_hinge(task.when.hinge)) && task.hold >= kNone && task.hold < holds;
  };
  const auto is_watch = [&](const Watch& watch) { return watch.hinge < hinges; };
  const auto& m = start_;
  const bool started = !m.angle.empty();
  return at_stop_.size() == hinges && holders_.size() == hinges &&
         (!started || m.angle.size() == hinges) && m.rate.size() == m.angle.size() &&
         m.acceleration.size() == m.angle.size() && m.contact.size() == m.angle.size() &&
         std::all_of(tasks_.begin(), tasks_.end(), is_task) &&
         std::all_of(watches_.begin(), watches_.end(), is_watch) && (started || watches_.empty());
}

void HingeEvents::start(HingeMotion now) {
  start_ = std::move(now);
  list_watches();
}

bool HingeEvents::passed(const HingeMotion& end) const {
  return std::any_of(watches_.begin(), watches_.end(),
                     [&](const Watch& watch) { return watch.happened(start_, end); });
}

// Bisection to the last bit. A gap that was closed from the start closes anew within the step, as
// if it had never opened: that happens at the end.
Outcome HingeEvents::locate(const HingeMotion& end, const MotionAt& motion_at, double& time) const {
  time = end.time;
  HingeMotion motion;
  for (const Watch& watch : watches_) {
    const double before = watch.gap(start_);
    if (!watch.happened(start_, end) || (watch.kind == Watch::Kind::stop && before <= 0)) continue;
    double low = start_.time;
    double high = end.time;
    for (;;) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) break;
      const Outcome outcome = motion_at(middle, motion);
      if (!outcome.ok()) return outcome;
      (watch.closed(before, motion) ? high : low) = middle;
    }
    time = std::min(time, high);
  }
  return {};
}

// --------------------------------------------------------------------------------------- tasks

HingeEvents::HingeEvents(const Model& model)
    : model_(&model), at_stop_(model.hinges.size()), holders_(model.hinges.size(), 0) {
  for (std::size_t i = 0; i < model.hinges.size(); ++i) {
    const Hinge& hinge = model.hinges[i];
    const int h = static_cast<int>(i);
    idle_ = idle_ && !hinge.latch && !hinge.stop && !hinge.jam && hinge.holds.empty();
    for (std::size_t k = 0; k < hinge.holds.size(); ++k) {
      const Hold& hold = hinge.holds[k];
      if (!hold.from) ++holders_[i];
      if (hold.from) add_task(Happening::What::hold, h, *hold.from, static_cast<int>(k));
      if (hold.until) add_task(Happening::What::release, h, *hold.until, static_cast<int>(k));
    }
    if (hinge.jam) add_task(Happening::What::jam, h, *hinge.jam, kNone);
  }
  for (std::size_t h = 0; h < model.hinges.size(); ++h) {
    if (model.hinges[h].latched) fire_latched(static_cast<int>(h), 0);
  }
}

void HingeEvents::add_task(Happening::What what, int hinge, const When& when, int hold) {
  Task& task = tasks_.emplace_back(Task{.what = what, .hinge = hinge, .when = when, .hold = hold});
  if (when.kind != When::Kind::time) return;
  task.due = when.value;
  task.waits = false;
}

void HingeEvents::fire(Task& task, double now) {
  task.waits = false;
  task.due = now + task.when.delay;
}

void HingeEvents::fire_latched(int hinge, double now) {
  for (Task& task : tasks_) {
    if (task.waits && task.when.kind == When::Kind::latched && task.when.hinge == hinge) {
      fire(task, now);
    }
  }
}

double HingeEvents::next_time() const {
  double next = kNever;
  for (const Task& task : tasks_) next = std::min(next, task.due);
  return next;
}

// At the target, or beyond it since the step's start.
bool HingeEvents::is_at(std::size_t hinge, double target, const HingeMotion& now) const {
  const double gap = now.angle[hinge] - target;
  const bool crossed = !start_.angle.empty() && gap * (start_.angle[hinge] - target) <= 0;
  return crossed || std::abs(gap) <= kSameAngle;
}

void HingeEvents::fire_angles(const HingeMotion& now) {
  for (Task& task : tasks_) {
    if (!task.waits || task.when.kind != When::Kind::angle) continue;
    if (is_at(static_cast<std::size_t>(task.when.hinge), task.when.value, now)) {
      fire(task, now.time);
    }
  }
}

std::string HingeEvents::tell_cause(const Task& task) const {
  const bool own_angle = task.when.kind == When::Kind::angle && task.when.hinge == task.hinge;
  if (task.when.kind == When::Kind::time || (own_angle && task.when.delay == 0)) return {};
  char text[64] = "";
  if (task.when.delay > 0) std::snprintf(text, sizeof text, "%.6g s after ", task.when.delay);
  const std::string cause = ", " + std::string(text) + "'" + hinge(task.when.hinge).name + "'";
  if (task.when.kind == When::Kind::latched) return cause + " latched";
  std::snprintf(text, sizeof text, " came to %.6g rad", task.when.value);
  return cause + text;
}

// Keeps count of holds. False where the hinge stays as it is: a latch and a jam are for good, and
// one hold of several changes nothing.
bool HingeEvents::carry_out(const Task& task) {
  const Hinge& h = hinge(task.hinge);
  const bool for_good = h.locked == LockKind::latch || h.locked == LockKind::jam;
  int& holders = holders_[static_cast<std::size_t>(task.hinge)];
  if (task.what == Happening::What::hold) return ++holders == 1 && !for_good;
  if (task.what == Happening::What::jam) return !for_good;
  // Over before it began: it never begins.
  for (Task& other : tasks_) {
    const bool same =
        other.what == Happening::What::hold && other.hinge == task.hinge && other.hold == task.hold;
    if (!same || (!other.waits && other.due == kNever)) continue;
    other.waits = false;
    other.due = kNever;
    return false;
  }
  return --holders == 0 && h.locked == LockKind::hold;
}

std::optional<Happening> HingeEvents::next_task(double now) {
  for (;;) {
    const auto first = std::min_element(tasks_.begin(), tasks_.end(),
                                        [](const Task& a, const Task& b) { return a.due < b.due; });
    if (first == tasks_.end() || first->due > now) return std::nullopt;
    first->due = kNever;
    const Task task = *first;
    if (carry_out(task)) {
      return Happening{.what = task.what, .hinge = task.hinge, .cause = tell_cause(task)};
    }
  }
}

// ---------------------------------------------------------------------------------- an instant

std::optional<Happening> HingeEvents::next_latch(const HingeMotion& now) {
  for (std::size_t i = 0; i < model_->hinges.size(); ++i) {
    const Hinge& h = model_->hinges[i];
    if (!h.latch || h.latched || h.lock != kNone || !is_at(i, h.latch->angle, now)) continue;
    fire_latched(static_cast<int>(i), now.time);
    return Happening{.what = Happening::What::latch, .hinge = static_cast<int>(i)};
  }
  return std::nullopt;
}

// What a hinge that stands at its stop does there: it goes on outward, or is pressed on the stop.
std::optional<Happening::What> HingeEvents::meet(std::size_t i, double sense,
                                                 const HingeMotion& now) {
  const double rate = sense * now.rate[i];
  AtStop& past = at_stop_[i];
  if (rate > kStill) {
    past.strikes = past.struck == now.time ? past.strikes + 1 : 1;
    past.struck = now.time;
    return past.strikes > kMostStrikes ? Happening::What::rest : Happening::What::strike;
  }
  const bool pressed = sense * now.acceleration[i] > 0;
  if (rate >= -kStill && pressed && past.parted != now.time) return Happening::What::rest;
  return std::nullopt;
}

std::optional<Happening> HingeEvents::next_stop(const HingeMotion& now) {
  for (std::size_t i = 0; i < model_->hinges.size(); ++i) {
    const Hinge& h = model_->hinges[i];
    if (rests_on_stop(h) && outward_sense(h.locked) * now.contact[i] > 0) {
      at_stop_[i].parted = now.time;
      return Happening{.what = Happening::What::part, .hinge = static_cast<int>(i)};
    }
    if (!h.stop || h.lock != kNone) continue;
    for (const LockKind stop : {LockKind::lower_stop, LockKind::upper_stop}) {
      const double limit = stop == LockKind::lower_stop ? h.stop->lower : h.stop->upper;
      if (!(outward_sense(stop) * (limit - now.angle[i]) <= kSameAngle)) continue;
      const auto what = meet(i, outward_sense(stop), now);
      if (what) return Happening{.what = *what, .hinge = static_cast<int>(i), .stop = stop};
    }
  }
  return std::nullopt;
}

std::optional<Happening> HingeEvents::next(const HingeMotion& now) {
  fire_angles(now);
  if (auto task = next_task(now.time)) return task;
  if (auto latch = next_latch(now)) return latch;
  return next_stop(now);
}

}  // namespace fem
