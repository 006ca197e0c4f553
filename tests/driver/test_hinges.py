"""The cases of cases/hinges, each with its invariant: energy, momentum, restitution, sequence."""

import math
import os
import tempfile
import unittest

import h5py
import numpy as np

from support import CASES, fem


class Result:
    """One run: histories by path, events as (time, name, what)."""

    def __init__(self, name, folder):
        path = os.path.join(folder, "out.h5")
        self.process = fem("run", CASES / "hinges" / name, "-o", path, "--quiet")
        with h5py.File(path, "r") as f:
            self.t = f["time"][:]
            self.values = {}
            f.visititems(self._keep)
            self.events = [(t, n.decode(), w.decode()) for t, n, w in zip(
                f["events/time"][:], f["events/name"][:], f["events/what"][:])]
            self.summary = dict(f["summary"].attrs)

    def _keep(self, path, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind == "f":
            self.values[path] = item[()]

    def __getitem__(self, path):
        return self.values[path]

    def hinge(self, name, quantity):
        return self[f"hinges/{name}/{quantity}"]

    def energy(self, quantity):
        return self[f"energy/{quantity}"]

    def words(self):
        return [(name, what.split(" at ")[0]) for _, name, what in self.events]


def number(text, before, after):
    """The number of an event's text between two words."""
    return float(text.split(before)[1].split(after)[0])


class HingeCases(unittest.TestCase):
    def run_case(self, name):
        with tempfile.TemporaryDirectory() as folder:
            result = Result(name, folder)
        self.assertEqual(result.process.returncode, 0, result.process.stderr)
        self.assertEqual(result.process.stderr, "")  # no warning, so the ledger closes
        self.assertLess(result.summary["worst_balance"], 1e-4 * result.summary["largest_energy"])
        return result

    def test_every_case_is_run_here(self):
        tested = {name[5:] + ".json" for name in dir(self) if name.startswith("test_")}
        self.assertLessEqual({path.name for path in (CASES / "hinges").glob("*.json")}, tested)

    def test_spring_table(self):
        r = self.run_case("spring_table.json")
        stored = r.energy("kinetic") + r.energy("strain") + r.energy("springs")
        np.testing.assert_allclose(stored + r.energy("dissipated"), stored[0],
                                   rtol=0, atol=1e-4 * np.ptp(r.energy("kinetic")))
        # The potential is minus the integral of the moment over the angle; trapezoid over rows of
        # 0.03 rad, in a table whose slopes bend by 40 N m/rad^2.
        angle, moment = r.hinge("root", "angle"), r.hinge("root", "moment")
        work = np.concatenate([[0], np.cumsum(0.5 * (moment[1:] + moment[:-1]) * np.diff(angle))])
        np.testing.assert_allclose(r.energy("springs") - r.energy("springs")[0], -work, atol=2e-2)
        self.assertGreater(np.ptp(r.energy("springs")), 5)

    def test_damper(self):
        r = self.run_case("damper.json")
        rate, moment = r.hinge("root", "rate"), r.hinge("root", "moment")
        power = 3.6 * rate**2
        work = np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(r.t))
        self.assertAlmostEqual(r.energy("dissipated")[-1], work, delta=2e-3)
        self.assertAlmostEqual(r.energy("dissipated")[-1], math.pi**2, delta=2e-2)
        np.testing.assert_allclose(
            moment, 2 * (math.pi - r.hinge("root", "angle")) - 3.6 * rate, atol=1e-9)

    def test_friction(self):
        r = self.run_case("friction.json")
        rate = r.hinge("pivot", "rate")
        expected = np.where(r.t < 1, 2 * r.t, np.maximum(0, 2 - 0.5 * (r.t - 1)))
        np.testing.assert_allclose(rate, expected, atol=2e-2)  # Stribeck's peak at both ends
        self.assertLess(abs(rate[-1]), 1e-3)
        sliding = (r.t > 0.1) & (r.t < 4.8)
        np.testing.assert_allclose(r.hinge("pivot", "moment")[sliding], -2, atol=1e-6)
        self.assertAlmostEqual(r.energy("dissipated")[-1], r.energy("external_work")[-1], delta=1e-4)

    def test_stop_compliant(self):
        r = self.run_case("stop_compliant.json")
        angle, rate = r.hinge("pivot", "angle"), r.hinge("pivot", "rate")
        blow = np.argmax(angle > 1)
        leaves = blow + np.argmax(angle[blow:] < 1)
        # Rates before and after the blow, carried to it from the rows beside with 2/4 rad/s^2.
        before = math.sqrt(rate[blow - 1]**2 + (1 - angle[blow - 1]))
        after = math.sqrt(rate[leaves]**2 + (1 - angle[leaves]))
        a = 12000 / 40000
        self.assertAlmostEqual(before, 1, delta=1e-4)
        left = lambda w: w / a - math.log1p(a * w) / a**2
        self.assertAlmostEqual(left(-after) / left(before), 1, delta=2e-2)
        self.assertAlmostEqual(r.energy("dissipated")[leaves], 0.5 * 4 * (before**2 - after**2),
                               delta=2e-2)
        self.assertLess(angle.max(), 1 + math.sqrt(4 / 40000) * 1.01)

    def test_stop_hard(self):
        r = self.run_case("stop_hard.json")
        e, time, rate = 0.6, 2.0, 1.0
        blows = [event for event in r.events if event[2].startswith("stop hit at")]
        self.assertGreater(len(blows), 8)
        for t, _, what in blows[:8]:
            self.assertAlmostEqual(t, time, delta=1e-3)
            self.assertAlmostEqual(number(what, "rate from ", " to"), rate, delta=1e-3)
            self.assertAlmostEqual(number(what, " to ", " rad/s") / rate, -e, delta=1e-3)
            self.assertAlmostEqual(number(what, "energy lost ", " J"),
                                   0.5 * 4 * (1 - e * e) * rate**2, delta=1e-3)
            rate *= e
            time += 4 * rate
        rests, leaves = r.events[-2:]
        self.assertTrue(rests[2].startswith("stop hit and rested on at 1 rad"))
        self.assertAlmostEqual(rests[0], 8, delta=0.1)
        self.assertTrue(leaves[2].startswith("leaves its stop"))
        self.assertAlmostEqual(leaves[0], 9.5, delta=1e-6)  # the hand's 2 N m balance the closer's
        resting = (r.t > 8.1) & (r.t < 9.5)
        np.testing.assert_array_equal(r.hinge("pivot", "state")[resting], 5)
        self.assertAlmostEqual(r.energy("dissipated")[-1], 2, delta=1e-3)
        # The hinge transmits the closer's 2 N m and the stop's reaction; with the hand's, nothing.
        hand = np.interp(r.t, [9, 10], [0, -4])
        np.testing.assert_allclose((r.hinge("pivot", "moment") + hand)[resting], 0, atol=1e-9)

    def expect_no_momentum(self, r):
        # The panel alone has 5 kg * 0.5 m * 1.7 rad/s; second-order steps of 16 us err in its first
        # bending, 240 rad/s, by (w dt)^2 / 12 = 1.2e-6 of that.
        self.assertLess(np.abs(r["momentum/linear"]).max(), 5e-6)
        self.assertLess(np.abs(r["momentum/angular"]).max(), 5e-6)

    def test_latch(self):
        r = self.run_case("latch.json")
        self.assertEqual(r.words(), [("root", "latched")])
        t, _, what = r.events[0]
        angle = r.hinge("root", "angle")
        np.testing.assert_allclose(angle[r.t > t], math.pi / 2, rtol=0, atol=1e-13)
        self.assertGreater(np.ptp(r.hinge("root", "moment")[r.t > t]), 1)  # the shock rings on
        # What the lock takes is half of rate times impulse; most of the energy goes on as waves and
        # is lost in the panel's own damping.
        rate, impulse = number(what, "rate ", " rad/s"), number(what, "impulse ", " N m s")
        lost = number(what, "energy lost ", " J")
        self.assertAlmostEqual(lost / (-0.5 * rate * impulse), 1, delta=1e-5)
        self.assertGreater(r.energy("dissipated")[-1], lost)
        self.expect_no_momentum(r)

    def test_latch_spring(self):
        r = self.run_case("latch_spring.json")
        self.assertEqual(r.words(), [("root", "latched")])
        t = r.events[0][0]
        angle = r.hinge("root", "angle")
        self.assertGreater(angle[r.t > t].max(), math.pi / 2 + 1e-3)
        # At rest again where both springs balance.
        rest = (2 + 400 * math.pi / 2) / 401
        self.assertAlmostEqual(angle[-1], rest, delta=1e-4)
        before = np.argmax(r.t > t)
        self.assertLess(r.energy("dissipated")[before - 1], 1e-4)  # by bending on the way
        self.expect_no_momentum(r)

    def test_hold_and_release(self):
        r = self.run_case("hold_and_release.json")
        self.assertEqual(r.words(), [("root", "latched"), ("elbow", "released"),
                                     ("elbow", "latched")])
        self.assertAlmostEqual(r.events[1][0], r.events[0][0] + 0.5, delta=1e-12)
        held = r.t < r.events[1][0]
        np.testing.assert_allclose(r.hinge("elbow", "angle")[held], math.pi, rtol=0, atol=1e-13)
        np.testing.assert_array_equal(r.hinge("elbow", "state")[held], 1)
        self.assertEqual(r.hinge("elbow", "state")[-1], 2)
        self.assertAlmostEqual(r.hinge("elbow", "angle")[-1], 0, delta=1e-13)

    def test_jam(self):
        r = self.run_case("jam.json")
        self.assertEqual(sorted(r.words()), [("elbow", "jammed"), ("root", "latched")])
        self.assertAlmostEqual(r.hinge("elbow", "angle")[-1], 2, delta=1e-13)
        self.assertEqual(r.hinge("elbow", "state")[-1], 3)
        self.assertEqual(r.hinge("root", "state")[-1], 2)

    def test_brake(self):
        r = self.run_case("brake.json")
        self.assertEqual(r.words(), [("axle", "held"), ("axle", "released"), ("axle", "held")])
        turn = 10 * math.pi
        self.assertAlmostEqual(r.events[2][0], 3 + math.sqrt(turn - 4), delta=1e-3)
        self.assertAlmostEqual(r.hinge("axle", "angle")[-1], turn, delta=1e-12)
        # All that the motor has worked, 0.5 N m over the way, is gone.
        self.assertAlmostEqual(r.energy("external_work")[-1], 0.5 * turn, delta=1e-3)
        self.assertAlmostEqual(r.energy("dissipated")[-1], 0.5 * turn, delta=1e-3)
        braked = (r.t > 2) & (r.t < 3)
        np.testing.assert_allclose(r.hinge("axle", "moment")[braked], -0.5, atol=1e-12)

    def test_check_says_which_way_a_hinge_turns(self):
        """The sense of springs, as in the runs: one opens to its latch, the other closes to it."""
        for name, line in (
                ("latch.json", "hinge root at 'O': free, angle 0 rad; its moment of 2 N m turns it "
                               "to larger angles; latches at 1.5708 rad"),
                ("hold_and_release.json", "hinge elbow at 'A': held, angle 3.14159 rad; its moment "
                                          "of 3.64159 N m turns it to smaller angles; latches at "
                                          "0 rad")):
            done = fem("check", CASES / "hinges" / name)
            self.assertIn(line, done.stdout.splitlines())


if __name__ == "__main__":
    unittest.main()
