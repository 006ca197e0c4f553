// Reads a case file (docs/case-format.md) into a CaseDescription.
//
// The reader answers for syntax and single values: keys, types, ranges, words. What needs two
// objects at once (names that lead nowhere, a rod that is not at its hinge) is model/model's.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "libfem/model/description.hpp"

namespace fem {

/// The case that the JSON text says; named objects keep the order of the file. The locale does not
/// matter. Throws InputError with every problem of the text; a syntax error comes alone, with
/// pointer "" and its line and column.
[[nodiscard]] CaseDescription read_case(std::string_view text);

/// The whole file, byte for byte. Throws FileError, which names the file.
[[nodiscard]] std::string load_text(const std::filesystem::path& path);

}  // namespace fem
