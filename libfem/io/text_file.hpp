// Whole text files.
#pragma once

#include <filesystem>
#include <string>

namespace fem {

/// The whole file, byte for byte. Throws FileError, which names the file.
[[nodiscard]] std::string load_text(const std::filesystem::path& path);

}  // namespace fem
