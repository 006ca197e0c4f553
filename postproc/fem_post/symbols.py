"""Signs of mechanics: supports, hinges, centres of mass, springs. Shapes only, no state."""

import numpy as np
from matplotlib.markers import MarkerStyle
from matplotlib.path import Path

from fem_post import style

# A support at (0, 0): a triangle below the point on a hatched line, in units of its size.
_GROUND = Path(
    [(0, 0), (-0.5, -0.8), (0.5, -0.8), (0, 0),
     (-0.8, -0.8), (0.8, -0.8),
     *[xy for x in (-0.5, -0.1, 0.3, 0.7) for xy in ((x, -0.8), (x - 0.3, -1.1))]],
    [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.MOVETO, Path.LINETO,
     *[Path.MOVETO, Path.LINETO] * 4])
# A support that also holds or drives the angle: a bar through the point, hatched below.
_CLAMP = Path(
    [(-0.8, -0.12), (0.8, -0.12), (0.8, 0.12), (-0.8, 0.12), (-0.8, -0.12),
     *[xy for x in (-0.5, -0.1, 0.3, 0.7) for xy in ((x, -0.12), (x - 0.3, -0.5))]],
    [Path.MOVETO, *[Path.LINETO] * 4, *[Path.MOVETO, Path.LINETO] * 4])
# Two quarters of a disc: with a circle around them the sign of a centre of mass.
QUARTERS = MarkerStyle(Path.make_compound_path(Path.wedge(0, 90), Path.wedge(180, 270)))

COILS = 6      # of a spring
_STRAIGHT = 0.18  # share of a spring's length without coils, at either end


def draw_support(axes, position, angle_too, size=18, zorder=2.5):
    """A support; with `angle_too` one that also holds or drives the angle."""
    axes.plot(*position, linestyle="none", marker=support_marker(angle_too), markersize=size,
              markerfacecolor="white", markeredgecolor=style.INK, markeredgewidth=1.0,
              clip_on=False, zorder=zorder)


def support_marker(angle_too):
    return MarkerStyle(_CLAMP if angle_too else _GROUND)


def draw_center(axes, position, size=8.5, color=style.INK, zorder=5.5):
    """A centre of mass: a circle, two quarters of it filled."""
    axes.plot(*position, linestyle="none", marker="o", markersize=size, markerfacecolor="white",
              markeredgecolor=color, markeredgewidth=0.9, zorder=zorder)
    axes.plot(*position, linestyle="none", marker=QUARTERS, markersize=0.93 * size,
              markerfacecolor=color, markeredgewidth=0, zorder=zorder + 1e-3)


def spring_line(start, end, width, coils=COILS):
    """[2 coils + 4, 2]: a zigzag between two points, `width` from crest to crest.

    start, end [2] and width in one unit. Points that meet give a line without length.
    """
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = end - start
    length = np.hypot(*along)
    across = np.array([-along[1], along[0]]) / length if length > 0 else np.zeros(2)
    crests = 2 * coils
    places = np.concatenate([[0, _STRAIGHT], _STRAIGHT + (1 - 2 * _STRAIGHT)
                             * (np.arange(crests) + 0.5) / crests, [1 - _STRAIGHT, 1]])
    sides = np.concatenate([[0, 0], 0.5 * (-1.0) ** np.arange(crests), [0, 0]])
    return start + places[:, None] * along + width * sides[:, None] * across


ZIGZAG = MarkerStyle(Path(spring_line([-0.5, 0], [0.5, 0], 0.35, coils=3)))  # in a legend


def hull(points):
    """[corners, 2]: the convex hull of points [n, 2], counter-clockwise (monotone chain).

    Two corners or one if the points lie on a line or meet.
    """
    points = sorted(set(map(tuple, np.asarray(points, float))))
    if len(points) < 3:
        return np.array(points)

    def chain(ordered):
        kept = []
        for p in ordered:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept[:-1]
    return np.array(chain(points) + chain(points[::-1]))


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
