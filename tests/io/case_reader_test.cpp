#include "libfem/io/case_reader.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <clocale>
#include <cmath>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/base/error.hpp"
#include "libfem/io/text_file.hpp"
#include "tests/io/case_samples.hpp"

namespace fem {
namespace {

using namespace test;

// Every object that kCase lacks.
constexpr std::string_view kParts = R"({
  "libfem": 1, "gravity": [0.5, -9.81],
  "sections": {"given": {"EA": 7e6, "EI": 60, "GAs": 3e6, "mass_per_length": 2, "inertia_per_length": 0.1,
                         "mass_offset": -0.2, "stiffness_damping": 1e-3, "mass_damping": 0.25,
                         "height": 0.01, "E": 7e10},
               "strip": {"E": 2e11, "poisson": 0.3, "density": 7800,
                         "rectangle": {"width": 0.02, "height": 0.01}}},
  "laws": {"push": {"kind": "constant", "value": 0.5}},
  "points": {"O": [0, 0], "A": [2, 0], "B": [4, 0], "P": [5, 1]},
  "rods": {"upper": {"section": "given", "from": "O", "to": "A", "curvature": -0.5, "elongation": 1e-3},
           "lower": {"section": "strip", "from": "A", "to": "B"}},
  "hinges": {"knee": {"at": "A", "members": ["upper", "lower"],
                      "spring": {"stiffness": 10, "neutral": 0.1, "preload": -2},
                      "damper": {"viscosity": 0.3},
                      "friction": {"coulomb": 1, "static": 1.5, "stribeck_rate": 0.2, "regularization": 1e-2},
                      "stop": {"lower": -1, "upper": 2, "stiffness": 100, "viscosity": 5}},
             "wrist": {"at": "B", "members": ["lower", "hand"],
                       "spring": {"table": [[-1, 5], [0, 0], [2, -1]]}}},
  "supports": {"O": {"fix": ["x", "y", "angle"]}},
  "bodies": {"hub": {"at": "A", "rod": "upper", "mass": 2, "inertia": 0.6, "center": [0.3, -0.4]},
             "hand": {"at": "B", "mass": 1, "inertia": 0.1}},
  "particles": {"ball": {"at": "P", "mass": 3, "velocity": [1, -2, 0]}},
  "springs": {"tie": {"between": ["P", "B"], "stiffness": 50, "viscosity": 0.5, "length": 1.5}},
  "loads": {"tip": {"at": "B", "force": ["push", 2], "moment": "push", "follower": true, "rod": "hand"},
            "wind": {"on": "upper", "force": [[0, 1], [2, 3]], "moment": [4, 5], "factor": "push"},
            "wrench": {"at": "A", "moment": 3, "rod": "lower"}},
  "analysis": {"end": 20}
})";

std::string with_parts(std::string_view from, std::string_view to) {
  return replace(kParts, from, to);
}

// The section "strip" with these keys.
std::string with_strip(const std::string& keys) {
  return with_parts(R"("E": 2e11, "poisson": 0.3, "density": 7800,
                         "rectangle": {"width": 0.02, "height": 0.01})",
                    keys);
}

// ---- what is read

TEST(CaseReader, ReadsEveryValue) {
  const CaseDescription c = read_case(kCase);
  EXPECT_EQ(c.title, "two rods");
  ASSERT_EQ(c.sections.size(), 1U);
  EXPECT_EQ(c.sections[0].axial_stiffness, 7.2e6);
  EXPECT_EQ(c.sections[0].bending_stiffness, 60);
  EXPECT_EQ(c.sections[0].shear_stiffness, 2.8e6);
  EXPECT_EQ(c.sections[0].mass_per_length, 0.28);
  EXPECT_EQ(c.sections[0].inertia_per_length, 2e-6);
  ASSERT_EQ(c.laws.size(), 2U);
  const auto& open = std::get<LinearLaw>(c.laws[0].law);
  EXPECT_EQ(open.times, (std::vector<double>{0, 5}));
  EXPECT_EQ(open.values, (std::vector<double>{0, -3.1}));
  EXPECT_EQ(std::get<ConstantLaw>(c.laws[1].law).value, 0.5);
  EXPECT_EQ(c.points[1].position, (std::array<double, 2>{2, 0}));
  EXPECT_EQ(c.rods[0].section, "bar");
  EXPECT_EQ(c.rods[0].from, "O");
  EXPECT_EQ(c.rods[0].to, "A");
  EXPECT_EQ(c.rods[0].elements, 7);
  EXPECT_EQ(c.rods[0].inertia_field, InertiaField::chord);
  EXPECT_EQ(c.rods[1].elements, 1);
  EXPECT_EQ(c.rods[1].inertia_field, InertiaField::paper);
  EXPECT_EQ(c.hinges[0].at, "A");
  EXPECT_EQ(c.hinges[0].members, (std::array<std::string, 2>{"upper", "lower"}));
  EXPECT_EQ(std::get<std::string>(c.hinges[0].drive.value()), "open");
  EXPECT_EQ(c.supports[0].point, "O");
  EXPECT_TRUE(c.supports[0].fix_x && c.supports[0].fix_y && !c.supports[0].fix_angle);
  EXPECT_EQ(std::get<std::string>(c.supports[0].angle.value()), "hold");
  EXPECT_FALSE(c.supports[0].x || c.supports[0].y || c.supports[0].rod);
  EXPECT_EQ(c.analysis.end, 20);
}

TEST(CaseReader, ReadsGivenSections) {
  const SectionDescription s = read_case(kParts).sections[0];
  EXPECT_EQ(s.axial_stiffness, 7e6);
  EXPECT_EQ(s.inertia_per_length, 0.1);
  EXPECT_EQ(s.mass_offset, -0.2);
  EXPECT_EQ(s.stiffness_damping, 1e-3);
  EXPECT_EQ(s.mass_damping, 0.25);
  EXPECT_EQ(s.height, 0.01);
  EXPECT_EQ(s.modulus, 7e10);
  const SectionDescription plain = read_case(kCase).sections[0];
  EXPECT_EQ(plain.mass_offset, 0);
  EXPECT_EQ(plain.stiffness_damping, 0);
  EXPECT_EQ(plain.mass_damping, 0);
  EXPECT_EQ(plain.height, 0);
  EXPECT_EQ(plain.modulus, 0);
}

TEST(CaseReader, MakesSectionsOfMaterialAndShape) {
  const auto strip = [](const std::string& keys) {
    return read_case(with_strip(keys)).sections[1];
  };
  const SectionDescription s = read_case(kParts).sections[1];
  EXPECT_DOUBLE_EQ(s.axial_stiffness, 2e11 * 2e-4);
  EXPECT_DOUBLE_EQ(s.bending_stiffness, 2e11 * 0.02 * 1e-6 / 12);
  EXPECT_NEAR(s.shear_stiffness, 13.0 / 15.3 * 2e11 / 2.6 * 2e-4, 1);
  EXPECT_DOUBLE_EQ(s.mass_per_length, 7800 * 2e-4);
  EXPECT_DOUBLE_EQ(s.inertia_per_length, 7800 * 0.02 * 1e-6 / 12);
  EXPECT_EQ(s.height, 0.01);
  EXPECT_EQ(s.modulus, 2e11);

  const SectionDescription offset =
      strip(R"("E": 2e11, "G": 8e10, "density": 7800, "mass_offset": 0.1, "mass_damping": 2,
               "rectangle": {"width": 0.02, "height": 0.01})");
  EXPECT_NEAR(offset.shear_stiffness, 12.5 / 14.75 * 8e10 * 2e-4, 1);  // ν = 0.25
  EXPECT_EQ(offset.mass_offset, 0.1);
  EXPECT_EQ(offset.mass_damping, 2);
  EXPECT_NEAR(offset.inertia_per_length, s.inertia_per_length + s.mass_per_length * 0.01, 1e-15);

  const std::string steel = R"("E": 2e11, "poisson": 0.3, "density": 7800, )";
  const auto circle = strip(steel + R"("circle": {"diameter": 0.02})");
  EXPECT_NEAR(circle.axial_stiffness / 2e11, 3.14159265e-4, 1e-12);
  EXPECT_EQ(circle.height, 0.02);
  const auto tube = strip(steel + R"("tube": {"outer": 0.02, "inner": 0.01})");
  EXPECT_NEAR(tube.axial_stiffness / circle.axial_stiffness, 0.75, 1e-14);
  const auto box = strip(steel + R"("box": {"width": 0.02, "height": 0.04, "wall": 1e-3})");
  EXPECT_NEAR(box.axial_stiffness / 2e11, 0.02 * 0.04 - 0.018 * 0.038, 1e-18);
  EXPECT_EQ(box.height, 0.04);
}

