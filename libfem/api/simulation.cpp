#include "libfem/api/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>

#include "libfem/analysis/take_snapshot.hpp"
#include "libfem/api/run.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"
#include "libfem/base/threads.hpp"
#include "libfem/base/version.hpp"
#include "libfem/io/load_case.hpp"

namespace fem {
namespace {

std::string print(const char* format, double a, double b = 0) {
  char text[160];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

const std::string& name_of(const std::string& name) { return name; }
template <class Part>
const std::string& name_of(const Part& part) {
  return part.name;
}

// The part of this name; both vectors have one entry a part, in one order.
template <class Name, class Part>
const Part& find_part(const std::vector<Name>& names, const std::vector<Part>& parts,
                      const std::string& name, const char* family) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name_of(names[i]) == name) return parts[i];
    known.push_back(name_of(names[i]));
  }
  const std::string nearest = nearest_name(name, known);
  throw InputError(Problem{
      join_pointer(family, name), "there is no such name",
      nearest.empty() ? "known are " + list_names(known) : "did you mean '" + nearest + "'?"});
}

CaseDescription with_output(CaseDescription description) {
  AnalysisDescription& analysis = description.analysis;
  if (analysis.output_every == 0) analysis.output_every = analysis.end / kDefaultOutputRows;
  return description;
}

Model with_end(Model model) {
  if (model.analysis.end > 0) return model;
  throw InputError(Problem{"/analysis/end", "a simulation needs an end",
                           "give the time at which it ends at the latest, s"});
}

}  // namespace

// ---------------------------------------------------------------------------------------- the run

Simulation::Run::Run(const Model& model, std::string text, int threads)
    : dynamics(with_end(model), {start_threads(threads)}, *this),
      layout(make_layout(dynamics.model())),
      case_text(std::move(text)) {}

void Simulation::Run::snapshot(const Snapshot& snapshot) {
  if (recorder) recorder->append(snapshot);
}

void Simulation::Run::event(const Event& event) {
  events.push_back(event);
  if (recorder) recorder->event(event);
}

void Simulation::Run::warning(const std::string& text) { warnings.push_back(text); }

bool Simulation::Run::proceed(const Progress& progress) {
  if (may_proceed && !may_proceed(progress)) stopped = true;
  return true;
}

void Simulation::Run::make_current() {
  check();
  if (!new_laws.empty()) {
    const std::vector<NewLaw> laws = std::exchange(new_laws, {});
    dynamics.replace_laws(laws);
    check();
  }
  if (begun) return;
  begun = true;
  dynamics.start();
  check();
}

bool Simulation::Run::advance(double until, bool one_step) {
  make_current();
  stopped = false;
  while (dynamics.status() == RunStatus::running && dynamics.time() < until && !stopped) {
    forget_state();
    dynamics.step(until);
    if (one_step) break;
  }
  check();
  return !stopped;
}

// Laws that are set at the same time may agree with one another only together: they are carried out
// when the run goes on, or when somebody looks.
void Simulation::Run::set_law(const NewLaw& law) {
  check();
  const auto problem =
      find_law_change_problem(dynamics.model(), law, dynamics.time(), dynamics.side());
  if (problem) throw InputError(*problem);
  new_laws.push_back(law);
  forget_state();
}

LawValue Simulation::Run::law_value(int index) const {
  for (auto law = new_laws.rbegin(); law != new_laws.rend(); ++law) {
    if (law->index == index) return evaluate(law->law, dynamics.time(), Side::after);
  }
  return evaluate(dynamics.model().laws[static_cast<std::size_t>(index)], dynamics.time(),
                  dynamics.side());
}

void Simulation::Run::check() {
  if (dynamics.status() != RunStatus::failed) return;
  finish();
  throw SolverError(dynamics.reason());
}

void Simulation::Run::forget_state() { looked = read = false; }

const Snapshot& Simulation::Run::look() {
  if (looked) return now;
  make_current();
  looked = dynamics.look(now);
  check();
  return now;
}

RunSummary Simulation::Run::finish() {
  if (finished) return dynamics.summary();
  finished = true;
  const RunSummary summary = dynamics.finish();
  if (recorder) std::exchange(recorder, nullptr)->finish(summary);
  return summary;
}

// ------------------------------------------------------------------------------------- the facade

Simulation::Simulation(std::unique_ptr<Run> run) : run_(std::move(run)) {}

Simulation::Simulation(const CaseDescription& description, int threads)
    : run_(std::make_unique<Run>(make_model(with_output(description)), "", threads)) {}

