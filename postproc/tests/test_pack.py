"""fem-post pack: a smaller file that nobody can tell from the original but by its size."""

import fcntl
import os
import resource
import struct
import subprocess
import sys
from collections import namedtuple

import h5py
import numpy as np
import pytest

import synthetic
from fem_post import compressed_copy
from fem_post.compressed_copy import copy_compressed
from fem_post.command import WriteError
from fem_post.main import main
from test_commands import PROGRAM

Done = namedtuple("Done", "returncode stdout stderr")


@pytest.fixture
def run(capsys):
    """The program in this process: what it says and its exit code."""
    def call(*arguments):
        code = main([str(a) for a in arguments])
        return Done(code, *capsys.readouterr())
    return call


def everything(path):
    """[(name, attributes, values)] of all objects in their order: bytes, types and shapes."""
    found = []

    def note(item):
        attributes = [(name, item.attrs.get_id(name).get_type().encode(),
                       np.asarray(item.attrs[name]).tolist()) for name in item.attrs]
        if isinstance(item, h5py.Dataset):
            value = item[()]
            bits = value.tolist() if item.dtype.kind == "O" and item.ndim else \
                value.tobytes() if isinstance(value, (np.ndarray, np.generic)) else value
            found.append((item.name, attributes, item.id.get_type().encode(), item.shape,
                          item.maxshape, bits))
            return
        found.append((item.name, attributes))
        for name in item:
            note(item[name])
    with h5py.File(path, "r") as file:
        note(file)
    return found


def rich_file(path):
    """A file as the recorder makes it: links in order, attributes of every kind."""
    synthetic.write(path, bend=0.3, libver="v110")
    with h5py.File(path, "a") as file:
        ordered = file.create_group("zoo", track_order=True)
        for name in ("z", "a", "стержень", "m"):
            ordered[name] = np.arange(3.0)
        ordered.attrs["texts"] = np.array(["α", ""], dtype=h5py.string_dtype())
        ordered.attrs["none"] = h5py.Empty("f8")
        ordered.attrs["empty"] = np.array([], dtype=h5py.string_dtype())
        ordered.attrs["fixed"] = np.bytes_("a\0b")
        ordered.attrs["flag"], ordered.attrs["small"] = np.int8(-3), np.float32(0.1)
        ordered["texts"] = np.array(["α" * 2000, "b"], dtype=h5py.string_dtype())
        ordered["nothing"] = h5py.Empty("f8")
        ordered["big_endian"] = np.arange(1000, dtype=">i2")
        wide = file.create_dataset("energy/wide", (401, 3, 2), maxshape=(None, 3, 2),
                                   chunks=(7, 2, 2))
        wide[...] = np.random.default_rng(1).normal(size=wide.shape)
        nan = np.array([0x7FF8000000001234, 0xFFF0000000000000], dtype="u8").view("f8")
        file["energy/strain"][:2] = nan
        file.create_dataset("events/none", (0,), maxshape=(None,), chunks=(16,), dtype="f8")
    return path


def test_a_packed_file_has_every_bit_and_is_smaller(run, tmp_path):
    path = rich_file(tmp_path / "a.h5")
    os.chmod(path, 0o640)
    before, size = everything(path), path.stat().st_size
    done = run("pack", path)
    assert done.returncode == 0, done.stderr
    assert everything(path) == before
    assert path.stat().st_size < 0.7 * size
    assert path.stat().st_mode & 0o777 == 0o640
    assert f"{path}: " in done.stdout and "times smaller" in done.stdout
    assert [p.name for p in tmp_path.iterdir()] == ["a.h5"]
    with h5py.File(path, "r") as file:
        for name in ("time", "energy/wide", "points/position", "events/what", "points/names"):
            table = file[name]
            assert (table.compression, table.compression_opts, table.shuffle) == ("gzip", 4, True)
        assert list(file["zoo"])[:4] == ["z", "a", "стержень", "m"]


