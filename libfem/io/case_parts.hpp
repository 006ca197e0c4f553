// What the readers of a case's parts share; the parts themselves are in the files case_*.cpp, one
// read_… function an object, which is the table of the object's keys with their readers
// (io/json_reader).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "libfem/io/json_reader.hpp"
#include "libfem/model/description.hpp"

namespace fem::case_file {

using namespace json;  // the tables read as tables
namespace dim = dimension;

// What is equal on paper passes a check of inequality: both sides are rounded.
inline constexpr double kRounding = 1e-12;

inline constexpr const char* kPoint = "the name of a point";
inline constexpr const char* kHinge = "the name of a hinge";
inline constexpr const char* kBody = "the name of a body";
inline constexpr const char* kRod = "the name of a rod";
inline constexpr const char* kRodOrBody = "the name of a rod or a body";

/// A number, in the unit of the quantity that follows the law, or the name of a law.
template <class Out>  // LawReference or std::optional<LawReference>
Reader law_reference(Out& out, Dimension dimension) {
  const std::string allowed = "a number or the name of a law";
  double unused = 0;
  const Schema number_or_name = any_of({number(unused, kFinite, dimension).describe(),
                                        make_object({{"type", {"string"}}, {"minLength", {1.0}}})});
  return {
      allowed,
      [&out, allowed, dimension](const Value& value) {
        double constant = 0;
        const auto* name = value.tree.as<std::string>();
        if (name != nullptr && !name->empty()) {
          out = *name;
          value.findings.quantities.push_back({*name, dimension, value.pointer, value.tree.place});
        } else if (value.tree.as<double>() != nullptr) {
          number(constant, {.allowed = allowed.c_str()}, dimension).read(value);
          out = constant;
        } else {
          value.refuse(allowed, dimension);
        }
      },
      [number_or_name] { return number_or_name; }, dimension};
}

/// Two names of different things; `things` is "points".
[[nodiscard]] Reader two_names(std::array<std::string, 2>& out, const std::string& things,
                               const char* allowed);

/// A list of names, at least one.
[[nodiscard]] Reader name_list(std::vector<std::string>& out, const std::string& allowed_list,
                               const char* allowed);

/// The path of a file, from the folder of the file in which it is written.
[[nodiscard]] Reader path(std::optional<std::string>& out, const std::string& allowed);

/// A part that may be absent: read_part(in, part) reads its keys.
template <class Part>
Reader part(std::optional<Part>& out, void (*read_part)(ObjectReader&, Part&)) {
  return object([&out, read_part](ObjectReader& in) { read_part(in, out.emplace()); });
}

template <class T>
std::string& name_of(T& description) {
  return description.name;
}
inline std::string& name_of(SupportDescription& support) { return support.point; }

/// An object keyed by name; read_item(ObjectReader&, T&) reads one, or item_reader(T&) is the
/// reader of one.
template <class T, class ReadItem>
Reader named(std::vector<T>& out, ReadItem read_item) {
  return keyed([&out, read_item](const std::string& name) -> Reader {
    T& description = out.emplace_back();
    name_of(description) = name;
    if constexpr (std::is_invocable_v<ReadItem, ObjectReader&, T&>) {
      return object([&description, read_item](ObjectReader& in) { read_item(in, description); });
    } else {
      return read_item(description);
    }
  });
}

// The parts.
void read_section(ObjectReader& in, SectionDescription& section);
void read_law(ObjectReader& in, LawDescription& law);
void read_rod(ObjectReader& in, RodDescription& rod);
void read_hinge(ObjectReader& in, HingeDescription& hinge);
void read_constraint(ObjectReader& in, ConstraintDescription& constraint);
void read_hereditary(ObjectReader& in, HereditaryDescription& element);
void read_hereditary_hinge(ObjectReader& in, HingeHereditaryDescription& element);
void read_section_memory(ObjectReader& in, SectionHereditaryDescription& memory);

/// Laws are read in numbers of the case; what uses them says what they measure. Adds what is wrong:
/// a law that is used for quantities of different units.
void convert_laws(std::vector<LawDescription>& laws, Findings& findings);

}  // namespace fem::case_file
