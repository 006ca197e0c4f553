"""Where and by how much two runs differ.

Histories are compared at the output times of the run that has fewer in the common interval; the
other is interpolated where it has no row (interpolation.py), but not across its events.

A difference |a − b| is judged by its ratio to a scale: the largest magnitude that the quantity has
in either run, but no less than 1e-6 of the largest of any quantity of its unit, so that round-off
in a quantity that is zero but for it is not judged by itself. Energies and works share one scale.
"""

from dataclasses import dataclass, field
from fnmatch import fnmatch

import numpy as np

from fem_post.interpolation import between_jumps, interpolate, locate

_BLOCK = 4_000_000   # values that are held at a time
_FLOOR = 1e-6        # of the largest value of a unit: no scale is smaller
DEFAULT_RELATIVE = 1e-9
DEFAULT_LEFT_OUT = ("solver/*",)  # how the integrator went, not what the structure did


class ComparisonError(Exception):
    """The runs cannot be compared as asked; the message is one line."""


@dataclass
class Difference:
    """What the runs differ by in one quantity."""

    quantity: str
    unit: str
    largest: float = 0.0        # |a − b|
    where: str = ""             # name of the place of the largest
    when: float = float("nan")  # s, or load factor
    first: float = 0.0          # a and b there
    second: float = 0.0
    interpolation: float = 0.0  # estimated error of interpolation there, at most about
    magnitude: float = 0.0      # largest |a| or |b|
    scale: float = 0.0          # what `relative` refers to
    relative: float = 0.0
    allowed: float = 0.0        # |a − b| that is within the tolerance
    beyond_from: float | None = None  # time when the tolerance is left first
    beyond_where: str = ""

    @property
    def within(self):
        return self.beyond_from is None


@dataclass
class Comparison:
    """Everything there is to say about two runs."""

    first: str
    second: str
    time_name: str
    times: int = 0
    begin: float = float("nan")
    end: float = float("nan")
    interpolated: int = 0        # of the times
    differences: list = field(default_factory=list)
    lacking: list = field(default_factory=list)  # what only one run has: str
    notes: list = field(default_factory=list)
    not_finite: bool = False
    common: bool = False         # what only one run has does not count

    @property
    def within(self):
        return (self.common or not self.lacking) and all(d.within for d in self.differences)


@dataclass(frozen=True)
class Judgement:
    """What is compared, and what differences are accepted."""

    relative: float = DEFAULT_RELATIVE
    absolute: tuple = ()   # of (pattern of quantities, |a − b|): the last that fits holds
    only: tuple = ()       # patterns of quantities; none: all
    ignore: tuple = ()     # patterns of quantities
    begin: float | None = None
    end: float | None = None
    common: bool = False   # compare what both have, and no more

    def takes(self, quantity):
        named = any(fnmatch(quantity, pattern) for pattern in self.only)
        if any(fnmatch(quantity, pattern) for pattern in self.ignore):
            return False
        return named if self.only else \
            not any(fnmatch(quantity, pattern) for pattern in DEFAULT_LEFT_OUT)

    def allowed(self, quantity, scale):
        found = [value for pattern, value in self.absolute if fnmatch(quantity, pattern)]
        return found[-1] if found else self.relative * scale


def compare(first, second, judgement=Judgement()):
    """Comparison of two Runs."""
    comparison = Comparison(first.label, second.label, first.time_name,
                            notes=[*first.notes, *second.notes],
                            not_finite=first.not_finite or second.not_finite,
                            common=judgement.common)
    asked = _times(first, second, judgement, comparison)
    names = [name for name in first.quantities if name in second.quantities
             and judgement.takes(name)]
    for run, other, label in ((first, second, "first"), (second, first, "second")):
        comparison.lacking += [f"only the {label} has {name}" for name in run.quantities
                               if name not in other.quantities and judgement.takes(name)]
    pairs = [(first.quantities[name], second.quantities[name]) for name in names]
    magnitudes = {}
    for a, b in pairs:
        magnitudes[a.name] = max(_magnitude(a, first), _magnitude(b, second))
    scales = _scales(pairs, magnitudes)
    for a, b in pairs:
        difference = Difference(a.name, a.unit, magnitude=magnitudes[a.name], scale=scales[a.name],
                                allowed=judgement.allowed(a.name, scales[a.name]))
        if a.unit != b.unit and a.unit and b.unit:
            comparison.lacking.append(f"{a.name} is in {a.unit} in the first, in {b.unit} in the "
                                      "second")
            continue
        _compare_quantity(difference, a, b, first, second, asked, comparison)
        comparison.differences.append(difference)
    if judgement.takes("events/time"):
        _compare_events(first, second, judgement, comparison)
    return comparison


