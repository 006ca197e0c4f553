"""The worked deployment: sequence, conservation, and the hub's attitude against rigid panels."""

import os
import pathlib
import sys
import tempfile
import unittest

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "driver"), str(HERE.parents[1] / "postproc")]

from support import CASES, fem  # noqa: E402

from fem_post.results import Results  # noqa: E402
from fem_post.sections import rod_envelope  # noqa: E402

HINGES = ("root", "knee1", "knee2", "knee3")
HUB, HUB_INERTIA, CENTER, ROOT = 200.0, 48.3, np.array([0.02, 0.03]), np.array([0.65, -0.6])
LENGTH, PANEL = 1.2, 6.0
PANEL_INERTIA = PANEL * LENGTH ** 2 / 12 + 2e-3 * LENGTH


def turned(angle, vector):
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]], axis=-1)


def rigid_attitude(angles):
    """[n]: turn of the hub when rigid panels have the angles [n, 4] relative to it.

    A structure that floats without angular momentum: J(φ) θ̇ + Σ c_k(φ) φ̇_k = 0. The integral over
    the panels' own path by the midpoint rule; nothing of the dynamics enters.
    """
    middle, change = (angles[1:] + angles[:-1]) / 2, np.diff(angles, axis=0)
    rows = len(middle)
    masses = np.array([HUB] + [PANEL] * 4)
    # Centres of mass in the hub's frame, and their rates with every panel's angle.
    center = np.zeros((rows, 5, 2))
    rate = np.zeros((rows, 4, 5, 2))
    center[:, 0] = CENTER
    joint = np.tile(ROOT, (rows, 1))
    joint_rate = np.zeros((rows, 4, 2))
    for k in range(4):
        along = turned(middle[:, k], (LENGTH, 0.0))
        across = turned(middle[:, k], (0.0, LENGTH))
        center[:, k + 1] = joint + along / 2
        rate[:, :, k + 1] = joint_rate
        rate[:, k, k + 1] = rate[:, k, k + 1] + across / 2
        joint = joint + along
        joint_rate[:, k] = across
    share = masses / masses.sum()
    center -= (share[:, None] * center).sum(axis=1)[:, None]
    rate -= (share[:, None] * rate).sum(axis=2)[:, :, None]
    hub = HUB_INERTIA - HUB * CENTER @ CENTER
    inertia = hub + 4 * PANEL_INERTIA + (masses * (center ** 2).sum(axis=-1)).sum(axis=1)
    cross = center[:, None, :, 0] * rate[..., 1] - center[:, None, :, 1] * rate[..., 0]
    coupling = (masses * cross).sum(axis=-1) + PANEL_INERTIA
    return np.concatenate([[0.0], np.cumsum(-(coupling * change).sum(axis=1) / inertia)])


class SolarArray(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = os.path.join(cls.folder.name, "out.h5")
        done = fem("run", CASES / "solar_array.json", "-o", cls.out, "--quiet")
        assert done.returncode == 0 and done.stderr == "", done.stderr
        cls.file = h5py.File(cls.out, "r")

    @classmethod
    def tearDownClass(cls):
        cls.file.close()
        cls.folder.cleanup()

    def events(self, word):
        """[(time, hinge)] of the events whose words begin so."""
        e = self.file["events"]
        return [(t, n.decode()) for t, n, w in zip(e["time"][:], e["name"][:], e["what"][:])
                if w.decode().startswith(word)]

    def test_hinges_open_one_after_the_other(self):
        released, latched = self.events("released"), self.events("latched")
        self.assertEqual([n for _, n in released], list(HINGES))
        self.assertEqual([n for _, n in latched], list(HINGES))
        self.assertEqual(released[0][0], 1)
        for (before, _), (after, _) in zip(latched, released[1:]):
            self.assertAlmostEqual(after - before, 2, delta=1e-12)
        # A latched hinge stays within what its spring of 4000 N m/rad gives.
        time = self.file["time"][:]
        for (at, name), angle in zip(latched, (0, 2 * np.pi, 0, 2 * np.pi)):
            hinge = self.file[f"hinges/{name}"]
            after = time > at
            # What the latch's spring carries: the hinge's moment and those of the opening spring,
            # of friction and of both dampers.
            rate = np.abs(hinge["rate"][:][after]).max()
            moment = np.abs(hinge["moment"][:][after]).max() + 2 + 0.1 + (6 + 8) * rate
            off = np.abs(hinge["angle"][:][after] - angle).max()
            self.assertLess(off, moment / 4000)

    def test_what_is_conserved(self):
        f = self.file
        energy = np.abs(f["energy/springs"][:]).max()
        relative = np.abs(f["energy/balance"][:]).max() / energy
        self.assertLess(relative, 1e-6)
        # Momentum in units of what the panels have on their way.
        speed = np.sqrt(2 * f["energy/kinetic"][:].max() * 24)
        print(f"balance {relative:.2g}, momentum "
              f"{np.abs(f['momentum/linear'][:]).max() / speed:.2g}, angular "
              f"{np.abs(f['momentum/angular'][:]).max() / speed:.2g}")
        self.assertLess(np.abs(f["momentum/linear"][:]).max(), 1e-5 * speed)
        self.assertLess(np.abs(f["momentum/angular"][:]).max(), 1e-5 * speed * 4)
        center = f["momentum/center"][:]
        self.assertLess(np.abs(center - center[0]).max(), 1e-6)
        # Springs fall from stowed to open by what they have done, friction and dampers take it.
        self.assertGreater(f["energy/dissipated"][-1], 30)

    def test_attitude_is_that_of_rigid_panels_that_move_alike(self):
        f = self.file
        names = [n.decode() for n in f["points/names"][:]]
        position = f["points/position"][..., :2]
        ends = position[:, [names.index(n) for n in (*HINGES, "tip")]]
        chords = np.diff(ends, axis=1)
        attitude = f["bodies/hub/angle"][:]
        panels = np.unwrap(np.arctan2(chords[..., 1], chords[..., 0]), axis=0)
        expected = rigid_attitude(panels - attitude[:, None])
        difference = np.abs(attitude - expected).max()
        print(f"attitude at the end {np.degrees(attitude[-1]):.3f}°, of rigid panels "
              f"{np.degrees(expected[-1]):.3f}°, at most {np.degrees(difference):.2g}° apart")
        self.assertGreater(np.degrees(np.abs(attitude).max()), 5)
        # Panels bend by w = M L²/(8 EI) off their chords, and swing with it: a mass of 24 kg at
        # 5 m moves by w against an inertia of 250 kg m².
        moment = max(np.abs(f[f"rods/panel{k}/bending_moment"][:]).max() for k in (1, 2, 3, 4))
        bend = moment * LENGTH ** 2 / (8 * 4700)
        self.assertLess(difference, 24 * 5 * bend / 250)

    def test_shocks_are_read_from_the_envelopes(self):
        with Results(self.out) as results:
            found = {e.quantity: e for e in rod_envelope(results, "panel1")}
        first = self.events("latched")[0][0]
        moment, stress = found["bending_moment"], found["stress"]
        # The pack of four on the root's latch is the hardest blow, within its first swing.
        self.assertTrue(first < moment.time < first + 0.5)
        self.assertGreater(abs(moment.value), 40)
        expected = abs(moment.value) * 7e10 * 0.013 / 4700
        self.assertAlmostEqual(abs(stress.value) / expected, 1, delta=0.05)  # and N/A


if __name__ == "__main__":
    unittest.main()
