#include "libfem/analysis/statics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "libfem/analysis/equilibrium.hpp"
#include "libfem/analysis/free_motions.hpp"
#include "libfem/analysis/modes.hpp"
#include "libfem/analysis/path.hpp"
#include "libfem/analysis/static_work.hpp"
#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/base/names.hpp"
#include "libfem/constraint/violation.hpp"
#include "libfem/frame/frame_motion.hpp"
#include "libfem/model/constraint_rows.hpp"
#include "libfem/system/system.hpp"

namespace fem {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Between two points no angle turns further than this: an element that turns by more than half a
// turn would be taken for one that turns the other way round.
constexpr double kLargestTurn = 1.6;
constexpr double kSmallestLoadStep = 1e-6;
constexpr int kFastIterations = 7;  // load steps grow
constexpr double kRecovery = 1.2;   // growth of load steps otherwise
constexpr double kFirstArc = 0.05;  // in the scaled metric
constexpr double kLargestArc = 0.1;
constexpr double kSmallestArc = 1e-7;
constexpr double kFirstKink = 1e-3;      // step behind a kink
constexpr double kWantedIterations = 4;  // of an arc step
constexpr double kLeastCosine = 0.8;     // between the tangents of neighbours on the path
constexpr double kLimitSlope = 1e-8;     // |dλ/ds| at a limit point, of λ_u
constexpr double kSureLoad = 1e-9;       // error of a load factor that is not told, of λ_u
constexpr double kTurnSlope = 1e-8;      // of the loads' displacement at a turning point
constexpr int kMostSearchSteps = 100;    // for the limit point that stops load steps
constexpr double kWorkTolerance = 1e-7;  // of a segment's work, over the largest energy
constexpr double kLedgerTolerance = 1e-6;
constexpr double kEqualAngles = 1e-9;  // rad, two equilibria that differ by no more are the same
constexpr double kEqualStrains = 1e-9;

template <class... Numbers>
std::string print(const char* format, Numbers... numbers) {
  char text[256];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

// What the rods hold between states that are the same equilibrium, and what forces that are
// rounding of places do where a structure is moved as a whole: a balance below it says nothing.
double tolerated_energy(const Model& model) {
  double energy = 0;
  double stiffest = 0;
  for (const Element& e : model.elements) {
    const RodConstants<double>& c = model.types[static_cast<std::size_t>(e.type)];
    energy += 0.5 * c.bending * kEqualAngles * kEqualAngles;
    energy += 0.5 * c.axial * kEqualStrains * kEqualStrains;
    stiffest = std::max(stiffest, c.axial * c.inverse_length);
  }
  return energy + 8 * std::numeric_limits<double>::epsilon() * stiffest * model.size;
}

// The parabola through `last` and `now` with the tangent of `now`, `step` beyond it. All in the
// coordinate of `rate`, dy/ds at `now`; `last` is `before` earlier.
PathPoint extrapolate(const PathPoint* last, const PathPoint& now, const Direction& rate,
                      double before, double step) {
  PathPoint y = now;
  const Index n = rate.q.size();
  y.q.head(n) += step * rate.q;
  y.load += step * rate.load;
  if (last == nullptr) return y;
  const double bend = step / before * step / before;
  y.q.head(n) += bend * (last->q.head(n) - now.q.head(n) + before * rate.q);
  y.load += bend * (last->load - now.load + before * rate.load);
  return y;
}

Direction per_load(const Direction& tangent) { return {tangent.q / tangent.load, 1}; }

// What happens at one point of a segment. Where K is singular there is no tangent to go on by.
struct Happening {
  double s;
  Station station;
  Event event;
  bool is_singular = false;
  bool is_end = false;  // of the segment
};

class Statics {
 public:
  Statics(const Model& model, const StaticsOptions& options, Parallelism parallelism,
          Observer& observer)
      : model_(model),
        options_(options),
        observer_(observer),
        parallelism_(parallelism),
        system_(std::make_unique<System>(model, parallelism)),
        time_(options.time.value_or(calc_statics_time(model))),
        load_unit_(options.follow_path ? options.max_load : 1.0),
        equilibrium_(std::make_unique<Equilibrium>(*system_, time_, load_unit_,
                                                   system_->initial_positions())),
        judges_stability_(!has_followers(model)) {
    const std::vector<double> q = system_->initial_positions();
    start_.q = Eigen::Map<const VectorXd>(q.data(), static_cast<Index>(q.size()));
  }

  StaticsResult run() {
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& text : model_.warnings) warn(text);
    for (const std::string& text : system_->projection().warnings) warn(text);
    solve();
    if (!broken_.empty()) fail(broken_);
    if (summary_.status == RunStatus::running) summary_.status = RunStatus::complete;
    summary_.evaluations = evaluations_ + equilibrium_->evaluations();
    summary_.ledger_tolerance = kLedgerTolerance;
    const double closed = kLedgerTolerance * summary_.largest_energy + tolerated_energy(model_);
    if (summary_.worst_balance > closed) warn_of_open_ledger();
    summary_.wall_time =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (last_positions_.empty()) last_positions_ = model_.start;
    return {std::move(summary_), std::move(last_positions_), last_load_, time_};
  }

 private:
  static bool has_followers(const Model& model) {
    return std::any_of(model.point_loads.begin(), model.point_loads.end(),
                       [](const PointLoad& load) { return load.follower; });
  }

  void solve() {
    const bool at_rest = equilibrium_->starts_balanced() && !equilibrium_->has_load();
    start_.load = 0;
    find_free_motions();
    if (at_rest) {
      if (!free_.empty()) warn("nothing loads the structure, and it is a mechanism: " + free_);
      start_.load = options_.follow_path ? 0 : 1;
      const Station station{.point = start_, .tangent = {}};
      start_energies(station);
      output(station, 0);
      return;
    }
    if (!judges_stability_) {
      warn("whether the equilibrium is stable is not judged: follower loads have no potential");
    }
    if (!free_.empty()) {
      solve_mechanism();
      return;
    }
    if (!equilibrium_->starts_balanced() && !settle()) return;
    options_.follow_path ? follow_path() : load_structure();
  }

  // At λ = 0, in the undeformed state.
  void find_free_motions() {
    const std::vector<double> q(start_.q.data(), start_.q.data() + start_.q.size());
    const Modes modes =
        calc_modes(*system_, q, {.time = time_, .load_factor = 0, .only_free = true});
    if (modes.free_motions == 0) return;
    free_ = print("%d motion%s without resistance: ", modes.free_motions,
                  modes.free_motions == 1 ? " is" : "s are");
    constexpr int most = 4;
    for (int i = 0; i < std::min(most, modes.free_motions); ++i) {
      free_ += (i == 0 ? "" : " | ") + modes.descriptions[static_cast<std::size_t>(i)];
    }
    if (modes.free_motions > most) free_ += " | …";
  }

  // Loads can hold what has no stiffness of its own, as gravity holds a pendulum that hangs.
  void solve_mechanism() {
    Station station{.point = start_, .tangent = {}};
    station.point.load = 1;
    const bool held = !options_.follow_path && judges_stability_ && settle_at_load(station) &&
                      station.negative == 0 && is_turned_little(start_, station.point);
    if (held) {
      ++summary_.steps;
      warn("without its load the structure is a mechanism: " + free_);
      start_energies(station);
      output(station, 1);
      return;
    }
    fail("the structure is a mechanism: " + free_ +
         "; hold it by supports, drives or springs, or integrate it in time (fem run)");
  }

  bool settle_at_load(Station& station) {
    if (settle_station(*equilibrium_, {{}, 1}, {}, station)) return true;
    worst_ = station.worst;
    return false;
  }

  bool is_turned_little(const PathPoint& a, const PathPoint& b) const {
    return equilibrium_->largest_turn(equilibrium_->difference(a, b)) <= kLargestTurn;
  }

  // The undeformed state is not in equilibrium with itself: lets its forces go, at λ = 0.
  bool settle() {
    equilibrium_->set_settling(true);
    const bool settled = begin() && load_to(1);
    equilibrium_->set_settling(false);
    if (settled) {
      start_ = last_.point;
      start_.load = 0;
    }
    return settled;
  }

  // The first station, from start_.
  bool begin() {
    last_ = {.point = start_, .tangent = {}};
    before_.reset();
    if (!settle_at_load(last_)) return fail_at(0);
    start_watches();
    return true;
  }

  void load_structure() {
    if (!begin()) return;
    start_energies(last_);
    output(last_, 0);
    load_to(1);
  }

  // Load steps from last_, the first one all that is left.
  bool load_to(double end) {
    double step = end;
    while (last_.point.load < end) {
      const double h = std::min(step, end - last_.point.load);
      Station next;
      if (step_at_load(h, next)) {
        if (h >= end - last_.point.load) next.point.load = end;
        step = next_load_step(h, next.iterations);
        if (!advance(std::move(next), Along::load, h)) return false;
      } else {
        ++summary_.rejected_steps;
        step = 0.5 * h;
        if (step < kSmallestLoadStep) {
          return fail_at(last_.point.load);
        }
      }
    }
    return true;
  }

  static double next_load_step(double h, int iterations) {
    return iterations <= kFastIterations ? 2 * h : kRecovery * h;
  }

  // One step from last_ with the load held.
  bool step_at_load(double h, Station& next) {
    const double gap = before_ ? last_.point.load - before_->point.load : 0;
    next.point = extrapolate(before_ ? &before_->point : nullptr, last_.point,
                             per_load(last_.tangent), gap, h);
    next.point.load = last_.point.load + h;
    const PathPoint guess = next.point;
    return settle_at_load(next) && is_near(guess, next.point);
  }

  // A corrected point further from its guess than the guess from the last point is another branch.
  bool is_near(const PathPoint& guess, const PathPoint& y) const {
    const double missed = equilibrium_->norm(equilibrium_->difference(guess, y));
    const double wanted = equilibrium_->norm(equilibrium_->difference(last_.point, guess));
    return missed <= wanted && is_turned_little(last_.point, y);
  }

  void follow_path() {
    if (!begin()) return;
    start_energies(last_);
    output(last_, 0);
    double step = kFirstArc;
    while (summary_.steps < options_.steps) {
      Station next;
      Along along = Along::tangent;
      if (!step_on_path(step, next)) {
        ++summary_.rejected_steps;
        step *= 0.5;
        if (step >= kSmallestArc) continue;
        if (!step_over_kink(step, next)) {
          fail_at(last_.point.load);
          return;
        }
        along = Along::motion;
      }
      const double h = step;
      step = next_arc(step, next.iterations);
      if (std::abs(next.point.load) >= options_.max_load) {
        finish_path(std::move(next), along, h);
        return;
      }
      if (!advance(std::move(next), along, h)) return;
      if (along == Along::motion) before_.reset();  // no parabola leads over a kink
    }
    warn(print("the path ends after %ld steps at the load factor %.6g; ask for more with --steps",
               summary_.steps, last_.point.load));
  }

  static double next_arc(double step, int iterations) {
    const double growth = std::sqrt(kWantedIterations / std::max(1, iterations));
    return std::min(kLargestArc, step * std::clamp(growth, 0.5, 1.5));
  }

  bool step_on_path(double step, Station& next) {
    const double gap = before_ ? equilibrium_->dot(last_.tangent, equilibrium_->difference(
                                                                      before_->point, last_.point))
                               : 0;
    next.point =
        extrapolate(before_ ? &before_->point : nullptr, last_.point, last_.tangent, gap, step);
    const PathPoint guess = next.point;
    if (!settle_station(*equilibrium_, last_.tangent, last_.tangent, next)) {
      worst_ = next.worst;
      return false;
    }
    return is_near(guess, next.point) && is_arc(last_, next);
  }

  // Whether the path between two stations may be taken for an arc: both tangents differ little,
  // from each other and from the line between them. Nor may stability change where the motion turns
  // back: that is a kink, where the load turns back and the tangent was put on the wrong side.
  [[nodiscard]] bool is_arc(const Station& a, const Station& b) const {
    const Direction line = equilibrium_->difference(a.point, b.point);
    const double least = kLeastCosine * equilibrium_->norm(line);
    if (equilibrium_->dot(a.tangent, b.tangent) < kLeastCosine ||
        equilibrium_->dot(a.tangent, line) < least || equilibrium_->dot(b.tangent, line) < least) {
      return false;
    }
    return a.negative == b.negative || equilibrium_->dot({a.tangent.q, 0}, {b.tangent.q, 0}) >= 0;
  }

  // At a kink where the load turns back, no plane across the tangent meets the other side of the
  // path. The motion goes on: it is held, and the load is found.
  bool step_over_kink(double& step, Station& next) {
    if (last_.tangent.q.isZero()) return false;
    const Direction ahead = motion_of(*equilibrium_, last_.tangent);
    for (step = kFirstKink; step >= kSmallestArc; step *= 0.5) {
      next.point = last_.point;
      next.point.q.head(ahead.q.size()) += step * ahead.q;
      const PathPoint guess = next.point;
      if (!settle_station(*equilibrium_, ahead, ahead, next)) continue;
      const Direction missed = equilibrium_->difference(guess, next.point);
      const Direction line = equilibrium_->difference(last_.point, next.point);
      const Direction motion = motion_of(*equilibrium_, next.tangent);
      if (equilibrium_->norm({missed.q, 0}) <= step && equilibrium_->norm(line) <= kLargestArc &&
          is_turned_little(last_.point, next.point) &&
          equilibrium_->dot(motion, ahead) >= kLeastCosine) {
        return true;
      }
    }
    return false;
  }

  // The step from last_ to `beyond` crosses ±max_load: ends there.
  void finish_path(Station beyond, Along along, double step) {
    const double end = std::copysign(options_.max_load, beyond.point.load);
    const Segment segment(*equilibrium_, last_, beyond, along);
    const auto missing = [&](const Station& y) { return y.point.load - end; };
    if (missing(beyond) != 0) {
      Station there = segment.find_root(missing, kLimitSlope * load_unit_).station;
      there.point.load = end;
      if (settle_station(*equilibrium_, {{}, 1}, last_.tangent, there)) beyond = std::move(there);
    }
    advance(std::move(beyond), along, step);
  }

  // Takes `next` for the last station and reports what lies between.
  bool advance(Station next, Along along, double step) {
    ++summary_.steps;
    bool proceeds = true;
    if (!equilibrium_->is_settling()) {
      const std::vector<Happening> happenings =
          find_happenings(Segment(*equilibrium_, last_, next, along));
      const Station* from = &last_;
      for (const Happening& h : happenings) {
        observer_.event(h.event);
        if (h.is_singular || h.is_end) continue;
        walk(Segment(*equilibrium_, *from, h.station, along), step);
        from = &h.station;
      }
      walk(Segment(*equilibrium_, *from, next, along), step);
      watch_stability(next);
      watch_level(last_, next);
    }
    const Progress progress{
        .time = next.point.load, .end = load_unit_, .step = step, .steps = summary_.steps};
    if (!observer_.proceed(progress)) {
      summary_.status = RunStatus::interrupted;
      summary_.reason = print("interrupted at the load factor %.9g", next.point.load);
      proceeds = false;
    }
    before_ = std::move(last_);
    last_ = std::move(next);
    if (system_->wants_new_dependents() && !equilibrium_->is_settling() && !choose_dependents()) {
      return fail_at(last_.point.load);
    }
    return proceeds;
  }

  [[nodiscard]] std::vector<double> to_natural(std::span<const double> stored) const {
    std::vector<double> natural;
    natural.reserve(stored.size());
    for (int c = 0; c < model_.coordinates(); ++c) natural.push_back(stored[system_->place(c)]);
    return natural;
  }

  // The last station in a system that chooses its dependent coordinates there.
  bool choose_dependents() {
    const std::size_t size = system_->size();
    std::vector<double> ahead(size, 0.0);
    std::copy(last_.tangent.q.data(), last_.tangent.q.data() + last_.tangent.q.size(),
              ahead.begin());
    system_->complete_change(time_, last_.tangent.load, ahead);
    const std::vector<double> q = to_natural({last_.point.q.data(), size});
    const std::vector<double> t = to_natural(ahead);
    evaluations_ += equilibrium_->evaluations();
    equilibrium_.reset();
    system_ = std::make_unique<System>(model_, parallelism_, q);
    equilibrium_ = std::make_unique<Equilibrium>(*system_, time_, load_unit_, system_->store(q));
    works_.emplace(*system_, *equilibrium_, time_, start_energy_.gravity);
    before_.reset();
    const std::vector<double> stored = system_->store(q), turned = system_->store(t);
    last_.point.q = VectorXd::Map(stored.data(), static_cast<Index>(stored.size()));
    last_.tangent.q = VectorXd::Map(turned.data(), static_cast<Index>(system_->independent()));
    const Direction normal = last_.tangent;
    return settle_station(*equilibrium_, normal, normal, last_);
  }

  // Points of equilibrium and work along a segment.
  void walk(const Segment& segment, double step) {
    const double tolerance =
        kWorkTolerance * std::max(summary_.largest_energy, largest_energy(segment.end().point));
    for (const WorkIntegrator::Part& part : works_->integrate(segment, tolerance)) {
      work_.external += part.work.external;
      work_.rheonomic += part.work.rheonomic;
      output(part.station, step);
    }
  }

  // Limit points, turning points and bifurcations within a segment, in its order.
  std::vector<Happening> find_happenings(const Segment& segment) {
    std::vector<Happening> found;
    const Station& a = segment.begin();
    const Station& b = segment.end();
    const bool limit = slope_.changes(b.tangent.load, level_slope());
    if (limit) add_limit(segment, found);
    largest_load_work_ = std::max(largest_load_work_, std::abs(b.load_work));
    const bool turns = turn_.changes(b.load_work, kTurnSlope * largest_load_work_);
    if (turns && options_.follow_path && !has_moving_rows()) add_turn(segment, found);
    const bool judged = judges_stability_ && !is_level(a) && !is_level(b);
    if (!limit && judged && a.negative != b.negative) add_singular(segment, found);
    std::sort(found.begin(), found.end(),
              [](const Happening& x, const Happening& y) { return x.s < y.s; });
    return found;
  }

  // dλ/ds that is none: at a limit point, and where the path goes on at the same load factor.
  [[nodiscard]] double level_slope() const { return kLimitSlope * load_unit_; }

  [[nodiscard]] bool is_level(const Station& station) const {
    return std::abs(station.tangent.load) <= level_slope();
  }

  // What is watched along the path begins at last_.
  void start_watches() {
    slope_.start(last_.tangent.load, level_slope());
    turn_.start(last_.load_work, 0);
    largest_load_work_ = std::abs(last_.load_work);
    judged_ = {last_.point.load, last_.negative, last_.tangent.load > 0};
    is_told_level_ = false;
  }

  [[nodiscard]] bool has_moving_rows() const {
    return std::any_of(model_.rows.begin(), model_.rows.end(),
                       [](const Row& row) { return row.law != kNone; });
  }

  static void add(const Segment& segment, const Segment::Root& root, Event event,
                  std::vector<Happening>& found) {
    const bool is_end = root.s == 0 || root.s == segment.length();
    found.push_back({root.s, root.station, std::move(event), false, is_end});
  }

  void add_limit(const Segment& segment, std::vector<Happening>& found) {
    Segment::Root root = find_limit_on(segment);
    if (root.load_error > 0) {  // no row may lie beyond the limit
      const double sign = segment.end().tangent.load < 0 ? 1 : -1;
      for (const auto& [s, end] :
           {std::pair{0.0, &segment.begin()}, std::pair{segment.length(), &segment.end()}}) {
        if (sign * (end->point.load - root.station.point.load) > 0) {
          root.s = s;
          root.station = *end;
        }
      }
    }
    add(segment, root, limit_event(segment.end(), root), found);
  }

  [[nodiscard]] Segment::Root find_limit_on(const Segment& segment) const {
    return segment.find_root([](const Station& y) { return y.tangent.load; }, level_slope());
  }

  // The load factor of a root, and how sure it is.
  [[nodiscard]] std::string describe_load(const Segment::Root& root) const {
    std::string load = print("%.9g", root.station.point.load);
    if (root.load_error <= kSureLoad * load_unit_) return load;
    return load + print(" (to %.1g: no equilibrium was found nearer)", root.load_error);
  }

  [[nodiscard]] Event limit_event(const Station& behind, const Segment::Root& limit) const {
    const Station& station = limit.station;
    return {.time = station.point.load,
            .name = "limit point",
            .what = print("the load factor has a %s of ",
                          behind.tangent.load > 0 ? "minimum" : "maximum") +
                    describe_load(limit) + "; most moves " + describe(station.tangent.q)};
  }

  // Where the displacement of the loads turns back (snap-back).
  void add_turn(const Segment& segment, std::vector<Happening>& found) {
    const Segment::Root root = segment.find_root([](const Station& y) { return y.load_work; },
                                                 kTurnSlope * largest_load_work_);
    Event event{.time = root.station.point.load,
                .name = "turning point",
                .what = "the displacement of the loads turns back at the load factor " +
                        describe_load(root) + "; most moves " + describe(root.station.tangent.q)};
    add(segment, root, std::move(event), found);
  }

  void add_singular(const Segment& segment, std::vector<Happening>& found) {
    Segment::SingularPoint point;
    if (!segment.find_singular(point)) return;
    found.push_back(
        {point.s,
         point.station,
         {.time = point.load,
          .name = "bifurcation",
          .what = print("another branch leaves at the load factor %.9g; it moves ", point.load) +
                  describe(point.motion)},
         true});
  }

  // What moves in a motion of the independent coordinates.
  [[nodiscard]] std::string describe(const VectorXd& motion) const {
    std::vector<double> stored(system_->size(), 0.0);
    std::copy(motion.data(), motion.data() + motion.size(), stored.begin());
    system_->complete_change(stored);
    return describe_motion(*system_, stored);
  }

  // Tells where the number of unstable directions changes. Where the path is level, rounding
  // decides what it is.
  void watch_stability(const Station& now) {
    if (!judges_stability_ || is_level(now)) return;
    const Judged before =
        std::exchange(judged_, {now.point.load, now.negative, now.tangent.load > 0});
    if (now.negative == before.negative) return;
    const std::string where =
        print("between the load factors %.6g and %.6g ", before.load, now.point.load);
    const std::string what = now.negative == 0
                                 ? "the equilibrium becomes stable again"
                                 : print("the equilibrium becomes unstable (%d direction%s)",
                                         now.negative, now.negative == 1 ? "" : "s");
    const bool turned = before.rises != judged_.rises;  // at a limit point
    warn(where + what + (turned ? ", at a limit point" : ", where another branch leaves"));
  }

  // Tells where the structure moves on and needs no other load for it.
  void watch_level(const Station& before, const Station& now) {
    const bool level = options_.follow_path && is_level(before) && is_level(now);
    if (level && !is_told_level_) {
      warn(print("the load factor stays %.9g along the path: the equilibrium is neutral; "
                 "most moves ",
                 now.point.load) +
           describe(now.tangent.q));
    }
    is_told_level_ = level;
  }

  // The energies of the first row, to which the ledger refers.
  void start_energies(const Station& station) {
    const std::span<const double> q(station.point.q.data(), system_->size());
    start_energy_ = system_->energies_at_rest(time_, q, station.point.load);
    works_.emplace(*system_, *equilibrium_, time_, start_energy_.gravity);
  }

  [[nodiscard]] double largest_energy(const PathPoint& y) {
    const Energies e = system_->energies_at_rest(time_, {y.q.data(), system_->size()}, y.load);
    return e.strain + std::abs(e.springs) + e.hereditary +
           std::abs(y.load * (e.gravity - start_energy_.gravity));
  }

  void output(const Station& station, double step) {
    PathPoint y = station.point;
    equilibrium_->evaluate(y);
    const std::vector<double> rest(system_->size(), 0.0);
    const std::span<const double> q(y.q.data(), rest.size());
    Snapshot s = take_snapshot(*system_, {time_, Side::before, q, rest, rest, y.load});
    s.time = y.load;
    s.position_violation = violation(y);
    s.velocity_violation = 0;
    s.energy = ledger(y, system_->energies_at_rest(time_, q, y.load));
    s.statics = {.step = step,
                 .iterations = static_cast<double>(station.iterations),
                 .unstable_directions = judges_stability_ ? station.negative : -1.0};
    summary_.final_time = y.load;
    summary_.worst_position_violation =
        std::max(summary_.worst_position_violation, s.position_violation);
    observer_.snapshot(s);
    watch_constraints(y);
    last_positions_ = to_natural({y.q.data(), rest.size()});
    last_load_ = y.load;
  }

  EnergySnapshot ledger(const PathPoint& y, const Energies& now) {
    EnergySnapshot e{.strain = now.strain,
                     .springs = now.springs,
                     .hereditary = now.hereditary,
                     .gravity = y.load * (now.gravity - start_energy_.gravity),
                     .external_work = work_.external,
                     .rheonomic_work = work_.rheonomic};
    e.balance = e.strain + e.springs + e.hereditary + e.gravity - start_energy_.strain -
                start_energy_.springs - start_energy_.hereditary - e.external_work -
                e.rheonomic_work;
    summary_.largest_energy =
        std::max({summary_.largest_energy, e.strain + std::abs(e.springs), e.hereditary,
                  std::abs(e.gravity), std::abs(e.external_work), std::abs(e.rheonomic_work)});
    summary_.worst_balance = std::max(summary_.worst_balance, std::abs(e.balance));
    return e;
  }

  // Largest |f| with the prescribed changes scaled by λ.
  [[nodiscard]] double violation(const PathPoint& y) const {
    double worst = 0;
    for (const Row& row : model_.rows) {
      const auto q = [&](int c) { return y.q(static_cast<Index>(system_->place(c))); };
      worst = std::max(worst, std::abs(row_error(model_, row, time_, Side::before, y.load, q)));
    }
    return worst;
  }

  // States whose constraints do not hold are none of the structure.
  void watch_constraints(const PathPoint& y) {
    if (!broken_.empty()) return;
    const auto broken = find_broken_row(model_, time_, Side::before, y.load, [&](int c) {
      return y.q(static_cast<Index>(system_->place(c)));
    });
    if (broken) broken_ = print("at the load factor %.9g ", y.load) + describe_broken_row(*broken);
  }

  void warn(const std::string& text) {
    summary_.warnings.push_back(text);
    observer_.warning(text);
  }

  void warn_of_open_ledger() {
    warn(print("the energy does not balance along the path: %.3g J of %.3g J; ",
               summary_.worst_balance, summary_.largest_energy) +
         "the path may have left its branch");
  }

  bool fail(const std::string& reason) {
    summary_.status = RunStatus::failed;
    summary_.reason = reason;
    return false;
  }

  bool fail_at(double load) {
    if (equilibrium_->is_settling()) {
      return fail(
          "the undeformed structure finds no equilibrium without loads: the stresses that it "
          "starts with are too large, or without them nothing holds it; worst balanced is " +
          system_->describe_unknown(worst_));
    }
    const std::string worst = "; worst balanced is " + system_->describe_unknown(worst_);
    if (options_.follow_path) {
      return fail(print("no equilibrium was found beyond the load factor %.9g", load) + worst +
                  "; refine the mesh there, or end the path before with --max-load");
    }
    if (find_limit()) {
      return fail(print("the structure carries no more than the load factor %.9g", last_load_) +
                  " (a limit point)" + worst + "; follow the path beyond with --path");
    }
    return fail(print("no equilibrium was found beyond the load factor %.9g", load) + worst +
                "; the mesh may be too coarse there; --path shows how the load goes on");
  }

  // Follows the path from the last station of load steps to the limit point that stopped them.
  bool find_limit() {
    if (last_.tangent.q.size() == 0 || before_ == std::nullopt) return false;
    double step = kSmallestArc;
    for (int i = 0; i < kMostSearchSteps && step >= kSmallestArc; ++i) {
      Station next;
      if (!step_on_path(step, next)) {
        step *= 0.5;
        continue;
      }
      const double h = step;
      step = 2 * next_arc(step, next.iterations);
      if (next.tangent.load <= 0) {
        Segment::Root root = find_limit_on({*equilibrium_, last_, next, Along::tangent});
        observer_.event(limit_event(next, root));
        return root.s == 0 || advance(std::move(root.station), Along::tangent, h);
      }
      if (!advance(std::move(next), Along::tangent, h)) return false;
    }
    return false;
  }

  const Model& model_;
  const StaticsOptions& options_;
  Observer& observer_;
  Parallelism parallelism_;
  std::unique_ptr<System> system_;
  double time_;
  double load_unit_;
  std::unique_ptr<Equilibrium> equilibrium_;
  bool judges_stability_;
  PathPoint start_;
  std::optional<Station> before_;
  Station last_;
  SignWatch slope_;  // of dλ/ds
  SignWatch turn_;   // of what the loads do along the path
  double largest_load_work_ = 0;
  struct Judged {
    double load = 0;
    int negative = 0;
    bool rises = true;
  } judged_;  // the last station that is not level
  bool is_told_level_ = false;
  std::string free_;    // what moves without resistance
  std::string broken_;  // constraint that does not hold, and where
  std::optional<WorkIntegrator> works_;
  StaticWork work_;
  Energies start_energy_;
  std::vector<double> last_positions_;  // natural, of the last row
  double last_load_ = 0;
  long evaluations_ = 0;  // of systems that were given up
  std::size_t worst_ = 0;
  RunSummary summary_;
};

}  // namespace

StaticsResult run_statics(const Model& model, const StaticsOptions& options,
                          Parallelism parallelism, Observer& observer) {
  FEM_DEMAND(options.max_load > 0 && options.steps > 0);
  refuse_rates(model);
  const double time = options.time.value_or(calc_statics_time(model));
  if (const std::string law = find_undefined_law(model, time); !law.empty()) {
    throw InputError(Problem{join_pointer("/laws", law),
                             print("the law is not a finite number at t = %.9g s, when the laws "
                                   "are taken",
                                   time),
                             "take them at another time: --time, or \"statics\": {\"time\"}"});
  }
  refuse_changing_frame(model, time);
  return Statics(model, options, parallelism, observer).run();
}

}  // namespace fem
