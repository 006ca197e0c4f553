#include "libfem/analysis/run_state.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include "libfem/integrator/arc_length.hpp"
#include "libfem/integrator/generalized_alpha.hpp"
#include "libfem/model/hinge_lock.hpp"

namespace fem {
namespace {

constexpr double kLeastFrequency = 1000;  // times the run's length: steps of a model without rods

constexpr double kLargestPart = 0.02;  // of a run's length: the longest implicit step

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// By which steps are bounded, rad/s.
double bounding_frequency(const Model& model, double highest_frequency) {
  const double least = model.elements.empty() ? kLeastFrequency / model.analysis.end : 0.0;
  return std::max(highest_frequency, least);
}

// W, w_t and the scales of errors (theory of the two metrics: integrator/README.md).
ArcLengthOptions make_options(const System& system, Parallelism parallelism) {
  const Model& model = system.model();
  const ArcLengthDescription& method = model.analysis.method;
  ArcLengthOptions options{
      .local_tolerance = *method.local_tolerance,
      .iteration_tolerance = *method.iteration_tolerance,
      .frequency_limit = *method.frequency_limit,
      .highest_frequency = bounding_frequency(model, system.highest_frequency()),
      .rates_depend = std::any_of(model.rows.begin(), model.rows.end(),
                                  [](const Row& row) { return row.of_rates; }),
      .parallelism = parallelism};
  options.weights.assign(system.size(), 0.0);
  options.scales.assign(system.size(), 0.0);
  const bool scaled = method.metric == Metric::scaled;
  const double length = scaled ? method.reference_length.value_or(model.size) : 1.0;
  const double own_time = 1 / options.highest_frequency;
  const double time = scaled ? method.reference_time.value_or(own_time) : 1.0;
  const auto angles =
      static_cast<double>(std::count(model.is_angle.begin(), model.is_angle.end(), 1));
  const double positions = static_cast<double>(model.coordinates()) - angles;
  for (int c = 0; c < model.coordinates(); ++c) {
    const bool angle = model.is_angle[at(c)] != 0;
    const double unit = angle ? 1.0 : length;
    const double count = scaled ? (angle ? angles : positions) : 1.0;
    options.weights[system.place(c)] = 1 / (unit * unit * count);
    options.scales[system.place(c)] = 1 / unit;
  }
  options.time_weight = 1 / (time * time);
  options.time_scale = time;
  return options;
}

GeneralizedAlphaOptions make_options(const System& system, Parallelism parallelism,
                                     const GeneralizedAlphaDescription& method) {
  const Model& model = system.model();
  GeneralizedAlphaOptions options{.spectral_radius = method.spectral_radius,
                                  .fixed_step = method.step.value_or(0),
                                  .tolerance = method.tolerance,
                                  .largest_step = kLargestPart * model.analysis.end,
                                  .parallelism = parallelism};
  options.scales.assign(system.size(), 0.0);
  for (int c = 0; c < model.coordinates(); ++c) {
    options.scales[system.place(c)] = model.is_angle[at(c)] != 0 ? 1.0 : 1 / model.size;
  }
  return options;
}

std::unique_ptr<TimeScheme> make_scheme(System& system, Parallelism parallelism) {
  const auto& long_steps = system.model().analysis.long_steps;
  if (!long_steps)
    return std::make_unique<ArcLength<System>>(system, make_options(system, parallelism));
  return std::make_unique<GeneralizedAlpha<System>>(system,
                                                    make_options(system, parallelism, *long_steps));
}

ArcLength<System>& arc_length(TimeScheme& scheme) {
  return dynamic_cast<ArcLength<System>&>(scheme);
}

// Whether hinges of the model can stand so.
bool fit(const std::vector<HingeStatus>& hinges, const Model& model) {
  if (hinges.size() != model.hinges.size()) return false;
  for (std::size_t i = 0; i < hinges.size(); ++i) {
    const HingeStatus& h = hinges[i];
    const bool locked = h.locked != LockKind::none;
    if ((h.row != kNone) != locked || (h.latched && !model.hinges[i].latch)) return false;
  }
  return true;
}

bool same_size(const HereditaryMemory& a, const HereditaryMemory& b) {
  return a.branch.size() == b.branch.size();
}

// Whether what is remembered is of the same elements.
bool fit(const System::Memory& a, const System::Memory& b) {
  const auto same = [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_size);
  };
  return same(a.elements.memory, b.elements.memory) &&
         std::equal(a.rods.elements.begin(), a.rods.elements.end(), b.rods.elements.begin(),
                    b.rods.elements.end(), same);
}

// Whether all is remembered up to t, and not beyond.
bool ends_at(const System::Memory& memory, double t) {
  const auto at_t = [t](const HereditaryMemory& m) { return m.time == t; };
  const auto all_at_t = [&](const auto& items) {
    return std::all_of(items.begin(), items.end(), at_t);
  };
  return all_at_t(memory.elements.memory) &&
         std::all_of(memory.rods.elements.begin(), memory.rods.elements.end(), all_at_t);
}

GeneralizedAlpha<System>& generalized_alpha(TimeScheme& scheme) {
  return dynamic_cast<GeneralizedAlpha<System>&>(scheme);
}

bool has_hard_stops(const Model& model) {
  return std::any_of(model.hinges.begin(), model.hinges.end(),
                     [](const Hinge& h) { return h.stop.has_value(); });
}

Outcome solve_jump(System& system, double t, std::span<double> q, std::span<double> v, Jump& jump) {
  const std::vector<double> before(v.begin(), v.end());
  const Outcome outcome = system.jump(t, q, v, jump.impulses);
  if (!outcome.ok()) return outcome;
  jump.works.clear();
  for (std::size_t r = 0; r < jump.impulses.size(); ++r) {
    const double rates = row_rate(
        system.model().rows[r], t, [&](int c) { return q[system.place(c)]; },
        [&](int c) { return before[system.place(c)] + v[system.place(c)]; });
    jump.works.push_back(0.5 * rates * jump.impulses[r]);
  }
  jump.frame = 0;
  if (!system.model().frame) return {};
  const std::vector<double> old_frame = system.transport(t, Side::before, q);
  const std::vector<double> new_frame = system.transport(t, Side::after, q);
  for (std::size_t r = 0; r < jump.impulses.size(); ++r) {
    const double rates = row_rate(
        system.model().rows[r], t, [&](int c) { return q[system.place(c)]; },
        [&](int c) { return old_frame[system.place(c)] + new_frame[system.place(c)]; });
    jump.frame += 0.5 * rates * jump.impulses[r];
  }
  return {};
}

}  // namespace

