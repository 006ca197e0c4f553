#include "libfem/io/case_reader.hpp"

#include <algorithm>
#include <array>
#include <clocale>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

using Words = std::vector<std::string>;

// Names are not in alphabetical order, so that an order of the file can be told from a sorted one.
constexpr std::string_view kCase = R"({
  "libfem": 1,
  "title": "two rods",
  "sections": {"bar": {"EA": 7.2e6, "EI": 60, "GAs": 2.8e6,
                       "mass_per_length": 0.28, "inertia_per_length": 2e-6}},
  "laws": {"open": {"kind": "linear", "points": [[0, 0], [5, -3.1]]},
           "hold": {"kind": "constant", "value": 0.5}},
  "points": {"O": [0, 0], "A": [2, 0], "B": [0, 1]},
  "rods": {"upper": {"section": "bar", "from": "O", "to": "A", "elements": 7},
           "lower": {"section": "bar", "from": "A", "to": "B", "inertia_field": "paper"}},
  "hinges": {"knee": {"at": "A", "members": ["upper", "lower"], "drive": "open"}},
  "supports": {"O": {"fix": ["x", "y"], "angle": "hold"}},
  "analysis": {"end": 20}
})";

std::string with(std::string_view from, std::string_view to) {
  std::string text(kCase);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::vector<Problem> problems_of(std::string_view text) {
  try {
    static_cast<void>(read_case(text));
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

void expect_words(const Problem& problem, const std::string& pointer, const Words& what,
                  const Words& remedy) {
  EXPECT_EQ(problem.pointer, pointer);
  for (const std::string& word : what)
    EXPECT_NE(problem.what.find(word), std::string::npos) << word << " is not in: " << problem.what;
  for (const std::string& word : remedy)
    EXPECT_NE(problem.remedy.find(word), std::string::npos)
        << word << " is not in: " << problem.remedy;
}

// The text has one problem and no other.
void expect_problem(std::string_view text, const std::string& pointer, const Words& what,
                    const Words& remedy) {
  SCOPED_TRACE(pointer);
  const std::vector<Problem> problems = problems_of(text);
  EXPECT_EQ(problems.size(), 1U) << InputError(problems).what();
  if (!problems.empty()) expect_words(problems.front(), pointer, what, remedy);
}

// ---- what is read

TEST(CaseReader, ReadsEveryValue) {
  const CaseDescription c = read_case(kCase);
  EXPECT_EQ(c.title, "two rods");
  ASSERT_EQ(c.sections.size(), 1U);
  EXPECT_EQ(c.sections[0].axial_stiffness, 7.2e6);
  EXPECT_EQ(c.sections[0].bending_stiffness, 60);
  EXPECT_EQ(c.sections[0].shear_stiffness, 2.8e6);
  EXPECT_EQ(c.sections[0].mass_per_length, 0.28);
  EXPECT_EQ(c.sections[0].inertia_per_length, 2e-6);
  ASSERT_EQ(c.laws.size(), 2U);
  const auto& open = std::get<LinearLaw>(c.laws[0].law);
  EXPECT_EQ(open.times, (std::vector<double>{0, 5}));
  EXPECT_EQ(open.values, (std::vector<double>{0, -3.1}));
  EXPECT_EQ(std::get<ConstantLaw>(c.laws[1].law).value, 0.5);
  EXPECT_EQ(c.points[1].position, (std::array<double, 2>{2, 0}));
  EXPECT_EQ(c.rods[0].section, "bar");
  EXPECT_EQ(c.rods[0].from, "O");
  EXPECT_EQ(c.rods[0].to, "A");
  EXPECT_EQ(c.rods[0].elements, 7);
  EXPECT_EQ(c.rods[0].inertia_field, InertiaField::chord);
  EXPECT_EQ(c.rods[1].elements, 1);
  EXPECT_EQ(c.rods[1].inertia_field, InertiaField::paper);
  EXPECT_EQ(c.hinges[0].at, "A");
  EXPECT_EQ(c.hinges[0].members, (std::array<std::string, 2>{"upper", "lower"}));
  EXPECT_EQ(std::get<std::string>(c.hinges[0].drive.value()), "open");
  EXPECT_EQ(c.supports[0].point, "O");
  EXPECT_TRUE(c.supports[0].fix_x && c.supports[0].fix_y && !c.supports[0].fix_angle);
  EXPECT_EQ(std::get<std::string>(c.supports[0].angle.value()), "hold");
  EXPECT_FALSE(c.supports[0].x || c.supports[0].y || c.supports[0].rod);
  EXPECT_EQ(c.analysis.end, 20);
}

TEST(CaseReader, KeepsTheOrderOfTheFile) {
  const CaseDescription c = read_case(kCase);
  const auto names = [](const auto& items) {
    Words result;
    for (const auto& item : items) result.push_back(item.name);
    return result;
  };
  EXPECT_EQ(names(c.points), (Words{"O", "A", "B"}));
  EXPECT_EQ(names(c.rods), (Words{"upper", "lower"}));
  EXPECT_EQ(names(c.laws), (Words{"open", "hold"}));
}

TEST(CaseReader, DefaultsOfTheAnalysis) {
  const AnalysisDescription a = read_case(kCase).analysis;
  EXPECT_EQ(a.output_every, 20.0 / 200);
  EXPECT_EQ(a.method.local_tolerance, ArcLengthDescription{}.local_tolerance);
  EXPECT_EQ(a.method.metric, Metric::scaled);
  EXPECT_FALSE(a.method.reference_length || a.method.reference_time);
}

TEST(CaseReader, ReadsTheMethodAndTheOutput) {
  const AnalysisDescription a =
      read_case(with(R"("end": 20)",
                     R"("output": {"every": 0.5}, "end": 20, "method": {"kind": "arc_length",
        "local_tolerance": 1e-6, "iteration_tolerance": 1e-9, "frequency_limit": 1.7,
        "metric": "plain", "reference_length": 3, "reference_time": 4})"))
          .analysis;
  EXPECT_EQ(a.output_every, 0.5);
  EXPECT_EQ(a.method.local_tolerance, 1e-6);
  EXPECT_EQ(a.method.iteration_tolerance, 1e-9);
  EXPECT_EQ(a.method.frequency_limit, 1.7);
  EXPECT_EQ(a.method.metric, Metric::plain);
  EXPECT_EQ(a.method.reference_length, 3);
  EXPECT_EQ(a.method.reference_time, 4);
}

TEST(CaseReader, TheMethodIsArcLengthUnlessItSaysOtherwise) {
  const auto a = read_case(with("\"end\"", R"("method": {"metric": "plain"}, "end")")).analysis;
  EXPECT_EQ(a.method.metric, Metric::plain);
}

TEST(CaseReader, ANumberStandsForAConstantLaw) {
  const auto c = read_case(with(R"("fix": ["x", "y"])", R"("fix": ["x"], "y": 0.25)"));
  EXPECT_EQ(std::get<double>(c.supports[0].y.value()), 0.25);
}

TEST(CaseReader, ReadsASmoothLaw) {
  const auto c = read_case(with("linear", "smooth"));
  EXPECT_EQ(std::get<SmoothLaw>(c.laws[0].law).times, (std::vector<double>{0, 5}));
}

TEST(CaseReader, AllowsComments) {
  EXPECT_TRUE(problems_of("// first\n" + with("\"libfem\"", "/* here */ \"libfem\"") +
                          "// last, no newline")
                  .empty());
}

TEST(CaseReader, TakesWholeNumbersInAnySpelling) {
  EXPECT_EQ(read_case(with("\"elements\": 7", "\"elements\": 7.0")).rods[0].elements, 7);
  EXPECT_EQ(read_case(with("\"elements\": 7", "\"elements\": 1e7")).rods[0].elements, 10'000'000);
}

TEST(CaseReader, ReadsTheNearestDouble) {
  const auto value = [](const std::string& number) {
    const auto c = read_case(with("\"value\": 0.5", "\"value\": " + number));
    return std::get<ConstantLaw>(c.laws[1].law).value;
  };
  EXPECT_EQ(value("2.3333333333333333e-6"), 2.3333333333333333e-6);
  // Halfway between 1 and its neighbour but for the last digit: rounds up, if not rounded twice.
  EXPECT_EQ(value("1.0000000000000001110223024625156541"), std::nextafter(1.0, 2.0));
  EXPECT_EQ(value("1e-999"), 0);
  EXPECT_EQ(value("18446744073709551617"), 18446744073709551616.0);
}

TEST(CaseReader, ReadsTheCasesOfTheRepository) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FEM_SOURCE_DIR "/cases")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path());
    EXPECT_NO_THROW(static_cast<void>(read_case(load_text(entry.path()))));
    ++count;
  }
  EXPECT_GE(count, 2);
}

