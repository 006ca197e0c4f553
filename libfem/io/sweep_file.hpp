// A sweep: many runs of one case with varied numbers (docs/sweep.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "libfem/io/case_document.hpp"

namespace fem {

/// A number that is varied, at one place of the case or several.
struct SweepFactor {
  enum class Kind { values, uniform, normal };
  std::string name;
  std::vector<std::string> pointers{};
  Kind kind = Kind::values;
  std::vector<double> values{};
  double low = 0, high = 0;        ///< of uniform
  double mean = 0, deviation = 0;  ///< of normal
};

/// A number that is taken from every run.
struct SweepOutput {
  enum class Take { last, least, greatest, largest, mean };
  std::string name;
  std::string quantity;                ///< path of a dataset of the results, "/hinges/root/angle"
  std::vector<std::size_t> index{};    ///< in a row of it
  std::optional<std::string> point{};  ///< instead of the first index, in /points
  Take take = Take::last;
};

struct SweepDescription {
  enum class Design { grid, list, random, latin_hypercube, sobol };
  std::string title;
  std::string case_file;  ///< path
  std::uint64_t seed = 1;
  Design design = Design::grid;
  std::size_t samples = 0;  ///< of what is drawn
  std::vector<SweepFactor> factors{};
  std::vector<SweepOutput> outputs{};
  CaseDocument document{};  ///< what it was read from: where its values stand
};

/// Reads a sweep file. Throws InputError with all that is wrong in it, FileError.
[[nodiscard]] SweepDescription read_sweep(const std::filesystem::path& path);

/// The values of the factors in every sample, [samples][factors]: functions of the seed and of the
/// sample's number alone.
[[nodiscard]] std::vector<std::vector<double>> make_samples(const SweepDescription& sweep);

}  // namespace fem
