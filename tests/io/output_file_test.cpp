#include "libfem/io/output_file.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

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

}  // namespace
}  // namespace fem
