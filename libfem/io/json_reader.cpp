#include "libfem/io/json_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "libfem/base/names.hpp"

namespace fem::json {
namespace {

using List = Tree::List;
using Members = Tree::Members;

constexpr std::size_t kDeepestNesting = 64;

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
  TreeBuilder(std::string_view text, std::vector<Problem>& problems)
      : text_(text), problems_(problems) {}

  [[nodiscard]] Tree take_root() { return std::move(root_); }

  bool null() { return put({nullptr}); }
  bool boolean(bool value) { return put({value}); }
  bool number_integer(std::int64_t value) { return put({static_cast<double>(value)}); }
  bool number_unsigned(std::uint64_t value) { return put({static_cast<double>(value)}); }
  bool number_float(long double wide, const std::string& token) {
    const double value = to_double(wide, token);
    put({value});
    if (std::isinf(value)) report_overflow(token);
    return true;
  }
  bool string(std::string& value) { return put({std::move(value)}); }
  bool binary(WideJson::binary_t& /*value*/) { return false; }  // JSON text has none

  bool start_object(std::size_t /*size*/) { return open({Members{}}); }
  bool start_array(std::size_t /*size*/) { return open({List{}}); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    Open& object = open_.back();
    std::get<Members>(object.container->value).push_back({name, Tree{nullptr}});
    if (!object.keys.insert(name).second) {
      report("the key " + show(name) + " is given twice in this object", "keep one of them");
    }
    return true;
  }

  bool parse_error(std::size_t end, const std::string& token,
                   const nlohmann::json::exception& error) {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) {  // beyond long double too
      put({nullptr});
      report_overflow(token);
    } else {
      problems_ = {syntax_problem(text_, end, token, error.what())};
    }
    return false;
  }

 private:
  struct Open {
    Tree* container;
    std::unordered_set<std::string> keys;
  };

  bool put(Tree value) {
    place(std::move(value));
    return true;
  }

  Tree& place(Tree value) {
    if (open_.empty()) return root_ = std::move(value);
    auto& container = open_.back().container->value;
    if (auto* members = std::get_if<Members>(&container)) {
      return members->back().tree = std::move(value);
    }
    return std::get<List>(container).emplace_back(std::move(value));
  }

  bool open(Tree container) {
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
      const auto* members = level.container->as<Members>();
      pointer = join_pointer(
          pointer, members != nullptr
                       ? members->back().key
                       : std::to_string(std::get<List>(level.container->value).size() - 1));
    }
    problems_.push_back({std::move(pointer), std::move(what), std::move(remedy)});
  }

  std::string_view text_;
  std::vector<Problem>& problems_;
  Tree root_;
  std::vector<Open> open_;  // from the root to the innermost; their addresses hold while open
};

// The tree of the text; throws what is wrong when the reading has to stop.
Tree parse(std::string_view text, std::vector<Problem>& problems) {
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

}  // namespace

// ------------------------------------------------------------------------------------- readers

std::string show(double value) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.begin(), buffer.end(), value).ptr};
}

std::string show(const std::string& text) { return shorten(nlohmann::json(text).dump(), 40); }

std::string show(const Tree& tree) {
  if (const auto* flag = tree.as<bool>()) return *flag ? "true" : "false";
  if (const auto* number = tree.as<double>()) return show(*number);
  if (const auto* text = tree.as<std::string>()) return show(*text);
  if (const auto* list = tree.as<List>()) return "a list of " + std::to_string(list->size());
  return tree.as<Members>() != nullptr ? "an object" : "null";
}

Value Value::member(std::string_view key, const Tree& child) const {
  return {child, join_pointer(pointer, key), findings};
}

Value Value::element(std::size_t index) const {
  return {(*tree.as<List>())[index], join_pointer(pointer, std::to_string(index)), findings};
}

void Value::wrong(std::string what, std::string remedy) const {
  ++findings.refused;
  const auto* number = tree.as<double>();
  const bool reported_by_builder = number != nullptr && !std::isfinite(*number);
  if (reported_by_builder) return;
  findings.problems.push_back({pointer, std::move(what), std::move(remedy)});
}

