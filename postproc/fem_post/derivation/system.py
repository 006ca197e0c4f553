"""A system of particles and rigid bodies in the plane, as symbols.

Positions are functions of generalized coordinates q and of the time t, in which holonomic
constraints that can be solved are solved already; what cannot is a row, linear in the velocities,
as nonholonomic constraints are (Osiński 2000, (25), (26), (36)):

    Σ_j a_tj(q, t) q̇_j + a_t(q, t) = 0.
"""

from dataclasses import dataclass, field

import sympy as sp

T = sp.Symbol("t", real=True)


@dataclass(frozen=True)
class Coordinate:
    """A generalized coordinate with its rates: q, q̇, q̈."""

    name: str
    kind: str = ""    # "x of P", "angle of hub": what it measures
    start: float = 0  # its value in the state that the case describes
    latex: str = ""

    @property
    def q(self):
        return sp.Symbol(self.name, real=True)

    @property
    def v(self):
        return sp.Symbol(f"{self.name}'", real=True)

    @property
    def a(self):
        return sp.Symbol(f"{self.name}''", real=True)


@dataclass(frozen=True)
class Parameter:
    """A constant that stands in the formulas."""

    symbol: sp.Symbol
    value: float
    unit: str = ""
    meaning: str = ""


@dataclass(frozen=True)
class Particle:
    """A material point: m, r(q, t), F."""

    name: str
    mass: sp.Expr
    position: sp.Matrix  # [2]
    force: sp.Matrix     # [2], of everything but constraints


@dataclass(frozen=True)
class RigidBody:
    """A body with the pole A: (16)-(24), moments about A."""

    name: str
    mass: sp.Expr
    inertia: sp.Expr      # about the pole
    pole: sp.Matrix       # [2], r_A(q, t)
    angle: sp.Expr
    center: sp.Matrix     # [2], the centre of mass from the pole, in the body's axes
    force: sp.Matrix      # [2], S
    moment: sp.Expr       # M about the pole

    @property
    def arm(self):
        """ρ: the centre of mass from the pole, in the axes of the plane."""
        return turned(self.center, self.angle)


@dataclass(frozen=True)
class Row:
    """A constraint, by its residual: linear in the velocities, 0 where it holds."""

    name: str
    residual: sp.Expr   # in q, q̇, t
    holonomic: bool = False
    position: sp.Expr | None = None  # of a holonomic one, f(q, t): residual = df/dt


@dataclass(frozen=True)
class MechanicalSystem:
    """Everything that the equations of motion follow from."""

    coordinates: list             # of Coordinate
    parts: list                   # of Particle and RigidBody
    rows: list = field(default_factory=list)
    parameters: list = field(default_factory=list)
    laws: dict = field(default_factory=dict)   # sympy function of t → what it is
    notes: list = field(default_factory=list)
    places: dict = field(default_factory=dict)  # name of a point → its position [2]
    title: str = ""

    def rate(self, expression):
        """d/dt of an expression in q, q̇, t; second rates of change appear as q̈."""
        rate = sp.diff(expression, T)
        for c in self.coordinates:
            rate += sp.diff(expression, c.q) * c.v + sp.diff(expression, c.v) * c.a
        return rate


def turned(vector, angle):
    """A vector of the body's axes in the axes of the plane."""
    c, s = sp.cos(angle), sp.sin(angle)
    return sp.Matrix([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def cross(a, b):
    """The component out of the plane of a × b."""
    return a[0] * b[1] - a[1] * b[0]


def holonomic_row(system_rate, name, position):
    """Row of f(q, t) = 0 through its rate of change."""
    return Row(name, system_rate(position), True, position)
