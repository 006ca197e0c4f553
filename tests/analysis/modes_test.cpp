// Frequencies against exact rods, independent meshes of the same element and a dense oracle.
//
// The numbers of kSlender and kThick were computed for this project by independent code: `exact`
// are roots of Timoshenko's characteristic equations, `mesh` the generalized eigenvalues of the
// element's bending matrices with 1, 2, 4, 8, 16 and 32 elements (angular frequencies, rad/s; for
// fewer unknowns fewer of them). The slender rod is the 10 mm aluminium bar, 2 m; the thick one is
// 1 m long.
#include "libfem/analysis/modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "libfem/analysis/statics.hpp"
#include "libfem/system/system.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/dense_system.hpp"
#include "tests/support/models.hpp"

namespace fem {
namespace {

using test::all_near;
using test::LawKind;
using test::Matrix;
using test::Vector;

constexpr double kPi = std::numbers::pi;

enum class Ends { simply_supported, cantilever, free };

struct Reference {
  std::vector<double> exact;
  std::map<int, std::vector<double>> mesh;
};

// clang-format off
const std::map<Ends, Reference> kSlender = {
    {Ends::simply_supported,
     {{36.11772760555765, 144.45500166052963, 324.96412920213896, 577.5657328707671, 902.1489167080088},
      {{1, {40.088768697697994, 183.70959851446185}},
       {2, {36.260456328267075, 160.35006403397347, 403.02943641079463, 734.8128160451876}},
       {4, {36.12715371808103, 145.02796205154624, 330.92991401419295, 641.3201028117566, 1019.1523505576512}},
       {8, {36.118333653169735, 144.49327412404455, 325.3906097487818, 579.8902430649597, 910.6737826764212}},
       {16, {36.11776790679549, 144.45757169726764, 324.99323003680155, 577.7278941346478, 902.7610213079187}},
       {32, {36.11773070416287, 144.4551995735252, 324.96637930063963, 577.5783422240092, 902.1968558162012}}}}},
    {Ends::cantilever,
     {{12.867075859422293, 80.62825913764055, 225.72378773303353, 442.2207079962238, 730.7911812546964},
      {{1, {12.92827024591966, 127.36924801312057}},
       {2, {12.873304160109285, 81.3134573677301, 275.012912140464, 798.0508933109476}},
       {4, {12.86749887116082, 80.72267683498971, 227.479927620944, 448.6815175335282, 834.6162413127449}},
       {8, {12.867103212412067, 80.63483755716287, 225.86385002812264, 443.23099598189, 735.101936082363}},
       {16, {12.867077680599706, 80.62870478028965, 225.7334951587913, 442.2930028512198, 731.1136096716418}},
       {32, {12.86707600826528, 80.62829352945991, 225.72454096684524, 442.22635857534596, 730.8166088497079}}}}},
    {Ends::free,
     {{81.87092367350617, 225.64599670051143, 442.2579394383612, 730.8584206550903, 1091.3735914874414},
      {{1, {98.191913803353, 335.36228818433636}},
       {2, {82.05429791423607, 256.7935649438549, 641.9765082828995, 1025.6566304677817}},
       {4, {81.96039638093707, 227.0583180394967, 445.7866492476689, 816.9093225799294, 1278.8337703855188}},
       {8, {81.87766200790375, 225.7803558774658, 443.2102826897758, 734.8352622847017, 1103.2645099178606}},
       {16, {81.87138778225246, 225.65560234461748, 442.32928965496984, 731.1753528617935, 1092.409780685447}},
       {32, {81.87095964220121, 225.64674741578747, 442.2635731509048, 730.8837491529879, 1091.4575647869876}}}}}};

const std::map<Ends, Reference> kThick = {
    {Ends::simply_supported,
     {{2768.2097722328162, 9593.708158615784, 18316.77060453415, 27779.08245760181, 37495.64251705946},
      {{1, {3217.9892954785714, 14826.022000729725}},
       {2, {2802.186467608674, 12290.964797821867, 28280.097079135663, 48793.99737345996}},
       {4, {2775.149817328263, 9868.400186496763, 20086.64182324511, 42267.494890782065, 55346.00396302564}},
       {8, {2769.8415229942407, 9659.493590455404, 18766.268901447518, 29330.376919775874, 41232.28862150119}},
       {16, {2768.6111672117304, 9609.951874397058, 18428.20617390458, 28166.804389059453, 38452.298396001665}},
       {32, {2768.3097107277426, 9597.75613003367, 18344.55826817923, 27875.80052119723, 37734.38159526476}}}}},
    {Ends::cantilever,
     {{1017.9977175769039, 5477.584268872208, 13028.948007306733, 21619.589646957815, 30732.29027308618},
      {{1, {1025.8732272647549, 9068.24155524678}},
       {2, {1019.6371626246258, 5624.549788145787, 18813.747175209835, 41090.50458677378}},
       {4, {1018.342774670517, 5526.179586202591, 13615.287238914714, 23547.29381557089, 46895.96911939526}},
       {8, {1018.0793968258004, 5489.645039636162, 13185.718466574746, 22312.412562095236, 32651.2166775105}},
       {16, {1018.0178429210545, 5480.586636864529, 13068.285839378254, 21795.547670831533, 31230.66659201823}},
       {32, {1018.0027303875125, 5478.3339590542555, 13038.78615157299, 21663.66793078145, 30857.380227446458}}}}},
    {Ends::free,
     {{5909.720340435991, 13802.25253548559, 22941.180535754476, 32280.176516369756, 41420.19684922694},
      {{1, {7314.587118448713, 22240.640304994497}},
       {2, {5986.77758453234, 17891.999797355165, 34030.3219714135, 50340.67109383923}},
       {4, {5963.931186519998, 14357.260083562907, 24408.166107106343, 47326.19673209212, 58328.44214155333}},
       {8, {5924.087510255992, 13973.638985835418, 23696.10328184651, 34267.549429114144, 45272.701163354046}},
       {16, {5913.3468609817155, 13846.290492502483, 23139.172278502272, 32819.83265947961, 42523.393172309174}},
       {32, {5910.628906710702, 13813.32550762933, 22991.10374138212, 32416.732006822407, 41700.6952472036}}}}}};
// clang-format on

SectionDescription thick_section() {
  return {.name = "thick",
          .axial_stiffness = 4.2e9,
          .bending_stiffness = 1.4e7,
          .shear_stiffness = 1333333333.3333333,
          .mass_per_length = 157,
          .inertia_per_length = 0.5233333333333334};
}

CaseDescription supported_rod(const SectionDescription& section, double length, int elements,
                              Ends ends) {
  CaseDescription d = test::one_rod(section, length, elements);
  if (ends == Ends::cantilever) {
    d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true}};
  }
  if (ends == Ends::simply_supported) {
    d.supports = {{.point = "O", .fix_x = true, .fix_y = true}, {.point = "A", .fix_y = true}};
  }
  return d;
}

