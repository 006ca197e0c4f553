#include "libfem/io/recorder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/base/memory.hpp"
#include "libfem/io/hdf5.hpp"
#include "libfem/io/output_file.hpp"
#include "libfem/io/result_columns.hpp"
#include "libfem/io/sha256.hpp"

namespace fem {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kFormat = 1;
constexpr std::size_t kWaitingBytes = 256 * 1024 * 1024;  // at most in memory
constexpr std::size_t kReserve = 16 * 1024 * 1024;        // with which the results can be ended
constexpr std::size_t kEventNameBytes = 64;
constexpr std::size_t kEventWhatBytes = 192;
constexpr std::size_t kHeaderBytes = 2048;      // of a dataset in the file, at most
constexpr std::size_t kSlackBytes = 64 * 1024;  // of all else

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string status_name(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::complete:
      return "complete";
    case RunStatus::failed:
      return "failed";
    case RunStatus::interrupted:
      return "interrupted";
  }
  FEM_DEMAND(false);
  return {};
}

// At most so many bytes of a UTF-8 text, cut between characters, padded with zeros.
std::string fixed_text(std::string_view text, std::size_t bytes) {
  std::size_t end = std::min(text.size(), bytes);
  const auto continues = [&](std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  };
  while (end > 0 && continues(end)) --end;
  std::string fixed(text.substr(0, end));
  fixed.resize(bytes, '\0');
  return fixed;
}

// As many as texts take that are padded to the longest.
std::size_t calc_text_bytes(const std::vector<std::string>& texts) {
  std::size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return longest * texts.size();
}

// Events that wait to be written.
struct Events {
  std::vector<double> time;
  std::string name;
  std::string what;

  void add(const Event& event) {
    time.push_back(event.time);
    name += fixed_text(event.name, kEventNameBytes);
    what += fixed_text(event.what, kEventWhatBytes);
  }
};

void describe(const hdf5::Handle& dataset, const char* unit, const char* meaning) {
  hdf5::set_attribute(dataset, "unit", std::string(unit));
  hdf5::set_attribute(dataset, "meaning", std::string(meaning));
}

std::string analysis_name(Analysis analysis) {
  switch (analysis) {
    case Analysis::dynamics:
      return "dynamics";
    case Analysis::statics:
      return "statics";
    case Analysis::modes:
      return "modes";
  }
  FEM_DEMAND(false);
  return {};
}

void write_head(const hdf5::Handle& file, const RecorderOptions& options,
                const ResultLayout& layout) {
  hdf5::set_attribute(file, "libfem_results", kFormat);
  hdf5::set_attribute(file, "version", options.version);
  hdf5::set_attribute(file, "status", status_name(RunStatus::running));
  hdf5::set_attribute(file, "title", options.title);
  hdf5::set_attribute(file, "case_sha256", sha256(options.case_text));
  hdf5::set_attribute(file, "units", std::string("SI, radians, counter-clockwise positive"));
  hdf5::set_attribute(file, "analysis", analysis_name(layout.analysis));
  if (layout.analysis != Analysis::dynamics) {
    hdf5::set_attribute(file, "laws_time", layout.laws_time);
  }
  describe(hdf5::create_text(file, "/case", options.case_text), "1", "the case as read");
}

void create_family(const hdf5::Handle& file, const std::string& family,
                   const std::vector<std::string>& names) {
  hdf5::create_group(file, family);
  for (const std::string& name : names) hdf5::create_group(file, part_path(family, name));
}

// A number that is not known is zero in a Section and no attribute in the file.
void create_section(const hdf5::Handle& file, const ResultLayout::NamedSection& named) {
  const hdf5::Handle group = hdf5::create_group(file, part_path("/sections", named.name));
  const Section& s = named.section;
  hdf5::set_attribute(group, "EA", s.axial_stiffness);
  hdf5::set_attribute(group, "EI", s.bending_stiffness);
  hdf5::set_attribute(group, "GAs", s.shear_stiffness);
  hdf5::set_attribute(group, "mass_per_length", s.mass_per_length);
  hdf5::set_attribute(group, "inertia_per_length", s.inertia_per_length);
  hdf5::set_attribute(group, "mass_offset", s.mass_offset);
  hdf5::set_attribute(group, "stiffness_damping", s.stiffness_damping);
  hdf5::set_attribute(group, "mass_damping", s.mass_damping);
  if (s.height > 0) hdf5::set_attribute(group, "height", s.height);
  if (s.modulus > 0) hdf5::set_attribute(group, "E", s.modulus);
}

