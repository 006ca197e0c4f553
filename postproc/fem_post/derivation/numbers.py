"""The formulas as numbers: accelerations that follow from them, and, to check them, the same from
the equations with multipliers, in which nothing is eliminated."""

import numpy as np
import sympy as sp

from fem_post.derivation.quasi import coefficients
from fem_post.derivation.system import T


def _function(arguments, expressions):
    return sp.lambdify(arguments, expressions, modules="numpy", cse=True)


class Accelerations:
    """q̈ of a Derivation at given states; laws are given as functions of t."""

    def __init__(self, derivation, laws=None):
        system, quasi = derivation.system, derivation.map
        self.system, self.quasi = system, quasi
        values = {p.symbol: p.value for p in system.parameters}
        q = [c.q for c in system.coordinates]
        v = [c.v for c in system.coordinates]
        u = [x.v for x in quasi.velocities]
        rates = [x.a for x in quasi.velocities]

        def put(matrix):
            return sp.Matrix(matrix).subs(laws or {}).doit().subs(values)
        equation = put(derivation.Phi + derivation.Phi_B)
        mass = -equation.jacobian(rates) if rates else sp.zeros(0, 0)
        zero = {symbol: 0 for symbol in rates}
        self._reduced = _function([T, q, u], [
            mass, equation.subs(zero), put(quasi.D), put(quasi.d),
            put(derivation.acceleration).subs(zero)])
        self._free = _function([T, q], [put(quasi.D), put(quasi.d)])
        # With multipliers, in generalized coordinates: −Q_B = M q̈ + h.
        a = [c.a for c in system.coordinates]
        inertial = put(-derivation.Q_B)
        still = {symbol: 0 for symbol in a}
        rows = [coefficients(system, row) for row in quasi.rows]
        jacobian = sp.Matrix.vstack(*[r for r, _ in rows]) if rows else sp.zeros(0, len(q))
        drift = sp.Matrix([system.rate(row.residual).subs(still) for row in quasi.rows]) \
            if rows else sp.zeros(0, 1)
        self._whole = _function([T, q, v], [
            inertial.jacobian(a), put(derivation.Q) - inertial.subs(still), put(jacobian),
            put(drift)])

    def admissible(self, t, q, u):
        """q̇ of quasi-velocities u."""
        D, d = self._free(t, q)
        return (np.asarray(D, float) @ np.asarray(u, float).reshape(-1, 1)
                + np.asarray(d, float)).ravel()

    def quasi_velocities(self, t, q, v):
        """The quasi-velocities of admissible q̇, by least squares."""
        D, d = (np.asarray(x, float) for x in self._free(t, q))
        return np.linalg.lstsq(D, np.asarray(v, float) - d.ravel(), rcond=None)[0]

    def by_formulas(self, t, q, u):
        """q̈ from Φ + Φ_B = 0."""
        mass, force, D, _, drift = (np.asarray(x, float) for x in self._reduced(t, q, u))
        rates = np.linalg.solve(mass, force.ravel()) if len(force) else np.zeros(0)
        return D @ rates + drift.ravel()

    def by_multipliers(self, t, q, u):
        """(q̈, multipliers μ) from M q̈ + h = Q + Aᵀμ, A q̈ + Ȧ q̇ + ȧ = 0."""
        mass, force, A, drift = (np.asarray(x, float) for x in
                                 self._whole(t, q, self.admissible(t, q, u)))
        n, m = len(mass), len(A)
        matrix = np.block([[mass, -A.T], [A, np.zeros((m, m))]])
        found = np.linalg.solve(matrix, np.concatenate([force.ravel(), -drift.ravel()]))
        return found[:n], found[n:]


def largest_disagreement(accelerations, states):
    """Largest |difference| of both ways over the larger of 1 and |q̈|, of [(t, q, u)]."""
    worst = 0.0
    for t, q, u in states:
        one, (other, _) = (accelerations.by_formulas(t, q, u),
                           accelerations.by_multipliers(t, q, u))
        worst = max(worst, float(np.max(np.abs(one - other)) / max(1.0, np.max(np.abs(other)))))
    return worst
