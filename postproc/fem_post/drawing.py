"""Drawing one configuration of a structure: rods and points in its colour, signs of mechanics."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.legend_handler import HandlerTuple
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from fem_post import style
from fem_post.symbols import (QUARTERS, ZIGZAG, draw_center, draw_support, hull, spring_line,
                              support_marker)

REFERENCE = "#9A9A9A"       # colour of where things begin
DASHES = (0, (4, 2))        # its lines
SPRING = 9.0               # width of a spring, points
_BODY = 0.25, 0.05          # opacity of a body: of the last configuration, of the others


def draw_lines(axes, structure, row, color, linewidth, zorder, linestyle="-", last=False):
    """Rods and rigid bodies of one configuration; bodies below all rods and supports."""
    axes.add_collection(
        LineCollection([curve[row] for curve in structure.curves.values()], colors=[color],
                       capstyle="round", joinstyle="round", linewidth=linewidth,
                       linestyle=linestyle, zorder=zorder), autolim=False)
    for body in structure.bodies:
        _draw_body(axes, structure, body, row, to_rgb(color), linewidth, 2.2 + 0.01 * zorder, last)


def _draw_body(axes, structure, body, row, color, linewidth, zorder, last):
    """The hull of the points that are fixed in a body; a bar where they lie on a line."""
    points = structure.position[row, list(body.points)]
    if body.center is not None and len(body.points) == 1:
        points = np.concatenate([points, body.center[row][None]])
    if not np.isfinite(points).all():
        return
    corners = hull(points)
    if len(corners) > 2:
        axes.add_patch(Polygon(corners, closed=True, facecolor=(*color, _BODY[0 if last else 1]),
                               edgecolor=(*color, 0.8), linewidth=0.8 * linewidth,
                               joinstyle="round", zorder=zorder))
    elif len(corners) == 2:
        axes.add_collection(LineCollection([corners], colors=[color], alpha=0.45,
                                           capstyle="round", linewidth=3 * linewidth,
                                           zorder=zorder), autolim=False)


def draw_points(axes, structure, row, color, zorder, locked=()):
    """Ends of rods, free points, particles and hinges of one configuration."""
    open_hinges = sorted(structure.hinges - set(locked))
    for points, size, face in ((structure.ends + structure.loose, 3.6, color),
                               (structure.particles, 6.0, color),
                               (open_hinges, 4.6, "white"),
                               (sorted(set(locked)), 4.6, color)):
        if not points:
            continue
        xy = structure.position[row, points]
        axes.plot(xy[:, 0], xy[:, 1], linestyle="none", marker="o", markersize=size,
                  markerfacecolor=face, markeredgecolor=color, markeredgewidth=1.2, zorder=zorder)


def draw_signs(axes, structure, row, scale, color):
    """Supports, springs and centres of mass at one configuration; `scale`: points a metre."""
    for point, angle_too in structure.supports.items():
        draw_support(axes, structure.position[row, point], angle_too)
    for ends in structure.springs:
        start, end = structure.position[row, list(ends)]
        if np.isfinite([start, end]).all():
            line = spring_line(start, end, SPRING / scale)
            axes.add_collection(LineCollection([line], colors=[style.INK], linewidth=0.9,
                                               capstyle="round", joinstyle="round", zorder=2.4),
                                autolim=False)
    for point in structure.sprung:
        axes.plot(*structure.position[row, point], linestyle="none", marker="o", markersize=9,
                  markerfacecolor="none", markeredgecolor=color, markeredgewidth=0.8, zorder=4.2)
    for body in structure.bodies:
        if body.center is not None and np.isfinite(body.center[row]).all():
            draw_center(axes, body.center[row])


def legend_entries(structure, locked):
    """[(handle, words)]: what the signs mean, for those that are there."""
    def dot(face, size=5.0, edge=1.0):
        return Line2D([], [], linestyle="none", marker="o", markersize=size, markerfacecolor=face,
                      markeredgecolor=style.INK, markeredgewidth=edge)
    entries = []
    if structure.hinges - structure.sprung:
        entries.append((dot("white"), "hinge"))
    if structure.sprung:
        entries.append(((dot("none", 9, 0.8), dot("white")), "hinge with spring"))
    if locked:
        entries.append((dot(style.INK), "locked hinge"))
    if structure.springs:
        entries.append((Line2D([], [], color=style.INK, linestyle="none", marker=ZIGZAG,
                               markersize=16, markerfacecolor="none"), "spring"))
    if any(body.center is not None for body in structure.bodies):
        entries.append(((dot("white", 8.5), Line2D(
            [], [], linestyle="none", marker=QUARTERS, markersize=7.9, markeredgewidth=0,
            markerfacecolor=style.INK)), "centre of mass"))
    if structure.particles:
        entries.append((dot(style.INK, 6), "particle"))
    for angle_too in sorted(set(structure.supports.values())):
        entries.append((Line2D(
            [], [], linestyle="none", marker=support_marker(angle_too), markersize=12,
            markerfacecolor="white", markeredgecolor=style.INK),
            "support, angle held or driven" if angle_too else "support, free to turn"))
    return entries


def legend_columns(entries, width):
    """Columns of a legend so that it fits into `width` inches, about."""
    widest = 0.75 + 0.075 * max((len(words) for _, words in entries), default=0)
    total = sum(0.75 + 0.075 * len(words) for _, words in entries)
    return len(entries) if total <= width else max(1, int(width / widest))


def add_legend(figure, entries, place, columns):
    if entries:
        figure.legend(*zip(*entries), loc="lower left", ncol=columns, bbox_to_anchor=place,
                      borderaxespad=0, borderpad=0, handletextpad=0.6, columnspacing=1.8,
                      handler_map={tuple: HandlerTuple(ndivide=1)})
