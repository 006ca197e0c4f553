// What a reader of JSON is made of. From text to values:
//   text      is it UTF-8, is it JSON; line and column of what is not
//   tree      null, numbers, texts, lists, objects; keys given twice, numbers out of range, nesting
//   readers   one value each: a number in its range, a word, a list, the keys of an object
// A reader can also describe what it takes, as JSON Schema: so the schema of a case and what is
// read cannot differ. json_reader.cpp is the only file that names nlohmann. What the objects are is
// not known here: io/case_reader has their tables.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/base/units.hpp"

namespace fem::json {

using Names = std::vector<std::string_view>;

struct Member;

/// Where a value begins in a text, from 1; line 0: it has no place.
struct Place {
  std::size_t line = 0;
  std::size_t column = 0;  ///< in characters
  std::size_t source = 0;  ///< index of the text among those that were read
};

/// A value of JSON with all that is in it; objects keep the order of the text.
struct Tree {
  using List = std::vector<Tree>;
  using Members = std::vector<Member>;
  std::variant<std::nullptr_t, bool, double, std::string, List, Members> value;
  Place place{};

  /// The value if it is a T, else null.
  template <class T>
  [[nodiscard]] const T* as() const {
    return std::get_if<T>(&value);
  }
};

/// A key of an object, and what stands there.
struct Member {
  std::string key;
  Tree tree;
};

/// A value as a message shows it: shortened, a text in quotes.
[[nodiscard]] std::string show(const Tree& tree);
[[nodiscard]] std::string show(const std::string& text);
[[nodiscard]] std::string show(double value);

/// What was read is no JSON, or not UTF-8.
class NotJson : public InputError {
 public:
  using InputError::InputError;
};

/// Whether the bytes are text in UTF-8 without a zero byte.
[[nodiscard]] bool is_utf8(std::string_view text);

/// The tree of a text. Adds what is wrong but does not stop the reading to `problems`; throws
/// NotJson and leaves no problems, or InputError with all of them where it has to stop for another
/// reason (a number beyond long double, nesting); `source_name` is their place.
[[nodiscard]] Tree parse(std::string_view text, std::size_t source, const std::string& source_name,
                         std::vector<Problem>& problems);

/// The text of a tree, as JSON with two spaces a level; numbers keep all their digits.
[[nodiscard]] std::string dump(const Tree& tree);

/// A text that was read: how messages name it, and the folder that paths in it start from.
struct Source {
  std::string name;
  std::string folder;
};

/// "case.json:12:5"; "" of what has no place.
[[nodiscard]] std::string show_place(const std::vector<Source>& sources, const Place& place);

/// The value at an RFC 6901 pointer, or the deepest one on the way there.
[[nodiscard]] const Tree& find_deepest(const Tree& root, std::string_view pointer);

/// A name that stands for a function of time, and what its values measure.
struct NamedQuantity {
  std::string name;
  Dimension dimension{};
  std::string pointer;
  Place place{};
};

/// What is wrong so far, and what all readers share.
struct Findings {
  std::vector<Problem> problems{};
  std::size_t refused =
      0;  ///< values that could not be taken; more than problems of the same value
  std::vector<Source> sources{};
  Units units{};
  std::vector<NamedQuantity> quantities{};
};

/// A value, where it stands, and the list that takes what is wrong with it.
struct Value {
  const Tree& tree;
  std::string pointer;
  Findings& findings;

