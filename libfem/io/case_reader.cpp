// From text to description, in the order of this file:
//   text      is it UTF-8, is it JSON; line and column of what is not
//   tree      ordered_json, built here to see what nlohmann's own builder hides: keys given twice,
//             numbers out of range, nesting
//   readers   one value each: a number in its range, a word, a list, the keys of an object
//   objects   one function read_… an object: the table of its keys, each with its reader
// A new kind of object is one read_… function and one line in read_root.
#include "libfem/io/case_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <system_error>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"

namespace fem {
namespace {

using Json = nlohmann::ordered_json;
using Members = Json::object_t;
using Names = std::vector<std::string_view>;
using Problems = std::vector<Problem>;

constexpr std::size_t kDeepestNesting = 64;
constexpr int kMostElements = 10'000'000;
constexpr double kMostOutputRows = 1e7;

// ---------------------------------------------------------------------------------------- text

bool continues_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// Bytes of the code point at the start of `text`; 0 where it is no text: not UTF-8 (RFC 3629), or
// the zero byte, which the JSON lexer would take for the end.
std::size_t code_point_size(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continued = [&](std::size_t size) {
    return size <= text.size() &&
           std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(size),
                       continues_code_point);
  };
  const unsigned lead = byte(0);
  const unsigned next = byte(1);
  if (lead > 0 && lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return continued(2) ? 2 : 0;
  if (lead >= 0xE0 && lead < 0xF0) {
    const bool overlong = lead == 0xE0 && next < 0xA0;
    const bool surrogate = lead == 0xED && next >= 0xA0;
    return continued(3) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead < 0xF5) {
    const bool overlong = lead == 0xF0 && next < 0x90;
    const bool beyond_unicode = lead == 0xF4 && next >= 0x90;
    return continued(4) && !overlong && !beyond_unicode ? 4 : 0;
  }
  return 0;
}

// Where `text` stops being text; its size if it does not.
std::size_t find_bad_byte(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    const std::size_t size = code_point_size(text.substr(offset));
    if (size == 0) break;
    offset += size;
  }
  return offset;
}

std::string shorten(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  while (limit > 0 && continues_code_point(text[limit])) --limit;
  return std::string(text.substr(0, limit)) + "…";
}

std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::string_view row = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto column = 1 + std::count_if(row.begin(), row.end(),
                                        [](char byte) { return !continues_code_point(byte); });
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": ";
}

Problem bad_byte_problem(std::string_view text, std::size_t offset) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(text[offset]);
  return {"",
          line_and_column(text, offset) + "byte 0x" + kDigits[byte / 16] + kDigits[byte % 16] +
              " is not valid UTF-8 text",
          "save the file as plain text in UTF-8"};
}

// What to write instead, by what nlohmann says it was reading.
std::string syntax_remedy(std::string_view message) {
  constexpr std::array<std::array<std::string_view, 2>, 6> kRemedies{{
      {"unexpected end of input", "close every { with } and every [ with ]"},
      {"parsing object key",
       "a key is a text in double quotes, and no comma stands after the last entry"},
      {"parsing object separator", "a colon stands between a key and its value"},
      {"parsing object", "a comma stands between two entries, and } closes the object"},
      {"parsing array", "a comma stands between two values, and ] closes the list"},
      {"",
       "a value is a number, a text in double quotes, true, false, null, a [list] or an "
       "{object}, and no comma stands after the last one"},
  }};
  const auto* remedy = std::find_if(kRemedies.begin(), kRemedies.end(), [&](const auto& entry) {
    return message.find(entry[0]) != std::string_view::npos;
  });
  return std::string((*remedy)[1]);
}

// Where the token begins that was refused; `end` is just behind the last byte that was read.
std::size_t refused_offset(std::string_view text, std::size_t end, std::size_t token_size,
                           std::string_view what) {
  const auto says = [&](std::string_view part) {
    return what.find(part) != std::string_view::npos;
  };
  if (says("end of input") || end == 0 || end > text.size()) return text.size();
  if (says("unexpected string literal") && token_size <= end) return end - token_size;
  std::size_t offset = end - 1;
  if (says("literal") || says("invalid number")) {  // a word or a number: back to its start
    constexpr std::string_view kBetween = " \t\r\n[]{},:\"/";
    while (offset > 0 && kBetween.find(text[offset - 1]) == std::string_view::npos) --offset;
  }
  return offset;
}

