#include "libfem/model/hinge_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "libfem/base/names.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string show(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

class PartsReader {
 public:
  PartsReader(const CaseDescription& description, std::size_t index, std::vector<Problem>& problems)
      : units_(description.units),
        all_(description.hinges),
        d_(all_[index]),
        index_(static_cast<int>(index)),
        place_(join_pointer("/hinges", d_.name)),
        problems_(problems) {}

  void read(double start, Hinge& hinge) {
    const std::size_t before = problems_.size();
    check_law();
    if (problems_.size() == before) hinge.law = make_law();
    read_hard_stop(start, hinge);
    read_latch(hinge);
    read_holds(hinge);
    if (d_.jam) hinge.jam = read_when(*d_.jam, place_ + "/jam/at");
    if (d_.jam) refuse_own_latch(*hinge.jam, place_ + "/jam/at");
    refuse_drive(hinge);
  }

 private:
  void report(const std::string& pointer, std::string what, std::string remedy) {
    problems_.push_back({pointer, std::move(what), std::move(remedy)});
  }

  // Numbers in the units of the case.
  std::string angle(double si) const { return show(si, units_, dimension::kAngle); }
  std::string moment(double si) const { return show(si, units_, dimension::kMoment); }
  std::string time(double si) const { return show(si, units_, dimension::kTime); }

  void require(bool good, const std::string& key, double value, const char* allowed) {
    if (!good) report(place_ + key, "the value is " + show(value), allowed);
  }
  void finite(double value, const std::string& key) {
    require(std::isfinite(value), key, value, "give a finite number");
  }
  void positive(double value, const std::string& key) {
    require(std::isfinite(value) && value > 0, key, value, "give a positive, finite number");
  }
  void not_negative(double value, const std::string& key) {
    require(std::isfinite(value) && value >= 0, key, value,
            "give zero or a positive, finite number");
  }

  // ---- the law

  void check_law() {
    not_negative(d_.viscosity, "/damper/viscosity");
    if (d_.spring) check_spring(*d_.spring);
    if (d_.friction) check_friction(*d_.friction);
    if (d_.stop) check_stop(*d_.stop);
  }

  void check_spring(const HingeSpringDescription& spring) {
    finite(spring.stiffness, "/spring/stiffness");
    finite(spring.neutral, "/spring/neutral");
    finite(spring.preload, "/spring/preload");
    const auto& table = spring.table;
    if (table.empty()) return;
    const std::string pointer = place_ + "/spring/table";
    const bool sound = std::all_of(table.begin(), table.end(), [](const auto& point) {
      return std::isfinite(point[0]) && std::isfinite(point[1]);
    });
    const auto turns_back = std::adjacent_find(
        table.begin(), table.end(), [](const auto& a, const auto& b) { return a[0] >= b[0]; });
    if (table.size() < 2) {
      report(pointer, "the table has one point", "give at least two points [angle, moment]");
    } else if (!sound) {
      report(pointer, "a number in the table is not finite", "give finite angles and moments");
    } else if (turns_back != table.end()) {
      report(pointer,
             "the angle " + angle((*(turns_back + 1))[0]) + " does not come after " +
                 angle((*turns_back)[0]),
             "let the angles increase strictly");
    }
    if (spring.stiffness != 0 || spring.neutral != 0 || spring.preload != 0) {
      report(place_ + "/spring", "a table stands beside stiffness, neutral or preload",
             "give the table alone, or the linear spring");
    }
  }

  void check_friction(const HingeFrictionDescription& friction) {
    not_negative(friction.coulomb, "/friction/coulomb");
    not_negative(friction.static_moment, "/friction/static");
    positive(friction.stribeck_rate, "/friction/stribeck_rate");
    positive(friction.regularization, "/friction/regularization");
    if (friction.static_moment != 0 && friction.static_moment < friction.coulomb) {
      report(place_ + "/friction/static",
             moment(friction.static_moment) + " is less than the moment of sliding",
             "give at least coulomb, " + moment(friction.coulomb));
    }
  }

  void check_stop(const HingeStopDescription& stop) {
    if (!stop.lower && !stop.upper) {
      report(place_ + "/stop", "the stop has no limit", "give \"lower\", \"upper\" or both");
    }
    if (stop.lower) finite(*stop.lower, "/stop/lower");
    if (stop.upper) finite(*stop.upper, "/stop/upper");
    if (stop.lower && stop.upper && *stop.lower >= *stop.upper) {
      report(place_ + "/stop/upper", angle(*stop.upper) + " is not above the lower limit",
             "give more than lower, " + angle(*stop.lower));
    }
    if (stop.restitution) {
      require(*stop.restitution >= 0 && *stop.restitution <= 1, "/stop/restitution",
              *stop.restitution, "give a number from 0 (it stays there) to 1 (no energy is lost)");
      if (stop.stiffness != 0 || stop.viscosity != 0) {
        report(place_ + "/stop", "restitution stands beside stiffness or viscosity",
               "give restitution for a hard stop, or stiffness and viscosity for one that gives");
      }
      return;
    }
    positive(stop.stiffness, "/stop/stiffness");
    not_negative(stop.viscosity, "/stop/viscosity");
  }

