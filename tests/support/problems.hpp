// Matching what an InputError says.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/base/error.hpp"

namespace fem {

inline void PrintTo(const Problem& p, std::ostream* out) {
  *out << "{" << p.pointer << ": " << p.what << "; " << p.remedy << "}";
}

namespace test {

/// The problems of the InputError that a function throws; none if it throws nothing.
template <class Function>
[[nodiscard]] std::vector<Problem> problems_of(const Function& function) {
  try {
    static_cast<void>(function());
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

/// A problem at a pointer, whose text and remedy say these words.
[[nodiscard]] inline auto problem(const std::string& pointer, const std::string& what = "",
                                  const std::string& remedy = "") {
  using ::testing::Field;
  return ::testing::AllOf(Field("pointer", &Problem::pointer, pointer),
                          Field("what", &Problem::what, ::testing::HasSubstr(what)),
                          Field("remedy", &Problem::remedy, ::testing::HasSubstr(remedy)));
}

}  // namespace test
}  // namespace fem
