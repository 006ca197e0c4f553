#include "libfem/io/text_file.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"

namespace fem {

std::string load_text(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& reason) {
    throw FileError("cannot read '" + path.string() + "': " + reason);
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("it is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 65536> chunk{};
  do {
    file.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
  } while (file);
  if (!file.eof()) fail(std::generic_category().message(errno));
  return text;
}

std::string nearest_file(const std::filesystem::path& path) {
  std::vector<std::string> files;
  std::error_code ignored;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == path.extension()) {
      files.push_back(entry.path().filename().string());
    }
  }
  const std::string nearest = nearest_name(path.filename().string(), files);
  return nearest.empty() ? "" : (path.parent_path() / nearest).string();
}

}  // namespace fem
