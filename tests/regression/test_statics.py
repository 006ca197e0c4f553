"""Published problems of statics through the program: exact elliptic integrals and closed forms, a
geometrically exact rod, Lee's frame along its whole path, buckling loads. Every accuracy is stated
with its mesh; orders are measured by refining it.

`REFERENCE["statics"]` has errors of an independent program of the same element, three or four digits.
"""

import json
import math
import pathlib
import sys
import tempfile
import unittest

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "driver"))

from support import fem, load_case, write_case  # noqa: E402

REFERENCE = json.loads((HERE / "rods_reference.json").read_text(encoding="utf-8"))["statics"]

ELASTICA = {  # P L^2/EI: deflection, shortening, slope, over L (elliptic integrals)
    1: (0.3017207738, 0.0564332362834, 0.461351949712),
    5: (0.713791523612, 0.387628360724, 1.21536811761),
    10: (0.81060902488, 0.554995597754, 1.4302855388),
}
THICK = np.array([-0.596471272, -2.159693894, -0.672006064])  # u, v, angle
LEE = np.array([  # P, u, v at both limit points and, between them, where v turns back first
    [18556.727, 26.8806, 48.7351], [11944.105, np.nan, 61.00298], [-9414.431, 90.1957, 58.2168]])
# Case, key of the reference, GAs L^2/EI.
BUCKLING = (("buckling_shear_soft", "2.03", 5), ("buckling_shear_stiff", "10.13", 25))


def order(coarse, fine, refinement=2):
    return math.log(abs(coarse / fine), refinement)


