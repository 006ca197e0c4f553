"""Every kind of object, wrong in every way that it allows: exit code 2, pointer, value, remedy.

Each line of a table is one edit of a case that holds an object of every kind: the path that is
edited, the value put there (GONE takes it away), the pointer of the message, and words of it.
"""

import copy
import json
import tempfile
import unittest

from support import fem, write_case

GONE = object()
INFINITE = "1e999"  # JSON has no infinity: a number beyond all doubles stands for it

GOOD = {
    "libfem": 1,
    "gravity": [0, -9.81],
    "sections": {
        "bar": {"EA": 1e4, "EI": 10, "GAs": 1e3, "mass_per_length": 1, "inertia_per_length": 0.01,
                "mass_offset": 0.02, "stiffness_damping": 1e-4, "mass_damping": 0.1,
                "height": 0.1, "E": 1e7},
        "shape": {"E": 1e7, "poisson": 0.3, "density": 1000,
                  "rectangle": {"width": 0.02, "height": 0.03},
                  "hereditary": {"kernel": {"kind": "prony", "terms": [[0.5, 0.4], [1, 0.1]]},
                                 "prehistory": {"kind": "constant"}}},
    },
    "laws": {"gust": {"kind": "smooth", "points": [[0, 0], [1, 1]]},
             "late": {"kind": "constant", "value": 0.5},
             "jump": {"kind": "steps", "points": [[0, 0], [0.5, 1]]}},
    "points": {"O": [0, 0], "A": [1, 0], "B": [2, 0], "C": [3, 0], "P": [4, 4], "Q": [5, 4],
               "W": [0, 3]},
    "rods": {"first": {"section": "bar", "from": "O", "to": "A", "curvature": 0.1,
                       "elongation": 0.01},
             "second": {"section": "shape", "from": "A", "to": "B"}},
    "hinges": {"elbow": {"at": "A", "members": ["first", "second"],
                         "spring": {"stiffness": 1, "neutral": 0.1, "preload": 0.2},
                         "damper": {"viscosity": 0.1},
                         "friction": {"coulomb": 0.1, "static": 0.2, "stribeck_rate": 0.1,
                                      "regularization": 0.01},
                         "stop": {"lower": -1, "upper": 1, "stiffness": 100, "viscosity": 1},
                         "hereditary": {"neutral": 0.1, "rheonomic_angle": "gust", "kernel": {
                             "kind": "rabotnov", "instantaneous": 1, "lambda": 0.5, "alpha": 0.4,
                             "b": 0.9}}}},
    "supports": {"O": {"fix": ["x", "y"], "angle": "gust"}},
    "bodies": {"ball": {"at": "B", "rod": "second", "mass": 1, "inertia": 0.02,
                        "center": [0.1, 0]},
               "hub": {"at": "P", "mass": 2, "inertia": 0.5, "carries": ["Q"]}},
    "particles": {"bead": {"at": "C", "mass": 0.5, "velocity": [0, 1]}},
    "springs": {"cable": {"between": ["C", "W"], "stiffness": 40, "viscosity": 0.5, "length": 3}},
    "hereditary": {"tie": {"between": ["C", "W"], "length": 3, "rheonomic_length": "jump",
                           "prehistory": {"kind": "window", "deformation": 0.1, "duration": 2},
                           "kernel": {"kind": "standard", "instantaneous": 40, "prolonged": 15,
                                      "time": 0.5, "tolerance": 1e-7}}},
    "loads": {"push": {"at": "B", "force": ["gust", 1], "moment": 0.1, "follower": True,
                       "rod": "second"},
              "wind": {"on": "first", "force": [[0, 1], [0, 2]], "moment": [0, 1],
                       "factor": "gust"}},
    "initial": {"velocity": {"Q": [0, 1]}, "rate": {"hub": 1}},
    "analysis": {"end": 0.001},
}


