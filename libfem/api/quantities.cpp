#include "libfem/api/quantities.hpp"

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"

namespace fem {

Quantities::Quantities(const ResultLayout& layout)
    : analysis_(layout.analysis), columns_(make_columns(layout)) {
  for (std::size_t i = 0; i < columns_.size(); ++i) index_.emplace(columns_[i].path, i);
}

void Quantities::read(const Snapshot& snapshot) {
  for (Column& column : columns_) column.waiting.clear();
  append_row(snapshot, analysis_, columns_);
}

Quantity Quantities::operator[](std::size_t index) const {
  const Column& c = columns_.at(index);
  return {c.path, c.row, c.unit, c.meaning, c.waiting};
}

Quantity Quantities::operator[](const std::string& path) const {
  const auto found = index_.find(path);
  if (found != index_.end()) return (*this)[found->second];
  std::vector<std::string> paths;
  for (const Column& column : columns_) paths.push_back(column.path);
  const std::string nearest = nearest_name(path, paths);
  throw InputError(Problem{path, "there is no such quantity",
                           nearest.empty() ? "give a path of the results file, as /energy/kinetic"
                                           : "did you mean '" + nearest + "'?"});
}

}  // namespace fem
