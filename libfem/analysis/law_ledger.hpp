// What every prescribed law does (Mušicki 2002, (2.9), (2.13)): its reaction R₀, power R₀ q̇⁰, and
// work ∫R₀ dq⁰, by the trapezoidal rule along the accepted steps and with the jumps of its rate.
// The rheonomic potential is P = −work.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "libfem/analysis/snapshot.hpp"
#include "libfem/base/archive.hpp"
#include "libfem/law/law.hpp"
#include "libfem/model/model.hpp"
#include "libfem/system/system.hpp"

namespace fem {

class LawLedger {
 public:
  explicit LawLedger(const Model& model)
      : laws_(prescribing_laws(model)), work_(model.laws.size()), power_(model.laws.size()) {}

  [[nodiscard]] bool empty() const noexcept { return laws_.empty(); }

  /// Works at an instant, by laws of the model.
  void add_jump(std::span<const double> works) {
    for (std::size_t l = 0; l < works.size() && l < work_.size(); ++l) work_[l] += works[l];
  }

  /// Powers at the start of the next step: those of these laws.
  void set_powers(const std::vector<LawSnapshot>& laws) {
    for (std::size_t n = 0; n < laws_.size(); ++n) power_[index(n)] = laws[n].power;
  }

  /// A step of length dt that ends with these laws.
  void add_step(double dt, const std::vector<LawSnapshot>& laws) {
    for (std::size_t n = 0; n < laws_.size(); ++n) {
      work_[index(n)] += 0.5 * dt * (power_[index(n)] + laws[n].power);
    }
    set_powers(laws);
  }

  /// Reactions and powers at the last acceleration() of the system, which left `a`.
  [[nodiscard]] std::vector<LawSnapshot> measure(const System& system, double t, Side side,
                                                 std::span<const double> q,
                                                 std::span<const double> v,
                                                 std::span<const double> a) const {
    std::vector<double> reactions(system.model().laws.size(), 0.0);
    system.law_reactions(t, side, q, v, a, reactions);
    std::vector<LawSnapshot> result;
    for (std::size_t n = 0; n < laws_.size(); ++n) {
      const LawValue now = evaluate(system.model().laws[index(n)], t, side);
      result.push_back({.value = now.value,
                        .rate = now.rate,
                        .reaction = reactions[index(n)],
                        .power = reactions[index(n)] * now.rate});
    }
    return result;
  }

  /// Fills in the works at a time `dt` after the last accepted powers.
  void close(double dt, std::vector<LawSnapshot>& laws) const {
    for (std::size_t n = 0; n < laws_.size(); ++n) {
      laws[n].work = work_[index(n)] + 0.5 * dt * (power_[index(n)] + laws[n].power);
      laws[n].potential = 0 - laws[n].work;
    }
  }

  template <class Archive>
  void archive(Archive& a) {
    const std::size_t laws = work_.size();
    a(work_, power_);
    if (work_.size() != laws || power_.size() != laws) {
      throw ArchiveError("the stored state is of another model");
    }
  }

 private:
  [[nodiscard]] std::size_t index(std::size_t n) const {
    return static_cast<std::size_t>(laws_[n]);
  }

  std::vector<int> laws_;             // that prescribe something
  std::vector<double> work_, power_;  // of all laws of the model
};

}  // namespace fem
