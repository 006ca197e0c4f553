"""The program fem-post: its arguments, and what becomes of a command that fails.

Exit codes, as those of `fem`: 0 done; 1 the results that were compared differ; 2 wrong arguments;
3 the data have values that are not finite (everything that can be drawn is drawn); 4 a file could
not be read or written; 130 interrupted.
"""

import argparse
import os
import sys

from fem_post.command import (BUG, DONE, FILE_TROUBLE, INTERRUPTED, WriteError, say)
from fem_post.commands import COMMANDS
from fem_post.results import ResultsError


def make_parser():
    parser = argparse.ArgumentParser(
        prog="fem-post", description="Pictures, reports and comparisons of libfem results.",
        epilog="Exit codes: 0 done; 1 compared results differ; 2 wrong arguments; 3 values are not "
               "finite; 4 a file could not be read or written; 130 interrupted.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        own = commands.add_parser(command.name, help=command.help, description=command.help)
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
        say(f"{arguments.command}: internal error, {type(error).__name__}: "
            f"{' '.join(str(error).split())} (FEM_POST_DEBUG=1 shows where)")
        return BUG