void create_rod(const hdf5::Handle& file, const ResultLayout::Rod& rod) {
  const hdf5::Handle group = hdf5::create_group(file, part_path("/rods", rod.name));
  hdf5::set_attribute(group, "section", rod.section);
  hdf5::set_attribute(group, "length", rod.length);
  hdf5::set_attribute(group, "alpha", rod.alpha);
  hdf5::set_attribute(group, "curvature", rod.curvature);
  hdf5::set_attribute(group, "elongation", rod.elongation);
}

void create_body(const hdf5::Handle& file, const ResultLayout::Body& body) {
  const hdf5::Handle group = hdf5::create_group(file, part_path("/bodies", body.name));
  hdf5::set_attribute(group, "point", std::int64_t{body.point});
  hdf5::set_attribute(group, "mass", body.mass);
  hdf5::set_attribute(group, "inertia", body.inertia);
}

void create_groups(const hdf5::Handle& file, const ResultLayout& layout) {
  hdf5::create_group(file, "/points");
  hdf5::create_group(file, "/sections");
  for (const ResultLayout::NamedSection& section : layout.sections) create_section(file, section);
  hdf5::create_group(file, "/rods");
  for (const ResultLayout::Rod& rod : layout.rods) create_rod(file, rod);
  create_family(file, "/hinges", layout.hinges);
  create_family(file, "/supports", layout.supports);
  create_family(file, "/constraints", layout.constraints);
  hdf5::create_group(file, "/bodies");
  for (const ResultLayout::Body& body : layout.bodies) create_body(file, body);
  hdf5::create_group(file, "/hereditary");
  for (const std::string& element : layout.hereditary) {
    hdf5::create_group(file, part_path("/hereditary", element));
  }
  hdf5::create_group(file, "/springs");
  for (const ResultLayout::Spring& spring : layout.springs) {
    hdf5::create_group(file, part_path("/springs", spring.name));
  }
  create_family(file, "/loads", layout.loads);
  if (layout.analysis == Analysis::dynamics) {
    create_family(file, "/laws", layout.laws);
    if (layout.moves) hdf5::create_group(file, "/frame");
    hdf5::create_group(file, "/rheonomic");
  }
  hdf5::create_group(file, "/momentum");
  hdf5::create_group(file, "/energy");
  hdf5::create_group(file, "/solver");
  hdf5::create_group(file, "/events");
}

// What does not change during the run.
void create_arrays(const hdf5::Handle& file, const ResultLayout& layout) {
  describe(hdf5::create_array(file, "/points/names", layout.points), "1",
           "names of the points, then of the nodes inside rods");
  for (const ResultLayout::Rod& rod : layout.rods) {
    describe(hdf5::create_array(file, part_path("/rods", rod.name) + "/nodes", rod.nodes), "1",
             "indices of the rod's nodes in /points, from its first end on");
  }
  for (const ResultLayout::Spring& spring : layout.springs) {
    describe(hdf5::create_array(file, part_path("/springs", spring.name) + "/points",
                                std::span<const int>(spring.points)),
             "1", "indices of the spring's points in /points");
  }
}

void create_tables(const hdf5::Handle& file, const std::vector<Column>& columns) {
  for (const Column& column : columns) {
    describe(hdf5::create_table(file, column.path, {}, column.row), column.unit, column.meaning);
  }
  describe(hdf5::create_table(file, "/events/name", {kEventNameBytes}, {}), "1",
           "what it happened to");
  describe(hdf5::create_table(file, "/events/what", {kEventWhatBytes}, {}), "1", "what happened");
  describe(hdf5::create_table(file, "/events/time", {}, {}), "s",
           "time of each event; its length is the number of complete events");
}

