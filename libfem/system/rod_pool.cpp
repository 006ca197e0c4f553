#include "libfem/system/rod_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "libfem/rod/load_stiffness.hpp"
#include "libfem/rod/rod_step.hpp"

namespace fem {
namespace {

constexpr std::size_t kGrain = 64;  // tiles: 256 elements

std::size_t at(int i) { return static_cast<std::size_t>(i); }

RodConstants<Lane> combine(const Model& model, const std::array<int, kLanes>& types) {
  RodConstants<Lane> lanes;
  const auto put = [&](Lane RodConstants<Lane>::*to, double RodConstants<double>::*from) {
    for (std::size_t k = 0; k < kLanes; ++k) (lanes.*to)[k] = model.types[at(types[k])].*from;
  };
  using L = RodConstants<Lane>;
  using S = RodConstants<double>;
  put(&L::length, &S::length);
  put(&L::inverse_length, &S::inverse_length);
  put(&L::bending, &S::bending);
  put(&L::shear, &S::shear);
  put(&L::axial, &S::axial);
  put(&L::bow, &S::bow);
  put(&L::rest_minus, &S::rest_minus);
  put(&L::rest_strain, &S::rest_strain);
  put(&L::damping_time, &S::damping_time);
  put(&L::mass_damping, &S::mass_damping);
  put(&L::static_moment, &S::static_moment);
  put(&L::alpha, &S::alpha);
  put(&L::paper_field, &S::paper_field);
  put(&L::m11, &S::m11);
  put(&L::m12, &S::m12);
  put(&L::m13, &S::m13);
  put(&L::m22, &S::m22);
  put(&L::m23, &S::m23);
  put(&L::m24, &S::m24);
  put(&L::m33, &S::m33);
  put(&L::m34, &S::m34);
  put(&L::j11, &S::j11);
  put(&L::j12, &S::j12);
  put(&L::j22, &S::j22);
  put(&L::j23, &S::j23);
  return lanes;
}

// M_ij from the lower triangle.
const Lane& entry(const Matrix6<Lane>& M, int i, int j) {
  return M(std::max(i, j), std::min(i, j));
}

// f −= M G for the uniform acceleration G = (g_x, g_y, 0, 0, g_x, g_y): gravity, by equivalence.
void subtract_gravity(const std::array<double, 2>& g, RodInertia<Lane>& e) {
  for (int i = 0; i < 6; ++i) {
    e.force(i) -= g[0] * (entry(e.mass, i, 0) + entry(e.mass, i, 4)) +
                  g[1] * (entry(e.mass, i, 1) + entry(e.mass, i, 5));
  }
}

// f += μ M v
void add_mass_damping(const Lane& mu, const Vector6<Lane>& v, RodInertia<Lane>& e) {
  for (int i = 0; i < 6; ++i) {
    Lane momentum = 0.0;
    for (int j = 0; j < 6; ++j) momentum += entry(e.mass, i, j) * v(j);
    e.force(i) += mu * momentum;
  }
}

bool is_nonzero(const Lane& lane) {
  for (std::size_t k = 0; k < kLanes; ++k) {
    if (lane[k] != 0) return true;
  }
  return false;
}

void store_object(const Matrix6<Lane>& matrix, const Vector6<Lane>& force, double* to) {
  for (int j = 0; j < 6; ++j) {
    for (int i = j; i < 6; ++i, to += kLanes) store_lane(matrix(i, j), to);
  }
  for (int i = 0; i < 6; ++i, to += kLanes) store_lane(force(i), to);
}

}  // namespace

RodPool::RodPool(const Model& model, const Numbering& numbering) : model_(&model) {
  const std::size_t count = model.elements.size();
  std::map<std::array<int, kLanes>, int> known;
  for (std::size_t first = 0; first < count; first += kLanes) {
    Tile tile{};
    std::array<int, kLanes> types{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      // Spare lanes of the last tile repeat its first element; nobody reads their results.
      const Element& e = model.elements[first + lane < count ? first + lane : first];
      for (std::size_t i = 0; i < 6; ++i) {
        tile.place[i][lane] = numbering.place[at(e.coordinate[i])];
      }
      types[lane] = e.type;
    }
    const auto [found, added] = known.try_emplace(types, static_cast<int>(constants_.size()));
    if (added) constants_.push_back(combine(model, types));
    tile.constants = found->second;
    const RodConstants<Lane>& c = constants_[at(tile.constants)];
    tile.options.offset_mass = is_nonzero(c.static_moment);
    tile.mass_damping = is_nonzero(c.mass_damping);
    tiles_.push_back(tile);
  }
}

Vector6<Lane> RodPool::gather(const Tile& tile, std::span<const double> values) {
  Vector6<Lane> result;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto& place = tile.place[i];
    result(static_cast<Eigen::Index>(i)) =
        Lane([&](auto lane) { return values[at(place[static_cast<std::size_t>(lane)])]; });
  }
  return result;
}

Stencil RodPool::stencil(const Element& element, int e) {
  constexpr int lanes = static_cast<int>(kLanes);
  return {.coordinate = element.coordinate,
          .count = 6,
          .base = e / lanes * kEntries * lanes + e % lanes,
          .stride = lanes};
}

