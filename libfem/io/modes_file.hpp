// The results file of `fem modes`: one row, the state that the modes are about, and the group
// /modes (docs/results-format.md).
#pragma once

#include "libfem/analysis/modes.hpp"
#include "libfem/io/recorder.hpp"
#include "libfem/system/system.hpp"

namespace fem {

/// The state that modes are about.
struct ModesState {
  std::string about;       ///< in words
  double time = 0;         ///< s, at which laws and loads are taken
  double load_factor = 1;  ///< of gravity, loads and prescribed changes
  std::vector<double> q;   ///< stored positions, completed
};

/// Writes the file, in the place of an existing one. FileError if it cannot.
void write_modes(const RecorderOptions& options, System& system, const ModesState& state,
                 const Modes& modes);

}  // namespace fem