TEST(CaseReader, TakesAShearModulusOfAThirdAsItIsWritten) {
  const std::string rubber =
      R"("E": 1e7, "G": 3.333333e6, "density": 1100, "circle": {"diameter": 1})";
  EXPECT_NEAR(read_case(with_strip(rubber)).sections[1].shear_stiffness,
              0.9 * 3.333333e6 * 0.785398, 3);
}

TEST(CaseReader, ReadsGravityAndRods) {
  const CaseDescription c = read_case(kParts);
  EXPECT_EQ(c.gravity, (std::array<double, 2>{0.5, -9.81}));
  EXPECT_EQ(c.rods[0].curvature, -0.5);
  EXPECT_EQ(c.rods[0].elongation, 1e-3);
  EXPECT_EQ(c.rods[1].curvature, 0);
  EXPECT_EQ(c.rods[1].elongation, 0);
  EXPECT_EQ(read_case(kCase).gravity, (std::array<double, 2>{0, 0}));
}

TEST(CaseReader, ReadsThePartsOfHinges) {
  const CaseDescription c = read_case(kParts);
  const HingeDescription& knee = c.hinges[0];
  EXPECT_EQ(knee.spring.value().stiffness, 10);
  EXPECT_EQ(knee.spring->neutral, 0.1);
  EXPECT_EQ(knee.spring->preload, -2);
  EXPECT_TRUE(knee.spring->table.empty());
  EXPECT_EQ(knee.viscosity, 0.3);
  EXPECT_EQ(knee.friction.value().coulomb, 1);
  EXPECT_EQ(knee.friction->static_moment, 1.5);
  EXPECT_EQ(knee.friction->stribeck_rate, 0.2);
  EXPECT_EQ(knee.friction->regularization, 1e-2);
  EXPECT_EQ(knee.stop.value().lower, -1);
  EXPECT_EQ(knee.stop->upper, 2);
  EXPECT_EQ(knee.stop->stiffness, 100);
  EXPECT_EQ(knee.stop->viscosity, 5);
  EXPECT_FALSE(knee.drive);

  const HingeDescription& wrist = c.hinges[1];
  EXPECT_EQ(wrist.members, (std::array<std::string, 2>{"lower", "hand"}));
  EXPECT_EQ(wrist.spring.value().table,
            (std::vector<std::array<double, 2>>{{-1, 5}, {0, 0}, {2, -1}}));
  EXPECT_EQ(wrist.viscosity, 0);
  EXPECT_FALSE(wrist.friction || wrist.stop);
}

// The wrist of kParts with further keys.
std::string with_wrist(const std::string& keys) {
  return with_parts(R"("spring": {"table": [[-1, 5], [0, 0], [2, -1]]})", keys);
}

TEST(CaseReader, ReadsLatchesHoldsAndJams) {
  using Kind = WhenDescription::Kind;
  const HingeDescription wrist =
      read_case(with_wrist(R"("latch": {"angle": 1.5, "spring": {"stiffness": 9, "viscosity": 2}},
          "hold": [{"until": 2}, {"from": {"angle": 0.5}, "until": {"latched": "knee"}},
                   {"from": {"angle": -3, "of": "knee", "delay": 0.25}}],
          "jam": {"at": 7}, "stop": {"lower": -1, "restitution": 0.25})"))
          .hinges[1];
  EXPECT_EQ(wrist.latch.value().angle, 1.5);
  EXPECT_EQ(wrist.latch->spring.value().stiffness, 9);
  EXPECT_EQ(wrist.latch->spring->viscosity, 2);
  ASSERT_EQ(wrist.holds.size(), 3U);
  EXPECT_FALSE(wrist.holds[0].from);
  EXPECT_EQ(wrist.holds[0].until.value().kind, Kind::time);
  EXPECT_EQ(wrist.holds[0].until->value, 2);
  EXPECT_EQ(wrist.holds[1].from.value().kind, Kind::angle);
  EXPECT_EQ(wrist.holds[1].from->value, 0.5);
  EXPECT_EQ(wrist.holds[1].from->hinge, "");
  EXPECT_EQ(wrist.holds[1].from->delay, 0);
  EXPECT_EQ(wrist.holds[1].until.value().kind, Kind::latched);
  EXPECT_EQ(wrist.holds[1].until->hinge, "knee");
  EXPECT_EQ(wrist.holds[2].from.value().hinge, "knee");
  EXPECT_EQ(wrist.holds[2].from->value, -3);
  EXPECT_EQ(wrist.holds[2].from->delay, 0.25);
  EXPECT_FALSE(wrist.holds[2].until);
  EXPECT_EQ(wrist.jam.value().value, 7);
  EXPECT_EQ(wrist.stop.value().restitution, 0.25);
  EXPECT_EQ(wrist.stop->lower, -1);
}

TEST(CaseReader, ReadsOneHoldWithoutAList) {
  const HingeDescription wrist =
      read_case(with_wrist(R"("latch": {"angle": -6}, "hold": {})")).hinges[1];
  EXPECT_FALSE(wrist.latch.value().spring);
  ASSERT_EQ(wrist.holds.size(), 1U);
  EXPECT_FALSE(wrist.holds[0].from || wrist.holds[0].until);
  EXPECT_FALSE(wrist.jam);
}

TEST(CaseReader, DefaultsOfTheHingeParts) {
  const auto c = read_case(with_parts(R"("spring": {"table": [[-1, 5], [0, 0], [2, -1]]})",
                                      R"("spring": {"stiffness": -3}, "friction": {"coulomb": 2},
                    "stop": {"upper": 1, "stiffness": 9})"));
  const HingeDescription& wrist = c.hinges[1];
  EXPECT_EQ(wrist.spring.value().stiffness, -3);
  EXPECT_EQ(wrist.spring->neutral, 0);
  EXPECT_EQ(wrist.spring->preload, 0);
  EXPECT_EQ(wrist.friction.value().coulomb, 2);
  EXPECT_EQ(wrist.friction->static_moment, 0);
  EXPECT_EQ(wrist.friction->stribeck_rate, HingeFrictionDescription{}.stribeck_rate);
  EXPECT_EQ(wrist.friction->regularization, HingeFrictionDescription{}.regularization);
  EXPECT_FALSE(wrist.stop.value().lower);
  EXPECT_EQ(wrist.stop->upper, 1);
  EXPECT_EQ(wrist.stop->viscosity, 0);
}

TEST(CaseReader, ReadsBodiesParticlesAndSprings) {
  const CaseDescription c = read_case(kParts);
  EXPECT_EQ(c.bodies[0].name, "hub");
  EXPECT_EQ(c.bodies[0].at, "A");
  EXPECT_EQ(c.bodies[0].rod, "upper");
  EXPECT_EQ(c.bodies[0].mass, 2);
  EXPECT_EQ(c.bodies[0].inertia, 0.6);
  EXPECT_EQ(c.bodies[0].center, (std::array<double, 2>{0.3, -0.4}));
  EXPECT_FALSE(c.bodies[1].rod);
  EXPECT_EQ(c.bodies[1].center, (std::array<double, 2>{0, 0}));
  EXPECT_EQ(c.particles[0].name, "ball");
  EXPECT_EQ(c.particles[0].at, "P");
  EXPECT_EQ(c.particles[0].mass, 3);
  EXPECT_EQ(c.particles[0].velocity, (std::array<double, 3>{1, -2, 0}));
  EXPECT_EQ(c.springs[0].name, "tie");
  EXPECT_EQ(c.springs[0].between, (std::array<std::string, 2>{"P", "B"}));
  EXPECT_EQ(c.springs[0].stiffness, 50);
  EXPECT_EQ(c.springs[0].viscosity, 0.5);
  EXPECT_EQ(c.springs[0].length, 1.5);

  const CaseDescription d = read_case(replace(with_parts(R"(, "velocity": [1, -2, 0])", ""),
                                              R"("stiffness": 50, "viscosity": 0.5, "length": 1.5)",
                                              R"("viscosity": 0.5)"));
  EXPECT_EQ(d.particles[0].velocity, (std::array<double, 3>{}));
  EXPECT_EQ(d.springs[0].stiffness, 0);
  EXPECT_FALSE(d.springs[0].length);
  EXPECT_EQ(read_case(with_parts("[1, -2, 0]", "[1, -2]")).particles[0].velocity[1], -2);
}

TEST(CaseReader, ReadsLoads) {
  const CaseDescription c = read_case(kParts);
  ASSERT_EQ(c.point_loads.size(), 2U);
  const PointLoadDescription& tip = c.point_loads[0];
  EXPECT_EQ(tip.name, "tip");
  EXPECT_EQ(tip.at, "B");
  EXPECT_EQ(tip.force, (std::array<LawReference, 3>{"push", 2.0, 0.0}));
  EXPECT_EQ(tip.moment, LawReference("push"));
  EXPECT_TRUE(tip.follower);
  EXPECT_EQ(tip.rod, "hand");
  const PointLoadDescription& wrench = c.point_loads[1];
  EXPECT_EQ(wrench.name, "wrench");
  EXPECT_EQ(wrench.force, (std::array<LawReference, 3>{0.0, 0.0, 0.0}));
  EXPECT_EQ(wrench.moment, LawReference(3.0));
  EXPECT_FALSE(wrench.follower);
  ASSERT_EQ(c.rod_loads.size(), 1U);
  const RodLoadDescription& wind = c.rod_loads[0];
  EXPECT_EQ(wind.name, "wind");
  EXPECT_EQ(wind.on, "upper");
  EXPECT_EQ(wind.force, (std::array<std::array<double, 2>, 2>{{{0, 1}, {2, 3}}}));
  EXPECT_EQ(wind.moment, (std::array<double, 2>{4, 5}));
  EXPECT_EQ(wind.factor, LawReference("push"));
  const auto d = read_case(with_parts(R"(, "moment": [4, 5], "factor": "push")", ""));
  EXPECT_EQ(d.rod_loads[0].factor, LawReference(1.0));
  EXPECT_EQ(d.rod_loads[0].moment, (std::array<double, 2>{0, 0}));
}

TEST(CaseReader, RodsAndSectionsMayBeAbsent) {
  const CaseDescription c = read_case(R"({"libfem": 1, "points": {"P": [0, 1]},
      "particles": {"m": {"at": "P", "mass": 1}}, "analysis": {"end": 1}})");
  EXPECT_EQ(c.particles.size(), 1U);
  EXPECT_TRUE(c.rods.empty() && c.sections.empty());
}

TEST(CaseReader, KeepsTheOrderOfTheFile) {
  const CaseDescription c = read_case(kCase);
  const auto names = [](const auto& items) {
    Words result;
    for (const auto& item : items) result.push_back(item.name);
    return result;
  };
  EXPECT_EQ(names(c.points), (Words{"O", "A", "B"}));
  EXPECT_EQ(names(c.rods), (Words{"upper", "lower"}));
  EXPECT_EQ(names(c.laws), (Words{"open", "hold"}));
}

TEST(CaseReader, DefaultsOfTheAnalysis) {
  const AnalysisDescription a = read_case(kCase).analysis;
  EXPECT_EQ(a.output_every, 20.0 / 200);
  EXPECT_EQ(a.method.local_tolerance, ArcLengthDescription{}.local_tolerance);
  EXPECT_EQ(a.method.metric, Metric::scaled);
  EXPECT_FALSE(a.method.reference_length || a.method.reference_time);
}

TEST(CaseReader, ReadsTheMethodAndTheOutput) {
  const AnalysisDescription a =
      read_case(with(R"("end": 20)",
                     R"("output": {"every": 0.5}, "end": 20, "method": {"kind": "arc_length",
        "local_tolerance": 1e-6, "iteration_tolerance": 1e-9, "frequency_limit": 1.7,
        "metric": "plain", "reference_length": 3, "reference_time": 4})"))
          .analysis;
  EXPECT_EQ(a.output_every, 0.5);
  EXPECT_EQ(a.method.local_tolerance, 1e-6);
  EXPECT_EQ(a.method.iteration_tolerance, 1e-9);
  EXPECT_EQ(a.method.frequency_limit, 1.7);
  EXPECT_EQ(a.method.metric, Metric::plain);
  EXPECT_EQ(a.method.reference_length, 3);
  EXPECT_EQ(a.method.reference_time, 4);
}

TEST(CaseReader, TheMethodIsArcLengthUnlessItSaysOtherwise) {
  const auto a = read_case(with("\"end\"", R"("method": {"metric": "plain"}, "end")")).analysis;
  EXPECT_EQ(a.method.metric, Metric::plain);
}

TEST(CaseReader, ANumberStandsForAConstantLaw) {
  const auto c = read_case(with(R"("fix": ["x", "y"])", R"("fix": ["x"], "y": 0.25)"));
  EXPECT_EQ(std::get<double>(c.supports[0].y.value()), 0.25);
}

TEST(CaseReader, ReadsASmoothLaw) {
  const auto c = read_case(with("linear", "smooth"));
  EXPECT_EQ(std::get<SmoothLaw>(c.laws[0].law).times, (std::vector<double>{0, 5}));
}

// kCase with this law in the place of "hold".
std::string with_law(const std::string& law) {
  return with(R"({"kind": "constant", "value": 0.5})", law);
}

template <class AnyLaw>
AnyLaw read_law_of_kind(const std::string& text) {
  return std::get<AnyLaw>(read_case(with_law(text)).laws[1].law);
}

TEST(CaseReader, ReadsALawOfEveryKind) {
  EXPECT_EQ(read_law_of_kind<StepsLaw>(R"({"kind": "steps", "points": [[1, 2], [3, 4]]})"),
            (StepsLaw{{1, 3}, {2, 4}}));
  EXPECT_EQ(read_law_of_kind<HarmonicLaw>(
                R"({"kind": "harmonic", "amplitude": 1, "angular_frequency": 2})"),
            (HarmonicLaw{.amplitude = 1, .angular_frequency = 2}));
  EXPECT_EQ(read_law_of_kind<HarmonicLaw>(
                R"({"kind": "harmonic", "amplitude": 1, "angular_frequency": 2,
                    "phase": 3, "mean": 4, "start": 5, "end": 6})"),
            (HarmonicLaw{1, 2, 3, 4, {5, 6}}));
  EXPECT_EQ(
      read_law_of_kind<PolynomialLaw>(R"({"kind": "polynomial", "coefficients": [1, 0, -2]})"),
      (PolynomialLaw{.coefficients = {1, 0, -2}}));
  EXPECT_EQ(read_law_of_kind<PolynomialLaw>(
                R"({"kind": "polynomial", "coefficients": [1], "start": 2, "end": 3})"),
            (PolynomialLaw{{1}, {2, 3}}));
  EXPECT_EQ(read_law_of_kind<SumLaw>(
                R"({"kind": "sum", "terms": [{"kind": "constant", "value": 1},
                                             {"kind": "linear", "points": [[0, 2]]}]})"),
            (SumLaw{{ConstantLaw{1}, LinearLaw{{0}, {2}}}}));
}

