// What a case says, in plain values: names are still names, nothing is resolved or checked.
// A case file is read into this (io/case_reader), an embedding program may fill it directly;
// model/model turns it into a checked Model. Units SI, angles in radians, counter-clockwise.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libfem/law/law.hpp"

namespace fem {

/// A number (constant) or the name of a law.
using LawReference = std::variant<double, std::string>;

struct SectionDescription {
  std::string name;
  double axial_stiffness = 0;     ///< EA, N
  double bending_stiffness = 0;   ///< EI, N m²
  double shear_stiffness = 0;     ///< GA_s, N
  double mass_per_length = 0;     ///< m, kg/m
  double inertia_per_length = 0;  ///< I_z = ∫ρ y² dF, kg m
};

struct LawDescription {
  std::string name;
  Law law;
};

struct PointDescription {
  std::string name;
  std::array<double, 2> position{};  ///< X, Y, m
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
};

/// Two rods share the point `at` but keep their own angles there.
struct HingeDescription {
  std::string name;
  std::string at;
  std::array<std::string, 2> members{};  ///< relative angle = angle(second) − angle(first)
  std::optional<LawReference> drive{};   ///< prescribed change of the relative angle, rad
};

/// What is held at a point. A law prescribes the change from the initial value.
struct SupportDescription {
  std::string point;  ///< the support's name is its point's
  bool fix_x = false;
  bool fix_y = false;
  bool fix_angle = false;
  std::optional<LawReference> x{};      ///< m
  std::optional<LawReference> y{};      ///< m
  std::optional<LawReference> angle{};  ///< rad
  std::optional<std::string> rod{};     ///< whose angle, where hinged rods meet
};

/// How dqᵀW dq + w_t dt² is weighted along the solution curve (theory: time-integration §2).
enum class Metric {
  plain,   ///< W = 1, w_t = 1 in SI numbers: the paper's
  scaled,  ///< means over the unknowns; lengths, angles and time over reference values
};

/// Danilin's integrator: linear acceleration along the arc length of the solution curve.
struct ArcLengthDescription {
  double local_tolerance = 1e-8;       ///< of coordinates and of velocities / ω_max
  double iteration_tolerance = 1e-10;  ///< of the same quantities between two iterates
  double frequency_limit = 1.0;        ///< largest ω_max Δt
  Metric metric = Metric::scaled;
  std::optional<double>
      reference_length{};  ///< m, for the scaled metric; default: the size of the model
  std::optional<double>
      reference_time{};  ///< s, for the scaled metric; default: the length of the run
};

struct AnalysisDescription {
  double end = 0;           ///< s; a run starts at t = 0
  double output_every = 0;  ///< s
  ArcLengthDescription method{};
};

struct CaseDescription {
  std::string title;
  std::vector<SectionDescription> sections;
  std::vector<LawDescription> laws;
  std::vector<PointDescription> points;
  std::vector<RodDescription> rods;
  std::vector<HingeDescription> hinges;
  std::vector<SupportDescription> supports;
  AnalysisDescription analysis;
};

}  // namespace fem
