// The C interface: every function is a call of Simulation, with what it throws turned into a
// status.
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "libfem/api/c_call.hpp"
#include "libfem/api/libfem.h"
#include "libfem/api/simulation.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/version.hpp"

struct fem_simulation {
  std::unique_ptr<fem::Simulation> run{};
  std::shared_ptr<const fem::Quantities> quantities{};
  std::string path{};  // of the quantity that was asked for last
  fem::CMessage message{};
};

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

template <class Call>
fem_status guard(fem_simulation* s, const Call& call) {
  return s == nullptr ? FEM_DEFECT : fem::call_for_c(s->message, call);
}

// A call that needs a case.
template <class Call>
fem_status with_run(fem_simulation* s, const Call& call) {
  return guard(s, [&] {
    if (!s->run) {
      throw fem::InputError(fem::Problem{"fem_simulation", "no case is loaded",
                                         "call fem_load_file or fem_load_text first"});
    }
    call(*s->run);
  });
}

std::string text(const char* given) {
  if (given == nullptr) {
    throw fem::InputError(
        fem::Problem{"argument", "a text is NULL", "give a text that ends with 0"});
  }
  return given;
}

// Where an answer goes.
template <class Value>
Value& place(Value* given) {
  if (given == nullptr) {
    throw fem::InputError(fem::Problem{"argument", "the place of an answer is NULL",
                                       "give the address of a variable"});
  }
  return *given;
}

void tell(fem_simulation& s, const fem::Quantity& q, fem_quantity* quantity) {
  s.path = q.path;
  place(quantity) = {
      .path = s.path.c_str(),
      .unit = q.unit,
      .meaning = q.meaning,
      .dimensions = q.shape.size(),
      .shape = {q.shape.empty() ? 1 : q.shape[0], q.shape.size() < 2 ? 1 : q.shape[1]},
      .size = q.values.size(),
      .values = q.values.data()};
}

[[noreturn]] void refuse_index() {
  throw fem::InputError(fem::Problem{"index", "the index is past the last one", "count from 0"});
}

}  // namespace

extern "C" {

const char* fem_version(void) { return fem::kVersion; }

fem_simulation* fem_new(void) { return new (std::nothrow) fem_simulation; }

void fem_delete(fem_simulation* simulation) { delete simulation; }

const char* fem_message(const fem_simulation* simulation) {
  return simulation == nullptr ? "the handle is NULL" : simulation->message.data();
}

fem_status fem_load_file(fem_simulation* s, const char* path) {
  return guard(s, [&] {
    s->run = std::make_unique<fem::Simulation>(fem::Simulation::from_file(text(path)));
  });
}

fem_status fem_load_text(fem_simulation* s, const char* json) {
  return guard(s, [&] {
    s->run = std::make_unique<fem::Simulation>(fem::Simulation::from_text(text(json)));
  });
}

fem_status fem_record(fem_simulation* s, const char* path) {
  return with_run(s, [&](fem::Simulation& run) { run.record(text(path)); });
}

double fem_time(const fem_simulation* s) {
  return s == nullptr || !s->run ? kNone : s->run->time();
}

double fem_end(const fem_simulation* s) { return s == nullptr || !s->run ? kNone : s->run->end(); }

fem_status fem_advance_to(fem_simulation* s, double time) {
  return with_run(s, [&](fem::Simulation& run) { run.advance_to(time); });
}

fem_status fem_step(fem_simulation* s) {
  return with_run(s, [](fem::Simulation& run) { run.step(); });
}

fem_status fem_finish(fem_simulation* s) {
  return with_run(s, [](fem::Simulation& run) { run.finish(); });
}

fem_status fem_find_quantity(fem_simulation* s, const char* path, fem_quantity* quantity) {
  return with_run(s, [&](fem::Simulation& run) {
    s->quantities = run.quantities();
    tell(*s, (*s->quantities)[text(path)], quantity);
  });
}

fem_status fem_get_quantity(fem_simulation* s, size_t index, fem_quantity* quantity) {
  return with_run(s, [&](fem::Simulation& run) {
    s->quantities = run.quantities();
    if (index >= s->quantities->size()) refuse_index();
    tell(*s, (*s->quantities)[index], quantity);
  });
}

fem_status fem_find_point(fem_simulation* s, const char* name, size_t* row) {
  return with_run(s, [&](fem::Simulation& run) { place(row) = run.find_point(text(name)); });
}

size_t fem_event_count(const fem_simulation* s) {
  return s == nullptr || !s->run ? 0 : s->run->events().size();
}

fem_status fem_get_event(fem_simulation* s, size_t index, double* time, const char** name,
                         const char** what) {
  return with_run(s, [&](fem::Simulation& run) {
    if (index >= run.events().size()) refuse_index();
    const fem::Event& event = run.events()[index];
    place(time) = event.time;
    place(name) = event.name.c_str();
    place(what) = event.what.c_str();
  });
}

fem_status fem_get_law(fem_simulation* s, const char* name, double values[3]) {
  return with_run(s, [&](fem::Simulation& run) {
    const fem::LawValue now = run.law(text(name)).now();
    place(values) = now.value;
    values[1] = now.rate;
    values[2] = now.acceleration;
  });
}

fem_status fem_set_law(fem_simulation* s, const char* name, double value) {
  return with_run(s, [&](fem::Simulation& run) { run.law(text(name)).set_value(value); });
}

fem_status fem_go_on(fem_simulation* s, const char* name, double rate, double acceleration) {
  return with_run(s, [&](fem::Simulation& run) { run.law(text(name)).go_on(rate, acceleration); });
}

fem_status fem_reach(fem_simulation* s, const char* name, double value, double duration) {
  return with_run(s, [&](fem::Simulation& run) { run.law(text(name)).reach(value, duration); });
}

}  // extern "C"
