#include "libfem/io/output_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* action, int error) {
  throw FileError(path.string() + ": cannot " + action + ": " +
                  std::generic_category().message(error));
}

int open_for_writing(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(path, "open for writing", errno);
  return descriptor;
}

// Whether another writer has the file. A lock of the open file description: it ends with the
// process, readers (and HDF5's own locks, which are of another kind) do not meet it. File systems
// without locks have no answer.
bool is_taken(int descriptor) {
  struct flock whole_file = {};
  whole_file.l_type = F_WRLCK;
  whole_file.l_whence = SEEK_SET;
  return fcntl(descriptor, F_OFD_SETLK, &whole_file) != 0 && (errno == EAGAIN || errno == EACCES);
}

struct stat status_of(int descriptor) {
  struct stat status = {};
  fstat(descriptor, &status);
  return status;
}

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(open_for_writing(path_)) {
  if (!is_taken(descriptor_)) return;
  close(descriptor_);
  throw FileError(path_.string() + ": another run is writing it");
}

OutputFile::~OutputFile() {
  // To the size that it has: the reserved space behind goes back. A failure leaves it reserved.
  [[maybe_unused]] const int result = ftruncate(descriptor_, status_of(descriptor_).st_size);
  close(descriptor_);
}

void OutputFile::clear() const {
  if (ftruncate(descriptor_, 0) != 0) fail(path_, "clear", errno);
}

void OutputFile::remove() const noexcept {
  struct stat found = {};
  const bool there = stat(path_.c_str(), &found) == 0;
  if (there && S_ISREG(found.st_mode) && is_same(found, status_of(descriptor_))) {
    unlink(path_.c_str());
  }
}

void OutputFile::demand_in_place() const {
  struct stat found = {};
  if (stat(path_.c_str(), &found) != 0) fail(path_, "open for writing", errno);
  if (!is_same(found, status_of(descriptor_))) {
    throw FileError(path_.string() + ": another file is in its place");
  }
}

void OutputFile::reserve(std::size_t bytes) const {
  demand_in_place();
  const off_t size = status_of(descriptor_).st_size;
  rlimit limit = {};
  getrlimit(RLIMIT_FSIZE, &limit);
  if (static_cast<rlim_t>(size) + bytes > limit.rlim_cur) fail(path_, "grow", EFBIG);
  // Asked for more than there is, some file systems take what they have before they say no.
  struct statvfs space = {};
  if (fstatvfs(descriptor_, &space) == 0 && bytes / space.f_frsize > space.f_bavail) {
    fail(path_, "grow", ENOSPC);
  }
  if (fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, size, static_cast<off_t>(bytes)) == 0) return;
  // A file system that cannot reserve has to be written to find out.
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) fail(path_, "grow", errno);
}

}  // namespace fem
