"""What is drawn of a structure: rods as curves, bodies, springs, hinges and supports.

Positions come as arrays over the rows that are drawn; what stands where is said by the file and by
the case in it.
"""

from dataclasses import dataclass

import numpy as np

from fem_post.case_text import part
from fem_post.results import part_path
from fem_post.shapes import pieces_for, rod_curve

_LOCKED = (1, 2, 3)  # values of a hinge's state: held, latched, jammed


@dataclass(frozen=True)
class Body:
    """A rigid body: the points that are fixed in it, its own first, and its centre of mass."""

    name: str
    points: tuple       # indices
    center: np.ndarray | None  # [rows, 2], m; None where the file does not say


class Structure:
    """The structure at some rows of the results."""

    def __init__(self, results, rows):
        self.rows = rows
        self.names = results.points
        position = results.array("points/position", rows)[..., :2]
        self.position = np.where(np.isfinite(position), position, np.nan)  # [rows, points, 2]
        self.curves = {}  # rod → [rows, …, 2]
        for name, rod in results.rods.items():
            angle = results.array(part_path("rods", name, "angle"), rows)
            angle = np.where(np.isfinite(angle), angle, np.nan)
            self.curves[name] = rod_curve(self.position[:, rod.nodes], angle,
                                          pieces_for(rod.elements))
        index = {name: i for i, name in enumerate(self.names)}
        ends = [int(end) for rod in results.rods.values() for end in (rod.nodes[0], rod.nodes[-1])]
        self.hinges = _hinge_points(results, index, ends)
        self.sprung = {index[at] for name in results.hinges
                       if part(results.case, "hinges", name, "spring") is not None
                       and (at := part(results.case, "hinges", name, "at")) in index}
        self.locked = _locked(results, index, rows)  # [rows] of sets of points
        self.supports = _supports(results, index)
        on_rods = {int(i) for rod in results.rods.values() for i in rod.nodes}
        self.named = results.named_points
        self.springs = [tuple(map(int, points)) for points in results.springs.values()]
        self.bodies = _bodies(results, index, rows)
        self.particles = sorted({index[at] for particle in
                                 part(results.case, "particles", default={}).values()
                                 if (at := part(particle, "at")) in index})
        marked = self.hinges | set(self.supports) | set(self.particles)
        self.ends = sorted(set(ends) - marked)
        spanned = {end for ends in self.springs for end in ends}
        # Points that are nothing but fixed in a body are its outline: neither marked nor named.
        outline = {i for body in self.bodies for i in body.points[1:]} \
            - on_rods - marked - spanned - {body.points[0] for body in self.bodies}
        self.loose = [i for i in self.named if i not in on_rods | marked | outline]
        self.labelled = [i for i in self.named if i not in outline]

    def bounds(self, which):
        """(xmin, ymin, xmax, ymax) of the rows `which`, m; None without a finite point."""
        parts = [self.position[which][:, sorted(self.named)].reshape(-1, 2)]
        parts += [curve[which].reshape(-1, 2) for curve in self.curves.values()]
        parts += [body.center[which].reshape(-1, 2) for body in self.bodies
                  if body.center is not None]
        points = np.concatenate(parts)
        points = points[np.isfinite(points).all(axis=1)]
        return (*points.min(axis=0), *points.max(axis=0)) if len(points) else None


def _hinge_points(results, index, ends):
    """Points of the hinges: where the case says; without a case, where rods meet."""
    found = {index[at] for name in results.hinges
             if (at := part(results.case, "hinges", name, "at")) in index}
    if results.hinges and not found:
        found = {end for end in ends if ends.count(end) > 1}
    return found


def _locked(results, index, rows):
    """[rows] of sets: points of the hinges that are locked."""
    locked = [set() for _ in rows]
    for name in results.hinges:
        point = index.get(part(results.case, "hinges", name, "at"))
        path = part_path("hinges", name, "state")
        if point is not None and results.has(path):
            for there, state in zip(locked, results.array(path, rows)):
                if state in _LOCKED:
                    there.add(point)
    return locked


def _supports(results, index):
    """point → whether the angle is held or driven, too."""
    found = {}
    for name in results.supports:
        if name in index:
            fixed = part(results.case, "supports", name, "fix", default=[])
            driven = part(results.case, "supports", name, "angle") is not None
            found[index[name]] = "angle" in fixed or driven
    return found


def _bodies(results, index, rows):
    found = []
    for name, body in part(results.case, "bodies", default={}).items():
        points = [p for p in [part(body, "at"), *part(body, "carries", default=[])] if p in index]
        path = part_path("bodies", name, "center")
        center = results.array(path, rows) if results.has(path) else None
        if points:
            found.append(Body(name, tuple(index[p] for p in points), center))
    return found
