#include "libfem/linalg/block_ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "tests/linalg/graphs.hpp"
#include "tests/support/compare.hpp"

namespace fem {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Graph;

constexpr Index kSize = static_cast<Index>(kBlock);
constexpr double kEps = std::numeric_limits<double>::epsilon();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A random positive definite matrix whose blocks are joined by a graph, block by block: every edge
// brings a Gram matrix of its two blocks, every block a little of its own.
struct BlockMatrix {
  Graph graph;
  std::vector<Eigen::Matrix3d> diagonal;
  std::vector<Eigen::Matrix3d> off_diagonal;  // of an edge (a, b): rows of b, columns of a

  BlockMatrix(const Graph& g, test::Random& random) : graph(g) {
    const auto draw = [&random](auto& matrix) {
      for (double& x : matrix.reshaped()) x = random.uniform(-1, 1);
    };
    for (int i = 0; i < g.blocks; ++i) {
      Eigen::Matrix3d r;
      draw(r);
      diagonal.emplace_back(r * r.transpose() + 0.1 * Eigen::Matrix3d::Identity());
    }
    for (const auto& [a, b] : g.edges) {
      Eigen::Matrix<double, 6, 4> r;
      draw(r);
      diagonal[at(a)] += r.topRows<3>() * r.topRows<3>().transpose();
      diagonal[at(b)] += r.bottomRows<3>() * r.bottomRows<3>().transpose();
      off_diagonal.emplace_back(r.bottomRows<3>() * r.topRows<3>().transpose());
    }
  }

  /// In the order of the elimination.
  [[nodiscard]] MatrixXd dense(const Elimination& e) const {
    MatrixXd A = MatrixXd::Zero(kSize * graph.blocks, kSize * graph.blocks);
    const auto block = [&](int i, int j) {
      return A.block<3, 3>(kSize * e.position[at(i)], kSize * e.position[at(j)]);
    };
    for (int i = 0; i < graph.blocks; ++i) block(i, i) += diagonal[at(i)];
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
      const auto& [a, b] = graph.edges[k];
      block(b, a) += off_diagonal[k];
      block(a, b) += off_diagonal[k].transpose();
    }
    return A;
  }

  /// Into the storage of a factorization; of diagonal blocks the lower triangle, NaN above it.
  void store(BlockLdlt& ldlt) const {
    const Elimination& e = ldlt.structure();
    std::fill(ldlt.off_diagonal().begin(), ldlt.off_diagonal().end(), 0.0);
    for (int i = 0; i < graph.blocks; ++i) {
      double* to = ldlt.diagonal().data() + 9 * at(e.position[at(i)]);
      for (Index r = 0; r < 3; ++r) {
        for (Index c = 0; c < 3; ++c) {
          to[3 * r + c] = c <= r ? diagonal[at(i)](r, c) : std::numeric_limits<double>::quiet_NaN();
        }
      }
    }
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
      const auto& [a, b] = graph.edges[k];
      const int i = e.position[at(b)];
      const int j = e.position[at(a)];
      double* to = ldlt.off_diagonal().data() + 9 * at(e.entry(std::max(i, j), std::min(i, j)));
      for (Index r = 0; r < 3; ++r) {
        for (Index c = 0; c < 3; ++c) {
          to[3 * r + c] += i > j ? off_diagonal[k](r, c) : off_diagonal[k](c, r);
        }
      }
    }
  }
};

BlockLdlt make_ldlt(const Graph& graph, int threads = 1) {
  return BlockLdlt(make_elimination(graph.blocks, graph.edges), {threads});
}

VectorXd random_vector(test::Random& random, std::size_t n) {
  VectorXd b(static_cast<Index>(n));
  for (double& x : b) x = random.uniform(-1, 1);
  return b;
}

std::vector<double> solve(const BlockLdlt& ldlt, const VectorXd& b) {
  std::vector<double> x(b.begin(), b.end());
  ldlt.solve(x);
  return x;
}

TEST(BlockLdlt, SolvesRandomSystems) {
  test::Random random(410);
  for (const Graph& graph : test::sample_graphs()) {
    SCOPED_TRACE(graph.name);
    BlockLdlt ldlt = make_ldlt(graph);
    ASSERT_EQ(ldlt.size(), 3 * at(graph.blocks));
    for (int i = 0; i < 3; ++i) {
      const BlockMatrix matrix(graph, random);
      const MatrixXd A = matrix.dense(ldlt.structure());
      matrix.store(ldlt);
      ASSERT_TRUE(ldlt.factorize().ok());
      const VectorXd b = random_vector(random, ldlt.size());
      const VectorXd expected = A.llt().solve(b);
      const auto x = solve(ldlt, b);
      // Both are off by n eps cond(A) at most.
      const auto eigenvalues = A.selfadjointView<Eigen::Lower>().eigenvalues();
      const double condition = eigenvalues.maxCoeff() / eigenvalues.minCoeff();
      const double n = static_cast<double>(b.size());
      EXPECT_TRUE(test::all_near(VectorXd::Map(x.data(), b.size()), expected,
                                 2 * n * kEps * condition * expected.cwiseAbs().maxCoeff()));
    }
  }
}

