#include "libfem/constraint/projection.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/base/error.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"
#include "tests/support/problems.hpp"

namespace fem {
namespace {

using test::LawKind;
using test::Matrix;
using test::problem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// q̇ = free q̇_i + driven d, over all coordinates and all rows: the projection as dense matrices.
struct DenseProjection {
  Matrix free;    // 𝒯ᵀ: columns of dependent coordinates are zero
  Matrix driven;  // (0, H)

  DenseProjection(const Model& model, const Projection& p)
      : free(Matrix::Identity(model.coordinates(), model.coordinates())),
        driven(Matrix::Zero(model.coordinates(), static_cast<Eigen::Index>(model.rows.size()))) {
    for (const auto& d : p.dependents) {
      free.row(d.coordinate).setZero();
      for (const auto& [c, g] : d.independents) free(d.coordinate, c) = g;
      for (const auto& [r, h] : d.rows) driven(d.coordinate, r) = h;
    }
  }
};

// What every projection must be: 𝒯Dᵀ = 0, and rows that are kept are satisfied by H.
void check(const Model& model, const Projection& p) {
  const Matrix D = test::assemble_rows(model, 0, Side::after).D;
  const DenseProjection dense(model, p);
  // Coefficients are sums of a few ones: exact but for roundings.
  EXPECT_TRUE(test::all_near((D * dense.free).eval(), Matrix::Zero(D.rows(), D.cols()), 1e-12));
  Matrix unit = Matrix::Identity(D.rows(), D.rows());
  Matrix product = D * dense.driven;
  for (const int r : p.redundant) {
    product.row(r).setZero();
    unit.row(r).setZero();
    EXPECT_EQ(dense.driven.col(r).cwiseAbs().maxCoeff(), 0) << "a dropped row has a part in H";
  }
  EXPECT_TRUE(test::all_near(product, unit, 1e-12));
  // As many dependents as D has rank.
  const Eigen::FullPivLU<Matrix> lu(D);
  EXPECT_EQ(static_cast<Eigen::Index>(p.dependents.size()), D.size() == 0 ? 0 : lu.rank());
  EXPECT_EQ(p.dependents.size() + p.redundant.size(), model.rows.size());
  EXPECT_EQ(p.warnings.size(), p.redundant.size());
  // Independents are independent, and the index is right.
  std::set<int> dependents;
  for (std::size_t k = 0; k < p.dependents.size(); ++k) {
    dependents.insert(p.dependents[k].coordinate);
    EXPECT_EQ(p.dependent_of[at(p.dependents[k].coordinate)], static_cast<int>(k));
  }
  EXPECT_EQ(dependents.size(), p.dependents.size());
  for (const auto& d : p.dependents) {
    for (const auto& [c, g] : d.independents) EXPECT_EQ(p.dependent_of[at(c)], kNone);
  }
  EXPECT_EQ(std::count(p.dependent_of.begin(), p.dependent_of.end(), kNone),
            model.coordinates() - static_cast<int>(p.dependents.size()));
}

// Rods from the middle point P outwards, with directions that are all different.
CaseDescription spokes(int count) {
  CaseDescription d;
  d.sections = {test::bar_section()};
  d.points = {{"P", {0, 0}}};
  for (int i = 0; i < count; ++i) {
    const std::string end = "E" + std::to_string(i);
    d.points.push_back({end, {std::cos(1.0 + i), std::sin(1.0 + i)}});
    d.rods.push_back({"rod" + std::to_string(i), "bar", "P", end});
  }
  d.analysis = {.end = 1, .output_every = 0.1};
  return d;
}

// Three spokes whose hinges close a ring, all three driven by laws; the third follows from the
// others.
CaseDescription ring_of_drives(const LawReference& a, const LawReference& b,
                               const LawReference& c) {
  CaseDescription d = spokes(3);
  d.laws = {test::make_law("up", LawKind::smooth, {0, 1}, {0, 1}),
            test::make_law("down", LawKind::linear, {0, 1}, {0, -1}),
            test::make_law("away", LawKind::smooth, {0, 1}, {0, 3})};
  d.hinges = {{"h01", "P", {"rod0", "rod1"}, a},
              {"h12", "P", {"rod1", "rod2"}, b},
              {"h02", "P", {"rod0", "rod2"}, c}};
  return d;
}

TEST(Projection, OfTheDeployment) {
  for (const LawKind kind : {LawKind::linear, LawKind::smooth}) {
    const Model model = make_model(test::three_rods(kind));
    const Projection p = make_projection(model);
    check(model, p);
    EXPECT_THAT(p.redundant, IsEmpty());
    // X, Y and the root's angle, and of each hinge the outboard angle.
    ASSERT_THAT(p.dependents, SizeIs(5));
    EXPECT_EQ(p.dependents[0].coordinate, model.hinges[0].second);
    EXPECT_THAT(p.dependents[0].independents, ElementsAre(std::pair{model.hinges[0].first, 1.0}));
    EXPECT_EQ(p.dependents[1].coordinate, model.hinges[1].second);
  }
}

TEST(Projection, OfNothingIsEmpty) {
  const Model model = make_model(test::one_rod(test::soft_section(), 1, 3));
  const Projection p = make_projection(model);
  check(model, p);
  EXPECT_THAT(p.dependents, IsEmpty());
}

TEST(Projection, OfRandomFrames) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = make_model(
        test::random_frame(seed, {.rods = 4 + static_cast<int>(seed % 12), .loop = seed % 3 == 0}));
    const Projection p = make_projection(model);
    check(model, p);
    EXPECT_THAT(p.redundant, IsEmpty());
  }
}

