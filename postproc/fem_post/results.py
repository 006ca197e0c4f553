"""A results file of libfem: names → arrays, read from the file when asked for.

The layout is that of docs/results-format.md. The file may still be written to (HDF5's
single-writer-multiple-readers mode) or may have lost its writer to `kill -9`: `len(/time)`, taken
once when the file is opened, says how many rows are complete, and every array is cut to it.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import sleep

import h5py
import numpy as np

from fem_post.case_text import parse_case, part

FORMAT = 1  # the value of the root attribute libfem_results that this module reads

ROW_GROUPS = frozenset({"time", "points", "rods", "hinges", "supports", "bodies", "springs",
                        "loads", "momentum", "constraints", "hereditary", "laws",
                        "frame", "rheonomic", "energy", "solver"})  # one row an output time
_INDICES = frozenset({"rods/nodes", "springs/points"})  # of objects, not of output times

_SLASH = "\u2215"  # stands for "/" in the names of groups

_PATIENCE = (0.05, 0.2, 0.5)  # s, waits for a file that cannot be opened just now

_SCAN_VALUES = 4_000_000  # values a read of a scan over the whole file holds in memory


class ResultsError(Exception):
    """The file cannot be read, or is none of libfem's results; the message is one line."""


@dataclass(frozen=True)
class Section:
    """The cross-section of rods."""

    name: str
    axial_stiffness: float     # EA, N
    bending_stiffness: float   # EI, N m²
    shear_stiffness: float     # GAs, N
    height: float | None       # m, fibres at ±height/2; None: the case does not say
    modulus: float | None      # E, Pa
    mass_per_length: float = 0.0  # kg/m
    mass_damping: float = 0.0     # 1/s


@dataclass(frozen=True)
class Rod:
    """A rod: a chain of elements of equal length."""

    name: str
    nodes: np.ndarray  # [elements + 1] indices into the points, from "from" to "to"
    section: str = ""            # name of its section
    length: float | None = None  # m, at the start; None in files of an early libfem
    alpha: float = 1.0           # shear coefficient of its elements

    @property
    def elements(self):
        return len(self.nodes) - 1


@dataclass(frozen=True)
class Event:
    """Something that happened at an instant: a velocity jump, a latch, a stop."""

    time: float  # s
    name: str    # the object it happened to
    what: str

    @property
    def kind(self):
        """Its words up to their first number or punctuation."""
        return re.split(r"[,;:(]|\s+(?:(?:from|to|at|by|of)\s+)?[-+.]?\d", self.what)[0].strip()


@dataclass(frozen=True)
class Mode:
    """A small motion about a state at rest."""

    angular_frequency: float  # ω, rad/s; 0 for free motions and unstable modes
    growth_rate: float        # κ, 1/s, where the motion grows as e^(κt); else 0
    kind: str                 # vibration, free or unstable
    description: str          # what moves

    @property
    def frequency(self):
        """Hz."""
        return self.angular_frequency / (2 * np.pi)


@dataclass(frozen=True)
class Summary:
    """How a run ended. Before it has ended: what the rows say so far, None where they do not."""

    finished: bool
    status: str                        # running, complete, failed or interrupted
    reason: str                        # of a failure
    warnings: tuple                    # of str
    final_time: float                  # s
    steps: int | None                  # accepted
    rejected_steps: int | None
    evaluations: int | None            # of the accelerations
    largest_energy: float | None       # J
    worst_balance: float | None        # largest |balance|, J
    ledger_tolerance: float | None     # worst_balance / largest_energy that the run accepts
    worst_position_violation: float | None  # m or rad
    worst_velocity_violation: float | None  # m/s or rad/s
    wall_time: float | None            # s


@dataclass(frozen=True)
class NotFinite:
    """Values of a dataset that are NaN or infinite."""

    dataset: str
    count: int
    time: float   # s, of the first of them
    index: tuple  # of the first of them, row first

    def __str__(self):
        values = "1 value is" if self.count == 1 else f"{self.count} values are"
        place = ", ".join(str(i) for i in self.index)
        return f"{self.dataset}: {values} not finite, the first at t = {self.time:g} s [{place}]"


def as_text(value):
    """A string of HDF5 (fixed or variable length, attribute or element) as str."""
    if isinstance(value, h5py.Empty):
        return ""
    if isinstance(value, np.ndarray):
        value = value.reshape(-1)[0] if value.size else ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").rstrip("\0")
    return str(value)


def link_name(name):
    """The name of an object as HDF5 can hold it: a slash would make a group of its own."""
    return name.replace("/", _SLASH)


