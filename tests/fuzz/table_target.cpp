#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "libfem/base/error.hpp"
#include "libfem/io/csv_table.hpp"
#include "libfem/law/law.hpp"
#include "tests/fuzz/targets.hpp"

namespace fem::fuzz {
namespace {

void demand_sound(const CsvTable& table) {
  FEM_DEMAND(!table.x.empty() && table.x.size() == table.y.size());
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    FEM_DEMAND(std::isfinite(table.x[i]) && std::isfinite(table.y[i]));
    FEM_DEMAND(i == 0 || table.x[i] > table.x[i - 1]);
  }
}

}  // namespace

void read_table(std::string_view bytes) {
  const std::array<std::array<CsvColumn, 2>, 3> choices{
      {{std::size_t{0}, std::size_t{1}}, {std::size_t{2}, std::size_t{0}}, {"time", "angle"}}};
  for (const auto& columns : choices) {
    try {
      CsvTable table = parse_csv_table(bytes, "table.csv", columns);
      demand_sound(table);
      const double start = table.x.front();
      const Law law = make_table_law(std::move(table.x), std::move(table.y));
      static_cast<void>(evaluate(law, start, Side::after));
      static_cast<void>(is_well_formed(law));
    } catch (const CsvError& error) {
      FEM_DEMAND(!error.what.empty() && !error.remedy.empty());
    }
  }
}

}  // namespace fem::fuzz
