"""The equations of motion, step by step as in Osiński 2000, §4.

| step   | formula                                                        | equation         |
|--------|----------------------------------------------------------------|------------------|
| 6, 7   | C_ij = ∂r_i/∂q_j;  bodies: C_rj = ∂v_A/∂q̇_j, E_rj = ∂ω/∂q̇_j     | (10), (29), (30) |
| 8      | Q_j = Σ F_i·C_ij + Σ (S_r·C_rj + M_r E_rj)                     | (7), (32)        |
|        | Q_Bj the same with F_B = −m p, S_B = −m p_c, M_B about the pole | (8), (9), (33)   |
| 12, 14 | q̇ = D λ̇ + d                                                   | (39), (40)       |
| 15     | Φ = DᵀQ,  Φ_B = DᵀQ_B                                          | (42), (43)       |
| 16     | Φ + Φ_B = 0                                                    | (45)             |

Right forms where the paper has misprints: (10) is ∂p/∂q̈; moments of a body are about its pole;
S_B, M_B stand in (43). M_B = −(J_A ω̇ + m ρ × p_A), S_B = −m (p_A + ω̇ × ρ − ω² ρ).
"""

from dataclasses import dataclass

import sympy as sp

from fem_post.derivation.quasi import choose
from fem_post.derivation.system import Particle, cross
from fem_post.derivation.tidy import tidy


_FEW, _SHORT = 3, 400  # degrees of freedom, operations up to which reactions are solved


@dataclass(frozen=True)
class PartEquations:
    """Of one particle or body."""

    part: object
    C: sp.Matrix           # [2, s]
    E: sp.Matrix | None    # [1, s], of bodies
    force_b: sp.Matrix     # F_B or S_B, in q, q̇, q̈
    moment_b: sp.Expr      # M_B; 0 of particles


@dataclass(frozen=True)
class Derivation:
    """Everything that the procedure gives."""

    system: object
    parts: list            # of PartEquations
    map: object            # QuasiMap
    Q: sp.Matrix           # [s, 1]
    Q_B: sp.Matrix         # [s, 1], in q, q̇, q̈
    acceleration: sp.Matrix  # [s, 1]: q̈ by λ̈, λ̇, q, t
    Phi: sp.Matrix         # [z, 1], in q, λ̇, t
    Phi_B: sp.Matrix       # [z, 1], in q, λ̇, λ̈, t
    reactions: sp.Matrix   # [rows, 1]: multipliers of the rows, in q, λ̇, t (and λ̈, if many)
    holonomic: bool        # no rows: quasi-velocities are generalized velocities, D = 1


def derive(system, quasi=None, tidy=tidy):
    """Derivation of a system; `quasi`: a QuasiMap, by default quasi.choose."""
    quasi = quasi or choose(system, tidy)
    parts = [_part(system, part, tidy) for part in system.parts]
    s = len(system.coordinates)
    Q, Q_B = sp.zeros(s, 1), sp.zeros(s, 1)
    for p in parts:
        Q += p.C.T * p.part.force
        Q_B += p.C.T * p.force_b
        if p.E is not None:
            Q += p.E.T * p.part.moment
            Q_B += p.E.T * p.moment_b
    Q, Q_B = Q.applyfunc(tidy), Q_B.applyfunc(tidy)
    velocity, acceleration = _motion(system, quasi, tidy)
    speeds = dict(zip([c.v for c in system.coordinates], velocity))
    rates = dict(zip([c.a for c in system.coordinates], acceleration))

    def by_quasi(matrix):
        return matrix.subs(rates).subs(speeds)
    Phi = (quasi.D.T * by_quasi(Q)).applyfunc(tidy)
    Phi_B = (quasi.D.T * by_quasi(Q_B)).applyfunc(tidy)
    reactions = -quasi.W.T * (by_quasi(Q) + by_quasi(Q_B))
    reactions = _without_rates(reactions, Phi + Phi_B, quasi, tidy)
    return Derivation(system, parts, quasi, Q, Q_B, acceleration, Phi, Phi_B, reactions,
                      not quasi.rows)


def _part(system, part, tidy):
    q = [c.q for c in system.coordinates]
    particle = isinstance(part, Particle)
    position = part.position if particle else part.pole
    C = position.jacobian(q).applyfunc(tidy)
    p = _second_rate(system, position)
    if particle:
        return PartEquations(part, C, None, (-part.mass * p).applyfunc(tidy), sp.Integer(0))
    E = sp.Matrix([[sp.diff(part.angle, symbol) for symbol in q]])
    omega = system.rate(part.angle)
    turn = system.rate(omega)
    arm = part.arm
    p_center = p + turn * sp.Matrix([-arm[1], arm[0]]) - omega ** 2 * arm
    force_b = (-part.mass * p_center).applyfunc(tidy)
    moment_b = tidy(-(part.inertia * turn + part.mass * cross(arm, p)))
    return PartEquations(part, C, E, force_b, moment_b)


def _without_rates(reactions, equations, quasi, tidy):
    """Reactions with λ̈ taken from the equations of motion; left in them where those are many."""
    rates = [q.a for q in quasi.velocities]
    if not quasi.rows or len(rates) > _FEW or sum(e.count_ops() for e in equations) > _SHORT:
        return reactions.applyfunc(tidy)
    mass = -equations.jacobian(rates) if rates else sp.zeros(0, 0)
    found = mass.LUsolve(equations.subs({a: 0 for a in rates})) if rates else sp.zeros(0, 1)
    return reactions.subs(dict(zip(rates, found))).applyfunc(tidy)


def _second_rate(system, position):
    return position.applyfunc(system.rate).applyfunc(system.rate)


def _motion(system, quasi, tidy):
    """(q̇ by λ̇, q̈ by λ̈ and λ̇)."""
    v = sp.Matrix([q.v for q in quasi.velocities]) if quasi.velocities else sp.zeros(0, 1)
    a = sp.Matrix([q.a for q in quasi.velocities]) if quasi.velocities else sp.zeros(0, 1)
    velocity = (quasi.D * v + quasi.d).applyfunc(tidy)
    speeds = dict(zip([c.v for c in system.coordinates], velocity))
    # D and d hold q and t only: their rates of change hold q̇.
    drift = (quasi.D.applyfunc(system.rate) * v + quasi.d.applyfunc(system.rate)).subs(speeds)
    return velocity, (quasi.D * a + drift).applyfunc(tidy)
