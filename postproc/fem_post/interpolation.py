"""Histories between their output times, with an estimate of the error. Pure functions of arrays.

Between two rows a history is the polynomial of lowest degree that has the values and the rates of
change that the file holds there:

| held at the rows          | polynomial                      | degree | error   |
|---------------------------|---------------------------------|--------|---------|
| value, rate, second rate  | Hermite                         | 5      | O(h⁶)   |
| value, rate               | Hermite                         | 3      | O(h⁴)   |
| value                     | Lagrange, two rows either side  | 3      | O(h⁴)   |

The estimate is the difference from the polynomial of the next poorer kind: the error of that one,
hence on the safe side (of histories of which values alone are held it may be too small at points
of inflexion). A richer polynomial is taken only in intervals where it changes less than the one
before it did: rows that are too far apart for the motion (vibrations between them) have rates that
say nothing about the values between. A history that jumps between two rows, or whose rate does, is
not interpolated by any of these: leave such times out (`between_jumps`).
"""

import numpy as np

_SAMPLES = (0.13, 0.38, 0.62, 0.87)  # places in an interval where polynomials are compared
SAME = 1e-9  # of the spacing of rows: times so near to each other are the same


def locate(time, asked):
    """(left, exact): row to the left of each time asked for, and whether a row is there.

    time [rows] increases strictly and covers `asked`; where exact, `left` is that row.
    """
    left = np.clip(np.searchsorted(time, asked, side="right") - 1, 0, len(time) - 1)
    right = np.minimum(left + 1, len(time) - 1)
    spacing = np.where(right > left, time[right] - time[left], np.inf)
    slack = SAME * np.where(np.isfinite(spacing), spacing,
                            time[left] - time[np.maximum(left - 1, 0)])
    at_left, at_right = asked - time[left] <= slack, time[right] - asked <= slack
    return np.where(at_right & ~at_left, right, left), at_left | at_right


def between_jumps(time, asked, jumps):
    """[asked] of bool: times that have no row of their own and share their interval with a jump."""
    left, exact = locate(time, asked)
    right = np.minimum(left + 1, len(time) - 1)
    jumps = np.sort(np.asarray(jumps, float))
    inside = np.searchsorted(jumps, time[right], side="right") \
        > np.searchsorted(jumps, time[left], side="left")
    return inside & ~exact


def interpolate(time, asked, values, rates=None, seconds=None):
    """(values, errors) at the times asked for, both [asked, k].

    time [rows] increasing strictly, s; values, rates, seconds [rows, k]: the history, its rate and
    second rate of change.
    """
    left, exact = locate(time, asked)
    result = values[left].astype(float)
    error = np.zeros_like(result)
    between = np.flatnonzero(~exact)
    if not len(between):
        return result, error
    intervals, own = np.unique(left[between], return_inverse=True)
    chain = [_linear(values), _lagrange(values), _cubic(values, rates),
             _quintic(values, rates, seconds)]
    chain = [p for p in chain if p is not None and (p.rows <= len(time))]
    bound = np.abs(values[intervals + 1] - values[intervals])
    better = chain[0](time, asked[between], left[between])
    for poorer, richer in zip(chain, chain[1:]):
        change = _largest_change(poorer, richer, time, intervals)
        taken = (change <= bound) | (poorer is chain[0])
        found = richer(time, asked[between], left[between])
        better = np.where(taken[own], found, better)
        bound = np.where(taken, change, bound)
    result[between], error[between] = better, bound[own]
    return result, error


def _largest_change(poorer, richer, time, intervals):
    """[intervals, k]: what two polynomials differ by within the intervals, at most about."""
    change = 0.0
    for share in _SAMPLES:
        at = time[intervals] + share * (time[intervals + 1] - time[intervals])
        change = np.maximum(change, np.abs(richer(time, at, intervals)
                                           - poorer(time, at, intervals)))
    return change


def _share(time, asked, i):
    h = time[i + 1] - time[i]
    return ((asked - time[i]) / h)[:, None], h[:, None]


class _Polynomial:
    """Values at times in the intervals that begin at rows i; needs a least number of rows."""

    def __init__(self, function, rows=2):
        self.function, self.rows = function, rows

    def __call__(self, time, asked, i):
        return self.function(time, asked, i)


def _linear(y):
    def value(time, asked, i):
        u, _ = _share(time, asked, i)
        return (1 - u) * y[i] + u * y[i + 1]
    return _Polynomial(value)


def _lagrange(y):
    """Through the four rows about the interval."""
    def value(time, asked, i):
        nodes = np.clip(i - 1, 0, len(time) - 4)[:, None] + np.arange(4)
        t = time[nodes]
        total = 0.0
        for k in range(4):
            others = [m for m in range(4) if m != k]
            weight = np.prod((asked[:, None] - t[:, others]) / (t[:, [k]] - t[:, others]), axis=1)
            total = total + weight[:, None] * y[nodes[:, k]]
        return total
    return _Polynomial(value, rows=4)


def _cubic(y, v):
    if v is None:
        return None

    def value(time, asked, i):
        u, h = _share(time, asked, i)
        return ((1 + 2 * u) * (1 - u) ** 2 * y[i] + u * (1 - u) ** 2 * h * v[i]
                + u ** 2 * (3 - 2 * u) * y[i + 1] + u ** 2 * (u - 1) * h * v[i + 1])
    return _Polynomial(value)


def _quintic(y, v, a):
    if v is None or a is None:
        return None

    def value(time, asked, i):
        u, h = _share(time, asked, i)
        w = 1 - u
        return (y[i] + u ** 3 * (10 - 15 * u + 6 * u ** 2) * (y[i + 1] - y[i])
                + h * (v[i] * u * w ** 3 * (1 + 3 * u) - v[i + 1] * w * u ** 3 * (1 + 3 * w))
                + h ** 2 / 2 * (a[i] * u ** 2 * w ** 3 + a[i + 1] * w ** 2 * u ** 3))
    return _Polynomial(value)