// A model with its modes about the initial state.
struct Solved {
  Model model;
  System system;
  Modes modes;
  explicit Solved(const CaseDescription& d, const ModesOptions& options = {})
      : model(make_model(d)), system(model, {}) {
    modes = calc_modes(system, system.initial_positions(), options);
    EXPECT_TRUE(modes.outcome.ok());
  }
  [[nodiscard]] Vector shape(std::size_t mode) const {
    return test::to_natural(system, modes.shapes[mode]);
  }
};

// Bending frequencies, above zero: shapes that leave X alone.
std::vector<double> bending(const Solved& s) {
  std::vector<double> frequencies;
  for (std::size_t i = 0; i < s.modes.frequencies.size(); ++i) {
    const Vector shape = s.shape(i);
    double along = 0;
    for (const Node& node : s.model.nodes) along += std::pow(shape(node.x), 2);
    if (along < 1e-3 * shape.squaredNorm() && s.modes.frequencies[i] > 0) {
      frequencies.push_back(s.modes.frequencies[i]);
    }
  }
  return frequencies;
}

double largest_relative_error(const std::vector<double>& actual,
                              const std::vector<double>& expected) {
  EXPECT_GE(actual.size(), expected.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
    largest = std::max(largest, std::abs(actual[i] / expected[i] - 1));
  }
  return largest;
}

// K and M on independent places, spare ones left as ones on the diagonal.
struct Matrices {
  Matrix stiffness, mass;
  explicit Matrices(System& system) {
    std::vector<double> q = system.initial_positions();
    std::vector<double> residual(system.independent());
    system.assemble_statics(0, 1, q, residual);
    stiffness = system.assembled_matrix();
    system.assemble_mass(q);
    mass = system.assembled_matrix();
  }
};

Matrix independent_shapes(const Solved& s) {
  const auto n = static_cast<Eigen::Index>(s.system.independent());
  Matrix shapes(n, static_cast<Eigen::Index>(s.modes.shapes.size()));
  for (Eigen::Index i = 0; i < shapes.cols(); ++i) {
    shapes.col(i) = Vector::Map(s.modes.shapes[static_cast<std::size_t>(i)].data(), n);
  }
  return shapes;
}

Vector squares(const Modes& modes) {
  Vector squares(static_cast<Eigen::Index>(modes.frequencies.size()));
  for (Eigen::Index i = 0; i < squares.size(); ++i) {
    const double omega = modes.frequencies[static_cast<std::size_t>(i)];
    squares(i) = omega * std::abs(omega);
  }
  return squares;
}