double largest_time_step(const Model& model, double highest_frequency) {
  return *model.analysis.method.frequency_limit / bounding_frequency(model, highest_frequency);
}

RunState::RunState(const Model& model, Parallelism parallelism)
    : model_(model), parallelism_(parallelism) {
  system_ = std::make_unique<System>(model_, parallelism_);
  q_ = system_->initial_positions();
  v_ = system_->store(model_.initial_rates);
  make_integrator();
  if (system_->remembers()) system_->start_memory({largest_step(), model_.analysis.end}, q_);
}

Outcome RunState::commit(double t) {
  if (!system_->remembers()) return {};
  dense_state(t, scratch_q_, scratch_v_);
  const Outcome outcome = system_->complete(t, Side::before, scratch_q_, scratch_v_);
  if (outcome.ok()) system_->commit_memory(t, Side::before, scratch_q_);
  return outcome;
}

double RunState::commit_jump(double t) {
  double work = 0;
  const auto stored = [&](Side side) {
    double sum = 0;
    for (std::size_t n = 0; n < model_.hereditary.size(); ++n) {
      sum += system_->hereditary().answer(n, t, side, q_).stored;
    }
    return sum;
  };
  work -= stored(Side::before);
  if (system_->remembers()) system_->commit_memory(t, Side::after, q_);
  return work + stored(Side::after);
}

void RunState::limit_step(double longest) {
  if (!model_.analysis.long_steps) arc_length(*integrator_).limit_step(longest);
}

void RunState::make_integrator() {
  frequencies_.emplace(locks(), system_->highest_frequency());
  integrator_ = make_scheme(*system_, parallelism_);
  for (auto* x : {&scratch_q_, &scratch_v_, &scratch_a_}) x->assign(system_->size(), 0.0);
}

