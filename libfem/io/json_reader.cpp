#include "libfem/io/json_reader.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
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

// A byte order mark is no character of the first line.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Place place_of(std::string_view text, std::size_t offset) {
  if (text.starts_with(kByteOrderMark) && offset >= kByteOrderMark.size()) {
    text.remove_prefix(kByteOrderMark.size());
    offset -= kByteOrderMark.size();
  }
  const std::string_view before = text.substr(0, offset);
  const std::string_view row = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto column = 1 + std::count_if(row.begin(), row.end(),
                                        [](char byte) { return !continues_code_point(byte); });
  return {static_cast<std::size_t>(line), static_cast<std::size_t>(column)};
}

// A text without a name has no place to show: the line is told in words.
std::string line_and_column(const std::string& source_name, const Place& place) {
  if (!source_name.empty()) return "";
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": ";
}

Problem problem_of_text(std::string_view text, std::size_t offset, const std::string& source_name,
                        const std::string& what, std::string remedy) {
  const Place place = place_of(text, offset);
  return {"", line_and_column(source_name, place) + what, std::move(remedy),
          show_place({{source_name, ""}}, place)};
}

Problem bad_byte_problem(std::string_view text, std::size_t offset,
                         const std::string& source_name) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(text[offset]);
  return problem_of_text(
      text, offset, source_name,
      std::string("byte 0x") + kDigits[byte / 16] + kDigits[byte % 16] + " is not valid UTF-8 text",
      "save the file as plain text in UTF-8");
}

// Of the text whose inside ends at `end`: its opening quote.
std::size_t start_of_text(std::string_view text, std::size_t end) {
  std::size_t quote = end;
  do {
    quote = quote == 0 ? std::string_view::npos : text.rfind('"', quote - 1);
  } while (quote != std::string_view::npos && quote > 0 && text[quote - 1] == '\\');
  return quote == std::string_view::npos ? end : quote;
}

// Where the token begins that was refused; `end` is just behind the last byte that was read.
std::size_t refused_offset(std::string_view text, std::size_t end, std::size_t token_size,
                           std::string_view what) {
  const auto says = [&](std::string_view part) {
    return what.find(part) != std::string_view::npos;
  };
  if (says("invalid string")) return start_of_text(text, std::min(end, text.size()));
  if (says("invalid comment; expecting")) return text.rfind('/', end);
  if (says("end of input") || end == 0 || end > text.size()) return text.size();
  if (says("unexpected string literal") && token_size <= end) return end - token_size;
  std::size_t offset = end - 1;
  if (says("literal") || says("invalid number")) {  // a word or a number: back to its start
    constexpr std::string_view kBetween = " \t\r\n[]{},:\"/";
    while (offset > 0 && kBetween.find(text[offset - 1]) == std::string_view::npos) --offset;
  }
  return offset;
}

// A number with a decimal comma: what is refused is the part behind it.
bool is_behind_decimal_comma(std::string_view text, std::size_t offset) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return offset >= 2 && offset < text.size() && is_digit(text[offset]) && text[offset - 1] == ',' &&
         is_digit(text[offset - 2]);
}

// NaN or an infinity, as programs write them.
bool is_no_finite_number(std::string_view text) {
  std::string word(text.substr(0, text.find_first_of(" \t\r\n,]}")));
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool has_sign = !word.empty() && (word.front() == '+' || word.front() == '-');
  const std::string_view number = std::string_view(word).substr(has_sign ? 1 : 0);
  return number == "nan" || number == "inf" || number == "infinity";
}

struct SyntaxError {
  std::string what, remedy;
};

