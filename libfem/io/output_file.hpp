// A file that one program writes for hours: nobody else may write it meanwhile, nobody may put
// another in its place, and a full disk is noticed before the write, not in its middle.
#pragma once

#include <cstddef>
#include <filesystem>

namespace fem {

class OutputFile {
 public:
  /// Makes the file if it is missing and takes it; FileError if it cannot be written or another
  /// writer has it. The content stays as it is; reading is free for all.
  explicit OutputFile(std::filesystem::path path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();  ///< gives the file and unused reserved space back; so does a kill

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  void clear() const;            ///< to size zero
  void remove() const noexcept;  ///< unless another file is in its place, or it is none

  /// Makes sure that the file can grow by so many bytes; its size stays. FileError if the path no
  /// longer leads to this file, or the disk, a quota or the process's limit has not the space.
  void reserve(std::size_t bytes) const;

 private:
  void demand_in_place() const;

  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace fem
