// The numerical datasets of a results file as a table: name, shape, unit, meaning and where the
// value comes from, each once. Add a dataset by adding a line to its table in result_columns.cpp;
// docs/results-format.md is its face to users.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "libfem/analysis/snapshot.hpp"

namespace fem {

/// A dataset with one row an output time, and its rows that wait to be written.
struct Column {
  std::string path;
  std::vector<std::size_t> row;  ///< shape of a row; empty for one number
  const char* unit;
  const char* meaning;
  std::vector<double> waiting;  ///< row after row
};

/// Path of a part's group: "/rods" and "arm" give "/rods/arm". The name is one link of a path: not
/// empty, not ".", without '/' (the case reader refuses others).
[[nodiscard]] std::string part_path(const std::string& family, const std::string& name);

/// The columns of a layout; /time is the last.
[[nodiscard]] std::vector<Column> make_columns(const ResultLayout& layout);

/// Adds a row to every column. The snapshot must have the shape of the columns' layout, of which
/// `analysis` is.
void append_row(const Snapshot& snapshot, Analysis analysis, std::vector<Column>& columns);

/// Numbers in a row of a column.
[[nodiscard]] std::size_t row_size(const Column& column);

}  // namespace fem
