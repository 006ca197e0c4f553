"""Which rows of a run are the frames of an animation, and how long each is seen.

The clock of an animation is time; of statics it is the length of the path, the mean over the
points of what they move, because the load factor may turn back. Frames are rows of the file:
nothing is shown that was not computed.
"""

from dataclasses import dataclass

import numpy as np

from fem_post.configurations import path_steps, rows_at


@dataclass(frozen=True)
class Frames:
    """Frames of an animation, in order."""

    rows: np.ndarray   # [frames], numbers of rows, increasing
    clock: np.ndarray  # [frames], 0 … 1: when each begins to be seen

    def at(self, shares):
        """[shares]: the number of the frame that is seen at each share of the whole."""
        return np.clip(np.searchsorted(self.clock, np.asarray(shares) + 1e-12, side="right") - 1,
                       0, len(self.rows) - 1)


def choose_frames(results, most):
    """Frames at equal steps of the clock, at most `most`; all rows if they are no more than that.

    Rows whose time is not finite are left out; no frames if there are no others.
    """
    usable = np.flatnonzero(np.isfinite(results.time))
    if not len(usable):
        return Frames(usable, np.empty(0))
    if results.analysis == "statics":
        clock = path_steps(results.array("points/position", usable))
    else:
        clock = results.time[usable] - results.time[usable[0]]
    whole = clock[-1]
    clock = clock / whole if whole > 0 else np.linspace(0, 1, len(clock))
    if len(usable) > most:
        chosen = np.unique(rows_at(clock, np.linspace(0, 1, most)))
        usable, clock = usable[chosen], clock[chosen]
    return Frames(usable, clock)
