// Laws that are replaced while a model moves: by a controller, by an embedding program.
//
// A law's past is not asked for any more once a run has gone on, so the new law takes the place of
// the old one. Where a law prescribes a place (a drive, a support, a constraint), its value must go
// on from that of the old one; its rate may jump.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libfem/base/error.hpp"
#include "libfem/law/law.hpp"
#include "libfem/model/model.hpp"

namespace fem {

/// From now on law number `index` is `law`.
struct NewLaw {
  int index = 0;
  Law law;
};

/// Index of the case's law of this name. Throws InputError with the nearest name.
[[nodiscard]] int find_law(const Model& model, const std::string& name);

/// Whether a place follows the law: a row of D or the frame, not only loads and lengths in series.
[[nodiscard]] bool prescribes_place(const Model& model, int law);

/// What is wrong with a new law from time t on (s), if anything: numbers, a value that would jump.
[[nodiscard]] std::optional<Problem> find_law_change_problem(const Model& model,
                                                             const NewLaw& change, double t,
                                                             Side side);

/// Replaces the law from time t on, and those that are made of it; `side` is the state's at t.
/// Without a time, before a run begins, it is as if the case had said so.
void replace_law(Model& model, const NewLaw& change, std::optional<double> t, Side side);

/// Break times of all laws that something follows, increasing, without repeats.
[[nodiscard]] std::vector<double> list_break_times(const Model& model);

}  // namespace fem
