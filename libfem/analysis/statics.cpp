#include "libfem/analysis/statics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

#include "libfem/analysis/equilibrium.hpp"
#include "libfem/analysis/free_modes.hpp"
#include "libfem/analysis/take_snapshot.hpp"
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
constexpr double kWantedIterations = 4;  // of an arc step
constexpr double kLeastCosine = 0.8;     // between the tangents of neighbours on the path
constexpr double kLimitSlope = 1e-6;     // |dλ/ds| at a limit point; the error of λ is its square
constexpr int kLimitIterations = 30;

template <class... Numbers>
std::string print(const char* format, Numbers... numbers) {
  char text[256];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

// A point of equilibrium with the path's tangent there, per unit of the path's parameter.
struct Station {
  PathPoint point;
  Direction tangent;
  int negative = 0;
  int iterations = 0;
};

// The parabola through `last` (a parameter `before` earlier) and `now` with the tangent of `now`.
PathPoint extrapolate(const Station* last, const Station& now, double before, double step) {
  PathPoint y = now.point;
  const Index n = now.tangent.q.size();
  y.q.head(n) += step * now.tangent.q;
  y.load += step * now.tangent.load;
  if (last == nullptr) return y;
  const double bend = step / before * step / before;
  y.q.head(n) += bend * (last->point.q.head(n) - now.point.q.head(n) + before * now.tangent.q);
  y.load += bend * (last->point.load - now.point.load + before * now.tangent.load);
  return y;
}

class Statics {
 public:
  Statics(const Model& model, const StaticsOptions& options, Parallelism parallelism,
          Observer& observer)
      : model_(model),
        options_(options),
        observer_(observer),
        system_(model, parallelism),
        load_unit_(options.follow_path ? options.max_load : 1.0),
        equilibrium_(system_, model.analysis.end, load_unit_) {
    const std::vector<double> q = system_.initial_positions();
    start_.q = Eigen::Map<const VectorXd>(q.data(), static_cast<Index>(q.size()));
  }

  RunSummary run() {
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& text : model_.warnings) warn(text);
    for (const std::string& text : system_.projection().warnings) warn(text);
    solve();
    if (summary_.status == RunStatus::running) summary_.status = RunStatus::complete;
    summary_.evaluations = equilibrium_.evaluations();
    summary_.wall_time =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(summary_);
  }

 private:
  void solve() {
    const bool at_rest = equilibrium_.starts_balanced() && !equilibrium_.has_load();
    start_.load = 0;
    equilibrium_.evaluate(start_);
    free_ = find_free_modes(system_.assembled_matrix());
    if (at_rest) {
      if (free_.count > 0)
        warn("nothing loads the structure, and it is a mechanism: " + free_text());
      start_.load = options_.follow_path ? 0 : 1;
      output(start_);
      return;
    }
    if (free_.count > 0) {
      solve_mechanism();
      return;
    }
    if (!equilibrium_.starts_balanced() && !settle()) return;
    output(start_);
    if (options_.follow_path) {
      follow_path();
    } else {
      load_to(1);
    }
  }

  // Loads can hold what has no stiffness of its own, as gravity holds a pendulum that hangs.
  void solve_mechanism() {
    PathPoint y = start_;
    y.load = 1;
    if (!options_.follow_path && equilibrium_.correct(y, {{}, 1}).converged &&
        equilibrium_.largest_turn(equilibrium_.difference(start_, y)) <= kLargestTurn) {
      ++summary_.steps;
      warn("without its load the structure is a mechanism: " + free_text());
      output(y);
      return;
    }
    fail("the structure is a mechanism: " + free_text() +
         "; hold it by supports, drives or springs, or integrate it in time (fem run)");
  }

  [[nodiscard]] std::string free_text() const {
    return print("%d motion%s without stiffness; one moves ", free_.count,
                 free_.count == 1 ? " is" : "s are") +
           describe_mode(system_, free_.mode, equilibrium_.units());
  }

  // The undeformed state is not in equilibrium with itself: lets its forces go, at λ = 0.
  bool settle() {
    equilibrium_.set_settling(true);
    const bool settled = load_to(1);
    equilibrium_.set_settling(false);
    if (settled) {
      start_ = last_.point;
      start_.load = 0;
    }
    return settled;
  }

  // Load steps from start_, the first one the whole load.
  bool load_to(double end) {
    last_ = {.point = start_, .tangent = {}};
    if (!step_at_load(nullptr, 0, 0, last_)) return fail_at(0);
    std::optional<Station> before;
    double step = end;
    while (last_.point.load < end) {
      const double h = std::min(step, end - last_.point.load);
      const double gap = before ? last_.point.load - before->point.load : 0;
      Station next;
      if (step_at_load(before ? &*before : nullptr, gap, h, next)) {
        if (h >= end - last_.point.load) next.point.load = end;
        watch_stability(last_, next);
        before = std::move(last_);
        last_ = std::move(next);
        step = next_load_step(h, last_.iterations);
        if (!accept(last_.point, h)) return false;
      } else {
        ++summary_.rejected_steps;
        step = 0.5 * h;
        if (step < kSmallestLoadStep) return fail_at(last_.point.load);
      }
    }
    return true;
  }

  // Slow convergence shrinks no step: where the tangent lacks terms, small steps are as slow.
  static double next_load_step(double h, int iterations) {
    return iterations <= kFastIterations ? 2 * h : kRecovery * h;
  }

  // One step from last_ with the load held; the tangent is per unit of λ.
  bool step_at_load(const Station* before, double gap, double h, Station& next) {
    const bool first = last_.tangent.q.size() == 0;
    next.point = first ? last_.point : extrapolate(before, last_, gap, h);
    next.point.load = last_.point.load + h;
    const PathPoint guess = next.point;
    if (!correct(next, {{}, 1})) return false;
    next.tangent = equilibrium_.load_rate();
    return first || is_near(guess, next.point);
  }

  // A corrected point further from its guess than the guess from the last point is another branch.
  bool is_near(const PathPoint& guess, const PathPoint& y) {
    const Direction change = equilibrium_.difference(last_.point, y);
    const double missed = equilibrium_.norm(equilibrium_.difference(guess, y));
    const double wanted = equilibrium_.norm(equilibrium_.difference(last_.point, guess));
    return missed <= wanted && equilibrium_.largest_turn(change) <= kLargestTurn;
  }

  bool correct(Station& station, const Direction& normal) {
    const Correction c = equilibrium_.correct(station.point, normal);
    station.negative = c.negative;
    station.iterations = c.iterations;
    if (!c.converged) worst_ = c.worst;
    return c.converged;
  }

  // Unit tangent of the path at the point corrected last, on the side of `ahead`.
  Direction unit_tangent(const Direction& ahead) {
    Direction t = equilibrium_.load_rate();
    const double length = std::copysign(equilibrium_.norm(t), equilibrium_.dot(t, ahead));
    t.q /= length;
    t.load /= length;
    return t;
  }

  void follow_path() {
    last_ = {.point = start_, .tangent = {}};
    if (!correct(last_, {{}, 1})) {
      fail_at(0);
      return;
    }
    last_.tangent = unit_tangent({VectorXd::Zero(equilibrium_.units().size()), 1});
    std::optional<Station> before;
    double gap = 0;
    double step = kFirstArc;
    while (summary_.steps < options_.steps) {
      Station next;
      if (!step_on_path(before ? &*before : nullptr, gap, step, next)) {
        ++summary_.rejected_steps;
        step *= 0.5;
        if (step < kSmallestArc) {
          fail_at(last_.point.load);
          return;
        }
        continue;
      }
      if (last_.tangent.load * next.tangent.load < 0) report_limit(last_, next);
      if (std::abs(next.point.load) >= options_.max_load) {
        finish_path(next);
        return;
      }
      watch_stability(last_, next);
      if (!accept(next.point, step)) return;
      gap = equilibrium_.dot(next.tangent, equilibrium_.difference(last_.point, next.point));
      before = std::move(last_);
      last_ = std::move(next);
      step =
          std::min(kLargestArc,
                   step * std::clamp(std::sqrt(kWantedIterations / std::max(1, last_.iterations)),
                                     0.5, 1.5));
    }
    warn(print("the path ends after %ld points at the load factor %.6g; ask for more with --steps",
               summary_.steps, last_.point.load));
  }

  bool step_on_path(const Station* before, double gap, double step, Station& next) {
    next.point = extrapolate(before, last_, gap, step);
    const PathPoint guess = next.point;
    if (!correct(next, last_.tangent) || !is_near(guess, next.point)) return false;
    next.tangent = unit_tangent(last_.tangent);
    return equilibrium_.dot(next.tangent, last_.tangent) >= kLeastCosine;
  }

  // The point of the path on the plane at the distance s from a, between a and b.
  bool station_between(const Station& a, const Station& b, double s, Station& station) {
    const double whole = equilibrium_.dot(a.tangent, equilibrium_.difference(a.point, b.point));
    station.point = interpolate(a, b, whole, s / whole);
    if (!correct(station, a.tangent)) return false;
    station.tangent = unit_tangent(a.tangent);
    return true;
  }

  // Hermite's cubic; `whole` is the distance of b from a along the tangent of a.
  PathPoint interpolate(const Station& a, const Station& b, double whole, double x) const {
    const Index n = a.tangent.q.size();
    const double slope = whole / equilibrium_.dot(a.tangent, b.tangent);
    const double h0 = x * x * (3 - 2 * x);
    const double ha = x * (1 - x) * (1 - x) * whole;
    const double hb = -x * x * (1 - x) * slope;
    PathPoint y = a.point;
    y.q.head(n) +=
        h0 * (b.point.q.head(n) - a.point.q.head(n)) + ha * a.tangent.q + hb * b.tangent.q;
    y.load += h0 * (b.point.load - a.point.load) + ha * a.tangent.load + hb * b.tangent.load;
    return y;
  }

  // Finds where dλ/ds vanishes between a and b (regula falsi, Illinois) and reports it.
  void report_limit(const Station& a, const Station& b) {
    double s0 = 0, s1 = equilibrium_.dot(a.tangent, equilibrium_.difference(a.point, b.point));
    double f0 = a.tangent.load, f1 = b.tangent.load;
    Station limit;
    bool found = false;
    for (int i = 0; i < kLimitIterations && !found; ++i) {
      const double s = s0 - f0 * (s1 - s0) / (f1 - f0);
      if (!station_between(a, b, s, limit)) break;
      const double f = limit.tangent.load;
      found = std::abs(f) < kLimitSlope * load_unit_;
      if (f * f1 < 0) {
        s0 = s1;
        f0 = f1;
      } else {
        f0 *= 0.5;
      }
      s1 = s;
      f1 = f;
    }
    if (!found) {
      return warn(print("a limit point between the load factors %.6g and %.6g could not be located",
                        a.point.load, b.point.load));
    }
    observer_.event({.time = limit.point.load,
                     .name = "limit point",
                     .what = print("the load factor has a %s of %.9g; most moves ",
                                   a.tangent.load > 0 ? "maximum" : "minimum", limit.point.load) +
                             system_.describe_unknown(equilibrium_.largest_entry(limit.tangent))});
    ++summary_.steps;
    output(limit.point);
  }

  // The step from last_ to `beyond` crosses ±max_load: ends there.
  void finish_path(Station& beyond) {
    const double end = std::copysign(options_.max_load, beyond.point.load);
    const double x = (end - last_.point.load) / (beyond.point.load - last_.point.load);
    const double whole =
        equilibrium_.dot(last_.tangent, equilibrium_.difference(last_.point, beyond.point));
    Station there{.point = interpolate(last_, beyond, whole, x), .tangent = {}};
    there.point.load = end;
    const bool reached = correct(there, {{}, 1});
    watch_stability(last_, reached ? there : beyond);
    accept(reached ? there.point : beyond.point, 0);
  }

  // Tells where the number of unstable directions changes. Pivots say nothing under follower loads,
  // which have no potential.
  void watch_stability(const Station& a, const Station& b) {
    if (a.negative == b.negative || has_followers()) return;
    const bool turned = a.tangent.load * b.tangent.load < 0;  // at a limit point
    const std::string where =
        print("between the load factors %.6g and %.6g ", a.point.load, b.point.load);
    const std::string what = b.negative == 0
                                 ? "the equilibrium becomes stable again"
                                 : print("the equilibrium becomes unstable (%d direction%s)",
                                         b.negative, b.negative == 1 ? "" : "s");
    warn(where + what + (turned ? ", at a limit point" : ", where another branch may leave"));
  }

  [[nodiscard]] bool has_followers() const {
    return std::any_of(model_.point_loads.begin(), model_.point_loads.end(),
                       [](const PointLoad& load) { return load.follower; });
  }

  bool accept(const PathPoint& y, double step) {
    ++summary_.steps;
    if (!equilibrium_.is_settling()) output(y);
    const Progress progress{
        .time = y.load, .end = load_unit_, .step = step, .steps = summary_.steps};
    if (observer_.proceed(progress)) return true;
    summary_.status = RunStatus::interrupted;
    summary_.reason = print("interrupted at the load factor %.9g", y.load);
    return false;
  }

  void output(PathPoint y) {
    equilibrium_.evaluate(y);
    const std::vector<double> rest(system_.size(), 0.0);
    const std::span<const double> q(y.q.data(), rest.size());
    Snapshot s = take_snapshot(system_, {model_.analysis.end, Side::before, q, rest, rest});
    s.time = y.load;
    s.position_violation = violation(y);
    s.velocity_violation = 0;
    const Energies e = system_.energies(model_.analysis.end, Side::before, q, rest);
    s.energy = {.strain = e.strain, .springs = e.springs, .gravity = y.load * e.gravity};
    summary_.final_time = y.load;
    summary_.largest_energy = std::max(summary_.largest_energy, e.strain + std::abs(e.springs));
    summary_.worst_position_violation =
        std::max(summary_.worst_position_violation, s.position_violation);
    observer_.snapshot(s);
  }

  // Largest |f| with the prescribed changes scaled by λ.
  [[nodiscard]] double violation(const PathPoint& y) const {
    double worst = 0;
    for (const Row& row : model_.rows) {
      const double change = row_value(model_, row, model_.analysis.end, Side::before).value;
      const auto q = [&](int c) { return y.q(static_cast<Index>(system_.place(c))); };
      const double f = row_function(row, q) - row.constant - y.load * change;
      worst = std::max(worst, std::abs(f));
    }
    return worst;
  }

  void warn(const std::string& text) {
    summary_.warnings.push_back(text);
    observer_.warning(text);
  }

  bool fail(const std::string& reason) {
    summary_.status = RunStatus::failed;
    summary_.reason = reason;
    return false;
  }

  bool fail_at(double load) {
    if (equilibrium_.is_settling()) {
      return fail(
          "the undeformed structure finds no equilibrium without loads: stresses that it "
          "starts with are too large; worst balanced is " +
          system_.describe_unknown(worst_));
    }
    return fail(
        print("no equilibrium was found beyond the load factor %.9g; worst balanced is ", load) +
        system_.describe_unknown(worst_) +
        (options_.follow_path
             ? "; refine the mesh there, or end the path before with --max-load"
             : "; the structure may carry no more (a limit point: follow it with --path), or "
               "the mesh is too coarse there"));
  }

  const Model& model_;
  const StaticsOptions& options_;
  Observer& observer_;
  System system_;
  double load_unit_;
  Equilibrium equilibrium_;
  PathPoint start_;
  Station last_;
  FreeModes free_;
  std::size_t worst_ = 0;
  RunSummary summary_;
};

}  // namespace

RunSummary run_statics(const Model& model, const StaticsOptions& options, Parallelism parallelism,
                       Observer& observer) {
  FEM_DEMAND(options.max_load > 0 && options.steps > 0);
  return Statics(model, options, parallelism, observer).run();
}

}  // namespace fem