// nlohmann's message is "[…] parse error at …: syntax error while parsing CONTEXT - WHAT", then
// perhaps "; last read: …" and "; expected …".
Problem syntax_problem(std::string_view text, std::size_t end, std::string_view token,
                       std::string_view message) {
  message = message.substr(0, std::min(message.find("; last read: "), message.find("; expected ")));
  const std::string_view what = message.substr(message.find(" - ") + 3);
  const std::size_t offset = refused_offset(text, end, token.size(), what);
  const std::string_view rest = text.substr(offset);
  const std::string near = shorten(rest.substr(0, rest.find_first_of("\r\n")), 20);
  return {"",
          line_and_column(text, offset) + std::string(what) +
              (near.empty() ? "" : ", near '" + near + "'"),
          syntax_remedy(message)};
}

// ---------------------------------------------------------------------------------------- tree

// A value as a message shows it.
std::string show(const Json& json) {
  if (json.is_object()) return "an object";
  if (json.is_array()) return "a list of " + std::to_string(json.size());
  return shorten(json.dump(), 40);
}

// nlohmann reads numbers as long double here: those beyond double are then reported one by one,
// where with double the first would end the reading.
using WideJson = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                      std::int64_t, std::uint64_t, long double>;

// The double nearest to what is written; infinite when beyond its range. Not rounded from `wide`,
// which would round twice.
double to_double(long double wide, std::string token) {
  const auto is_decimal_point = [](char c) {  // nlohmann puts the locale's in
    return std::string_view("0123456789+-eE").find(c) == std::string_view::npos;
  };
  std::replace_if(token.begin(), token.end(), is_decimal_point, '.');
  double value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc::result_out_of_range && std::abs(wide) > 1) {
    return std::copysign(std::numeric_limits<double>::infinity(), wide < 0 ? -1.0 : 1.0);
  }
  return value;
}

// Builds the tree from nlohmann's SAX events (function names are its own). A number beyond double
// is reported here, where its text is known, and stands in the tree as an infinity.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, Problems& problems) : text_(text), problems_(problems) {}

  [[nodiscard]] Json take_root() { return std::move(root_); }

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) { return put(value); }
  bool number_float(long double wide, const std::string& token) {
    const double value = to_double(wide, token);
    put(value);
    if (std::isinf(value)) report_overflow(token);
    return true;
  }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(WideJson::binary_t& /*value*/) { return false; }  // JSON text has none

  bool start_object(std::size_t /*size*/) { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    Open& object = open_.back();
    // Not through ordered_json's operator[], which searches all keys before.
    object.container->get_ref<Members&>().emplace_back(name, nullptr);
    if (!object.keys.insert(name).second) {
      report("the key " + show(name) + " is given twice in this object", "keep one of them");
    }
    return true;
  }

  bool parse_error(std::size_t end, const std::string& token, const Json::exception& error) {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) {  // beyond long double too
      put(nullptr);
      report_overflow(token);
    } else {
      problems_ = {syntax_problem(text_, end, token, error.what())};
    }
    return false;
  }

 private:
  struct Open {
    Json* container;
    std::unordered_set<std::string> keys;
  };

  bool put(Json value) {
    place(std::move(value));
    return true;
  }

  Json& place(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    Json& container = *open_.back().container;
    if (container.is_object()) {
      return container.get_ref<Members&>().back().second = std::move(value);
    }
    container.push_back(std::move(value));
    return container.back();
  }

  bool open(Json container) {
    open_.push_back({&place(std::move(container)), {}});
    if (open_.size() <= kDeepestNesting) return true;
    open_.pop_back();
    report("objects and lists are nested deeper than " + std::to_string(kDeepestNesting),
           "no part of a case nests that deep; remove it");
    return false;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  void report_overflow(const std::string& token) {
    report(shorten(token, 40) + " is not finite as a double", "write a number within ±1.79e308");
  }

  // About the value or key that came last.
  void report(std::string what, std::string remedy) {
    std::string pointer;
    for (const Open& level : open_) {
      const Json& container = *level.container;
      pointer = join_pointer(pointer, container.is_object()
                                          ? container.get_ref<const Members&>().back().first
                                          : std::to_string(container.size() - 1));
    }
    problems_.push_back({std::move(pointer), std::move(what), std::move(remedy)});
  }

  std::string_view text_;
  Problems& problems_;
  Json root_;
  std::vector<Open> open_;  // from the root to the innermost; their addresses hold while open
};

