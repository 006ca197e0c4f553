#include "libfem/io/output_file.hpp"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(path_) << "content"; }
  void TearDown() override { fs::remove(path_); }

  [[nodiscard]] blkcnt_t blocks() const {
    struct stat status = {};
    stat(path_.c_str(), &status);
    return status.st_blocks;
  }

  fs::path path_ = fs::temp_directory_path() / ("output_file_test_" + std::to_string(getpid()));
};

TEST_F(OutputFileTest, KeepsTheContentUntilCleared) {
  const OutputFile output(path_);
  EXPECT_EQ(fs::file_size(path_), 7U);
  output.clear();
  EXPECT_EQ(fs::file_size(path_), 0U);
}

TEST_F(OutputFileTest, ReservedSpaceIsGivenBack) {
  const blkcnt_t before = blocks();
  {
    const OutputFile output(path_);
    output.reserve(10'000'000);
    EXPECT_EQ(fs::file_size(path_), 7U);
  }
  EXPECT_EQ(fs::file_size(path_), 7U);
  EXPECT_LE(blocks(), before + 8);
}

TEST_F(OutputFileTest, MoreThanTheDiskHas) {
  const OutputFile output(path_);
  const std::size_t too_much = fs::space(path_).capacity + (std::size_t{1} << 40);
  EXPECT_THROW(output.reserve(too_much), FileError);
  EXPECT_EQ(fs::file_size(path_), 7U);
}

TEST_F(OutputFileTest, OneWriterAtATime) {
  std::optional<OutputFile> first(path_);
  EXPECT_THROW(OutputFile{path_}, FileError);
  first.reset();
  EXPECT_NO_THROW(OutputFile{path_});
}

// Beyond what the file system can count, which says so itself.
TEST_F(OutputFileTest, LongerThanFilesCanBe) {
  const OutputFile output(path_);
  off_t longest = 0;
  for (off_t step = off_t{1} << 62; step > 0; step /= 2) {
    if (truncate(path_.c_str(), longest + step) == 0) longest += step;
  }
  ASSERT_EQ(truncate(path_.c_str(), longest), 0);
  EXPECT_THAT([&] { output.reserve(1); }, testing::ThrowsMessage<FileError>(testing::StrEq(
                                              path_.string() + ": cannot grow: File too large")));
  output.clear();
}

// What may only be appended to.
TEST_F(OutputFileTest, NamesTheFileThatCannotBeCleared) {
  const int descriptor = memfd_create("sealed", MFD_ALLOW_SEALING);
  ASSERT_EQ(ftruncate(descriptor, 1), 0);
  ASSERT_EQ(fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  const OutputFile output(path);
  EXPECT_THAT([&] { output.clear(); }, testing::ThrowsMessage<FileError>(testing::StrEq(
                                           path + ": cannot clear: Operation not permitted")));
  close(descriptor);
}

}  // namespace
}  // namespace fem
