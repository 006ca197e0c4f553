#include "libfem/io/hdf5.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/base/error.hpp"
#include "tests/support/size_limit.hpp"

namespace fem::hdf5 {
namespace {

namespace fs = std::filesystem;

class Hdf5Test : public testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }

  fs::path path_ = fs::temp_directory_path() / ("hdf5_test_" + std::to_string(getpid()) + ".h5");
};

// The space that is reserved for a burst: the estimate and 64 KiB.
TEST_F(Hdf5Test, TablesGrowNoMoreThanEstimated) {
  const std::vector<std::vector<std::size_t>> shapes{{}, {3}, {5, 2}, {200, 3}, {100000, 3}};
  for (const std::vector<std::size_t>& row : shapes) {
    { create_table(create_file(path_), "/table", {}, row); }
    std::size_t row_size = 1;
    for (const std::size_t dim : row) row_size *= dim;
    const std::size_t count = row_size > 1000 ? 2 : 300;
    const std::vector<double> rows(count * row_size, 1.0);
    for (std::size_t burst = 0; burst < 20; ++burst) {
      const std::size_t before = fs::file_size(path_);
      Handle file = open_file(path_, Access::append);
      write_rows(open_table(file, "/table"), burst * count, rows);
      file.close();
      EXPECT_LE(fs::file_size(path_),
                before + calc_growth({}, row, burst * count, count) + 64 * 1024);
    }
    EXPECT_EQ(row_count(open_table(open_file(path_, Access::edit), "/table")), 20 * count);
  }
}

TEST_F(Hdf5Test, ErrorsNameFileObjectAndReason) {
  const Handle file = create_file(path_);
  testing::internal::CaptureStderr();
  try {
    static_cast<void>(open_table(file, "/missing"));
    ADD_FAILURE() << "no error";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith(path_.string() + ": cannot open /missing: "));
  }
  create_group(file, "/twice");
  EXPECT_THROW(create_group(file, "/twice"), FileError);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Hdf5Test, NamesTheTableThatMayNotChange) {
  {
    const Handle file = create_file(path_);
    write_rows(create_table(file, "/table", {}, {}), 0, std::vector<double>(2, 1.0));
  }
  const Handle file = open_file(path_, Access::read);
  const Handle table = open_table(file, "/table");
  try {
    truncate_rows(table, 1);
    ADD_FAILURE() << "no error";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith(path_.string() + ": cannot "));
    EXPECT_THAT(error.what(), testing::HasSubstr("/table: "));
  }
}

TEST_F(Hdf5Test, TableIsAsBeforeAfterAFailedWrite) {
  const Handle file = create_file(path_);
  const Handle table = create_table(file, "/table", {}, {});
  write_rows(table, 0, std::vector<double>(2, 1.0));
  flush(file);
  std::string message;
  {
    const test::SizeLimit limit(fs::file_size(path_) + 1000);
    try {
      write_rows(table, 2, std::vector<double>(10000, 1.0));
    } catch (const FileError& error) {
      message = error.what();
    }
  }
  EXPECT_EQ(message, path_.string() + ": cannot write /table: File too large");
  EXPECT_EQ(row_count(table), 2U);
}

TEST_F(Hdf5Test, NamesTheFileThatCannotBeMade) {
  EXPECT_THAT([] { static_cast<void>(create_file("no such folder/out.h5")); },
              testing::ThrowsMessage<FileError>(
                  testing::StartsWith("no such folder/out.h5: cannot create: ")));
  EXPECT_THAT([] { clear_writer_mark("no such folder/out.h5"); },
              testing::ThrowsMessage<FileError>(
                  testing::StartsWith("no such folder/out.h5: cannot open for writing: ")));
}

// In a process of its own: HDF5 keeps what it could not close.
TEST_F(Hdf5Test, NamesTheFileThatCannotBeClosed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto close_without_space = [&] {
    forgo_exit_handler();
    Handle file = create_file(path_);
    write_rows(create_table(file, "/table", {}, {}), 0, std::vector<double>(10000, 1.0));
    std::string message;
    {
      const test::SizeLimit limit(0);
      try {
        file.close();
      } catch (const FileError& error) {
        message = error.what();
      }
    }
    std::exit(message.starts_with(path_.string() + ": cannot close: ") ? 0 : 1);
  };
  EXPECT_EXIT(close_without_space(), testing::ExitedWithCode(0), "");
}

constexpr std::size_t kRow = 3;
const std::vector<std::string> kTables{"/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h"};

// Rows that tell where they belong.
std::vector<double> make_rows(std::size_t table, std::size_t first, std::size_t count) {
  std::vector<double> rows;
  for (std::size_t i = first * kRow; i < (first + count) * kRow; ++i) {
    rows.push_back(static_cast<double>(table) + 1e-9 * static_cast<double>(i));
  }
  return rows;
}

void append_to_all(const Handle& file, std::size_t first, std::size_t count) {
  for (std::size_t t = 0; t < kTables.size(); ++t) {
    write_rows(open_table(file, kTables[t]), first, make_rows(t, first, count));
  }
}

// Bursts without end; it is killed at a random moment of one of them.
void kill_a_writer(const fs::path& path, std::size_t rows, std::chrono::microseconds after) {
  const pid_t child = fork();
  if (child == 0) {
    for (;; rows += 300) {
      Handle file = open_file(path, Access::append);
      append_to_all(file, rows, 300);
      flush(file);
      file.close();
    }
  }
  std::this_thread::sleep_for(after);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

// As a run that is resumed: rows after the last checkpoint are cut off.
std::size_t recover(const fs::path& path) {
  clear_writer_mark(path);
  const Handle file = open_file(path, Access::edit);
  std::size_t rows = row_count(open_table(file, kTables[0]));
  for (const std::string& t : kTables) rows = std::min(rows, row_count(open_table(file, t)));
  for (const std::string& t : kTables) truncate_rows(open_table(file, t), rows);
  return rows;
}

TEST_F(Hdf5Test, FilesOfKilledWritersGoOn) {
  constexpr std::size_t kManyRows = 80'000;  // whose indices are larger than what lies within pages
  for (std::size_t rows : {std::size_t{0}, kManyRows}) {
    {
      const Handle file = create_file(path_);
      for (const std::string& table : kTables) create_table(file, table, {}, std::array{kRow});
      append_to_all(file, 0, rows);
    }
    std::minstd_rand random(1);
    for (int round = 0; round < 50; ++round) {
      kill_a_writer(path_, rows, std::chrono::microseconds(3000 + random() % 30000));
      ASSERT_NO_THROW(rows = recover(path_)) << "round " << round;
    }
    EXPECT_GT(rows, 0U);
    const Handle file = open_file(path_, Access::edit);
    for (std::size_t t = 0; t < kTables.size(); ++t) {
      ASSERT_EQ(read_values(open_table(file, kTables[t])), make_rows(t, 0, rows));
    }
  }
}

TEST_F(Hdf5Test, NothingChangesWhereNoWriterWasKilled) {
  { create_table(create_file(path_), "/a", {}, {}); }
  const std::size_t size = fs::file_size(path_);
  clear_writer_mark(path_);
  EXPECT_EQ(fs::file_size(path_), size);
}

}  // namespace
}  // namespace fem::hdf5
