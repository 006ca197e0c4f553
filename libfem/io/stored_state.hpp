// Reads one row of a results file back as a state, for another analysis to start from.
#pragma once

#include <filesystem>
#include <optional>

#include "libfem/model/start_state.hpp"

namespace fem {

/// The row nearest to `time` (in statics: nearest in load factor, the last of several), or the
/// last. FileError where the file cannot be read, is none of libfem's results or has no row.
[[nodiscard]] StoredState read_stored_state(const std::filesystem::path& path,
                                            std::optional<double> time = {});

/// The model starts from the state that its case names (Model::start_file), a path relative
/// to `folder`. Does nothing if it names none. Throws InputError at /initial/from.
void load_start_state(Model& model, const std::filesystem::path& folder);

}  // namespace fem
