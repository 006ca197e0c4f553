#include "libfem/api/law_handle.hpp"

#include <cmath>
#include <utility>

#include "libfem/api/run.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"

namespace fem {

LawHandle::LawHandle(Simulation& simulation, int index, std::string name)
    : simulation_(&simulation), index_(index), name_(std::move(name)) {}

LawValue LawHandle::now() const { return simulation_->run_->law_value(index_); }

void LawHandle::set(const Law& law) { simulation_->run_->set_law({index_, law}); }

void LawHandle::set_value(double value) { set(ConstantLaw{value}); }

void LawHandle::go_on(double rate, double acceleration) {
  const double t = simulation_->time();
  set(PolynomialLaw{{now().value, rate, acceleration / 2}, {.start = t}});
}

void LawHandle::reach(double value, double duration) {
  if (!(duration > 0) || !std::isfinite(duration)) {
    throw InputError(Problem{join_pointer("/laws", name_), "a law cannot reach a value in no time",
                             "give a duration greater than 0, s"});
  }
  const double t = simulation_->time();
  const LawValue start = now();
  const double T = duration;
  // With D the change that rate and acceleration leave to be made, and what they are at the end.
  const double change = value - start.value - T * (start.rate + T / 2 * start.acceleration);
  const double rate = -start.rate - T * start.acceleration;
  const double acceleration = -start.acceleration;
  const double c3 = (10 * change - 4 * T * rate + T * T / 2 * acceleration) / (T * T * T);
  const double c4 = (-15 * change + 7 * T * rate - T * T * acceleration) / (T * T * T * T);
  const double c5 = (6 * change - 3 * T * rate + T * T / 2 * acceleration) / (T * T * T * T * T);
  set(PolynomialLaw{{start.value, start.rate, start.acceleration / 2, c3, c4, c5},
                    {.start = t, .end = t + T}});
}

}  // namespace fem
