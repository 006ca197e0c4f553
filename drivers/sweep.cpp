#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "drivers/commands.hpp"
#include "drivers/computation.hpp"
#include "drivers/interrupt.hpp"
#include "drivers/jobs.hpp"
#include "drivers/messages.hpp"
#include "libfem/analysis/dynamics.hpp"
#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"
#include "libfem/base/version.hpp"
#include "libfem/io/case_reader.hpp"
#include "libfem/io/load_case.hpp"
#include "libfem/io/result_columns.hpp"
#include "libfem/io/sha256.hpp"
#include "libfem/io/stored_state.hpp"
#include "libfem/io/sweep_file.hpp"
#include "libfem/io/sweep_results.hpp"
#include "libfem/io/text_file.hpp"

namespace fem::driver {
namespace {

// Where an output stands in the columns of a run.
struct Place {
  std::size_t column = 0;
  std::size_t offset = 0;  // in its row
};

std::size_t find_index(const Column& column, std::vector<std::size_t> index,
                       const SweepOutput& output) {
  const std::string pointer = join_pointer("/outputs", output.name) + "/index";
  if (index.size() != column.row.size()) {
    throw InputError(Problem{pointer,
                             "a row of " + output.quantity + " has " +
                                 std::to_string(column.row.size()) + " dimensions, " +
                                 std::to_string(index.size()) + " indices are given",
                             "give an index for each (\"point\" stands for the first)"});
  }
  std::size_t offset = 0;
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (index[k] >= column.row[k]) {
      throw InputError(Problem{
          pointer,
          std::to_string(index[k]) + " is beyond the " + std::to_string(column.row[k]) + " entries",
          "indices count from 0"});
    }
    offset = offset * column.row[k] + index[k];
  }
  return offset;
}

Place find_output(const SweepOutput& output, const ResultLayout& layout,
                  const std::vector<Column>& columns) {
  const std::string pointer = join_pointer("/outputs", output.name);
  const auto column = std::find_if(columns.begin(), columns.end(),
                                   [&](const Column& c) { return c.path == output.quantity; });
  if (column == columns.end()) {
    std::vector<std::string> paths;
    for (const Column& c : columns) paths.push_back(c.path);
    const std::string nearest = nearest_name(output.quantity, paths);
    throw InputError(Problem{pointer + "/quantity", "the results have no '" + output.quantity + "'",
                             nearest.empty() ? "give a path like /hinges/NAME/angle"
                                             : "did you mean '" + nearest + "'?"});
  }
  std::vector<std::size_t> index = output.index;
  if (output.point) {
    const auto point = std::find(layout.points.begin(), layout.points.end(), *output.point);
    if (point == layout.points.end() || output.quantity.rfind("/points/", 0) != 0) {
      throw InputError(Problem{pointer + "/point",
                               "'" + *output.point + "' is no point of " + output.quantity,
                               "name a point of the case, for a quantity in /points"});
    }
    index.insert(index.begin(), static_cast<std::size_t>(point - layout.points.begin()));
  }
  return {static_cast<std::size_t>(column - columns.begin()),
          find_index(*column, std::move(index), output)};
}

// Takes the outputs from the snapshots of one run.
class SampleObserver : public Observer {
 public:
  SampleObserver(const std::vector<SweepOutput>& outputs, const ResultLayout& layout)
      : outputs_(outputs), columns_(make_columns(layout)), values_(outputs.size()) {
    for (const SweepOutput& output : outputs)
      places_.push_back(find_output(output, layout, columns_));
  }

  void snapshot(const Snapshot& snapshot) override {
    append_row(snapshot, Analysis::dynamics, columns_);
    ++rows_;
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      take(outputs_[o].take, columns_[places_[o].column].waiting[places_[o].offset], values_[o]);
    }
    for (Column& column : columns_) column.waiting.clear();
  }
  bool proceed(const Progress&) override { return !is_interrupted(); }

  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> result = values_;
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      if (outputs_[o].take == SweepOutput::Take::mean) result[o] /= static_cast<double>(rows_);
    }
    return result;
  }

 private:
  // Over the rows; of a mean the sum.
  void take(SweepOutput::Take how, double now, double& value) const {
    const bool first = rows_ == 1;
    switch (how) {
      case SweepOutput::Take::last:
        value = now;
        break;
      case SweepOutput::Take::least:
        value = first ? now : std::min(value, now);
        break;
      case SweepOutput::Take::greatest:
        value = first ? now : std::max(value, now);
        break;
      case SweepOutput::Take::largest:
        value = first ? std::abs(now) : std::max(value, std::abs(now));
        break;
      case SweepOutput::Take::mean:
        value += now;
        break;
    }
  }

  const std::vector<SweepOutput>& outputs_;
  std::vector<Column> columns_;
  std::vector<Place> places_;
  std::vector<double> values_;
  std::size_t rows_ = 0;
};

// The sweep, its case and its samples.
struct Sweep {
  SweepDescription description;
  CaseDocument document;
  std::vector<std::vector<double>> samples;
  std::string fingerprint;
};

