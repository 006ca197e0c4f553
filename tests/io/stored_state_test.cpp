// What is no results file is told from one that has no results.
#include "libfem/io/stored_state.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/base/error.hpp"
#include "libfem/io/hdf5.hpp"

namespace fem {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class StoredStateTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }
  [[nodiscard]] std::string refusal() const {
    try {
      static_cast<void>(read_stored_state(path_, {}));
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }
  fs::path path_ = fs::temp_directory_path() / ("stored_state_" + std::to_string(getpid()) + ".h5");
};

TEST_F(StoredStateTest, RefusesWhatHoldsNone) {
  EXPECT_THAT(refusal(), HasSubstr("is missing or not an HDF5 file"));
  std::ofstream(path_) << "text";
  EXPECT_THAT(refusal(), HasSubstr("is missing or not an HDF5 file"));
  fs::remove(path_);
  { const hdf5::Handle file = hdf5::create_file(path_); }
  EXPECT_THAT(refusal(), HasSubstr("is not a results file of libfem"));
  fs::remove(path_);
  {
    const hdf5::Handle file = hdf5::create_file(path_);
    hdf5::set_attribute(file, "libfem_results", std::int64_t{1});
    hdf5::create_table(file, "/time", {}, {});
  }
  EXPECT_THAT(refusal(), HasSubstr("has no results yet"));
}

}  // namespace
}  // namespace fem
