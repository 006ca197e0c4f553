"""The commands of fem-post.

A command is one entry in COMMANDS: its name, a line of help, a function that declares its
arguments and a function that runs it and returns the exit code. Modules that draw are imported
by the commands that need them, so the plain-text report starts without matplotlib.

Exit codes, as those of `fem`: 0 done; 2 wrong arguments; 3 the data have values that are not
finite (everything that can be drawn is drawn); 4 a file could not be read or written;
130 interrupted.
"""

import argparse
import os
import sys
from collections import namedtuple
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from fem_post.results import Results, ResultsError

DONE, WRONG_ARGUMENTS, NOT_FINITE, FILE_TROUBLE, BUG, INTERRUPTED = 0, 2, 3, 4, 70, 130

Command = namedtuple("Command", "name help declare run")


class WriteError(Exception):
    """A file cannot be written; the message is one line."""


def say(message):
    """A message, on standard error."""
    print(f"fem-post: {message}", file=sys.stderr)


def _wrong(message):
    say(message)
    return WRONG_ARGUMENTS


def write_file(path, data):
    """Write bytes; the file appears only when it is complete."""
    path = Path(path)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(data)
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise WriteError(f"{path} cannot be written: {error.strerror or error}") from error
    say(f"wrote {path}")


def positive(text):
    """An argument that is a positive number."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return value


def _interval(parser):
    parser.add_argument("--every", type=positive, metavar="SECONDS",
                        help="time between two configurations; by default a fortieth of the run, "
                             "rounded to 1, 2 or 5: 0.5 for 20 s")
    parser.add_argument("--balance-limit", type=positive, metavar="X",
                        help="mark X, relative to the largest energy, in the energy picture")


def _makers(results, title, every, balance_limit):
    """[(suffix, heading, dataset that it needs, why there may be none, maker of the figure)]."""
    from fem_post.configurations import configurations_figure
    from fem_post.histories import energy_figure, hinges_figure, nodes_figure
    from fem_post.modes import modes_figure
    from fem_post.paths import path_figure

    limits = [(balance_limit, "limit")] if balance_limit else []
    makers = [("configurations", "Configurations", "points/position", "",
               lambda: configurations_figure(results, title, every))]
    if results.analysis == "modes":
        return makers + [("modes", "Modes", "modes/shape", "it has no modes",
                          lambda: modes_figure(results, title))]
    if results.analysis == "statics":
        return makers + [("path", "Load and displacement", "points/position",
                          "nothing moves, or it has less than three points",
                          lambda: path_figure(results, title))]
    makers.append(("nodes", "Coordinates", "points/position", "nothing moves",
                   lambda: nodes_figure(results, title)))
    if results.hinges or results.bodies:
        makers.append(("hinges", "Hinges and bodies", "time", "one instant is no history",
                       lambda: hinges_figure(results, title)))
    return makers + [("energy", "Energy", "energy/kinetic", "one instant is no history",
                      lambda: energy_figure(results, title, limits))]


def _pictures(results, title, every, balance_limit):
    """[(suffix, heading, figure)] of the pictures that the results have data for."""
    pictures = []
    for suffix, heading, needed, none, make in _makers(results, title, every, balance_limit):
        there = results.rows and results.has(needed)
        figure = make() if there else None
        if figure is None:
            say(f"no picture of {suffix}: {none if there else 'no data for it in the file'}")
        else:
            pictures.append((suffix, heading, figure))
    return pictures


def _check_values(results):
    """Say which data are not finite; they are left out of the pictures."""
    found = results.not_finite()
    for trouble in found:
        say(trouble)
    for note in results.notes:
        say(note)
    return found


# fem-post plot

def _output_folder(parser):
    parser.add_argument("-o", "--output", type=Path, metavar="DIR",
                        help="folder of the pictures; by default that of the results")
    parser.add_argument("--format", choices=("png", "pdf", "svg"), default="png")
    parser.add_argument("--dpi", type=positive, metavar="N", default=200,
                        help="dots an inch of PNG pictures; by default 200")


def _declare_plot(parser):
    _output_folder(parser)
    _interval(parser)


def _run_plot(arguments):
    from fem_post.style import rendered

    folder = arguments.output or arguments.results.parent
    with Results(arguments.results) as results:
        if not results.rows:
            raise ResultsError(f"{results.path} has no output time yet: nothing to draw")
        not_finite = _check_values(results)
        for suffix, _, figure in _pictures(results, results.title, arguments.every,
                                           arguments.balance_limit):
            write_file(folder / f"{results.path.stem}_{suffix}.{arguments.format}",
                       rendered(figure, arguments.format, arguments.dpi))
    return NOT_FINITE if not_finite else DONE


# fem-post modes

def _declare_modes(parser):
    _output_folder(parser)
    parser.add_argument("--mode", type=int, action="append", metavar="K",
                        help="number of a mode, from 1; may be given again; by default the first "
                             "12")
    parser.add_argument("--amplitude", type=positive, metavar="X", default=0.1,
                        help="largest displacement drawn, as a share of the structure's size; "
                             "by default 0.1")


def _run_modes(arguments):
    from fem_post.modes import modes_figure
    from fem_post.style import rendered

    folder = arguments.output or arguments.results.parent
    with Results(arguments.results) as results:
        if not results.modes:
            raise ResultsError(f"{results.path} has no modes: make them with "
                               "fem modes CASE.json -o RESULTS.h5")
        count = len(results.modes)
        chosen = arguments.mode or range(1, count + 1)
        for number in chosen:
            if not 1 <= number <= count:
                return _wrong(f"there is no mode {number}: {results.path} has 1 to {count}")
        not_finite = _check_values(results)
        figure = modes_figure(results, results.title, [k - 1 for k in chosen],
                              arguments.amplitude)
        write_file(folder / f"{results.path.stem}_modes.{arguments.format}",
                   rendered(figure, arguments.format, arguments.dpi))
    return NOT_FINITE if not_finite else DONE


# fem-post report

def _declare_report(parser):
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.html",
                        help="the page; by default RESULTS_report.html beside the results")
    parser.add_argument("--text", action="store_true",
                        help="print the summary as plain text; a page only if -o asks for one")
    _interval(parser)


def _run_report(arguments):
    from fem_post.report import as_html, as_text, make_report

    with Results(arguments.results) as results:
        not_finite = _check_values(results)
        report = make_report(results, not_finite)
        if arguments.text:
            sys.stdout.write(as_text(report))
            sys.stdout.flush()
        if arguments.output or not arguments.text:
            from fem_post.style import rendered

            pictures = [(heading, rendered(figure, "png", dpi=150)) for _, heading, figure in
                        _pictures(results, "", arguments.every, arguments.balance_limit)]
            page = arguments.output or results.path.with_name(f"{results.path.stem}_report.html")
            write_file(page, as_html(report, pictures).encode())
    return NOT_FINITE if not_finite else DONE


# fem-post section

def _place(text):
    """An arc coordinate: (number, whether it is a share of the rod)."""
    share = text.endswith("%")
    try:
        value = float(text[:-1] if share else text)
    except ValueError:
        value = float("nan")
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no place on a rod: metres from its start (0.37) or a share of it (25%)")
    return value / 100 if share else value, share


def _declare_section(parser):
    parser.add_argument("rod", nargs="?", metavar="ROD", help="name of the rod; --envelope takes "
                        "all rods if none is named")
    parser.add_argument("--at", type=_place, action="append", metavar="S",
                        help="arc coordinate on the rod as it was placed: metres from its start "
                             "(0.37) or a share of its length (25%%); may be given again; by "
                             "default both ends and the middle")
    parser.add_argument("--time", type=float, action="append", metavar="T",
                        help="the output time nearest to T (statics: load factor); may be given "
                             "again; by default all")
    parser.add_argument("--envelope", action="store_true",
                        help="the largest N, Q, M and fibre stress over the rod and over time, "
                             "and where they are")
    parser.add_argument("--csv", action="store_true", help="comma-separated, with all digits")


def _unknown_rod(results, name):
    near = get_close_matches(name, results.rods, n=1)
    known = ", ".join(list(results.rods)[:8]) + (", …" if len(results.rods) > 8 else "")
    hint = f"did you mean {near[0]!r}?" if near else f"it has {known or 'none'}"
    return f"{results.path} has no rod {name!r}: {hint}"


def _run_section(arguments):
    from fem_post.section_table import (as_csv, as_text, envelope_table, rows_near, states_table)
    from fem_post.sections import PlaceError

    if arguments.envelope and (arguments.at or arguments.time):
        return _wrong("--envelope goes over all places and times: leave out --at and --time")
    if not arguments.envelope and arguments.rod is None:
        return _wrong("name a rod: fem-post section RESULTS.h5 ROD --at S")
    with Results(arguments.results) as results:
        if arguments.rod is not None and arguments.rod not in results.rods:
            return _wrong(_unknown_rod(results, arguments.rod))
        if not results.rows:
            raise ResultsError(f"{results.path} has no output time yet")
        time_name = results.time_name
        try:
            if arguments.envelope:
                rods = [arguments.rod] if arguments.rod is not None else list(results.rods)
                table = envelope_table(results, rods, time_name)
            else:
                length = results.rods[arguments.rod].length or 1.0
                places = [value * length if share else value for value, share in
                          arguments.at or [(0.0, True), (0.5, True), (1.0, True)]]
                rows = range(results.rows) if arguments.time is None else \
                    rows_near(results.time, arguments.time)
                table = states_table(results, arguments.rod, places, rows, time_name)
        except (PlaceError, ValueError) as error:
            return _wrong(error)
        sys.stdout.write((as_csv if arguments.csv else as_text)(*table))
        sys.stdout.flush()
        return NOT_FINITE if _check_values(results) else DONE


COMMANDS = (
    Command("plot", "pictures: configurations, coordinates of points, energy",
            _declare_plot, _run_plot),
    Command("report", "one HTML page, or plain text, that sums up a run",
            _declare_report, _run_report),
    Command("modes", "pictures of the mode shapes that fem modes found",
            _declare_modes, _run_modes),
    Command("section", "N, Q, M and fibre stress anywhere along a rod, and their envelopes",
            _declare_section, _run_section),
)


def make_parser():
    parser = argparse.ArgumentParser(
        prog="fem-post", description="Pictures and reports of libfem results.",
        epilog="Exit codes: 0 done; 2 wrong arguments; 3 values are not finite; 4 a file could "
               "not be read or written; 130 interrupted.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        own = commands.add_parser(command.name, help=command.help, description=command.help)
        own.add_argument("results", type=Path, metavar="RESULTS.h5")
        command.declare(own)
        own.set_defaults(run=command.run)
    return parser


def main(argv=None):
    """Run a command; returns its exit code and never raises (FEM_POST_DEBUG=1: but for bugs)."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a console that has no “–” shows “?”
    try:
        arguments = make_parser().parse_args(argv)
    except SystemExit as end:
        return end.code
    try:
        return arguments.run(arguments)
    except (ResultsError, WriteError) as error:
        say(error)
        return FILE_TROUBLE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:  # noqa: BLE001  (a bug; a traceback tells a user nothing)
        if os.environ.get("FEM_POST_DEBUG"):
            raise
        say(f"{arguments.results}: internal error, {type(error).__name__}: "
            f"{' '.join(str(error).split())} (FEM_POST_DEBUG=1 shows where)")
        return BUG
