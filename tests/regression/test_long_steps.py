"""Generalized-alpha: long steps against references, exact solutions and the short steps of the other
integrator."""

import math
import pathlib
import tempfile
import unittest

import numpy as np

from results import edited, fem, run, write_case
from test_deployment import REFERENCE


def long_steps(case, **options):
    case["analysis"]["method"] = {"kind": "generalized_alpha", **options}


def path_error(r, reference):
    rows = [r.row(t) for t in reference["times"]]
    return max(np.abs(r.point(p)[rows] - reference["points"][p]).max() for p in "ABC")


class Deployment(unittest.TestCase):
    CASE = "three_rod_deployment_smooth.json"
    REFERENCE = REFERENCE["smooth"]

    def error(self, **options):
        r = run(self.CASE, lambda case: long_steps(case, **options))
        self.assertLessEqual(r["solver/position_violation"].max(), 1e-12)
        self.assertLessEqual(r["solver/velocity_violation"].max(), 1e-12)
        return path_error(r, self.REFERENCE), r

    def test_order_two_in_the_step(self):
        # 4.0e-4, 1.0e-4, 2.5e-5 m
        errors = [self.error(step=h)[0] for h in (2e-3, 1e-3, 5e-4)]
        for coarse, fine in zip(errors, errors[1:]):
            self.assertAlmostEqual(math.log2(coarse / fine), 2, delta=0.15)
        self.assertLessEqual(errors[-1], 3.5e-5)

    def test_errors_follow_the_tolerance(self):
        for tolerance, metres in ((1e-8, 3e-4), (3e-10, 2e-5), (5e-12, 1.2e-6)):
            error, r = self.error(tolerance=tolerance)
            self.assertLessEqual(error, metres)
            self.assertGreater(error, metres / 20)  # not by steps that are far too short
            # What they damp is no fault of the run: 5e-6 of the energy, at most.
            self.assertEqual(list(r.summary["warnings"]), [])
        # What the finest run says of moments, forces and energies.
        rows = [r.row(t) for t in self.REFERENCE["times"]]
        drives = np.column_stack([r["supports/O/moment"], r["hinges/hinge1/drive_moment"],
                                  r["hinges/hinge2/drive_moment"]])[rows]
        self.assertLessEqual(np.abs(drives - self.REFERENCE["drive_moments"]).max(), 2e-4)
        self.assertLessEqual(
            np.abs(r["energy/strain"][rows] - self.REFERENCE["strain_energy"]).max(), 1e-5)
        self.assertLessEqual(np.abs(r["energy/balance"]).max(), 1e-6 * r.energy().max())

    def test_section_forces_between_the_steps(self):
        # Stiff directions make large forces of small errors. Rows of the results fall on ends of
        # steps of 2 ms and lie within those of 2.1 ms: the errors are of the same size.
        _, fine = self.error(tolerance=1e-11)
        errors = []
        for step in (2e-3, 2.1e-3):
            _, r = self.error(step=step)
            errors.append(max(np.abs(r[f] - fine[f]).max() for f in
                              (f"rods/{rod}/axial_force" for rod in ("rod1", "rod2", "rod3"))))
        self.assertLessEqual(errors[0], 0.05)  # of 2.2 N; the last waves are coarsely resolved
        self.assertLessEqual(errors[1], 1.3 * errors[0])


class SpinUp(unittest.TestCase):
    def test_the_published_numbers_at_default_settings(self):
        r = run("benchmarks/spin_up.json", long_steps)
        psi = np.where(r.time <= 15, 0.4 * (r.time**2 / 2
                                            + (7.5 / np.pi)**2 * (np.cos(2 * np.pi * r.time / 15) - 1)),
                       6 * r.time - 45)
        x, y = r.point("A").T
        u = np.column_stack([x * np.cos(psi) + y * np.sin(psi) - 10,
                             y * np.cos(psi) - x * np.sin(psi)])
        for t, along, across in ((5, -1.2655e-2, -0.46848), (7.5, -1.7743e-2, -0.55908),
                                 (10, -7.072e-3, -0.36281)):
            np.testing.assert_allclose(u[r.row(t)], [along, across], rtol=0, atol=1e-4)
        late = r.time >= 15
        self.assertLessEqual(abs(u[late, 0].mean() - 5.140e-4), 1e-6)
        self.assertLessEqual(abs(u[late, 1]).max(), 3.8e-3)


class FlyingSpaghetti(unittest.TestCase):
    def test_free_flight_at_default_settings(self):
        r = run("benchmarks/flying_spaghetti.json", long_steps)
        free = r.time >= 2.5
        t = r.time[free]
        path = np.column_stack([5.5 + 2 * (t - 2.5), np.full(t.size, 4.0)])
        np.testing.assert_allclose(r["momentum/linear"][free, :2], np.tile([20, 0], (t.size, 1)),
                                   rtol=0, atol=1e-3)
        np.testing.assert_allclose(r["momentum/center"][free, :2], path, rtol=0, atol=1e-3)
        energy = r.energy()[free]
        self.assertLessEqual(energy.max() - energy[0], 1e-3 * energy[0])  # it never grows
        other = run("benchmarks/flying_spaghetti.json")
        np.testing.assert_allclose(r.point("tip"), other.point("tip"), rtol=0, atol=5e-3)


class OtherCases(unittest.TestCase):
    """Both integrators tell the same of hinges, bodies, springs, loads, closed loops and memory."""

    CASES = ("benchmarks/hinge_spring_damper.json", "benchmarks/latching_hinge.json",
             "benchmarks/pendulum.json", "benchmarks/double_pendulum.json",
             "benchmarks/compound_pendulum.json", "benchmarks/four_bars_rods.json",
             "frames/turning_pendulum.json", "constraints/parabola.json",
             "hereditary/double_pendulum_elbow.json", "hereditary/pendulum_rzhanitsyn.json",
             "hereditary/two_masses_in_space.json")

    def test_points_move_as_with_short_steps(self):
        for name in self.CASES:
            with self.subTest(name):
                short = run(name)
                long = run(name, lambda case: long_steps(case, tolerance=1e-11))
                scale = np.ptp(short["points/position"], axis=(0, 1)).max()
                np.testing.assert_allclose(long["points/position"], short["points/position"],
                                           rtol=0, atol=1e-4 * scale)
                self.assertEqual([e[1:] for e in long.events()], [e[1:] for e in short.events()])
                np.testing.assert_allclose([e[0] for e in long.events()],
                                           [e[0] for e in short.events()], rtol=0, atol=1e-6)

    def test_constraints_of_velocities_are_refused(self):
        case = edited("constraints/chaplygin_sleigh.json", long_steps)
        with tempfile.TemporaryDirectory() as folder:
            result = fem("run", write_case(folder, case), "-o", pathlib.Path(folder) / "out.h5")
        self.assertEqual(result.returncode, 2)
        self.assertIn("/analysis/method/kind", result.stderr)
        self.assertIn('use "arc_length"', result.stderr)


if __name__ == "__main__":
    unittest.main()