def test_packed_again_nothing_changes(run, tmp_path):
    path = rich_file(tmp_path / "a.h5")
    run("pack", path)
    bits, when = path.read_bytes(), path.stat().st_mtime_ns
    done = run("pack", path)
    assert done.returncode == 0 and "as small as it gets" in done.stdout
    assert path.stat().st_mtime_ns == when
    assert run("pack", path, "-o", tmp_path / "b.h5").returncode == 0
    assert (tmp_path / "b.h5").read_bytes() == bits


def test_equal_files_give_equal_files(run, tmp_path):
    for name in ("a", "b"):
        rich_file(tmp_path / f"{name}.h5")
        run("pack", tmp_path / f"{name}.h5")
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()


def without_file_hash(text):
    """A report names the hash of its file: the one thing that packing changes."""
    return [line for line in text.splitlines() if "Results SHA-256" not in line]


@pytest.mark.parametrize("arguments", [("compare",), ("report", "--text"),
                                       ("section", "--envelope"), ("export", "--format", "csv")])
def test_every_reader_reads_packed_files(run, results_file, tmp_path, arguments):
    packed = tmp_path / "packed" / results_file.name
    assert run("pack", results_file, "-o", packed).returncode == 0
    if arguments == ("compare",):
        done = run("compare", results_file, packed, "--relative", "1e-300")
        assert done.returncode == 0 and "differ" not in done.stdout
        return
    one, other = (run(arguments[0], path, *arguments[1:]) for path in (results_file, packed))
    assert one.returncode == other.returncode == 0
    assert without_file_hash(one.stdout) == without_file_hash(other.stdout)


def test_modes_keep_all_their_shapes(run, tmp_path):
    path = synthetic.write_modes(tmp_path / "m.h5")
    with h5py.File(path, "a") as file:  # tables that grow, as `fem modes` writes them
        for name in ("time", "modes/shape"):
            values = file[name][()]
            del file[name]
            file.create_dataset(name, data=values, maxshape=(None, *values.shape[1:]))
    before = everything(path)
    assert run("pack", path, "-o", tmp_path / "p.h5").returncode == 0
    assert everything(tmp_path / "p.h5") == before


def test_sweeps_are_packed_too(run, tmp_path):
    with h5py.File(tmp_path / "s.h5", "w") as file:
        file.attrs["libfem_sweep"] = 1
        file["outputs/tip"] = np.zeros(5000)
    assert run("pack", tmp_path / "s.h5").returncode == 0
    assert (tmp_path / "s.h5").stat().st_size < 5000


def test_rows_that_a_kill_left_incomplete_are_left_out(run, tmp_path):
    path = synthetic.write(tmp_path / "a.h5", rows=100, finished=False)
    with h5py.File(path, "a") as file:
        for name in ("energy/kinetic", "rods/rod1/angle"):
            file[name].resize(107, axis=0)
        file["events/name"].resize(6, axis=0)
    done = run("pack", path, "-o", tmp_path / "p.h5")
    assert done.returncode == 0 and "rows that were not complete" in done.stderr
    with h5py.File(tmp_path / "p.h5", "r") as file, h5py.File(path, "r") as original:
        assert len(file["energy/kinetic"]) == len(file["rods/rod1/angle"]) == 100
        assert len(file["events/name"]) == len(file["events/time"])
        assert np.array_equal(file["rods/rod1/angle"], original["rods/rod1/angle"][:100])


def demand_refused(done, path, words, bits):
    assert done.returncode == 4, (done.stdout, done.stderr)
    assert words in done.stderr and len(done.stderr.splitlines()) == 1
    assert "internal error" not in done.stderr and not done.stdout
    assert path.read_bytes() == bits
    assert not list(path.parent.glob("*.part"))


