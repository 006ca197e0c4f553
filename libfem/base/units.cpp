#include "libfem/base/units.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace fem {
namespace {

constexpr std::array kLengths{Unit{"m", 1},      Unit{"mm", 1e-3}, Unit{"cm", 1e-2},
                              Unit{"km", 1e3},   Unit{"um", 1e-6}, Unit{"in", 0.0254},
                              Unit{"ft", 0.3048}};
constexpr std::array kForces{Unit{"N", 1}, Unit{"mN", 1e-3}, Unit{"kN", 1e3}, Unit{"MN", 1e6},
                             Unit{"lbf", 4.4482216152605}};
constexpr std::array kMasses{Unit{"kg", 1}, Unit{"g", 1e-3}, Unit{"mg", 1e-6}, Unit{"t", 1e3},
                             Unit{"lb", 0.45359237}};
constexpr std::array kTimes{Unit{"s", 1}, Unit{"ms", 1e-3}, Unit{"us", 1e-6}, Unit{"min", 60},
                            Unit{"h", 3600}};
constexpr std::array kAngles{Unit{"rad", 1}, Unit{"deg", std::numbers::pi / 180},
                             Unit{"turn", 2 * std::numbers::pi}, Unit{"mrad", 1e-3}};

std::string power_of(std::string_view unit, double exponent) {
  if (exponent == 1) return std::string(unit);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "^%g", exponent);
  return std::string(unit) + text.data();
}

}  // namespace

std::string name_unit(const Dimension& dimension) { return Units{}.name(dimension); }

std::string Units::name(const Dimension& d) const {
  const std::array<std::pair<std::string_view, double>, 5> parts{{{mass.first, d.mass},
                                                                  {force.first, d.force},
                                                                  {length.first, d.length},
                                                                  {time.first, d.time},
                                                                  {angle.first, d.angle}}};
  std::string above, below;
  for (const auto& [unit, exponent] : parts) {
    if (exponent > 0) (above += above.empty() ? "" : " ") += power_of(unit, exponent);
    if (exponent < 0) (below += below.empty() ? "" : " ") += power_of(unit, -exponent);
  }
  if (below.empty()) return above.empty() ? "1" : above;
  const bool several = below.find(' ') != std::string::npos;
  return (above.empty() ? "1" : above) + "/" + (several ? "(" + below + ")" : below);
}

double Units::factor(const Dimension& d) const {
  const auto power = [](double unit, double exponent) {
    if (exponent == 0 || unit == 1) return 1.0;
    return exponent == 1 ? unit : std::pow(unit, exponent);
  };
  return power(length.second, d.length) * power(force.second, d.force) *
         power(mass.second, d.mass) * power(time.second, d.time) * power(angle.second, d.angle);
}

std::string show(double si, const Units& units, const Dimension& dimension) {
  std::array<char, 32> number{};  // without the last digits, which computing has spoilt
  std::snprintf(number.data(), number.size(), "%.12g", si / units.factor(dimension));
  return dimension == Dimension{} ? number.data() : number.data() + (" " + units.name(dimension));
}

UnitNames length_units() { return kLengths; }
UnitNames force_units() { return kForces; }
UnitNames mass_units() { return kMasses; }
UnitNames time_units() { return kTimes; }
UnitNames angle_units() { return kAngles; }

}  // namespace fem
