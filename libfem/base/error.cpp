#include "libfem/base/error.hpp"

#include "libfem/base/names.hpp"

namespace fem {

std::string describe(const Problem& problem) {
  const bool of_a_file = problem.pointer.empty() && !problem.place.empty();
  std::string text;
  for (const std::string& part : {problem.place, of_a_file ? "(the file)" : problem.pointer}) {
    if (!part.empty()) text += part + ": ";
  }
  return show_control_characters(text + problem.what + "; " + problem.remedy);
}

const char* describe(Status status) noexcept {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::not_finite:
      return "a value is not finite";
    case Status::singular_mass:
      return "the projected mass matrix is not positive definite (an unknown carries no mass)";
    case Status::no_convergence:
      return "the iteration of a step does not converge";
    case Status::step_too_small:
      return "the error control asks for a step below the smallest one allowed";
    case Status::points_meet:
      return "the ends of a spring meet, and its force has no direction there";
    case Status::singular_pose:
      return "no step passes a singular pose of the constraints: the motion is not smooth there, "
             "or "
             "the tolerances are finer than rounding allows";
    case Status::constraints_apart:
      return "no position of the coordinates that the constraints determine satisfies them";
  }
  return "unknown";
}

void contract_broken(const char* condition, const char* file, int line) {
  throw std::logic_error(std::string(file) + ":" + std::to_string(line) +
                         ": broken contract: " + condition);
}

}  // namespace fem
