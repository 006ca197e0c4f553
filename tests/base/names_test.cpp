#include "libfem/base/names.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace fem {
namespace {

using Names = std::vector<std::string>;

const Names kParts = {"section", "support", "hinge", "rod1", "rod2", "points"};

TEST(NearestName, FindsAMisspeltName) {
  EXPECT_EQ(nearest_name("secton", kParts), "section");    // a letter left out
  EXPECT_EQ(nearest_name("sectiion", kParts), "section");  // one too many
  EXPECT_EQ(nearest_name("sektion", kParts), "section");   // another one
  EXPECT_EQ(nearest_name("hnige", kParts), "hinge");       // two swapped
  EXPECT_EQ(nearest_name("Points", kParts), "points");
}

TEST(NearestName, CountsASwapAsOneChange) {
  // "abdc" is one swap from "abcd" and one letter from "abdx": the first of equals wins. Were a
  // swap two changes, the second would.
  EXPECT_EQ(nearest_name("abdc", Names{"abcd", "abdx"}), "abcd");
  EXPECT_EQ(nearest_name("abdc", Names{"abdx", "abcd"}), "abdx");
}

TEST(NearestName, PrefersTheSmallestDistance) {
  EXPECT_EQ(nearest_name("rod3", Names{"rods34", "rod33", "r"}), "rod33");
  EXPECT_EQ(nearest_name("rod2", kParts), "rod2");
}

TEST(NearestName, AllowsTwoFifthsOfTheLettersToBeWrong) {
  EXPECT_EQ(nearest_name("abcxy", Names{"abcde"}), "abcde");                 // two of five
  EXPECT_EQ(nearest_name("abxyz", Names{"abcde"}), "");                      // three of five
  EXPECT_EQ(nearest_name("abcdefwxyz", Names{"abcdefghij"}), "abcdefghij");  // four of ten
  EXPECT_EQ(nearest_name("abcdevwxyz", Names{"abcdefghij"}), "");            // five of ten
  EXPECT_EQ(nearest_name("ax", Names{"ab"}), "ab");  // one is always allowed
}

TEST(NearestName, DoesNotMindCapitals) {
  EXPECT_EQ(nearest_name("SECTION", kParts), "section");
  EXPECT_EQ(nearest_name("rigidhinge", Names{"RigidHinge", "rigidHingf"}), "RigidHinge");
}

TEST(NearestName, DoesNotInventWhereNothingIsAlike) {
  EXPECT_EQ(nearest_name("x", kParts), "");
  EXPECT_EQ(nearest_name("", kParts), "");
  EXPECT_EQ(nearest_name("a", Names{"b"}), "");  // one change, but of the only letter
  EXPECT_EQ(nearest_name("ab", Names{"cd"}), "");
  EXPECT_EQ(nearest_name("rod", Names{}), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'a'), kParts), "");
}

TEST(NearestName, TakesNoTimeForNamesOfAMegabyte) {
  std::string name(1000, 'a');
  EXPECT_EQ(nearest_name(name + 'b', Names{name}), "");
  name.back() = 'b';
  EXPECT_EQ(nearest_name(std::string(1000, 'a'), Names{name}), name);
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'a'), Names{std::string(1'000'001, 'a')}), "");
}

TEST(ListNames, ReadsAsASentence) {
  EXPECT_EQ(list_names(Names{}), "none");
  EXPECT_EQ(list_names(Names{"a"}), "'a'");
  EXPECT_EQ(list_names(Names{"a", "b"}), "'a' and 'b'");
  EXPECT_EQ(list_names(Names{"a", "b", "c"}), "'a', 'b' and 'c'");
}

TEST(ListNames, IsShortened) {
  EXPECT_EQ(list_names(Names{"a", "b", "c", "d"}, 2), "'a', 'b' and 2 more");
  EXPECT_EQ(list_names(Names{"a", "b", "c"}, 3), "'a', 'b' and 'c'");
  EXPECT_EQ(list_names(Names(100, "n"), 1), "'n' and 99 more");
}

TEST(PathNames, AreWhatTheResultsFileTakes) {
  for (const char* name : {"a", "..", "left arm", "шарнир 1", "a.b", "~", "a\\b"}) {
    EXPECT_TRUE(is_path_name(name)) << name;
  }
  for (const char* name : {"", ".", "/", "a/b", "a\n", "\x7f", "\x01", "\xC2\x9B"}) {
    EXPECT_FALSE(is_path_name(name)) << name;
  }
  EXPECT_FALSE(is_path_name(std::string_view("a\0b", 3)));
}

TEST(ControlCharacters, AreShownAsJsonWritesThem) {
  EXPECT_EQ(show_control_characters("шарнир 1, \\ and \""), "шарнир 1, \\ and \"");
  EXPECT_EQ(show_control_characters("\x1b[2J\r\n\x1f\x20\x7e\x7f"),
            "\\u001b[2J\\u000d\\u000a\\u001f\x20\x7e\\u007f");
  EXPECT_EQ(show_control_characters(std::string_view("a\0b", 3)), "a\\u0000b");
  // In two bytes: U+0080, U+009F, and the first letter behind them.
  EXPECT_EQ(show_control_characters("\xC2\x80\xC2\x9F\xC2\xA0"), "\\u0080\\u009f\xC2\xA0");
  EXPECT_EQ(show_control_characters("\xC3\x80 \xC2"), "\xC3\x80 \xC2");  // another; a cut one
}

TEST(JoinPointer, EscapesAsRfc6901Asks) {
  EXPECT_EQ(join_pointer("", "rods"), "/rods");
  EXPECT_EQ(join_pointer("/rods", "arm"), "/rods/arm");
  EXPECT_EQ(join_pointer("/rods", "a/b"), "/rods/a~1b");
  EXPECT_EQ(join_pointer("/rods", "a~b"), "/rods/a~0b");
  EXPECT_EQ(join_pointer("/rods", "~1"), "/rods/~01");
  EXPECT_EQ(join_pointer("/a~1b", ""), "/a~1b/");  // the pointer itself is escaped already
}

}  // namespace
}  // namespace fem
