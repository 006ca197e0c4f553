"""Formulas of `fem-post derive` against the solver: accelerations of all points, row by row."""

import pathlib
import sys
import tempfile
import unittest

import numpy as np
import sympy as sp

from support import CASES, ROOT, fem, load_case

sys.path.insert(0, str(ROOT / "postproc"))

from fem_post.derivation.case_system import read_case  # noqa: E402
from fem_post.derivation.equations import derive  # noqa: E402
from fem_post.derivation.numbers import Accelerations  # noqa: E402
from fem_post.results import Results, part_path  # noqa: E402

ROWS = 100
# Of particles and rigid bodies, without laws and without events within the run.
OF_BODIES = ["features/bodies.json", "features/particle_and_spring.json",
             "benchmarks/four_bars.json", "benchmarks/pendulum.json",
             "benchmarks/double_pendulum.json"]


def state(system, case, results, row):
    """(q, q̇) of the coordinates at a row."""
    index = {name: i for i, name in enumerate(results.points)}
    position = results.array("points/position", [row])[0]
    velocity = results.array("points/velocity", [row])[0]
    q, v = [], []
    for c in system.coordinates:
        what, _, of = c.kind.partition(" of ")
        if what in ("x", "y"):
            q.append(position[index[of], "xy".index(what)])
            v.append(velocity[index[of], "xy".index(what)])
        elif of in results.bodies:
            q.append(results.array(part_path("bodies", of, "angle"), [row])[0])
            v.append(results.array(part_path("bodies", of, "rate"), [row])[0])
        else:  # the rod that a distance stands for
            first, second = (index[p] for p in case["constraints"][of]["between"])
            r, dr = (x[second, :2] - x[first, :2] for x in (position, velocity))
            q.append(np.arctan2(r[1], r[0]))
            v.append((r[0] * dr[1] - r[1] * dr[0]) / (r @ r))
    return np.array(q), np.array(v)


class Formulas(unittest.TestCase):
    def compare(self, path):
        """Largest difference of accelerations of points over the largest acceleration."""
        case = load_case(path)
        case.setdefault("libfem", 1)
        derivation = derive(read_case(case))
        system = derivation.system
        accelerations = Accelerations(derivation)
        values = {p.symbol: p.value for p in system.parameters}
        names = list(system.places)
        places = [system.rate(system.rate(x)) for name in names for x in system.places[name]]
        point = sp.lambdify([[c.q for c in system.coordinates], [c.v for c in system.coordinates],
                             [c.a for c in system.coordinates]], [x.subs(values) for x in places])
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.h5"
            done = fem("run", path, "-o", out, "--quiet")
            self.assertEqual(done.returncode, 0, done.stderr)
            with Results(out) as results:
                self.assertEqual(results.events, [])
                index = [results.points.index(name) for name in names]
                rows = np.unique(np.linspace(0, results.rows - 1, ROWS).astype(int))
                worst, largest = 0.0, 1.0
                for row in rows:
                    t = float(results.time[row])
                    q, v = state(system, case, results, row)
                    u = accelerations.quasi_velocities(t, q, v)
                    a = accelerations.by_formulas(t, q, u)
                    found = np.array(point(q, accelerations.admissible(t, q, u), a), float)
                    exact = results.array("points/acceleration", [row])[0, index, :2].ravel()
                    worst = max(worst, np.abs(found - exact).max())
                    largest = max(largest, np.abs(exact).max())
        return worst / largest

    def test_bodies_particles_springs_and_hinges(self):
        for name in OF_BODIES:
            with self.subTest(name):
                self.assertLess(self.compare(CASES / name), 1e-12)

    def test_constraints(self):
        for name in ("chaplygin_sleigh", "expressions", "osinski_dumbbell", "osinski_sledge",
                     "parabola", "rolling_wheel", "scott_russell", "synchronized_panels"):
            with self.subTest(name):
                self.assertLess(self.compare(CASES / "constraints" / (name + ".json")), 1e-12)


if __name__ == "__main__":
    unittest.main()
