#include "libfem/system/rod_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace fem {
namespace {

constexpr std::size_t kGrain = 64;  // tiles: 256 elements

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Place of M_ij, i ≥ j, in the lower triangle stored column by column.
constexpr int triangle(int i, int j) { return j * 6 - j * (j - 1) / 2 + (i - j); }

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

}  // namespace

RodPool::RodPool(const Model& model, const Numbering& numbering) {
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

void RodPool::evaluate(Parallelism parallelism, std::span<const double> q,
                       std::span<const double> v, std::span<double> buffer) const {
  parallel_for(parallelism, tiles_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Tile& tile = tiles_[t];
      const RodInertia<Lane> e =
          calc_motion(constants_[at(tile.constants)], gather(tile, q), gather(tile, v));
      double* to = buffer.data() + t * kEntries * kLanes;
      for (int j = 0; j < 6; ++j) {
        for (int i = j; i < 6; ++i, to += kLanes) store_lane(e.mass(i, j), to);
      }
      for (int i = 0; i < 6; ++i, to += kLanes) store_lane(e.force(i), to);
    }
  });
}

void RodPool::multiply_mass(Parallelism parallelism, std::span<const double> u,
                            std::span<double> buffer) const {
  parallel_for(parallelism, tiles_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Vector6<Lane> x = gather(tiles_[t], u);
      double* tile = buffer.data() + t * kEntries * kLanes;
      for (int i = 0; i < 6; ++i) {
        Lane sum = 0.0;
        for (int j = 0; j < 6; ++j) {
          sum += load_lane(tile + kLanes * at(triangle(std::max(i, j), std::min(i, j)))) * x(j);
        }
        store_lane(sum, tile + kLanes * at(kMassEntries + i));
      }
    }
  });
}

int RodPool::mass_index(int element, int i, int j) {
  constexpr int lanes = static_cast<int>(kLanes);
  return (element / lanes * kEntries + triangle(std::max(i, j), std::min(i, j))) * lanes +
         element % lanes;
}

int RodPool::force_index(int element, int i) {
  constexpr int lanes = static_cast<int>(kLanes);
  return (element / lanes * kEntries + kMassEntries + i) * lanes + element % lanes;
}

}  // namespace fem
