"""Sections between the nodes: identities of the interpolation, places, envelopes, the command."""

import csv
import io
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

import synthetic
from fem_post.line_loads import (LineLoad, axial_change, line_loads, moment_change, moment_slope,
                                 shear_change)
from fem_post.results import Results, ResultsError
from fem_post.sections import (PlaceError, along_and_across, axis_position, bending_moment,
                               deflection_shapes, element_at, element_form, rod_envelope,
                               rotation_shapes, section_angle, section_states, shortening)

PROGRAM = Path(__file__).resolve().parent.parent / "fem-post"
XI = np.linspace(0, 1, 41)


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def random_form(seed, turns=0):
    random = np.random.default_rng(seed)
    length, beta = random.uniform(0.2, 3), random.uniform(-np.pi, np.pi)
    chord = length * random.uniform(0.9, 1.1)
    start = random.uniform(-5, 5, 2)
    end = start + chord * np.array([np.cos(beta), np.sin(beta)])
    theta = random.uniform(-0.6, 0.6, 2)
    angles = beta + theta + 2 * np.pi * turns
    form = element_form(start[None], end[None], angles[:1], angles[1:], length,
                        random.uniform(0.1, 1))
    return form, start, end, angles


@pytest.mark.parametrize("seed", range(6))
def test_the_axis_ends_at_the_nodes_and_sections_turn_with_them(seed):
    form, start, end, angles = random_form(seed, turns=3 * seed)
    assert axis_position(form, 0.0)[0] == pytest.approx(start, abs=1e-14)
    assert axis_position(form, 1.0)[0] == pytest.approx(end, abs=1e-13)
    assert section_angle(form, 0.0)[0] == pytest.approx(angles[0], abs=1e-13)
    assert section_angle(form, 1.0)[0] == pytest.approx(angles[1], abs=1e-13)


@pytest.mark.parametrize("alpha", [1.0, 0.4])
def test_shape_functions_solve_the_bent_shear_flexible_rod(alpha):
    """(10) of the paper: EI γ″ + GAs (v′ − γ) = 0, and the shear angle v′ − γ is constant."""
    length, h = 1.7, 1e-4
    for end in range(2):
        def psi(xi):
            return deflection_shapes(xi, alpha, length)[end]

        def phi(xi):
            return rotation_shapes(xi, alpha)[end]
        slope = (psi(XI + h) - psi(XI - h)) / (2 * h * length)
        bend = (phi(XI + h) - 2 * phi(XI) + phi(XI - h)) / (h * length) ** 2
        shear = slope - phi(XI)
        assert shear == pytest.approx(np.full(41, shear[0]), abs=1e-7)
        # GAs/EI from α = 1/(1 + 12 EI/(l² GAs)); for α = 1 there is no shear.
        if alpha < 1:
            stiffness = 12 * alpha / (length ** 2 * (1 - alpha))
            assert bend + stiffness * shear == pytest.approx(np.zeros(41), abs=1e-5)
        else:
            assert shear == pytest.approx(np.zeros(41), abs=1e-7)


def test_shortening_is_half_the_integral_of_the_squared_slope():
    alpha, length, theta0, theta1 = 0.7, 1.3, 0.4, -0.15
    psi = [np.polynomial.Polynomial.fit(XI, p, 3, domain=[0, 1]).convert() for p in
           deflection_shapes(XI, alpha, length)]
    slope = (theta0 * psi[0] + theta1 * psi[1]).deriv() / length
    integral = (slope ** 2).integ() * length / 2
    assert shortening(XI, alpha, length, theta0, theta1) == pytest.approx(integral(XI), abs=1e-14)
    # The whole of it is in the element's strain (16).
    plus, minus = theta0 + theta1, theta1 - theta0
    assert shortening(1.0, alpha, length, theta0, theta1) == pytest.approx(
        length / 8 * (minus ** 2 / 3 + alpha ** 2 * plus ** 2 / 5))


def test_bending_moment_is_that_of_the_end_forces():
    form, start, end, _ = random_form(4)
    axial, shear, moment_end = np.array([7.0]), np.array([-3.0]), np.array([2.0])
    t = form.direction[0]
    force = axial * t - shear * np.array([-t[1], t[0]])  # on the end, of what lies beyond
    for xi in XI:
        arm = end - axis_position(form, xi)[0]
        expected = moment_end + arm[0] * force[1] - arm[1] * force[0]
        assert bending_moment(form, xi, axial, shear, moment_end) == pytest.approx(expected)
    along, _ = along_and_across(form, 0.0)
    assert along == pytest.approx(0)


def random_load(seed):
    random = np.random.default_rng(seed)
    ends = [random.uniform(-5, 5, 2) for _ in range(3)]
    return LineLoad(*ends, length=random.uniform(0.3, 2), alpha=random.uniform(0.1, 1))


