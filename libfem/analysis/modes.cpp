#include "libfem/analysis/modes.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "libfem/analysis/eigenpairs.hpp"
#include "libfem/analysis/free_motions.hpp"
#include "libfem/frame/frame_motion.hpp"
#include "libfem/model/constraint_rows.hpp"

namespace fem {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Eigen::Index;

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kSame = 1e-6;             // relative: entries that are equally large
constexpr double kRounding = 4;            // units of rounding that a sum may be wrong by
constexpr double kStaticRounding = 5e-14;  // of the stiffest entry: forces that statics leaves
constexpr double kStaticBalance = 1e-8;    // of the loads: the same
constexpr int kMoreModes = 60;             // beside twice the wanted, for follower loads
constexpr double kSoft = 1e3;  // times the rounding of K: eigenvalues that it may disturb

// The state's K and M on the places that hold a coordinate, and its forces.
struct Assembly : Pencil {
  std::vector<int> places;
  std::vector<char> is_angle;
  Vector residual, load;  // forces, and how they change with the load factor
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

// Vibrations feel the instantaneous stiffness of hereditary elements, mechanisms the relaxed one.
class VibrationStiffness {
 public:
  VibrationStiffness(System& system, bool vibrates) : system_(system) {
    if (vibrates) system_.set_hereditary_stiffness(HereditaryStiffness::instantaneous);
  }
  ~VibrationStiffness() { system_.set_hereditary_stiffness(HereditaryStiffness::relaxed); }
  VibrationStiffness(const VibrationStiffness&) = delete;
  VibrationStiffness& operator=(const VibrationStiffness&) = delete;

