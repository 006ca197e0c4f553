"""What a motion keeps: momentum and energy of free structures, the work of every kind of load."""

import unittest

import numpy as np

from results import edited, method, run, statics


def work(t, power):
    """Integral of the power up to every second row, by Simpson's rule."""
    h = t[2::2] - t[:-2:2]
    return np.concatenate([[0], np.cumsum(h / 6 * (power[:-2:2] + 4 * power[1:-1:2] + power[2::2]))])


def drift(values):
    """Largest change against the first row, relative to the first row."""
    values = values.reshape(len(values), -1)
    return np.linalg.norm(values - values[0], axis=1).max() / np.linalg.norm(values[0])


class FreeStructures(unittest.TestCase):
    """Nothing is supported: hub, panels on hinge springs, a particle on a spring; a frame with a
    closed loop. Momentum is kept by the equations; the integrator, of order 2, keeps it to its own
    error, which falls with the square of the step."""

    def small_steps(self, case, limit, end):
        method(case, frequency_limit=limit, reference_time=0.1)
        case["analysis"].update(end=end, output={"every": end / 20})

    def test_momentum_over_a_hundred_thousand_steps(self):
        for name, end in (("free_floating.json", 0.1), ("tumbling_frame.json", 0.3)):
            r = run(name, lambda case: self.small_steps(case, 0.02, end))
            self.assertGreaterEqual(r.summary["steps"], 100000)
            self.assertLessEqual(drift(r["momentum/linear"]), 1e-10)
            self.assertLessEqual(drift(r["momentum/angular"]), 1e-10)

    def test_momentum_through_a_latch(self):
        for latch in ({"angle": 1.573}, {"angle": 1.573, "spring": {"stiffness": 100}}):
            def change(case):
                self.small_steps(case, 0.02, 0.1)
                case["hinges"]["hinge_l"]["latch"] = latch

            r = run("free_floating.json", change)
            self.assertEqual([name for _, name, what in r.events() if b"latched" in what],
                             [b"hinge_l"])
            self.assertGreaterEqual(r.summary["steps"], 100000)
            self.assertLessEqual(drift(r["momentum/linear"]), 1e-10)
            self.assertLessEqual(drift(r["momentum/angular"]), 1e-10)

    def test_momentum_error_is_of_order_two(self):
        for name, end in (("free_floating.json", 0.1), ("tumbling_frame.json", 0.2)):
            drifts = []
            for limit in (0.4, 0.2, 0.1):
                r = run(name, lambda case: self.small_steps(case, limit, end))
                drifts.append([drift(r["momentum/linear"]), drift(r["momentum/angular"])])
            ratios = np.divide(drifts[:-1], drifts[1:])
            np.testing.assert_allclose(ratios, 4, rtol=0.1)

    def test_the_cases(self):
        for name in ("free_floating.json", "tumbling_frame.json"):
            r = run(name)
            self.assertLessEqual(drift(r["momentum/linear"]), 2e-5)
            self.assertLessEqual(drift(r["momentum/angular"]), 2e-5)
            # The centre of mass goes straight.
            start, velocity = r["momentum/center"][0], np.diff(r["momentum/center"][:2], axis=0)
            path = start + velocity * (r.time / r.time[1])[:, None]
            travelled = np.linalg.norm(path[-1] - start)
            self.assertLessEqual(abs(r["momentum/center"] - path).max(), 1e-4 * travelled)
            self.assertLessEqual(abs(r["energy/balance"]).max(), 1e-4 * r.energy().max())


