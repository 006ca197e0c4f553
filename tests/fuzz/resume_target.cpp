#include <cstddef>
#include <string>

#include "libfem/analysis/dynamics.hpp"
#include "libfem/base/archive.hpp"
#include "libfem/io/case_reader.hpp"
#include "libfem/model/model.hpp"
#include "tests/fuzz/targets.hpp"

namespace fem::fuzz {
namespace {

// With all that a checkpoint can hold: a rod, a body, a hinge with a latch and a stop, an element
// that remembers, laws with a break.
constexpr std::string_view kCase = R"({
  "libfem": 1,
  "gravity": [0, -9.81],
  "sections": {"soft": {"EA": 400, "EI": 2, "GAs": 150, "mass_per_length": 1,
                        "inertia_per_length": 0.005,
                        "hereditary": {"kernel": {"kind": "standard", "prolonged": 0.4,
                                                  "time": 0.1}}}},
  "laws": {"shake": {"kind": "linear", "points": [[0, 0], [0.1, 0.01], [0.5, 0]]}},
  "points": {"O": [0, 0], "A": [1, 0], "W": [1, 1]},
  "rods": {"rod": {"section": "soft", "from": "O", "to": "A", "elements": 2}},
  "bodies": {"disc": {"at": "A", "mass": 1, "inertia": 0.1}},
  "hinges": {"knee": {"at": "A", "members": ["rod", "disc"],
                      "spring": {"stiffness": 4, "neutral": 0.3},
                      "stop": {"lower": -0.05, "upper": 0.5, "restitution": 0.4}}},
  "hereditary": {"e": {"between": ["A", "W"], "kernel": {"kind": "prony", "instantaneous": 30,
                                                         "terms": [[2, 0.2], [1, 0.01]]}}},
  "supports": {"O": {"fix": ["x", "angle"], "y": "shake"}, "W": {"fix": ["x", "y"]}},
  "analysis": {"end": 0.6, "output": {"every": 0.05}, "method": {"kind": ")";
constexpr std::string_view kCaseEnd = R"("}}
})";

// Lets a run go on for a few of its questions, and keeps what it says of its state.
class Stop : public Observer {
 public:
  explicit Stop(int questions) : left_(questions) {}
  bool proceed(const Progress& /*progress*/) override { return left_-- > 0; }
  void checkpoint(const std::string& state) override { state_ = state; }
  [[nodiscard]] const std::string& state() const { return state_; }

 private:
  int left_;
  std::string state_;
};

struct Stopped {
  explicit Stopped(std::string_view method)
      : model(make_model(
            read_case(std::string(kCase) + std::string(method) + std::string(kCaseEnd)))) {}
  [[nodiscard]] double end() const { return model.analysis.end; }
  Model model;
  std::string state = [this] {
    Stop observer(1);
    static_cast<void>(run_dynamics(model, {1}, observer));
    return observer.state();
  }();
};

// Changes bytes as (place in two bytes, value) say; a last single byte cuts the end.
std::string changed(std::string state, std::string_view bytes) {
  constexpr std::size_t kChange = 3;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  std::size_t i = 0;
  for (; i + kChange <= bytes.size(); i += kChange) {
    const std::size_t place = (byte(i) * std::size_t{256} + byte(i + 1)) % state.size();
    state[place] = static_cast<char>(byte(i + 2));
  }
  if (i < bytes.size()) state.resize(state.size() - byte(i) % state.size());
  return state;
}

void resume_changed(const Stopped& stopped, std::string_view bytes) {
  constexpr int kSteps = 2;  // and what has to be computed again before the first
  Observer observer;
  Dynamics run(stopped.model, {1}, observer);
  try {
    run.resume(changed(stopped.state, bytes));
  } catch (const ArchiveError&) {
    return;
  }
  for (int i = 0; i < kSteps && run.status() == RunStatus::running; ++i) run.step(stopped.end());
  static_cast<void>(run.finish());
}

}  // namespace

void resume_changed_state(std::string_view bytes) {
  static const Stopped short_steps("arc_length"), long_steps("generalized_alpha");
  resume_changed(short_steps, bytes);
  resume_changed(long_steps, bytes);
}

}  // namespace fem::fuzz