// The tree of the text; throws what is wrong when the reading has to stop.
Json parse(std::string_view text, Problems& problems) {
  if (const std::size_t bad = find_bad_byte(text); bad < text.size()) {
    throw InputError(bad_byte_problem(text, bad));
  }
  TreeBuilder builder(text, problems);
  const bool complete =
      WideJson::sax_parse(text, &builder, nlohmann::detail::input_format_t::json, true, true);
  if (!complete) throw InputError(std::move(problems));
  return builder.take_root();
}

// --------------------------------------------------------------------------------------- names

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string join(const Names& names) {
  std::string text;
  for (const std::string_view name : names) (text += text.empty() ? "" : ", ") += name;
  return text;
}

// What to write instead of a name that is not among the allowed ones.
std::string name_remedy(std::string_view found, const Names& allowed, const Names& not_yet) {
  std::string remedy;
  if (contains(not_yet, found)) {
    remedy = "this version of libfem does not have it yet; ";
  } else if (const std::string meant = nearest_name(found, allowed); !meant.empty()) {
    remedy = "did you mean '" + meant + "'? ";
  }
  return remedy + "allowed: " + join(allowed);
}

// ------------------------------------------------------------------------------------- readers

// A value of the case, where it stands, and the list that takes what is wrong with it.
struct Value {
  const Json& json;
  std::string pointer;
  Problems& problems;

  [[nodiscard]] Value member(std::string_view key, const Json& child) const {
    return {child, join_pointer(pointer, key), problems};
  }
  [[nodiscard]] Value element(std::size_t index) const {
    return {json[index], join_pointer(pointer, std::to_string(index)), problems};
  }
  void wrong(std::string what, std::string remedy) const {
    const bool reported_by_builder = json.is_number() && !std::isfinite(json.get<double>());
    if (!reported_by_builder) problems.push_back({pointer, std::move(what), std::move(remedy)});
  }
  void refuse(const std::string& allowed) const {
    wrong(show(json) + " is not allowed", "must be " + allowed);
  }
};

// Reads one value into its place, or reports what is wrong with it and leaves the place alone.
struct Reader {
  std::string allowed;  // what may stand there, "a number greater than 0"
  std::function<void(const Value&)> read;
};

// A reader of one plain value; `accept` stores it or answers false.
Reader plain(const std::string& allowed, const std::function<bool(const Json&)>& accept) {
  return {allowed, [allowed, accept](const Value& value) {
            if (!accept(value.json)) value.refuse(allowed);
          }};
}

struct Bound {
  bool (*holds)(double);
  const char* allowed;
};
constexpr Bound kFinite{[](double) { return true; }, "a finite number"};
// Subnormal numbers are not taken for positive: dividing by them overflows.
constexpr Bound kPositive{[](double x) { return x >= std::numeric_limits<double>::min(); },
                          "a number greater than 0"};
constexpr Bound kNotNegative{[](double x) { return x >= 0; }, "a number not less than 0"};
constexpr Bound kZero{[](double x) { return x == 0; },
                      "0: this version of libfem does not have mass offset from the axis yet"};
// The simple iteration of the arc-length method contracts for (ω Δt)²/6 < 1 only, that is
// ω Δt < 2.45; 1.7 leaves a factor of two.
constexpr Bound kContracts{[](double x) { return x > 0 && x <= 1.7; },
                           "a number greater than 0 and at most 1.7"};

template <class Out>  // double or std::optional<double>
Reader number(Out& out, Bound bound) {
  return plain(bound.allowed, [&out, bound](const Json& json) {
    if (!json.is_number()) return false;
    const auto value = json.get<double>();
    if (!std::isfinite(value) || !bound.holds(value)) return false;
    out = value;
    return true;
  });
}

Reader integer(int& out, int least, int most) {
  const std::string allowed =
      "an integer from " + std::to_string(least) + " to " + std::to_string(most);
  return plain(allowed, [&out, least, most](const Json& json) {
    if (!json.is_number()) return false;
    const auto value = json.get<double>();
    if (!(value >= least && value <= most) || value != std::floor(value)) return false;
    out = static_cast<int>(value);
    return true;
  });
}

template <class Out>  // std::string or std::optional<std::string>
Reader text(Out& out, const std::string& allowed) {
  return plain(allowed, [&out](const Json& json) {
    if (!json.is_string()) return false;
    out = json.get<std::string>();
    return true;
  });
}

