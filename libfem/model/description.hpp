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

#include "libfem/hereditary/kernel.hpp"
#include "libfem/hereditary/prehistory.hpp"
#include "libfem/law/law.hpp"

namespace fem {

/// A number (constant) or the name of a law.
using LawReference = std::variant<double, std::string>;

/// A section that remembers: all its stresses follow the kernel, for a stiffness of 1.
struct SectionHereditaryDescription {
  HereditaryLaw law{.instantaneous = 1};
  Prehistory before{};  ///< natural; or constant or window at the strains of the start
};

struct SectionDescription {
  std::string name;
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
  std::optional<SectionHereditaryDescription> hereditary{};
};

struct LawDescription {
  std::string name;
  Law law;
};

struct PointDescription {
  std::string name;
  std::array<double, 2> position{};  ///< X, Y, m
  std::optional<double>
      z{};  ///< m; given, the point moves in space: for particles and what joins them
};

/// Which axial displacement the rod's inertia uses (theory: §3, inertia field).
enum class InertiaField {
  chord,  ///< u = (l̃/l − 1) x, ends at the node to second order; the default
  paper,  ///< u = ε x, Danilin 2016 eq. (35)
};

struct RodDescription {
  std::string name;
  std::string section;
  std::string from;
  std::string to;
  int elements = 1;
  InertiaField inertia_field = InertiaField::chord;
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
  std::optional<double> lower{}, upper{};  ///< rad
  double stiffness = 0;                    ///< N m/rad
  double viscosity = 0;                    ///< N m s/rad per rad of penetration
  std::optional<double> restitution{};     ///< e, 0 … 1
};

/// Spring and damper of a latch that gives: they hold the hinge at the latch's angle, both ways.
struct LatchSpringDescription {
  double stiffness = 0;  ///< N m/rad
  double viscosity = 0;  ///< N m s/rad
};

/// A moment that remembers, over the relative angle less its neutral value.
struct HingeHereditaryDescription {
  HereditaryLaw law{};
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
  enum class Kind {
    time,     ///< at a time
    angle,    ///< when a hinge's angle arrives at a value, from either side
    latched,  ///< when a hinge latches
  };
  Kind kind = Kind::time;
  double value = 0;     ///< the time, s, or the angle, rad
  std::string hinge{};  ///< whose angle, or which latches; empty: the hinge itself
  double delay = 0;     ///< s, after the angle or the latching
};

/// A lock that comes and goes: the hinge turns neither way between the two moments.
struct HingeHoldDescription {
  std::optional<WhenDescription> from{};   ///< default: from the start
  std::optional<WhenDescription> until{};  ///< default: for good
};

/// Two members share the point `at` but keep their own angles there.
struct HingeDescription {
  std::string name;
  std::string at;
  std::array<std::string, 2> members{};  ///< relative angle = angle(second) − angle(first)
  std::optional<LawReference> drive{};   ///< prescribed change of the relative angle, rad
  std::optional<HingeSpringDescription> spring{};
  double viscosity = 0;  ///< N m s/rad
  std::optional<HingeHereditaryDescription> hereditary{};
  std::optional<HingeFrictionDescription> friction{};
  std::optional<HingeStopDescription> stop{};
  std::optional<HingeLatchDescription> latch{};
  std::vector<HingeHoldDescription> holds{};
  std::optional<WhenDescription> jam{};  ///< the hinge locks by a fault and stays locked
};

/// A rigid body on the end section of a rod (`rod` given), or free-standing with its own angle.
struct BodyDescription {
  std::string name;
  std::string at;
  std::optional<std::string> rod{};
  double mass = 0;                     ///< kg
  double inertia = 0;                  ///< about the point, kg m²
  std::array<double, 2> center{};      ///< centre of mass in the section's axes, m
  std::vector<std::string> carries{};  ///< further points fixed in it
};

struct ParticleDescription {
  std::string name;
  std::string at;
  double mass = 0;                   ///< kg
  std::array<double, 3> velocity{};  ///< initial, m/s
};

/// Spring and damper between two points, along the line that joins them.
struct SpringDescription {
  std::string name;
  std::array<std::string, 2> between{};
  double stiffness = 0;            ///< N/m
  double viscosity = 0;            ///< N s/m
  std::optional<double> length{};  ///< natural, m; default: the initial distance
};

/// An element that remembers, between two points, along the line that joins them.
struct HereditaryDescription {
  std::string name;
  std::array<std::string, 2> between{};
  HereditaryLaw law{};
  std::optional<double> length{};           ///< natural, m; default: the initial distance
  std::optional<LawReference> rheonomic{};  ///< a length in series, m
  Prehistory before{};                      ///< of the deformation
};

/// Force and moment at a point. Dead: in the inertial axes; follower: in those of the section.
struct PointLoadDescription {
  std::string name;
  std::string at;
  std::array<LawReference, 3> force{0.0, 0.0, 0.0};  ///< N
  LawReference moment = 0.0;                         ///< N m
  bool follower = false;
  std::optional<std::string> rod{};  ///< whose angle, where hinged rods meet
  /// Two points: the force is along and across (to the left of) the line from the first to the
  /// second, in the plane.
  std::optional<std::array<std::string, 2>> along{};
};

/// Force and moment a length along a rod, linear between its ends, in the inertial axes.
struct RodLoadDescription {
  std::string name;
  std::string on;
  std::array<std::array<double, 2>, 2> force{};  ///< at from and at to, N/m
  std::array<double, 2> moment{};                ///< at from and at to, N m/m
  LawReference factor = 1.0;                     ///< of all of it
};

/// A relation that the motion has to satisfy.
struct ConstraintDescription {
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
  std::string name;
  Kind kind = Kind::expression;
  std::vector<std::pair<std::string, double>> terms{};  ///< linear
  std::optional<LawReference>
      law{};  ///< linear: change of the sum; distance: length, circle: radius
  std::array<std::string, 2> between{};
  std::string at{};
  std::string body{};
  std::array<double, 2> center{};  ///< m
  double direction = 0;            ///< rad: from X; of a knife edge from the body's axis
  double radius = 0;               ///< of a wheel, m; negative: it rolls on its left side
  std::string curve{};
  std::optional<std::string> position{};  ///< expression: f(q, t)
  std::optional<std::string> velocity{};
};

/// What is held at a point. A law prescribes the change from the initial value.
struct SupportDescription {
  std::string point;  ///< the support's name is its point's
  bool fix_x = false;
  bool fix_y = false;
  bool fix_angle = false;
  bool fix_z = false;
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
  Metric metric = Metric::scaled;
  std::optional<double>
      reference_length{};  ///< m, for the scaled metric; default: the size of the model
  std::optional<double> reference_time{};  ///< s, for the scaled metric; default: 1/ω_max
};

/// Generalized-α: long implicit steps (integrator/README.md).
struct GeneralizedAlphaDescription {
  double spectral_radius = 0.9;  ///< of infinite frequencies, [0, 1]
  double tolerance = 1e-9;       ///< of the error of a step, over the model's size
  std::optional<double> step{};  ///< s, instead: steps of one length
};

struct PointVelocityDescription {
  std::string name;
  std::array<double, 3> velocity{};  ///< m/s
};

struct BodyRateDescription {
  std::string name;  ///< of a free-standing body
  double rate = 0;   ///< rad/s
};

/// How a run starts: at the points or from a stored state, with velocities that the first step
/// makes consistent; at rest where nothing is given.
struct InitialDescription {
  std::vector<PointVelocityDescription> velocities;
  std::vector<BodyRateDescription> rates;
  std::optional<std::string> from{};  ///< results file whose last state is the start
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
  int count = 10;
  bool about_statics = false;  ///< about the equilibrium, instead of the start
};

/// Rows of results of a run that does not say how often it wants them.
inline constexpr double kDefaultOutputRows = 200;

struct AnalysisDescription {
  double end = 0;           ///< s; a run starts at t = 0; 0: the case is not for time integration
  double output_every = 0;  ///< s
  ArcLengthDescription method{};
  std::optional<GeneralizedAlphaDescription> long_steps{};  ///< the method, where it is given
  StaticsDescription statics{};
  ModesDescription modes{};
};

struct CaseDescription {
  std::string title;
  std::array<double, 2> gravity{};  ///< m/s²
  double gravity_z = 0;             ///< m/s², on particles in space
  std::optional<FrameDescription> frame{};
  std::vector<SectionDescription> sections;
  std::vector<LawDescription> laws;
  std::vector<PointDescription> points;
  std::vector<RodDescription> rods;
  std::vector<HingeDescription> hinges;
  std::vector<SupportDescription> supports;
  std::vector<ConstraintDescription> constraints;
  std::vector<BodyDescription> bodies;
  std::vector<ParticleDescription> particles;
  std::vector<SpringDescription> springs;
  std::vector<HereditaryDescription> hereditary;
  std::vector<PointLoadDescription> point_loads;
  std::vector<RodLoadDescription> rod_loads;
  InitialDescription initial;
  AnalysisDescription analysis;
};

}  // namespace fem
