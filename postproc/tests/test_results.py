"""Reading results: names, units, events, files that grow, are killed or are none of ours."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import synthetic
from fem_post.case_text import parse_case, without_comments
from fem_post.results import NotFinite, Results, ResultsError


def test_names_connectivity_and_units(results_file):
    with Results(results_file) as results:
        assert results.rows == synthetic.ROWS
        assert results.title == "Three rods, synthetic"
        assert [results.points[i] for i in results.named_points] == ["O", "A", "B", "C"]
        assert list(results.rods) == ["rod1", "rod2", "rod3"]
        assert results.rods["rod2"].elements == 7
        assert results.points[results.rods["rod2"].nodes[0]] == "A"
        assert results.hinges == ["hinge1", "hinge2"]
        assert results.supports == ["O"]
        assert results.unit("hinges/hinge1/moment") == "N m"
        assert results.unit("nowhere", "m") == "m"
        assert results.closed


@pytest.mark.parametrize("fixed", [True, False])
def test_strings_of_fixed_and_variable_length(tmp_path, fixed):
    path = synthetic.write(tmp_path / "a.h5", fixed_strings=fixed)
    with Results(path) as results:
        assert results.points[4] == "rod1/1"
        assert results.events[0].name == "hinge1"
        assert results.events[0].what.startswith("velocity jump")


def test_names_follow_the_case_not_the_alphabet(tmp_path):
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        file.attrs["libfem_results"] = 1
        file["case"] = '{"rods": {"z": {}, "left/arm": {}, "a": {}}}'
        file["time"] = np.zeros(1)
        file["points/names"] = np.array([b"O", b"left/arm/1", b"x/2"])
        for name in ("a", "left∕arm", "z", "unknown"):
            file[f"rods/{name}/nodes"] = [0, 1]
    with Results(path) as results:
        assert list(results.rods) == ["z", "left/arm", "a", "unknown"]
        assert results.named_points == [0, 2]  # "x/2" belongs to no rod


def test_summary_of_the_file(results_file):
    with Results(results_file) as results:
        assert results.summary.finished
        assert results.summary.steps == 10234
        assert results.summary.warnings == ()


def test_summary_of_an_unfinished_run_is_taken_from_its_rows(tmp_path):
    path = synthetic.write(tmp_path / "a.h5", bend=0.3, rows=100, finished=False)
    with Results(path) as results:
        summary = results.summary
        assert (summary.finished, summary.status, summary.steps) == (False, "running", None)
        assert summary.final_time == pytest.approx(99 * synthetic.EVERY)
        assert summary.worst_balance == np.abs(results.array("energy/balance")).max()
        stored = results.array("energy/kinetic") + results.array("energy/strain")
        assert summary.largest_energy == pytest.approx(stored.max())
        assert not results.closed


def test_everything_is_cut_to_the_complete_rows(results_file):
    with h5py.File(results_file, "a") as file:
        file["time"].resize((150,))
    with Results(results_file) as results:
        assert results.array("points/position").shape[0] == 150
        assert results.array("rods/rod1/angle", slice(100, None)).shape == (50, 7, 2)
        assert results.notes == []


def test_a_dataset_that_is_too_short_is_said(results_file):
    with h5py.File(results_file, "a") as file:
        file["energy/strain"].resize((120,))
    with Results(results_file) as results:
        assert results.rows == 120
        assert "/energy/strain has 120 rows" in results.notes[0]


def test_events_end_with_the_shortest_of_their_datasets(results_file):
    with h5py.File(results_file, "a") as file:
        file["events/time"].resize((2,))
    with Results(results_file) as results:
        assert [e.time for e in results.events] == [0.0, 5.0]


def test_values_that_are_not_finite_are_found(results_file):
    with h5py.File(results_file, "a") as file:
        file["rods/rod2/axial_force"][30:32, 4] = np.nan
        file["energy/balance"][7] = -np.inf
    with Results(results_file) as results:
        assert results.not_finite() == [
            NotFinite("/energy/balance", 1, results.time[7], (7,)),
            NotFinite("/rods/rod2/axial_force", 2, results.time[30], (30, 4))]
        assert "2 values are not finite, the first at t = 1.5 s [30, 4]" in str(
            results.not_finite()[1])


WRITER = """
import sys, os, time
sys.path.insert(0, {here!r})
import synthetic
file = synthetic.write({path!r}, bend=0.3, rows=50, finished=False, swmr=True)
print("ready", flush=True)
time.sleep(60)
"""


def test_a_file_that_is_being_written_and_one_whose_writer_was_killed(tmp_path):
    path = tmp_path / "a.h5"
    code = WRITER.format(here=str(Path(__file__).parent), path=str(path))
    writer = subprocess.Popen([sys.executable, "-B", "-c", code], stdout=subprocess.PIPE)
    try:
        assert writer.stdout.readline() == b"ready\n"
        with Results(path) as results:
            assert (results.rows, results.closed) == (50, False)
    finally:
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
    with Results(path) as results:
        assert results.array("points/position").shape == (50, 22, 3)
        assert results.summary.status == "running"


def test_files_that_are_none_of_ours(tmp_path):
    text, other, newer = tmp_path / "a.txt", tmp_path / "b.h5", tmp_path / "c.h5"
    text.write_text("no HDF5")
    h5py.File(other, "w").close()
    with h5py.File(newer, "w") as file:
        file.attrs["libfem_results"] = 2
    for path, words in ((tmp_path / "missing.h5", "does not exist"), (tmp_path, "is a folder"),
                        (text, "is not an HDF5 file"), (other, "not a results file of libfem"),
                        (newer, "format 2")):
        with pytest.raises(ResultsError, match=words) as caught:
            Results(path)
        assert "\n" not in str(caught.value)


def test_a_missing_dataset_is_named(results_file):
    with h5py.File(results_file, "a") as file:
        del file["rods/rod3/angle"]
    with Results(results_file) as results, pytest.raises(ResultsError, match="/rods/rod3/angle"):
        results.array("rods/rod3/angle")


def test_comments_of_a_case():
    text = '{"a//b": "/* no */ \\" // no", // yes\n "c": 1 /* yes \n */ }'
    assert parse_case(text) == {"a//b": '/* no */ " // no', "c": 1}
    assert without_comments(text).count("\n") == text.count("\n")
    assert parse_case('\ufeff{"a": 1}') == {"a": 1}
    assert parse_case('{// ends\r"a": 1}') == parse_case('{// ends\r\n"a": 1} // end') == {"a": 1}
    assert parse_case("{broken") == parse_case("[1]") == parse_case('{"a": "open') == {}
