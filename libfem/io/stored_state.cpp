#include "libfem/io/stored_state.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>

#include "libfem/base/error.hpp"
#include "libfem/io/hdf5.hpp"
#include "libfem/io/result_columns.hpp"
#include "libfem/io/text_file.hpp"

namespace fem {
namespace {

std::size_t find_row(const std::vector<double>& times, std::optional<double> time) {
  std::size_t row = times.size() - 1;
  if (!time) return row;
  for (std::size_t i = times.size(); i-- > 0;) {
    if (std::abs(times[i] - *time) < std::abs(times[row] - *time)) row = i;
  }
  return row;
}

std::vector<StoredState::Angles> read_angles(const hdf5::Handle& file, const std::string& family,
                                             std::size_t row) {
  std::vector<StoredState::Angles> all;
  if (!hdf5::has(file, family)) return all;
  for (const std::string& name : hdf5::list_members(file, family)) {
    const hdf5::Handle table = hdf5::open_table(file, part_path(family, name) + "/angle");
    all.push_back({name, hdf5::read_row(table, row)});
  }
  return all;
}

// What locks hinges; files that do not say it have free ones.
std::vector<StoredState::HingeState> read_hinges(const hdf5::Handle& file, std::size_t row) {
  std::vector<StoredState::HingeState> all;
  if (!hdf5::has(file, "/hinges")) return all;
  for (const std::string& name : hdf5::list_members(file, "/hinges")) {
    const std::string path = part_path("/hinges", name) + "/state";
    if (!hdf5::has(file, path)) continue;
    const double code = hdf5::read_row(hdf5::open_table(file, path), row).at(0);
    const bool known = code >= 0 && code <= static_cast<double>(LockKind::upper_stop);
    all.push_back({name, known ? static_cast<LockKind>(static_cast<int>(code)) : LockKind::none});
  }
  return all;
}

}  // namespace

StoredState read_stored_state(const std::filesystem::path& path, std::optional<double> time) {
  if (!hdf5::is_hdf5(path)) {
    throw FileError("'" + path.string() + "' is missing or not an HDF5 file");
  }
  const hdf5::Handle file = hdf5::open_file(path, hdf5::Access::read);
  if (!hdf5::find_number(file, "libfem_results")) {
    throw FileError("'" + path.string() + "' is not a results file of libfem");
  }
  const std::vector<double> times = hdf5::read_values(hdf5::open_table(file, "/time"));
  if (times.empty()) throw FileError("'" + path.string() + "' has no results yet");
  const std::size_t row = find_row(times, time);
  StoredState state{.source = path.string(), .time = times[row]};
  if (hdf5::find_text(file, "analysis").value_or("dynamics") == "statics") {
    state.is_statics = true;
    state.load_factor = times[row];
    state.time = hdf5::find_number(file, "laws_time").value_or(0.0);
  }
  state.points = hdf5::read_texts(hdf5::open_table(file, "/points/names"));
  state.position = hdf5::read_row(hdf5::open_table(file, "/points/position"), row);
  state.rods = read_angles(file, "/rods", row);
  state.bodies = read_angles(file, "/bodies", row);
  state.hinges = read_hinges(file, row);
  return state;
}

void load_start_state(Model& model, const std::filesystem::path& folder) {
  if (!model.start_file) return;
  const std::string pointer = "/initial/from";
  const std::filesystem::path path = folder / *model.start_file;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    const std::string nearest = nearest_file(path);
    throw InputError(Problem{
        pointer, "there is no file '" + path.string() + "'",
        (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") +
            std::string("give a results file, by its path from the case's folder: fem statics "
                        "CASE.json -o FILE makes one")});
  }
  try {
    start_from(model, read_stored_state(path), pointer);
  } catch (const FileError& error) {
    throw InputError(Problem{pointer, error.what(), "give a results file of libfem"});
  }
}

}  // namespace fem