TEST(BlockLdlt, SolvesSeveralRightSides) {
  test::Random random(411);
  const Graph graph = test::grid(3, 4);
  BlockLdlt ldlt = make_ldlt(graph);
  const BlockMatrix matrix(graph, random);
  matrix.store(ldlt);
  ASSERT_TRUE(ldlt.factorize().ok());
  const VectorXd b = random_vector(random, ldlt.size());
  const auto first = solve(ldlt, b);
  EXPECT_NE(first, solve(ldlt, random_vector(random, ldlt.size())));
  EXPECT_EQ(first, solve(ldlt, b));
}

TEST(BlockLdlt, KeepsSpareUnknownsOut) {
  // Blocks with one or two unknowns: ones on the spare diagonal.
  test::Random random(412);
  const Graph graph = test::chain(6);
  BlockMatrix matrix(graph, random);
  const auto clear = [&](int block, Index unknown) {
    Eigen::Matrix3d& d = matrix.diagonal[at(block)];
    d.row(unknown).setZero();
    d.col(unknown).setZero();
    d(unknown, unknown) = 1;
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
      if (graph.edges[k][0] == block) matrix.off_diagonal[k].col(unknown).setZero();
      if (graph.edges[k][1] == block) matrix.off_diagonal[k].row(unknown).setZero();
    }
  };
  clear(2, 2);
  clear(4, 1);
  clear(4, 2);
  BlockLdlt ldlt = make_ldlt(graph);
  matrix.store(ldlt);
  ASSERT_TRUE(ldlt.factorize().ok());
  VectorXd b = random_vector(random, ldlt.size());
  const auto& position = ldlt.structure().position;
  const std::vector<std::size_t> spare = {3 * at(position[2]) + 2, 3 * at(position[4]) + 1,
                                          3 * at(position[4]) + 2};
  for (const std::size_t s : spare) b(static_cast<Index>(s)) = 0;
  const auto x = solve(ldlt, b);
  for (const std::size_t s : spare) EXPECT_EQ(x[s], 0);
  const VectorXd residual = matrix.dense(ldlt.structure()) * VectorXd::Map(x.data(), b.size()) - b;
  // n eps |A| |x| with |A| below 20 and |x| below 1/0.1.
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 18 * kEps * 200);
}

TEST(BlockLdlt, OfNothingDoesNothing) {
  BlockLdlt ldlt = make_ldlt({"nothing", 0, {}});
  EXPECT_EQ(ldlt.size(), 0U);
  EXPECT_TRUE(ldlt.factorize().ok());
  ldlt.solve({});
}

// Graphs with more than 1024 blocks: several subtrees are eliminated at the same time.
std::vector<Graph> large_graphs() {
  test::Random random(413);
  return {test::chain(3000),
          test::spider(5, 700),
          test::shuffled(random, test::tree(random, 4000)),
          test::grid(40, 40),
          test::beside(test::chain(1500), test::beside(test::loop(1200), test::star(600))),
          test::loop(2500)};
}

TEST(BlockLdlt, SolvesLargeSystems) {
  test::Random random(414);
  for (const Graph& graph : large_graphs()) {
    SCOPED_TRACE(graph.name);
    BlockLdlt ldlt = make_ldlt(graph, 2);
    const BlockMatrix matrix(graph, random);
    matrix.store(ldlt);
    ASSERT_TRUE(ldlt.factorize().ok());
    const VectorXd b = random_vector(random, ldlt.size());
    const auto x = solve(ldlt, b);
    // The residual, block by block: backward stable, so eps (|A| |x|) with few terms a row.
    VectorXd residual = -b;
    VectorXd size = b.cwiseAbs();
    const auto& position = ldlt.structure().position;
    const VectorXd solution = VectorXd::Map(x.data(), b.size());
    const auto add = [&](int i, int j, const Eigen::Matrix3d& block) {
      const Eigen::Vector3d part = solution.segment<3>(kSize * position[at(j)]);
      residual.segment<3>(kSize * position[at(i)]) += block * part;
      size.segment<3>(kSize * position[at(i)]) += block.cwiseAbs() * part.cwiseAbs();
    };
    for (int i = 0; i < graph.blocks; ++i) add(i, i, matrix.diagonal[at(i)]);
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
      const auto& [a, b_block] = graph.edges[k];
      add(b_block, a, matrix.off_diagonal[k]);
      add(a, b_block, matrix.off_diagonal[k].transpose());
    }
    EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1000 * kEps * size.maxCoeff());
  }
}

TEST(BlockLdlt, GivesTheSameBitsForAnyNumberOfThreads) {
  test::Random random(415);
  for (const Graph& graph : large_graphs()) {
    SCOPED_TRACE(graph.name);
    const BlockMatrix matrix(graph, random);
    const VectorXd b = random_vector(random, 3 * at(graph.blocks));
    std::vector<double> serial;
    for (const int threads : {1, 2, 4}) {
      BlockLdlt ldlt = make_ldlt(graph, threads);
      matrix.store(ldlt);
      ASSERT_TRUE(ldlt.factorize().ok());
      const auto x = solve(ldlt, b);
      if (threads == 1) serial = x;
      EXPECT_EQ(std::memcmp(x.data(), serial.data(), x.size() * sizeof(double)), 0) << threads;
    }
  }
}

