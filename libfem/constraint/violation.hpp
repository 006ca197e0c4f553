// Whether the constraints hold. Rows that are dropped because they follow from others are watched
// with the rest: what follows in one pose need not follow in the next.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "libfem/law/law.hpp"
#include "libfem/model/model.hpp"

namespace fem {

struct BrokenRow {
  const Row* row = nullptr;
  double violation = 0;  ///< f − φ − constant, m or rad
};

/// The row that is violated most, against the size of the model (m) or 1 rad, if that is more than
/// inaccuracy explains. `load` scales the prescribed changes: 1 in dynamics, the load factor in
/// statics. `q` gives the value of a natural coordinate.
[[nodiscard]] std::optional<BrokenRow> find_broken_row(const Model& model, double t, Side side,
                                                       double load,
                                                       const std::function<double(int)>& q);

/// What is broken, and what to do about it.
[[nodiscard]] std::string describe_broken_row(const BrokenRow& broken);

}  // namespace fem