TEST(CaseReader, ReadsInitialVelocities) {
  const auto c = read_case(with(
      R"("analysis")",
      R"("initial": {"velocity": {"A": [1, -2], "O": [0, 3]}, "rate": {"hub": 4}}, "analysis")"));
  ASSERT_EQ(c.initial.velocities.size(), 2U);
  EXPECT_EQ(c.initial.velocities[0].name, "A");
  EXPECT_EQ(c.initial.velocities[0].velocity, (std::array{1.0, -2.0, 0.0}));
  EXPECT_EQ(c.initial.velocities[1].velocity, (std::array{0.0, 3.0, 0.0}));
  ASSERT_EQ(c.initial.rates.size(), 1U);
  EXPECT_EQ(c.initial.rates[0].name, "hub");
  EXPECT_EQ(c.initial.rates[0].rate, 4);
}

TEST(CaseReader, AllowsComments) {
  EXPECT_TRUE(problems_of("// first\n" + with("\"libfem\"", "/* here */ \"libfem\"") +
                          "// last, no newline")
                  .empty());
}

TEST(CaseReader, TakesWholeNumbersInAnySpelling) {
  EXPECT_EQ(read_case(with("\"elements\": 7", "\"elements\": 7.0")).rods[0].elements, 7);
  EXPECT_EQ(read_case(with("\"elements\": 7", "\"elements\": 1e7")).rods[0].elements, 10'000'000);
}

TEST(CaseReader, ReadsTheNearestDouble) {
  const auto value = [](const std::string& number) {
    const auto c = read_case(with("\"value\": 0.5", "\"value\": " + number));
    return std::get<ConstantLaw>(c.laws[1].law).value;
  };
  EXPECT_EQ(value("2.3333333333333333e-6"), 2.3333333333333333e-6);
  // Halfway between 1 and its neighbour but for the last digit: rounds up, if not rounded twice.
  EXPECT_EQ(value("1.0000000000000001110223024625156541"), std::nextafter(1.0, 2.0));
  EXPECT_EQ(value("1e-999"), 0);
  EXPECT_EQ(value("18446744073709551617"), 18446744073709551616.0);
}

TEST(CaseReader, ReadsTheCasesOfTheRepository) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FEM_SOURCE_DIR "/cases")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path());
    EXPECT_NO_THROW(static_cast<void>(read_case(load_text(entry.path()))));
    ++count;
  }
  EXPECT_GE(count, 2);
}

TEST(CaseReader, ReadsTheExamplesOfTheDocumentation) {
  const std::string page = load_text(FEM_SOURCE_DIR "/docs/case-format.md");
  const std::string fence = "```jsonc\n";
  int count = 0;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    const std::string example = page.substr(at, page.find("```", at) - at);
    EXPECT_NO_THROW(static_cast<void>(read_case(example))) << example;
    ++count;
  }
  EXPECT_EQ(count, 2);
}

