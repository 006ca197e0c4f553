"""Figure: the structure at a sequence of times, in panels of equal duration."""

from dataclasses import dataclass, field

import matplotlib
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from fem_post import style
from fem_post.drawing import (DASHES, REFERENCE, SPRING, add_legend, draw_lines, draw_points,
                              draw_signs, legend_columns, legend_entries)
from fem_post.labels import LABEL_SIZE, LabelPlacer
from fem_post.packing import Margins, pack
from fem_post.structure import Structure

PANELS = 4
EQUILIBRIA = 12  # of statics
_MARGINS = Margins(left=0.58, right=0.14, bottom=0.44, top=0.66)
_PAGE = 84.0        # area of the panels together, in²
_HEADER, _FOOTER, _LEGEND_ROW = 0.34, 0.74, 0.22  # inches
_ALIKE = 0.75      # of a common window that panels must fill on average to have one
_MOST_NAMED_RODS = 8
_MOST_SWATCHES = 60  # in a key of times; more are drawn as a continuous strip

# Viridis without its palest end, which is lost on white paper.
_COLORS = ListedColormap(matplotlib.colormaps["viridis"](np.linspace(0.0, 0.90, 256)))


def nice_interval(duration, count=40):
    """1, 2 or 5 times a power of ten, s, so that about `count` intervals fill the duration."""
    if duration <= 0:
        return 1.0
    exact = duration / count
    power = 10.0 ** np.floor(np.log10(exact))
    return float(power * min((1, 2, 5, 10), key=lambda digit: abs(np.log(exact / power / digit))))


def rows_at(time, targets):
    """[targets]: numbers of the rows nearest to the target times; `time` does not decrease."""
    right = np.clip(np.searchsorted(time, targets), 1, max(len(time) - 1, 1))
    left = right - 1
    right = np.minimum(right, len(time) - 1)
    return np.where(np.abs(time[right] - targets) < np.abs(targets - time[left]), right, left)


@dataclass
class Panel:
    """The configurations of one interval of time."""

    begin: float     # s; the configuration at `begin` belongs to the panel before
    end: float       # s
    first_row: int   # nearest to `begin`, drawn as a reference
    rows: np.ndarray = field(default_factory=lambda: np.empty(0, int))  # what is drawn


def split(time, every, panels=PANELS):
    """Panels of equal duration over the time of the rows, with a row every `every` seconds.

    A single instant (one row, or rows at one time) makes one panel.
    """
    begin, end = float(time[0]), float(time[-1])
    if not end > begin:
        return [Panel(begin, end, 0, np.array([len(time) - 1]))]
    slack = 1e-9 * (end - begin)
    edges = np.linspace(begin, end, panels + 1)
    targets = begin + every * np.arange(1, int((end - begin + slack) / every) + 1)
    if len(targets) == 0:
        targets = np.array([end])
    rows, kept = np.unique(rows_at(time, targets), return_index=True)
    home = np.clip(np.searchsorted(edges + slack, targets[kept]) - 1, 0, panels - 1)
    first = rows_at(time, edges[:-1])
    return [Panel(float(edges[i]), float(edges[i + 1]), int(first[i]), rows[home == i])
            for i in range(panels)]


def _windows(bounds):
    """A window for each panel's bounds; the same one for all where that wastes little room."""
    windows = [_window(b) for b in bounds]
    known = [b for b in bounds if b]
    if not known:
        return windows
    low, high = np.min(known, axis=0)[:2], np.max(known, axis=0)[2:]
    common = _window((*low, *high))
    used = sum(np.prod(extent) for _, extent in windows) / (len(windows) * np.prod(common[1]))
    return [common] * len(windows) if used > _ALIKE else windows


def _window(bounds):
    """(centre, (width, height)) of what a panel shows: the bounds and a border."""
    xmin, ymin, xmax, ymax = bounds if bounds else (0.0, 0.0, 1.0, 1.0)
    across, up = xmax - xmin, ymax - ymin
    border = 0.055 * max(across, up) or 0.5
    return ((xmin + xmax) / 2, (ymin + ymax) / 2), (across + 2 * border, up + 2 * border)


