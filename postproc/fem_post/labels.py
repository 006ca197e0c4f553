"""Places for names in a picture where they hide least. Lengths are points (1/72 inch)."""

import numpy as np

LABEL_SIZE = 9.0  # of the font
_LETTER = 0.62 * LABEL_SIZE  # mean width of a letter
_DIRECTIONS = [np.array([np.cos(a), np.sin(a)]) for a in np.radians(np.arange(0, 360, 30))]


class LabelPlacer:
    """Places names one after the other on a picture of a size [2] with obstacles [n, 2]."""

    def __init__(self, size, obstacles):
        self._size = np.asarray(size, float)
        self._obstacles = obstacles[np.isfinite(obstacles).all(axis=1)]
        self._taken = []  # (centre, half size, turn) of the names that are placed

    def beside_point(self, name, point):
        """The centre of a name around a point, [2]."""
        half = _half_size(name)
        candidates = []
        for direction in _DIRECTIONS:
            # Far enough that the box of the name clears the point's mark, but no farther: rather
            # a name across a line than one beside another point.
            reach = 5.0 + np.abs(direction) @ half
            candidates.append((point + reach * direction, 0.0))
        return self._take(candidates, half)[0]

    def along_line(self, name, line):
        """(centre [2], turn in degrees) of a name along a line [n, 2], on either side of it.

        (None, 0) where the line is too short for the name, or not finite.
        """
        half = _half_size(name)
        steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
        length = np.concatenate([[0], np.cumsum(steps)])
        if not np.isfinite(length[-1]) or length[-1] < 2 * half[0] + 12:
            return None, 0.0
        candidates = []
        for fraction in (0.5, 0.4, 0.6, 0.3, 0.7):
            at = fraction * length[-1]
            near = [np.array([np.interp(at + d, length, line[:, c]) for c in (0, 1)])
                    for d in (-half[0], 0.0, half[0])]
            along = near[2] - near[0]
            along = along / (np.linalg.norm(along) or 1.0)
            turn = (np.degrees(np.arctan2(along[1], along[0])) + 90) % 180 - 90
            normal = np.array([-along[1], along[0]])
            candidates += [(near[1] + side * (half[1] + 3.0) * normal, turn) for side in (1, -1)]
        return self._take(candidates, half)

    def _take(self, candidates, half):
        """The candidate that hides least; among equals the first."""
        centre, turn = min(candidates, key=lambda candidate: self._harm(*candidate, half))
        self._taken.append((centre, half, turn))
        return centre, turn

    def _harm(self, centre, turn, half):
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        axes = np.array([[c, s], [-s, c]])
        inside = (np.abs((self._obstacles - centre) @ axes.T) < half + 1.5).all(axis=1)
        harm = float(inside.sum())
        # Names on names cannot be read; upright boxes around them are near enough.
        for other, other_half, other_turn in self._taken:
            gap = np.abs(centre - other) - _upright(half, turn) - _upright(other_half, other_turn)
            harm += 1000.0 * (gap < 2.0).all()
        edge = np.minimum(centre, self._size - centre) - _upright(half, turn)
        return harm + 100.0 * np.maximum(2.0 - edge, 0).sum()


def _half_size(name):
    """Half the width and height of a name, [2]."""
    return np.array([max(len(name), 1) * _LETTER / 2, 0.62 * LABEL_SIZE])


def _upright(half, turn):
    """Half the size of the upright box around a turned one, [2]."""
    c, s = abs(np.cos(np.radians(turn))), abs(np.sin(np.radians(turn)))
    return np.array([c * half[0] + s * half[1], s * half[0] + c * half[1]])
