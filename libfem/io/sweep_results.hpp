// What a sweep leaves: a journal of samples as they end, in any order and from any number of
// processes, and from it the results, which do not depend on that order.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "libfem/io/output_file.hpp"
#include "libfem/io/sweep_file.hpp"

namespace fem {

struct SampleResult {
  enum class Status { complete = 1, failed = 2, refused = 3 };
  Status status = Status::complete;
  std::vector<double> outputs{};  ///< not numbers, unless complete
  std::string message{};          ///< why it is not complete
};

using SampleResults = std::map<std::size_t, SampleResult>;

/// Lines that are appended as samples end; each is whole or not there. Several threads may add.
class SweepJournal {
 public:
  /// Opens the journal and reads what is in it. Throws FileError if another process has it or it is
  /// that of another sweep.
  SweepJournal(const std::filesystem::path& path, const std::string& fingerprint,
               std::size_t outputs);

  [[nodiscard]] const SampleResults& results() const noexcept { return results_; }
  void add(std::size_t sample, const SampleResult& result);

 private:
  OutputFile owner_;
  std::ofstream file_;
  SampleResults results_;
  std::mutex mutex_;
};

/// What a journal holds; nothing if there is none.
[[nodiscard]] SampleResults read_journal(const std::filesystem::path& path,
                                         const std::string& fingerprint, std::size_t outputs);

/// Journals of all shards of a sweep whose results go to `output`.
[[nodiscard]] std::vector<std::filesystem::path> list_journals(const std::filesystem::path& output);
[[nodiscard]] std::filesystem::path journal_path(const std::filesystem::path& output,
                                                 std::size_t shard, std::size_t shards);

/// Writes the results of a sweep whose samples have all ended. Throws FileError.
void write_sweep(const std::filesystem::path& output, const SweepDescription& sweep,
                 const std::string& case_text, const std::vector<std::vector<double>>& samples,
                 const SampleResults& results);

}  // namespace fem