def path_steps(position):
    """[rows]: length of the path up to each row, the mean over the points of what they move, m.

    position [rows, points, …]; points that are not finite do not count.
    """
    moved = np.linalg.norm(np.diff(position, axis=0), axis=-1)
    moved = np.where(np.isfinite(moved), moved, 0.0).mean(axis=-1)
    return np.concatenate([[0.0], np.cumsum(moved)])


def _split_path(results, usable):
    """One panel of equilibria at equal steps along the path of `fem statics`."""
    steps = path_steps(results.array("points/position", usable))
    last = len(usable) - 1
    rows = [last]
    if steps[-1] > 0:
        targets = np.linspace(0, steps[-1], EQUILIBRIA + 1)[1:]
        rows = sorted(set(map(int, rows_at(steps, targets))) - {0} | {last})
    time = results.time[usable]
    return [Panel(float(time[0]), float(time[-1]), 0, np.array(rows))]


def configurations_figure(results, title="", every=None):
    """The configurations every `every` seconds, by default a fortieth of the run, rounded.

    Of statics: equilibria at equal steps along the path. Rods are drawn as slender ones: cubic
    Hermite curves through the nodes with the section angles as tangents (see shapes). None if no
    row has a finite time.
    """
    usable = np.flatnonzero(np.isfinite(results.time))
    if not len(usable):
        return None
    time = results.time[usable]
    if every is None:
        every = nice_interval(float(time[-1] - time[0]))
    panels = _split_path(results, usable) if results.analysis == "statics" else split(time, every)
    for panel in panels:
        panel.first_row, panel.rows = int(usable[panel.first_row]), usable[panel.rows]
    rows = np.unique(np.concatenate([[p.first_row] for p in panels] + [p.rows for p in panels]))
    structure = Structure(results, rows)
    unit = results.unit("points/position", "m")

    windows = _windows([structure.bounds(np.isin(rows, [p.first_row, *p.rows])) for p in panels])
    packing, shown = pack([extent for _, extent in windows], _MARGINS,
                          _PAGE if len(panels) > 1 else _PAGE / 2)
    width = packing.width
    legend = _legend(results, structure, panels)
    columns = legend_columns(legend, width - _MARGINS.left)
    footer = _FOOTER + _LEGEND_ROW * (max(0, -(-len(legend) // columns) - 1) if legend else 0)
    height = packing.height + footer + (_HEADER if title else 0.0)

    with style.styled():
        figure = style.new_figure(width, height)
        if title:
            style.draw_title(figure, title, _MARGINS.left)
        for number, (panel, box, (centre, _), extent) in enumerate(
                zip(panels, packing.boxes, windows, shown)):
            place = [box.left / width, (box.bottom + footer) / height,
                     box.width / width, box.height / height]
            axes = figure.add_axes(place)
            axes.set_xlim(centre[0] - extent[0] / 2, centre[0] + extent[0] / 2)
            axes.set_ylim(centre[1] - extent[1] / 2, centre[1] + extent[1] / 2)
            axes.set_aspect("equal")
            axes.set_xlabel(style.unit_label("X", unit), labelpad=2)
            axes.set_ylabel(style.unit_label("Y", unit), labelpad=2)
            _ticks(axes, box)
            key = figure.add_axes([place[0], place[1] + place[3] + 0.08 / height,
                                   place[2], 0.075 / height])
            _draw_panel(axes, key, box, results, structure, panel)
            figure.text(place[0], place[1] + place[3] + 0.38 / height,
                        _panel_title(results, number, panel, len(panels)), ha="left", va="bottom",
                        fontsize=10.5)
        add_legend(figure, legend, (_MARGINS.left / width, 0.45 / height), columns)
        _draw_notes(figure, results, structure, panels, every)
    return figure


def _panel_title(results, number, panel, count):
    if results.analysis == "statics":
        return f"load factor {panel.end:.6g}" if len(panel.rows) < 2 else "Load factors:"
    if count == 1:
        return f"t = {panel.end:.6g} s"
    return f"({chr(ord('a') + number)})  {panel.begin:.6g} < t ≤ {panel.end:.6g} s"


def _ticks(axes, box):
    """Ticks about every 0.7 inches, the same step along both axes."""
    span = abs(axes.get_xlim()[1] - axes.get_xlim()[0])
    step = nice_interval(span, max(2.0, box.width / 0.75))
    axes.xaxis.set_major_locator(matplotlib.ticker.MultipleLocator(step))
    axes.yaxis.set_major_locator(matplotlib.ticker.MultipleLocator(step))
    axes.tick_params(length=2.5, pad=2)


def _colors(times):
    """A colour a configuration, evenly spread in the order of time: [times, 4]."""
    return _COLORS(np.linspace(0, 1, len(times)) if len(times) > 1 else [0.0])


def _draw_panel(axes, key, box, results, structure, panel):
    """The configurations of a panel, their names and the key of their colours."""
    drawn = np.searchsorted(structure.rows, panel.rows)
    colors = _colors(panel.rows)
    reference = int(np.searchsorted(structure.rows, panel.first_row))
    if len(panel.rows) and panel.first_row != panel.rows[-1]:
        draw_lines(axes, structure, reference, REFERENCE, 1.1, 2, DASHES)
    thick = 1.7 if len(drawn) <= 15 else 1.1
    # One configuration above the other in the order of time, its rods below its points.
    for order, (row, color) in enumerate(zip(drawn, colors)):
        level = 3 + order / max(len(drawn), 1)
        draw_lines(axes, structure, row, color, thick, level, last=order == len(drawn) - 1)
        draw_points(axes, structure, row, color, level + 1e-3, structure.locked[row])
    last = int(drawn[-1]) if len(drawn) else reference
    scale = 72 * box.width / abs(axes.get_xlim()[1] - axes.get_xlim()[0])
    draw_signs(axes, structure, last, scale, colors[-1] if len(colors) else REFERENCE)
    _name_things(axes, box, structure, panel, last)
    _draw_key(key, results, panel, colors)


def _name_things(axes, box, structure, panel, row):
    """Names of points and rods at the configuration `row`, where they hide least."""
    if len(structure.curves) > _MOST_NAMED_RODS:
        return
    corner = np.array([axes.get_xlim()[0], axes.get_ylim()[0]])
    scale = 72 * box.width / abs(axes.get_xlim()[1] - axes.get_xlim()[0])  # points a metre

    def on_page(places):
        return (np.asarray(places, float) - corner) * scale

    # What names should not hide: the lines, above all the points, and the supports.
    drawn = np.searchsorted(structure.rows, np.unique([panel.first_row, *panel.rows]))
    marks = on_page(structure.position[drawn][:, structure.named]).reshape(-1, 1, 2)
    around = np.radians(np.arange(0, 360, 30))
    obstacles = [(marks + 3 * np.stack([np.cos(around), np.sin(around)], axis=-1)).reshape(-1, 2)]
    obstacles += [on_page(curve[drawn]).reshape(-1, 2) for curve in structure.curves.values()]
    for point in structure.supports:
        beside = np.stack(np.meshgrid(np.linspace(-9, 9, 7), np.linspace(-9, 0, 4)), axis=-1)
        obstacles.append(on_page(structure.position[row, point]) + beside.reshape(-1, 2))
    for ends in structure.springs:
        share = np.linspace(0, 1, 60)[:, None]
        start, end = structure.position[row, list(ends)]
        line = on_page(start + share * (end - start))
        obstacles += [line, line + SPRING / 4, line - SPRING / 4]
    for body in structure.bodies:
        if body.center is not None:
            ring = np.stack([np.cos(around), np.sin(around)], axis=-1)
            obstacles += [on_page(body.center[row]) + radius * ring for radius in (2, 5)]
    placer = LabelPlacer((72 * box.width, 72 * box.height), np.concatenate(obstacles))

    halo = [withStroke(linewidth=2.2, foreground="white")]
    look = {"fontsize": LABEL_SIZE, "path_effects": halo, "zorder": 6, "ha": "center",
            "va": "center", "rotation_mode": "anchor", "parse_math": False}

    def write(name, centre, **more):
        axes.text(*(corner + centre / scale), name, **look, **more)

    for place, names in _together(structure, row, 9 / scale):
        name = ", ".join(names)
        write(name, placer.beside_point(name, on_page(place)), fontweight="bold")
    for name, curve in structure.curves.items():
        centre, turn = placer.along_line(name, on_page(curve[row]))
        if centre is not None:
            write(name, centre, rotation=turn, style="italic", color="#555555")


def _together(structure, row, distance):
    """[(place, names)] of the named points; those nearer than `distance` share a place."""
    groups = []
    for i in structure.labelled:
        place = structure.position[row, i]
        if not np.isfinite(place).all():
            continue
        for group in groups:
            if np.linalg.norm(group[0] - place) < distance:
                group[1].append(structure.names[i])
                break
        else:
            groups.append((place, [structure.names[i]]))
    return groups


def _draw_key(key, results, panel, colors):
    """The strip of colours above a panel: one swatch a configuration."""
    key.set_yticks([])
    key.grid(False)
    key.xaxis.tick_top()
    key.tick_params(length=0, pad=1.5, labelsize=8.5)
    times = results.time[panel.rows]
    if len(times) < 2 and not panel.end > panel.begin:
        key.set_axis_off()
        return
    if results.analysis == "statics":
        edges = np.arange(len(times) + 1) - 0.5
        key.set_xticks(np.arange(len(times)), [f"{t:.3g}" for t in times])
    else:
        edges = _edges(panel, times)
        key.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(5, steps=[1, 2, 5, 10]))
        key.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda t, _: f"{t:g} s"))
    key.pcolormesh(edges, [0, 1], np.arange(len(times))[None, :], cmap=ListedColormap(colors),
                   edgecolors="white" if len(times) <= _MOST_SWATCHES else "none", linewidth=0.8)
    key.set_xlim(edges[0], edges[-1])
    for spine in key.spines.values():
        spine.set_visible(False)