void expect_orthogonal(Solved& s, double tolerance) {
  const Matrices m(s.system);
  const Matrix shapes = independent_shapes(s);
  const Matrix mass = shapes.transpose() * m.mass * shapes;
  const Matrix stiffness = shapes.transpose() * m.stiffness * shapes;
  const Vector expected = squares(s.modes);
  EXPECT_TRUE(all_near(mass, Matrix::Identity(mass.rows(), mass.cols()), tolerance));
  EXPECT_TRUE(all_near(stiffness, Matrix(expected.asDiagonal()),
                       tolerance * expected.cwiseAbs().maxCoeff()));
}

class Rods : public ::testing::TestWithParam<Ends> {};

TEST_P(Rods, HaveTheFrequenciesOfIndependentMeshes) {
  for (const auto& [elements, expected] : kSlender.at(GetParam()).mesh) {
    const Solved s(supported_rod(test::bar_section(), 2, elements, GetParam()), {.count = 20});
    // The reference has lost digits to the rounding of its matrices, more the finer the mesh.
    EXPECT_LT(largest_relative_error(bending(s), expected), elements == 32 ? 2e-8 : 3e-9)
        << elements;
  }
  for (const auto& [elements, expected] : kThick.at(GetParam()).mesh) {
    const Solved s(supported_rod(thick_section(), 1, elements, GetParam()), {.count = 20});
    EXPECT_LT(largest_relative_error(bending(s), expected), 1e-11) << elements;
  }
}

TEST_P(Rods, ConvergeToTimoshenko) {
  const auto error = [&](const SectionDescription& section, double length, int elements) {
    const bool thick = section.name == "thick";
    const double exact = (thick ? kThick : kSlender).at(GetParam()).exact.front();
    const Solved s(supported_rod(section, length, elements, GetParam()), {.count = 6});
    return bending(s).front() / exact - 1;
  };
  const auto order = [&](const SectionDescription& section, double length, int elements) {
    return std::log2(error(section, length, elements) / error(section, length, 2 * elements));
  };
  EXPECT_NEAR(order(test::bar_section(), 2, 4), 4, 0.3);
  EXPECT_NEAR(order(thick_section(), 1, 16), 2, 0.1);
}

TEST_P(Rods, HaveTheFrequenciesOfTheoryOnAFineMesh) {
  const std::vector<double>& exact = kSlender.at(GetParam()).exact;
  const Solved s(supported_rod(test::bar_section(), 2, 100, GetParam()));
  const std::vector<double> frequencies = bending(s);
  EXPECT_LT(largest_relative_error(frequencies, exact), 4e-6);
}

INSTANTIATE_TEST_SUITE_P(Modes, Rods,
                         ::testing::Values(Ends::simply_supported, Ends::cantilever, Ends::free));

TEST(Modes, OfASlenderCantileverConvergeWithOrderFour) {
  const std::vector<std::pair<int, double>> published = {
      {2, 4.8e-4}, {4, 3.3e-5}, {8, 2.1e-6}, {16, 1.4e-7}};
  for (const auto& [elements, expected] : published) {
    const Solved s(supported_rod(test::bar_section(), 2, elements, Ends::cantilever));
    const double exact = kSlender.at(Ends::cantilever).exact.front();
    EXPECT_NEAR((s.modes.frequencies.front() / exact - 1) / expected, 1, 0.04) << elements;
  }
}

TEST(Modes, AreOrthogonalAndOfUnitMass) {
  Solved rod(supported_rod(test::bar_section(), 2, 20, Ends::cantilever), {.count = 15});
  expect_orthogonal(rod, 1e-11);
  Solved every(supported_rod(test::bar_section(), 2, 20, Ends::free), {.count = 63});
  EXPECT_EQ(every.modes.frequencies.size(), 63U);
  expect_orthogonal(every, 1e-9);
  Solved sparse(supported_rod(test::bar_section(), 2, 20, Ends::free),
                {.count = 15, .dense_limit = 0});
  expect_orthogonal(sparse, 1e-11);
}

TEST(Modes, OfAFreeChainAreRigidFirst) {
  for (const int limit : {0, 300}) {
    for (const double x : {0.0, 1e3}) {
      CaseDescription d = test::one_rod(test::bar_section(), 2, 30);
      d.points = {{"O", {x, -2 * x}}, {"A", {x + 1.6, -2 * x + 1.2}}};
      const Solved s(d, {.count = 8, .dense_limit = limit});
      EXPECT_EQ(s.modes.free_motions, 3);
      EXPECT_EQ(s.modes.negative, 0);
      EXPECT_EQ(s.modes.imbalance, 0);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(s.modes.frequencies[i], 0);
      EXPECT_NEAR(s.modes.frequencies[3], kSlender.at(Ends::free).exact[0], 1e-4);
      // A rigid motion turns all sections by one angle.
      const Vector shape = s.shape(0);
      const Element& first = s.model.elements.front();
      const Element& last = s.model.elements.back();
      EXPECT_NEAR(shape(first.coordinate[2]), shape(last.coordinate[3]), 1e-6);
    }
  }
}

