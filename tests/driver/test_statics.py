"""`fem statics` from outside: results, messages, exit codes, and what starts from its results."""

import pathlib
import tempfile
import unittest

import h5py
import numpy as np

from support import CASES, fem, load_case, write_case


class Statics(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def run_case(self, case, *options, command="statics", name="case.json"):
        out = self.path / "out.h5"
        done = fem(command, write_case(self.path, case, name), "-o", out, *options)
        return done, out

    def test_results(self):
        done, out = self.run_case(load_case("benchmarks/elastica_5.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("load factor           1\n", done.stdout)
        with h5py.File(out) as f:
            self.assertEqual(f.attrs["analysis"], "statics")
            self.assertEqual(f.attrs["laws_time"], 0)
            self.assertEqual(f["time"].attrs["unit"], "1")
            load = f["time"][:]
            self.assertEqual((load[0], load[-1]), (0, 1))
            self.assertTrue((np.diff(load) > 0).all())
            self.assertGreaterEqual(len(load), 5)
            for dataset in ("step", "iterations", "unstable_directions"):
                self.assertEqual(f["solver"][dataset].shape, load.shape)
            self.assertNotIn("local_error", f["solver"])
            self.assertEqual(abs(f["points/velocity"][:]).max(), 0)
            e = f["energy"]
            np.testing.assert_allclose(e["strain"][:], e["external_work"][:] + e["balance"][:],
                                       rtol=0, atol=1e-12)
            self.assertLess(abs(e["balance"][:]).max(), 1e-7 * e["strain"][-1])
            np.testing.assert_allclose(f["loads/P/force"][:, 1], -5 * load, rtol=1e-15)
            np.testing.assert_allclose(f["supports/root/force"][:, 1], 5 * load, atol=1e-6)

    def test_path(self):
        done, out = self.run_case(load_case("benchmarks/lee_frame.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("limit point: the load factor has a maximum of 0.9278376",
                      "turning point: the displacement of the loads turns back",
                      "becomes unstable (1 direction)", "becomes stable again"):
            self.assertIn(words, done.stderr)
        with h5py.File(out) as f:
            load = f["time"][:]
            self.assertTrue((np.diff(load) < 0).any())
            stable = f["solver/unstable_directions"][:]
            top = np.argmax(load > 0.9278)
            self.assertEqual((stable[0], stable[top + 5], stable[-1]), (0, 1, 0))
            for t in f["events/time"][:]:
                self.assertIn(t, load)

    def test_a_limit_point_is_a_failure_that_says_so(self):
        case = load_case("benchmarks/lee_frame.json")
        case["analysis"] = {"end": 1}
        done, out = self.run_case(case)
        self.assertEqual(done.returncode, 3)
        self.assertIn("carries no more than the load factor 0.9278376", done.stderr)
        self.assertIn("worst balanced is ", done.stderr)
        self.assertIn("--path", done.stderr)
        with h5py.File(out) as f:
            self.assertEqual(f.attrs["status"], "failed")
            self.assertAlmostEqual(f["time"][-1], 0.9278377, places=6)
        done, _ = self.run_case(case, "--path", "--max-load", 0.5)
        self.assertEqual(done.returncode, 0)
        self.assertIn("load factor           0.5\n", done.stdout)

    def strip(self, elements):
        """A cantilever of so many elements."""
        case = load_case("benchmarks/elastica_5.json")
        case["rods"]["rod"]["elements"] = elements
        return case

    def test_no_equilibrium_is_a_failure_that_says_so(self):
        pushed = self.strip(1)
        pushed["sections"]["strip"].update({"EA": 1e3, "GAs": 1e3})
        pushed["loads"]["P"]["force"] = [-1e4, 0]  # shortens the element to nothing at a tenth of it
        stressed = self.strip(1)
        stressed["points"]["wall"] = [3, 0.2]
        stressed["supports"]["wall"] = {"fix": ["x", "y"]}
        stressed["springs"] = {"s": {"between": ["tip", "wall"], "stiffness": 1e9, "length": 30}}
        for case, options, words in (
                (pushed, [], ("beyond the load factor 0.0999", "--path shows how the load goes on")),
                (self.strip(1), ["--path", "--max-load", "1e5"],
                 ("no equilibrium was found beyond", "refine the mesh there")),
                (stressed, [], ("the undeformed structure finds no equilibrium without loads",))):
            done, out = self.run_case(case, *options)
            self.assertEqual(done.returncode, 3, done.stderr)
            for part in (*words, "worst balanced is"):
                self.assertIn(part, done.stderr)
            with h5py.File(out) as f:
                self.assertEqual(f.attrs["status"], "failed")

    def test_what_has_no_potential_is_refused(self):
        spun = self.strip(2)
        spun["frame"] = {"angle": "spin"}
        spun["laws"] = {"spin": {"kind": "smooth", "points": [[0, 0], [1, 1]]}}
        drawn = self.strip(2)
        drawn["loads"]["Q"] = {"at": "tip", "force": [3, 0], "along": ["root", "tip"]}
        for case, options, words in (
                (spun, ["--time", "0.3"], "/frame/angle: the frame's rate changes at the time"),
                (drawn, [], "/loads/Q/along: a load that follows a line has no potential")):
            done, out = self.run_case(case, *options)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertFalse(out.exists())

    def test_mechanisms_are_named(self):
        case = load_case("benchmarks/modes_two_hinged_rods.json")
        case["loads"] = {"P": {"at": "H", "force": [0, -1]}}
        done, _ = self.run_case(case)
        self.assertEqual(done.returncode, 3)
        self.assertIn("mechanism: hinge 'hinge'; point 'H' along (0, 1)", done.stderr)
        case = load_case("benchmarks/modes_free.json")
        case["loads"] = {"P": {"at": "A", "force": [0, -1]}}
        done, _ = self.run_case(case)
        self.assertEqual(done.returncode, 3)
        self.assertIn("3 motions are without resistance: translation along X | translation along Y "
                      "| rotation about (1, 0)", done.stderr)

    def test_nothing_to_do(self):
        done, out = self.run_case(load_case("benchmarks/modes_cantilever.json"))
        self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 1))
        with h5py.File(out) as f:
            self.assertEqual(f["time"][:].tolist(), [1])
            self.assertEqual(f["summary"].attrs["steps"], 0)

    def test_wrong_input(self):
        good = load_case("benchmarks/lee_frame.json")
        wrong = {
            "path": ("yes", "/analysis/statics/path"),
            "max_load": (0, "/analysis/statics/max_load"),
            "steps": (0.5, "/analysis/statics/steps"),
            "time": (-1, "/analysis/statics/time"),
            "ramp": ([0, 1], "/analysis/statics/ramp"),
        }
        for key, (value, pointer) in wrong.items():
            good["analysis"] = {"statics": {"path": True, key: value}}
            done, _ = self.run_case(good)
            self.assertEqual(done.returncode, 2, key)
            self.assertIn(pointer + ":", done.stderr)
        good["analysis"] = {"statics": {"max_load": 2}}
        done, _ = self.run_case(good)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/analysis/statics/max_load: it belongs to a path", done.stderr)
        self.assertIn("add \"path\": true", done.stderr)
        good["analysis"] = {"modes": {"about": "statcs", "count": 0}}
        done, _ = self.run_case(good)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/analysis/modes/about:", done.stderr)
        self.assertIn("did you mean 'statics'", done.stderr)
        self.assertIn("/analysis/modes/count:", done.stderr)
        good["analysis"] = {"statics": {}}
        done, _ = self.run_case(good, "--max-load", 2)
        self.assertEqual(done.returncode, 2)
        self.assertIn("add --path", done.stderr)
        done, _ = self.run_case(good, command="run")
        self.assertEqual(done.returncode, 2)
        self.assertIn("/analysis: the key 'end' is missing", done.stderr)
        good["analysis"] = {}
        done, _ = self.run_case(good)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/analysis: the key 'end' is missing", done.stderr)

    def test_no_end_takes_the_laws_where_they_come_to_rest(self):
        case = load_case("benchmarks/elastica_1.json")
        case["laws"] = {"ramp": {"kind": "linear", "points": [[0, 0], [3, -2]]}}
        case["loads"]["P"]["force"] = [0, "ramp"]
        done, out = self.run_case(case)
        with h5py.File(out) as f:
            self.assertEqual(f.attrs["laws_time"], 3)
            self.assertEqual(f["loads/P/force"][-1, 1], -2)
        done, out = self.run_case(case, "--time", 1.5)
        with h5py.File(out) as f:
            self.assertEqual(f.attrs["laws_time"], 1.5)
            self.assertEqual(f["loads/P/force"][-1, 1], -1)


class Starts(unittest.TestCase):
    """A run that starts from an equilibrium."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.case = load_case("benchmarks/elastica_1.json")
        self.case["sections"]["strip"].update({"EA": 1e4, "GAs": 1e4})
        self.case["rods"]["rod"]["elements"] = 4
        self.case["loads"]["P"]["force"] = [0, -3]
        done = fem("statics", write_case(self.path, self.case), "-o", self.path / "bent.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.case["initial"] = {"from": "bent.h5"}
        self.case["analysis"] = {"end": 0.5, "output": {"every": 0.05}}

    def run_case(self):
        out = self.path / "run.h5"
        (self.path / "elsewhere").mkdir(exist_ok=True)
        # The path is relative to the case, wherever the program is called.
        done = fem("run", write_case(self.path, self.case), "-o", out,
                   cwd=self.path / "elsewhere")
        return done, out

    def test_under_its_load_it_stays(self):
        done, out = self.run_case()
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(out) as f, h5py.File(self.path / "bent.h5") as bent:
            np.testing.assert_allclose(f["points/position"][:],
                                       np.broadcast_to(bent["points/position"][-1],
                                                       f["points/position"].shape), atol=1e-7)
            self.assertLess(f["energy/kinetic"][:].max(), 1e-10)
            self.assertAlmostEqual(f["energy/strain"][0], bent["energy/strain"][-1], places=9)

    def test_let_go_it_swings(self):
        del self.case["loads"]
        done, out = self.run_case()
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(out) as f, h5py.File(self.path / "bent.h5") as bent:
            strain = bent["energy/strain"][-1]
            self.assertAlmostEqual(f["energy/strain"][0], strain, places=9)
            self.assertGreater(f["energy/kinetic"][:].max(), 0.5 * strain)
            total = f["energy/kinetic"][:] + f["energy/strain"][:]
            np.testing.assert_allclose(total, strain, rtol=1e-5)

    def test_prescribed_changes_start_from_there(self):
        self.case["laws"] = {"turn": {"kind": "smooth", "points": [[0, 0], [0.5, 0.2]]}}
        self.case["supports"] = {"root": {"fix": ["x", "y"], "angle": "turn"}}
        del self.case["loads"]
        done, out = self.run_case()
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(out) as f:
            self.assertAlmostEqual(f["rods/rod/angle"][-1, 0, 0], 0.2, places=9)
            self.assertLess(f["solver/position_violation"][:].max(), 1e-10)

    def test_wrong_files(self):
        self.case["initial"]["from"] = "bend.h5"
        done, _ = self.run_case()
        self.assertEqual(done.returncode, 2)
        self.assertIn("/initial/from: there is no file", done.stderr)
        (self.path / "bend.h5").write_text("no results")
        done, _ = self.run_case()
        self.assertEqual(done.returncode, 2)
        self.assertIn("/initial/from:", done.stderr)
        self.case["initial"]["from"] = "bent.h5"
        self.case["rods"]["rod"]["elements"] = 8
        done, _ = self.run_case()
        self.assertEqual(done.returncode, 2)
        self.assertIn("/initial/from:", done.stderr)
        self.case["rods"]["rod"]["elements"] = 4
        self.case["rods"] = {"beam": self.case["rods"]["rod"]}
        done, _ = self.run_case()
        self.assertEqual(done.returncode, 2)
        self.assertIn("beam", done.stderr)
        self.case["initial"]["from"] = 3
        done, _ = self.run_case()
        self.assertEqual(done.returncode, 2)

    def test_a_hinge_that_is_now_rigid_is_refused(self):
        case = {
            "libfem": 1,
            "sections": self.case["sections"],
            "points": {"O": [0, 0], "A": [1, 0], "B": [2, 0]},
            "rods": {"r": {"section": "strip", "from": "O", "to": "A", "elements": 2},
                     "s": {"section": "strip", "from": "A", "to": "B", "elements": 2}},
            "hinges": {"h": {"at": "A", "members": ["r", "s"], "spring": {"stiffness": 1}}},
            "supports": {"O": {"fix": ["x", "y", "angle"]}},
            "loads": {"M": {"at": "B", "moment": 1}},
            "analysis": {"end": 0.01},
        }
        done = fem("statics", write_case(self.path, case), "-o", self.path / "bent.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        case["initial"] = {"from": "bent.h5"}
        del case["hinges"]
        self.case = case
        done, _ = self.run_case()
        self.assertEqual(done.returncode, 2)
        self.assertIn("/initial/from: the rigid connection at /points/A is off by 1 rad",
                      done.stderr)


class Velocities(unittest.TestCase):
    """What "rest" and "consistent" mean: the energy of a law that starts with a rate."""

    def test_words(self):
        case = load_case("three_rod_deployment.json")
        case["analysis"].update({"end": 0.02, "output": {"every": 0.01}})
        # What 21 elements can hold while their ends are off by the local tolerance of 1e-8 m: a
        # balance below it says nothing (analysis/dynamics, tolerated_energy).
        tolerated = 21 * 0.5 * 7.2e6 / (2 / 7) * 1e-8**2
        kinetic, work, events = {}, {}, {}
        with tempfile.TemporaryDirectory() as folder:
            for word in ("rest", "consistent"):
                case["initial"] = {"velocity": word}
                out = pathlib.Path(folder) / "out.h5"
                done = fem("run", write_case(folder, case), "-o", out)
                self.assertEqual(done.returncode, 0, done.stderr)
                with h5py.File(out) as f:
                    kinetic[word] = f["energy/kinetic"][0]
                    work[word] = f["energy/rheonomic_work"][0]
                    events[word] = len(f["events/time"])
                    self.assertLess(abs(f["energy/balance"][:]).max(), tolerated)
            self.assertAlmostEqual(kinetic["rest"], kinetic["consistent"], places=12)
            self.assertAlmostEqual(work["rest"], kinetic["rest"], places=12)
            self.assertEqual(work["consistent"], 0)
            self.assertEqual((events["rest"], events["consistent"]), (1, 0))
            case["initial"] = {"velocity": "still"}
            done = fem("run", write_case(folder, case))
            self.assertEqual(done.returncode, 2)
            self.assertIn("/initial/velocity:", done.stderr)


if __name__ == "__main__":
    unittest.main()
