"""fem-post pack: a results file made smaller, in place or into another file."""

import fcntl
import os
import resource
import struct
from contextlib import contextmanager
from pathlib import Path

from fem_post.command import (DONE, Command, WriteError, declare_results, partial_file, print_out,
                              say, wrong)
from fem_post.results import ResultsError, open_results

_WORTH = 0.99  # a file is replaced by a copy of less than this share of its size
_KINDS = ("libfem_results", "libfem_sweep")  # root attributes of the files that libfem writes


def _declare(parser):
    declare_results(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="OUT.h5",
                        help="write the packed file here and leave the results as they are; by "
                             "default it takes their place when it has been checked bit for bit")


def _checkpoint(path):
    return path.with_name(f"{path.name}.checkpoint")


def _demand_no_checkpoint(path, remedy):
    """A checkpoint counts rows of the very file beside it: packed, that could not go on."""
    if _checkpoint(path).exists():
        raise ResultsError(f"{_checkpoint(path)} stands beside it: the run can go on (fem run "
                           f"CASE.json --resume {path}), and a packed file cannot; {remedy}")


@contextmanager
def _held(path, alone):
    """Keep runs from writing to the file meanwhile; refuse it if one does already.

    The lock of the open file that runs take (libfem/io/output_file.cpp): exclusive if the file is
    to be replaced, else shared with other readers. File systems without locks have no answer.
    """
    try:
        file = os.open(path, os.O_RDWR if alone else os.O_RDONLY)
    except OSError as error:
        raise WriteError(f"{path} cannot be opened{' to be replaced' if alone else ''}: "
                         f"{error.strerror}") from error
    try:
        whole = struct.pack("hhqqi0q", fcntl.F_WRLCK if alone else fcntl.F_RDLCK, os.SEEK_SET,
                            0, 0, 0)
        try:
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, whole)
        except (BlockingIOError, PermissionError) as error:
            raise ResultsError(f"{path}: another program is writing it; pack it when the run has "
                               "ended") from error
        except OSError:
            pass
        yield os.fstat(file)
    finally:
        os.close(file)


def _demand_kind(file, path):
    if not any(kind in file.attrs for kind in _KINDS):
        raise ResultsError(f"{path} is not a results file of libfem")


def _demand_results_or_nothing(path):
    """-o must not cost anybody a file: what stands there must be results, of a run that ended."""
    if not path.exists():
        return
    with _held(path, alone=True):
        file, _ = open_results(path)
        with file:
            _demand_kind(file, path)
    _demand_no_checkpoint(path, "name another file with -o")


def _size(count):
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"


def _demand_space(folder, count, output):
    """The copy is not larger than the original; whether so much fits is known before it is made."""
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if limit != resource.RLIM_INFINITY and limit < count:
        raise WriteError(f"{output} cannot be written: files of {_size(count)}, which it may need, "
                         f"are above the limit of this process (ulimit -f)")
    room = os.statvfs(folder)
    if room.f_bavail * room.f_frsize < count:
        raise WriteError(f"{output} cannot be written: it may need {_size(count)}, there are "
                         f"{_size(room.f_bavail * room.f_frsize)} left in {folder}; -o names "
                         "another place")


def _unchanged(before, path):
    now = os.stat(path)
    return all(getattr(now, name) == getattr(before, name)
               for name in ("st_dev", "st_ino", "st_size", "st_mtime_ns"))


def _take_place(partial, output, source, before):
    """Give the copy its name when it is on the disk, and the original still is what was copied."""
    os.chmod(partial, before.st_mode & 0o7777)
    file = os.open(partial, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
    if not _unchanged(before, source):
        raise ResultsError(f"{source} changed while it was packed; it is kept as it is now")
    partial.replace(output)


def _pack(source, output, in_place):
    from fem_post.compressed_copy import copy_compressed, has_incomplete_rows

    with _held(source, alone=in_place) as before, partial_file(output) as partial:
        if in_place:
            _demand_no_checkpoint(source, "name another file with -o")
        _demand_space(partial.parent, before.st_size, output)
        file, _ = open_results(source)
        with file:
            _demand_kind(file, source)
            if has_incomplete_rows(file):
                say(f"{source}: rows that were not complete when the run was killed are left out")
            copy_compressed(file, partial)
        size, packed = before.st_size, partial.stat().st_size
        if in_place and packed > _WORTH * size:
            print_out(f"{source}: {_size(size)}, as small as it gets; left as it is\n")
            return
        _take_place(partial, output, source, before)
    print_out(f"{output}: {_size(size)} before, {_size(packed)} packed, "
              f"{size / packed:.3g} times smaller\n")


def _run(arguments):
    given, output = arguments.results, arguments.output
    if given.is_dir() or not given.exists():
        open_results(given)  # says what is wrong
    source = given.resolve()  # of a link the file that it leads to is replaced, not the link
    if output is not None and output.is_dir():
        return wrong(f"{output} is a folder; -o names the file")
    in_place = output is None or output.resolve() == source or \
        output.exists() and output.samefile(source)
    if not in_place:
        _demand_results_or_nothing(output)
    _pack(source, source if in_place else output.resolve(), in_place)
    return DONE


COMMAND = Command("pack", "a finished results file, compressed; the same to every reader",
                  _declare, _run)