def _edges(panel, times):
    """[times + 1]: borders of the swatches of configurations, s."""
    if len(times) < 2:
        return np.array([panel.begin, panel.end])
    middles = (times[1:] + times[:-1]) / 2
    return np.concatenate([[2 * times[0] - middles[0]], middles, [2 * times[-1] - middles[-1]]])


def _legend(results, structure, panels):
    """[(handle, words)] of the figure."""
    entries = legend_entries(structure, any(structure.locked))
    if structure.curves and any(len(p.rows) and p.first_row != p.rows[-1] for p in panels):
        entries.append((Line2D([], [], color=REFERENCE, linewidth=1.1, linestyle=DASHES),
                        "without load" if results.analysis == "statics"
                        else "where the interval begins"))
    return entries


def _draw_notes(figure, results, structure, panels, every):
    width, height = figure.get_size_inches()
    notes = []
    if results.analysis == "statics" and results.rows > 1:
        notes.append("Equilibria at equal steps along the path, coloured in its order; above: "
                     "their load factors.")
    elif len(panels) > 1:
        notes.append(f"One configuration every {every:g} s, coloured by its time (strips).")
    if structure.curves:
        notes.append("Rods are cubics through the nodes, tangent to the section angles: "
                     "slender rods, no shear is seen.")
    figure.text(_MARGINS.left / width, 0.09 / height, "\n".join(notes), fontsize=8.5,
                color="#555555", ha="left", va="bottom", linespacing=1.4)
