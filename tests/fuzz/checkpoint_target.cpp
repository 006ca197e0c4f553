#include <cstddef>
#include <string>

#include "libfem/base/error.hpp"
#include "libfem/io/checkpoint_file.hpp"
#include "libfem/io/sha256.hpp"
#include "tests/fuzz/targets.hpp"

namespace fem::fuzz {
namespace {

constexpr std::string_view kFingerprint = "of the case";

void unpack(std::string_view text) {
  try {
    const Checkpoint checkpoint = unpack_checkpoint(text, "out.h5", std::string(kFingerprint));
    FEM_DEMAND(checkpoint.fingerprint == kFingerprint);
    const std::string again = pack_checkpoint(checkpoint);
    FEM_DEMAND(pack_checkpoint(unpack_checkpoint(again, "", checkpoint.fingerprint)) == again);
  } catch (const FileError&) {
  } catch (const InputError&) {
  }
}

// The bytes behind a checksum that is theirs, and behind the name of this program.
void unpack_behind_checksum(std::string_view bytes) {
  const std::string good = pack_checkpoint({.fingerprint = std::string(kFingerprint), .state = ""});
  constexpr std::size_t kHash = 64;
  const std::size_t first_line = good.find('\n') + 1;
  const std::size_t written_by = good.find(')', first_line + kHash) + 1;
  const std::string content =
      good.substr(first_line + kHash + 1, written_by - first_line - kHash - 1) + std::string(bytes);
  unpack(good.substr(0, first_line) + sha256(content) + "\n" + content);
}

}  // namespace

void read_checkpoint_file(std::string_view bytes) {
  unpack(bytes);
  unpack_behind_checksum(bytes);
}

}  // namespace fem::fuzz
