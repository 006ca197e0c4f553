#include "libfem/link/hinge_moment.hpp"

#include <cmath>

#include "libfem/base/error.hpp"

namespace fem {
namespace {

// A stop at the penetration p > 0, growing with the rate; the moment acts against p.
HingeMoment stop_moment(const HingeLaw& law, double p, double rate) {
  const double elastic = law.stop_stiffness * p;
  const double slope = law.stop_stiffness + law.stop_viscosity * rate;
  HingeMoment r;
  r.potential = 0.5 * elastic * p;
  if (slope > 0) {
    r.moment = p * slope;
    r.stiffness = slope;
    r.damping = law.stop_viscosity * p;
    r.dissipated = r.damping * rate * rate;
  } else {  // the members part faster than the stop recovers: it does not pull
    r.dissipated = -elastic * rate;
  }
  return r;
}

}  // namespace

HingeLaw make_hinge_law(const HingeParts& parts) {
  HingeLaw law;
  if (const auto& spring = parts.spring) {
    if (spring->table.empty()) {
      FEM_DEMAND(std::isfinite(spring->stiffness) && std::isfinite(spring->neutral) &&
                 std::isfinite(spring->preload));
      law.stiffness = spring->stiffness;
      law.neutral = spring->neutral;
      law.preload = spring->preload;
    } else {
      law.table.emplace(spring->table);
    }
  }
  FEM_DEMAND(std::isfinite(parts.viscosity) && parts.viscosity >= 0);
  law.viscosity = parts.viscosity;
  if (const auto& friction = parts.friction) {
    const double most = friction->static_moment == 0 ? friction->coulomb : friction->static_moment;
    FEM_DEMAND(friction->coulomb >= 0 && friction->coulomb <= most && std::isfinite(most));
    FEM_DEMAND(friction->stribeck_rate > 0 && friction->regularization > 0);
    law.coulomb = friction->coulomb;
    law.peak = most - friction->coulomb;
    law.inverse_stribeck_rate = 1 / friction->stribeck_rate;
    law.inverse_regularization = 1 / friction->regularization;
  }
  if (const auto& stop = parts.stop) {
    law.lower = stop->lower.value_or(law.lower);
    law.upper = stop->upper.value_or(law.upper);
    FEM_DEMAND(law.lower <= law.upper);
    FEM_DEMAND(std::isfinite(stop->stiffness) && stop->stiffness >= 0);
    FEM_DEMAND(std::isfinite(stop->viscosity) && stop->viscosity >= 0);
    law.stop_stiffness = stop->stiffness;
    law.stop_viscosity = stop->viscosity;
  }
  return law;
}

HingeMoment hinge_moment(const HingeLaw& law, double angle, double rate) noexcept {
  const double turned = angle - law.neutral;
  HingeMoment r{.moment = law.stiffness * turned - law.preload,
                .potential = (0.5 * law.stiffness * turned - law.preload) * turned,
                .stiffness = law.stiffness};
  if (law.table) {
    const MonotoneCubicValue s = law.table->evaluate(angle);
    r.moment -= s.value;
    r.potential -= s.integral;
    r.stiffness -= s.slope;
  }

  const double from_latch = angle - law.latch_angle;
  r.moment += law.latch_stiffness * from_latch;
  r.potential += 0.5 * law.latch_stiffness * from_latch * from_latch;
  r.stiffness += law.latch_stiffness;

  const double viscosity = law.viscosity + law.latch_viscosity;
  double resisting = viscosity * rate;
  r.damping = viscosity;
  if (law.coulomb + law.peak > 0) {
    const double x = rate * law.inverse_stribeck_rate;
    const double extra = law.peak * std::exp(-x * x);
    const double sign = std::tanh(rate * law.inverse_regularization);
    resisting += (law.coulomb + extra) * sign;
    r.damping += (law.coulomb + extra) * (1 - sign * sign) * law.inverse_regularization -
                 2 * x * law.inverse_stribeck_rate * extra * sign;
  }
  r.moment += resisting;
  r.dissipated = resisting * rate;

  const bool above = angle > law.upper;
  if (above || angle < law.lower) {
    const double outward = above ? 1.0 : -1.0;
    const HingeMoment stop =
        stop_moment(law, above ? angle - law.upper : law.lower - angle, outward * rate);
    r.moment += outward * stop.moment;
    r.potential += stop.potential;
    r.stiffness += stop.stiffness;
    r.damping += stop.damping;
    r.dissipated += stop.dissipated;
  }
  return r;
}

}  // namespace fem
