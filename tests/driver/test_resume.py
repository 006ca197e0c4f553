"""Runs that are stopped anywhere and resumed equal the whole run, bit for bit."""

import collections
import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import h5py
import numpy as np

from support import FEM, fem, load_case, patience, write_case

# What is not a matter of the motion.
NOT_COMPARED = {"wall_time"}


def contents(path):
    """All datasets as bytes, and the attributes of the summary."""
    found = {}
    with h5py.File(path, "r") as f:
        f.visititems(lambda name, item: found.__setitem__(name, item[()])
                     if isinstance(item, h5py.Dataset) else None)
        found.update({f"summary/{k}": v for k, v in f["summary"].attrs.items()
                      if k not in NOT_COMPARED})
        found["status"] = f.attrs["status"]
    return found


def deployment():
    """A latching pair of rods with a drive, an expression and a hold: laws, events, locks."""
    case = load_case("three_rod_deployment.json")
    case["analysis"].update({"end": 0.6, "output": {"every": 0.007}})
    return case


def hinges():
    case = load_case("hinges/latch.json")
    case["analysis"]["end"] = min(case["analysis"]["end"], 2.0)
    return case


def stop():
    case = load_case("hinges/stop_hard.json")
    case["analysis"]["end"] = min(case["analysis"]["end"], 1.0)
    return case


def linkage():
    case = load_case("benchmarks/four_bars_rods.json")
    case["analysis"]["end"] = 0.5
    case["analysis"]["output"] = {"every": 0.01}
    return case


def remembering():
    """Rods and springs that remember, on the way to a stop that gives."""
    return {
        "libfem": 1,
        "gravity": [0, -9.81],
        "sections": {"soft": {"EA": 1e4, "EI": 5, "GAs": 4e3, "mass_per_length": 0.5,
                              "inertia_per_length": 1e-4,
                              "hereditary": {"kernel": {"kind": "standard", "prolonged": 0.4,
                                                        "time": 0.1}}}},
        "laws": {"shake": {"kind": "expression", "expression": "0.02*sin(9*t)"},
                 "jumps": {"kind": "steps", "points": [[0, 0], [0.31, 1], [0.53, -1]]}},
        "points": {"O": [0, 0], "A": [0.5, 0], "B": [1, 0.1], "W": [1, 1]},
        "rods": {"one": {"section": "soft", "from": "O", "to": "A", "elements": 2},
                 "two": {"section": "soft", "from": "A", "to": "B", "elements": 2}},
        "hinges": {"knee": {"at": "A", "members": ["one", "two"],
                            "hereditary": {"kernel": {"kind": "rzhanitsyn", "instantaneous": 4,
                                                      "A": 0.4, "alpha": 0.3, "b": 2}},
                            "stop": {"lower": -0.5, "upper": 0.6, "restitution": 0.4}}},
        "hereditary": {"e": {"between": ["B", "W"], "kernel": {
            "kind": "prony", "instantaneous": 30, "terms": [[2, 0.2], [1, 0.01]]}}},
        "supports": {"O": {"fix": ["x", "angle"], "y": "shake"}, "W": {"fix": ["x", "y"]}},
        "loads": {"tip": {"at": "B", "force": [0, "jumps"]}},
        "analysis": {"end": 0.8, "output": {"every": 0.011}},
    }


def constrained():
    """A pursuit: constraints of positions that change with time, and of velocities."""
    case = load_case("constraints/expressions.json")
    case["analysis"]["end"] = 1.0
    return case


def panels():
    """Rods that constraints synchronize, springs between points and a body's initial rate."""
    case = load_case("hinges/hold_and_release.json")
    case["constraints"] = {"cable": {"kind": "linear", "terms": [["root", 2], ["elbow", 1]]}}
    del case["hinges"]["elbow"]["hold"]
    case["hinges"]["elbow"]["spring"]["stiffness"] = 0.3
    case["analysis"].update({"end": 0.4, "output": {"every": 0.01}})
    return case


