"""Figures over time: coordinates of points, hinges and bodies, the energy ledger."""

import re

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from fem_post import style
from fem_post.case_text import part
from fem_post.results import part_path

MOST_POINTS = 8
MOST_LINES = 8  # of hinges, or of bodies, in one panel
_MOST_SAMPLES = 6000  # of a line; longer ones are thinned to their extremes, as a screen would
_AXES = ("X", "Y", "Z")

# The ledger's lines in drawing order: dataset of /energy, label, colour, dashes.
_LEDGER = (
    ("kinetic", "kinetic", style.BLUE, "-"),
    ("strain", "strain", style.VERMILION, "-"),
    ("springs", "springs", style.ORANGE, "-"),
    ("hereditary", "hereditary", style.PURPLE, "-"),
    ("gravity", "gravity", style.SKY, "-"),  # potential
    ("rheonomic_work", "work of prescribed laws", style.GREEN, (0, (5, 1.5))),
    ("external_work", "work of loads", style.BLACK, (0, (5, 1.5))),
    ("dissipated", "dissipated", style.GREY, (0, (1.2, 1.2))),
)


def thinned(time, values, most=_MOST_SAMPLES):
    """(time, values) with at most about `most` samples: of every bin its smallest and largest.

    time, values [n]. Lines look the same, files of vector graphics stay small.
    """
    n = len(time)
    if n <= most:
        return time, values
    bins = np.linspace(0, n, most // 2 + 1).astype(int)
    kept = {0, n - 1}
    for begin, end in zip(bins[:-1], bins[1:]):
        piece = values[begin:end]
        finite = np.isfinite(piece)
        if finite.all():
            kept.update((begin + int(piece.argmin()), begin + int(piece.argmax())))
        else:  # keep the gap
            kept.add(begin + int(np.argmin(finite)))
            if finite.any():
                kept.update((begin + int(np.nanargmin(np.where(finite, piece, np.nan))),
                             begin + int(np.nanargmax(np.where(finite, piece, np.nan)))))
    kept = np.array(sorted(kept))
    return time[kept], values[kept]


def _draw(axes, time, values, **look):
    values = np.where(np.isfinite(values), values, np.nan)  # gaps where there is nothing to draw
    return axes.plot(*thinned(time, values), **look)[0]


def _draw_events(axes, events):
    """Faint vertical lines at the times of events."""
    times = sorted({event.time for event in events if np.isfinite(event.time)})
    lines = [[(t, 0), (t, 1)] for t in times]
    few = len(times) <= 25
    look = {"linewidths": 1.0, "alpha": 0.8, "linestyles": (0, (1, 2))} if few else \
        {"linewidths": 0.5, "alpha": 0.25, "linestyles": "-"}
    axes.add_collection(LineCollection(lines, colors="#8C6D46", zorder=1.5, **look,
                                       transform=axes.get_xaxis_transform()), autolim=False)


def _event_note(events):
    """What the vertical lines are: the events' words up to their first number or punctuation."""
    if not events:
        return ""
    kinds = {event.kind for event in events}
    words = ", ".join(sorted(kind for kind in kinds if kind)) or "events"
    return "Thin vertical lines: " + (words if len(words) <= 70 else words[:69] + "…")


def moving_points(results, most=MOST_POINTS):
    """(indices, left out): the named points that move, at most `most`, in the case's order.

    A point moves if one of its coordinates varies by more than 1e-9 of the largest variation. Of
    too many points those are taken whose coordinates vary most.
    """
    named = results.named_points
    if not named or not results.rows:
        return [], 0
    position = results.array("points/position", slice(None), named)  # [n, named, 3]
    position = np.where(np.isfinite(position), position, np.nan)
    span = np.fmax.reduce(position, axis=0) - np.fmin.reduce(position, axis=0)
    span = np.fmax.reduce(span, axis=-1)  # [named]
    span = np.where(np.isfinite(span), span, 0.0)
    moving = np.flatnonzero(span > 1e-9 * max(span.max(), np.finfo(float).tiny))
    chosen = sorted(sorted(moving, key=lambda i: -span[i])[:most])
    return [named[i] for i in chosen], len(moving) - len(chosen)


def nodes_figure(results, title=""):
    """Coordinates over time of the named points that move; None if none does."""
    chosen, left_out = moving_points(results)
    if not chosen:
        return None
    time = results.time
    position = results.array("points/position", slice(None), chosen)  # [n, chosen, 3]
    finite = np.where(np.isfinite(position), position, 0.0)
    flat = not np.any(finite[..., 2])
    coordinates = _AXES[:2] if flat else _AXES
    largest = max(np.ptp(finite[..., c], axis=0).max() for c in range(len(coordinates)))
    unit = results.unit("points/position", "m")

    rows, columns = len(chosen), len(coordinates)
    each = 1.75 if rows <= 4 else 1.35
    top = style.TITLE * bool(title) + 0.41
    height = rows * each + top + 0.5
    with style.styled():
        figure = style.new_figure(10.5, height)
        grid = figure.subplots(rows, columns, sharex=True, squeeze=False)
        figure.subplots_adjust(bottom=0.5 / height, top=1 - top / height, hspace=0.12)
        for row, point in enumerate(chosen):
            name = results.points[point]
            for column, coordinate in enumerate(coordinates):
                axes = grid[row, column]
                _draw_events(axes, results.events)
                _draw(axes, time, position[:, row, column], linewidth=1.2,
                      color=(style.BLUE, style.VERMILION, style.GREEN)[column])
                axes.set_ylabel(style.unit_label(coordinate_label(coordinate, name), unit))
                axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
                axes.ticklabel_format(axis="y", useOffset=False)
                axes.margins(x=0)
                _at_least(axes, 1e-4 * largest)
                if row == rows - 1:
                    axes.set_xlabel("$t$ (s)")
        figure.align_ylabels(grid)
        style.make_room(figure, grid, right=0.22)
        note = "Coordinates of the named points that move"
        if left_out:
            note = (f"Coordinates of the {rows} named points that move most "
                    f"({left_out} more move)")
        events = _event_note(results.events)
        style.draw_note(figure, title, f"{note}. {events}." if events else f"{note}.")
    return figure


def coordinate_label(coordinate, name):
    """X with the point's name as a subscript, where the name has nothing special to TeX."""
    if re.fullmatch(r"[A-Za-z0-9/.+'_-]+", name):
        escaped = name.replace("_", r"\_")
        return f"${coordinate}_\\mathrm{{{escaped}}}$"
    return f"${coordinate}$ of " + name.replace("$", r"\$")


def _at_least(axes, span):
    """Widen the vertical axis to `span` if it shows less: rounding errors are no motion."""
    low, high = axes.get_ylim()
    if high - low < span:
        middle = (low + high) / 2
        axes.set_ylim(middle - span / 2, middle + span / 2)


_COLORS = (style.BLUE, style.VERMILION, style.GREEN, style.ORANGE, style.PURPLE, style.SKY,
           style.BLACK, style.GREY)


def _varying(results, group, names, quantity, most=MOST_LINES):
    """(names, left out): those whose quantity varies, at most `most`, in the case's order."""
    span = {}
    for name in names:
        path = part_path(group, name, quantity)
        if results.has(path):
            values = results.array(path)
            values = values[np.isfinite(values)]
            span[name] = float(np.ptp(values)) if values.size else 0.0
    largest = max(span.values(), default=0.0)
    moving = [name for name in span if span[name] > 1e-9 * largest and span[name] > 0]
    chosen = set(sorted(moving, key=lambda name: -span[name])[:most])
    return [name for name in moving if name in chosen], len(moving) - len(chosen)


def hinges_figure(results, title=""):
    """Relative angles and moments of hinges, and angles of free bodies; None if none varies.

    Angles are drawn in degrees: they are read, not computed with.
    """
    if results.rows < 2:
        return None
    panels = []  # (group, names, quantity, label, factor, left out)
    hinges, left = _varying(results, "hinges", results.hinges, "angle")
    if hinges:
        panels.append(("hinges", hinges, "angle", "relative angle (°)", np.degrees(1.0), left))
    loaded, left = _varying(results, "hinges", results.hinges, "moment")
    if loaded:
        panels.append(("hinges", loaded, "moment", "moment of hinge (N·m)", 1.0, left))
    on_rods = {name for name in results.bodies
               if part(results.case, "bodies", name, "rod") is not None}
    free, left = _varying(results, "bodies", [b for b in results.bodies if b not in on_rods],
                          "angle")
    if free:
        panels.append(("bodies", free, "angle", "angle of body (°)", np.degrees(1.0), left))
    if not panels:
        return None
    colors = {key: _COLORS[i % len(_COLORS)] for group in ("hinges", "bodies")
              for i, key in enumerate(dict.fromkeys(
                  (g, name) for g, names, *_ in panels for name in names if g == group))}
    with style.styled():
        top = style.TITLE * bool(title) + 0.66
        height = 2.35 * len(panels) + top + 0.5
        figure = style.new_figure(10.5, height)
        grid = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        figure.subplots_adjust(bottom=0.5 / height, top=1 - top / height, hspace=0.19)
        for axes, (group, names, quantity, label, factor, left) in zip(grid, panels):
            _draw_events(axes, results.events)
            for name in names:
                _draw(axes, results.time, factor * results.array(part_path(group, name, quantity)),
                      label=name, color=colors[group, name], linewidth=1.3)
            axes.set_ylabel(label)
            axes.margins(x=0)
            axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 3, 5, 6, 9, 10]
                                                     if factor != 1 else [1, 2, 5, 10]))
            legend = axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncol=len(names),
                                 borderaxespad=0.2, borderpad=0.1, handlelength=1.6,
                                 columnspacing=1.4, title=f"({left} more)" if left else None)
            for text in legend.get_texts():
                text.set_parse_math(False)
        grid[-1].set_xlabel("$t$ (s)")
        figure.align_ylabels(grid)
        style.make_room(figure, grid[:, np.newaxis], right=0.25)
        events = _event_note(results.events)
        style.draw_note(figure, title, "Hinges and bodies" + (f". {events}." if events else "."))
    return figure


