// The quantities of a results file (docs/results-format.md), at one instant: by the paths that they
// have there.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "libfem/analysis/snapshot.hpp"
#include "libfem/io/result_columns.hpp"

namespace fem {

/// One quantity. It is valid as long as the Quantities that it comes from.
struct Quantity {
  std::string path;
  std::span<const std::size_t> shape;  ///< empty for one number
  const char* unit;
  const char* meaning;
  std::span<const double> values;  ///< by rows: the last dimension runs fastest
};

class Quantities {
 public:
  explicit Quantities(const ResultLayout& layout);

  /// Takes the values of a snapshot of the layout.
  void read(const Snapshot& snapshot);

  [[nodiscard]] std::size_t size() const noexcept { return columns_.size(); }
  [[nodiscard]] Quantity operator[](std::size_t index) const;

  /// The quantity of this path. Throws InputError, with the nearest path, if there is none.
  [[nodiscard]] Quantity operator[](const std::string& path) const;

 private:
  Analysis analysis_;
  std::vector<Column> columns_;
  std::map<std::string, std::size_t> index_;  // of paths
};

}  // namespace fem