Reader law_reference(std::optional<LawReference>& out) {
  return plain("a number or the name of a law", [&out](const Json& json) {
    if (json.is_number()) out = json.get<double>();
    if (json.is_string()) out = json.get<std::string>();
    return json.is_number() || json.is_string();
  });
}

template <class T>
using Words = std::vector<std::pair<std::string_view, T>>;

template <class T>
Reader word(T& out, const std::type_identity_t<Words<T>>& words, const Names& not_yet = {}) {
  Names allowed;
  for (const auto& [name, meaning] : words) allowed.push_back(name);
  return {"one of " + join(allowed), [&out, words, allowed, not_yet](const Value& value) {
            const std::string found = value.json.is_string() ? value.json.get<std::string>() : "";
            const auto entry = std::find_if(words.begin(), words.end(),
                                            [&](const auto& w) { return w.first == found; });
            if (entry != words.end()) {
              out = entry->second;
            } else {
              value.wrong(show(value.json) + " is not allowed",
                          name_remedy(found, allowed, not_yet));
            }
          }};
}

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

// A list of `least` to `most` values, each read by read_element(element, index).
template <class ReadElement>
Reader list(const std::string& allowed, std::size_t least, std::size_t most,
            ReadElement read_element) {
  return {allowed, [=](const Value& value) {
            const std::size_t size = value.json.size();
            if (!value.json.is_array() || size < least || size > most) return value.refuse(allowed);
            for (std::size_t i = 0; i < size; ++i) read_element(value.element(i), i);
          }};
}

Reader number_pair(std::array<double, 2>& out, const std::string& allowed) {
  return list(allowed, 2, 2, [&out](const Value& element, std::size_t i) {
    number(out[i], kFinite).read(element);
  });
}

// Reads the keys of one object; what is left over is unknown.
class ObjectReader {
 public:
  explicit ObjectReader(const Value& object)
      : object_(object), problems_before_(object.problems.size()) {}

  void optional(std::string_view key, const Reader& reader) {
    known_.push_back(key);
    if (const Json* json = find(key)) reader.read(object_.member(key, *json));
  }

  void required(std::string_view key, const Reader& reader) {
    if (find(key) == nullptr) {
      wrong("the key '" + std::string(key) + "' is missing", "add it: " + reader.allowed);
    }
    optional(key, reader);
  }

  // Keys of the format that this version lacks.
  void not_yet(Names keys) { not_yet_ = std::move(keys); }

  struct Kind {
    std::string_view name;
    std::function<void()> read;
  };
  enum class Absent { wrong, means_the_first };

  // The word at "kind" decides which further keys the object has.
  void by_kind(const std::vector<Kind>& kinds, Absent absent, const Names& kinds_not_yet) {
    Words<const Kind*> words;
    for (const Kind& kind : kinds) words.emplace_back(kind.name, &kind);
    const Kind* chosen = nullptr;
    if (absent == Absent::means_the_first && find("kind") == nullptr) chosen = &kinds.front();
    const Reader reader = word(chosen, words, kinds_not_yet);
    chosen == nullptr ? required("kind", reader) : optional("kind", reader);
    if (chosen != nullptr) {
      chosen->read();
    } else {
      any_key_ = true;  // nobody knows which keys are right
    }
  }

  void wrong(std::string what, std::string remedy) const {
    object_.wrong(std::move(what), std::move(remedy));
  }

  // Nothing is wrong in what has been read of this object.
  [[nodiscard]] bool clean() const { return object_.problems.size() == problems_before_; }

  // About the value of a key that is there.
  void wrong_at(std::string_view key, std::string what, std::string remedy) const {
    object_.member(key, *find(key)).wrong(std::move(what), std::move(remedy));
  }

  void report_unknown_keys() const {
    if (any_key_) return;
    for (const auto& [key, json] : members()) {
      if (contains(known_, key)) continue;
      const std::string what = contains(not_yet_, key) ? "cannot read the key " : "unknown key ";
      object_.member(key, json).wrong(what + show(key), name_remedy(key, known_, not_yet_));
    }
  }

 private:
  [[nodiscard]] const Members& members() const { return object_.json.get_ref<const Members&>(); }

  [[nodiscard]] const Json* find(std::string_view key) const {
    const auto entry = std::find_if(members().begin(), members().end(),
                                    [&](const auto& member) { return member.first == key; });
    return entry == members().end() ? nullptr : &entry->second;
  }