TEST(CaseReader, ReadsTheExampleOfTheDocumentation) {
  const std::string page = load_text(FEM_SOURCE_DIR "/docs/case-format.md");
  const std::string fence = "```jsonc\n";
  const std::size_t begin = page.find(fence) + fence.size();
  const std::string example = page.substr(begin, page.find("```", begin) - begin);
  EXPECT_EQ(read_case(example).rods.size(), 2U);
}

TEST(CaseReader, TheLocaleDoesNotMatter) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const bool has_comma = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr ||
                         std::setlocale(LC_ALL, "fr_FR.UTF-8") != nullptr ||
                         std::setlocale(LC_ALL, "ru_RU.UTF-8") != nullptr;
  if (!has_comma) GTEST_SKIP() << "no locale with a decimal comma is installed";
  const double mass = read_case(kCase).sections[0].mass_per_length;
  const auto problems = problems_of(with("\"end\": 20", "\"end\": -2.5"));
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(mass, 0.28);
  ASSERT_EQ(problems.size(), 1U);
  expect_words(problems[0], "/analysis/end", {"-2.5"}, {});
}

// ---- the text

TEST(CaseReaderSyntax, NamesLineAndColumn) {
  expect_problem("{\n  \"libfem\": 1,\n}", "", {"line 3, column 1: ", "'}'"}, {"comma", "last"});
  expect_problem("{\"libfem\": 1\n \"title\": \"\"}", "", {"line 2, column 2: ", "near '\"title\""},
                 {"comma", "between"});
  expect_problem("{\"libfem\" 1}", "", {"line 1, column 11: "}, {"colon"});
  expect_problem("{\"π\": [1 2]}", "", {"line 1, column 10: "}, {"comma"});
  expect_problem("{\"libfem\": NaN}", "", {"line 1, column 12: ", "NaN"}, {"a number"});
  expect_problem("{\"libfem\": [1,\n tru]}", "", {"line 2, column 2: ", "near 'tru]"}, {});
  expect_problem("{\"libfem\": [true false]}", "", {"line 1, column 18: "}, {"comma"});
  expect_problem("{\"libfem\": [1}", "", {"line 1, column 14: "}, {"]"});
  expect_problem("{\"libfem\": -x}", "", {"line 1, column 12: ", "invalid number"}, {});
  expect_problem("{\"literal\": 1 \"; last read: - end of input\"}", "", {"line 1, column 15: "},
                 {});
  expect_problem("{\"libfem\": 1} {", "", {"line 1, column 15: "}, {});
  expect_problem("{\"title\": \"a\nb\"}", "", {"line 1, column 13: ", "control character"}, {});
}