# Times

def _check_times(run):
    if np.any(np.diff(run.time) <= 0) or not np.all(np.isfinite(run.time)):
        raise ComparisonError(
            f"the {'times' if run.time_name.startswith('t') else 'load factors'} of {run.label} "
            "do not increase from row to row: such runs can be compared only if both have the "
            "same rows")


def _times(first, second, judgement, comparison):
    """The times at which the runs are compared; the comparison is told what they are."""
    if np.array_equal(first.time, second.time):
        asked = first.time[np.isfinite(first.time)]
        if len(asked) == len(first.time):
            chosen = _between(asked, judgement.begin, judgement.end)
            _say_times(comparison, chosen, 0)
            return chosen
    _check_times(first)
    _check_times(second)
    begin, end = max(first.time[0], second.time[0]), min(first.time[-1], second.time[-1])
    slack = 1e-9 * max(abs(begin), abs(end), end - begin)
    if begin > end + slack:
        raise ComparisonError(f"the runs have no time in common: {first.label} ends at "
                              f"{first.time[-1]:g}, {second.label} begins at {second.time[0]:g}")
    for label, run in (("first", first), ("second", second)):
        for low, high in ((run.time[0], begin), (end, run.time[-1])):
            inside = _between(np.array([low, high]), judgement.begin, judgement.end)
            if high - low > slack and len(inside):
                comparison.lacking.append(f"only the {label} goes from {low:g} to {high:g}")
    begin = begin if judgement.begin is None else max(begin, judgement.begin)
    end = end if judgement.end is None else min(end, judgement.end)
    own = [run.time[(run.time >= begin - slack) & (run.time <= end + slack)]
           for run in (first, second)]
    asked = own[0] if len(own[0]) <= len(own[1]) else own[1]
    asked = np.clip(asked, max(first.time[0], second.time[0]),
                    min(first.time[-1], second.time[-1]))
    jump = np.zeros(len(asked), bool)
    for run in (first, second):
        jump |= between_jumps(run.time, asked, run.jumps)
    if jump.any():
        comparison.notes.append(f"{int(jump.sum())} times lie between rows around an event and "
                                "are left out")
    asked = asked[~jump]
    exact = np.ones(len(asked), bool)
    for run in (first, second):
        exact &= locate(run.time, asked)[1]
    _say_times(comparison, asked, int((~exact).sum()))
    return asked


def _between(times, begin, end):
    low = -np.inf if begin is None else begin
    high = np.inf if end is None else end
    return times[(times >= low) & (times <= high)]


def _say_times(comparison, asked, interpolated):
    if not len(asked):
        raise ComparisonError("there is no common output time between the times asked for")
    comparison.times, comparison.interpolated = len(asked), interpolated
    comparison.begin, comparison.end = float(asked[0]), float(asked[-1])


# Values