void write_summary(const hdf5::Handle& file, const RunSummary& summary) {
  const hdf5::Handle group = hdf5::create_group(file, "/summary");
  const auto set = [&](const char* name, const auto& value) {
    hdf5::set_attribute(group, name, value);
  };
  set("status", status_name(summary.status));
  set("reason", summary.reason);
  set("warnings", summary.warnings);
  set("final_time", summary.final_time);
  set("steps", std::int64_t{summary.steps});
  set("rejected_steps", std::int64_t{summary.rejected_steps});
  set("evaluations", std::int64_t{summary.evaluations});
  set("largest_energy", summary.largest_energy);
  set("worst_balance", summary.worst_balance);
  set("ledger_tolerance", summary.ledger_tolerance);
  set("worst_position_violation", summary.worst_position_violation);
  set("worst_velocity_violation", summary.worst_velocity_violation);
  set("kernel_error", summary.kernel_error);
  set("wall_time", summary.wall_time);
}

}  // namespace

struct Recorder::State {
  RecorderOptions options;
  Analysis analysis;
  OutputFile output;
  std::vector<Column> columns;
  Events events;
  std::size_t row_limit;  // rows that may wait
  std::size_t waiting_rows = 0;
  std::size_t written_rows = 0;
  std::size_t written_events = 0;
  bool finished = false;
  double interval = 0;  // s, between bursts; the first row is written at once
  Clock::time_point last_burst = Clock::now();
  MemoryReserve reserve{kReserve};  // a run that has no memory left can still end its results

  State(RecorderOptions options_, const ResultLayout& layout,
        const std::optional<RecordedRows>& recorded)
      : options(std::move(options_)),
        analysis(layout.analysis),
        output(options.path),
        columns(make_columns(layout)) {
    const std::size_t fitting_rows = kWaitingBytes / row_bytes();
    row_limit = std::max<std::size_t>(1, std::min(fitting_rows, options.buffered_rows));
    recorded ? reopen(*recorded) : create(layout);
  }

  void reopen(const RecordedRows& recorded) {
    hdf5::clear_writer_mark(output.path());
    hdf5::Handle file = hdf5::open_file(output.path(), hdf5::Access::edit);
    for (const Column& column : columns) cut(file, column.path, recorded.rows);
    for (const char* path : {"/events/name", "/events/what", "/events/time"}) {
      cut(file, path, recorded.events);
    }
    if (hdf5::has(file, "/summary")) hdf5::remove(file, "/summary");
    hdf5::set_attribute(file, "status", status_name(RunStatus::running));
    file.close();
    written_rows = recorded.rows;
    written_events = recorded.events;
  }

  void cut(const hdf5::Handle& file, const std::string& path, std::size_t rows) const {
    if (!hdf5::has(file, path)) {
      throw FileError(output.path().string() + ": has no " + path +
                      "; it is not the results file of this run");
    }
    const hdf5::Handle table = hdf5::open_table(file, path);
    const std::size_t found = hdf5::row_count(table);
    if (found < rows) {
      throw FileError(output.path().string() + ": " + path + " has " + std::to_string(found) +
                      " rows where the checkpoint has " + std::to_string(rows));
    }
    hdf5::truncate_rows(table, rows);
  }

  [[nodiscard]] std::size_t row_bytes() const {
    std::size_t bytes = 0;
    for (const Column& column : columns) bytes += sizeof(double) * row_size(column);
    return bytes;
  }

  void create(const ResultLayout& layout) const {
    output.clear();
    const std::size_t headers = columns.size() + layout.rods.size() + layout.bodies.size() +
                                layout.springs.size() + layout.hereditary.size() +
                                4 * layout.sections.size();
    output.reserve(headers * kHeaderBytes + options.case_text.size() +
                   calc_text_bytes(layout.points) + kSlackBytes);
    try {
      hdf5::Handle file = hdf5::create_file(output.path());
      write_head(file, options, layout);
      create_groups(file, layout);
      create_arrays(file, layout);
      create_tables(file, columns);
      file.close();
    } catch (...) {
      output.remove();  // half a head is no results file
      throw;
    }
  }

  [[nodiscard]] bool nothing_waits() const { return waiting_rows == 0 && events.time.empty(); }

  [[nodiscard]] bool burst_is_due() const {
    return waiting_rows >= row_limit || seconds_since(last_burst) >= interval;
  }

  void burst_if_due() {
    if (burst_is_due()) burst();
    reserve.take();
  }

