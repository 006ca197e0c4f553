// Velocity jumps where the rates of laws jump: momentum, energy, least change.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "libfem/system/system.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::all_near;
using test::LawKind;
using test::Matrix;
using test::State;
using test::to_natural;
using test::Vector;

constexpr double kBreak = 1;  // the linear laws of random frames have a point there

// A jump at the break of a random frame, from velocities that satisfy the rates before it.
struct Jump {
  Model model;
  System system;
  State s;
  Vector q, before, after, impulse;
  Matrix mass;
  test::DenseRows rows_before, rows_after;

  explicit Jump(std::uint64_t seed)
      : model(make_model(test::random_frame(seed, {.rods = 2 + static_cast<int>(seed % 7),
                                                   .laws = LawKind::linear,
                                                   .loop = seed % 3 == 0}))),
        system(model, {}),
        s(test::random_state(system, seed, kBreak, Side::before)),
        q(to_natural(system, s.q)),
        before(to_natural(system, s.v)) {
    std::vector<double> impulses;
    EXPECT_TRUE(system.jump(kBreak, s.q, s.v, impulses).ok());
    after = to_natural(system, s.v);
    impulse = Vector::Map(impulses.data(), static_cast<Eigen::Index>(impulses.size()));
    mass = test::assemble(model, q, before).mass;
    rows_before = test::assemble_rows(model, kBreak, Side::before);
    rows_after = test::assemble_rows(model, kBreak, Side::after);
  }
  [[nodiscard]] double kinetic(const Vector& v) const { return 0.5 * v.dot(mass * v); }
};

constexpr std::uint64_t kSeeds = 20;

TEST(Jump, BalancesMomentumAndMeetsTheNewRates) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Jump j(seed);
    // Speeds of a few m/s and rad/s; the condition of M, up to 1e6, stays within the rows that M
    // weighs least, so residuals are those of the sums.
    const double size = (j.mass.cwiseAbs() * (j.before + j.after).cwiseAbs()).maxCoeff() + 1;
    EXPECT_TRUE(all_near((j.mass * (j.after - j.before)).eval(),
                         (j.rows_after.D.transpose() * j.impulse).eval(), 1e-12 * size));
    EXPECT_TRUE(all_near((j.rows_after.D * j.after).eval(), j.rows_after.rate, 1e-13));
  }
}

TEST(Jump, IsTheLeastChangeInTheMassMetric) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Jump j(seed);
    // min |L⁻¹… : with M = L Lᵀ and y = Lᵀ(v⁺ − v⁻), least squares says y = (D L⁻ᵀ)⁺ (d⁺ − D v⁻).
    const Eigen::LLT<Matrix> llt(j.mass);
    const Matrix A = llt.matrixL().solve(j.rows_after.D.transpose()).transpose();
    const Vector y =
        A.completeOrthogonalDecomposition().solve(j.rows_after.rate - j.rows_after.D * j.before);
    const Vector expected = j.before + llt.matrixU().solve(y);
    EXPECT_TRUE(all_near(j.after, expected, 1e-9 * expected.cwiseAbs().maxCoeff()));
  }
}

TEST(Jump, DoesTheWorkThatTheEnergyGains) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Jump j(seed);
    const double work = 0.5 * (j.rows_before.rate + j.rows_after.rate).dot(j.impulse);
    const double gain = j.kinetic(j.after) - j.kinetic(j.before);
    EXPECT_NEAR(work, gain, 1e-12 * (j.kinetic(j.after) + j.kinetic(j.before)));
  }
}

