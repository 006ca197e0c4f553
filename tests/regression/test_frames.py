"""Moving frames: closed forms, independent values, and motions that must not know the frame."""

import tempfile
import unittest

import numpy as np

from results import compute, edited, fem, load_case, method, run, write_case


def steps(limit):
    return lambda case: method(case, local_tolerance=1e-10, iteration_tolerance=1e-14,
                               frequency_limit=limit)


class References(unittest.TestCase):
    """Mušicki 2002: closed forms, or extrapolation of order 16 in extended precision (1e-13)."""

    def converges(self, name, measure, bound):
        errors = [measure(run(f"frames/{name}.json", steps(limit)))
                  for limit in (0.01, 0.005, 5e-4)]
        self.assertLessEqual(errors[0], bound)
        self.assertLessEqual(errors[1], 0.3 * errors[0])  # order 2
        self.assertLessEqual(errors[2], 1e-8)

    def test_sliding_line(self):
        a, w, speed, m, g = 0.6, 1.9, 0.7, 0.8, 9.81
        k = w * np.cos(a)

        def measure(r):
            t = r.time
            rest = g * np.sin(a) / k**2
            first, second = 2.0 - rest, (3.0 - speed / np.cos(a)) / k
            swing = first * np.cosh(k * t) + second * np.sinh(k * t)
            place = swing + speed / np.cos(a) * t + rest
            reaction = m * g * np.tan(a) + m * np.sin(a)**2 * np.cos(a) * w**2 * swing
            potential = -speed * (m * g * np.tan(a) * t + m * np.sin(a)**2 * np.cos(a) * w**2 / k *
                                  (first * np.sinh(k * t) + second * (np.cosh(k * t) - 1)))
            np.testing.assert_allclose(r["laws/slide/power"], speed * r["laws/slide/reaction"],
                                       rtol=1e-14)
            extended = r["rheonomic/extended_energy"]
            return max(abs(r.point("P")[:, 1] - (speed * t - place * np.cos(a))).max() / 17,
                       abs(r["laws/slide/reaction"] - reaction).max() / 15,
                       abs(r["laws/slide/potential"] - potential).max() / 11,
                       abs(extended - 7.337575234431582).max() / 224)

        self.converges("sliding_line", measure, 1e-6)

    def test_free_particle(self):
        def measure(r):
            t = r.time
            turn = 0.8 * t + 0.15 * t**2
            pole = np.array([0.25 * t**2, 0.2 * np.sin(t)])
            velocity = np.array([0.1 - 0.8 * 0.5, 0.2 - 0.2 + 0.8 * 1])
            x, y = np.array([[1], [0.5]]) + velocity[:, None] * t - pole
            expected = np.array([np.cos(turn) * x + np.sin(turn) * y,
                                 np.cos(turn) * y - np.sin(turn) * x]).T
            self.assertLessEqual(np.ptp(r["momentum/linear"], axis=0).max(), 1e-5)
            # Whatever the frame does: Mušicki (6.5), corrected.
            self.assertLessEqual(np.ptp(r["rheonomic/extended_energy"]), 2e-5)
            return abs(r.point("P") - expected).max()

        self.converges("free_particle", measure, 1e-6)

    def test_turning_pendulum(self):
        expected = {0.5: (0.3872834290350413, -1.9149444915505767),
                    2.0: (0.012942638663547444, 0.07742112021274605),
                    10.0: (0.36187388951317007, 1.835892396177964)}

        def measure(r):
            x, z = r["points/position"][:, r.names.index("P")][:, (0, 2)].T
            theta = np.arctan2(x, -z)
            self.assertEqual(list(r.summary["warnings"]), [])  # the pivot is there for the thread
            torque = r["laws/turn/reaction"]
            np.testing.assert_allclose(torque, r["constraints/plane/multiplier"] * x, rtol=0,
                                       atol=1e-12)
            off = [max(abs(theta[r.row(t)] - q), abs(torque[r.row(t)] - m) / 2)
                   for t, (q, m) in expected.items()]
            energy = abs(r["rheonomic/extended_energy"] + 4.917620442670344).max() / 5
            return max(*off, energy)

        self.converges("turning_pendulum", measure, 1e-5)