def _blocks(count, rows):
    size = max(1, _BLOCK // max(rows, 1))
    return [np.arange(begin, min(begin + size, count)) for begin in range(0, count, size)]


def _magnitude(quantity, run):
    """Largest finite magnitude; 0 without any."""
    largest = 0.0
    for numbers in _blocks(len(quantity.places), len(run.time)):
        values = np.abs(quantity.load(numbers))
        largest = max(largest, float(np.max(values, where=np.isfinite(values), initial=0.0)))
    return largest


def _scales(pairs, magnitudes):
    """name → scale: the quantity's own magnitude, bounded from below by that of its unit."""
    by_unit = {}
    for a, _ in pairs:
        by_unit[a.unit] = max(by_unit.get(a.unit, 0.0), magnitudes[a.name])
    energies = max((m for name, m in magnitudes.items() if name.startswith("energy/")),
                   default=0.0)
    return {a.name: energies if a.name.startswith("energy/")
            else max(magnitudes[a.name], _FLOOR * by_unit[a.unit]) for a, _ in pairs}


def _common_places(a, b, comparison):
    """(places, numbers in a, numbers in b); what only one has is told to the comparison."""
    if a.places == b.places:
        every = np.arange(len(a.places))
        return a.places, every, every
    in_b = {place: k for k, place in enumerate(b.places)}
    in_a = set(a.places)
    both = [(place, k, in_b[place]) for k, place in enumerate(a.places) if place in in_b]
    for label, missing in (("first", [p for p in a.places if p not in in_b]),
                           ("second", [p for p in b.places if p not in in_a])):
        objects = list(dict.fromkeys(place.object for place in missing))
        if objects:
            words = ", ".join(objects[:5]) + (f" and {len(objects) - 5} more"
                                              if len(objects) > 5 else "")
            comparison.lacking.append(f"only the {label} has {a.name} of {words}")
    places, first, second = zip(*both) if both else ((), (), ())
    return list(places), np.array(first, int), np.array(second, int)


def _values(quantity, run, numbers, asked):
    """(values, errors of interpolation) [asked, numbers]."""
    values = quantity.load(numbers)
    if len(asked) == len(run.time) and np.array_equal(asked, run.time):
        return values, np.zeros((1, 1))
    return interpolate(run.time, asked, values,
                       quantity.rate and quantity.rate(numbers),
                       quantity.second and quantity.second(numbers))


def _rows_of(run, asked):
    """Numbers of the rows that the times are, where none is interpolated and times may repeat."""
    return np.flatnonzero(np.isin(run.time, asked))


def _compare_quantity(difference, a, b, first, second, asked, comparison):
    """Fill in the difference of one quantity."""
    places, in_a, in_b = _common_places(a, b, comparison)
    same_rows = np.array_equal(first.time, second.time)
    rows = _rows_of(first, asked) if same_rows else None
    for numbers in _blocks(len(places), max(len(first.time), len(second.time))):
        if same_rows:
            x, y = a.load(in_a[numbers])[rows], b.load(in_b[numbers])[rows]
            error = np.zeros((1, 1))
            times = first.time[rows]
        else:
            x, x_error = _values(a, first, in_a[numbers], asked)
            y, y_error = _values(b, second, in_b[numbers], asked)
            error, times = x_error + y_error, asked
        _take(difference, x, y, np.broadcast_to(error, x.shape), times,
              [places[k] for k in numbers])
    if difference.scale > 0:
        difference.relative = difference.largest / difference.scale
    elif difference.largest > 0:
        difference.relative = float("inf")


def _take(difference, x, y, error, times, places):
    """Take a block of values [times, places] into the difference."""
    alike = (x == y) | (np.isnan(x) & np.isnan(y))
    if alike.all():
        return
    with np.errstate(invalid="ignore"):
        size = np.where(alike, 0.0, np.abs(x - y))
    size = np.where(np.isnan(size), np.inf, size)
    row, column = np.unravel_index(int(np.argmax(size)), size.shape)
    if size[row, column] > difference.largest:
        difference.largest = float(size[row, column])
        difference.where, difference.when = str(places[column]), float(times[row])
        difference.first, difference.second = float(x[row, column]), float(y[row, column])
        difference.interpolation = float(error[row, column])
    beyond = size > difference.allowed
    if beyond.any():
        row = int(np.argmax(beyond.any(axis=1)))
        if difference.beyond_from is None or times[row] < difference.beyond_from:
            difference.beyond_from = float(times[row])
            difference.beyond_where = str(places[int(np.argmax(size[row]))])


# Events

def _compare_events(first, second, judgement, comparison):
    """Instants of what happened, object by object and kind by kind, in their order."""
    sides = [_by_kind(run.events, judgement) for run in (first, second)]
    if not any(sides):
        return
    end = max([abs(comparison.end), *(abs(e.time) for run in (first, second)
                                      for e in run.events)])
    unit = "s" if first.time_name.startswith("t") else ""
    difference = Difference("events/time", unit, magnitude=end, scale=end,
                            allowed=judgement.allowed("events/time", end))
    for key in dict.fromkeys([*sides[0], *sides[1]]):
        a, b = (side.get(key, []) for side in sides)
        if len(a) != len(b):
            comparison.lacking.append(f"“{key[1]}” of {key[0]} happens {len(a)} times in the "
                                      f"first, {len(b)} times in the second")
        for k, (x, y) in enumerate(zip(a, b)):
            words = f"{key[0]}, {key[1]}" + (f", number {k + 1}" if len(a) > 1 else "")
            _take(difference, np.array([[x]]), np.array([[y]]), np.zeros((1, 1)), np.array([x]),
                  [words])
    difference.relative = difference.largest / end if end else 0.0
    comparison.differences.append(difference)


def _by_kind(events, judgement):
    """(object, kind) → times."""
    found = {}
    for event in events:
        if len(_between(np.array([event.time]), judgement.begin, judgement.end)):
            found.setdefault((event.name, event.kind), []).append(event.time)
    return found