TEST(CaseReader, TheLocaleDoesNotMatter) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const bool has_comma = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr ||
                         std::setlocale(LC_ALL, "fr_FR.UTF-8") != nullptr ||
                         std::setlocale(LC_ALL, "ru_RU.UTF-8") != nullptr;
  if (!has_comma) GTEST_SKIP() << "no locale with a decimal comma is installed";
  const double mass = read_case(kCase).sections[0].mass_per_length;
  const auto problems = problems_of(with("\"end\": 20", "\"end\": -2.5"));
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(mass, 0.28);
  ASSERT_EQ(problems.size(), 1U);
  expect_words(problems[0], "/analysis/end", {"-2.5"}, {});
}

// ---- the objects

TEST(CaseReaderObjects, RootIsAnObject) {
  expect_problem("[1, 2]", "", {"a list of 2"}, {"object"});
  expect_problem("3", "", {"3"}, {"object"});
}

TEST(CaseReaderObjects, MissingKeys) {
  const auto problems = problems_of("{}");
  ASSERT_EQ(problems.size(), 4U);
  const Words keys{"libfem", "points", "analysis"};
  for (std::size_t i = 0; i < keys.size(); ++i)
    expect_words(problems[i], "", {keys[i], "missing"}, {"add it"});
  expect_words(problems[3], "", {"nothing that moves"}, {"rods", "bodies", "particles"});
  expect_problem(with("\"EI\": 60, ", ""), "/sections/bar", {"'EI'", "missing"},
                 {"greater than 0"});
  expect_problem(with("\"kind\": \"constant\", ", ""), "/laws/hold", {"'kind'"}, {"linear"});
  expect_problem(with(", \"value\": 0.5", ""), "/laws/hold", {"'value'"}, {"number"});
  expect_problem(with("\"section\": \"bar\", ", ""), "/rods/upper", {"'section'"}, {"section"});
  expect_problem(with("\"from\": \"O\", ", ""), "/rods/upper", {"'from'"}, {"point"});
  expect_problem(with(", \"to\": \"A\"", ""), "/rods/upper", {"'to'"}, {"point"});
  expect_problem(with("\"at\": \"A\", ", ""), "/hinges/knee", {"'at'"}, {"point"});
  expect_problem(with(R"("members": ["upper", "lower"], )", ""), "/hinges/knee", {"'members'"},
                 {"two"});
  expect_problem(with("\"end\": 20", ""), "/analysis", {"'end'"}, {"greater than 0"});
}

TEST(CaseReaderObjects, UnknownKeysNameTheNearest) {
  expect_problem(with("\"title\"", "\"titel\""), "/titel", {"unknown key", "\"titel\""},
                 {"did you mean 'title'?",
                  "allowed: libfem, $schema, units, include, title, gravity, frame, sections"});
  expect_problem(with("\"drive\"", "\"Drive\""), "/hinges/knee/Drive", {"unknown"},
                 {"did you mean 'drive'?"});
  expect_problem(with("\"elements\"", "\"element\""), "/rods/upper/element", {"unknown"},
                 {"'elements'"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"ouput\": {}"), "/analysis/ouput", {},
                 {"'output'"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"output\": {\"evry\": 1}"),
                 "/analysis/output/evry", {}, {"'every'"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"method\": {\"metrics\": 1}"),
                 "/analysis/method/metrics", {}, {"'metric'"});
  const auto problems = problems_of(with("\"points\": {", "\"point\": {"));
  ASSERT_EQ(problems.size(), 2U);
  expect_words(problems[1], "/point", {"unknown"}, {"did you mean 'points'?"});
}

TEST(CaseReaderObjects, UnknownKeysFarFromAllNameNone) {
  const auto problems = problems_of(with("\"title\"", "\"zzzzz\""));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].remedy.find("did you mean"), std::string::npos);
  expect_problem(with("\"title\"", "\"" + std::string(1'000'000, 't') + "\""),
                 "/" + std::string(1'000'000, 't'), {"unknown", "…"}, {"allowed"});
}

TEST(CaseReaderObjects, PointersAreEscaped) {
  expect_problem(with("\"title\"", "\"a/b~c\""), "/a~1b~0c", {"\"a/b~c\""}, {"allowed"});
}

TEST(CaseReaderObjects, KeysOfTheFormatThatThisVersionLacks) {
  expect_problem(with("\"kind\": \"linear\"", "\"kind\": \"spline\""), "/laws/open/kind",
                 {"spline"}, {"allowed: constant, linear", "table, expression"});
}

TEST(CaseReaderObjects, LongSteps) {
  const auto method = [](const std::string& keys) {
    return with("\"end\": 20", R"("end": 20, "method": {"kind": "generalized_alpha")" + keys + "}");
  };
  const auto read = [&](const std::string& keys) {
    const auto m = read_case(method(keys)).analysis.long_steps;
    EXPECT_TRUE(m.has_value());
    return m.value_or(GeneralizedAlphaDescription{});
  };
  EXPECT_EQ(read("").spectral_radius, 0.9);
  EXPECT_EQ(read("").tolerance, 1e-9);
  EXPECT_FALSE(read("").step.has_value());
  EXPECT_EQ(read(R"(, "spectral_radius": 1, "tolerance": 1e-6)").spectral_radius, 1);
  EXPECT_EQ(read(R"(, "spectral_radius": 0, "tolerance": 1e-6)").tolerance, 1e-6);
  EXPECT_EQ(read(R"(, "step": 1e-3)").step, 1e-3);
  const std::string place = "/analysis/method";
  expect_problem(method(R"(, "spectral_radius": 1.1)"), place + "/spectral_radius", {"1.1"},
                 {"from 0 to 1"});
  expect_problem(method(R"(, "step": 0)"), place + "/step", {"0"}, {"greater than 0"});
  expect_problem(method(R"(, "tolerance": -1)"), place + "/tolerance", {"-1"}, {"greater than 0"});
  expect_problem(method(R"(, "step": 1e-3, "tolerance": 1e-6)"), place + "/tolerance",
                 {"given length"}, {"one of"});
  expect_problem(method(R"(, "metric": "plain")"), place + "/metric", {"unknown"}, {"allowed"});
}

TEST(CaseReaderObjects, WrongInitialVelocities) {
  const auto initial = [](const std::string& text) {
    return with(R"("analysis")", R"("initial": )" + text + R"(, "analysis")");
  };
  expect_problem(initial("[]"), "/initial", {"a list of 0"}, {"object"});
  expect_problem(initial(R"({"velocity": "still"})"), "/initial/velocity", {"\"still\""},
                 {"\"rest\"", "\"consistent\"", "keyed by points"});
  expect_problem(initial(R"({"velocity": {"A": 1}})"), "/initial/velocity/A", {"1"}, {"[x, y]"});
  expect_problem(initial(R"({"rate": {"A": [1, 2]}})"), "/initial/rate/A", {"a list of 2"},
                 {"number"});
  expect_problem(initial(R"({"rates": {}})"), "/initial/rates", {"unknown"}, {"rate"});
  expect_problem(initial(R"({"from": 3})"), "/initial/from", {"3"}, {"path of a results file"});
}

TEST(CaseReaderObjects, WrongLaws) {
  const std::string at = "/laws/hold";
  expect_problem(with_law(R"({"kind": "harmonic", "amplitude": 1, "angular_frequency": 0})"),
                 at + "/angular_frequency", {"0"}, {"greater than 0"});
  expect_problem(with_law(R"({"kind": "harmonic", "angular_frequency": 1})"), at, {"'amplitude'"},
                 {"number"});
  expect_problem(with_law(R"({"kind": "polynomial", "coefficients": []})"), at + "/coefficients",
                 {"a list of 0"}, {"a list of numbers"});
  expect_problem(with_law(R"({"kind": "polynomial", "coefficients": [1, "2"]})"),
                 at + "/coefficients/1", {"\"2\""}, {"number"});
  expect_problem(with_law(R"({"kind": "polynomial", "coefficients": [1], "start": 2, "end": 2})"),
                 at + "/end", {"2"}, {"greater than start"});
  expect_problem(with_law(R"({"kind": "sum", "terms": []})"), at + "/terms", {"a list of 0"},
                 {"a list of laws"});
  expect_problem(with_law(R"({"kind": "sum", "terms": ["open"]})"), at + "/terms/0", {"\"open\""},
                 {"object"});
  expect_problem(with_law(R"({"kind": "sum", "terms": [{"kind": "sum", "terms": []}]})"),
                 at + "/terms/0/kind", {"\"sum\""}, {"polynomial"});
  expect_problem(
      with_law(R"({"kind": "sum", "terms": [{"kind": "constant", "value": 1, "time": 2}]})"),
      at + "/terms/0/time", {"unknown"}, {"value"});
}