Model make_sample(const Sweep& sweep, std::size_t sample) {
  CaseDocument document = sweep.document;
  for (std::size_t f = 0; f < sweep.description.factors.size(); ++f) {
    for (const std::string& pointer : sweep.description.factors[f].pointers) {
      set_value(document, pointer + "=" + json::show(sweep.samples[sample][f]));
    }
  }
  Model model = make_model(read_case(document));
  static std::mutex reading;  // HDF5 serves one thread at a time
  const std::lock_guard lock(reading);
  load_start_state(model, "");
  return model;
}

SampleResult run_sample(const Sweep& sweep, std::size_t sample) {
  using Status = SampleResult::Status;
  const auto& outputs = sweep.description.outputs;
  SampleResult result{
      .outputs = std::vector<double>(outputs.size(), std::numeric_limits<double>::quiet_NaN())};
  try {
    const Model model = make_sample(sweep, sample);
    SampleObserver observer(outputs, make_layout(model));
    const RunSummary summary = run_dynamics(model, {1}, observer);
    result.status = summary.status == RunStatus::complete ? Status::complete : Status::failed;
    result.message = summary.reason;
    if (result.status == Status::complete) result.outputs = observer.values();
  } catch (const InputError& error) {
    const Problem& first = error.problems().front();
    result.status = Status::refused;
    result.message = first.pointer + ": " + first.what;
  } catch (const std::exception& error) {
    result.status = Status::failed;
    result.message = error.what();
  }
  return result;
}

Sweep load_sweep(const std::filesystem::path& path) {
  Sweep sweep;
  sweep.description = read_sweep(path);
  sweep.samples = make_samples(sweep.description);
  const std::filesystem::path case_file = sweep.description.case_file;
  std::error_code ignored;
  if (!std::filesystem::exists(case_file, ignored)) {
    const std::string nearest = nearest_file(case_file);
    throw InputError(Problem{"/case", "there is no file '" + case_file.string() + "'",
                             nearest.empty()
                                 ? "give a case file, by its path from the folder of the sweep"
                                 : "did you mean '" + nearest + "'?"});
  }
  sweep.document = load_case_document(case_file);
  sweep.fingerprint = sha256(load_text(path) + sweep.document.text + kVersion);
  return sweep;
}

// What a pointer of a factor leads to, if it is no value of the case and no key that it leaves out.
std::optional<Problem> find_wrong_pointer(CaseDocument document, const std::string& setting) {
  try {
    set_value(document, setting);
  } catch (const InputError& error) {
    return error.problems().front();
  }
  try {
    static_cast<void>(read_case(document));
  } catch (const InputError& error) {
    // A value may be bad in one sample; a key that nobody knows is so in all of them.
    for (const Problem& problem : error.problems()) {
      if (problem.what.rfind("unknown key", 0) == 0) return problem;
    }
  }
  return {};
}

void check_factor(const Sweep& sweep, std::size_t f) {
  const SweepFactor& factor = sweep.description.factors[f];
  for (const std::string& pointer : factor.pointers) {
    const auto problem =
        find_wrong_pointer(sweep.document, pointer + "=" + json::show(sweep.samples[0][f]));
    if (!problem) continue;
    throw InputError(Problem{join_pointer("/vary", factor.name) + "/at",
                             problem->pointer + ": " + problem->what, problem->remedy});
  }
}

// What is wrong with all samples is told before any is run: the case as it stands and the outputs;
// pointers that lead nowhere.
void check_sweep(const Sweep& sweep) {
  const Model model =
      with_places(sweep.document, [&] { return make_model(read_case(sweep.document)); });
  if (model.analysis.end == 0) {
    throw InputError(Problem{"/analysis/end", "the key is missing in the case",
                             "give the time at which every run ends, s"});
  }
  with_places(sweep.description.document, [&] {
    const SampleObserver observer(sweep.description.outputs, make_layout(model));
    for (std::size_t f = 0; f < sweep.description.factors.size(); ++f) check_factor(sweep, f);
  });
}

struct Shard {
  std::size_t index = 1, count = 1;
};

Shard parse_shard(const std::string& text) {
  Shard shard;
  char rest = 0;
  if (text.empty()) return shard;
  const int found = std::sscanf(text.c_str(), "%zu/%zu%c", &shard.index, &shard.count, &rest);
  if (found != 2 || shard.index < 1 || shard.index > shard.count) {
    throw InputError(Problem{"--shard", "'" + text + "' is no part of a sweep",
                             "write i/n with 1 <= i <= n, like --shard 3/8"});
  }
  return shard;
}

// Samples of this shard that have not ended yet.
std::vector<std::size_t> list_open(const Sweep& sweep, const Shard& shard,
                                   const SampleResults& done) {
  std::vector<std::size_t> open;
  for (std::size_t i = shard.index - 1; i < sweep.samples.size(); i += shard.count) {
    if (done.count(i) == 0) open.push_back(i);
  }
  return open;
}

