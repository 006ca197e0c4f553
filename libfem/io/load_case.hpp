// From the path that the user gave to a checked model.
#pragma once

#include <filesystem>
#include <string>

#include "libfem/model/model.hpp"

namespace fem::driver {

struct LoadedCase {
  std::string text;  ///< the file, byte for byte
  Model model;
};

/// Throws InputError for a case that is wrong or does not exist, FileError for one that is there
/// but cannot be read.
[[nodiscard]] LoadedCase load_case(const std::filesystem::path& path);

}  // namespace fem::driver
