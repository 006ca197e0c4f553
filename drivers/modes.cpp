#include "libfem/analysis/modes.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "drivers/commands.hpp"
#include "drivers/load_case.hpp"
#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/base/version.hpp"
#include "libfem/io/hdf5.hpp"
#include "libfem/io/result_columns.hpp"
#include "libfem/io/sha256.hpp"
#include "libfem/system/system.hpp"

namespace fem::driver {
namespace {

constexpr std::int64_t kFormat = 1;

void print_table(const Modes& modes) {
  fmt::print("{:>5}  {:>16}  {:>16}  {:>16}\n", "mode", "omega, rad/s", "f, Hz", "period, s");
  for (std::size_t i = 0; i < modes.frequencies.size(); ++i) {
    const double omega = modes.frequencies[i];
    const double f = omega / (2 * std::numbers::pi);
    const std::string period = omega > 0 ? fmt::format("{:.9g}", 1 / f) : "-";
    fmt::print("{:>5}  {:>16.9g}  {:>16.9g}  {:>16}\n", i + 1, omega, f, period);
  }
  if (modes.free_motions > 0) {
    fmt::print("{} of them without stiffness (rigid-body modes)\n", modes.free_motions);
  }
}

void warn(const std::string& file, const Modes& modes) {
  if (modes.negative > 0) {
    fmt::print(stderr,
               "fem: {}: warning: unstable: {} modes grow, at the rates given as negative\n", file,
               modes.negative);
  }
  if (modes.imbalance > 0) {
    fmt::print(stderr,
               "fem: {}: warning: the initial state is no equilibrium: up to {:.3g} N or N m are "
               "not balanced, and the stresses they cause are not in these frequencies\n",
               file, modes.imbalance);
  }
}

void describe(const hdf5::Handle& dataset, const char* unit, const char* meaning) {
  hdf5::set_attribute(dataset, "unit", std::string(unit));
  hdf5::set_attribute(dataset, "meaning", std::string(meaning));
}

void write_table(const hdf5::Handle& file, const std::string& path,
                 std::span<const std::size_t> row, const std::vector<double>& values,
                 const char* unit, const char* meaning) {
  const hdf5::Handle table = hdf5::create_table(file, path, {}, row);
  describe(table, unit, meaning);
  hdf5::write_rows(table, 0, values);
}

// X, Y, Z of every node, row after row.
std::vector<double> node_values(const System& system,
                                const std::vector<std::vector<double>>& rows) {
  std::vector<double> values;
  for (const std::vector<double>& x : rows) {
    for (const Node& node : system.model().nodes) {
      values.insert(values.end(), {x[system.place(node.x)], x[system.place(node.x + 1)], 0.0});
    }
  }
  return values;
}

// Angles of the section at both ends of every element, row after row.
std::vector<double> angle_values(const System& system, const Rod& rod,
                                 const std::vector<std::vector<double>>& rows) {
  std::vector<double> values;
  for (const std::vector<double>& x : rows) {
    for (int k = 0; k < rod.elements(); ++k) {
      const auto element = static_cast<std::size_t>(rod.first_element + k);
      const auto& coordinate = system.model().elements[element].coordinate;
      values.insert(values.end(), {x[system.place(coordinate[2])], x[system.place(coordinate[3])]});
    }
  }
  return values;
}

void write_head(const hdf5::Handle& file, const LoadedCase& loaded, const Modes& modes) {
  hdf5::set_attribute(file, "libfem_modes", kFormat);
  hdf5::set_attribute(file, "version", std::string(kVersion));
  hdf5::set_attribute(file, "title", loaded.model.title);
  hdf5::set_attribute(file, "case_sha256", sha256(loaded.text));
  hdf5::set_attribute(file, "units", std::string("SI, radians, counter-clockwise positive"));
  hdf5::set_attribute(file, "rigid_body_modes", std::int64_t{modes.free_motions});
  hdf5::set_attribute(file, "unstable_modes", std::int64_t{modes.negative});
  describe(hdf5::create_text(file, "/case", loaded.text), "1", "the case as read");
}

void write_points(const hdf5::Handle& file, const System& system,
                  const std::vector<std::vector<double>>& state, const Modes& modes) {
  const std::vector<std::size_t> row{system.model().nodes.size(), 3};
  describe(hdf5::create_array(file, "/points/names", make_layout(system.model()).points), "1",
           "names of the points, then of the nodes inside rods");
  write_table(file, "/points/position", row, node_values(system, state), "m",
              "X, Y, Z of each point in the state the modes are about");
  write_table(file, "/modes/shape", row, node_values(system, modes.shapes), "kg^-1/2",
              "X, Y, Z of the displacement of each point in each mode, of unit modal mass");
}

void write_rod(const hdf5::Handle& file, const System& system, const Rod& rod,
               const std::vector<std::vector<double>>& state, const Modes& modes) {
  const std::vector<std::size_t> row{static_cast<std::size_t>(rod.elements()), 2};
  const std::string place = part_path("/rods", rod.name);
  const std::string shape = part_path("/modes/rods", rod.name);
  hdf5::create_group(file, place);
  hdf5::create_group(file, shape);
  describe(hdf5::create_array(file, place + "/nodes", rod.nodes), "1",
           "indices of the rod's nodes in /points, from its first end on");
  write_table(file, place + "/angle", row, angle_values(system, rod, state), "rad",
              "angle of the section at both ends of each element, from X");
  write_table(file, shape + "/angle", row, angle_values(system, rod, modes.shapes),
              "rad kg^-1/2 m^-1", "turn of the section at both ends of each element in each mode");
}

void write_modes(const std::filesystem::path& path, const LoadedCase& loaded, const System& system,
                 const std::vector<double>& q, const Modes& modes) {
  hdf5::Handle file = hdf5::create_file(path);
  write_head(file, loaded, modes);
  for (const char* group : {"/points", "/rods", "/modes", "/modes/rods"}) {
    hdf5::create_group(file, group);
  }
  write_table(file, "/modes/frequency", {}, modes.frequencies, "rad/s",
              "angular frequency of each mode, ascending; negative: rate of growth");
  write_points(file, system, {q}, modes);
  for (const Rod& rod : system.model().rods) write_rod(file, system, rod, {q}, modes);
  file.close();
}

std::string failure(const System& system, const Outcome& outcome) {
  switch (outcome.status) {
    case Status::no_convergence:
      return "the iteration for the modes does not converge";
    case Status::singular_mass:
      return fmt::format("{}: {}", describe(outcome.status),
                         system.describe_unknown(outcome.where));
    default:
      return describe(outcome.status);
  }
}

}  // namespace

int modes(const ModesArguments& arguments) {
  const LoadedCase loaded = load_case(arguments.case_file);
  const std::string file = arguments.case_file.string();
  System system(loaded.model, {});
  const std::vector<double> q = system.initial_positions();
  const Modes result = calc_modes(system, q, {.count = arguments.count});
  if (!result.outcome.ok()) {
    fmt::print(stderr, "fem: {}: {}; there are no modes\n", file, failure(system, result.outcome));
    return kSolverFailed;
  }
  warn(file, result);
  if (!arguments.quiet) print_table(result);
  if (arguments.output) write_modes(*arguments.output, loaded, system, q, result);
  return kDone;
}

}  // namespace fem::driver
