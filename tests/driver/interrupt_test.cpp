#include "drivers/interrupt.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace fem::driver {
namespace {

// That it races with no worker, the thread sanitizer says.
TEST(Interrupt, IsSeenByAWorker) {
  catch_interrupts();
  std::thread worker([] {
    while (!is_interrupted()) std::this_thread::yield();
  });
  std::raise(SIGINT);
  worker.join();
  EXPECT_TRUE(is_interrupted());
}

}  // namespace
}  // namespace fem::driver