TEST(CaseReaderSyntax, TheTextEndsTooEarly) {
  expect_problem("", "", {"line 1, column 1: ", "end of input"}, {"close"});
  expect_problem("{\"libfem\": 1,\n\"points\": {", "", {"line 2, column 12: "},
                 {"close", "}", "]"});
  expect_problem("/* never closed", "", {"line 1", "comment"}, {});
  expect_problem("{\"title\": \"never closed", "", {"line 1", "quote"}, {});
}

TEST(CaseReaderSyntax, ComesAlone) {
  expect_problem(R"({"a": 1, "a": 1e999, oops})", "", {"line 1, column 22: "}, {"double quotes"});
}

TEST(CaseReaderSyntax, RefusesBytesThatAreNotText) {
  for (const std::string bad : {"\xC3", "\xFF", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80",
                                "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80"}) {
    expect_problem(with("two rods", "\ntwo " + bad), "", {"line 4, column 5: byte 0x", "UTF-8"},
                   {"UTF-8"});
  }
  expect_problem("{} // caf\xE9", "", {"line 1, column 10: byte 0xE9"}, {"UTF-8"});
  expect_problem(std::string("{}\0{", 4), "", {"line 1, column 3: byte 0x00"}, {});
}

TEST(CaseReaderSyntax, TakesTextOfAllLanguages) {
  EXPECT_EQ(read_case(with("two rods", "стержни € 𝛉")).title, "стержни € 𝛉");
  EXPECT_EQ(read_case("\xEF\xBB\xBF" + std::string(kCase)).title, "two rods");  // byte order mark
}