class Indifference(unittest.TestCase):
    """A deployment seen from an accelerated, turning frame is the same deployment."""

    TURN = (0.03, 0.002)  # psi = 0.03 t^2 + 0.002 t^3
    ALONG = (0.02, -0.001)
    ACROSS = (-0.03, 0.003)

    @staticmethod
    def cubic(c, sign=1):
        return {"kind": "polynomial", "coefficients": [0, 0, sign * c[0], sign * c[1]]}

    def in_frame(self, case):
        case["frame"] = {"origin": ["along", "across"], "angle": "turn"}
        laws = case["laws"]
        laws.update(along=self.cubic(self.ALONG), across=self.cubic(self.ACROSS),
                    turn=self.cubic(self.TURN))
        laws["seen"] = {"kind": "sum", "terms": [laws.pop("root"), self.cubic(self.TURN, -1)]}
        case["supports"] = {"O": {"angle": "seen"}}
        case["constraints"] = {
            "x": {"kind": "expression", "position": "x_O + cos(turn)*along + sin(turn)*across"},
            "y": {"kind": "expression", "position": "y_O - sin(turn)*along + cos(turn)*across"}}

    def test_deployment(self):
        def short(case):
            case["analysis"].update(end=7, output={"every": 0.5})
            method(case, local_tolerance=1e-9)
            case["gravity"] = [0.3, -0.8]
            case["loads"] = {"tip": {"at": "C", "force": [0.2, 0.4]},
                             "wind": {"on": "rod2", "force": [[0, 0.3], [0.1, 0]]}}

        def framed(case):
            short(case)
            self.in_frame(case)

        here = run("three_rod_deployment_smooth.json", short)
        there = run("three_rod_deployment_smooth.json", framed)
        psi = there["frame/angle"][:, None]
        origin = there["frame/origin"]
        x, y = there["points/position"][:, :, 0], there["points/position"][:, :, 1]
        back = np.stack([origin[:, :1] + np.cos(psi) * x - np.sin(psi) * y,
                         origin[:, 1:2] + np.sin(psi) * x + np.cos(psi) * y], axis=2)
        off = abs(back - here["points/position"][:, :, :2]).max()
        self.assertLessEqual(off, 2e-6)  # of 6 m; each run is within 1e-6 of the exact motion
        for quantity in ("kinetic", "strain", "gravity", "external_work", "rheonomic_work"):
            np.testing.assert_allclose(there["energy/" + quantity], here["energy/" + quantity],
                                       rtol=0, atol=1e-5, err_msg=quantity)
        np.testing.assert_allclose(there["momentum/linear"], here["momentum/linear"], rtol=0,
                                   atol=1e-5)
        np.testing.assert_allclose(there["hinges/hinge1/drive_moment"],
                                   here["hinges/hinge1/drive_moment"], rtol=0, atol=2e-4)


class AtRest(unittest.TestCase):
    # Inextensible Euler-Bernoulli beam in a plane frame, seven digits: rate, frequencies.
    CANTILEVER = {0: (3.516015, 22.034492, 61.697214), 1: (3.543236, 22.158458, 61.833677),
                  3: (3.743512, 23.126493, 62.913481)}

    @staticmethod
    def blade(rate, **more):
        def change(case):
            case["laws"]["turn"]["points"][1][1] = 10 * rate
            case["sections"]["blade"].update(more)
        return change

    def test_rotating_cantilever(self):
        for rate, expected in self.CANTILEVER.items():
            def fine(case, rate=rate):
                self.blade(rate, EA=1e9, GAs=1e9)(case)
                case["rods"]["blade"]["elements"] = 60
            modes = compute("modes", edited("frames/rotating_cantilever.json", fine))
            np.testing.assert_allclose(2 * np.pi * modes["modes/frequency"], expected, rtol=3e-7)

    def test_spinning_bar_stretches(self):
        # u(L) = tan(kL)/k - L, k = w sqrt(m/EA): the load follows the stretched bar.
        def soft(case):
            self.blade(3, EA=90.0, GAs=1e7)(case)
            case["rods"]["blade"]["elements"] = 40
        r = compute("statics", edited("frames/rotating_cantilever.json", soft))
        k = 3 / np.sqrt(90.0)
        self.assertLessEqual(abs(r.point("tip")[-1, 0] - np.tan(k) / k), 2e-5 * (np.tan(k) / k - 1))
        self.assertLessEqual(abs(r["energy/balance"]).max(), 1e-8 * r.summary["largest_energy"])

    def test_pendulum_stands_off_where_it_turns_fast(self):
        # cos(theta) = g/(w^2 L): a bead on a thread in a turning plane leaves the vertical.
        case = load_case("frames/turning_pendulum.json")
        case["laws"]["turn"]["points"][1][1] = 500
        del case["particles"]["bob"]["velocity"]
        case["analysis"] = {"statics": {"time": 5}}
        r = compute("statics", case)
        x, _, z = r["points/position"][-1, r.names.index("P")]
        self.assertAlmostEqual(np.arctan2(x, -z), np.arccos(9.81 / (25 * 0.9)), delta=1e-9)

    def test_whirling_particle(self):
        # Springs of equal stiffness across a turning frame: s = +-i (w0 +- w).
        case = {"libfem": 1, "frame": {"angle": "turn"},
                "laws": {"turn": {"kind": "linear", "points": [[0, 0], [10, 20]]}},
                "points": {"O": [0, 0], "P": [0, 0]},
                "particles": {"p": {"at": "P", "mass": 1}},
                "springs": {"s": {"between": ["O", "P"], "stiffness": 25, "length": 0}},
                "analysis": {"statics": {"time": 5}, "modes": {"count": 2, "about": "statics"}}}
        modes = compute("modes", case)
        np.testing.assert_allclose(2 * np.pi * modes["modes/frequency"], [3, 7], rtol=1e-12)


class Refused(unittest.TestCase):
    def expect(self, change, command, *words):
        case = edited("frames/rotating_cantilever.json", change)
        with tempfile.TemporaryDirectory() as folder:
            result = fem(command, write_case(folder, case))
        self.assertEqual(result.returncode, 2, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_frames(self):
        def euler(case):
            case["laws"]["turn"] = {"kind": "polynomial", "coefficients": [0, 0, 1]}
        self.expect(euler, "statics", "/frame/angle", "rate changes")

        def jumps(case):
            case["laws"]["turn"] = {"kind": "steps", "points": [[0, 0], [1, 1]]}
        self.expect(jumps, "check", "/frame/angle", "jumps")

        def empty(case):
            case["frame"] = {}
        self.expect(empty, "check", "/frame", "does not move")

        def unknown(case):
            case["frame"]["angle"] = "turm"
        self.expect(unknown, "check", "/frame/angle", "turn")

        def rod_in_space(case):
            case["points"]["tip"] = [1, 0, 0]
        self.expect(rod_in_space, "check", "/rods/blade/to", "in space")


if __name__ == "__main__":
    unittest.main()
