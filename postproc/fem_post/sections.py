"""Forces, stresses and places of a rod's sections, anywhere along it.

An element is interpolated as it was computed (docs/section-forces.md): its own shape functions for
the place and the angle of a section, equilibrium for its forces.

| symbol   | code            | meaning                                                     | unit |
|----------|-----------------|-------------------------------------------------------------|------|
| s        | places          | arc coordinate on the rod as it was placed, from its start  | m    |
| l, ξ     | length, xi      | element length, coordinate within the element, 0 … 1        | m, – |
| α        | alpha           | shear coefficient                                           | –    |
| l̃, β     | chord, –        | distance and direction of the element's ends                | m    |
| θ₀, θ₁   | theta0, theta1  | angles of the end sections from the chord, (−π, π]          | rad  |
| v        | across          | deflection from the chord, θ₀ψ₀ + θ₁ψ₁                      | m    |
| u        | –               | displacement along the chord, εx − ½∫v′²dx: ends at l̃ − l   | m    |
| γ        | angle           | angle of the section, β + θ₀φ₀ + θ₁φ₁, over all turns       | rad  |
| N, Q, M  | axial, …        | forces along and across the chord, bending moment           | N, Nm |
| σ        | stress_left, …  | N/A ∓ M h/(2I): at the fibre on the left of the rod's       | Pa   |
|          |                 | direction (y = +h/2) and on the right                       |      |

M_ends(x) = M(l) − Q (l̃ − x − u) + N v is the moment of the end forces about the deflected point. To it
and to N and Q comes what acts along the element: loads, weight, inertia (line_loads).
"""

from dataclasses import dataclass

import numpy as np

from fem_post.line_loads import (axial_change, line_loads, moment_change, moment_slope,
                                 shear_change)
from fem_post.results import ResultsError, part_path

_SNAP = 1e-9  # of an element: a place so near to a node is the node

QUANTITIES = ("axial_force", "shear_force", "bending_moment", "stress")


class PlaceError(ValueError):
    """A place is not on the rod; the message says what is."""


@dataclass(frozen=True)
class SectionStates:
    """Sections of one rod at some places and rows; arrays are [rows, places]."""

    time: np.ndarray        # [rows], s (statics: load factors)
    places: np.ndarray      # [places], m
    position: np.ndarray    # [rows, places, 2], m
    angle: np.ndarray       # rad
    axial_force: np.ndarray     # N, N, tension positive
    shear_force: np.ndarray     # Q, N, slope of the bending moment
    bending_moment: np.ndarray  # M, N m, positive where the axis turns counter-clockwise
    stress_left: np.ndarray | None   # Pa, of the fibre at y = +height/2; None: height not known
    stress_right: np.ndarray | None  # Pa, at y = −height/2


@dataclass(frozen=True)
class Extreme:
    """The value of the largest magnitude of a quantity over a rod and the rows."""

    rod: str
    quantity: str  # one of QUANTITIES
    value: float
    place: float   # m
    time: float    # s


# Interpolation within elements: pure functions, arrays broadcast

def deflection_shapes(xi, alpha, length):
    """(ψ₀, ψ₁) at ξ, m: Danilin 2016 (14)."""
    return (length * xi * ((1 + alpha) / 2 + xi * (-(1 + 3 * alpha) / 2 + xi * alpha)),
            length * xi * ((alpha - 1) / 2 + xi * ((1 - 3 * alpha) / 2 + xi * alpha)))


def rotation_shapes(xi, alpha):
    """(φ₀, φ₁) at ξ: Danilin 2016 (52)."""
    bubble = 3 * alpha * (xi - xi ** 2)
    return 1 - xi - bubble, xi - bubble


def shortening(xi, alpha, length, theta0, theta1):
    """½∫₀ˣ v′² dx, m, for v = θ₀ψ₀ + θ₁ψ₁."""
    # v′ = c₀ + c₁ξ + c₂ξ²
    c0 = (theta0 * (1 + alpha) + theta1 * (alpha - 1)) / 2
    c1 = -theta0 * (1 + 3 * alpha) + theta1 * (1 - 3 * alpha)
    c2 = 3 * alpha * (theta0 + theta1)
    integral = xi * (c0 ** 2 + xi * (c0 * c1 + xi * ((c1 ** 2 + 2 * c0 * c2) / 3
                                                     + xi * (c1 * c2 / 2 + xi * c2 ** 2 / 5))))
    return length / 2 * integral