def energy_figure(results, title="", limits=()):
    """The energy ledger, and what does not close relative to the largest energy.

    limits: [(value, label)] of horizontal lines in the lower panel, e.g. what a project accepts;
    the tolerance that the run itself checks its ledger by is drawn if the file names one.
    None if the file has no energies.
    """
    names = results.datasets("energy")
    if not names or results.rows < 2:
        return None
    time, unit = results.time, ""
    with style.styled():
        height = 6.95 + style.TITLE * bool(title)
        figure = style.new_figure(10.5, height)
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[2.1, 1])
        figure.subplots_adjust(left=0.85 / 10.5, right=1 - 0.25 / 10.5, bottom=0.5 / height,
                               top=1 - (0.72 + style.TITLE * bool(title)) / height, hspace=0.09)
        zero = []
        for name, label, color, dashes in _LEDGER:
            if name not in names:
                continue
            values = results.array(f"energy/{name}")
            unit = unit or results.unit(f"energy/{name}", "J")
            if not np.any(values):
                zero.append(label)
                continue
            _draw(upper, time, values, label=label, color=color, linestyle=dashes, linewidth=1.5)
        for axes in (upper, lower):
            _draw_events(axes, results.events)
            axes.margins(x=0)
        upper.axhline(0, color="#666666", linewidth=0.7, zorder=1.6)
        upper.set_ylabel(style.unit_label("energy, work", unit or "J"))
        handles, labels = upper.get_legend_handles_labels()
        if handles:
            upper.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1.0), ncol=4,
                         borderaxespad=0.3, borderpad=0.2, handlelength=2.4, columnspacing=1.6)
        if "balance" in names:
            _draw_balance(lower, results, time, limits)
        lower.set_xlabel("$t$ (s)")
        notes = ["Energy ledger", _event_note(results.events),
                 "Zero throughout: " + ", ".join(zero) if zero else ""]
        style.draw_note(figure, title, ". ".join(n for n in notes if n) + ".")
        figure.align_ylabels()
    return figure