// What an engineer would say of the text at `rest`, where nlohmann stopped with `message`,
// "syntax error while parsing CONTEXT - WHAT".
SyntaxError explain_syntax(std::string_view text, std::size_t offset, std::string_view message) {
  const auto says = [&](std::string_view part) {
    return message.find(part) != std::string_view::npos;
  };
  const std::string_view rest = text.substr(offset);
  const std::string near = shorten(rest.substr(0, rest.find_first_of("\r\n")), 20);
  const auto begins_with = [&](std::string_view characters) {
    return !rest.empty() && characters.find(rest.front()) != std::string_view::npos;
  };
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return {"the file is empty", "write an object into it, { … }: docs/case-format.md"};
  }
  if (says("invalid comment; missing")) return {"the comment is not closed", "close it with */"};
  if (says("invalid comment")) {
    return {"a single / begins no comment, near '" + near + "'",
            "comments begin with //, or stand between /* and */; formulas stand in double quotes"};
  }
  if (says("invalid string: missing") || says("must be escaped")) {
    return {"the text that begins here is not closed in its line, near '" + near + "'",
            "close it with a double quote; a line break in a text is \\n"};
  }
  if (says("invalid string")) {
    return {"the text cannot be read, near '" + near + "'",
            "write a backslash as \\\\, and no control characters"};
  }
  if (rest.empty()) return {"the file ends too early", "close every { with } and every [ with ]"};
  if (is_behind_decimal_comma(text, offset)) {
    return {"a number has a comma in it, before '" + near + "'",
            "write numbers with a decimal point, like 0.25"};
  }
  if (begins_with("'")) {
    return {"keys and texts do not stand in single quotes, near '" + near + "'",
            "write them in double quotes"};
  }
  if (is_no_finite_number(rest)) {
    return {"JSON has no such number, near '" + near + "'", "write a finite number"};
  }
  if (begins_with("#;%")) {
    return {"this is no comment, near '" + near + "'",
            "comments begin with //, or stand between /* and */"};
  }
  if ((says("invalid literal") || says("invalid number")) && begins_with("+-.0123456789")) {
    return {"this is no number, near '" + near + "'", "write numbers like 0.25, -3 or 1e-3"};
  }
  if (says("invalid literal") && says("object key")) {
    return {"a key has no quotes, near '" + near + "'", "write keys in double quotes"};
  }
  const std::string before = " is missing before '" + near + "'";
  if (says("parsing object separator")) {
    return {"a colon" + before, "a colon stands between a key and its value"};
  }
  const bool begins_value = begins_with("\"{[+-.0123456789tfn");
  if (says("parsing array") && begins_value) {
    return {"a comma" + before, "a comma stands between two values, and ] closes the list"};
  }
  if (says("parsing object -") && begins_with("\"")) {
    return {"a comma" + before, "a comma stands between two entries, and } closes the object"};
  }
  if ((says("parsing object key") && begins_with("}")) || (says("value") && begins_with("]"))) {
    return {"there is a comma too many before '" + near + "'", "no comma follows the last entry"};
  }
  const std::string what = "'" + near + "' is not expected here";
  if (says("expected end of input")) {
    return {what + ", behind the end", "a file holds one object: remove what follows it"};
  }
  if (says("parsing object key")) return {what, "write a key in double quotes, or }"};
  if (says("parsing object")) return {what, "write a comma and a further entry, or }"};
  if (says("parsing array")) return {what, "write a comma and a further value, or ]"};
  return {what,
          "a value is a finite number, a text in double quotes, true, false, null, a [list] or an "
          "{object}, and no comma stands after the last one"};
}

