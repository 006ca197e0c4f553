"""fem-post plot: pictures into a folder."""

from fem_post.command import (DONE, NOT_FINITE, Command, check_values, declare_results, write_file)
from fem_post.pictures import declare_output, declare_pictures, pictures
from fem_post.results import Results, ResultsError


def _declare(parser):
    declare_results(parser)
    declare_output(parser)
    declare_pictures(parser)


def _run(arguments):
    from fem_post.style import rendered

    folder = arguments.output or arguments.results.parent
    with Results(arguments.results) as results:
        if not results.rows:
            raise ResultsError(f"{results.path} has no output time yet: nothing to draw")
        not_finite = check_values(results)
        for suffix, _, figure in pictures(results, results.title, arguments.every,
                                          arguments.balance_limit):
            write_file(folder / f"{results.path.stem}_{suffix}.{arguments.format}",
                       rendered(figure, arguments.format, arguments.dpi))
    return NOT_FINITE if not_finite else DONE


COMMAND = Command("plot", "pictures: configurations, coordinates of points, energy",
                  _declare, _run)