def edit(case, path, value):
    """Sets, adds or takes away what stands at a path of keys and indices."""
    *parents, last = [int(k) if k.isdigit() else k for k in path.removeprefix("/").split("/")]
    for key in parents:
        case = case[key]
    if value is GONE:
        del case[last]
    elif isinstance(case, list) and last == len(case):
        case.append(value)
    else:
        case[last] = value


class BadObjects(unittest.TestCase):
    def refuse(self, path, value, pointer, *words):
        with self.subTest(path=path, value=value):
            self.refuse_one(path, value, pointer, *words)

    def refuse_one(self, path, value, pointer, *words):
        case = copy.deepcopy(GOOD)
        edit(case, path, value)
        text = json.dumps(case).replace(f'"{INFINITE}"', INFINITE)
        with tempfile.TemporaryDirectory() as folder:
            result = fem("check", write_case(folder, text), timeout=20)
        self.assertEqual(result.returncode, 2, f"{path}: {value!r}\n{result.stdout}{result.stderr}")
        self.assertIn(f" {pointer}: ", result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(result.stdout, "")

    def refuse_all(self, base, table):
        for path, value, pointer, *words in table:
            self.refuse(base + path, value, base + pointer, *words)

    def refuse_numbers(self, base, least):
        """Numbers with a bound: None (finite), "positive", "zero" (not negative)."""
        for path, bound in least.items():
            self.refuse(base + path, INFINITE, base + path, "1e999", "not finite")
            self.refuse(base + path, True, base + path, "true", "number")
            self.refuse(base + path, [], base + path, "must be")
            if bound is not None:
                self.refuse(base + path, -1, base + path, "-1", "must be a number")
            if bound == "positive":
                self.refuse(base + path, 0, base + path, "0", "greater than 0")

    def refuse_keys(self, base, required, unknown="colour"):
        """Required keys that are missing, a key nobody knows, and something that is no object."""
        for key in required:
            self.refuse(f"{base}/{key}", GONE, base, f"'{key}'", "missing")
        self.refuse(f"{base}/{unknown}", 1, f"{base}/{unknown}", "unknown key", "allowed: ")
        for value in (5, "text", None, [1]):
            self.refuse(base, value, base, "must be an object")

    def test_the_case_is_good(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write_case(folder, GOOD)
            for command in ("check", "run"):
                result = fem(command, path, cwd=folder)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_every_command_refuses(self):
        case = copy.deepcopy(GOOD)
        edit(case, "/bodies/hub/mass", -1)
        with tempfile.TemporaryDirectory() as folder:
            path = write_case(folder, case)
            for command in ("check", "run", "statics", "modes"):
                result = fem(command, path, cwd=folder)
                self.assertEqual(result.returncode, 2, command)
                self.assertIn(" /bodies/hub/mass: ", result.stderr)

    def test_root(self):
        self.refuse("/gravity", 9.81, "/gravity", "9.81", "[x, y]")
        self.refuse("/gravity", [0, 0, -9.81, 1], "/gravity", "a list of 4", "[x, y]")
        self.refuse("/gravity", [0, "g"], "/gravity/1", '"g"', "number")
        self.refuse("/gravity", [0, INFINITE], "/gravity/1", "not finite")
        for family in ("sections", "laws", "points", "rods", "hinges", "supports", "bodies",
                       "particles", "springs", "hereditary", "loads"):
            self.refuse(f"/{family}", [], f"/{family}", "must be an object keyed by name")
            self.refuse(f"/{family}/", {}, f"/{family}/", "the name", "not empty")

    def test_names(self):
        for family in ("sections", "laws", "rods", "hinges", "bodies", "particles", "springs",
                       "hereditary", "loads"):
            good = next(iter(GOOD[family].values()))
            with self.subTest(family=family):
                case = copy.deepcopy(GOOD)
                case[family]["a/b"] = good
                with tempfile.TemporaryDirectory() as folder:
                    result = fem("check", write_case(folder, case))
                self.assertEqual(result.returncode, 2)
                self.assertIn(f" /{family}/a~1b: ", result.stderr)
                self.assertIn("without '/'", result.stderr)
        self.refuse("/bodies/first", GOOD["bodies"]["ball"], "/bodies/first", "a rod is named",
                    "another name")

    def test_given_section(self):
        base = "/sections/bar"
        self.refuse_keys(base, ["EA", "EI", "GAs", "mass_per_length", "inertia_per_length",
                                "height", "E"])
        self.refuse_numbers(base, {"/EA": "positive", "/EI": "positive", "/GAs": "positive",
                                   "/mass_per_length": "positive", "/inertia_per_length": "zero",
                                   "/mass_offset": None, "/stiffness_damping": "zero",
                                   "/mass_damping": "zero", "/height": "positive",
                                   "/E": "positive"})
        self.refuse(base + "/mass_offset", 0.2, base + "/inertia_per_length", "0.01",
                    "about the rod's axis", "0.04")
        self.refuse(base + "/density", 1, base, "beside a material or shape", "either")

    def test_shaped_section(self):
        base = "/sections/shape"
        self.refuse_keys(base, ["E", "density"])
        self.refuse_numbers(base, {"/E": "positive", "/density": "positive"})
        self.refuse_all(base, [
            ("/poisson", GONE, "", "poisson", "G"),
            ("/poisson", 0.6, "/poisson", "0.6", "at most 0.5"),
            ("/poisson", -1, "/poisson", "-1", "greater than -1"),
            ("/G", 1e6, "/G", "exclude each other", "keep one"),
            ("/rectangle", GONE, "", "rectangle, circle, tube, box"),
            ("/circle", {"diameter": 1}, "/circle", "exclude each other", "keep one"),
            ("/EA", 1, "", "beside a material or shape"),
        ])
        for value in (3e6, 1e7 / 3.1):
            case = {"E": 1e7, "G": value, "density": 1, "circle": {"diameter": 1}}
            self.refuse(base, case, base + "/G", "makes Poisson's ratio", "at least E/3")
        huge = {"E": 1e300, "poisson": 0, "density": 1, "circle": {"diameter": 1e10}}
        self.refuse(base, huge, base, "beyond the range", "check the units")

    def test_shapes(self):
        shapes = {"rectangle": {"width": 0.02, "height": 0.03}, "circle": {"diameter": 0.02},
                  "tube": {"outer": 0.02, "inner": 0.01},
                  "box": {"width": 0.02, "height": 0.03, "wall": 0.001}}
        base = "/sections/shape"
        for name, shape in shapes.items():
            material = {"E": 1e7, "poisson": 0.3, "density": 1000}
            for key in shape:
                for bad, words in ((GONE, (key, "missing")), (-1, ("-1",)), ("wide", ("number",)),
                                   (INFINITE, ("not finite",))):
                    changed = copy.deepcopy(shape)
                    edit(changed, key, bad)
                    place = f"{base}/{name}" if bad is GONE else f"{base}/{name}/{key}"
                    self.refuse(base, material | {name: changed}, place, *words)
            self.refuse(base, material | {name: shape | {"length": 1}}, f"{base}/{name}/length",
                        "unknown")
            self.refuse(base, material | {name: 0.02}, f"{base}/{name}", "must be an object")
        material = {"E": 1e7, "poisson": 0.3, "density": 1000}
        for inner in (0.02, 0.03):
            self.refuse(base, material | {"tube": {"outer": 0.02, "inner": inner}},
                        base + "/tube/inner", "leaves no wall", "less than outer")
        self.refuse(base, material | {"box": {"width": 0.02, "height": 0.03, "wall": 0.01}},
                    base + "/box/wall", "leaves no hole", "half of the smaller side")

    def test_points(self):
        self.refuse_all("/points/A", [
            ("", [1], "", "a list of 1", "[x, y]"),
            ("", [1, 0, 0, 0], "", "a list of 4", "[x, y]"),
            ("", {"x": 1}, "", "[x, y]"),
            ("", [1, None], "/1", "number"),
            ("", [INFINITE, 0], "/0", "not finite"),
        ])

    def test_rods(self):
        base = "/rods/first"
        self.refuse_keys(base, ["section", "from", "to"])
        self.refuse_numbers(base, {"/curvature": None, "/elongation": None})
        self.refuse_all(base, [
            ("/section", "bra", "/section", "no section 'bra'", "did you mean 'bar'"),
            ("/section", 1, "/section", "1", "the name of a section"),
            ("/from", "o", "/from", "no point 'o'", "did you mean 'O'"),
            ("/to", "X", "/to", "no point 'X'", "'O', 'A'"),
            ("/to", "O", "", "zero length", "'O' and 'O'", "move one"),
            ("/elongation", -1, "/elongation", "-1", "greater than -1"),
            ("/elements", 0, "/elements", "0", "1"),
            ("/elements", 2.5, "/elements", "2.5", "integer"),
            ("/elements", 1e9, "/elements", "10000000"),
            ("/inertia_field", "papre", "/inertia_field", "papre", "did you mean 'paper'"),
        ])
        self.refuse("/points/A", [0, 0], base, "zero length", "move one of the points")

    def test_hinges(self):
        base = "/hinges/elbow"
        self.refuse_keys(base, ["at", "members"])
        self.refuse_all(base, [
            ("/at", "X", "/at", "no point 'X'"),
            ("/at", "B", "/members/0", "'first' does not end at point 'B'", "'second'"),
            ("/members", ["first"], "/members", "a list of 1", "two names"),
            ("/members", ["first", "first"], "/members", "both names", "two different"),
            ("/members", ["first", "scond"], "/members/1", "no rod or body 'scond'",
             "did you mean 'second'"),
            ("/members", ["first", "hub"], "/members/1", "'hub' does not end at point 'A'"),
            ("/drive", "gist", "/drive", "no law 'gist'", "did you mean 'gust'"),
            ("/drive", "late", "/drive", "0.5 rad at the start", "start at 0"),
            ("/drive", "jump", "/drive", "jump"),
            ("/drive", 0.5, "/drive", "0.5 rad at the start"),
            ("/drive", [1], "/drive", "a number or the name of a law"),
        ])

    def test_hinge_springs(self):
        base = "/hinges/elbow/spring"
        self.refuse_keys(base, [])
        self.refuse_numbers(base, {"/stiffness": None, "/neutral": None, "/preload": None})
        self.refuse(base, {}, base, "stiffness, table")
        table = [[-1, 1], [1, -1]]
        self.refuse(base + "/table", table, base + "/table", "exclude each other", "keep one")
        self.refuse(base, {"table": table, "neutral": 1}, base + "/neutral", "unknown")
        for bad, pointer, *words in (
                ([[0, 1]], "/table", "a list of 1", "pairs"),
                ([[0, 1], [0, 2]], "/table/1/0", "increase strictly"),
                ([[1, 1], [0, 2]], "/table/1/0", "increase strictly"),
                ([[0, 1], [1]], "/table/1", "[angle, moment]"),
                ([[0, 1], [1, "a"]], "/table/1/1", "number"),
                ([[0, 1], [1, INFINITE]], "/table/1/1", "not finite"),
                (5, "/table", "pairs")):
            self.refuse(base, {"table": bad}, base + pointer, *words)

    def test_hinge_dampers_and_friction(self):
        base = "/hinges/elbow/damper"
        self.refuse_keys(base, ["viscosity"])
        self.refuse_numbers(base, {"/viscosity": "zero"})
        base = "/hinges/elbow/friction"
        self.refuse_keys(base, ["coulomb"])
        self.refuse_numbers(base, {"/coulomb": "zero", "/static": "zero",
                                   "/stribeck_rate": "positive", "/regularization": "positive"})
        self.refuse(base + "/static", 0.05, base + "/static", "0.05", "at least coulomb, 0.1")

    def test_hinge_stops(self):
        base = "/hinges/elbow/stop"
        self.refuse_keys(base, [])
        self.refuse_numbers(base, {"/lower": None, "/upper": None, "/viscosity": "zero",
                                   "/stiffness": "positive"})
        self.refuse(base, {"stiffness": 1}, base, "no limit", "lower, upper")
        self.refuse(base + "/upper", -1, base + "/upper", "not above", "greater than lower, -1")

    def test_supports(self):
        base = "/supports/O"
        self.refuse_keys(base, [])
        self.refuse_all(base, [
            ("/fix", ["x", "w"], "/fix/1", '"w"', "x, y, z, angle"),
            ("/fix", ["x", "z"], "/fix", "in the plane", "three coordinates"),
            ("/fix", ["x", "x"], "/fix/1", "repeated"),
            ("/fix", "x", "/fix", "a list of x, y, z, angle"),
            ("/fix", ["x", "y", "angle"], "/angle", "fixed and prescribed"),
            ("/x", 0, "/x", "fixed and prescribed"),
            ("/angle", "gist", "/angle", "no law 'gist'", "did you mean 'gust'"),
            ("/angle", "late", "/angle", "0.5 rad at the start", "start at 0"),
            ("/angle", "jump", "/angle", "jump"),
            ("/rod", "frist", "/rod", "no rod or body 'frist'", "did you mean 'first'"),
            ("/rod", "second", "/rod", "'second' does not end at point 'O'", "'first'"),
        ])
        self.refuse(base, {}, base, "holds nothing", "at least one of x, y, z, angle")
        self.refuse("/supports/X", {"fix": ["x"]}, "/supports/X", "no point 'X'")
        self.refuse("/supports/A", {"fix": ["angle"]}, "/supports/A", "several angles",
                    "'first' and 'second'")
        self.refuse("/supports/W", {"fix": ["angle"]}, "/supports/W", "nothing turns")

    def test_bodies(self):
        base = "/bodies/ball"
        self.refuse_keys(base, ["at", "mass", "inertia"])
        self.refuse_numbers(base, {"/mass": "zero", "/inertia": "zero"})
        self.refuse_all(base, [
            ("/at", "X", "/at", "no point 'X'"),
            ("/at", 5, "/at", "the name of a point"),
            ("/at", "O", "/rod", "'second' does not end at point 'O'", "'first'"),
            ("/rod", "scond", "/rod", "no rod 'scond'", "did you mean 'second'"),
            ("/rod", "hub", "/rod", "no rod 'hub'", "'first' and 'second'"),
            ("/rod", 1, "/rod", "the name of a rod"),
            ("/center", [0.1], "/center", "[x, y]"),
            ("/center", [0.1, INFINITE], "/center/1", "not finite"),
            ("/center", [1, 0], "/inertia", "0.02", "about the point", "1"),
        ])
        for key in ("mass", "inertia"):
            self.refuse(f"/bodies/hub/{key}", 0, "/bodies/hub", "needs mass and inertia", "give both")
        self.refuse("/bodies/hub/at", "A", "/bodies/hub", "no hinge there names it",
                    '"drive": 0')

    def test_a_body_without_inertia_of_its_own_is_told(self):
        # All its mass in one point that nothing holds: about that point it has no inertia.
        case = copy.deepcopy(GOOD)
        case["bodies"]["hub"] = {"at": "P", "mass": 2, "inertia": 0.5, "center": [0.5, 0]}
        del case["points"]["Q"]
        del case["initial"]
        with tempfile.TemporaryDirectory() as folder:
            path = write_case(folder, case)
            checked = fem("check", path)
            run = fem("run", path, cwd=folder)
        self.assertEqual(checked.returncode, 0)
        self.assertIn("the angle of body 'hub'; runs and modes need mass there", checked.stdout)
        self.assertEqual(run.returncode, 3)
        self.assertIn("the angle of body 'hub'", run.stderr)

    def test_carried_points(self):
        base = "/bodies/hub/carries"
        self.refuse_all(base, [
            ("", [], "", "a list of 0", "names of points"),
            ("", "Q", "", '"Q"', "names of points"),
            ("", ["Q", 1], "/1", "the name of a point"),
            ("", ["Q", "X"], "/1", "no point 'X'"),
            ("", ["Q", "Q"], "/1", "already holds"),
            ("", ["Q", "P"], "/1", "already holds"),
        ])

    def test_particles(self):
        base = "/particles/bead"
        self.refuse_keys(base, ["at", "mass"])
        self.refuse_numbers(base, {"/mass": "positive"})
        self.refuse_all(base, [
            ("/at", "X", "/at", "no point 'X'"),
            ("/velocity", 1, "/velocity", "[x, y]"),
            ("/velocity", [1], "/velocity", "a list of 1"),
            ("/velocity", [1, 2, 3], "/velocity", "in the plane", "three coordinates"),
            ("/velocity", [1, INFINITE], "/velocity/1", "not finite"),
        ])
        self.refuse("/particles/pearl", {"at": "C", "mass": 1, "velocity": [0, 2]},
                    "/particles/pearl/velocity", "given twice", "give it once")

    def test_springs(self):
        base = "/springs/cable"
        self.refuse_keys(base, ["between"])
        self.refuse_numbers(base, {"/stiffness": "zero", "/viscosity": "zero", "/length": "zero"})
        self.refuse_all(base, [
            ("/between", ["C"], "/between", "two names"),
            ("/between", ["C", "C"], "/between", "both names", "two different points"),
            ("/between", ["X", "W"], "/between/0", "no point 'X'"),
            ("/between", ["C", "w"], "/between/1", "no point 'w'", "did you mean 'W'"),
            ("/between", ["C", 1], "/between/1", "the name of a point"),
        ])
        self.refuse(base, {"between": ["C", "W"]}, base, "neither stiffness nor viscosity")
        self.refuse("/points/W", [3, 0], base, "no direction", "move one")

    def test_hereditary_elements(self):
        base = "/hereditary/tie"
        self.refuse_keys(base, ["between", "kernel"])
        self.refuse_keys(base + "/kernel", ["instantaneous", "prolonged", "time"])
        self.refuse_numbers(base, {"/length": "zero", "/kernel/instantaneous": "positive",
                                   "/kernel/prolonged": None, "/kernel/time": None,
                                   "/kernel/tolerance": "positive",
                                   "/prehistory/duration": "positive",
                                   "/prehistory/deformation": None})
        self.refuse_all(base, [
            ("/between/1", "C", "/between", "both names"),
            ("/between/1", "X", "/between/1", "no point 'X'"),
            ("/rheonomic_length", "jumps", "/rheonomic_length", "did you mean 'jump'"),
            ("/kernel/kind", "maxwell", "/kernel/kind", "standard", "rabotnov"),
            ("/kernel/form", "creep", "/kernel/form", "relaxation, retardation"),
            ("/kernel/prolonged", 40.1, "/kernel/prolonged", "gives out energy"),
            ("/kernel/prolonged", -1, "/kernel/prolonged", "unstable"),
            ("/kernel/time", 0, "/kernel/time", "grows by itself"),
            ("/kernel/tolerance", 0.5, "/kernel/tolerance", "1e-12 to 1e-3"),
            ("/prehistory/kind", "ever", "/prehistory/kind", "natural"),
            ("/prehistory", {"kind": "exponential", "deformation": 1, "rate": 0},
             "/prehistory/rate", "greater than 0"),
            ("/prehistory", {"kind": "table", "points": [[-1, 0], [1, 0]]}, "/prehistory/points",
             "not after 0"),
        ])
        self.refuse("/points/W", [3, 0], base, "no direction", "move one")
        self.refuse("/hereditary/elbow", GOOD["hereditary"]["tie"], "/hereditary/elbow",
                    "same name")

    def test_kernels_that_are_not_passive(self):
        place = "/hereditary/tie/kernel"
        for kernel, key, words in (
                ({"kind": "prony", "terms": []}, "/terms", "at least one"),
                ({"kind": "prony", "terms": [[1, 2]]}, "", "more than the whole force"),
                ({"kind": "prony", "terms": [[-1, 2]]}, "/terms/0/0", "positive"),
                ({"kind": "rzhanitsyn", "A": 0.2, "alpha": 1, "b": 1}, "/alpha", "integrated"),
                ({"kind": "rzhanitsyn", "A": 0.2, "alpha": -0.1, "b": 1}, "/alpha", "fading"),
                ({"kind": "rzhanitsyn", "A": 0.2, "alpha": 0.5, "b": 0}, "", "retardation"),
                ({"kind": "rabotnov", "lambda": 1, "alpha": 0.4, "b": 0.9}, "", "whole force"),
                ({"kind": "koltunov", "a": 0.1, "beta": 0.5, "p": 1, "alpha": 1.5}, "/alpha",
                 "give out energy"),
                ({"kind": "koltunov", "a": 0.1, "beta": 1.5, "p": 1, "alpha": 1}, "/beta", "fade"),
                ({"kind": "slonimsky", "a": 0, "alpha": 0.5, "p": 1}, "/a", "positive")):
            self.refuse(place, {"instantaneous": 40} | kernel, place + key, words)

    def test_hereditary_hinges_and_sections(self):
        base = "/hinges/elbow/hereditary"
        self.refuse_keys(base, ["kernel"])
        self.refuse_numbers(base, {"/neutral": None})
        self.refuse(base + "/rheonomic_angle", "X", base + "/rheonomic_angle", "no law 'X'")
        self.refuse(base + "/kernel/lambda", 2, base + "/kernel", "more than the whole force")
        base = "/sections/shape/hereditary"
        self.refuse_keys(base, ["kernel"])
        self.refuse(base + "/kernel/instantaneous", 1, base + "/kernel/instantaneous", "unknown")
        self.refuse(base + "/kernel/terms/0/0", 5, base + "/kernel", "more than the whole force")
        self.refuse(base + "/prehistory/deformation", 1, base + "/prehistory", "strains of the")

    def test_point_loads(self):
        base = "/loads/push"
        self.refuse_keys(base, [])
        self.refuse_all(base, [
            ("/at", GONE, "", "at, on"),
            ("/on", "first", "/on", "exclude each other", "keep one"),
            ("/at", "X", "/at", "no point 'X'"),
            ("/force", 1, "/force", "[x, y]"),
            ("/force", [1], "/force", "a list of 1"),
            ("/force", ["gist", 1], "/force/0", "no law 'gist'", "did you mean 'gust'"),
            ("/force", [1, INFINITE], "/force/1", "not finite"),
            ("/force", [1, True], "/force/1", "a number or the name of a law"),
            ("/moment", "gist", "/moment", "no law 'gist'"),
            ("/moment", [1], "/moment", "a number or the name of a law"),
            ("/follower", 1, "/follower", "true or false"),
            ("/rod", "scond", "/rod", "no rod or body 'scond'", "did you mean 'second'"),
            ("/rod", "first", "/rod", "'first' does not end at point 'B'", "'second'"),
            ("/factor", 2, "/factor", "unknown"),
        ])
        self.refuse(base, {"at": "B"}, base, "neither force nor moment")
        for load in ({"moment": 1}, {"force": [1, 0], "follower": True}):
            self.refuse(base, {"at": "A"} | load, base, "several angles", "'first' and 'second'")
            self.refuse(base, {"at": "W"} | load, base, "nothing turns")

    def test_rod_loads(self):
        base = "/loads/wind"
        self.refuse_keys(base, [])
        self.refuse_all(base, [
            ("/on", "frist", "/on", "no rod 'frist'", "did you mean 'first'"),
            ("/on", "hub", "/on", "no rod 'hub'"),
            ("/on", 1, "/on", "the name of a rod"),
            ("/force", [0, 1], "/force/0", "[x, y]"),
            ("/force", [[0, 1]], "/force", "both ends"),
            ("/force", [[0, 1], [0, "gust"]], "/force/1/1", "number"),
            ("/force", [[0, 1], [0, INFINITE]], "/force/1/1", "not finite"),
            ("/moment", 1, "/moment", "[from, to]"),
            ("/moment", [1, INFINITE], "/moment/1", "not finite"),
            ("/factor", "gist", "/factor", "no law 'gist'", "did you mean 'gust'"),
            ("/factor", [], "/factor", "a number or the name of a law"),
            ("/follower", True, "/follower", "unknown"),
        ])
        self.refuse(base, {"on": "first"}, base, "neither force nor moment")

    def test_initial(self):
        self.refuse_keys("/initial", [])
        self.refuse_all("/initial", [
            ("/velocity", [0, 1], "/velocity", "velocities [x, y] keyed by points"),
            ("/velocity/X", [0, 1], "/velocity/X", "no point 'X'"),
            ("/velocity/Q", [0], "/velocity/Q", "[x, y]"),
            ("/velocity/Q", [0, INFINITE], "/velocity/Q/1", "not finite"),
            ("/velocity/C", [3, 3], "/velocity/C", "given twice", "give it once"),
            ("/rate", 1, "/rate", "must be an object"),
            ("/rate/hup", 1, "/rate/hup", "no body 'hup'", "did you mean 'hub'"),
            ("/rate/ball", 1, "/rate/ball", "turns with rod 'second'"),
            ("/rate/hub", "fast", "/rate/hub", "number"),
            ("/rate/hub", INFINITE, "/rate/hub", "not finite"),
        ])

    def test_analysis(self):
        base = "/analysis"
        self.refuse_keys(base, ["end"])
        self.refuse_numbers(base, {"/end": "positive"})
        self.refuse(base + "/output", {"every": 0}, base + "/output/every", "greater than 0")
        self.refuse(base + "/output", {"every": 1e-30}, base + "/output/every", "10000000 rows")
        for key in ("local_tolerance", "iteration_tolerance", "frequency_limit",
                    "reference_length", "reference_time"):
            for bad in (0, -1, INFINITE, "small"):
                self.refuse(base + "/method", {key: bad}, f"{base}/method/{key}")
        self.refuse(base + "/method", {"frequency_limit": 2}, base + "/method/frequency_limit",
                    "at most 1.7")
        self.refuse(base + "/method", {"kind": "arclength"}, base + "/method/kind",
                    "did you mean 'arc_length'")

    def test_contradictions_of_constraints(self):
        # The hub's two points are held apart from one another by laws that disagree with its arm.
        case = copy.deepcopy(GOOD)
        case["supports"]["P"] = {"fix": ["x", "y", "angle"]}
        case["supports"]["Q"] = {"x": "gust"}
        with tempfile.TemporaryDirectory() as folder:
            result = fem("check", write_case(folder, case))
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn("/supports/Q/x", result.stderr)
        self.assertIn("contradicts", result.stderr)

    def test_all_objects_are_reported_in_one_pass(self):
        case = copy.deepcopy(GOOD)
        edits = {"/bodies/hub/at": "X", "/particles/bead/at": "X", "/springs/cable/between/0": "X",
                 "/loads/push/force/0": "X", "/loads/wind/on": "X", "/hinges/elbow/drive": "X",
                 "/supports/O/angle": "X", "/rods/first/section": "X"}
        for path, value in edits.items():
            edit(case, path, value)
        with tempfile.TemporaryDirectory() as folder:
            result = fem("check", write_case(folder, case))
        self.assertEqual(result.returncode, 2)
        for pointer in edits:
            self.assertIn(f" {pointer}: ", result.stderr)
        self.assertIn(f"{len(edits)} problems", result.stderr)


if __name__ == "__main__":
    unittest.main()
