// Constraints of a case.
#include <algorithm>
#include <functional>
#include <utility>

#include "libfem/io/case_parts.hpp"
#include "libfem/model/constraint_rows.hpp"

namespace fem::case_file {
namespace {

// Formulas speak of coordinates in SI.
Reader formula(std::string& out, const std::string& allowed) {
  const Reader plain_text = filled_text(out, allowed);
  return {allowed,
          [plain_text](const Value& value) {
            plain_text.read(value);
            if (value.findings.units.moves_in_si()) return;
            value.wrong(
                "the coordinates in a formula are in m, s and rad, not in this case's units",
                "give lengths, times and angles of this case in SI: remove them from "
                "\"units\"");
          },
          plain_text.describe};
}

Reader formula(std::optional<std::string>& out, const std::string& allowed) {
  Reader into = formula(out.emplace(), allowed);
  out.reset();
  return {allowed,
          [&out, allowed](const Value& value) { formula(out.emplace(), allowed).read(value); },
          into.describe};
}

Reader term(std::pair<std::string, double>& out) {
  return list("a pair [name, factor]", 2, 2, [&out](std::size_t i) {
    return i == 0 ? filled_text(out.first, "the name of a hinge, a body or a coordinate")
                  : number(out.second, kFinite);
  });
}

void read_linear(ObjectReader& in, ConstraintDescription& c) {
  in.required("terms", list("a list of pairs [name, factor]", 1, kAnyNumber, [&c](std::size_t i) {
                c.terms.resize(i + 1);
                return term(c.terms[i]);
              }));
  in.optional("change", law_reference(c.law, dimension_of_change(c)));
  const std::size_t lengths = count_lengths(c);
  const Units& units = in.findings().units;
  if (in.clean() && lengths > 0 && lengths < c.terms.size() &&
      units.length.second != units.angle.second) {
    in.wrong_at("terms", "lengths and angles are added, in units other than m and rad",
                "give lengths and angles of this case in SI: remove them from \"units\"");
  }
}

void read_rolling(ObjectReader& in, ConstraintDescription& c) {
  in.required("at", filled_text(c.at, kPoint));
  in.required("body", filled_text(c.body, kBody));
  in.required("radius", number(c.radius, kFinite, dim::kLength));
  in.optional("direction", number(c.direction, kFinite, dim::kAngle));
}

}  // namespace

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
                     in.optional("length", law_reference(c.law, dim::kLength));
                   }),
              kind("line", Kind::line,
                   [&] {
                     in.required("at", filled_text(c.at, kPoint));
                     in.required("direction", number(c.direction, kFinite, dim::kAngle));
                   }),
              kind("circle", Kind::circle,
                   [&] {
                     in.required("at", filled_text(c.at, kPoint));
                     in.required("center", number_pair(c.center, "[x, y]", dim::kLength));
                     in.optional("radius", law_reference(c.law, dim::kLength));
                   }),
              kind("curve", Kind::curve,
                   [&] {
                     in.required("at", filled_text(c.at, kPoint));
                     in.required("curve", formula(c.curve, "a formula of x, y and t"));
                   }),
              kind("knife_edge", Kind::knife_edge,
                   [&] {
                     in.required("at", filled_text(c.at, kPoint));
                     in.required("body", filled_text(c.body, kBody));
                     in.optional("direction", number(c.direction, kFinite, dim::kAngle));
                   }),
              kind("rolling", Kind::rolling, [&] { read_rolling(in, c); }),
              kind("expression", Kind::expression,
                   [&] {
                     in.optional("position", formula(c.position, "a formula of positions"));
                     in.optional("velocity", formula(c.velocity, "a formula of velocities"));
                     static_cast<void>(in.exactly_one({"position", "velocity"}));
                   })},
             ObjectReader::Absent::wrong, {});
}

}  // namespace fem::case_file
