"""Constraints of a case: of rates (knife edges), of positions, linear ones; redundant ones."""

import tempfile
import unittest

import numpy as np

from results import edited, fem, method, run, write_case


def tight(case, **more):
    method(case, local_tolerance=1e-12, iteration_tolerance=1e-14, **more)


def steps(limit, **more):
    return lambda case: tight(case, frequency_limit=limit, **more)


def converges(test, case, measure, bound, limits=(0.02, 0.01), **more):
    """The error with small steps is within its bound, and of order 2; 1e-8 with tight ones."""
    errors = [measure(run(case, steps(limit, **more))) for limit in limits]
    test.assertLessEqual(errors[0], bound)
    test.assertLessEqual(errors[1], 0.4 * errors[0])
    test.assertLessEqual(measure(run(case, steps(5e-4))), 1e-8)


class Osinski(unittest.TestCase):
    @staticmethod
    def angle(r):
        x, y = (r.point("2") - r.point("1")).T
        return np.unwrap(np.arctan2(y, x))

    def test_dumbbell(self):
        # Independent values (16-th order extrapolation in extended precision), 1e-13.
        expected = {0.25: ((0.20394304490221632, -0.18645524888014559), 0.6213318719472211),
                    1.0: ((0.9493074347948476, -0.5880835018409475), 1.6640121774522159),
                    5.0: ((4.66399512195786, -1.1070624740810553), 3.0077558154251673)}
        errors = []
        for limit in (5e-4, 0.02, 0.01):
            r = run("constraints/osinski_dumbbell.json", steps(limit))
            angle = self.angle(r)
            errors.append(max(max(np.abs(r.point("1")[r.row(t)] - xy).max(),
                                  abs(angle[r.row(t)] - phi))
                              for t, (xy, phi) in expected.items()))
        self.assertLessEqual(errors[0], 1e-8)
        self.assertLessEqual(errors[1], 1e-6)
        self.assertLessEqual(errors[2], 0.27 * errors[1])  # order 2
        self.assertLessEqual(r["constraints/edge/violation"].max(), 1e-14)
        # Nothing works on it. Velocities that were integrated apart from the edge's left 7e-9.
        kinetic = r["energy/kinetic"]
        self.assertLessEqual(abs(kinetic - kinetic[0]).max(), 1e-9)

    def test_reaction_of_the_edge(self):
        # N = m2 v w along the normal; the multiplier's function is the velocity across the edge.
        r = run("constraints/osinski_dumbbell.json", steps(0.02))
        angle = self.angle(r)
        vx, vy = r.point("2", "velocity").T
        v = vx * np.cos(angle) + vy * np.sin(angle)
        (ux, uy), (x, y) = ((r.point("2", what) - r.point("1", what)).T
                            for what in ("velocity", "position"))
        rate = (x * uy - y * ux) / 0.64
        np.testing.assert_allclose(r["constraints/edge/multiplier"], 0.9 * v * rate, rtol=0,
                                   atol=1e-9)

    def test_sledge(self):
        # m V' = F cos(v - phi), J phi'' = M: the angle exactly, the place by quadrature.
        expected = {0.25: (0.1374912004004435, 0.03411262955178816, -0.7199123837177107),
                    2.0: (2.618805750647077, 2.3739908786053925, 5.414095313203175),
                    5.0: (-3.491870598518758, 9.138644844173731, 7.273957303522689)}
        for limit, bound in ((5e-4, 1e-8), (0.01, 1e-6)):
            r = run("constraints/osinski_sledge.json", steps(limit))
            for t, (x, y, reaction) in expected.items():
                np.testing.assert_allclose(r.point("C")[r.row(t)], [x, y], rtol=0, atol=bound)
                self.assertAlmostEqual(r["constraints/edge/multiplier"][r.row(t)], reaction,
                                       delta=bound)
        t = r.time
        np.testing.assert_allclose(r["bodies/sledge/angle"] + 0.2,
                                   0.2 + 0.3 * t + 0.5 * t * t / 6, rtol=0, atol=1e-8)


