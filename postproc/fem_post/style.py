"""The look of all figures, and their way to a file. No pyplot, no global state left behind."""

import warnings
from contextlib import contextmanager
from io import BytesIO

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart with every kind of colour vision.
BLUE, VERMILION, GREEN, ORANGE = "#0072B2", "#D55E00", "#009E73", "#E69F00"
PURPLE, SKY, BLACK, GREY = "#CC79A7", "#56B4E9", "#000000", "#7F7F7F"

INK = "#222222"   # text and marks
GRID = "#DDDDDD"
TITLE_SIZE = 12.5  # points
TITLE = 0.25       # height of a title, inches

_RC = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "mathtext.fontset": "dejavusans",
    "axes.titlesize": 10.5,
    "axes.labelsize": 10,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "legend.fontsize": 9.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.edgecolor": "#666666",
    "axes.linewidth": 0.7,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.solid_joinstyle": "round",
    "agg.path.chunksize": 20000,
    "pdf.fonttype": 42,
    "svg.hashsalt": "libfem",   # the same data give the same file
}


@contextmanager
def styled():
    """A context in which matplotlib has this look, whatever the user's matplotlibrc says."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_RC)
        yield


def new_figure(width, height):
    """An empty figure of width × height inches, on the Agg canvas."""
    figure = Figure(figsize=(width, height), facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def make_room(figure, grid, right, gap=0.12):
    """Columns of axes as wide as their labels at the left leave them; `right` and `gap` in inches."""
    figure.draw_without_rendering()
    width = figure.get_size_inches()[0] * figure.dpi
    wanted = [max(axes.get_window_extent().x0 - axes.get_tightbbox().x0 for axes in column)
              + gap * figure.dpi for column in grid.T]
    each = (width - sum(wanted) - right * figure.dpi) / len(wanted)
    left = 0.0
    for column, room in zip(grid.T, wanted):
        left += room
        for axes in column:
            place = axes.get_position()
            axes.set_position([left / width, place.y0, each / width, place.height])
        left += each


def rendered(figure, kind="png", dpi=200):
    """The figure as the bytes of a file; the same figure gives the same bytes."""
    metadata = {"png": {"Software": None}, "pdf": {"CreationDate": None},
                "svg": {"Date": None}}[kind]
    file = BytesIO()
    with styled(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a name in a rare script
        figure.savefig(file, format=kind, dpi=dpi, metadata=metadata)
    return file.getvalue()


def draw_title(figure, title, left):
    """The title at the top, `left` inches from the edge, cut where the page ends."""
    width, height = figure.get_size_inches()
    letters = int((width - left) * 72 / (0.6 * TITLE_SIZE))
    if len(title) > letters:
        title = title[:letters - 1].rstrip() + "…"
    figure.text(left / width, 1 - 0.12 / height, title, ha="left", va="top", fontsize=TITLE_SIZE,
                fontweight="bold", parse_math=False)


def draw_note(figure, title, note):
    """The title at the top, if there is one, and a line below it, if there is one."""
    width, height = figure.get_size_inches()
    if title:
        draw_title(figure, title, 0.12)
    if note:
        below = 0.12 + TITLE * bool(title)
        figure.text(0.12 / width, 1 - below / height, note, ha="left", va="top", fontsize=9,
                    color="#555555", parse_math=False)


def unit_label(quantity, unit):
    """An axis label: quantity and unit."""
    return f"{quantity} ({unit.replace(' ', '·')})" if unit else quantity