 private:
  System& system_;
};

// The order of elimination stays as System has it, so factorizations fill in no more.
Assembly assemble(System& system, std::vector<double>& q, const ModesOptions& options) {
  const auto n = static_cast<Index>(system.independent());
  Assembly pencil;
  pencil.places = list_places(system);
  const Sparse selection = make_selection(pencil.places, n);
  for (const int place : pencil.places) {
    const auto c = system.numbering().coordinate[static_cast<std::size_t>(place)];
    pencil.is_angle.push_back(system.model().is_angle[static_cast<std::size_t>(c)]);
  }
  Vector residual(n), load(n);
  system.assemble_load_rate(options.time, options.load_factor, q,
                            {residual.data(), system.independent()},
                            {load.data(), system.independent()});
  pencil.stiffness = selection.transpose() * system.assembled_matrix() * selection;
  system.assemble_mass(q);
  pencil.mass = selection.transpose() * system.assembled_matrix() * selection;
  pencil.residual = selection.transpose() * residual;
  pencil.load = options.load_factor * (selection.transpose() * load);
  FEM_DEMAND(pencil.stiffness.nonZeros() == pencil.mass.nonZeros());
  return pencil;
}

Outcome check(const Assembly& pencil) {
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

// ω² of a unit modal mass that rounding of K alone can make.
double calc_rounding(const Pencil& pencil, const Vector& shape, double shift) {
  const Vector size = shape.cwiseAbs();
  return kRounding * kEps * (size.dot(pencil.stiffness.cwiseAbs() * size) - shift);
}

// Stored vectors, dependents too, in the columns.
Matrix store(const System& system, const Assembly& pencil, const Matrix& vectors) {
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
                  const Assembly& pencil, const EigenPairs& pairs) {
  Spectrum s{.values = pairs.values,
             .rounding = Vector::Zero(pairs.values.size()),
             .shapes = store(system, pencil, pairs.vectors)};
  std::vector<Index> soft;
  Vector coarse(pairs.values.size());
  for (Index i = 0; i < coarse.size(); ++i) {
    coarse(i) = calc_rounding(pencil, pairs.vectors.col(i), pairs.shift);
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
  const double large = (1 - kSame) * shape.cwiseAbs().maxCoeff();
  Index i = 0;
  while (std::abs(shape(i)) < large) ++i;
  return shape(i) < 0 ? -1 : 1;
}

void add_mode(double value, const Vector& shape, std::string description, Modes& modes) {
  modes.frequencies.push_back(std::copysign(std::sqrt(std::abs(value)), value));
  modes.growth_rates.push_back(std::sqrt(std::max(0.0, -value)));
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

// What follower loads add to K, U Wᵀ, on the pencil's unknowns.
struct Followers {
  Matrix u, w;
};

Followers gather_followers(const System& system, const Assembly& pencil,
                           const ModesOptions& options, std::span<const double> q) {
  const auto terms = system.follower_terms(options.time, options.load_factor, q);
  const auto gather = [&](const auto& member) {
    Matrix columns =
        Matrix::Zero(static_cast<Index>(system.independent()), static_cast<Index>(terms.size()));
    for (std::size_t k = 0; k < terms.size(); ++k) {
      for (const auto& [place, value] : terms[k].*member) {
        columns(static_cast<Index>(place), static_cast<Index>(k)) += value;
      }
    }
    return Matrix(columns(pencil.places, Eigen::all));
  };
  return {.u = gather(&System::FollowerTerm::u), .w = gather(&System::FollowerTerm::w)};
}

// Part of the space that the modes below do not reach, M-orthonormal: the shapes into which the
// follower loads bend the structure.
Matrix calc_corrections(const Assembly& pencil, const EigenPairs& pairs, const Matrix& u) {
  const Matrix bent = solve_shifted(pencil, pairs, u);
  Matrix found(pencil.size(), 0);
  for (Index k = 0; k < bent.cols(); ++k) {
    Vector x = bent.col(k);
    const double whole = std::sqrt(x.dot(pencil.mass * x));
    for (int pass = 0; pass < 2; ++pass) {
      x -= pairs.vectors * (pairs.vectors.transpose() * (pencil.mass * x));
      x -= found * (found.transpose() * (pencil.mass * x));
    }
    const double size = std::sqrt(x.dot(pencil.mass * x));
    if (!(size > kSame * whole)) continue;
    found.conservativeResize(Eigen::NoChange, found.cols() + 1);
    found.rightCols(1) = x / size;
  }
  return found;
}

// Of a complex shape, the part at the instant when its largest entry is largest.
Vector take_real(const Eigen::VectorXcd& shape) {
  Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  return (shape / (shape(largest) / std::abs(shape(largest)))).real();
}

// G φ of every column, stored vectors, on the pencil's unknowns.
Matrix gyroscopic_forces(System& system, const Assembly& pencil, const ModesOptions& options,
                         std::span<const double> q, const Matrix& stored) {
  Matrix forces(pencil.size(), stored.cols());
  for (Index k = 0; k < stored.cols(); ++k) {
    const Vector shape = stored.col(k);
    const auto f = system.gyroscopic_forces(options.time, q, {shape.data(), system.size()});
    forces.col(k) = Vector::Map(f.data(), static_cast<Index>(f.size()))(pencil.places);
  }
  return forces;
}

// The modes of the symmetric pencil and static corrections, and K on them.
struct Reduction {
  Matrix basis;      // M-orthonormal, on the pencil's unknowns
  Matrix stiffness;  // without follower loads
};

// The corrections are the shapes into which `forces` bend the structure.
Reduction reduce(const Assembly& pencil, const EigenPairs& pairs, const Spectrum& spectrum,
                 const Matrix& forces) {
  const Matrix corrections = calc_corrections(pencil, pairs, forces);
  const Index known = pairs.vectors.cols();
  const Index size = known + corrections.cols();
  Reduction r{.basis = Matrix(pencil.size(), size), .stiffness = Matrix::Zero(size, size)};
  r.basis << pairs.vectors, corrections;
  r.basis.leftCols(known) = spectrum.shapes(pencil.places, Eigen::all);
  r.stiffness.diagonal().head(known) = spectrum.values;
  r.stiffness.bottomRightCorner(corrections.cols(), corrections.cols()) +=
      corrections.transpose() * (pencil.stiffness * corrections);
  return r;
}

// In a turning frame velocities couple the modes: (s² + s G + K) φ = 0. Of two conjugate s the one
// that turns forward is taken; a mode with Re s > 0 grows.
void report_gyroscopic(System& system, const Assembly& pencil, const EigenPairs& pairs,
                       const Spectrum& spectrum, const Followers& followers,
                       const ModesOptions& options, std::span<const double> q, int count,
                       Modes& modes) {
  Matrix forces(pencil.size(), spectrum.shapes.cols() + followers.u.cols());
  forces << gyroscopic_forces(system, pencil, options, q, spectrum.shapes), followers.u;
  const Reduction r = reduce(pencil, pairs, spectrum, forces);
  const Index n = r.basis.cols();
  const Matrix coupling = r.basis.transpose() * gyroscopic_forces(system, pencil, options, q,
                                                                  store(system, pencil, r.basis));
  // (σ φ)˙ = σ φ˙,  φ˙˙ = −K σ⁻¹ (σ φ) − G φ˙: with σ² = K on the diagonal all entries are
  // frequencies, so that stiff motions do not take the digits of soft ones.
  const Vector scale = r.stiffness.diagonal().unaryExpr(
      [](double k) { return k == 0 ? 1.0 : std::sqrt(std::abs(k)); });
  const Matrix stiffness =
      r.stiffness + (r.basis.transpose() * followers.u) * (followers.w.transpose() * r.basis);
  Matrix first_order = Matrix::Zero(2 * n, 2 * n);
  first_order.topRightCorner(n, n) = scale.asDiagonal();
  first_order.bottomLeftCorner(n, n) = -stiffness * scale.cwiseInverse().asDiagonal();
  first_order.bottomRightCorner(n, n) = -coupling;
  const Eigen::EigenSolver<Matrix> solver(first_order);
  const double rounding = std::sqrt(spectrum.rounding.maxCoeff());
  std::vector<Index> order;
  for (Index i = 0; i < 2 * n; ++i) {
    const std::complex<double> s = solver.eigenvalues()(i);
    if (s.imag() > rounding || (std::abs(s.imag()) <= rounding && s.real() >= 0)) {
      order.push_back(i);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(solver.eigenvalues()(a)) < std::abs(solver.eigenvalues()(b));
  });
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  for (const Index i : order) {
    const std::complex<double> s = solver.eigenvalues()(i);
    const Matrix shape = take_real(r.basis * scale.cwiseInverse().asDiagonal() *
                                   solver.eigenvectors().col(i).head(n));
    const Matrix stored =
        store(system, pencil, shape / std::sqrt(shape.col(0).dot(pencil.mass * shape.col(0))));
    const std::string what =
        describe_motion(system, {stored.data(), static_cast<std::size_t>(stored.size())});
    const bool is_free = std::abs(s) <= rounding;
    add_mode(is_free ? 0.0 : s.imag() * s.imag(), stored, what, modes);
    if (!is_free && s.real() > rounding) modes.growth_rates.back() = s.real();
    modes.free_motions += is_free ? 1 : 0;
    modes.negative += modes.growth_rates.back() > 0 ? 1 : 0;
  }
}

// Follower loads make K unsymmetric: ω² may be complex, and a mode that swings grow (flutter). The
// modes without them and their static corrections are the basis.
void report_coupled(const System& system, const Assembly& pencil, const EigenPairs& pairs,
                    const Spectrum& spectrum, const Followers& followers, int count, Modes& modes) {
  const Reduction r = reduce(pencil, pairs, spectrum, followers.u);
  const Matrix& basis = r.basis;
  const Index size = basis.cols();
  const Matrix reduced =
      r.stiffness + (basis.transpose() * followers.u) * (followers.w.transpose() * basis);
  const Eigen::EigenSolver<Matrix> solver(reduced);
  std::vector<Index> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return solver.eigenvalues()(a).real() < solver.eigenvalues()(b).real();
  });
  order.resize(static_cast<std::size_t>(count));
  const double rounding = spectrum.rounding.maxCoeff();
  for (const Index i : order) {
    const std::complex<double> square = solver.eigenvalues()(i);
    const bool flutters = std::abs(square.imag()) > rounding;
    const bool is_free = std::abs(square) <= rounding;
    const Matrix shape = take_real(basis * solver.eigenvectors().col(i));
    const Matrix stored =
        store(system, pencil, shape / std::sqrt(shape.col(0).dot(pencil.mass * shape.col(0))));
    const std::string what =
        describe_motion(system, {stored.data(), static_cast<std::size_t>(stored.size())});
    if (!flutters) {
      add_mode(is_free ? 0.0 : square.real(), stored, what, modes);
    } else {
      // s² = −ω²: of the pair of conjugates the first grows, the second decays.
      const std::complex<double> s = std::sqrt(-square);
      add_mode(s.imag() * s.imag(), stored, "flutter: " + what, modes);
      modes.growth_rates.back() = std::copysign(s.real(), square.imag());
    }
    modes.free_motions += is_free ? 1 : 0;
    modes.negative += modes.growth_rates.back() > 0 ? 1 : 0;
  }
}

// Forces are differences of products of K and q, and statics balances loads to a part of them:
// smaller ones mean nothing.
double calc_imbalance(const Assembly& pencil, const System& system, std::span<const double> q) {
  const Index n = pencil.size();
  const double size = system.model().size;
  double farthest = size;  // differences of far positions round more
  for (const Node& node : system.model().nodes) {
    for (const int c : {node.x, node.x + 1}) {
      farthest = std::max(farthest, std::abs(q[system.place(c)]));
    }
  }
  Vector unit(n);  // of a coordinate
  for (Index i = 0; i < n; ++i) unit(i) = pencil.is_angle[static_cast<std::size_t>(i)] ? 1 : size;
  const double stiffest =
      pencil.stiffness.diagonal().cwiseAbs().cwiseProduct(unit.cwiseAbs2()).maxCoeff();
  const double loads = pencil.load.cwiseAbs().cwiseProduct(unit).maxCoeff();
  double largest = 0;
  for (Index i = 0; i < n; ++i) {
    const double force = std::abs(pencil.residual(i));
    if (force * unit(i) > kStaticRounding * stiffest * farthest / size + kStaticBalance * loads) {
      largest = std::max(largest, force);
    }
  }
  return largest;
}

}  // namespace

const char* mode_kind(const Modes& modes, std::size_t mode) {
  if (modes.growth_rates[mode] > 0) return "unstable";
  return modes.frequencies[mode] == 0 ? "free" : "vibration";
}

namespace {

bool is_turning(const Model& model, double t) {
  return model.frame && frame_motion(model, t, Side::before).rate != 0;
}

}  // namespace

Modes calc_modes(System& system, std::span<const double> q, const ModesOptions& options) {
  refuse_rates(system.model());
  refuse_changing_frame(system.model(), options.time);
  FEM_DEMAND(q.size() == system.size() && options.count > 0);
  Modes modes;
  std::vector<double> state(q.begin(), q.end());
  const VibrationStiffness vibration(system, !options.only_free);
  const Assembly pencil = assemble(system, state, options);
  modes.outcome = check(pencil);
  if (!modes.outcome.ok() || pencil.size() == 0) return modes;
  const auto followers = options.only_free
                             ? Followers{Matrix(pencil.size(), 0), Matrix(pencil.size(), 0)}
                             : gather_followers(system, pencil, options, state);
  const int size = static_cast<int>(pencil.size());
  int count = std::min(options.count, size);
  if (options.only_free) {
    // Bodies on free hinges have no stiffness at all: every motion is free.
    const double soft = kSoft * kRounding * kEps * largest_quotient(pencil);
    count = soft > 0 ? count_eigenvalues(pencil, soft) : size;
    if (count == 0) return modes;
  }
  const bool follows = followers.u.cols() > 0;
  const bool turns = !options.only_free && is_turning(system.model(), options.time);
  const int solved = !follows && !turns ? count : std::min(size, 2 * count + kMoreModes);
  EigenPairs pairs;
  modes.outcome = solve_lowest(pencil, solved, options.dense_limit, pairs);
  if (!modes.outcome.ok()) return modes;
  // The form needs what statics leaves in the system; the mass has taken its place.
  std::vector<double> residual(system.independent());
  system.assemble_statics(options.time, options.load_factor, state, residual);
  const Spectrum spectrum = evaluate(system, options.load_factor, state, pencil, pairs);
  if (turns) {
    report_gyroscopic(system, pencil, pairs, spectrum, followers, options, state, count, modes);
  } else if (!follows) {
    report(system, state, spectrum, options.only_free, modes);
  } else {
    report_coupled(system, pencil, pairs, spectrum, followers, count, modes);
  }
  modes.imbalance = calc_imbalance(pencil, system, q);
  return modes;
}

}  // namespace fem
