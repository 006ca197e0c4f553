#include "libfem/model/initial_rates.hpp"

#include <array>
#include <cstddef>

namespace fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::array<double, 2> velocity(const Model& model, int node) {
  const int x = model.nodes[at(node)].x;
  return {model.initial_rates[at(x)], model.initial_rates[at(x) + 1]};
}

void set_velocity(Model& model, int node, const std::array<double, 3>& v) {
  const Node& n = model.nodes[at(node)];
  for (int axis = 0; axis < n.axes(); ++axis) model.initial_rates[at(n.x + axis)] = v[at(axis)];
}

// Rate at which the line between two nodes turns.
double turn_rate(const Model& model, int from, int to) {
  const double* p = &model.start[at(model.nodes[at(from)].x)];
  const double* q = &model.start[at(model.nodes[at(to)].x)];
  const auto v = velocity(model, from);
  const auto w = velocity(model, to);
  const double x = q[0] - p[0];
  const double y = q[1] - p[1];
  const double square = x * x + y * y;  // zero where a stored state has bent them together
  return square > 0 ? (x * (w[1] - v[1]) - y * (w[0] - v[0])) / square : 0.0;
}

void move_rigidly(Model& model, const Rod& rod) {
  const double rate = turn_rate(model, rod.nodes.front(), rod.nodes.back());
  const auto v = velocity(model, rod.nodes.front());
  const auto w = velocity(model, rod.nodes.back());
  for (int n = 1; n < rod.elements(); ++n) {
    const double part = static_cast<double>(n) / rod.elements();
    set_velocity(model, rod.nodes[at(n)],
                 {v[0] + part * (w[0] - v[0]), v[1] + part * (w[1] - v[1]), 0.0});
  }
  for (int e = 0; e < rod.elements(); ++e) {
    const auto& c = model.elements[at(rod.first_element + e)].coordinate;
    model.initial_rates[at(c[2])] = model.initial_rates[at(c[3])] = rate;
  }
}

}  // namespace

void set_initial_rates(Model& model) {
  model.initial_rates.assign(model.initial.size(), 0.0);
  for (const auto& [node, v] : model.given_velocities) set_velocity(model, node, v);
  for (const Rod& rod : model.rods) move_rigidly(model, rod);
  for (const Body& body : model.bodies) {
    if (body.stands && !body.carries.empty()) {
      model.initial_rates[at(body.angle)] = turn_rate(model, body.node, body.carries.front());
    }
  }
  for (const auto& [body, rate] : model.given_rates)
    model.initial_rates[at(model.bodies[at(body)].angle)] = rate;
}

}  // namespace fem
