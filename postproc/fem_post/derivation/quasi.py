"""Quasi-velocities: velocities that are free, and by them all generalized velocities.

Rows A q̇ + a = ρ (ρ = 0 where the constraints hold) are eliminated one after another, which gives

    q̇ = D λ̇ + d + W ρ,     A D = 0,  A d = −a,  A W = 1                      (37), (39), (40)

with quasi-velocities λ̇. W tells the reactions: with Q + Q_B + Aᵀμ = 0 they are μ = −Wᵀ(Q + Q_B).

A velocity that a row multiplies by a constant is eliminated by it. Where a row holds the two
components of a velocity with coefficients whose squares have a constant sum (a knife edge: −sin φ,
cos φ), the quasi-velocity is the component along the edge: such a map holds at every angle, other
than the printed one with tan φ and 1/cos φ, which breaks at φ = π/2. Only where neither helps, a
velocity is divided by what it is multiplied by, and a note says where that is zero.
"""

from dataclasses import dataclass, field

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from fem_post.derivation.system import T, Row
from fem_post.derivation.tidy import tidy

_SMALL = 1e-9  # of residuals and coefficients that vanish but for round-off
_SAMPLES, _NEAR, _ITERATIONS = 5, 0.1, 12  # states near the start, their distance, Newton steps


class QuasiError(Exception):
    """The rows contradict one another, or the chosen quasi-velocities do not do."""


@dataclass(frozen=True)
class QuasiVelocity:
    """A free velocity λ̇ and its rate of change λ̈."""

    name: str
    meaning: str = ""  # its expression by generalized velocities

    @property
    def v(self):
        return sp.Symbol(self.name, real=True)

    @property
    def a(self):
        return sp.Symbol(f"{self.name}'", real=True)


@dataclass
class QuasiMap:
    """q̇ = D λ̇ + d + W ρ."""

    velocities: list   # of QuasiVelocity
    D: sp.Matrix       # [s, z]
    d: sp.Matrix       # [s, 1]
    W: sp.Matrix       # [s, rows that are kept]
    rows: list         # of Row that are kept
    redundant: list = field(default_factory=list)  # names of rows that say nothing new
    notes: list = field(default_factory=list)


def coefficients(system, row):
    """(A [1, s], a): of a row; QuasiError if it is not linear in the velocities."""
    v = [c.v for c in system.coordinates]
    matrix = sp.Matrix([[sp.diff(row.residual, symbol) for symbol in v]])
    if any(matrix.has(symbol) for symbol in v):
        raise QuasiError(f"constraint {row.name!r} is not linear in the velocities")
    return matrix, row.residual.subs({symbol: 0 for symbol in v})


def choose(system, tidy=tidy):
    """QuasiMap by elimination; never singular where it can be helped."""
    s = len(system.coordinates)
    names = [QuasiVelocity(f"{c.name}'") for c in system.coordinates]
    state = _Elimination(system, tidy, names, sp.eye(s), sp.zeros(s, 1))
    # Holonomic rows first: their velocities are dependent whatever the others do.
    for row in sorted(system.rows, key=lambda row: not row.holonomic):
        state.take(row)
    return state.result()


