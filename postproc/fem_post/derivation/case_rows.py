"""The constraints of a case: the only file that knows their keys.

| kind         | keys                                | relation                                |
|--------------|-------------------------------------|-----------------------------------------|
| `linear`     | `terms` [[name, factor], …],        | Σ factor · quantity as at the start     |
|              | `change`                            |                                         |
| `distance`   | `between` [P, Q], `length`          | distance as at the start                |
| `line`       | `at` P, `direction`                 | P on a line                             |
| `circle`     | `at` P, `center`, `radius`          | P on a circle                           |
| `curve`      | `at` P, `curve`: formula of x, y, t | P where it is 0                         |
| `knife_edge` | `at` P, `body`, `direction`         | P moves along a direction of the body   |
| `rolling`    | `at` P, `body`, `radius`,           | P on a line, and s + radius · angle of  |
|              | `direction` of the line             | the body as at the start                |
| `expression` | `position` or `velocity`: formulas  | 0                                       |

`change`, `length` and `radius` of a circle are changes from the start: a number or the name of a
law. Names in formulas: `x_P`, `y_P`, `vx_P`, `vy_P` of points, `angle_B`, `rate_B` of bodies and
hinges, `t`; and here also of distances that stand for massless rods (the direction of the line).
"""

from dataclasses import dataclass

import sympy as sp

from fem_post.case_text import part
from fem_post.derivation.formula import FormulaError, parse_formula
from fem_post.derivation.system import T, Row

_KINDS = ("linear", "distance", "line", "circle", "curve", "knife_edge", "rolling", "expression")


class RowError(ValueError):
    """A constraint cannot be taken; the message names it."""


@dataclass(frozen=True)
class Link:
    """A distance between two points."""

    name: str
    points: tuple
    change: object = 0  # of the distance at the start: a number or the name of a law


def _constraints(case):
    """[(name, constraint)]."""
    return list(part(case, "constraints", default={}).items())


def _kind(name, constraint):
    kind = constraint.get("kind")
    if kind not in _KINDS:
        raise RowError(f"constraint {name!r}: formulas are derived for the kinds "
                       f"{', '.join(_KINDS)}, not for {kind!r}")
    return kind


def distances(case):
    """[Link] of the case."""
    return [Link(name, tuple(c["between"]), c.get("length", 0)) for name, c in _constraints(case)
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
        builder.hold(link.name, sp.sqrt(line.dot(line)) - builder.length_of(link))
    for name, constraint in _constraints(builder.case):
        kind = _kind(name, constraint)
        if kind != "distance":
            try:
                _ADD[kind](builder, name, constraint)
            except FormulaError as error:
                raise RowError(f"constraint {name!r}: {error}") from error


def _direction(builder, name, constraint):
    return builder.names.constant(f"direction_{name}", constraint.get("direction", 0), "rad")


def _body_angle(builder, name, constraint):
    body = constraint["body"]
    if body not in builder.angles:
        raise RowError(f"constraint {name!r}: there is no body {body!r}")
    return builder.angles[body]


def _place(builder, name, constraint):
    point = constraint["at"]
    if point not in builder.places:
        raise RowError(f"constraint {name!r}: there is no point {point!r}")
    return builder.places[point]


def _linear(builder, name, constraint):
    lookup = Lookup(builder)
    total = -builder.law(constraint.get("change", 0), f"change_{name}", "rad", "")
    for quantity, factor in constraint["terms"]:
        value = lookup(f"angle_{quantity}")
        value = lookup(quantity) if value is None else value
        if value is None:
            raise RowError(f"constraint {name!r}: nothing is named {quantity!r}")
        total += sp.nsimplify(factor, rational=True) * value
    builder.hold(name, total)


def _line(builder, name, constraint):
    builder.hold(name, _across(_place(builder, name, constraint),
                               _direction(builder, name, constraint)))


def _across(vector, direction):
    """The component of a vector across a direction, to its left."""
    return -sp.sin(direction) * vector[0] + sp.cos(direction) * vector[1]


def _circle(builder, name, constraint):
    center = sp.Matrix([builder.names.constant(f"{axis}_{name}", value, "m", f"centre of {name}")
                        for axis, value in zip("XY", constraint["center"])])
    arm = _place(builder, name, constraint) - center
    builder.hold(name, sp.sqrt(arm.dot(arm))
                 - builder.law(constraint.get("radius", 0), f"dR_{name}", "m", ""))


def _curve(builder, name, constraint):
    place = _place(builder, name, constraint)
    builder.hold(name, parse_formula(constraint["curve"], Lookup(
        builder, {"x": place[0], "y": place[1]})))


def _knife_edge(builder, name, constraint):
    angle = _body_angle(builder, name, constraint) + _direction(builder, name, constraint)
    velocity = _place(builder, name, constraint).applyfunc(builder.rate)
    builder.rows.append(Row(name, _across(velocity, angle)))


def _rolling(builder, name, constraint):
    place, direction = _place(builder, name, constraint), _direction(builder, name, constraint)
    along = sp.cos(direction) * place[0] + sp.sin(direction) * place[1]
    radius = builder.names.constant(f"R_{name}", constraint["radius"], "m", "radius")
    angle = _body_angle(builder, name, constraint)
    builder.hold(f"{name}, across", _across(place, direction))
    builder.hold(f"{name}, along", along + radius * angle)


def _expression(builder, name, constraint):
    lookup = Lookup(builder)
    if "position" in constraint:
        builder.hold(name, parse_formula(constraint["position"], lookup))
    else:
        builder.rows.append(Row(name, parse_formula(constraint["velocity"], lookup)))


_ADD = {"linear": _linear, "line": _line, "circle": _circle, "curve": _curve,
        "knife_edge": _knife_edge, "rolling": _rolling, "expression": _expression}


class Lookup:
    """What the names in expressions stand for."""

    def __init__(self, builder, local=None):
        values = {**(local or {}), "t": T}
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
        self._values = values
        self.known = list(values)

    def __call__(self, name):
        return self._values.get(name.replace("'", ""))