TEST(CaseReaderSyntax, LimitsTheNesting) {
  const std::string open(100'000, '[');
  const auto problems = problems_of(with("\"two rods\"", open));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].pointer.substr(0, 10), "/title/0/0");
  EXPECT_NE(problems[0].what.find("64"), std::string::npos);
  const std::string nested = std::string(63, '[') + std::string(63, ']');
  expect_problem(with("\"two rods\"", nested), "/title", {"a list of 1"}, {"text"});
}

TEST(CaseReaderTree, KeyGivenTwice) {
  expect_problem(with("\"B\": [0, 1]", "\"A\": [0, 1]"), "/points/A", {"\"A\"", "twice"}, {"keep"});
  expect_problem(with("\"to\": \"A\"", R"("to": "A", "to": "B")"), "/rods/upper/to", {"twice"}, {});
}

TEST(CaseReaderTree, NumberBeyondDouble) {
  expect_problem(with("20", "1e999"), "/analysis/end", {"1e999", "not finite"}, {"1.79e308"});
  expect_problem(with("[5, -3.1]", "[5, -1e400]"), "/laws/open/points/1/1", {"-1e400"}, {});
  expect_problem(with("\"elements\": 7", "\"elements\": 1e999"), "/rods/upper/elements",
                 {"not finite"}, {});
  expect_problem(with("20", "1e999, \"output\": {\"every\": 1}"), "/analysis/end", {}, {});
  expect_problem(with("\"two rods\"", "1e999"), "/title", {"not finite"}, {});
  // Beyond long double too, where the JSON library gives up.
  expect_problem(with("20", "1e99999"), "/analysis/end", {"1e99999", "not finite"}, {"1.79e308"});
}

TEST(CaseReaderTree, NumberBeyondDoubleDoesNotHideTheRest) {
  EXPECT_EQ(problems_of(with("[0, 0], \"A\": [2, 0]", "[1e999, 0], \"A\": [2, 1e999, 0]")).size(),
            3U);
}

// ---- the objects

TEST(CaseReaderObjects, RootIsAnObject) {
  expect_problem("[1, 2]", "", {"a list of 2"}, {"object"});
  expect_problem("3", "", {"3"}, {"object"});
}

TEST(CaseReaderObjects, MissingKeys) {
  const auto problems = problems_of("{}");
  ASSERT_EQ(problems.size(), 5U);
  const Words keys{"libfem", "sections", "points", "rods", "analysis"};
  for (std::size_t i = 0; i < keys.size(); ++i)
    expect_words(problems[i], "", {keys[i], "missing"}, {"add it"});
  expect_problem(with("\"EI\": 60, ", ""), "/sections/bar", {"'EI'", "missing"},
                 {"greater than 0"});
  expect_problem(with("\"kind\": \"constant\", ", ""), "/laws/hold", {"'kind'"}, {"linear"});
  expect_problem(with(", \"value\": 0.5", ""), "/laws/hold", {"'value'"}, {"number"});
  expect_problem(with("\"section\": \"bar\", ", ""), "/rods/upper", {"'section'"}, {"section"});
  expect_problem(with("\"from\": \"O\", ", ""), "/rods/upper", {"'from'"}, {"point"});
  expect_problem(with(", \"to\": \"A\"", ""), "/rods/upper", {"'to'"}, {"point"});
  expect_problem(with("\"at\": \"A\", ", ""), "/hinges/knee", {"'at'"}, {"point"});
  expect_problem(with(R"("members": ["upper", "lower"], )", ""), "/hinges/knee", {"'members'"},
                 {"two"});
  expect_problem(with("\"end\": 20", ""), "/analysis", {"'end'"}, {"greater than 0"});
}

