"""Curves of rods between their nodes. Pure functions of arrays; leading axes are free.

| symbol | code     | meaning                                               | unit |
|--------|----------|-------------------------------------------------------|------|
| p₀, p₁ | nodes    | node positions of an element                          | m    |
| α₀, α₁ | angles   | section angles at its ends, continuous over turns     | rad  |
| c      | chord    | length of p₁ − p₀                                     | m    |
| D      | turn     | α₁ − α₀                                               | rad  |
| μ      | tangent  | length of the end tangents, c / cos²(D/4)             | m    |

The curve of an element is the cubic Hermite p(ξ), 0 ≤ ξ ≤ 1, with

    p(0) = p₀,  p(1) = p₁,  p′(0) = μ (cos α₀, sin α₀),  p′(1) = μ (cos α₁, sin α₁).

It is a picture of a slender rod: the axis is drawn along the normals of the end sections, so shear
(a section that leans against the axis, Q / GA_s rad) is not seen. μ is the length for which the
cubic touches a circular arc of angle D also in the middle: pure bending is drawn within 1e-3 of
the arc's sagitta for D up to 90°, 1.1e-5 up to 30°. For D = 0 it is the chord, as in the usual
Hermite beam.
"""

import numpy as np

_LARGEST_TURN = 1.5 * np.pi  # of an element, for the length of its tangents only


def tangent_length(chord, turn):
    """μ = c / cos²(D/4), m; D is limited to 270°, where one element is a poor picture anyway."""
    turn = np.clip(turn, -_LARGEST_TURN, _LARGEST_TURN)
    return chord / np.cos(turn / 4) ** 2


def element_curve(start, end, angle_start, angle_end, parameters):
    """Points of elements at the parameters ξ.

    start, end [..., 2] m; angle_start, angle_end [...] rad; parameters [s] in 0…1.
    Returns [..., s, 2], m.
    """
    start, end = np.asarray(start, float), np.asarray(end, float)
    angle_start, angle_end = np.asarray(angle_start, float), np.asarray(angle_end, float)
    xi = np.asarray(parameters, float)[:, None]
    mu = tangent_length(np.linalg.norm(end - start, axis=-1), angle_end - angle_start)
    tangent_start = mu[..., None] * np.stack([np.cos(angle_start), np.sin(angle_start)], axis=-1)
    tangent_end = mu[..., None] * np.stack([np.cos(angle_end), np.sin(angle_end)], axis=-1)
    return ((1 + 2 * xi) * (1 - xi) ** 2 * start[..., None, :]
            + xi * (1 - xi) ** 2 * tangent_start[..., None, :]
            + xi ** 2 * (3 - 2 * xi) * end[..., None, :]
            + xi ** 2 * (xi - 1) * tangent_end[..., None, :])


def rod_curve(nodes, angles, pieces=12):
    """The rod as one polyline, `pieces` straight pieces an element.

    nodes [..., elements + 1, 2] m; angles [..., elements, 2] rad.
    Returns [..., elements · pieces + 1, 2], m, through all nodes.
    """
    nodes, angles = np.asarray(nodes, float), np.asarray(angles, float)
    parameters = np.arange(pieces) / pieces
    curve = element_curve(nodes[..., :-1, :], nodes[..., 1:, :],
                          angles[..., 0], angles[..., 1], parameters)
    curve = curve.reshape(*nodes.shape[:-2], -1, 2)
    return np.concatenate([curve, nodes[..., -1:, :]], axis=-2)


def pieces_for(elements):
    """Pieces an element so that a rod is smooth at the size of a page: many in a coarse mesh."""
    return int(np.clip(np.ceil(160 / max(elements, 1)), 2, 32))