@dataclass(frozen=True)
class ElementForm:
    """Chord and local angles of elements; arrays of any common shape."""

    start: np.ndarray      # [..., 2], m
    direction: np.ndarray  # [..., 2], (cos β, sin β)
    chord: np.ndarray      # l̃, m
    theta0: np.ndarray
    theta1: np.ndarray
    beta: np.ndarray       # rad, with the turns of the end sections
    length: float          # l, m
    alpha: float


def element_form(start, end, angle0, angle1, length, alpha):
    """From the ends of elements, [..., 2] m and [...] rad."""
    difference = end - start
    chord = np.hypot(difference[..., 0], difference[..., 1])
    beta = np.arctan2(difference[..., 1], difference[..., 0])
    theta0 = np.remainder(angle0 - beta + np.pi, 2 * np.pi) - np.pi
    theta1 = np.remainder(angle1 - beta + np.pi, 2 * np.pi) - np.pi
    with np.errstate(invalid="ignore", divide="ignore"):
        direction = difference / chord[..., None]
    return ElementForm(start, direction, chord, theta0, theta1, angle0 - theta0, length, alpha)


def along_and_across(form, xi):
    """(x + u, v), m, of the axis at ξ in the element's chord frame."""
    psi0, psi1 = deflection_shapes(xi, form.alpha, form.length)
    whole = shortening(1.0, form.alpha, form.length, form.theta0, form.theta1)
    strain = (form.chord - form.length + whole) / form.length
    along = (1 + strain) * xi * form.length - shortening(xi, form.alpha, form.length,
                                                         form.theta0, form.theta1)
    return along, form.theta0 * psi0 + form.theta1 * psi1


def axis_position(form, xi):
    """[..., 2], m: where the axis is at ξ."""
    along, across = along_and_across(form, xi)
    c, s = form.direction[..., 0], form.direction[..., 1]
    return form.start + np.stack([c * along - s * across, s * along + c * across], axis=-1)


def section_angle(form, xi):
    """γ, rad, at ξ."""
    phi0, phi1 = rotation_shapes(xi, form.alpha)
    return form.beta + form.theta0 * phi0 + form.theta1 * phi1


def bending_moment(form, xi, axial, shear, moment_end):
    """M, N m, at ξ: the moment of the end forces about the deflected point."""
    along, across = along_and_across(form, xi)
    return moment_end - shear * (form.chord - along) + axial * across


# Results at places of a rod

def element_at(rod, places):
    """(element, ξ) of each place, m; at a node the element that begins there."""
    places = np.asarray(places, float)
    length = rod.length
    bad = ~((places >= -_SNAP * length) & (places <= (1 + _SNAP) * length))
    if bad.any():
        raise PlaceError(f"{places[bad][0]:g} m is not on rod {rod.name!r}: "
                         f"it has the places from 0 to {length:g} m")
    scaled = places / length * rod.elements
    nearest = np.round(scaled)
    scaled = np.where(np.abs(scaled - nearest) < _SNAP, nearest, scaled)
    element = np.clip(np.floor(scaled), 0, rod.elements - 1).astype(int)
    return element, scaled - element


def _rod(results, name):
    rod = results.rods[name]
    if rod.length is None:
        raise ResultsError(f"{results.path} does not say the length of rod {name!r}: it was "
                           "written by a libfem before /rods had attributes; run the case again")
    return rod


def _form(results, rod, elements, rows):
    """ElementForm with arrays [rows, elements] of the elements (numbers, increasing or not)."""
    position = results.array("points/position", rows)[..., :2]
    angle = results.array(part_path("rods", rod.name, "angle"), rows)
    return element_form(position[:, rod.nodes[elements]], position[:, rod.nodes[elements + 1]],
                        angle[:, elements, 0], angle[:, elements, 1],
                        rod.length / rod.elements, rod.alpha)


def _forces(results, rod, elements, rows):
    """(N, Q, M at the elements' ends), each [rows, elements]."""
    def read(quantity):
        return results.array(part_path("rods", rod.name, quantity), rows)[:, elements]
    return read("axial_force"), read("shear_force"), read("bending_moment")[..., 1]


def _fibres(results, rod):
    """(1/A, h/(2I)), 1/m² and 1/m³, or None where the section's height or modulus is unknown."""
    section = results.sections.get(rod.section)
    if section is None or section.height is None or section.modulus is None:
        return None
    return (section.modulus / section.axial_stiffness,
            section.modulus * section.height / (2 * section.bending_stiffness))


