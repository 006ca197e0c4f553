"""Numbers of all sizes: the same motion from micrometres to megametres, and from 1e-12 to 1e12 N.

A model whose masses and stiffnesses are all multiplied moves the same; one whose lengths are, too,
in parts of its size. Where factors are powers of two nothing is rounded differently: the same bits.
"""

import copy
import pathlib
import sys
import unittest

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "driver"), str(HERE.parent / "regression")]

from results import run  # noqa: E402
from support import load_case  # noqa: E402
from test_invariances import RESERVE, Scales, scalars  # noqa: E402

ITERATION_TOLERANCE = 1e-10


def deployment():
    case = load_case("three_rod_deployment_smooth.json")
    case["analysis"].update(end=0.5, output={"every": 0.1})
    return case


def scaled(length=1.0, force=1.0):
    """Lengths and forces in other sizes, times as they are."""
    case = copy.deepcopy(deployment())
    for section in case["sections"].values():
        for key, power in (("EA", 0), ("GAs", 0), ("EI", 2), ("mass_per_length", -2),
                           ("inertia_per_length", 0)):
            section[key] *= force * length**power
    for p in case["points"].values():
        p[:] = [length * x for x in p]
    return case


class AllScales(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.reference = run(deployment())

    def compare_scalars(self, length, force, kinds):
        """To what the integrator leaves open: RESERVE iterates, each a part of the size."""
        expected, scales = scalars(self.reference, 1.0), Scales(deployment(), self.reference)
        actual = scalars(run(scaled(length, force)), length)
        compared = [path for path in actual if path.startswith(kinds)]
        self.assertGreater(len(compared), 4)
        for path in compared:
            error = abs(actual[path] - expected[path]).max() / scales.of(path)
            self.assertLessEqual(error, RESERVE * ITERATION_TOLERANCE, path)

    def test_forces(self):
        for force in (2.0**-40, 2.0**40, 2.0**-300, 2.0**300):
            with self.subTest(force=force):
                r = run(scaled(1, force))
                for path, unit in (("points/position", 1), ("points/velocity", 1),
                                   ("hinges/hinge1/drive_moment", force),
                                   ("rods/rod2/bending_moment", force), ("energy/kinetic", force)):
                    np.testing.assert_array_equal(r[path] / unit, self.reference[path], path)

    def test_lengths(self):
        for length in (2.0**-20, 1e-3, 1e3, 2.0**20):
            with self.subTest(length=length):
                self.compare_scalars(length, 1, ("rods/", "hinges/", "points/"))

    def test_millimetres_and_kilometres_of_all_stiffnesses(self):
        for length in (1e-3, 1e3):
            for force in (1e-12, 1e12):
                with self.subTest(length=length, force=force):
                    self.compare_scalars(length, force, ("hinges/", "points/"))

    def test_denormal_parts(self):
        """Loads and springs that are next to nothing change nothing."""
        case = deployment()
        case["loads"] = {"tip": {"at": "C", "force": [5e-324, -1e-310], "moment": 1e-320}}
        case["hinges"]["hinge1"]["damper"] = {"viscosity": 1e-315}
        r = run(case)
        position = self.reference["points/position"]
        self.assertLessEqual(abs(r["points/position"] - position).max(), 1e-12)
        self.assertTrue(np.isfinite(r["energy/dissipated"]).all())


if __name__ == "__main__":
    unittest.main()