TEST(Modes, OfALongChainAreThoseOfTheory) {
  // 6000 unknowns, and elements of 1 mm: the rounding of their stiffness, eps EA/h a node, is 1e-5
  // of the lowest ω².
  const Solved clamped(supported_rod(test::bar_section(), 2, 2000, Ends::cantilever),
                       {.count = 12});
  const Reference& reference = kSlender.at(Ends::cantilever);
  EXPECT_LT(largest_relative_error(bending(clamped), reference.exact), 1e-5);
  const Solved free(supported_rod(test::bar_section(), 2, 2000, Ends::free), {.count = 12});
  EXPECT_EQ(free.modes.free_motions, 3);
  EXPECT_LT(largest_relative_error(bending(free), kSlender.at(Ends::free).exact), 2e-6);
}

TEST(Modes, FromSparseAndFullMatricesAgree) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const CaseDescription d =
        test::random_frame(seed, {.rods = 9, .loop = seed % 3 == 0, .supports = seed % 2 == 0});
    const Solved dense(d, {.count = 12});
    const Solved sparse(d, {.count = 12, .dense_limit = 0});
    const double scale = squares(dense.modes).maxCoeff();
    EXPECT_TRUE(all_near(squares(sparse.modes), squares(dense.modes), 1e-11 * scale)) << seed;
    EXPECT_EQ(sparse.modes.free_motions, dense.modes.free_motions);
  }
}

TEST(Modes, OfAllUnknownsCanBeAskedForWithSparseMatrices) {
  const CaseDescription d = supported_rod(test::soft_section(), 1, 12, Ends::free);
  const Solved dense(d, {.count = 100});
  const Solved sparse(d, {.count = 100, .dense_limit = 0});
  ASSERT_EQ(dense.modes.frequencies.size(), 39U);
  ASSERT_EQ(sparse.modes.frequencies.size(), 39U);
  EXPECT_LT((squares(sparse.modes) - squares(dense.modes)).cwiseAbs().maxCoeff(),
            1e-7 * squares(dense.modes).maxCoeff());
}

// ω² of ZᵀKZ against ZᵀMZ with natural coordinates and a kernel Z of the constraints.
Vector oracle(const Model& model) {
  const auto n = static_cast<Eigen::Index>(model.coordinates());
  const Vector q = Vector::Map(model.initial.data(), n);
  Matrix stiffness = Matrix::Zero(n, n);
  for (const Element& e : model.elements) {
    Vector6<double> x;
    for (int i = 0; i < 6; ++i) x(i) = q(e.coordinate[static_cast<std::size_t>(i)]);
    const RodConstants<double>& c = model.types[static_cast<std::size_t>(e.type)];
    const Matrix6<double> k = elastic_tangent(c, calc_kinematics(c, x));
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        stiffness(e.coordinate[i], e.coordinate[j]) +=
            k(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      }
    }
  }
  const Matrix D = test::assemble_rows(model, 0, Side::before).D;
  const Matrix Z = D.rows() > 0 ? Matrix(D.fullPivLu().kernel()) : Matrix::Identity(n, n);
  const Matrix mass = test::assemble(model, q, Vector::Zero(n)).mass;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(Z.transpose() * stiffness * Z,
                                                                Z.transpose() * mass * Z);
  return solver.eigenvalues();
}

TEST(Modes, OfFramesAreThoseOfADenseOracle) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Solved s(test::random_frame(seed, {.rods = 6, .loop = seed % 3 == 0}), {.count = 1000});
    const Vector expected = oracle(s.model);
    EXPECT_TRUE(all_near(squares(s.modes), expected, 1e-9 * expected.maxCoeff())) << seed;
    for (Eigen::Index i = 0; i < expected.size(); ++i) {
      const Vector shape = s.shape(static_cast<std::size_t>(i));
      const Matrix D = test::assemble_rows(s.model, 0, Side::before).D;
      EXPECT_LT((D * shape).cwiseAbs().maxCoeff(), 1e-12 * shape.cwiseAbs().maxCoeff());
    }
  }
}

