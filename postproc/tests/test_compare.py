"""Comparing runs: what differs is found and named, where, when and by how much."""

import json
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

import synthetic
from fem_post.compared_runs import comparable
from fem_post.comparison import ComparisonError, Judgement, compare
from fem_post.results import Results
from fem_post.scalar_names import ScalarNameError, parse

PROGRAM = Path(__file__).resolve().parent.parent / "fem-post"


def run(*arguments):
    return subprocess.run([PROGRAM, "compare", *map(str, arguments)], capture_output=True,
                          text=True)


def compared(a, b, **judgement):
    with Results(a) as first, Results(b) as second:
        return compare(*comparable(first, second), Judgement(**judgement))


def found(comparison):
    return {d.quantity: d for d in comparison.differences}


@pytest.fixture
def pair(tmp_path):
    return [synthetic.write(tmp_path / f"{name}.h5", bend=0.3) for name in "ab"]


def thinned(path, every, shift=0):
    """Keep every so manieth row from `shift` on."""
    with h5py.File(path, "a") as file:
        rows = len(file["time"])
        paths = []
        file.visititems(lambda name, item: paths.append(name) if isinstance(item, h5py.Dataset)
                        and item.ndim and item.shape[0] == rows and item.maxshape[0] is None
                        else None)
        for name in paths:
            values = file[name][shift::every]
            attributes = dict(file[name].attrs)
            del file[name]
            file.create_dataset(name, data=values, maxshape=(None, *values.shape[1:]))
            file[name].attrs.update(attributes)


# The same mesh, the same times

def test_equal_runs_agree_in_every_digit(pair):
    done = run(*pair, "--relative", 0)
    assert done.returncode == 0, done.stdout
    assert "the same in every digit" in done.stdout and "the runs agree" in done.stdout


@pytest.mark.parametrize("path, index, quantity, where, when", [
    ("points/position", (123, 2, 1), "points/position", "B, Y", 6.15),
    ("points/velocity", (0, 9, 0), "points/velocity", "rod1/6, X", 0.0),
    ("rods/rod2/bending_moment", (200, 3, 1), "rods/bending_moment",
     "rod2, element 4 of 7, its end (s = 1.143 m)", 10.0),
    ("hinges/hinge2/drive_moment", (400,), "hinges/drive_moment", "hinge2", 20.0),
    ("energy/strain", (77,), "energy/strain", "", 3.85),
    ("supports/O/moment", (1,), "supports/moment", "O", 0.05)])
def test_a_millionth_that_was_planted_is_found_and_named(pair, path, index, quantity, where, when):
    with h5py.File(pair[1], "a") as file:
        file[path][index] += 1e-6
    comparison = compared(*pair)
    assert not comparison.within
    beyond = [d for d in comparison.differences if not d.within]
    assert [d.quantity for d in beyond] == [quantity]
    assert beyond[0].largest == pytest.approx(1e-6, rel=1e-6)
    assert (beyond[0].where, beyond[0].when) == (where, pytest.approx(when))
    assert beyond[0].beyond_from == pytest.approx(when)
    done = run(*pair)
    assert done.returncode == 1
    assert quantity in done.stdout and where in done.stdout and f"{when:g} s" in done.stdout


def test_the_table_says_when_the_tolerance_is_left_first(pair):
    with h5py.File(pair[1], "a") as file:
        file["points/position"][100:, 3, 0] += np.linspace(1e-7, 1e-3, 301)
    d = found(compared(*pair, absolute=(("points/*", 1e-5),)))["points/position"]
    assert d.when == 20 and d.largest == pytest.approx(1e-3)
    assert d.beyond_from == pytest.approx(5.15) and d.beyond_where == "C, X"


def test_tolerances(pair):
    with h5py.File(pair[1], "a") as file:
        file["points/position"][5, 3, 0] += 1e-4
        file["hinges/hinge1/angle"][5] += 1e-4
    assert run(*pair, "--relative", 1e-3).returncode == 0
    assert run(*pair, "--relative", 1e-3, "--absolute", "points/position=1e-5").returncode == 1
    assert run(*pair, "--relative", 1e-3, "--absolute", "points/*=1e-5", "--absolute",
               "points/position=1").returncode == 0
    assert run(*pair, "--only", "rods/*").returncode == 0
    assert run(*pair, "--ignore", "points/position").returncode == 1
    assert run(*pair, "--ignore", "points/position", "--ignore", "hinges/*").returncode == 0
    assert run(*pair, "--to", 0.2).returncode == 0 and run(*pair, "--from", 0.3).returncode == 0
    assert run(*pair, "--from", 0.2, "--to", 0.3).returncode == 1


