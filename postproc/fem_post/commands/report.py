"""fem-post report: the summary of a run, as one page or as text."""

from pathlib import Path

from fem_post.command import (DONE, NOT_FINITE, Command, check_values, declare_results, print_out,
                              write_file)
from fem_post.pictures import declare_pictures, pictures
from fem_post.results import Results


def _declare(parser):
    declare_results(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.html",
                        help="the page; by default RESULTS_report.html beside the results")
    parser.add_argument("--text", action="store_true",
                        help="print the summary as plain text; a page only if -o asks for one")
    declare_pictures(parser)


def _run(arguments):
    from fem_post.report import as_html, as_text, make_report

    with Results(arguments.results) as results:
        not_finite = check_values(results)
        report = make_report(results, not_finite)
        if arguments.text:
            print_out(as_text(report))
        if arguments.output or not arguments.text:
            from fem_post.style import rendered

            drawn = [(heading, rendered(figure, "png", dpi=150)) for _, heading, figure in
                     pictures(results, "", arguments.every, arguments.balance_limit)]
            page = arguments.output or results.path.with_name(f"{results.path.stem}_report.html")
            write_file(page, as_html(report, drawn).encode())
    return NOT_FINITE if not_finite else DONE


COMMAND = Command("report", "one HTML page, or plain text, that sums up a run", _declare, _run)