TEST(Modes, OfAChainOfHingesMissNoMechanism) {
  // n rods with n − 1 free hinges: n + 2 modes of frequency 0, which a Krylov space does not tell
  // apart by itself.
  constexpr int rods = 40;
  CaseDescription d = test::one_rod(test::bar_section(), 1, 1);
  d.points.clear();
  d.rods.clear();
  for (int i = 0; i <= rods; ++i) {
    d.points.push_back({"P" + std::to_string(i), {1.0 * i, 0.3 * (i % 2)}});
  }
  for (int i = 0; i < rods; ++i) {
    const std::string name = "rod" + std::to_string(i);
    const std::string from = "P" + std::to_string(i);
    d.rods.push_back({name, "bar", from, "P" + std::to_string(i + 1), 5});
    if (i == 0) continue;
    d.hinges.push_back(
        {.name = from, .at = from, .members = {"rod" + std::to_string(i - 1), name}});
  }
  Solved s(d, {.count = 50});
  EXPECT_EQ(s.modes.free_motions, rods + 2);
  EXPECT_EQ(s.modes.negative, 0);
  expect_orthogonal(s, 1e-11);
}

// Rods of 2 m beside each other that know nothing of one another.
CaseDescription equal_rods(int count, int elements, bool clamped) {
  CaseDescription d = test::one_rod(test::bar_section(), 2, 1);
  d.points.clear();
  d.rods.clear();
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    d.points.push_back({"O" + n, {0, 1.0 * i}});
    d.points.push_back({"A" + n, {2, 1.0 * i}});
    d.rods.push_back({"rod" + n, "bar", "O" + n, "A" + n, elements});
    if (!clamped) continue;
    d.supports.push_back({.point = "O" + n, .fix_x = true, .fix_y = true, .fix_angle = true});
  }
  return d;
}

TEST(Modes, OfEqualStructuresAreAllFound) {
  // Asked for 20 modes of 40 equal rods, Spectra alone gives some that have 27 missed ones below.
  const Solved clamped(equal_rods(40, 4, true), {.count = 42});
  const auto& mesh = kSlender.at(Ends::cantilever).mesh.at(4);
  for (std::size_t i = 0; i < 42; ++i) {
    EXPECT_NEAR(clamped.modes.frequencies[i] / mesh[i < 40 ? 0 : 1], 1, 1e-9) << i;
  }
  const Solved some(equal_rods(40, 4, true), {.count = 20});
  for (const double omega : some.modes.frequencies) EXPECT_NEAR(omega / mesh[0], 1, 1e-9);
  for (const int count : {2, 60, 125}) {
    const Solved free(equal_rods(40, 4, false), {.count = count});
    EXPECT_EQ(free.modes.free_motions, std::min(count, 120));
    EXPECT_EQ(free.modes.negative, 0);
  }
}

CaseDescription two_rods(double angle, int elements) {
  CaseDescription d = test::one_rod(test::bar_section(), 2, elements);
  d.points = {{"O", {0, 0}}, {"H", {2, 0}}, {"A", {2 + 2 * std::cos(angle), 2 * std::sin(angle)}}};
  d.rods = {{"left", "bar", "O", "H", elements}, {"right", "bar", "H", "A", elements}};
  return d;
}

TEST(Modes, OfTwoHingedRodsAreThoseOfTheirHalves) {
  // In line, pinned at the far ends, the hinge free to move across to first order. Modes odd about
  // the hinge are those of pinned rods, even ones those of rods pinned at one end: the even and odd
  // modes of single rods twice as long with meshes twice as fine.
  CaseDescription d = two_rods(0, 4);
  d.points[1].position = {1, 0};
  d.points[2].position = {2, 0};
  d.hinges = {{.name = "hinge", .at = "H", .members = {"left", "right"}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true},
                {.point = "A", .fix_x = true, .fix_y = true}};
  const Solved s(d, {.count = 5});
  const auto& pinned = kSlender.at(Ends::simply_supported).mesh.at(8);
  const auto& open = kSlender.at(Ends::free).mesh.at(8);
  EXPECT_EQ(s.modes.free_motions, 1);
  EXPECT_LT(largest_relative_error(bending(s), {pinned[1], open[1], pinned[3], open[3]}), 1e-9);
  d.supports.clear();
  EXPECT_EQ(Solved(d).modes.free_motions, 4);
}

TEST(Modes, OfRigidJointsDoNotDependOnTheAngle) {
  // The far ends pinned, the corner is held by the axial stiffness: rods that bend against each
  // other as in a beam over three supports. The first mode is that of pinned rods; what the corner
  // gives way is of the order (radius of gyration / length)², 2e-6.
  for (const double angle : {0.7, kPi / 2, -2.0}) {
    CaseDescription d = two_rods(angle, 8);
    d.supports = {{.point = "O", .fix_x = true, .fix_y = true},
                  {.point = "A", .fix_x = true, .fix_y = true}};
    const Solved s(d);
    const double expected = kSlender.at(Ends::simply_supported).mesh.at(8)[0];
    EXPECT_NEAR(s.modes.frequencies[0] / expected, 1, 1e-4) << angle;
  }
}