  void burst() {
    reserve.release();
    if (nothing_waits()) return;
    const Clock::time_point start = Clock::now();
    output.reserve(calc_growth());
    write();
    clear();
    last_burst = Clock::now();
    interval = burst_interval(options.flush_interval, seconds_since(start));
  }

  // Bytes that the file grows by, at most, when all that waits is written.
  [[nodiscard]] std::size_t calc_growth() const {
    std::size_t bytes = kSlackBytes;
    for (const Column& column : columns) {
      bytes += hdf5::calc_growth({}, column.row, written_rows, waiting_rows);
    }
    for (const std::size_t text : {std::size_t{0}, kEventNameBytes, kEventWhatBytes}) {
      bytes += hdf5::calc_growth({text}, {}, written_events, events.time.size());
    }
    return bytes;
  }

  // /time and /events/time go last, when all else is with the operating system.
  void write() const {
    hdf5::Handle file = hdf5::open_file(output.path(), hdf5::Access::append);
    demand_ours(file);
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) write_rows(file, columns[i]);
    write_events(file, "/events/name", events.name);
    write_events(file, "/events/what", events.what);
    hdf5::flush(file);
    write_rows(file, columns.back());
    write_events(file, "/events/time", events.time);
    file.close();
  }

  void demand_ours(const hdf5::Handle& file) const {
    const std::size_t found = hdf5::row_count(hdf5::open_table(file, columns.back().path));
    if (found == written_rows) return;
    throw FileError(output.path().string() + ": has " + std::to_string(found) + " rows where " +
                    std::to_string(written_rows) + " were written; another program changed it");
  }

  void write_rows(const hdf5::Handle& file, const Column& column) const {
    const std::span<const double> rows(column.waiting.data(), waiting_rows * row_size(column));
    hdf5::write_rows(hdf5::open_table(file, column.path), written_rows, rows);
  }

  template <class Values>
  void write_events(const hdf5::Handle& file, const char* path, const Values& values) const {
    if (events.time.empty()) return;
    hdf5::write_rows(hdf5::open_table(file, path), written_events, values);
  }

  void end(const RunSummary& summary) {
    output.reserve(kSlackBytes + summary.reason.size() + calc_text_bytes(summary.warnings));
    hdf5::Handle file = hdf5::open_file(output.path(), hdf5::Access::edit);
    write_summary(file, summary);
    hdf5::set_attribute(file, "status", status_name(summary.status));
    file.close();
    finished = true;
  }

  void clear() {
    written_rows += waiting_rows;
    written_events += events.time.size();
    waiting_rows = 0;
    for (Column& column : columns) column.waiting.clear();
    events = {};
  }
};

double burst_interval(double wanted, double duration) {
  constexpr double kShare = 0.03;  // of the wall time
  return wanted > 0 ? std::max(wanted, duration / kShare) : 0;
}

Recorder::Recorder(RecorderOptions options, const ResultLayout& layout)
    : state_(std::make_unique<State>(std::move(options), layout, std::nullopt)) {}

Recorder::Recorder(RecorderOptions options, const ResultLayout& layout,
                   const RecordedRows& recorded)
    : state_(std::make_unique<State>(std::move(options), layout, recorded)) {}

Recorder::~Recorder() {
  try {
    if (!state_->finished) state_->burst();
  } catch (const std::exception&) {
    // A destructor cannot report it; finish() and flush() do.
  }
}

void Recorder::append(const Snapshot& snapshot) {
  FEM_DEMAND(!state_->finished);
  append_row(snapshot, state_->analysis, state_->columns);
  ++state_->waiting_rows;
  state_->burst_if_due();
}

void Recorder::event(const Event& event) {
  FEM_DEMAND(!state_->finished);
  state_->events.add(event);
  state_->burst_if_due();
}

void Recorder::flush() {
  FEM_DEMAND(!state_->finished);
  state_->burst();
  state_->reserve.take();
}

RecordedRows Recorder::written() const { return {state_->written_rows, state_->written_events}; }

void Recorder::finish(const RunSummary& summary) {
  FEM_DEMAND(!state_->finished && summary.status != RunStatus::running);
  state_->burst();
  state_->end(summary);
}

}  // namespace fem