void log_sample(Log& log, std::size_t sample, const SampleResult& result) {
  if (result.status == SampleResult::Status::complete) {
    log.debug(fmt::format("sample {}: complete", sample));
  } else {
    log.warning(fmt::format("sample {}: {}", sample, result.message));
  }
}

// Runs them; a sample that was interrupted has not ended. No further one begins when what came of
// one cannot be kept.
void run_open(const Sweep& sweep, const std::vector<std::size_t>& open, int workers, bool quiet,
              SweepJournal& journal, Log& log) {
  std::atomic<std::size_t> ended = 0;
  const auto run = [&](std::size_t i) {
    if (is_interrupted()) return;
    const SampleResult result = run_sample(sweep, open[i]);
    if (is_interrupted()) return;
    log_sample(log, open[i], result);
    journal.add(open[i], result);
    const std::size_t count = ++ended;
    if (quiet || (count % std::max<std::size_t>(1, open.size() / 20) != 0)) return;
    tell("{} of {} samples\n", count, open.size());
  };
  run_jobs(workers, open.size(), run);
}

SampleResults collect(const Sweep& sweep, const std::filesystem::path& output) {
  SampleResults all;
  for (const auto& path : list_journals(output)) {
    all.merge(read_journal(path, sweep.fingerprint, sweep.description.outputs.size()));
  }
  return all;
}

int report(const Sweep& sweep, const SampleResults& results, const std::filesystem::path& output,
           bool quiet) {
  std::size_t bad = 0;
  for (const auto& [sample, result] : results) {
    if (result.status == SampleResult::Status::complete) continue;
    if (++bad == 1) {
      tell("fem: warning: sample {}: {}\n", sample, result.message);
    }
  }
  if (bad > 0) {
    tell("fem: warning: {} of {} samples are not complete: see /status, /message\n", bad,
         sweep.samples.size());
  }
  if (!quiet)
    answer("samples  {} complete of {}\nresults  {}\n", results.size() - bad, results.size(),
           output.string());
  return bad == results.size() ? kSolverFailed : kDone;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw FileError("'" + path.string() + "' cannot be written");
}

// A path as one word of a shell, whatever it is made of.
std::string quoted(const std::filesystem::path& path) {
  std::string word = "'";
  for (const char c : std::filesystem::absolute(path).string()) {
    word += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return word + "'";
}

std::string command(const SweepArguments& arguments, const std::filesystem::path& output,
                    const std::string& shard) {
  return fmt::format("fem sweep {} -o {} --workers 1 --shard {}/{} --quiet",
                     quoted(arguments.sweep_file), quoted(output), shard, arguments.shards);
}

// Files with which a cluster's own engine runs the shards; afterwards the sweep is called without
// --shard and collects.
bool write_task_files(const SweepArguments& arguments, const std::filesystem::path& output) {
  if (arguments.slurm) {
    write_file(
        *arguments.slurm,
        fmt::format("#!/bin/sh\n#SBATCH --job-name=fem-sweep\n#SBATCH --array=1-{}\n"
                    "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n{}\n",
                    arguments.shards, command(arguments, output, "\"$SLURM_ARRAY_TASK_ID\"")));
  }
  if (arguments.hyperqueue) {
    std::string lines;
    for (int i = 1; i <= arguments.shards; ++i) {
      lines += command(arguments, output, std::to_string(i)) + "\n";
    }
    write_file(*arguments.hyperqueue, lines);
  }
  return arguments.slurm || arguments.hyperqueue;
}

}  // namespace

int sweep(const SweepArguments& arguments, Log& log) {
  const std::filesystem::path output = choose_output(arguments.output, arguments.sweep_file);
  const Shard shard = parse_shard(arguments.shard);
  const Sweep sweep = load_sweep(arguments.sweep_file);
  check_sweep(sweep);
  demand_replaceable(output);
  if (write_task_files(arguments, output)) return kDone;
  if (!arguments.quiet) {
    announce(sweep.description.title, arguments.sweep_file);
    tell("{} samples\n", sweep.samples.size());
  }
  catch_interrupts();
  const SampleResults done = collect(sweep, output);
  const std::vector<std::size_t> open = list_open(sweep, shard, done);
  log.info(fmt::format("{} samples, {} to run, results {}", sweep.samples.size(), open.size(),
                       output.string()));
  if (!open.empty()) {
    SweepJournal journal(journal_path(output, shard.index, shard.count), sweep.fingerprint,
                         sweep.description.outputs.size());
    const Parallelism workers = choose_threads(arguments.workers, count_startable_threads);
    run_open(sweep, open, workers.threads, arguments.quiet, journal, log);
  }
  if (is_interrupted()) {
    tell("fem: interrupted; the same command goes on\n");
    log.warning("interrupted");
    return kInterrupted;
  }
  if (shard.count > 1) return kDone;
  const SampleResults results = collect(sweep, output);
  write_sweep(output, sweep.description, sweep.document.text, sweep.samples, results);
  return report(sweep, results, output, arguments.quiet);
}

}  // namespace fem::driver
