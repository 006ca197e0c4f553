"""The program as people and scripts call it: files, messages, exit codes."""

import base64
import re
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

import synthetic

PROGRAM = Path(__file__).resolve().parent.parent / "fem-post"
PNG = b"\x89PNG\r\n\x1a\n"


def run(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=cwd)


def test_plot_writes_its_pictures_beside_the_results(results_file):
    done = run("plot", results_file)
    assert done.returncode == 0 and done.stdout == ""
    for name in ("configurations", "nodes", "hinges", "energy"):
        assert results_file.with_name(f"case_{name}.png").read_bytes().startswith(PNG)
    assert not list(results_file.parent.glob("*.part"))


@pytest.mark.parametrize("kind, magic", [("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_plot_into_a_new_folder_as_vector_graphics(results_file, tmp_path, kind, magic):
    assert run("plot", results_file, "-o", tmp_path / "a/b", "--format", kind,
               "--every", 1).returncode == 0
    assert (tmp_path / f"a/b/case_configurations.{kind}").read_bytes().startswith(magic)


def test_report_is_one_self_contained_page(results_file, tmp_path):
    page = tmp_path / "r.html"
    assert run("report", results_file, "-o", page).returncode == 0
    text = page.read_text()
    pictures = re.findall(r'src="data:image/png;base64,([^"]+)"', text)
    assert len(pictures) == 4
    assert all(base64.b64decode(p).startswith(PNG) for p in pictures)
    assert not re.search(r'(src|href)="(?!data:)', text)
    for words in ("Three rods, synthetic", "Complete", "3 rods, 21 elements", "10,234",
                  "Largest hinge moments", "velocity jump", "SHA-256"):
        assert words in text


def test_text_report_goes_to_standard_output_and_writes_nothing(results_file):
    done = run("report", results_file, "--text")
    assert done.returncode == 0 and done.stderr == ""
    assert "2.4e-11 of the largest energy" in done.stdout
    assert [p.name for p in results_file.parent.iterdir()] == ["case.h5"]


def test_largest_moments_say_where_and_when(results_file):
    with h5py.File(results_file, "a") as file:
        begin = file["rods/rod2/bending_moment"][123, 3, 0]
        file["rods/rod2/bending_moment"][123, 3, 1] = -77.5
        file["rods/rod2/shear_force"][123, 3] = (-77.5 - begin) / (2 / 7)
        file["hinges/hinge2/drive_moment"][200] = 41.25
    text = run("report", results_file, "--text").stdout
    assert re.search(r"rod2\s+-77\.5\s+6\.15\s+1\.143 m \(57%\)", text)
    assert re.search(r"rod2\s+bar\s+465\s+6\.15\s+1\.143 m \(57%\)", text)
    assert re.search(r"hinge2 .* 41\.25\s+10\n", text)


def test_report_of_a_failed_run(tmp_path):
    path = synthetic.write(tmp_path / "a.h5", rows=100, status="failed",
                           reason="the iteration diverged at t = 4.95 s <rod1>")
    done = run("report", path, "--text")
    assert done.returncode == 0
    assert "Failed, the solver could not go on: the iteration diverged at t = 4.95 s" in done.stdout
    assert "! hinge1 turns by more than π" in done.stdout
    run("report", path)
    assert "&lt;rod1&gt;" in (tmp_path / "a_report.html").read_text()


def test_a_run_that_goes_on(tmp_path):
    path = synthetic.write(tmp_path / "a.h5", rows=30, finished=False)
    text = run("report", path, "--text").stdout
    assert "Running, or killed; the results reach t = 1.45 s of 20 s" in text


def test_long_lists_of_events_are_cut(results_file):
    with h5py.File(results_file, "a") as file:
        for name in ("time", "name", "what"):
            file[f"events/{name}"].resize((1000,))
    text = run("report", results_file, "--text").stdout
    assert "… and 980 more events" in text


def test_values_that_are_not_finite(results_file):
    with h5py.File(results_file, "a") as file:
        file["points/position"][100, 2] = np.nan
        file["rods/rod1/angle"][210, 3, 0] = np.inf
        file["energy/strain"][50] = np.inf
        file["energy/balance"][:] = np.nan
        file["summary"].attrs["largest_energy"] = np.nan
    done = run("plot", results_file)
    assert done.returncode == 3
    assert "/points/position: 3 values are not finite, the first at t = 5 s [100, 2, 0]" \
        in done.stderr
    assert "Warning" not in done.stderr and "Traceback" not in done.stderr
    assert len(list(results_file.parent.glob("*.png"))) == 4
    done = run("report", results_file, "--text")
    assert done.returncode == 3 and "! /energy/strain: 1 value is not finite" in done.stdout


@pytest.mark.parametrize("command", ["plot", "report"])
def test_files_that_cannot_be_read(tmp_path, command):
    junk, damaged = tmp_path / "junk.h5", tmp_path / "cut.h5"
    junk.write_bytes(b"junk" * 100)
    whole = synthetic.write(tmp_path / "whole.h5").read_bytes()
    damaged.write_bytes(whole[:len(whole) // 2])
    for path in (tmp_path / "missing.h5", junk, damaged):
        done = run(command, path)
        assert done.returncode == 4
        assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("fem-post: ")


def test_files_that_cannot_be_written(results_file, tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = run("plot", results_file, "-o", tmp_path / "file")
    assert done.returncode == 4 and "cannot be written" in done.stderr


@pytest.mark.parametrize("arguments", [[], ["draw"], ["plot"], ["plot", "a.h5", "--every", "0"],
                                       ["plot", "a.h5", "--every", "x"],
                                       ["plot", "a.h5", "--format", "gif"]])
def test_wrong_arguments(arguments):
    done = run(*arguments)
    assert done.returncode == 2 and "Traceback" not in done.stderr


def test_a_file_without_rows(tmp_path):
    path = synthetic.write(tmp_path / "a.h5", rows=0, finished=False)
    assert run("plot", path).returncode == 4
    done = run("report", path, "--text")
    assert done.returncode == 0 and "no output time yet" in done.stdout


def test_one_row_and_a_bare_file(tmp_path):
    assert run("plot", synthetic.write(tmp_path / "a.h5", rows=1)).returncode == 0
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file.attrs["libfem_results"] = 1
        file["time"] = np.linspace(0, 1, 5)
    assert run("plot", tmp_path / "b.h5").returncode == 0
    assert run("report", tmp_path / "b.h5", "--text").returncode == 0


def test_particles_and_rigid_bodies_without_rods(tmp_path):
    t = np.linspace(0, 3, 61)
    with h5py.File(tmp_path / "p.h5", "w") as file:
        file.attrs["libfem_results"] = 1
        file.attrs["title"] = "Costs $5_^ or $6"
        file["case"] = '{"bodies": {"hub": {"at": "p$1", "carries": ["q"]}}}'
        file["time"] = t
        file["points/names"] = np.array(["p$1", "q", "точка^"], dtype=h5py.string_dtype())
        file["points/position"] = np.stack(
            [np.stack([np.cos(t + i), np.sin(t), 0.1 * t], axis=-1) for i in range(3)], axis=1)
    done = run("plot", tmp_path / "p.h5")
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("*.png"))) == 2


def test_the_program_runs_through_a_link_from_anywhere(results_file, tmp_path):
    (tmp_path / "post").symlink_to(PROGRAM)
    done = subprocess.run([tmp_path / "post", "report", results_file, "--text"], cwd="/",
                          capture_output=True)
    assert done.returncode == 0


def test_a_reader_that_has_had_enough(results_file):
    done = subprocess.run(["sh", "-c", f"'{PROGRAM}' report '{results_file}' --text | head -1"],
                          capture_output=True, text=True)
    assert done.stdout == "Three rods, synthetic\n" and done.stderr == ""
