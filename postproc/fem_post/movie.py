"""A run as a film: GIF by Pillow, MP4 by ffmpeg, one configuration after the other.

What stays (axes, labels, legend, where things begin) is drawn once; of every picture of a GIF only
what moves is drawn over it. All its pictures share one palette, made of colours of some of them.
"""

from io import BytesIO
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import numpy as np
from matplotlib.animation import FFMpegWriter
from matplotlib.collections import LineCollection
from matplotlib.ticker import MultipleLocator
from PIL import Image

from fem_post import style
from fem_post.configurations import nice_interval
from fem_post.drawing import (DASHES, REFERENCE, add_legend, draw_lines, draw_points, draw_signs,
                              legend_columns, legend_entries)
from fem_post.frames import choose_frames
from fem_post.structure import Structure

_PALETTE_PICTURES = 9  # whose colours make the palette of a GIF
_COMMON_COLORS = 96    # of its 256 that are taken as they are
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
        self._background = None  # of picture(): what stays

    def draw(self, frame):
        """Frame number `frame` in the place of the one before."""
        with style.styled():
            self._place(frame)

    def _place(self, frame):
        for artist in self._moving():
            artist.remove()
        self._draw_trails(frame)
        draw_lines(self.axes, self.structure, frame, style.BLUE, 1.8, 3, last=True)
        draw_points(self.axes, self.structure, frame, style.BLUE, 4, self.structure.locked[frame])
        draw_signs(self.axes, self.structure, frame, self.scale, style.BLUE)
        self.clock.set_text(self._clock_text(frame))

    def _moving(self):
        return [a for a in self.axes.get_children() if a not in self._fixed]

    def picture(self, frame):
        """[height, width, 4] red, green, blue and opacity of frame number `frame`, of 255, at the
        figure's dpi; valid until the next one is drawn."""
        canvas = self.figure.canvas
        with style.styled():
            if self._background is None:
                self._background = self._draw_background()
            self._place(frame)
            canvas.restore_region(self._background)
            for artist in sorted(self._moving(), key=lambda a: a.get_zorder()):
                self.axes.draw_artist(artist)
            self.figure.draw_artist(self.clock)
        return np.asarray(canvas.buffer_rgba())

    def _draw_background(self):
        for artist in self._moving():
            artist.remove()
        self.clock.set_text("")
        self.figure.canvas.draw()
        return self.figure.canvas.copy_from_bbox(self.figure.bbox)

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


def _numbers(picture):
    """[pixels] colours as one number each: red + 256 green + 65536 blue."""
    return np.ascontiguousarray(picture).view("<u4").reshape(-1) & 0xFFFFFF


def _colors(numbers):
    """[n, 3] red, green, blue of such numbers."""
    return np.stack([numbers & 255, numbers >> 8 & 255, numbers >> 16], axis=-1).astype(np.uint8)


class _Palette:
    """The 256 colours of a film, and which of them stands for a colour.

    The commonest colours of `pictures` are taken as they are; the blends of antialiasing between
    them share what is left.
    """

    def __init__(self, pictures):
        found, counts = np.unique(np.concatenate([_numbers(p) for p in pictures]),
                                  return_counts=True)
        ordered = _colors(found[np.argsort(-counts, kind="stable")])
        self.colors, blends = ordered[:_COMMON_COLORS], ordered[_COMMON_COLORS:]
        if len(blends):
            left = 256 - _COMMON_COLORS
            rest = np.reshape(Image.fromarray(blends[None]).quantize(left).getpalette(), (-1, 3))
            self.colors = np.concatenate([self.colors, rest[:left].astype(np.uint8)])
        self._nearest = np.full(1 << 24, -1, np.int16)

    def index(self, picture):
        """A picture as an image of this palette."""
        numbers = _numbers(picture)
        chosen = self._nearest[numbers]
        if chosen.min() < 0:
            self._add(np.unique(numbers[chosen < 0]))
            chosen = self._nearest[numbers]
        image = Image.fromarray(chosen.astype(np.uint8).reshape(picture.shape[:2]), "P")
        image.putpalette(self.colors.tobytes())
        return image

    def _add(self, numbers):
        for part in np.array_split(numbers, 1 + len(numbers) // 4096):
            apart = _colors(part).astype(np.int32)[:, None] - self.colors.astype(np.int32)
            self._nearest[part] = (apart ** 2).sum(axis=-1).argmin(axis=-1)


def _gif(stage, shown, fps):
    """The film's bytes. A picture that stays for several instants is written once."""
    frames = list(dict.fromkeys(shown))
    durations = [1000 * shown.count(frame) / fps for frame in frames]
    some = np.unique(np.linspace(0, len(frames) - 1, _PALETTE_PICTURES).round().astype(int))
    palette = _Palette(stage.picture(frames[i]).copy() for i in some)
    pictures = (palette.index(stage.picture(frame)) for frame in frames)
    film = BytesIO()
    next(pictures).save(film, "gif", save_all=True, append_images=pictures, duration=durations,
                        loop=0, optimize=False)
    return film.getvalue()


def _mp4(stage, shown, fps, dpi):
    writer = FFMpegWriter(fps=fps, codec="libx264",
                          extra_args=["-pix_fmt", "yuv420p", "-crf", "20",
                                      "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"])
    with TemporaryDirectory(prefix="fem-post-") as folder:
        path = Path(folder) / "film.mp4"
        writer.setup(stage.figure, path, dpi)
        drawn = None
        for frame in shown:
            if frame != drawn:
                stage.draw(frame)
                drawn = frame
            writer.grab_frame(facecolor="white")
        writer.finish()
        return path.read_bytes()


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
    if kind == "mp4":
        return _mp4(stage, shown, fps, dpi)
    stage.figure.set_dpi(dpi)
    return _gif(stage, shown, fps)