TEST(CaseReaderObjects, UnknownKeysNameTheNearest) {
  expect_problem(with("\"title\"", "\"titel\""), "/titel", {"unknown key", "\"titel\""},
                 {"did you mean 'title'?", "allowed: libfem, title, sections"});
  expect_problem(with("\"drive\"", "\"Drive\""), "/hinges/knee/Drive", {"unknown"},
                 {"did you mean 'drive'?"});
  expect_problem(with("\"elements\"", "\"element\""), "/rods/upper/element", {"unknown"},
                 {"'elements'"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"ouput\": {}"), "/analysis/ouput", {},
                 {"'output'"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"output\": {\"evry\": 1}"),
                 "/analysis/output/evry", {}, {"'every'"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"method\": {\"metrics\": 1}"),
                 "/analysis/method/metrics", {}, {"'metric'"});
  const auto problems = problems_of(with("\"points\": {", "\"point\": {"));
  ASSERT_EQ(problems.size(), 2U);
  expect_words(problems[1], "/point", {"unknown"}, {"did you mean 'points'?"});
}

TEST(CaseReaderObjects, UnknownKeysFarFromAllNameNone) {
  const auto problems = problems_of(with("\"title\"", "\"zzzzz\""));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].remedy.find("did you mean"), std::string::npos);
  expect_problem(with("\"title\"", "\"" + std::string(1'000'000, 't') + "\""),
                 "/" + std::string(1'000'000, 't'), {"unknown", "…"}, {"allowed"});
}

TEST(CaseReaderObjects, PointersAreEscaped) {
  expect_problem(with("\"title\"", "\"a/b~c\""), "/a~1b~0c", {"\"a/b~c\""}, {"allowed"});
}

TEST(CaseReaderObjects, KeysOfTheFormatThatThisVersionLacks) {
  for (const std::string key : {"gravity", "frame", "bodies", "particles", "springs", "hereditary",
                                "constraints", "loads", "initial"}) {
    expect_problem(with("\"title\"", "\"" + key + "\""), "/" + key, {key},
                   {"this version", "does not have it yet"});
  }
  for (const std::string key : {"spring", "damper", "friction", "stop", "latch", "hereditary"}) {
    expect_problem(with("\"drive\"", "\"" + key + "\""), "/hinges/knee/" + key, {key},
                   {"this version", "does not have it yet"});
  }
  expect_problem(
      with("\"end\": 20",
           R"("end": 20, "method": {"kind": "generalized_alpha", "spectral_radius": 0.9})"),
      "/analysis/method/kind", {"generalized_alpha"}, {"does not have it yet", "arc_length"});
  expect_problem(with("\"kind\": \"linear\"", "\"kind\": \"harmonic\""), "/laws/open/kind",
                 {"harmonic"}, {"does not have it yet"});
  expect_problem(with("\"EA\"", "\"density\": 1, \"EA\""), "/sections/bar/density", {"density"},
                 {"does not have it yet"});
  expect_problem(with("\"EA\"", "\"mass_offset\": 0.1, \"EA\""), "/sections/bar/mass_offset",
                 {"0.1"}, {"must be 0", "does not have"});
  EXPECT_TRUE(problems_of(with("\"EA\"", "\"mass_offset\": 0, \"EA\"")).empty());
}

TEST(CaseReaderObjects, FormatVersion) {
  expect_problem(with("\"libfem\": 1", "\"libfem\": 2"), "/libfem", {"2"},
                 {"must be 1", "version"});
  expect_problem(with("\"libfem\": 1", "\"libfem\": \"1\""), "/libfem", {"\"1\""}, {"must be 1"});
  expect_problem(with("\"libfem\": 1", "\"libfem\": true"), "/libfem", {"true"}, {"must be 1"});
}

