"""fem-post compare: where and by how much two runs differ."""

import argparse
from contextlib import ExitStack
from pathlib import Path

from fem_post.command import DIFFERENT, DONE, NOT_FINITE, Command, print_out, wrong
from fem_post.results import Results


def _tolerance(text):
    """QUANTITY=X: (pattern, value)."""
    pattern, mark, value = text.rpartition("=")
    if not mark or not pattern:
        raise argparse.ArgumentTypeError(f"{text!r} is not QUANTITY=X, as in points/position=1e-8")
    return pattern, _not_negative(value)


def _not_negative(text):
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number ≥ 0")
    return value


def _column(text):
    """HEADING=NAME."""
    heading, mark, name = text.rpartition("=")
    if not mark or not heading.strip() or not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not HEADING=NAME, as in "
                                         "'Tip X [m]=points/C/position/X'")
    return heading.strip(), name.strip()


def _declare(parser):
    parser.add_argument("first", type=Path, metavar="A", help="results file, or CSV")
    parser.add_argument("second", type=Path, metavar="B", help="results file, or CSV")
    parser.add_argument("--relative", type=_not_negative, metavar="X", default=1e-9,
                        help="accepted difference over the largest value of the quantity; by "
                             "default 1e-9")
    parser.add_argument("--absolute", type=_tolerance, action="append", default=[],
                        metavar="QUANTITY=X", help="accepted difference of quantities (* and ? "
                        "stand for any letters), in their unit; may be given again, the last that "
                        "fits holds")
    parser.add_argument("--only", action="append", default=[], metavar="QUANTITY",
                        help="compare these quantities: points/position, rods/*; may be given "
                             "again; by default all but solver/*")
    parser.add_argument("--ignore", action="append", default=[], metavar="QUANTITY",
                        help="leave these out; may be given again")
    parser.add_argument("--from", type=float, dest="begin", metavar="T", help="first time")
    parser.add_argument("--to", type=float, dest="end", metavar="T", help="last time")
    parser.add_argument("--common", action="store_true",
                        help="compare what both have; by default what only one has is a "
                             "difference")
    parser.add_argument("--column", type=_column, action="append", default=[],
                        metavar="HEADING=NAME", help="what a column of a CSV file is; may be given "
                        "again; other columns are then left out")
    parser.add_argument("--all", action="store_true", help="list quantities without difference, "
                        "too")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def _open(stack, path, columns):
    """Results or CsvTable."""
    import h5py

    from fem_post.csv_run import CsvTable

    if path.is_file() and not h5py.is_hdf5(path) and path.suffix.lower() not in (".h5", ".hdf5"):
        return CsvTable(path, dict(columns))
    return stack.enter_context(Results(path))


def _runs(first, second):
    """(Run, Run) of what was opened."""
    from fem_post.compared_runs import comparable
    from fem_post.csv_run import CsvTable, csv_run, results_for

    tables = [side for side in (first, second) if isinstance(side, CsvTable)]
    if not tables:
        return comparable(first, second)
    lengths = {}
    for side in (first, second):
        if not isinstance(side, CsvTable):
            lengths = {name: rod.length for name, rod in side.rods.items()}
    return [csv_run(side, lengths) if isinstance(side, CsvTable) else results_for(side, tables[0])
            for side in (first, second)]


def _run(arguments):
    from fem_post.comparison import ComparisonError, Judgement, compare
    from fem_post.comparison_text import as_json, as_table

    judgement = Judgement(arguments.relative, tuple(arguments.absolute), tuple(arguments.only),
                          tuple(arguments.ignore), arguments.begin, arguments.end,
                          arguments.common)
    with ExitStack() as stack:
        try:
            sides = [_open(stack, path, arguments.column)
                     for path in (arguments.first, arguments.second)]
            comparison = compare(*_runs(*sides), judgement)
        except ComparisonError as error:
            return wrong(error)
        if not comparison.differences:
            return wrong("there is nothing to compare: no quantity is in both and asked for")
        print_out(as_json(comparison) if arguments.json else as_table(comparison, arguments.all))
    if not comparison.within:
        return DIFFERENT
    return NOT_FINITE if comparison.not_finite else DONE


COMMAND = Command("compare", "where and by how much two runs differ", _declare, _run)
