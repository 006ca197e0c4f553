// What a reader of JSON is made of. From text to values:
//   text      is it UTF-8, is it JSON; line and column of what is not
//   tree      null, numbers, texts, lists, objects; keys given twice, numbers out of range, nesting
//   readers   one value each: a number in its range, a word, a list, the keys of an object
// json_reader.cpp is the only file that names nlohmann. What the objects are is not known here:
// io/case_reader has their tables.
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

namespace fem::json {

using Names = std::vector<std::string_view>;

struct Member;

/// A value of JSON with all that is in it; objects keep the order of the text.
struct Tree {
  using List = std::vector<Tree>;
  using Members = std::vector<Member>;
  std::variant<std::nullptr_t, bool, double, std::string, List, Members> value;

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

/// What is wrong so far.
struct Findings {
  std::vector<Problem> problems{};
  std::size_t refused =
      0;  ///< values that could not be taken; more than problems of the same value
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
};

/// Reads one value into its place, or reports what is wrong with it and leaves the place alone.
struct Reader {
  std::string allowed;  ///< what may stand there, "a number greater than 0"
  std::function<void(const Value&)> read;
};

/// Reads the text with `root`. Throws InputError with every problem of the text; a syntax error
/// comes alone, with pointer "" and its line and column.
void read(std::string_view text, const Reader& root);

// ---- plain values

struct Bound {
  bool (*holds)(double);
  const char* allowed;
};
inline constexpr Bound kFinite{[](double) { return true; }, "a finite number"};
/// Subnormal numbers are not taken for positive: dividing by them overflows.
inline constexpr Bound kPositive{[](double x) { return x >= std::numeric_limits<double>::min(); },
                                 "a number greater than 0"};
inline constexpr Bound kNotNegative{[](double x) { return x >= 0; }, "a number not less than 0"};

/// A reader of one plain value; `accept` stores it or answers false.
[[nodiscard]] Reader plain(const std::string& allowed,
                           const std::function<bool(const Tree&)>& accept);

[[nodiscard]] Reader number(double& out, Bound bound);
[[nodiscard]] Reader number(std::optional<double>& out, Bound bound);
[[nodiscard]] Reader integer(int& out, int least, int most);
[[nodiscard]] Reader flag(bool& out);
[[nodiscard]] Reader text(std::string& out, const std::string& allowed);
[[nodiscard]] Reader text(std::optional<std::string>& out, const std::string& allowed);

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

/// A list of `least` to `most` values, each read by read_element(element, index).
[[nodiscard]] Reader list(const std::string& allowed, std::size_t least, std::size_t most,
                          const std::function<void(const Value&, std::size_t)>& read_element);

/// Two finite numbers; `meaning` is "[x, y]".
[[nodiscard]] Reader number_pair(std::array<double, 2>& out, const std::string& meaning);

/// A list of at least `least` pairs [quantity, value] in which the quantity increases strictly;
/// NaN stands for what could not be read.
[[nodiscard]] Reader increasing_pairs(std::vector<std::array<double, 2>>& out,
                                      const std::string& quantity, const std::string& value,
                                      std::size_t least);

// ---- objects

/// Reads the keys of one object; what is left over is unknown.
class ObjectReader {
 public:
  explicit ObjectReader(const Value& object)
      : object_(object), refused_before_(object.findings.refused) {}

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

  /// Nothing is wrong in what has been read of this object.
  [[nodiscard]] bool clean() const { return object_.findings.refused == refused_before_; }

  void report_unknown_keys() const;

 private:
  [[nodiscard]] const Tree::Members& members() const { return *object_.tree.as<Tree::Members>(); }
  [[nodiscard]] const Tree* find(std::string_view key) const;
  void know(std::string_view key);

  const Value& object_;
  std::size_t refused_before_;
  Names known_;
  Names not_yet_;
  bool ignores_other_keys_ = false;
};

/// An object whose keys read_keys(in) reads.
[[nodiscard]] Reader object(const std::function<void(ObjectReader&)>& read_keys);

/// An object keyed by name: read_item(value, name) reads one of its members.
[[nodiscard]] Reader keyed(const std::function<void(const Value&, const std::string&)>& read_item);

}  // namespace fem::json
