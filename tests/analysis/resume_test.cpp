// A stored state is taken by its own case only, in whatever two cases differ.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/analysis/dynamics.hpp"
#include "libfem/analysis/law_ledger.hpp"
#include "libfem/base/archive.hpp"
#include "tests/analysis/record.hpp"
#include "tests/support/wheels.hpp"

namespace fem {
namespace {

using test::driven_rod;
using test::LawKind;
using test::make_law;
using ::testing::AnyOf;
using ::testing::HasSubstr;

// Ends a run at its first question and keeps its state.
class Stop : public Observer {
 public:
  bool proceed(const Progress& /*progress*/) override { return false; }
  void checkpoint(const std::string& stopped) override { state = stopped; }
  std::string state;
};

// A driven rod, tied to a wall by an element that remembers.
CaseDescription example() {
  CaseDescription d = driven_rod(make_law("turn", LawKind::smooth, {0, 1}, {0, 0.2}), 2);
  d.points.push_back({"W", {0, 3}});
  d.hereditary = {{.name = "damper",
                   .between = {"A", "W"},
                   .law = {.instantaneous = 3, .kernel = PronyKernel{{{0.5, 0.5}}}}}};
  return d;
}

std::string stopped_state(const CaseDescription& d) {
  const Model model = make_model(d);
  Stop observer;
  static_cast<void>(run_dynamics(model, {1}, observer));
  return observer.state;
}

std::string refusal(const CaseDescription& d, const std::string& state) {
  const Model model = make_model(d);
  Observer observer;
  Dynamics run(model, {1}, observer);
  try {
    run.resume(state);
  } catch (const ArchiveError& error) {
    return error.what();
  }
  return "";
}

TEST(Resume, RefusesTheStateOfAnotherCase) {
  const std::string state = stopped_state(example());
  EXPECT_EQ(refusal(example(), state), "");
  const auto refused = [&](const std::function<void(CaseDescription&)>& change) {
    CaseDescription d = example();
    change(d);
    return refusal(d, state);
  };
  const auto another = AnyOf(HasSubstr("of another model"), HasSubstr("that of this case"));
  EXPECT_THAT(refused([](auto& d) { d.rods[0].elements = 3; }), another);
  EXPECT_THAT(refused([](auto& d) { d.hereditary.clear(); }), another);
  EXPECT_THAT(refused([](auto& d) {
                d.hereditary[0].law.kernel = PronyKernel{{{0.5, 0.5}, {1, 0.1}}};
              }),
              another);
  EXPECT_THAT(refused([](auto& d) {
                d.laws.push_back(make_law("other", LawKind::smooth, {0, 1}, {0, 1}));
              }),
              another);
}

// Of two models with the same coordinates, one of which has a spring that couples them.
TEST(Resume, RefusesTheMatrixOfAnotherCase) {
  CaseDescription d = example();
  d.analysis.long_steps = GeneralizedAlphaDescription{};
  d.points.push_back({"P", {4, 1}});
  d.particles = {{.name = "bead", .at = "P", .mass = 1}};
  CaseDescription coupled = d;
  coupled.springs = {{.name = "tie", .between = {"A", "P"}, .stiffness = 1}};
  const std::string state = stopped_state(coupled);
  EXPECT_EQ(refusal(coupled, state), "");
  EXPECT_THAT(refusal(d, state), HasSubstr("of another model"));
}

// A number that counts what follows it, wherever it stands.
std::uint64_t number_at(const std::string& state, std::size_t at) {
  std::uint64_t number = 0;
  std::memcpy(&number, state.data() + at, sizeof number);
  return number;
}
void set_number(std::string& state, std::size_t at, std::uint64_t number) {
  std::memcpy(state.data() + at, &number, sizeof number);
}

// What is said of all states in which a count of `size` numbers, and the numbers, are one less.
std::set<std::string> shortened_refusals(const CaseDescription& d, std::uint64_t size) {
  constexpr std::size_t kBytes = sizeof(double);
  const std::string state = stopped_state(d);
  std::set<std::string> said;
  for (std::size_t at = 0; at + kBytes * (1 + size) <= state.size(); ++at) {
    if (number_at(state, at) != size) continue;
    std::string shorter = state;
    set_number(shorter, at, size - 1);
    shorter.erase(at + kBytes * size, kBytes);
    said.insert(refusal(d, shorter));
  }
  return said;
}

// The state stays one: everything behind the vector can be read. Each vector of the motion is found
// by its size.
TEST(Resume, RefusesVectorsThatLackANumber) {
  for (const bool long_steps : {false, true}) {
    CaseDescription d = example();
    d.rods[0].elements = 6;  // so many coordinates that nothing else is as many
    if (long_steps) d.analysis.long_steps = GeneralizedAlphaDescription{};
    const auto size = static_cast<std::uint64_t>(make_model(d).coordinates());
    const std::set<std::string> said = shortened_refusals(d, size);
    EXPECT_FALSE(said.contains("")) << long_steps;
    EXPECT_TRUE(said.contains("the stored state is of another model")) << long_steps;
  }
}

// Every byte in turn has values that flags and small counts have.
TEST(Resume, SaysWhatIsWrongWithAByte) {
  const CaseDescription d = example();
  const std::string state = stopped_state(d);
  std::set<std::string> said;
  for (std::size_t at = 0; at < state.size(); ++at) {
    for (const char value : {'\0', '\1', '\2', '\x7f'}) {
      std::string changed = state;
      changed[at] = value;
      said.insert(refusal(d, changed));
    }
  }
  EXPECT_TRUE(said.contains("the stored run has ended"));
  EXPECT_TRUE(said.contains("the stored state is damaged"));
  EXPECT_TRUE(said.contains("the stored state is of another model"));
}

// Ends a run once a hinge has latched.
class StopAtALatch : public Stop {
 public:
  void event(const Event& /*event*/) override { latched_ = true; }
  bool proceed(const Progress& /*progress*/) override { return !latched_; }