void Value::refuse(const std::string& allowed) const {
  wrong(show(tree) + " is not allowed", "must be " + allowed);
}

void read(std::string_view text, const Reader& root) {
  Findings findings;
  const Tree tree = parse(text, findings.problems);
  root.read({tree, "", findings});
  if (!findings.problems.empty()) throw InputError(std::move(findings.problems));
}

Reader plain(const std::string& allowed, const std::function<bool(const Tree&)>& accept) {
  return {allowed, [allowed, accept](const Value& value) {
            if (!accept(value.tree)) value.refuse(allowed);
          }};
}

namespace {

template <class Out>
Reader number_reader(Out& out, Bound bound) {
  return plain(bound.allowed, [&out, bound](const Tree& tree) {
    const auto* value = tree.as<double>();
    if (value == nullptr || !std::isfinite(*value) || !bound.holds(*value)) return false;
    out = *value;
    return true;
  });
}

template <class Out>
Reader text_reader(Out& out, const std::string& allowed) {
  return plain(allowed, [&out](const Tree& tree) {
    const auto* text = tree.as<std::string>();
    if (text != nullptr) out = *text;
    return text != nullptr;
  });
}

}  // namespace

Reader number(double& out, Bound bound) { return number_reader(out, bound); }
Reader number(std::optional<double>& out, Bound bound) { return number_reader(out, bound); }

Reader text(std::string& out, const std::string& allowed) { return text_reader(out, allowed); }
Reader text(std::optional<std::string>& out, const std::string& allowed) {
  return text_reader(out, allowed);
}

Reader integer(int& out, int least, int most) {
  const std::string allowed =
      "an integer from " + std::to_string(least) + " to " + std::to_string(most);
  return plain(allowed, [&out, least, most](const Tree& tree) {
    const auto* value = tree.as<double>();
    if (value == nullptr || !(*value >= least && *value <= most)) return false;
    if (*value != std::floor(*value)) return false;
    out = static_cast<int>(*value);
    return true;
  });
}

Reader flag(bool& out) {
  return plain("true or false", [&out](const Tree& tree) {
    const auto* value = tree.as<bool>();
    if (value != nullptr) out = *value;
    return value != nullptr;
  });
}

Reader choice(const Names& words, const Names& not_yet,
              const std::function<void(std::size_t)>& choose) {
  return {"one of " + join(words), [words, not_yet, choose](const Value& value) {
            const auto* found = value.tree.as<std::string>();
            const std::string word = found != nullptr ? *found : "";
            const auto entry = std::find(words.begin(), words.end(), word);
            if (entry != words.end()) {
              choose(static_cast<std::size_t>(entry - words.begin()));
            } else {
              value.wrong(show(value.tree) + " is not allowed", name_remedy(word, words, not_yet));
            }
          }};
}

Reader list(const std::string& allowed, std::size_t least, std::size_t most,
            const std::function<void(const Value&, std::size_t)>& read_element) {
  return {allowed, [=](const Value& value) {
            const auto* elements = value.tree.as<List>();
            const std::size_t size = elements != nullptr ? elements->size() : 0;
            if (elements == nullptr || size < least || size > most) return value.refuse(allowed);
            for (std::size_t i = 0; i < size; ++i) read_element(value.element(i), i);
          }};
}

Reader number_pair(std::array<double, 2>& out, const std::string& meaning) {
  return list(meaning + ", two numbers", 2, 2, [&out](const Value& element, std::size_t i) {
    number(out[i], kFinite).read(element);
  });
}

