// Writes a run to an HDF5 results file (docs/results-format.md) that can be read while the run
// goes on and after it was killed.
//
// Rows wait in memory and are written in bursts: the file is opened so that its content is
// consistent at every instant, every dataset gets its rows, /time last, and the file is closed.
// Between bursts it is an ordinary closed file. What waits is lost if the process is killed.
// One thread at a time uses a recorder; its process must not open the file in another way.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "libfem/analysis/snapshot.hpp"

namespace fem {

struct RecorderOptions {
  std::filesystem::path path;
  std::string case_text;  ///< the case as read
  std::string title;
  std::string version;  ///< of the program that makes the results
  /// Wall time between bursts, s; longer where they take long (burst_interval). Zero: a burst for
  /// every row, whatever it costs.
  double flush_interval = 1.0;
  std::size_t buffered_rows = 2048;  ///< rows that may wait; fewer if they are large
};

/// Wall time to the next burst, s, when the last one took `duration`: at least the wanted one, and
/// so long that bursts take no more than 3% of the wall time. Zero stays zero.
[[nodiscard]] double burst_interval(double wanted, double duration);

/// How much of a results file is complete.
struct RecordedRows {
  std::size_t rows = 0;
  std::size_t events = 0;
  template <class Archive>
  void archive(Archive& a) {
    a(rows, events);
  }
};

class Recorder {
 public:
  /// Creates the file (replaces an existing one) with status "running". FileError if it cannot:
  /// half a file does not stay.
  Recorder(RecorderOptions options, const ResultLayout& layout);
  /// Goes on with the results file of a run that has ended in any way: behind these rows, what is
  /// there beyond them is dropped. FileError if the file is none of this layout or has fewer rows.
  Recorder(RecorderOptions options, const ResultLayout& layout, const RecordedRows& recorded);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();  ///< without finish(): writes what waits if it can, the status stays "running"

  /// Each of these may write a burst: FileError if it fails. What was written before stays
  /// readable, what waits keeps waiting.
  void append(const Snapshot& snapshot);
  void event(const Event& event);
  void flush();

  /// What is written: everything after a flush().
  [[nodiscard]] RecordedRows written() const;

  /// Writes what waits, the summary and the status; nothing can be recorded afterwards.
  void finish(const RunSummary& summary);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fem
