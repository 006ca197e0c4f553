// Laws of a case. Times are converted as they are read, values when it is known what they measure.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "libfem/base/names.hpp"
#include "libfem/io/case_parts.hpp"
#include "libfem/io/csv_table.hpp"

namespace fem::case_file {
namespace {

// [[time, value], …] with increasing times.
Reader point_list(std::vector<std::array<double, 2>>& points) {
  return increasing_pairs(points, {"time", dim::kTime}, {"value"}, 1);
}

template <class PointLaw>
void read_law_points(ObjectReader& in, PointLaw& law) {
  std::vector<std::array<double, 2>> points;
  in.required("points", point_list(points));
  for (const auto& [time, value] : points) {
    law.times.push_back(time);
    law.values.push_back(value);
  }
}

void read_span(ObjectReader& in, LawSpan& span) {
  in.optional("start", number(span.start, kFinite, dim::kTime));
  in.optional("end", number(span.end, kFinite, dim::kTime));
  if (in.clean() && !(span.end > span.start)) {
    in.wrong_at("end", in.shown("end", dim::kTime) + " is not after the start",
                "must be greater than start, " + in.shown(span.start, dim::kTime));
  }
}

void read_harmonic(ObjectReader& in, HarmonicLaw& law) {
  in.required("amplitude", number(law.amplitude, kFinite));
  in.required("angular_frequency", number(law.angular_frequency, kPositive, dim::kAngularVelocity));
  in.optional("phase", number(law.phase, kFinite, dim::kAngle));
  in.optional("mean", number(law.mean, kFinite));
  read_span(in, law.span);
}

// c_k is in parts of time^k.
void read_polynomial(ObjectReader& in, PolynomialLaw& law) {
  const auto coefficient = [&law](std::size_t k) {
    law.coefficients.resize(k + 1);
    return number(law.coefficients[k], kFinite, dim::time_to(-static_cast<double>(k)));
  };
  in.required("coefficients", list("a list of numbers", 1, kAnyNumber, coefficient));
  read_span(in, law.span);
}

// Of a table: a name in its first line, or a number from 1.
Reader column(CsvColumn& out) {
  const std::string allowed = "the name of a column, or its number from 1";
  return plain(
      allowed,
      [&out](const Tree& tree) {
        const auto* index = tree.as<double>();
        if (const auto* name = tree.as<std::string>()) {
          out = *name;
        } else if (index != nullptr && *index >= 1 && *index <= kMostColumns &&
                   *index == std::floor(*index)) {
          out = static_cast<std::size_t>(*index) - 1;
        } else {
          return false;
        }
        return true;
      },
      any_of({make_object({{"type", {"string"}}}),
              make_object({{"type", {"integer"}}, {"minimum", {1.0}}})}));
}

void load_table(ObjectReader& in, const std::string& file, const std::array<CsvColumn, 2>& columns,
                TableLaw& law) {
  try {
    CsvTable table = load_csv_table(file, columns);
    const double time = in.findings().units.factor(dim::kTime);
    for (double& t : table.x) t *= time;
    law = make_table_law(std::move(table.x), std::move(table.y));
  } catch (const CsvError& error) {
    in.wrong_at(error.in_columns && in.has("columns") ? "columns" : "file", error.what,
                error.remedy);
  }
}

void read_table(ObjectReader& in, TableLaw& law) {
  if (in.exactly_one({"file", "points"}) == "points") {
    std::vector<std::array<double, 2>> points;
    in.optional("points", point_list(points));
    std::vector<double> times, values;
    for (const auto& [time, value] : points) {
      times.push_back(time);
      values.push_back(value);
    }
    if (in.clean()) law = make_table_law(std::move(times), std::move(values));
    return;
  }
  std::optional<std::string> file;
  std::array<CsvColumn, 2> columns{std::size_t{0}, std::size_t{1}};
  in.optional("file", path(file, "the path of a CSV file"));
  in.optional("columns", list("[time, value], two columns", 2, 2,
                              [&columns](std::size_t i) { return column(columns[i]); }));
  if (in.clean() && file) load_table(in, *file, columns, law);
}

void read_expression(ObjectReader& in, ExpressionLaw& law) {
  std::string text_;
  in.required("expression", filled_text(text_, "a formula of t, \"0.1*sin(3*t)\""));
  if (in.clean()) {
    auto parsed = parse_expression_law(text_);
    if (const auto* problem = std::get_if<FormulaProblem>(&parsed)) {
      in.wrong_at("expression", problem->what + " " + fem::show_place(text_, problem->column),
                  problem->remedy);
    } else {
      law = std::move(std::get<ExpressionLaw>(parsed));
      law.time_scale = 1 / in.findings().units.factor(dim::kTime);
    }
  }
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
      {"polynomial", [&] { read_polynomial(in, law.template emplace<PolynomialLaw>()); }},
      {"table", [&] { read_table(in, law.template emplace<TableLaw>()); }},
      {"expression", [&] { read_expression(in, law.template emplace<ExpressionLaw>()); }}};
}

void read_sum(ObjectReader& in, SumLaw& law) {
  const auto term = [&law](std::size_t) {
    SimpleLaw& next = law.terms.emplace_back();
    return object([&next](ObjectReader& keys) {
      keys.by_kind(simple_kinds(keys, next), ObjectReader::Absent::wrong, {});
    });
  };
  in.required("terms", list("a list of laws", 1, kAnyNumber, term));
}

}  // namespace

void read_law(ObjectReader& in, LawDescription& description) {
  auto kinds = simple_kinds(in, description.law);
  kinds.push_back({"sum", [&] { read_sum(in, description.law.emplace<SumLaw>()); }});
  in.by_kind(kinds, ObjectReader::Absent::wrong, {});
}

void convert_laws(std::vector<LawDescription>& laws, Findings& findings) {
  for (LawDescription& law : laws) {
    const NamedQuantity* first = nullptr;
    for (const NamedQuantity& use : findings.quantities) {
      if (use.name != law.name) continue;
      if (first == nullptr) {
        first = &use;
        scale(law.law, findings.units.factor(use.dimension));
      } else if (findings.units.factor(use.dimension) != findings.units.factor(first->dimension)) {
        ++findings.refused;
        findings.problems.push_back(
            {use.pointer,
             "the law '" + law.name + "' is in " + findings.units.name(use.dimension) +
                 " here and in " + findings.units.name(first->dimension) + " at " + first->pointer +
                 ": the units of this case make different laws of it",
             "write the law twice, under two names",
             json::show_place(findings.sources, use.place)});
      }
    }
  }
}

}  // namespace fem::case_file
