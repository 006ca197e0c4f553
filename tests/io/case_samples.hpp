// A case to change, and what is expected of the problems that a change makes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/base/error.hpp"
#include "libfem/io/case_reader.hpp"

namespace fem::test {

using Words = std::vector<std::string>;

// Names are not in alphabetical order, so that an order of the file can be told from a sorted one.
inline constexpr std::string_view kCase = R"({
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

/// The text with the first `from` replaced.
inline std::string replace(std::string_view text, std::string_view from, std::string_view to) {
  std::string result(text);
  const std::size_t at = result.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? result : result.replace(at, from.size(), to);
}

inline std::string with(std::string_view from, std::string_view to) {
  return replace(kCase, from, to);
}

inline std::vector<Problem> problems_of(std::string_view text) {
  try {
    static_cast<void>(read_case(text));
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

inline void expect_words(const Problem& problem, const std::string& pointer, const Words& what,
                         const Words& remedy) {
  EXPECT_EQ(problem.pointer, pointer);
  for (const std::string& word : what)
    EXPECT_NE(problem.what.find(word), std::string::npos) << word << " is not in: " << problem.what;
  for (const std::string& word : remedy)
    EXPECT_NE(problem.remedy.find(word), std::string::npos)
        << word << " is not in: " << problem.remedy;
}

/// The text has one problem and no other.
inline void expect_problem(std::string_view text, const std::string& pointer, const Words& what,
                           const Words& remedy) {
  SCOPED_TRACE(pointer);
  const std::vector<Problem> problems = problems_of(text);
  EXPECT_EQ(problems.size(), 1U) << InputError(problems).what();
  if (!problems.empty()) expect_words(problems.front(), pointer, what, remedy);
}

}  // namespace fem::test
