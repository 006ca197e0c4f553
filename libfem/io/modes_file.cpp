#include "libfem/io/modes_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>

#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/io/hdf5.hpp"
#include "libfem/io/result_columns.hpp"

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The state as the only row of a results file.
void write_state(const RecorderOptions& options, System& system, const ModesState& state) {
  ResultLayout layout = make_layout(system.model(), Analysis::modes);
  layout.laws_time = state.time;
  Recorder recorder(options, layout);
  std::vector<double> q = state.q, residual(system.independent());
  const std::vector<double> rest(system.size(), 0.0);
  const Energies energies = system.energies_at_rest(state.time, q, state.load_factor);
  system.assemble_statics(state.time, state.load_factor, q, residual);
  Snapshot snapshot = take_snapshot(system, {state.time, Side::before, q, rest, rest});
  snapshot.energy.strain = energies.strain;
  snapshot.energy.springs = energies.springs;
  snapshot.energy.hereditary = energies.hereditary;
  recorder.append(snapshot);
  RunSummary summary;
  summary.status = RunStatus::complete;
  summary.final_time = state.time;
  recorder.finish(summary);
}

class Writer {
 public:
  Writer(const hdf5::Handle& file, const System& system, const Modes& modes)
      : file_(file), system_(system), model_(system.model()), modes_(modes) {}

  void write(const ModesState& state) {
    const hdf5::Handle group = hdf5::create_group(file_, "/modes");
    hdf5::set_attribute(group, "about", state.about);
    hdf5::set_attribute(group, "time", state.time);
    hdf5::set_attribute(group, "load_factor", state.load_factor);
    hdf5::set_attribute(group, "free_motions", std::int64_t{modes_.free_motions});
    hdf5::set_attribute(group, "unstable_modes", std::int64_t{modes_.negative});
    hdf5::set_attribute(group, "imbalance", modes_.imbalance);
    write_numbers();
    write_shapes();
  }

 private:
  void describe(const hdf5::Handle& dataset, const char* unit, const char* meaning) {
    hdf5::set_attribute(dataset, "unit", std::string(unit));
    hdf5::set_attribute(dataset, "meaning", std::string(meaning));
  }

  void table(const std::string& path, std::span<const std::size_t> row,
             const std::vector<double>& values, const char* unit, const char* meaning) {
    const hdf5::Handle table = hdf5::create_table(file_, path, {}, row);
    describe(table, unit, meaning);
    hdf5::write_rows(table, 0, values);
  }

  void write_numbers() {
    std::vector<double> frequency, omega;
    std::vector<std::string> kind;
    for (std::size_t i = 0; i < modes_.frequencies.size(); ++i) {
      omega.push_back(std::max(0.0, modes_.frequencies[i]));
      frequency.push_back(omega.back() / (2 * std::numbers::pi));
      kind.emplace_back(mode_kind(modes_, i));
    }
    table("/modes/frequency", {}, frequency, "Hz",
          "frequency of each mode; 0 if it does not swing");
    table("/modes/angular_frequency", {}, omega, "rad/s", "angular frequency of each mode");
    table("/modes/growth_rate", {}, modes_.growth_rates, "1/s",
          "rate at which the mode grows; 0 if it is stable");
    describe(hdf5::create_array(file_, "/modes/kind", kind), "1",
             "vibration, free (nothing holds it) or unstable");
    describe(hdf5::create_array(file_, "/modes/description", modes_.descriptions), "1",
             "what a free motion is, else what moves most");
  }

  void write_shapes() {
    std::vector<double> values;
    const std::size_t points = model_.nodes.size();
    for (const std::vector<double>& x : modes_.shapes) {
      for (const Node& node : model_.nodes) {
        values.insert(values.end(), {x[system_.place(node.x)], x[system_.place(node.x + 1)],
                                     node.z == kNone ? 0.0 : x[system_.place(node.z)]});
      }
    }
    const std::vector<std::size_t> row{points, 3};
    table("/modes/shape", row, values, "kg^-1/2",
          "displacement X, Y, Z of each point in each mode, of unit modal mass");
    hdf5::create_group(file_, "/modes/rods");
    for (const Rod& rod : model_.rods) write_rod(rod);
    hdf5::create_group(file_, "/modes/hinges");
    for (const Hinge& hinge : model_.hinges) {
      values.clear();
      for (const std::vector<double>& x : modes_.shapes) {
        values.push_back(x[system_.place(hinge.second)] - x[system_.place(hinge.first)]);
      }
      const std::string path = part_path("/modes/hinges", hinge.name);
      hdf5::create_group(file_, path);
      table(path + "/angle", {}, values, kTurnUnit, "change of the relative angle in each mode");
    }
  }

  void write_rod(const Rod& rod) {
    std::vector<double> values;
    for (const std::vector<double>& x : modes_.shapes) {
      for (int k = 0; k < rod.elements(); ++k) {
        const auto& c = model_.elements[at(rod.first_element + k)].coordinate;
        values.insert(values.end(), {x[system_.place(c[2])], x[system_.place(c[3])]});
      }
    }
    const std::string path = part_path("/modes/rods", rod.name);
    hdf5::create_group(file_, path);
    const std::vector<std::size_t> row{at(rod.elements()), 2};
    table(path + "/angle", row, values, kTurnUnit,
          "turn of the section at both ends of each element in each mode");
  }

  static constexpr const char* kTurnUnit = "rad kg^-1/2 m^-1";
  const hdf5::Handle& file_;
  const System& system_;
  const Model& model_;
  const Modes& modes_;
};

}  // namespace

void write_modes(const RecorderOptions& options, System& system, const ModesState& state,
                 const Modes& modes) {
  write_state(options, system, state);
  hdf5::Handle file = hdf5::open_file(options.path, hdf5::Access::edit);
  Writer(file, system, modes).write(state);
  file.close();
}

}  // namespace fem
