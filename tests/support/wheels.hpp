// Wheels on a fixed base: J φ̈ = moment of the hinge and of a load, with exact solutions.
#pragma once

#include <string>

#include "libfem/model/description.hpp"

namespace fem::test {

/// A wheel of inertia J on a base that stands still; hinge "h", φ = 0 at the start.
[[nodiscard]] inline CaseDescription wheel(double inertia = 1) {
  CaseDescription d;
  d.title = "wheel";
  d.points = {{"O", {0, 0}}};
  d.bodies = {{.name = "base", .at = "O", .mass = 1, .inertia = 1},
              {.name = "wheel", .at = "O", .mass = 1, .inertia = inertia}};
  d.hinges = {{.name = "h", .at = "O", .members = {"base", "wheel"}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true, .rod = "base"}};
  d.analysis = {.end = 2, .output_every = 0.1};
  return d;
}

/// The same under a moment on the wheel: a number or the name of a law.
[[nodiscard]] inline CaseDescription loaded_wheel(const LawReference& moment, double inertia = 1) {
  CaseDescription d = wheel(inertia);
  d.point_loads = {{.name = "motor", .at = "O", .moment = moment, .rod = "wheel"}};
  return d;
}

/// Two wheels side by side on the base, hinges "a" and "b", inertias 1 and 2.
[[nodiscard]] inline CaseDescription two_wheels() {
  CaseDescription d = wheel();
  d.bodies = {{.name = "base", .at = "O", .mass = 1, .inertia = 1},
              {.name = "first", .at = "O", .mass = 1, .inertia = 1},
              {.name = "second", .at = "O", .mass = 1, .inertia = 2}};
  d.hinges = {{.name = "a", .at = "O", .members = {"base", "first"}},
              {.name = "b", .at = "O", .members = {"base", "second"}}};
  return d;
}

}  // namespace fem::test
