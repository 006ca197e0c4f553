#include "libfem/io/result_columns.hpp"

#include <array>
#include <functional>
#include <numeric>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

// Stands in a shape for the number of points, or of the rod's elements.
constexpr std::size_t kEach = static_cast<std::size_t>(-1);

/// One line of a table: a quantity of Part.
template <class Part>
struct Quantity {
  const char* name;
  std::array<std::size_t, 2> shape;  // of a row; zeros are absent dimensions
  const char* unit;
  const char* meaning;
  void (*take)(const Part&, std::vector<double>&);  // appends the values of a row
};

void put(double value, std::vector<double>& row) { row.push_back(value); }

void put(const std::vector<double>& values, std::vector<double>& row) {
  row.insert(row.end(), values.begin(), values.end());
}

// The values of members of Part, one after the other.
template <class Part, auto... members>
void take(const Part& part, std::vector<double>& row) {
  (put(part.*members, row), ...);
}

// clang-format off
using Rod = RodSnapshot;
constexpr Quantity<Rod> kRod[] = {
    {"angle", {kEach, 2}, "rad", "angle of the section at both ends of each element, from X",
     take<Rod, &Rod::angle>},
    {"axial_force", {kEach}, "N", "axial force of each element, tension positive",
     take<Rod, &Rod::axial_force>},
    {"shear_force", {kEach}, "N", "shear force of each element, slope of the bending moment",
     take<Rod, &Rod::shear_force>},
    {"bending_moment", {kEach, 2}, "N m",
     "bending moment at both ends of each element, positive where it turns counter-clockwise",
     take<Rod, &Rod::bending_moment>},
    {"axial_strain", {kEach}, "1", "axial strain of each element, extension positive",
     take<Rod, &Rod::axial_strain>},
};

using Hinge = HingeSnapshot;
constexpr Quantity<Hinge> kHinge[] = {
    {"angle", {}, "rad", "angle of the second member minus angle of the first, over all turns",
     take<Hinge, &Hinge::angle>},
    {"rate", {}, "rad/s", "rate of the angle", take<Hinge, &Hinge::rate>},
    {"moment", {}, "N m", "moment that the hinge transmits to the second member",
     take<Hinge, &Hinge::moment>},
    {"drive_moment", {}, "N m",
     "moment of the drive on the second member, multiplier of the prescribed angle",
     take<Hinge, &Hinge::drive_moment>},
    {"state", {}, "1",
     "0 free, 1 held, 2 latched, 3 jammed, 4 rests on its lower stop, 5 on its upper stop",
     take<Hinge, &Hinge::state>},
};

using Support = SupportSnapshot;
constexpr Quantity<Support> kSupport[] = {
    {"force", {2}, "N", "force of the support on the structure, X and Y",
     take<Support, &Support::force_x, &Support::force_y>},
    {"force_z", {}, "N", "force of the support on a point in space, Z",
     take<Support, &Support::force_z>},
    {"moment", {}, "N m", "moment of the support on the structure",
     take<Support, &Support::moment>},
};

using Relation = ConstraintSnapshot;
constexpr Quantity<Relation> kConstraint[] = {
    {"multiplier", {}, "N or N m", "force or moment of the constraint, by its function's unit",
     take<Relation, &Relation::multiplier>},
    {"violation", {}, "m or rad", "what the constraint's function is off by; of rates, a second",
     take<Relation, &Relation::violation>},
};

using Body = BodySnapshot;
constexpr Quantity<Body> kBody[] = {
    {"angle", {}, "rad", "angle of the body's axes from X, over all turns",
     take<Body, &Body::angle>},
    {"rate", {}, "rad/s", "rate of the angle", take<Body, &Body::rate>},
    {"center", {2}, "m", "centre of mass, X and Y", take<Body, &Body::center_x, &Body::center_y>},
};

using Spring = SpringSnapshot;
constexpr Quantity<Spring> kSpring[] = {
    {"length", {}, "m", "distance of the spring's points", take<Spring, &Spring::length>},
    {"rate", {}, "m/s", "rate of the length", take<Spring, &Spring::rate>},
    {"force", {}, "N", "force of spring and damper, tension positive",
     take<Spring, &Spring::force>},
};