  const Value& object_;
  std::size_t problems_before_;
  Names known_;
  Names not_yet_;
  bool any_key_ = false;
};

// An object whose keys read_keys(in) reads.
Reader object(const std::function<void(ObjectReader&)>& read_keys) {
  return {"an object", [read_keys](const Value& value) {
            if (!value.json.is_object()) return value.refuse("an object");
            ObjectReader in(value);
            read_keys(in);
            in.report_unknown_keys();
          }};
}

template <class T>
std::string& name_of(T& item) {
  return item.name;
}
std::string& name_of(SupportDescription& support) { return support.point; }

void check_name(const Value& item, const std::string& name) {
  const bool has_control = std::any_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (name.empty() || name == "." || name.find('/') != std::string::npos || has_control) {
    item.wrong("the name " + show(name) + " is not allowed",
               "names become paths in the results file: not empty, not \".\", without '/' and "
               "control characters");
  }
}

// An object keyed by name; read_item(ObjectReader&, T&) or read_item(const Value&, T&) reads one.
template <class T, class ReadItem>
Reader named(std::vector<T>& out, ReadItem read_item) {
  const std::string allowed = "an object keyed by name";
  return {allowed, [&out, allowed, read_item](const Value& value) {
            if (!value.json.is_object()) return value.refuse(allowed);
            for (const auto& [name, json] : value.json.get_ref<const Members&>()) {
              const Value item = value.member(name, json);
              check_name(item, name);
              T& description = out.emplace_back();
              name_of(description) = name;
              if constexpr (std::is_invocable_v<ReadItem, ObjectReader&, T&>) {
                object([&](ObjectReader& in) { read_item(in, description); }).read(item);
              } else {
                read_item(item, description);
              }
            }
          }};
}

// ------------------------------------------------------------------------------------- objects

void read_section(ObjectReader& in, SectionDescription& section) {
  double mass_offset = 0;
  in.required("EA", number(section.axial_stiffness, kPositive));
  in.required("EI", number(section.bending_stiffness, kPositive));
  in.required("GAs", number(section.shear_stiffness, kPositive));
  in.required("mass_per_length", number(section.mass_per_length, kPositive));
  in.required("inertia_per_length", number(section.inertia_per_length, kNotNegative));
  in.optional("mass_offset", number(mass_offset, kZero));
  in.not_yet({"E", "G", "density", "rectangle", "tube"});
}

// [[time, value], …] with increasing times.
template <class PiecewiseLaw>
Reader law_points(PiecewiseLaw& law) {
  const auto read_point = [&law](const Value& item, std::size_t) {
    constexpr double kUnread = std::numeric_limits<double>::quiet_NaN();  // no order with others
    std::array<double, 2> point{kUnread, kUnread};
    number_pair(point, "[time, value], two numbers").read(item);
    if (!law.times.empty() && point[0] <= law.times.back()) {
      item.element(0).wrong(
          "the time " + show(point[0]) + " does not come after " + show(law.times.back()),
          "times must increase strictly");
    }
    law.times.push_back(point[0]);
    law.values.push_back(point[1]);
  };
  return list("a list [[time, value], …] of at least one point", 1, kAnyNumber, read_point);
}

void read_law(ObjectReader& in, LawDescription& description) {
  const auto read_constant = [&] {
    in.required("value", number(description.law.emplace<ConstantLaw>().value, kFinite));
  };
  const auto read_linear = [&] {
    in.required("points", law_points(description.law.emplace<LinearLaw>()));
  };
  const auto read_smooth = [&] {
    in.required("points", law_points(description.law.emplace<SmoothLaw>()));
  };
  in.by_kind({{"constant", read_constant}, {"linear", read_linear}, {"smooth", read_smooth}},
             ObjectReader::Absent::wrong, {"harmonic", "polynomial", "table", "expression"});
}

void read_point(const Value& value, PointDescription& point) {
  number_pair(point.position, "[x, y], two numbers").read(value);
}

void read_rod(ObjectReader& in, RodDescription& rod) {
  in.required("section", text(rod.section, "the name of a section"));
  in.required("from", text(rod.from, "the name of a point"));
  in.required("to", text(rod.to, "the name of a point"));
  in.optional("elements", integer(rod.elements, 1, kMostElements));
  in.optional("inertia_field", word(rod.inertia_field, {{"chord", InertiaField::chord},
                                                        {"paper", InertiaField::paper}}));
}

