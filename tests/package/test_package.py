"""The installed library: examples of every kind are copied out of the sources, built against the
prefix and run; they give what the program gives.

FEM_BUILD is the build folder, FEM_DRIVER its program.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["FEM_BUILD"])
PYTHON = "/usr/bin/python3"
EDGE = 1e-4  # printed digits of the examples


def call(*command, folder, code=0, **environment):
    """Standard output and error of a command that must end with this exit code."""
    run = subprocess.run([str(part) for part in command], cwd=folder, text=True,
                         capture_output=True, env={**os.environ, **environment})
    assert run.returncode == code, f"{command}: {run.returncode}\n{run.stdout}{run.stderr}"
    return run.stdout, run.stderr


def numbers_after(word, text):
    """The number after every occurrence of a word."""
    return [float(x) for x in re.findall(re.escape(word) + r"\s*(-?[\d.]+(?:e-?\d+)?)", text)]


class InstalledLibrary(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.prefix = cls.folder / "prefix"
        call("cmake", "--install", BUILD, "--prefix", cls.prefix, folder=cls.folder)
        # Nothing of the sources is beside them any more.
        shutil.copytree(ROOT / "examples", cls.folder / "examples")
        cls.case = cls.folder / "examples/two_rods.json"
        cls.python_path = str(cls.prefix / "lib/python3/dist-packages")
        cls.results = cls.folder / "two_rods.h5"
        call(cls.prefix / "bin/fem", "run", cls.case, "-o", cls.results, "--quiet",
             folder=cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_python_reference_is_what_the_module_says(self):
        page = self.folder / "page.md"
        call(PYTHON, "-B", ROOT / "python/write_reference.py", self.python_path, "-o", page,
             folder=self.folder)
        self.assertEqual(page.read_text(encoding="utf-8"),
                         (ROOT / "docs/python-reference.md").read_text(encoding="utf-8"),
                         "write it anew: python/write_reference.py")

    def history(self, path):
        """Rows of a quantity of the program's run at 0, 0.5, …, 3 s."""
        with h5py.File(self.results, "r") as f:
            rows = [int(np.argmin(abs(f["time"][:] - t))) for t in np.linspace(0, 3, 7)]
            return f[path][:][rows]

    def test_cpp(self):
        folder = self.folder / "examples/cpp"
        call("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
             "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror",
             folder=folder)
        call("cmake", "--build", "build", "-j2", folder=folder)
        out, _ = call("build/deployment", folder=folder)
        tips = [[float(x) for x in re.search(r"\(\s*(-?[\d.]+),\s*(-?[\d.]+)\)", line).groups()]
                for line in out.splitlines()]
        # The reference has seven elements a rod and u = εx; with two and the chord's field the boom
        # of 6 m, which swings by a metre either way, is off by a millimetre.
        reference = json.loads((ROOT / "tests/regression/deployment_reference.json").read_text())
        rows = [reference["smooth"]["times"].index(t) for t in np.arange(2.5, 15.1, 2.5)]
        expected = np.array(reference["smooth"]["points"]["C"])[rows]
        np.testing.assert_allclose(tips[1:], expected, atol=2e-3)
        out, _ = call("build/controller", folder=folder)
        self.assertIn("rad from its target", out)
        out, _ = call("build/several", folder=folder)
        angles = [float(x) for x in re.findall(r"(-[\d.]+) rad", out)]
        self.assertEqual(len(angles), 4)
        self.assertEqual(angles, sorted(angles))  # the more damping, the less it has fallen

    def test_cpp_wants_a_version_that_fits(self):
        folder = self.folder / "version"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\n"
            "find_package(libfem 9.9 REQUIRED)\n")
        _, error = call("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                        folder=folder, code=1)
        self.assertIn("version: ", error)

    def test_c(self):
        folder = self.folder / "examples/c"
        call("make", folder=folder, PKG_CONFIG_PATH=str(self.prefix / "lib/pkgconfig"))
        out, _ = call("./two_rods", self.case, folder=folder)
        np.testing.assert_allclose(numbers_after("elbow at", out),
                                   self.history("hinges/elbow/angle"), atol=EDGE)
        self.assertIn("elbow latched at 0 rad", out)
        bad = self.folder / "bad.json"
        bad.write_text(self.case.read_text().replace("viscosity", "viscosty"))
        _, error = call("./two_rods", bad, folder=folder, code=2)
        _, words = call(self.prefix / "bin/fem", "run", bad, folder=folder, code=2)
        for line in error.splitlines():  # what the program says, without its name and the file's
            self.assertIn(line, words)
        self.assertIn("/hinges/elbow/damper/viscosty", error)

    def test_python(self):
        folder = self.folder / "examples/python"
        out, _ = call(PYTHON, "two_rods.py", self.case, folder=folder, PYTHONPATH=self.python_path)
        np.testing.assert_allclose(numbers_after("elbow at", out),
                                   self.history("hinges/elbow/angle"), atol=EDGE)
        self.assertIn("elbow latched at 0 rad", out)
        np.testing.assert_allclose(numbers_after("the wheel stands at", out), [1], atol=0.05)
        self.assertRegex(out, "refused: .*/pionts.*did you mean 'points'")

    def test_python_module(self):
        out, _ = call(PYTHON, ROOT / "tests/package/use_module.py", self.case, self.results,
                      folder=self.folder, PYTHONPATH=self.python_path)
        self.assertEqual(out.strip(), "all is well")

    def test_post_processing(self):
        out, _ = call(self.prefix / "bin/fem-post", "report", "--text", self.results,
                      folder=self.folder)
        self.assertIn("Two rods", out)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
