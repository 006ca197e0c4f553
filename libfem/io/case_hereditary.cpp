// What remembers: kernels and pre-histories, of elements between points, in hinges, of sections.
#include "libfem/io/case_parts.hpp"

namespace fem::case_file {
namespace {

// [[weight, time], …]
Reader prony_terms(std::vector<std::array<double, 2>>& terms) {
  const auto term = [&terms](std::size_t) {
    auto& pair = terms.emplace_back();
    return list("[weight, time], two numbers", 2, 2, [&pair](std::size_t i) {
      return number(pair[i], kFinite, dim::time_to(i == 0 ? -1 : 1));
    });
  };
  return list("a list of [weight, time], at least one", 1, kAnyNumber, term);
}

// `stiffness` is the dimension of c. What makes a law physical is checked with the model
// (hereditary/kernel). Kernels are in 1/s: the exponents say what their constants are in.
void read_kernel(ObjectReader& in, HereditaryLaw& law, Dimension stiffness) {
  in.optional("form", word(law.form, {{"relaxation", KernelForm::relaxation},
                                      {"retardation", KernelForm::retardation}}));
  in.optional("tolerance", number(law.tolerance, kPositive));
  in.by_kind({{"standard",
               [&] {
                 auto& k = law.kernel.emplace<StandardKernel>();
                 in.required("prolonged", number(k.prolonged, kFinite, stiffness));
                 in.required("time", number(k.time, kFinite, dim::kTime));
               }},
              {"prony",
               [&] { in.required("terms", prony_terms(law.kernel.emplace<PronyKernel>().terms)); }},
              {"rzhanitsyn",
               [&] {
                 auto& k = law.kernel.emplace<RzhanitsynKernel>();
                 in.required("alpha", number(k.alpha, kFinite));
                 in.required("A", number(k.amplitude, kFinite, dim::time_to(k.alpha - 1)));
                 in.required("b", number(k.rate, kFinite, dim::time_to(-1)));
               }},
              {"koltunov",
               [&] {
                 auto& k = law.kernel.emplace<KoltunovKernel>();
                 in.required("beta", number(k.beta, kFinite));
                 in.required("alpha", number(k.alpha, kFinite));
                 in.required("a", number(k.amplitude, kFinite, dim::time_to(-k.beta)));
                 in.required("p", number(k.decay, kFinite, dim::time_to(-k.alpha)));
               }},
              {"slonimsky",
               [&] {
                 auto& k = law.kernel.emplace<SlonimskyKernel>();
                 in.required("alpha", number(k.alpha, kFinite));
                 in.required("a", number(k.amplitude, kFinite, dim::time_to(k.alpha - 1)));
                 in.required("p", number(k.decay, kFinite, dim::time_to(k.alpha - 1)));
               }},
              {"rabotnov",
               [&] {
                 auto& k = law.kernel.emplace<RabotnovKernel>();
                 in.required("alpha", number(k.alpha, kFinite));
                 in.required("lambda", number(k.amplitude, kFinite, dim::time_to(k.alpha - 1)));
                 in.required("b", number(k.rate, kFinite, dim::time_to(k.alpha - 1)));
               }}},
             ObjectReader::Absent::wrong, {});
}

// `unit` is the dimension of the deformation.
void read_prehistory(ObjectReader& in, Prehistory& before, Dimension unit) {
  in.by_kind(
      {{"natural", [&] { before.emplace<NaturalPrehistory>(); }},
       {"constant",
        [&] {
          in.optional("deformation",
                      number(before.emplace<ConstantPrehistory>().deformation, kFinite, unit));
        }},
       {"exponential",
        [&] {
          auto& p = before.emplace<ExponentialPrehistory>();
          in.required("deformation", number(p.deformation, kFinite, unit));
          in.required("rate", number(p.rate, kPositive, dim::time_to(-1)));
        }},
       {"window",
        [&] {
          auto& p = before.emplace<WindowPrehistory>();
          in.required("deformation", number(p.deformation, kFinite, unit));
          in.required("duration", number(p.duration, kPositive, dim::kTime));
        }},
       {"table",
        [&] {
          in.required("points", increasing_pairs(before.emplace<TablePrehistory>().points,
                                                 {"time", dim::kTime}, {"deformation", unit}, 1));
        }}},
      ObjectReader::Absent::wrong, {});
}

// Of an element between points and of one in a hinge.
void read_memory(ObjectReader& in, HereditaryLaw& law, Prehistory& before, Dimension force,
                 Dimension deformation) {
  const Dimension stiffness = force / deformation;
  in.required("kernel", object([&law, stiffness](ObjectReader& kernel) {
                kernel.required("instantaneous", number(law.instantaneous, kPositive, stiffness));
                read_kernel(kernel, law, stiffness);
              }));
  in.optional("prehistory", object([&before, deformation](ObjectReader& part) {
                read_prehistory(part, before, deformation);
              }));
}

}  // namespace

void read_hereditary(ObjectReader& in, HereditaryDescription& element) {
  in.required("between", two_names(element.between, "points", kPoint));
  in.optional("length", number(element.length, kNotNegative, dim::kLength));
  in.optional("rheonomic_length", law_reference(element.rheonomic, dim::kLength));
  read_memory(in, element.law, element.before, dim::kForce, dim::kLength);
}

void read_hereditary_hinge(ObjectReader& in, HingeHereditaryDescription& element) {
  in.optional("neutral", number(element.neutral, kFinite, dim::kAngle));
  in.optional("rheonomic_angle", law_reference(element.rheonomic, dim::kAngle));
  read_memory(in, element.law, element.before, dim::kMoment, dim::kAngle);
}

// Of a section: its stiffnesses are given, the kernel's own is 1.
void read_section_memory(ObjectReader& in, SectionHereditaryDescription& memory) {
  in.required("kernel",
              object([&](ObjectReader& kernel) { read_kernel(kernel, memory.law, dim::kPure); }));
  in.optional("prehistory", object([&](ObjectReader& part) {
                read_prehistory(part, memory.before, dim::kPure);
              }));
}

}  // namespace fem::case_file
