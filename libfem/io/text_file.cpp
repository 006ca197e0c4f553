#include "libfem/io/text_file.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"

namespace fem {
namespace {

struct Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

}  // namespace

std::string load_text(const std::filesystem::path& path, std::size_t most) {
  const auto fail = [&](const std::string& reason) {
    throw FileError("cannot read '" + path.string() + "': " + reason);
  };
  const auto check = [&](bool good) {
    if (!good) fail(std::generic_category().message(errno));
  };
  const auto check_size = [&](std::size_t size) {
    if (size > most) fail("it has more than " + std::to_string(most) + " bytes");
  };
  // Without waiting for someone who opens a pipe to write.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  check(file.number >= 0);
  struct stat status = {};
  check(fstat(file.number, &status) == 0);
  if (S_ISDIR(status.st_mode)) fail("it is a directory");
  check_size(static_cast<std::size_t>(status.st_size));
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) fail("it is a device, not a file");
  check(fcntl(file.number, F_SETFL, 0) == 0);  // from here on it may wait
  std::string text;
  std::array<char, 65536> chunk{};
  for (;;) {
    const ssize_t count = read(file.number, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    check(count >= 0);
    if (count == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(count));
    check_size(text.size());
  }
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
