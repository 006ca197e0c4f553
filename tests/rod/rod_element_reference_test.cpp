// The element and its integrals against numbers computed independently.
#include <cmath>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "libfem/rod/rod_element.hpp"
#include "libfem/rod/rod_matrices.hpp"
#include "tests/rod/reference_element.hpp"
#include "tests/rod/samples.hpp"
#include "tests/support/compare.hpp"

namespace fem {
namespace {

namespace reference = test::reference;
using test::all_near;
using test::as_moments;

template <int Rows, int Columns, class Numbers>
auto matrix(const Numbers& numbers) {
  return Eigen::Matrix<double, Rows, Columns, Eigen::RowMajor>(numbers.data());
}
Vector6<double> vector(const reference::Six& numbers) { return Vector6<double>(numbers.data()); }

// Relative to the largest entry, all as moments.
template <class Actual>
void expect_reference(const Actual& actual, const Actual& expected) {
  const Actual e = as_moments(expected, reference::kLength);
  EXPECT_TRUE(all_near(as_moments(actual, reference::kLength), e, 1e-12 * e.cwiseAbs().maxCoeff()));
}

TEST(RodReference, ElementInBothInertiaFields) {
  const Vector6<double> q = vector(reference::kPosition);
  const Vector6<double> v = vector(reference::kVelocity);
  for (const bool paper : {true, false}) {
    const RodConstants<double> c =
        make_rod_constants(reference::kSection, reference::kLength, paper);
    const RodKinematics<double> k = calc_kinematics(c, q);
    EXPECT_NEAR(strain_energy(c, k), reference::kEnergy, 1e-12 * reference::kEnergy);
    expect_reference<Vector6<double>>(elastic_force(c, k), vector(reference::kElasticForce));
    expect_reference<Matrix6<double>>(elastic_tangent(c, k),
                                      matrix<6, 6>(reference::kElasticTangent));
    expect_reference<Matrix6<double>>(
        test::full(mass_matrix(c, k)),
        matrix<6, 6>(paper ? reference::kPaperMass : reference::kChordMass));
    expect_reference<Vector6<double>>(
        velocity_force(c, k, v), vector(paper ? reference::kPaperForce : reference::kChordForce));
  }
}

TEST(RodReference, EntriesOfTheMassMatrix) {
  // Entry by entry; the smallest is a seventieth of its row and column.
  const Vector6<double> q = vector(reference::kPosition);
  for (const bool paper : {true, false}) {
    const RodConstants<double> c =
        make_rod_constants(reference::kSection, reference::kLength, paper);
    const Matrix6<double> mass = test::full(mass_matrix(c, calc_kinematics(c, q)));
    const auto expected = matrix<6, 6>(paper ? reference::kPaperMass : reference::kChordMass);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        EXPECT_NEAR(mass(i, j), expected(i, j), 1e-12 * std::abs(expected(i, j)));
      }
    }
  }
}

TEST(RodReference, ElementWithItsMassAside) {
  const Vector6<double> q = vector(reference::kPosition);
  Section section = reference::kSection;
  section.mass_offset = reference::kOffset;
  section.inertia_per_length = reference::kOffsetInertia;
  const RodConstants<double> c = make_rod_constants(section, reference::kLength, true);
  const RodKinematics<double> k = calc_kinematics(c, q);
  constexpr RodOptions options{.offset_mass = true};
  expect_reference<Matrix6<double>>(test::full(mass_matrix(c, k, options)),
                                    matrix<6, 6>(reference::kOffsetMass));
  expect_reference<Vector6<double>>(velocity_force(c, k, vector(reference::kVelocity), options),
                                    vector(reference::kOffsetForce));
}

TEST(RodReference, Integrals) {
  const RodMatrices r = make_rod_matrices(reference::kTableLength, reference::kTableAlpha);
  constexpr double tolerance = 1e-15;
  EXPECT_TRUE(all_near(r.Psi, matrix<5, 5>(reference::kPsi), tolerance));
  EXPECT_TRUE(all_near(r.Z, matrix<3, 5>(reference::kZ), tolerance));
  EXPECT_TRUE(all_near(r.Phi, matrix<3, 3>(reference::kPhi), tolerance));
  EXPECT_TRUE(all_near(r.Phi_x, matrix<3, 3>(reference::kPhiX), tolerance));
  EXPECT_TRUE(all_near(r.Phi_psi, matrix<3, 3>(reference::kPhiPsi), tolerance));
  EXPECT_TRUE(all_near(r.Phi_psi0, matrix<3, 3>(reference::kPhiPsi0), tolerance));
  EXPECT_TRUE(all_near(r.Phi_psi1, matrix<3, 3>(reference::kPhiPsi1), tolerance));
}

}  // namespace
}  // namespace fem
