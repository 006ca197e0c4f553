// A step allocates nothing. Counted by a replaced operator new that behaves as the library's own
// and counts only within a scope of this file, on its thread; the sanitizers bring their own.
#include <cstdlib>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/integrator/arc_length.hpp"
#include "libfem/integrator/generalized_alpha.hpp"
#include "libfem/system/system.hpp"
#include "tests/support/models.hpp"
#include "tests/support/oscillators.hpp"

#ifndef FEM_SANITIZED

namespace {

thread_local bool counting = false;
thread_local long allocations = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  if (counting) ++allocations;
  if (size == 0) size = 1;
  void* memory = nullptr;
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    memory = std::malloc(size);
  } else {
    memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  }
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The array and nothrow forms of the library call these. Not inlined, or the compiler sees memory
// from `new` go to free().
[[gnu::noinline]] void* operator new(std::size_t size) { return allocate(size, 1); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace fem {
namespace {

// Allocations of this thread while it exists.
class AllocationCount {
 public:
  AllocationCount() {
    allocations = 0;
    counting = true;
  }
  ~AllocationCount() { counting = false; }
  AllocationCount(const AllocationCount&) = delete;
  AllocationCount& operator=(const AllocationCount&) = delete;
  [[nodiscard]] static long value() { return allocations; }
};

TEST(AllocationCount, CountsWithinItsScopeOnly) {
  const AllocationCount count;
  EXPECT_EQ(AllocationCount::value(), 0);
  std::vector<double> x(1000, 1.0);
  EXPECT_EQ(AllocationCount::value(), 1);
  x.assign(2000, 2.0);
  EXPECT_EQ(AllocationCount::value(), 2);
}

// Allocations in many steps, of which some are rejected or land.
template <class Problem>
long count_in_steps(Problem& problem, ArcLengthOptions options, std::vector<double> q,
                    std::vector<double> v) {
  options.weights.assign(problem.size(), 1.0);
  options.scales.assign(problem.size(), 1.0);
  ArcLength<Problem> integrator(problem, options);
  if (!integrator.start(0, q, v).ok()) return -1;
  for (int i = 0; i < 10; ++i) {
    if (!integrator.step(1e300).ok()) return -1;
  }
  const AllocationCount count;
  for (int i = 0; i < 200; ++i) {
    const double until = integrator.time() + 1.5 * integrator.last_step();
    if (!integrator.step(i % 3 == 0 ? until : 1e300).ok()) return -1;
    integrator.dense_output(integrator.time() - 0.5 * integrator.last_step(), q, v);
  }
  return AllocationCount::value();
}

TEST(ArcLengthAllocation, IsNoneForAnOscillator) {
  test::Oscillators problem{{1.0, 2.0, 5.0}};
  EXPECT_EQ(count_in_steps(problem, {.highest_frequency = 5}, {1, 1, 1}, {0, 0, 0}), 0);
}

TEST(ArcLengthAllocation, IsNoneForTheDeployment) {
  for (const test::LawKind kind : {test::LawKind::linear, test::LawKind::smooth}) {
    const Model model = make_model(test::three_rods(kind));
    System system(model, {1});
    std::vector<double> q = system.initial_positions();
    std::vector<double> v(system.size(), 0.0);
    std::vector<double> impulses;
    ASSERT_TRUE(system.jump(0, q, v, impulses).ok());
    EXPECT_EQ(count_in_steps(system, {.highest_frequency = system.highest_frequency()}, q, v), 0);
  }
}

// The same of long steps, whose matrix is made anew now and then.
TEST(GeneralizedAlphaAllocation, IsNoneForTheDeployment) {
  const Model model = make_model(test::three_rods(test::LawKind::smooth));
  System system(model, {1});
  std::vector<double> q = system.initial_positions();
  std::vector<double> v(system.size(), 0.0);
  std::vector<double> a(system.size(), 0.0);
  GeneralizedAlpha<System> scheme(
      system, {.tolerance = 1e-9, .largest_step = 0.1, .scales = std::vector<double>(q.size(), 1)});
  ASSERT_TRUE(scheme.start(0, q, v).ok());
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(scheme.step(1e300).ok());
  const long matrices = scheme.statistics().tangents;
  const AllocationCount count;
  for (int i = 0; i < 200; ++i) {
    const double until = scheme.time() + 1.5 * scheme.last_step();
    ASSERT_TRUE(scheme.step(i % 3 == 0 ? until : 1e300).ok());
    const double t = scheme.time() - 0.5 * scheme.last_step();
    scheme.dense_output(t, q, v);
    ASSERT_TRUE(scheme.accelerations_within(t, q, v, a).ok());
  }
  EXPECT_EQ(AllocationCount::value(), 0);
  EXPECT_GT(scheme.statistics().tangents, matrices);
}

}  // namespace
}  // namespace fem

#endif
