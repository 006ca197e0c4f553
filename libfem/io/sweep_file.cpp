#include "libfem/io/sweep_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "libfem/base/error.hpp"
#include "libfem/base/names.hpp"
#include "libfem/io/case_parts.hpp"
#include "libfem/io/text_file.hpp"
#include "libfem/math/sampling.hpp"

namespace fem {
namespace {

using namespace case_file;  // the readers

constexpr int kMostSamples = 10'000'000;

bool is_drawn(SweepDescription::Design design) {
  return design != SweepDescription::Design::grid && design != SweepDescription::Design::list;
}

// A pointer, or a list of them.
Reader pointers_reader(std::vector<std::string>& out) {
  const std::string allowed = "a JSON pointer into the case, \"/analysis/end\", or a list of them";
  const Reader one = {allowed,
                      [&out, allowed](const Value& value) {
                        const auto* pointer = value.tree.as<std::string>();
                        if (pointer == nullptr || pointer->empty() || pointer->front() != '/' ||
                            pointer->find('=') != std::string::npos) {
                          return value.refuse(allowed);
                        }
                        out.push_back(*pointer);
                      },
                      [] {
                        return make_object({{"type", {"string"}}});
                      }};
  const Reader several = list(allowed, 1, kAnyNumber, [one](std::size_t) { return one; });
  return {allowed,
          [one, several](const Value& value) {
            (value.tree.as<Tree::List>() != nullptr ? several : one).read(value);
          },
          one.describe};
}

Reader number_list(std::vector<double>& out) {
  return list("a list of numbers", 1, kAnyNumber, [&out](std::size_t i) {
    out.resize(i + 1);
    return number(out[i], kFinite);
  });
}

void read_range(ObjectReader& in, SweepFactor& factor) {
  std::array<double, 3> range{};
  in.optional("range", list("[from, to, count], a count of at least 2", 3, 3,
                            [&range](std::size_t i) { return number(range[i], kFinite); }));
  if (!in.clean()) return;
  const auto& [from, to, count] = range;
  if (count < 2 || count > kMostSamples || count != std::floor(count)) {
    return in.wrong_at("range", show(count) + " is no count",
                       "must be an integer from 2 to " + std::to_string(kMostSamples));
  }
  for (int i = 0; i < static_cast<int>(count); ++i) {
    factor.values.push_back(from + (to - from) * i / (count - 1));
  }
}

void read_factor(ObjectReader& in, SweepFactor& factor) {
  in.required("at", pointers_reader(factor.pointers));
  const auto kind = in.exactly_one({"values", "range", "uniform", "normal"});
  std::array<double, 2> pair{};
  if (kind == "values") {
    in.optional("values", number_list(factor.values));
  } else if (kind == "range") {
    read_range(in, factor);
  } else if (kind == "uniform") {
    factor.kind = SweepFactor::Kind::uniform;
    in.optional("uniform", number_pair(pair, "[low, high]"));
    factor.low = pair[0];
    factor.high = pair[1];
    if (in.clean() && !(factor.low < factor.high)) {
      in.wrong_at("uniform", "high is not above low", "must be [low, high] with low < high");
    }
  } else if (kind == "normal") {
    factor.kind = SweepFactor::Kind::normal;
    in.optional("normal", number_pair(pair, "[mean, deviation]"));
    factor.mean = pair[0];
    factor.deviation = pair[1];
    if (in.clean() && !(factor.deviation > 0)) {
      in.wrong_at("normal", "the deviation is not positive",
                  "must be [mean, deviation] with a deviation greater than 0");
    }
  }
}

void read_output(ObjectReader& in, SweepOutput& output) {
  using Take = SweepOutput::Take;
  in.required("quantity", text(output.quantity, "the path of a dataset of the results"));
  in.optional("point", filled_text(output.point, kPoint));
  in.optional("index", list("a list of indices from 0", 1, 4, [&output](std::size_t i) {
                output.index.resize(i + 1);
                return Reader{"an index from 0",
                              [&output, i](const Value& value) {
                                int index = 0;
                                integer(index, 0, kMostSamples).read(value);
                                output.index[i] = static_cast<std::size_t>(index);
                              },
                              [] {
                                return make_object({{"type", {"integer"}}});
                              }};
              }));
  in.optional("take", word(output.take, {{"last", Take::last},
                                         {"min", Take::least},
                                         {"max", Take::greatest},
                                         {"largest", Take::largest},
                                         {"mean", Take::mean}}));
}

void read_design(ObjectReader& in, SweepDescription& sweep) {
  using Design = SweepDescription::Design;
  int samples = 0;
  const auto kind = [&](std::string_view name, Design design) {
    return ObjectReader::Kind{name, [&, design] {
                                sweep.design = design;
                                if (!is_drawn(design)) return;
                                in.required("samples", integer(samples, 1, kMostSamples));
                              }};
  };
  in.by_kind(
      {kind("grid", Design::grid), kind("list", Design::list), kind("random", Design::random),
       kind("latin_hypercube", Design::latin_hypercube), kind("sobol", Design::sobol)},
      ObjectReader::Absent::wrong, {});
  sweep.samples = static_cast<std::size_t>(samples);
}

// The factors suit the design.
void check_factors(ObjectReader& in, const SweepDescription& sweep) {
  using Design = SweepDescription::Design;
  double runs = 1;
  for (const SweepFactor& factor : sweep.factors) {
    runs *= sweep.design == Design::grid ? static_cast<double>(factor.values.size()) : 1.0;
    if (!is_drawn(sweep.design) && factor.kind != SweepFactor::Kind::values) {
      in.wrong_at("vary", "'" + factor.name + "' is drawn at random, in a grid or list",
                  "give it values or a range, or let the design be random, latin_hypercube or "
                  "sobol");
    }
    if (sweep.design == Design::list &&
        factor.values.size() != sweep.factors.front().values.size()) {
      in.wrong_at("vary",
                  "'" + factor.name + "' has " + std::to_string(factor.values.size()) +
                      " values, '" + sweep.factors.front().name + "' has " +
                      std::to_string(sweep.factors.front().values.size()),
                  "in a list every factor has a value for every run");
    }
  }
  if (runs > kMostSamples) {
    in.wrong_at("vary", "the grid has more than " + std::to_string(kMostSamples) + " runs",
                "give fewer values");
  }
  if (sweep.design == Design::sobol && sweep.factors.size() > kMostSobolDimensions) {
    in.wrong_at("vary", "there are more than " + std::to_string(kMostSobolDimensions) + " factors",
                "use the design latin_hypercube");
  }
}

void read_root(ObjectReader& in, SweepDescription& sweep) {
  std::optional<std::string> file;
  double seed = 1;
  in.required("libfem_sweep", plain(
                                  "1, the version of the format",
                                  [](const Tree& tree) {
                                    return tree.as<double>() != nullptr && *tree.as<double>() == 1;
                                  },
                                  make_object({{"const", {1.0}}})));
  in.optional("title", text(sweep.title, "a text"));
  in.required("case", path(file, "the path of a case file"));
  in.required("design", object([&](ObjectReader& part) { read_design(part, sweep); }));
  in.optional(
      "seed",
      number(seed, {.allowed = "an integer from 0 to 2^53", .least = 0, .most = 9007199254740992}));
  in.required("vary", named(sweep.factors, read_factor));
  in.required("outputs", named(sweep.outputs, read_output));
  sweep.case_file = file.value_or("");
  sweep.seed = static_cast<std::uint64_t>(seed);
  if (!in.clean()) return;
  if (sweep.factors.empty()) in.wrong_at("vary", "nothing is varied", "give at least one factor");
  if (sweep.outputs.empty()) in.wrong_at("outputs", "nothing is taken", "give at least one output");
  if (in.clean()) check_factors(in, sweep);
}

double draw(const SweepFactor& factor, double u) {
  switch (factor.kind) {
    case SweepFactor::Kind::uniform:
      return factor.low + (factor.high - factor.low) * u;
    case SweepFactor::Kind::normal:
      return factor.mean + factor.deviation * calc_normal_quantile(u);
    case SweepFactor::Kind::values:
      break;
  }
  const auto count = static_cast<double>(factor.values.size());
  return factor.values[static_cast<std::size_t>(std::min(u * count, count - 1))];
}

// Unit numbers of one factor for all samples.
std::vector<double> draw_units(const SweepDescription& sweep, std::size_t factor) {
  if (sweep.design == SweepDescription::Design::latin_hypercube) {
    return make_latin_slices(sweep.seed, factor, sweep.samples);
  }
  std::vector<double> units;
  for (std::size_t i = 0; i < sweep.samples; ++i) {
    units.push_back(sweep.design == SweepDescription::Design::sobol
                        ? calc_sobol(sweep.seed, factor, static_cast<std::uint32_t>(i))
                        : calc_uniform(sweep.seed, factor, i));
  }
  return units;
}

}  // namespace

SweepDescription read_sweep(const std::filesystem::path& path) {
  SweepDescription sweep;
  CaseDocument& document = sweep.document;
  document.sources = {{path.string(), path.parent_path().string()}};
  document.text = load_text(path);
  json::Findings findings{.sources = document.sources};
  document.tree = json::parse(document.text, 0, path.string(), findings.problems);
  json::read(document.tree, findings, object([&](ObjectReader& in) { read_root(in, sweep); }));
  return sweep;
}

std::vector<std::vector<double>> make_samples(const SweepDescription& sweep) {
  using Design = SweepDescription::Design;
  std::size_t count = sweep.samples;
  if (sweep.design == Design::list) count = sweep.factors.front().values.size();
  if (sweep.design == Design::grid) {
    count = 1;
    for (const SweepFactor& factor : sweep.factors) count *= factor.values.size();
  }
  std::vector<std::vector<double>> samples(count, std::vector<double>(sweep.factors.size()));
  std::size_t repeat = count;  // in a grid the last factor changes first
  for (std::size_t f = 0; f < sweep.factors.size(); ++f) {
    const SweepFactor& factor = sweep.factors[f];
    const std::vector<double> units =
        is_drawn(sweep.design) ? draw_units(sweep, f) : std::vector<double>{};
    if (sweep.design == Design::grid) repeat /= factor.values.size();
    for (std::size_t i = 0; i < count; ++i) {
      samples[i][f] = sweep.design == Design::grid
                          ? factor.values[i / repeat % factor.values.size()]
                      : sweep.design == Design::list ? factor.values[i]
                                                     : draw(factor, units[i]);
    }
  }
  return samples;
}

}  // namespace fem
