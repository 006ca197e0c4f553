"""Figure: the structure at a sequence of times, in panels of equal duration."""

from dataclasses import dataclass, field

import matplotlib
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patheffects import withStroke
from matplotlib.path import Path

from fem_post import style
from fem_post.case_text import part
from fem_post.labels import LABEL_SIZE, LabelPlacer
from fem_post.packing import Margins, pack
from fem_post.results import part_path
from fem_post.shapes import pieces_for, rod_curve

PANELS = 4
_MARGINS = Margins(left=0.58, right=0.14, bottom=0.44, top=0.66)
_PAGE = 84.0        # area of the panels together, in²
_HEADER, _FOOTER = 0.34, 0.74  # inches
_ALIKE = 0.75      # of a common window that panels must fill on average to have one
_MOST_NAMED_RODS = 8
_MOST_SWATCHES = 60  # in a key of times; more are drawn as a continuous strip

# Viridis without its palest end, which is lost on white paper.
_COLORS = ListedColormap(matplotlib.colormaps["viridis"](np.linspace(0.0, 0.90, 256)))

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


class _Structure:
    """What is drawn of the structure, as arrays over the rows that are drawn."""

    def __init__(self, results, rows):
        self.rows = rows
        self.names = results.points
        position = results.array("points/position", rows)[..., :2]
        self.position = np.where(np.isfinite(position), position, np.nan)  # [rows, points, 2]
        self.curves = {}  # rod → [rows, …, 2]
        for name, rod in results.rods.items():
            angle = results.array(part_path("rods", name, "angle"), rows)
            angle = np.where(np.isfinite(angle), angle, np.nan)
            self.curves[name] = rod_curve(self.position[:, rod.nodes], angle,
                                          pieces_for(rod.elements))
        index = {name: i for i, name in enumerate(self.names)}
        ends = [end for rod in results.rods.values() for end in (rod.nodes[0], rod.nodes[-1])]
        self.hinges = self._points_of(results, "hinges", results.hinges, index, ends)
        self.supports = {}  # point → whether the angle is held or driven, too
        for name in results.supports:
            if name in index:
                fixed = part(results.case, "supports", name, "fix", default=[])
                driven = part(results.case, "supports", name, "angle") is not None
                self.supports[index[name]] = "angle" in fixed or driven
        on_rods = {int(i) for rod in results.rods.values() for i in rod.nodes}
        self.named = results.named_points
        self.ends = sorted(set(map(int, ends)) - self.hinges - set(self.supports))
        self.loose = [i for i in self.named if i not in on_rods]
        self.links = []  # rigid bodies: pairs of points
        for body in part(results.case, "bodies", default={}).values():
            at, carried = part(body, "at"), part(body, "carries", default=[])
            self.links += [(index[at], index[c]) for c in carried if at in index and c in index]

    @staticmethod
    def _points_of(results, group, names, index, ends):
        """Points of the hinges: where the case says; without a case, where rods meet."""
        found = {index[at] for name in names
                 if (at := part(results.case, group, name, "at")) in index}
        if names and not found:
            found = {int(end) for end in ends if ends.count(end) > 1}
        return found

    def bounds(self, which):
        """(xmin, ymin, xmax, ymax) of the rows `which`, m; None without a finite point."""
        parts = [self.position[which][:, sorted(self.named)].reshape(-1, 2)]
        parts += [curve[which].reshape(-1, 2) for curve in self.curves.values()]
        points = np.concatenate(parts)
        points = points[np.isfinite(points).all(axis=1)]
        return (*points.min(axis=0), *points.max(axis=0)) if len(points) else None


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


def configurations_figure(results, title="", every=None):
    """The configurations every `every` seconds, by default a fortieth of the run, rounded.

    Rods are drawn as slender ones: cubic Hermite curves through the nodes with the section angles
    as tangents (see shapes). None if no row has a finite time.
    """
    usable = np.flatnonzero(np.isfinite(results.time))
    if not len(usable):
        return None
    time = results.time[usable]
    if every is None:
        every = nice_interval(float(time[-1] - time[0]))
    panels = split(time, every)
    for panel in panels:
        panel.first_row, panel.rows = int(usable[panel.first_row]), usable[panel.rows]
    rows = np.unique(np.concatenate([[p.first_row] for p in panels] + [p.rows for p in panels]))
    structure = _Structure(results, rows)
    unit = results.unit("points/position", "m")

    windows = _windows([structure.bounds(np.isin(rows, [p.first_row, *p.rows])) for p in panels])
    packing, shown = pack([extent for _, extent in windows], _MARGINS,
                          _PAGE if len(panels) > 1 else _PAGE / 2)
    width = packing.width
    height = packing.height + _FOOTER + (_HEADER if title else 0.0)

    with style.styled():
        figure = style.new_figure(width, height)
        if title:
            style.draw_title(figure, title, _MARGINS.left)
        for number, (panel, box, (centre, _), extent) in enumerate(
                zip(panels, packing.boxes, windows, shown)):
            place = [box.left / width, (box.bottom + _FOOTER) / height,
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
                        _panel_title(number, panel, len(panels)), ha="left", va="bottom",
                        fontsize=10.5)
        _draw_footer(figure, results, structure, panels, every)
    return figure


