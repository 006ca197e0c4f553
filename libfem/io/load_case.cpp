#include "libfem/io/load_case.hpp"

#include <system_error>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"
#include "libfem/io/case_reader.hpp"
#include "libfem/io/stored_state.hpp"

namespace fem {
namespace {

// A name that leads nowhere is wrong input, like any other name: say which one may be meant.
Problem describe_missing(const std::filesystem::path& path) {
  std::vector<std::string> cases;
  std::error_code ignored;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".json") cases.push_back(entry.path().filename().string());
  }
  const std::string nearest = nearest_name(path.filename().string(), cases);
  return {"", "there is no such file",
          nearest.empty() ? "give the path of a case file (JSON)"
                          : "did you mean '" + (path.parent_path() / nearest).string() + "'?"};
}

}  // namespace

LoadedCase load_case(const std::filesystem::path& path, std::span<const std::string> settings) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) && !ignored) throw InputError(describe_missing(path));
  CaseDocument document = load_case_document(path, settings);
  try {
    Model model = make_model(read_case(document));
    load_start_state(model, "");  // its path has the folder already
    return {std::move(document.text), std::move(model)};
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    locate(document, problems);
    throw InputError(std::move(problems));
  }
}

Model read_model(std::string_view text, const std::filesystem::path& folder) {
  Model model = make_model(read_case(text));
  load_start_state(model, folder);
  return model;
}

}  // namespace fem