TEST(Jump, FromRestGivesTheLeastEnergy) {
  // Carnot: of all velocities that satisfy the rates, those have the least energy; any other
  // admissible ones have more.
  test::Random random(620);
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Jump j(seed);
    std::vector<double> v(j.system.size(), 0.0);
    std::vector<double> impulses;
    ASSERT_TRUE(j.system.jump(kBreak, j.s.q, v, impulses).ok());
    const Vector least = to_natural(j.system, v);
    const Matrix kernel = j.rows_after.D.fullPivLu().kernel();
    for (int i = 0; i < 5; ++i) {
      Vector other = Vector::Zero(least.size());
      for (Eigen::Index k = 0; k < kernel.cols(); ++k) {
        other += random.uniform(-1, 1) * kernel.col(k);
      }
      // T(v + δ) = T(v) + T(δ) exactly, as vᵀMδ = 0.
      EXPECT_NEAR(j.kinetic(least + other), j.kinetic(least) + j.kinetic(other),
                  1e-11 * (j.kinetic(least) + j.kinetic(other)));
    }
  }
}

TEST(Jump, WithoutANewRateChangesNothing) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Model model = make_model(test::random_frame(seed));
    System system(model, {});
    State s = test::random_state(system, seed, 0.4, Side::after);
    const State before = s;
    std::vector<double> impulses;
    ASSERT_TRUE(system.jump(0.4, s.q, s.v, impulses).ok());
    const Vector v = to_natural(system, before.v);
    // The condition of the mass matrix times eps.
    EXPECT_TRUE(all_near(to_natural(system, s.v), v, 1e-9));
    EXPECT_EQ(s.q, before.q);
    const Vector momentum =
        test::assemble(model, to_natural(system, s.q), v).mass.cwiseAbs() * v.cwiseAbs();
    for (const double impulse : impulses) EXPECT_NEAR(impulse, 0, 1e-11 * momentum.sum());
  }
}

TEST(Jump, OfARigidlyPrescribedRodIsThatOfABar) {
  // A slender stiff rod of one element, pinned and set turning at once by its angles: the impulsive
  // moments on both sections and the pin's impulse together make the momentum of a rigid bar,
  // M ω l/2 and J ω with J = m l³/3 + I l.
  CaseDescription d = test::one_rod(test::bar_section(), 2, 1);
  d.laws = {test::make_law("turn", LawKind::linear, {0, 1}, {0, 0.5})};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .angle = "turn"},
                {.point = "A", .angle = "turn"}};
  const Model model = make_model(d);
  System system(model, {});
  std::vector<double> q = system.initial_positions();
  std::vector<double> v(system.size(), 0.0);
  std::vector<double> impulses;
  ASSERT_TRUE(system.jump(0, q, v, impulses).ok());
  const Node& tip = model.nodes[1];
  const auto at_row = [&](int row) { return impulses[static_cast<std::size_t>(row)]; };
  const double omega = 0.5;
  const double m = 0.28;
  // Least energy lets the tip move otherwise than rigidly: momentum tells by how much.
  const Vector motion = to_natural(system, v);
  const Matrix mass = test::assemble(model, to_natural(system, q), motion).mass;
  Vector turn = Vector::Ones(model.coordinates());
  for (const Node& n : model.nodes) {
    turn(n.x) = 0;
    turn(n.x + 1) = n.initial[0];
  }
  const double rigid = turn.dot(mass * turn);
  EXPECT_NEAR(rigid, m * 8 / 3 + 2 * 0.28 * 1e-4 / 12, 1e-14);
  const double moments = at_row(model.supports[0].angle) + at_row(model.supports[1].angle);
  EXPECT_NEAR(turn.dot(mass * motion), moments, 1e-14);
  EXPECT_LT(system.energies(0, Side::after, q, v).kinetic, 0.5 * rigid * omega * omega);
  EXPECT_NE(v[system.place(tip.x + 1)], 0);
}

TEST(Jump, FailsWithThePositionThatIsNotFinite) {
  const Model model = make_model(test::random_frame(3));
  System system(model, {});
  State s = test::random_state(system, 3, kBreak, Side::before);
  s.q[0] = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> impulses;
  const Outcome outcome = system.jump(kBreak, s.q, s.v, impulses);
  EXPECT_EQ(outcome.status, Status::not_finite);
  EXPECT_EQ(outcome.where, 0U);
}

}  // namespace
}  // namespace fem