TEST(CaseReaderObjects, FormatVersion) {
  expect_problem(with("\"libfem\": 1", "\"libfem\": 2"), "/libfem", {"2"},
                 {"must be 1", "version"});
  expect_problem(with("\"libfem\": 1", "\"libfem\": \"1\""), "/libfem", {"\"1\""}, {"must be 1"});
  expect_problem(with("\"libfem\": 1", "\"libfem\": true"), "/libfem", {"true"}, {"must be 1"});
}

TEST(CaseReaderObjects, WrongTypes) {
  expect_problem(with("\"two rods\"", "null"), "/title", {"null"}, {"a text"});
  expect_problem(with("\"EI\": 60", "\"EI\": \"60\""), "/sections/bar/EI", {"\"60\""},
                 {"a number"});
  expect_problem(with("\"EI\": 60", "\"EI\": true"), "/sections/bar/EI", {"true"}, {"a number"});
  expect_problem(with("\"B\": [0, 1]", "\"B\": {}"), "/points/B", {"an object"}, {"[x, y]"});
  expect_problem(with("\"B\": [0, 1]", "\"B\": [0, 1, 2, 3]"), "/points/B", {"a list of 4"},
                 {"[x, y]"});
  expect_problem(with("\"B\": [0, 1]", "\"B\": [0, \"1\"]"), "/points/B/1", {"\"1\""},
                 {"finite number"});
  expect_problem(with("\"section\": \"bar\"", "\"section\": 1"), "/rods/upper/section", {"1"},
                 {"section"});
  expect_problem(with("\"at\": \"A\"", "\"at\": [2, 0]"), "/hinges/knee/at", {"a list of 2"},
                 {"point"});
  expect_problem(with("\"drive\": \"open\"", "\"drive\": []"), "/hinges/knee/drive", {"a list"},
                 {"number", "law"});
  expect_problem(with("\"angle\": \"hold\"", "\"angle\": null"), "/supports/O/angle", {"null"},
                 {"number", "law"});
  expect_problem(with("\"angle\": \"hold\"", "\"rod\": 1"), "/supports/O/rod", {"1"}, {"rod"});
  expect_problem(with("{\"kind\": \"constant\", \"value\": 0.5}", "0.5"), "/laws/hold", {"0.5"},
                 {"object"});
  expect_problem(with("{\"end\": 20}", "20"), "/analysis", {"20"}, {"object"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"method\": \"arc_length\""), "/analysis/method",
                 {"arc_length"}, {"object"});
  expect_problem(with(R"({"O": {"fix": ["x", "y"], "angle": "hold"}})", "[]"), "/supports",
                 {"a list of 0"}, {"keyed by name"});
}

TEST(CaseReaderObjects, WrongWords) {
  expect_problem(with("\"paper\"", "\"papre\""), "/rods/lower/inertia_field", {"\"papre\""},
                 {"did you mean 'paper'?", "chord, paper"});
  expect_problem(with("\"paper\"", "1"), "/rods/lower/inertia_field", {"1"}, {"chord, paper"});
  expect_problem(with("\"linear\"", "\"Linear\""), "/laws/open/kind", {"\"Linear\""},
                 {"did you mean 'linear'?"});
  expect_problem(with("[\"x\", \"y\"]", "[\"x\", \"w\"]"), "/supports/O/fix/1", {"\"w\""},
                 {"x, y, z, angle"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"method\": {\"metric\": \"plane\"}"),
                 "/analysis/method/metric", {"\"plane\""}, {"did you mean 'plain'?"});
  expect_problem(with("\"end\": 20", "\"end\": 20, \"method\": {\"kind\": \"arclength\"}"),
                 "/analysis/method/kind", {"\"arclength\""}, {"'arc_length'"});
}

TEST(CaseReaderObjects, SectionRanges) {
  for (const std::string value : {"0", "-1", "1e-310"}) {
    const auto expect_positive = [&](const std::string& key, const std::string& good) {
      expect_problem(with(good, value), "/sections/bar/" + key, {value}, {"greater than 0"});
    };
    expect_positive("EA", "7.2e6");
    expect_positive("EI", "60");
    expect_positive("GAs", "2.8e6");
    expect_positive("mass_per_length", "0.28");
  }
  expect_problem(with("2e-6", "-2e-6"), "/sections/bar/inertia_per_length", {"-2e-06"},
                 {"not less than 0"});
  EXPECT_TRUE(problems_of(with("2e-6", "0")).empty());
}

TEST(CaseReaderObjects, Elements) {
  for (const std::string value : {"0", "-3", "10000001", "1e30", "7.5", "\"7\""}) {
    expect_problem(with("\"elements\": 7", "\"elements\": " + value), "/rods/upper/elements", {},
                   {"integer from 1 to 10000000"});
  }
}

TEST(CaseReaderObjects, LawPoints) {
  expect_problem(with("[[0, 0], [5, -3.1]]", "[]"), "/laws/open/points", {"a list of 0"},
                 {"at least one"});
  expect_problem(with("[[0, 0], [5, -3.1]]", "[0]"), "/laws/open/points/0", {}, {});
  expect_problem(with("[5, -3.1]", "[0, -3.1]"), "/laws/open/points/1/0", {"0"},
                 {"increase strictly"});
  expect_problem(with("[5, -3.1]", "[-1, 2]"), "/laws/open/points/1/0", {"-1", "0"},
                 {"increase strictly"});
  expect_problem(with("[5, -3.1]", "[5]"), "/laws/open/points/1", {"a list of 1"},
                 {"[time, value]"});
  expect_problem(with("\"value\": 0.5", "\"value\": 0.5, \"points\": []"), "/laws/hold/points",
                 {"unknown"}, {"kind, value"});
}

TEST(CaseReaderObjects, HingeMembers) {
  expect_problem(with("[\"upper\", \"lower\"]", "[\"upper\"]"), "/hinges/knee/members",
                 {"a list of 1"}, {"two"});
  expect_problem(with("[\"upper\", \"lower\"]", "[\"upper\", \"upper\"]"), "/hinges/knee/members",
                 {"\"upper\""}, {"different"});
  expect_problem(with("[\"upper\", \"lower\"]", "[\"upper\", 2]"), "/hinges/knee/members/1", {"2"},
                 {"rod"});
}

TEST(CaseReaderObjects, Supports) {
  const std::string support = R"("fix": ["x", "y"], "angle": "hold")";
  expect_problem(with(support, ""), "/supports/O", {"holds nothing"}, {"x, y, z, angle"});
  expect_problem(with(support, R"("fix": [], "rod": "upper")"), "/supports/O", {"holds nothing"},
                 {});
  expect_problem(with(support, R"("fix": ["x", "x"])"), "/supports/O/fix/1", {"repeated"},
                 {"once"});
  expect_problem(with(support, R"("fix": ["x"], "x": 0)"), "/supports/O/x",
                 {"fixed and prescribed"}, {"remove"});
  expect_problem(with(support, R"("fix": ["y"], "y": 0)"), "/supports/O/y",
                 {"fixed and prescribed"}, {});
  expect_problem(with(support, R"("fix": ["angle"], "angle": 0)"), "/supports/O/angle", {"fixed"},
                 {});
  expect_problem(with(support, R"("fix": "x")"), "/supports/O/fix", {"\"x\""}, {"list"});
  EXPECT_TRUE(problems_of(with(support, R"("x": 0)")).empty());
}

TEST(CaseReaderObjects, Gravity) {
  expect_problem(with_parts("[0.5, -9.81]", "-9.81"), "/gravity", {"-9.81"}, {"[x, y]"});
  expect_problem(with_parts("[0.5, -9.81]", "[0.5, -9.81, 0, 1]"), "/gravity", {"a list of 4"},
                 {"[x, y]"});
}

TEST(CaseReaderObjects, GivenSections) {
  const std::string at = "/sections/given/";
  expect_problem(with_parts("1e-3, \"mass_damping\"", "-1e-3, \"mass_damping\""),
                 at + "stiffness_damping", {"-0.001"}, {"not less than 0"});
  expect_problem(with_parts("0.25", "-0.25"), at + "mass_damping", {"-0.25"}, {"not less than 0"});
  expect_problem(with_parts("\"height\": 0.01", "\"height\": 0"), at + "height", {"0"},
                 {"greater than 0"});
  expect_problem(with_parts(", \"E\": 7e10", ""), "/sections/given", {"'E'", "missing"},
                 {"greater than 0"});
  expect_problem(with_parts("\"height\": 0.01, ", ""), "/sections/given", {"'height'"}, {});
  expect_problem(with_parts("\"EI\": 60, ", ""), "/sections/given", {"'EI'", "missing"}, {});
  // m y_c² = 0.08 about the axis, of which rounding makes 0.08000000000000002.
  expect_problem(with_parts("\"inertia_per_length\": 0.1", "\"inertia_per_length\": 0.079"),
                 at + "inertia_per_length", {"0.079", "offset"}, {"axis", "0.08"});
  EXPECT_TRUE(problems_of(with_parts("\"inertia_per_length\": 0.1", "\"inertia_per_length\": 0.08"))
                  .empty());
  expect_problem(with_parts("\"mass_damping\"", "\"mass_dampin\""), at + "mass_dampin", {"unknown"},
                 {"did you mean 'mass_damping'?"});
}

