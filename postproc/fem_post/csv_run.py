"""A CSV file as a run to compare with: a column of times and one column a history."""

import csv
import re
from collections import defaultdict
from pathlib import Path

import numpy as np

from fem_post.comparison import ComparisonError
from fem_post.compared_runs import Run, plain_run, section_quantity
from fem_post.quantities import Place, Quantity, merge
from fem_post.results import ResultsError
from fem_post.scalar_names import ScalarNameError, parse, unit_in, without_unit

_TIME = re.compile(r"(t|time|load[ _]factor)$", re.IGNORECASE)


class CsvTable:
    """The columns of a file: `time` [rows], and name → (ScalarName, unit, values)."""

    def __init__(self, path, names=None):
        self.path = Path(path)
        header, values = _read(self.path)
        names = names or {}
        unknown = [name for name in names if name not in map(str.strip, header)]
        if unknown:
            raise ComparisonError(f"{path} has no column {unknown[0]!r}: it has "
                                  f"{', '.join(header[:12])}")
        self.time, self.columns = None, []
        for k, heading in enumerate(header):
            heading = heading.strip()
            if heading not in names and _TIME.fullmatch(without_unit(heading)):
                self.time = values[:, k]
                continue
            if names and heading not in names:
                continue  # whoever names columns takes those
            try:
                self.columns.append((parse(names.get(heading, heading)), unit_in(heading),
                                     values[:, k]))
            except ScalarNameError as error:
                raise ComparisonError(f"{path}: {error}; --column '{heading}=NAME' gives it a "
                                      "name") from error
        if self.time is None:
            raise ComparisonError(f"{path} has no column of times, headed t or time")
        if not self.columns:
            raise ComparisonError(f"{path} has no column but its times")


def _read(path):
    """(header, values [rows, columns])."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ResultsError(f"{path} cannot be read as text: {error}") from error
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)
             if line.strip() and not line.lstrip().startswith("#")]
    if len(lines) < 2:
        raise ResultsError(f"{path} has no line of headings and rows of numbers")
    mark = max(",;\t", key=lines[0][1].count)
    table = list(csv.reader((line for _, line in lines), delimiter=mark))
    values = np.full((len(table) - 1, len(table[0])), np.nan)
    for row, cells in enumerate(table[1:]):
        number = lines[row + 1][0]
        if len(cells) != len(table[0]):
            raise ResultsError(f"{path}, line {number}: {len(cells)} cells under "
                               f"{len(table[0])} headings")
        for column, cell in enumerate(cells):
            try:
                values[row, column] = float(cell) if cell.strip() else np.nan
            except ValueError:
                raise ResultsError(f"{path}, line {number}: {cell!r} is not a number") from None
    return table[0], values


def csv_run(table, lengths):
    """Run of a table; `lengths`: of rods, m, to place sections that are given as shares."""
    found = []
    for name, unit, values in table.columns:
        def load(numbers, values=values):
            return np.repeat(values[:, None], len(numbers), axis=1)
        found.append(Quantity(name.column, unit, [_place(name, lengths)], load))
    places = defaultdict(set)
    for quantity in found:
        if quantity.places[0] in places[quantity.name]:
            raise ComparisonError(f"{table.path} has two columns for {quantity.name} of "
                                  f"{quantity.places[0]}")
        places[quantity.name].add(quantity.places[0])
    finite = all(np.isfinite(values).all() for _, _, values in table.columns)
    return Run(str(table.path), table.time, "t (s)", merge(found), not_finite=not finite)


def _place(name, lengths):
    if name.place is None:
        return Place(name.object, name.component)
    length = lengths.get(name.object)
    if name.share and length is None:
        return Place(name.object, name.component, f"s = {100 * name.place:.6g}%")
    at = name.place * (length if name.share else 1.0)
    return Place(name.object, name.component, f"s = {at:.6g} m")


def results_for(results, table):
    """Run of a results file with what the columns of a table name, and no more."""
    run = plain_run(results)
    run.events = []  # a table has none
    wanted = defaultdict(set)
    lengths = {name: rod.length for name, rod in results.rods.items()}
    sections = []
    for name, _, _ in table.columns:
        wanted[name.column].add(_place(name, lengths))
        rod = results.rods.get(name.object)
        if name.place is not None and rod is not None and rod.length is not None:
            share = name.place if name.share else name.place / rod.length
            if not share <= 1 + 1e-9:
                raise ComparisonError(f"{table.path}: {name.place:g} m is not on rod {rod.name!r}, "
                                      f"which is {rod.length:g} m long")
            sections.append(section_quantity(results, rod.name, name.quantity, [min(share, 1.0)]))
    quantities = merge([*run.quantities.values(), *sections])
    run.quantities = {name: _only(quantity, wanted[name]) for name, quantity in quantities.items()
                      if name in wanted and wanted[name] & set(quantity.places)}
    return run


def _only(quantity, places):
    """The quantity at some of its places."""
    numbers = np.array([k for k, place in enumerate(quantity.places) if place in places])

    def some(load):
        return load and (lambda asked: load(numbers[np.asarray(asked)]))
    return Quantity(quantity.name, quantity.unit, [quantity.places[k] for k in numbers],
                    some(quantity.load), some(quantity.rate), some(quantity.second))