TEST(CaseReaderObjects, WrongTypes) {
  expect_problem(with("\"two rods\"", "null"), "/title", {"null"}, {"a text"});
  expect_problem(with("\"EI\": 60", "\"EI\": \"60\""), "/sections/bar/EI", {"\"60\""},
                 {"a number"});
  expect_problem(with("\"EI\": 60", "\"EI\": true"), "/sections/bar/EI", {"true"}, {"a number"});
  expect_problem(with("\"B\": [0, 1]", "\"B\": {}"), "/points/B", {"an object"}, {"[x, y]"});
  expect_problem(with("\"B\": [0, 1]", "\"B\": [0, 1, 2]"), "/points/B", {"a list of 3"},
                 {"[x, y]"});
  expect_problem(with("\"B\": [0, 1]", "\"B\": [0, \"1\"]"), "/points/B/1", {"\"1\""},
                 {"finite number"});
  expect_problem(with("\"section\": \"bar\"", "\"section\": 1"), "/rods/upper/section", {"1"},
                 {"section"});
  expect_problem(with("\"at\": \"A\"", "\"at\": [2, 0]"), "/hinges/knee/at", {"a list of 2"},
                 {"point"});
  expect_problem(with("\"drive\": \"open\"", "\"drive\": []"), "/hinges/knee/drive", {"a list"},
                 {"number", "law"});
  expect_problem(with("\"angle\": \"hold\"", "\"angle\": null"), "/supports/O/angle", {"null"},
                 {"number", "law"});
  expect_problem(with("\"angle\": \"hold\"", "\"rod\": 1"), "/supports/O/rod", {"1"}, {"rod"});
  expect_problem(with("{\"kind\": \"constant\", \"value\": 0.5}", "0.5"), "/laws/hold", {"0.5"},
                 {"object"});
  expect_problem(with("{\"end\": 20}", "20"), "/analysis", {"20"}, {"object"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"method\": \"arc_length\""), "/analysis/method",
                 {"arc_length"}, {"object"});
  expect_problem(with(R"({"O": {"fix": ["x", "y"], "angle": "hold"}})", "[]"), "/supports",
                 {"a list of 0"}, {"keyed by name"});
}

TEST(CaseReaderObjects, WrongWords) {
  expect_problem(with("\"paper\"", "\"papre\""), "/rods/lower/inertia_field", {"\"papre\""},
                 {"did you mean 'paper'?", "chord, paper"});
  expect_problem(with("\"paper\"", "1"), "/rods/lower/inertia_field", {"1"}, {"chord, paper"});
  expect_problem(with("\"linear\"", "\"Linear\""), "/laws/open/kind", {"\"Linear\""},
                 {"did you mean 'linear'?"});
  expect_problem(with("[\"x\", \"y\"]", "[\"x\", \"z\"]"), "/supports/O/fix/1", {"\"z\""},
                 {"x, y, angle"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"method\": {\"metric\": \"plane\"}"),
                 "/analysis/method/metric", {"\"plane\""}, {"did you mean 'plain'?"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"method\": {\"kind\": \"arclength\"}"),
                 "/analysis/method/kind", {"\"arclength\""}, {"'arc_length'"});
}

TEST(CaseReaderObjects, SectionRanges) {
  for (const std::string value : {"0", "-1", "1e-310"}) {
    const auto expect_positive = [&](const std::string& key, const std::string& good) {
      expect_problem(with(good, value), "/sections/bar/" + key, {value}, {"greater than 0"});
    };
    expect_positive("EA", "7.2e6");
    expect_positive("EI", "60");
    expect_positive("GAs", "2.8e6");
    expect_positive("mass_per_length", "0.28");
  }
  expect_problem(with("2e-6", "-2e-6"), "/sections/bar/inertia_per_length", {"-2e-06"},
                 {"not less than 0"});
  EXPECT_TRUE(problems_of(with("2e-6", "0")).empty());
}

TEST(CaseReaderObjects, Elements) {
  for (const std::string value : {"0", "-3", "10000001", "1e30", "7.5", "\"7\""}) {
    expect_problem(with("\"elements\": 7", "\"elements\": " + value), "/rods/upper/elements", {},
                   {"integer from 1 to 10000000"});
  }
}