TEST(Modes, OfAChainDoNotDependOnHowItIsDivided) {
  CaseDescription d = two_rods(0, 4);
  d.points[1].position = {1, 0};
  d.points[2].position = {2, 0};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true}};
  const auto& expected = kSlender.at(Ends::cantilever).mesh.at(8);
  EXPECT_LT(largest_relative_error(bending(Solved(d)), expected), 1e-9);
}

// Turned by an angle about the origin, then moved.
CaseDescription moved(CaseDescription d, double angle, double x, double y) {
  for (PointDescription& p : d.points) {
    const auto [px, py] = p.position;
    p.position = {x + px * std::cos(angle) - py * std::sin(angle),
                  y + px * std::sin(angle) + py * std::cos(angle)};
  }
  return d;
}

TEST(Modes, DoNotDependOnWhereTheFrameIs) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const CaseDescription d = test::random_frame(seed, {.rods = 5, .turnable = true});
    const Solved s(d, {.count = 20});
    const double scale = squares(s.modes).maxCoeff();
    for (const double angle : {0.4, kPi, -1.9}) {
      const Solved other(moved(d, angle, 3, -8), {.count = 20});
      EXPECT_TRUE(all_near(squares(other.modes), squares(s.modes), 1e-12 * scale)) << seed;
    }
  }
}

TEST(Modes, OfTwoParticlesAndASpring) {
  CaseDescription d;
  d.points = {{"P", {0, 0}}, {"Q", {3, 4}}};
  d.particles = {{.name = "p", .at = "P", .mass = 2}, {.name = "q", .at = "Q", .mass = 3}};
  d.springs = {{.name = "s", .between = {"P", "Q"}, .stiffness = 100}};
  d.analysis = {.end = 1, .output_every = 0.1};
  const Solved s(d);
  ASSERT_EQ(s.modes.frequencies.size(), 4U);
  EXPECT_EQ(s.modes.free_motions, 3);
  EXPECT_NEAR(s.modes.frequencies[3], std::sqrt(100 * (1.0 / 2 + 1.0 / 3)), 1e-12);
}

TEST(Modes, OfAPendulumSwingOrGrow) {
  // m = 2, J = 0.5 about the pin, arm 0.4, g = 9.81: ω² = ± m g 0.4 / J below and above the pin.
  CaseDescription d;
  d.points = {{"O", {0, 0}}};
  d.bodies = {{.name = "b", .at = "O", .mass = 2, .inertia = 0.5, .center = {0, -0.4}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true}};
  d.analysis = {.end = 1, .output_every = 0.1};
  d.gravity = {0, -9.81};
  const double omega = std::sqrt(2 * 9.81 * 0.4 / 0.5);
  const Solved below(d);
  ASSERT_EQ(below.modes.frequencies.size(), 1U);
  EXPECT_NEAR(below.modes.frequencies[0], omega, 1e-14 * omega);
  EXPECT_EQ(below.modes.imbalance, 0);
  d.gravity = {0, 9.81};
  const Solved above(d);
  EXPECT_NEAR(above.modes.frequencies[0], -omega, 1e-14 * omega);
  EXPECT_EQ(above.modes.negative, 1);
  d.gravity = {9.81, 0};
  EXPECT_NEAR(Solved(d).modes.imbalance, 2 * 9.81 * 0.4, 1e-14);
  EXPECT_EQ(Solved(d, {.load_factor = 0}).modes.imbalance, 0);
}

// A slender cantilever, also turned by 0.7, with meshes so fine that K has lost the lowest
// eigenvalue among the rounding of EA/h: the strains of the shapes have it. The error of the mesh
// is 8.57e-3/n⁴
// + 2.77e-6/n² (bending and shear), from 16 to 128 elements.
TEST(Modes, KeepTheirDigitsOnFineMeshes) {
  const double exact = kSlender.at(Ends::cantilever).exact.front();
  for (const int elements : {32, 128, 1024, 2000}) {
    for (const double angle : {0.0, 0.7}) {
      CaseDescription d = supported_rod(test::bar_section(), 2, elements, Ends::cantilever);
      d.points[1].position = {2 * std::cos(angle), 2 * std::sin(angle)};
      const Solved s(d, {.count = 2});
      const double mesh = 8.57e-3 * std::pow(elements, -4) + 2.77e-6 * std::pow(elements, -2);
      EXPECT_NEAR(s.modes.frequencies.front() / exact - 1, mesh, 1e-11) << elements << " " << angle;
    }
  }
}