def _panel_title(number, panel, count):
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
    drawn = np.searchsorted(structure.rows, panel.rows)
    times = results.time[panel.rows]
    colors = _colors(times)
    reference = int(np.searchsorted(structure.rows, panel.first_row))
    if panel.end > panel.begin:
        _draw_lines(axes, structure, [reference], ["#9A9A9A"], linewidth=1.1, linestyle=(0, (4, 2)),
                    zorder=2)
    thick = 1.7 if len(drawn) <= 15 else 1.1
    # One configuration above the other in the order of time, its rods below its points.
    for order, (row, color) in enumerate(zip(drawn, colors)):
        level = 3 + order / max(len(drawn), 1)
        _draw_lines(axes, structure, [row], [color], linewidth=thick, zorder=level)
        for points, size, face in ((structure.ends + structure.loose, 3.6, color),
                                   (sorted(structure.hinges), 4.6, "white")):
            xy = structure.position[row, points]
            axes.plot(xy[:, 0], xy[:, 1], linestyle="none", marker="o", markersize=size,
                      markerfacecolor=face, markeredgecolor=color, markeredgewidth=1.2,
                      zorder=level + 1e-3)
    last = int(drawn[-1]) if len(drawn) else reference
    for point, angle_too in structure.supports.items():
        _draw_support(axes, structure.position[last, point], angle_too)
    _name_things(axes, box, structure, panel, last)
    _draw_key(key, panel, times, colors)


def _draw_lines(axes, structure, rows, colors, **look):
    """Rods and rigid links of configurations."""
    rods = [curve[row] for row in rows for curve in structure.curves.values()]
    axes.add_collection(LineCollection(rods, colors=np.repeat(colors, len(structure.curves), axis=0)
                                       if len(structure.curves) else colors,
                                       capstyle="round", joinstyle="round", **look),
                        autolim=False)
    if structure.links:
        links = [structure.position[row][list(pair)] for row in rows for pair in structure.links]
        axes.add_collection(LineCollection(
            links, colors=np.repeat(colors, len(structure.links), axis=0), alpha=0.45,
            capstyle="round", **{**look, "linewidth": 3 * look["linewidth"]}), autolim=False)


def _support_marker(angle_too):
    return MarkerStyle(_CLAMP if angle_too else _GROUND)


def _draw_support(axes, position, angle_too):
    axes.plot(*position, linestyle="none", marker=_support_marker(angle_too),
              markersize=18, markerfacecolor="white",
              markeredgecolor=style.INK, markeredgewidth=1.0, clip_on=False, zorder=2.5)


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
    for i in structure.named:
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


def _draw_key(key, panel, times, colors):
    """The strip of colours above a panel: one swatch a configuration, from its time to the next."""
    key.set_yticks([])
    key.grid(False)
    key.xaxis.tick_top()
    key.tick_params(length=0, pad=1.5, labelsize=8.5)
    if not panel.end > panel.begin or len(times) == 0:
        key.set_axis_off()
        return
    middles = (times[1:] + times[:-1]) / 2
    if len(times) > 1:
        edges = np.concatenate([[2 * times[0] - middles[0]], middles,
                                [2 * times[-1] - middles[-1]]])
    else:
        edges = np.array([panel.begin, panel.end])
    key.pcolormesh(edges, [0, 1], np.arange(len(times))[None, :], cmap=ListedColormap(colors),
                   edgecolors="white" if len(times) <= _MOST_SWATCHES else "none", linewidth=0.8)
    key.set_xlim(edges[0], edges[-1])
    key.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(5, steps=[1, 2, 5, 10]))
    key.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda t, _: f"{t:g} s"))
    for spine in key.spines.values():
        spine.set_visible(False)


def _draw_footer(figure, results, structure, panels, every):
    width, height = figure.get_size_inches()
    handles = []
    if structure.hinges:
        handles.append(Line2D([], [], linestyle="none", marker="o", markersize=5,
                              markerfacecolor="white", markeredgecolor=style.INK, label="hinge"))
    for angle_too in sorted(set(structure.supports.values())):
        handles.append(Line2D(
            [], [], linestyle="none", marker=_support_marker(angle_too), markersize=12,
            markerfacecolor="white", markeredgecolor=style.INK,
            label="support, angle held or driven" if angle_too else "support, free to turn"))
    if len(panels) > 1 and (structure.curves or structure.links):
        handles.append(Line2D([], [], color="#9A9A9A", linewidth=1.1, linestyle=(0, (4, 2)),
                              label="where the interval begins"))
    if handles:
        figure.legend(handles=handles, loc="lower left", ncol=len(handles),
                      bbox_to_anchor=(_MARGINS.left / width, 0.45 / height),
                      borderaxespad=0, borderpad=0, handletextpad=0.6, columnspacing=2)
    notes = []
    if len(panels) > 1:
        notes.append(f"One configuration every {every:g} s, coloured by its time (strips).")
    if structure.curves:
        notes.append("Rods are cubics through the nodes, tangent to the section angles: "
                     "slender rods, no shear is seen.")
    figure.text(_MARGINS.left / width, 0.09 / height, "\n".join(notes), fontsize=8.5,
                color="#555555", ha="left", va="bottom", linespacing=1.4)
