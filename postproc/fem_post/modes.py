"""Figure of mode shapes: each in a panel, drawn both ways about the state that it is about."""

import numpy as np
from matplotlib.collections import LineCollection

from fem_post import style
from fem_post.drawing import DASHES, REFERENCE
from fem_post.packing import Box
from fem_post.results import part_path
from fem_post.sections import axis_position, element_form
from fem_post.structure import Structure
from fem_post.symbols import draw_support, hull

MOST_MODES = 12
_PIECES = 12           # straight pieces an element
_SMALL = 1e-6          # share of the size by which shapes are differenced
_PANEL = 4.6           # width of a panel, inches
_GAP, _ABOVE = 0.25, 0.62  # between panels; above each for its title


def _rod_points(rod, position, angle):
    """[elements · pieces + 1, 2]: a rod's axis at positions [points, 2], angles [elements, 2]."""
    start, end = position[rod.nodes[:-1]], position[rod.nodes[1:]]
    length = rod.length / rod.elements if rod.length else \
        np.hypot(*(end - start).T)
    form = element_form(start, end, angle[:, 0], angle[:, 1], length, rod.alpha)
    points = np.stack([axis_position(form, xi) for xi in np.arange(_PIECES) / _PIECES], axis=1)
    return np.concatenate([points.reshape(-1, 2), position[rod.nodes[-1:]]])


class _Shapes:
    """The state, and how it moves in each mode, as points to draw."""

    def __init__(self, results):
        self.results = results
        self.structure = Structure(results, [0])
        self.position = results.array("points/position", [0])[0, :, :2]
        self.angle = {name: results.array(part_path("rods", name, "angle"), [0])[0]
                      for name in results.rods}
        extent = np.ptp(self.position[np.isfinite(self.position).all(axis=1)], axis=0)
        self.size = float(np.hypot(*extent)) or 1.0
        self.rods = {name: _rod_points(rod, self.position, self.angle[name])
                     for name, rod in results.rods.items()}

    def motion(self, mode, amplitude):
        """(points [points, 2], rod → [.., 2]): displacements, the largest `amplitude` · size."""
        shape = self.results.shape(mode)[:, :2]
        turns = {name: self.results.shape(mode, "rods", name, "angle")
                 for name in self.results.rods}
        largest = np.abs(shape).max(initial=0.0)
        turned = max((np.abs(t).max(initial=0.0) for t in turns.values()), default=0.0)
        # Positions of the axis follow from those of the nodes by a small step either way.
        step = _SMALL * self.size / max(largest, self.size * turned, np.finfo(float).tiny)
        rods = {}
        for name, rod in self.results.rods.items():
            ahead, behind = (_rod_points(rod, self.position + sign * step * shape,
                                         self.angle[name] + sign * step * turns[name])
                             for sign in (1, -1))
            rods[name] = (ahead - behind) / (2 * step)
        moved = max([largest, *(np.hypot(*r.T).max() for r in rods.values())])
        scale = amplitude * self.size / moved if moved > 0 else 0.0
        return scale * shape, {name: scale * r for name, r in rods.items()}


