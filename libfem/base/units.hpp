// Units of a case: what its numbers are multiplied by when they are read.
//
// Every number of a case names its dimension where it is read (io/case_…): the same place gives the
// conversion, the unit in the JSON Schema, and nothing else has to be kept in step with it. Behind
// the readers all numbers are SI; units then serve messages alone, which say a case's own numbers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace fem {

/// Exponents of what a quantity is made of. A pure number has none.
struct Dimension {
  double length = 0, force = 0, mass = 0, time = 0, angle = 0;
  bool operator==(const Dimension&) const = default;
};

[[nodiscard]] constexpr Dimension operator*(const Dimension& a, const Dimension& b) {
  return {a.length + b.length, a.force + b.force, a.mass + b.mass, a.time + b.time,
          a.angle + b.angle};
}
[[nodiscard]] constexpr Dimension operator/(const Dimension& a, const Dimension& b) {
  return {a.length - b.length, a.force - b.force, a.mass - b.mass, a.time - b.time,
          a.angle - b.angle};
}

namespace dimension {

inline constexpr Dimension kPure{};
inline constexpr Dimension kLength{.length = 1};
inline constexpr Dimension kForce{.force = 1};
inline constexpr Dimension kMass{.mass = 1};
inline constexpr Dimension kTime{.time = 1};
inline constexpr Dimension kAngle{.angle = 1};
inline constexpr Dimension kArea = kLength * kLength;
inline constexpr Dimension kMoment = kForce * kLength;
inline constexpr Dimension kVelocity = kLength / kTime;
inline constexpr Dimension kAcceleration = kVelocity / kTime;
inline constexpr Dimension kAngularVelocity = kAngle / kTime;
inline constexpr Dimension kStress = kForce / kArea;
inline constexpr Dimension kDensity = kMass / (kArea * kLength);

/// s^exponent.
[[nodiscard]] constexpr Dimension time_to(double exponent) { return {.time = exponent}; }

}  // namespace dimension

/// A unit, and how many SI units it is.
using Unit = std::pair<std::string_view, double>;

/// The units in which a case is written.
struct Units {
  Unit length{"m", 1}, force{"N", 1}, mass{"kg", 1}, time{"s", 1}, angle{"rad", 1};
  /// SI units that one unit of the case is.
  [[nodiscard]] double factor(const Dimension& dimension) const;
  /// The unit of a dimension, "N mm/deg"; "1" of a pure number.
  [[nodiscard]] std::string name(const Dimension& dimension) const;
  /// Lengths, times and angles are in SI.
  [[nodiscard]] bool moves_in_si() const {
    return length.second == 1 && time.second == 1 && angle.second == 1;
  }
};

/// The unit of a dimension in SI, "N m/rad"; "1" of a pure number.
[[nodiscard]] std::string name_unit(const Dimension& dimension);

/// A number of SI in the units of a case, with its unit: "25 mm".
[[nodiscard]] std::string show(double si, const Units& units, const Dimension& dimension);

/// The units that a case may use for a base quantity.
using UnitNames = std::span<const Unit>;
[[nodiscard]] UnitNames length_units();
[[nodiscard]] UnitNames force_units();
[[nodiscard]] UnitNames mass_units();
[[nodiscard]] UnitNames time_units();
[[nodiscard]] UnitNames angle_units();

}  // namespace fem
