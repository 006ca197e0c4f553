"""The constraints of a case: the only file that knows their keys.

| kind         | keys                                                                       |
|--------------|----------------------------------------------------------------------------|
| `distance`   | `between` [P, Q], `length`: number or law's name; default as at the start   |
| `knife_edge` | `at` P, `body` B (or the name of a distance), `direction` in its axes, rad  |
| `linear`     | `terms` [[hinge or body, factor], …]: Σ factor · rate = 0                   |
| `expression` | `position`: f = 0, or `velocity`: linear in rates = 0                       |

Names in expressions: `x_P`, `y_P`, `vx_P`, `vy_P` of points, `angle_B`, `rate_B` of bodies, of
hinges (their relative angle) and of distances (the direction of the line), laws by their names, `t`.
"""

from dataclasses import dataclass

import sympy as sp

from fem_post.case_text import part
from fem_post.derivation.formula import FormulaError, parse_formula
from fem_post.derivation.system import T, Row

_KINDS = ("distance", "knife_edge", "linear", "expression")


class RowError(ValueError):
    """A constraint cannot be taken; the message names it."""


@dataclass(frozen=True)
class Link:
    """A distance between two points."""

    name: str
    points: tuple
    length: object = None  # number, name of a law, or None: as at the start


def _constraints(case):
    """[(name, constraint)]: of an object keyed by name, or of a list with names."""
    found = case.get("constraints", {})
    if isinstance(found, dict):
        return list(found.items())
    return [(entry.get("name", str(k + 1)), entry) for k, entry in enumerate(found)]


def _kind(name, constraint):
    kind = constraint.get("kind", constraint.get("type"))
    if kind not in _KINDS:
        raise RowError(f"constraint {name!r}: formulas are derived for the kinds "
                       f"{', '.join(_KINDS)}, not for {kind!r}")
    return kind


def distances(case):
    """[Link] of the case."""
    return [Link(name, tuple(c["between"]), c.get("length")) for name, c in _constraints(case)
            if _kind(name, c) == "distance"]


def rod_of_distance(links, places, movable):
    """(link, placed point, new point): a link by which a particle can be placed; None without."""
    for link in links:
        for known, new in (link.points, link.points[::-1]):
            if known in places and new not in places and new in movable:
                return link, known, new
    return None


def add_rows(builder, links):
    """Rows of all constraints that have not served to place something."""
    for link in links:
        line = builder.places[link.points[1]] - builder.places[link.points[0]]
        builder.hold(link.name, line.dot(line) / 2 - builder.length_of(link) ** 2 / 2)
    for name, constraint in _constraints(builder.case):
        kind = _kind(name, constraint)
        if kind == "knife_edge":
            builder.rows.append(_knife_edge(builder, name, constraint))
        elif kind == "linear":
            builder.rows.append(_linear(builder, name, constraint))
        elif kind == "expression":
            _expression(builder, name, constraint)


def _knife_edge(builder, name, constraint):
    body = constraint.get("body", builder.body_of.get(constraint["at"]))
    if body not in builder.angles:
        raise RowError(f"constraint {name!r}: there is no body or distance {body!r}")
    angle = builder.angles[body] + builder.names.constant(
        f"direction_{name}", constraint.get("direction", 0), "rad")
    velocity = builder.places[constraint["at"]].applyfunc(builder.rate)
    return Row(name, -sp.sin(angle) * velocity[0] + sp.cos(angle) * velocity[1])


def _linear(builder, name, constraint):
    lookup = Lookup(builder)
    total = sp.Integer(0)
    for object_, factor in constraint["terms"]:
        rate = lookup(f"rate_{object_}")
        if rate is None:
            raise RowError(f"constraint {name!r}: nothing that turns is named {object_!r}")
        total += sp.nsimplify(factor, rational=True) * rate
    return Row(name, total)


def _expression(builder, name, constraint):
    lookup = Lookup(builder)
    try:
        if "position" in constraint:
            builder.hold(name, parse_formula(constraint["position"], lookup))
        else:
            residual = parse_formula(constraint["velocity"], lookup)
            builder.rows.append(Row(name, residual))
    except FormulaError as error:
        raise RowError(f"constraint {name!r}: {error}") from error


class Lookup:
    """What the names in expressions stand for."""

    def __init__(self, builder):
        self._builder = builder
        values = {"t": T}
        for point, place in builder.places.items():
            rate = place.applyfunc(builder.rate)
            values |= {f"x_{point}": place[0], f"y_{point}": place[1],
                       f"vx_{point}": rate[0], f"vy_{point}": rate[1]}
        angles = dict(builder.angles)
        for hinge, keys in part(builder.case, "hinges", default={}).items():
            first, second = keys["members"]
            angles[hinge] = builder.angles[second] - builder.angles[first]
        for name, angle in angles.items():
            values |= {f"angle_{name}": angle, f"rate_{name}": builder.rate(angle)}
        for law in part(builder.case, "laws", default={}):
            values.setdefault(law, sp.Function(law, real=True)(T))
        self._values = values
        self.known = list(values)

    def __call__(self, name):
        value = self._values.get(name.replace("'", ""))
        if value is not None and value.has(sp.Function(name, real=True)):
            self._builder.laws[value] = f"the law {name!r}"
        return value
