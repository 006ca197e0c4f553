// Files that may not grow: as on a full disk, for a while.
#pragma once

#include <csignal>
#include <cstdint>
#include <sys/resource.h>

namespace fem::test {

/// No write of this process reaches beyond so many bytes of a file. What was not written says
/// "File too large".
class SizeLimit {
 public:
  explicit SizeLimit(std::uintmax_t size) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{size, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

}  // namespace fem::test
