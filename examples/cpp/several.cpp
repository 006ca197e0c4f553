// One case in several threads, each with a model of its own: how far a rod that falls on its hinge
// swings through, over its damping.
#include <cstdio>
#include <libfem/libfem.hpp>
#include <thread>
#include <vector>

namespace {

double swing(double viscosity) {
  fem::CaseDescription d;
  d.gravity = {0, -9.81};
  d.points = {{"O", {0, 0}}, {"A", {1, 0}}};
  d.bodies = {{.name = "base", .at = "O", .mass = 1, .inertia = 1},
              {.name = "bar", .at = "O", .mass = 1, .inertia = 1.0 / 3, .center = {0.5, 0}}};
  d.hinges = {{.name = "h", .at = "O", .members = {"base", "bar"}, .viscosity = viscosity}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true, .rod = "base"}};
  d.analysis.end = 1;
  fem::Simulation run(d);
  run.run();
  return run.hinge("h").angle;
}

}  // namespace

int main() {
  const std::vector<double> viscosities{0, 0.25, 0.5, 1};
  std::vector<double> angles(viscosities.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < viscosities.size(); ++i) {
    threads.emplace_back([&, i] { angles[i] = swing(viscosities[i]); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < viscosities.size(); ++i) {
    std::printf("%.2f N m s/rad: %8.5f rad after 1 s\n", viscosities[i], angles[i]);
  }
}
