#include "libfem/analysis/not_finite.hpp"

#include <cmath>
#include <cstddef>
#include <span>

namespace fem {
namespace {

// Looks at one quantity after another and keeps the first that is no number.
class Search {
 public:
  void look(double value, const char* quantity, const char* kind, const std::string& name) {
    if (std::isfinite(value) || !found_.empty()) return;
    found_ = std::string("the ") + quantity + kind + (name.empty() ? "" : "'" + name + "'");
  }

  // Of a rod, `each` values an element.
  void look(std::span<const double> values, std::size_t each, const char* quantity,
            const std::string& rod) {
    if (!found_.empty()) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isfinite(values[i])) continue;
      found_ = std::string("the ") + quantity + " of rod '" + rod + "', element " +
               std::to_string(i / each + 1);
      return;
    }
  }

  // Of points, X, Y and Z of each.
  void look(std::span<const double> values, const char* quantity, const std::vector<Node>& nodes) {
    if (!found_.empty()) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isfinite(values[i])) continue;
      found_ = std::string("the ") + quantity + " of '" + nodes[i / 3].name + "'";
      return;
    }
  }

  [[nodiscard]] const std::string& found() const { return found_; }

 private:
  std::string found_;
};

void look_at_objects(const Snapshot& s, const Model& model, Search& search) {
  for (std::size_t i = 0; i < s.rods.size(); ++i) {
    const RodSnapshot& rod = s.rods[i];
    const std::string& name = model.rods[i].name;
    search.look(rod.angle, 2, "angle", name);
    search.look(rod.axial_force, 1, "axial force", name);
    search.look(rod.shear_force, 1, "shear force", name);
    search.look(rod.bending_moment, 2, "bending moment", name);
  }
  for (std::size_t i = 0; i < s.hinges.size(); ++i) {
    search.look(s.hinges[i].moment, "moment", " of hinge ", model.hinges[i].name);
    search.look(s.hinges[i].drive_moment, "drive moment", " of hinge ", model.hinges[i].name);
  }
  for (std::size_t i = 0; i < s.supports.size(); ++i) {
    const SupportSnapshot& support = s.supports[i];
    const double force = support.force_x + support.force_y + support.force_z;
    search.look(force, "force", " of support ", model.supports[i].name);
    search.look(support.moment, "moment", " of support ", model.supports[i].name);
  }
  for (std::size_t i = 0; i < s.constraints.size(); ++i) {
    search.look(s.constraints[i].multiplier, "multiplier", " of constraint ",
                model.constraints[i].name);
  }
  for (std::size_t i = 0; i < s.springs.size(); ++i) {
    search.look(s.springs[i].force, "force", " of spring ", model.springs[i].name);
  }
  for (std::size_t i = 0; i < s.hereditary.size(); ++i) {
    search.look(s.hereditary[i].force, "force", " of hereditary element ",
                model.hereditary[i].name);
  }
}

void look_at_sums(const Snapshot& s, Search& search) {
  const EnergySnapshot& e = s.energy;
  search.look(e.kinetic, "kinetic energy", "", "");
  search.look(e.strain, "strain energy of the rods", "", "");
  search.look(e.springs, "potential of springs and hinges", "", "");
  search.look(e.hereditary, "energy stored in hereditary elements", "", "");
  search.look(e.gravity, "potential of gravity", "", "");
  search.look(e.external_work, "work of loads", "", "");
  search.look(e.rheonomic_work, "work of prescribed laws", "", "");
  search.look(e.dissipated, "dissipated energy", "", "");
  search.look(e.balance, "balance of the energy", "", "");
  const MomentumSnapshot& m = s.momentum;
  search.look(m.center_x + m.center_y + m.center_z, "centre of mass", "", "");
  search.look(m.linear_x + m.linear_y + m.linear_z, "momentum", "", "");
  search.look(m.angular, "angular momentum", "", "");
  search.look(s.rheonomic.extended_energy, "extended energy", "", "");
}

}  // namespace

std::string find_not_finite(const Snapshot& snapshot, const Model& model) {
  Search search;
  search.look(snapshot.position, "position", model.nodes);
  search.look(snapshot.velocity, "velocity", model.nodes);
  search.look(snapshot.acceleration, "acceleration", model.nodes);
  look_at_objects(snapshot, model, search);
  look_at_sums(snapshot, search);
  return search.found();
}

}  // namespace fem
