"""The curve of a rod against exact circular arcs."""

import numpy as np
import pytest

from fem_post.shapes import element_curve, pieces_for, rod_curve

R = 3.0


def on_arc(turn, begin=0.4):
    """Ends and end angles of an arc of radius R: (start, end, angle_start, angle_end)."""
    angles = np.array([begin, begin + turn])
    points = R * np.stack([np.sin(angles), -np.cos(angles)], axis=-1)  # centre (0, 0)
    return points[0], points[1], angles[0], angles[1]


def arc_error(turn):
    """Largest distance of the element's curve from the arc, relative to the sagitta."""
    curve = element_curve(*on_arc(turn), np.linspace(0, 1, 101))
    sagitta = R * (1 - np.cos(turn / 2))
    return np.abs(np.linalg.norm(curve, axis=-1) - R).max() / sagitta


def test_arc_of_a_quarter_turn_is_drawn_within_a_thousandth_of_its_sagitta():
    assert arc_error(np.pi / 2) < 1e-3


def test_mirrored_angles_give_the_mirrored_curve():
    (x0, y0), (x1, y1), first, last = on_arc(1.2)
    xi = np.linspace(0, 1, 11)
    mirrored = element_curve([x0, -y0], [x1, -y1], -first, -last, xi)
    assert mirrored == pytest.approx(
        element_curve([x0, y0], [x1, y1], first, last, xi) * [1, -1], abs=1e-14)


def test_error_of_an_arc_falls_with_the_sixth_power_of_its_turn():
    # Relative to the sagitta, which falls with the second.
    order = np.log2(arc_error(1.0) / arc_error(0.5))
    assert order == pytest.approx(4, abs=0.1)


def test_middle_of_the_curve_lies_on_the_arc():
    for turn in (0.1, 1.0, np.pi, 4.0):
        middle = element_curve(*on_arc(turn), [0.5])[0]
        assert np.linalg.norm(middle) == pytest.approx(R, rel=1e-12)


def test_full_circle_of_seven_elements():
    angles = np.linspace(0, 2 * np.pi, 8)
    nodes = R * np.stack([np.sin(angles), -np.cos(angles)], axis=-1)
    curve = rod_curve(nodes, np.stack([angles[:-1], angles[1:]], axis=-1))
    assert np.linalg.norm(curve, axis=-1) == pytest.approx(R, rel=1e-4)


def test_curve_passes_through_the_nodes_with_the_section_angles_as_tangents():
    start, end, first, last = [0.0, 0.0], [1.0, 0.2], 0.5, -0.3
    h = 1e-6
    curve = element_curve(start, end, first, last, [0, h, 1 - h, 1])
    assert curve[0] == pytest.approx(start, abs=1e-15)
    assert curve[3] == pytest.approx(end, abs=1e-15)
    for (p, q), angle in (((0, 1), first), ((2, 3), last)):
        dx, dy = curve[q] - curve[p]
        assert np.arctan2(dy, dx) == pytest.approx(angle, abs=1e-5)


def test_straight_element_is_straight_and_evenly_spaced():
    curve = element_curve([1, 1], [4, 5], np.arctan2(4, 3), np.arctan2(4, 3),
                          np.linspace(0, 1, 6))
    expected = np.linspace([1, 1], [4, 5], 6)
    assert curve == pytest.approx(expected, abs=1e-14)


def test_full_turns_of_the_section_do_not_change_the_curve():
    start, end, first, last = on_arc(0.7)
    xi = np.linspace(0, 1, 11)
    turned = element_curve(start, end, first + 20 * np.pi, last + 20 * np.pi, xi)
    assert turned == pytest.approx(element_curve(start, end, first, last, xi), abs=1e-12)


def test_rotation_of_the_plane_rotates_the_curve():
    start, end, first, last = on_arc(0.7)
    turn = np.array([[np.cos(1.1), -np.sin(1.1)], [np.sin(1.1), np.cos(1.1)]])
    xi = np.linspace(0, 1, 11)
    rotated = element_curve(turn @ start, turn @ end, first + 1.1, last + 1.1, xi)
    assert rotated == pytest.approx(element_curve(start, end, first, last, xi) @ turn.T, abs=1e-14)


def test_element_of_no_length_is_a_point():
    curve = element_curve([1, 2], [1, 2], 0.0, 3.0, [0, 0.3, 1])
    assert curve == pytest.approx(np.tile([1.0, 2.0], (3, 1)))


def test_rod_curve_has_the_leading_axes_of_its_nodes_and_meets_every_node():
    rng = np.random.default_rng(1)
    nodes, angles = rng.normal(size=(5, 4, 2)), rng.normal(size=(5, 3, 2))
    curve = rod_curve(nodes, angles, pieces=6)
    assert curve.shape == (5, 19, 2)
    assert curve[:, ::6] == pytest.approx(nodes)


def test_pieces_are_many_in_coarse_meshes_and_few_in_fine_ones():
    assert pieces_for(1) == 32
    assert pieces_for(1000) == 2
