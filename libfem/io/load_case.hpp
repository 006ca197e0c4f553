// From the path that the user gave to a checked model.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "libfem/io/case_document.hpp"
#include "libfem/model/model.hpp"

namespace fem {

struct LoadedCase {
  CaseDocument document;
  Model model;
};

/// `settings` are those of --set (io/case_document). Throws InputError for a case that is wrong or
/// does not exist, FileError for one that is there but cannot be read.
[[nodiscard]] LoadedCase load_case(const std::filesystem::path& path,
                                   std::span<const std::string> settings = {});

/// Throws InputError where what a run takes beside the model is more memory than there is. The
/// same of the model itself is asked before it is made.
void demand_memory_to_run(const Model& model);

/// The model of a case's text; files that it names are relative to `folder`. Throws InputError.
[[nodiscard]] Model read_model(std::string_view text, const std::filesystem::path& folder);

}  // namespace fem