def section_states(results, rod_name, places, rows=slice(None)):
    """SectionStates of a rod at the places, m from its start, in rows (a slice or numbers).

    At a node, where two elements meet, the values are those of the element that begins there.
    PlaceError if a place is not on the rod.
    """
    rod = _rod(results, rod_name)
    places = np.atleast_1d(np.asarray(places, float))
    element, xi = element_at(rod, places)
    form = _form(results, rod, element, rows)
    axial, shear, moment_end = _forces(results, rod, element, rows)
    load = line_loads(results, rod, element, rows, form.direction)
    moment = bending_moment(form, xi, axial, shear, moment_end) + moment_change(load, xi)
    axial, shear = axial + axial_change(load, xi), shear + shear_change(load, xi)
    fibres = _fibres(results, rod)
    left = right = None
    if fibres:
        mean, bent = axial * fibres[0], moment * fibres[1]
        left, right = mean - bent, mean + bent
    return SectionStates(results.array("time", rows), places, axis_position(form, xi),
                         section_angle(form, xi), axial, shear, moment, left, right)


# Envelopes

def _stationary(form, axial, shear, load):
    """[2, …]: ξ within the elements where M(ξ) may have an extreme between the ends, else 0.

    Its slope Q (x + u)′ + N v′ + ΔM′ is taken with the mean stretch, (x + u)′ = l̃, which leaves a
    quadratic. M at the place so found is exact, and lower than the extreme by a term of second
    order in the small change of place.
    """
    a, t0, t1 = form.alpha, form.theta0, form.theta1
    pull = axial * form.length
    d0, d1, d2 = moment_slope(load)
    c0 = shear * form.chord + pull * (t0 * (1 + a) + t1 * (a - 1)) / 2 + d0
    c1 = pull * (-t0 * (1 + 3 * a) + t1 * (1 - 3 * a)) + d1
    c2 = pull * 3 * a * (t0 + t1) + d2
    with np.errstate(invalid="ignore", divide="ignore"):
        root = np.sqrt(c1 ** 2 - 4 * c2 * c0)
        q = -(c1 + np.copysign(root, c1)) / 2
        roots = np.stack([q / c2, c0 / q])
    return np.where(np.isfinite(roots) & (roots > 0) & (roots < 1), roots, 0.0)


def _largest(values):
    """(index, value) of the largest magnitude; None if nothing is finite."""
    magnitude = np.where(np.isfinite(values), np.abs(values), -1.0)
    index = np.unravel_index(int(np.argmax(magnitude)), values.shape)
    return None if magnitude[index] < 0 else (tuple(map(int, index)), float(values[index]))


def _extremes_of_rows(results, rod, rows, fibres):
    """{quantity: (value, place, time)} over some rows."""
    elements = np.arange(rod.elements)
    form = _form(results, rod, elements, rows)
    axial, shear, end = _forces(results, rod, elements, rows)
    time = results.array("time", rows)
    length = rod.length / rod.elements
    load = line_loads(results, rod, elements, rows, form.direction)
    xi = np.stack([np.zeros_like(axial), np.ones_like(axial),
                   *_stationary(form, axial, shear, load)])
    moments = bending_moment(form, xi, axial, shear, end) + moment_change(load, xi)
    axials, shears = axial + axial_change(load, xi), shear + shear_change(load, xi)
    fields = {"axial_force": axials, "shear_force": shears, "bending_moment": moments}
    if fibres:
        mean, bent = axials * fibres[0], np.abs(moments) * fibres[1]
        fields["stress"] = mean + np.copysign(bent, mean)
    found = {}
    for quantity, values in fields.items():
        largest = _largest(values)
        if largest:
            (candidate, row, element), value = largest
            place = (element + float(xi[candidate, row, element])) * length
            found[quantity] = (value, place, float(time[row]))
    return found


_BLOCK = 2_000_000  # element states a block of rows holds in memory


def rod_envelope(results, rod_name):
    """[Extreme] of a rod over all rows: N, Q, M and, where the section's shape is known, the fibre
    stress: at the ends of elements and where M has an extreme between them.
    """
    rod = _rod(results, rod_name)
    fibres = _fibres(results, rod)
    best = {}
    block = max(1, _BLOCK // rod.elements)
    for start in range(0, results.rows, block):
        found = _extremes_of_rows(results, rod, slice(start, start + block), fibres)
        for quantity, extreme in found.items():
            if quantity not in best or abs(extreme[0]) > abs(best[quantity][0]):
                best[quantity] = extreme
    return [Extreme(rod_name, quantity, *best[quantity])
            for quantity in QUANTITIES if quantity in best]