@pytest.mark.parametrize("seed", range(4))
def test_what_acts_along_an_element_is_in_equilibrium_with_its_ends(seed):
    load, x = random_load(seed), np.linspace(0, 1, 20001)
    length = load.length
    p, q, m = (a + (b - a) * x for a, b in (load.along, load.across, load.moment))

    def integral(values):
        """Cumulative, trapezoids."""
        return length * np.concatenate([[0], np.cumsum((values[1:] + values[:-1]) / 2) / 20000])
    axial, shear, moment = (f(load, x) for f in (axial_change, shear_change, moment_change))
    assert axial - axial[0] == pytest.approx(-integral(p), abs=1e-7)
    assert shear - shear[0] == pytest.approx(integral(q), abs=1e-7)
    assert moment - moment[0] == pytest.approx(integral(shear) - integral(m), abs=1e-7)
    # What is at the ends is what the element's shape functions put there, taken off again.
    psi = deflection_shapes(x, load.alpha, length)
    phi = rotation_shapes(x, load.alpha)
    turns = [integral(q * psi[k] + m * phi[k])[-1] for k in range(2)]
    assert moment[0] == pytest.approx(turns[0], abs=1e-6)
    assert moment[-1] == pytest.approx(-turns[1], abs=1e-6)
    assert axial[0] == pytest.approx(integral((1 - x) * p)[-1], abs=1e-6)
    slope = np.polynomial.Polynomial(np.array(moment_slope(load)) / length)
    assert slope(x) == pytest.approx(shear - m, abs=1e-12)


def test_loads_of_the_case_with_their_factor(tmp_path):
    path = synthetic.write(tmp_path / "a.h5", rows=30)
    ramp = np.linspace(0, 3, 30)
    with h5py.File(path, "a") as file:
        del file["case"]
        file["case"] = """{"gravity": [0, -2], "loads": {
            "wind": {"on": "rod1", "force": [[0, 1], [4, 3]], "moment": [5, 7], "factor": "ramp"},
            "twist": {"on": "rod1", "moment": [1, -1]},
            "other": {"on": "rod2", "force": [[1, 1], [1, 1]]},
            "point": {"at": "A", "force": [1, 0]}}}"""
        file["loads/wind/force"] = ramp[:, None] * [4, 4]
        file["loads/wind/moment"] = 12 * ramp
        file["loads/twist/force"] = np.zeros((30, 2))
        file["sections/bar"].attrs["mass_per_length"] = 0.5
        file["sections/bar"].attrs["mass_damping"] = 0.25
        shape = file["points/position"].shape
        file["points/acceleration"] = np.broadcast_to([3.0, 4.0, 0], shape)
        file["points/velocity"][...] = np.broadcast_to([8.0, 0.0, 0], file["points/velocity"].shape)
    with Results(path) as results:
        rod = results.rods["rod1"]
        load = line_loads(results, rod, np.array([0, 6]), slice(None),
                          np.broadcast_to([0.0, 1.0], (30, 2, 2)))
    # Turned by a quarter: along is Y, across is −X. Weight −1, inertia (−1.5, −2), damping −1.
    share = np.array([[0, 6], [1, 7]]) / 7
    assert load.along == pytest.approx(
        ramp[:, None] * (1 + 2 * share[:, None]) - 1 - 2)
    assert load.across == pytest.approx(-(ramp[:, None] * 4 * share[:, None] - 1.5 - 1))
    assert load.moment == pytest.approx(
        ramp[:, None] * (5 + 2 * share[:, None]) + (1 - 2 * share[:, None]))


def test_a_factor_that_cannot_be_told(tmp_path):
    path = synthetic.write(tmp_path / "a.h5", rows=3)
    with h5py.File(path, "a") as file:
        del file["case"]
        file["case"] = '{"loads": {"p": {"on": "rod1", "moment": [1, -1], "factor": "law"}}}'
    done = run("section", path, "rod1")
    assert done.returncode == 4 and "resultant is zero" in done.stderr
    assert run("section", path, "rod2").returncode == 0


def test_places_of_a_rod(results_file):
    with Results(results_file) as results:
        rod = results.rods["rod1"]
        assert (rod.length, rod.elements, rod.section) == (2.0, 7, "bar")
        element, xi = element_at(rod, [0, 2 / 7, 2 / 7 - 1e-12, 0.5, 2.0, 2.0 + 1e-10])
        assert list(element) == [0, 1, 1, 1, 6, 6]
        assert xi == pytest.approx([0, 0, 0, 0.75, 1, 1], abs=1e-8)
        for place in (-0.01, 2.01, np.nan):
            with pytest.raises(PlaceError, match="from 0 to 2 m"):
                element_at(rod, [place])


def test_a_circular_arc_has_one_moment_stress_and_lies_on_the_circle(results_file):
    """The synthetic rods are arcs that turn by up to 0.3 rad; an element's axis is a parabola."""
    places = np.linspace(0, 2, 29)
    with Results(results_file) as results:
        state = section_states(results, "rod1", places, slice(60, 80))
    curvature = synthetic.motion(0.3)["chains"][0][2][60:80]
    root = state.angle[:, 0]
    exact, angles = synthetic.arc(np.zeros((20, 2)), root, curvature, places)
    # θ = 0.3/7/2 at most: the axis is a parabola, off the arc by less than l θ³/24.
    bound = 2 / 7 * (0.3 / 14) ** 3 / 24
    assert np.abs(state.position - exact).max() < bound
    assert np.abs(state.angle - angles).max() < 1e-13
    moment = np.broadcast_to(synthetic.EI * curvature[:, None], (20, 29))
    assert state.bending_moment == pytest.approx(moment, abs=1e-12)
    stress = moment * synthetic.HEIGHT / 2 * synthetic.MODULUS / synthetic.EI
    assert state.stress_right == pytest.approx(stress)
    assert state.stress_left == pytest.approx(-stress)


