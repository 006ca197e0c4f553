"""fem-post animate: a run as a film or as a page that plays it."""

from pathlib import Path

from fem_post.command import (DONE, NOT_FINITE, Command, check_values, declare_results, positive,
                              write_file, wrong)
from fem_post.results import Results, ResultsError


def _declare(parser):
    declare_results(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="DIR",
                        help="folder of the files; by default that of the results")
    parser.add_argument("--format", choices=("html", "gif", "mp4"), action="append",
                        help="may be given again; by default html and gif. html: one page that "
                             "plays, pauses, scrubs and tells values; mp4 needs ffmpeg")
    parser.add_argument("--seconds", type=positive, metavar="N", default=10.0,
                        help="how long the whole run plays; by default 10")
    parser.add_argument("--fps", type=positive, metavar="N", default=20.0,
                        help="pictures a second of films; by default 20")
    parser.add_argument("--dpi", type=positive, metavar="N", default=100.0,
                        help="dots an inch of films; by default 100")


def _run(arguments):
    from fem_post.animation_page import animation_page
    from fem_post.movie import NoEncoder, check_encoder, film

    kinds = list(dict.fromkeys(arguments.format or ("html", "gif")))
    try:
        for kind in kinds:
            check_encoder(kind)
    except NoEncoder as error:
        return wrong(error)
    folder = arguments.output or arguments.results.parent
    with Results(arguments.results) as results:
        if not results.rows or not results.has("points/position"):
            raise ResultsError(f"{results.path} has no output time with positions: nothing to draw")
        not_finite = check_values(results)
        for kind in kinds:
            data = animation_page(results, results.title, arguments.seconds).encode() \
                if kind == "html" else film(results, kind, results.title, arguments.seconds,
                                            arguments.fps, arguments.dpi)
            write_file(folder / f"{results.path.stem}_animation.{kind}", data)
    return NOT_FINITE if not_finite else DONE


COMMAND = Command("animate", "a film (GIF, MP4) and a page that plays the run", _declare, _run)