TEST(CaseReaderObjects, SectionsAreEitherGivenOrShaped) {
  expect_problem(with("\"EA\"", "\"density\": 1, \"EA\""), "/sections/bar", {"beside"},
                 {"either EA", "rectangle"});
  expect_problem(with_strip(""), "/sections/strip", {"neither"}, {"either EA", "rectangle"});
  expect_problem(with_strip("\"E\": 1, \"mass_offset\": 1"), "/sections/strip", {"neither"}, {});
  // Other keys are read all the same.
  EXPECT_EQ(problems_of(with_strip(R"("mass_offset": "x", "EA": 1, "G": 1)")).size(), 2U);
}

TEST(CaseReaderObjects, Materials) {
  const auto material = [](const std::string& keys) {
    return with_strip(keys + R"(, "circle": {"diameter": 1})");
  };
  const std::string at = "/sections/strip";
  expect_problem(material(R"("E": 1, "poisson": 0)"), at, {"'density'"}, {"greater than 0"});
  expect_problem(material(R"("density": 1, "poisson": 0)"), at, {"'E'"}, {"greater than 0"});
  expect_problem(material(R"("E": 1, "density": 1)"), at, {"poisson, G", "missing"}, {"add one"});
  expect_problem(material(R"("E": 1, "density": 1, "G": 0.4, "poisson": 0.25)"), at + "/G",
                 {"poisson, G", "exclude"}, {"keep one"});
  for (const std::string value : {"-1", "0.51", "2"}) {
    expect_problem(material(R"("E": 1, "density": 1, "poisson": )" + value), at + "/poisson",
                   {value}, {"greater than -1", "at most 0.5"});
  }
  EXPECT_TRUE(problems_of(material(R"("E": 1, "density": 1, "poisson": 0.5)")).empty());
  EXPECT_TRUE(problems_of(material(R"("E": 1, "density": 1, "poisson": -0.5)")).empty());
  expect_problem(material(R"("E": 3, "density": 1, "G": 0.5)"), at + "/G",
                 {"0.5", "Poisson's ratio", "= 2"}, {"at least E/3 = 1", "EA, EI, GAs"});
  expect_problem(material(R"("E": 3, "density": 1, "G": 1e30)"), at + "/G", {"= -1"}, {});
  expect_problem(material(R"("E": 1e999, "density": 1, "G": 1)"), at + "/E", {"not finite"}, {});
  expect_problem(material(R"("E": 1e-200, "density": 1e-200, "G": 0.5e-200, "height": 1)"),
                 at + "/height", {"unknown"}, {"rectangle, circle, tube, box"});
  expect_problem(
      with_strip(R"("E": 1, "density": 1, "poisson": 0, "circle": {"diameter": 1e-200})"), at,
      {"range of numbers"}, {"units"});
}

TEST(CaseReaderObjects, Shapes) {
  const auto shape = [](const std::string& keys) {
    return with_strip(R"("E": 1, "poisson": 0, "density": 1)" + keys);
  };
  const std::string at = "/sections/strip";
  expect_problem(shape(""), at, {"rectangle, circle, tube, box", "missing"}, {"add one"});
  expect_problem(
      shape(R"(, "box": {"width": 1, "height": 1, "wall": 0.1}, "circle": {"diameter": 1})"),
      at + "/box", {"circle, box", "exclude"}, {"keep one"});
  expect_problem(shape(R"(, "rectangle": {"width": 1})"), at + "/rectangle", {"'height'"}, {});
  expect_problem(shape(R"(, "rectangle": {"width": 0, "height": 1})"), at + "/rectangle/width",
                 {"0"}, {"greater than 0"});
  expect_problem(shape(R"(, "rectangle": [1, 1])"), at + "/rectangle", {"a list of 2"}, {"object"});
  expect_problem(shape(R"(, "circle": {"radius": 1, "diameter": 2})"), at + "/circle/radius",
                 {"unknown"}, {"diameter"});
  expect_problem(shape(R"(, "tube": {"outer": 1, "inner": 1})"), at + "/tube/inner",
                 {"1", "no wall"}, {"less than outer, 1"});
  expect_problem(shape(R"(, "tube": {"outer": 1, "inner": -1})"), at + "/tube/inner", {"-1"},
                 {"not less than 0"});
  EXPECT_TRUE(problems_of(shape(R"(, "tube": {"outer": 1, "inner": 0})")).empty());
  expect_problem(shape(R"(, "box": {"width": 3, "height": 1, "wall": 0.5})"), at + "/box/wall",
                 {"0.5", "no hole"}, {"less than half", "0.5"});
  expect_problem(shape(R"(, "box": {"width": 1e999, "height": 1, "wall": 9})"), at + "/box/width",
                 {"not finite"}, {});
}

TEST(CaseReaderObjects, RodStrains) {
  expect_problem(with_parts("\"elongation\": 1e-3", "\"elongation\": -1"), "/rods/upper/elongation",
                 {"-1"}, {"greater than -1"});
  expect_problem(with_parts("\"curvature\": -0.5", "\"curvature\": [0.5]"), "/rods/upper/curvature",
                 {"a list"}, {"finite number"});
}

TEST(CaseReaderObjects, HingeSprings) {
  const auto spring = [](const std::string& keys) {
    return with_parts(R"("stiffness": 10, "neutral": 0.1, "preload": -2)", keys);
  };
  const std::string at = "/hinges/knee/spring";
  expect_problem(spring(""), at, {"stiffness, table", "missing"}, {"add one"});
  expect_problem(spring(R"("stiffness": 1, "table": [[0, 0], [1, 1]])"), at + "/table", {"exclude"},
                 {"keep one"});
  expect_problem(spring(R"("neutral": 1, "table": [[0, 0], [1, 1]])"), at + "/neutral", {"unknown"},
                 {"table"});
  expect_problem(spring(R"("table": [[0, 0]])"), at + "/table", {"a list of 1"},
                 {"[angle, moment]", "at least two"});
  expect_problem(spring(R"("table": [[0, 0], [0, 1]])"), at + "/table/1/0", {"angle 0"},
                 {"increase strictly"});
  expect_problem(spring(R"("table": [[0, 0], [1]])"), at + "/table/1", {"a list of 1"},
                 {"[angle, moment]"});
  expect_problem(spring(R"("stiffness": "1")"), at + "/stiffness", {"\"1\""}, {"finite number"});
}

TEST(CaseReaderObjects, HingeDampersFrictionAndStops) {
  const std::string at = "/hinges/knee/";
  expect_problem(with_parts("{\"viscosity\": 0.3}", "{}"), at + "damper", {"'viscosity'"},
                 {"not less than 0"});
  expect_problem(with_parts("{\"viscosity\": 0.3}", "0.3"), at + "damper", {"0.3"}, {"object"});
  expect_problem(with_parts("\"viscosity\": 0.3", "\"viscosity\": -0.3"), at + "damper/viscosity",
                 {"-0.3"}, {"not less than 0"});
  expect_problem(with_parts("\"coulomb\": 1, ", ""), at + "friction", {"'coulomb'"}, {});
  expect_problem(with_parts("\"coulomb\": 1, ", "\"coulomb\": 1.6, "), at + "friction/static",
                 {"1.5"}, {"at least coulomb, 1.6"});
  expect_problem(with_parts("\"stribeck_rate\": 0.2", "\"stribeck_rate\": 0"),
                 at + "friction/stribeck_rate", {"0"}, {"greater than 0"});
  expect_problem(with_parts("\"regularization\": 1e-2", "\"regularization\": 0"),
                 at + "friction/regularization", {"0"}, {"greater than 0"});
  expect_problem(with_parts("\"lower\": -1, \"upper\": 2, ", ""), at + "stop", {"no limit"},
                 {"lower, upper"});
  expect_problem(with_parts("\"lower\": -1", "\"lower\": 2"), at + "stop/upper", {"2", "lower"},
                 {"greater than lower, 2"});
  expect_problem(with_parts("\"stiffness\": 100", "\"stiffness\": 0"), at + "stop/stiffness", {"0"},
                 {"greater than 0"});
  expect_problem(with_parts(", \"stiffness\": 100", ""), at + "stop", {"stiffness, restitution"},
                 {"add one"});
  expect_problem(with_parts("\"stiffness\": 100, \"viscosity\": 5", "\"restitution\": 1.1"),
                 at + "stop/restitution", {"1.1"}, {"from 0 to 1"});
  expect_problem(with_parts("\"stiffness\": 100", "\"restitution\": 1"), at + "stop/viscosity",
                 {"unknown"}, {});
  expect_problem(with_parts("\"viscosity\": 5", "\"restitution\": 1"), at + "stop/restitution",
                 {"exclude"}, {"keep one"});
  expect_problem(with_parts("\"viscosity\": 5", "\"viscosity\": -5"), at + "stop/viscosity", {"-5"},
                 {"not less than 0"});
}

