#include "libfem/io/result_columns.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fem {
namespace {

const ResultLayout kLayout{.points = {"A", "B"},
                           .rods = {{"rod", {0, 1}}},
                           .hinges = {"h"},
                           .supports = {"A"},
                           .bodies = {{"b"}}};

Snapshot make_snapshot() {
  Snapshot s;
  s.position = s.velocity = s.acceleration = std::vector<double>(6, 1.0);
  s.rods = {{{1, 2}, {3}, {4}, {5, 6}, {7}}};
  s.hinges.resize(1);
  s.bodies.resize(1);
  s.supports = {{.force_x = 8, .force_y = 9, .moment = 10}};
  return s;
}

const Column& find(const std::vector<Column>& columns, const std::string& path) {
  return *std::find_if(columns.begin(), columns.end(),
                       [&](const Column& column) { return column.path == path; });
}

TEST(ResultColumns, RowsFollowEachOther) {
  std::vector<Column> columns = make_columns(kLayout);
  append_row(make_snapshot(), Analysis::dynamics, columns);
  append_row(make_snapshot(), Analysis::dynamics, columns);
  EXPECT_THAT(find(columns, "/rods/rod/bending_moment").waiting, testing::ElementsAre(5, 6, 5, 6));
  EXPECT_THAT(find(columns, "/supports/A/force").waiting, testing::ElementsAre(8, 9, 8, 9));
  EXPECT_EQ(columns.back().path, "/time");
}

TEST(ResultColumns, WrongShapesAreRefusedThenAndLater) {
  std::vector<Column> columns = make_columns(kLayout);
  Snapshot wrong = make_snapshot();
  wrong.position.pop_back();
  EXPECT_THROW(append_row(wrong, Analysis::dynamics, columns), std::logic_error);
  EXPECT_THROW(append_row(make_snapshot(), Analysis::dynamics, columns),
               std::logic_error);  // the columns are uneven
}

TEST(ResultColumns, LayoutsThatCannotBeWritten) {
  EXPECT_THROW(make_columns({}), std::logic_error);
  for (const char* name : {"", ".", "a/b"}) {
    ResultLayout layout = kLayout;
    layout.hinges = {name};
    EXPECT_THROW(make_columns(layout), std::logic_error) << name;
  }
  ResultLayout layout = kLayout;
  layout.rods.front().nodes = {0};
  EXPECT_THROW(make_columns(layout), std::logic_error);
}

TEST(ResultColumns, AreAllDocumented) {
  std::ifstream file(FEM_SOURCE_DIR "/docs/results-format.md");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  for (const Column& column : make_columns(kLayout)) {
    const std::string name = column.path.substr(column.path.rfind('/') + 1);
    EXPECT_THAT(text, testing::HasSubstr("`" + name + "`")) << column.path;
  }
}

}  // namespace
}  // namespace fem