using Hereditary = HereditarySnapshot;
constexpr Quantity<Hereditary> kHereditary[] = {
    {"deformation", {}, "m or rad", "deformation: length or angle, less the natural one and the "
     "rheonomic one", take<Hereditary, &Hereditary::deformation>},
    {"force", {}, "N or N m", "force, tension positive; in a hinge the moment that resists",
     take<Hereditary, &Hereditary::force>},
    {"instantaneous_force", {}, "N or N m", "instantaneous stiffness times deformation",
     take<Hereditary, &Hereditary::instantaneous_force>},
    {"memory_force", {}, "N or N m", "force - instantaneous_force: what the past takes away",
     take<Hereditary, &Hereditary::memory_force>},
    {"stored", {}, "J", "stored energy", take<Hereditary, &Hereditary::stored>},
    {"dissipated", {}, "J", "energy dissipated since the start",
     take<Hereditary, &Hereditary::dissipated>},
    {"dissipated_power", {}, "W", "dissipated power, never negative",
     take<Hereditary, &Hereditary::dissipated_power>},
    {"rheonomic_reaction", {}, "N or N m",
     "reaction conjugate to the rheonomic length or angle, -force",
     take<Hereditary, &Hereditary::rheonomic_reaction>},
    {"rheonomic_power", {}, "W", "power of the rheonomic length or angle",
     take<Hereditary, &Hereditary::rheonomic_power>},
};

using Load = LoadSnapshot;
constexpr Quantity<Load> kLoad[] = {
    {"force", {2}, "N", "force on the structure, X and Y; of a load along a rod its resultant",
     take<Load, &Load::force_x, &Load::force_y>},
    {"force_z", {}, "N", "force on a point in space, Z", take<Load, &Load::force_z>},
    {"moment", {}, "N m", "moment on the structure; along a rod the sum of the moments alone",
     take<Load, &Load::moment>},
};

using LawRow = LawSnapshot;
constexpr Quantity<LawRow> kLaw[] = {
    {"value", {}, "m or rad", "value of the law", take<LawRow, &LawRow::value>},
    {"rate", {}, "m/s or rad/s", "its rate", take<LawRow, &LawRow::rate>},
    {"reaction", {}, "N or N m", "rheonomic reaction R0, conjugate to the value",
     take<LawRow, &LawRow::reaction>},
    {"power", {}, "W", "reaction times rate: what the law supplies",
     take<LawRow, &LawRow::power>},
    {"work", {}, "J", "work of the law since the start, jumps included",
     take<LawRow, &LawRow::work>},
    {"potential", {}, "J", "rheonomic potential, -work", take<LawRow, &LawRow::potential>},
};

using FrameRow = FrameSnapshot;
constexpr Quantity<FrameRow> kFrame[] = {
    {"origin", {3}, "m", "place of the moving frame's pole in the inertial axes, X, Y, Z",
     take<FrameRow, &FrameRow::origin_x, &FrameRow::origin_y, &FrameRow::origin_z>},
    {"angle", {}, "rad", "angle of the moving frame's axes", take<FrameRow, &FrameRow::angle>},
    {"rate", {}, "rad/s", "rate of the angle", take<FrameRow, &FrameRow::rate>},
};

using Rheonomic = RheonomicSnapshot;
constexpr Quantity<Rheonomic> kRheonomic[] = {
    {"relative_kinetic", {}, "J", "kinetic energy of the motion that is seen in the frame",
     take<Rheonomic, &Rheonomic::relative_kinetic>},
    {"relative_potential", {}, "J",
     "potential in the frame: strain, springs, hereditary, gravity (zero at its pole), pole's "
     "acceleration, centrifugal",
     take<Rheonomic, &Rheonomic::relative_potential>},
    {"hamiltonian", {}, "J", "relative_kinetic + relative_potential",
     take<Rheonomic, &Rheonomic::hamiltonian>},
    {"rheonomic_potential", {}, "J", "less the work of prescribed motions in the frame",
     take<Rheonomic, &Rheonomic::rheonomic_potential>},
    {"frame_work", {}, "J", "work by changes of the frame's motion",
     take<Rheonomic, &Rheonomic::frame_work>},
    {"extended_energy", {}, "J",
     "hamiltonian + rheonomic_potential - frame_work: constant without loads and dissipation",
     take<Rheonomic, &Rheonomic::extended_energy>},
};

using Momentum = MomentumSnapshot;
constexpr Quantity<Momentum> kMomentum[] = {
    {"center", {2}, "m", "centre of all masses, X and Y",
     take<Momentum, &Momentum::center_x, &Momentum::center_y>},
    {"center_z", {}, "m", "centre of all masses, Z", take<Momentum, &Momentum::center_z>},
    {"linear", {2}, "kg m/s", "momentum of all masses, X and Y",
     take<Momentum, &Momentum::linear_x, &Momentum::linear_y>},
    {"linear_z", {}, "kg m/s", "momentum of all masses, Z", take<Momentum, &Momentum::linear_z>},
    {"angular", {}, "kg m^2/s", "angular momentum of all masses about the Z axis",
     take<Momentum, &Momentum::angular>},
};

