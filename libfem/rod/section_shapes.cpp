#include "libfem/rod/section_shapes.hpp"

#include <numbers>

namespace fem {
namespace {

using std::numbers::pi;

struct Numbers {
  double nu;

  ShapeNumbers operator()(const RectangleShape& s) const {
    return {.area = s.width * s.height,
            .second_moment = s.width * s.height * s.height * s.height / 12,
            .kappa = 10 * (1 + nu) / (12 + 11 * nu),
            .height = s.height};
  }

  ShapeNumbers operator()(const CircleShape& s) const {
    return (*this)(TubeShape{.outer = s.diameter, .inner = 0});
  }

  ShapeNumbers operator()(const TubeShape& s) const {
    const double r = s.inner / s.outer;
    const double c = (1 + r * r) * (1 + r * r);
    const double area = pi / 4 * (s.outer - s.inner) * (s.outer + s.inner);
    return {.area = area,
            .second_moment = area * (s.outer * s.outer + s.inner * s.inner) / 16,
            .kappa = 6 * (1 + nu) * c / ((7 + 6 * nu) * c + (20 + 12 * nu) * r * r),
            .height = s.outer};
  }

  ShapeNumbers operator()(const BoxShape& s) const {
    const double t = s.wall;
    const double b = s.width - t;
    const double h = s.height - t;
    const double n = b / h;
    const double p = n;
    const double web = s.height - 2 * t;
    const double flanges = s.width * t * (t * t / 6 + h * h / 2);
    const double webs = t * web * web * web / 6;
    const double bending = 12 + p * (72 + p * (150 + p * 90));
    const double lateral = 11 + p * (66 + p * (135 + p * 90));
    const double warping = 10 * n * n * p * (3 + nu + 3 * p);
    return {.area = 2 * t * (b + h),
            .second_moment = flanges + webs,
            .kappa = 10 * (1 + nu) * (1 + 3 * p) * (1 + 3 * p) / (bending + nu * lateral + warping),
            .height = s.height};
  }
};

}  // namespace

ShapeNumbers calc_shape_numbers(const SectionShape& shape, double poisson) {
  return std::visit(Numbers{poisson}, shape);
}

Section make_section(const Material& material, const SectionShape& shape, double mass_offset) {
  const ShapeNumbers s = calc_shape_numbers(shape, material.poisson);
  const double shear_modulus = material.modulus / (2 * (1 + material.poisson));
  const double mass = material.density * s.area;
  return {
      .axial_stiffness = material.modulus * s.area,
      .bending_stiffness = material.modulus * s.second_moment,
      .shear_stiffness = s.kappa * shear_modulus * s.area,
      .mass_per_length = mass,
      .inertia_per_length = material.density * s.second_moment + mass * mass_offset * mass_offset,
      .mass_offset = mass_offset};
}

}  // namespace fem
