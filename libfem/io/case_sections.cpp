// Cross-sections of a case: stiffnesses, or a material and a shape.
#include <algorithm>
#include <cmath>

#include "libfem/io/case_parts.hpp"
#include "libfem/rod/section_shapes.hpp"

namespace fem::case_file {
namespace {

constexpr double kMostPoisson = 0.5;
constexpr Bound kPoisson{
    .allowed = "a number greater than -1 and at most 0.5", .above = -1, .most = kMostPoisson};

void read_given_section(ObjectReader& in, SectionDescription& section) {
  in.required("EA", number(section.axial_stiffness, kPositive, dim::kForce));
  in.required("EI", number(section.bending_stiffness, kPositive, dim::kForce * dim::kArea));
  in.required("GAs", number(section.shear_stiffness, kPositive, dim::kForce));
  in.required("mass_per_length",
              number(section.mass_per_length, kPositive, dim::kMass / dim::kLength));
  in.required("inertia_per_length",
              number(section.inertia_per_length, kNotNegative, dim::kMass * dim::kLength));
  const bool gives_stresses = in.has_any({"height", "E"});  // which take both
  const auto stress_key = [&](std::string_view key, const Reader& reader) {
    gives_stresses ? in.required(key, reader) : in.optional(key, reader);
  };
  stress_key("height", number(section.height, kPositive, dim::kLength));
  stress_key("E", number(section.modulus, kPositive, dim::kStress));
  if (!in.clean()) return;
  const double least = section.mass_per_length * section.mass_offset * section.mass_offset;
  if (section.inertia_per_length < least * (1 - kRounding)) {
    in.wrong_at("inertia_per_length",
                in.shown("inertia_per_length", dim::kMass * dim::kLength) +
                    " is too small for the mass offset",
                "it is about the rod's axis: must be at least mass_per_length mass_offset² = " +
                    in.shown(least, dim::kMass * dim::kLength));
  }
}

void read_rectangle(ObjectReader& in, RectangleShape& rectangle) {
  in.required("width", number(rectangle.width, kPositive, dim::kLength));
  in.required("height", number(rectangle.height, kPositive, dim::kLength));
}

void read_circle(ObjectReader& in, CircleShape& circle) {
  in.required("diameter", number(circle.diameter, kPositive, dim::kLength));
}

void read_tube(ObjectReader& in, TubeShape& tube) {
  in.required("outer", number(tube.outer, kPositive, dim::kLength));
  in.required("inner", number(tube.inner, kNotNegative, dim::kLength));
  if (in.clean() && tube.inner >= tube.outer) {
    in.wrong_at("inner",
                "the inner diameter " + in.shown("inner", dim::kLength) + " leaves no wall",
                "must be less than outer, " + in.shown("outer", dim::kLength));
  }
}

void read_box(ObjectReader& in, BoxShape& box) {
  in.required("width", number(box.width, kPositive, dim::kLength));
  in.required("height", number(box.height, kPositive, dim::kLength));
  in.required("wall", number(box.wall, kPositive, dim::kLength));
  const double half = std::min(box.width, box.height) / 2;
  if (in.clean() && box.wall >= half) {
    in.wrong_at("wall", "the wall " + in.shown("wall", dim::kLength) + " leaves no hole",
                "must be less than half of the smaller side, " + in.shown(half, dim::kLength));
  }
}

template <class Shape>
Reader shape_reader(SectionShape& out, void (*read_shape)(ObjectReader&, Shape&)) {
  return object([&out, read_shape](ObjectReader& in) { read_shape(in, out.emplace<Shape>()); });
}

void read_poisson_or_shear(ObjectReader& in, Material& material) {
  if (in.exactly_one({"poisson", "G"}) == "poisson") {
    in.optional("poisson", number(material.poisson, kPoisson));
    return;
  }
  constexpr double kWritten = 1e-6;  // E/3 as people write it
  double shear_modulus = 0;
  in.optional("G", number(shear_modulus, kPositive, dim::kStress));
  if (!in.clean()) return;
  material.poisson = material.modulus / (2 * shear_modulus) - 1;
  if (!(material.poisson > -1 && material.poisson <= kMostPoisson + kWritten)) {
    in.wrong_at("G",
                in.shown("G", dim::kStress) +
                    " makes Poisson's ratio E/(2G) - 1 = " + show(material.poisson),
                "must be at least E/3 = " + in.shown(material.modulus / 3, dim::kStress) +
                    "; a rod that is not isotropic takes EA, EI, GAs, mass_per_length and "
                    "inertia_per_length");
  }
}

void read_shaped_section(ObjectReader& in, SectionDescription& section) {
  Material material;
  SectionShape shape;
  in.required("E", number(material.modulus, kPositive, dim::kStress));
  read_poisson_or_shear(in, material);
  in.required("density", number(material.density, kPositive, dim::kDensity));
  const auto kind = in.exactly_one({"rectangle", "circle", "tube", "box"});
  if (!kind.empty()) {
    in.optional("rectangle", shape_reader(shape, read_rectangle));
    in.optional("circle", shape_reader(shape, read_circle));
    in.optional("tube", shape_reader(shape, read_tube));
    in.optional("box", shape_reader(shape, read_box));
  }
  if (!in.clean()) return;
  const Section made = make_section(material, shape, section.mass_offset);
  section.axial_stiffness = made.axial_stiffness;
  section.bending_stiffness = made.bending_stiffness;
  section.shear_stiffness = made.shear_stiffness;
  section.mass_per_length = made.mass_per_length;
  section.inertia_per_length = made.inertia_per_length;
  section.height = calc_shape_numbers(shape, material.poisson).height;
  section.modulus = material.modulus;
  for (const double value : {made.axial_stiffness, made.bending_stiffness, made.shear_stiffness,
                             made.mass_per_length, made.inertia_per_length}) {
    if (std::isfinite(value) && kPositive.holds(value)) continue;
    const Units& units = in.findings().units;
    return in.wrong("stiffness or mass of the section is beyond the range of numbers",
                    "check the units: " + units.name(dim::kLength) + ", " +
                        units.name(dim::kStress) + ", " + units.name(dim::kDensity));
  }
}

}  // namespace

void read_section(ObjectReader& in, SectionDescription& section) {
  in.optional("mass_offset", number(section.mass_offset, kFinite, dim::kLength));
  in.optional("stiffness_damping", number(section.stiffness_damping, kNotNegative, dim::kTime));
  in.optional("mass_damping", number(section.mass_damping, kNotNegative, dim::time_to(-1)));
  in.optional("hereditary", part(section.hereditary, read_section_memory));
  const bool given = in.has_any({"EA", "EI", "GAs", "mass_per_length", "inertia_per_length"});
  const bool shaped = in.has_any({"poisson", "G", "density", "rectangle", "circle", "tube", "box"});
  if (given != shaped)
    return given ? read_given_section(in, section) : read_shaped_section(in, section);
  in.ignore_other_keys();
  in.wrong(given ? "stiffnesses are given beside a material or shape, which give them too"
                 : "the section has neither stiffnesses nor a shape",
           "give either EA, EI, GAs, mass_per_length and inertia_per_length, or E, poisson (or G), "
           "density and one of rectangle, circle, tube, box");
}

}  // namespace fem::case_file