TEST(CaseReaderObjects, LawPoints) {
  expect_problem(with("[[0, 0], [5, -3.1]]", "[]"), "/laws/open/points", {"a list of 0"},
                 {"at least one"});
  expect_problem(with("[[0, 0], [5, -3.1]]", "[0]"), "/laws/open/points/0", {}, {});
  expect_problem(with("[5, -3.1]", "[0, -3.1]"), "/laws/open/points/1/0", {"0"},
                 {"increase strictly"});
  expect_problem(with("[5, -3.1]", "[-1, 2]"), "/laws/open/points/1/0", {"-1", "0"},
                 {"increase strictly"});
  expect_problem(with("[5, -3.1]", "[5]"), "/laws/open/points/1", {"a list of 1"},
                 {"[time, value]"});
  expect_problem(with("\"value\": 0.5", "\"value\": 0.5, \"points\": []"), "/laws/hold/points",
                 {"unknown"}, {"kind, value"});
}

TEST(CaseReaderObjects, HingeMembers) {
  expect_problem(with("[\"upper\", \"lower\"]", "[\"upper\"]"), "/hinges/knee/members",
                 {"a list of 1"}, {"two"});
  expect_problem(with("[\"upper\", \"lower\"]", "[\"upper\", \"upper\"]"), "/hinges/knee/members",
                 {"\"upper\""}, {"different"});
  expect_problem(with("[\"upper\", \"lower\"]", "[\"upper\", 2]"), "/hinges/knee/members/1", {"2"},
                 {"rod"});
}

TEST(CaseReaderObjects, Supports) {
  const std::string support = R"("fix": ["x", "y"], "angle": "hold")";
  expect_problem(with(support, ""), "/supports/O", {"holds nothing"}, {"x, y, angle"});
  expect_problem(with(support, R"("fix": [], "rod": "upper")"), "/supports/O", {"holds nothing"},
                 {});
  expect_problem(with(support, R"("fix": ["x", "x"])"), "/supports/O/fix/1", {"repeated"},
                 {"once"});
  expect_problem(with(support, R"("fix": ["x"], "x": 0)"), "/supports/O/x",
                 {"fixed and prescribed"}, {"remove"});
  expect_problem(with(support, R"("fix": ["y"], "y": 0)"), "/supports/O/y",
                 {"fixed and prescribed"}, {});
  expect_problem(with(support, R"("fix": ["angle"], "angle": 0)"), "/supports/O/angle", {"fixed"},
                 {});
  expect_problem(with(support, R"("fix": "x")"), "/supports/O/fix", {"\"x\""}, {"list"});
  EXPECT_TRUE(problems_of(with(support, R"("x": 0)")).empty());
}

TEST(CaseReaderObjects, Names) {
  for (const std::string name : {"", ".", "a/b", "a\\u0000b", "a\\nb"}) {
    const auto problems = problems_of(with("\"B\": [", "\"" + name + "\": ["));
    ASSERT_EQ(problems.size(), 1U) << name;
    expect_words(problems[0], problems[0].pointer, {"the name \"" + name + "\""},
                 {"not empty", "'/'", "\".\""});
  }
  expect_problem(with("\"B\": [", "\"a/b\": ["), "/points/a~1b", {}, {});
  expect_problem(with("\"bar\": {", "\"\": {"), "/sections/", {}, {});
}

TEST(CaseReaderObjects, AnalysisRanges) {
  const auto method = [](const std::string& text) {
    return with("\"end\": 20", "\"end\": 20, \"method\": {" + text + "}");
  };
  const std::string at = "/analysis/method/";
  expect_problem(with("\"end\": 20", "\"end\": 0"), "/analysis/end", {"0"}, {"greater than 0"});
  for (const std::string key :
       {"local_tolerance", "iteration_tolerance", "reference_length", "reference_time"}) {
    expect_problem(method("\"" + key + "\": 0"), at + key, {"0"}, {"greater than 0"});
  }
  for (const std::string value : {"0", "-1", "1.71"}) {
    expect_problem(method("\"frequency_limit\": " + value), at + "frequency_limit", {value},
                   {"at most 1.7"});
  }
}

TEST(CaseReaderObjects, OutputRanges) {
  const auto output = [](const std::string& every) {
    return with("\"end\": 20", "\"end\": 20, \"output\": {\"every\": " + every + "}");
  };
  expect_problem(output("0"), "/analysis/output/every", {"0"}, {"greater than 0"});
  expect_problem(output("-1"), "/analysis/output/every", {"-1"}, {"greater than 0"});
  expect_problem(output("1e-6"), "/analysis/output/every", {"1e-06", "10000000 rows"},
                 {"at least 2e-06"});
  EXPECT_TRUE(problems_of(output("2e-6")).empty());
}