std::vector<bool> RunState::locks() const {
  std::vector<bool> locks;
  for (const Hinge& h : model_.hinges) {
    locks.push_back(h.lock != kNone);
    locks.push_back(h.latched);
  }
  return locks;
}

void RunState::rebuild(const std::vector<double>& natural_q, const std::vector<double>& natural_v) {
  const auto known = frequencies_.find(locks());
  const std::optional<double> frequency =
      known == frequencies_.end() ? std::nullopt : std::optional<double>(known->second);
  auto system = std::make_unique<System>(model_, parallelism_, natural_q, frequency, time_);
  past_ = statistics();
  birth_ = natural_q;
  birth_time_ = time_;
  system->set_memory(system_->memory());
  system_ = std::move(system);
  make_integrator();
  q_ = system_->store(natural_q);
  v_ = system_->store(natural_v);
}

void RunState::replace_laws(const std::vector<NewLaw>& laws, std::optional<double> t, Side side) {
  const auto replace = [&](Model& model) {
    for (const NewLaw& law : laws) replace_law(model, law, t, side);
  };
  // Loads read their laws at every evaluation; what follows from rows is worked out beforehand.
  const bool in_rows = std::any_of(laws.begin(), laws.end(), [this](const NewLaw& law) {
    return prescribes_place(model_, law.index);
  });
  if (!in_rows) return replace(model_);
  const auto before = std::tuple(model_.laws, model_.rows, model_.break_times);
  try {
    change(replace);
  } catch (const InputError&) {
    std::tie(model_.laws, model_.rows, model_.break_times) = before;
    throw;
  }
}

void RunState::set_velocities(const std::vector<double>& natural_v) {
  v_ = system_->store(natural_v);
}

std::vector<double> RunState::natural(std::span<const double> stored) const {
  std::vector<double> x;
  for (int c = 0; c < model_.coordinates(); ++c) x.push_back(stored[system_->place(c)]);
  return x;
}

void RunState::dense_state(double t, std::span<double> q, std::span<double> v) {
  const auto end_q = integrator_->positions();
  const auto end_v = integrator_->velocities();
  std::copy(end_q.begin(), end_q.end(), q.begin());
  std::copy(end_v.begin(), end_v.end(), v.begin());
  if (t != integrator_->time()) integrator_->dense_output(t, q, v);
}

Outcome RunState::take(double t, Side side) {
  time_ = t;
  dense_state(t, q_, v_);
  return system_->complete(t, side, q_, v_);
}

Outcome RunState::jump(double t, Jump& jump) { return solve_jump(*system_, t, q_, v_, jump); }

Outcome RunState::jump_with(const Model& with, double t, Jump& jump) {
  const std::vector<double> natural_q = natural(q_);
  System system(with, parallelism_, natural_q, system_->highest_frequency(), t);
  std::vector<double> q = system.store(natural_q);
  std::vector<double> v = system.store(natural(v_));
  const Outcome outcome = solve_jump(system, t, q, v, jump);
  for (int c = 0; c < model_.coordinates(); ++c) v_[system_->place(c)] = v[system.place(c)];
  return outcome;
}

HingeMotion RunState::measure(double t, std::span<const double> q, std::span<const double> v,
                              std::span<const double> a) const {
  HingeMotion motion{.time = t};
  const bool rests = std::any_of(model_.hinges.begin(), model_.hinges.end(), rests_on_stop);
  std::vector<double> reactions;
  if (rests) reactions = system_->reactions(a);
  for (const Hinge& h : model_.hinges) {
    const auto difference = [&](std::span<const double> x) {
      return x[system_->place(h.second)] - x[system_->place(h.first)];
    };
    motion.angle.push_back(difference(q) + h.turns);
    motion.rate.push_back(difference(v));
    motion.acceleration.push_back(h.stop ? difference(a) : 0.0);
    motion.contact.push_back(rests && h.lock != kNone ? reactions[at(h.lock)] : 0.0);
  }
  return motion;
}