  [[nodiscard]] std::optional<HingeLaw> make_law() const {
    const bool gives = d_.stop && !d_.stop->restitution;
    if (!d_.spring && d_.viscosity == 0 && !d_.friction && !gives) return std::nullopt;
    HingeParts parts{.viscosity = d_.viscosity};
    if (d_.spring) {
      parts.spring = HingeSpring{.stiffness = d_.spring->stiffness,
                                 .neutral = d_.spring->neutral,
                                 .preload = d_.spring->preload,
                                 .table = d_.spring->table};
    }
    if (d_.friction) {
      parts.friction = HingeFriction{.coulomb = d_.friction->coulomb,
                                     .static_moment = d_.friction->static_moment,
                                     .stribeck_rate = d_.friction->stribeck_rate,
                                     .regularization = d_.friction->regularization};
    }
    if (gives) {
      parts.stop = HingeStop{.lower = d_.stop->lower,
                             .upper = d_.stop->upper,
                             .stiffness = d_.stop->stiffness,
                             .viscosity = d_.stop->viscosity};
    }
    return make_hinge_law(parts);
  }

  // ---- what may happen

  void read_hard_stop(double start, Hinge& hinge) {
    if (!d_.stop || !d_.stop->restitution) return;
    HardStop stop{.restitution = *d_.stop->restitution};
    stop.lower = d_.stop->lower.value_or(stop.lower);
    stop.upper = d_.stop->upper.value_or(stop.upper);
    hinge.stop = stop;
    check_start(hinge, start, units_, problems_);
  }

  void read_latch(Hinge& hinge) {
    if (!d_.latch) return;
    finite(d_.latch->angle, "/latch/angle");
    hinge.latch = Latch{.angle = d_.latch->angle};
    if (const auto& spring = d_.latch->spring) {
      positive(spring->stiffness, "/latch/spring/stiffness");
      not_negative(spring->viscosity, "/latch/spring/viscosity");
      hinge.latch->spring = LatchSpring{spring->stiffness, spring->viscosity};
    }
    const auto& stop = hinge.stop;
    if (stop && (hinge.latch->angle > stop->upper || hinge.latch->angle < stop->lower)) {
      const bool low = hinge.latch->angle < stop->lower;
      report(place_ + "/latch/angle", angle(hinge.latch->angle) + " is beyond a hard stop",
             low ? "give at least " + angle(stop->lower) : "give at most " + angle(stop->upper));
    }
  }

  void read_holds(Hinge& hinge) {
    for (std::size_t k = 0; k < d_.holds.size(); ++k) {
      const HingeHoldDescription& hold = d_.holds[k];
      const std::string pointer =
          place_ + "/hold" + (d_.holds.size() == 1 ? "" : "/" + std::to_string(k));
      Hold& made = hinge.holds.emplace_back();
      if (hold.from) {
        made.from = read_when(*hold.from, pointer + "/from");
        refuse_own_latch(*made.from, pointer + "/from");
      }
      if (!hold.until) continue;
      made.until = read_when(*hold.until, pointer + "/until");
      check_until(made, pointer + "/until");
    }
  }

  void check_until(const Hold& hold, const std::string& pointer) {
    const When& until = *hold.until;
    const bool by_clock = until.kind == When::Kind::time;
    if (!by_clock && until.hinge == index_) {
      report(pointer, "the hinge itself does not move while it is held",
             "name another hinge: {\"latched\": …} or {\"angle\": …, \"of\": …}, or give a time");
    }
    if (!by_clock || (hold.from && hold.from->kind != When::Kind::time)) return;
    const double start = hold.from ? hold.from->value : 0.0;
    if (!(until.value > start)) {
      report(pointer, "the hold ends at " + time(until.value) + ", before it begins",
             "give more than " + time(start));
    }
  }

  // Once it has latched it is locked anyway.
  void refuse_own_latch(const When& when, const std::string& pointer) {
    if (when.kind != When::Kind::latched || when.hinge != index_) return;
    report(pointer, "the hinge waits for its own latch, which locks it",
           "name another hinge, an angle or a time");
  }

