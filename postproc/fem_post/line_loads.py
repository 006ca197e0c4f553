"""What acts along the elements of a rod: loads, weight, inertia and mass damping, and what the
section forces within an element owe to it.

An element's own N, Q, M are those of its ends' forces with all that acts along it put to its ends.
Put back where it acts, with the ends' equilibrium kept, it gives (p, q along and across the chord,
m the moment, all linear between the ends; Danilin 2016, the shape functions of (13), (52)):

    N(x) = N + ∫₀ˡ(1 − ξ) p dx − ∫₀ˣ p dx
    Q(x) = Q + B/l − ∫₀ˡ q dx + ∫₀ˣ q dx,      B = ∫₀ˡ [q (x − ψ₀ − ψ₁) + m φ] dx
    M(x) = M_ends(x) + A₀ + (B/l − ∫₀ˡ q dx) x + ∫₀ˣ∫₀ q dx dx − ∫₀ˣ m dx,
                                               A₀ = ∫₀ˡ (q ψ₀ + m φ₀) dx

Inertia is that of the nodes' accelerations, linear between them; rotary inertia and an offset
centre of mass are left out.
"""

from dataclasses import dataclass

import numpy as np

from fem_post.case_text import part
from fem_post.results import ResultsError, part_path


@dataclass(frozen=True)
class LineLoad:
    """At both ends of elements: arrays [2, …] of force and moment a length of the element."""

    along: np.ndarray   # p, N/m
    across: np.ndarray  # q, N/m
    moment: np.ndarray  # m, N m/m
    length: float       # l, m
    alpha: float


def axial_change(load, xi):
    """What N(x) has beyond the element's N, N."""
    start, slope = load.along[0], load.along[1] - load.along[0]
    return load.length * (start / 2 + slope / 6 - xi * (start + xi * slope / 2))


def _ends(load):
    """(A₀, B/l − ∫q dx): what the start's moment and shear force have beyond the element's."""
    q, dq = load.across[0], load.across[1] - load.across[0]
    m, dm = load.moment[0], load.moment[1] - load.moment[0]
    length, a = load.length, load.alpha
    moment = (length ** 2 * (q / 12 + dq * (1 / 24 - a / 120))
              + length * (m * (1 - a) / 2 + dm * (1 / 6 - a / 4)))
    shear = (length * (q / 2 + dq * (1 / 3 + a / 60)) + a * (m + dm / 2)
             - length * (q + dq / 2))
    return moment, shear


def shear_change(load, xi):
    """What Q(x) has beyond the element's Q, N."""
    q, dq = load.across[0], load.across[1] - load.across[0]
    return _ends(load)[1] + load.length * xi * (q + xi * dq / 2)


def moment_change(load, xi):
    """What M(x) has beyond that of the element's end forces, N m."""
    q, dq = load.across[0], load.across[1] - load.across[0]
    m, dm = load.moment[0], load.moment[1] - load.moment[0]
    moment, shear = _ends(load)
    length = load.length
    return (moment + xi * length * (shear - m - xi * dm / 2
                                    + xi * length * (q / 2 + xi * dq / 6)))


def moment_slope(load):
    """(c₀, c₁, c₂): dΔM/dξ = c₀ + c₁ξ + c₂ξ², N m."""
    q, dq = load.across[0], load.across[1] - load.across[0]
    m, dm = load.moment[0], load.moment[1] - load.moment[0]
    length = load.length
    return (length * (_ends(load)[1] - m), length * (length * q - dm), length ** 2 * dq / 2)


# From the results

def line_loads(results, rod, elements, rows, direction):
    """LineLoad with arrays [2, rows, elements]; `direction` [rows, elements, 2] of the chords."""
    force, moment = _loads_along(results, rod, elements, rows)
    section = results.sections.get(rod.section)
    if section is not None and section.mass_per_length:
        for end, at in enumerate((rod.nodes[elements], rod.nodes[elements + 1])):
            force[end] += section.mass_per_length * _acceleration(results, section, at, rows)
    t0, t1 = direction[..., 0], direction[..., 1]
    return LineLoad(force[..., 0] * t0 + force[..., 1] * t1,
                    force[..., 1] * t0 - force[..., 0] * t1, moment,
                    rod.length / rod.elements, rod.alpha)


def _acceleration(results, section, nodes, rows):
    """[rows, nodes, 2]: of free fall, less that of the nodes and that of mass damping, m/s²."""
    gravity = np.asarray(part(results.case, "gravity", default=[0.0, 0.0]), float)[:2]
    time = results.array("time", rows)
    factor = time if results.analysis == "statics" else np.ones_like(time)
    sum_ = np.broadcast_to(factor[:, None, None] * gravity, (len(time), len(nodes), 2)).copy()
    for quantity, share in (("acceleration", 1.0), ("velocity", section.mass_damping)):
        if share and results.has(f"points/{quantity}"):
            sum_ -= share * results.array(f"points/{quantity}", rows)[:, nodes, :2]
    return sum_


def _loads_along(results, rod, elements, rows):
    """([2, rows, elements, 2] N/m, [2, rows, elements] N m/m) of the case's loads on the rod."""
    count = len(results.array("time", rows))
    force = np.zeros((2, count, len(elements), 2))
    moment = np.zeros((2, count, len(elements)))
    for name, load in part(results.case, "loads", default={}).items():
        if part(load, "on") != rod.name:
            continue
        ends = np.asarray(part(load, "force", default=[[0, 0], [0, 0]]), float)
        turns = np.asarray(part(load, "moment", default=[0, 0]), float)
        factor = _factor(results, rod, name, load, ends, turns, rows)[:, None]
        for end in range(2):
            share = (elements + end) / rod.elements
            force[end] += factor[..., None] * (ends[0] + share[:, None] * (ends[1] - ends[0]))
            moment[end] += factor * (turns[0] + share * (turns[1] - turns[0]))
    return force, moment


def _factor(results, rod, name, load, ends, turns, rows):
    """[rows]: the factor of a load along a rod, from the resultant that the file holds."""
    whole = rod.length / 2 * np.array([*(ends[0] + ends[1]), turns[0] + turns[1]])
    largest = int(np.argmax(np.abs(whole)))
    path = part_path("loads", name, "moment" if largest == 2 else "force")
    if whole[largest] != 0 and results.has(path):
        values = results.array(path, rows)
        return (values if largest == 2 else values[:, largest]) / whole[largest]
    number = part(load, "factor", default=1.0)
    if not isinstance(number, (int, float)):
        raise ResultsError(f"the factor of the load {name!r} along rod {rod.name!r} cannot be told "
                           "from the file: its resultant is zero")
    time = results.array("time", rows)
    return number * (time if results.analysis == "statics" else np.ones_like(time))
