"""The Python module against a results file of the program: use_module.py CASE.json RESULTS.h5"""

import gc
import pathlib
import sys
import threading

import h5py
import numpy as np

import libfem


def expect(error, words, call):
    try:
        call()
    except error as thrown:
        assert words in str(thrown), str(thrown)
        assert not str(thrown).endswith("\n")
    else:
        raise AssertionError(f"no {error.__name__}: {words}")


def check_recorded(case, results):
    """A recorded run is the program's, to the last bit."""
    run = libfem.Simulation(case)
    run.record("recorded.h5")
    run.run()
    assert run.done and run.time == run.end == 3
    run.finish()
    with h5py.File("recorded.h5", "r") as mine, h5py.File(results, "r") as its:
        for path in run.paths():
            np.testing.assert_array_equal(mine[path][:], its[path][:], err_msg=path)
            assert run.unit(path) == its[path].attrs["unit"], path
            assert run.meaning(path) == its[path].attrs["meaning"], path
            if not path.startswith("/solver"):  # since the last row there have been no steps
                np.testing.assert_array_equal(run[path], its[path][-1], err_msg=path)
        assert mine.attrs["status"] == "complete"
        assert mine["case"][()] == its["case"][()]
        events = list(zip(its["events/time"][:], its["events/name"].asstr()[:],
                          its["events/what"].asstr()[:]))
        assert run.events == events, run.events
    return run


def check_views(case):
    run = libfem.Simulation(case)
    view = run["/points/position"]
    assert view.shape == (len(run.points), 3) and not view.flags.writeable
    assert view.base is not None, "a copy"
    np.testing.assert_array_equal(view[run.points.index("A")][:2], run.position("A"))
    kept = view.copy()
    run.advance_to(0.2)
    assert not np.array_equal(run["/points/position"], kept)
    np.testing.assert_array_equal(view, kept)  # a view keeps the values of its instant
    del run
    gc.collect()
    np.testing.assert_array_equal(view, kept)  # and outlives the simulation
    assert isinstance(libfem.Simulation(case)["/energy/kinetic"], float)


def check_errors(case):
    run = libfem.Simulation(pathlib.Path(case))
    expect(libfem.InputError, "did you mean '/hinges/elbow/angle'?",
           lambda: run["/hinges/elbov/angle"])
    expect(ValueError, "there is no such law", lambda: run.law("motor"))
    expect(libfem.InputError, "cannot advance", lambda: run.advance_to(4))
    expect(libfem.InputError, "there is no such file", lambda: libfem.Simulation("nowhere.json"))
    expect(libfem.InputError, "has begun", lambda: run.record("late.h5"))
    expect(OSError, "/nowhere/", lambda: libfem.Simulation(case).record("/nowhere/x.h5"))
    assert issubclass(libfem.SolverError, RuntimeError)
    expect(libfem.SolverError, "at t = ", thrown_bar)


def thrown_bar():
    """A rod whose end is pushed through its foot, a hundred times its length in a moment."""
    libfem.Simulation({
        "libfem": 1,
        "sections": {"s": {"EA": 400, "EI": 2, "GAs": 150, "mass_per_length": 1,
                           "inertia_per_length": 0.005}},
        "points": {"O": [0, 0], "A": [2, 0]},
        "rods": {"r": {"section": "s", "from": "O", "to": "A", "elements": 2}},
        "laws": {"push": {"kind": "smooth", "points": [[0, 0], [1e-3, -1e5]]}},
        "supports": {"O": {"fix": ["x", "y"]}, "A": {"x": "push"}},
        "analysis": {"end": 1},
    }).run()


def check_threads(case):
    """Several at once, while Python runs: the same numbers."""
    angles = []

    def follow():
        run = libfem.Simulation(case)
        run.advance_to(0.3)
        angles.append(run["/hinges/elbow/angle"])

    threads = [threading.Thread(target=follow) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(angles)) == 1 and len(angles) == 3, angles


def main():
    case, results = sys.argv[1:]
    check_recorded(case, results)
    check_views(case)
    check_errors(case)
    check_threads(case)
    print("all is well")


if __name__ == "__main__":
    main()
