"""fem-post export: results for other programs, as XDMF and as CSV."""

import argparse
from pathlib import Path

from fem_post.command import (DONE, NOT_FINITE, Command, check_values, complete_file,
                              declare_results, write_file, wrong)
from fem_post.results import Results, ResultsError


def _pieces(text):
    try:
        value = int(text)
    except ValueError:
        value = 0
    if not 1 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 100")
    return value


def _share(text):
    try:
        value = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share of a rod: 0.25 or 25%")
    return value


def _declare(parser):
    declare_results(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="DIR",
                        help="folder of the files; by default that of the results")
    parser.add_argument("--format", choices=("xdmf", "csv"), action="append",
                        help="may be given again; by default both. xdmf: geometry and fields for "
                             "ParaView, with an HDF5 file beside it; csv: one column a history")
    parser.add_argument("--pieces", type=_pieces, metavar="N", default=4,
                        help="XDMF: straight pieces that an element is drawn by; by default 4")
    parser.add_argument("--at", type=_share, action="append", metavar="SHARE",
                        help="CSV: sections of rods, as shares of their length (25%%); may be "
                             "given again; by default both ends and the middle")


def _export_xdmf(results, folder, stem, pieces):
    from fem_post.xdmf import clock, light, write_heavy

    heavy = f"{stem}_export.h5"
    with complete_file(folder / heavy) as partial:
        described = write_heavy(results, partial, pieces)
    write_file(folder / f"{stem}_export.xdmf",
               light(results.title, heavy, clock(results), described).encode())


def _run(arguments):
    folder = arguments.output or arguments.results.parent
    kinds = list(dict.fromkeys(arguments.format or ("xdmf", "csv")))
    with Results(arguments.results) as results:
        if not results.rows or not results.has("points/position"):
            raise ResultsError(f"{results.path} has no output time with positions")
        not_finite = check_values(results)
        stem = results.path.stem
        if ":" in stem and "xdmf" in kinds:
            return wrong(f"{stem!r} has a colon, which XDMF cannot have in names of files")
        if "xdmf" in kinds:
            _export_xdmf(results, folder, stem, arguments.pieces)
        if "csv" in kinds:
            from fem_post.csv_export import histories_csv

            text = histories_csv(results, arguments.at or (0.0, 0.5, 1.0))
            write_file(folder / f"{stem}_export.csv", text.encode())
    return NOT_FINITE if not_finite else DONE


COMMAND = Command("export", "XDMF for ParaView, and CSV", _declare, _run)
