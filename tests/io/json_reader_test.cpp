#include "libfem/io/json_reader.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/base/error.hpp"
#include "libfem/io/case_reader.hpp"
#include "tests/io/case_samples.hpp"

namespace fem {
namespace {

using namespace test;

// ---- the text

TEST(JsonReaderSyntax, NamesPointerLineAndColumn) {
  expect_problem("{\n  \"libfem\": 1,\n}", "/libfem",
                 {"line 3, column 1: ", "comma too many", "'}'"}, {"comma", "last"});
  expect_problem("{\"libfem\": 1\n \"title\": \"\"}", "/libfem",
                 {"line 2, column 2: ", "before '\"title\""}, {"comma", "between"});
  expect_problem("{\"libfem\" 1}", "/libfem", {"line 1, column 11: "}, {"colon"});
  expect_problem("{\"π\": [1 2]}", "/π/0", {"line 1, column 10: "}, {"comma"});
  expect_problem("{\"libfem\": [1,\n tru]}", "/libfem/0", {"line 2, column 2: ", "'tru]"}, {});
  expect_problem("{\"libfem\": [true false]}", "/libfem/0", {"line 1, column 18: "}, {"comma"});
  expect_problem("{\"libfem\": [1}", "/libfem/0", {"line 1, column 14: "}, {"]"});
  expect_problem("{\"literal\": 1 \"; last read: - end of input\"}", "/literal",
                 {"line 1, column 15: "}, {"comma"});
  expect_problem("{\"libfem\": 1} {", "", {"line 1, column 15: "}, {"remove"});
  expect_problem("{\"libfem\": [1, 2,]}", "/libfem/1", {"line 1, column 18: "}, {"comma"});
  expect_problem("\xEF\xBB\xBF{\"libfem\": [1, 2,]}", "/libfem/1", {"line 1, column 18: "},
                 {"comma"});
}

TEST(JsonReaderSyntax, NamesSlipsOfThePen) {
  expect_problem("{\"libfem\": NaN}", "/libfem", {"line 1, column 12: ", "NaN"}, {"finite"});
  expect_problem("{\"libfem\": -inf}", "/libfem", {"line 1, column 12: ", "-inf"}, {"finite"});
  expect_problem("{\"libfem\": -x}", "/libfem", {"line 1, column 12: ", "no number"}, {"1e-3"});
  expect_problem("{\"libfem\": 1O}", "/libfem", {"line 1, column 12: ", "'1O}'"}, {"1e-3"});
  expect_problem("{\"libfem\": 0,5}", "/libfem", {"line 1, column 14: ", "comma"}, {"point"});
  expect_problem("{libfem: 1}", "", {"line 1, column 2: ", "no quotes"}, {"double quotes"});
  expect_problem("{'libfem': 1}", "", {"line 1, column 2: ", "single"}, {"double quotes"});
  expect_problem("# a case", "", {"line 1, column 1: ", "no comment"}, {"//"});
  expect_problem("{\"libfem\": 5/6}", "/libfem", {"single /", "'/6}'"}, {"double quotes"});
  expect_problem("{\"libfem\": /6}", "/libfem", {"single /", "'/6}'"}, {"//"});
  expect_problem("{\"libfem\": 1 /", "/libfem", {"single /", "'/'"}, {"//"});
  expect_problem("{\"title\": \"a\nb\"}", "/title", {"line 1, column 11: ", "not closed"},
                 {"double quote"});
  expect_problem("{\"title\": \"say \\\"\nb\"}", "/title", {"line 1, column 11: "}, {});
  expect_problem("{\"title\": \"C:\\data\"}", "/title", {"line 1, column 11: "}, {"backslash"});
}

TEST(JsonReaderSyntax, TheTextEndsTooEarly) {
  expect_problem("", "", {"line 1, column 1: ", "empty"}, {"object"});
  expect_problem(" \n\n", "", {"empty"}, {"object"});
  expect_problem("{\"libfem\": 1,\n\"points\": {", "/points", {"line 2, column 12: "},
                 {"close", "}", "]"});
  expect_problem("/* never closed", "", {"line 1", "comment"}, {"*/"});
  expect_problem("{\"title\": \"never closed", "/title", {"line 1, column 11: ", "not closed"}, {});
}

TEST(JsonReaderSyntax, ComesAlone) {
  expect_problem(R"({"a": 1, "a": 1e999, oops})", "/a", {"line 1, column 22: "}, {"double quotes"});
}

TEST(JsonReaderSyntax, RefusesBytesThatAreNotText) {
  for (const std::string bad : {"\xC3", "\xFF", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80",
                                "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80"}) {
    expect_problem(with("two rods", "\ntwo " + bad), "", {"line 4, column 5: byte 0x", "UTF-8"},
                   {"UTF-8"});
  }
  expect_problem("{} // caf\xE9", "", {"line 1, column 10: byte 0xE9"}, {"UTF-8"});
  expect_problem(std::string("{}\0{", 4), "", {"line 1, column 3: byte 0x00"}, {});
}

TEST(JsonReaderSyntax, TakesTextOfAllLanguages) {
  EXPECT_EQ(read_case(with("two rods", "стержни € 𝛉")).title, "стержни € 𝛉");
  EXPECT_EQ(read_case("\xEF\xBB\xBF" + std::string(kCase)).title, "two rods");  // byte order mark
}

TEST(JsonReaderSyntax, LimitsTheNesting) {
  const std::string open(100'000, '[');
  const auto problems = problems_of(with("\"two rods\"", open));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].pointer.substr(0, 10), "/title/0/0");
  EXPECT_NE(problems[0].what.find("64"), std::string::npos);
  const std::string nested = std::string(63, '[') + std::string(63, ']');
  expect_problem(with("\"two rods\"", nested), "/title", {"a list of 1"}, {"text"});
}

TEST(JsonReaderTree, KeyGivenTwice) {
  expect_problem(with("\"B\": [0, 1]", "\"A\": [0, 1]"), "/points/A", {"\"A\"", "twice"}, {"keep"});
  expect_problem(with("\"to\": \"A\"", R"("to": "A", "to": "B")"), "/rods/upper/to", {"twice"}, {});
}

// Where a value stands is found apart from the parser: both have to see the same comments.
TEST(JsonReaderTree, KnowsWhereValuesStandBehindAnyComment) {
  const std::vector<std::string> between = {
      "",       " ",        "\r",     "\n",        "\r\n",      "// a\n",
      "// a\r", "// a\r\n", "//\r",   "// /* a\r", "/* a */",   "/* // */",
      "/***/",  "/*\r*/",   "/*\n*/", "// \"a\r",  "/* \" */ ", "/* \xC3\xA4 */"};
  const auto expect_place = [](const json::Tree& value, std::string_view text,
                               std::string_view token) {
    const std::string_view before = text.substr(0, text.find(token));
    const std::string_view row = before.substr(before.rfind('\n') + 1);
    const auto characters = std::count_if(row.begin(), row.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    });
    EXPECT_EQ(value.place.line, 1 + std::count(before.begin(), before.end(), '\n')) << text;
    EXPECT_EQ(value.place.column, 1 + characters) << text;
  };
  for (const std::string& one : between) {
    for (const std::string& other : between) {
      std::string text;
      for (const char* token : {"{", "\"k\"", ":", "-12.5", ",", "\"l\"", ":", "[", "true", "]"}) {
        text += one + other + token;
      }
      text += one + "}" + other;
      std::vector<Problem> problems;
      const json::Tree tree = json::parse(text, 0, "", problems);
      EXPECT_TRUE(problems.empty()) << text;
      const auto& members = *tree.as<json::Tree::Members>();
      expect_place(members.at(0).tree, text, "-12.5");
      expect_place(members.at(1).tree.as<json::Tree::List>()->at(0), text, "true");
    }
  }
}

TEST(JsonReaderTree, NumberBeyondDouble) {
  expect_problem(with("20", "1e999"), "/analysis/end", {"1e999", "not finite"}, {"1.79e308"});
  expect_problem(with("[5, -3.1]", "[5, -1e400]"), "/laws/open/points/1/1", {"-1e400"}, {});
  expect_problem(with("\"elements\": 7", "\"elements\": 1e999"), "/rods/upper/elements",
                 {"not finite"}, {});
  expect_problem(with("20", "1e999, \"output\": {\"every\": 1}"), "/analysis/end", {}, {});
  expect_problem(with("\"two rods\"", "1e999"), "/title", {"not finite"}, {});
  // Beyond long double too, where the JSON library gives up.
  expect_problem(with("20", "1e99999"), "/analysis/end", {"1e99999", "not finite"}, {"1.79e308"});
}

TEST(JsonReaderTree, NumberBeyondDoubleDoesNotHideTheRest) {
  EXPECT_EQ(
      problems_of(with("[0, 0], \"A\": [2, 0]", "[1e999, 0], \"A\": [2, 1e999, 0, 0]")).size(), 3U);
}

// ---- the schema

// Of four ways to give two keys, the one with both is none.
TEST(JsonReaderSchema, LeavesOutWhatIsRefusedAtAKey) {
  double a = 0, b = 0;
  const auto count_ways = [&](bool refuses) {
    const json::Reader reader = json::object([&](json::ObjectReader& in) {
      in.optional("a", json::number(a, json::kFinite));
      in.optional("b", json::number(b, json::kFinite));
      const bool has_a = in.has_any({"a"}), has_b = in.has_any({"b"});
      if (refuses && has_a && has_b) in.wrong_at("b", "it stands beside a", "keep one");
    });
    return reader.describe().as<json::Tree::Members>()->front().tree.as<json::Tree::List>()->size();
  };
  EXPECT_EQ(count_ways(false), 4U);
  EXPECT_EQ(count_ways(true), 3U);
}

}  // namespace
}  // namespace fem
