// Help with misspelt names, names in JSON pointers, and how text of others is shown.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fem {

/// The candidate nearest to `name` by edit distance, case aside (at most two fifths of its letters,
/// at least one, may be wrong); "" if none is near. Names of more than 1000 letters are near to
/// none.
[[nodiscard]] std::string nearest_name(std::string_view name,
                                       std::span<const std::string_view> candidates);
[[nodiscard]] std::string nearest_name(std::string_view name,
                                       std::span<const std::string> candidates);

/// "'a', 'b' and 'c'", shortened after `most` names; "none" if there are none.
[[nodiscard]] std::string list_names(std::span<const std::string> names, std::size_t most = 12);

/// Whether a name can be a part of a path in the results file: kPathNames says what is allowed.
[[nodiscard]] bool is_path_name(std::string_view name);
inline constexpr const char* kPathNames =
    "names become paths in the results file: not empty, not \".\", without '/' and control "
    "characters";

/// The text with its control characters as JSON escapes them, by four digits: U+0000 to U+001F,
/// U+007F and, in UTF-8 two bytes, U+0080 to U+009F. Text of a case could steer the terminal that
/// shows it, or begin lines that look like other messages.
[[nodiscard]] std::string show_control_characters(std::string_view text);

/// pointer + "/" + key, with the key escaped as RFC 6901 asks.
[[nodiscard]] std::string join_pointer(std::string_view pointer, std::string_view key);

/// The keys of a pointer, with their escapes undone.
[[nodiscard]] std::vector<std::string> split_pointer(std::string_view pointer);

}  // namespace fem