void RodPool::evaluate(Parallelism parallelism, std::span<const double> q,
                       std::span<const double> v, std::span<double> buffer) const {
  const bool heavy = model_->gravity[0] != 0 || model_->gravity[1] != 0;
  parallel_for(parallelism, tiles_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Tile& tile = tiles_[t];
      const RodConstants<Lane>& c = constants_[at(tile.constants)];
      const Vector6<Lane> rates = gather(tile, v);
      RodInertia<Lane> e = calc_motion(c, gather(tile, q), rates, tile.options);
      if (heavy) subtract_gravity(model_->gravity, e);
      if (tile.mass_damping) add_mass_damping(c.mass_damping, rates, e);
      store_object(e.mass, e.force, buffer.data() + t * kEntries * kLanes);
    }
  });
}

void RodPool::evaluate_tangent(Parallelism parallelism, double factor, std::span<const double> q,
                               std::span<double> buffer) const {
  const bool heavy = model_->gravity[0] != 0 || model_->gravity[1] != 0;
  parallel_for(parallelism, model_->elements.size(), kGrain * kLanes,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t n = begin; n < end; ++n) {
                   const Element& element = model_->elements[n];
                   const Stencil s = stencil(element, static_cast<int>(n));
                   const RodConstants<double>& c = model_->types[at(element.type)];
                   Vector6<double> x;
                   for (int i = 0; i < 6; ++i)
                     x(i) = q[at(tiles_[n / kLanes].place[at(i)][n % kLanes])];
                   const RodKinematics<double> k = calc_kinematics(c, x);
                   Matrix6<double> tangent = elastic_tangent(c, k);
                   Vector6<double> force = elastic_force(c, k);
                   if (heavy) {
                     const Matrix6<double> mass =
                         mass_matrix(c, k, {c.static_moment != 0}).selfadjointView<Eigen::Lower>();
                     const auto& g = model_->gravity;
                     force -= factor * (mass * Vector6<double>{g[0], g[1], 0, 0, g[0], g[1]});
                     tangent += factor * rod_gravity_stiffness(c, k, g);
                   }
                   for (int j = 0; j < 6; ++j) {
                     for (int i = j; i < 6; ++i) buffer[at(s.matrix_index(i, j))] = tangent(i, j);
                     buffer[at(s.force_index(j))] = force(j);
                   }
                 }
               });
}

void RodPool::evaluate_step_force(Parallelism parallelism, std::span<const double> q,
                                  std::span<const double> v, std::span<const double> a,
                                  std::span<double> buffer) const {
  constexpr Stencil first{.count = 6, .base = 0, .stride = static_cast<int>(kLanes)};
  const auto& g = model_->gravity;
  parallel_for(parallelism, tiles_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Tile& tile = tiles_[t];
      const RodConstants<Lane>& c = constants_[at(tile.constants)];
      const Vector6<Lane> rates = gather(tile, v);
      Vector6<Lane> u = gather(tile, a);
      u(0) -= g[0];
      u(4) -= g[0];
      u(1) -= g[1];
      u(5) -= g[1];
      if (tile.mass_damping) {
        for (int i = 0; i < 6; ++i) u(i) += c.mass_damping * rates(i);
      }
      const Vector6<Lane> f = calc_step_force(c, gather(tile, q), rates, u, tile.options);
      double* to = buffer.data() + t * kEntries * kLanes;
      for (int i = 0; i < 6; ++i) store_lane(f(i), to + first.force_index(i));
    }
  });
}

void RodPool::evaluate_step_matrix(Parallelism parallelism, const StepWeights& weights,
                                   std::span<const double> q, std::span<const double> v,
                                   std::span<double> buffer) const {
  parallel_for(parallelism, tiles_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Tile& tile = tiles_[t];
      const RodConstants<Lane>& c = constants_[at(tile.constants)];
      Lane mass = weights.mass;
      if (tile.mass_damping) mass += weights.rate * c.mass_damping;
      const Matrix6<Lane> matrix =
          calc_step_matrix(c, gather(tile, q), gather(tile, v), mass, weights.rate, tile.options);
      double* to = buffer.data() + t * kEntries * kLanes;
      for (int j = 0; j < 6; ++j) {
        for (int i = j; i < 6; ++i, to += kLanes) store_lane(matrix(i, j), to);
      }
    }
  });
}

void RodPool::multiply(Parallelism parallelism, std::span<const double> u, std::span<double> buffer,
                       Product product) const {
  // The first element of a tile, as a stencil: its indices step over whole lanes.
  constexpr Stencil first{.count = 6, .base = 0, .stride = static_cast<int>(kLanes)};
  parallel_for(parallelism, tiles_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Vector6<Lane> x = gather(tiles_[t], u);
      double* tile = buffer.data() + t * kEntries * kLanes;
      for (int i = 0; i < 6; ++i) {
        Lane sum = 0.0;
        if (product == Product::add) sum = load_lane(tile + first.force_index(i));
        for (int j = 0; j < 6; ++j) sum += load_lane(tile + first.matrix_index(i, j)) * x(j);
        store_lane(sum, tile + first.force_index(i));
      }
    }
  });
}

}  // namespace fem
