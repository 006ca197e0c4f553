// Whole text files.
#pragma once

#include <filesystem>
#include <string>

namespace fem {

/// The whole file, byte for byte. Throws FileError, which names the file.
[[nodiscard]] std::string load_text(const std::filesystem::path& path);

/// A file that may be meant by a path that leads nowhere: in the same folder, of the same kind; ""
/// if there is none.
[[nodiscard]] std::string nearest_file(const std::filesystem::path& path);

}  // namespace fem
