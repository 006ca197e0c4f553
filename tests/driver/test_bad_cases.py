"""Wrong input: exit code 2 and a message with the file, the JSON pointer and the remedy."""

import copy
import tempfile
import unittest

from support import fem, load_case, write_case


class BadCases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.good = load_case("three_rod_deployment.json")

    def refuse(self, change, pointer, *words):
        """The case with `change` applied is refused by check and run alike, and nothing is run."""
        case = copy.deepcopy(self.good)
        text = change(case)
        with tempfile.TemporaryDirectory() as folder:
            path = write_case(folder, text if isinstance(text, str) else case)
            for command in ("check", "run"):
                result = fem(command, path, cwd=folder)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(str(path), result.stderr)
                self.assertIn(pointer, result.stderr)
                for word in words:
                    self.assertIn(word, result.stderr)

    def test_unknown_key(self):
        def change(case):
            case["rods"]["rod1"]["sektion"] = case["rods"]["rod1"].pop("section")

        self.refuse(change, "/rods/rod1", "sektion", "did you mean 'section'")

    def test_dangling_name(self):
        def change(case):
            case["rods"]["rod2"]["section"] = "bra"

        self.refuse(change, "/rods/rod2/section", "no section 'bra'", "did you mean 'bar'")

    def test_dangling_law(self):
        def change(case):
            case["hinges"]["hinge1"]["drive"] = "frist"

        self.refuse(change, "/hinges/hinge1/drive", "did you mean 'first'")

    def test_zero_length(self):
        def change(case):
            case["points"]["A"] = [0, 0]

        self.refuse(change, "/rods/rod1", "zero length", "move one of the points")

    def test_negative_stiffness(self):
        def change(case):
            case["sections"]["bar"]["EI"] = -60

        self.refuse(change, "/sections/bar/EI", "-60", "greater than 0")

    def test_non_finite_number(self):
        def change(case):
            case["sections"]["bar"]["EA"] = 1
            import json

            return json.dumps(case).replace('"EA": 1', '"EA": 1e999')

        self.refuse(change, "/sections/bar/EA", "1e999", "not finite")

    def test_not_a_number(self):
        def change(case):
            case["points"]["A"] = [float("nan"), 0]

        self.refuse(change, "/points/A", "no such number", "NaN", "finite")

    def test_law_times_do_not_increase(self):
        def change(case):
            case["laws"]["first"]["points"] = [[0, 0], [5, 1], [5, 2]]

        self.refuse(change, "/laws/first/points", "increas")

    def test_hinge_names_a_rod_that_is_not_at_its_point(self):
        def change(case):
            case["hinges"]["hinge1"]["members"] = ["rod1", "rod3"]

        self.refuse(change, "/hinges/hinge1/members/1", "does not end at point 'A'", "'rod2'")

    def test_fixed_and_prescribed_at_once(self):
        def change(case):
            case["supports"]["O"] = {"fix": ["x", "y", "angle"], "angle": "root"}

        self.refuse(change, "/supports/O", "fix")

    def test_contradictory_supports(self):
        # Angles of both rods held in the point of a driven hinge: the drive cannot move.
        def change(case):
            case["supports"]["A"] = {"fix": ["angle"], "rod": "rod1"}
            case["rods"]["extra"] = {"section": "bar", "from": "A", "to": "D"}
            case["points"]["D"] = [2, 2]
            case["hinges"]["loose"] = {"at": "A", "members": ["rod1", "extra"], "drive": "first"}
            case["hinges"]["closing"] = {"at": "A", "members": ["rod2", "extra"], "drive": "second"}

        self.refuse(change, "/hinges/closing/drive", "contradicts", "remove one")

    def test_missing_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write_case(folder, self.good, "boom.json")
            result = fem("run", path.with_name("bom.json"), cwd=folder)
            self.assertEqual(result.returncode, 2)
            self.assertIn("bom.json", result.stderr)
            self.assertIn("did you mean", result.stderr)
            self.assertIn("boom.json", result.stderr)

    def test_all_problems_are_told_at_once(self):
        case = copy.deepcopy(self.good)
        case["sections"]["bar"]["EI"] = 0
        case["rods"]["rod1"]["elements"] = 0
        case["analysis"]["end"] = -1
        with tempfile.TemporaryDirectory() as folder:
            result = fem("check", write_case(folder, case))
        for pointer in ("/sections/bar/EI", "/rods/rod1/elements", "/analysis/end"):
            self.assertIn(pointer, result.stderr)
        self.assertIn("3 problems", result.stderr)

    def test_wrong_command_line(self):
        self.assertEqual(fem("rum", "x.json").returncode, 2)
        self.assertEqual(fem("run").returncode, 2)

    def test_results_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write_case(folder, self.good)
            result = fem("run", path, "-o", f"{folder}/no/such/folder/out.h5")
            self.assertEqual(result.returncode, 4)
            self.assertIn("no/such/folder/out.h5", result.stderr)


if __name__ == "__main__":
    unittest.main()
