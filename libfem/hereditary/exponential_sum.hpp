// A continuous spectrum as a sum of exponentials: the trapezoidal rule over x,
//
//   s − b = exp(x − e^{−x})/T     double exponential towards s = b; power-law spectra
//   s     = s_c e^x               essential zero at s = 0; stretched exponentials
//
// whose error falls like exp(−const/h) with the step h; T is the length of the run.
#pragma once

#include <vector>

#include "libfem/hereditary/spectrum.hpp"

namespace fem {

/// What is lumped at the ends of the sum.
struct SumEnds {
  double horizon = 0;  ///< T, s
  double slowest = 0;  ///< rates s − b below it become one term with their mass and weight, 1/s
  double fastest = 0;  ///< rates above it become one term with their mass and first moment, 1/s
  double mass = 0;     ///< Σ w/s to restore in the fast term; infinite: as sampled
};

/// The sum with step h, rates increasing, weights positive.
[[nodiscard]] std::vector<Exponential> sample_spectrum(const Spectrum& spectrum, double h,
                                                       const SumEnds& ends);

}  // namespace fem
