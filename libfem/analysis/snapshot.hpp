// What a run reports: the layout of its quantities (names, fixed for the run), one Snapshot an
// output time, events, and the summary at the end. Plain values: the recorder writes them, an
// embedding program reads them. Units SI, angles in radians, counter-clockwise positive.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libfem/rod/section.hpp"

namespace fem {

/// What the rows of results are.
enum class Analysis {
  dynamics,  ///< instants of a motion
  statics,   ///< points of equilibrium; Snapshot::time is the load factor
  modes      ///< one: the state that the modes are about
};

/// Names and connectivity of the quantities in a Snapshot, in its order.
struct ResultLayout {
  /// A cross-section of rods.
  struct NamedSection {
    std::string name;   ///< the case's
    Section section{};  ///< its stiffnesses and masses
  };
  /// A rod and where its nodes are.
  struct Rod {
    std::string name;          ///< the case's
    std::vector<int> nodes{};  ///< indices into `points`, elements + 1
    std::string section{};     ///< name of one of `sections`
    double length = 0;         ///< at the start, m
    double alpha = 0;          ///< shear coefficient of its elements (11)
    double curvature = 0;      ///< stress-free, 1/m
    double elongation = 0;     ///< stress-free
  };
  /// A rigid body.
  struct Body {
    std::string name;    ///< the case's
    int point = 0;       ///< index into `points`: the one that the body is fixed to
    double mass = 0;     ///< kg
    double inertia = 0;  ///< about the point, kg m²
  };
  /// A spring between two points.
  struct Spring {
    std::string name;             ///< the case's
    std::array<int, 2> points{};  ///< indices into `points`
  };
  std::vector<std::string> points{};  ///< named points first, then mesh nodes "rod/1", "rod/2", …
  std::vector<Rod> rods{};            ///< in the order of the case, as all below
  std::vector<std::string> hinges{};  ///< names
  std::vector<std::string> supports{};     ///< names: those of their points
  std::vector<std::string> constraints{};  ///< names
  std::vector<NamedSection> sections{};    ///< cross-sections
  std::vector<Body> bodies{};              ///< rigid bodies; particles are seen as their points
  std::vector<Spring> springs{};           ///< between points
  std::vector<std::string> hereditary{};   ///< names of the elements that remember
  std::vector<std::string> loads{};        ///< at points, then along rods
  std::vector<std::string> laws{};         ///< that prescribe a motion
  bool moves = false;                      ///< the frame
  Analysis analysis = Analysis::dynamics;  ///< what the rows are
  double laws_time = 0;                    ///< s, at which statics and modes take the laws
};

/// Section forces and strains of one rod; sign convention in rod/section_forces.hpp.
struct RodSnapshot {
  std::vector<double> angle;           ///< section angles [elements][2], rad
  std::vector<double> axial_force;     ///< N = EA ε [elements], N, tension positive
  std::vector<double> shear_force;     ///< Q [elements], N
  std::vector<double> bending_moment;  ///< M at both ends [elements][2], N m
  std::vector<double> axial_strain;    ///< ε [elements]
};

/// A hinge: its relative angle and what it transmits.
struct HingeSnapshot {
  double angle = 0;         ///< angle(second) − angle(first), rad, continuous over turns
  double rate = 0;          ///< rad/s
  double moment = 0;        ///< what the hinge transmits to the second member, N m
  double drive_moment = 0;  ///< multiplier of the prescribed angle, on the second member, N m
  double state = 0;         ///< 0 free, 1 held, 2 latched, 3 jammed, 4 on its lower, 5 upper stop
};

/// What a support takes.
struct SupportSnapshot {
  double force_x = 0;  ///< force of the support on the structure, N
  double force_y = 0;  ///< N
  double force_z = 0;  ///< of a point in space
  double moment = 0;   ///< moment of the support on the structure, N m
};

/// A constraint: its reaction, and how well it is satisfied.
struct ConstraintSnapshot {
  double multiplier = 0;  ///< of its first row: force or moment conjugate to the row's function
  double violation = 0;   ///< largest |f| of its rows; of rows of rates |D v − d|
};

/// Where a rigid body is.
struct BodySnapshot {
  double angle = 0;     ///< of the body's axes from X, continuous over turns, rad
  double rate = 0;      ///< rad/s
  double center_x = 0;  ///< centre of mass, m
  double center_y = 0;  ///< m
};

/// A spring between two points.
struct SpringSnapshot {
  double length = 0;  ///< distance of its points, m
  double rate = 0;    ///< of the length, m/s
  double force = 0;   ///< of spring and damper, N, tension positive
};

/// An element that remembers, between points or in a hinge; theory in system/hereditary_pool.hpp.
struct HereditarySnapshot {
  double deformation = 0;          ///< y, m or rad
  double force = 0;                ///< P, tension positive, N or N m
  double instantaneous_force = 0;  ///< c y
  double memory_force = 0;         ///< P − c y: what the past takes away
  double stored = 0;               ///< J
  double dissipated = 0;           ///< since the start, J
  double dissipated_power = 0;     ///< W
  double rheonomic_reaction = 0;   ///< −P
  double rheonomic_power = 0;      ///< of the length or angle in series, W
};

/// What a load puts in; of a load along a rod the sums over the rod.
struct LoadSnapshot {
  double force_x = 0;  ///< N
  double force_y = 0;  ///< N
  double force_z = 0;  ///< at a point in space, N
  double moment = 0;   ///< N m; of moments only, forces along a rod not included
};

/// Of all masses. Without supports and loads the momenta are constant.
struct MomentumSnapshot {
  double center_x = 0;  ///< centre of mass, m
  double center_y = 0;  ///< m
  double center_z = 0;  ///< m
  double linear_x = 0;  ///< kg m/s
  double linear_y = 0;  ///< kg m/s
  double linear_z = 0;  ///< kg m/s
  double angular = 0;   ///< about the Z axis through the origin, kg m²/s
};

/// A law that prescribes a motion (Mušicki 2002, (2.9), (2.13); Hedrih 2000, §4).
struct LawSnapshot {
  double value = 0;      ///< q⁰, m or rad
  double rate = 0;       ///< q̇⁰
  double reaction = 0;   ///< R₀, conjugate to the value, N or N m
  double power = 0;      ///< R₀ q̇⁰, W
  double work = 0;       ///< ∫R₀ dq⁰ since the start, jumps included, J
  double potential = 0;  ///< rheonomic potential P = −work, J
};

/// Where the moving frame is.
struct FrameSnapshot {
  double origin_x = 0;  ///< of its pole in the inertial axes, m
  double origin_y = 0;  ///< m
  double origin_z = 0;  ///< m
  double angle = 0;     ///< of its axes, rad
  double rate = 0;      ///< rad/s
};

/// Energies as they are seen in the frame that the state is relative to (Mušicki 2002, (3.6),
/// (5.11), (6.15); theory in analysis/README.md), J.
struct RheonomicSnapshot {
  double relative_kinetic = 0;     ///< T′
  double relative_potential = 0;   ///< Π: all potentials, centrifugal and the pole's included
  double hamiltonian = 0;          ///< T′ + Π
  double rheonomic_potential = 0;  ///< P: less the work of laws and formulas in the frame
  double frame_work = 0;           ///< by what changes in the motion of the frame
  double extended_energy = 0;      ///< T′ + Π + P − frame_work
};

/// The energy ledger (theory: time-integration §6), J; works are counted from the start.
struct EnergySnapshot {
  double kinetic = 0;         ///< of everything that has mass
  double strain = 0;          ///< of rods
  double springs = 0;         ///< potential of springs and hinges
  double hereditary = 0;      ///< stored in hereditary elements
  double gravity = 0;         ///< potential of all masses, zero at the start
  double external_work = 0;   ///< of loads
  double rheonomic_work = 0;  ///< of prescribed laws, jumps included
  double dissipated = 0;      ///< by dampers, friction, damped rods and hereditary elements
  double balance = 0;  ///< sum of the five − initial sum − works + dissipated: what does not close
};

/// The integrator since the previous snapshot.
struct SolverSnapshot {
  double step = 0;         ///< last accepted step, s
  double iterations = 0;   ///< mean evaluations of the accelerations a step
  double local_error = 0;  ///< largest estimate of an accepted step, in the integrator's norm
};

/// How a point of equilibrium was found.
struct StaticsSnapshot {
  double step = 0;                 ///< to it, of the load factor or of the arc length
  double iterations = 0;           ///< of Newton's method
  double unstable_directions = 0;  ///< −1: not judged
};

/// Everything about one state; members in the order of ResultLayout.
struct Snapshot {
  double time = 0;                              ///< s, or the load factor
  std::vector<double> position;                 ///< [points][3], m (Z = 0 in the plane)
  std::vector<double> velocity;                 ///< [points][3], m/s
  std::vector<double> acceleration;             ///< [points][3], m/s²
  std::vector<RodSnapshot> rods;                ///< forces and strains
  std::vector<HingeSnapshot> hinges;            ///< angles and moments
  std::vector<SupportSnapshot> supports;        ///< reactions
  std::vector<ConstraintSnapshot> constraints;  ///< reactions and violations
  std::vector<BodySnapshot> bodies;             ///< rigid bodies
  std::vector<SpringSnapshot> springs;          ///< lengths and forces
  std::vector<HereditarySnapshot> hereditary;   ///< deformations, forces and energies
  std::vector<LoadSnapshot> loads;              ///< forces and moments
  std::vector<LawSnapshot> laws;                ///< of prescribed motions, with their reactions
  std::optional<FrameSnapshot> frame;           ///< given where ResultLayout::moves
  RheonomicSnapshot rheonomic;                  ///< energies in the moving frame
  MomentumSnapshot momentum;                    ///< of all masses
  EnergySnapshot energy;                        ///< the ledger
  SolverSnapshot solver;                        ///< of a motion: the steps since the last row
  StaticsSnapshot statics;                      ///< of an equilibrium: how it was found
  double position_violation = 0;  ///< largest |f(q, t)| over the constraints, m or rad
  double velocity_violation = 0;  ///< largest |D v − d|, m/s or rad/s
};

/// Something that happened at an instant: a velocity jump, a latch, a lock or its release, a stop.
struct Event {
  double time = 0;   ///< s
  std::string name;  ///< the object it happened to
  std::string what;  ///< "velocity jump, impulse … , work …"
};

/// How a run ended.
enum class RunStatus { running, complete, failed, interrupted };

/// What is known of a run when it has ended.
struct RunSummary {
  RunStatus status = RunStatus::running;  ///< running: it has not ended
  std::string reason;                     ///< of a failure: what diverged, where, when, what to try
  std::vector<std::string> warnings;      ///< what a user should know
  double final_time = 0;                  ///< s
  long steps = 0;                         ///< accepted
  long rejected_steps = 0;                ///< computed again, shorter
  long evaluations = 0;                   ///< of the accelerations
  double largest_energy = 0;              ///< largest T + Π or work so far, J
  double worst_balance = 0;               ///< largest |balance|, J
  double ledger_tolerance = 0;  ///< worst_balance / largest_energy beyond which the run warns
  double worst_position_violation = 0;  ///< largest |f(q, t)|, m or rad
  double worst_velocity_violation = 0;  ///< largest |D v − d|, m/s or rad/s
  double kernel_error = 0;  ///< largest bound of a relaxation function's error, of its start value
  double wall_time = 0;     ///< s

  /// Reads or writes what a checkpoint keeps of it.
  template <class Archive>
  void archive(Archive& a) {
    a(warnings, final_time, largest_energy, worst_balance, worst_position_violation,
      worst_velocity_violation, kernel_error, wall_time);
  }
};

}  // namespace fem