using Energy = EnergySnapshot;
constexpr Quantity<Energy> kEnergy[] = {
    {"kinetic", {}, "J", "kinetic energy", take<Energy, &Energy::kinetic>},
    {"strain", {}, "J", "strain energy of the rods", take<Energy, &Energy::strain>},
    {"springs", {}, "J", "potential energy of springs and hinges",
     take<Energy, &Energy::springs>},
    {"hereditary", {}, "J", "energy stored in hereditary elements",
     take<Energy, &Energy::hereditary>},
    {"gravity", {}, "J", "potential of gravity, zero at the start",
     take<Energy, &Energy::gravity>},
    {"external_work", {}, "J", "work of the loads since the start",
     take<Energy, &Energy::external_work>},
    {"rheonomic_work", {}, "J", "work of the prescribed laws since the start, jumps included",
     take<Energy, &Energy::rheonomic_work>},
    {"dissipated", {}, "J", "energy dissipated since the start", take<Energy, &Energy::dissipated>},
    {"balance", {}, "J",
     "what does not close: the five energies - their initial sum - works + dissipated",
     take<Energy, &Energy::balance>},
};

using Solver = SolverSnapshot;
constexpr Quantity<Solver> kSolver[] = {
    {"step", {}, "s", "last accepted step", take<Solver, &Solver::step>},
    {"iterations", {}, "1", "mean evaluations of the accelerations a step since the last row",
     take<Solver, &Solver::iterations>},
    {"local_error", {}, "1", "largest local error since the last row, in the integrator's norm",
     take<Solver, &Solver::local_error>},
};

using Statics = StaticsSnapshot;
constexpr Quantity<Statics> kStatics[] = {
    {"step", {}, "1", "step to this point, of the load factor or of the arc length",
     take<Statics, &Statics::step>},
    {"iterations", {}, "1", "iterations of Newton's method", take<Statics, &Statics::iterations>},
    {"unstable_directions", {}, "1",
     "independent directions in which the equilibrium is unstable; -1: not judged",
     take<Statics, &Statics::unstable_directions>},
};

constexpr Quantity<Snapshot> kPoints[] = {
    {"position", {kEach, 3}, "m", "X, Y, Z of each point", take<Snapshot, &Snapshot::position>},
    {"velocity", {kEach, 3}, "m/s", "velocity of each point", take<Snapshot, &Snapshot::velocity>},
    {"acceleration", {kEach, 3}, "m/s^2", "acceleration of each point",
     take<Snapshot, &Snapshot::acceleration>},
};

constexpr Quantity<Snapshot> kSolverTime[] = {
    {"t", {}, "s", "time, as in /time", take<Snapshot, &Snapshot::time>},
};

constexpr Quantity<Snapshot> kSolverLoad[] = {
    {"t", {}, "1", "load factor, as in /time", take<Snapshot, &Snapshot::time>},
};

constexpr Quantity<Snapshot> kSolverWhole[] = {
    {"position_violation", {}, "m or rad", "largest violation of a constraint",
     take<Snapshot, &Snapshot::position_violation>},
    {"velocity_violation", {}, "m/s or rad/s", "largest violation of a constraint's rate",
     take<Snapshot, &Snapshot::velocity_violation>},
};

constexpr Quantity<Snapshot> kTime[] = {
    {"time", {}, "s", "time of each row; its length is the number of complete rows",
     take<Snapshot, &Snapshot::time>},
};

constexpr Quantity<Snapshot> kLoadFactor[] = {
    {"time", {}, "1", "load factor of each row; its length is the number of complete rows",
     take<Snapshot, &Snapshot::time>},
};
// clang-format on

template <class Part, std::size_t n>
void add_columns(std::vector<Column>& columns, const Quantity<Part> (&table)[n],
                 const std::string& group, std::size_t each = 1) {
  FEM_DEMAND(each > 0);
  for (const Quantity<Part>& quantity : table) {
    std::vector<std::size_t> row;
    for (const std::size_t dim : quantity.shape) {
      if (dim != 0) row.push_back(dim == kEach ? each : dim);
    }
    columns.push_back({group + "/" + quantity.name, row, quantity.unit, quantity.meaning, {}});
  }
}

/// Walks over the columns in their order and gives each its row.
class RowWriter {
 public:
  explicit RowWriter(std::vector<Column>& columns)
      : next_(columns.begin()), end_(columns.end()), rows_(columns.back().waiting.size() + 1) {}