Reader increasing_pairs(std::vector<std::array<double, 2>>& out, const std::string& quantity,
                        const std::string& value, std::size_t least) {
  const std::string pair = "[" + quantity + ", " + value + "]";
  const auto read_pair = [&out, quantity, pair](const Value& item, std::size_t) {
    constexpr double kUnread = std::numeric_limits<double>::quiet_NaN();  // no order with others
    std::array<double, 2> next{kUnread, kUnread};
    number_pair(next, pair).read(item);
    if (!out.empty() && next[0] <= out.back()[0]) {
      item.element(0).wrong(
          "the " + quantity + " " + show(next[0]) + " does not come after " + show(out.back()[0]),
          quantity + "s must increase strictly");
    }
    out.push_back(next);
  };
  return list("a list [" + pair + ", …] of at least " + (least == 1 ? "one pair" : "two pairs"),
              least, kAnyNumber, read_pair);
}

// ------------------------------------------------------------------------------------- objects

bool ObjectReader::has_any(const Names& keys) const {
  return std::any_of(keys.begin(), keys.end(), [this](std::string_view key) { return has(key); });
}

const Tree* ObjectReader::find(std::string_view key) const {
  const auto entry = std::find_if(members().begin(), members().end(),
                                  [&](const auto& member) { return member.key == key; });
  return entry == members().end() ? nullptr : &entry->tree;
}

void ObjectReader::know(std::string_view key) {
  if (!contains(known_, key)) known_.push_back(key);
}

void ObjectReader::optional(std::string_view key, const Reader& reader) {
  know(key);
  if (const Tree* tree = find(key)) reader.read(object_.member(key, *tree));
}

void ObjectReader::required(std::string_view key, const Reader& reader) {
  if (!has(key)) {
    wrong("the key '" + std::string(key) + "' is missing", "add it: " + reader.allowed);
  }
  optional(key, reader);
}

std::string_view ObjectReader::exactly_one(const Names& keys) {
  Names found;
  for (const std::string_view key : keys) {
    know(key);
    if (has(key)) found.push_back(key);
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    wrong("one of the keys " + join(keys) + " is missing", "add one of them");
  } else {
    wrong_at(found[1], "the keys " + join(found) + " exclude each other", "keep one of them");
  }
  return "";
}

void ObjectReader::by_kind(const std::vector<Kind>& kinds, Absent absent,
                           const Names& kinds_not_yet) {
  Words<const Kind*> words;
  for (const Kind& kind : kinds) words.emplace_back(kind.name, &kind);
  const Kind* chosen = nullptr;
  if (absent == Absent::means_the_first && !has("kind")) chosen = &kinds.front();
  const Reader reader = word(chosen, words, kinds_not_yet);
  chosen == nullptr ? required("kind", reader) : optional("kind", reader);
  if (chosen != nullptr) {
    chosen->read();
  } else {
    ignore_other_keys();
  }
}

void ObjectReader::wrong(std::string what, std::string remedy) const {
  object_.wrong(std::move(what), std::move(remedy));
}

void ObjectReader::wrong_at(std::string_view key, std::string what, std::string remedy) const {
  object_.member(key, *find(key)).wrong(std::move(what), std::move(remedy));
}

void ObjectReader::report_unknown_keys() const {
  if (ignores_other_keys_) return;
  for (const auto& [key, tree] : members()) {
    if (contains(known_, key)) continue;
    const std::string what = contains(not_yet_, key) ? "cannot read the key " : "unknown key ";
    object_.member(key, tree).wrong(what + show(key), name_remedy(key, known_, not_yet_));
  }
}

Reader object(const std::function<void(ObjectReader&)>& read_keys) {
  return {"an object", [read_keys](const Value& value) {
            if (value.tree.as<Members>() == nullptr) return value.refuse("an object");
            ObjectReader in(value);
            read_keys(in);
            in.report_unknown_keys();
          }};
}

Reader keyed(const std::function<void(const Value&, const std::string&)>& read_item) {
  const std::string allowed = "an object keyed by name";
  return {allowed, [allowed, read_item](const Value& value) {
            const auto* members = value.tree.as<Members>();
            if (members == nullptr) return value.refuse(allowed);
            for (const auto& [name, tree] : *members) read_item(value.member(name, tree), name);
          }};
}

}  // namespace fem::json