Problem syntax_problem(std::string_view text, std::size_t end, std::string_view token,
                       std::string_view message, const std::string& source_name) {
  // The middle quotes what the user wrote.
  const std::size_t middle = std::min(message.find("; last read: "), message.find("; expected "));
  const std::string_view what = message.substr(0, middle);
  const std::string_view expected =
      message.substr(std::min(message.rfind("; expected "), message.size()));
  const std::size_t offset = refused_offset(text, end, token.size(), what);
  const SyntaxError error = explain_syntax(text, offset, std::string(what) += expected);
  return problem_of_text(text, offset, source_name, error.what, error.remedy);
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

// Walks over the tokens of a text that is known to be JSON so far, one for every event of the
// parser, to tell where they begin.
class TokenScanner {
 public:
  TokenScanner(std::string_view text, std::size_t source) : text_(text), source_(source) {
    if (text.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    line_start_ = counted_ = at_;
  }

  // Where the next token begins; the one after it is next.
  Place next() {
    skip_between();
    if (counted_ < line_start_) {
      counted_ = line_start_;
      column_ = 1;
    }
    for (; counted_ < at_; ++counted_) column_ += continues_code_point(text_[counted_]) ? 0 : 1;
    const Place place{line_, column_, source_};
    skip_token();
    return place;
  }

 private:
  [[nodiscard]] char look(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_to(std::size_t end) {
    for (; at_ < std::min(end, text_.size()); ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
  }
  void skip_between() {
    constexpr std::string_view kBetween = " \t\r\n,:";
    while (at_ < text_.size()) {
      if (look() == '/' && look(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        skip_to(end == std::string_view::npos ? text_.size() : end + 2);
      } else if (look() == '/') {
        skip_to(std::min(text_.find_first_of("\r\n", at_), text_.size()));
      } else if (kBetween.find(look()) != std::string_view::npos) {
        skip_to(at_ + 1);
      } else {
        return;
      }
    }
  }
  void skip_token() {
    if (look() == '"') {
      ++at_;
      while (at_ < text_.size() && look() != '"') at_ += look() == '\\' ? 2 : 1;
      ++at_;
    } else if (std::string_view("{}[]").find(look()) != std::string_view::npos) {
      ++at_;
    } else {
      at_ = text_.find_first_of(" \t\r\n,:{}[]/", at_);
    }
    at_ = std::min(at_, text_.size());
  }

  std::string_view text_;
  std::size_t source_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  std::size_t counted_ = 0;  // up to where the row's columns are counted: a file may be one line
  std::size_t column_ = 1;
};

// Builds the tree from nlohmann's SAX events (function names are its own). A number beyond double
// is reported here, where its text is known, and stands in the tree as an infinity.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, std::size_t source, const std::string& source_name,
              std::vector<Problem>& problems)
      : text_(text), scanner_(text, source), sources_{{source_name, ""}}, problems_(problems) {}

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
    last_ = scanner_.next();
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
      return false;
    }
    problems_.clear();  // of what may have meant something else
    Problem problem = syntax_problem(text_, end, token, error.what(), sources_.front().name);
    problem.pointer = point_to_last();
    throw NotJson(std::move(problem));
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
    value.place = last_ = scanner_.next();
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
    last_ = scanner_.next();
    open_.pop_back();
    return true;
  }

  void report_overflow(const std::string& token) {
    report(shorten(token, 40) + " is not finite as a double", "write a number within ±1.79e308");
  }

  // To the value or key that came last.
  [[nodiscard]] std::string point_to_last() const {
    std::string pointer;
    for (const Open& level : open_) {
      const auto* members = level.container->as<Members>();
      const auto* list = level.container->as<List>();
      if (members != nullptr && !members->empty()) {
        pointer = join_pointer(pointer, members->back().key);
      } else if (list != nullptr && !list->empty()) {
        pointer = join_pointer(pointer, std::to_string(list->size() - 1));
      }
    }
    return pointer;
  }

  // About the value or key that came last.
  void report(std::string what, std::string remedy) {
    Place here = last_;
    here.source = 0;
    problems_.push_back(
        {point_to_last(), std::move(what), std::move(remedy), show_place(sources_, here)});
  }

  std::string_view text_;
  TokenScanner scanner_;
  Place last_;  // of the token that came last
  std::vector<Source> sources_;
  std::vector<Problem>& problems_;
  Tree root_;
  std::vector<Open> open_;  // from the root to the innermost; their addresses hold while open
};

// --------------------------------------------------------------------------------------- names

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string join(const Names& names) {
  std::string text;
  for (const std::string_view name : names) (text += text.empty() ? "" : ", ") += name;
  return text;
}

// "a finite number, in mm".
std::string with_unit(const std::string& allowed, const Units& units, const Dimension& dimension) {
  return dimension == Dimension{} ? allowed : allowed + ", in " + units.name(dimension);
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

std::string show_place(const std::vector<Source>& sources, const Place& place) {
  if (place.source >= sources.size() || sources[place.source].name.empty()) return "";
  const std::string& name = sources[place.source].name;
  if (place.line == 0) return name;
  return name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

bool is_utf8(std::string_view text) { return find_bad_byte(text) == text.size(); }

Tree parse(std::string_view text, std::size_t source, const std::string& source_name,
           std::vector<Problem>& problems) {
  if (const std::size_t bad = find_bad_byte(text); bad < text.size()) {
    throw NotJson(bad_byte_problem(text, bad, source_name));
  }
  TreeBuilder builder(text, source, source_name, problems);
  const bool complete =
      WideJson::sax_parse(text, &builder, nlohmann::detail::input_format_t::json, true, true);
  if (!complete) throw InputError(std::move(problems));
  return builder.take_root();
}

namespace {

void dump_into(std::string& text, const Tree& tree, const std::string& margin) {
  const auto put = [&](const auto& items, char open, char close, const auto& put_item) {
    const std::string inner = margin + "  ";
    text += open;
    for (std::size_t i = 0; i < items.size(); ++i) {
      text += (i == 0 ? "\n" : ",\n") + inner;
      put_item(items[i], inner);
    }
    if (!items.empty()) text += "\n" + margin;
    text += close;
  };
  if (const auto* members = tree.as<Members>()) {
    put(*members, '{', '}', [&](const Member& member, const std::string& inner) {
      text += nlohmann::json(member.key).dump() + ": ";
      dump_into(text, member.tree, inner);
    });
  } else if (const auto* list = tree.as<List>()) {
    const bool plain = std::none_of(list->begin(), list->end(), [](const Tree& item) {
      return item.as<Members>() != nullptr || item.as<List>() != nullptr;
    });
    if (!plain) {
      put(*list, '[', ']',
          [&](const Tree& item, const std::string& inner) { dump_into(text, item, inner); });
      return;
    }
    text += '[';
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (i > 0) text += ", ";
      dump_into(text, (*list)[i], margin);
    }
    text += ']';
  } else if (const auto* string = tree.as<std::string>()) {
    text += nlohmann::json(*string).dump();
  } else {
    text += show(tree);
  }
}

}  // namespace

std::string dump(const Tree& tree) {
  std::string text;
  dump_into(text, tree, "");
  return text + "\n";
}

const Tree& find_deepest(const Tree& root, std::string_view pointer) {
  const Tree* tree = &root;
  for (const std::string& key : split_pointer(pointer)) {
    const Tree* next = nullptr;
    if (const auto* members = tree->as<Members>()) {
      for (const Member& member : *members) {
        if (member.key == key) next = &member.tree;
      }
    } else if (const auto* list = tree->as<List>()) {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (error == std::errc{} && end == key.data() + key.size() && index < list->size()) {
        next = &(*list)[index];
      }
    }
    if (next == nullptr) break;
    tree = next;
  }
  return *tree;
}

Tree make_object(Tree::Members members) { return {std::move(members)}; }

Schema any_of(std::vector<Schema> schemas) {
  if (schemas.size() == 1) return std::move(schemas.front());
  return make_object({{"anyOf", {std::move(schemas)}}});
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
  findings.problems.push_back(
      {pointer, std::move(what), std::move(remedy), show_place(findings.sources, tree.place)});
}

void Value::refuse(const std::string& allowed) const {
  wrong(show(tree) + " is not allowed", "must be " + allowed);
}

void Value::refuse(const std::string& allowed, const Dimension& dimension) const {
  refuse(with_unit(allowed, findings.units, dimension));
}

void read(const Tree& tree, Findings& findings, const Reader& root) {
  root.read({tree, "", findings});
  if (!findings.problems.empty()) throw InputError(std::move(findings.problems));
}

Reader plain(const std::string& allowed, const std::function<bool(const Tree&)>& accept,
             const Schema& schema) {
  return {allowed,
          [allowed, accept](const Value& value) {
            if (!accept(value.tree)) value.refuse(allowed);
          },
          [schema] { return schema; }};
}

namespace {

Schema number_schema(Bound bound, Dimension dimension) {
  Members members{{"type", {"number"}}};
  if (std::isfinite(bound.above)) members.push_back({"exclusiveMinimum", {bound.above}});
  if (std::isfinite(bound.least)) members.push_back({"minimum", {bound.least}});
  if (std::isfinite(bound.most)) members.push_back({"maximum", {bound.most}});
  members.push_back({"unit", {name_unit(dimension)}});
  return {std::move(members)};
}

// A number in quotes, or with its unit.
std::string without_quotes(const Tree& tree) {
  return tree.as<std::string>() == nullptr ? "" : ", without quotes and without unit";
}

template <class Out>
Reader number_reader(Out& out, Bound bound, Dimension dimension) {
  return {bound.allowed,
          [&out, bound, dimension](const Value& value) {
            const auto* given = value.tree.as<double>();
            const double si =
                given == nullptr ? 0 : *given * value.findings.units.factor(dimension);
            if (given == nullptr || !std::isfinite(si) || !bound.holds(si)) {
              return value.refuse(bound.allowed + without_quotes(value.tree), dimension);
            }
            out = si;
          },
          [bound, dimension] { return number_schema(bound, dimension); }, dimension};
}

template <class Out>
Reader text_reader(Out& out, const std::string& allowed, std::size_t least_size) {
  Members schema{{"type", {"string"}}};
  if (least_size > 0) schema.push_back({"minLength", {static_cast<double>(least_size)}});
  return plain(allowed,
               [&out, least_size](const Tree& tree) {
                 const auto* text = tree.as<std::string>();
                 if (text == nullptr || text->size() < least_size) return false;
                 out = *text;
                 return true;
               },
               {std::move(schema)});
}

}  // namespace

Reader number(double& out, Bound bound, Dimension dimension) {
  return number_reader(out, bound, dimension);
}
Reader number(std::optional<double>& out, Bound bound, Dimension dimension) {
  return number_reader(out, bound, dimension);
}

Reader text(std::string& out, const std::string& allowed) { return text_reader(out, allowed, 0); }
Reader text(std::optional<std::string>& out, const std::string& allowed) {
  return text_reader(out, allowed, 0);
}
Reader filled_text(std::string& out, const std::string& allowed) {
  return text_reader(out, allowed, 1);
}
Reader filled_text(std::optional<std::string>& out, const std::string& allowed) {
  return text_reader(out, allowed, 1);
}

Reader integer(int& out, int least, int most) {
  const std::string allowed =
      "an integer from " + std::to_string(least) + " to " + std::to_string(most);
  return plain(
      allowed,
      [&out, least, most](const Tree& tree) {
        const auto* value = tree.as<double>();
        if (value == nullptr || !(*value >= least && *value <= most)) return false;
        if (*value != std::floor(*value)) return false;
        out = static_cast<int>(*value);
        return true;
      },
      make_object(
          {{"type", {"integer"}}, {"minimum", {double(least)}}, {"maximum", {double(most)}}}));
}

Reader flag(bool& out) {
  return plain(
      "true or false",
      [&out](const Tree& tree) {
        const auto* value = tree.as<bool>();
        if (value != nullptr) out = *value;
        return value != nullptr;
      },
      make_object({{"type", {"boolean"}}}));
}

Reader choice(const Names& words, const Names& not_yet,
              const std::function<void(std::size_t)>& choose) {
  const auto describe = [words] {
    List names;
    for (const std::string_view word : words) names.push_back({std::string(word)});
    return make_object({{"enum", {std::move(names)}}});
  };
  return {"one of " + join(words),
          [words, not_yet, choose](const Value& value) {
            const auto* found = value.tree.as<std::string>();
            const std::string word = found != nullptr ? *found : "";
            const auto entry = std::find(words.begin(), words.end(), word);
            if (entry != words.end()) {
              choose(static_cast<std::size_t>(entry - words.begin()));
            } else {
              value.wrong(show(value.tree) + " is not allowed", name_remedy(word, words, not_yet));
            }
          },
          describe};
}

namespace {

Schema list_schema(std::size_t least, std::size_t most,
                   const std::function<Reader(std::size_t)>& make_reader) {
  constexpr std::size_t kLongestTuple = 4;  // whose items may differ
  Members members{{"type", {"array"}}, {"minItems", {double(least)}}};
  if (most != kAnyNumber) members.push_back({"maxItems", {double(most)}});
  if (most <= kLongestTuple) {
    List items;
    for (std::size_t i = 0; i < most; ++i) items.push_back(make_reader(i).describe());
    members.push_back({"prefixItems", {std::move(items)}});
  } else {
    members.push_back({"items", make_reader(0).describe()});
  }
  return {std::move(members)};
}

}  // namespace

Reader list(const std::string& allowed, std::size_t least, std::size_t most,
            const std::function<Reader(std::size_t)>& make_reader, Dimension dimension) {
  return {allowed,
          [=](const Value& value) {
            const auto* elements = value.tree.as<List>();
            const std::size_t size = elements != nullptr ? elements->size() : 0;
            if (elements == nullptr || size < least || size > most) {
              return value.refuse(allowed, dimension);
            }
            for (std::size_t i = 0; i < size; ++i) make_reader(i).read(value.element(i));
          },
          [=] { return list_schema(least, most, make_reader); }, dimension};
}

Reader number_pair(std::array<double, 2>& out, const std::string& meaning, Dimension dimension) {
  return list(
      meaning + ", two numbers", 2, 2,
      [&out, dimension](std::size_t i) { return number(out[i], kFinite, dimension); }, dimension);
}

namespace {

// The next of pairs whose first numbers increase.
Reader next_pair(std::vector<std::array<double, 2>>& out, const PairColumn& quantity,
                 const PairColumn& value, const std::string& meaning) {
  constexpr double kUnread = std::numeric_limits<double>::quiet_NaN();  // no order with others
  const Reader pair = list(meaning + ", two numbers", 2, 2, [&out, quantity, value](std::size_t i) {
    return number(out.back()[i], kFinite, i == 0 ? quantity.dimension : value.dimension);
  });
  return {pair.allowed,
          [&out, quantity, pair](const Value& item) {
            const double last = out.empty() ? kUnread : out.back()[0];
            out.push_back({kUnread, kUnread});
            pair.read(item);
            if (!(out.back()[0] <= last)) return;
            const Units& units = item.findings.units;
            item.element(0).wrong(
                "the " + quantity.name + " " + show(out.back()[0], units, quantity.dimension) +
                    " does not come after " + show(last, units, quantity.dimension),
                quantity.name + "s must increase strictly");
          },
          [&out, pair] {
            out.emplace_back();
            return pair.describe();
          }};
}

}  // namespace

Reader increasing_pairs(std::vector<std::array<double, 2>>& out, const PairColumn& quantity,
                        const PairColumn& value, std::size_t least) {
  const std::string pair = "[" + quantity.name + ", " + value.name + "]";
  return list("a list [" + pair + ", …] of at least " + (least == 1 ? "one pair" : "two pairs"),
              least, kAnyNumber, [&out, quantity, value, pair](std::size_t) {
                return next_pair(out, quantity, value, pair);
              });
}

// ------------------------------------------------------------------------------------- objects

// What one way through the questions of an object has come upon.
class ObjectReader::Exploration {
 public:
  explicit Exploration(std::vector<std::size_t> answers) : answers_(std::move(answers)) {}

  // Answers a question that has so many answers.
  std::size_t answer(std::size_t count) {
    if (asked_.size() == answers_.size()) answers_.push_back(0);
    asked_.push_back(count);
    return answers_[asked_.size() - 1];
  }

  // The answers of the next way; empty if there is none.
  [[nodiscard]] std::vector<std::size_t> next_answers() const {
    std::vector<std::size_t> next = answers_;
    while (!next.empty() && next.back() + 1 >= asked_[next.size() - 1]) next.pop_back();
    if (!next.empty()) ++next.back();
    return next;
  }

  void add(std::string_view key, Schema schema) {
    const auto same = [key](const Member& member) { return member.key == key; };
    if (std::none_of(properties_.begin(), properties_.end(), same)) {
      properties_.push_back({std::string(key), std::move(schema)});
    }
  }
  void require(std::string_view key) {
    if (!contains(required_, key)) required_.push_back(key);
  }
  void exclude(std::string_view key) { excluded_.push_back(key); }
  void require_any(const Names& keys) { any_.push_back(keys); }
  void fail() { possible_ = false; }
  [[nodiscard]] bool is_possible() const {
    return possible_ && std::none_of(required_.begin(), required_.end(),
                                     [this](auto key) { return contains(excluded_, key); });
  }

  [[nodiscard]] Schema make_schema() const {
    Members properties;
    for (const Member& member : properties_) {
      if (!contains(excluded_, member.key)) properties.push_back(member);
    }
    Members schema{{"type", {"object"}}, {"properties", {std::move(properties)}}};
    if (!required_.empty()) schema.push_back({"required", list_keys(required_)});
    List conditions;
    for (const Names& keys : any_) {
      List choices;
      for (const std::string_view key : keys) {
        if (contains(excluded_, key)) continue;
        choices.push_back(make_object({{"required", list_keys({key})}}));
      }
      conditions.push_back(make_object({{"anyOf", {std::move(choices)}}}));
    }
    if (!conditions.empty()) schema.push_back({"allOf", {std::move(conditions)}});
    schema.push_back({"additionalProperties", {false}});
    return {std::move(schema)};
  }

 private:
  static Tree list_keys(const Names& keys) {
    List list;
    for (const std::string_view key : keys) list.push_back({std::string(key)});
    return {std::move(list)};
  }

  std::vector<std::size_t> answers_;
  std::vector<std::size_t> asked_;  // of every question, how many answers it has
  Members properties_;
  Names required_, excluded_;
  std::vector<Names> any_;
  bool possible_ = true;
};

namespace {

// Every way through the questions of an object is a variant of its schema.
Schema explore(const std::function<void(ObjectReader&)>& read_keys) {
  const Tree nothing{Members{}};
  std::vector<Schema> variants;
  std::vector<std::size_t> answers;
  do {
    Findings findings;
    ObjectReader::Exploration way(answers);
    const Value value{nothing, "", findings};
    ObjectReader in(value, way);
    read_keys(in);
    if (way.is_possible()) variants.push_back(way.make_schema());
    answers = way.next_answers();
  } while (!answers.empty());
  return any_of(std::move(variants));
}

}  // namespace

bool ObjectReader::has_any(const Names& keys) const {
  if (exploration_ != nullptr) {
    const bool is_there = exploration_->answer(2) == 0;
    if (is_there) exploration_->require_any(keys);
    for (const std::string_view key : keys) {
      if (!is_there) exploration_->exclude(key);
    }
    return is_there;
  }
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
  if (exploration_ != nullptr) return exploration_->add(key, reader.describe());
  know(key);
  if (const Tree* tree = find(key)) reader.read(object_.member(key, *tree));
}

void ObjectReader::required(std::string_view key, const Reader& reader) {
  if (exploration_ != nullptr) {
    exploration_->require(key);
  } else if (!has(key)) {
    wrong("the key '" + std::string(key) + "' is missing",
          "add it: " + with_unit(reader.allowed, findings().units, reader.dimension));
  }
  optional(key, reader);
}

std::string_view ObjectReader::exactly_one(const Names& keys) {
  if (exploration_ != nullptr) {
    const std::string_view chosen = keys[exploration_->answer(keys.size())];
    exploration_->require(chosen);
    for (const std::string_view key : keys) {
      if (key != chosen) exploration_->exclude(key);
    }
    return chosen;
  }
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
  if (exploration_ != nullptr) {
    const std::size_t chosen = exploration_->answer(kinds.size());
    const bool may_be_absent = absent == Absent::means_the_first && chosen == 0;
    exploration_->add("kind", make_object({{"const", {std::string(kinds[chosen].name)}}}));
    if (!may_be_absent) exploration_->require("kind");
    return kinds[chosen].read();
  }
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
  if (exploration_ != nullptr) return exploration_->fail();
  object_.wrong(std::move(what), std::move(remedy));
}

void ObjectReader::wrong_at(std::string_view key, std::string what, std::string remedy) const {
  if (exploration_ != nullptr) return exploration_->fail();
  object_.member(key, *find(key)).wrong(std::move(what), std::move(remedy));
}

std::string ObjectReader::shown(std::string_view key, Dimension dimension) const {
  const Tree* tree = find(key);
  if (tree == nullptr) return "";
  const std::string text = show(*tree);
  return dimension == Dimension{} ? text : text + " " + findings().units.name(dimension);
}

void ObjectReader::report_unknown_keys() const {
  // Where other keys are not known, one of those that are looked for may be misspelt.
  const auto may_be_right = [this](std::string_view key) {
    const std::string meant = nearest_name(key, known_);
    return meant.empty() || has(meant);
  };
  for (const auto& [key, tree] : members()) {
    if (contains(known_, key) || (ignores_other_keys_ && may_be_right(key))) continue;
    const std::string what = contains(not_yet_, key) ? "cannot read the key " : "unknown key ";
    object_.member(key, tree).wrong(
        what + show(key), ignores_other_keys_ ? "did you mean '" + nearest_name(key, known_) + "'?"
                                              : name_remedy(key, known_, not_yet_));
  }
}

Reader object(const std::function<void(ObjectReader&)>& read_keys) {
  return {"an object",
          [read_keys](const Value& value) {
            if (value.tree.as<Members>() == nullptr) return value.refuse("an object");
            ObjectReader in(value);
            read_keys(in);
            in.report_unknown_keys();
          },
          [read_keys] { return explore(read_keys); }};
}

Reader keyed(const std::function<Reader(const std::string&)>& make_reader) {
  const std::string allowed = "an object keyed by name";
  return {
      allowed,
      [allowed, make_reader](const Value& value) {
        const auto* members = value.tree.as<Members>();
        if (members == nullptr) return value.refuse(allowed);
        for (const auto& [name, tree] : *members) {
          const Value item = value.member(name, tree);
          if (!is_path_name(name)) {
            item.wrong("the name " + show(name) + " is not allowed", kPathNames);
          }
          make_reader(name).read(item);
        }
      },
      [make_reader] {
        const Tree names = make_object({{"pattern", {"^(?!\\.$)[^/\\u0000-\\u001f\\u007f]+$"}}});
        return make_object({{"type", {"object"}},
                            {"propertyNames", names},
                            {"additionalProperties", make_reader("name").describe()}});
      }};
}

}  // namespace fem::json
