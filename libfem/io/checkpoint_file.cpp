#include "libfem/io/checkpoint_file.hpp"

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <variant>

#include "libfem/base/archive.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/version.hpp"
#include "libfem/io/sha256.hpp"
#include "libfem/io/text_file.hpp"

namespace fem {
namespace {

constexpr std::string_view kOldMagic = "libfem checkpoint 1\n";  // of as many bytes
constexpr std::string_view kMagic = "libfem checkpoint 2\n";

// Bits are those of this program on this kind of machine.
std::string program() {
  return std::string(kVersion) + " (" + kBuildType + ", " + kArchitecture + ")";
}

void add_bytes(std::string& bytes, const std::vector<double>& numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
}

// A file that is made here and now: what stood there, a link to somewhere say, is not followed.
void write_new(const std::filesystem::path& path, const std::string& bytes) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  std::FILE* file = std::fopen(path.c_str(), "wbxe");
  const bool written =
      file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  int error = written ? 0 : errno;
  if (file != nullptr && std::fclose(file) != 0 && error == 0) error = errno;
  if (error == 0) return;
  if (file != nullptr) std::filesystem::remove(path, ignored);
  throw FileError(path.string() + ": cannot write: " + std::generic_category().message(error));
}

struct AddTables {
  std::string& bytes;
  void operator()(const TableLaw& law) const {
    add_bytes(bytes, law.times);
    add_bytes(bytes, law.values);
  }
  void operator()(const SumLaw& law) const {
    for (const SimpleLaw& term : law.terms) std::visit(*this, term);
  }
  template <class Other>
  void operator()(const Other&) const {}
};

}  // namespace

std::string calc_fingerprint(const std::string& case_text, const Model& model) {
  std::string bytes = case_text;
  add_bytes(bytes, model.start);
  for (const Law& law : model.laws) std::visit(AddTables{bytes}, law);
  return sha256(bytes);
}

std::filesystem::path checkpoint_path(const std::filesystem::path& results) {
  return results.string() + ".checkpoint";
}

std::string pack_checkpoint(const Checkpoint& checkpoint) {
  StateWriter out;
  Checkpoint kept = checkpoint;
  std::string written_by = program();
  out(written_by, kept.fingerprint, kept.recorded, kept.time, kept.state);
  const std::string bytes = out.take();
  return std::string(kMagic) + sha256(bytes) + '\n' + bytes;
}

Checkpoint unpack_checkpoint(std::string_view text, const std::filesystem::path& results,
                             const std::string& fingerprint) {
  const auto demand = [&](bool whole) {
    if (whole) return;
    throw FileError("'" + checkpoint_path(results).string() +
                    "' is no checkpoint of libfem, or is damaged");
  };
  constexpr std::size_t kHashSize = 64;
  const std::size_t head = kMagic.size() + kHashSize + 1;
  const std::string_view magic = text.substr(0, kMagic.size());
  demand(text.size() > head && (magic == kMagic || magic == kOldMagic));
  demand(sha256(text.substr(head)) + '\n' == text.substr(kMagic.size(), kHashSize + 1));
  if (magic == kOldMagic) {
    throw InputError(Problem{"--resume", "the checkpoint was made by an older fem",
                             "go on with the program that made it, or run the case anew"});
  }
  Checkpoint checkpoint;
  std::string written_by;
  try {
    StateReader in(text.substr(head));
    in(written_by);
    if (written_by != program()) {
      throw InputError(Problem{
          "--resume", "the checkpoint was made by fem " + written_by + ", this is " + program(),
          "go on with the same program, or run the case anew"});
    }
    in(checkpoint.fingerprint, checkpoint.recorded, checkpoint.time, checkpoint.state);
    in.finish();
  } catch (const ArchiveError&) {
    demand(false);
  }
  if (checkpoint.fingerprint != fingerprint) {
    throw InputError(Problem{"--resume",
                             "the results in '" + results.string() + "' are of another case",
                             "give the case that was run, with the same --set and the same files"});
  }
  return checkpoint;
}

void write_checkpoint(const std::filesystem::path& results, const Checkpoint& checkpoint) {
  const std::string bytes = pack_checkpoint(checkpoint);
  const std::filesystem::path path = checkpoint_path(results);
  const std::filesystem::path fresh = path.string() + ".new";
  write_new(fresh, bytes);
  std::error_code error;
  std::filesystem::rename(fresh, path, error);
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(fresh, ignored);
  throw FileError(path.string() + ": cannot write: " + error.message());
}

Checkpoint read_checkpoint(const std::filesystem::path& results, const std::string& fingerprint) {
  const std::filesystem::path path = checkpoint_path(results);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw FileError("there is no checkpoint '" + path.string() +
                    "': the run is complete, or was stopped before it had made one");
  }
  return unpack_checkpoint(load_text(path), results, fingerprint);
}

void remove_checkpoint(const std::filesystem::path& results) noexcept {
  std::error_code ignored;
  std::filesystem::remove(checkpoint_path(results), ignored);
}

}  // namespace fem
