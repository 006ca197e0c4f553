#include "libfem/analysis/determinacy.hpp"

#include <map>

#include <Eigen/QR>

namespace fem {
namespace {

constexpr double kDependent = 1e-9;  // of the largest pivot: rows that depend on others

}  // namespace

Determinacy calc_determinacy(const System& system, std::span<const double> q) {
  const std::size_t elements = system.model().hereditary.size();
  Determinacy result{.elements = static_cast<int>(elements)};
  std::map<std::size_t, Eigen::Index> columns;  // of the places that the elements touch
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < elements; ++k) {
    const HereditaryPool::Gradient gradient = system.hereditary().gradient(k, q);
    for (int i = 0; i < gradient.stencil.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (const auto& [place, share] :
           system.independent_shares(gradient.stencil.coordinate[at])) {
        const auto column =
            columns.emplace(place, static_cast<Eigen::Index>(columns.size())).first->second;
        entries.emplace_back(static_cast<int>(k), static_cast<int>(column),
                             share * gradient.value[at]);
      }
    }
  }
  if (columns.empty()) return result;
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(elements),
                                            static_cast<Eigen::Index>(columns.size()));
  for (const auto& entry : entries) b(entry.row(), entry.col()) += entry.value();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(b);
  qr.setThreshold(kDependent);
  result.rank = static_cast<int>(qr.rank());
  return result;
}

}  // namespace fem
