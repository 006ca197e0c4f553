// The journal of a sweep where it cannot be written; test_sweep.py has the rest.
#include "libfem/io/sweep_results.hpp"

#include <filesystem>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/base/error.hpp"
#include "tests/support/size_limit.hpp"

namespace fem {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

class SweepJournalTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }
  fs::path path_ = fs::temp_directory_path() / ("sweep_journal_" + std::to_string(getpid()));
};

TEST_F(SweepJournalTest, NamesTheFileThatCannotBegin) {
  const test::SizeLimit limit(10);
  EXPECT_THAT([&] { const SweepJournal journal(path_, "case", 1); },
              ThrowsMessage<FileError>("'" + path_.string() + "' cannot be written"));
}

// A sample that is not in the journal is not done.
TEST_F(SweepJournalTest, LosesNoSampleThatItDoesNotSayIsLost) {
  SweepJournal journal(path_, "case", 1);
  const SampleResult result{.outputs = {0.5}};
  journal.add(0, result);
  {
    const test::SizeLimit limit(fs::file_size(path_) + 1);
    EXPECT_THAT([&] { journal.add(1, result); },
                ThrowsMessage<FileError>(HasSubstr("the journal of the sweep cannot be written")));
  }
  EXPECT_EQ(journal.results().size(), 1U);
  EXPECT_EQ(read_journal(path_, "case", 1).size(), 1U);
}

}  // namespace
}  // namespace fem
