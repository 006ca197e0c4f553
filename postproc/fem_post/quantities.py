"""What two runs can be compared by: quantities, each with named places, as histories.

A quantity is what all objects of a kind have (`hinges/angle`, `points/position`), a place is one
number of it: an object and a component, in rods also an element or an arc coordinate.
"""

from dataclasses import dataclass, field
from typing import Callable

import numpy as np

from fem_post.results import part_path

AXES = ("X", "Y", "Z")
OBJECT_GROUPS = ("hinges", "supports", "bodies", "springs", "loads", "constraints", "hereditary",
                 "laws")
GLOBAL_GROUPS = ("momentum", "energy", "rheonomic", "frame", "solver")
RATES = {"position": ("velocity", "acceleration"), "velocity": ("acceleration", None),
         "angle": ("rate", None), "length": ("rate", None)}
_DISCRETE = frozenset({"hinges/state"})  # jumps with events, which are compared themselves


@dataclass(frozen=True)
class Place:
    """One number of a quantity."""

    object: str          # name of a point, rod, hinge …; "" of what belongs to the whole
    component: str = ""  # X, Y, Z
    detail: str = ""     # in a rod: where

    def __str__(self):
        return ", ".join(part for part in (self.object, self.detail, self.component) if part)


@dataclass(frozen=True)
class Quantity:
    """A quantity of a run: its places, and how their histories are read."""

    name: str     # group/quantity
    unit: str
    places: list  # of Place
    load: Callable = field(repr=False)  # (numbers of places) → [rows, numbers]
    rate: Callable | None = field(default=None, repr=False)    # the same of the rate of change
    second: Callable | None = field(default=None, repr=False)  # and of the second one


def components(count):
    """Names of the components of a vector."""
    return ("",) if count == 1 else AXES[:count] if count <= 3 else tuple(map(str, range(count)))


def merge(quantities):
    """name → Quantity: those of the same name become one, place after place."""
    groups = {}
    for quantity in quantities:
        groups.setdefault(quantity.name, []).append(quantity)
    return {name: parts[0] if len(parts) == 1 else _joined(name, parts)
            for name, parts in groups.items()}


def _joined(name, parts):
    owner = np.concatenate([np.full(len(q.places), k) for k, q in enumerate(parts)])
    own = np.concatenate([np.arange(len(q.places)) for q in parts])

    def joined(which):
        if any(getattr(q, which) is None for q in parts):
            return None

        def load(numbers):
            numbers = np.asarray(numbers)
            columns = [None] * len(numbers)
            for k in np.unique(owner[numbers]):
                mine = np.flatnonzero(owner[numbers] == k)
                found = getattr(parts[k], which)(own[numbers[mine]])
                for column, position in enumerate(mine):
                    columns[position] = found[:, column]
            return np.stack(columns, axis=1)
        return load
    return Quantity(name, parts[0].unit, [place for q in parts for place in q.places],
                    joined("load"), joined("rate"), joined("second"))


# Of a results file

def object_quantities(results):
    """[Quantity] of all objects but points and rods, one an object and dataset."""
    found = []
    for group in OBJECT_GROUPS:
        for name in results.names(group):
            folder = part_path(group, name)
            found += [_dataset_quantity(results, group, name, f"{folder}/{quantity}", quantity)
                      for quantity in results.datasets(folder)
                      if f"{group}/{quantity}" not in _DISCRETE
                      and results.is_history(f"{folder}/{quantity}")]
    for group in GLOBAL_GROUPS:
        found += [_dataset_quantity(results, group, "", f"{group}/{quantity}", quantity)
                  for quantity in results.datasets(group)
                  if results.is_history(f"{group}/{quantity}") and quantity != "t"]
    return found


def _dataset_quantity(results, group, name, path, quantity):
    axes = components(int(np.prod(results.shape_of(path)[1:])))
    folder = path.rpartition("/")[0]

    def reader(dataset):
        if dataset is None or not results.has(dataset):
            return None
        return lambda numbers: results.array(dataset).reshape(results.rows, -1)[:, numbers]
    first, second = RATES.get(quantity, (None, None))
    return Quantity(f"{group}/{quantity}", results.unit(path), [Place(name, c) for c in axes],
                    reader(path), reader(first and f"{folder}/{first}"),
                    reader(second and f"{folder}/{second}"))


def point_quantities(results, points):
    """[Quantity]: places, velocities and accelerations of the points (numbers)."""
    places = [Place(results.points[i], axis) for i in points for axis in AXES]
    points = np.asarray(points, int)

    def reader(quantity):
        if quantity is None or not results.has(f"points/{quantity}"):
            return None

        def load(numbers):
            wanted, axis = np.divmod(np.asarray(numbers), 3)
            wanted = points[wanted]
            low, high = int(wanted.min()), int(wanted.max()) + 1
            values = results.array(f"points/{quantity}", slice(None), slice(low, high))
            return values[:, wanted - low, axis]
        return load
    return [Quantity(f"points/{quantity}", results.unit(f"points/{quantity}"), places,
                     reader(quantity), *map(reader, RATES.get(quantity, (None, None))))
            for quantity in ("position", "velocity", "acceleration")
            if len(points) and results.has(f"points/{quantity}")]


def rod_quantities(results, name):
    """[Quantity] of a rod as the file holds it: element by element."""
    rod, folder = results.rods[name], part_path("rods", name)
    found = []
    for quantity in results.datasets(folder):
        path = f"{folder}/{quantity}"
        if not results.is_history(path):
            continue
        two_ends = len(results.shape_of(path)) == 3

        def load(numbers, path=path):
            return results.array(path).reshape(results.rows, -1)[:, numbers]
        found.append(Quantity(f"rods/{quantity}", results.unit(path),
                              [_in_element(name, rod, e, end) for e in range(rod.elements)
                               for end in ((0, 1) if two_ends else (None,))], load))
    return found


def _in_element(name, rod, element, end):
    words = f"element {element + 1} of {rod.elements}"
    if end is not None:
        words += ", its end" if end else ", its begin"
        if rod.length:
            words += f" (s = {(element + end) * rod.length / rod.elements:.4g} m)"
    return Place(name, detail=words)
