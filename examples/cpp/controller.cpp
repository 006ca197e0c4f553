// A motor in a hinge, turned by a controller that samples angle and rate every 5 ms, opens an arm
// by a right angle. Errors are caught and told.
#include <cmath>
#include <cstdio>
#include <libfem/libfem.hpp>
#include <numbers>

namespace {

fem::CaseDescription describe_arm() {
  fem::CaseDescription arm;
  arm.sections = {{.name = "tube",
                   .axial_stiffness = 4e6,
                   .bending_stiffness = 500,
                   .shear_stiffness = 1e6,
                   .mass_per_length = 0.5,
                   .inertia_per_length = 1e-4,
                   .stiffness_damping = 1e-5}};
  arm.points = {{"O", {0, 0}}, {"A", {1, 0}}};
  arm.rods = {{.name = "arm", .section = "tube", .from = "O", .to = "A", .elements = 2}};
  arm.bodies = {{.name = "base", .at = "O", .mass = 1, .inertia = 1}};
  arm.hinges = {{.name = "shoulder", .at = "O", .members = {"base", "arm"}}};
  arm.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true, .rod = "base"}};
  arm.laws = {{"motor", fem::ConstantLaw{0}}};
  arm.point_loads = {{.name = "motor", .at = "O", .moment = "motor", .rod = "arm"}};
  arm.analysis.end = 4;
  return arm;
}

}  // namespace

int main() {
  constexpr double kPeriod = 0.005, kTarget = std::numbers::pi / 2;
  try {
    fem::Simulation run(describe_arm());
    fem::LawHandle motor = run.law("motor");
    for (int i = 1; i * kPeriod < run.end(); ++i) {
      const fem::HingeSnapshot& shoulder = run.hinge("shoulder");
      motor.set_value(0.7 * (kTarget - shoulder.angle) - 0.6 * shoulder.rate);
      run.advance_to(i * kPeriod);
    }
    const double error = run.hinge("shoulder").angle - kTarget;
    std::printf("after %.3f s the arm is %.2e rad from its target, balance %.1e J\n", run.time(),
                error, run.energy().balance);
    return std::abs(error) < 0.01 ? 0 : 1;
  } catch (const fem::InputError& error) {
    std::fprintf(stderr, "%s", error.what());
  } catch (const fem::SolverError& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 2;
}
