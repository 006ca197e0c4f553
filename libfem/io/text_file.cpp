#include "libfem/io/text_file.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "libfem/base/error.hpp"

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

}  // namespace fem
