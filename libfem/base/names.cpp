#include "libfem/base/names.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace fem {
namespace {

constexpr std::size_t kLongestCompared = 1000;  // letters: the time goes with their square

// Levenshtein's distance, counting the swap of two neighbours as one (restricted Damerau).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
  const std::string sought = lower(name);
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::string_view nearest;
  for (const std::string_view candidate : candidates) {
    const std::size_t tolerated = std::max<std::size_t>(1, 2 * candidate.size() / 5);
    const std::size_t longer = std::max(name.size(), candidate.size());
    // They are at least as far from each other as their lengths differ.
    if (longer - std::min(name.size(), candidate.size()) > tolerated) continue;
    if (longer > kLongestCompared) continue;
    const std::size_t distance = edit_distance(sought, lower(candidate));
    if (distance > tolerated || distance >= candidate.size() || distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return std::string(nearest);
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  return nearest_name(name, views);
}

std::string list_names(std::span<const std::string> names, std::size_t most) {
  if (names.empty()) return "none";
  const std::size_t shown = std::min(names.size(), most);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += "'" + names[i] + "'";
  }
  if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

std::string show_control_characters(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    const bool is_second_set = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    if (byte >= 0x20 && byte != 0x7F && !is_second_set) {
      shown += text[i];
      continue;
    }
    const unsigned char code = is_second_set ? next : byte;
    shown += std::string("\\u00") + kDigits[code / 16] + kDigits[code % 16];
    if (is_second_set) ++i;
  }
  return shown;
}

bool is_path_name(std::string_view name) {
  return !name.empty() && name != "." && name.find('/') == std::string_view::npos &&
         show_control_characters(name) == name;
}

std::string join_pointer(std::string_view pointer, std::string_view key) {
  std::string result(pointer);
  result += '/';
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::vector<std::string> split_pointer(std::string_view pointer) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      keys.emplace_back();
    } else if (keys.empty()) {
      keys.emplace_back(1, pointer[i]);  // no pointer: its text leads nowhere
    } else if (pointer[i] == '~' && i + 1 < pointer.size()) {
      ++i;
      keys.back() += pointer[i] == '1' ? '/' : '~';
    } else {
      keys.back() += pointer[i];
    }
  }
  return keys;
}

}  // namespace fem
