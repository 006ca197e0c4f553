"""`fem modes` from outside: the table, the file of shapes, wrong input."""

import pathlib
import tempfile
import unittest

import h5py
import numpy as np

from support import CASES, fem, load_case, write_case

FIRST = {  # rad/s, Timoshenko's exact values
    "cantilever": [12.867076, 80.628259, 225.723788, 442.220708],
    "simply_supported": [36.117728, 144.455002, 324.964129, 577.565733],
    "free": [0, 0, 0, 81.870924, 225.645997, 442.257939],
    "two_hinged_rods": [0, 144.455002, 225.645997, 577.565733],
}


class Modes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def test_table_of_every_case(self):
        for name, expected in FIRST.items():
            done = fem("modes", CASES / "benchmarks" / f"modes_{name}.json", "--count", 7)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            lines = done.stdout.splitlines()[2:9]
            table = np.array([[float(x) for x in line.split()[:3]] for line in lines])
            np.testing.assert_array_equal(table[:, 0], np.arange(1, 8))
            np.testing.assert_allclose(table[: len(expected), 1], expected, rtol=5e-4)
            np.testing.assert_allclose(table[:, 2], table[:, 1] / (2 * np.pi), rtol=1e-8)

    def test_file_of_shapes(self):
        output = self.path / "modes.h5"
        case = CASES / "benchmarks" / "modes_free.json"
        done = fem("modes", case, "-o", output, "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        with h5py.File(output) as f:
            self.assertEqual(f.attrs["libfem_results"], 1)
            self.assertEqual(f.attrs["analysis"], "modes")
            kinds = [x.decode() if isinstance(x, bytes) else x for x in f["modes/kind"][:]]
            self.assertEqual(kinds, ["free"] * 3 + ["vibration"] * 5)
            self.assertEqual(f["modes/frequency"].shape, (8,))
            self.assertEqual(f["modes/shape"].shape, (8, 17, 3))
            self.assertEqual(f["modes/rods/rod/angle"].shape, (8, 16, 2))
            self.assertEqual(f["points/position"].shape, (1, 17, 3))
            nodes = f["rods/rod/nodes"][:]
            x = f["points/position"][0][nodes, 0]
            y = f["modes/shape"][3][nodes, 1]
        self.assertAlmostEqual(x[-1], 2)
        # The first bending mode of a free rod is even about its middle.
        np.testing.assert_allclose(y, y[::-1], atol=1e-6 * abs(y).max())
        self.assertLess(y[8] / y[0], 0)

    def test_a_state_out_of_balance_is_told(self):
        case = load_case("benchmarks/modes_cantilever.json")
        case["gravity"] = [0, -9.81]
        done = fem("modes", write_case(self.path, case))
        self.assertEqual(done.returncode, 0)
        self.assertIn("no equilibrium", done.stderr)

    def test_wrong_input(self):
        case = CASES / "benchmarks" / "modes_free.json"
        self.assertEqual(fem("modes", case, "--count", 0).returncode, 2)
        self.assertEqual(fem("modes", self.path / "none.json").returncode, 2)
        self.assertEqual(fem("modes", case, "-o", self.path / "no" / "modes.h5").returncode, 4)


if __name__ == "__main__":
    unittest.main()
