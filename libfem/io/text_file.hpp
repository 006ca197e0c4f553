// Whole text files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace fem {

/// Larger files are refused: no case or table of numbers is.
inline constexpr std::size_t kMostTextBytes = std::size_t{1} << 30;

/// The whole file, byte for byte; a pipe until its writers close it, nothing of one that has none.
/// Throws FileError, which names the file: also of a device or of more than `most` bytes.
[[nodiscard]] std::string load_text(const std::filesystem::path& path,
                                    std::size_t most = kMostTextBytes);

/// A file that may be meant by a path that leads nowhere: in the same folder, of the same kind; ""
/// if there is none.
[[nodiscard]] std::string nearest_file(const std::filesystem::path& path);

}  // namespace fem
