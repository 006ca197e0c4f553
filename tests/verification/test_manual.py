"""The verification manual: its quick problems hold and say what the committed pages say, and the pages
have every problem, every reference case and every benchmark, each with its picture.

The whole manual is `scripts/verification`, some minutes.
"""

import re
import struct
import unittest

import hereditary
import manual
import moving
import pages

QUICK = ("elastica", "roll_up", "lee_frame", "double_pendulum", "latching_hinge", "dumbbell",
         "chaplygin", "free_particle", "rotating_cantilever",
         "hereditary_oscillator_standard_free", "hereditary_oscillator_rabotnov_relaxed",
         "hereditary_indeterminate")


def page(file):
    return (pages.default_folder() / file).read_text(encoding="utf-8")


def printed_sections():
    """{picture's name: rows of its table} of all committed pages, rows as lists of texts."""
    found = {}
    for file in manual.CHAPTERS:
        for section in page(file).split("\n## ")[1:]:
            name = re.search(r"\]\(images/(\w+)\.png\)", section).group(1)
            table = [line for line in section.splitlines() if line.startswith("| ")]
            found[name] = [[cell.strip() for cell in line.strip("| ").split(" | ")]
                           for line in table[1:]]
    return found


def value(text):
    return float(text.replace("−", "-"))


class Manual(unittest.TestCase):
    def test_quick_problems_hold_and_are_those_of_the_pages(self):
        printed = printed_sections()
        for name, problem in manual.compute(QUICK).items():
            with self.subTest(name):
                self.assertTrue(problem.holds())
                self.assertEqual(len(problem.rows), len(printed[name]))
                for row, cells in zip(problem.rows, printed[name]):
                    self.assertEqual(cells[0], row.what + (f", {row.unit}" if row.unit else ""))
                    # When it is worst moves with the steps: only the same time is compared.
                    if cells[1] == row.at:
                        self.assertAlmostEqual(value(cells[3]), row.theirs,
                                               delta=1e-5 * abs(row.theirs))
                        # Other steps change the last digits: no more than is demanded.
                        self.assertLessEqual(abs(value(cells[2]) - row.ours) / row.scale,
                                             row.demanded, (row.what, row.at))

    def test_pages_have_every_problem_and_its_picture(self):
        printed = printed_sections()
        self.assertEqual(list(printed), list(manual.all_problems()))
        for name in printed:
            data = (pages.default_folder() / f"images/{name}.png").read_bytes()
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            width, height = struct.unpack(">II", data[16:24])
            self.assertGreaterEqual(width, 600, name)
            self.assertGreaterEqual(height, 300, name)
        for file in manual.CHAPTERS:
            self.assertNotIn("Not within", page(file))
        self.assertNotIn("Not within", page(pages.INDEX))

    def test_no_picture_without_a_problem(self):
        there = {path.stem for path in (pages.default_folder() / "images").glob("*.png")}
        self.assertEqual(there, set(manual.all_problems()))

    def test_every_reference_case_is_in_the_manual(self):
        shown = {key for key, _ in hereditary.CASES.values()}
        relaxed = {key for key in hereditary.REFERENCE if key.startswith("c_")}
        self.assertEqual(shown | relaxed, set(hereditary.REFERENCE))
        text = page("moving.md")
        self.assertEqual(len(moving.REFERENCE), text.count("\n## "))

    def test_a_row_beyond_its_limit_is_told(self):
        good = manual.compute(["latching_hinge"])["latching_hinge"]
        row = good.rows[0]
        good.rows[0] = type(row)(row.what, row.at, row.theirs + 2 * row.demanded, row.theirs,
                                 row.demanded, row.unit)
        self.assertFalse(good.holds())
        self.assertIn("**Not within what is demanded.**", pages.section("x", good))
        self.assertIs(good.worst(), good.rows[0])


if __name__ == "__main__":
    unittest.main()
