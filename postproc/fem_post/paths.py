"""Figure of statics: the load factor over displacements, along the path of equilibria."""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from fem_post import style
from fem_post.case_text import part
from fem_post.histories import coordinate_label

MOST_PANELS = 6
_AXES = ("X", "Y")
# Events of a path: marker, size, colour.
_MARKS = {"limit point": ("o", 7.0, style.VERMILION), "turning point": ("D", 5.0, style.GREEN),
          "bifurcation": ("s", 6.5, style.PURPLE)}
_STILL = 1e-9  # of the largest displacement: what moves less does not move


def chosen_displacements(results, displacement):
    """[(point, axis)]: what the panels show, loaded points first, then those that move most.

    displacement [rows, points, 2] of all points.
    """
    largest = np.fmax.reduce(np.abs(displacement), axis=0)  # [points, 2]
    largest = np.where(np.isfinite(largest), largest, 0.0)
    scale = largest.max(initial=0.0)
    index = {name: i for i, name in enumerate(results.points)}
    loaded = [index[at] for load in part(results.case, "loads", default={}).values()
              if (at := part(load, "at")) in index]
    by_motion = sorted(results.named_points, key=lambda i: -largest[i].max())
    order = list(dict.fromkeys([*loaded, *by_motion]))
    moving = [(point, axis) for point in order for axis in range(2)
              if largest[point, axis] > _STILL * scale]
    return moving[:MOST_PANELS]


def unstable_rows(results):
    """[rows] of bool: equilibria that are known to be unstable."""
    if not results.has("solver/unstable_directions"):
        return np.zeros(results.rows, bool)
    return results.array("solver/unstable_directions") > 0


def marked_rows(results):
    """kind of event → numbers of its rows: the rows nearest in load factor to the events."""
    load = results.time
    found = {}
    for event in results.events:
        if event.name in _MARKS:
            row = int(np.argmin(np.abs(load - event.time)))
            found.setdefault(event.name, []).append(row)
    return found


def path_figure(results, title=""):
    """Load factor over displacement in a panel a coordinate; None for less than three rows or
    where nothing moves. Parts of the path that are unstable are dashed; its events are marked.
    """
    if results.rows < 3:
        return None
    position = results.array("points/position")[..., :2]
    displacement = position - position[0]
    panels = chosen_displacements(results, displacement)
    if not panels:
        return None
    load, unstable, marks = results.time, unstable_rows(results), marked_rows(results)
    unit = results.unit("points/position", "m")
    columns = min(len(panels), 3 if len(panels) in (3, 5, 6) else 2)
    lines = -(-len(panels) // columns)
    top = style.TITLE * bool(title) + 0.42
    width, height = 3.55 * columns + 0.25, 3.0 * lines + top + 0.12
    with style.styled():
        figure = style.new_figure(width, height)
        grid = figure.subplots(lines, columns, sharey=True, squeeze=False)
        figure.subplots_adjust(left=0.75 / width, right=1 - 0.2 / width, bottom=0.55 / height,
                               top=1 - top / height, hspace=0.28, wspace=0.1)
        for axes in grid.flat[len(panels):]:
            axes.set_axis_off()
        for number, (point, axis) in enumerate(panels):
            axes = grid.flat[number]
            _draw_path(axes, displacement[:, point, axis], load, unstable, marks,
                       annotated=number == 0)
            label = coordinate_label(_AXES[axis], results.points[point])
            axes.set_xlabel(style.unit_label(f"change of {label}", unit))
            if number % columns == 0:
                axes.set_ylabel("load factor")
        note = f"Path of equilibria, {results.rows} points"
        note += "; dashed where unstable." if unstable.any() else "."
        style.draw_note(figure, title, note)
        handles = [Line2D([], [], linestyle="none", marker=marker, markersize=size,
                          markerfacecolor="none", markeredgecolor=color, markeredgewidth=1.3,
                          label=kind) for kind, (marker, size, color) in _MARKS.items()
                   if kind in marks]
        if handles:
            figure.legend(handles=handles, loc="upper right", ncol=len(handles),
                          bbox_to_anchor=(1 - 0.2 / width, 1 - (top - 0.3) / height),
                          borderaxespad=0, borderpad=0, handletextpad=0.2, columnspacing=1.5)
    return figure


def _draw_path(axes, x, load, unstable, marks, annotated):
    finite = np.isfinite(x) & np.isfinite(load)
    axes.plot(x[finite], load[finite], color=style.BLUE, linewidth=0.6, alpha=0.5, zorder=2)
    for state, dashes in ((False, "-"), (True, (0, (3, 1.5)))):
        # A piece of the path has the kind of its unstable end.
        piece = unstable[1:] | unstable[:-1] if state else ~(unstable[1:] | unstable[:-1])
        for begin, end in _runs(piece):
            axes.plot(x[begin:end + 1], load[begin:end + 1], color=style.BLUE, linewidth=1.6,
                      linestyle=dashes, zorder=3)
    few = len(x) <= 150
    axes.plot(x[finite], load[finite], linestyle="none", marker="o", color=style.BLUE,
              markersize=2.6 if few else 1.4, zorder=3.2)
    for kind, rows in marks.items():
        marker, size, color = _MARKS[kind]
        axes.plot(x[rows], load[rows], linestyle="none", marker=marker, markersize=size,
                  markerfacecolor="none", markeredgecolor=color, markeredgewidth=1.3, zorder=4)
        for row in rows if annotated else []:
            high = load[row] >= 0
            axes.annotate(f"{load[row]:.5g}".replace("-", "\u2212"), (x[row], load[row]),
                          xytext=(0, 8 if high else -8), textcoords="offset points", ha="center",
                          va="bottom" if high else "top", color=color, fontsize=8.5)
    axes.axhline(0, color="#666666", linewidth=0.7, zorder=1.6)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.margins(x=0.06, y=0.14)


def _runs(flags):
    """[(begin, end)] of the runs of true flags, `end` behind the last."""
    padded = np.concatenate([[False], flags, [False]]).astype(int)
    change = np.flatnonzero(np.diff(padded))
    return list(zip(change[::2], change[1::2]))
