"""What a user writes around a case: --set, include, units, tables, expressions; and what is told."""

import json
import pathlib
import re
import tempfile
import unittest

import h5py
import numpy as np

from support import CASES, fem, load_case, write_case

ARM = {
    "libfem": 1,
    "gravity": [0, -9.81],
    "sections": {"bar": {"EA": 1e5, "EI": 60, "GAs": 4e4,
                         "mass_per_length": 0.3, "inertia_per_length": 1e-5}},
    "points": {"O": [0, 0], "A": [1, 0]},
    "rods": {"arm": {"section": "bar", "from": "O", "to": "A", "elements": 2}},
    "supports": {"O": {"fix": ["x", "y", "angle"]}},
    "analysis": {"end": 0.2, "output": {"every": 0.02}},
}


def arm(**changes):
    case = json.loads(json.dumps(ARM))
    case.update(changes)
    return case


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, case, name="case.json"):
        return write_case(self.folder, case, name)

    def run_case(self, case, *arguments, name="case.json"):
        """The results of a case, open."""
        path = case if isinstance(case, pathlib.Path) else self.write(case, name)
        out = self.folder / (path.stem + ".h5")
        done = fem("run", path, "-o", out, "--quiet", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        file = h5py.File(out, "r")
        self.addCleanup(file.close)
        return file

    def refuse(self, case, pointer, *words, command="check", arguments=(), code=2):
        path = case if isinstance(case, pathlib.Path) else self.write(case)
        done = fem(command, path, *arguments, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for word in (pointer, *words):
            self.assertIn(word, done.stderr)
        return done.stderr


class Set(Folder):
    def test_replaces_values(self):
        with self.run_case(arm(), "--set", "/analysis/end=0.1", "--set", "/points/A=[2, 0]",
                           "--set", "/title=Half a run") as f:
            self.assertEqual(f["time"][-1], 0.1)
            self.assertEqual(f["points/position"][0, 1, 0], 2)
            self.assertEqual(f.attrs["title"], "Half a run")
            case = json.loads(f["case"][()])
            self.assertEqual(case["analysis"]["end"], 0.1)

    def test_is_the_same_run_as_an_edited_file(self):
        edited = arm()
        edited["sections"]["bar"]["EI"] = 77.7
        with self.run_case(arm(), "--set", "/sections/bar/EI=77.7", name="a.json") as a, \
                self.run_case(edited, name="b.json") as b:
            np.testing.assert_array_equal(a["points/position"][:], b["points/position"][:])

    def test_sets_keys_that_the_case_leaves_out(self):
        steps = []
        for arguments in ([], ["--set", "/analysis/method/frequency_limit=0.5"]):
            done = fem("check", self.write(arm()), *arguments)
            steps.append(float(re.search(r"step at most (\S+) s", done.stdout).group(1)))
        self.assertAlmostEqual(steps[1] / steps[0], 0.5, places=2)

    def test_refuses_what_leads_nowhere(self):
        for setting, pointer, words in (
            ("/sections/bra/EI=1", "/sections/bra/EI", ["no 'bra'", "did you mean 'bar'?"]),
            ("/sektions/bar/EI=1", "/sektions", ["did you mean 'sections'?"]),
            ("/analysis/ende=1", "/analysis/ende", ["did you mean 'end'?"]),
            ("/points/A/7=1", "/points/A/7", ["0 to 1"]),
            ("/libfem/a=1", "/libfem/a", ["below 1"]),
            ("/sections/bar/EI=-5", "/sections/bar/EI", ["-5", "greater than 0"]),
            ("/points/A=[1,", "/points/A", ["is not JSON"]),
            ("/points/A= [1,", "/points/A", ["is not JSON"]),
            ("/points/A=[0,1e5000]", "/points/A/1", ["1e5000", "not finite"]),
            ("/analysis/end=1e5000", "/analysis/end", ["1e5000", "not finite"]),
            ("/title=1e5000", "/title", ["1e5000", "not finite"]),
            ("/points=" + 70 * "[", "/points", ["nested deeper than 64"]),
            ('/rods={"r":{"from":{"q":1,"q":2}}}', "/rods/r/from/q", ['the key "q"', "twice"]),
            ("/points/A=[" + 10000 * "1,", "/points/A", ["is not JSON", "…"]),
            ('/points={"A":[1,0],"A":[2,0]}', "/points/A", ['the key "A"', "twice", "keep one"]),
            ("/analysis/end=1e999", "/analysis/end", ["1e999", "not finite"]),
            ("/sections=3", "/sections", ["an object keyed by name"]),
            ("analysis/end=1", "--set analysis/end=1", ["/json/pointer=value"]),
            ("/analysis/end", "--set /analysis/end", ["/json/pointer=value"]),
        ):
            with self.subTest(setting=setting):
                text = self.refuse(arm(), pointer, ("--set " + setting)[:900], *words,
                                   arguments=["--set", setting])
                self.assertNotIn("defect", text)
                self.assertLess(len(text), 4000)

    def test_takes_for_text_what_begins_like_a_number(self):
        for title in ("5 panels", "1e999 panels", "2.5.1"):
            done = fem("check", self.write(arm()), "--set", f"/title={title}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(title, done.stdout)

    def test_refuses_bytes_that_are_no_text(self):
        for setting in ("/title=\udcff", "/points/\udcff=3", "/title=ok\udce2\udc82", "/title=[\udcff]"):
            text = self.refuse(arm(), "--set: the setting is not valid UTF-8 text",
                               arguments=["--set", setting])
            self.assertNotIn("defect", text)


class Include(Folder):
    def test_merges_files(self):
        self.write({"sections": {"bar": {"EI": 1, "EA": 1e5}, "other": None},
                    "points": {"O": [9, 9]}}, "base.json")
        (self.folder / "sub").mkdir()
        self.write({"sections": ARM["sections"], "include": "../base.json"}, "sub/more.json")
        case = arm(include=["sub/more.json"])
        del case["sections"]
        case["rods"]["arm"]["inertia_field"] = None  # null removes, also what is not there
        with self.run_case(case) as f, self.run_case(arm(), name="whole.json") as whole:
            np.testing.assert_array_equal(f["points/position"][:], whole["points/position"][:])
            self.assertEqual(json.loads(f["case"][()])["sections"]["bar"]["EI"], 60)

    def test_a_list_replaces_a_list(self):
        self.write({"points": {"A": [5, 5]}}, "base.json")
        case = arm(include="base.json")
        done = fem("check", self.write(case))
        self.assertIn("length 1 m", done.stdout)

    def test_names_both_files(self):
        self.write({"include": "case.json"}, "b.json")
        self.refuse(arm(include="b.json"), "/include", "case.json', which includes it", "b.json:1:",
                    "b.json' includes")
        self.refuse(arm(include="nothing.json"), "/include", "case.json' includes", "nothing.json",
                    "does not exist")
        self.refuse(arm(include=3), "/include", "path of a file")
        self.write([1, 2], "list.json")
        self.refuse(arm(include="list.json"), "/include", "list.json' holds", "holds an object")

    def test_tells_the_file_of_what_is_wrong(self):
        self.write('{\n  "sections": {"bar": {"EI":\n      -7}}}', "base.json")
        case = arm(include="base.json")
        del case["sections"]["bar"]["EI"]
        self.refuse(case, "/sections/bar/EI", "base.json:3:7: ", "-7 is not allowed")

    def test_the_same_file_twice_is_no_cycle(self):
        self.write({"title": "twice"}, "base.json")
        self.write({"include": "base.json"}, "b.json")
        done = fem("check", self.write(arm(include=["base.json", "b.json"])))
        self.assertEqual((done.returncode, done.stdout.split("\n")[0]), (0, "twice"))


class Places(Folder):
    def test_every_problem_has_line_and_column(self):
        text = json.dumps(arm(), indent=2).replace('"EI": 60', '"EI": -60')
        text = text.replace('"section": "bar"', '"section": "baz"')
        text = "// a comment\n" + text.replace('"end": 0.2', '/* two\nlines */ "end": "x"')
        lines = text.split("\n")
        message = self.refuse(text, "/sections/bar/EI")
        found = re.findall(r"case\.json:(\d+):(\d+): (/\S+):", message)
        values = {pointer: lines[int(line) - 1][int(column) - 1:] for line, column, pointer in found}
        self.assertTrue(values["/sections/bar/EI"].startswith("-60"))
        self.assertTrue(values["/analysis/end"].startswith('"x"'))
        dangling = json.dumps(arm(), indent=2).replace('"section": "bar"', '"section": "baz"')
        message = self.refuse(dangling, "/rods/arm/section", "did you mean 'bar'?")
        line, column = re.search(r"case\.json:(\d+):(\d+): /rods/arm/section", message).groups()
        self.assertTrue(dangling.split("\n")[int(line) - 1][int(column) - 1:].startswith('"baz"'))

    def test_columns_count_characters_and_lists(self):
        text = json.dumps(arm(title="äöü€"), ensure_ascii=False).replace("[1, 0]", '[1, "ß"]')
        message = self.refuse(text, "/points/A/1")
        column = int(re.search(r"case\.json:1:(\d+): /points/A/1", message).group(1))
        self.assertEqual(text[column - 1:column + 2], '"ß"')


class Laws(Folder):
    def driven(self, law, **more):
        return arm(laws={"turn": law}, supports={"O": {"fix": ["x", "y"], "angle": "turn"}}, **more)

    def angle(self, file):
        return file["rods/arm/angle"][:, 0, 0]

    def test_expression(self):
        law = {"kind": "expression", "expression": "0.1*sin(3*t)^2"}
        with self.run_case(self.driven(law)) as f:
            np.testing.assert_allclose(self.angle(f), 0.1 * np.sin(3 * f["time"][:]) ** 2,
                                       atol=1e-12)

    def test_bad_expression_tells_the_column(self):
        for text, words in (("0.1*sine(t)", ["column 5", "did you mean 'sin'?"]),
                            ("0.1*sin(3*x)", ["column 11", "'x'", "the time"]),
                            ("0.1*", ["at the end"]), ("", ["a formula of t"])):
            with self.subTest(expression=text):
                self.refuse(self.driven({"kind": "expression", "expression": text}),
                            "/laws/turn/expression", *words)

    def test_not_finite_at_the_start(self):
        for text in ("log(t)", "1/t"):
            self.refuse(self.driven({"kind": "expression", "expression": text}), "/laws/turn",
                        "not a finite number at the start")
        self.refuse(self.driven({"kind": "expression", "expression": "sqrt(t)"}),
                    "/supports/O/angle", "not finite at t = 0")

    def test_not_finite_during_a_run_stops_it(self):
        law = {"kind": "expression", "expression": "1 - sqrt(1 - 10*t)"}
        load = arm(laws={"push": law}, loads={"tip": {"at": "A", "force": [0, "push"]}})
        for case in (self.driven(law), load):
            text = self.refuse(case, "law '", "ceases to be a finite number", command="run", code=3)
            self.assertIn("t = 0.", text)
            with h5py.File(self.folder / "case.h5", "r") as f:
                self.assertEqual(f.attrs["status"], "failed")
                self.assertTrue(0.05 < f["time"][-1] <= 0.1)
                self.assertTrue(np.isfinite(f["points/position"][:]).all())

    def test_statics_refuse_a_law_that_is_not_finite_then(self):
        law = {"kind": "expression", "expression": "sqrt(1 - 10*t)"}
        case = arm(laws={"push": law}, loads={"tip": {"at": "A", "force": [0, "push"]}})
        self.refuse(case, "/laws/push", "not a finite number at t = 0.2", command="statics")

    def test_table_follows_its_points(self):
        t = np.linspace(0, 0.2, 11)
        y = 0.1 * np.sin(10 * t) ** 2
        rows = "".join(f"{a!r};{b!r};7\n" for a, b in zip(t.tolist(), y.tolist()))
        (self.folder / "turn.csv").write_text("# measured\n\nt;angle;c\n" + rows)
        for columns in ({}, {"columns": ["t", "angle"]}, {"columns": [1, 2]}):
            law = {"kind": "table", "file": "turn.csv", **columns}
            with self.run_case(self.driven(law)) as f:
                np.testing.assert_allclose(self.angle(f), y, atol=1e-12)
        law = {"kind": "table", "points": np.array([t, y]).T.tolist()}
        with self.run_case(self.driven(law), name="points.json") as f:
            np.testing.assert_allclose(self.angle(f), y, atol=1e-12)

    def test_bad_tables(self):
        for text, words in (("0,0\n1,x\n", ["line 2, column 2", "'x'"]),
                            ("0,0\n\n1\n", ["line 3", "1 column;"]),
                            ("0 0\n1 1\n1 2\n", ["line 3", "does not come after"]),
                            ("# none\n", ["no numbers"]),
                            ("0,nan\n", ["not a finite number"])):
            with self.subTest(text=text):
                (self.folder / "turn.csv").write_text(text)
                self.refuse(self.driven({"kind": "table", "file": "turn.csv"}), "/laws/turn/file",
                            "turn.csv", *words)
        self.refuse(self.driven({"kind": "table", "file": "no.csv"}), "/laws/turn/file", "no.csv")
        for no_path in (3, ""):
            self.refuse(self.driven({"kind": "table", "file": no_path}), "/laws/turn/file",
                        "the path of a CSV file")
        (self.folder / "turn.csv").write_text("time,angle\n0,0\n1,1\n")
        self.refuse(self.driven({"kind": "table", "file": "turn.csv", "columns": ["time", "angel"]}),
                    "/laws/turn/columns", "did you mean 'angle'?")


# One of every number with a dimension, and its unit, written down apart from the reader.
UNITS = {"length": ("mm", 1e-3), "force": ("kN", 1e3), "mass": ("g", 1e-3), "time": ("ms", 1e-3),
         "angle": ("deg", np.pi / 180)}
m, N, kg, s, rad = (UNITS[k][1] for k in ("length", "force", "mass", "time", "angle"))


class Units(Folder):
    def compare(self, si, other, command="run"):
        """The same results of a case in SI and of one in other units, to rounding of the steps."""
        other = {"units": {k: v[0] for k, v in UNITS.items()}, **other}
        files = []
        for name, case in (("si", si), ("other", other)):
            out = self.folder / f"{name}.h5"
            done = fem(command, self.write(case, name + ".json"), "-o", out, "--quiet")
            self.assertEqual(done.returncode, 0, done.stderr)
            files.append(h5py.File(out, "r"))
            self.addCleanup(files[-1].close)
        a, b = files
        np.testing.assert_allclose(a["time"][:], b["time"][:], rtol=1e-12)
        quantities = []
        a.visititems(lambda name, item: quantities.append(name)
                     if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and
                     not name.startswith(("solver", "events", "energy/balance")) and
                     "violation" not in name else None)
        self.assertGreater(len(quantities), 20)
        for name in quantities:
            scale = np.abs(a[name][:]).max(initial=0)
            np.testing.assert_allclose(b[name][:], a[name][:], rtol=0, atol=1e-6 * scale + 1e-9,
                                       err_msg=name)

    def test_rods_hinges_bodies_loads(self):
        def case(m, N, kg, s, rad):
            Nm = N * m
            return {
                "libfem": 1,
                "gravity": [0.5 / (m / s**2), -9.81 / (m / s**2)],
                "sections": {
                    "given": {"EA": 1e5 / N, "EI": 60 / (N * m**2), "GAs": 4e4 / N,
                              "mass_per_length": 0.3 / (kg / m), "inertia_per_length": 1e-4 / (kg * m),
                              "mass_offset": 0.01 / m, "stiffness_damping": 1e-4 / s,
                              "mass_damping": 0.2 * s, "height": 0.02 / m, "E": 7e10 / (N / m**2)},
                    "shaped": {"E": 7e7 / (N / m**2), "G": 2.6e7 / (N / m**2),
                               "density": 700 / (kg / m**3),
                               "box": {"width": 0.03 / m, "height": 0.02 / m, "wall": 0.002 / m}}},
                "laws": {
                    "move": {"kind": "harmonic", "amplitude": 0.02 / m,
                             "angular_frequency": 20 / (rad / s), "end": 0.15 / s},
                    "push": {"kind": "polynomial", "coefficients": [1 / N, 5 / (N / s)],
                             "start": 0.05 / s},
                    "twist": {"kind": "expression", "expression": f"{0.3 / Nm!r}*sin({8 * s!r}*t)"},
                    "wind": {"kind": "table", "points": [[0, 0], [0.1 / s, 1], [0.2 / s, 0.5]]}},
                "points": {"O": [0, 0], "A": [0.5 / m, 0], "B": [1 / m, 0.2 / m],
                           "F": [0.2 / m, 1 / m], "G": [0.4 / m, 1 / m], "W": [0.5 / m, 0.5 / m]},
                "rods": {"one": {"section": "given", "from": "O", "to": "A", "elements": 2,
                                 "curvature": 0.05 / (rad / m), "elongation": 1e-4},
                         "two": {"section": "shaped", "from": "A", "to": "B", "elements": 2}},
                "hinges": {"knee": {
                    "at": "A", "members": ["one", "two"],
                    "spring": {"stiffness": 5 / (Nm / rad), "neutral": 0.3 / rad,
                               "preload": 0.1 / Nm},
                    "damper": {"viscosity": 0.02 / (Nm * s / rad)},
                    "friction": {"coulomb": 0.01 / Nm, "static": 0.02 / Nm,
                                 "stribeck_rate": 0.2 / (rad / s),
                                 "regularization": 0.05 / (rad / s)},
                    "stop": {"lower": 0.2 / rad, "upper": 0.5 / rad, "stiffness": 50 / (Nm / rad),
                             "viscosity": 1 / (Nm * s / rad**2)},
                    "hold": {"until": 0.02 / s}}},
                "supports": {"O": {"fix": ["x", "angle"], "y": "move"}},
                "bodies": {"tip": {"at": "B", "rod": "two", "mass": 0.2 / kg,
                                   "inertia": 1e-3 / (kg * m**2), "center": [0.01 / m, 0.02 / m]},
                           "free": {"at": "F", "mass": 1 / kg, "inertia": 0.1 / (kg * m**2),
                                    "carries": ["G"]}},
                "springs": {"s": {"between": ["G", "W"], "stiffness": 30 / (N / m),
                                  "viscosity": 0.4 / (N * s / m), "length": 0.3 / m}},
                "loads": {"tip": {"at": "B", "force": ["push", -0.5 / N], "moment": "twist"},
                          "wind": {"on": "one", "force": [[0, 1 / (N / m)], [0, 2 / (N / m)]],
                                   "moment": [0.01 / N, 0.02 / N], "factor": "wind"}},
                "initial": {"velocity": {"F": [0.3 / (m / s), 0.1 / (m / s)]},
                            "rate": {"free": 0.7 / (rad / s)}},
                "analysis": {"end": 0.2 / s, "output": {"every": 0.02 / s},
                             "method": {"reference_length": 2 / m, "reference_time": 0.2 / s}},
            }

        self.compare(case(1, 1, 1, 1, 1), case(m, N, kg, s, rad))

    def test_hereditary_and_constraints(self):
        def case(m, N, kg, s, rad):
            kernels = [
                {"kind": "standard", "instantaneous": 100 / (N / m), "prolonged": 40 / (N / m),
                 "time": 0.05 / s},
                {"kind": "prony", "instantaneous": 100 / (N / m), "terms": [[5 * s, 0.05 / s]]},
                {"kind": "rzhanitsyn", "instantaneous": 100 / (N / m), "A": 1.5 / s**-0.7,
                 "alpha": 0.3, "b": 8 * s},
                {"kind": "koltunov", "instantaneous": 100 / (N / m), "a": 1.2 * s**0.6, "beta": 0.6,
                 "p": 3 * s**0.8, "alpha": 0.8},
                {"kind": "slonimsky", "instantaneous": 100 / (N / m), "a": 1.5 / s**-0.7,
                 "alpha": 0.3, "p": 4 / s**-0.7},
                {"kind": "rabotnov", "instantaneous": 100 / (N / m), "lambda": 1.5 / s**-0.7,
                 "alpha": 0.3, "b": 4 / s**-0.7}]
            hereditary = {f"e{i}": {"between": ["P", "W"], "length": 0.4 / m, "kernel": k,
                                    "rheonomic_length": "grow"} for i, k in enumerate(kernels)}
            hereditary["e0"]["prehistory"] = {"kind": "window", "deformation": 0.01 / m,
                                              "duration": 0.1 / s}
            hereditary["e1"]["prehistory"] = {"kind": "exponential", "deformation": 0.01 / m,
                                              "rate": 3 * s}
            hereditary["e2"]["prehistory"] = {"kind": "table",
                                              "points": [[-0.1 / s, 0], [0, 0.01 / m]]}
            return {
                "libfem": 1,
                "laws": {"grow": {"kind": "linear", "points": [[0, 0], [0.1 / s, 0.02 / m]]},
                         "length": {"kind": "smooth", "points": [[0, 0.5 / m], [0.1 / s, 0.6 / m]]}},
                "points": {"P": [0.5 / m, 0], "W": [0, 0], "Q": [0.5 / m, 0.5 / m],
                           "V": [2 / m, 0], "R": [3 / m, 0]},
                "particles": {"p": {"at": "P", "mass": 1 / kg, "velocity": [1 / (m / s), 0]},
                              "q": {"at": "Q", "mass": 2 / kg}},
                "bodies": {"a": {"at": "V", "mass": 1 / kg, "inertia": 0.1 / (kg * m**2)},
                           "b": {"at": "R", "mass": 1 / kg, "inertia": 0.2 / (kg * m**2)}},
                "hereditary": hereditary,
                "constraints": {
                    "rod": {"kind": "distance", "between": ["P", "Q"], "length": "length"},
                    "guide": {"kind": "line", "at": "P", "direction": 0.2 / rad},
                    "wheel": {"kind": "rolling", "at": "V", "body": "a", "radius": 0.3 / m,
                              "direction": 0.1 / rad},
                    "ring": {"kind": "circle", "at": "R", "center": [3 / m, 1 / m],
                             "radius": 1 / m},
                    "gear": {"kind": "linear", "terms": [["a", 1], ["b", -2]]}},
                "loads": {"push": {"at": "V", "force": [1 / N, 0]}},
                "analysis": {"end": 0.2 / s, "output": {"every": 0.02 / s}},
            }

        self.compare(case(1, 1, 1, 1, 1), case(m, N, kg, s, rad))

    def test_one_law_for_two_units(self):
        case = arm(units={"angle": "deg", "length": "m"},
                   laws={"both": {"kind": "linear", "points": [[0, 0], [1, 1]]}},
                   supports={"O": {"fix": ["x"], "y": "both", "angle": "both"}})
        self.refuse(case, "/supports/O/angle", "in deg here and in m at /supports/O/y", "twice")
        case["units"] = {}
        self.assertEqual(fem("check", self.write(case)).returncode, 0)

    def test_formulas_are_in_si(self):
        case = load_case("constraints/" + sorted((CASES / "constraints").glob("*.json"))[0].name)
        case["constraints"] = {"c": {"kind": "curve", "at": list(case["points"])[0], "curve": "y"}}
        case["units"] = {"length": "mm"}
        self.refuse(case, "/constraints/c/curve", "are in m, s and rad")

    def test_messages_are_in_the_units_of_the_case(self):
        case = load_case("format/units_and_include.json")
        del case["include"]
        case["sections"] = {"tube": {"E": 72000, "poisson": 0.33, "density": 2.8e-6,
                                     "tube": {"outer": 20, "inner": 30}}}
        case["laws"]["turn"] = {"kind": "harmonic", "amplitude": 1, "angular_frequency": 0}
        case["loads"]["tip"]["moment"] = None
        case["bodies"] = {"b": {"at": "A", "rod": "arm", "mass": 2, "inertia": 100,
                                "center": [10, 0]}}
        message = self.refuse(case, "/sections/tube/tube/inner", "diameter 30 mm leaves no wall",
                              "less than outer, 20 mm")
        for words in ("/laws/turn/angular_frequency: 0 is not allowed", "greater than 0, in deg/s",
                      "must be a number or the name of a law, in N mm",
                      "/bodies/b/inertia: 100 kg mm^2 is too small for a centre of mass 10 mm away",
                      "|center|² = 200 kg mm^2"):
            self.assertIn(words, message)

    def test_what_is_found_after_reading_is_told_in_the_units_of_the_case(self):
        units = {"length": "mm", "force": "kN", "mass": "g", "time": "ms", "angle": "deg"}
        bar = {"EA": 1e2, "EI": 60, "GAs": 40, "mass_per_length": 0.3, "inertia_per_length": 20}

        def two_panels(**changes):
            case = arm(units=units, sections={"bar": bar}, gravity=[0, 0],
                       points={"O": [0, 0], "A": [1000, 0], "B": [1000, 500]},
                       rods={"p": {"section": "bar", "from": "O", "to": "A"},
                             "q": {"section": "bar", "from": "A", "to": "B"}},
                       hinges={"h": {"at": "A", "members": ["p", "q"]}})
            hinge = changes.pop("hinge", {})
            case["hinges"]["h"].update(hinge)
            case.update(changes)
            return case

        def law(value):
            return {"turn": {"kind": "linear", "points": [[0, value], [9, 100]]}}

        self.refuse(two_panels(hinge={"drive": "turn"}, laws=law(15)), "/hinges/h/drive",
                    "the prescribed change is 15 deg at the start")
        self.refuse(two_panels(supports={"O": {"fix": ["y", "angle"], "x": "turn"}}, laws=law(15)),
                    "/supports/O/x", "the prescribed change is 15 mm at the start")
        for terms, change in (([["x_B", 1], ["x_A", -1]], "15 mm"), ([["h", 1]], "15 deg")):
            self.refuse(two_panels(constraints={"c": {"kind": "linear", "terms": terms,
                                                      "change": "turn"}}, laws=law(15)),
                        "/constraints/c/change", f"the prescribed change is {change} at the start")
        self.refuse(two_panels(constraints={"c": {"kind": "distance", "between": ["A", "B"],
                                                  "length": "turn"}}, laws=law(480)),
                    "/constraints/c/length",
                    "the length is 480 mm at the start, and it is 500 mm as the points stand")
        self.refuse(two_panels(hinge={"stop": {"upper": 60, "restitution": 0.5}}),
                    "/hinges/h/stop/upper",
                    "the hinge starts at 90 deg, beyond its stop at 60 deg")
        self.refuse(two_panels(hinge={"stop": {"upper": 100, "restitution": 0.5},
                                      "latch": {"angle": 120}}),
                    "/hinges/h/latch/angle: 120 deg is beyond a hard stop", "at most 100 deg")
        self.refuse(two_panels(hinge={"hold": {"from": 40, "until": 25}}), "/hinges/h/hold/until",
                    "the hold ends at 25 ms, before it begins; give more than 40 ms")

        def hereditary(**kernel):
            return {"kernel": {"kind": "standard", "instantaneous": 9, "prolonged": 4, "time": 5,
                               **kernel}}

        self.refuse(two_panels(hinge={"hereditary": hereditary(prolonged=12)}),
                    "/hinges/h/hereditary/kernel/prolonged: the value is 12 kN mm/deg",
                    "at most instantaneous, 9 kN mm/deg")
        self.refuse(two_panels(hereditary={"e": {"between": ["O", "B"],
                                                 **hereditary(prolonged=12)}}),
                    "/hereditary/e/kernel/prolonged: the value is 12 kN/mm")
        self.refuse(two_panels(hinge={"hereditary": hereditary(time=-5)}),
                    "/hinges/h/hereditary/kernel/time: the value is -5 ms")

    def test_bad_units(self):
        self.refuse(arm(units={"length": "milimetre"}), "/units/length", "allowed: m, mm")
        self.refuse(arm(units={"lenght": "m"}), "/units/lenght", "did you mean 'length'?")


if __name__ == "__main__":
    unittest.main()