  template <class Part, std::size_t n>
  void add(const Part& part, const Quantity<Part> (&table)[n]) {
    for (const Quantity<Part>& quantity : table) {
      FEM_DEMAND(next_ != end_);
      quantity.take(part, next_->waiting);
      FEM_DEMAND(next_->waiting.size() == rows_ * row_size(*next_));
      ++next_;
    }
  }

  template <class Part, std::size_t n>
  void add(const std::vector<Part>& parts, const Quantity<Part> (&table)[n]) {
    for (const Part& part : parts) add(part, table);
  }

  void finish() const { FEM_DEMAND(next_ == end_); }

 private:
  std::vector<Column>::iterator next_;
  std::vector<Column>::iterator end_;
  std::size_t rows_;  // in every column with this one; /time, the last, counts them
};

}  // namespace

std::string part_path(const std::string& family, const std::string& name) {
  FEM_DEMAND(!name.empty() && name != "." && name.find('/') == std::string::npos);
  return family + "/" + name;
}

std::vector<Column> make_columns(const ResultLayout& layout) {
  std::vector<Column> columns;
  for (const ResultLayout::Rod& rod : layout.rods) {
    FEM_DEMAND(rod.nodes.size() >= 2);
    add_columns(columns, kRod, part_path("/rods", rod.name), rod.nodes.size() - 1);
  }
  for (const std::string& hinge : layout.hinges) {
    add_columns(columns, kHinge, part_path("/hinges", hinge));
  }
  for (const std::string& support : layout.supports) {
    add_columns(columns, kSupport, part_path("/supports", support));
  }
  for (const std::string& constraint : layout.constraints) {
    add_columns(columns, kConstraint, part_path("/constraints", constraint));
  }
  for (const ResultLayout::Body& body : layout.bodies) {
    add_columns(columns, kBody, part_path("/bodies", body.name));
  }
  for (const ResultLayout::Spring& spring : layout.springs) {
    add_columns(columns, kSpring, part_path("/springs", spring.name));
  }
  for (const std::string& element : layout.hereditary) {
    add_columns(columns, kHereditary, part_path("/hereditary", element));
  }
  for (const std::string& load : layout.loads) {
    add_columns(columns, kLoad, part_path("/loads", load));
  }
  if (layout.analysis == Analysis::dynamics) {
    for (const std::string& law : layout.laws) {
      add_columns(columns, kLaw, part_path("/laws", law));
    }
    if (layout.moves) add_columns(columns, kFrame, "/frame");
    add_columns(columns, kRheonomic, "/rheonomic");
  }
  add_columns(columns, kMomentum, "/momentum");
  add_columns(columns, kEnergy, "/energy");
  if (layout.analysis == Analysis::dynamics) add_columns(columns, kSolver, "/solver");
  if (layout.analysis == Analysis::statics) add_columns(columns, kStatics, "/solver");
  add_columns(columns, kPoints, "/points", layout.points.size());
  const bool over_load = layout.analysis == Analysis::statics;
  over_load ? add_columns(columns, kSolverLoad, "/solver")
            : add_columns(columns, kSolverTime, "/solver");
  add_columns(columns, kSolverWhole, "/solver");
  over_load ? add_columns(columns, kLoadFactor, "") : add_columns(columns, kTime, "");
  return columns;
}

void append_row(const Snapshot& snapshot, Analysis analysis, std::vector<Column>& columns) {
  RowWriter row(columns);
  row.add(snapshot.rods, kRod);
  row.add(snapshot.hinges, kHinge);
  row.add(snapshot.supports, kSupport);
  row.add(snapshot.constraints, kConstraint);
  row.add(snapshot.bodies, kBody);
  row.add(snapshot.springs, kSpring);
  row.add(snapshot.hereditary, kHereditary);
  row.add(snapshot.loads, kLoad);
  if (analysis == Analysis::dynamics) {
    row.add(snapshot.laws, kLaw);
    if (snapshot.frame) row.add(*snapshot.frame, kFrame);
    row.add(snapshot.rheonomic, kRheonomic);
  }
  row.add(snapshot.momentum, kMomentum);
  row.add(snapshot.energy, kEnergy);
  if (analysis == Analysis::dynamics) row.add(snapshot.solver, kSolver);
  if (analysis == Analysis::statics) row.add(snapshot.statics, kStatics);
  row.add(snapshot, kPoints);
  row.add(snapshot, kSolverTime);
  row.add(snapshot, kSolverWhole);
  row.add(snapshot, kTime);
  row.finish();
}

std::size_t row_size(const Column& column) {
  return std::accumulate(column.row.begin(), column.row.end(), std::size_t{1}, std::multiplies<>{});
}

}  // namespace fem