class _Elimination:
    """q̇ = T u + K (1, ρ₁, …): velocities u that are still free, row after row."""

    def __init__(self, system, tidy, velocities, transform, constant):
        self.system, self.tidy = system, tidy
        self.u, self.transform, self.K = velocities, transform, constant
        self.rows, self.redundant, self.notes = [], [], []
        self.start = {c.q: c.start for c in system.coordinates} | {T: 0}
        self.start |= {p.symbol: p.value for p in system.parameters}

    def take(self, row):
        a, a0 = coefficients(self.system, row)
        r = (a * self.transform).applyfunc(self.tidy)
        rest = (a * self.K).applyfunc(self.tidy)
        rest[0] = self.tidy(rest[0] + a0)
        if r.is_zero_matrix or all(self.tidy(x) == 0 for x in r):
            if rest[0] != 0:
                raise QuasiError(f"constraint {row.name!r} contradicts those before it")
            self.redundant.append(row.name)
            return
        if self._constant(r) is None and row.holonomic and self._idle(r):
            self.redundant.append(row.name)
            return
        self.rows.append(row)
        self.K = self.K.row_join(sp.zeros(self.K.rows, 1))
        rest = rest.row_join(sp.Matrix([[-1]]))
        pair = self._pair(r) if not row.holonomic else None
        single = self._constant(r)
        if pair:
            self._turn(row, r, rest, *pair)
        elif single is not None:
            self._eliminate(r, rest, single)
        elif (pair := self._pair(r)) is not None:
            self._turn(row, r, rest, *pair)
        else:
            pivot = self._largest(r)
            self.notes.append(f"{self.u[pivot].name} follows from the constraint {row.name!r} by a "
                              f"division, which fails where {sp.sstr(self.tidy(r[pivot]))} = 0")
            self._eliminate(r, rest, pivot)

    def _idle(self, r):
        """Whether a row's coefficients vanish wherever the rows before it hold: in some random
        states near the start that satisfy them."""
        q = [c.q for c in self.system.coordinates]
        constants = {p.symbol: p.value for p in self.system.parameters} | {T: 0}
        functions = [row.position.subs(constants) for row in self.rows if row.position is not None]
        if not functions or any(f.atoms(AppliedUndef) for f in [*functions, *r]):
            return False
        functions = sp.Matrix([f - f.subs(self.start) for f in functions])
        value = sp.lambdify([q], [functions, functions.jacobian(q)], modules="numpy")
        size = sp.lambdify([q], r.subs(constants), modules="numpy")
        random = np.random.default_rng(8)
        for _ in range(_SAMPLES):
            at = np.array([float(c.start) for c in self.system.coordinates])
            at += random.uniform(-_NEAR, _NEAR, len(q))
            for _ in range(_ITERATIONS):
                f, jacobian = (np.asarray(x, float) for x in value(at))
                at -= np.linalg.pinv(jacobian) @ f.ravel()
            coefficients_there = np.asarray(size(at), float)
            if not (np.abs(f).max() < _SMALL and np.abs(coefficients_there).max() < _SMALL):
                return False
        return True

    def _free_of_motion(self, expression):
        return not any(expression.has(c.q) for c in self.system.coordinates) \
            and not expression.has(T)

    def _constant(self, r):
        """The velocity with a constant coefficient, the last one; None without."""
        found = [i for i, x in enumerate(r) if x != 0 and self._free_of_motion(x)]
        return found[-1] if found else None

    def _pair(self, r):
        """(i, j, Σ of the squares) of two coefficients that are a turned constant; else None."""
        moving = [i for i, x in enumerate(r) if x != 0 and not self._free_of_motion(x)]
        for i in moving:
            for j in moving:
                if i < j:
                    squares = self.tidy(r[i] ** 2 + r[j] ** 2)
                    if squares != 0 and self._free_of_motion(squares):
                        return i, j, squares
        return None

    def _turn(self, row, r, rest, i, j, squares):
        """A new velocity along the edge; the one across it follows from the row."""
        size = sp.sqrt(squares)
        sign = -1 if (r[j] / size).could_extract_minus_sign() else 1
        along = sp.zeros(len(self.u), 1)
        along[i], along[j] = sign * r[j] / size, -sign * r[i] / size
        across = sp.zeros(len(self.u), 1)
        across[i], across[j] = r[i] / squares, r[j] / squares
        kept = [k for k in range(len(self.u)) if k not in (i, j)]
        columns = [along] + [sp.Matrix(sp.eye(len(self.u))[:, k]) - across * r[k] for k in kept]
        meaning = sp.sstr(along[i]) + "*" + self.u[i].name + " + " + sp.sstr(along[j]) + "*" \
            + self.u[j].name
        new = QuasiVelocity(f"v_{row.name}", meaning)
        self._substitute(sp.Matrix.hstack(*columns), -across * rest,
                         [new] + [self.u[k] for k in kept])

    def _eliminate(self, r, rest, i):
        """u_i from the row."""
        unit = sp.zeros(len(self.u), 1)
        unit[i] = 1 / r[i]
        kept = [k for k in range(len(self.u)) if k != i]
        columns = [sp.Matrix(sp.eye(len(self.u))[:, k]) - unit * r[k] for k in kept]
        map_ = sp.Matrix.hstack(*columns) if columns else sp.zeros(len(self.u), 0)
        self._substitute(map_, -unit * rest, [self.u[k] for k in kept])

    def _largest(self, r):
        """The velocity whose coefficient is largest in the state of the case."""
        def size(x):
            value = x.subs(self.start)
            return abs(float(value)) if value.is_number else 0.0
        return max(range(len(r)), key=lambda i: (size(r[i]), r[i] != 0))

    def _substitute(self, map_, constant, velocities):
        self.K = (self.K + self.transform * constant).applyfunc(self.tidy)
        self.transform = (self.transform * map_).applyfunc(self.tidy)
        self.u = velocities

    def result(self):
        return QuasiMap(self.u, self.transform, self.K[:, :1], self.K[:, 1:], self.rows,
                        self.redundant, self.notes)


def chosen(system, definitions, tidy=tidy):
    """QuasiMap of quasi-velocities that a user chose: [(name, expression linear in q̇)].

    (37): λ̇ = B q̇ + b. QuasiError if they and the rows do not tell all generalized velocities.
    """
    free = choose(system, tidy)  # drops redundant rows
    if len(definitions) != len(free.velocities):
        raise QuasiError(f"the system has {len(free.velocities)} degrees of freedom, of velocities "
                         f"{', '.join(q.name for q in free.velocities)} for instance; "
                         f"{len(definitions)} quasi-velocities were chosen")
    parts = [coefficients(system, row) for row in free.rows]
    parts += [coefficients(system, Row(name, expression)) for name, expression in definitions]
    matrix = sp.Matrix.vstack(*[a for a, _ in parts])
    determinant = tidy(matrix.det())
    if determinant == 0:
        raise QuasiError("the chosen quasi-velocities are not independent of the constraints")
    inverse = matrix.inv().applyfunc(tidy)
    m = len(free.rows)
    constant = (-inverse * sp.Matrix([a0 for _, a0 in parts])).applyfunc(tidy)
    notes = [] if determinant.is_number else \
        [f"the chosen quasi-velocities do not tell the motion where {sp.sstr(determinant)} = 0"]
    velocities = [QuasiVelocity(name, sp.sstr(expression)) for name, expression in definitions]
    return QuasiMap(velocities, inverse[:, m:], constant, inverse[:, :m], free.rows,
                    free.redundant, notes)
