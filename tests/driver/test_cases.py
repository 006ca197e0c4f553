"""Every case of the repository is one that a user can copy: it is valid, and says what it shows."""

import json
import pathlib
import re
import tempfile
import unittest

import h5py

from support import CASES, ROOT, fem, write_case

FOUND = sorted(path.relative_to(CASES) for path in CASES.rglob("*.json"))


class Cases(unittest.TestCase):
    def test_there_are_cases(self):
        self.assertGreater(len(FOUND), 20)

    def test_every_case_passes_the_check(self):
        for path in FOUND:
            with self.subTest(case=str(path)):
                done = fem("check", CASES / path)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_every_case_has_a_title_and_says_what_it_shows(self):
        for path in FOUND:
            with self.subTest(case=str(path)):
                text = (CASES / path).read_text(encoding="utf-8")
                self.assertRegex(text, r'"title": "\S')
                comment = re.match(r"\{\s*\n((?:\s*//.*\n)+)", text)
                self.assertIsNotNone(comment, "the case begins with no comment")
                self.assertGreater(len(comment.group(1)), 150)


class Features(unittest.TestCase):
    """docs/features.md: what it links to is there, and what it says is proved is tested."""

    @classmethod
    def setUpClass(cls):
        cls.page = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")

    def test_links_lead_somewhere(self):
        for link in re.findall(r"\]\(([^)#]+)\)", self.page):
            with self.subTest(link=link):
                self.assertTrue((ROOT / "docs" / link).exists())

    def test_every_feature_and_hinge_case_is_linked(self):
        for folder in ("features", "hinges"):
            for path in sorted((CASES / folder).glob("*.json")):
                with self.subTest(case=path.name):
                    self.assertIn(f"(../cases/{folder}/{path.name})", self.page)

    def test_tests_are_there(self):
        python = re.findall(r"`([./\w]+\.py)::(\w+)`", self.page)
        cpp = re.findall(r"`([/\w]+_test\.cpp): (?:(\w+)\.)?(\*|\w+)`", self.page)
        self.assertGreater(len(python), 20)
        self.assertGreater(len(cpp), 20)
        for path, name in python:
            with self.subTest(test=f"{path}::{name}"):
                text = (ROOT / "tests" / path).read_text(encoding="utf-8")
                self.assertRegex(text, rf"def {name}\(")
        for path, suite, name in cpp:
            with self.subTest(test=f"{path}: {suite}.{name}"):
                text = (ROOT / "tests" / path).read_text(encoding="utf-8")
                pattern = r"TEST" if not suite else rf"TEST(_F|_P)?\({suite}, " + (
                    r"\w+" if name == "*" else rf"{name}\)")
                self.assertRegex(text, pattern)


class Tutorial(unittest.TestCase):
    """docs/tutorial.md: its case is the one of the examples, and the program says what the page says."""

    @classmethod
    def setUpClass(cls):
        cls.page = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
        cls.case = re.search(r"```jsonc\n(.*?)```", cls.page, re.S).group(1)

    def blocks_after(self, heading):
        section = self.page.split(f"\n## {heading}", 1)[1].split("\n## ", 1)[0]
        return re.findall(r"```\n(.*?)```", section, re.S)

    def fem_in_a_folder(self, text, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            write_case(folder, text, "boom.json")
            return fem(*arguments, cwd=folder)

    def test_the_case_is_that_of_the_examples(self):
        def value(text):
            return json.loads(re.sub(r"//[^\n]*", "", text))

        example = (ROOT / "examples/two_rods.json").read_text(encoding="utf-8")
        self.assertEqual(value(self.case), value(example))

    def test_check_prints_what_is_shown(self):
        _, model, mistakes = self.blocks_after("3.")
        self.assertEqual(self.fem_in_a_folder(self.case, "check", "boom.json").stdout, model)
        misspelt = self.case.replace("viscosity", "viscosty")
        self.assertEqual(self.fem_in_a_folder(misspelt, "check", "boom.json").stderr, mistakes)

    def test_the_run_gives_the_numbers_that_are_shown(self):
        shown = self.blocks_after("4.")[1]
        time, rate = map(float, re.search(r"([\d.]+)  elbow.*?rate (-[\d.]+)", shown).groups())
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "boom.h5"
            done = fem("run", write_case(folder, self.case), "-o", out, "--quiet")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with h5py.File(out) as f:
                self.assertAlmostEqual(f["events/time"][0], time, delta=2e-5)
                self.assertIn("latched at 0 rad", f["events/what"][0].decode())
                said = float(f["events/what"][0].decode().split("rate ")[1].split(" rad/s")[0])
                self.assertAlmostEqual(said, rate, delta=1e-4)
                self.assertAlmostEqual(abs(f["hinges/elbow/moment"][:]).max(), 140, delta=5)
                # "as a rule below 1e-4 of the largest energy"
                self.assertLess(f["summary"].attrs["worst_balance"],
                                1e-4 * f["summary"].attrs["largest_energy"])

    def test_everyday_changes_are_cases(self):
        """What the table of the last step says can be written into the case as it stands there."""
        rows = re.findall(r"^\| [^|]+ \| `(\"[a-z]+\": .*?)`", self.page, re.M)
        keys = {row.split('"')[1] for row in rows}
        self.assertLessEqual({"units", "gravity", "bodies", "latch"}, keys)
        for row in rows:
            key = row.split('"')[1]
            if key in ("gravity", "bodies"):
                text = self.case.replace('"title"', row + ',\n  "title"', 1)
                with self.subTest(key):
                    done = self.fem_in_a_folder(text, "check", "boom.json")
                    self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