TEST(Projection, OfRowsOfAnyKind) {
  test::Random random(300);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    Model model = make_model(test::random_frame(seed, {.rods = 3, .supports = seed % 2 == 0}));
    for (int i = 0; i < 4; ++i) test::add_random_row(random, model);
    check(model, make_projection(model));
  }
}

// What is nothing after elimination is so beside the row's own coefficients: rows in any unit do
// the same, and rounding is left neither of large nor of small ones.
TEST(Projection, DoesNotDependOnTheScaleOfARow) {
  for (const double scale : {1e-14, 1.0, 1e14}) {
    Model model = make_model(test::random_frame(7, {.rods = 3, .supports = true}));
    const Projection before = make_projection(model);
    test::Random random(301);
    test::add_random_row(random, model);
    const Row once = model.rows.back();
    for (auto& [coordinate, c] : model.rows.back().terms) c *= scale;
    Row twice = once;
    for (auto& [coordinate, c] : twice.terms) c *= 3 * scale;
    model.rows.push_back(twice);
    const Projection p = make_projection(model);
    EXPECT_EQ(p.dependents.size(), before.dependents.size() + 1) << scale;
    EXPECT_EQ(p.redundant.size(), before.redundant.size() + 1) << scale;
    EXPECT_EQ(p.redundant.back(), static_cast<int>(model.rows.size()) - 1) << scale;
  }
}

TEST(Projection, OfManyRodsInOnePoint) {
  // A rigid joint of 40 rods whose common angle is held, and a chain of 39 driven hinges.
  CaseDescription rigid = spokes(40);
  rigid.supports = {{.point = "P", .fix_x = true, .fix_y = true, .fix_angle = true}};
  CaseDescription driven = spokes(40);
  for (int i = 1; i < 40; ++i) {
    driven.hinges.push_back({"h" + std::to_string(i),
                             "P",
                             {"rod" + std::to_string(i - 1), "rod" + std::to_string(i)},
                             0.0});
  }
  driven.supports = {{.point = "P", .fix_angle = true, .rod = "rod20"}};
  for (const CaseDescription& d : {rigid, driven}) {
    const Model model = make_model(d);
    const Projection p = make_projection(model);
    check(model, p);
    // All 40 angles are known: nothing is independent behind them.
    for (const auto& dependent : p.dependents) EXPECT_THAT(dependent.independents, IsEmpty());
  }
}

TEST(Projection, StaysSparse) {
  // A chain of rigid joints: two angles a row however long it is.
  CaseDescription d;
  d.sections = {test::bar_section()};
  for (int i = 0; i <= 200; ++i) {
    d.points.push_back({"P" + std::to_string(i), {1.0 * i, i % 2 == 0 ? 0.0 : 1.0}});
    if (i == 0) continue;
    d.rods.push_back(
        {"rod" + std::to_string(i), "bar", "P" + std::to_string(i - 1), "P" + std::to_string(i)});
  }
  d.analysis = {.end = 1, .output_every = 0.1};
  const Model model = make_model(d);
  const Projection p = make_projection(model);
  check(model, p);
  for (const auto& dependent : p.dependents) {
    EXPECT_THAT(dependent.independents, SizeIs(1));
    EXPECT_THAT(dependent.rows, SizeIs(1));
  }
}

