"""Frequencies of single rods through the program: the whole tables of an independent computation of
the same element, and Timoshenko's exact values as the mesh is refined.

The reference's own rounding (it has full matrices, whose entries are 1e5 to 1e7 times the lowest ω²)
limits what can be compared: 3e-9 of slender rods with up to 16 elements, 2e-8 with 32, 1e-11 of thick
ones. The program's does not: test_exact_values.
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

REFERENCE = json.loads((HERE / "rods_reference.json").read_text(encoding="utf-8"))["frequencies"]
CASES = {"ss": "simply_supported", "cant": "cantilever", "free": "free"}


class Frequencies(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def bending(self, rod, ends, elements):
        """Angular frequencies of the bending modes, those that leave X alone."""
        prefix = "modes_" if rod == "slender" else "modes_thick_"
        case = load_case(f"benchmarks/{prefix}{CASES[ends]}.json")
        case["rods"]["rod"]["elements"] = elements
        out = self.path / "modes.h5"
        done = fem("modes", write_case(self.path, case), "-o", out, "--quiet", "--count", 30)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with h5py.File(out) as f:
            omega = f["modes/angular_frequency"][:]
            shape = f["modes/shape"][:]
            turn = f["modes/rods/rod/angle"][:] * (2 if rod == "slender" else 1)  # length
            self.assertEqual(f["modes"].attrs["free_motions"], 3 if ends == "free" else 0)
            self.assertEqual((omega == 0).sum(), 3 if ends == "free" else 0)
        whole = (shape ** 2).sum(axis=(1, 2)) + (turn ** 2).sum(axis=(1, 2))
        along = (shape[:, :, 0] ** 2).sum(axis=1) / whole
        return omega[(along < 1e-3) & (omega > 0)]

    def test_tables(self):
        worst = {}
        for rod, ends_of in (("slender", CASES), ("thick", CASES)):
            for ends in ends_of:
                for elements, expected in REFERENCE[rod][ends]["fe"].items():
                    omega = self.bending(rod, ends, int(elements))[: len(expected)]
                    error = np.abs(omega / expected - 1).max()
                    worst[rod, elements] = max(worst.get((rod, elements), 0), error)
        print("largest relative difference:",
              {f"{rod} {n}": float(f"{e:.1e}") for (rod, n), e in worst.items()})
        for (rod, elements), error in worst.items():
            limit = 1e-11 if rod == "thick" else 2e-8 if elements == "32" else 3e-9
            self.assertLess(error, limit, (rod, elements))

    def test_exact_values(self):
        """Order 4 of slender rods while their elements are long beside sqrt(12 EI/GAs) = 16 mm, and
        order 2 of shorter ones (512 to 5e-10, whatever the rounding of their matrices) and of thick
        rods."""
        for ends in CASES:
            exact = np.array(REFERENCE["slender"][ends]["exact"])
            error = {n: self.bending("slender", ends, n)[0] / exact[0] - 1 for n in (4, 8, 256, 512)}
            self.assertAlmostEqual(math.log2(error[4] / error[8]), 4, delta=0.3)
            self.assertAlmostEqual(math.log2(error[256] / error[512]), 2, delta=0.15)
            self.assertLess(abs(error[512]), 5e-10)
            exact = np.array(REFERENCE["thick"][ends]["exact"])
            coarse = self.bending("thick", ends, 32)[:5] / exact - 1
            fine = self.bending("thick", ends, 64)[:5] / exact - 1
            np.testing.assert_allclose(np.log2(coarse / fine), 2, atol=0.1)

    def test_published_errors(self):
        """The first frequency of a slender cantilever: 4.8e-4, 3.3e-5, 2.1e-6, 1.4e-7."""
        exact = REFERENCE["slender"]["cant"]["exact"][0]
        for elements, expected in ((2, 4.8e-4), (4, 3.3e-5), (8, 2.1e-6), (16, 1.4e-7)):
            error = self.bending("slender", "cant", elements)[0] / exact - 1
            self.assertAlmostEqual(error / expected, 1, delta=0.04)

    def test_beck(self):
        """A follower load above 20.0509 EI/L² makes a pair of modes flutter, and none below."""
        case = load_case("benchmarks/flutter_beck.json")
        for load, flutters in ((20.0, False), (20.1, True)):
            case["loads"]["P"]["force"] = [-load, 0]
            out = self.path / "beck.h5"
            done = fem("modes", write_case(self.path, case), "-o", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(out) as f:
                growth = f["modes/growth_rate"][:]
                self.assertEqual(bool(growth[0] > 0), flutters)
                self.assertAlmostEqual(growth[0] + growth[1], 0, delta=1e-9)
                self.assertAlmostEqual(f["modes/angular_frequency"][0], 11.0156, delta=0.5)
            self.assertEqual("unstable" in done.stderr, flutters)


if __name__ == "__main__":
    unittest.main()
