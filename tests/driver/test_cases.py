"""Every case of the repository is one that a user can copy: it is valid, and says what it shows."""

import re
import unittest

from support import CASES, fem

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


if __name__ == "__main__":
    unittest.main()
