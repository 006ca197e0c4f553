#include "libfem/io/csv_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"
#include "libfem/io/text_file.hpp"

namespace fem {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// What separates the cells of a line; ' ' stands for any blanks.
char find_separator(std::string_view line) {
  for (const char c : {';', '\t', ','}) {
    if (line.find(c) != std::string_view::npos) return c;
  }
  return ' ';
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> cells;
  const char separator = find_separator(line);
  std::size_t at = 0;
  while (at <= line.size()) {
    std::size_t end = separator == ' ' ? line.find_first_of(kBlanks, at) : line.find(separator, at);
    end = std::min(end, line.size());
    const std::string_view cell = trim(line.substr(at, end - at));
    if (separator != ' ' || !cell.empty()) cells.push_back(cell);
    at = end + 1;
  }
  return cells;
}

std::optional<double> to_number(std::string_view cell) {
  if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size() || cell.empty()) return {};
  return value;
}

std::string unquote(std::string_view cell) {
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
    cell = cell.substr(1, cell.size() - 2);
  }
  return std::string(cell);
}

class Loader {
 public:
  Loader(std::string name, const std::array<CsvColumn, 2>& columns)
      : path_(std::move(name)), columns_(columns) {}

  CsvTable parse(std::string_view rest) {
    if (rest.substr(0, 3) == "\xEF\xBB\xBF") rest.remove_prefix(3);
    while (!rest.empty()) {
      ++line_;
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trim(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!line.empty() && line.front() != '#') take(split(line));
    }
    if (table_.x.empty()) fail("'" + path_ + "' has no numbers", "give lines of time and value");
    return std::move(table_);
  }

 private:
  [[noreturn]] static void fail(std::string what, std::string remedy, bool in_columns = false) {
    throw CsvError{std::move(what), std::move(remedy), in_columns};
  }

  [[nodiscard]] std::string here(std::size_t column) const {
    return path_ + ", line " + std::to_string(line_) + ", column " + std::to_string(column + 1);
  }

  void take(const std::vector<std::string_view>& cells) {
    const bool is_head =
        first_ && std::none_of(cells.begin(), cells.end(),
                               [](std::string_view cell) { return to_number(cell).has_value(); });
    if (first_) find_columns(is_head ? cells : std::vector<std::string_view>{});
    first_ = false;
    if (is_head) return;
    const double x = number(cells, index_[0]);
    const double y = number(cells, index_[1]);
    if (!table_.x.empty() && !(x > table_.x.back())) {
      fail(here(index_[0]) + ": the time does not come after the one before",
           "times must increase strictly");
    }
    table_.x.push_back(x);
    table_.y.push_back(y);
  }

  void find_columns(const std::vector<std::string_view>& head) {
    std::vector<std::string> names;
    for (const std::string_view cell : head) names.push_back(unquote(cell));
    for (std::size_t k = 0; k < 2; ++k) {
      const auto* name = std::get_if<std::string>(&columns_[k]);
      if (name == nullptr) {
        index_[k] = std::get<std::size_t>(columns_[k]);
        continue;
      }
      const auto found = std::find(names.begin(), names.end(), *name);
      if (found == names.end()) {
        const std::string nearest = nearest_name(*name, names);
        fail("'" + path_ + "' has no column '" + *name + "'",
             (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") + "its columns are " +
                 list_names(names),
             true);
      }
      index_[k] = static_cast<std::size_t>(found - names.begin());
    }
  }

  [[nodiscard]] double number(const std::vector<std::string_view>& cells, std::size_t i) const {
    if (i >= cells.size()) {
      const std::string count = std::to_string(cells.size());
      fail(here(i) + ": the line has " + count + (count == "1" ? " column" : " columns"),
           table_.x.empty() ? "the columns are numbered from 1 to " + count + " there"
                            : "give every line the same columns, separated by commas",
           table_.x.empty());
    }
    const auto value = to_number(cells[i]);
    if (!value || !std::isfinite(*value)) {
      fail(here(i) + ": '" + std::string(cells[i].substr(0, 40)) + "' is not a finite number",
           "write numbers with a decimal point, like 0.25 or 1e-3; comments begin with #");
    }
    return *value;
  }

  std::string path_;
  std::array<CsvColumn, 2> columns_;
  std::array<std::size_t, 2> index_{};
  std::size_t line_ = 0;
  bool first_ = true;  // no line with cells yet
  CsvTable table_;
};

}  // namespace

CsvTable parse_csv_table(std::string_view text, const std::string& name,
                         const std::array<CsvColumn, 2>& columns) {
  return Loader(name, columns).parse(text);
}

CsvTable load_csv_table(const std::filesystem::path& path,
                        const std::array<CsvColumn, 2>& columns) {
  std::string text;
  try {
    text = load_text(path);
  } catch (const FileError& error) {
    const std::string nearest = nearest_file(path);
    throw CsvError{error.what(), nearest.empty()
                                     ? "give a CSV file, by its path from the folder of the case"
                                     : "did you mean '" + nearest + "'?"};
  }
  return parse_csv_table(text, path.string(), columns);
}

}  // namespace fem
