// The state of a run as bytes and back, bit for bit, for checkpoints.
//
// A class that has state to keep lists its members once:
//   template <class Archive> void archive(Archive& a) { a(time_, q_, v_); }
// StateWriter appends them to a text of bytes, StateReader takes them from there in the same order.
// Kept are numbers (byte by byte), flags, enumerations, texts, vectors, optionals and classes with
// an archive(). Classes are never copied byte by byte: bytes that were changed make any number, but
// not any flag or enumeration, and padding has no value at all. Integers are refused where counting
// on would soon overflow. An enumeration says where it ends:
//   constexpr Side last_value(Side) { return Side::after; }
// The bytes are those of this program on this machine; whoever keeps them says so beside them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fem {

/// The bytes are not those of the state that is read: too few, too many, or impossible.
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace archive_detail {

template <class Value>
inline constexpr bool kIsPlain = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;

template <class Item, std::size_t N>
inline constexpr bool kIsPlain<std::array<Item, N>> = kIsPlain<Item>;

// Whose values a text of bytes cannot give unchecked.
template <class Value>
inline constexpr bool kIsChoice = std::is_same_v<Value, bool> || std::is_enum_v<Value>;

// As what a flag or an enumeration is kept, and its last value as that.
template <class Choice>
constexpr auto as_number(Choice choice) {
  if constexpr (std::is_enum_v<Choice>) {
    return static_cast<std::underlying_type_t<Choice>>(choice);
  } else {
    return static_cast<unsigned char>(choice);
  }
}
template <class Choice>
constexpr auto last_number() {
  if constexpr (std::is_enum_v<Choice>) {
    return as_number(last_value(Choice{}));
  } else {
    return as_number(true);
  }
}

}  // namespace archive_detail

class StateWriter {
 public:
  template <class... Values>
  void operator()(Values&... values) {
    (put(values), ...);
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  template <class Value>
  void put(Value& value) {
    if constexpr (requires { value.archive(*this); }) {
      value.archive(*this);
    } else if constexpr (archive_detail::kIsChoice<Value>) {
      auto number = archive_detail::as_number(value);
      put(number);
    } else if constexpr (archive_detail::kIsPlain<Value>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      put_range(value);
    }
  }
  template <class Value>
  void put(std::optional<Value>& value) {
    bool given = value.has_value();
    put(given);
    if (given) put(*value);
  }
  template <class Item, std::size_t N>
  void put_range(std::array<Item, N>& items) {
    for (Item& item : items) put(item);
  }
  template <class Range>
  void put_range(Range& range) {
    std::uint64_t size = range.size();
    put(size);
    if constexpr (archive_detail::kIsPlain<typename Range::value_type>) {
      bytes_.append(reinterpret_cast<const char*>(range.data()),
                    range.size() * sizeof(typename Range::value_type));
    } else {
      for (auto& item : range) put(item);
    }
  }
  void put_range(std::vector<bool>& flags) {
    std::uint64_t size = flags.size();
    put(size);
    for (const bool flag : flags) bytes_ += flag ? '\1' : '\0';
  }

  std::string bytes_;
};

class StateReader {
 public:
  /// The bytes must outlive the reader.
  explicit StateReader(std::string_view bytes) : bytes_(bytes) {}

  template <class... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }

  /// Everything has been read.
  void finish() const {
    if (!bytes_.empty()) throw ArchiveError("the stored state is longer than that of this case");
  }

 private:
  [[noreturn]] static void fail_damaged() { throw ArchiveError("the stored state is damaged"); }
  [[nodiscard]] std::string_view take(std::size_t count) {
    if (count > bytes_.size()) {
      throw ArchiveError("the stored state is shorter than that of this case");
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  // Whoever read a count goes on counting: far from where that would overflow.
  template <class Value>
  static void demand_countable(const Value& value) {
    if constexpr (std::is_signed_v<Value> && std::is_integral_v<Value> &&
                  sizeof(Value) >= sizeof(int)) {
      constexpr Value kMost = std::numeric_limits<Value>::max() / 8;
      if (value > kMost || value < -kMost) fail_damaged();
    }
  }
  template <class Item, std::size_t N>
  static void demand_countable(const std::array<Item, N>& items) {
    for (const Item& item : items) demand_countable(item);
  }
  template <class Value>
  void get(Value& value) {
    if constexpr (requires { value.archive(*this); }) {
      value.archive(*this);
    } else if constexpr (archive_detail::kIsChoice<Value>) {
      auto number = archive_detail::as_number(Value{});
      get(number);
      if (number < 0 || number > archive_detail::last_number<Value>()) fail_damaged();
      value = static_cast<Value>(number);
    } else if constexpr (archive_detail::kIsPlain<Value>) {
      std::memcpy(&value, take(sizeof value).data(), sizeof value);
      demand_countable(value);
    } else {
      get_range(value);
    }
  }
  template <class Value>
  void get(std::optional<Value>& value) {
    bool given = false;
    get(given);
    value.reset();
    if (given) get(value.emplace());
  }
  [[nodiscard]] std::size_t get_size(std::size_t item) {
    std::uint64_t size = 0;
    get(size);
    if (size > bytes_.size() / item) fail_damaged();
    return static_cast<std::size_t>(size);
  }
  template <class Item, std::size_t N>
  void get_range(std::array<Item, N>& items) {
    for (Item& item : items) get(item);
  }
  template <class Range>
  void get_range(Range& range) {
    using Item = typename Range::value_type;
    if constexpr (archive_detail::kIsPlain<Item>) {
      const std::size_t size = get_size(sizeof(Item));
      range.resize(size);
      const std::string_view bytes = take(size * sizeof(Item));
      if (size > 0) std::memcpy(range.data(), bytes.data(), bytes.size());
      for (const Item& item : range) demand_countable(item);
    } else {
      range.clear();
      range.resize(get_size(1));
      for (auto& item : range) get(item);
    }
  }
  void get_range(std::vector<bool>& flags) {
    const std::size_t size = get_size(1);
    flags.clear();
    for (std::size_t i = 0; i < size; ++i) {
      bool flag = false;
      get(flag);
      flags.push_back(flag);
    }
  }

  std::string_view bytes_;
};

}  // namespace fem
