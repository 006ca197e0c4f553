"""Linkages: the multibody benchmarks A01 and A02, a chaotic pendulum and a latching wheel, against
exact motions."""

import unittest

import numpy as np

from results import crossings, method, run


def errors_at(r, name, expected):
    return [np.abs(r.point(name)[r.row(t)] - xy).max() for t, xy in expected.items()]


def tolerance(case, local):
    method(case, local_tolerance=local, iteration_tolerance=local / 100)


def tight(case):
    method(case, local_tolerance=1e-12, iteration_tolerance=1e-14, frequency_limit=5e-4)


class Pendulum(unittest.TestCase):
    CASE = "benchmarks/pendulum.json"
    PERIOD = 2.36784194757624
    EXACT = {5: (-0.942305435044, -0.334754338414), 10: (-0.275087462576, -0.961419205099)}
    EXACT_LATE = {100: (-0.181513351427, -0.983388480334)}

    def test_path_and_period(self):
        r = run(self.CASE)
        # The error of the integrator grows with t: 3.3e-7 m at 10 s.
        self.assertLessEqual(max(errors_at(r, "bob", self.EXACT)), 1e-6)
        x, y = r.point("bob").T
        vx, vy = r.point("bob", "velocity").T
        through = crossings(r.time, x, vx)  # the lowest point, twice a period
        periods = (through[2:] - through[:-2])
        np.testing.assert_allclose(periods, self.PERIOD, rtol=0, atol=1e-6)
        np.testing.assert_allclose(np.hypot(x, y), 1, rtol=0, atol=1e-14)
        self.assertLessEqual(abs(r["energy/balance"]).max(), 1e-7 * r["energy/kinetic"].max())

    def test_order(self):
        # The step goes with the cube root of the tolerance, the error with its square.
        worst = [max(errors_at(run(self.CASE, lambda case: tolerance(case, local)), "bob",
                               self.EXACT)) for local in (1e-10, 1e-12)]
        self.assertGreater(worst[0] / worst[1], 10)

    def test_tight_settings(self):
        self.assertLessEqual(max(errors_at(run(self.CASE, tight), "bob", self.EXACT)), 1e-8)

    def test_a_hundred_seconds(self):
        def change(case):
            case["analysis"].update(end=100, output={"every": 1})

        r = run(self.CASE, change)
        # The phase runs away with t: 3.3e-7 at 10 s.
        error = errors_at(r, "bob", self.EXACT_LATE)
        self.assertLessEqual(max(error), 1e-5)


class DoublePendulum(unittest.TestCase):
    EXACT = {1: (-1.444818850, -1.321794461), 2: (-1.434124817, -1.129870196),
             3: (1.876250851, -0.224038498)}

    def test_path(self):
        r = run("benchmarks/double_pendulum.json")
        self.assertLessEqual(max(errors_at(r, "tip", self.EXACT)), 5e-7)
        self.assertLessEqual(abs(r["energy/balance"]).max(), 1e-7 * r["energy/kinetic"].max())
        r = run("benchmarks/double_pendulum.json", tight)
        self.assertLessEqual(max(errors_at(r, "tip", self.EXACT)), 1e-8)


