// The first quantity of a snapshot that is no number.
#pragma once

#include <string>

#include "libfem/analysis/snapshot.hpp"
#include "libfem/model/model.hpp"

namespace fem {

/// Which quantity is infinite or NaN, and of what: "the axial force of rod 'arm', element 3"; ""
/// where all are finite. States that are finite may have energies and forces that are not, where
/// masses or stiffnesses are beyond all scales.
[[nodiscard]] std::string find_not_finite(const Snapshot& snapshot, const Model& model);

}  // namespace fem