// A rod on a hinge with a spring so soft that K does not know it from nothing.
TEST(Modes, TellSoftSpringsFromMechanisms) {
  CaseDescription d = test::one_rod(test::bar_section(), 2, 40);
  d.points[1].position = {1.6, 1.2};
  d.bodies = {{.name = "wall", .at = "O", .mass = 1, .inertia = 1}};
  d.hinges = {{.name = "h",
               .at = "O",
               .members = {"wall", "rod"},
               .spring = HingeSpringDescription{.stiffness = 1e-6}}};
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true, .rod = "wall"}};
  const double inertia = 0.28 * 8 / 3 + 2 * 0.28 * 0.01 * 0.01 / 12;
  const Solved soft(d, {.count = 3});
  EXPECT_EQ(soft.modes.free_motions, 0);
  EXPECT_NEAR(soft.modes.frequencies[0] / std::sqrt(1e-6 / inertia), 1, 1e-2);
  d.hinges[0].spring->stiffness = 1e-4;
  EXPECT_NEAR(Solved(d).modes.frequencies[0] / std::sqrt(1e-4 / inertia), 1, 1e-4);
  d.hinges[0].spring.reset();
  const Solved mechanism(d, {.count = 3});
  EXPECT_EQ(mechanism.modes.free_motions, 1);
  EXPECT_EQ(mechanism.modes.frequencies[0], 0);
  EXPECT_EQ(mechanism.modes.descriptions[0].substr(0, 21), "mechanism: hinge 'h';");
}

TEST(Modes, NameFreeMotions) {
  const Solved free(supported_rod(test::bar_section(), 2, 8, Ends::free), {.count = 4});
  EXPECT_EQ(free.modes.descriptions[0], "translation along X");
  EXPECT_EQ(free.modes.descriptions[1], "translation along Y");
  EXPECT_EQ(free.modes.descriptions[2], "rotation about (1, 0)");
  EXPECT_EQ(free.modes.descriptions[3].substr(0, 7), "point '");
  // Two rods that float, hinged to one another at a right angle: all rigid motions, and the hinge.
  CaseDescription d;
  d.sections = {test::bar_section()};
  d.points = {{"A", {1, 0}}, {"B", {0, 0}}, {"C", {0, 1}}};
  d.rods = {{"x", "bar", "A", "B", 3}, {"y", "bar", "B", "C", 3}};
  d.hinges = {{.name = "knee", .at = "B", .members = {"x", "y"}}};
  d.analysis = {.end = 1, .output_every = 1};
  const Solved hinged(d, {.count = 5});
  EXPECT_EQ(hinged.modes.free_motions, 4);
  EXPECT_EQ(hinged.modes.descriptions[2].substr(0, 14), "rotation about");
  EXPECT_EQ(hinged.modes.descriptions[3].substr(0, 24), "mechanism: hinge 'knee';");
  // On a pin in X: the rod slides along Y, or turns.
  d = supported_rod(test::bar_section(), 2, 8, Ends::free);
  d.supports = {{.point = "O", .fix_x = true}};
  const Solved slider(d, {.count = 3});
  EXPECT_EQ(slider.modes.free_motions, 2);
  EXPECT_EQ(slider.modes.descriptions[0], "translation along Y");
}

// What free motions are is no matter of the number of modes asked for.
TEST(Modes, FindAllFreeMotionsAlone) {
  for (const int limit : {0, 300}) {
    CaseDescription d;
    d.sections = {test::bar_section()};
    for (int i = 0; i <= 12; ++i)
      d.points.push_back({"P" + std::to_string(i), {1.0 * i, 1.0 * (i % 2)}});
    for (int i = 0; i < 12; ++i) {
      const std::string name = "r" + std::to_string(i);
      d.rods.push_back({name, "bar", "P" + std::to_string(i), "P" + std::to_string(i + 1), 3});
      if (i > 0) {
        d.hinges.push_back({.name = "h" + std::to_string(i),
                            .at = "P" + std::to_string(i),
                            .members = {"r" + std::to_string(i - 1), name}});
      }
    }
    d.analysis = {.end = 1, .output_every = 1};
    const Solved s(d, {.dense_limit = limit, .only_free = true});
    EXPECT_EQ(s.modes.free_motions, 14);
    EXPECT_EQ(s.modes.shapes.size(), 14U);
    EXPECT_EQ(s.modes.descriptions[3].substr(0, 10), "mechanism:");
    EXPECT_TRUE(Solved(supported_rod(test::bar_section(), 2, 8, Ends::cantilever),
                       {.dense_limit = limit, .only_free = true})
                    .modes.shapes.empty());
  }
}

