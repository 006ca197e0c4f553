"""Two runs as comparable ones: quantities by name, rods of different meshes by arc coordinate."""

from dataclasses import dataclass, field

import numpy as np

from fem_post.quantities import (AXES, Place, Quantity, merge, object_quantities, point_quantities,
                                 rod_quantities)
from fem_post.results import ResultsError, part_path
from fem_post.sections import element_at, section_states

SECTION_QUANTITIES = {"X": "m", "Y": "m", "angle": "rad", "axial_force": "N", "shear_force": "N",
                      "bending_moment": "N m"}
_BESIDE = 1e-6  # of a rod: sections on either side of a node
_LENGTHS = 1e-9  # relative difference of rods of one length


@dataclass
class Run:
    """One side of a comparison."""

    label: str
    time: np.ndarray           # [rows], increasing strictly
    time_name: str
    quantities: dict           # name → Quantity
    jumps: np.ndarray = field(default_factory=lambda: np.empty(0))  # times of events
    events: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    not_finite: bool = False


def comparable(first, second):
    """(Run, Run) of two open results files."""
    for results in (first, second):
        if not results.rows:
            raise ResultsError(f"{results.path} has no output time yet")
    if first.analysis != second.analysis:
        raise ResultsError(f"{first.path} holds {first.analysis}, {second.path} "
                           f"{second.analysis}: they cannot be compared")
    shared = [name for name in first.rods if name in second.rods]
    remeshed = [name for name in shared if not _same_mesh(first, second, name)]
    runs = [plain_run(results, remeshed) for results in (first, second)]
    for name in remeshed:
        lengths = [results.rods[name].length for results in (first, second)]
        if None in lengths:
            raise ResultsError(f"rod {name!r} has different meshes, and a file without lengths of "
                               "rods cannot be aligned: run the case again")
        coarser = min((first, second), key=lambda results: results.rods[name].elements)
        if abs(lengths[0] - lengths[1]) > _LENGTHS * max(lengths):
            runs[0].notes.append(f"rod {name!r} is {lengths[0]:g} m long in the first and "
                                 f"{lengths[1]:g} m in the second: aligned by shares of it")
        shares = np.linspace(0, 1, coarser.rods[name].elements + 1)
        for results, run in zip((first, second), runs):
            found = section_quantities(results, name, shares)
            run.quantities = merge([*run.quantities.values(), *found])
    return runs


def _same_mesh(first, second, name):
    a, b = first.rods[name], second.rods[name]
    lengths = a.length is None or b.length is None \
        or abs(a.length - b.length) <= _LENGTHS * max(a.length, b.length)
    return a.elements == b.elements and lengths


def plain_run(results, remeshed=()):
    """A Run of everything but the rods `remeshed` and their nodes."""
    left_out = {i for name in remeshed for i in results.rods[name].nodes}
    left_out -= set(results.named_points)
    points = [i for i in range(len(results.points)) if i not in left_out]
    found = point_quantities(results, points) + object_quantities(results)
    for name in results.rods:
        if name not in remeshed:
            found += rod_quantities(results, name)
    if results.modes:
        found += _mode_quantities(results)
    jumps = [event.time for event in results.events if results.analysis == "dynamics"]
    return Run(str(results.path), results.time, results.time_name, merge(found),
               np.array(jumps), results.events, list(results.notes), bool(results.not_finite()))


def _mode_quantities(results):
    places = [Place(f"mode {k + 1}") for k in range(len(results.modes))]
    return [Quantity(f"modes/{name}", unit, places,
                     lambda numbers, v=np.array([getattr(m, name) for m in results.modes]):
                     np.broadcast_to(v[numbers], (results.rows, len(numbers))))
            for name, unit in (("angular_frequency", "rad/s"), ("growth_rate", "1/s"))]


# Sections of rods, by arc coordinate

def section_quantities(results, name, shares):
    """[Quantity] of a rod at shares of its length: its axis and angles there, its forces in the
    middle between two of them."""
    middles = (shares[1:] + shares[:-1]) / 2
    return [section_quantity(results, name, quantity,
                             middles if quantity.endswith(("force", "moment")) else shares)
            for quantity in SECTION_QUANTITIES
            if quantity in ("X", "Y", "angle")
            or results.has(part_path("rods", name, quantity))]


def section_quantity(results, name, quantity, shares):
    """Quantity of a rod's sections: one of SECTION_QUANTITIES at shares of its length.

    X, Y and angle are continuous. Forces jump from element to element by the error of the mesh: at
    a node they are the mean of both sides.
    """
    rod = results.rods[name]
    places = np.asarray(shares, float) * rod.length
    where = [Place(name, quantity if quantity in AXES else "", f"s = {s:.6g} m") for s in places]
    group = "position" if quantity in AXES else quantity

    def load(numbers):
        chosen = places[np.asarray(numbers)]
        if quantity in ("X", "Y", "angle"):
            return _read(section_states(results, name, chosen), quantity)
        before, after = (section_states(results, name, np.clip(side, 0, rod.length))
                         for side in _sides(rod, chosen))
        return (_read(before, quantity) + _read(after, quantity)) / 2
    return Quantity(f"sections/{group}", SECTION_QUANTITIES[quantity], where, load)


def _sides(rod, places):
    """(before, after): places moved off the nodes to either side."""
    _, xi = element_at(rod, places)
    step = np.where((xi == 0) | (xi == 1), _BESIDE * rod.length / rod.elements, 0.0)
    return places - step, places + step


def _read(states, quantity):
    if quantity in AXES:
        return states.position[..., AXES.index(quantity)]
    return getattr(states, quantity)