TEST(BlockLdlt, FactorizesAndSolvesAtOnceWithTheSameBits) {
  test::Random random(418);
  std::vector<Graph> graphs = large_graphs();
  for (const Graph& graph : test::sample_graphs()) graphs.push_back(graph);
  for (const Graph& graph : graphs) {
    SCOPED_TRACE(graph.name);
    const BlockMatrix matrix(graph, random);
    const VectorXd b = random_vector(random, 3 * at(graph.blocks));
    for (const int threads : {1, 2}) {
      BlockLdlt ldlt = make_ldlt(graph, threads);
      matrix.store(ldlt);
      ASSERT_TRUE(ldlt.factorize().ok());
      const auto expected = solve(ldlt, b);
      matrix.store(ldlt);
      std::vector<double> x(b.begin(), b.end());
      ASSERT_TRUE(ldlt.factorize_and_solve(x).ok());
      EXPECT_EQ(x, expected) << threads;
      EXPECT_EQ(solve(ldlt, b), expected) << threads;
    }
  }
}

TEST(BlockLdlt, NamesTheUnknownOfABadPivot) {
  for (const Graph& graph : {test::chain(1), test::chain(7), test::grid(3, 3), test::chain(1400),
                             test::spider(4, 600)}) {
    for (const double bad : {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN(),
                             -std::numeric_limits<double>::infinity()}) {
      for (std::size_t unknown = 0; unknown < 3; ++unknown) {
        BlockLdlt ldlt = make_ldlt(graph, 2);
        std::fill(ldlt.diagonal().begin(), ldlt.diagonal().end(), 0.0);
        std::fill(ldlt.off_diagonal().begin(), ldlt.off_diagonal().end(), 0.0);
        for (std::size_t i = 0; i < ldlt.size(); ++i)
          ldlt.diagonal()[9 * (i / 3) + 4 * (i % 3)] = 1;
        const std::size_t block = at(2 * graph.blocks / 3);
        ldlt.diagonal()[9 * block + 4 * unknown] = bad;
        const std::vector<double> diagonal(ldlt.diagonal().begin(), ldlt.diagonal().end());
        const Outcome outcome = ldlt.factorize();
        EXPECT_EQ(outcome.status, Status::singular_mass) << graph.name;
        EXPECT_EQ(outcome.where, 3 * block + unknown) << graph.name << ' ' << bad;
        std::copy(diagonal.begin(), diagonal.end(), ldlt.diagonal().begin());
        std::vector<double> b(ldlt.size(), 1.0);
        EXPECT_EQ(ldlt.factorize_and_solve(b).status, Status::singular_mass) << graph.name;
      }
    }
  }
}

TEST(BlockLdlt, FindsTheFirstPivotThatIsNotPositive) {
  // The pivots of an unpivoted elimination of the dense matrix say which it is.
  test::Random random(416);
  int bad_ones = 0;
  for (const Graph& graph : test::sample_graphs()) {
    SCOPED_TRACE(graph.name);
    BlockMatrix matrix(graph, random);
    const int block = random.integer(0, graph.blocks - 1);
    matrix.diagonal[at(block)] -= random.uniform(0.5, 3) * Eigen::Matrix3d::Identity();
    BlockLdlt ldlt = make_ldlt(graph);
    MatrixXd A = matrix.dense(ldlt.structure());
    Index expected = A.rows();
    for (Index k = 0; k < A.rows() && expected == A.rows(); ++k) {
      if (A(k, k) <= 0) expected = k;
      const Index rest = A.rows() - k - 1;
      const VectorXd column = A.col(k).tail(rest);
      A.bottomRightCorner(rest, rest) -= column * column.transpose() / A(k, k);
    }
    matrix.store(ldlt);
    const Outcome outcome = ldlt.factorize();
    if (expected == A.rows()) {
      EXPECT_TRUE(outcome.ok());
    } else {
      ++bad_ones;
      EXPECT_EQ(outcome.status, Status::singular_mass);
      EXPECT_EQ(outcome.where, static_cast<std::size_t>(expected));
    }
  }
  EXPECT_GT(bad_ones, 5);
}

TEST(BlockLdlt, RecoversAfterABadMatrix) {
  test::Random random(417);
  const Graph graph = test::spider(3, 600);
  BlockLdlt ldlt = make_ldlt(graph, 2);
  const BlockMatrix matrix(graph, random);
  matrix.store(ldlt);
  ASSERT_TRUE(ldlt.factorize().ok());
  const VectorXd b = random_vector(random, ldlt.size());
  const auto expected = solve(ldlt, b);
  matrix.store(ldlt);
  ldlt.diagonal()[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(ldlt.factorize().ok());
  matrix.store(ldlt);
  ASSERT_TRUE(ldlt.factorize().ok());
  EXPECT_EQ(solve(ldlt, b), expected);
}

}  // namespace
}  // namespace fem
