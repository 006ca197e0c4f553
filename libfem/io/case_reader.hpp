// Reads a case (docs/case-format.md) into a CaseDescription.
//
// The reader answers for syntax and single values: keys, types, ranges, words. What needs two
// objects at once (names that lead nowhere, a rod that is not at its hinge) is model/model's.
#pragma once

#include <string>
#include <string_view>

#include "libfem/io/case_document.hpp"
#include "libfem/io/text_file.hpp"
#include "libfem/model/description.hpp"

namespace fem {

/// The case that the JSON text says; named objects keep the order of the file. The locale does not
/// matter. Throws InputError with every problem of the text; a syntax error comes alone, with
/// pointer "" and its line and column.
[[nodiscard]] CaseDescription read_case(std::string_view text);

/// The same of a case that was put together from files (load_case_document); problems have the
/// places in them.
[[nodiscard]] CaseDescription read_case(const CaseDocument& document);

/// The JSON Schema (2020-12) of a case: what the reader takes, as far as a schema can say it.
[[nodiscard]] std::string case_schema();

}  // namespace fem
