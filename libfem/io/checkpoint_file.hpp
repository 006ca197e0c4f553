// The checkpoint of a run: a file beside its results, OUT.h5.checkpoint, from which `--resume` goes
// on. It replaces the one before in an instant, so that a kill at any moment leaves one of them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "libfem/io/recorder.hpp"
#include "libfem/model/model.hpp"

namespace fem {

struct Checkpoint {
  std::string fingerprint;  ///< of the case: calc_fingerprint()
  RecordedRows recorded{};  ///< what the results file held then
  double time = 0;          ///< s
  std::string state;        ///< Observer::checkpoint()
};

/// What a run depends on: the text of its case, and the files that it names (tables of laws, the
/// state it starts from).
[[nodiscard]] std::string calc_fingerprint(const std::string& case_text, const Model& model);

[[nodiscard]] std::filesystem::path checkpoint_path(const std::filesystem::path& results);

/// The file's content.
[[nodiscard]] std::string pack_checkpoint(const Checkpoint& checkpoint);

/// The checkpoint of a file's content; `results` is for messages. Throws FileError where it is
/// damaged, InputError where it is one of another case or of another version of libfem.
[[nodiscard]] Checkpoint unpack_checkpoint(std::string_view text,
                                           const std::filesystem::path& results,
                                           const std::string& fingerprint);

/// Throws FileError.
void write_checkpoint(const std::filesystem::path& results, const Checkpoint& checkpoint);

/// Throws FileError where there is none or it is damaged, InputError where it is one of another
/// case or of another version of libfem.
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& results,
                                         const std::string& fingerprint);

void remove_checkpoint(const std::filesystem::path& results) noexcept;

}  // namespace fem
