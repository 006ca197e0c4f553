"""Every case of cases/features keeps its own invariant: what its comment says is expected.

Tolerances follow from what is left out: the deflection that moves a lever, the quadrature between
output times, the integrator's error (the ledger's balance is a measure of it), the tolerance of
statics (forces to 1e-9 of the largest, or to what rounding leaves of the stiffest element).
"""

import pathlib
import sys
import tempfile
import unittest

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "driver"), str(HERE.parents[1] / "postproc")]

from support import CASES, fem  # noqa: E402

from fem_post.case_text import parse_case  # noqa: E402
from fem_post.results import Results  # noqa: E402
from fem_post.sections import section_states  # noqa: E402

G = 9.81


def integral(time, values):
    """[n]: cumulative, Simpson's rule on equal steps at even rows; odd rows by the trapezoid."""
    values = np.asarray(values)
    step = time[1] - time[0]
    pieces = step / 3 * (values[:-2:2] + 4 * values[1:-1:2] + values[2::2])
    return np.concatenate([[0.0], np.cumsum(pieces)])


class Features(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def solve(self, name, command):
        """The results file of a case of cases/features; it closes at the end of the test."""
        out = self.folder / f"{name}.h5"
        done = fem(command, CASES / "features" / f"{name}.json", "-o", out, "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""), name)
        file = h5py.File(out, "r")
        self.addCleanup(file.close)
        self.assertEqual(file.attrs["status"], "complete")
        return file

    def sections(self, name, rod, shares, rows=(-1,)):
        with Results(self.folder / f"{name}.h5") as results:
            rows = [r % results.rows for r in rows]
            return section_states(results, rod, np.array(shares) * results.rods[rod].length, rows)

    @staticmethod
    def point(file, name, quantity="position"):
        names = [n.decode() for n in file["points/names"][:]]
        return file[f"points/{quantity}"][:, names.index(name), :2]

    def close(self, found, expected, tolerance, words=""):
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance, err_msg=words)

    # Sections and rods

    def test_section_shapes(self):
        f = self.solve("section_shapes", "statics")
        modulus, nu, density = 7e10, 0.33, 2700
        circle = 6 * (1 + nu) / (7 + 6 * nu)
        m = 0.026 / 0.03
        tube = (6 * (1 + nu) * (1 + m * m) ** 2
                / ((7 + 6 * nu) * (1 + m * m) ** 2 + (20 + 12 * nu) * m * m))
        shapes = {  # area, second moment, shear coefficient (Cowper), height
            "rectangle": (0.04 * 0.02, 0.04 * 0.02 ** 3 / 12, 10 * (1 + nu) / (12 + 11 * nu), 0.02),
            "circle": (np.pi / 4 * 0.03 ** 2, np.pi / 64 * 0.03 ** 4, circle, 0.03),
            "tube": (np.pi / 4 * (0.03 ** 2 - 0.026 ** 2), np.pi / 64 * (0.03 ** 4 - 0.026 ** 4),
                     tube, 0.03),
            "box": (0.03 * 0.05 - 0.026 * 0.046, (0.03 * 0.05 ** 3 - 0.026 * 0.046 ** 3) / 12,
                    None, 0.05),
        }
        for name, (area, inertia, kappa, height) in shapes.items():
            s = f[f"sections/{name}"].attrs
            for key, value in (("EA", modulus * area), ("EI", modulus * inertia),
                               ("mass_per_length", density * area), ("height", height),
                               ("inertia_per_length", density * inertia), ("E", modulus)):
                self.assertAlmostEqual(s[key] / value, 1, delta=1e-12, msg=f"{name} {key}")
            if kappa:
                shear = kappa * modulus / (2 * (1 + nu)) * area
                self.assertAlmostEqual(s["GAs"] / shear, 1, delta=1e-12)
            tip = self.point(f, f"{name[0]}1") - self.point(f, f"{name[0]}1")[0]
            sag = 10 / (3 * modulus * inertia) + 10 / s["GAs"]
            # The next term of the elastica is −36/35 (sag/L)², the one after it of 4th order.
            self.close(-tip[-1, 1] / sag, 1 - 36 / 35 * sag ** 2, 10 * sag ** 4 + 1e-7, name)
            # The stress at the clamp: M h/(2I). The lever shortens by 3/5 sag²/L; the load's part
            # along the first element, P θ with θ < sag/L, adds less than θ h/(3L).
            stress = 10 * height / (2 * inertia)
            self.close(self.sections("section_shapes", name, [0]).stress_left[0, 0] / stress, 1,
                       sag ** 2 + sag * height / 3)

    def test_mass_offset(self):
        f = self.solve("mass_offset", "statics")
        weight = 2 * 1.5 * G
        force = f["supports/root/force"][-1]
        self.close(force, [weight, 0], 1e-8 * weight)
        # y_c and the tip's deflection give the lever of the weight.
        sag = abs(self.point(f, "tip")[-1, 1])
        self.assertLess(sag, 1e-3)
        # Gravity turns the tray counter-clockwise, the clamp holds it.
        self.close(f["supports/root/moment"][-1], -weight * 0.03, weight * sag)

    def test_mass_damping(self):
        f = self.solve("mass_damping", "run")
        mu, time = 0.5, f["time"][:]
        kinetic, lost = f["energy/kinetic"][:], f["energy/dissipated"][:]
        total = kinetic + f["energy/strain"][:]
        # The power taken is 2 μ T at every time.
        # Simpson's error: h⁴/180 of the fourth derivative over the time, T at twice 1.1 Hz.
        error = 0.01 ** 4 / 180 * (2 * 2 * np.pi * 1.1) ** 4 * 8 * 2 * mu * kinetic.max()
        worst = np.abs(f["energy/balance"][:]).max()
        self.close(lost[::2], integral(time, 2 * mu * kinetic), error + worst)
        # And the vibration decays with exp(−μ t), between times of the same phase; what other
        # modes hold of the energy has another phase, 1e-4 of it.
        self.decay(f, total, mu, 1e-4)

    def test_stiffness_damping(self):
        f = self.solve("stiffness_damping", "run")
        # The first frequency of the case, from its own motion.
        omega = self.decay(f, None, None, None)
        total = f["energy/kinetic"][:] + f["energy/strain"][:]
        # To (τω/2)² = 1.6e-4, by which the damped frequency differs, and its like in the mode.
        self.decay(f, total, 0.004 * omega ** 2, 5e-4)

    def decay(self, f, energy, rate, tolerance):
        """Angular frequency of the tip after the push, from its zeros; checks the energy's decay
        between them: ln E falls by `rate` a second."""
        time, tip = f["time"][:], self.point(f, "tip")[:, 1]
        zero = np.flatnonzero((time[:-1] > 1) & (tip[:-1] < 0) & (tip[1:] >= 0))
        at = time[zero] - tip[zero] * (time[zero + 1] - time[zero]) / (tip[zero + 1] - tip[zero])
        self.assertGreater(len(at), 4)
        if energy is not None:
            levels = np.interp(at, time, np.log(energy))
            found = -(levels[-1] - levels[0]) / (at[-1] - at[0])
            print(f"decay rate {found:.6g}, expected {rate:.6g}")
            self.close(found / rate, 1, tolerance)
        return 2 * np.pi * (len(at) - 1) / (at[-1] - at[0])

    def test_curved_rod(self):
        f = self.solve("curved_rod", "statics")
        radius = 2 / np.pi
        bending = f["sections/spring strip"].attrs["EI"]
        # Energies in units of the bending energy that it would take to hold it straight.
        self.assertLess(f["energy/strain"][-1], 1e-12 * bending * (np.pi / 2) ** 2 / 2)
        self.close(f["rods/strip/bending_moment"][-1], 0, 1e-8 * bending)
        # The angle is exact, the place of fourth order: l⁴ κ⁴/720 with 16 elements, 1.3e-7.
        self.close(f["rods/strip/angle"][-1, -1, 1], np.pi / 2, 1e-8)
        self.close(self.point(f, "tip")[-1], [radius, radius], 2e-7)
        # Between the nodes, too.
        shares = np.linspace(0, 1, 33)
        state = self.sections("curved_rod", "strip", shares)
        exact = radius * np.stack([np.sin(shares / radius), 1 - np.cos(shares / radius)], axis=-1)
        # The parabola of an element, off its arc by l θ³/24 with θ = (π/2)/32.
        self.close(state.position[0], exact, 2e-7 + (np.pi / 64) ** 3 / 16 / 24)

    def test_heated_rod(self):
        f = self.solve("heated_rod", "run")
        stiffness = f["sections/held"].attrs["EA"]
        self.close(f["rods/held/axial_force"][:] / (-stiffness * 1e-4), 1, 1e-9)
        self.close(f["supports/A/force"][:, 0] / (stiffness * 1e-4), 1, 1e-9)
        tip = self.point(f, "D")
        self.assertGreater(tip[:, 0].max() - 2, 2e-4)  # it overshoots
        # What is left of it after 0.05 s: exp(−μ t/2) = 3e-33, so the balance alone.
        self.close(tip[-1, 0] - 2, 2e-4, 1e-8)
        lost = f["energy/dissipated"][-1]
        self.close(lost / (0.5 * stiffness * 1e-8 * 2), 1, 1e-4)

    # Bodies, particles, springs

    def test_bodies(self):
        f = self.solve("bodies", "run")
        time = f["time"][:]
        hub, panel = f["bodies/hub"], f["bodies/panel"]
        masses = {"hub": 8.0, "panel": 2.0}
        offsets = {"hub": np.hypot(0.2, 0.1), "panel": 0.1}
        inertias = {"hub": 0.9, "panel": 0.4}
        center = sum(masses[b] * f[f"bodies/{b}/center"][:] for b in masses) / 10
        fall = center - center[0] + np.stack([0 * time, G / 2 * time ** 2], axis=-1)
        # The integrator's error: the balance over the weight.
        error = np.abs(f["energy/balance"][:]).max() / (10 * G)
        self.close(fall, 0, 20 * error)
        # Angular momentum about the common centre of mass, with velocities of the centres from
        # those of the points and the rates.
        momentum = 0
        total = 0
        for name in masses:
            b = f[f"bodies/{name}"]
            rate = b["rate"][:]
            lever = b["center"][:] - self.point(f, name)
            velocity = self.point(f, name, "velocity") + rate[:, None] * np.stack(
                [-lever[:, 1], lever[:, 0]], axis=-1)
            arm = b["center"][:] - center
            own = inertias[name] - masses[name] * offsets[name] ** 2
            momentum = momentum + own * rate + masses[name] * (
                arm[:, 0] * velocity[:, 1] - arm[:, 1] * velocity[:, 0])
            total = total + 0.5 * (own * rate ** 2 + masses[name] * (velocity ** 2).sum(axis=1))
        largest = np.abs(inertias["panel"] * panel["rate"][:]).max()
        self.assertGreater(largest, 0.5)
        self.close(momentum, 0, 1e-6 * largest)
        self.close(f["energy/kinetic"][:] / total.max(), total / total.max(), 1e-12)
        # The spring's own potential, and what it transmits.
        angle = panel["angle"][:] - hub["angle"][:]
        self.close(f["hinges/joint/angle"][:], angle, 1e-12)
        self.close(f["energy/springs"][:], 1.5 * (angle - 1.5) ** 2, 1e-12)
        self.close(f["hinges/joint/moment"][:], -3 * (angle - 1.5), 1e-12)
        balance = (f["energy/kinetic"][:] + f["energy/springs"][:] + f["energy/gravity"][:])
        self.close(balance - balance[0], 0, 1e-5 * f["energy/kinetic"][:].max())
        relative = np.abs(f["energy/balance"][:]).max() / np.abs(f["energy/gravity"][:]).max()
        self.close(f["momentum/linear"][:], np.stack([0 * time, -10 * G * time], axis=-1),
                   10 * G * 4 * relative)
        # Carried points stay where they are fixed.
        c, s = np.cos(hub["angle"][:]), np.sin(hub["angle"][:])
        corner = self.point(f, "hub") + np.stack([0.5 * c + 0.4 * s, 0.5 * s - 0.4 * c], axis=-1)
        self.close(self.point(f, "corner"), corner, 1e-12)

    def test_body_on_rod(self):
        f = self.solve("body_on_rod", "statics")
        weight_rod = 1.2 * f["sections/boom"].attrs["mass_per_length"] * G
        weight = 1.2 * G
        self.close(f["supports/root/force"][-1], [0, weight_rod + weight], 1e-8 * weight)
        # Moments about the root: of the body at its centre, of the rod by its sections' places.
        center = f["bodies/camera/center"][-1]
        gauss, weights = np.polynomial.legendre.leggauss(3)
        shares = ((np.arange(6)[:, None] + (gauss + 1) / 2) / 6).reshape(-1)
        x = self.sections("body_on_rod", "boom", shares).position[0, :, 0]
        middle = (x.reshape(6, 3) * weights / 12).sum()
        self.close(f["supports/root/moment"][-1], weight * center[0] + weight_rod * middle, 1e-6)
        # The head's place in the axes of the end section.
        angle = f["rods/boom/angle"][-1, -1, 1]
        c, s = np.cos(angle), np.sin(angle)
        self.close(center - self.point(f, "head")[-1],
                   [0.08 * c + 0.05 * s, 0.08 * s - 0.05 * c], 1e-12)

    def test_particle_and_spring(self):
        f = self.solve("particle_and_spring", "run")
        x, v = self.point(f, "ball"), self.point(f, "ball", "velocity")
        length = np.hypot(*x.T)
        rate = (x * v).sum(axis=1) / length
        self.close(f["springs/spring/length"][:], length, 1e-14)
        self.close(f["springs/spring/force"][:], 20 * (length - 0.8) + 0.3 * rate, 1e-12)
        self.close(f["energy/springs"][:], 10 * (length - 0.8) ** 2, 1e-12)
        self.close(f["energy/kinetic"][:], 0.2 * (v ** 2).sum(axis=1), 1e-12)
        worst = np.abs(f["energy/balance"][:]).max()
        self.assertLess(worst, 1e-4 * f["energy/kinetic"][0])
        # Central force: angular momentum, to the accuracy of the energy.
        self.close(0.4 * (x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0]), 2.0, 2e-4)
        # Power of the damper: c ρ̇².
        time = f["time"][:]
        self.close(f["energy/dissipated"][::2], integral(time, 0.3 * rate ** 2), 1e-4)
        self.assertGreater(f["energy/dissipated"][-1], 0.3)
        # The pin holds the spring.
        pull = f["springs/spring/force"][:][:, None] * x / length[:, None]
        self.close(f["supports/pin/force"][:], -pull, 1e-11)

    # Loads

    def test_follower_load(self):
        f = self.solve("follower_load", "run")
        time = f["time"][:]
        force, angle = f["loads/thruster/force"][:], f["rods/rod/angle"][:, 0, 0]
        size = np.hypot(*force.T)
        burning = size > 1e-3
        # Turned by 10° from the section, at any time.
        turned = np.arctan2(force[burning, 1], force[burning, 0]) - angle[burning]
        self.close((turned + np.pi) % (2 * np.pi) - np.pi, np.radians(10), 1e-6)
        self.close(size.max(), 3, 1e-6)
        self.assertGreater(abs(angle[-1]), 0.5)
        power = (force * self.point(f, "tail", "velocity")).sum(axis=1)
        work = f["energy/external_work"][:]
        self.close(work[::2], integral(time, power), 1e-5 * work[-1])
        total = f["energy/kinetic"][:] + f["energy/strain"][:]
        self.close(total, work, 1e-6 * work[-1])

    def test_distributed_load(self):
        f = self.solve("distributed_load", "statics")
        sag = abs(self.point(f, "tip")[-1, 1])
        self.close(f["loads/snow/force"][-1], [0, -30], 1e-12)
        self.close(f["loads/snow/moment"][-1], 4.5, 1e-12)
        self.close(f["supports/root/force"][-1], [0, 30], 1e-7)
        # ∫ 40 x²/1.5 dx = 30 · 1.0 m, less the distributed moment; the sag shortens the lever.
        moment = 30 * 1.0 - 4.5
        self.close(f["supports/root/moment"][-1], moment, 30 * sag ** 2 + 1e-6)

    def test_gravity(self):
        f = self.solve("gravity", "statics")
        rod = f["sections/bar"].attrs["mass_per_length"]
        self.close(rod, 0.54, 1e-12)
        forces = sum(f[f"supports/{s}/force"][-1] for s in ("left", "right", "ball"))
        self.close(forces, [0, (0.54 + 0.8 + 0.3) * G], 1e-7)
        self.close(f["springs/string/force"][-1], 0.3 * G, 1e-8)
        self.close(f["springs/string/length"][-1], 0.5 + 0.3 * G / 60, 1e-8)

    def test_laws(self):
        f = self.solve("laws", "run")
        t = f["time"][:]
        half, whole = 1 / (2 * np.pi), 1 / (4 * np.pi)

        def smooth(x, span):
            """Integral of the quintic from 0 to 1 over `span` s, held at 1."""
            y = np.clip(x / span, 0, 1)
            return span * (2.5 * y ** 4 - 3 * y ** 5 + y ** 6) + np.maximum(x - span, 0)

        def ramp(x, span):
            y = np.clip(x / span, 0, 1)
            return span * y ** 2 / 2 + np.maximum(x - span, 0)
        u = np.clip(t - 1, 0, 2)
        held = 1 - 0.5 * 2 + 0.1 * 4
        velocity = {
            "a": 2 * ramp(t, 1) - 3 * ramp(np.maximum(t - 2, 0), 1),
            "b": 2 * smooth(t, 2) - 2 * smooth(np.maximum(t - 2, 0), 1),
            "c": 3 * np.clip(t - 0.5, 0, 0.5),
            "d": 2 * half * (1 - np.cos(t / half)),
            # Held constant before its start and after its end.
            "e": np.minimum(t, 1) + u - 0.25 * u ** 2 + 0.1 / 3 * u ** 3
            + held * np.maximum(t - 3, 0),
            "f": smooth(t, 1) + 0.5 * whole * (1 - np.cos(np.maximum(t - 2, 0) / whole)),
        }
        for name, exact in velocity.items():
            found = self.point(f, name, "velocity")[:, 0]
            # Steps of 4 ms and less: h²/12 of the largest second derivative, 0.5 (4π)² N/s².
            self.close(found, exact, 0.004 ** 2 / 12 * 0.5 * (4 * np.pi) ** 2, name)

    # Supports and topology

    def test_moving_support(self):
        f = self.solve("moving_support", "run")
        time = f["time"][:]
        foot = self.point(f, "foot", "velocity")[:, 0]
        force = f["supports/foot/force"][:, 0]
        work = f["energy/rheonomic_work"][:]
        self.close(work[::2], integral(time, force * foot), 1e-4 * np.abs(work).max())
        self.close(self.point(f, "foot")[-1], [0, 0], 1e-12)
        self.close(self.point(f, "foot")[150, 0], 0.02, 1e-9)
        total = f["energy/kinetic"][:] + f["energy/strain"][:] + f["energy/dissipated"][:]
        self.close(total, work, 1e-6 * np.abs(work).max())

    def test_joints(self):
        f = self.solve("joints", "statics")
        beam, arm = f["rods/beam/bending_moment"][-1], f["rods/arm/bending_moment"][-1]
        lip, strut = f["rods/lip/bending_moment"][-1], f["rods/strut/bending_moment"][-1]
        load = 50 * 0.6
        self.close(strut, 0, 1e-4 * load)  # N times its own deflection, none
        self.close(beam[-1, 1], arm[0, 0], 1e-7 * load)
        self.close(arm[-1, 1], lip[0, 0], 1e-7 * load)
        # Rigid: the angle between arm and lip stays a right one, beam and arm stay in line.
        self.close(f["rods/lip/angle"][-1, 0, 0] - f["rods/arm/angle"][-1, -1, 1], np.pi / 2, 1e-12)
        self.close(f["hinges/weld/angle"][:], 0, 1e-12)
        self.assertGreater(abs(f["hinges/knee/angle"][-1] - f["hinges/knee/angle"][0]), 1e-4)
        # Equilibrium of the whole, about the wall: the load acts at L.
        tip = self.point(f, "L")[-1]
        wall, foot = f["supports/W/force"][-1], f["supports/F/force"][-1]
        self.close(wall + foot, [20, 50], 1e-6)
        moment = (f["supports/W/moment"][-1] + 0.6 * foot[0]
                  + tip[0] * -50 - tip[1] * -20)
        self.close(moment, 0, 1e-6)
        self.assertEqual(f["supports/F/moment"][-1], 0)

    def test_free_flight(self):
        f = self.solve("free_flight", "run")
        kinetic = f["energy/kinetic"][:]
        self.assertGreater(kinetic.max(), 0.05)
        # The centre of mass from places along the rods, by Gauss's rule.
        gauss, weights = np.polynomial.legendre.leggauss(4)
        shares = ((np.arange(5)[:, None] + (gauss + 1) / 2) / 5).reshape(-1)
        rows = range(0, len(f["time"]), 25)
        center = 0
        for rod in ("first", "second"):
            state = self.sections("free_flight", rod, shares, rows)
            center = center + (state.position.reshape(-1, 5, 4, 2)
                               * weights[:, None] / 20).sum(axis=(1, 2))
        drift = np.abs(center - center[0]).max()
        print(f"drift of the centre of mass {drift:.2g} m")
        # These places have u = εx − ½∫v′²dx; the chord field of the inertia differs from it by
        # l D²/120 where an element turns by D (libfem/rod/README.md).
        bend = max(np.abs(np.diff(f[f"rods/{rod}/angle"][:], axis=-1)).max()
                   for rod in ("first", "second"))
        self.close(center, center[0] + 0 * center, 0.2 * bend ** 2 / 120)
        # Momentum to the integrator's error, which the balance measures, of what a rod has.
        relative = np.abs(f["energy/balance"][:]).max() / f["energy/springs"][0]
        rod = np.sqrt(2 * 0.4 * kinetic.max())
        self.close(f["momentum/linear"][:], 0, relative * rod)
        self.close(f["momentum/angular"][:], 0, relative * rod * 1)  # rods of 1 m
        spring = f["energy/springs"][:]
        self.close(spring[0], 0.5 * 0.3 * (np.pi / 2) ** 2, 1e-12)
        total = kinetic + f["energy/strain"][:] + spring + f["energy/dissipated"][:]
        self.close(total, spring[0], 1e-5 * spring[0])


class Coverage(unittest.TestCase):
    def test_every_feature_case_has_its_test(self):
        names = {path.stem for path in (CASES / "features").glob("*.json")}
        tests = {name.removeprefix("test_") for name in dir(Features) if name.startswith("test_")}
        self.assertEqual(names - tests, set())
        for name in names:
            text = (CASES / "features" / f"{name}.json").read_text(encoding="utf-8")
            self.assertTrue(parse_case(text)["title"])


if __name__ == "__main__":
    unittest.main()