def test_a_file_that_a_run_is_writing_is_refused(run, results_file, tmp_path):
    bits = results_file.read_bytes()
    lock = struct.pack("hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    with open(results_file, "r+b") as writer:
        fcntl.fcntl(writer, fcntl.F_OFD_SETLK, lock)
        demand_refused(run("pack", results_file), results_file, "another program is writing", bits)
        demand_refused(run("pack", results_file, "-o", tmp_path / "b.h5"), results_file,
                       "another program is writing", bits)
        other = synthetic.write(tmp_path / "other.h5")
        demand_refused(run("pack", other, "-o", results_file), results_file,
                       "another program is writing", bits)
    assert run("pack", results_file).returncode == 0


def test_a_run_cannot_begin_in_a_file_that_is_packed(results_file, monkeypatch):
    from fem_post.commands import pack

    lock = struct.pack("hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    with pack._held(results_file, alone=True), open(results_file, "r+b") as writer:
        with pytest.raises(BlockingIOError):
            fcntl.fcntl(writer, fcntl.F_OFD_SETLK, lock)


def test_a_run_that_can_go_on_is_packed_into_another_file_only(run, results_file, tmp_path):
    bits = results_file.read_bytes()
    checkpoint = tmp_path / "case.h5.checkpoint"
    checkpoint.write_text("state")
    (tmp_path / "link.h5").symlink_to(results_file)
    for arguments in ((results_file,), (results_file, "-o", results_file), (tmp_path / "link.h5",)):
        demand_refused(run("pack", *arguments), results_file, "case.h5.checkpoint", bits)
    assert run("pack", results_file, "-o", tmp_path / "p.h5").returncode == 0
    demand_refused(run("pack", tmp_path / "p.h5", "-o", results_file), results_file,
                   "case.h5.checkpoint", bits)
    assert checkpoint.read_text() == "state"


def test_files_that_are_no_results_are_neither_read_nor_replaced(run, results_file, tmp_path):
    (tmp_path / "case.json").write_text("{}")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = 1.0
    for name, words in (("case.json", "is not an HDF5 file"),
                        ("other.h5", "is not a results file")):
        path = tmp_path / name
        bits = path.read_bytes()
        demand_refused(run("pack", path), path, words, bits)
        demand_refused(run("pack", results_file, "-o", path), path, words, bits)
    done = run("pack", tmp_path / "missing.h5")
    assert done.returncode == 4 and "does not exist" in done.stderr
    assert run("pack", tmp_path).returncode == 4
    assert run("pack", results_file, "-o", tmp_path).returncode == 2


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_file_cut_short_is_kept(run, results_file, share):
    with open(results_file, "r+b") as file:
        file.truncate(int(share * results_file.stat().st_size))
    bits = results_file.read_bytes()
    done = run("pack", results_file)
    demand_refused(done, results_file, "fem-post: ", bits)


def test_a_damaged_chunk_is_named(run, tmp_path):
    path = tmp_path / "a.h5"
    synthetic.write(path)
    run("pack", path)
    with h5py.File(path, "r") as file:
        place = file["points/position"].id.get_chunk_info(0).byte_offset
    with open(path, "r+b") as file:
        file.seek(place)
        file.write(b"\xff" * 40)
    bits = path.read_bytes()
    demand_refused(run("pack", path), path, "/points/position cannot be read", bits)


@pytest.mark.parametrize("add", [
    lambda file: file.__setitem__("soft", h5py.SoftLink("/time")),
    lambda file: file.__setitem__("out", h5py.ExternalLink("x.h5", "/time")),
    lambda file: file.attrs.create("to", file["time"].ref, dtype=h5py.ref_dtype),
    lambda file: file.create_dataset("lists", (2,), dtype=h5py.vlen_dtype("f8"))])
def test_what_no_run_writes_is_not_lost(run, results_file, add):
    with h5py.File(results_file, "a") as file:
        add(file)
    bits = results_file.read_bytes()
    demand_refused(run("pack", results_file), results_file, "runs write no", bits)


@pytest.mark.parametrize("where", ["before", "meanwhile"])
def test_a_full_disk_leaves_the_original(tmp_path, where):
    """On a file system of its own, of 256 KiB; the packed file needs more."""
    path = rich_file(tmp_path / "a.h5")
    bits = path.read_bytes()
    (tmp_path / "small").mkdir()
    program = ("import sys\n"
               "from fem_post import main\n"
               "from fem_post.commands import pack\n"
               f"if {where!r} == 'meanwhile': pack._demand_space = lambda *_: None\n"
               "code = main.main(['pack', *sys.argv[1:]])\n"
               "print(code, flush=True)\n")
    mounted = ["unshare", "-rm", "sh", "-c",
               f"mount -t tmpfs -o size=256k tmpfs {tmp_path}/small || exit 77; "
               f'"$@"; code=$?; ls -A {tmp_path}/small; exit $code', "sh"]
    done = subprocess.run([*mounted, sys.executable, "-B", "-c", program, path, "-o",
                           tmp_path / "small/p.h5"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(PROGRAM.parent)})
    if done.returncode in (1, 77) and not done.stdout:
        pytest.skip(f"no file system of one's own here: {done.stderr}")
    assert (done.returncode, done.stdout) == (0, "4\n"), done.stderr
    assert "cannot be written" in done.stderr and path.read_bytes() == bits


def test_the_limit_of_the_size_of_files_is_told(run, results_file):
    bits = results_file.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(bits) // 2, limits[1]))
    try:
        done = run("pack", results_file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    demand_refused(done, results_file, "ulimit -f", bits)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interruption_leaves_the_original(results_file, name):
    bits = results_file.read_bytes()
    program = ("import os, runpy, signal, sys\n"
               "from fem_post import compressed_copy\n"
               "read = compressed_copy._read\n"
               "def stop(dataset, block):\n"
               f"    if dataset.name == '/rods/rod2/angle': os.kill(os.getpid(), signal.{name})\n"
               "    return read(dataset, block)\n"
               "compressed_copy._read = stop\n"
               "sys.argv = [sys.argv[1], 'pack', sys.argv[2]]\n"
               "runpy.run_path(sys.argv[0], run_name='__main__')\n")
    done = subprocess.run([sys.executable, "-B", "-c", program, PROGRAM, results_file],
                          capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(PROGRAM.parent)})
    assert done.returncode == 130, done.stderr
    assert results_file.read_bytes() == bits
    assert [p.name for p in results_file.parent.iterdir()] == ["case.h5"]


def test_an_original_that_changed_meanwhile_is_kept(results_file, monkeypatch, capsys):
    def change(file, path):
        copy_compressed(file, path)
        os.utime(results_file, ns=(1, 1))
    monkeypatch.setattr(compressed_copy, "copy_compressed", change)
    bits = results_file.read_bytes()
    assert main(["pack", str(results_file)]) == 4
    assert "changed while it was packed" in capsys.readouterr().err
    assert results_file.read_bytes() == bits


@pytest.mark.parametrize("spoil, words", [
    (lambda copy: copy["energy/kinetic"].__setitem__(400, 0.5), "values of /energy/kinetic"),
    (lambda copy: copy["time"].attrs.__setitem__("unit", "min"), "attribute unit of /time"),
    (lambda copy: copy["time"].attrs.__setitem__("more", 1), "attributes of /time"),
    (lambda copy: copy["energy/kinetic"].resize(402, axis=0), "type or shape of /energy/kinetic"),
    (lambda copy: copy.__delitem__("energy/strain"), "names of /energy")])
def test_a_copy_that_differs_is_never_taken(results_file, tmp_path, monkeypatch, spoil, words):
    write = compressed_copy._copy_file

    def write_wrongly(source, path):
        write(source, path)
        with h5py.File(path, "a") as copy:
            spoil(copy)
    monkeypatch.setattr(compressed_copy, "_copy_file", write_wrongly)
    with h5py.File(results_file, "r") as source, pytest.raises(WriteError, match=words):
        copy_compressed(source, tmp_path / "copy.h5")
