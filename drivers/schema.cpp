#include <fmt/core.h>

#include "drivers/commands.hpp"
#include "libfem/io/case_reader.hpp"

namespace fem::driver {

int schema() {
  fmt::print("{}", case_schema());
  return kDone;
}

}  // namespace fem::driver
