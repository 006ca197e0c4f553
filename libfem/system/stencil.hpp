// The footprint of one object in the system: which coordinates its matrix and force belong to, and
// where they stand in the buffer. Rods, bodies, hinges, springs and loads look the same from here.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace fem {

struct Stencil {
  static constexpr int kMost = 6;  ///< coordinates of the largest object, a rod element

  std::array<int, kMost> coordinate{};  ///< natural coordinates
  int count = 0;                        ///< how many of them
  int base = 0;                         ///< first entry in the buffer
  int stride = 1;                       ///< between entries (elements share tiles)

  /// Entries of a symmetric matrix of n rows, lower triangle column by column.
  [[nodiscard]] static constexpr int triangle_size(int n) { return n * (n + 1) / 2; }
  /// Entries of an object with n coordinates: its matrix, then its force.
  [[nodiscard]] static constexpr int entries(int n) { return triangle_size(n) + n; }

  /// Index into the buffer of M_ij, in any order of i and j.
  [[nodiscard]] constexpr int matrix_index(int i, int j) const {
    const int row = std::max(i, j);
    const int column = std::min(i, j);
    return base + stride * (column * count - column * (column - 1) / 2 + (row - column));
  }
  /// Index into the buffer of f_i.
  [[nodiscard]] constexpr int force_index(int i) const {
    return base + stride * (triangle_size(count) + i);
  }
};

/// What becomes of an object's force when its matrix A is multiplied.
enum class Product {
  replace,  ///< A u
  add,      ///< the force + A u
};

/// A u into the force of an object, with the matrix A that stands in the buffer; `places` are where
/// its coordinates stand in u.
inline void multiply(const Stencil& s, std::span<const int> places, std::span<const double> u,
                     std::span<double> buffer, Product product = Product::replace) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (int i = 0; i < s.count; ++i) {
    double sum = product == Product::add ? buffer[at(s.force_index(i))] : 0.0;
    for (int j = 0; j < s.count; ++j) {
      sum += buffer[at(s.matrix_index(i, j))] * u[at(places[at(j)])];
    }
    buffer[at(s.force_index(i))] = sum;
  }
}

}  // namespace fem