  When read_when(const WhenDescription& d, const std::string& pointer) {
    When when{.kind = static_cast<When::Kind>(d.kind), .value = d.value, .delay = d.delay};
    const bool by_clock = d.kind == WhenDescription::Kind::time;
    const bool sound = std::isfinite(d.value) && (!by_clock || d.value >= 0);
    if (!sound) {
      report(pointer, "the value is " + (by_clock ? time(d.value) : angle(d.value)),
             by_clock ? "give a time, a finite number not less than 0" : "give a finite angle");
    }
    if (!std::isfinite(d.delay) || d.delay < 0) {
      report(pointer + "/delay", "the value is " + time(d.delay),
             "give zero or a positive, finite time");
    }
    if (by_clock) return when;
    const bool latched = d.kind == WhenDescription::Kind::latched;
    const std::string key = pointer + (latched ? "/latched" : "/of");
    when.hinge = d.hinge.empty() ? index_ : find_hinge(d.hinge, key);
    if (latched && when.hinge != kNone && !all_[at(when.hinge)].latch) {
      report(key, "hinge '" + d.hinge + "' has no latch",
             "name a hinge with a latch, or give this one a \"latch\"");
    }
    return when;
  }

  int find_hinge(const std::string& name, const std::string& pointer) {
    std::vector<std::string> names;
    for (const HingeDescription& hinge : all_) names.push_back(hinge.name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    const std::string nearest = nearest_name(name, names);
    report(pointer, "there is no hinge '" + name + "'",
           (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") +
               ("the hinges are: " + list_names(names)));
    return kNone;
  }

  // What is driven cannot be stopped by anything else.
  void refuse_drive(const Hinge& hinge) {
    if (!d_.drive) return;
    const auto refuse = [&](bool there, const char* key) {
      if (!there) return;
      report(place_ + key, "the hinge is driven: nothing else can stop it",
             "let the drive's law end where the hinge is to stay, or remove the drive");
    };
    refuse(hinge.latch.has_value(), "/latch");
    refuse(!hinge.holds.empty(), "/hold");
    refuse(hinge.jam.has_value(), "/jam");
    refuse(hinge.stop.has_value(), "/stop/restitution");
  }

  const Units& units_;
  const std::vector<HingeDescription>& all_;
  const HingeDescription& d_;
  int index_;
  std::string place_;
  std::vector<Problem>& problems_;
};

// The hinge that has to move before this one is let go; kNone if there is none.
int awaited(const Hinge& hinge) {
  for (const Hold& hold : hinge.holds) {
    if (!hold.from && hold.until && hold.until->kind != When::Kind::time) return hold.until->hinge;
  }
  return kNone;
}

}  // namespace

void add_hinge_parts(const CaseDescription& description, std::size_t index, double angle,
                     Hinge& hinge, std::vector<Problem>& problems) {
  PartsReader(description, index, problems).read(angle, hinge);
}

void check_start(const Hinge& hinge, double angle, const Units& units,
                 std::vector<Problem>& problems) {
  if (!hinge.stop) return;
  const auto check = [&](bool beyond, const char* key, double limit) {
    if (!beyond) return;
    problems.push_back(
        {join_pointer("/hinges", hinge.name) + "/stop/" + key,
         "the hinge starts at " + show(angle, units, dimension::kAngle) + ", beyond its stop at " +
             show(limit, units, dimension::kAngle),
         "move the limit, let the hinge start elsewhere, or give the stop a stiffness"});
  };
  check(angle > hinge.stop->upper + kSameAngle, "upper", hinge.stop->upper);
  check(angle < hinge.stop->lower - kSameAngle, "lower", hinge.stop->lower);
}

void find_deadlocks(const std::vector<Hinge>& hinges, std::vector<Problem>& problems) {
  std::vector<char> reported(hinges.size(), 0);
  for (std::size_t start = 0; start < hinges.size(); ++start) {
    std::vector<int> chain;
    int h = static_cast<int>(start);
    while (h != kNone && std::find(chain.begin(), chain.end(), h) == chain.end()) {
      chain.push_back(h);
      h = awaited(hinges[at(h)]);
    }
    if (h != static_cast<int>(start) || reported[start] != 0) continue;
    std::vector<std::string> names;
    for (const int member : chain) {
      reported[at(member)] = 1;
      names.push_back(hinges[at(member)].name);
    }
    problems.push_back({join_pointer("/hinges", hinges[start].name) + "/hold/until",
                        "the hinges " + list_names(names) + " wait for one another for ever",
                        "let one of them go by a time or by another hinge"});
  }
}

}  // namespace fem
