// A case as it stands in files and on the command line, put together before it is read:
//
//   include   files that a case builds on: they are merged first, in their order, then the case
//             itself. Merging is that of RFC 7396 (JSON Merge Patch): objects are merged key by
//             key, everything else is replaced, null removes.
//   --set     values that replace those at a JSON pointer
//
// Every value remembers where it was written, so that messages can name file, line and column.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/io/json_reader.hpp"

namespace fem {

struct CaseDocument {
  json::Tree tree{};
  std::vector<json::Source> sources{};
  std::vector<Problem> problems{};  ///< that did not stop the loading
  std::string text{};  ///< the file byte for byte; where it includes or --set changes: all of it
};

/// Loads a case file. `settings` are texts "/json/pointer=value" with a value in JSON, or else a
/// text. Throws InputError for what is wrong, FileError for a file that cannot be read.
[[nodiscard]] CaseDocument load_case_document(const std::filesystem::path& path,
                                              std::span<const std::string> settings = {});

/// Sets one value: "/json/pointer=value". What is missing on the way is made only where the format
/// has keys, not names of the case. Throws InputError.
void set_value(CaseDocument& document, const std::string& setting);

/// Fills in where problems with a pointer and no place are.
void locate(const CaseDocument& document, std::vector<Problem>& problems);

/// Calls a function, and lets the InputError that it throws say where in the case its problems are.
template <class Function>
auto with_places(const CaseDocument& document, const Function& function) {
  try {
    return function();
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    locate(document, problems);
    throw InputError(std::move(problems));
  }
}

}  // namespace fem