class ChaplyginSleigh(unittest.TestCase):
    K = np.sqrt(2)

    def test_closed_form(self):
        def measure(r):
            angle = r["bodies/sleigh/angle"]
            vx, vy = r.point("C", "velocity").T
            v = vx * np.cos(angle) + vy * np.sin(angle)
            gudermann = 2 * np.arctan(np.tanh(r.time / self.K / 2))
            return max(abs(r["bodies/sleigh/rate"] - 1 / np.cosh(r.time / self.K)).max(),
                       abs(v - self.K * np.tanh(r.time / self.K)).max(),
                       abs(angle - self.K * gudermann).max())

        converges(self, "constraints/chaplygin_sleigh.json", measure, 2e-7)


class Holonomic(unittest.TestCase):
    def test_rolling_wheel(self):
        slope = np.array([np.cos(0.3), -np.sin(0.3)])
        acceleration = 2 / 3 * 9.81 * np.sin(0.3)

        def measure(r):
            way = acceleration * r.time**2 / 2
            np.testing.assert_allclose(r["bodies/wheel/angle"], -r.point("C") @ slope / 0.25,
                                       rtol=0, atol=1e-13)
            # The pair of rows (across, along): the multiplier is that of the normal force.
            np.testing.assert_allclose(r["constraints/ground/multiplier"],
                                       2 * 9.81 * np.cos(0.3), rtol=0, atol=1e-9)
            return abs(r.point("C") - np.outer(way, slope)).max()

        # A constant acceleration is exact in time: only where the arc bends is there an error.
        exact = run("constraints/rolling_wheel.json", steps(0.02))
        self.assertLessEqual(measure(exact), 1e-10)
        converges(self, "constraints/rolling_wheel.json", measure, 2e-7, reference_time=2)

    def test_bead_on_a_parabola(self):
        def measure(r):
            x, y = r.point("P").T
            speed = (r.point("P", "velocity")**2).sum(axis=1)
            np.testing.assert_allclose(y, x**2, rtol=0, atol=1e-14)
            self.assertLess(x.min(), -0.99)
            # y'' = 2x'^2 + 2x x'': the wire's force along its gradient holds the bead.
            ax, ay = r["points/acceleration"][:, 0, :2].T
            force = r["constraints/wire/multiplier"]
            np.testing.assert_allclose(ax, -2 * x * force, rtol=0, atol=1e-10)
            np.testing.assert_allclose(ay, force - 9.81, rtol=0, atol=1e-10)
            return abs(speed - 2 * 9.81 * (1 - y)).max()

        converges(self, "constraints/parabola.json", measure, 1e-5)

    def test_synchronized_hinges(self):
        def measure(r):
            root = r["hinges/root/angle"]
            np.testing.assert_allclose(r["hinges/first/angle"], -2 * root, rtol=0, atol=1e-12)
            np.testing.assert_allclose(r["hinges/second/angle"], 2 * root, rtol=0, atol=1e-12)
            return abs(r["energy/balance"]).max()

        # With 0.02 the local tolerance shortens some steps.
        converges(self, "constraints/synchronized_panels.json", measure, 1e-7, (0.01, 0.005))

    def test_redundant_constraint_is_named_and_dropped(self):
        def measure(r):
            x, y = r.point("M").T
            np.testing.assert_allclose(np.hypot(x, y), 1, rtol=0, atol=1e-12)
            # One degree of freedom: the middle on the unit circle, J = 2/3 about it.
            sine = y / np.hypot(x, y)
            vx, vy = r.point("M", "velocity").T
            return abs(vx**2 + vy**2 - 2 * 2 * 9.81 * (sine[0] - sine) / (2 + 2 / 3)).max()

        converges(self, "constraints/scott_russell.json", measure, 2e-7)
        with tempfile.TemporaryDirectory() as folder:
            result = fem("check", write_case(folder, edited("constraints/scott_russell.json")))
        self.assertRegex(result.stdout, "constraint 'crank' .* follows from .*'floor'.*'wall'")

    def test_expressions_hold(self):
        r = run("constraints/expressions.json")
        x, y = r.point("P").T
        np.testing.assert_allclose(np.hypot(x / 2, y), 1 + 0.1 * np.sin(r.time), rtol=0, atol=1e-13)
        u, v = r.point("P").T - r.point("Q").T
        vx, vy = r.point("Q", "velocity").T
        np.testing.assert_allclose(u * vy - v * vx, 0, rtol=0, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