void read_hinge(ObjectReader& in, HingeDescription& hinge) {
  auto& [first, second] = hinge.members;
  in.required("at", text(hinge.at, "the name of a point"));
  in.required("members",
              list("a list of two names of rods", 2, 2, [&](const Value& item, std::size_t i) {
                text(hinge.members[i], "the name of a rod").read(item);
              }));
  if (!first.empty() && first == second) {
    in.wrong_at("members", "both members are " + show(first), "must be two different rods");
  }
  in.optional("drive", law_reference(hinge.drive));
  in.not_yet({"spring", "damper", "friction", "stop", "latch", "hereditary"});
}

Reader fixed_quantities(SupportDescription& support) {
  const auto read_quantity = [&support](const Value& item, std::size_t) {
    bool* fixed = nullptr;
    word(fixed, {{"x", &support.fix_x}, {"y", &support.fix_y}, {"angle", &support.fix_angle}})
        .read(item);
    if (fixed == nullptr) return;
    if (*fixed) item.wrong(show(item.json) + " is repeated", "name each quantity once");
    *fixed = true;
  };
  return list("a list of x, y, angle", 0, kAnyNumber, read_quantity);
}

void read_support(ObjectReader& in, SupportDescription& support) {
  in.optional("fix", fixed_quantities(support));
  in.optional("x", law_reference(support.x));
  in.optional("y", law_reference(support.y));
  in.optional("angle", law_reference(support.angle));
  in.optional("rod", text(support.rod, "the name of a rod"));

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
  check("angle", support.fix_angle, support.angle.has_value());
  if (!holds && in.clean()) {
    in.wrong("the support holds nothing",
             "fix or prescribe at least one of x, y, angle, or remove the support");
  }
}

void read_arc_length(ObjectReader& in, ArcLengthDescription& method) {
  in.optional("local_tolerance", number(method.local_tolerance, kPositive));
  in.optional("iteration_tolerance", number(method.iteration_tolerance, kPositive));
  in.optional("frequency_limit", number(method.frequency_limit, kContracts));
  in.optional("metric",
              word(method.metric, {{"plain", Metric::plain}, {"scaled", Metric::scaled}}));
  in.optional("reference_length", number(method.reference_length, kPositive));
  in.optional("reference_time", number(method.reference_time, kPositive));
}

void read_method(ObjectReader& in, AnalysisDescription& analysis) {
  in.by_kind({{"arc_length", [&] { read_arc_length(in, analysis.method); }}},
             ObjectReader::Absent::means_the_first, {"generalized_alpha"});
}

void read_output(ObjectReader& in, AnalysisDescription& analysis) {
  in.optional("every", number(analysis.output_every, kPositive));
  if (analysis.end / analysis.output_every > kMostOutputRows) {
    in.wrong_at("every", show(analysis.output_every) + " gives more than 10000000 rows of output",
                "must be at least " + show(analysis.end / kMostOutputRows));
  }
}

void read_analysis(ObjectReader& in, AnalysisDescription& analysis) {
  constexpr double kDefaultOutputRows = 200;
  in.required("end", number(analysis.end, kPositive));
  analysis.output_every = analysis.end / kDefaultOutputRows;
  in.optional("method", object([&](ObjectReader& method) { read_method(method, analysis); }));
  in.optional("output", object([&](ObjectReader& output) { read_output(output, analysis); }));
}

void read_root(ObjectReader& in, CaseDescription& description) {
  in.required("libfem", plain("1, the version of the format that this libfem reads",
                              [](const Json& json) { return json.is_number() && json == 1; }));
  in.optional("title", text(description.title, "a text"));
  in.required("sections", named(description.sections, read_section));
  in.optional("laws", named(description.laws, read_law));
  in.required("points", named(description.points, read_point));
  in.required("rods", named(description.rods, read_rod));
  in.optional("hinges", named(description.hinges, read_hinge));
  in.optional("supports", named(description.supports, read_support));
  in.required("analysis", object([&](ObjectReader& analysis) {
                read_analysis(analysis, description.analysis);
              }));
  in.not_yet({"gravity", "frame", "bodies", "particles", "springs", "hereditary", "constraints",
              "loads", "initial"});
}

}  // namespace

CaseDescription read_case(std::string_view text) {
  Problems problems;
  const Json tree = parse(text, problems);
  CaseDescription description;
  object([&](ObjectReader& in) { read_root(in, description); }).read({tree, "", problems});
  if (!problems.empty()) throw InputError(std::move(problems));
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
