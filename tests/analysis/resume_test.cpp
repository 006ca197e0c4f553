// A stored state is taken by its own case only, in whatever two cases differ.
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/analysis/dynamics.hpp"
#include "libfem/analysis/law_ledger.hpp"
#include "libfem/base/archive.hpp"
#include "tests/analysis/record.hpp"

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