TEST(CaseReaderObjects, AllProblemsComeInOnePass) {
  const auto problems = problems_of(R"({
    "libfem": 3, "titel": 1,
    "sections": {"bar": {"EA": -1, "EI": "x", "GAs": 1, "mass_per_length": 1}},
    "points": {"O": [0], "O": [0, 1e999]},
    "rods": {"r": {"section": "bar", "from": 1, "to": "A", "elements": 0}},
    "analysis": {"end": 0}
  })");
  Words pointers;
  for (const Problem& p : problems) pointers.push_back(p.pointer);
  EXPECT_EQ(pointers, (Words{"/points/O", "/points/O/1", "/libfem", "/sections/bar/EA",
                             "/sections/bar/EI", "/sections/bar", "/points/O", "/rods/r/from",
                             "/rods/r/elements", "/analysis/end", "/titel"}));
}

// ---- robustness

TEST(CaseReaderRobustness, MutatedTextGivesInputErrorAtWorst) {
  const std::string original = load_text(FEM_SOURCE_DIR "/cases/three_rod_deployment.json");
  constexpr std::string_view kTelling = "{}[]\",:/*\\0123456789eE+-.\n\0\xC3\xFF";
  for (unsigned seed = 0; seed < 4000; ++seed) {
    std::mt19937 random(seed);
    std::string text = original;
    const auto below = [&](std::size_t limit) { return random() % limit; };
    for (std::size_t i = 0, count = 1 + below(4); i < count; ++i) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text[at] = kTelling[below(kTelling.size())];
          break;
        case 2:
          text.erase(at, below(20));
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(40)));
          break;
      }
    }
    try {
      static_cast<void>(read_case(text));
    } catch (const InputError& error) {
      EXPECT_FALSE(error.problems().empty());
    } catch (...) {
      ADD_FAILURE() << "seed " << seed << " throws something else:\n" << text;
    }
  }
}

TEST(CaseReaderRobustness, EveryPrefixGivesInputErrorAtWorst) {
  for (std::size_t size = 0; size < kCase.size(); ++size) {
    EXPECT_EQ(problems_of(kCase.substr(0, size)).size(), 1U) << size;
  }
}

TEST(CaseReaderRobustness, ManyNamesTakeLinearTime) {
  std::string points = "\"points\": {";
  for (int i = 0; i < 100'000; ++i) points += "\"P" + std::to_string(i) + "\": [0, 1], ";
  EXPECT_EQ(read_case(with("\"points\": {", points)).points.size(), 100'003U);
}

// ---- files

TEST(LoadText, ReadsEveryByte) {
  const auto path = std::filesystem::path(testing::TempDir()) / "load_text_bytes";
  std::string bytes("a\r\n\0\xFF", 5);
  bytes.resize(100'000, 'z');
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(load_text(path), bytes);
  std::ofstream(path, std::ios::binary | std::ios::trunc).close();
  EXPECT_EQ(load_text(path), "");
  std::filesystem::remove(path);
}

void expect_file_error(const std::filesystem::path& path, const std::string& reason) {
  try {
    static_cast<void>(load_text(path));
    FAIL() << path << " was read";
  } catch (const FileError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(path.string()), std::string::npos) << what;
    EXPECT_NE(what.find(reason), std::string::npos) << what;
  }
}

TEST(LoadText, NamesTheFileThatCannotBeRead) {
  expect_file_error(std::filesystem::path(testing::TempDir()) / "no_such_case.json",
                    "No such file");
  expect_file_error(testing::TempDir(), "directory");
  if (std::filesystem::exists("/proc/self/mem")) expect_file_error("/proc/self/mem", "");
}

TEST(LoadText, NamesTheFileWithoutPermission) {
  const auto path = std::filesystem::path(testing::TempDir()) / "load_text_locked";
  std::ofstream(path) << "{}";
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const bool root_reads_all = std::ifstream(path).is_open();
  if (!root_reads_all) expect_file_error(path, "Permission denied");
  std::filesystem::remove(path);
  if (root_reads_all) GTEST_SKIP() << "root may read every file";
}

}  // namespace
}  // namespace fem
