#include "libfem/base/threads.hpp"

#include <cstdlib>
#include <sys/resource.h>

#include <gtest/gtest.h>

namespace fem {
namespace {

TEST(AllowedProcessors, AreThoseOfTheQuota) {
  EXPECT_EQ(count_allowed_processors("200000 100000", 64), 2);
  EXPECT_EQ(count_allowed_processors("250000 100000", 64), 2);
  EXPECT_EQ(count_allowed_processors("50000 100000", 64), 1);
  EXPECT_EQ(count_allowed_processors("9900000 100000", 64), 64);
  for (const char* none : {"max 100000", "", "nonsense", "100000", "-1 100000", "100000 0"}) {
    EXPECT_EQ(count_allowed_processors(none, 64), 64) << none;
  }
}

TEST(HardwareThreads, AreAtLeastOne) { EXPECT_GE(hardware_threads(), 1); }

TEST(StartThreads, StartsWhatIsAskedFor) {
  for (const int wanted : {-1, 0, 1}) {
    EXPECT_EQ(count_startable_threads(wanted), 1);
    EXPECT_EQ(start_threads(wanted), 1);
  }
  for (const int wanted : {2, 5}) {
    EXPECT_EQ(count_startable_threads(wanted), wanted);
    EXPECT_EQ(start_threads(wanted), wanted);
  }
}

[[noreturn]] void start_many_in_little_memory() {
  rlimit limit{};
  limit.rlim_cur = limit.rlim_max = 100'000'000;
  setrlimit(RLIMIT_DATA, &limit);
  const int started = start_threads(200);
  std::_Exit(started > 1 && started < 200 ? 0 : 2);  // 1 is what OpenMP exits with
}

// The stack of each is data, 8 MB as a rule: not many fit into what this process has already.
TEST(StartThreadsDeathTest, AnswersHowManyThereCanBe) {
#ifdef FEM_SANITIZED
  GTEST_SKIP() << "sanitizers take more addresses than any limit of memory";
#endif
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(start_many_in_little_memory(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace fem
