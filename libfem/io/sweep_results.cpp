#include "libfem/io/sweep_results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string_view>

#include "libfem/base/error.hpp"
#include "libfem/io/hdf5.hpp"
#include "libfem/io/json_reader.hpp"
#include "libfem/io/text_file.hpp"

namespace fem {
namespace {

constexpr std::string_view kHead = "libfem sweep journal 1 ";
constexpr std::size_t kMessageBytes = 256;
constexpr std::array<double, 7> kProbabilities{0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};

// One line: number, status, outputs in hexadecimal (exact), message as JSON.
std::string write_line(std::size_t sample, const SampleResult& result) {
  std::ostringstream line;
  line << sample << '\t' << static_cast<int>(result.status) << '\t' << std::hexfloat;
  for (const double value : result.outputs) line << value << ' ';
  line << '\t' << json::dump({result.message});  // ends the line
  return line.str();
}

bool read_line(const std::string& line, std::size_t outputs, SampleResults& results) {
  std::istringstream in(line);
  std::string sample, status, values, message;
  std::getline(in, sample, '\t');
  std::getline(in, status, '\t');
  std::getline(in, values, '\t');
  std::getline(in, message);
  if (sample.empty() || status.size() != 1 || status[0] < '1' || status[0] > '3') return false;
  SampleResult result{.status = static_cast<SampleResult::Status>(status[0] - '0')};
  const char* at = values.c_str();
  for (char* end = nullptr;; at = end) {
    const double value = std::strtod(at, &end);
    if (end == at) break;
    result.outputs.push_back(value);
  }
  if (result.outputs.size() != outputs) return false;
  std::vector<Problem> problems;
  try {
    const json::Tree tree = json::parse(message, 0, "", problems);
    if (const auto* text = tree.as<std::string>()) result.message = *text;
  } catch (const InputError&) {
    return false;
  }
  results[std::strtoull(sample.c_str(), nullptr, 10)] = std::move(result);
  return true;
}

// Linear between the sorted values; nothing of no values.
std::vector<double> calc_quantiles(std::vector<double> values) {
  std::vector<double> quantiles(kProbabilities.size(), std::numeric_limits<double>::quiet_NaN());
  if (values.empty()) return quantiles;
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < kProbabilities.size(); ++i) {
    const double place = kProbabilities[i] * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double part = place - static_cast<double>(below);
    quantiles[i] = values[below] + part * (values[above] - values[below]);
  }
  return quantiles;
}

hdf5::Handle write_column(const hdf5::Handle& file, const std::string& path,
                          const std::vector<double>& values, const std::string& meaning) {
  hdf5::Handle table = hdf5::create_table(file, path, {}, {});
  hdf5::write_rows(table, 0, std::span<const double>(values));
  hdf5::set_attribute(table, "meaning", meaning);
  return table;
}

std::string fixed(std::string text) {
  text.resize(std::min(text.size(), kMessageBytes));
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0 &&
         text.size() == kMessageBytes) {
    text.pop_back();  // a character that may have been cut
  }
  text.resize(kMessageBytes, '\0');
  return text;
}

void write_statistics(const hdf5::Handle& file, const std::string& name,
                      const std::vector<double>& good) {
  const hdf5::Handle table = write_column(file, "/quantiles/" + name, calc_quantiles(good),
                                          "at /quantiles/probability, of complete samples");
  double mean = 0, square = 0;
  const auto count = static_cast<double>(good.size());
  for (const double value : good) mean += value / count;
  for (const double value : good) square += (value - mean) * (value - mean);
  hdf5::set_attribute(table, "mean", mean);
  hdf5::set_attribute(table, "deviation", good.size() > 1 ? std::sqrt(square / (count - 1)) : 0.0);
}

}  // namespace

SampleResults read_journal(const std::filesystem::path& path, const std::string& fingerprint,
                           std::size_t outputs) {
  SampleResults results;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return results;
  const std::string text = load_text(path);
  if (text.empty()) return results;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  if (line != std::string(kHead) + fingerprint) {
    throw FileError("'" + path.string() +
                    "' is the journal of another sweep: remove it, or give another output (-o)");
  }
  while (std::getline(lines, line)) {
    if (lines.eof()) break;  // a line that was not finished
    if (!read_line(line, outputs, results)) {
      throw FileError("'" + path.string() + "' is damaged at '" + line.substr(0, 40) + "'");
    }
  }
  return results;
}

