// Every kind of exception has its status, and its text comes through.
#include "libfem/api/c_call.hpp"

#include <new>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace fem {
namespace {

template <class Error>
void expect_status(const Error& error, fem_status status, const std::string& text) {
  CMessage message{};
  EXPECT_EQ(call_for_c(message, [&] { throw error; }), status);
  EXPECT_EQ(message.data(), text);
}

TEST(CallForC, TurnsWhatIsThrownIntoAStatus) {
  expect_status(FileError("the disk is full\n"), FEM_FILE_FAILED, "the disk is full");
  expect_status(SolverError("no step\n\n"), FEM_SOLVER_FAILED, "no step");
  expect_status(std::bad_alloc(), FEM_SOLVER_FAILED, "there is not enough memory for this model");
  expect_status(std::logic_error("broken contract: x > 0"), FEM_DEFECT, "broken contract: x > 0");
  const InputError input(Problem{"/rods/a", "what", "remedy"});
  std::string text = input.what();
  while (text.back() == '\n') text.pop_back();
  expect_status(input, FEM_BAD_INPUT, text);
  CMessage message{"before"};
  EXPECT_EQ(call_for_c(message, [] {}), FEM_OK);
  EXPECT_STREQ(message.data(), "before");
}

TEST(CallForC, CutsATextThatIsTooLong) {
  CMessage message{};
  const std::string text(message.size(), 'x');
  EXPECT_EQ(call_for_c(message, [&] { throw FileError(text); }), FEM_FILE_FAILED);
  EXPECT_EQ(message.data(), text.substr(1));
}

}  // namespace
}  // namespace fem