 private:
  bool latched_ = false;
};

// For all locks that it has met it keeps the highest frequency: two flags of the hinge, and that.
TEST(Resume, RefusesALockThatItHasNotMet) {
  CaseDescription d = test::wheel();
  d.hinges[0].spring = HingeSpringDescription{.stiffness = 1, .neutral = 2};
  d.hinges[0].latch = HingeLatchDescription{.angle = 1};
  StopAtALatch observer;
  static_cast<void>(run_dynamics(make_model(d), {1}, observer));
  ASSERT_EQ(refusal(d, observer.state), "");
  constexpr std::size_t kEntry = 3, kBytes = sizeof(double);
  const auto is_flag = [](double x) { return x == 0 || x == 1; };
  std::set<std::string> said;
  for (std::size_t at = 0; at + kBytes * (1 + 2 * kEntry) <= observer.state.size(); ++at) {
    std::array<double, 2 * kEntry> entries{};
    std::memcpy(entries.data(), observer.state.data() + at + kBytes, sizeof entries);
    const bool are_locks =
        is_flag(entries[0]) && is_flag(entries[1]) && is_flag(entries[3]) && is_flag(entries[4]);
    if (number_at(observer.state, at) != entries.size() || !are_locks) continue;
    std::string changed = observer.state;
    for (const std::size_t i : {0, 1, 3, 4}) entries[i] = 0;
    std::memcpy(changed.data() + at + kBytes, entries.data(), sizeof entries);
    said.insert(refusal(d, changed));
  }
  EXPECT_EQ(said, std::set<std::string>{"the stored state is damaged"});
}

TEST(LawLedger, RefusesTheBooksOfOtherLaws) {
  const CaseDescription one = example();
  CaseDescription two = example();
  two.laws.push_back(make_law("other", LawKind::smooth, {0, 1}, {0, 1}));
  LawLedger of_one(make_model(one)), of_two(make_model(two));
  StateWriter out;
  of_two.archive(out);
  const std::string state = out.take();
  StateReader in(state);
  EXPECT_THROW(of_one.archive(in), ArchiveError);
  StateReader again(state);
  EXPECT_NO_THROW(of_two.archive(again));
}

}  // namespace
}  // namespace fem