def part_path(group, name, quantity=""):
    """The path of an object of the case, or of one of its datasets: rods/NAME/angle."""
    return f"{group}/{link_name(name)}" + (f"/{quantity}" if quantity else "")


class Results:
    """An open results file; a context manager. All arrays are cut to `rows` rows."""

    def __init__(self, path):
        self.path = Path(path)
        self._file, self.closed = open_results(self.path)
        try:
            self._check()
        except BaseException:
            self.close()
            raise

    def _check(self):
        attributes = self._file.attrs
        if "libfem_results" not in attributes:
            raise ResultsError(f"{self.path} is not a results file of libfem")
        written = int(attributes["libfem_results"])
        if written != FORMAT:
            raise ResultsError(f"{self.path} has results of format {written}; "
                               f"this fem-post reads format {FORMAT}")
        time = self._file.get("time")
        if not isinstance(time, h5py.Dataset):
            raise ResultsError(f"{self.path} is damaged: it has no dataset /time")
        # First of all the length of /time: rows that come while we read are not ours.
        complete = time.shape[0]
        shortest = [(self._file[name].shape[0], name) for name in self._row_datasets()]
        self.rows, name = min([(complete, "/time"), *shortest])
        self.notes = []
        if self.rows < complete:
            self.notes.append(f"damaged: {name} has {self.rows} rows, /time has {complete}; "
                              f"only {self.rows} rows are shown")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._file.close()

    # What the file says about itself

    def _attribute(self, name, default=""):
        return as_text(self._file.attrs[name]) if name in self._file.attrs else default

    @property
    def title(self):
        return self._attribute("title") or self.path.stem

    @property
    def version(self):
        """The version of libfem that wrote the file."""
        return self._attribute("version", "unknown")

    @property
    def analysis(self):
        """What the rows are: dynamics, statics or modes."""
        return self._attribute("analysis", "dynamics")

    @property
    def time_name(self):
        """What /time is, with its unit: in statics it is the load factor."""
        return "load factor" if self.analysis == "statics" else "t (s)"

    @property
    def case_sha256(self):
        return self._attribute("case_sha256", "unknown")

    @cached_property
    def case_text(self):
        return as_text(self._file["case"][()]) if "case" in self._file else ""

    @cached_property
    def case(self):
        """The case as a dict, {} if the file has none that can be parsed."""
        return parse_case(self.case_text)

    # Names and connectivity

    @cached_property
    def points(self):
        """Names of all points, [points]: the case's own, then the mesh nodes "rod/1", "rod/2", …"""
        if "points/names" not in self._file:
            return []
        return [as_text(name) for name in self._file["points/names"][()]]

    @cached_property
    def named_points(self):
        """Indices of the points that the case names: all but the mesh nodes of rods."""
        def is_mesh_node(name):
            rod, _, number = name.rpartition("/")
            return number.isdigit() and rod in self.rods
        return [i for i, name in enumerate(self.points) if not is_mesh_node(name)]

    @cached_property
    def rods(self):
        """name → Rod, in the case's order."""
        return {name: self._rod(name) for name in self.names("rods")}

    def _rod(self, name):
        group = self._file[part_path("rods", name)]
        length = group.attrs.get("length")
        return Rod(name, group["nodes"][()].astype(int), as_text(group.attrs.get("section", "")),
                   None if length is None else float(length),
                   float(group.attrs.get("alpha", 1.0)))

    @cached_property
    def sections(self):
        """name → Section, in the case's order."""
        found = {}
        for name in self.names("sections"):
            attributes = self._file[part_path("sections", name)].attrs
            number = {key: float(attributes[key]) for key in ("EA", "EI", "GAs", "height", "E",
                                                           "mass_per_length", "mass_damping")
                      if key in attributes}
            found[name] = Section(name, number.get("EA", np.nan), number.get("EI", np.nan),
                                  number.get("GAs", np.nan), number.get("height"),
                                  number.get("E"), number.get("mass_per_length", 0.0),
                                  number.get("mass_damping", 0.0))
        return found

    @cached_property
    def hinges(self):
        """Names of the hinges, in the case's order."""
        return self.names("hinges")

    @cached_property
    def supports(self):
        """Names of the supports, in the case's order."""
        return self.names("supports")

    @cached_property
    def bodies(self):
        """Names of the rigid bodies, in the case's order."""
        return self.names("bodies")

    @cached_property
    def springs(self):
        """name → [2] indices of its points, in the case's order."""
        return {name: self._file[f"{part_path('springs', name)}/points"][()].astype(int)
                for name in self.names("springs")}

    @cached_property
    def modes(self):
        """[Mode], in the file's order: by ω²."""
        if not self.has("modes/angular_frequency"):
            return []
        group = self._file["modes"]

        def column(name, default):
            return group[name][()] if name in group else default
        omega = column("angular_frequency", [])
        growth = column("growth_rate", np.zeros(len(omega)))
        kind = column("kind", [b""] * len(omega))
        description = column("description", [b""] * len(omega))
        return [Mode(float(w), float(g), as_text(k), as_text(d))
                for w, g, k, d in zip(omega, growth, kind, description)]

    def shape(self, mode, *path):
        """[points, 3] of a mode; of a rod's sections, shape(mode, "rods", NAME, "angle"),
        [elements, 2]."""
        name = "modes/shape" if not path else f"modes/{part_path(*path)}"
        if not self.has(name):
            raise ResultsError(f"{self.path} is damaged: it has no dataset /{name}")
        return self._read(self._file[name], mode)

    def names(self, group):
        """Names in a group: in the case's order, then those that the case does not mention."""
        found = list(self._file[group]) if group in self._file else []
        known = {link_name(name): name for name in part(self.case, group, default=())}
        order = {link: i for i, link in enumerate(known)}
        return [known.get(link, link.replace(_SLASH, "/"))
                for link in sorted(found, key=lambda link: order.get(link, len(order)))]

    # Numbers

    def has(self, dataset):
        return isinstance(self._file.get(dataset), h5py.Dataset)

    def datasets(self, group):
        """Names of the datasets of a group, in the file's order."""
        found = self._file.get(group)
        return [] if found is None else [n for n in found if isinstance(found[n], h5py.Dataset)]

    def is_history(self, dataset):
        """Whether a dataset has one row an output time, of numbers."""
        return f"/{dataset.lstrip('/')}" in self._histories

    @cached_property
    def _histories(self):
        return frozenset(self._row_datasets())

    def shape_of(self, dataset):
        """(rows, …): the shape of a dataset of one row an output time."""
        return (self.rows, *self._file[dataset].shape[1:])

    def unit(self, dataset, default=""):
        """The dataset's unit, as its attribute says; `default` if it has none."""
        if self.has(dataset) and "unit" in self._file[dataset].attrs:
            return as_text(self._file[dataset].attrs["unit"])
        return default

    @cached_property
    def time(self):
        """[rows], s."""
        return self.array("time")

    def array(self, dataset, rows=slice(None), *columns):
        """Values [selected rows, …] of a dataset of one row an output time.

        `rows` is a slice or increasing row numbers, `columns` select along the further axes.
        """
        if not self.has(dataset):
            raise ResultsError(f"{self.path} is damaged: it has no dataset /{dataset.lstrip('/')}")
        if isinstance(rows, slice):
            rows = slice(*rows.indices(self.rows))
        return self._read(self._file[dataset], (rows, *columns))

    def _read(self, dataset, selection):
        try:
            return np.asarray(dataset[selection], dtype=float)
        except (OSError, RuntimeError) as error:
            raise ResultsError(f"{self.path} is damaged: {dataset.name} cannot be read "
                               f"({one_line(error)})") from error

    @cached_property
    def events(self):
        """Events in time order; of statics in the order of the path."""
        if not all(self.has(f"events/{name}") for name in ("time", "name", "what")):
            return []
        group = self._file["events"]
        # Three datasets that grow: the shortest says how many events are complete.
        count = min(group[name].shape[0] for name in ("time", "name", "what"))
        times = self._read(group["time"], slice(count))
        events = [Event(float(t), as_text(name), as_text(what))
                  for t, name, what in zip(times, group["name"][:count], group["what"][:count])]
        if self.analysis == "statics":
            return events
        return sorted(events, key=lambda event: event.time)

    @cached_property
    def summary(self):
        """The summary of the run; taken from the rows while the file has none."""
        if "summary" not in self._file:
            return Summary(False, self._attribute("status", "running"), "", (),
                           float(self.time[-1]) if self.rows else 0.0, None, None, None,
                           self._largest_energy(), self._largest("energy/balance"), None,
                           self._largest("solver/position_violation"),
                           self._largest("solver/velocity_violation"), None)
        attributes = self._file["summary"].attrs
        warnings = attributes.get("warnings", ())
        warnings = () if isinstance(warnings, h5py.Empty) else np.atleast_1d(warnings)

        def number(name, kind=float):
            return kind(attributes[name]) if name in attributes else None

        return Summary(
            finished=True,
            status=as_text(attributes.get("status", self._attribute("status", "running"))),
            reason=as_text(attributes.get("reason", "")),
            warnings=tuple(w for w in map(as_text, warnings) if w),
            final_time=number("final_time"),
            steps=number("steps", int),
            rejected_steps=number("rejected_steps", int),
            evaluations=number("evaluations", int),
            largest_energy=number("largest_energy"),
            worst_balance=number("worst_balance"),
            ledger_tolerance=number("ledger_tolerance"),
            worst_position_violation=number("worst_position_violation"),
            worst_velocity_violation=number("worst_velocity_violation"),
            wall_time=number("wall_time"))

    @cached_property
    def largest_energy(self):
        """The energy that balances are compared with, J: the summary's, else that of the rows."""
        largest = self.summary.largest_energy
        return largest if largest and np.isfinite(largest) else self._largest_energy()

    def _largest(self, dataset):
        """Largest magnitude among the finite values of a dataset; None without any."""
        if not self.has(dataset):
            return None
        values = np.abs(self.array(dataset))
        values = values[np.isfinite(values)]
        return float(values.max()) if values.size else None

    def _largest_energy(self):
        """Largest of the stored energy and of the works over the rows, J; None without any."""
        names = [n for n in self.datasets("energy") if n != "balance"]
        stored = [n for n in names if not n.endswith("_work") and n != "dissipated"]
        candidates = [self.array(f"energy/{n}") for n in names if n not in stored]
        if stored:
            candidates.append(sum(self.array(f"energy/{n}") for n in stored))
        values = np.abs(np.concatenate(candidates)) if candidates else np.empty(0)
        values = values[np.isfinite(values)]
        return float(values.max()) if values.size else None

    # Trust

    def _row_datasets(self):
        """Paths of the datasets with one row an output time."""
        paths = []

        def visit(name, item):
            if not isinstance(item, h5py.Dataset) or item.ndim == 0 or item.dtype.kind not in "fiu":
                return
            top, _, rest = name.partition("/")
            if top in ROW_GROUPS and f"{top}/{rest.rpartition('/')[2]}" not in _INDICES:
                paths.append(f"/{name}")
        self._file.visititems(visit)
        return paths

    def not_finite(self):
        """NotFinite for every dataset of the file that has NaN or infinite values."""
        found = []
        for path in self._row_datasets():
            dataset = self._file[path]
            if dataset.dtype.kind != "f":
                continue
            block = max(1, _SCAN_VALUES // max(1, int(np.prod(dataset.shape[1:]))))
            count, first = 0, None
            for start in range(0, self.rows, block):
                bad = ~np.isfinite(self.array(path, slice(start, start + block)))
                if not bad.any():
                    continue
                count += int(bad.sum())
                if first is None:
                    index = np.argwhere(bad)[0]
                    first = (start + int(index[0]), *map(int, index[1:]))
            if count:
                found.append(NotFinite(path, count, float(self.time[first[0]]), first))
        return found


def open_results(path):
    """(h5py.File, closed): closed if the run has ended and nobody writes to the file any more.

    Recorders write in bursts and close the file between them. While the status is "running" the
    file is read in the mode that stays consistent when a burst comes. A burst that makes objects
    (at the very end) lets nobody in, but is over in milliseconds.
    """
    if not path.exists():
        raise ResultsError(f"{path} does not exist")
    if path.is_dir():
        raise ResultsError(f"{path} is a folder, not a results file")
    try:
        with open(path, "rb"):
            pass
        if not h5py.is_hdf5(path):
            raise ResultsError(f"{path} is not an HDF5 file")
    except OSError as error:
        raise ResultsError(f"{path} cannot be opened: {error.strerror or error}") from error
    for patience in (*_PATIENCE, None):
        try:
            file = h5py.File(path, "r")
            status = as_text(file.attrs.get("status", ""))
            if status != "running":
                return file, True
            followed = _open_followed(path)
            if followed is None:
                return file, False
            file.close()
            return followed, False
        except OSError as error:
            followed = _open_followed(path)
            if followed is not None:
                return followed, False
            if patience is None:
                raise ResultsError(f"{path} cannot be opened: {one_line(error)}") from error
            sleep(patience)
    raise AssertionError("not reached")


def _open_followed(path):
    """The file opened as one that is being written to; None if it cannot be followed so."""
    try:
        return h5py.File(path, "r", libver="latest", swmr=True)
    except (OSError, ValueError):
        return None


def one_line(error):
    """The words of an error of HDF5 on one line."""
    return " ".join(str(error).split())