def in_a_frame():
    """A flexible pendulum in a frame that turns and sways."""
    return {
        "libfem": 1,
        "gravity": [0, -9.81],
        "frame": {"origin": ["sway", 0], "angle": "turn"},
        "laws": {"turn": {"kind": "smooth", "points": [[0, 0], [0.12, 0.2], [0.24, 0.1]]},
                 "sway": {"kind": "harmonic", "amplitude": 0.1, "angular_frequency": 5}},
        "sections": {"soft": {"EA": 1e4, "EI": 5, "GAs": 4e3, "mass_per_length": 0.5,
                              "inertia_per_length": 1e-4, "stiffness_damping": 1e-3}},
        "points": {"O": [0, 0], "A": [0.5, 0], "B": [1, 0.1]},
        "rods": {"one": {"section": "soft", "from": "O", "to": "A", "elements": 2},
                 "two": {"section": "soft", "from": "A", "to": "B", "elements": 2}},
        "hinges": {"knee": {"at": "A", "members": ["one", "two"], "damper": {"viscosity": 0.02},
                            "friction": {"coulomb": 0.05}}},
        "supports": {"O": {"fix": ["x", "y"]}},
        "analysis": {"end": 0.25, "output": {"every": 0.011}},
    }


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
def long_steps():
    """A deployment by generalized-alpha, whose factors of matrices are kept over many steps."""
    case = load_case("sweeps/deployment_long_steps.json")
    case["analysis"].update({"end": 6, "output": {"every": 0.1}})
    return case


MAKERS = (deployment, hinges, stop, linkage, remembering, constrained, panels, in_a_frame,
          long_steps)


def run_whole(folder, case):
    """The case's file, the results of the run that nobody stops, and the time it takes."""
    path = write_case(folder, case)
    out = folder / "whole.h5"
    begin = time.monotonic()
    done = fem("run", path, "-o", out, "--quiet", "--threads", "1")
    assert done.returncode == 0, done.stderr
    assert not pathlib.Path(f"{out}.checkpoint").exists()
    return path, out, time.monotonic() - begin