  [[nodiscard]] Value member(std::string_view key, const Tree& child) const;
  [[nodiscard]] Value element(std::size_t index) const;  ///< of a list
  void wrong(std::string what, std::string remedy) const;
  void refuse(const std::string& allowed) const;  ///< "… is not allowed; must be `allowed`"
  void refuse(const std::string& allowed, const Dimension& dimension) const;  ///< with the unit
};

/// A JSON Schema (2020-12) of a value.
using Schema = Tree;

/// Reads one value into its place, or reports what is wrong with it and leaves the place alone.
struct Reader {
  std::string allowed;  ///< what may stand there, "a number greater than 0"
  std::function<void(const Value&)> read;
  std::function<Schema()> describe;
  Dimension dimension{};  ///< of the numbers in it
};

/// Reads the tree with `root`. Throws InputError with every problem in it and in `findings`.
void read(const Tree& tree, Findings& findings, const Reader& root);

/// An object of a schema, or any other.
[[nodiscard]] Tree make_object(Tree::Members members);
[[nodiscard]] Schema any_of(std::vector<Schema> schemas);

// ---- plain values

/// Numbers from `least` to `most` and greater than `above`.
struct Bound {
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const char* allowed = "a finite number";
  double above = -kInfinite;
  double least = -kInfinite;
  double most = kInfinite;
  /// Subnormal numbers are not taken for positive: dividing by them overflows.
  [[nodiscard]] constexpr bool holds(double x) const {
    const bool greater = above == 0 ? x >= std::numeric_limits<double>::min() : x > above;
    return greater && x >= least && x <= most;
  }
};
inline constexpr Bound kFinite{};
inline constexpr Bound kPositive{.allowed = "a number greater than 0", .above = 0};
inline constexpr Bound kNotNegative{.allowed = "a number not less than 0", .least = 0};

/// A reader of one plain value; `accept` stores it or answers false.
[[nodiscard]] Reader plain(const std::string& allowed,
                           const std::function<bool(const Tree&)>& accept, const Schema& schema);

/// A number in the case's units; what is stored is in SI. The bound is one of SI.
[[nodiscard]] Reader number(double& out, Bound bound, Dimension dimension = {});
[[nodiscard]] Reader number(std::optional<double>& out, Bound bound, Dimension dimension = {});
[[nodiscard]] Reader integer(int& out, int least, int most);
[[nodiscard]] Reader flag(bool& out);
[[nodiscard]] Reader text(std::string& out, const std::string& allowed);
[[nodiscard]] Reader text(std::optional<std::string>& out, const std::string& allowed);

/// A text that is not empty: `allowed` is "the name of a point".
[[nodiscard]] Reader filled_text(std::string& out, const std::string& allowed);
[[nodiscard]] Reader filled_text(std::optional<std::string>& out, const std::string& allowed);

/// One of the words; choose(i) takes the index. Words of `not_yet` belong to the format, but this
/// version lacks them.
[[nodiscard]] Reader choice(const Names& words, const Names& not_yet,
                            const std::function<void(std::size_t)>& choose);

template <class T>
using Words = std::vector<std::pair<std::string_view, T>>;

/// The meaning of one of the words.
template <class T>
[[nodiscard]] Reader word(T& out, const std::type_identity_t<Words<T>>& words,
                          const Names& not_yet = {}) {
  Names names;
  for (const auto& [name, meaning] : words) names.push_back(name);
  return choice(names, not_yet, [&out, words](std::size_t i) { out = words[i].second; });
}

// ---- lists

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

/// A list of `least` to `most` values; make_reader(index) reads the one with that index, and is
/// called when its turn has come.
[[nodiscard]] Reader list(const std::string& allowed, std::size_t least, std::size_t most,
                          const std::function<Reader(std::size_t)>& make_reader,
                          Dimension dimension = {});

/// Two finite numbers; `meaning` is "[x, y]".
[[nodiscard]] Reader number_pair(std::array<double, 2>& out, const std::string& meaning,
                                 Dimension dimension = {});

/// A list of at least `least` pairs [quantity, value] in which the quantity increases strictly;
/// NaN stands for what could not be read.
struct PairColumn {
  std::string name;
  Dimension dimension{};
};
[[nodiscard]] Reader increasing_pairs(std::vector<std::array<double, 2>>& out,
                                      const PairColumn& quantity, const PairColumn& value,
                                      std::size_t least);

// ---- objects

/// Reads the keys of one object; what is left over is unknown. For the schema of the object the
/// same keys are asked for, without an object: every question about what is there (exactly_one,
/// has_any, by_kind) is then answered in every way, one after another.
class ObjectReader {
 public:
  class Exploration;

  explicit ObjectReader(const Value& object)
      : object_(object), refused_before_(object.findings.refused) {}
  ObjectReader(const Value& object, Exploration& exploration)
      : object_(object), exploration_(&exploration) {}

  /// Does not count as a question: of no use for what the schema says.
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] bool has_any(const Names& keys) const;

  void optional(std::string_view key, const Reader& reader);
  void required(std::string_view key, const Reader& reader);

  /// The one of these keys that is there; "" if none or several are, which is wrong.
  [[nodiscard]] std::string_view exactly_one(const Names& keys);

  /// Keys of the format that this version lacks.
  void not_yet(Names keys) { not_yet_ = std::move(keys); }

  /// Nobody knows which further keys are right.
  void ignore_other_keys() { ignores_other_keys_ = true; }

  struct Kind {
    std::string_view name;
    std::function<void()> read;
  };
  enum class Absent { wrong, means_the_first };

  /// The word at "kind" decides which further keys the object has.
  void by_kind(const std::vector<Kind>& kinds, Absent absent, const Names& kinds_not_yet);

  void wrong(std::string what, std::string remedy) const;

  /// About the value of a key that is there.
  void wrong_at(std::string_view key, std::string what, std::string remedy) const;

  /// The value of a key that is there, as it is written, with its unit.
  [[nodiscard]] std::string shown(std::string_view key, Dimension dimension = {}) const;

  /// A number of SI in the units of the case, with its unit.
  [[nodiscard]] std::string shown(double si, Dimension dimension) const {
    return show(si, findings().units, dimension);
  }

  /// Nothing is wrong in what has been read of this object; false where nothing is read.
  [[nodiscard]] bool clean() const {
    return exploration_ == nullptr && object_.findings.refused == refused_before_;
  }

  void report_unknown_keys() const;

  [[nodiscard]] Findings& findings() const { return object_.findings; }

 private:
  [[nodiscard]] const Tree::Members& members() const { return *object_.tree.as<Tree::Members>(); }
  [[nodiscard]] const Tree* find(std::string_view key) const;
  void know(std::string_view key);

  const Value& object_;
  std::size_t refused_before_ = 0;
  Names known_;
  Names not_yet_;
  bool ignores_other_keys_ = false;
  Exploration* exploration_ = nullptr;  // where a schema is made
};

/// An object whose keys read_keys(in) reads.
[[nodiscard]] Reader object(const std::function<void(ObjectReader&)>& read_keys);

/// An object keyed by name: make_reader(name) reads one of its members, and is called when its turn
/// has come. Names are parts of paths (base/names).
[[nodiscard]] Reader keyed(const std::function<Reader(const std::string&)>& make_reader);

}  // namespace fem::json
