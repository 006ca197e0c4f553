#include "libfem/analysis/modes.hpp"

#include <Spectra/SymGEigsShiftSolver.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "libfem/analysis/free_motions.hpp"

namespace fem {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Eigen::Index;

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kLadder = 16;         // between tried bounds of the wanted eigenvalues
constexpr int kMostRungs = 100;        // of any search along the ladder
constexpr double kLowestRung = 1e-10;  // over the largest eigenvalue: σ stays clear of rounding
constexpr double kShiftShare = 1e-3;   // |σ| over the largest wanted eigenvalue
constexpr double kTolerance = 1e-11;   // of a Ritz pair's residual
constexpr int kMostRounds = 20;        // of looking for missed modes
constexpr double kGap = 1e-6;          // relative, between values that are clearly apart
constexpr double kClear = 0.1;         // of σ: more than rounding
constexpr double kRounding = 4;        // units of rounding that a sum may be wrong by
constexpr double kSoft = 1e3;          // times the rounding of K: eigenvalues that it may disturb

// K and M on the places that hold a coordinate; both with the same pattern.
struct Pencil {
  std::vector<int> places;
  Sparse stiffness, mass;
  Vector q, residual;
  [[nodiscard]] Index size() const { return mass.rows(); }
};

// Eigenvalues, ascending, and vectors of unit modal mass in the columns.
struct Pairs {
  Vector values;
  Matrix vectors;
};

std::vector<int> list_places(const System& system) {
  std::vector<int> places;
  for (int p = 0; p < system.numbering().independent; ++p) {
    if (system.numbering().coordinate[static_cast<std::size_t>(p)] != kNone) places.push_back(p);
  }
  return places;
}

Sparse make_selection(const std::vector<int>& places, Index rows) {
  std::vector<Eigen::Triplet<double>> ones;
  for (std::size_t i = 0; i < places.size(); ++i) {
    ones.emplace_back(places[i], static_cast<int>(i), 1.0);
  }
  Sparse selection(rows, static_cast<Index>(places.size()));
  selection.setFromTriplets(ones.begin(), ones.end());
  return selection;
}

// The order of elimination stays as System has it, so factorizations fill in no more.
Pencil assemble(System& system, std::vector<double>& q, const ModesOptions& options) {
  const auto n = static_cast<Index>(system.independent());
  Pencil pencil{
      .places = list_places(system), .stiffness = {}, .mass = {}, .q = {}, .residual = {}};
  const Sparse selection = make_selection(pencil.places, n);
  Vector residual(n);
  system.assemble_statics(options.time, options.load_factor, q,
                          {residual.data(), system.independent()});
  pencil.stiffness = selection.transpose() * system.assembled_matrix() * selection;
  system.assemble_mass(q);
  pencil.mass = selection.transpose() * system.assembled_matrix() * selection;
  pencil.q = selection.transpose() * Vector::Map(q.data(), n);
  pencil.residual = selection.transpose() * residual;
  FEM_DEMAND(pencil.stiffness.nonZeros() == pencil.mass.nonZeros());
  return pencil;
}

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

Outcome check(const Pencil& pencil) {
  if (!pencil.stiffness.coeffs().isFinite().all() || !pencil.mass.coeffs().isFinite().all()) {
    return {Status::not_finite, 0};
  }
  Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<int>> ldlt(pencil.mass);
  const Vector pivots = ldlt.vectorD();
  for (Index i = 0; i < pivots.size(); ++i) {
    const auto unknown = static_cast<std::size_t>(i);
    if (!(pivots(i) > 0)) {
      return {Status::singular_mass, static_cast<std::size_t>(pencil.places[unknown])};
    }
  }
  return {};
}

// Of the diagonals: about the largest eigenvalue.
double largest_quotient(const Pencil& pencil) {
  return (pencil.stiffness.diagonal().array().abs() / pencil.mass.diagonal().array()).maxCoeff();
}

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

void normalise(const Pencil& pencil, Pairs& pairs) {
  for (Index i = 0; i < pairs.values.size(); ++i) {
    const double modal_mass = pairs.vectors.col(i).dot(pencil.mass * pairs.vectors.col(i));
    pairs.vectors.col(i) /= std::sqrt(modal_mass);
  }
}

// With K − σM = C Cᵀ the eigenvalues of C⁻¹MC⁻ᵀ are 1 / (λ − σ): the lowest are the most exact.
Pairs solve_dense(const Pencil& pencil, double shift, int count) {
  const Eigen::LLT<Matrix> llt(Matrix(pencil.stiffness) - shift * Matrix(pencil.mass));
  const Matrix half = llt.matrixL().solve(Matrix(pencil.mass));
  const Matrix inverse = llt.matrixL().solve(half.transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(-shift * inverse);
  const Vector largest = solver.eigenvalues().tail(count).reverse();
  Pairs pairs{.values = shift * (1 - largest.array().inverse()), .vectors = {}};
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
Pairs solve_sparse(const Pencil& pencil, const ShiftedPencil& shifted, double shift,
                   const Matrix& known, int count) {
  MassOperator mass{pencil};
  InverseOperator inverse{pencil, shifted, known, -shift};
  const Index wanted = std::min<Index>(count, pencil.size() - 1);
  const Index space = std::min<Index>(2 * wanted + 20, pencil.size());
  Spectra::SymGEigsShiftSolver<InverseOperator, MassOperator, Spectra::GEigsMode::ShiftInvert>
      solver(inverse, mass, wanted, space, -1.0);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, kTolerance, Spectra::SortRule::SmallestAlge);
  Pairs pairs{.values = -shift * solver.eigenvalues(), .vectors = solver.eigenvectors()};
  normalise(pencil, pairs);
  return pairs;
}

Pairs select(const Pairs& pairs, const std::vector<Index>& order) {
  return {.values = pairs.values(order), .vectors = pairs.vectors(Eigen::all, order)};
}

Pairs merge(const Pairs& a, const Pairs& b) {
  Pairs both{.values = Vector(a.values.size() + b.values.size()),
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
int count_missed(const Pencil& pencil, double shift, const Pairs& pairs, int count) {
  const double last = pairs.values(count - 1);
  const double bound = last - kGap * (last - shift) + kClear * shift;
  ShiftedPencil shifted(pencil);
  const auto found = static_cast<int>((pairs.values.array() < bound).count());
  return shifted.count_below(bound) - found;
}

// A Krylov space holds one vector of every eigenspace and meets the others by rounding only: what
// it missed, as one of three rigid-body modes, is looked for again beside what is known.
Outcome solve_all_sparse(const Pencil& pencil, const ShiftedPencil& shifted, double shift,
                         int count, Pairs& pairs) {
  pairs = {.values = Vector(0), .vectors = Matrix(pencil.size(), 0)};
  int missing = count;
  for (int round = 0; missing > 0; ++round) {
    const Pairs more = solve_sparse(pencil, shifted, shift, pairs.vectors, missing);
    if (more.values.size() == 0 || round == kMostRounds) return {Status::no_convergence, 0};
    pairs = merge(pairs, more);
    missing = count - static_cast<int>(pairs.values.size());
    if (missing <= 0) missing = count_missed(pencil, shift, pairs, count);
  }
  pairs.values.conservativeResize(count);
  pairs.vectors.conservativeResize(Eigen::NoChange, count);
  return {};
}

// ω² of a unit modal mass that rounding of K alone can make.
double calc_rounding(const Pencil& pencil, const Vector& shape, double shift) {
  const Vector size = shape.cwiseAbs();
  return kRounding * kEps * (size.dot(pencil.stiffness.cwiseAbs() * size) - shift);
}

// Stored vectors, dependents too, in the columns.
Matrix store(const System& system, const Pencil& pencil, const Matrix& vectors) {
  Matrix stored = Matrix::Zero(static_cast<Index>(system.size()), vectors.cols());
  stored(pencil.places, Eigen::all) = vectors;
  for (Index i = 0; i < stored.cols(); ++i) {
    system.complete_change({stored.col(i).data(), system.size()});
  }
  return stored;
}

// Eigenvalues and shapes, with what rounding may make of the eigenvalues.
struct Spectrum {
  Vector values, rounding;
  Matrix shapes;  // stored vectors
};

// The form of K on the listed shapes.
Matrix calc_form(const System& system, double factor, std::span<const double> q,
                 const Matrix& shapes) {
  const auto column = [&](Index i) {
    return std::span<const double>(shapes.col(i).data(), system.size());
  };
  Matrix form(shapes.cols(), shapes.cols());
  for (Index i = 0; i < form.cols(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      form(i, j) = form(j, i) = system.stiffness_form(factor, q, column(i), column(j)).value;
    }
  }
  return form;
}

// Soft motions that rounding of K mixes are told apart by the form of the strains among them.
void separate_soft(const System& system, double factor, std::span<const double> q,
                   const std::vector<Index>& soft, Spectrum& spectrum) {
  if (soft.empty()) return;
  const Matrix shapes = spectrum.shapes(Eigen::all, soft);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(calc_form(system, factor, q, shapes));
  spectrum.shapes(Eigen::all, soft) = shapes * solver.eigenvectors();
}

Spectrum evaluate(const System& system, double factor, std::span<const double> q,
                  const Pencil& pencil, const Pairs& pairs, double shift) {
  Spectrum s{.values = pairs.values,
             .rounding = Vector::Zero(pairs.values.size()),
             .shapes = store(system, pencil, pairs.vectors)};
  std::vector<Index> soft;
  Vector coarse(pairs.values.size());
  for (Index i = 0; i < coarse.size(); ++i) {
    coarse(i) = calc_rounding(pencil, pairs.vectors.col(i), shift);
    if (std::abs(pairs.values(i)) <= kSoft * coarse(i)) soft.push_back(i);
  }
  separate_soft(system, factor, q, soft, s);
  const double mixed = soft.empty() ? 0.0 : coarse(soft).maxCoeff() / kSoft;
  for (Index i = 0; i < s.values.size(); ++i) {
    const std::span<const double> x(s.shapes.col(i).data(), system.size());
    const System::Form form = system.stiffness_form(factor, q, x, x);
    const bool is_soft = std::find(soft.begin(), soft.end(), i) != soft.end();
    s.values(i) = form.value;
    s.rounding(i) = form.rounding + (is_soft ? mixed : 0.0);
  }
  return s;
}

// The sense in which the first of the largest entries is positive: the same on every machine.
double sense(const Vector& shape) {
  const double large = (1 - kGap) * shape.cwiseAbs().maxCoeff();
  Index i = 0;
  while (std::abs(shape(i)) < large) ++i;
  return shape(i) < 0 ? -1 : 1;
}

void add_mode(double value, const Vector& shape, std::string description, Modes& modes) {
  modes.frequencies.push_back(std::copysign(std::sqrt(std::abs(value)), value));
  const Vector turned = sense(shape) * shape;
  modes.shapes.emplace_back(turned.data(), turned.data() + turned.size());
  modes.descriptions.push_back(std::move(description));
}

// In the order of ω²; free motions sorted among themselves.
void report(const System& system, std::span<const double> q, const Spectrum& s, bool only_free,
            Modes& modes) {
  std::vector<Index> order(static_cast<std::size_t>(s.values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return s.values(a) < s.values(b); });
  const auto is_free = [&](Index i) { return std::abs(s.values(i)) <= s.rounding(i); };
  std::vector<Index> free, below, above;
  for (const Index i : order) {
    (is_free(i) ? free : s.values(i) < 0 ? below : above).push_back(i);
  }
  modes.free_motions = static_cast<int>(free.size());
  modes.negative = static_cast<int>(below.size());
  const auto add = [&](Index i) {
    const Vector shape = s.shapes.col(i);
    add_mode(s.values(i), shape, describe_motion(system, {shape.data(), system.size()}), modes);
  };
  if (!only_free) std::for_each(below.begin(), below.end(), add);
  const Matrix motions = s.shapes(Eigen::all, free);
  const FreeMotions sorted = sort_free_motions(system, q, motions);
  for (Index i = 0; i < motions.cols(); ++i) {
    add_mode(0, motions * sorted.combinations.col(i), sorted.names[static_cast<std::size_t>(i)],
             modes);
  }
  if (!only_free) std::for_each(above.begin(), above.end(), add);
}

// Forces are differences of products of K and q: smaller ones than their rounding mean nothing.
double calc_imbalance(const Pencil& pencil) {
  const Vector rounding = pencil.stiffness.cwiseAbs() * pencil.q.cwiseAbs();
  const Vector force = pencil.residual.cwiseAbs();
  double largest = 0;
  for (Index i = 0; i < force.size(); ++i) {
    if (force(i) > kRounding * kEps * rounding(i)) largest = std::max(largest, force(i));
  }
  return largest;
}

}  // namespace

Modes calc_modes(System& system, std::span<const double> q, const ModesOptions& options) {
  FEM_DEMAND(q.size() == system.size() && options.count > 0);
  Modes modes;
  std::vector<double> state(q.begin(), q.end());
  const Pencil pencil = assemble(system, state, options);
  modes.outcome = check(pencil);
  if (!modes.outcome.ok() || pencil.size() == 0) return modes;
  ShiftedPencil shifted(pencil);
  int count = std::min(options.count, static_cast<int>(pencil.size()));
  if (options.only_free) {
    count = shifted.count_below(kSoft * kRounding * kEps * largest_quotient(pencil));
    if (count == 0) return modes;
  }
  const double shift = find_shift(pencil, shifted, count);
  Pairs pairs;
  if (pencil.size() <= std::max(options.dense_limit, 2)) {
    pairs = solve_dense(pencil, shift, count);
  } else {
    modes.outcome = solve_all_sparse(pencil, shifted, shift, count, pairs);
    if (!modes.outcome.ok()) return modes;
  }
  // The form needs what statics leaves in the system; the mass has taken its place.
  std::vector<double> residual(system.independent());
  system.assemble_statics(options.time, options.load_factor, state, residual);
  report(system, state, evaluate(system, options.load_factor, state, pencil, pairs, shift),
         options.only_free, modes);
  modes.imbalance = calc_imbalance(pencil);
  return modes;
}

}  // namespace fem