Outcome RunState::hinge_motion(double t, HingeMotion& motion) {
  if (has_hard_stops(model_)) {
    const Outcome outcome = system_->acceleration(t, Side::after, q_, v_, scratch_a_);
    if (!outcome.ok()) return outcome;
  }
  motion = measure(t, q_, v_, scratch_a_);
  return {};
}

Outcome RunState::hinge_motion_at_end(HingeMotion& motion) {
  const double t = integrator_->time();
  const auto q = integrator_->positions();
  const auto v = integrator_->velocities();
  const Outcome outcome = system_->complete(t, Side::before, q, v);
  if (outcome.ok()) motion = measure(t, q, v, integrator_->accelerations());
  return outcome;
}

Outcome RunState::hinge_motion_within(double t, HingeMotion& motion) {
  dense_state(t, scratch_q_, scratch_v_);
  const Outcome outcome =
      has_hard_stops(model_)
          ? integrator_->accelerations_within(t, scratch_q_, scratch_v_, scratch_a_)
          : system_->complete(t, Side::before, scratch_q_, scratch_v_);
  if (outcome.ok()) motion = measure(t, scratch_q_, scratch_v_, scratch_a_);
  return outcome;
}

StepStatistics RunState::statistics() const {
  const StepStatistics& now = integrator_->statistics();
  return {.steps = past_.steps + now.steps,
          .rejected = past_.rejected + now.rejected,
          .evaluations = past_.evaluations + now.evaluations,
          .tangents = past_.tangents + now.tangents};
}

double RunState::largest_step() const {
  return largest_time_step(model_, system_->highest_frequency());
}

void RunState::save(StateWriter& out) {
  std::vector<HingeStatus> hinges = list_hinge_status(model_);
  std::vector<double> frequencies;
  for (const auto& [locks, frequency] : frequencies_) {
    for (const bool lock : locks) frequencies.push_back(lock ? 1 : 0);
    frequencies.push_back(frequency);
  }
  System::Memory memory = system_->memory();
  out(hinges, frequencies, birth_, birth_time_, time_, past_, memory.elements.memory,
      memory.rods.elements, q_, v_);
  if (model_.analysis.long_steps) {
    std::vector<double> factors = system_->step_factors();
    out(generalized_alpha(*integrator_), factors);
  } else {
    out(arc_length(*integrator_));
  }
}

void RunState::load(StateReader& in) {
  std::vector<HingeStatus> hinges;
  std::vector<double> frequencies;
  System::Memory memory = system_->memory();
  in(hinges, frequencies, birth_, birth_time_, time_, past_, memory.elements.memory,
     memory.rods.elements, q_, v_);
  const std::size_t entry = 2 * model_.hinges.size() + 1;
  const auto coordinates = static_cast<std::size_t>(model_.coordinates());
  if (!fit(hinges, model_) || frequencies.size() % entry != 0 ||
      (!birth_.empty() && birth_.size() != coordinates) || !fit(memory, system_->memory())) {
    throw ArchiveError("the stored state is of another model");
  }
  for (std::size_t i = 0; i < frequencies.size(); i += entry) {
    std::vector<bool> locks;
    for (std::size_t k = 0; k + 1 < entry; ++k) locks.push_back(frequencies[i + k] != 0);
    frequencies_[locks] = frequencies[i + entry - 1];
  }
  if (!birth_.empty()) {
    restore_hinges(model_, hinges);
    const auto known = frequencies_.find(locks());
    if (known == frequencies_.end()) throw ArchiveError("the stored state is damaged");
    system_ = std::make_unique<System>(model_, parallelism_, birth_, known->second, birth_time_);
  }
  if (q_.size() != system_->size() || v_.size() != system_->size()) {
    throw ArchiveError("the stored state is of another model");
  }
  system_->set_memory(memory);
  make_integrator();
  if (model_.analysis.long_steps) {
    std::vector<double> factors;
    in(generalized_alpha(*integrator_), factors);
    if (!system_->set_step_factors(factors)) {
      throw ArchiveError("the stored state is of another model");
    }
  } else {
    in(arc_length(*integrator_));
  }
  const double t = integrator_->time();
  if (!(birth_time_ <= t && time_ <= t && ends_at(memory, t))) {
    throw ArchiveError("the stored state is damaged");
  }
}

}  // namespace fem