def fill(path, seed):
    """Random section forces, so that extremes lie anywhere."""
    random = np.random.default_rng(seed)
    with h5py.File(path, "a") as file:
        for rod in file["rods"].values():
            for name, size in (("axial_force", 3000), ("shear_force", 30), ("bending_moment", 10)):
                shape = rod[name].shape
                rod[name][...] = random.uniform(-size, size, shape)


@pytest.mark.parametrize("seed", range(4))
def test_envelopes_are_the_largest_of_many_samples(tmp_path, seed):
    path = synthetic.write(tmp_path / "a.h5", bend=0.3, rows=90)
    fill(path, seed)
    places = np.linspace(0, 2, 7 * 100 + 1)
    with Results(path) as results:
        found = {e.quantity: e for e in rod_envelope(results, "rod2")}
        state = section_states(results, "rod2", places)
        # The other side of every node: what begins there is above, what ends there is here.
        ends = results.array("rods/rod2/bending_moment")[..., 1]
        axial = results.array("rods/rod2/axial_force")
    largest = max(np.abs(state.bending_moment).max(), np.abs(ends).max())
    assert abs(found["bending_moment"].value) >= largest * (1 - 1e-12)
    assert abs(found["bending_moment"].value) == pytest.approx(largest, rel=1e-3)
    assert abs(found["axial_force"].value) == np.abs(axial).max()
    sampled = max(np.abs(state.stress_left).max(), np.abs(state.stress_right).max())
    assert abs(found["stress"].value) >= sampled * (1 - 1e-12)
    e = found["stress"]
    with Results(path) as results:
        row = int(np.argmin(np.abs(results.time - e.time)))
        here = section_states(results, "rod2", [e.place], [row])
    if abs(e.place % (2 / 7)) > 1e-6:  # at a node the other element may hold it
        assert max(abs(here.stress_left[0, 0]), abs(here.stress_right[0, 0])) == pytest.approx(
            abs(e.value))


def test_without_height_there_is_no_stress_and_without_length_no_places(tmp_path):
    path = synthetic.write(tmp_path / "a.h5", rows=5)
    with h5py.File(path, "a") as file:
        del file["sections/bar"].attrs["height"]
    with Results(path) as results:
        assert section_states(results, "rod1", [1.0]).stress_left is None
        assert [e.quantity for e in rod_envelope(results, "rod1")] == [
            "axial_force", "shear_force", "bending_moment"]
    with h5py.File(path, "a") as file:
        del file["rods/rod1"].attrs["length"]
    with Results(path) as results, pytest.raises(ResultsError, match="run the case again"):
        section_states(results, "rod1", [1.0])


# The command

def test_command_prints_states(results_file):
    done = run("section", results_file, "rod2", "--at", 0.37, "--at", "50%", "--time", 6.15)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].split()[:3] == ["t", "(s)", "s"] and len(lines) == 3
    numbers = np.array([[float(x) for x in line.split()] for line in lines[1:]])
    assert numbers[:, 0] == pytest.approx([6.15, 6.15])
    assert numbers[:, 1] == pytest.approx([0.37, 1])
    assert numbers.shape == (2, 10)


def test_command_writes_all_rows_as_csv(results_file):
    done = run("section", results_file, "rod1", "--at", "100%", "--csv")
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert len(rows) == 1 + synthetic.ROWS and rows[0][-1] == "stress right (Pa)"
    with Results(results_file) as results:
        state = section_states(results, "rod1", [2.0])
    assert [float(r[7]) for r in rows[1:]] == list(state.bending_moment[:, 0])  # every digit


def test_command_prints_envelopes(results_file):
    done = run("section", results_file, "--envelope")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) == 1 + 3 * 4
    assert "fibre stress" in lines[4]
    done = run("section", results_file, "rod3", "--envelope", "--csv")
    assert len(done.stdout.splitlines()) == 5


@pytest.mark.parametrize("arguments, words", [
    (["rod1", "--at", "2.5"], "from 0 to 2 m"), (["rod1", "--at", "101%"], "from 0 to 2 m"),
    (["rod1", "--at", "x"], "no place"), (["rod1", "--at", "-1"], "no place"),
    (["rod1", "--time", "21"], "from 0 to 20"), (["rod9"], "did you mean"), ([], "name a rod"),
    (["--envelope", "--at", "1"], "leave out --at"), (["q"], "it has rod1, rod2, rod3")])
def test_command_refuses(results_file, arguments, words):
    done = run("section", results_file, *arguments)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr
