// Three flexible rods, folded on one another, are unfolded by prescribed angles (Danilin 2016).
#include <cstdio>
#include <libfem/libfem.hpp>
#include <numbers>

int main() {
  constexpr double pi = std::numbers::pi;
  fem::CaseDescription boom;
  boom.title = "Three-rod deployment";
  boom.sections = {{.name = "bar",
                    .axial_stiffness = 7.2e6,           // N
                    .bending_stiffness = 60,            // N m²
                    .shear_stiffness = 2.8e6,           // N
                    .mass_per_length = 0.28,            // kg/m
                    .inertia_per_length = 2.3333e-6}};  // kg m
  boom.points = {{"O", {0, 0}}, {"A", {2, 0}}, {"B", {0, 0}}, {"C", {2, 0}}};
  boom.rods = {{.name = "rod1", .section = "bar", .from = "O", .to = "A", .elements = 2},
               {.name = "rod2", .section = "bar", .from = "A", .to = "B", .elements = 2},
               {.name = "rod3", .section = "bar", .from = "B", .to = "C", .elements = 2}};
  boom.laws = {{"root", fem::SmoothLaw{{5, 15}, {0, pi / 2}}},
               {"first", fem::SmoothLaw{{0, 5}, {0, -pi}}},
               {"second", fem::SmoothLaw{{5, 10}, {0, -pi}}}};
  boom.hinges = {{.name = "h1", .at = "A", .members = {"rod1", "rod2"}, .drive = "first"},
                 {.name = "h2", .at = "B", .members = {"rod2", "rod3"}, .drive = "second"}};
  boom.supports = {{.point = "O", .fix_x = true, .fix_y = true, .angle = "root"}};
  boom.analysis.end = 15;  // s

  fem::Simulation run(boom);
  for (double t = 0; t <= run.end(); t += 2.5) {
    run.advance_to(t);
    const auto [x, y] = run.position("C");
    std::printf("t = %4.1f s: tip at (%7.4f, %7.4f) m, drive of h1 %8.4f N m, balance %.1e J\n", t,
                x, y, run.hinge("h1").drive_moment, run.energy().balance);
  }
}
