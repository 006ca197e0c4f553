// What a case says, in plain values: names are still names, nothing is resolved or checked.
// A case file is read into this (io/case_reader), an embedding program may fill it directly;
// model/model turns it into a checked Model. Units SI, angles in radians, counter-clockwise.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "libfem/base/units.hpp"
#include "libfem/hereditary/kernel.hpp"
#include "libfem/hereditary/prehistory.hpp"
#include "libfem/law/law.hpp"

namespace fem {

/// A number (constant) or the name of a law.
using LawReference = std::variant<double, std::string>;

/// A section that remembers: all its stresses follow the kernel, for a stiffness of 1.
struct SectionHereditaryDescription {
  HereditaryLaw law{.instantaneous = 1};  ///< kernel, relative: `instantaneous` = 1
  Prehistory before{};  ///< natural; or constant or window at the strains of the start
};

/// A cross-section of rods; all its values belong to the rod's axis.
struct SectionDescription {
  std::string name;               ///< unique among sections
  double axial_stiffness = 0;     ///< EA, N
  double bending_stiffness = 0;   ///< EI, N m²
  double shear_stiffness = 0;     ///< GA_s, N
  double mass_per_length = 0;     ///< m, kg/m
  double inertia_per_length = 0;  ///< I_z = ∫ρ y² dF about the rod's axis, kg m
  double mass_offset = 0;         ///< y_c of the section's centre of mass, m
  double height = 0;              ///< extent across the axis, m, for fibre stresses; 0: not known
  double modulus = 0;             ///< E, Pa, for fibre stresses; 0: not known
  double stiffness_damping = 0;   ///< Kelvin-Voigt: stress E(ε + τ ε̇), τ in s
  double mass_damping = 0;        ///< force −μ m ṙ a length, μ in 1/s
  std::optional<SectionHereditaryDescription> hereditary{};  ///< default: elastic
};

/// A function of time that others refer to by its name.
struct LawDescription {
  std::string name;  ///< unique among laws
  Law law;           ///< in the unit of what it prescribes
};

/// A place at the start that rods, bodies, supports and loads refer to.
struct PointDescription {
  std::string name;                  ///< unique among points
  std::array<double, 2> position{};  ///< X, Y, m
  std::optional<double> z{};         ///< m; given, the point moves in space, not in the plane
};

/// Which axial displacement the rod's inertia uses (theory: §3, inertia field).
enum class InertiaField {
  chord,  ///< u = (l̃/l − 1) x, ends at the node to second order; the default
  paper,  ///< u = ε x, Danilin 2016 eq. (35)
};

/// A straight rod at the start, a chain of elements of equal length.
struct RodDescription {
  std::string name;                                  ///< unique among rods
  std::string section;                               ///< name of a section
  std::string from;                                  ///< name of the point of its first end
  std::string to;                                    ///< of its other end; elsewhere than `from`
  int elements = 1;                                  ///< ≥ 1
  InertiaField inertia_field = InertiaField::chord;  ///< default: chord
  double curvature = 0;   ///< stress-free curvature, 1/m, counter-clockwise along the rod
  double elongation = 0;  ///< stress-free axial strain
};

/// Moment of a spring over the relative angle: linear, or a monotone cubic through a table.
struct HingeSpringDescription {
  double stiffness = 0;                        ///< N m/rad
  double neutral = 0;                          ///< relative angle at rest, rad
  double preload = 0;                          ///< moment at the neutral angle, N m
  std::vector<std::array<double, 2>> table{};  ///< [angle, moment]: instead of the above
};

/// Coulomb friction with Stribeck's peak, regularized: M = (M_c + (M_s − M_c)e^{−(ω/ω_s)²})
/// tanh(ω/ω_0).
struct HingeFrictionDescription {
  double coulomb = 0;            ///< M_c, N m
  double static_moment = 0;      ///< M_s ≥ M_c, N m; 0: as coulomb
  double stribeck_rate = 0.1;    ///< ω_s, rad/s
  double regularization = 1e-3;  ///< ω_0, rad/s
};

/// End stops at the limits of the relative angle: compliant (a spring and damper beyond the limit)
/// or hard (`restitution` given: the rate turns to −e times itself in an instant).
struct HingeStopDescription {
  std::optional<double> lower{};        ///< rad; none: it turns freely that way
  std::optional<double> upper{};        ///< rad, above `lower`; none: it turns freely that way
  double stiffness = 0;                 ///< N m/rad
  double viscosity = 0;                 ///< N m s/rad per rad of penetration
  std::optional<double> restitution{};  ///< e, 0 … 1
};

/// Spring and damper of a latch that gives: they hold the hinge at the latch's angle, both ways.
struct LatchSpringDescription {
  double stiffness = 0;  ///< N m/rad
  double viscosity = 0;  ///< N m s/rad
};

/// A moment that remembers, over the relative angle less its neutral value.
struct HingeHereditaryDescription {
  HereditaryLaw law{};                      ///< stiffness in N m/rad
  double neutral = 0;                       ///< relative angle at rest, rad
  std::optional<LawReference> rheonomic{};  ///< an angle in series, rad
  Prehistory before{};                      ///< of the deformation
};

/// The hinge catches for good when its relative angle arrives at `angle`, from either side.
struct HingeLatchDescription {
  double angle = 0;                                ///< rad
  std::optional<LatchSpringDescription> spring{};  ///< default: rigid
};

/// When something is done to a hinge.
struct WhenDescription {
  /// What decides.
  enum class Kind {
    time,     ///< at a time
    angle,    ///< when a hinge's angle arrives at a value, from either side
    latched,  ///< when a hinge latches
  };
  Kind kind = Kind::time;  ///< which of the members below count
  double value = 0;        ///< the time, s, or the angle, rad
  std::string hinge{};     ///< whose angle, or which latches; empty: the hinge itself
  double delay = 0;        ///< s, after the angle or the latching
};

/// A lock that comes and goes: the hinge turns neither way between the two moments.
struct HingeHoldDescription {
  std::optional<WhenDescription> from{};   ///< default: from the start
  std::optional<WhenDescription> until{};  ///< default: for good
};

/// Two members share the point `at` but keep their own angles there.
struct HingeDescription {
  std::string name;                      ///< unique among hinges
  std::string at;                        ///< name of the point
  std::array<std::string, 2> members{};  ///< relative angle = angle(second) − angle(first)
  std::optional<LawReference> drive{};   ///< prescribed change of the relative angle, rad
  std::optional<HingeSpringDescription> spring{};          ///< default: none
  double viscosity = 0;                                    ///< N m s/rad
  std::optional<HingeHereditaryDescription> hereditary{};  ///< default: none
  std::optional<HingeFrictionDescription> friction{};      ///< default: none
  std::optional<HingeStopDescription> stop{};              ///< default: none
  std::optional<HingeLatchDescription> latch{};            ///< default: none; not with a drive
  std::vector<HingeHoldDescription> holds{};               ///< any number; not with a drive
  std::optional<WhenDescription> jam{};  ///< the hinge locks by a fault and stays locked
};

/// A rigid body on the end section of a rod (`rod` given), or free-standing with its own angle.
struct BodyDescription {
  std::string name;                    ///< unique among bodies
  std::string at;                      ///< name of the point that it is fixed to
  std::optional<std::string> rod{};    ///< that ends at `at`; none: free-standing
  double mass = 0;                     ///< kg
  double inertia = 0;                  ///< about the point, kg m²
  std::array<double, 2> center{};      ///< centre of mass in the section's axes, m
  std::vector<std::string> carries{};  ///< further points fixed in it
};

/// A point mass.
struct ParticleDescription {
  std::string name;                  ///< unique among particles
  std::string at;                    ///< name of its point
  double mass = 0;                   ///< kg
  std::array<double, 3> velocity{};  ///< initial, m/s
};

/// Spring and damper between two points, along the line that joins them.
struct SpringDescription {
  std::string name;                      ///< unique among springs
  std::array<std::string, 2> between{};  ///< names of two points
  double stiffness = 0;                  ///< N/m
  double viscosity = 0;                  ///< N s/m
  std::optional<double> length{};        ///< natural, m; default: the initial distance
};

/// An element that remembers, between two points, along the line that joins them.
struct HereditaryDescription {
  std::string name;                         ///< unique among them
  std::array<std::string, 2> between{};     ///< names of two points
  HereditaryLaw law{};                      ///< stiffness in N/m
  std::optional<double> length{};           ///< natural, m; default: the initial distance
  std::optional<LawReference> rheonomic{};  ///< a length in series, m
  Prehistory before{};                      ///< of the deformation
};

/// Force and moment at a point. Dead: in the inertial axes; follower: in those of the section.
struct PointLoadDescription {
  std::string name;                                  ///< unique among loads
  std::string at;                                    ///< name of the point
  std::array<LawReference, 3> force{0.0, 0.0, 0.0};  ///< N
  LawReference moment = 0.0;                         ///< N m
  bool follower = false;             ///< true: its axes turn with the section or body at the point
  std::optional<std::string> rod{};  ///< whose angle, where hinged rods meet
  /// Two points: the force is along and across (to the left of) the line from the first to the
  /// second, in the plane.
  std::optional<std::array<std::string, 2>> along{};
};

/// Force and moment a length along a rod, linear between its ends, in the inertial axes.
struct RodLoadDescription {
  std::string name;                              ///< unique among loads
  std::string on;                                ///< name of the rod
  std::array<std::array<double, 2>, 2> force{};  ///< at from and at to, N/m
  std::array<double, 2> moment{};                ///< at from and at to, N m/m
  LawReference factor = 1.0;                     ///< of all of it
};

/// A relation that the motion has to satisfy.
struct ConstraintDescription {
  /// What the relation is between.
  enum class Kind {
    linear,      ///< Σ factor · quantity keeps its value; quantities by name
    distance,    ///< of two points
    line,        ///< the point stays on the line through it along `direction`
    circle,      ///< the point stays on the circle about `center`
    curve,       ///< f(x, y, t) = 0 of the point's coordinates
    knife_edge,  ///< the point moves along a direction that is fixed in a body
    rolling,     ///< the body, a wheel about the point, rolls along `direction`
    expression,  ///< f(q, t) = 0, or linear in velocities
  };
  std::string name;                                     ///< unique among constraints
  Kind kind = Kind::expression;                         ///< which of the members below count
  std::vector<std::pair<std::string, double>> terms{};  ///< linear
  std::optional<LawReference> law{};     ///< linear: change of the sum; else length or radius, m
  std::array<std::string, 2> between{};  ///< distance: names of two points
  std::string at{};                ///< name of the point: line, circle, curve, knife_edge, rolling
  std::string body{};              ///< name: knife_edge, rolling
  std::array<double, 2> center{};  ///< m
  double direction = 0;            ///< rad: from X; of a knife edge from the body's axis
  double radius = 0;               ///< of a wheel, m; negative: it rolls on its left side
  std::string curve{};             ///< formula of x, y (m) and t (s)
  std::optional<std::string> position{};  ///< expression: f(q, t)
  std::optional<std::string> velocity{};  ///< expression: linear in the velocities
};

/// What is held at a point. A law prescribes the change from the initial value.
struct SupportDescription {
  std::string point;                    ///< the support's name is its point's
  bool fix_x = false;                   ///< X is held, or follows `x`
  bool fix_y = false;                   ///< Y is held, or follows `y`
  bool fix_angle = false;               ///< the angle is held, or follows `angle`
  bool fix_z = false;                   ///< Z of a point in space is held, or follows `z`
  std::optional<LawReference> x{};      ///< m
  std::optional<LawReference> y{};      ///< m
  std::optional<LawReference> z{};      ///< m
  std::optional<LawReference> angle{};  ///< rad
  std::optional<std::string> rod{};     ///< whose angle, where hinged rods meet
};

/// The observer's moving frame: the state is relative to it (frame/frame_motion.hpp).
struct FrameDescription {
  std::array<LawReference, 3> origin{0.0, 0.0, 0.0};  ///< of the pole in the inertial axes, m
  LawReference angle = 0.0;                           ///< of its axes, rad
};

/// How dqᵀW dq + w_t dt² is weighted along the solution curve (theory: time-integration §2).
enum class Metric {
  plain,   ///< W = 1, w_t = 1 in SI numbers: the paper's
  scaled,  ///< means over the unknowns; lengths, angles and time over reference values
};

/// Danilin's integrator: linear acceleration along the arc length of the solution curve.
struct ArcLengthDescription {
  /// Of coordinates and of velocities / ω_max; default: 1e-8, without rods 1e-12.
  std::optional<double> local_tolerance{};
  /// Of the same quantities between two iterates; default: 1/100 of that, at most 1e-10.
  std::optional<double> iteration_tolerance{};
  /// Largest ω_max Δt; default: 1.
  std::optional<double> frequency_limit{};
  /// Largest |balance| over the largest energy: steps are made shorter to keep it. Default: 1e-6
  /// where neither `local_tolerance` nor `frequency_limit` is given, else it is not watched.
  std::optional<double> ledger_tolerance{};
  Metric metric = Metric::scaled;            ///< default: scaled
  std::optional<double> reference_length{};  ///< m, of the scaled metric; default: the model's size
  std::optional<double> reference_time{};    ///< s, of the scaled metric; default: 1/ω_max
};

/// Generalized-α: long implicit steps (integrator/README.md).
struct GeneralizedAlphaDescription {
  double spectral_radius = 0.9;  ///< of infinite frequencies, [0, 1]
  double tolerance = 1e-9;       ///< of the error of a step, over the model's size
  std::optional<double> step{};  ///< s, instead: steps of one length
};

/// A velocity that a point starts with.
struct PointVelocityDescription {
  std::string name;                  ///< of a point
  std::array<double, 3> velocity{};  ///< m/s
};

/// A rate of turning that a body starts with.
struct BodyRateDescription {
  std::string name;  ///< of a free-standing body
  double rate = 0;   ///< rad/s
};

/// How a run starts: at the points or from a stored state, with velocities that the first step
/// makes consistent; at rest where nothing is given.
struct InitialDescription {
  std::vector<PointVelocityDescription> velocities;  ///< of the others: at rest
  std::vector<BodyRateDescription> rates;            ///< of the others: at rest
  std::optional<std::string> from{};                 ///< results file whose last state is the start
  bool moves_with_laws = false;  ///< what laws prescribe has moved before the start: no impact then
};

/// Equilibrium at one load factor, or its path over the load factor.
struct StaticsDescription {
  bool follow_path = false;  ///< trace the path from 0 through its limit points
  double max_load = 1;       ///< the path ends where the load factor reaches it, up or down, > 0
  long steps = 1000;         ///< most steps of a path
  std::optional<double> time{};  ///< at which the laws are taken, s; default: calc_statics_time()
};

/// Natural frequencies and shapes.
struct ModesDescription {
  int count = 10;              ///< how many of the lowest, ≥ 1
  bool about_statics = false;  ///< about the equilibrium, instead of the start
};

/// Rows of results of a run that does not say how often it wants them.
inline constexpr double kDefaultOutputRows = 200;

/// What is computed: the time integration, statics and modes of one case.
struct AnalysisDescription {
  double end = 0;           ///< s; a run starts at t = 0; 0: the case is not for time integration
  double output_every = 0;  ///< s
  ArcLengthDescription method{};  ///< of the time integration, unless `long_steps` is given
  std::optional<GeneralizedAlphaDescription> long_steps{};  ///< the method, where it is given
  StaticsDescription statics{};                             ///< of `fem statics`
  ModesDescription modes{};                                 ///< of `fem modes`
};

/// A whole case: what a case file says.
struct CaseDescription {
  std::string title;  ///< for people; any text, or none
  Units units{};      ///< that its author thinks in, for messages; the numbers here are SI
  std::array<double, 2> gravity{};           ///< m/s²
  double gravity_z = 0;                      ///< m/s², on particles in space
  std::optional<FrameDescription> frame{};   ///< default: inertial axes
  std::vector<SectionDescription> sections;  ///< at least the ones that rods name
  std::vector<LawDescription> laws;          ///< named by drives, supports, loads, …
  std::vector<PointDescription> points;      ///< where everything is at the start
  std::vector<RodDescription> rods;          ///< flexible ones
  std::vector<HingeDescription> hinges;  ///< joints; without one, what meets at a point is welded
  std::vector<SupportDescription> supports;        ///< at most one a point
  std::vector<ConstraintDescription> constraints;  ///< besides hinges and supports
  std::vector<BodyDescription> bodies;             ///< rigid ones
  std::vector<ParticleDescription> particles;      ///< point masses
  std::vector<SpringDescription> springs;          ///< between points
  std::vector<HereditaryDescription> hereditary;   ///< elements that remember, between points
  std::vector<PointLoadDescription> point_loads;   ///< at points
  std::vector<RodLoadDescription> rod_loads;       ///< along rods
  InitialDescription initial;                      ///< how a run starts
  AnalysisDescription analysis;                    ///< what is computed
};

}  // namespace fem