class FourBars(unittest.TestCase):
    EXACT = {1: (-0.19502030195, -0.98079920566), 4: (0.11761610238, 0.99305913845),
             10: (0.32845811154, 0.94451853818)}

    def test_rigid_bars_pass_their_singular_poses(self):
        r = run("benchmarks/four_bars.json")
        # The error of the scheme at its steps of 5e-4 s; the next test lets it tend to zero.
        self.assertLessEqual(max(errors_at(r, "B0", self.EXACT)), 1e-5)
        for crank in ("B1", "B2"):
            shift = r.point(crank)[0] - r.point("B0")[0]
            np.testing.assert_allclose(r.point(crank) - r.point("B0"), [shift] * len(r.time),
                                       rtol=0, atol=1e-9)
        self.assertLessEqual(abs(r["energy/balance"]).max(), 1e-6 * r["energy/kinetic"].max())

    def test_the_error_tends_to_zero_through_the_singular_poses(self):
        def steps(frequency_limit):
            return lambda case: method(case, frequency_limit=frequency_limit)

        errors = [max(errors_at(run("benchmarks/four_bars.json", steps(limit)), "B0", self.EXACT))
                  for limit in (0.02, 0.005)]
        self.assertLessEqual(errors[0], 1e-6)
        self.assertLessEqual(errors[1], 1e-8)

    def test_bars_that_are_off_by_rounding_pass_too(self):
        # Turned and scaled, the bars differ by 1e-16 of their length: close to the flat pose such a
        # linkage does move otherwise, and it must not matter.
        turn, size = 0.3, 0.7
        c, s = size * np.cos(turn), size * np.sin(turn)

        def turned(xy):
            return [float(c * xy[0] - s * xy[1]), float(s * xy[0] + c * xy[1])]

        def change(case):
            case["gravity"] = turned(case["gravity"])
            for name, at in case["points"].items():
                case["points"][name] = turned(at)
            for body in case["bodies"].values():
                body["center"] = turned(body["center"])
                body["inertia"] *= size * size
            for name, v in case["initial"]["velocity"].items():
                case["initial"]["velocity"][name] = turned(v)

        r = run("benchmarks/four_bars.json", change)
        exact = {t: turned(xy) for t, xy in self.EXACT.items()}
        self.assertLessEqual(max(errors_at(r, "B0", exact)), 1e-5)

    def test_a_stop_says_that_no_motion_goes_on(self):
        # The pin of a stretched arm is moved on: beyond its reach there is nothing.
        def change(case):
            case["laws"] = {"away": {"kind": "smooth", "points": [[0, 0], [1, 3]]}}
            del case["bodies"]["crank1"], case["bodies"]["crank2"], case["bodies"]["coupler1"]
            for name in ("A1", "A2", "B2"):
                del case["points"][name]
            case["hinges"] = {"B0": case["hinges"]["B0"]}
            case["supports"] = {"A0": {"fix": ["x", "y"]},
                                "B1": {"x": "away", "y": 0}}
            case["initial"] = {}

        with self.assertRaisesRegex(AssertionError, "singular pose of the constraints"):
            run("benchmarks/four_bars.json", change)

    def test_elastic_bars_tend_to_rigid_ones(self):
        errors = []
        for stiffness in (1e5, 1e6, 1e7):
            def change(case):
                case["sections"]["bar"].update(EA=stiffness, EI=stiffness / 100,
                                               GAs=0.3 * stiffness)

            r = run("benchmarks/four_bars_rods.json", change)
            errors += errors_at(r, "B0", {1: self.EXACT[1]})
            self.assertLessEqual(abs(r["energy/balance"]).max(), 1e-5 * r["energy/kinetic"].max())
        self.assertLess(errors[1], errors[0] / 2.5)
        self.assertLess(errors[2], errors[1] / 2.5)
        self.assertLessEqual(errors[2], 1e-4)


class LatchingHinge(unittest.TestCase):
    EXACT = {"instant": np.pi / 3, "rate": 2.7206990464, "loss": 3.7011016504}

    def test_instant_and_loss(self):
        # 7e-8 s and 9e-7 J are the integrator's error; its order and limit: Latch.* in C++.
        r = run("benchmarks/latching_hinge.json")
        (instant, name, _), = r.events()
        self.assertEqual(name, b"hinge")
        self.assertLessEqual(abs(instant - self.EXACT["instant"]), 3e-7)
        self.assertLessEqual(abs(r["energy/dissipated"][-1] - self.EXACT["loss"]), 4e-6)
        self.assertLessEqual(abs(r["hinges/hinge/rate"][r.row(1.1):]).max(), 1e-14)


if __name__ == "__main__":
    unittest.main()
