"""fem-post section: forces, stresses and places of sections as a table."""

import argparse
from difflib import get_close_matches

from fem_post.command import (DONE, NOT_FINITE, Command, check_values, declare_results, print_out,
                              wrong)
from fem_post.results import Results, ResultsError


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


def _declare(parser):
    declare_results(parser)
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


def _run(arguments):
    from fem_post.section_table import (as_csv, as_text, envelope_table, rows_near, states_table)
    from fem_post.sections import PlaceError

    if arguments.envelope and (arguments.at or arguments.time):
        return wrong("--envelope goes over all places and times: leave out --at and --time")
    if not arguments.envelope and arguments.rod is None:
        return wrong("name a rod: fem-post section RESULTS.h5 ROD --at S")
    with Results(arguments.results) as results:
        if arguments.rod is not None and arguments.rod not in results.rods:
            return wrong(_unknown_rod(results, arguments.rod))
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
            return wrong(error)
        print_out((as_csv if arguments.csv else as_text)(*table))
        return NOT_FINITE if check_values(results) else DONE


COMMAND = Command("section", "N, Q, M and fibre stress anywhere along a rod, and their envelopes",
                  _declare, _run)
