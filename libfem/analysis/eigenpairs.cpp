#include "libfem/analysis/eigenpairs.hpp"

#include <Spectra/SymGEigsShiftSolver.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>

namespace fem {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Eigen::Index;

constexpr double kLadder = 16;         // between tried bounds of the wanted eigenvalues
constexpr int kMostRungs = 100;        // of any search along the ladder
constexpr double kLowestRung = 1e-10;  // over the largest eigenvalue: σ stays clear of rounding
constexpr double kShiftShare = 1e-3;   // |σ| over the largest wanted eigenvalue
constexpr double kTolerance = 1e-11;   // of a Ritz pair's residual
constexpr int kMostRounds = 20;        // of looking for missed modes
constexpr double kGap = 1e-6;          // relative, between values that are clearly apart
constexpr double kClear = 0.1;         // of σ: more than rounding

// L D Lᵀ of K − τM without pivoting: solves, and counts the eigenvalues below τ.
class ShiftedPencil {
 public:
  explicit ShiftedPencil(const Pencil& pencil) : pencil_(pencil), shifted_(pencil.stiffness) {
    ldlt_.analyzePattern(shifted_);
  }

  /// False where a pivot is zero.
  [[nodiscard]] bool factorize(double shift) {
    shifted_.coeffs() = pencil_.stiffness.coeffs() - shift * pencil_.mass.coeffs();
    ldlt_.factorize(shifted_);
    return ldlt_.info() == Eigen::Success;
  }
  /// At τ, or beside it where a pivot is zero at τ.
  [[nodiscard]] int count_below(double shift) {
    for (int i = 0; i < kMostRungs && !factorize(shift); ++i) shift *= 1 + kGap;
    return static_cast<int>((ldlt_.vectorD().array() < 0).count());
  }
  [[nodiscard]] bool is_below_all(double shift) {
    return factorize(shift) && (ldlt_.vectorD().array() > 0).all();
  }
  [[nodiscard]] Vector solve(const Vector& b) const { return ldlt_.solve(b); }