// Modes about the equilibrium of a cantilever under a load at its tip.
struct Loaded {
  Model model;
  System system;
  Modes modes;
  static std::vector<double> solve(const Model& model) {
    Observer nobody;
    const StaticsResult r = run_statics(model, {}, {}, nobody);
    EXPECT_EQ(r.summary.status, RunStatus::complete) << r.summary.reason;
    return r.positions;
  }
  Loaded(const CaseDescription& d, const ModesOptions& options)
      : model(make_model(d)), system(model, {}) {
    modes = calc_modes(system, system.store(solve(model)), options);
    EXPECT_TRUE(modes.outcome.ok());
    EXPECT_EQ(modes.imbalance, 0);
  }
};

CaseDescription column(double load, bool follower, int elements) {
  const SectionDescription strip{.name = "s",
                                 .axial_stiffness = 1e7,
                                 .bending_stiffness = 1,
                                 .shear_stiffness = 1e7,
                                 .mass_per_length = 1,
                                 .inertia_per_length = 1e-7};
  CaseDescription d = supported_rod(strip, 1, elements, Ends::cantilever);
  d.point_loads = {{.name = "P", .at = "A", .force = {-load, 0.0}, .follower = follower}};
  return d;
}

// ω² of a column falls to zero as its dead load comes to Euler's, and below it beyond.
TEST(Modes, OfALoadedColumnVanishWithItsStiffness) {
  constexpr double euler = kPi * kPi / 4;
  const auto square = [](double part) {
    const Loaded s(column(part * euler, false, 16), {.count = 1});
    return s.modes.frequencies[0] * std::abs(s.modes.frequencies[0]);
  };
  const double free = square(0);
  EXPECT_NEAR(std::sqrt(free), 3.516015, 1e-5);
  EXPECT_GT(square(0.999), 0);
  EXPECT_LT(square(1.001), 0);
  // Through zero at the load itself, within what a line through both makes of the curve.
  const double zero = 0.999 + 0.002 * square(0.999) / (square(0.999) - square(1.001));
  EXPECT_NEAR(zero, 1, 2e-6);
}

// Beck's column (1952): the follower load P = 20.0509 EI/L² makes the two lowest modes one, and the
// column flutters. No static load is critical.
TEST(Modes, OfBecksColumnFlutter) {
  const auto growth = [](double load, int limit) {
    const Loaded s(column(load, true, 16), {.count = 2, .dense_limit = limit});
    return s.modes.growth_rates[0] + s.modes.growth_rates[1] == 0
               ? std::max(s.modes.growth_rates[0], s.modes.growth_rates[1])
               : NAN;
  };
  double low = 19, high = 21;
  EXPECT_EQ(growth(low, 300), 0);
  EXPECT_GT(growth(high, 300), 0.1);
  for (int i = 0; i < 14; ++i) {
    const double middle = 0.5 * (low + high);
    (growth(middle, 300) > 0 ? high : low) = middle;
  }
  EXPECT_NEAR(low, 20.0509, 1e-3);
  // A basis of some of the modes gives the same.
  const Loaded all(column(21, true, 40), {.count = 4, .dense_limit = 300});
  const Loaded some(column(21, true, 40), {.count = 4, .dense_limit = 0});
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(some.modes.frequencies[i], all.modes.frequencies[i],
                1e-7 * all.modes.frequencies[i]);
    EXPECT_NEAR(some.modes.growth_rates[i], all.modes.growth_rates[i], 1e-6);
  }
  EXPECT_EQ(all.modes.negative, 1);
  EXPECT_EQ(all.modes.descriptions[0].substr(0, 8), "flutter:");
}

TEST(Modes, OfHeldStructuresAreNone) {
  CaseDescription d = test::one_rod(test::bar_section(), 2, 1);
  d.supports = {{.point = "O", .fix_x = true, .fix_y = true, .fix_angle = true},
                {.point = "A", .fix_x = true, .fix_y = true, .fix_angle = true}};
  EXPECT_TRUE(Solved(d).modes.frequencies.empty());
}

TEST(Modes, OfAStateThatIsNotFiniteFail) {
  const Model model = make_model(test::one_rod(test::bar_section(), 2, 2));
  System system(model, {});
  std::vector<double> q = system.initial_positions();
  q[system.place(model.nodes.front().x)] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(calc_modes(system, q).outcome.status, Status::not_finite);
}

TEST(ModesNames, OfFreeMotionsDoNotDependOnHowLightABodyIs) {
  for (const double inertia : {1.0, 1e-20, 1e-60, 1e-300}) {
    CaseDescription d;
    d.points = {{"O", {0, 0}}};
    d.bodies = {{.name = "b", .at = "O", .mass = 1, .inertia = inertia}};
    d.analysis = {.end = 1, .output_every = 1};
    const Solved s(d, {});
    EXPECT_EQ(s.modes.descriptions,
              (std::vector<std::string>{"translation along X", "translation along Y",
                                        "rotation about (0, 0)"}))
        << inertia;
  }
}

}  // namespace
}  // namespace fem