class Statics(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def solve(self, name, elements=None, change=None):
        """The results of a case with its mesh and what `change(case)` changes."""
        case = load_case(f"benchmarks/{name}.json")
        if elements is not None:
            for rod in case["rods"].values():
                rod["elements"] = elements
        if change is not None:
            change(case)
        out = self.path / "out.h5"
        done = fem("statics", write_case(self.path, case), "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(out) as f:
            self.assertEqual(f.attrs["analysis"], "statics")
            largest = f["summary"].attrs["largest_energy"]
            closes = f["summary"].attrs["worst_balance"] < 1e-6 * largest + 1e-12
            # One element under ten times EI/L^2 jumps to another branch, and says so.
            self.assertEqual(closes, "does not balance along the path" not in done.stderr)
            self.assertTrue(closes or elements == 1)
            names = [n.decode() for n in f["points/names"][:]]
            return {
                "load": f["time"][:],
                "point": {n: f["points/position"][:, i, :2] for i, n in enumerate(names)},
                "angle": {r: f[f"rods/{r}/angle"][:] for r in f["rods"]},
                "events": [(n.decode(), t) for n, t in zip(f["events/name"][:],
                                                           f["events/time"][:])],
                "steps": int(f["summary"].attrs["steps"]),
                "rejected": int(f["summary"].attrs["rejected_steps"]),
            }

    def test_elastica(self):
        """Bisshopp & Drucker, inextensible: the case's mesh, the table of errors, the order."""
        for load, (deflection, shortening, slope) in ELASTICA.items():
            def error(elements, load=load, down=deflection, back=shortening):
                r = self.solve(f"elastica_{load}", elements)
                tip = r["point"]["tip"][-1]
                return np.hypot(-tip[1] - down, 1 - tip[0] - back), r
            errors = {}
            for elements, expected in REFERENCE["bisshopp_drucker"]["position_error"][
                    str(load)].items():
                errors[int(elements)], r = error(int(elements))
                # Three to four digits are printed; here the rod is stretched by P/EA = 1e-8 L a unit
                # of the load, the reference's is not.
                self.assertAlmostEqual(errors[int(elements)], expected,
                                       delta=5e-3 * expected + 1e-8 * load)
            self.assertGreater(order(errors[4], errors[8]), 3.9)
            self.assertAlmostEqual(r["angle"]["rod"][-1, -1, 1], -slope, delta=1e-6 * load)

    def test_half_circle(self):
        """M = pi EI/L: the tip at (0, 2/pi) with the independent program's errors, order 4."""
        errors = {}
        for elements, expected in REFERENCE["half_circle"]["tip_y_error"].items():
            tip = self.solve("roll_up_1", int(elements))["point"]["tip"][-1]
            errors[int(elements)] = abs(tip[1] - 2 / math.pi)
            self.assertAlmostEqual(errors[int(elements)], expected, delta=2e-3 * expected + 1e-8)
        self.assertGreater(order(errors[8], errors[16]), 3.9)

    def test_roll_up(self):
        """To one, two and four half turns without a ramp: angle exact, place of order 4."""
        for turns in (1, 2, 4):
            errors = {}
            for elements in (16, 32):
                r = self.solve(f"roll_up_{turns}", elements)
                self.assertLess(r["steps"] + r["rejected"], 60)
                angle = turns * math.pi
                self.assertAlmostEqual(r["angle"]["rod"][-1, -1, 1], angle, delta=1e-9)
                exact = np.array([math.sin(angle) / angle, (1 - math.cos(angle)) / angle])
                errors[elements] = np.linalg.norm(r["point"]["tip"][-1] - exact)
            # 5e-7 for the half circle, the fourth power of the angle an element turns by beyond it;
            # closed circles close for reasons of symmetry.
            self.assertLess(errors[16], 6e-7 if turns == 1 else 1e-7)
            self.assertLess(errors[32], 1e-7)

    def test_thick_cantilever(self):
        """Order 2 to the element's own limit, 3e-6 m from a geometrically exact rod. On meshes
        coarser than these the order is higher: their errors have terms of order 4, too."""
        tip = {}
        for elements in (32, 64, 128):
            r = self.solve("thick_cantilever", elements)
            tip[elements] = np.array([*(r["point"]["tip"][-1] - [5, 0]),
                                      r["angle"]["rod"][-1, -1, 1]])
        for coarse, fine in zip(tip[32] - tip[64], tip[64] - tip[128]):
            self.assertAlmostEqual(order(coarse, fine), 2, delta=0.1)
        limit = tip[128] + (tip[128] - tip[64]) / 3
        self.assertLess(np.abs(tip[32] - limit).max(), 1e-6)
        self.assertLess(np.abs(limit - THICK).max(), 4e-6)
        np.testing.assert_allclose(tip[32], THICK, rtol=0, atol=4e-6)

    def test_lee_frame(self):
        """The whole path: P, u, v of both limit points and of the first point where v turns back,
        to seven digits with 80 elements a bar; order 4 of the limit points (the load where v turns
        is small in its error already, and is not at a stationary point of the load)."""
        found = {}
        for per_short in (2, 4, 16):
            def mesh(case, n=per_short):
                for rod, parts in (("column", 5), ("near", 1), ("far", 4)):
                    case["rods"][rod]["elements"] = parts * n
            r = self.solve("lee_frame", change=mesh)
            kinds = [name for name, _ in r["events"]]
            self.assertEqual(kinds, ["limit point", "turning point", "turning point",
                                     "limit point"])
            loads = [r["events"][i][1] for i in (0, 1, 3)]
            rows = [int(np.argmin(np.abs(r["load"] - load))) for load in loads]
            place = r["point"]["P"][rows] - [24, 120]
            found[per_short] = np.column_stack([20000 * np.array(loads), place[:, 0],
                                                -place[:, 1]])
            self.assertEqual(r["load"][-1], 1)
            self.assertLess(r["load"].min(), -0.47)
        errors = {n: np.abs(f - LEE) for n, f in found.items()}
        print("Lee's frame:", found[16].tolist())
        np.testing.assert_array_less(errors[16][:, 0], 2e-3)
        np.testing.assert_array_less(errors[16][:, 2], 1e-4)
        np.testing.assert_array_less(errors[16][[0, 2], 1], 1e-4)
        for i in (0, 2):
            self.assertGreater(order(errors[2][i, 0], errors[4][i, 0]), 3.7)

    def test_buckling(self):
        """Engesser's columns, Greenhill's mast: bifurcations on the straight path."""
        for name, key, shear in BUCKLING:
            expected = REFERENCE["engesser_buckling"][key]
            load = {n: dict(self.solve(name, n)["events"])["bifurcation"] for n in (16, 32)}
            self.assertAlmostEqual(load[32], expected["paper_ne32"], delta=1e-6)
            limit = load[32] + (load[32] - load[16]) / 3  # order 2
            self.assertAlmostEqual(limit, 1 / (1 + math.pi**2 / 4 / shear), delta=1e-6)
            self.assertAlmostEqual(limit, expected["engesser"], delta=1e-6)
            self.assertGreater(expected["haringx"] - limit, 5e-3)
        weight = dict(self.solve("buckling_own_weight")["events"])["bifurcation"]
        self.assertAlmostEqual(weight, 0.7837347, delta=2e-6)


if __name__ == "__main__":
    unittest.main()
