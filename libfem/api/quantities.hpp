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
  std::string path;                    ///< "/hinges/root/angle"
  std::span<const std::size_t> shape;  ///< empty for one number
  const char* unit;                    ///< "N m"; "" of numbers without one
  const char* meaning;                 ///< in words, with the sign convention
  std::span<const double> values;      ///< by rows: the last dimension runs fastest
};

/// All quantities of a state, with the values that they had when they were read.
class Quantities {
 public:
  /// Of the objects of a layout, without values yet.
  explicit Quantities(const ResultLayout& layout);

  /// Takes the values of a snapshot of the layout.
  void read(const Snapshot& snapshot);

  [[nodiscard]] std::size_t size() const noexcept { return columns_.size(); }  ///< how many
  [[nodiscard]] Quantity operator[](std::size_t index) const;                  ///< index < size()

  /// The quantity of this path. Throws InputError, with the nearest path, if there is none.
  [[nodiscard]] Quantity operator[](const std::string& path) const;

 private:
  Analysis analysis_;
  std::vector<Column> columns_;
  std::map<std::string, std::size_t> index_;  // of paths
};

}  // namespace fem