SweepJournal::SweepJournal(const std::filesystem::path& path, const std::string& fingerprint,
                           std::size_t outputs)
    : owner_(path), results_(read_journal(path, fingerprint, outputs)) {
  const std::string text = load_text(path);
  const std::size_t whole = text.rfind('\n') + 1;  // npos + 1 is 0
  if (whole < text.size()) std::filesystem::resize_file(path, whole);
  file_.open(path, std::ios::binary | std::ios::app);
  if (whole == 0) file_ << kHead << fingerprint << '\n' << std::flush;
  if (!file_) throw FileError("'" + path.string() + "' cannot be written");
}

void SweepJournal::add(std::size_t sample, const SampleResult& result) {
  const std::string line = write_line(sample, result);
  const std::lock_guard lock(mutex_);
  file_ << line << std::flush;
  if (!file_) throw FileError("the journal of the sweep cannot be written");
  results_[sample] = result;
}

std::filesystem::path journal_path(const std::filesystem::path& output, std::size_t shard,
                                   std::size_t shards) {
  const std::string which =
      shards == 1 ? "" : "." + std::to_string(shard) + "of" + std::to_string(shards);
  return output.string() + ".samples" + which;
}

std::vector<std::filesystem::path> list_journals(const std::filesystem::path& output) {
  std::vector<std::filesystem::path> found;
  const std::string start = output.filename().string() + ".samples";
  const auto folder = output.has_parent_path() ? output.parent_path() : std::filesystem::path(".");
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().rfind(start, 0) == 0) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void write_sweep(const std::filesystem::path& output, const SweepDescription& sweep,
                 const std::string& case_text, const std::vector<std::vector<double>>& samples,
                 const SampleResults& results) {
  const OutputFile owner(output);
  owner.clear();
  hdf5::Handle file = hdf5::create_file(output);
  hdf5::set_attribute(file, "libfem_sweep", std::int64_t{1});
  hdf5::set_attribute(file, "title", sweep.title);
  hdf5::set_attribute(file, "seed", static_cast<std::int64_t>(sweep.seed));
  hdf5::create_text(file, "/case", case_text);
  for (const char* group : {"/inputs", "/outputs", "/quantiles"}) hdf5::create_group(file, group);
  for (std::size_t f = 0; f < sweep.factors.size(); ++f) {
    std::vector<double> values;
    for (const auto& sample : samples) values.push_back(sample[f]);
    const hdf5::Handle table =
        write_column(file, "/inputs/" + sweep.factors[f].name, values, "value in every sample");
    hdf5::set_attribute(table, "pointers", sweep.factors[f].pointers);
  }
  std::vector<double> status;
  std::string messages;
  for (const auto& [sample, result] : results) {
    status.push_back(static_cast<double>(result.status));
    messages += fixed(result.message);
  }
  write_column(file, "/status", status, "1 complete, 2 failed, 3 refused: the case is wrong");
  const hdf5::Handle table = hdf5::create_table(file, "/message", {kMessageBytes}, {});
  hdf5::write_rows(table, 0, std::string_view(messages));
  hdf5::set_attribute(table, "meaning", std::string("why a sample is not complete"));
  write_column(file, "/quantiles/probability", {kProbabilities.begin(), kProbabilities.end()},
               "of the quantiles");
  for (std::size_t o = 0; o < sweep.outputs.size(); ++o) {
    std::vector<double> values, good;
    for (const auto& [sample, result] : results) {
      values.push_back(result.outputs[o]);
      if (result.status == SampleResult::Status::complete) good.push_back(result.outputs[o]);
    }
    const std::string& name = sweep.outputs[o].name;
    hdf5::set_attribute(write_column(file, "/outputs/" + name, values,
                                     "not a number where the sample is not complete"),
                        "quantity", sweep.outputs[o].quantity);
    write_statistics(file, name, good);
  }
  file.close();
}

}  // namespace fem
