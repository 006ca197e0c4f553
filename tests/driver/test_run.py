"""How runs go and end: results, interruption, failure, kill -9."""

import os
import signal
import subprocess
import tempfile
import time
import unittest

import h5py
import numpy as np

from support import FEM, ROOT, fem, load_case, patience, write_case


def short_case(**analysis):
    case = load_case("three_rod_deployment.json")
    case["analysis"].update({"end": 0.2, "output": {"every": 0.01}})
    case["analysis"].update(analysis)
    return case


def open_results(path):
    """As any user would; a file killed in the middle of a burst needs swmr."""
    try:
        return h5py.File(path, "r")
    except OSError:
        return h5py.File(path, "r", swmr=True)


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.out = os.path.join(self.folder, "out.h5")

    def start(self, case):
        path = write_case(self.folder, case)
        return subprocess.Popen(
            [FEM, "run", path, "-o", self.out], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)

    def wait_for_rows(self, rows):
        for _ in range(600):
            time.sleep(0.1)
            try:
                with open_results(self.out) as f:
                    if len(f["time"]) >= rows:
                        return
            except (OSError, KeyError):
                pass
        self.fail("no results appeared")

    def pack(self, *arguments):
        return subprocess.run([ROOT / "postproc/fem-post", "pack", *arguments], text=True,
                              capture_output=True)

    def test_a_run_starts_from_a_packed_state_as_from_the_state(self):
        case = short_case(end=0.02)
        self.assertEqual(fem("run", write_case(self.folder, case), "-o", self.out).returncode, 0)
        done = self.pack(self.out, "-o", os.path.join(self.folder, "packed.h5"))
        self.assertEqual(done.returncode, 0, done.stderr)
        ends = []
        for name in ("out", "packed"):
            case["initial"] = {"from": f"{name}.h5"}
            out = os.path.join(self.folder, f"from_{name}.h5")
            done = fem("run", write_case(self.folder, case), "-o", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(out, "r") as f:
                ends.append(f["points/position"][()])
        np.testing.assert_array_equal(*ends)

    def test_only_what_no_run_needs_any_more_is_packed(self):
        path = write_case(self.folder, short_case(end=20))
        run = subprocess.Popen([FEM, "run", path, "-o", self.out, "--checkpoint", "0.05"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for_rows(5)
        for arguments in ((self.out,), (self.out, "-o", self.out + ".packed")):
            done = self.pack(*arguments)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("another program is writing it", done.stderr)
        run.kill()
        run.wait()
        with open(self.out, "rb") as f:
            before = f.read()
        done = self.pack(self.out)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("out.h5.checkpoint", done.stderr)
        done = self.pack(self.out, "-o", self.out + ".packed")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.out, "rb") as f:
            self.assertEqual(f.read(), before)
        with open_results(self.out) as f, h5py.File(self.out + ".packed", "r") as packed:
            rows = len(packed["time"])
            self.assertGreaterEqual(rows, 5)
            np.testing.assert_array_equal(packed["points/position"], f["points/position"][:rows])

    def test_a_refused_case_leaves_older_results_alone(self):
        case = short_case(end=0.02)
        self.assertEqual(fem("run", write_case(self.folder, case), "-o", self.out).returncode, 0)
        with open(self.out, "rb") as f:
            before = f.read()
        case["hinges"]["again"] = {"at": "A", "members": ["rod1", "rod2"], "drive": "second"}
        path = write_case(self.folder, case)
        for command in ("run", "statics"):  # what contradicts is seen when the system is built
            with self.subTest(command=command):
                result = fem(command, path, "-o", self.out)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("nothing was run", result.stderr)
                with open(self.out, "rb") as f:
                    self.assertEqual(f.read(), before)

    def test_a_run_without_end_is_told(self):
        case = short_case()
        case["sections"]["bar"]["EA"] = 7.2e40
        result = fem("run", write_case(self.folder, case), "-o", self.out, "--quiet",
                     "--wall-limit", 2)
        self.assertEqual(result.returncode, 130, result.stderr)
        self.assertRegex(result.stderr, r"at steps of \S+ s the end is \S+ steps away: check")

    def test_complete(self):
        result = fem("run", write_case(self.folder, short_case()), "-o", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        for words in ("final time", "energy balance", "constraint violation", "wall time"):
            self.assertIn(words, result.stdout)
        with h5py.File(self.out, "r") as f:
            self.assertEqual(f.attrs["status"], "complete")
            np.testing.assert_allclose(f["time"][:], np.arange(21) * 0.01, rtol=0, atol=1e-15)
            self.assertEqual(f["time"][-1], 0.2)
            for name in ("kinetic", "strain", "rheonomic_work", "balance"):
                self.assertTrue(np.isfinite(f["energy"][name][:]).all())
            self.assertLessEqual(f["solver/position_violation"][:].max(), 1e-10)
            self.assertLessEqual(f["solver/velocity_violation"][:].max(), 1e-10)

    def test_threads_and_repetition_give_the_same_bits(self):
        path = write_case(self.folder, short_case())
        for threads in (1, 2, 1):
            out = os.path.join(self.folder, f"{threads}.h5")
            self.assertEqual(fem("run", path, "-o", out, "--threads", threads).returncode, 0)
            with h5py.File(out, "r") as f:
                rows = [f["points/acceleration"][:], f["hinges/hinge1/drive_moment"][:]]
            if threads == 1 and not hasattr(self, "first"):
                self.first = rows
            for a, b in zip(self.first, rows):
                np.testing.assert_array_equal(a, b)

    def test_interrupted(self):
        for sign in (signal.SIGINT, signal.SIGTERM):
            if os.path.exists(self.out):
                os.remove(self.out)
            process = self.start(short_case(end=2000))
            self.wait_for_rows(3)
            process.send_signal(sign)
            _, errors = process.communicate(timeout=patience(60))
            self.assertEqual(process.returncode, 130, errors)
            self.assertIn("interrupted", errors)
            with h5py.File(self.out, "r") as f:
                self.assertEqual(f.attrs["status"], "interrupted")
                self.assertGreaterEqual(len(f["time"]), 3)
                self.assertEqual(len(f["points/position"]), len(f["time"]))

    def test_killed(self):
        process = self.start(short_case(end=2000))
        self.wait_for_rows(3)
        process.kill()
        process.communicate()
        with open_results(self.out) as f:
            rows = len(f["time"])
            self.assertGreaterEqual(rows, 3)
            self.assertEqual(f.attrs["status"], "running")
            np.testing.assert_allclose(f["time"][:], np.arange(rows) * 0.01, atol=1e-12)
            self.assertGreaterEqual(len(f["points/position"]), rows)
            self.assertTrue(np.isfinite(f["points/position"][:rows]).all())

    def test_failed(self):
        # A hinge that turns with 1e9 rad/s tears the rods: the solver has to give up, and say so.
        case = short_case(end=1)
        case["laws"]["first"] = {"kind": "linear", "points": [[0.05, 0], [1, -1e9]]}
        result = fem("run", write_case(self.folder, case), "-o", self.out)
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertIn("at t = ", result.stderr)
        with h5py.File(self.out, "r") as f:
            self.assertEqual(f.attrs["status"], "failed")
            self.assertIn("at t = ", f["summary"].attrs["reason"])
            self.assertGreaterEqual(len(f["time"]), 5)
            self.assertTrue(np.isfinite(f["points/position"][:]).all())

    def test_a_case_does_not_steer_the_terminal(self):
        steering = "\x1b[2J\r\nfem: all is well\x7f\x9b"
        good = dict(short_case(end=0.02), title="title " + steering)
        key = dict(good, **{"key " + steering: 1})
        place = dict(good, rods={"rod " + steering: {"section": 1}})
        log = os.path.join(self.folder, "log.txt")
        for case, code in (good, 0), (key, 2), (place, 2):
            path = write_case(self.folder, case)
            for command in (["check", path], ["run", path, "-o", self.out]):
                with self.subTest(command=command[0], code=code):
                    done = fem(*command, "--log", log)
                    self.assertEqual(done.returncode, code, done.stderr)
                    said = done.stdout + done.stderr
                    self.assertIn(r"\u001b[2J\u000d\u000afem: all is well\u007f\u009b", said)
                    self.assertEqual([c for c in said if ord(c) < 32 and c != "\n"
                                      or 127 <= ord(c) < 160], [])
        with open(log, encoding="utf-8") as f:
            logged = f.read()
        self.assertIn(r"\u001b[2J\u000d", logged)
        self.assertNotRegex(logged, "[\x1b\r\x7f\x9b]|\nfem: all is well")

    def test_options_that_are_no_such_numbers(self):
        path = write_case(self.folder, short_case(end=0.02))
        self.assertEqual(fem("run", path, "-o", self.out).returncode, 0)
        positive, at_least_0 = "finite number greater than 0", "finite number, 0 or greater"
        for command, option, values, allowed in (
                (["run"], "--wall-limit", ["nan", "inf", "0", "-3", "", "5s", "1e"], positive),
                (["run"], "--checkpoint", ["nan", "inf", "-1e-9", "", 5000 * "9"], at_least_0),
                (["statics"], "--time", ["nan", "inf", "-1", "", "1,5"], at_least_0),
                (["statics", "--path"], "--max-load", ["nan", "-nan", "inf", "0"], positive),
                (["statics", "--path"], "--steps", ["0", "-1", "1e30", "5.0", "x", ""],
                 "a whole number from 1 to"),
                (["run"], "--threads", ["-1", "4097", "2.", "two", " 2"],
                 "a whole number from 0 to 4096"),
                (["modes", "--from", self.out], "--time", ["nan", "-inf", "", "last"], "finite number")):
            for value in values:
                with self.subTest(command=command, option=option, value=value):
                    out = [] if "modes" in command else ["-o", os.path.join(self.folder, "no.h5")]
                    done = fem(*command, path, *out, option, value)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn(f"{option}: ", done.stderr)
                    self.assertIn(value[:900], done.stderr)
                    self.assertIn(allowed, done.stderr)
                    self.assertLess(len(done.stderr), 200 + min(len(value), 1000))
                    self.assertFalse(os.path.exists(os.path.join(self.folder, "no.h5")))

    def test_version(self):
        result = fem("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"fem \d+\.\d+\.\d+ \(\w+, [\w-]+\)")


if __name__ == "__main__":
    unittest.main()
