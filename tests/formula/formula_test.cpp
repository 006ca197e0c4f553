// Formulas against the same in C++, and what is said of bad ones.
#include "libfem/formula/formula.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/math/jet.hpp"

namespace fem {
namespace {

using testing::HasSubstr;

Formula parse(const std::string& text) {
  auto parsed = parse_formula(text);
  if (const auto* problem = std::get_if<FormulaProblem>(&parsed)) {
    ADD_FAILURE() << text << ": " << problem->what << " at " << problem->column;
    return {};
  }
  return std::get<Formula>(parsed);
}

double value(const std::string& text, double x = 0, double y = 0) {
  const Formula f = parse(text);
  return evaluate<double>(
      f, [&](int i) { return f.names[static_cast<std::size_t>(i)] == "x" ? x : y; });
}

TEST(Formula, FollowsTheRulesOfArithmetic) {
  EXPECT_DOUBLE_EQ(value("1 + 2*3 - 4/8"), 6.5);
  EXPECT_DOUBLE_EQ(value("(1 + 2)*3"), 9);
  EXPECT_DOUBLE_EQ(value("10 - 4 - 3"), 3);
  EXPECT_DOUBLE_EQ(value("16/4/2"), 2);
  EXPECT_DOUBLE_EQ(value("-2^2"), -4);
  EXPECT_DOUBLE_EQ(value("2^-1"), 0.5);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 512);
  EXPECT_DOUBLE_EQ(value("2*-3"), -6);
  EXPECT_DOUBLE_EQ(value("--3"), 3);
  EXPECT_DOUBLE_EQ(value("1e-3*.5"), 5e-4);
  EXPECT_DOUBLE_EQ(value("pi"), std::numbers::pi);
}

TEST(Formula, KnowsItsFunctions) {
  const double x = 0.37, y = -1.2;
  EXPECT_DOUBLE_EQ(value("sin(x)+cos(x)+tan(x)", x), std::sin(x) + std::cos(x) + std::tan(x));
  EXPECT_DOUBLE_EQ(value("asin(x)+acos(x)+atan(x)", x), std::asin(x) + std::acos(x) + std::atan(x));
  EXPECT_DOUBLE_EQ(value("sinh(x)+cosh(x)+tanh(x)", x), std::sinh(x) + std::cosh(x) + std::tanh(x));
  EXPECT_DOUBLE_EQ(value("exp(x)+log(x)+sqrt(x)", x), std::exp(x) + std::log(x) + std::sqrt(x));
  EXPECT_DOUBLE_EQ(value("atan2(y, x)", x, y), std::atan2(y, x));
  EXPECT_DOUBLE_EQ(value("hypot(y, x)", x, y), std::hypot(y, x));
  EXPECT_DOUBLE_EQ(value("abs(y)+pow(x, 3)", x, y), std::abs(y) + std::pow(x, 3));
}

TEST(Formula, NamesMayHoldAnything) {
  const Formula f = parse("x_'left tip' + angle_größe - x_'left tip'*t2");
  EXPECT_THAT(f.names, testing::ElementsAre("x_left tip", "angle_größe", "t2"));
}

// Every function, along a motion: central differences of order 4, h⁴f⁽⁵⁾/30 and 1e-16/h².
TEST(Formula, WithJetsGivesItsDerivatives) {
  const double h = 2e-3;
  const auto x = [](double t) { return 0.4 + 0.3 * t - 0.2 * t * t; };
  const auto y = [](double t) { return 0.7 - 0.5 * t + 0.1 * t * t; };
  for (const char* text :
       {"sin(x*y)",    "cos(x)/y",    "tan(x - y)",   "asin(x*y)", "acos(x)",      "atan(x/y)",
        "atan2(x, y)", "sinh(x)",     "cosh(x*y)",    "tanh(x)",   "exp(x - y^2)", "log(x + y)",
        "sqrt(x*y)",   "hypot(x, y)", "abs(x - y)*x", "x^3",       "x^-2",         "x^0.5",
        "x^y",         "y^1",         "y^0 + x",      "-x/y"}) {
    const Formula f = parse(text);
    const auto at = [&](double t) { return value(text, x(t), y(t)); };
    const Jet<double> jet = evaluate<Jet<double>>(f, [&](int i) {
      return f.names[static_cast<std::size_t>(i)] == "x" ? Jet<double>(0.4, 0.3, -0.4)
                                                         : Jet<double>(0.7, -0.5, 0.2);
    });
    const double first = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    const double second =
        (16 * (at(h) + at(-h)) - (at(2 * h) + at(-2 * h)) - 30 * at(0)) / (12 * h * h);
    EXPECT_DOUBLE_EQ(jet.value, at(0)) << text;
    EXPECT_NEAR(jet.rate, first, 1e-9 * (1 + std::abs(first))) << text;
    EXPECT_NEAR(jet.curvature, second, 1e-8 * (1 + std::abs(second))) << text;
  }
}

TEST(Formula, SaysWhatIsWrongAndWhere) {
  struct Bad {
    const char* text;
    std::size_t column;
    const char* what;
  };
  for (const Bad& bad : {Bad{"", 0, "ends where a value"},
                         Bad{"1 +", 3, "ends where a value"},
                         Bad{"1 + * 2", 4, "'*' is not allowed"},
                         Bad{"2 x", 2, "operator is missing"},
                         Bad{"sine(x)", 0, "no function 'sine'"},
                         Bad{"hypot(x)", 0, "takes 2 values, not 1"},
                         Bad{"sin(x, y)", 0, "takes 1 value, not 2"},
                         Bad{"(1 + x", 0, "not closed"},
                         Bad{"x_'left", 2, "quote is not closed"},
                         Bad{"1..2", 2, "operator is missing"},
                         Bad{"x = 3", 2, "'=' is not allowed"},
                         Bad{"x # y", 2, "'#' is not allowed"},
                         Bad{"0.1*sin(3t)", 9, "operator is missing"},
                         Bad{"sin x", 0, "does not stand in parentheses"},
                         Bad{"x)", 1, "not opened"},
                         Bad{"1e999", 0, "not a number"},
                         Bad{".", 0, "not a number"},
                         Bad{"''", 0, "is not allowed"},
                         Bad{"0,5*x", 1, "comma"},
                         Bad{"(1, 2)", 2, "comma"}}) {
    const auto parsed = parse_formula(bad.text);
    const auto* problem = std::get_if<FormulaProblem>(&parsed);
    ASSERT_NE(problem, nullptr) << bad.text;
    EXPECT_EQ(problem->column, bad.column) << bad.text;
    EXPECT_THAT(problem->what, HasSubstr(bad.what));
    EXPECT_FALSE(problem->remedy.empty());
  }
  const auto parsed = parse_formula("sine(x)");
  EXPECT_THAT(std::get<FormulaProblem>(parsed).remedy, HasSubstr("did you mean 'sin'?"));
}

TEST(Formula, RefusesWhatIsNestedTooDeeply) {
  for (const std::string& text : {std::string(100000, '('), std::string(100000, '-') + "1",
                                  std::string(200, '(') + "1" + std::string(200, ')')}) {
    EXPECT_TRUE(std::holds_alternative<FormulaProblem>(parse_formula(text)));
  }
  std::string deep = "1";
  for (int i = 0; i < 40; ++i) deep = "1 + (" + deep + ")";
  EXPECT_TRUE(std::holds_alternative<FormulaProblem>(parse_formula(deep)));
  // Few parentheses, many values that wait: the 33rd of them is the first of the 17th "(1 + 2".
  std::string wide = "1";
  for (int i = 0; i < 20; ++i) wide = "1+2*(" + wide + ")";
  const auto parsed = parse_formula(wide);
  EXPECT_EQ(std::get<FormulaProblem>(parsed).column, 5 * (Formula::kMostDepth / 2));
}

TEST(Formula, FindsWhereItIsNotLinear) {
  const auto find = [](const std::string& text) {
    const Formula f = parse(text);
    std::vector<bool> variables;
    for (const std::string& name : f.names) variables.push_back(name[0] == 'v');
    return find_not_linear(f, variables);
  };
  EXPECT_EQ(find("x*v - sin(x)*v2/y + t"), kLinear);
  EXPECT_EQ(find("-(v + 2*(v2 - v))*x^2"), kLinear);
  EXPECT_EQ(find("x + v*v2"), 5U);
  EXPECT_EQ(find("v^2"), 1U);
  EXPECT_EQ(find("1 + x/v"), 5U);
  EXPECT_EQ(find("y - sin(v)"), 4U);
  EXPECT_EQ(find("x^v"), 1U);
}

}  // namespace
}  // namespace fem
