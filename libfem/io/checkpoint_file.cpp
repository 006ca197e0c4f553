#include "libfem/io/checkpoint_file.hpp"

#include <cerrno>
#include <fstream>
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

constexpr std::string_view kMagic = "libfem checkpoint 1\n";

// Bits are those of this program on this kind of machine.
std::string program() {
  return std::string(kVersion) + " (" + kBuildType + ", " + kArchitecture + ")";
}

void add_bytes(std::string& bytes, const std::vector<double>& numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
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

void write_checkpoint(const std::filesystem::path& results, const Checkpoint& checkpoint) {
  StateWriter out;
  Checkpoint kept = checkpoint;
  std::string written_by = program();
  out(written_by, kept.fingerprint, kept.recorded, kept.time, kept.state);
  const std::string bytes = out.take();
  const std::filesystem::path path = checkpoint_path(results);
  const std::filesystem::path fresh = path.string() + ".new";
  {
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << kMagic << sha256(bytes) << '\n' << bytes;
    file.close();
    if (!file) {
      throw FileError(fresh.string() + ": cannot write: " + std::generic_category().message(errno));
    }
  }
  std::error_code error;
  std::filesystem::rename(fresh, path, error);
  if (error) throw FileError(path.string() + ": cannot write: " + error.message());
}

Checkpoint read_checkpoint(const std::filesystem::path& results, const std::string& fingerprint) {
  const std::filesystem::path path = checkpoint_path(results);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw FileError("there is no checkpoint '" + path.string() +
                    "': the run is complete, or was stopped before it had made one");
  }
  const std::string text = load_text(path);
  constexpr std::size_t kHashSize = 64;
  const std::size_t head = kMagic.size() + kHashSize + 1;
  const bool known = text.size() > head && text.compare(0, kMagic.size(), kMagic) == 0;
  if (!known || sha256(text.substr(head)) != text.substr(kMagic.size(), kHashSize)) {
    throw FileError("'" + path.string() + "' is no checkpoint of libfem, or is damaged");
  }
  Checkpoint checkpoint;
  std::string written_by;
  StateReader in(std::string_view(text).substr(head));
  in(written_by);
  if (written_by != program()) {
    throw InputError(Problem{
        "--resume", "the checkpoint was made by fem " + written_by + ", this is " + program(),
        "go on with the same program, or run the case anew"});
  }
  in(checkpoint.fingerprint, checkpoint.recorded, checkpoint.time, checkpoint.state);
  in.finish();
  if (checkpoint.fingerprint != fingerprint) {
    throw InputError(Problem{"--resume",
                             "the results in '" + results.string() + "' are of another case",
                             "give the case that was run, with the same --set and the same files"});
  }
  return checkpoint;
}

void remove_checkpoint(const std::filesystem::path& results) noexcept {
  std::error_code ignored;
  std::filesystem::remove(checkpoint_path(results), ignored);
}

}  // namespace fem
