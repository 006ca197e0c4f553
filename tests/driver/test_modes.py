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
            about, _, *lines = done.stdout.splitlines()
            self.assertEqual(about, "modes about the state at the start")
            self.assertEqual(len(lines), 7)
            table = np.array([[float(x) for x in line.split()[:3]] for line in lines])
            np.testing.assert_array_equal(table[:, 0], np.arange(1, 8))
            np.testing.assert_allclose(table[: len(expected), 1], expected, rtol=5e-4)
            np.testing.assert_allclose(table[:, 2], table[:, 1] / (2 * np.pi), rtol=1e-8)

    def test_free_motions_are_named(self):
        done = fem("modes", CASES / "benchmarks" / "modes_free.json")
        for words in ("translation along X", "translation along Y", "rotation about (1, 0)"):
            self.assertIn(words, done.stdout)
        done = fem("modes", CASES / "benchmarks" / "modes_two_hinged_rods.json")
        self.assertIn("mechanism: hinge 'hinge'", done.stdout)

    def test_warnings_of_the_equilibrium_are_passed_on(self):
        case = CASES / "benchmarks" / "modes_two_hinged_rods.json"
        done = fem("modes", case, "--about", "statics")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: nothing loads the structure, and it is a mechanism", done.stderr)

    def test_file(self):
        output = self.path / "modes.h5"
        case = CASES / "benchmarks" / "modes_free.json"
        done = fem("modes", case, "-o", output, "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        with h5py.File(output) as f:
            self.assertEqual(f.attrs["libfem_results"], 1)
            self.assertEqual(f.attrs["analysis"], "modes")
            self.assertEqual(f.attrs["status"], "complete")
            m = f["modes"]
            self.assertEqual(m.attrs["free_motions"], 3)
            self.assertEqual(m.attrs["unstable_modes"], 0)
            self.assertEqual(m.attrs["imbalance"], 0)
            self.assertEqual(m["shape"].shape, (8, 17, 3))
            self.assertEqual(m["rods/rod/angle"].shape, (8, 16, 2))
            self.assertEqual(f["points/position"].shape, (1, 17, 3))
            omega = m["angular_frequency"][:]
            np.testing.assert_allclose(m["frequency"][:], omega / (2 * np.pi), rtol=1e-15)
            self.assertEqual([k.decode() for k in m["kind"][:]], ["free"] * 3 + ["vibration"] * 5)
            self.assertEqual(m["description"][0].decode(), "translation along X")
            for dataset in ("frequency", "angular_frequency", "growth_rate", "kind", "description",
                            "shape", "rods/rod/angle"):
                self.assertTrue(m[dataset].attrs["unit"] and m[dataset].attrs["meaning"])
            nodes = f["rods/rod/nodes"][:]
            x = f["points/position"][0][nodes, 0]
            y = m["shape"][3][nodes, 1]
            turn = m["rods/rod/angle"][3]
        self.assertAlmostEqual(x[-1], 2)
        # The first bending mode of a free rod is even about its middle; sections turn oddly.
        np.testing.assert_allclose(y, y[::-1], atol=1e-6 * abs(y).max())
        np.testing.assert_allclose(turn, -turn[::-1, ::-1], atol=1e-6 * abs(turn).max())
        self.assertLess(y[8] / y[0], 0)

    def test_a_state_out_of_balance_is_told(self):
        case = load_case("benchmarks/modes_cantilever.json")
        case["gravity"] = [0, -9.81]
        path = write_case(self.path, case)
        done = fem("modes", path)
        self.assertEqual(done.returncode, 0)
        self.assertIn("no equilibrium", done.stderr)
        self.assertIn("--about statics", done.stderr)
        done = fem("modes", path, "--about", "statics")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_about_an_equilibrium_and_about_its_file_are_the_same(self):
        case = CASES / "benchmarks" / "elastica_5.json"
        results = self.path / "statics.h5"
        self.assertEqual(fem("statics", case, "-o", results, "--quiet").returncode, 0)
        tables = []
        for options in (("--about", "statics"), ("--from", results),
                        ("--from", results, "--time", 5)):
            done = fem("modes", case, "--count", 3, *options)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            tables.append([line.split()[:3] for line in done.stdout.splitlines()[2:]])
        self.assertEqual(tables[0], tables[1])
        self.assertEqual(tables[0], tables[2])
        half = fem("modes", case, "--count", 3, "--from", results, "--time", 0.4)
        with h5py.File(results) as f:
            load = f["time"][:]
        nearest = load[np.argmin(abs(load - 0.4))]
        self.assertIn(f"at load factor {nearest:.9g}", half.stdout)
        self.assertEqual(half.stderr, "")

    def test_about_a_time_of_a_run(self):
        # A rigid pendulum of one rod that swings: the frequency about a stored angle is that of
        # its own gravity, negative stiffness above the pin included.
        case = {
            "libfem": 1, "gravity": [0, -9.81],
            "points": {"O": [0, 0], "A": [1, 0]},
            "bodies": {"b": {"at": "O", "mass": 2, "inertia": 0.5, "center": [0.4, 0]}},
            "supports": {"O": {"fix": ["x", "y"]}},
            "analysis": {"end": 0.3, "output": {"every": 0.1}},
        }
        del case["points"]["A"]
        path, out = write_case(self.path, case), self.path / "run.h5"
        self.assertEqual(fem("run", path, "-o", out, "--quiet").returncode, 0)
        done = fem("modes", path, "--from", out, "--time", 0.21)
        self.assertIn("t = 0.2 s", done.stdout)
        with h5py.File(out) as f:
            angle = f["bodies/b/angle"][2]
        omega = np.sqrt(2 * 9.81 * 0.4 * -np.sin(angle) / 0.5)
        self.assertAlmostEqual(float(done.stdout.splitlines()[2].split()[1]), omega,
                               delta=1e-8 * omega)
        self.assertIn("no equilibrium", done.stderr)

    def test_no_equilibrium_no_modes(self):
        done = fem("modes", CASES / "benchmarks" / "lee_frame.json", "--about", "statics")
        self.assertEqual(done.returncode, 3)
        self.assertIn("there are no modes", done.stderr)

    def test_results_of_another_mesh(self):
        case = load_case("benchmarks/elastica_5.json")
        out = self.path / "out.h5"
        self.assertEqual(fem("statics", write_case(self.path, case), "-o", out).returncode, 0)
        case["rods"]["rod"]["elements"] = 8
        done = fem("modes", write_case(self.path, case), "--from", out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("points and nodes", done.stderr)
        done = fem("modes", CASES / "benchmarks" / "lee_frame.json", "--from", out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no point 'A'", done.stderr)
        self.assertEqual(fem("modes", CASES / "benchmarks" / "lee_frame.json", "--from",
                             self.path / "none.h5").returncode, 4)

    def test_wrong_input(self):
        case = CASES / "benchmarks" / "modes_free.json"
        self.assertEqual(fem("modes", case, "--count", 0).returncode, 2)
        self.assertEqual(fem("modes", case, "--about", "dynamics").returncode, 2)
        self.assertEqual(fem("modes", case, "--time", 1).returncode, 2)
        self.assertEqual(fem("modes", case, "--about", "statics", "--from", "x.h5").returncode, 2)
        self.assertEqual(fem("modes", self.path / "none.json").returncode, 2)
        self.assertEqual(fem("modes", case, "-o", self.path / "no" / "modes.h5").returncode, 4)


if __name__ == "__main__":
    unittest.main()