TEST(CaseReaderObjects, HingeLatchesHoldsAndJams) {
  const std::string at = "/hinges/wrist/";
  const auto wrong = [&](const std::string& keys, const std::string& pointer, const Words& what,
                         const Words& remedy) {
    expect_problem(with_wrist(keys), at + pointer, what, remedy);
  };
  wrong(R"("latch": {})", "latch", {"'angle'"}, {"finite number"});
  wrong(R"("latch": 1.5)", "latch", {"1.5"}, {"an object"});
  wrong(R"("latch": {"angle": 1, "spring": {}})", "latch/spring", {"'stiffness'"},
        {"greater than 0"});
  wrong(R"("latch": {"angle": 1, "spring": {"stiffness": 0}})", "latch/spring/stiffness", {"0"},
        {"greater than 0"});
  wrong(R"("latch": {"angle": 1, "spring": {"stiffness": 1, "viscosity": -1}})",
        "latch/spring/viscosity", {"-1"}, {"not less than 0"});
  wrong(R"("hold": 3)", "hold", {"3"}, {"an object, or a list"});
  wrong(R"("hold": [])", "hold", {"a list of 0"}, {"at least one"});
  wrong(R"("hold": [{"to": 1}])", "hold/0/to", {"unknown"}, {"from", "until"});
  wrong(R"("hold": {"until": -1})", "hold/until", {"-1"}, {"a time not less than 0, in s"});
  wrong(R"("hold": {"until": "knee"})", "hold/until", {"\"knee\""}, {"\"latched\""});
  wrong(R"("hold": {"until": {"delay": 1}})", "hold/until", {"angle, latched"}, {"add one"});
  wrong(R"("hold": {"until": {"latched": 1}})", "hold/until/latched", {"1"}, {"name of a hinge"});
  wrong(R"("hold": {"until": {"latched": "knee", "of": "knee"}})", "hold/until/of", {"unknown"},
        {"latched"});
  wrong(R"("hold": {"from": {"angle": 1, "delay": -1}})", "hold/from/delay", {"-1"},
        {"not less than 0"});
  wrong(R"("jam": {})", "jam", {"'at'"}, {"a time not less than 0"});
  wrong(R"("jam": {"at": {"angle": "x"}})", "jam/at/angle", {"\"x\""}, {"finite number"});
}

TEST(CaseReaderObjects, Bodies) {
  const std::string at = "/bodies/hub/";
  expect_problem(with_parts("\"mass\": 2, ", ""), "/bodies/hub", {"'mass'"}, {"not less than 0"});
  expect_problem(with_parts("\"inertia\": 0.6, ", ""), "/bodies/hub", {"'inertia'"}, {});
  expect_problem(with_parts("{\"at\": \"A\", \"rod\"", "{\"rod\""), "/bodies/hub", {"'at'"},
                 {"point"});
  expect_problem(with_parts("\"mass\": 2", "\"mass\": -2"), at + "mass", {"-2"},
                 {"not less than 0"});
  expect_problem(with_parts("\"inertia\": 0.6", "\"inertia\": -1"), at + "inertia", {"-1"}, {});
  expect_problem(with_parts("[0.3, -0.4]", "[0.3]"), at + "center", {"a list of 1"}, {"[x, y]"});
  // mass |center|² = 0.5
  expect_problem(with_parts("\"inertia\": 0.6", "\"inertia\": 0.4"), at + "inertia",
                 {"0.4", "0.5 m"}, {"about the point", "= 0.5"});
  EXPECT_TRUE(problems_of(with_parts("\"inertia\": 0.6", "\"inertia\": 0.5")).empty());
  EXPECT_TRUE(
      problems_of(with_parts("\"mass\": 2, \"inertia\": 0.6", "\"mass\": 0, \"inertia\": 0"))
          .empty());
  const std::string carries = "\"mass\": 2, \"carries\": ";
  EXPECT_EQ(read_case(with_parts("\"mass\": 2", carries + "[\"O\", \"P\"]")).bodies[0].carries,
            (std::vector<std::string>{"O", "P"}));
  expect_problem(with_parts("\"mass\": 2", carries + "[]"), at + "carries", {"a list of 0"},
                 {"names of points"});
  expect_problem(with_parts("\"mass\": 2", carries + "\"O\""), at + "carries", {"\"O\""},
                 {"names of points"});
  expect_problem(with_parts("\"mass\": 2", carries + "[\"O\", 1]"), at + "carries/1", {"1"},
                 {"the name of a point"});
}

TEST(CaseReaderObjects, RodsAndBodiesShareTheirNames) {
  expect_problem(with_parts("\"hub\"", "\"lower\""), "/bodies/lower", {"a rod", "\"lower\""},
                 {"another name"});
}

TEST(CaseReaderObjects, Particles) {
  const std::string at = "/particles/ball";
  expect_problem(with_parts("\"mass\": 3", "\"mass\": 0"), at + "/mass", {"0"}, {"greater than 0"});
  expect_problem(with_parts("{\"at\": \"P\", ", "{"), at, {"'at'"}, {"point"});
  expect_problem(with_parts("\"mass\": 3, ", ""), at, {"'mass'"}, {});
  expect_problem(with_parts("[1, -2, 0]", "[1, -2, true]"), at + "/velocity/2", {"true"},
                 {"finite number"});
  expect_problem(with_parts("[1, -2, 0]", "[1]"), at + "/velocity", {"a list of 1"}, {"[x, y]"});
}

TEST(CaseReaderObjects, Springs) {
  const std::string at = "/springs/tie";
  expect_problem(with_parts("[\"P\", \"B\"]", "[\"P\", \"P\"]"), at + "/between", {"\"P\""},
                 {"two different points"});
  expect_problem(with_parts("[\"P\", \"B\"]", "[\"P\"]"), at + "/between", {"a list of 1"},
                 {"two names of points"});
  expect_problem(with_parts("[\"P\", \"B\"]", "[\"P\", 1]"), at + "/between/1", {"1"}, {"point"});
  expect_problem(with_parts("\"between\": [\"P\", \"B\"], ", ""), at, {"'between'"}, {"points"});
  expect_problem(with_parts("\"stiffness\": 50", "\"stiffness\": -50"), at + "/stiffness", {"-50"},
                 {"not less than 0"});
  expect_problem(with_parts("\"viscosity\": 0.5", "\"viscosity\": -1"), at + "/viscosity", {"-1"},
                 {});
  expect_problem(with_parts("\"length\": 1.5", "\"length\": -1"), at + "/length", {"-1"}, {});
  expect_problem(with_parts("\"stiffness\": 50, \"viscosity\": 0.5", "\"stiffness\": 0"), at,
                 {"neither"}, {"greater than 0"});
  expect_problem(with_parts("\"stiffness\": 50, \"viscosity\": 0.5", "\"stiffness\": 1e999"),
                 at + "/stiffness", {"not finite"}, {});
}

TEST(CaseReaderObjects, Loads) {
  const auto tip = [](const std::string& keys) {
    return with_parts(
        R"("at": "B", "force": ["push", 2], "moment": "push", "follower": true, "rod": "hand")",
        keys);
  };
  const std::string at = "/loads/tip";
  expect_problem(tip(R"("force": [1, 2], "whatever": 1)"), at, {"at, on", "missing"}, {"add one"});
  expect_problem(tip(R"("at": "B", "on": "lower", "force": [1, 2])"), at + "/on", {"exclude"},
                 {"keep one"});
  expect_problem(tip(R"("at": "B")"), at, {"neither force nor moment"}, {"at least one"});
  expect_problem(tip(R"("at": "B", "force": 3)"), at + "/force", {"3"}, {"[x, y]", "law"});
  expect_problem(tip(R"("at": "B", "force": [3, null])"), at + "/force/1", {"null"}, {"law"});
  expect_problem(tip(R"("at": "B", "moment": [3])"), at + "/moment", {"a list of 1"}, {"law"});
  expect_problem(tip(R"("at": "B", "moment": 1e999)"), at + "/moment", {"not finite"}, {});
  expect_problem(tip(R"("at": "B", "moment": 3, "follower": 1)"), at + "/follower", {"1"},
                 {"true or false"});
  expect_problem(tip(R"("at": "B", "moment": 3, "factor": 1)"), at + "/factor", {"unknown"},
                 {"follower"});
  expect_problem(tip(R"("at": 1, "moment": 3)"), at + "/at", {"1"}, {"point"});
  expect_problem(tip(R"("on": "lower", "force": [[1, 2], 3])"), at + "/force/1", {"3"}, {"[x, y]"});
}