class Loads(unittest.TestCase):
    """Works of loads by hand, from what moves: tests of the loads and of the energy ledger."""

    CASE = "loads.json"

    def run_alone(self, *loads, gravity=(0, 0), **options):
        def change(case):
            method(case, **options)
            case["loads"] = {name: case["loads"][name] for name in loads}
            case["gravity"] = gravity
            case["analysis"].update(end=1, output={"every": 1e-4})

        return run(self.CASE, change)

    def assert_work(self, r, expected, rows, relative):
        np.testing.assert_allclose(r["energy/external_work"][rows], expected, rtol=0,
                                   atol=relative * abs(expected).max())
        self.assertGreater(abs(expected).max(), 0.1)
        # A jump of the load excites all waves of the mesh: what the integrator makes of them.
        self.assertLessEqual(abs(r["energy/balance"]).max(), 5e-5 * abs(expected).max())

    def test_all_together(self):
        r = run(self.CASE)
        self.assertLessEqual(abs(r["energy/balance"]).max(), 3e-5 * r["energy/kinetic"].max())

    def test_a_follower_force(self):
        r = self.run_alone("thruster")
        thrust = np.interp(r.time, [0, 0.2], [0, 40])
        angle, v = r["rods/mast/angle"][:, -1, 1], r.point("top", "velocity")
        along_section_y = np.cos(angle) * v[:, 1] - np.sin(angle) * v[:, 0]
        self.assert_work(r, work(r.time, thrust * along_section_y), slice(None, None, 2), 1e-5)

    def test_a_dead_force_that_turns_by_its_law(self):
        r = self.run_alone("unbalance")
        v = r.point("top", "velocity")
        power = 5 * (np.cos(25 * r.time) * v[:, 0] + np.sin(25 * r.time) * v[:, 1])
        self.assert_work(r, work(r.time, power), slice(None, None, 2), 1e-5)

    def test_a_moment_that_is_switched(self):
        r = self.run_alone("motor")
        angle = r["rods/mast/angle"][:, -1, 1]
        on, back = angle[r.row(0.3)], angle[r.row(0.9)]
        expected = np.select([r.time <= 0.3, r.time <= 0.9],
                             [0 * angle, 60 * (angle - on)], 60 * (back - on) - 30 * (angle - back))
        self.assert_work(r, expected, slice(None), 1e-5)

    def test_weight_is_a_load_along_the_rod(self):
        mass = 2800 * np.pi / 4 * (0.05**2 - 0.046**2)
        pull = [3.0, -7.0]
        # The same steps for both, whatever their ledgers say.
        heavy = self.run_alone(gravity=pull, frequency_limit=1)

        def change(case):
            method(case, frequency_limit=1)
            load = [mass * g for g in pull]
            case["loads"] = {"weight": {"on": "mast", "force": [load, load]}}
            case["gravity"] = [0, 0]
            case["analysis"].update(end=1, output={"every": 1e-4})

        loaded = run(self.CASE, change)
        moved = abs(heavy.point("top") - heavy.point("top")[0]).max()
        self.assertGreater(moved, 0.02)
        np.testing.assert_allclose(loaded.point("top"), heavy.point("top"), rtol=0,
                                   atol=1e-7 * moved)
        gained = heavy["energy/gravity"][0] - heavy["energy/gravity"]
        np.testing.assert_allclose(loaded["energy/external_work"], gained, rtol=0,
                                   atol=1e-6 * gained.max())

    def test_linear_loads_along_a_rod_bend_it_as_in_books(self):
        # A cantilever of three elements under q0 + q1 x and m0 + m1 x; the deflections are so small
        # that squares of angles (1e-5) stay below the tolerance.
        length, bending, shear = 2.0, 60.0, 2.8e4
        q0, q1, m0, m1 = 1e-3, 2e-3, -5e-4, 1e-3

        def change(case):
            case.update(gravity=[0, 0], laws={}, points={"clamp": [0, 0], "top": [length, 0]})
            case["sections"]["tube"] = {"EA": 7e6, "EI": bending, "GAs": shear,
                                        "mass_per_length": 1, "inertia_per_length": 1e-3}
            case["rods"]["mast"]["elements"] = 3
            case["loads"] = {"q": {"on": "mast", "force": [[0, q0], [0, q0 + q1 * length]],
                                   "moment": [m0, m0 + m1 * length]}}

        r = statics(edited(self.CASE, change))
        x, h = np.linspace(0, length, 4001, retstep=True)

        def integral(y):
            return np.concatenate([[0], np.cumsum((y[1:] + y[:-1]) / 2) * h])

        def from_the_end(y):
            return integral(y)[-1] - integral(y)

        force = from_the_end(q0 + q1 * x)
        moment = from_the_end(force) + from_the_end(m0 + m1 * x)
        slope = integral(moment) / bending
        deflection = integral(slope + force / shear)
        self.assertLessEqual(abs(r["rods/mast/angle"][-1, -1, 1] - slope[-1]), 1e-6 * slope[-1])
        self.assertLessEqual(abs(r.point("top")[-1, 1] - deflection[-1]), 1e-6 * deflection[-1])


if __name__ == "__main__":
    unittest.main()
