// A run in time: steps, break times with their velocity jumps, output times, the ledger.
#pragma once

#include <string_view>

#include "libfem/analysis/observer.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/model/model.hpp"

namespace fem {

/// |balance| over the largest energy beyond which a run says that its ledger does not close.
inline constexpr double kLedgerTolerance = 1e-4;

/// Integrates the model from rest at t = 0 to its analysis' end. Numerical failure and interruption
/// are reported in the summary; whatever was reported to the observers before stands.
[[nodiscard]] RunSummary run_dynamics(const Model& model, Parallelism parallelism,
                                      Observer& observer);

/// Goes on from the bytes that Observer::checkpoint() got from a run of the same model, exactly as
/// that run would have: every number from there on has the same bits. Throws ArchiveError where
/// the bytes are not those of such a run.
[[nodiscard]] RunSummary resume_dynamics(const Model& model, Parallelism parallelism,
                                         Observer& observer, std::string_view checkpoint);

}  // namespace fem