 private:
  const Pencil& pencil_;
  Sparse shifted_;
  Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<int>> ldlt_;
};

// A value above the wanted eigenvalues and, if they are not about zero, of the size of the last.
double find_bound(const Pencil& pencil, ShiftedPencil& shifted, int count) {
  const double largest = largest_quotient(pencil);
  const double top = largest > 0 ? largest : 1.0;
  double bound = top;
  for (int i = 0; i < kMostRungs && shifted.count_below(bound) < count; ++i) bound *= kLadder;
  while (bound / kLadder > kLowestRung * top && shifted.count_below(bound / kLadder) >= count) {
    bound /= kLadder;
  }
  return bound;
}

// A negative shift below every eigenvalue; leaves its factorization.
double find_shift(const Pencil& pencil, ShiftedPencil& shifted, int count) {
  double shift = -kShiftShare * find_bound(pencil, shifted, count);
  for (int i = 0; i < kMostRungs && !shifted.is_below_all(shift); ++i) shift *= kLadder;
  return shift;
}

void normalise(const Pencil& pencil, EigenPairs& pairs) {
  for (Index i = 0; i < pairs.values.size(); ++i) {
    const double modal_mass = pairs.vectors.col(i).dot(pencil.mass * pairs.vectors.col(i));
    pairs.vectors.col(i) /= std::sqrt(modal_mass);
  }
}

// With K − σM = C Cᵀ the eigenvalues of C⁻¹MC⁻ᵀ are 1 / (λ − σ): the lowest are the most exact.
EigenPairs solve_dense(const Pencil& pencil, double shift, int count) {
  const Eigen::LLT<Matrix> llt(Matrix(pencil.stiffness) - shift * Matrix(pencil.mass));
  const Matrix half = llt.matrixL().solve(Matrix(pencil.mass));
  const Matrix inverse = llt.matrixL().solve(half.transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(-shift * inverse);
  const Vector largest = solver.eigenvalues().tail(count).reverse();
  EigenPairs pairs{.values = shift * (1 - largest.array().inverse()), .vectors = {}};
  pairs.vectors = llt.matrixU().solve(solver.eigenvectors().rightCols(count).rowwise().reverse());
  normalise(pencil, pairs);
  return pairs;
}

// What Spectra asks of M.
struct MassOperator {
  using Scalar = double;
  const Pencil& pencil;
  [[nodiscard]] Index rows() const { return pencil.size(); }
  void perform_op(const double* x, double* y) const {
    Vector::Map(y, rows()) = pencil.mass * Vector::Map(x, rows());
  }
};

// What Spectra asks of (K − σM)⁻¹. Eigenvalues are scaled by |σ|, so that σ is −1 to Spectra, whose
// tolerances have a floor that is not relative. Known modes are taken out.
struct InverseOperator {
  using Scalar = double;
  const Pencil& pencil;
  const ShiftedPencil& shifted;
  const Matrix& known;
  double scale;
  [[nodiscard]] Index rows() const { return pencil.size(); }
  void set_shift(double) const {}
  void perform_op(const double* x, double* y) const {
    Vector result = scale * shifted.solve(Vector::Map(x, rows()));
    result -= known * (known.transpose() * (pencil.mass * result));
    Vector::Map(y, rows()) = result;
  }
};

// The `count` lowest pairs beside the known ones; fewer where the iteration ended early.
EigenPairs solve_sparse(const Pencil& pencil, const ShiftedPencil& shifted, double shift,
                        const Matrix& known, int count) {
  MassOperator mass{pencil};
  InverseOperator inverse{pencil, shifted, known, -shift};
  const Index wanted = std::min<Index>(count, pencil.size() - 1);
  const Index space = std::min<Index>(2 * wanted + 20, pencil.size());
  Spectra::SymGEigsShiftSolver<InverseOperator, MassOperator, Spectra::GEigsMode::ShiftInvert>
      solver(inverse, mass, wanted, space, -1.0);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, kTolerance, Spectra::SortRule::SmallestAlge);
  EigenPairs pairs{.values = -shift * solver.eigenvalues(), .vectors = solver.eigenvectors()};
  normalise(pencil, pairs);
  return pairs;
}

EigenPairs select(const EigenPairs& pairs, const std::vector<Index>& order) {
  return {.values = pairs.values(order), .vectors = pairs.vectors(Eigen::all, order)};
}

EigenPairs merge(const EigenPairs& a, const EigenPairs& b) {
  EigenPairs both{.values = Vector(a.values.size() + b.values.size()),
                  .vectors = Matrix(b.vectors.rows(), a.vectors.cols() + b.vectors.cols())};
  both.values << a.values, b.values;
  both.vectors << a.vectors, b.vectors;
  std::vector<Index> order(static_cast<std::size_t>(both.values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return both.values(i) < both.values(j); });
  return select(both, order);
}

// How many eigenvalues clearly below the last wanted one are not among the pairs. Where that is
// zero, only a part of σ is clear of the rounding of K.
int count_missed(const Pencil& pencil, double shift, const EigenPairs& pairs, int count) {
  const double last = pairs.values(count - 1);
  const double bound = last - kGap * (last - shift) + kClear * shift;
  ShiftedPencil shifted(pencil);
  const auto found = static_cast<int>((pairs.values.array() < bound).count());
  return shifted.count_below(bound) - found;
}

// A Krylov space holds one vector of every eigenspace and meets the others by rounding only: what
// it missed, as one of three rigid-body modes, is looked for again beside what is known.
Outcome solve_all_sparse(const Pencil& pencil, const ShiftedPencil& shifted, double shift,
                         int count, EigenPairs& pairs) {
  pairs = {.values = Vector(0), .vectors = Matrix(pencil.size(), 0)};
  int missing = count;
  for (int round = 0; missing > 0; ++round) {
    const EigenPairs more = solve_sparse(pencil, shifted, shift, pairs.vectors, missing);
    if (more.values.size() == 0 || round == kMostRounds) return {Status::no_convergence, 0};
    pairs = merge(pairs, more);
    missing = count - static_cast<int>(pairs.values.size());
    if (missing <= 0) missing = count_missed(pencil, shift, pairs, count);
  }
  pairs.values.conservativeResize(count);
  pairs.vectors.conservativeResize(Eigen::NoChange, count);
  return {};
}

}  // namespace

double largest_quotient(const Pencil& pencil) {
  return (pencil.stiffness.diagonal().array().abs() / pencil.mass.diagonal().array()).maxCoeff();
}

int count_eigenvalues(const Pencil& pencil, double below) {
  return ShiftedPencil(pencil).count_below(below);
}

Outcome solve_lowest(const Pencil& pencil, int count, int dense_limit, EigenPairs& pairs) {
  FEM_DEMAND(count > 0 && count <= pencil.size());
  ShiftedPencil shifted(pencil);
  const double shift = find_shift(pencil, shifted, count);
  if (pencil.size() <= std::max(dense_limit, 2)) {
    pairs = solve_dense(pencil, shift, count);
  } else {
    const Outcome outcome = solve_all_sparse(pencil, shifted, shift, count, pairs);
    if (!outcome.ok()) return outcome;
  }
  pairs.shift = shift;
  return {};
}

Matrix solve_shifted(const Pencil& pencil, const EigenPairs& pairs, const Matrix& b) {
  ShiftedPencil shifted(pencil);
  Matrix x(b.rows(), b.cols());
  const bool factorized = shifted.factorize(pairs.shift);
  FEM_DEMAND(factorized);
  for (Index i = 0; i < b.cols(); ++i) x.col(i) = shifted.solve(b.col(i));
  return x;
}

}  // namespace fem