def _draw_balance(axes, results, time, limits):
    largest = results.largest_energy
    balance = np.abs(results.array("energy/balance"))
    if not largest:
        axes.text(0.5, 0.5, "no energy so far", transform=axes.transAxes, ha="center")
        axes.set_ylabel("|balance|")
        return
    relative = np.where(np.isfinite(balance) & (balance > 0), balance / largest, np.nan)
    axes.set_yscale("log")
    axes.set_ylabel("|balance| / largest energy")
    tolerance = results.summary.ledger_tolerance
    lines = list(limits)
    if tolerance:
        lines.append((tolerance, "accepted by the run"))
    shown = [value for value, _ in lines]
    if np.isfinite(relative).any():
        _draw(axes, time, relative, color=style.BLACK, linewidth=1.0)
        worst = int(np.nanargmax(relative))
        axes.plot(time[worst], relative[worst], "o", color=style.VERMILION, markersize=5, zorder=4,
                  label=f"worst {relative[worst]:.2g} at {time[worst]:.6g} s")
        shown += [np.nanmin(relative[relative > 1e-4 * relative[worst]]), relative[worst]]
    else:
        axes.plot([], [], " ", label="zero throughout")
    low = 10 ** np.floor(np.log10(min(shown or [1e-16])) - 0.3)
    high = 10 ** np.ceil(np.log10(max(shown or [1.0])) + 0.4)
    axes.set_ylim(low, high)
    for value, label in lines:
        axes.axhline(value, color=style.BLUE, linewidth=1.0, linestyle=(0, (5, 2)), zorder=2)
        axes.annotate(f"{label} {value:.2g}", (1, value), xycoords=("axes fraction", "data"),
                      xytext=(-4, 3), textcoords="offset points", ha="right", fontsize=8.5,
                      color=style.BLUE)
    axes.yaxis.set_major_locator(LogLocator(numticks=6))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.legend(loc="lower right", borderpad=0.3, frameon=True, framealpha=0.85,
                edgecolor="none")
    axes.text(0.004, 0.96, f"largest energy {largest:.4g} {results.unit('energy/balance', 'J')}",
              transform=axes.transAxes, ha="left", va="top", fontsize=8.5, color="#555555",
              bbox={"facecolor": "white", "alpha": 0.85, "edgecolor": "none", "pad": 1.5})
