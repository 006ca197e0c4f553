"""Equations of motion as formulas: Osiński's examples, textbooks, solutions with multipliers."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from fem_post.derivation.case_system import CaseError, read_case
from fem_post.derivation.case_rows import RowError
from fem_post.derivation.equations import derive
from fem_post.derivation.formula import FormulaError, parse_formula
from fem_post.derivation.numbers import Accelerations, largest_disagreement
from fem_post.derivation.quasi import QuasiError, choose, chosen
from fem_post.derivation.system import (T, Coordinate, MechanicalSystem, Parameter, Particle,
                                        RigidBody, Row)
from fem_post.derivation.tidy import tidy

PROGRAM = Path(__file__).resolve().parent.parent / "fem-post"
STATES = 100


def run(*arguments):
    return subprocess.run([PROGRAM, "derive", *map(str, arguments)], capture_output=True,
                          text=True)


def constants(**values):
    symbols = sp.symbols(" ".join(values), real=True)
    return symbols, [Parameter(s, v) for s, v in zip(symbols, values.values())]


def equal(a, b):
    return sp.simplify(sp.sympify(a) - b) == 0


# Osiński's example 1: two points on a rigid massless rod, a knife edge along it at point 2

def example_1():
    (m1, m2, L, F1x, F1y, F2x, F2y), parameters = constants(
        m1=1.5, m2=0.9, L=0.8, F1x=0.7, F1y=-1.1, F2x=0.4, F2y=1.9)
    x, y, phi = Coordinate("x"), Coordinate("y"), Coordinate("phi")
    r1 = sp.Matrix([x.q, y.q])
    r2 = r1 + L * sp.Matrix([sp.cos(phi.q), sp.sin(phi.q)])
    system = MechanicalSystem([x, y, phi], [Particle("1", m1, r1, sp.Matrix([F1x, F1y])),
                                            Particle("2", m2, r2, sp.Matrix([F2x, F2y]))],
                              parameters=parameters)
    v2 = r2.applyfunc(system.rate)
    system.rows.append(Row("blade", -sp.sin(phi.q) * v2[0] + sp.cos(phi.q) * v2[1]))
    return system


def cartesian_1(q, u):
    """Accelerations of both points and the reaction across the blade, by multipliers in x₁, y₁, x₂,
    y₂: the rod's length and the blade's row, differentiated by hand."""
    m1, m2, L = 1.5, 0.9, 0.8
    c, s = np.cos(q[2]), np.sin(q[2])
    e, n = np.array([c, s]), np.array([-s, c])
    v, w = u
    v2 = v * e
    v1 = v2 - L * w * n
    M = np.diag([m1, m1, m2, m2])
    F = np.array([0.7, -1.1, 0.4, 1.9])
    A = np.array([np.concatenate([-e, e]), np.concatenate([[0, 0], n])])
    # d/dt of (r₂ − r₁)·(v₂ − v₁)/L = 0, and of n·v₂ = 0 with ṅ = −w e
    d = v2 - v1
    b = np.array([-(d @ d) / L, w * (e @ v2)])
    matrix = np.block([[M, -A.T], [A, np.zeros((2, 2))]])
    found = np.linalg.solve(matrix, np.concatenate([F, b]))
    return found[:4], found[5]


def test_example_1_is_free_of_singularities_and_recognized():
    system = example_1()
    d = derive(system)
    m1, m2, L, F1x, F1y, F2x, F2y = (p.symbol for p in system.parameters)
    phi = system.coordinates[2].q
    (v, dv), (w, dw) = ((q.v, q.a) for q in d.map.velocities)
    c, s = sp.cos(phi), sp.sin(phi)
    assert equal(d.Phi_B[0], -((m1 + m2) * dv + m1 * L * w ** 2))
    assert equal(d.Phi[0], (F1x + F2x) * c + (F1y + F2y) * s)
    assert equal((d.Phi[1] + d.Phi_B[1]) / L,
                 m1 * v * w - m1 * L * dw - (-F1x * s + F1y * c))
    assert equal(d.reactions[0], m2 * v * w - (-F2x * s + F2y * c))
    assert d.map.notes == []
    assert all(equal(a, b) for a, b in zip(d.map.D, [c, L * s, s, -L * c, 0, 1]))


def test_example_1_at_random_states_against_multipliers_in_cartesian_coordinates():
    system = example_1()
    derivation = derive(system)
    accelerations = Accelerations(derivation)
    values = {p.symbol: p.value for p in system.parameters}
    names = [c.q for c in system.coordinates], [q.v for q in derivation.map.velocities]
    place = [system.rate(system.rate(x)) for part in system.parts for x in part.position]
    point = sp.lambdify([names[0], [c.v for c in system.coordinates],
                         [c.a for c in system.coordinates]], sp.Matrix(place).subs(values))
    reaction = sp.lambdify(names, derivation.reactions[0].subs(values))
    random = np.random.default_rng(7)
    for _ in range(STATES):
        q, u = random.uniform(-4, 4, 3), random.normal(size=2)
        found = point(q, accelerations.admissible(0, q, u),
                      accelerations.by_formulas(0, q, u)).ravel()
        exact, across = cartesian_1(q, u)
        assert np.abs(found - exact).max() < 1e-12 * max(1, np.abs(exact).max())
        assert reaction(q, u) == pytest.approx(across, abs=1e-12)


def test_example_1_with_the_papers_quasi_velocities_is_the_paper_corrected():
    system = example_1()
    m1, m2, L, F1x, F1y, F2x, F2y = (p.symbol for p in system.parameters)
    x, _, f = system.coordinates
    d = derive(system, chosen(system, [("x'", x.v), ("phi'", f.v)], tidy), tidy)
    phi, u, w, du, dw = f.q, x.v, f.v, x.a, f.a
    assert all(equal(a, b) for a, b in zip(d.map.D, [1, 0, sp.tan(phi), -L / sp.cos(phi), 0, 1]))
    assert "cos(phi) = 0" in d.map.notes[0]
    sec = 1 / sp.cos(phi)  # sympy 1.11 writes sp.sec(φ)**3 wrongly as a numpy function
    paper = [
        F1x + F2x + (F1y + F2y) * sp.tan(phi)
        - sec ** 3 / 2 * (2 * (m1 + m2) * sp.cos(phi) * du + w * (
            -L * m1 * w - 2 * L * m2 * w + L * m1 * w * sp.cos(2 * phi)
            + 2 * m1 * u * sp.sin(phi) + 2 * m2 * u * sp.sin(phi))
            - L * (m1 + m2) * dw * sp.sin(2 * phi)),
        L * (F2y * sp.cos(phi) - (F1y + F2y) * sec - F2x * sp.sin(phi))
        + L * sec ** 3 / 2 * (
            -L * sp.cos(phi) * (2 * m1 + m2 - m2 * sp.cos(2 * phi)) * dw + w * (
                2 * m1 * u + m2 * u - m2 * u * sp.cos(2 * phi) - 2 * L * m1 * w * sp.sin(phi)
                - 2 * L * m2 * w * sp.sin(phi)) + (m1 + m2) * du * sp.sin(2 * phi))]
    # The generalized forces are the paper's letter by letter.
    assert [str(x) for x in d.Q[:2]] == ["F1x + F2x", "F1y + F2y"]
    assert equal(d.Q[2], L * (F2y * sp.cos(phi) - F2x * sp.sin(phi)))
    difference = sp.lambdify([[phi, u, w, du, dw]], (d.Phi + d.Phi_B - sp.Matrix(paper)).subs(
        {p.symbol: p.value for p in system.parameters}))
    random = np.random.default_rng(3)
    for _ in range(STATES):
        state = random.uniform(-1.3, 1.3, 5)
        size = 1 / np.cos(state[0]) ** 3
        assert np.abs(difference(state)).max() < 1e-12 * size


# Osiński's example 2: a sledge; and Chaplygin's, whose centre of mass is ahead of the runner

def sledge(ahead):
    (m, J, a, F, nu, M), parameters = constants(m=2.0, J=0.3, a=0.4, F=3.0, nu=0.7, M=0.05)
    x, y, phi = Coordinate("x"), Coordinate("y"), Coordinate("phi")
    body = RigidBody("sledge", m, J, sp.Matrix([x.q, y.q]), phi.q,
                     sp.Matrix([a if ahead else 0, 0]),
                     F * sp.Matrix([sp.cos(nu), sp.sin(nu)]), M)
    return MechanicalSystem([x, y, phi], [body], [Row(
        "runner", -sp.sin(phi.q) * x.v + sp.cos(phi.q) * y.v)], parameters)


def test_example_2_is_recognized():
    system = sledge(ahead=False)
    d = derive(system)
    m, J, _, F, nu, M = (p.symbol for p in system.parameters)
    phi = system.coordinates[2].q
    (V, dV), (w, dw) = ((q.v, q.a) for q in d.map.velocities)
    assert equal(d.Phi[0] + d.Phi_B[0], F * sp.cos(nu - phi) - m * dV)
    assert equal(d.Phi[1] + d.Phi_B[1], M - J * dw)
    assert equal(d.reactions[0], m * V * w - F * sp.sin(nu - phi))
    assert d.parts[0].E == sp.Matrix([[0, 0, 1]])
    x = system.coordinates[0]
    paper = derive(system, chosen(system, [("x'", x.v), ("phi'", system.coordinates[2].v)]))
    assert equal(paper.Phi[0] + paper.Phi_B[0],
                 -m * sp.sec(phi) ** 3 * (sp.cos(phi) * x.a + x.v * w * sp.sin(phi))
                 + F * (sp.cos(nu) + sp.sin(nu) * sp.tan(phi)))


def test_chaplygins_sledge():
    system = sledge(ahead=True)
    d = derive(system)
    m, J, a = (p.symbol for p in system.parameters[:3])
    (v, dv), (w, dw) = ((q.v, q.a) for q in d.map.velocities)
    free = {p.symbol: 0 for p in system.parameters[3:]}
    assert equal((d.Phi + d.Phi_B)[0].subs(free), m * (a * w ** 2 - dv))
    assert equal((d.Phi + d.Phi_B)[1].subs(free), -J * dw - m * a * v * w)  # J about the runner


@pytest.mark.parametrize("ahead", [False, True])
def test_sledges_at_random_states_against_newton_and_euler(ahead):
    system = sledge(ahead)
    accelerations = Accelerations(derive(system))
    m, J, a, F, nu, M = (p.value for p in system.parameters)
    a = a if ahead else 0.0
    J_center = J - m * a ** 2
    random = np.random.default_rng(5)
    for _ in range(STATES):
        q, (v, w) = random.uniform(-4, 4, 3), random.normal(size=2)
        e, n = np.array([np.cos(q[2]), np.sin(q[2])]), np.array([-np.sin(q[2]), np.cos(q[2])])
        # Unknown: dv, dw, N at the runner; p_G = (dv − a w²) e + (v w + a dw) n.
        force = F * np.array([np.cos(nu), np.sin(nu)])
        matrix = np.array([[m, 0, 0], [0, m * a, -1], [0, J_center, a]])
        moment = M - a * (force @ n)  # the force acts at the pole; about the centre of mass
        dv, dw, _ = np.linalg.solve(matrix, [force @ e + m * a * w ** 2,
                                             force @ n - m * v * w, moment])
        exact = np.concatenate([dv * e + v * w * n, [dw]])
        found = accelerations.by_formulas(0, q, [v, w])
        assert np.abs(found - exact).max() < 1e-12 * max(1, np.abs(exact).max())


# Rows and quasi-velocities

def plane(*rows):
    x, y, z = (Coordinate(name) for name in "xyz")
    m = sp.Symbol("m", positive=True)
    parts = [Particle("p", m, sp.Matrix([x.q, y.q]), sp.zeros(2, 1)),
             Particle("q", m, sp.Matrix([z.q, 0]), sp.zeros(2, 1))]
    return MechanicalSystem([x, y, z], parts, [Row(f"row{k + 1}", row(x, y, z), True)
                                               for k, row in enumerate(rows)],
                            [Parameter(m, 2.0)])


def test_redundant_rows_are_named():
    quasi = choose(plane(lambda x, y, z: x.v - y.v, lambda x, y, z: y.v - z.v,
                         lambda x, y, z: 2 * (x.v - z.v)))
    assert quasi.redundant == ["row3"] and len(quasi.velocities) == 1


def test_rows_that_contradict_one_another():
    with pytest.raises(QuasiError, match="'row2' contradicts"):
        choose(plane(lambda x, y, z: x.v - y.v, lambda x, y, z: x.v - y.v - 1))


def test_rows_that_are_not_linear():
    with pytest.raises(QuasiError, match="not linear"):
        choose(plane(lambda x, y, z: x.v * y.v))


def test_a_division_that_can_fail_is_noted():
    quasi = choose(plane(lambda x, y, z: (1 + x.q ** 2) * x.v + y.q * y.v))
    assert "x'" in quasi.notes[0] and "= 0" in quasi.notes[0]


def test_chosen_quasi_velocities_must_do():
    system = plane(lambda x, y, z: x.v - y.v)
    x, y, z = system.coordinates
    with pytest.raises(QuasiError, match="2 degrees of freedom"):
        chosen(system, [("x'", x.v)])
    with pytest.raises(QuasiError, match="not independent"):
        chosen(system, [("x'", x.v), ("y'", y.v)])
    assert chosen(system, [("s", x.v + y.v), ("z'", z.v)]).D[0, 0] == sp.Rational(1, 2)


def test_prescribed_motions_enter_the_accelerations():
    law = sp.Function("law")(T)
    system = plane(lambda x, y, z: x.v - sp.diff(law, T))
    accelerations = Accelerations(derive(system), {law: sp.sin(3 * T)})
    found = accelerations.by_formulas(0.4, [0, 0, 0], [0.0, 0.0])
    assert found == pytest.approx([-9 * np.sin(1.2), 0, 0], abs=1e-13)
    other, multipliers = accelerations.by_multipliers(0.4, [0, 0, 0], [0.0, 0.0])
    assert found == pytest.approx(other, abs=1e-13)
    assert multipliers == pytest.approx([-18 * np.sin(1.2)])


def test_tidying_changes_no_value():
    x, y, a, b = sp.symbols("x y a b", real=True)
    random = np.random.default_rng(2)
    terms = [sp.sin(x), sp.cos(x), sp.tan(y), sp.sin(x + y), sp.cos(y) ** 3, a, b ** 2,
             1 / sp.cos(x), sp.cos(2 * x), sp.sqrt(1 + a ** 2)]
    for _ in range(60):
        chosen_ = random.choice(len(terms), 5)
        e = terms[chosen_[0]] * terms[chosen_[1]] ** 2 + terms[chosen_[2]] * terms[chosen_[3]] \
            / (2 + terms[chosen_[4]] ** 2)
        values = dict(zip((x, y, a, b), random.uniform(0.2, 1.2, 4)))
        assert float(tidy(e).subs(values)) == pytest.approx(float(e.subs(values)), rel=1e-12)
    assert tidy((sp.sin(x) ** 2 + sp.cos(x) ** 2 - 1) * a) == 0
    assert tidy(sp.sin(x + y) - sp.sin(x) * sp.cos(y) - sp.cos(x) * sp.sin(y)) == 0
    assert tidy(sp.tan(x) * sp.cos(x) - sp.sin(x)) == 0


# Cases

def test_a_pendulum_of_a_particle_is_the_textbooks():
    d = derive(read_case({
        "gravity": [0, -9.81], "points": {"O": [0, 0], "P": [0.6, -0.8]},
        "supports": {"O": {"fix": ["x", "y"]}}, "particles": {"bob": {"at": "P", "mass": 2}},
        "constraints": {"rod": {"kind": "distance", "between": ["O", "P"]}}}))
    L, g, m = (next(p.symbol for p in d.system.parameters if p.symbol.name == name)
               for name in ("L_rod", "g", "m_bob"))
    angle = d.system.coordinates[0]
    assert equal(d.Phi[0] + d.Phi_B[0], -m * L ** 2 * angle.a - m * g * L * sp.cos(angle.q))
    assert angle.start == pytest.approx(np.arctan2(-0.8, 0.6))


OSINSKI_1 = {
    "points": {"1": [0, 0], "2": [0.764, 0.2364]},
    "particles": {"1": {"at": "1", "mass": 1.5}, "2": {"at": "2", "mass": 0.9}},
    "constraints": {"rod": {"kind": "distance", "between": ["1", "2"]},
                    "blade": {"kind": "expression",
                              "velocity": "cos(angle_rod)*vy_2 - sin(angle_rod)*vx_2"}},
    "loads": {"F1": {"at": "1", "force": [1, 2]}, "F2": {"at": "2", "force": [3, 4]}}}


def test_a_blade_in_the_names_of_points_is_the_same():
    # As a solver without the angle of the rod has it; L is 0.8 but for round-off.
    formula = "((x_2 - x_1)*vy_2 - (y_2 - y_1)*vx_2)/0.8"
    one = derive(read_case(OSINSKI_1))
    two = derive(read_case({**OSINSKI_1, "constraints": {
        **OSINSKI_1["constraints"], "blade": {"kind": "expression", "velocity": formula}}}))
    assert one.Phi == two.Phi and one.Phi_B == two.Phi_B and one.map.D == two.map.D


def moving(constraint, **more):
    """Derivation of a body B at P that a constraint holds."""
    return derive(read_case({"points": {"P": [0, 0], "Q": [2, 1]},
                             "bodies": {"B": {"at": "P", "carries": ["Q"], "mass": 2,
                                              "inertia": 0.5}},
                             "constraints": {"c": constraint}, **more}))


@pytest.mark.parametrize("constraint, left, holds", [
    ({"kind": "line", "at": "P", "direction": 0}, 2, "y_P'"),
    ({"kind": "knife_edge", "at": "P", "body": "B", "direction": 0.3}, 2, None),
    ({"kind": "rolling", "at": "P", "body": "B", "radius": 0.25, "direction": -0.3}, 1, None),
    ({"kind": "circle", "at": "Q", "center": [0, 1]}, 2, None),
    ({"kind": "curve", "at": "P", "curve": "y - x^2 + sin(t)"}, 2, None),
    ({"kind": "linear", "terms": [["B", 2], ["x_P", -1]]}, 2, None),
    ({"kind": "expression", "position": "x_Q + angle_B"}, 2, None),
    ({"kind": "expression", "velocity": "vx_Q - rate_B*y_P"}, 2, None)])
def test_every_kind_of_constraint_against_multipliers(constraint, left, holds):
    d = moving(constraint)
    assert len(d.map.velocities) == left
    assert holds is None or d.map.rows[0].residual == sp.Symbol(holds, real=True)
    random = np.random.default_rng(4)
    start = np.array([c.start for c in d.system.coordinates])
    states = [(random.uniform(), start + random.uniform(0.1, 0.9, len(start)),
               random.normal(size=left)) for _ in range(STATES)]
    assert largest_disagreement(Accelerations(d), states) < 1e-12


def test_what_follows_from_the_others_where_they_hold_is_redundant():
    # The ends of a bar on two lines at right angles: its middle is on a circle anyway.
    d = derive(read_case({
        "points": {"M": [0.8, 0.6], "A": [1.6, 0], "B": [0, 1.2]},
        "bodies": {"bar": {"at": "M", "mass": 2, "inertia": 0.7, "carries": ["A", "B"]}},
        "constraints": {"floor": {"kind": "line", "at": "A", "direction": 0},
                        "wall": {"kind": "line", "at": "B", "direction": np.pi / 2},
                        "crank": {"kind": "circle", "at": "M", "center": [0, 0]}}}))
    assert d.map.redundant == ["crank"] and len(d.map.velocities) == 1


def test_a_wheel_rolls_down_a_slope():
    d = derive(read_case({
        "gravity": [0, -9.81], "points": {"C": [0, 0]},
        "bodies": {"wheel": {"at": "C", "mass": 2, "inertia": 0.0625}},
        "constraints": {"ground": {"kind": "rolling", "at": "C", "body": "wheel", "radius": 0.25,
                                   "direction": -0.3}}}))
    x, y, turn = Accelerations(d).by_formulas(0, [0, 0, 0], [0.0])
    assert np.hypot(x, y) == pytest.approx(9.81 * np.sin(0.3) / 1.5, rel=1e-12)
    assert turn == pytest.approx(-np.hypot(x, y) / 0.25, rel=1e-12)


FOUR_BAR = {
    "gravity": [0, -9.81],
    "points": {"A": [0, 0], "B": [0, 1], "C": [1.5, 1.4], "D": [1.3, 0]},
    "bodies": {"crank": {"at": "A", "carries": ["B"], "mass": 1, "inertia": 0.4,
                         "center": [0, 0.5]},
               "coupler": {"at": "B", "carries": ["C"], "mass": 2, "inertia": 1.7,
                           "center": [0.75, 0.2]},
               "rocker": {"at": "D", "carries": ["C"], "mass": 1.5, "inertia": 1.1,
                          "center": [0.1, 0.7]}},
    "hinges": {"B": {"at": "B", "members": ["crank", "coupler"],
                     "spring": {"stiffness": 3, "neutral": 0.2}, "damper": {"viscosity": 0.4}}},
    "supports": {"A": {"fix": ["x", "y"]}, "D": {"fix": ["x", "y"]}}}


def test_a_closed_loop_against_multipliers():
    d = derive(read_case(FOUR_BAR), tidy=tidy)
    assert len(d.system.coordinates) == 3 and len(d.map.velocities) == 1
    random = np.random.default_rng(11)
    states = [(0.0, random.uniform(-0.2, 0.2, 3), random.normal(size=1)) for _ in range(STATES)]
    assert largest_disagreement(Accelerations(d), states) < 1e-12


def test_a_body_at_rest_under_its_weight_on_a_spring():
    d = derive(read_case({
        "gravity": [0, -10], "points": {"top": [0, 2], "G": [0, 0]},
        "supports": {"top": {"fix": ["x", "y"]}, "G": {"fix": ["x"]}},
        "bodies": {"block": {"at": "G", "mass": 3, "inertia": 1}},
        "springs": {"s": {"between": ["top", "G"], "stiffness": 60, "length": 1.5}}}))
    found = Accelerations(d).by_formulas(0, [0, 0], [0, 0])
    names = [c.name for c in d.system.coordinates]
    assert found[names.index("y_G")] == pytest.approx(60 * 0.5 / 3 - 10, abs=1e-13)


@pytest.mark.parametrize("change, words", [
    ({"rods": {"arm": {"from": "1", "to": "2"}}}, "flexible rods"),
    ({"particles": {}}, "neither particles nor rigid bodies"),
    ({"frame": {"angle": "a"}}, "moving frames"),
    ({"hinges": {"h": {"at": "1", "members": ["a", "b"], "hereditary": {"kernel": {}}}}},
     "'hereditary' of 'h' in 'hinges'"),
    ({"loads": {"F": {"on": "arm", "force": [[0, 0], [0, 1]]}}}, "'on' of 'F' in 'loads'"),
    ({"loads": {"F": {"at": "1", "moment": 2}}}, "no body is at"),
    ({"loads": {"F": {"at": "1", "force": ["gust", 0]}}}, "no law 'gust'"),
    ({"constraints": {"c": {"kind": "wheels"}}}, "not for 'wheels'"),
    ({"constraints": {"c": {"kind": "expression", "position": "x_1 + y_3"}}},
     "nothing is named 'y_3' (did you mean"),
    ({"constraints": {"c": {"kind": "knife_edge", "at": "2", "body": "rot"}}}, "no body 'rot'"),
    ({"bodies": {"b": {"at": "1"}}}, "fem check")])
def test_cases_that_formulas_are_not_derived_of(tmp_path, change, words):
    with pytest.raises((CaseError, RowError)) as error:
        read_case({**OSINSKI_1, **change})
    assert words in str(error.value)
    (tmp_path / "case.json").write_text(json.dumps({**OSINSKI_1, **change}))
    done = run(tmp_path / "case.json")
    assert done.returncode == 2 and words in done.stderr and len(done.stderr.splitlines()) == 1


# Formulas in names

class Known(dict):
    known = ("x_P", "y_P")

    def __call__(self, name):
        return {"x_P": sp.Symbol("x"), "y_P": sp.Symbol("y"), "x_'left tip'": sp.Symbol("z")}.get(
            name)


@pytest.mark.parametrize("text, value", [
    ("-x_P^2", "-x**2"), ("2^3^2", "512"), ("x_P - y_P - 1", "x - y - 1"), ("hypot(3, 4)", "5"),
    ("8/2/2", "2"), ("--x_P", "x"), ("2*-x_P", "-2*x"), ("sin(pi/2)", "1"), ("x_P^-1", "1/x"),
    ("1.5e1 + .5", "31/2"), ("x_'left tip'*2", "2*z"), ("atan2(y_P, x_P)", "atan2(y, x)")])
def test_formulas(text, value):
    assert equal(parse_formula(text, Known()), sp.sympify(value))


@pytest.mark.parametrize("text, words", [
    ("x_P + * y_P", "column 7"), ("x_P y_P", "operator is missing"), ("sine(x_P)", "'sin'"),
    ("x_Q", "did you mean"), ("(x_P", "closing bracket"), ("", "at the end"),
    ("atan2(x_P)", "takes 2 arguments"), ("x_P $ 2", "belongs to no formula")])
def test_formulas_that_are_none(text, words):
    with pytest.raises(FormulaError) as error:
        parse_formula(text, Known())
    assert words in str(error.value)


# The command

@pytest.fixture
def case(tmp_path):
    (tmp_path / "case.json").write_text("// as people write them\n" + json.dumps(
        {"libfem": 1, "title": "Osinski_1 & more", **OSINSKI_1}))
    return tmp_path / "case.json"


def test_the_plain_text_has_every_step(case):
    done = run(case)
    assert done.returncode == 0, done.stderr
    for words in ("C[2] = ", "Q = ", "Q_B = ", "D = ", "Phi = ", "Phi_B = ", "mu[blade] = ",
                  "v_blade = cos(angle_rod)*x_1' + sin(angle_rod)*y_1'", "m_1 = 1.5 kg"):
        assert words in done.stdout
    worst = float(done.stderr.rsplit(" ", 1)[1])
    assert worst < 1e-12


def test_quasi_velocities_can_be_chosen(case):
    done = run(case, "--quasi", "x_1", "--quasi", "angle_rod")
    assert done.returncode == 0 and "sin(angle_rod)/cos(angle_rod)" in done.stdout
    assert "do not tell the motion where" in done.stdout
    done = run(case, "--quasi", "v=cos(angle_rod)*vx_2 + sin(angle_rod)*vy_2", "--quasi",
               "w=rate_rod")
    assert done.returncode == 0 and "D = [ cos(angle_rod)  L_rod*sin(angle_rod) ]" in done.stdout
    done = run(case, "--quasi", "x_3", "--quasi", "angle_rod")
    assert done.returncode == 2 and "no generalized coordinate 'x_3'" in done.stderr


def test_latex_is_balanced(case):
    done = run(case, "--latex")
    assert done.returncode == 0
    assert r"\section*{Osinski\_1 \& more}" in done.stdout
    assert r"\dot{\varphi}_{\mathrm{rod}}" in done.stdout and "'" not in done.stdout
    for line in done.stdout.splitlines():
        assert line.count("{") == line.count("}") and line.count(r"\[") == line.count(r"\]")


def test_files_that_are_no_cases(tmp_path):
    assert run(tmp_path / "missing.json").returncode == 4
    (tmp_path / "bad.json").write_text("{")
    assert run(tmp_path / "bad.json").returncode == 2
