#include <algorithm>

#include "libfem/base/error.hpp"
#include "libfem/io/case_reader.hpp"
#include "libfem/model/model.hpp"
#include "tests/fuzz/targets.hpp"

namespace fem::fuzz {
namespace {

constexpr int kFewElements = 100;

// Whether a model of it takes no time: few elements, and no kernel to be fitted.
bool is_cheap(const CaseDescription& d) {
  const auto remembers = [](const auto& object) { return object.hereditary.has_value(); };
  const auto is_long = [](const RodDescription& rod) { return rod.elements > kFewElements; };
  return d.hereditary.empty() && d.rods.size() <= kFewElements &&
         std::none_of(d.sections.begin(), d.sections.end(), remembers) &&
         std::none_of(d.hinges.begin(), d.hinges.end(), remembers) &&
         std::none_of(d.rods.begin(), d.rods.end(), is_long);
}

}  // namespace

void read_case_text(std::string_view bytes) {
  try {
    const CaseDescription description = read_case(bytes);
    if (is_cheap(description)) static_cast<void>(make_model(description));
  } catch (const InputError& error) {
    FEM_DEMAND(!error.problems().empty());
    for (const Problem& p : error.problems()) FEM_DEMAND(!p.what.empty() && !p.remedy.empty());
  }
}

}  // namespace fem::fuzz
