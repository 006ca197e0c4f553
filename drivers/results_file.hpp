// The results file of a command: it is made when there is something to write, so that a case that
// is refused at the last moment leaves an older file as it is.
#pragma once

#include <filesystem>
#include <memory>
#include <utility>

#include "libfem/io/recorder.hpp"
#include "libfem/io/result_columns.hpp"

namespace fem::driver {

class ResultsFile {
 public:
  ResultsFile(RecorderOptions options, ResultLayout layout)
      : options_(std::move(options)), layout_(std::move(layout)) {}

  [[nodiscard]] const std::filesystem::path& path() const { return options_.path; }
  [[nodiscard]] bool is_open() const { return recorder_ != nullptr; }

  /// Goes on with the file of an earlier run. Throws FileError.
  void resume(const RecordedRows& recorded) {
    recorder_ = std::make_unique<Recorder>(options_, layout_, recorded);
  }

  /// Creates the file the first time. Throws FileError.
  [[nodiscard]] Recorder& recorder() {
    if (!recorder_) recorder_ = std::make_unique<Recorder>(options_, layout_);
    return *recorder_;
  }

 private:
  RecorderOptions options_;
  ResultLayout layout_;
  std::unique_ptr<Recorder> recorder_;
};

}  // namespace fem::driver
