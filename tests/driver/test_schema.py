"""`fem schema` and the reader of cases accept and refuse the same files.

The schema is made from the reader's own tables, so what is tested is how it is made: every shipped
case is valid for both, and every small change of one that a schema can judge is judged the same.
"""

import copy
import json
import pathlib
import random
import re
import tempfile
import unittest

import jsonschema

from support import CASES, fem, load_case, write_case

# Words of the reader's messages about single values; a schema can say all of that.
OF_ONE_VALUE = re.compile(r"is not allowed; must be|unknown key|is missing; add|exclude each other|"
                          r"is not allowed; (?:did you mean|allowed)")

# Cases that together have every part of the format.
SOURCES = ["three_rod_deployment.json", "loads.json", "features/bodies.json",
           "features/section_shapes.json", "features/laws.json", "features/moving_support.json",
           "features/particle_and_spring.json", "hinges/stop_hard.json", "hinges/friction.json",
           "hinges/hold_and_release.json", "hinges/latch_spring.json", "hinges/spring_table.json",
           "benchmarks/modes_free.json"]


def places(value, path=()):
    """The path of every value in a case."""
    yield path
    items = value.items() if isinstance(value, dict) else \
        enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def get(case, path):
    for key in path:
        case = case[key]
    return case


def put(case, path, value):
    get(case, path[:-1])[path[-1]] = value


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = fem("schema")
        assert done.returncode == 0, done.stderr
        cls.schema = json.loads(done.stdout)
        cls.validator = jsonschema.Draft202012Validator(cls.schema)
        cls.folder = tempfile.TemporaryDirectory()
        cls.cases = {name: load_case(name) for name in SOURCES}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def read(self, case):
        """Whether the reader takes the case, and what it says about single values."""
        done = fem("check", write_case(self.folder.name, case))
        self.assertIn(done.returncode, (0, 2), done.stderr)
        return done.returncode == 0, OF_ONE_VALUE.findall(done.stderr), done.stderr

    def compare(self, case, what):
        by_schema = self.validator.is_valid(case)
        accepted, words, message = self.read(case)
        if not by_schema:
            self.assertFalse(accepted, f"the schema alone refuses {what}: "
                             f"{jsonschema.exceptions.best_match(self.validator.iter_errors(case))}")
        if words:
            self.assertFalse(by_schema, f"the reader alone refuses {what}: {message}")
        return by_schema

    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_a_case_may_name_its_schema(self):
        case = {"$schema": "case.schema.json", **self.cases["features/laws.json"]}
        self.assertTrue(self.compare(case, "$schema"))
        case["$schema"] = 3
        self.assertFalse(self.compare(case, "$schema"))

    def test_every_shipped_case_is_valid(self):
        paths = sorted(CASES.rglob("*.json"))
        self.assertGreater(len(paths), 60)
        for path in paths:
            with self.subTest(case=str(path)):
                self.validator.validate(load_case(path.relative_to(CASES)))

    def test_broken_cases_are_refused_by_both(self):
        def broken(case):
            for path in places(case):
                value = get(case, path)
                if path and path[0] in ("title",) or not path:
                    continue
                if isinstance(value, dict):
                    named = len(path) == 1 and path[0] not in ("analysis", "initial", "units")
                    if not named and path[-1] not in ("velocity", "rate"):
                        yield path + ("zzz",), 1  # an unknown key
                    yield path, 7
                elif isinstance(value, bool) or value is None:
                    yield path, "no"
                elif isinstance(value, (int, float)):
                    yield path, {"a": 1}
                    yield path, True
                elif isinstance(value, str):
                    yield path, ["x"]
                elif isinstance(value, list):
                    yield path, {}

        count = 0
        rng = random.Random(1)
        for name, good in self.cases.items():
            changes = list(broken(good))
            for path, value in rng.sample(changes, min(12, len(changes))):
                case = copy.deepcopy(good)
                put(case, path, value)
                with self.subTest(case=name, path=path, value=value):
                    self.assertFalse(self.compare(case, f"{path} = {value}"))
                    count += 1
        self.assertGreater(count, 100)

    def test_missing_keys(self):
        rng = random.Random(2)
        for name, good in self.cases.items():
            paths = [p for p in places(good) if p and isinstance(p[-1], str)]
            for path in rng.sample(paths, min(10, len(paths))):
                case = copy.deepcopy(good)
                del get(case, path[:-1])[path[-1]]
                with self.subTest(case=name, path=path):
                    self.compare(case, f"without {path}")

    def test_values_from_a_hat(self):
        values = [-1, 0, 0.5, 3, 1e6, "x", "", [], [1], [1, 2], [[0, 0], [1, 1]], {}, True, None,
                  {"kind": "linear"}, {"angle": 1}, "rest"]
        rng = random.Random(3)
        refused = 0
        for name, good in self.cases.items():
            paths = [p for p in places(good) if p]
            for _ in range(12):
                path, value = rng.choice(paths), rng.choice(values)
                case = copy.deepcopy(good)
                put(case, path, value)
                with self.subTest(case=name, path=path, value=value):
                    refused += not self.compare(case, f"{path} = {value}")
        self.assertGreater(refused, 50)

    def test_every_number_has_a_unit(self):
        def numbers(schema):
            if isinstance(schema, dict):
                if schema.get("type") == "number":
                    yield schema
                for item in schema.values():
                    yield from numbers(item)
            elif isinstance(schema, list):
                for item in schema:
                    yield from numbers(item)

        units = {number.get("unit") for number in numbers(self.schema)}
        self.assertNotIn(None, units)
        self.assertTrue({"m", "N", "kg/m^3", "N m/rad", "N m s/rad^2", "1", "m/s^2"} <= units, units)


if __name__ == "__main__":
    unittest.main()
