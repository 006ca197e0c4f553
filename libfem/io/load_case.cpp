#include "libfem/io/load_case.hpp"

#include <system_error>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/io/case_reader.hpp"
#include "libfem/io/stored_state.hpp"
#include "libfem/io/text_file.hpp"

namespace fem {
namespace {

// A name that leads nowhere is wrong input, like any other name: say which one may be meant.
Problem describe_missing(std::filesystem::path path) {
  if (!path.has_extension()) path.replace_extension(".json");
  const std::string nearest = nearest_file(path);
  return {
      "", "there is no such file",
      nearest.empty() ? "give the path of a case file (JSON)" : "did you mean '" + nearest + "'?"};
}

}  // namespace

LoadedCase load_case(const std::filesystem::path& path, std::span<const std::string> settings) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) && !ignored) throw InputError(describe_missing(path));
  CaseDocument document = load_case_document(path, settings);
  Model model;
  with_places(document, [&] {
    model = make_model(read_case(document));
    load_start_state(model, "");  // its path has the folder already
  });
  return {std::move(document), std::move(model)};
}

Model read_model(std::string_view text, const std::filesystem::path& folder) {
  Model model = make_model(read_case(text));
  load_start_state(model, folder);
  return model;
}

}  // namespace fem
