"""A case turned, moved, with its objects in another order, or in other units has the same scalars.

Compared are energies, works, hinge angles, section forces and the shape of the structure: distances
between its points. They are the same to what the integrator leaves open: an iteration ends where
coordinates are known to the iteration tolerance, of the size of the structure, and velocities to
that times the highest frequency; the stiffest element makes forces of it. Where impacts ring, the local
error chooses the steps, axis by axis: there, motions are the same to the local tolerance.
"""

import math
import unittest

import numpy as np

import transforms
from results import edited, run

ENERGIES = ("kinetic", "strain", "springs", "gravity", "external_work", "rheonomic_work",
            "dissipated")
RESERVE = 10  # iterates of many steps
RINGING = ("loads.json",)


def stiffnesses(section):
    """EA and EI."""
    if "EA" in section:
        return section["EA"], section["EI"]
    outer, inner = section["tube"]["outer"], section["tube"]["inner"]
    return (section["E"] * math.pi / 4 * (outer**2 - inner**2),
            section["E"] * math.pi / 64 * (outer**4 - inner**4))


class Scales:
    """What an open coordinate (a fraction of the size) makes of each quantity, in SI."""

    def __init__(self, case, r):
        points = np.array(list(case["points"].values()))
        self.size = np.linalg.norm(np.ptp(points, axis=0))
        self.energy = sum(abs(r["energy/" + e] - r["energy/" + e][0]).max() for e in ENERGIES)
        self.energy += abs(r["energy/kinetic"][0])
        self.frequency = 1 / r["solver/step"].max()
        self.forces = {}
        for name, rod in case.get("rods", {}).items():
            axial, bending = stiffnesses(case["sections"][rod["section"]])
            start, end = (np.array(case["points"][rod[key]]) for key in ("from", "to"))
            length = np.linalg.norm(end - start) / rod["elements"]
            self.forces[name] = {"axial_force": axial * self.size / length,
                                 "shear_force": 12 * bending * self.size / length**3,
                                 "bending_moment": 6 * bending * self.size / length**2}

    def of(self, path):
        kind, *_, name = path.split("/")
        if kind == "rods":
            return self.forces[path.split("/")[1]][name]
        return {"energy": self.energy, "angle": 1.0, "rate": self.frequency,
                "distances": self.size}[kind if kind == "energy" else name]


def scalars(r, unit_length):
    """Quantities that do not know axes, origin, order or units, in SI."""
    result = {}
    for e in ENERGIES:
        result["energy/" + e] = (r["energy/" + e] - r["energy/" + e][0]) / unit_length
    for path, values in r.data.items():
        kind, name = path.split("/")[0], path.split("/")[-1]
        if kind == "hinges" and name in ("angle", "rate"):
            result[path] = values - values[0]
        if kind == "rods" and name in ("axial_force", "shear_force"):
            result[path] = values
        if kind == "rods" and name == "bending_moment":
            result[path] = values / unit_length
    points = np.stack([r.point(n) for n in sorted(n for n in r.names if "/" not in n)])
    distances = np.linalg.norm(points[:, None] - points[None], axis=-1)
    result["points/distances"] = distances / unit_length
    return result


class Invariances(unittest.TestCase):
    CASES = {  # and when they end
        "three_rod_deployment_smooth.json": 0.5,
        "loads.json": 0.3,
        "free_floating.json": 0.5,
        "tumbling_frame.json": 0.5,
        "benchmarks/spin_up.json": 3,
        "benchmarks/flying_spaghetti_stiffer.json": 5,
        "benchmarks/rubber_pendulum.json": 0.2,
        "benchmarks/compound_pendulum.json": 0.3,
        "benchmarks/double_pendulum.json": 0.5,
        "benchmarks/four_bars_rods.json": 0.1,
    }

    @classmethod
    def setUpClass(cls):
        cls.references = {}
        for name, end in cls.CASES.items():
            case = edited(name)
            case["analysis"].update(end=end, output={"every": end / 20})
            options = case["analysis"].setdefault("method", {})
            options.pop("metric", None)  # "plain" knows metres
            # The watch of the ledger halves steps at a threshold, which rounding may cross a step
            # earlier: a difference of the local error. Here steps are the frequency limit's.
            options.setdefault("frequency_limit", 1)
            if "rods" not in case:
                options.update(local_tolerance=1e-12, iteration_tolerance=1e-14)
            r = run(case)
            cls.references[name] = case, scalars(r, 1.0), Scales(case, r)

    def compare(self, change, unit_length=1.0):
        for name, (case, expected, scales) in self.references.items():
            with self.subTest(case=name):
                method = case["analysis"].get("method", {})
                tolerance = RESERVE * method.get("iteration_tolerance", 1e-10)
                if name in RINGING:
                    tolerance = method.get("local_tolerance", 1e-8)
                actual = scalars(run(case, change), unit_length)
                self.assertEqual(set(actual), set(expected))
                for path, values in actual.items():
                    error = abs(values - expected[path]).max() / scales.of(path)
                    self.assertLessEqual(error, tolerance, path)

    def test_turned(self):
        self.compare(lambda case: transforms.turn(case, 2.3))

    def test_turned_so_that_axes_swap(self):
        self.compare(lambda case: transforms.turn(case, -math.pi / 2))

    def test_moved(self):
        self.compare(lambda case: transforms.move(case, [37.25, -12.5]))

    def test_in_another_order(self):
        self.compare(transforms.reorder)

    def test_in_millimetres(self):
        self.compare(transforms.to_millimetres, transforms.MILLI)


if __name__ == "__main__":
    unittest.main()
