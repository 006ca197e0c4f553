// Laws that are replaced while a model moves.
#include "libfem/model/law_change.hpp"

#include <cstddef>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/models.hpp"

namespace fem {
namespace {

using ::testing::ElementsAre;

CaseDescription pushed_rod() {
  CaseDescription d = test::one_rod(test::soft_section(), 2, 2);
  d.laws = {{"turn", LinearLaw{{0, 1, 2}, {0, 1, 3}}}, {"push", ConstantLaw{5}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .angle = "turn"}};
  d.point_loads = {{.name = "load", .at = "A", .force = {"push", 0.0}}};
  d.analysis = {.end = 4, .output_every = 1};
  return d;
}

TEST(LawChange, KnowsWhatALawMoves) {
  const Model model = make_model(pushed_rod());
  EXPECT_TRUE(prescribes_place(model, find_law(model, "turn")));
  EXPECT_FALSE(prescribes_place(model, find_law(model, "push")));
  EXPECT_THROW((void)find_law(model, "pull"), InputError);
}

TEST(LawChange, KeepsTheLimitBeforeAndTakesTheFutureAfter) {
  Model model = make_model(pushed_rod());
  EXPECT_THAT(model.break_times, ElementsAre(0, 1, 2));
  // At 1.5 the law is at 2 with the rate 2; from there it goes back.
  replace_law(model, {0, LinearLaw{{1.5, 3.5}, {2, 0}}}, 1.5, Side::before);
  const Law& law = model.laws[0];
  EXPECT_EQ(evaluate(law, 1.5, Side::before), (LawValue{2, 2, 0}));
  EXPECT_EQ(evaluate(law, 1.5, Side::after), (LawValue{2, -1, 0}));
  EXPECT_EQ(evaluate(law, 2.5, Side::before), (LawValue{1, -1, 0}));
  EXPECT_THAT(model.break_times, ElementsAre(1.5, 3.5));
  EXPECT_FALSE(is_constant(law));
  // Twice at one time: what was before stays.
  replace_law(model, {0, ConstantLaw{2}}, 1.5, Side::before);
  EXPECT_EQ(evaluate(model.laws[0], 1.5, Side::before), (LawValue{2, 2, 0}));
  EXPECT_EQ(evaluate(model.laws[0], 3, Side::after), (LawValue{2, 0, 0}));
}

TEST(LawChange, OfALengthChangesWhatIsMadeOfIt) {
  CaseDescription d;
  d.points = {{"O", {0, 0}}, {"P", {1.5, 0}}};
  d.particles = {{.name = "m", .at = "P", .mass = 1}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true}};
  d.laws = {{"length", LinearLaw{{0, 1}, {1.5, 2.5}}}};
  d.constraints = {{.name = "string",
                    .kind = ConstraintDescription::Kind::distance,
                    .law = "length",
                    .between = {"O", "P"}}};
  d.analysis = {.end = 2, .output_every = 1};
  Model model = make_model(d);
  ASSERT_EQ(model.law_of_change.size(), 1);
  const auto change = static_cast<std::size_t>(model.law_of_change.begin()->first);
  EXPECT_TRUE(prescribes_place(model, 0));
  replace_law(model, {0, ConstantLaw{2}}, 0.5, Side::before);
  EXPECT_EQ(evaluate(model.laws[change], 0.5, Side::before), (LawValue{0.5, 1, 0}));
  EXPECT_EQ(evaluate(model.laws[change], 1, Side::before), (LawValue{0.5, 0, 0}));
}

TEST(LawChange, OfAFormulaReachesTheFormula) {
  CaseDescription d;
  d.points = {{"P", {1, 0}}};
  d.particles = {{.name = "m", .at = "P", .mass = 1}};
  d.laws = {{"x", ConstantLaw{1}}};
  d.constraints = {
      {.name = "wall", .kind = ConstraintDescription::Kind::expression, .position = "x_P - x"}};
  d.analysis = {.end = 2, .output_every = 1};
  Model model = make_model(d);
  EXPECT_TRUE(prescribes_place(model, 0));
  replace_law(model, {0, PolynomialLaw{{1, 2}, {.start = 1}}}, 1, Side::after);
  bool found = false;
  for (const Row& row : model.rows) {
    if (!row.formula) continue;
    for (const FormulaVariable& v : row.formula->variables) {
      if (v.kind != FormulaVariable::Kind::law) continue;
      found = true;
      EXPECT_EQ(evaluate(v.law, 1.5, Side::after), (LawValue{2, 2, 0}));
    }
  }
  EXPECT_TRUE(found);
}

TEST(LawChange, SaysWhatWouldJump) {
  const Model model = make_model(pushed_rod());
  const auto problem = [&](int index, Law law) {
    const auto found = find_law_change_problem(model, {index, std::move(law)}, 1.5, Side::before);
    return found ? found->what : "";
  };
  EXPECT_EQ(problem(0, ConstantLaw{2}), "");
  EXPECT_EQ(problem(1, ConstantLaw{2}), "");
  EXPECT_EQ(problem(1, StepsLaw{{0, 2}, {1, 2}}), "");
  EXPECT_NE(problem(0, ConstantLaw{2.001}), "");
  EXPECT_NE(problem(0, StepsLaw{{0, 2}, {2, 2.1}}), "");
  EXPECT_NE(problem(1, PolynomialLaw{}), "");
}

}  // namespace
}  // namespace fem
