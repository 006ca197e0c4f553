"""What the commands of fem-post share: exit codes, messages, files, types of arguments.

A command is a module of fem_post.commands with a COMMAND: its name, a line of help, a function that
declares its arguments and a function that runs it and returns the exit code. Modules that draw or
do algebra are imported by the functions that need them, so that every command starts at once.
"""

import argparse
import os
import sys
from collections import namedtuple
from contextlib import contextmanager, suppress
from pathlib import Path

DONE, DIFFERENT, WRONG_ARGUMENTS, NOT_FINITE, FILE_TROUBLE, BUG, INTERRUPTED = \
    0, 1, 2, 3, 4, 70, 130

Command = namedtuple("Command", "name help declare run")


class WriteError(Exception):
    """A file cannot be written; the message is one line."""


def say(message):
    """A message, on standard error."""
    print(f"fem-post: {message}", file=sys.stderr)


def wrong(message):
    """Say what is wrong with the arguments; their exit code."""
    say(message)
    return WRONG_ARGUMENTS


def print_out(text):
    """Text to standard output, at once: a reader who has had enough is noticed here."""
    sys.stdout.write(text)
    sys.stdout.flush()


@contextmanager
def partial_file(path):
    """A place beside `path` to write a file to before it takes its name; removed at the end."""
    path = Path(path)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield partial
    except OSError as error:
        raise WriteError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            partial.unlink()


@contextmanager
def complete_file(path):
    """The place to write a file to; it appears at `path` only when it is complete."""
    with partial_file(path) as partial:
        yield partial
        partial.replace(path)
    say(f"wrote {path}")


def write_file(path, data):
    """Write bytes; the file appears only when it is complete."""
    with complete_file(path) as partial:
        partial.write_bytes(data)


def positive(text):
    """An argument that is a positive number."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return value


def declare_results(parser):
    """The results file, the first argument of most commands."""
    parser.add_argument("results", type=Path, metavar="RESULTS.h5")


def check_values(results):
    """Say which data are not finite; they are left out of the pictures."""
    found = results.not_finite()
    for trouble in found:
        say(trouble)
    for note in results.notes:
        say(note)
    return found
