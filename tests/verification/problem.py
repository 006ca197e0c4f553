"""What a verification problem is: what is compared with what, and the picture of it."""

import importlib.util
import pathlib
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/regression"), str(ROOT / "postproc")]


def regression_tests(name):
    """A module of tests/regression; tests/driver, in the path too, has some of the same name."""
    spec = importlib.util.spec_from_file_location(f"regression_{name}",
                                                  ROOT / f"tests/regression/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Row:
    """A number of ours beside theirs. The difference is in parts of `scale`, where there is one."""

    what: str
    at: str
    ours: float
    theirs: float
    demanded: float    # the largest difference that is accepted; None: told, not judged
    unit: str = ""     # of the numbers; "" has none
    scale: float = 1.0  # the difference is in parts of it, unless it is 1

    @property
    def difference(self):
        return abs(self.ours - self.theirs) / self.scale

    @property
    def holds(self):
        return self.demanded is None or bool(self.difference <= self.demanded)


@dataclass
class Problem:
    title: str
    source: str               # where the problem comes from
    reference: str            # what the numbers are compared with, and how accurate that is
    cases: list               # files of cases/
    settings: str             # mesh and steps
    rows: list = field(default_factory=list)
    text: str = ""            # what the picture shows, and what else is to be known
    draw: Callable = None     # draw(figure) fills an empty figure
    size: tuple = (7.2, 3.4)  # of the picture, inches

    def holds(self):
        return all(row.holds for row in self.rows)

    def worst(self):
        """The row that comes nearest to what is demanded of it."""
        judged = [row for row in self.rows if row.demanded is not None]
        return max(judged, key=lambda row: row.difference / row.demanded)


def worst_rows(results, quantities, reference, demanded):
    """Of every quantity {name: (unit, take(results))} the time of a reference case at which ours is
    farthest off, in parts of the largest value that the reference has."""
    times = [t for t in reference["times"] if t <= results.time[-1] + 1e-9]
    at = [results.row(t) for t in times]
    rows = []
    for name, (unit, take) in quantities.items():
        theirs = np.array(reference["values"][name], float)[:len(times)]
        ours = take(results)[at]
        scale = abs(theirs).max() or 1.0
        k = int(np.argmax(abs(ours - theirs)))
        rows.append(Row(name, f"{times[k]:g} s", ours[k], theirs[k], demanded, unit, scale))
    return rows


@contextmanager
def borrowed(test_class):
    """A test case as the keeper of its helpers: set up, and cleaned up at the end."""
    test = test_class(methodName="setUp")
    test.setUp()
    try:
        yield test
    finally:
        test.doCleanups()
