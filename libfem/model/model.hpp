// The model: a case resolved and checked once. Afterwards only hinges are locked and let go, in a
// run's own copy (model/hinge_lock).
//
// Coordinates are numbered naturally: X and Y of every node, Z of a point in space, and one angle
// for every group of section ends that turn as one (inside a rod). A rod end keeps its own angle;
// where rods meet rigidly, or a hinge is driven, a constraint row ties the angles (model/row):
//   f(q) − φ(t) − constant = 0,      D = ∂f/∂q,   d = φ̇(t),      D q̇ = d  (Danilin 2016, (88))
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libfem/body/rigid_body.hpp"
#include "libfem/law/law.hpp"
#include "libfem/link/two_point.hpp"
#include "libfem/model/description.hpp"
#include "libfem/model/hereditary_element.hpp"
#include "libfem/model/hinge.hpp"
#include "libfem/model/row.hpp"
#include "libfem/rod/rod_constants.hpp"
#include "libfem/rod/section.hpp"

namespace fem {

struct Node {
  std::string name;               ///< the point's, or "rod/k" for the k-th node inside a rod
  std::array<double, 3> initial;  ///< X, Y, Z, m
  int x = kNone;                  ///< coordinate of X; Y is the next one
  int z = kNone;                  ///< of Z, the next but one; kNone in the plane
  [[nodiscard]] int axes() const { return z == kNone ? 2 : 3; }
};

struct Element {
  std::array<int, 6> coordinate{};  ///< natural coordinates of (X₀, Y₀, α₀, α₁, X₁, Y₁)
  int type = 0;                     ///< index into Model::types
};

struct Rod {
  std::string name;
  int section = 0;
  int first_element = 0;
  std::vector<int> nodes{};        ///< elements + 1
  double length = 0;               ///< m
  std::array<int, 2> end_angle{};  ///< coordinates of the angles at from and to
  [[nodiscard]] int elements() const { return static_cast<int>(nodes.size()) - 1; }
};

/// A rigid body, or a particle where `angle` is kNone.
struct Body {
  std::string name;
  int node = 0;
  int angle = kNone;    ///< coordinate: of a rod's end section, or its own
  bool stands = false;  ///< free-standing, with an angle of its own
  RigidBody body{};
  std::vector<int> carries{};  ///< nodes fixed in it
};

struct Spring {
  std::string name;
  std::array<int, 2> nodes{};
  TwoPointLaw law{};
};

struct PointLoad {
  std::string name;
  int node = 0;
  int angle = kNone;          ///< coordinate that the moment acts on and a follower turns with
  std::array<int, 4> laws{};  ///< of force X, Y, Z and of the moment
  bool follower = false;
  std::optional<std::array<int, 2>> along{};  ///< nodes whose line it follows
};

struct RodLoad {
  std::string name;
  int rod = 0;
  std::array<std::array<double, 2>, 2> force{};  ///< at the rod's ends, N/m
  std::array<double, 2> moment{};                ///< N m/m
  int law = 0;                                   ///< factor
};

/// A constraint that the case asks for by name.
struct Constraint {
  std::string name;
  std::vector<int> rows{};
};

struct Support {
  std::string name;
  int node = 0;
  int x = kNone, y = kNone, z = kNone, angle = kNone;  ///< rows
};

/// The observer's moving frame: the laws of its pole and of its angle.
struct Frame {
  std::array<int, 3> origin{};      ///< X, Y, Z in the inertial axes, m
  int angle = 0;                    ///< ψ, rad
  std::array<double, 3> gravity{};  ///< in the inertial axes, m/s²; the model's own is zero then
};

struct Model {
  std::string title;
  Units units{};  ///< of the case, for messages; all numbers are SI
  std::vector<Node> nodes;
  std::vector<Rod> rods;
  std::vector<Element> elements;
  std::vector<RodConstants<double>> types;  ///< one for every section and element length
  std::vector<Section> sections;
  std::vector<std::string> section_names;
  std::vector<std::optional<SectionMemory>> section_memory;  ///< of every section
  std::vector<int> type_section;                             ///< section of a type
  std::vector<Hinge> hinges;
  std::vector<Support> supports;
  std::vector<Constraint> constraints;
  std::vector<Body> bodies;  ///< and particles
  std::vector<Spring> springs;
  std::vector<HereditaryElement> hereditary;
  std::vector<PointLoad> point_loads;
  std::vector<RodLoad> rod_loads;
  std::array<double, 2> gravity{};  ///< m/s²
  double gravity_z = 0;             ///< m/s², on what is in space
  std::optional<Frame> frame;       ///< that the state is relative to; none: inertial
  std::vector<Row> rows;
  std::vector<Law> laws;  ///< of the case in its order, then numbers, then changes of others
  std::vector<std::string> law_names;  ///< of those that the case names, which come first
  std::map<int, int> law_of_change;    ///< laws made of others: the change from the start's value
  std::vector<double> initial;         ///< natural coordinates as the points give them
  std::vector<double> start;  ///< natural coordinates at the start: `initial`, or a stored state
  std::optional<std::string> start_file;  ///< results file that holds the start, as the case says
  std::map<int, std::array<double, 3>> given_velocities;  ///< of nodes at the start, m/s
  std::map<int, double> given_rates;                      ///< of bodies at the start, rad/s
  bool moves_with_laws = false;  ///< the rates are consistent before the start, without an impact
  std::vector<double> initial_rates;  ///< of all coordinates, not made consistent yet
  std::vector<char> is_angle;         ///< of every coordinate
  std::vector<double> break_times;    ///< of all laws used, increasing, without repeats
  double size = 0;  ///< twice the largest distance of a point from their mean, m; not 0
  AnalysisDescription analysis;
  std::vector<std::string> warnings;

  [[nodiscard]] int coordinates() const { return static_cast<int>(initial.size()); }
};

/// The name of a law of the case that is not a finite number somewhere from `t` to `t` + `span`
/// (looked at in steps); "" if there is none. An expression may leave its domain: what comes of it
/// elsewhere is no explanation.
[[nodiscard]] std::string find_undefined_law(const Model& model, double t, double span = 0);

/// Named laws that prescribe a motion (loads are none), by index: of rows, of formulas, of lengths
/// and angles in series with hereditary elements, and of the moving frame.
[[nodiscard]] std::vector<int> prescribing_laws(const Model& model);

/// The law of the case that one of the model's is made of.
[[nodiscard]] int named_law(const Model& model, int law);

/// The time at which statics and modes take the laws: as the case says, else the run's end, else
/// when the last law has come to rest, s.
[[nodiscard]] double calc_statics_time(const Model& model);

/// Resolves and checks a case. Throws InputError with every problem found.
[[nodiscard]] Model make_model(const CaseDescription& description);

}  // namespace fem