TEST(Projection, DropsARowThatFollowsFromOthers) {
  // A support that holds the same angle twice, once through each of two rods joined rigidly.
  CaseDescription d = spokes(2);
  d.supports = {{.point = "P", .fix_x = true, .fix_angle = true, .rod = "rod0"},
                {.point = "P", .fix_angle = true, .rod = "rod1"}};
  const Model model = make_model(d);
  const Projection p = make_projection(model);
  check(model, p);
  EXPECT_THAT(p.redundant, ElementsAre(model.supports[1].angle));
  EXPECT_THAT(p.warnings, ElementsAre(AllOf(HasSubstr("/supports/P/fix: support 'P'"),
                                            HasSubstr("follows from point 'P' (/points/P), support "
                                                      "'P' (/supports/P/fix)"),
                                            HasSubstr("reported as 0"))));
}

TEST(Projection, DropsTheLastDriveOfARingThatAgrees) {
  for (const LawReference& law : {LawReference(0.0), LawReference("up")}) {
    // The angle from 0 to 1, none from 1 to 2, so the same from 0 to 2.
    const Model model = make_model(ring_of_drives(law, 0.0, law));
    const Projection p = make_projection(model);
    check(model, p);
    EXPECT_THAT(p.redundant, ElementsAre(model.hinges[2].drive));
    EXPECT_THAT(p.warnings, ElementsAre(AllOf(
                                HasSubstr("drive of hinge 'h02' (/hinges/h02/drive) follows from"),
                                HasSubstr("drive of hinge 'h01' (/hinges/h01/drive)"),
                                HasSubstr("drive of hinge 'h12' (/hinges/h12/drive)"))));
  }
}

TEST(Projection, RefusesADriveOfARingThatContradicts) {
  for (const auto& [a, b, c] : std::vector<std::array<LawReference, 3>>{
           {"up", 0.0, 0.0}, {"up", 0.0, "away"}, {0.0, 0.0, "down"}, {"up", "up", "up"}}) {
    const Model model = make_model(ring_of_drives(a, b, c));
    EXPECT_THAT(test::problems_of([&] { return make_projection(model); }),
                ElementsAre(problem("/hinges/h02/drive",
                                    "drive of hinge 'h02' (/hinges/h02/drive) contradicts drive of "
                                    "hinge 'h01' (/hinges/h01/drive)",
                                    "remove one of them")));
  }
}

TEST(Projection, RefusesSupportsThatContradict) {
  CaseDescription d = spokes(2);
  d.laws = {test::make_law("move", LawKind::smooth, {0, 1}, {0, 1})};
  d.supports = {{.point = "E0", .fix_x = true, .fix_y = true},
                {.point = "E0", .fix_y = true, .x = "move"}};
  const Model model = make_model(d);
  EXPECT_THAT(test::problems_of([&] { return make_projection(model); }),
              ElementsAre(problem("/supports/E0/x", "contradicts support 'E0' (/supports/E0/fix)",
                                  "agree")));
}

TEST(Projection, ReportsAllContradictionsInOnePass) {
  CaseDescription d = ring_of_drives("up", 0.0, 0.0);
  d.supports = {{.point = "E0", .fix_x = true}, {.point = "E0", .x = "up"}};
  const Model model = make_model(d);
  EXPECT_THAT(test::problems_of([&] { return make_projection(model); }),
              ElementsAre(problem("/hinges/h02/drive"), problem("/supports/E0/x")));
}

TEST(Projection, TakesEqualLawsOfDifferentNamesAsEqual) {
  CaseDescription d = ring_of_drives("up", 0.0, "same");
  d.laws.push_back(test::make_law("same", LawKind::smooth, {0, 1}, {0, 1}));
  const Model model = make_model(d);
  EXPECT_THAT(test::problems_of([&] { return make_projection(model); }), IsEmpty());
}

TEST(Projection, TakesALawThatNeverMovesAsNone) {
  CaseDescription d = ring_of_drives("still", 0.0, 0.0);
  d.laws.push_back(test::make_law("still", LawKind::linear, {0, 1}, {0, 0}));
  const Model model = make_model(d);
  EXPECT_THAT(test::problems_of([&] { return make_projection(model); }), IsEmpty());
}

TEST(RowValue, IsTheLawsOrZero) {
  CaseDescription d = test::three_rods(LawKind::linear);
  const Model model = make_model(d);
  const Row& first = model.rows[at(model.hinges[0].drive)];
  EXPECT_DOUBLE_EQ(row_value(model, first, 2.5, Side::after).value, -std::numbers::pi / 2);
  EXPECT_EQ(row_value(model, first, 5, Side::before).rate, -std::numbers::pi / 5);
  EXPECT_EQ(row_value(model, first, 5, Side::after).rate, 0);
  const Row& fixed = model.rows[at(model.supports[0].x)];
  EXPECT_EQ(row_value(model, fixed, 2.5, Side::after).value, 0);
}

}  // namespace
}  // namespace fem
