#include "drivers/commands.hpp"
#include "drivers/messages.hpp"
#include "libfem/io/case_reader.hpp"

namespace fem::driver {

int schema() {
  answer("{}", case_schema());
  return kDone;
}

}  // namespace fem::driver