def modes_figure(results, title="", chosen=None, amplitude=0.1):
    """The modes `chosen` (numbers from 0; by default the first 12), or None without modes.

    The state is dashed, the shape full, its opposite pale. `amplitude`: largest displacement drawn
    over the structure's size. Displacements are linear in the shape, as small vibrations are.
    """
    modes = results.modes
    if not modes:
        return None
    chosen = list(range(min(len(modes), MOST_MODES))) if chosen is None else chosen
    shapes = _Shapes(results)
    motions = [shapes.motion(k, amplitude) for k in chosen]
    low, high = _window(shapes, motions)
    across, up = high - low
    columns = 1 if len(chosen) == 1 else 2 if up < 0.8 * across or len(chosen) < 3 else 3
    panel = _PANEL if columns < 3 else 0.75 * _PANEL
    tall = panel * up / across
    rows = -(-len(chosen) // columns)
    top = 0.62 if title else 0.3
    width = columns * panel + (columns + 1) * _GAP
    height = rows * (tall + _ABOVE) + top + 0.15
    with style.styled():
        figure = style.new_figure(width, height)
        style.draw_note(figure, title, "Mode shapes: state dashed, shape full, its opposite pale.")
        for order, (number, motion) in enumerate(zip(chosen, motions)):
            row, column = divmod(order, columns)
            box = Box(_GAP + column * (panel + _GAP),
                      height - top - (row + 1) * (tall + _ABOVE) + 0.05, panel, tall)
            axes = figure.add_axes([box.left / width, box.bottom / height,
                                    box.width / width, box.height / height])
            axes.set_xlim(low[0], high[0])
            axes.set_ylim(low[1], high[1])
            axes.set_axis_off()
            _draw_mode(axes, shapes, motion)
            _name_mode(figure, box, width, height, number, modes[number])
    return figure


def _window(shapes, motions):
    """(low, high) [2]: what all panels show, m."""
    places = [shapes.position]
    for points, rods in motions:
        for sign in (1, -1):
            places.append(shapes.position + sign * points)
            places += [shapes.rods[name] + sign * rods[name] for name in rods]
    places = np.concatenate(places)
    places = places[np.isfinite(places).all(axis=1)]
    low, high = places.min(axis=0), places.max(axis=0)
    border = 0.06 * max(high - low)  # room for the signs of supports
    return low - border, high + border


def _draw_mode(axes, shapes, motion):
    points, rods = motion
    for sign, color, thick, dashes, level in ((0, REFERENCE, 1.1, DASHES, 2),
                                              (-1, style.SKY, 1.2, "-", 3),
                                              (1, style.BLUE, 2.0, "-", 4)):
        alpha = 0.55 if sign < 0 else 1.0
        axes.add_collection(LineCollection(
            [shapes.rods[name] + sign * rods[name] for name in rods], colors=[color],
            linewidth=thick, linestyle=dashes, capstyle="round", joinstyle="round", zorder=level,
            alpha=alpha), autolim=False)
        place = shapes.position + sign * points
        for body in shapes.structure.bodies:
            corners = hull(place[list(body.points)])
            if len(corners) > 1:
                axes.fill(*corners.T, facecolor=color, edgecolor=color, linewidth=thick,
                          linestyle=dashes, alpha=0.3 * alpha if sign else 0.15, zorder=level - 0.5)
        if sign:
            for which, face, size in ((shapes.structure.particles, color, 5.5),
                                      (sorted(shapes.structure.hinges), "white", 4.6)):
                axes.plot(*place[which].T, linestyle="none", marker="o", markersize=size,
                          markerfacecolor=face, markeredgecolor=color, markeredgewidth=1.2,
                          alpha=alpha, zorder=level + 0.5)
    for point, angle_too in shapes.structure.supports.items():
        draw_support(axes, shapes.position[point], angle_too, size=13)


def _name_mode(figure, box, width, height, number, mode):
    """Number, frequency and what moves, above a panel."""
    if mode.kind == "unstable":
        words = f"unstable, grows with {mode.growth_rate:.5g} /s"
    elif mode.kind == "free" or mode.angular_frequency == 0:
        words = "free motion"
    else:
        words = f"{mode.frequency:.5g} Hz   ({mode.angular_frequency:.5g} rad/s)"
    place = box.bottom + box.height
    figure.text(box.left / width, (place + 0.24) / height, f"{number + 1}", fontsize=10.5,
                fontweight="bold", ha="left", va="bottom")
    figure.text((box.left + 0.28) / width, (place + 0.24) / height, words, fontsize=10.5,
                ha="left", va="bottom", parse_math=False)
    letters = int(box.width / 0.075)
    note = mode.description
    note = note if len(note) <= letters else note[:letters - 1] + "…"
    figure.text((box.left + 0.28) / width, (place + 0.22) / height, note, fontsize=8.5,
                color="#555555", ha="left", va="top", parse_math=False)
