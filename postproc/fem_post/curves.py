"""The structure as geometry with fields, for programs that draw: points, lines, cells.

| grid   | points                              | cells               | fields                  |
|--------|-------------------------------------|---------------------|-------------------------|
| rods   | sections of every rod, element by   | one line an element | angle, N, Q, M, fibre   |
|        | element: both ends and between them |                     | stresses, displacement  |
| bodies | outlines of rigid bodies            | one line a body     | displacement            |
| points | the points that the case names      | one vertex a point  | velocity, acceleration  |

Sections at a node are there twice, once for each element: section forces jump between elements by
the error of the mesh, and are not smoothed.
"""

from dataclasses import dataclass

import numpy as np

from fem_post.sections import section_states
from fem_post.structure import Structure
from fem_post.symbols import hull

PIECES = 4
_INSIDE = 1e-6  # of an element: how far its end sections are from its nodes, to be its own
_FORCES = {"axial_force": "N", "shear_force": "N", "bending_moment": "N m"}
_STRESSES = {"stress_left": "Pa", "stress_right": "Pa"}


@dataclass(frozen=True)
class Field:
    """A quantity at the points of a grid."""

    name: str
    unit: str
    values: np.ndarray  # [rows, points] or [rows, points, 3]


@dataclass(frozen=True)
class Grid:
    """Points that move, joined to polylines (one point: a vertex)."""

    name: str
    position: np.ndarray  # [rows, points, 3], m
    cells: list           # of arrays of numbers of points
    labels: list          # of str: what each cell is of
    fields: list          # of Field


def grids(results, rows, pieces=PIECES):
    """[Grid] of what the results have, in some rows (a slice or increasing numbers)."""
    found = [_rods(results, rows, pieces), _bodies(results, rows), _points(results, rows)]
    return [grid for grid in found if grid is not None and grid.cells]


def _flat(position):
    """[…, 2] → […, 3]: with Z = 0."""
    return np.concatenate([position, np.zeros((*position.shape[:-1], 1))], axis=-1)


def section_places(rod, pieces):
    """[elements (pieces + 1)], m: sections of every element, its ends a little inside."""
    share = np.linspace(0, 1, pieces + 1)
    share[0], share[-1] = _INSIDE, 1 - _INSIDE
    return ((np.arange(rod.elements)[:, None] + share) * rod.length / rod.elements).ravel()


def _rods(results, rows, pieces):
    if not results.rods or any(rod.length is None for rod in results.rods.values()):
        return None
    states = [section_states(results, name, section_places(rod, pieces), rows)
              for name, rod in results.rods.items()]
    start = [section_states(results, name, section_places(rod, pieces), [0])
             for name, rod in results.rods.items()]
    position = np.concatenate([s.position for s in states], axis=1)
    moved = position - np.concatenate([s.position for s in start], axis=1)
    fields = [Field("displacement", "m", _flat(moved)),
              Field("angle", "rad", np.concatenate([s.angle for s in states], axis=1))]
    for name, unit in (_FORCES | _STRESSES).items():
        values = [getattr(s, name) for s in states]
        known = [v if v is not None else np.full(s.angle.shape, np.nan)
                 for v, s in zip(values, states)]
        if any(v is not None for v in values):
            fields.append(Field(name, unit, np.concatenate(known, axis=1)))
    count = sum(rod.elements for rod in results.rods.values())
    cells = list(np.arange(count * (pieces + 1)).reshape(count, -1))
    labels = [name for name, rod in results.rods.items() for _ in range(rod.elements)]
    return Grid("rods", _flat(position), cells, labels, fields)


def _bodies(results, rows):
    """Outlines: hulls of the points that are fixed in a body, in the order of the first row."""
    rows = np.arange(results.rows)[rows]
    structure = Structure(results, rows)
    first = Structure(results, np.array([0]))
    position, moved, cells, labels, count = [], [], [], [], 0
    for body, start in zip(structure.bodies, first.bodies):
        corners = _corners(structure, body)
        began = _corners(first, start)
        order = _outline(began[0])
        if len(order) < 2:
            continue
        position.append(corners[:, order])
        moved.append(corners[:, order] - began[:, order])
        cells.append(count + np.arange(len(order)))
        labels.append(body.name)
        count += len(order)
    if not cells:
        return None
    moved = np.concatenate(moved, axis=1)
    return Grid("bodies", _flat(np.concatenate(position, axis=1)), cells, labels,
                [Field("displacement", "m", _flat(moved))])


def _corners(structure, body):
    """[rows, corners, 2]: the points of a body; of one alone also its centre of mass."""
    points = structure.position[:, list(body.points)]
    if len(body.points) == 1 and body.center is not None:
        points = np.concatenate([points, body.center[:, None]], axis=1)
    return points


def _outline(corners):
    """Numbers of the corners around the hull, closed where it has an area."""
    around = hull(corners)
    order = [int(np.argmin(np.linalg.norm(corners - corner, axis=1))) for corner in around]
    return order + order[:1] if len(order) > 2 else order


def _points(results, rows):
    named = results.named_points
    if not named:
        return None
    position = results.array("points/position", rows)[:, named]
    start = results.array("points/position", [0])[:, named]
    fields = [Field("displacement", "m", position - start)]
    for quantity, unit in (("velocity", "m/s"), ("acceleration", "m/s^2")):
        if results.has(f"points/{quantity}"):
            fields.append(Field(quantity, unit,
                                results.array(f"points/{quantity}", rows)[:, named]))
    return Grid("points", position, list(np.arange(len(named))[:, None]),
                [results.points[i] for i in named], fields)
