// The objects of a case: one function read_… each, which is the table of the object's keys with
// their readers (io/json_reader). A new kind of object is one read_… function and one line in
// read_root.
#include "libfem/io/case_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <functional>
#include <optional>
#include <system_error>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"
#include "libfem/io/json_reader.hpp"
#include "libfem/rod/section_shapes.hpp"

namespace fem {
namespace {

using namespace json;  // the tables below read as tables

constexpr int kMostElements = 10'000'000;
constexpr int kMostSteps = 100'000'000;
constexpr int kMostModes = 1'000'000;
constexpr double kMostOutputRows = 1e7;
constexpr double kMostPoisson = 0.5;

// What is equal on paper passes a check of inequality: both sides are rounded.
constexpr double kRounding = 1e-12;

constexpr Bound kPoisson{[](double x) { return x > -1 && x <= kMostPoisson; },
                         "a number greater than -1 and at most 0.5"};
constexpr Bound kPart{[](double x) { return x >= 0 && x <= 1; }, "a number from 0 to 1"};
constexpr Bound kStrain{[](double x) { return x > -1; }, "a number greater than -1"};
// The simple iteration of the arc-length method contracts for (ω Δt)²/6 < 1 only, that is
// ω Δt < 2.45; 1.7 leaves a factor of two.
constexpr Bound kContracts{[](double x) { return x > 0 && x <= 1.7; },
                           "a number greater than 0 and at most 1.7"};

constexpr const char* kPoint = "the name of a point";
constexpr const char* kHinge = "the name of a hinge";
constexpr const char* kBody = "the name of a body";
constexpr const char* kRod = "the name of a rod";
constexpr const char* kRodOrBody = "the name of a rod or a body";

// ------------------------------------------------------------------------------ names and parts

template <class Out>  // LawReference or std::optional<LawReference>
Reader law_reference(Out& out) {
  return plain("a number or the name of a law", [&out](const Tree& tree) {
    const auto* number = tree.as<double>();
    const auto* name = tree.as<std::string>();
    if (number != nullptr && std::isfinite(*number)) {
      out = *number;
    } else if (name != nullptr) {
      out = *name;
    } else {
      return false;
    }
    return true;
  });
}

// Two names of different things; `things` is "points".
Reader two_names(std::array<std::string, 2>& out, const std::string& things, const char* allowed) {
  const std::string list_allowed = "a list of two names of " + things;
  return {list_allowed, [&out, list_allowed, things, allowed](const Value& value) {
            const auto read_name = [&](const Value& item, std::size_t i) {
              text(out[i], allowed).read(item);
            };
            list(list_allowed, 2, 2, read_name).read(value);
            if (!out[0].empty() && out[0] == out[1]) {
              value.wrong("both names are " + show(out[0]), "must be two different " + things);
            }
          }};
}

// A part that may be absent: read_part(in, part) reads its keys.
template <class Part>
Reader part(std::optional<Part>& out, void (*read_part)(ObjectReader&, Part&)) {
  return object([&out, read_part](ObjectReader& in) { read_part(in, out.emplace()); });
}

void check_name(const Value& item, const std::string& name) {
  if (!is_path_name(name)) item.wrong("the name " + show(name) + " is not allowed", kPathNames);
}

template <class T>
std::string& name_of(T& description) {
  return description.name;
}
std::string& name_of(SupportDescription& support) { return support.point; }

// An object keyed by name; read_item(ObjectReader&, T&) or read_item(const Value&, T&) reads one.
template <class T, class ReadItem>
Reader named(std::vector<T>& out, ReadItem read_item) {
  return keyed([&out, read_item](const Value& item, const std::string& name) {
    check_name(item, name);
    T& description = out.emplace_back();
    name_of(description) = name;
    if constexpr (std::is_invocable_v<ReadItem, ObjectReader&, T&>) {
      object([&](ObjectReader& in) { read_item(in, description); }).read(item);
    } else {
      read_item(item, description);
    }
  });
}

// ------------------------------------------------------------------------- what remembers

// [[weight, time], …]
Reader prony_terms(std::vector<std::array<double, 2>>& terms) {
  const auto read_term = [&terms](const Value& item, std::size_t) {
    number_pair(terms.emplace_back(), "[weight, time]").read(item);
  };
  return list("a list of [weight, time], at least one", 1, kAnyNumber, read_term);
}

// What makes a law physical is checked with the model (hereditary/kernel).
void read_kernel(ObjectReader& in, HereditaryLaw& law) {
  in.optional("form", word(law.form, {{"relaxation", KernelForm::relaxation},
                                      {"retardation", KernelForm::retardation}}));
  in.optional("tolerance", number(law.tolerance, kPositive));
  in.by_kind({{"standard",
               [&] {
                 auto& k = law.kernel.emplace<StandardKernel>();
                 in.required("prolonged", number(k.prolonged, kFinite));
                 in.required("time", number(k.time, kFinite));
               }},
              {"prony",
               [&] { in.required("terms", prony_terms(law.kernel.emplace<PronyKernel>().terms)); }},
              {"rzhanitsyn",
               [&] {
                 auto& k = law.kernel.emplace<RzhanitsynKernel>();
                 in.required("A", number(k.amplitude, kFinite));
                 in.required("alpha", number(k.alpha, kFinite));
                 in.required("b", number(k.rate, kFinite));
               }},
              {"koltunov",
               [&] {
                 auto& k = law.kernel.emplace<KoltunovKernel>();
                 in.required("a", number(k.amplitude, kFinite));
                 in.required("beta", number(k.beta, kFinite));
                 in.required("p", number(k.decay, kFinite));
                 in.required("alpha", number(k.alpha, kFinite));
               }},
              {"slonimsky",
               [&] {
                 auto& k = law.kernel.emplace<SlonimskyKernel>();
                 in.required("a", number(k.amplitude, kFinite));
                 in.required("alpha", number(k.alpha, kFinite));
                 in.required("p", number(k.decay, kFinite));
               }},
              {"rabotnov",
               [&] {
                 auto& k = law.kernel.emplace<RabotnovKernel>();
                 in.required("lambda", number(k.amplitude, kFinite));
                 in.required("alpha", number(k.alpha, kFinite));
                 in.required("b", number(k.rate, kFinite));
               }}},
             ObjectReader::Absent::wrong, {});
}

void read_prehistory(ObjectReader& in, Prehistory& before) {
  in.by_kind({{"natural", [&] { before.emplace<NaturalPrehistory>(); }},
              {"constant",
               [&] {
                 in.optional("deformation",
                             number(before.emplace<ConstantPrehistory>().deformation, kFinite));
               }},
              {"exponential",
               [&] {
                 auto& p = before.emplace<ExponentialPrehistory>();
                 in.required("deformation", number(p.deformation, kFinite));
                 in.required("rate", number(p.rate, kPositive));
               }},
              {"window",
               [&] {
                 auto& p = before.emplace<WindowPrehistory>();
                 in.required("deformation", number(p.deformation, kFinite));
                 in.required("duration", number(p.duration, kPositive));
               }},
              {"table",
               [&] {
                 in.required("points", increasing_pairs(before.emplace<TablePrehistory>().points,
                                                        "time", "deformation", 1));
               }}},
             ObjectReader::Absent::wrong, {});
}

// Of a section: its stiffnesses are given, the kernel's own is 1.
void read_section_memory(ObjectReader& in, SectionHereditaryDescription& memory) {
  in.required("kernel", object([&](ObjectReader& kernel) { read_kernel(kernel, memory.law); }));
  in.optional("prehistory",
              object([&](ObjectReader& part) { read_prehistory(part, memory.before); }));
}

// ------------------------------------------------------------------------------------- sections

void read_given_section(ObjectReader& in, SectionDescription& section) {
  in.required("EA", number(section.axial_stiffness, kPositive));
  in.required("EI", number(section.bending_stiffness, kPositive));
  in.required("GAs", number(section.shear_stiffness, kPositive));
  in.required("mass_per_length", number(section.mass_per_length, kPositive));
  in.required("inertia_per_length", number(section.inertia_per_length, kNotNegative));
  const bool gives_stresses = in.has_any({"height", "E"});  // which take both
  const auto stress_key = [&](std::string_view key, const Reader& reader) {
    gives_stresses ? in.required(key, reader) : in.optional(key, reader);
  };
  stress_key("height", number(section.height, kPositive));
  stress_key("E", number(section.modulus, kPositive));
  if (!in.clean()) return;
  const double least = section.mass_per_length * section.mass_offset * section.mass_offset;
  if (section.inertia_per_length < least * (1 - kRounding)) {
    in.wrong_at(
        "inertia_per_length",
        show(section.inertia_per_length) + " is too small for the mass offset",
        "is about the rod's axis: must be at least mass_per_length mass_offset² = " + show(least));
  }
}

void read_rectangle(ObjectReader& in, RectangleShape& rectangle) {
  in.required("width", number(rectangle.width, kPositive));
  in.required("height", number(rectangle.height, kPositive));
}

void read_circle(ObjectReader& in, CircleShape& circle) {
  in.required("diameter", number(circle.diameter, kPositive));
}

void read_tube(ObjectReader& in, TubeShape& tube) {
  in.required("outer", number(tube.outer, kPositive));
  in.required("inner", number(tube.inner, kNotNegative));
  if (in.clean() && tube.inner >= tube.outer) {
    in.wrong_at("inner", "the inner diameter " + show(tube.inner) + " leaves no wall",
                "must be less than outer, " + show(tube.outer));
  }
}

void read_box(ObjectReader& in, BoxShape& box) {
  in.required("width", number(box.width, kPositive));
  in.required("height", number(box.height, kPositive));
  in.required("wall", number(box.wall, kPositive));
  const double half = std::min(box.width, box.height) / 2;
  if (in.clean() && box.wall >= half) {
    in.wrong_at("wall", "the wall " + show(box.wall) + " leaves no hole",
                "must be less than half of the smaller side, " + show(half));
  }
}

template <class Shape>
Reader shape_reader(SectionShape& out, void (*read_shape)(ObjectReader&, Shape&)) {
  return object([&out, read_shape](ObjectReader& in) { read_shape(in, out.emplace<Shape>()); });
}

void read_poisson_or_shear(ObjectReader& in, Material& material) {
  if (in.exactly_one({"poisson", "G"}) == "poisson") {
    in.optional("poisson", number(material.poisson, kPoisson));
    return;
  }
  constexpr double kWritten = 1e-6;  // E/3 as people write it
  double shear_modulus = 0;
  in.optional("G", number(shear_modulus, kPositive));
  if (!in.clean()) return;
  material.poisson = material.modulus / (2 * shear_modulus) - 1;
  if (!(material.poisson > -1 && material.poisson <= kMostPoisson + kWritten)) {
    in.wrong_at(
        "G", show(shear_modulus) + " makes Poisson's ratio E/(2G) - 1 = " + show(material.poisson),
        "must be at least E/3 = " + show(material.modulus / 3) +
            "; a rod that is not isotropic takes EA, EI, GAs, mass_per_length and "
            "inertia_per_length");
  }
}

void read_shaped_section(ObjectReader& in, SectionDescription& section) {
  Material material;
  SectionShape shape;
  in.required("E", number(material.modulus, kPositive));
  read_poisson_or_shear(in, material);
  in.required("density", number(material.density, kPositive));
  const auto kind = in.exactly_one({"rectangle", "circle", "tube", "box"});
  if (!kind.empty()) {
    in.optional("rectangle", shape_reader(shape, read_rectangle));
    in.optional("circle", shape_reader(shape, read_circle));
    in.optional("tube", shape_reader(shape, read_tube));
    in.optional("box", shape_reader(shape, read_box));
  }
  if (!in.clean()) return;
  const Section made = make_section(material, shape, section.mass_offset);
  section.axial_stiffness = made.axial_stiffness;
  section.bending_stiffness = made.bending_stiffness;
  section.shear_stiffness = made.shear_stiffness;
  section.mass_per_length = made.mass_per_length;
  section.inertia_per_length = made.inertia_per_length;
  section.height = calc_shape_numbers(shape, material.poisson).height;
  section.modulus = material.modulus;
  for (const double value : {made.axial_stiffness, made.bending_stiffness, made.shear_stiffness,
                             made.mass_per_length, made.inertia_per_length}) {
    if (std::isfinite(value) && kPositive.holds(value)) continue;
    return in.wrong("stiffness or mass of the section is beyond the range of numbers",
                    "check the units: m, Pa, kg/m³");
  }
}

void read_section(ObjectReader& in, SectionDescription& section) {
  in.optional("mass_offset", number(section.mass_offset, kFinite));
  in.optional("stiffness_damping", number(section.stiffness_damping, kNotNegative));
  in.optional("mass_damping", number(section.mass_damping, kNotNegative));
  in.optional("hereditary", part(section.hereditary, read_section_memory));
  const bool given = in.has_any({"EA", "EI", "GAs", "mass_per_length", "inertia_per_length"});
  const bool shaped = in.has_any({"poisson", "G", "density", "rectangle", "circle", "tube", "box"});
  if (given != shaped)
    return given ? read_given_section(in, section) : read_shaped_section(in, section);
  in.ignore_other_keys();
  in.wrong(given ? "stiffnesses are given beside a material or shape, which give them too"
                 : "the section has neither stiffnesses nor a shape",
           "give either EA, EI, GAs, mass_per_length and inertia_per_length, or E, poisson (or G), "
           "density and one of rectangle, circle, tube, box");
}

// ----------------------------------------------------------------------------------------- laws

// [[time, value], …] with increasing times.
template <class PointLaw>
void read_law_points(ObjectReader& in, PointLaw& law) {
  std::vector<std::array<double, 2>> points;
  in.required("points", increasing_pairs(points, "time", "value", 1));
  for (const auto& [time, value] : points) {
    law.times.push_back(time);
    law.values.push_back(value);
  }
}

// A list of one number or more.
Reader numbers(std::vector<double>& out) {
  const auto read_number = [&out](const Value& item, std::size_t) {
    double value = 0;
    number(value, kFinite).read(item);
    out.push_back(value);
  };
  return list("a list of numbers", 1, kAnyNumber, read_number);
}

void read_span(ObjectReader& in, LawSpan& span) {
  in.optional("start", number(span.start, kFinite));
  in.optional("end", number(span.end, kFinite));
  if (in.clean() && !(span.end > span.start)) {
    in.wrong_at("end", show(span.end) + " is not after the start",
                "must be greater than start, " + show(span.start));
  }
}

void read_harmonic(ObjectReader& in, HarmonicLaw& law) {
  in.required("amplitude", number(law.amplitude, kFinite));
  in.required("angular_frequency", number(law.angular_frequency, kPositive));
  in.optional("phase", number(law.phase, kFinite));
  in.optional("mean", number(law.mean, kFinite));
  read_span(in, law.span);
}

void read_polynomial(ObjectReader& in, PolynomialLaw& law) {
  in.required("coefficients", numbers(law.coefficients));
  read_span(in, law.span);
}

// Kinds of laws that are no sum; AnyLaw is Law or SimpleLaw.
template <class AnyLaw>
std::vector<ObjectReader::Kind> simple_kinds(ObjectReader& in, AnyLaw& law) {
  return {
      {"constant",
       [&] { in.required("value", number(law.template emplace<ConstantLaw>().value, kFinite)); }},
      {"linear", [&] { read_law_points(in, law.template emplace<LinearLaw>()); }},
      {"smooth", [&] { read_law_points(in, law.template emplace<SmoothLaw>()); }},
      {"steps", [&] { read_law_points(in, law.template emplace<StepsLaw>()); }},
      {"harmonic", [&] { read_harmonic(in, law.template emplace<HarmonicLaw>()); }},
      {"polynomial", [&] { read_polynomial(in, law.template emplace<PolynomialLaw>()); }}};
}

Names laws_not_yet() { return {"table", "expression"}; }

void read_sum(ObjectReader& in, SumLaw& law) {
  const auto read_term = [&law](const Value& item, std::size_t) {
    SimpleLaw& term = law.terms.emplace_back();
    object([&term](ObjectReader& keys) {
      keys.by_kind(simple_kinds(keys, term), ObjectReader::Absent::wrong, laws_not_yet());
    }).read(item);
  };
  in.required("terms", list("a list of laws", 1, kAnyNumber, read_term));
}

void read_law(ObjectReader& in, LawDescription& description) {
  auto kinds = simple_kinds(in, description.law);
  kinds.push_back({"sum", [&] { read_sum(in, description.law.emplace<SumLaw>()); }});
  in.by_kind(kinds, ObjectReader::Absent::wrong, laws_not_yet());
}

// ------------------------------------------------------------------------ points, rods, hinges

// [x, y], or [x, y, z] into the same and `z`.
template <class Third>
Reader two_or_three(std::array<double, 2>& plane, Third& z) {
  return list("[x, y] or [x, y, z], numbers", 2, 3, [&](const Value& item, std::size_t i) {
    i < 2 ? number(plane[i], kFinite).read(item) : number(z, kFinite).read(item);
  });
}

Reader two_or_three(std::array<double, 3>& components) {
  return list("[x, y] or [x, y, z], numbers", 2, 3, [&](const Value& item, std::size_t i) {
    number(components[i], kFinite).read(item);
  });
}

void read_point(const Value& value, PointDescription& point) {
  two_or_three(point.position, point.z).read(value);
}

void read_rod(ObjectReader& in, RodDescription& rod) {
  in.required("section", text(rod.section, "the name of a section"));
  in.required("from", text(rod.from, kPoint));
  in.required("to", text(rod.to, kPoint));
  in.optional("elements", integer(rod.elements, 1, kMostElements));
  in.optional("inertia_field", word(rod.inertia_field, {{"chord", InertiaField::chord},
                                                        {"paper", InertiaField::paper}}));
  in.optional("curvature", number(rod.curvature, kFinite));
  in.optional("elongation", number(rod.elongation, kStrain));
}

void read_hinge_spring(ObjectReader& in, HingeSpringDescription& spring) {
  if (in.exactly_one({"stiffness", "table"}) == "table") {
    in.optional("table", increasing_pairs(spring.table, "angle", "moment", 2));
    return;
  }
  in.optional("stiffness", number(spring.stiffness, kFinite));
  in.optional("neutral", number(spring.neutral, kFinite));
  in.optional("preload", number(spring.preload, kFinite));
}

void read_friction(ObjectReader& in, HingeFrictionDescription& friction) {
  in.required("coulomb", number(friction.coulomb, kNotNegative));
  in.optional("static", number(friction.static_moment, kNotNegative));
  in.optional("stribeck_rate", number(friction.stribeck_rate, kPositive));
  in.optional("regularization", number(friction.regularization, kPositive));
  if (in.clean() && in.has("static") && friction.static_moment < friction.coulomb) {
    in.wrong_at("static", show(friction.static_moment) + " is less than the moment of sliding",
                "must be at least coulomb, " + show(friction.coulomb));
  }
}

void read_stop(ObjectReader& in, HingeStopDescription& stop) {
  in.optional("lower", number(stop.lower, kFinite));
  in.optional("upper", number(stop.upper, kFinite));
  if (in.exactly_one({"stiffness", "restitution"}) == "restitution") {
    in.optional("restitution", number(stop.restitution, kPart));
  } else {
    in.optional("stiffness", number(stop.stiffness, kPositive));
    in.optional("viscosity", number(stop.viscosity, kNotNegative));
  }
  if (!in.has_any({"lower", "upper"})) {
    in.wrong("the stop has no limit", "give at least one of lower, upper");
  }
  if (stop.lower && stop.upper && !(*stop.lower < *stop.upper)) {
    in.wrong_at("upper", show(*stop.upper) + " is not above the lower limit",
                "must be greater than lower, " + show(*stop.lower));
  }
}

void read_latch_spring(ObjectReader& in, LatchSpringDescription& spring) {
  in.required("stiffness", number(spring.stiffness, kPositive));
  in.optional("viscosity", number(spring.viscosity, kNotNegative));
}

void read_latch(ObjectReader& in, HingeLatchDescription& latch) {
  in.required("angle", number(latch.angle, kFinite));
  in.optional("spring", part(latch.spring, read_latch_spring));
}

void read_when_moved(ObjectReader& in, WhenDescription& when) {
  in.optional("delay", number(when.delay, kNotNegative));
  if (in.exactly_one({"angle", "latched"}) == "latched") {
    when.kind = WhenDescription::Kind::latched;
    in.optional("latched", text(when.hinge, kHinge));
  } else {
    when.kind = WhenDescription::Kind::angle;
    in.optional("angle", number(when.value, kFinite));
    in.optional("of", text(when.hinge, kHinge));
  }
}

// A time, or what a hinge has done.
template <class Out>  // WhenDescription in an optional
Reader when_reader(Out& out) {
  const std::string allowed =
      "a time in s, not less than 0, or an object with \"angle\" or \"latched\"";
  return {allowed, [&out, allowed](const Value& value) {
            if (value.tree.as<Tree::Members>() != nullptr) {
              return object([&out](ObjectReader& in) { read_when_moved(in, out.emplace()); })
                  .read(value);
            }
            const auto* time = value.tree.as<double>();
            if (time == nullptr || !std::isfinite(*time) || *time < 0) return value.refuse(allowed);
            out.emplace().value = *time;
          }};
}

void read_hold(ObjectReader& in, HingeHoldDescription& hold) {
  in.optional("from", when_reader(hold.from));
  in.optional("until", when_reader(hold.until));
}

// One hold, or a list of them.
Reader holds_reader(std::vector<HingeHoldDescription>& out) {
  const std::string allowed = "an object, or a list of objects";
  const Reader one = object([&out](ObjectReader& in) { read_hold(in, out.emplace_back()); });
  const auto read_each = [one](const Value& item, std::size_t) { one.read(item); };
  const Reader several = list("a list of at least one object", 1, kAnyNumber, read_each);
  return {allowed, [=](const Value& value) {
            if (value.tree.as<Tree::List>() != nullptr) return several.read(value);
            if (value.tree.as<Tree::Members>() != nullptr) return one.read(value);
            value.refuse(allowed);
          }};
}

// ------------------------------------------------------------------------- elements that remember

// Of an element between points and of one in a hinge.
void read_memory(ObjectReader& in, HereditaryLaw& law, Prehistory& before) {
  in.required("kernel", object([&](ObjectReader& kernel) {
                kernel.required("instantaneous", number(law.instantaneous, kPositive));
                read_kernel(kernel, law);
              }));
  in.optional("prehistory", object([&](ObjectReader& part) { read_prehistory(part, before); }));
}

void read_hereditary(ObjectReader& in, HereditaryDescription& element) {
  in.required("between", two_names(element.between, "points", kPoint));
  in.optional("length", number(element.length, kNotNegative));
  in.optional("rheonomic_length", law_reference(element.rheonomic));
  read_memory(in, element.law, element.before);
}

void read_hereditary_hinge(ObjectReader& in, HingeHereditaryDescription& element) {
  in.optional("neutral", number(element.neutral, kFinite));
  in.optional("rheonomic_angle", law_reference(element.rheonomic));
  read_memory(in, element.law, element.before);
}

void read_hinge(ObjectReader& in, HingeDescription& hinge) {
  in.required("at", text(hinge.at, kPoint));
  in.required("members", two_names(hinge.members, "rods or bodies", kRodOrBody));
  in.optional("drive", law_reference(hinge.drive));
  in.optional("spring", part(hinge.spring, read_hinge_spring));
  in.optional("damper", object([&](ObjectReader& damper) {
                damper.required("viscosity", number(hinge.viscosity, kNotNegative));
              }));
  in.optional("friction", part(hinge.friction, read_friction));
  in.optional("stop", part(hinge.stop, read_stop));
  in.optional("latch", part(hinge.latch, read_latch));
  in.optional("hold", holds_reader(hinge.holds));
  in.optional("jam",
              object([&](ObjectReader& jam) { jam.required("at", when_reader(hinge.jam)); }));
  in.optional("hereditary", part(hinge.hereditary, read_hereditary_hinge));
}

// ------------------------------------------------------------------------------------- supports

Reader fixed_quantities(SupportDescription& support) {
  const auto read_quantity = [&support](const Value& item, std::size_t) {
    bool* fixed = nullptr;
    word(fixed, {{"x", &support.fix_x},
                 {"y", &support.fix_y},
                 {"z", &support.fix_z},
                 {"angle", &support.fix_angle}})
        .read(item);
    if (fixed == nullptr) return;
    if (*fixed) item.wrong(show(item.tree) + " is repeated", "name each quantity once");
    *fixed = true;
  };
  return list("a list of x, y, z, angle", 0, kAnyNumber, read_quantity);
}

void read_support(ObjectReader& in, SupportDescription& support) {
  in.optional("fix", fixed_quantities(support));
  in.optional("x", law_reference(support.x));
  in.optional("y", law_reference(support.y));
  in.optional("z", law_reference(support.z));
  in.optional("angle", law_reference(support.angle));
  in.optional("rod", text(support.rod, kRodOrBody));

  bool holds = false;
  const auto check = [&](const std::string& key, bool fixed, bool prescribed) {
    holds = holds || fixed || prescribed;
    if (fixed && prescribed) {
      in.wrong_at(key, key + " is fixed and prescribed at once",
                  "remove \"" + key + "\" from \"fix\", or this key");
    }
  };
  check("x", support.fix_x, support.x.has_value());
  check("y", support.fix_y, support.y.has_value());
  check("z", support.fix_z, support.z.has_value());
  check("angle", support.fix_angle, support.angle.has_value());
  if (!holds && in.clean()) {
    in.wrong("the support holds nothing",
             "fix or prescribe at least one of x, y, z, angle, or remove the support");
  }
}

// ----------------------------------------------------------------------------------- constraints

Reader term_reader(std::pair<std::string, double>& term) {
  return list("a pair [name, factor]", 2, 2, [&term](const Value& item, std::size_t i) {
    i == 0 ? text(term.first, "the name of a hinge, a body or a coordinate").read(item)
           : number(term.second, kFinite).read(item);
  });
}

void read_linear(ObjectReader& in, ConstraintDescription& c) {
  in.required("terms", list("a list of pairs [name, factor]", 1, kAnyNumber,
                            [&c](const Value& item, std::size_t i) {
                              c.terms.resize(i + 1);
                              term_reader(c.terms[i]).read(item);
                            }));
  in.optional("change", law_reference(c.law));
}

void read_rolling(ObjectReader& in, ConstraintDescription& c) {
  in.required("at", text(c.at, kPoint));
  in.required("body", text(c.body, kBody));
  in.required("radius", number(c.radius, kFinite));
  in.optional("direction", number(c.direction, kFinite));
}

void read_constraint(ObjectReader& in, ConstraintDescription& c) {
  using Kind = ConstraintDescription::Kind;
  const auto kind = [&](std::string_view name, Kind which, const std::function<void()>& read) {
    return ObjectReader::Kind{name, [&c, which, read] {
                                c.kind = which;
                                read();
                              }};
  };
  in.by_kind({kind("linear", Kind::linear, [&] { read_linear(in, c); }),
              kind("distance", Kind::distance,
                   [&] {
                     in.required("between", two_names(c.between, "points", kPoint));
                     in.optional("length", law_reference(c.law));
                   }),
              kind("line", Kind::line,
                   [&] {
                     in.required("at", text(c.at, kPoint));
                     in.required("direction", number(c.direction, kFinite));
                   }),
              kind("circle", Kind::circle,
                   [&] {
                     in.required("at", text(c.at, kPoint));
                     in.required("center", number_pair(c.center, "[x, y]"));
                     in.optional("radius", law_reference(c.law));
                   }),
              kind("curve", Kind::curve,
                   [&] {
                     in.required("at", text(c.at, kPoint));
                     in.required("curve", text(c.curve, "a formula of x, y and t"));
                   }),
              kind("knife_edge", Kind::knife_edge,
                   [&] {
                     in.required("at", text(c.at, kPoint));
                     in.required("body", text(c.body, kBody));
                     in.optional("direction", number(c.direction, kFinite));
                   }),
              kind("rolling", Kind::rolling, [&] { read_rolling(in, c); }),
              kind("expression", Kind::expression,
                   [&] {
                     in.optional("position", text(c.position, "a formula of positions"));
                     in.optional("velocity", text(c.velocity, "a formula of velocities"));
                     static_cast<void>(in.exactly_one({"position", "velocity"}));
                   })},
             ObjectReader::Absent::wrong, {});
}

// ------------------------------------------------------------------- bodies, particles, springs

void read_body(ObjectReader& in, BodyDescription& body) {
  in.required("at", text(body.at, kPoint));
  in.optional("rod", text(body.rod, kRod));
  in.required("mass", number(body.mass, kNotNegative));
  in.required("inertia", number(body.inertia, kNotNegative));
  in.optional("center", number_pair(body.center, "[x, y]"));
  in.optional("carries", list("a list of names of points", 1, json::kAnyNumber,
                              [&](const Value& item, std::size_t i) {
                                body.carries.resize(i + 1);
                                text(body.carries[i], kPoint).read(item);
                              }));
  if (!in.clean()) return;
  const double distance = std::hypot(body.center[0], body.center[1]);
  const double least = body.mass * distance * distance;
  if (body.inertia < least * (1 - kRounding)) {
    in.wrong_at(
        "inertia",
        show(body.inertia) + " is too small for a centre of mass " + show(distance) + " m away",
        "is about the point, not about the centre of mass: must be at least mass "
        "|center|² = " +
            show(least));
  }
}

void read_particle(ObjectReader& in, ParticleDescription& particle) {
  in.required("at", text(particle.at, kPoint));
  in.required("mass", number(particle.mass, kPositive));
  in.optional("velocity", two_or_three(particle.velocity));
}

void read_spring(ObjectReader& in, SpringDescription& spring) {
  in.required("between", two_names(spring.between, "points", kPoint));
  in.optional("stiffness", number(spring.stiffness, kNotNegative));
  in.optional("viscosity", number(spring.viscosity, kNotNegative));
  in.optional("length", number(spring.length, kNotNegative));
  if (in.clean() && spring.stiffness == 0 && spring.viscosity == 0) {
    in.wrong("the spring has neither stiffness nor viscosity",
             "give at least one of them, greater than 0");
  }
}

// ---------------------------------------------------------------------------------------- loads

void demand_force_or_moment(ObjectReader& in) {
  if (!in.has_any({"force", "moment"})) {
    in.wrong("the load has neither force nor moment", "give at least one of them");
  }
}

void read_point_load(ObjectReader& in, PointLoadDescription& load) {
  const auto read_component = [&load](const Value& item, std::size_t i) {
    law_reference(load.force[i]).read(item);
  };
  in.required("at", text(load.at, kPoint));
  in.optional("force", list("[x, y] or [x, y, z], each a number or the name of a law", 2, 3,
                            read_component));
  in.optional("along", {"the names of two points", [&load](const Value& value) {
                two_names(load.along.emplace(), "points", kPoint).read(value);
              }});
  in.optional("moment", law_reference(load.moment));
  in.optional("follower", flag(load.follower));
  in.optional("rod", text(load.rod, kRodOrBody));
  demand_force_or_moment(in);
}

void read_rod_load(ObjectReader& in, RodLoadDescription& load) {
  const auto read_end = [&load](const Value& item, std::size_t i) {
    number_pair(load.force[i], "[x, y]").read(item);
  };
  in.required("on", text(load.on, kRod));
  in.optional("force", list("[[x, y], [x, y]], the forces at both ends", 2, 2, read_end));
  in.optional("moment", number_pair(load.moment, "[from, to]"));
  in.optional("factor", law_reference(load.factor));
  demand_force_or_moment(in);
}

// At a point or along a rod.
Reader load_reader(CaseDescription& description) {
  return keyed([&description](const Value& item, const std::string& name) {
    check_name(item, name);
    object([&](ObjectReader& in) {
      const auto place = in.exactly_one({"at", "on"});
      if (place == "at") {
        auto& load = description.point_loads.emplace_back();
        load.name = name;
        read_point_load(in, load);
      } else if (place == "on") {
        auto& load = description.rod_loads.emplace_back();
        load.name = name;
        read_rod_load(in, load);
      } else {
        in.ignore_other_keys();
      }
    }).read(item);
  });
}

// -------------------------------------------------------------------------------------- initial

// A word, or the velocities of points.
Reader initial_velocity(InitialDescription& initial, const Reader& of_points) {
  const std::string allowed = "\"rest\", \"consistent\", or velocities [x, y] keyed by points";
  return {allowed, [&initial, of_points, allowed](const Value& value) {
            if (value.tree.as<Tree::Members>() != nullptr) return of_points.read(value);
            const auto* given = value.tree.as<std::string>();
            if (given == nullptr || (*given != "rest" && *given != "consistent")) {
              return value.refuse(allowed);
            }
            initial.moves_with_laws = *given == "consistent";
          }};
}

void read_initial(ObjectReader& in, InitialDescription& initial) {
  const auto read_velocity = [](const Value& value, PointVelocityDescription& point) {
    two_or_three(point.velocity).read(value);
  };
  const auto read_rate = [](const Value& value, BodyRateDescription& body) {
    number(body.rate, kFinite).read(value);
  };
  in.optional("velocity", initial_velocity(initial, named(initial.velocities, read_velocity)));
  in.optional("rate", named(initial.rates, read_rate));
  in.optional("from", text(initial.from, "the path of a results file"));
}

// ------------------------------------------------------------------------------------- analysis

void read_arc_length(ObjectReader& in, ArcLengthDescription& method) {
  in.optional("local_tolerance", number(method.local_tolerance, kPositive));
  in.optional("iteration_tolerance", number(method.iteration_tolerance, kPositive));
  in.optional("frequency_limit", number(method.frequency_limit, kContracts));
  in.optional("metric",
              word(method.metric, {{"plain", Metric::plain}, {"scaled", Metric::scaled}}));
  in.optional("reference_length", number(method.reference_length, kPositive));
  in.optional("reference_time", number(method.reference_time, kPositive));
}

constexpr Bound kRadius{[](double x) { return x >= 0 && x <= 1; }, "a number from 0 to 1"};

void read_generalized_alpha(ObjectReader& in, GeneralizedAlphaDescription& method) {
  in.optional("spectral_radius", number(method.spectral_radius, kRadius));
  in.optional("tolerance", number(method.tolerance, kPositive));
  in.optional("step", number(method.step, kPositive));
  if (in.has("step") && in.has("tolerance")) {
    in.wrong_at("tolerance", "steps of a given length do not follow from it",
                "give one of \"step\" and \"tolerance\"");
  }
}

void read_method(ObjectReader& in, AnalysisDescription& analysis) {
  in.by_kind(
      {{"arc_length", [&] { read_arc_length(in, analysis.method); }},
       {"generalized_alpha", [&] { read_generalized_alpha(in, analysis.long_steps.emplace()); }}},
      ObjectReader::Absent::means_the_first, {});
}

void read_output(ObjectReader& in, AnalysisDescription& analysis) {
  in.optional("every", number(analysis.output_every, kPositive));
  if (analysis.end / analysis.output_every > kMostOutputRows) {
    in.wrong_at("every", show(analysis.output_every) + " gives more than 10000000 rows of output",
                "must be at least " + show(analysis.end / kMostOutputRows));
  }
}

void read_statics(ObjectReader& in, StaticsDescription& statics) {
  int steps = 0;
  in.optional("time", number(statics.time, kNotNegative));
  in.optional("path", flag(statics.follow_path));
  in.optional("max_load", number(statics.max_load, kPositive));
  in.optional("steps", integer(steps, 1, kMostSteps));
  if (steps > 0) statics.steps = steps;
  for (const char* key : {"max_load", "steps"}) {
    if (!in.has(key) || statics.follow_path) continue;
    in.wrong_at(key, "it belongs to a path, which is not asked for",
                "add \"path\": true, or remove it");
  }
}

void read_modes(ObjectReader& in, ModesDescription& modes) {
  in.optional("count", integer(modes.count, 1, kMostModes));
  in.optional("about", word(modes.about_statics, {{"start", false}, {"statics", true}}));
}

// A case for statics or modes needs no end.
void read_analysis(ObjectReader& in, AnalysisDescription& analysis) {
  constexpr double kDefaultOutputRows = 200;
  const bool rests = in.has_any({"statics", "modes"}) && !in.has_any({"method", "output"});
  in.optional("statics", object([&](ObjectReader& part) { read_statics(part, analysis.statics); }));
  in.optional("modes", object([&](ObjectReader& part) { read_modes(part, analysis.modes); }));
  const Reader end = number(analysis.end, kPositive);
  rests ? in.optional("end", end) : in.required("end", end);
  analysis.output_every = analysis.end / kDefaultOutputRows;
  in.optional("method", object([&](ObjectReader& method) { read_method(method, analysis); }));
  in.optional("output", object([&](ObjectReader& output) { read_output(output, analysis); }));
}

// --------------------------------------------------------------------------------------- a case

void read_frame(ObjectReader& in, FrameDescription& frame) {
  in.optional("origin", list("[x, y] or [x, y, z], each a number or the name of a law", 2, 3,
                             [&frame](const Value& item, std::size_t i) {
                               law_reference(frame.origin[i]).read(item);
                             }));
  in.optional("angle", law_reference(frame.angle));
  if (!in.has_any({"origin", "angle"})) {
    in.wrong("the frame does not move", "give \"origin\", \"angle\" or both");
  }
}

// A hinge names its members among rods and bodies.
void read_bodies(ObjectReader& in, CaseDescription& description) {
  std::unordered_set<std::string> rods;
  for (const RodDescription& rod : description.rods) rods.insert(rod.name);
  in.optional("bodies", named(description.bodies, [&](ObjectReader& item, BodyDescription& body) {
                read_body(item, body);
                if (rods.count(body.name) != 0) {
                  item.wrong("a rod is named " + show(body.name) + " too",
                             "give the body another name: hinges name rods and bodies alike");
                }
              }));
}

void read_root(ObjectReader& in, CaseDescription& description) {
  in.required("libfem",
              plain("1, the version of the format that this libfem reads", [](const Tree& tree) {
                return tree.as<double>() != nullptr && *tree.as<double>() == 1;
              }));
  in.optional("title", text(description.title, "a text"));
  in.optional("gravity", two_or_three(description.gravity, description.gravity_z));
  in.optional("frame", object([&](ObjectReader& frame) {
                read_frame(frame, description.frame.emplace());
              }));
  in.optional("sections", named(description.sections, read_section));
  in.optional("laws", named(description.laws, read_law));
  in.required("points", named(description.points, read_point));
  in.optional("rods", named(description.rods, read_rod));
  in.optional("hinges", named(description.hinges, read_hinge));
  in.optional("supports", named(description.supports, read_support));
  in.optional("constraints", named(description.constraints, read_constraint));
  read_bodies(in, description);
  in.optional("particles", named(description.particles, read_particle));
  in.optional("springs", named(description.springs, read_spring));
  in.optional("hereditary", named(description.hereditary, read_hereditary));
  in.optional("loads", load_reader(description));
  in.required("analysis", object([&](ObjectReader& analysis) {
                read_analysis(analysis, description.analysis);
              }));
  in.optional("initial",
              object([&](ObjectReader& initial) { read_initial(initial, description.initial); }));
  if (!in.has_any({"rods", "bodies", "particles"})) {
    in.wrong("there is nothing that moves", "add \"rods\", \"bodies\" or \"particles\"");
  }
}

}  // namespace

CaseDescription read_case(std::string_view text) {
  CaseDescription description;
  json::read(text, object([&](ObjectReader& in) { read_root(in, description); }));
  return description;
}

std::string load_text(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& reason) {
    throw FileError("cannot read '" + path.string() + "': " + reason);
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("it is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 65536> chunk{};
  do {
    file.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
  } while (file);
  if (!file.eof()) fail(std::generic_category().message(errno));
  return text;
}

}  // namespace fem
