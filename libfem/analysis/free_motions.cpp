#include "libfem/analysis/free_motions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

#include <Eigen/QR>
#include <Eigen/SVD>

namespace fem {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kSame = 1e-6;    // sine of the angle between spaces that are the same
constexpr double kNamed = 0.02;   // parts of the largest that are worth naming
constexpr double kAcross = 5e-3;  // components of a direction below are taken for zero
constexpr std::size_t kMostNamed = 3;

std::string print(const char* format, double a, double b = 0) {
  char text[96];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

double size_of(const Model& model) { return model.size > 0 ? model.size : 1.0; }

// Coordinates that belong to something that could move: not those of points that carry nothing.
std::vector<int> list_moving(const Model& model) {
  std::vector<char> stays(static_cast<std::size_t>(model.coordinates()), 0);
  for (const Row& row : model.rows) {
    if (row.kind == RowKind::unused_point) {
      stays[static_cast<std::size_t>(row.terms[0].first)] = 1;
    }
  }
  std::vector<int> moving;
  for (int c = 0; c < model.coordinates(); ++c) {
    if (stays[static_cast<std::size_t>(c)] == 0) moving.push_back(c);
  }
  return moving;
}

// The translations and the rotation about the origin on the listed coordinates; angles count by the
// size of the model.
Matrix rigid_motions(const System& system, std::span<const double> q,
                     const std::vector<int>& coordinates) {
  const Model& model = system.model();
  const double size = size_of(model);
  Matrix full = Matrix::Zero(model.coordinates(), 3);
  for (int c = 0; c < model.coordinates(); ++c) {
    if (model.is_angle[static_cast<std::size_t>(c)] != 0) full(c, 2) = size;
  }
  for (const Node& node : model.nodes) {
    full(node.x, 0) = full(node.x + 1, 1) = 1;
    full(node.x, 2) = -q[system.place(node.x + 1)];
    full(node.x + 1, 2) = q[system.place(node.x)];
  }
  return full(coordinates, Eigen::all);
}

Matrix on_coordinates(const System& system, const Matrix& motions,
                      const std::vector<int>& coordinates) {
  const double size = size_of(system.model());
  Matrix result(static_cast<Index>(coordinates.size()), motions.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    const int c = coordinates[static_cast<std::size_t>(i)];
    const bool angle = system.model().is_angle[static_cast<std::size_t>(c)] != 0;
    result.row(i) = (angle ? size : 1.0) * motions.row(static_cast<Index>(system.place(c)));
  }
  return result;
}

// A translation or a turn, from its parts (a, b, c): a + b along X and Y, c about the origin.
std::string name_rigid(const Eigen::Vector3d& motion, double size) {
  const double a = motion(0), b = motion(1), c = motion(2);
  if (std::abs(c) * size < kSame * std::hypot(a, b)) {
    if (std::abs(b) < kSame * std::abs(a)) return "translation along X";
    if (std::abs(a) < kSame * std::abs(b)) return "translation along Y";
    const double length = std::copysign(std::hypot(a, b), a);
    return print("translation along (%.3g, %.3g)", a / length, b / length);
  }
  const auto clean = [&](double x) { return std::abs(x) < kSame * size ? 0.0 : x; };
  return print("rotation about (%.4g, %.4g)", clean(-b / c), clean(a / c));
}

// A basis of the rigid motions that the columns of `parts` (a, b, c) span, translations first,
// those along X and Y where both are there.
Matrix arrange_rigid(const Matrix& parts, double size) {
  Matrix scaled = parts;
  scaled.row(2) *= size;
  if (parts.cols() == 3) return Matrix::Identity(3, 3);
  if (parts.cols() < 2) return parts;
  // In a plane of (a, b, c) there is a translation; rotate it to the front.
  const Vector turn = scaled.row(2).transpose();
  const double length = turn.norm();
  if (length < kSame * scaled.norm()) return Matrix::Identity(3, 2);
  Matrix result(3, 2);
  result.col(0) = parts * Eigen::Vector2d(-turn(1), turn(0)) / length;
  result.col(1) = parts * turn / length;
  return result;
}

struct Turn {
  double change;
  const std::string* hinge;
};

// The hinges whose relative angle changes most, with their parts of the largest change.
std::string describe_hinges(const System& system, std::span<const double> motion) {
  std::vector<Turn> turns;
  double largest = 0;
  for (const double x : motion) largest = std::max(largest, std::abs(x));
  for (const Hinge& h : system.model().hinges) {
    const double change = motion[system.place(h.second)] - motion[system.place(h.first)];
    if (std::abs(change) > kSame * largest) turns.push_back({change, &h.name});
  }
  std::stable_sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return std::abs(a.change) > std::abs(b.change);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(turns.size(), kMostNamed); ++i) {
    const double part = turns[i].change / turns[0].change;
    if (std::abs(part) < kNamed) break;
    text += (i == 0 ? "hinge '" : ", hinge '") + *turns[i].hinge + "'" +
            (turns.size() > 1 ? print(" (%.2g)", part) : "");
  }
  return text;
}

// The point that moves most, or the section that turns most where that is more.
std::string describe_largest(const System& system, std::span<const double> motion) {
  const Model& model = system.model();
  const Node* farthest = nullptr;
  double distance = 0, turn = 0;
  std::size_t turned = 0;
  for (const Node& node : model.nodes) {
    const double d = std::hypot(motion[system.place(node.x)], motion[system.place(node.x + 1)]);
    if (d <= (1 + kSame) * distance) continue;
    distance = d;
    farthest = &node;
  }
  for (int c = 0; c < model.coordinates(); ++c) {
    const double angle = motion[system.place(c)];
    if (model.is_angle[static_cast<std::size_t>(c)] == 0 || std::abs(angle) <= turn) continue;
    turn = std::abs(angle);
    turned = system.place(c);
  }
  constexpr double kOnlyTurns = 1e-3;
  if (farthest == nullptr || distance < kOnlyTurns * turn * size_of(model)) {
    return turn > 0 ? system.describe_unknown(turned) : "nothing";
  }
  const auto part = [&](int k) { return motion[system.place(farthest->x + k)] / distance; };
  const double sense = std::abs(part(0)) > kAcross ? part(0) : part(1);
  const auto clean = [&](double x) {
    return std::abs(x) < kAcross ? 0.0 : std::copysign(1, sense) * x;
  };
  return "point '" + farthest->name + "' along " +
         print("(%.2g, %.2g)", clean(part(0)), clean(part(1)));
}

// Orthogonal to the columns of `basis`.
Vector remove(const Matrix& basis, Vector x) {
  for (int pass = 0; pass < 2; ++pass) x -= basis * (basis.transpose() * x);
  return x;
}

// Combinations of the motions that are rigid motions of all that moves.
Matrix find_rigid(const Matrix& free, const Matrix& rigid, double size) {
  const Eigen::HouseholderQR<Matrix> qr(free);
  const Matrix basis = qr.householderQ() * Matrix::Identity(free.rows(), free.cols());
  // A single point cannot turn: the rigid motions may be fewer than three.
  const Eigen::JacobiSVD<Matrix> motions(rigid, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Index rank = motions.rank();
  // Directions that both spaces have: the angles between them vanish.
  const Eigen::JacobiSVD<Matrix> angles(motions.matrixU().leftCols(rank).transpose() * basis,
                                        Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Index common = (angles.singularValues().array() > 1 - kSame).count();
  if (common == 0) return Matrix(free.cols(), 0);
  const Matrix parts = motions.matrixV().leftCols(rank) *
                       motions.singularValues().head(rank).cwiseInverse().asDiagonal() *
                       angles.matrixU().leftCols(common);
  // Of unit length: what is light moves by large numbers, which would hide the others.
  const Vector scale = free.colwise().stableNorm().cwiseInverse().transpose();
  const Matrix unit = free * scale.asDiagonal();
  return scale.asDiagonal() * unit.colPivHouseholderQr().solve(rigid * arrange_rigid(parts, size));
}

}  // namespace

std::string describe_motion(const System& system, std::span<const double> motion) {
  const std::string hinges = describe_hinges(system, motion);
  return (hinges.empty() ? "" : hinges + "; ") + describe_largest(system, motion);
}

FreeMotions sort_free_motions(const System& system, std::span<const double> q,
                              const Matrix& motions) {
  const double size = size_of(system.model());
  const Index count = motions.cols();
  FreeMotions sorted{.combinations = Matrix::Zero(count, count), .names = {}};
  if (count == 0) return sorted;
  const std::vector<int> coordinates = list_moving(system.model());
  const Matrix free = on_coordinates(system, motions, coordinates);
  const Matrix rigid = rigid_motions(system, q, coordinates);
  const Matrix whole = find_rigid(free, rigid, size);
  for (Index j = 0; j < whole.cols(); ++j) {
    const Vector column = remove(sorted.combinations.leftCols(j), whole.col(j)).normalized();
    const Eigen::Vector3d parts = rigid.colPivHouseholderQr().solve(free * column);
    sorted.combinations.col(j) = column;
    sorted.names.push_back(name_rigid(parts, size));
  }
  for (Index j = whole.cols(); j < count; ++j) {
    // What is left of the motion that is least among those found.
    Vector best = Vector::Zero(count);
    for (Index k = 0; k < count; ++k) {
      const Vector rest = remove(sorted.combinations.leftCols(j), Vector::Unit(count, k));
      if (rest.norm() > best.norm()) best = rest;
    }
    sorted.combinations.col(j) = best.normalized();
    const Vector motion = motions * sorted.combinations.col(j);
    sorted.names.push_back(
        "mechanism: " +
        describe_motion(system, {motion.data(), static_cast<std::size_t>(motion.size())}));
  }
  return sorted;
}

}  // namespace fem