def test_round_off_of_what_is_zero_is_judged_by_its_unit(pair):
    with h5py.File(pair[1], "a") as file:
        file["supports/O/force"][:] = 1e-18  # N; rods have no force either in this file
        file["hinges/hinge1/moment"][:] = 20.0
        file["hinges/hinge2/moment"][:] = 20.0
    with h5py.File(pair[0], "a") as file:
        file["hinges/hinge1/moment"][:] = 20.0
        file["hinges/hinge2/moment"][:] = 20.0
        file["supports/O/moment"][:] *= 1e-14
    with h5py.File(pair[1], "a") as file:
        file["supports/O/moment"][:] *= 2e-14
    d = found(compared(*pair, relative=1e-6))
    assert d["supports/moment"].relative < 1e-6 and d["supports/moment"].within
    assert d["supports/force"].relative == 1  # nothing of this unit is any larger


def test_energies_are_judged_by_the_largest(pair):
    with h5py.File(pair[1], "a") as file:
        file["energy/balance"][:] *= 2
    d = found(compared(*pair))["energy/balance"]
    assert d.within and d.relative < 1e-9 < d.largest / d.magnitude


def test_json(pair):
    with h5py.File(pair[1], "a") as file:
        file["points/position"][123, 2, 1] += 1e-6
        file["points/position"][124, 2, 1] = np.nan
    done = run(*pair, "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    d = next(d for d in told["differences"] if d["quantity"] == "points/position")
    assert not told["within"] and not d["within"]
    assert d["largest"] is None and d["where"] == "B, Y" and d["beyond_from"] == 123 * 0.05


def test_values_that_are_not_finite_in_both_are_said_by_the_exit_code(pair):
    for path in pair:
        with h5py.File(path, "a") as file:
            file["points/position"][124, 2, 1] = np.nan
    assert run(*pair).returncode == 3


# What only one has

def test_what_only_one_has_is_a_difference_unless_told_otherwise(pair):
    with h5py.File(pair[1], "a") as file:
        del file["hinges/hinge2"], file["energy/strain"]
    done = run(*pair)
    assert done.returncode == 1
    assert "! only the first has energy/strain" in done.stdout
    assert "! only the first has hinges/angle of hinge2" in done.stdout
    assert run(*pair, "--common").returncode == 0


def test_a_run_that_ended_earlier_is_different(tmp_path):
    a = synthetic.write(tmp_path / "a.h5")
    b = synthetic.write(tmp_path / "b.h5", rows=200)
    done = run(a, b, "--ignore", "events/*")
    assert done.returncode == 1 and "! only the first goes from 9.95 to 20" in done.stdout
    assert run(a, b, "--ignore", "events/*", "--common").returncode == 0
    assert run(a, b, "--ignore", "events/*", "--to", 9).returncode == 0


def test_events_are_compared_one_by_one(pair):
    with h5py.File(pair[1], "a") as file:
        file["events/time"][2] += 1e-5
    d = found(compared(*pair))["events/time"]
    assert d.largest == pytest.approx(1e-5) and d.where == "hinge2, velocity jump, number 1"
    with h5py.File(pair[1], "a") as file:
        file["events/name"][2] = b"hinge1"
    done = run(*pair)
    assert "“velocity jump” of hinge1 happens 2 times in the first, 3 times in the second" \
        in done.stdout


# Different output times

def test_times_in_common_need_no_interpolation(pair):
    thinned(pair[1], 4)
    comparison = compared(*pair, relative=0)
    assert comparison.within and (comparison.times, comparison.interpolated) == (101, 0)


def test_other_times_are_interpolated_with_the_rates(tmp_path, monkeypatch):
    monkeypatch.setattr(synthetic, "EVERY", 0.01)
    monkeypatch.setattr(synthetic, "ROWS", 2001)
    a, b = (synthetic.write(tmp_path / f"{name}.h5", bend=0.2) for name in "ab")
    for path in (a, b):  # exact rates, smooth angles: what a solver would give
        with h5py.File(path, "a") as file:
            t = file["time"][()]
            x = file["points/position"]
            x[:, 3, 0], file["points/velocity"][:, 3, 0] = np.sin(t), np.cos(t)
            file["events/time"][:] = 0.0
    thinned(a, 3)
    thinned(b, 7, shift=2)
    comparison = compared(a, b, only=("points/position",))
    assert comparison.interpolated > comparison.times / 2
    with Results(a) as first, Results(b) as second:
        runs = comparable(first, second)
        for r in runs:
            q = r.quantities["points/position"]
            only = q.places.index(next(p for p in q.places if str(p) == "C, X"))
            r.quantities = {"points/position": type(q)(
                q.name, q.unit, [q.places[only]], lambda n, q=q, k=only: q.load([k] * len(n)),
                lambda n, q=q, k=only: q.rate([k] * len(n)))}
        d = compare(*runs).differences[0]
    assert d.largest < 1.1 * 0.03 ** 4 / 384  # of a cubic Hermite, |x''''| ≤ 1
    assert d.largest <= d.interpolation + 1e-12


def test_nothing_is_interpolated_across_events(pair):
    thinned(pair[0], 2, shift=1)
    thinned(pair[1], 2)
    comparison = compared(*pair, relative=1)
    assert "3 times lie between rows around an event and are left out" in comparison.notes


def test_times_that_turn_back_need_the_same_rows(pair):
    for path in pair:
        with h5py.File(path, "a") as file:
            file.attrs["analysis"] = "statics"
            file["time"][300:] = file["time"][300] - np.arange(101) * 0.05
    assert compared(*pair, relative=0).within
    thinned(pair[1], 2)
    with pytest.raises(ComparisonError, match="same rows"):
        compared(*pair)


# Different meshes

def test_rods_of_different_meshes_are_aligned_by_arc_coordinate(tmp_path, monkeypatch):
    a = synthetic.write(tmp_path / "a.h5", bend=0.3)
    monkeypatch.setattr(synthetic, "ELEMENTS", 14)
    b = synthetic.write(tmp_path / "b.h5", bend=0.3)
    comparison = compared(a, b, relative=1e-6)
    d = found(comparison)
    assert comparison.within, [(x.quantity, x.relative) for x in d.values()]
    # The nodes of the coarser mesh are nodes of the finer: exact arcs agree to round-off.
    assert d["sections/position"].largest < 1e-12 and d["sections/angle"].largest < 1e-12
    assert "rods/angle" not in d
    with h5py.File(b, "a") as file:
        nodes = file["rods/rod2/nodes"][()]
        file["points/position"][77, nodes[8], 0] += 1e-6  # node 8 of 14 is node 4 of 7
    d = found(compared(a, b))["sections/position"]
    assert d.largest == pytest.approx(1e-6, rel=1e-4) and d.when == pytest.approx(3.85)
    assert d.where == "rod2, s = 1.14286 m, X"


def test_rods_of_different_lengths_are_aligned_by_shares_and_said(pair):
    with h5py.File(pair[1], "a") as file:
        file["rods/rod1"].attrs["length"] = 2.1
    assert any("aligned by shares" in note for note in compared(*pair).notes)


# CSV

def write_csv(path, header, columns):
    np.savetxt(path, np.stack(columns, axis=1), delimiter=",", header=",".join(header),
               comments="", fmt="%.17g")


def columns_of(path):
    with h5py.File(path) as file:
        return (file["time"][()], file["points/position"][:, 3, 0],
                file["hinges/hinge2/angle"][()],
                file["rods/rod2/bending_moment"][:, 3, 0])


NAMES = ["t (s)", "points/C/position/X (m)", "hinges/hinge2/angle",
         "rods/rod2/bending_moment@40% (N m)"]


def test_a_csv_file_of_the_same_numbers_agrees(pair, tmp_path):
    t, x, angle, _ = columns_of(pair[0])
    write_csv(tmp_path / "c.csv", NAMES[:3], (t, x, angle))
    done = run(pair[0], tmp_path / "c.csv", "--relative", 0)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 quantities are the same in every digit" in done.stdout
    assert run(tmp_path / "c.csv", pair[0], "--relative", 0).returncode == 0
    assert run(tmp_path / "c.csv", tmp_path / "c.csv", "--relative", 0).returncode == 0


def test_what_differs_from_a_csv_file_is_named(pair, tmp_path):
    t, x, angle, moment = columns_of(pair[0])
    x[123] += 1e-6
    write_csv(tmp_path / "c.csv", NAMES, (t, x, angle, moment))
    told = json.loads(run(pair[0], tmp_path / "c.csv", "--json").stdout)
    beyond = [d for d in told["differences"] if not d["within"]]
    assert [(d["quantity"], d["where"], d["when"]) for d in beyond] \
        == [("points/position", "C, X", 123 * 0.05)]
    moments = next(d for d in told["differences"] if d["quantity"] == "sections/bending_moment")
    assert moments["relative"] < 1e-12


def test_columns_can_be_named(pair, tmp_path):
    t, x, angle, _ = columns_of(pair[0])
    write_csv(tmp_path / "c.csv", ["time", "Tip X [m]", "whatever"], (t, x, 0 * x))
    done = run(pair[0], tmp_path / "c.csv")
    assert done.returncode == 2 and "--column 'Tip X [m]=NAME'" in done.stderr
    assert run(pair[0], tmp_path / "c.csv", "--relative", 0, "--column",
               "Tip X [m]=points/C/position/X").returncode == 0


@pytest.mark.parametrize("text, words", [
    ("time,points/C/position/X\n0,1\n0.1\n", "line 3: 1 cells under 2 headings"),
    ("time,points/C/position/X\n0,one\n", "line 2: 'one' is not a number"),
    ("points/C/position/X\n1\n", "no column of times"),
    ("time,point/C/position/X\n0,1\n", "did you mean 'points'?"),
    ("time,rods/rod1/angle\n0,1\n", "rods/NAME/QUANTITY@S"),
    ("time,rods/rod1/angle@9\n0,1\n20,1\n", "9 m is not on rod 'rod1'")])
def test_bad_csv_files(pair, tmp_path, text, words):
    (tmp_path / "c.csv").write_text(text)
    done = run(pair[0], tmp_path / "c.csv")
    assert done.returncode in (2, 4) and words in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("text, quantity", [
    ("points/C/position/X", "points/position"), ("points/rod1/3/velocity/Y", "points/velocity"),
    ("energy/kinetic (J)", "energy/kinetic"), ("momentum/linear/X", "momentum/linear"),
    ("rods/arm/Y@0.5", "sections/position"), ("rods/arm/axial_force@50%", "sections/axial_force"),
    ("hinges/h/moment", "hinges/moment"), ("supports/O/force/Y", "supports/force")])
def test_names_of_histories(text, quantity):
    assert parse(text).column == quantity


@pytest.mark.parametrize("text", ["x", "points/C", "energy", "rods/a/angle", "rods/a/angle@-1",
                                  "rods/a/angle@120%", "hinges/h"])
def test_what_names_no_history(text):
    with pytest.raises(ScalarNameError):
        parse(text)


# The command

def test_files_that_are_none(pair, tmp_path):
    assert run(pair[0], tmp_path / "missing.h5").returncode == 4
    (tmp_path / "junk.h5").write_bytes(b"junk")
    assert run(pair[0], tmp_path / "junk.h5").returncode == 4
    assert run(pair[0]).returncode == 2
    assert run(*pair, "--absolute", "x").returncode == 2
    assert run(*pair, "--only", "nothing").returncode == 2
    assert run(*pair, "--from", 30).returncode == 2


def test_runs_of_different_kinds(pair):
    with h5py.File(pair[1], "a") as file:
        file.attrs["analysis"] = "statics"
    done = run(*pair)
    assert done.returncode == 4 and "cannot be compared" in done.stderr


def test_frequencies_of_modes(tmp_path):
    a, b = (synthetic.write_modes(tmp_path / f"{n}.h5") for n in "ab")
    assert run(a, b).returncode == 0
    with h5py.File(b, "a") as file:
        file["modes/angular_frequency"][3] *= 1 + 1e-6
    done = run(a, b)
    assert done.returncode == 1 and "mode 4" in done.stdout
