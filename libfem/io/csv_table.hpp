// Two columns of a table of numbers in a text file: CSV, or columns between blanks.
//
//   # a comment                 lines that begin with #, and empty ones, do not count
//   time,angle                  names of the columns; may be missing
//   0.0, 0.0                    separated by one of , ; tab, or by blanks; decimal point
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fem {

inline constexpr std::size_t kMostColumns = 10'000;

/// A column by its index from 0, or by its name.
using CsvColumn = std::variant<std::size_t, std::string>;

struct CsvTable {
  std::vector<double> x;  ///< increases strictly
  std::vector<double> y;
};

/// What is wrong with a table, with file, line and column.
struct CsvError {
  std::string what;
  std::string remedy;
  bool in_columns = false;  ///< the columns that were asked for, not the file
};

/// Two columns of a table's text, the first of which increases strictly; `name` is the file's in
/// messages. Throws CsvError.
[[nodiscard]] CsvTable parse_csv_table(std::string_view text, const std::string& name,
                                       const std::array<CsvColumn, 2>& columns);

/// The same of a file. Throws CsvError.
[[nodiscard]] CsvTable load_csv_table(const std::filesystem::path& path,
                                      const std::array<CsvColumn, 2>& columns);

}  // namespace fem