Simulation Simulation::from_file(const std::filesystem::path& path, int threads) {
  LoadedCase loaded = load_case(path);
  return Simulation(std::make_unique<Run>(loaded.model, std::move(loaded.document.text), threads));
}

Simulation Simulation::from_text(const std::string& text, const std::filesystem::path& folder,
                                 int threads) {
  return Simulation(std::make_unique<Run>(read_model(text, folder), text, threads));
}

Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Simulation::~Simulation() {
  if (!run_) return;
  try {
    run_->finish();
  } catch (const std::exception&) {
    // What the file has stays readable, its status is "running": finish() would have told.
  }
}

double Simulation::time() const { return run_->dynamics.time(); }
double Simulation::end() const { return run_->dynamics.model().analysis.end; }
bool Simulation::done() const { return run_->dynamics.status() == RunStatus::complete; }

bool Simulation::advance_to(double t) {
  if (!(t >= time() && t <= end())) {
    throw InputError(
        Problem{"advance_to", print("a run at t = %.9g s cannot advance to %.9g s", time(), t),
                print("give a time from %.9g s to the end of the case, %.9g s", time(), end())});
  }
  return run_->advance(t, false);
}

bool Simulation::run() { return run_->advance(end(), false); }

void Simulation::step() { run_->advance(end(), true); }

void Simulation::set_proceed(std::function<bool(const Progress&)> proceed) {
  run_->may_proceed = std::move(proceed);
}

const Snapshot& Simulation::state() { return run_->look(); }
const ResultLayout& Simulation::layout() const { return run_->layout; }

std::size_t Simulation::find_point(const std::string& name) const {
  const auto& points = layout().points;
  return static_cast<std::size_t>(&find_part(points, points, name, "/points") - points.data());
}

std::array<double, 2> Simulation::position(const std::string& point) {
  const std::size_t i = 3 * find_point(point);
  return {state().position[i], state().position[i + 1]};
}

std::array<double, 2> Simulation::velocity(const std::string& point) {
  const std::size_t i = 3 * find_point(point);
  return {state().velocity[i], state().velocity[i + 1]};
}

const RodSnapshot& Simulation::rod(const std::string& name) {
  return find_part(layout().rods, state().rods, name, "/rods");
}

const HingeSnapshot& Simulation::hinge(const std::string& name) {
  return find_part(layout().hinges, state().hinges, name, "/hinges");
}

const SupportSnapshot& Simulation::support(const std::string& point) {
  return find_part(layout().supports, state().supports, point, "/supports");
}

const ConstraintSnapshot& Simulation::constraint(const std::string& name) {
  return find_part(layout().constraints, state().constraints, name, "/constraints");
}

const BodySnapshot& Simulation::body(const std::string& name) {
  return find_part(layout().bodies, state().bodies, name, "/bodies");
}

const SpringSnapshot& Simulation::spring(const std::string& name) {
  return find_part(layout().springs, state().springs, name, "/springs");
}

const LoadSnapshot& Simulation::load(const std::string& name) {
  return find_part(layout().loads, state().loads, name, "/loads");
}

const EnergySnapshot& Simulation::energy() { return state().energy; }

std::shared_ptr<const Quantities> Simulation::quantities() {
  auto& quantities = run_->quantities;
  if (run_->looked && run_->read) return quantities;
  const Snapshot& snapshot = state();
  if (!quantities || quantities.use_count() > 1)
    quantities = std::make_shared<Quantities>(layout());
  quantities->read(snapshot);
  run_->read = true;
  return quantities;
}

const std::vector<Event>& Simulation::events() const { return run_->events; }
const std::vector<std::string>& Simulation::warnings() const { return run_->warnings; }
RunSummary Simulation::summary() const { return run_->dynamics.summary(); }

LawHandle Simulation::law(const std::string& name) {
  return LawHandle(*this, find_law(run_->dynamics.model(), name), name);
}

void Simulation::record(const std::filesystem::path& path) {
  if (run_->begun) {
    throw InputError(Problem{"record",
                             "the run has begun and cannot be recorded from its start any more",
                             "call record() first"});
  }
  run_->recorder = std::make_unique<Recorder>(RecorderOptions{.path = path,
                                                              .case_text = run_->case_text,
                                                              .title = run_->dynamics.model().title,
                                                              .version = kVersion},
                                              layout());
}

RunSummary Simulation::finish() { return run_->finish(); }

}  // namespace fem
