#include "libfem/base/archive.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fem {
namespace {

struct Inner {
  std::string name;
  std::vector<double> numbers;
  bool operator==(const Inner&) const = default;
  template <class Archive>
  void archive(Archive& a) {
    a(name, numbers);
  }
};

enum class Color { red, green, blue };
constexpr Color last_value(Color /*of*/) { return Color::blue; }

// With holes between its members, which are never read.
struct Switch {
  bool on = false;
  Color color = Color::red;
  bool operator==(const Switch&) const = default;
  template <class Archive>
  void archive(Archive& a) {
    a(on, color);
  }
};

struct State {
  double time = 0;
  long steps = 0;
  bool flag = false;
  std::optional<double> number{};
  std::optional<Inner> part{};
  std::vector<bool> flags{};
  std::vector<Inner> parts{};
  std::vector<std::array<Inner, 2>> pairs{};
  std::vector<Switch> switches{};
  bool operator==(const State&) const = default;
  template <class Archive>
  void archive(Archive& a) {
    a(time, steps, flag, number, part, flags, parts, pairs, switches);
  }
};

State make_state() {
  return {.time = 0.1,
          .steps = -7,
          .flag = true,
          .number = std::numeric_limits<double>::denorm_min(),
          .part = Inner{"a", {1, -0.0}},
          .flags = {true, false, true},
          .parts = {{"", {}}, {std::string("\0x", 2), {3}}},
          .pairs = {{Inner{"p", {1}}, Inner{"q", {2, 3}}}},
          .switches = {{true, Color::blue}, {false, Color::green}}};
}

std::string write(State state) {
  StateWriter out;
  out(state);
  return out.take();
}

TEST(Archive, GivesBackWhatItWasGiven) {
  const std::string bytes = write(make_state());
  State read{.number = 5, .part = Inner{"old", {}}, .flags = {false}};
  StateReader in(bytes);
  in(read);
  in.finish();
  EXPECT_EQ(read, make_state());
  EXPECT_EQ(write(read), bytes);
  const State empty;
  StateReader again(bytes);
  State other;
  again(other);
  EXPECT_NE(other, empty);
}

TEST(Archive, RefusesBytesThatAreCutOrTooMany) {
  const std::string bytes = write(make_state());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    State read;
    StateReader in(std::string_view(bytes).substr(0, size));
    EXPECT_THROW(in(read), ArchiveError) << size;
  }
  const std::string longer = bytes + "x";
  StateReader in(longer);
  State read;
  in(read);
  EXPECT_THROW(in.finish(), ArchiveError);
}

// A size that is nonsense must not ask for memory.
TEST(Archive, RefusesImpossibleSizes) {
  const std::string bytes(16, '\xFF');
  StateReader in(bytes);
  std::vector<double> numbers;
  EXPECT_THROW(in(numbers), ArchiveError);
}

// Every bit pattern is a number, but not a flag or an enumeration: as one it would be no defined
// value of the program.
TEST(Archive, RefusesWhatIsNoFlagAndNoEnumeration) {
  constexpr std::size_t kColor = 1;  // behind the flag
  const auto read = [](std::string bytes, std::size_t place, int value) {
    bytes[place] = static_cast<char>(value);
    Switch result;
    StateReader in(bytes);
    in(result);
    return result;
  };
  std::string bytes;
  {
    StateWriter out;
    Switch kept{true, Color::blue};
    out(kept);
    bytes = out.take();
  }
  EXPECT_EQ(bytes.size(), 1 + sizeof(Color));
  EXPECT_EQ(read(bytes, 0, 0), (Switch{false, Color::blue}));
  EXPECT_EQ(read(bytes, kColor, 1), (Switch{true, Color::green}));
  for (const int wrong : {2, 61, 255}) EXPECT_THROW(read(bytes, 0, wrong), ArchiveError) << wrong;
  for (const int wrong : {3, 255}) EXPECT_THROW(read(bytes, kColor, wrong), ArchiveError) << wrong;
  EXPECT_THROW(read(bytes, bytes.size() - 1, 0x80), ArchiveError);  // negative

  const std::string flags = std::string("\1\0\0\0\0\0\0\0", 8) + '\2';
  std::vector<bool> three;
  StateReader in(flags);
  EXPECT_THROW(in(three), ArchiveError);
}

// A reader that counts on from such a number would soon overflow.
TEST(Archive, RefusesCountsNearTheirLimits) {
  const auto kept = [](auto value) {
    StateWriter out;
    out(value);
    const std::string bytes = out.take();
    StateReader in(bytes);
    decltype(value) result{};
    in(result);
    return result == value;
  };
  constexpr int kMost = std::numeric_limits<int>::max();
  constexpr long kLongMost = std::numeric_limits<long>::max();
  EXPECT_TRUE(kept(kMost / 8));
  EXPECT_TRUE(kept(-1));
  EXPECT_TRUE(kept(kLongMost / 8));
  EXPECT_TRUE(kept(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_THROW(kept(kMost / 8 + 1), ArchiveError);
  EXPECT_THROW(kept(-kMost), ArchiveError);
  EXPECT_THROW(kept(kLongMost), ArchiveError);
  EXPECT_THROW(kept(std::vector<int>{1, kMost}), ArchiveError);
  EXPECT_THROW(kept(std::array<long, 2>{1, kLongMost}), ArchiveError);
  EXPECT_THROW(kept(std::vector<std::array<int, 1>>{{kMost}}), ArchiveError);
}

}  // namespace
}  // namespace fem
