"""Runs of cases, changed as values, with all their results in memory."""

import copy
import pathlib
import sys
import tempfile

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "driver"))

from support import CASES, fem, load_case, write_case  # noqa: E402,F401


class Results:
    """What a run wrote, by path: results["energy/kinetic"] is an array."""

    def __init__(self, path):
        self.data = {}
        with h5py.File(path, "r") as f:
            f.visititems(self._take)
            self.summary = dict(f["summary"].attrs)
            self.status = f.attrs["status"]
        self.time = self.data["time"]
        self.names = [name.decode() for name in self.data["points/names"]]

    def _take(self, path, item):
        if isinstance(item, h5py.Dataset) and path != "case":
            self.data[path] = item[()]

    def __getitem__(self, path):
        return self.data[path]

    def point(self, name, what="position"):
        """X and Y of a point in every row."""
        return self.data["points/" + what][:, self.names.index(name), :2]

    def row(self, t):
        """The row of an output time."""
        row = int(np.argmin(abs(self.time - t)))
        assert abs(self.time[row] - t) < 1e-9, f"{t} s is no output time"
        return row

    def energy(self):
        """Of everything that stores some."""
        parts = ("kinetic", "strain", "springs", "hereditary", "gravity")
        return sum(self.data["energy/" + part] for part in parts)

    def events(self):
        return list(zip(self["events/time"], self["events/name"], self["events/what"]))


def edited(case, change=None):
    """A copy of a case (a value, or the name of a file), changed."""
    case = copy.deepcopy(case) if isinstance(case, dict) else load_case(case)
    if change is not None:
        change(case)
    return case


def compute(command, case, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.h5"
        result = fem(command, write_case(folder, case), "-o", out, *options)
        assert result.returncode == 0, result.stderr
        results = Results(out)
    assert results.status == "complete"
    return results


def statics(case, change=None):
    """Equilibrium of a case after a change of it; the last row is the full load."""
    return compute("statics", edited(case, change))


def run(case, change=None):
    """Runs a case (a value, or the name of a file) after a change of it."""
    results = compute("run", edited(case, change), "--quiet")
    assert results.summary["worst_position_violation"] <= 1e-10
    assert results.summary["worst_velocity_violation"] <= 1e-9
    return results


def method(case, **options):
    """Changes the integrator's options of a case."""
    case["analysis"].setdefault("method", {}).update(options)


def crossings(t, y, rate):
    """Times at which y changes its sign, by the cubic through values and rates."""
    found = []
    for i in np.nonzero(y[:-1] * y[1:] < 0)[0]:
        h = t[i + 1] - t[i]
        y0, y1, d0, d1 = y[i], y[i + 1], rate[i] * h, rate[i + 1] * h
        cubic = [2 * (y0 - y1) + d0 + d1, 3 * (y1 - y0) - 2 * d0 - d1, d0, y0]
        roots = [r.real for r in np.roots(cubic) if abs(r.imag) < 1e-9 and 0 <= r.real <= 1]
        found.append(t[i] + h * roots[0])
    return np.array(found)
