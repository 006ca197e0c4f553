"""Danilin 2016, section 2.7, at the cases' own settings, against an independent computation."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "driver"))

from support import CASES, fem  # noqa: E402

REFERENCE = json.loads((HERE / "deployment_reference.json").read_text(encoding="utf-8"))


class Deployment(unittest.TestCase):
    def run_case(self, name, laws):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out.h5")
            result = fem("run", CASES / name, "-o", out)
            self.assertEqual(result.returncode, 0, result.stderr)
            with h5py.File(out, "r") as f:
                return self.compare(f, REFERENCE[laws])

    def compare(self, f, reference):
        """Largest errors at the reference times, and what must hold in every run."""
        rows = [int(np.argmin(abs(f["time"][:] - t))) for t in reference["times"]]
        np.testing.assert_allclose(f["time"][:][rows], reference["times"], rtol=0, atol=1e-12)
        names = [n.decode() for n in f["points/names"][:]]
        position = f["points/position"][:]
        errors = {
            "path": max(
                np.abs(position[rows, names.index(p), :2] - reference["points"][p]).max()
                for p in "ABC"),
            "kinetic": np.abs(f["energy/kinetic"][:][rows] - reference["kinetic_energy"]).max(),
            "strain": np.abs(f["energy/strain"][:][rows] - reference["strain_energy"]).max(),
        }
        drives = np.column_stack([f["supports/O/moment"][:], f["hinges/hinge1/drive_moment"][:],
                                  f["hinges/hinge2/drive_moment"][:]])
        errors["moment"] = np.abs(drives[rows] - reference["drive_moments"]).max()
        energy = f["energy/kinetic"][:] + f["energy/strain"][:]
        errors["balance"] = np.abs(f["energy/balance"][:]).max() / energy.max()
        self.assertLessEqual(f["solver/position_violation"][:].max(), 1e-10)
        self.assertLessEqual(f["solver/velocity_violation"][:].max(), 1e-10)
        self.assertEqual(f.attrs["status"], "complete")
        print(", ".join(f"{k} {v:.2e}" for k, v in errors.items()))
        return errors

    def test_smooth_laws(self):
        e = self.run_case("three_rod_deployment_smooth.json", "smooth")
        self.assertLessEqual(e["path"], 1e-6)
        self.assertLessEqual(e["balance"], 1e-6)
        self.assertLessEqual(e["kinetic"], 1e-6)
        self.assertLessEqual(e["strain"], 1e-6)
        self.assertLessEqual(e["moment"], 1e-4)

    def test_printed_laws(self):
        e = self.run_case("three_rod_deployment.json", "printed")
        self.assertLessEqual(e["path"], 3e-4)
        self.assertLessEqual(e["balance"], 1e-4)
        # The waves of the velocity jumps ring for ever; energies follow the paths to 1e-3 J.
        self.assertLessEqual(e["kinetic"], 1e-3)
        self.assertLessEqual(e["strain"], 1e-3)


if __name__ == "__main__":
    unittest.main()
