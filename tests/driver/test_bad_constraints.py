"""Constraints, wrong in every way that they allow: exit code 2, pointer, place in the formula, remedy.

Each line is a constraint, the pointer of the message below it, and words of the message.
"""

import copy
import tempfile
import unittest

from support import fem, write_case

GOOD = {
    "libfem": 1,
    "laws": {"late": {"kind": "constant", "value": 0.5},
             "longer": {"kind": "linear", "points": [[0, 5], [1, 6]]},
             "jump": {"kind": "steps", "points": [[0, 0], [0.5, 1]]}},
    "points": {"O": [0, 0], "P": [1, 0], "Q": [0, 3], "W": [1, 0]},
    "bodies": {"hub": {"at": "O", "mass": 2, "inertia": 0.5}},
    "particles": {"p": {"at": "P", "mass": 1}, "q": {"at": "Q", "mass": 1},
                  "w": {"at": "W", "mass": 1}},
    "analysis": {"end": 0.001},
}


def position(text):
    return {"kind": "expression", "position": text}


def velocity(text):
    return {"kind": "expression", "velocity": text}


BAD = [
    ({"kind": "expresion"}, "/kind", "expression"),
    ({"kind": "expression"}, "", "position"),
    ({**position("x_P"), "velocity": "vx_P"}, "", "position"),
    (position("x_P - * y_P"), "/position", "'*' is not allowed here"),
    (position("x_P - (1"), "/position", "not closed"),
    (position("sine(x_P)"), "/position", "did you mean 'sin'"),
    (position("x_p - 1"), "/position", "did you mean 'x_P'"),
    (position("angle_hup"), "/position", "did you mean 'angle_hub'"),
    (position("z_P"), "/position", "not known, at column 1"),
    (position("x_P - 1 + 0*vx_P"), "/position", "'vx_P' is a velocity, at column 13"),
    (position("t - t"), "/position", "holds no coordinate"),
    (position("x_P - 1 + jump"), "/position", "the law 'jump' or its rate jumps, at column 11"),
    (position("x_P - 2"), "/position", "is -1 at the start"),
    (position("(x_P - 1)^2"), "/position", "does not change with any coordinate"),
    (position("log(x_P - 1)"), "/position", "not finite"),
    (position("x_P + y_P + x_Q + y_Q + x_O + y_O + x_W - 5"), "/position", "7 coordinates"),
    (position("x_P" + " + x_P" * 200000), "/position", None),
    (position("(" * 5000), "/position", "nested too deeply"),
    (velocity("vx_P^2 - 1"), "/velocity", "nonlinearly, at column 5"),
    (velocity("vx_P*vy_P"), "/velocity", "nonlinearly, at column 5"),
    (velocity("sin(rate_hub)"), "/velocity", "nonlinearly, at column 1"),
    (velocity("x_P"), "/velocity", "holds no velocity"),
    (velocity("y_P*vx_P"), "/velocity", "does not hold any velocity at the start"),
    (velocity("vx_P/y_P"), "/velocity", "not finite"),
    ({"kind": "linear", "terms": []}, "/terms", "pair"),
    ({"kind": "linear", "terms": [["hup", 1]]}, "/terms/0/0", "did you mean 'hub'"),
    ({"kind": "linear", "terms": [["hub", "1"]]}, "/terms/0/1", "number"),
    ({"kind": "linear", "terms": [["hub", 1], ["hub", -1]]}, "/terms", "nothing is left"),
    ({"kind": "linear", "terms": [["hub", 1]], "change": "late"}, "/change", "0.5 rad at the start"),
    ({"kind": "linear", "terms": [["hub", 1]], "change": "jump"}, "/change", "jumps"),
    ({"kind": "distance", "between": ["P"]}, "/between", "two"),
    ({"kind": "distance", "between": ["P", "q"]}, "/between/1", "did you mean 'Q'"),
    ({"kind": "distance", "between": ["P", "W"]}, "/between", "same place"),
    ({"kind": "distance", "between": ["O", "Q"], "length": 2}, "/length", "2 m at the start, and it is 3 m"),
    ({"kind": "distance", "between": ["O", "Q"], "length": "longer"}, "/length", "5 m at the start"),
    ({"kind": "distance", "between": ["O", "Q"], "length": "long"}, "/length", "longer"),
    ({"kind": "line", "at": "P"}, "", "'direction' is missing"),
    ({"kind": "circle", "at": "P", "center": [1, 0]}, "/center", "in the centre"),
    ({"kind": "curve", "at": "P", "curve": "y - x_^2"}, "/curve", "not known"),
    ({"kind": "knife_edge", "at": "P", "body": "hup"}, "/body", "did you mean 'hub'"),
    ({"kind": "knife_edge", "at": "X", "body": "hub"}, "/at", "no point 'X'"),
    ({"kind": "rolling", "at": "O", "body": "hub", "radius": 0}, "/radius", "no radius"),
]


def check(*constraints, **changes):
    case = copy.deepcopy(GOOD)
    case["constraints"] = {f"c{i}" if i else "c": c for i, c in enumerate(constraints)}
    case.update(changes)
    with tempfile.TemporaryDirectory() as folder:
        return fem("check", write_case(folder, case))


class BadConstraints(unittest.TestCase):
    def test_the_good_case_is_good(self):
        result = check({"kind": "distance", "between": ["O", "P"]}, velocity("vx_Q - vy_P"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("constraints of rates 1, independent velocities 7", result.stdout)
        self.assertRegex(result.stdout, "the rate of [XY] of '[PQ]' follows from the other")

    def test_every_bad_one(self):
        for constraint, pointer, words in BAD:
            with self.subTest(constraint=str(constraint)[:80]):
                result = check(constraint)
                self.assertEqual(result.returncode, 2, result.stderr[-300:])
                self.assertIn("/constraints/c" + pointer, result.stderr)
                if words is not None:
                    self.assertIn(words, result.stderr)
                self.assertIn("; ", result.stderr)  # what is wrong; what would be right

    def test_all_of_them_in_one_pass(self):
        result = check(*(constraint for constraint, _, _ in BAD[8:12]))
        self.assertEqual(result.returncode, 2)
        for name in ("c", "c1", "c2", "c3"):
            self.assertIn(f"/constraints/{name}/position", result.stderr)

    def test_contradictions_and_repetitions(self):
        hold = {"kind": "linear", "terms": [["hub", 1]]}
        result = check(hold, hold)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("constraint 'c1' (/constraints/c1) follows from constraint 'c'", result.stdout)
        move = {"kind": "linear", "terms": [["hub", 1]], "change": "away"}
        result = check(hold, move, laws={"away": {"kind": "linear", "points": [[0, 0], [1, 1]]}})
        self.assertEqual(result.returncode, 2)
        self.assertIn("contradicts", result.stderr)
        result = check(velocity("vx_P"), velocity("2*vx_P"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("depend on one another", result.stderr)

    def test_statics_and_modes_refuse_constraints_of_rates(self):
        for command in ("statics", "modes"):
            case = copy.deepcopy(GOOD)
            case["constraints"] = {"edge": {"kind": "knife_edge", "at": "O", "body": "hub"}}
            with tempfile.TemporaryDirectory() as folder:
                result = fem(command, write_case(folder, case), "-o", folder + "/out.h5")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("/constraints/edge", result.stderr)


if __name__ == "__main__":
    unittest.main()