def run_in_parts(path, out, stops, checkpoint):
    """Starts a run and stops it again and again, each time after so many seconds and by a signal;
    the last part runs to its end. Signals that stopped it; None where it ended before."""
    arguments = ["-o", out]
    stopped = []
    for seconds, kill in stops:
        process = subprocess.Popen(
            [FEM, "run", path, *arguments, "--checkpoint", str(checkpoint), "--threads", "1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(kill)
        _, message = process.communicate(timeout=patience(120))
        if process.returncode == 0:
            return stopped
        # So early that nobody listens yet, a signal kills.
        expected = (-kill,) if kill == signal.SIGKILL else (130, -kill)
        assert process.returncode in expected, message
        stopped.append(kill)
        if pathlib.Path(f"{out}.checkpoint").exists():
            arguments = ["--resume", out]
        elif arguments[0] == "--resume":
            return stopped  # killed when all was done
    done = fem("run", path, *arguments, "--quiet")
    assert done.returncode == 0, done.stderr
    return stopped


def find_differences(one, other):
    """Names of what is not equal bit for bit, or is not in both."""
    a, b = contents(one), contents(other)
    return [name for name in sorted({*a, *b})
            if name not in a or name not in b
            or np.asarray(a[name]).tobytes() != np.asarray(b[name]).tobytes()]


class Resume(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assert_same(self, one, other):
        self.assertEqual(find_differences(one, other), [])

    def whole(self, case):
        return run_whole(self.folder, case)

    def test_stopped_at_random_moments(self):
        """scripts/stops does the same fifty times a case."""
        counts = collections.Counter()
        rng = random.Random(1)
        for make in MAKERS:
            path, whole, duration = self.whole(make())
            out = self.folder / "parts.h5"
            stops = [(0.02 + rng.random() * max(duration / 2, 0.1), rng.choice(SIGNALS))
                     for _ in range(4)]
            counts.update(run_in_parts(path, out, stops, 0))
            with self.subTest(case=make.__name__, stops=stops):
                self.assert_same(whole, out)
            out.unlink()
        for kill in SIGNALS:
            self.assertGreater(counts[kill], 1, counts)

    def test_checkpoints_do_not_change_the_run(self):
        path, whole, _ = self.whole(deployment())
        out = self.folder / "often.h5"
        done = fem("run", path, "-o", out, "--quiet", "--checkpoint", 0)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same(whole, out)

    def test_threads_may_change_in_between(self):
        path, whole, _ = self.whole(deployment())
        out = self.folder / "parts.h5"
        done = fem("run", path, "-o", out, "--wall-limit", 0.01, "--threads", 2)
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertIn("--resume", done.stderr)
        done = fem("run", path, "--resume", out, "--threads", 1, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same(whole, out)

    def interrupted(self):
        path = write_case(self.folder, deployment())
        out = self.folder / "out.h5"
        done = fem("run", path, "-o", out, "--wall-limit", 0.01)
        self.assertEqual(done.returncode, 130, done.stderr)
        with h5py.File(out, "r") as f:
            self.assertEqual(f.attrs["status"], "interrupted")
        return path, out

    def refuse(self, code, path, out, *words, arguments=()):
        before = out.read_bytes() if out.exists() else None
        done = fem("run", path, "--resume", out, *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertNotIn("defect", done.stderr)
        self.assertEqual(out.read_bytes() if out.exists() else None, before)

    def test_refuses_another_case(self):
        path, out = self.interrupted()
        self.refuse(2, path, out, "another case", arguments=["--set", "/analysis/end=0.7"])

    def test_refuses_what_is_no_checkpoint(self):
        path, out = self.interrupted()
        checkpoint = pathlib.Path(f"{out}.checkpoint")
        good = checkpoint.read_bytes()
        for bad in (b"", b"nothing", good[:-1], good[:200], good + b"x",
                    good[:500] + bytes([good[500] ^ 1]) + good[501:]):
            checkpoint.write_bytes(bad)
            self.refuse(4, path, out, "is no checkpoint of libfem, or is damaged")
        checkpoint.write_bytes(good.replace(b"libfem checkpoint 2", b"libfem checkpoint 1", 1))
        self.refuse(2, path, out, "the checkpoint was made by an older fem")
        def with_checksum(body):
            head = b"libfem checkpoint 2\n"
            self.assertTrue(good.startswith(head))
            return head + hashlib.sha256(body).hexdigest().encode() + b"\n" + body

        body = good[good.index(b"\n", good.index(b"\n") + 1) + 1:]
        self.assertEqual(with_checksum(body), good)
        checkpoint.write_bytes(with_checksum(body.replace(b"0.1.0", b"9.9.9", 1)))
        self.refuse(2, path, out, "the checkpoint was made by fem 9.9.9")
        checkpoint.write_bytes(with_checksum(body[:-16] + 16 * b"\xff"))
        self.refuse(4, path, out, "out.h5.checkpoint': the stored state is damaged")
        checkpoint.unlink()
        self.refuse(4, path, out, "there is no checkpoint")

    def test_refuses_other_results(self):
        path, out = self.interrupted()
        other = self.folder / "other.h5"
        with h5py.File(other, "w"):
            pass
        shutil.copy(f"{out}.checkpoint", f"{other}.checkpoint")
        self.refuse(4, path, other, "not the results file of this run")
        shutil.copy(out, other)
        with h5py.File(other, "r+") as f:
            f["time"].resize(len(f["time"]) - 1, axis=0)
        self.refuse(4, path, other, "rows where the checkpoint has")

    def test_a_complete_run_has_nothing_to_resume(self):
        path, out, _ = self.whole(deployment())
        self.refuse(4, path, out, "there is no checkpoint", "complete")

    def test_a_new_run_forgets_the_old_checkpoint(self):
        path, out = self.interrupted()
        done = fem("run", path, "-o", out, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(pathlib.Path(f"{out}.checkpoint").exists())


if __name__ == "__main__":
    unittest.main()
