#include "libfem/base/error.hpp"

#include <set>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fem {
namespace {

using ::testing::HasSubstr;

TEST(InputError, TellsAllProblems) {
  const InputError error(
      {{"/rods/a", "is bad", "make it good"}, {"/laws/b", "is worse", "drop it"}});
  EXPECT_EQ(error.problems().size(), 2U);
  EXPECT_STREQ(error.what(), "/rods/a: is bad; make it good\n/laws/b: is worse; drop it\n");
}

TEST(InputError, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(describe(Problem{"", "is empty", "write something"}), "is empty; write something");
  EXPECT_EQ(describe(Problem{"", "is empty", "write something", "c.json"}),
            "c.json: (the file): is empty; write something");
  EXPECT_EQ(describe(Problem{"/a", "is bad", "drop it", "c.json:1:2"}),
            "c.json:1:2: /a: is bad; drop it");
}

TEST(InputError, ShowsControlCharactersOfKeys) {
  EXPECT_EQ(describe(Problem{"/a\x1b[2J", "line\nfeed", "\x7f", "a\rb.json"}),
            "a\\u000db.json: /a\\u001b[2J: line\\u000afeed; \\u007f");
}

TEST(Outcome, IsGoodUnlessSaidOtherwise) {
  EXPECT_TRUE(Outcome{}.ok());
  EXPECT_FALSE((Outcome{Status::not_finite, 3}.ok()));
}

TEST(Status, HasAMeaningForEveryValue) {
  std::set<std::string> meanings;
  for (const Status s : {Status::ok, Status::not_finite, Status::singular_mass,
                         Status::no_convergence, Status::step_too_small, Status::points_meet,
                         Status::singular_pose, Status::constraints_apart}) {
    meanings.insert(describe(s));
  }
  EXPECT_EQ(meanings.size(), 8U);
}

TEST(Demand, NamesTheBrokenContract) {
  EXPECT_NO_THROW(FEM_DEMAND(1 + 1 == 2));
  try {
    FEM_DEMAND(1 + 1 == 3);
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("1 + 1 == 3"));
    EXPECT_THAT(error.what(), HasSubstr("error_test.cpp"));
  }
}

}  // namespace
}  // namespace fem
