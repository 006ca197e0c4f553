// The Python module `libfem`: Simulation of libfem/api with numpy views. docs/api.md is the guide.
#include <memory>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <string>
#include <utility>
#include <vector>

#include "libfem/libfem.hpp"

namespace py = pybind11;

namespace {

using Path = std::filesystem::path;

// A view of a quantity: numpy reads the library's own memory, which lives as long as the view, and
// does not change any more. A single number is a float.
py::object make_view(const std::shared_ptr<const fem::Quantities>& quantities,
                     const std::string& path) {
  const fem::Quantity q = (*quantities)[path];
  if (q.shape.empty()) return py::float_(q.values[0]);
  using Owner = std::shared_ptr<const fem::Quantities>;
  const py::capsule owner(new Owner(quantities), [](void* p) { delete static_cast<Owner*>(p); });
  py::array_t<double> view(std::vector<py::ssize_t>(q.shape.begin(), q.shape.end()),
                           q.values.data(), owner);
  view.attr("flags").attr("writeable") = false;
  return view;
}

// The case as a path, or as a dict that says what a case file says.
std::unique_ptr<fem::Simulation> make_simulation(const py::object& source, int threads) {
  if (py::isinstance<py::dict>(source)) {
    const auto text = py::module_::import("json").attr("dumps")(source).cast<std::string>();
    const py::gil_scoped_release release;
    return std::make_unique<fem::Simulation>(fem::Simulation::from_text(text, {}, threads));
  }
  const auto path = source.cast<Path>();
  const py::gil_scoped_release release;
  return std::make_unique<fem::Simulation>(fem::Simulation::from_file(path, threads));
}

// Other threads run meanwhile; Ctrl-C ends the call, and the run can go on after it.
template <class Call>
void advance(fem::Simulation& run, const Call& call) {
  bool interrupted = false;
  run.set_proceed([&](const fem::Progress&) {
    const py::gil_scoped_acquire acquire;
    interrupted = PyErr_CheckSignals() != 0;
    return !interrupted;
  });
  {
    const py::gil_scoped_release release;
    call();
  }
  if (interrupted) throw py::error_already_set();
}

py::dict make_summary(const fem::RunSummary& s) {
  py::dict d;
  d["reason"] = s.reason;
  d["final_time"] = s.final_time;
  d["steps"] = s.steps;
  d["rejected_steps"] = s.rejected_steps;
  d["evaluations"] = s.evaluations;
  d["largest_energy"] = s.largest_energy;
  d["worst_balance"] = s.worst_balance;
  d["worst_position_violation"] = s.worst_position_violation;
  d["worst_velocity_violation"] = s.worst_velocity_violation;
  d["wall_time"] = s.wall_time;
  return d;
}

std::vector<std::string> list_paths(fem::Simulation& run) {
  std::vector<std::string> paths;
  const auto quantities = run.quantities();
  for (std::size_t i = 0; i < quantities->size(); ++i) paths.push_back((*quantities)[i].path);
  return paths;
}

py::array make_vector(const std::array<double, 2>& v) { return py::array_t<double>(2, v.data()); }

void bind_laws(py::module_& m) {
  py::class_<fem::LawHandle>(m, "Law", "A law of the case: what is set is its whole future.")
      .def_property_readonly("name", &fem::LawHandle::name, "in the case")
      .def_property_readonly(
          "value", [](const fem::LawHandle& law) { return law.now().value; }, "at the present time")
      .def_property_readonly(
          "rate", [](const fem::LawHandle& law) { return law.now().rate; },
          "at the present time, per second")
      .def_property_readonly(
          "acceleration", [](const fem::LawHandle& law) { return law.now().acceleration; },
          "at the present time, per second squared")
      .def("set_value", &fem::LawHandle::set_value, py::arg("value"),
           "Constant from now on; for loads, a place cannot jump.")
      .def("go_on", &fem::LawHandle::go_on, py::arg("rate"), py::arg("acceleration") = 0.0,
           "From the present value with this rate and acceleration.")
      .def("reach", &fem::LawHandle::reach, py::arg("value"), py::arg("duration"),
           "To a value in a duration (s), smoothly, and at rest there.");
}

void bind_simulation(py::module_& m) {
  using fem::Simulation;
  py::class_<Simulation>(m, "Simulation",
                         "A case, integrated in time by its caller. Units SI, angles in radians, "
                         "counter-clockwise positive.")
      .def(py::init(&make_simulation), py::arg("case"), py::kw_only(), py::arg("threads") = 1,
           "The path of a case file, or a dict that says the same. Threads work on one step, with "
           "the same bits for any number of them.")
      .def_property_readonly("time", &Simulation::time, "of the state, s")
      .def_property_readonly("end", &Simulation::end, "of the case, s")
      .def_property_readonly("done", &Simulation::done, "whether the end is reached")
      .def(
          "advance_to", [](Simulation& run, double t) { advance(run, [&] { run.advance_to(t); }); },
          py::arg("time"), "Integrates to exactly this time (s), the case's end at the latest.")
      .def(
          "run", [](Simulation& run) { advance(run, [&] { run.run(); }); },
          "Integrates to the end of the case.")
      .def(
          "step", [](Simulation& run) { advance(run, [&] { run.step(); }); },
          "One accepted step of the integrator.")
      .def(
          "__getitem__",
          [](Simulation& run, const std::string& path) {
            return make_view(run.quantities(), path);
          },
          py::arg("path"),
          "A quantity by its path in a results file: a float, or a read-only array that keeps the "
          "values of this instant.")
      .def("paths", &list_paths, "The paths of all quantities, as in a results file.")
      .def(
          "unit", [](Simulation& run, const std::string& p) { return (*run.quantities())[p].unit; },
          py::arg("path"), "The unit of a quantity; '' of numbers without one.")
      .def(
          "meaning",
          [](Simulation& run, const std::string& p) { return (*run.quantities())[p].meaning; },
          py::arg("path"), "A quantity in words, with its sign convention.")
      .def_property_readonly(
          "points", [](const Simulation& run) { return run.layout().points; },
          "names of the rows of /points/position")
      .def(
          "position",
          [](Simulation& run, const std::string& point) {
            return make_vector(run.position(point));
          },
          py::arg("point"), "X and Y of a point, or of a node 'rod/1' inside a rod, m.")
      .def(
          "velocity",
          [](Simulation& run, const std::string& point) {
            return make_vector(run.velocity(point));
          },
          py::arg("point"), "Its velocity along X and Y, m/s.")
      .def("law", &Simulation::law, py::arg("name"), py::keep_alive<0, 1>(),
           "A law of the case, to read and to set while the run goes on.")
      .def_property_readonly(
          "events",
          [](const Simulation& run) {
            std::vector<std::tuple<double, std::string, std::string>> events;
            for (const fem::Event& e : run.events()) events.emplace_back(e.time, e.name, e.what);
            return events;
          },
          "so far: (time in s, object, what happened)")
      .def_property_readonly("warnings", &Simulation::warnings, "so far, as `fem` says them")
      .def_property_readonly(
          "summary", [](const Simulation& run) { return make_summary(run.summary()); },
          "so far: steps, energy balance (J), violation of constraints, wall time (s)")
      .def("record", &Simulation::record, py::arg("path"),
           "Records what `fem run` would, HDF5. Before the run begins.")
      .def(
          "finish", [](Simulation& run) { return make_summary(run.finish()); },
          "Ends the run where it is and closes the results file; its summary.");
}

// what() without the line end of a list of problems.
std::string words_of(const std::exception& error) {
  std::string words = error.what();
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return words;
}

void bind_errors(py::module_& m) {
  static PyObject* input_error =
      py::exception<fem::InputError>(m, "InputError", PyExc_ValueError).release().ptr();
  static PyObject* solver_error =
      py::exception<fem::SolverError>(m, "SolverError", PyExc_RuntimeError).release().ptr();
  static PyObject* file_error =
      py::exception<fem::FileError>(m, "FileError", PyExc_OSError).release().ptr();
  m.attr("InputError").attr("__doc__") =
      "The case, a name or a request is wrong: where, what, and what is allowed. A ValueError.";
  m.attr("SolverError").attr("__doc__") =
      "The solver cannot go on: when, at which step, what diverged, where. What was read and "
      "recorded stays good. A RuntimeError.";
  m.attr("FileError").attr("__doc__") = "A file cannot be read or written. An OSError.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const fem::InputError& error) {
      PyErr_SetString(input_error, words_of(error).c_str());
    } catch (const fem::SolverError& error) {
      PyErr_SetString(solver_error, words_of(error).c_str());
    } catch (const fem::FileError& error) {
      PyErr_SetString(file_error, words_of(error).c_str());
    }
  });
}

}  // namespace

PYBIND11_MODULE(libfem, m) {
  m.doc() = "Dynamics of flexible rods, hinges and rigid bodies in the plane.";
  m.attr("__version__") = fem::kVersion;
  bind_errors(m);
  bind_laws(m);
  bind_simulation(m);
}
