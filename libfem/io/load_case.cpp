#include "libfem/io/load_case.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <system_error>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/base/memory.hpp"
#include "libfem/base/names.hpp"
#include "libfem/io/case_reader.hpp"
#include "libfem/io/stored_state.hpp"
#include "libfem/io/text_file.hpp"

namespace fem {
namespace {

// What an element takes, measured: in the model and its equations; and in a run beside the model,
// with the rows that wait to be written.
constexpr std::size_t kModelBytes = 1500;
constexpr std::size_t kRunBytes = 3500;

void demand_memory(std::size_t elements, std::size_t bytes_each, const std::string& pointer) {
  constexpr double kGigabyte = 1e9;
  const double needed = static_cast<double>(elements) * static_cast<double>(bytes_each);
  const auto free = static_cast<double>(calc_available_memory());
  if (needed <= free) return;
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "the model has %zu elements, which need about %.3g GB of memory; %.3g GB are free",
                elements, needed / kGigabyte, free / kGigabyte);
  throw InputError(Problem{pointer, text.data(),
                           "give fewer elements, or a machine or a limit with more memory"});
}

void demand_memory(const CaseDescription& description) {
  const auto fewer = [](const RodDescription& a, const RodDescription& b) {
    return a.elements < b.elements;
  };
  const auto& rods = description.rods;
  const auto most = std::max_element(rods.begin(), rods.end(), fewer);
  if (most == rods.end()) return;
  std::size_t elements = 0;
  for (const RodDescription& rod : rods) elements += static_cast<std::size_t>(rod.elements);
  demand_memory(elements, kModelBytes, join_pointer(join_pointer("/rods", most->name), "elements"));
}

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
    const CaseDescription description = read_case(document);
    demand_memory(description);
    model = make_model(description);
    load_start_state(model, "");  // its path has the folder already
  });
  return {std::move(document), std::move(model)};
}

void demand_memory_to_run(const Model& model) {
  demand_memory(model.elements.size(), kRunBytes, "/rods");
}

Model read_model(std::string_view text, const std::filesystem::path& folder) {
  const CaseDescription description = read_case(text);
  demand_memory(description);
  Model model = make_model(description);
  load_start_state(model, folder);
  return model;
}

}  // namespace fem
