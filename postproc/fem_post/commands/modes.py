"""fem-post modes: mode shapes as pictures."""

from fem_post.command import (DONE, NOT_FINITE, Command, check_values, declare_results, positive,
                              write_file, wrong)
from fem_post.pictures import declare_output
from fem_post.results import Results, ResultsError


def _declare(parser):
    declare_results(parser)
    declare_output(parser)
    parser.add_argument("--mode", type=int, action="append", metavar="K",
                        help="number of a mode, from 1; may be given again; by default the first "
                             "12")
    parser.add_argument("--amplitude", type=positive, metavar="X", default=0.1,
                        help="largest displacement drawn, as a share of the structure's size; "
                             "by default 0.1")


def _run(arguments):
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
                return wrong(f"there is no mode {number}: {results.path} has 1 to {count}")
        not_finite = check_values(results)
        figure = modes_figure(results, results.title, [k - 1 for k in chosen],
                              arguments.amplitude)
        write_file(folder / f"{results.path.stem}_modes.{arguments.format}",
                   rendered(figure, arguments.format, arguments.dpi))
    return NOT_FINITE if not_finite else DONE


COMMAND = Command("modes", "pictures of the mode shapes that fem modes found", _declare, _run)