TEST(CaseReaderObjects, RodLoads) {
  const std::string at = "/loads/wind";
  expect_problem(with_parts("[[0, 1], [2, 3]]", "[[0, 1]]"), at + "/force", {"a list of 1"},
                 {"both ends"});
  expect_problem(with_parts("[[0, 1], [2, 3]]", "[[0, 1], [2, \"push\"]]"), at + "/force/1/1",
                 {"\"push\""}, {"finite number"});
  expect_problem(with_parts("[4, 5]", "4"), at + "/moment", {"4"}, {"[from, to]"});
  expect_problem(with_parts("\"factor\": \"push\"", "\"factor\": true"), at + "/factor", {"true"},
                 {"law"});
  expect_problem(with_parts(R"("force": [[0, 1], [2, 3]], "moment": [4, 5], )", ""), at,
                 {"neither"}, {});
  expect_problem(with_parts("\"wind\"", "\"w/nd\""), "/loads/w~1nd", {"w/nd"}, {"paths"});
  expect_problem(with_parts("\"factor\"", "\"follower\""), at + "/follower", {"unknown"},
                 {"factor"});
}

TEST(CaseReaderObjects, Names) {
  for (const std::string name : {"", ".", "a/b", "a\\u0000b", "a\\nb"}) {
    const auto problems = problems_of(with("\"B\": [", "\"" + name + "\": ["));
    ASSERT_EQ(problems.size(), 1U) << name;
    expect_words(problems[0], problems[0].pointer, {"the name \"" + name + "\""},
                 {"not empty", "'/'", "\".\""});
  }
  expect_problem(with("\"B\": [", "\"a/b\": ["), "/points/a~1b", {}, {});
  expect_problem(with("\"bar\": {", "\"\": {"), "/sections/", {}, {});
}

TEST(CaseReaderObjects, AnalysisRanges) {
  const auto method = [](const std::string& text) {
    return with("\"end\": 20", "\"end\": 20, \"method\": {" + text + "}");
  };
  const std::string at = "/analysis/method/";
  expect_problem(with("\"end\": 20", "\"end\": 0"), "/analysis/end", {"0"}, {"greater than 0"});
  for (const std::string key :
       {"local_tolerance", "iteration_tolerance", "reference_length", "reference_time"}) {
    expect_problem(method("\"" + key + "\": 0"), at + key, {"0"}, {"greater than 0"});
  }
  for (const std::string value : {"0", "-1", "1.71"}) {
    expect_problem(method("\"frequency_limit\": " + value), at + "frequency_limit", {value},
                   {"at most 1.7"});
  }
}

TEST(CaseReaderObjects, OutputRanges) {
  const auto output = [](const std::string& every) {
    return with("\"end\": 20", "\"end\": 20, \"output\": {\"every\": " + every + "}");
  };
  expect_problem(output("0"), "/analysis/output/every", {"0"}, {"greater than 0"});
  expect_problem(output("-1"), "/analysis/output/every", {"-1"}, {"greater than 0"});
  expect_problem(output("1e-6"), "/analysis/output/every", {"1e-06", "10000000 rows"},
                 {"at least 2e-06"});
  EXPECT_TRUE(problems_of(output("2e-6")).empty());
}

TEST(CaseReaderObjects, AllProblemsComeInOnePass) {
  const auto problems = problems_of(R"({
    "libfem": 3, "titel": 1,
    "sections": {"bar": {"EA": -1, "EI": "x", "GAs": 1, "mass_per_length": 1}},
    "points": {"O": [0], "O": [0, 1e999]},
    "rods": {"r": {"section": "bar", "from": 1, "to": "A", "elements": 0}},
    "analysis": {"end": 0}
  })");
  Words pointers;
  for (const Problem& p : problems) pointers.push_back(p.pointer);
  EXPECT_EQ(pointers, (Words{"/points/O", "/points/O/1", "/libfem", "/sections/bar/EA",
                             "/sections/bar/EI", "/sections/bar", "/points/O", "/rods/r/from",
                             "/rods/r/elements", "/analysis/end", "/titel"}));
}

// ---- robustness

void mutate_and_read(const std::string& original) {
  constexpr std::string_view kTelling = "{}[]\",:/*\\0123456789eE+-.\n\0\xC3\xFF";
  for (unsigned seed = 0; seed < 4000; ++seed) {
    std::mt19937 random(seed);
    std::string text = original;
    const auto below = [&](std::size_t limit) { return random() % limit; };
    for (std::size_t i = 0, count = 1 + below(4); i < count; ++i) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text[at] = kTelling[below(kTelling.size())];
          break;
        case 2:
          text.erase(at, below(20));
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(40)));
          break;
      }
    }
    try {
      static_cast<void>(read_case(text));
    } catch (const InputError& error) {
      EXPECT_FALSE(error.problems().empty());
    } catch (...) {
      ADD_FAILURE() << "seed " << seed << " throws something else:\n" << text;
    }
  }
}

TEST(CaseReaderRobustness, MutatedTextGivesInputErrorAtWorst) {
  mutate_and_read(load_text(FEM_SOURCE_DIR "/cases/three_rod_deployment.json"));
  mutate_and_read(std::string(kParts));
}

TEST(CaseReaderRobustness, EveryPrefixGivesInputErrorAtWorst) {
  for (std::size_t size = 0; size < kCase.size(); ++size) {
    EXPECT_EQ(problems_of(kCase.substr(0, size)).size(), 1U) << size;
  }
}

TEST(CaseReaderRobustness, ManyNamesTakeLinearTime) {
  std::string points = "\"points\": {";
  for (int i = 0; i < 100'000; ++i) points += "\"P" + std::to_string(i) + "\": [0, 1], ";
  EXPECT_EQ(read_case(with("\"points\": {", points)).points.size(), 100'003U);
}

// ---- files

TEST(LoadText, ReadsEveryByte) {
  const auto path = std::filesystem::path(testing::TempDir()) / "load_text_bytes";
  std::string bytes("a\r\n\0\xFF", 5);
  bytes.resize(100'000, 'z');
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(load_text(path), bytes);
  std::ofstream(path, std::ios::binary | std::ios::trunc).close();
  EXPECT_EQ(load_text(path), "");
  std::filesystem::remove(path);
}

void expect_file_error(const std::filesystem::path& path, const std::string& reason) {
  try {
    static_cast<void>(load_text(path));
    FAIL() << path << " was read";
  } catch (const FileError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(path.string()), std::string::npos) << what;
    EXPECT_NE(what.find(reason), std::string::npos) << what;
  }
}

TEST(LoadText, NamesTheFileThatCannotBeRead) {
  expect_file_error(std::filesystem::path(testing::TempDir()) / "no_such_case.json",
                    "No such file");
  expect_file_error(testing::TempDir(), "directory");
  if (std::filesystem::exists("/proc/self/mem")) expect_file_error("/proc/self/mem", "");
}

TEST(LoadText, RefusesWhatHasNoEnd) { expect_file_error("/dev/zero", "a device"); }

TEST(LoadText, RefusesWhatIsTooLarge) {
  const auto path = std::filesystem::path(testing::TempDir()) / "load_text_large";
  std::ofstream(path).close();
  std::filesystem::resize_file(path, kMostTextBytes + 1);  // a hole: takes no space
  expect_file_error(path, "more than 1073741824 bytes");
  std::filesystem::remove(path);
}

// Whoever opens a pipe for reading would wait for one who writes.
TEST(LoadText, DoesNotWaitForAPipeThatNobodyWrites) {
  const auto path = std::filesystem::path(testing::TempDir()) / "load_text_pipe";
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(load_text(path), "");
  const int keeper = open(path.c_str(), O_RDONLY | O_NONBLOCK);  // what is written is not lost
  const int end = open(path.c_str(), O_WRONLY);
  ASSERT_EQ(write(end, "te", 2), 2);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(write(end, "xt", 2), 2);
    close(end);
  });
  EXPECT_EQ(load_text(path), "text");
  writer.join();
  close(keeper);
  std::filesystem::remove(path);
}

// How much comes out of a pipe is known when it has come.
TEST(LoadText, RefusesWhatIsTooLongInAPipe) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(write(ends[1], "text", 4), 4);
  close(ends[1]);
  const std::string path = "/proc/self/fd/" + std::to_string(ends[0]);
  try {
    static_cast<void>(load_text(path, 3));
    ADD_FAILURE() << "it was read";
  } catch (const FileError& error) {
    EXPECT_EQ(error.what(), "cannot read '" + path + "': it has more than 3 bytes");
  }
  close(ends[0]);
}

TEST(LoadText, NamesTheFileWithoutPermission) {
  const auto path = std::filesystem::path(testing::TempDir()) / "load_text_locked";
  std::ofstream(path) << "{}";
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const bool root_reads_all = std::ifstream(path).is_open();
  if (!root_reads_all) expect_file_error(path, "Permission denied");
  std::filesystem::remove(path);
  if (root_reads_all) GTEST_SKIP() << "root may read every file";
}

}  // namespace
}  // namespace fem
