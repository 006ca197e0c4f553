// Hinges of a case, and what may happen to them.
#include <cmath>

#include "libfem/io/case_parts.hpp"

namespace fem::case_file {
namespace {

constexpr Bound kPart{.allowed = "a number from 0 to 1", .least = 0, .most = 1};
constexpr Dimension kTurnStiffness = dim::kMoment / dim::kAngle;
constexpr Dimension kTurnViscosity = kTurnStiffness * dim::kTime;

void read_hinge_spring(ObjectReader& in, HingeSpringDescription& spring) {
  if (in.exactly_one({"stiffness", "table"}) == "table") {
    in.optional("table", increasing_pairs(spring.table, {"angle", dim::kAngle},
                                          {"moment", dim::kMoment}, 2));
    return;
  }
  in.optional("stiffness", number(spring.stiffness, kFinite, kTurnStiffness));
  in.optional("neutral", number(spring.neutral, kFinite, dim::kAngle));
  in.optional("preload", number(spring.preload, kFinite, dim::kMoment));
}

void read_friction(ObjectReader& in, HingeFrictionDescription& friction) {
  in.required("coulomb", number(friction.coulomb, kNotNegative, dim::kMoment));
  in.optional("static", number(friction.static_moment, kNotNegative, dim::kMoment));
  in.optional("stribeck_rate", number(friction.stribeck_rate, kPositive, dim::kAngularVelocity));
  in.optional("regularization", number(friction.regularization, kPositive, dim::kAngularVelocity));
  if (in.clean() && in.has("static") && friction.static_moment < friction.coulomb) {
    in.wrong_at("static", in.shown("static", dim::kMoment) + " is less than the moment of sliding",
                "must be at least coulomb, " + in.shown("coulomb", dim::kMoment));
  }
}

void read_stop(ObjectReader& in, HingeStopDescription& stop) {
  in.optional("lower", number(stop.lower, kFinite, dim::kAngle));
  in.optional("upper", number(stop.upper, kFinite, dim::kAngle));
  if (in.exactly_one({"stiffness", "restitution"}) == "restitution") {
    in.optional("restitution", number(stop.restitution, kPart));
  } else {
    in.optional("stiffness", number(stop.stiffness, kPositive, kTurnStiffness));
    in.optional("viscosity", number(stop.viscosity, kNotNegative, kTurnViscosity / dim::kAngle));
  }
  if (!in.has_any({"lower", "upper"})) {
    in.wrong("the stop has no limit", "give at least one of lower, upper");
  }
  if (stop.lower && stop.upper && !(*stop.lower < *stop.upper)) {
    in.wrong_at("upper", in.shown("upper", dim::kAngle) + " is not above the lower limit",
                "must be greater than lower, " + in.shown("lower", dim::kAngle));
  }
}

void read_latch_spring(ObjectReader& in, LatchSpringDescription& spring) {
  in.required("stiffness", number(spring.stiffness, kPositive, kTurnStiffness));
  in.optional("viscosity", number(spring.viscosity, kNotNegative, kTurnViscosity));
}

void read_latch(ObjectReader& in, HingeLatchDescription& latch) {
  in.required("angle", number(latch.angle, kFinite, dim::kAngle));
  in.optional("spring", part(latch.spring, read_latch_spring));
}

void read_when_moved(ObjectReader& in, WhenDescription& when) {
  in.optional("delay", number(when.delay, kNotNegative, dim::kTime));
  if (in.exactly_one({"angle", "latched"}) == "latched") {
    when.kind = WhenDescription::Kind::latched;
    in.optional("latched", filled_text(when.hinge, kHinge));
  } else {
    when.kind = WhenDescription::Kind::angle;
    in.optional("angle", number(when.value, kFinite, dim::kAngle));
    in.optional("of", filled_text(when.hinge, kHinge));
  }
}

// A time, or what a hinge has done.
template <class Out>  // WhenDescription in an optional
Reader when_reader(Out& out) {
  const std::string allowed = "an object with \"angle\" or \"latched\", or a time not less than 0";
  const auto event = [&out] {
    return object([&out](ObjectReader& in) { read_when_moved(in, out.emplace()); });
  };
  const auto time = [&out] { return number(out.emplace().value, kNotNegative, dim::kTime); };
  return {allowed,
          [event, allowed, time](const Value& value) {
            if (value.tree.as<Tree::Members>() != nullptr) return event().read(value);
            const auto* given = value.tree.as<double>();
            if (given == nullptr || !std::isfinite(*given) || *given < 0) {
              return value.refuse(allowed, dim::kTime);
            }
            time().read(value);
          },
          [event, time] {
            return any_of({time().describe(), event().describe()});
          },
          dim::kTime};
}

void read_hold(ObjectReader& in, HingeHoldDescription& hold) {
  in.optional("from", when_reader(hold.from));
  in.optional("until", when_reader(hold.until));
}

// One hold, or a list of them.
Reader holds_reader(std::vector<HingeHoldDescription>& out) {
  const std::string allowed = "an object, or a list of objects";
  const Reader one = object([&out](ObjectReader& in) { read_hold(in, out.emplace_back()); });
  const Reader several =
      list("a list of at least one object", 1, kAnyNumber, [one](std::size_t) { return one; });
  return {allowed,
          [=](const Value& value) {
            if (value.tree.as<Tree::List>() != nullptr) return several.read(value);
            if (value.tree.as<Tree::Members>() != nullptr) return one.read(value);
            value.refuse(allowed);
          },
          [=] {
            return any_of({one.describe(), several.describe()});
          }};
}

}  // namespace

void read_hinge(ObjectReader& in, HingeDescription& hinge) {
  in.required("at", filled_text(hinge.at, kPoint));
  in.required("members", two_names(hinge.members, "rods or bodies", kRodOrBody));
  in.optional("drive", law_reference(hinge.drive, dim::kAngle));
  in.optional("spring", part(hinge.spring, read_hinge_spring));
  in.optional("damper", object([&](ObjectReader& damper) {
                damper.required("viscosity", number(hinge.viscosity, kNotNegative, kTurnViscosity));
              }));
  in.optional("friction", part(hinge.friction, read_friction));
  in.optional("stop", part(hinge.stop, read_stop));
  in.optional("latch", part(hinge.latch, read_latch));
  in.optional("hold", holds_reader(hinge.holds));
  in.optional("jam",
              object([&](ObjectReader& jam) { jam.required("at", when_reader(hinge.jam)); }));
  in.optional("hereditary", part(hinge.hereditary, read_hereditary_hinge));
}

}  // namespace fem::case_file
