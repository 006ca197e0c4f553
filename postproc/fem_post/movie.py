"""A run as a film: GIF by Pillow, MP4 by ffmpeg, one configuration after the other."""

from contextlib import contextmanager
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import numpy as np
from matplotlib.animation import FFMpegWriter, PillowWriter
from matplotlib.collections import LineCollection
from matplotlib.ticker import MultipleLocator

from fem_post import style
from fem_post.configurations import nice_interval
from fem_post.drawing import (DASHES, REFERENCE, add_legend, draw_lines, draw_points, draw_signs,
                              legend_columns, legend_entries)
from fem_post.frames import choose_frames
from fem_post.structure import Structure

_LARGEST, _SMALLEST = 7.2, 2.4   # sides of the drawing area, inches
_LEFT, _RIGHT, _BOTTOM, _TOP, _LEGEND_ROW = 0.68, 0.2, 0.5, 0.62, 0.24  # inches

FORMATS = ("gif", "mp4")


class NoEncoder(Exception):
    """The program that writes the format is not there; the message says what to do."""


def check_encoder(kind):
    """NoEncoder if this machine cannot write films of the kind."""
    if kind == "mp4" and which("ffmpeg") is None:
        raise NoEncoder("MP4 needs the program ffmpeg, which is not in PATH: install the package "
                        "ffmpeg, or take --format gif or html, which need nothing more")


class Stage:
    """The figure in which frames are drawn one after the other; axes and labels stay."""

    def __init__(self, results, frames, title=""):
        self.results, self.frames = results, frames
        self.structure = Structure(results, frames.rows)
        low, high = _window(self.structure)
        across, up = high - low
        scale = min(_LARGEST / across, _LARGEST / up)
        width, height = max(across * scale, _SMALLEST), max(up * scale, _SMALLEST)
        legend = legend_entries(self.structure, any(self.structure.locked))
        columns = legend_columns(legend, width) if legend else 1
        below = _BOTTOM + _LEGEND_ROW * (-(-len(legend) // columns) if legend else 0)
        page = (width + _LEFT + _RIGHT, height + below + _TOP)
        with style.styled():
            self.figure = style.new_figure(*page)
            if title:
                style.draw_title(self.figure, title, _LEFT)
            self.axes = self.figure.add_axes([_LEFT / page[0], below / page[1],
                                              width / page[0], height / page[1]])
            middle, half = (low + high) / 2, np.array([width, height]) / scale / 2
            self.axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
            self.axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
            self.axes.set_aspect("equal")
            unit = results.unit("points/position", "m")
            self.axes.set_xlabel(style.unit_label("X", unit), labelpad=2)
            self.axes.set_ylabel(style.unit_label("Y", unit), labelpad=2)
            _ticks(self.axes, 2 * half[0], width)
            self.clock = self.figure.text(_LEFT / page[0], 1 - 0.42 / page[1], "", ha="left",
                                          va="center", fontsize=10.5)
            add_legend(self.figure, legend, (_LEFT / page[0], 0.06 / page[1]), columns)
            draw_lines(self.axes, self.structure, 0, REFERENCE, 1.0, 2, DASHES)
        self.scale = 72 * scale  # points a metre
        followed = sorted({*self.structure.ends, *self.structure.loose,
                           *self.structure.particles})
        self._trails = results.array("points/position")[:, followed, :2]  # of all rows
        self._fixed = set(self.axes.get_children())

    def draw(self, frame):
        """Frame number `frame` in the place of the one before."""
        with style.styled():
            for artist in [a for a in self.axes.get_children() if a not in self._fixed]:
                artist.remove()
            self._draw_trails(frame)
            draw_lines(self.axes, self.structure, frame, style.BLUE, 1.8, 3, last=True)
            draw_points(self.axes, self.structure, frame, style.BLUE, 4,
                        self.structure.locked[frame])
            draw_signs(self.axes, self.structure, frame, self.scale, style.BLUE)
            self.clock.set_text(self._clock_text(frame))

    def _draw_trails(self, frame):
        """The way that the ends of rods and the free points have come."""
        trails = np.swapaxes(self._trails[:self.frames.rows[frame] + 1], 0, 1)
        self.axes.add_collection(LineCollection(trails, colors=style.ORANGE, linewidth=0.9,
                                                alpha=0.8, zorder=2.1), autolim=False)

    def _clock_text(self, frame):
        value = self.results.time[self.frames.rows[frame]]
        last = self.results.time[self.frames.rows[-1]]
        if self.results.analysis == "statics":
            return f"load factor {value:.4g}"
        return f"t = {value:.{_decimals(last)}f} s"


def _decimals(last):
    """Decimals with which times up to `last` have four figures."""
    return int(np.clip(3 - np.floor(np.log10(abs(last))), 0, 9)) if last else 2


def _window(structure):
    """(low, high) [2]: everything in all frames, and a border."""
    bounds = structure.bounds(slice(None)) or (0.0, 0.0, 1.0, 1.0)
    low, high = np.array(bounds[:2]), np.array(bounds[2:])
    border = 0.07 * max(high - low) or 0.5
    return low - border, high + border


def _ticks(axes, across, width):
    step = nice_interval(across, max(2.0, width / 0.75))
    axes.xaxis.set_major_locator(MultipleLocator(step))
    axes.yaxis.set_major_locator(MultipleLocator(step))
    axes.tick_params(length=2.5, pad=2)


@contextmanager
def _writing(kind, fps, figure, dpi):
    """(writer, path): a film that is being written into a folder that goes away."""
    writer = PillowWriter(fps=fps) if kind == "gif" else \
        FFMpegWriter(fps=fps, codec="libx264", extra_args=["-pix_fmt", "yuv420p", "-crf", "20",
                                                           "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"])
    with TemporaryDirectory(prefix="fem-post-") as folder:
        path = Path(folder) / f"film.{kind}"
        writer.setup(figure, path, dpi)
        yield writer, path


def film(results, kind="gif", title="", seconds=8.0, fps=20.0, dpi=100):
    """The film as bytes, of length `seconds`; NoEncoder if this machine cannot write the kind.

    Every picture of the film is the row that its instant has reached; the last one is held for
    half a second.
    """
    check_encoder(kind)
    count = max(2, round(seconds * fps))
    frames = choose_frames(results, count)
    shown = [*frames.at(np.linspace(0, 1, count)), *[len(frames.rows) - 1] * round(fps / 2)]
    stage = Stage(results, frames, title)
    with _writing(kind, fps, stage.figure, dpi) as (writer, path):
        drawn = None
        for frame in shown:
            if frame != drawn:
                stage.draw(frame)
                drawn = frame
            writer.grab_frame(facecolor="white")
        writer.finish()
        return path.read_bytes()
