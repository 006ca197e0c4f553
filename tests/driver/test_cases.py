"""Every case of the repository is one that a user can copy: it is valid, and says what it shows."""

import re
import unittest

from support import CASES, ROOT, fem

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


if __name__ == "__main__":
    unittest.main()
