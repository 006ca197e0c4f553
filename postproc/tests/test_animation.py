"""Films and the page: which rows they show, what they are made of, what a browser makes of it."""

import base64
import json
import re
import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import h5py
import numpy as np
import pytest
from PIL import Image

import synthetic
from fem_post.animation_page import animation_page, page_data
from fem_post.frames import Frames, choose_frames
from fem_post.movie import Stage, _Palette, film
from fem_post.results import Results
from fem_post.sections import section_states

PROGRAM = Path(__file__).resolve().parent.parent / "fem-post"
SCRIPT = PROGRAM.parent / "fem_post/web/animation.js"


def run(*arguments, **more):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, **more)


def unpacked(text, kind):
    return np.frombuffer(base64.b64decode(text), kind)


# Frames

def test_all_rows_are_frames_where_there_are_few(results_file):
    with Results(results_file) as results:
        frames = choose_frames(results, 1000)
        assert list(frames.rows) == list(range(synthetic.ROWS))
        assert frames.clock == pytest.approx(np.linspace(0, 1, synthetic.ROWS), abs=1e-12)


def test_frames_are_equally_spaced_in_time_whatever_the_rows(tmp_path):
    path = synthetic.write(tmp_path / "a.h5")
    with h5py.File(path, "a") as file:
        file["time"][:] = np.linspace(0, 20 ** 0.5, synthetic.ROWS) ** 2  # dense at the start
        file["time"][17] = np.nan
    with Results(path) as results:
        frames = choose_frames(results, 21)
        assert 17 not in frames.rows and len(frames.rows) == 21
        # Rows at the end are 0.1 s apart.
        assert results.time[frames.rows] == pytest.approx(np.linspace(0, 20, 21), abs=0.051)


def test_the_clock_of_a_path_goes_on_where_the_load_turns_back(tmp_path):
    path = synthetic.write(tmp_path / "a.h5", rows=40)
    with h5py.File(path, "a") as file:
        file.attrs["analysis"] = "statics"
        file["time"][:] = np.concatenate([np.linspace(0, 1, 20), np.linspace(1, 0.2, 20)])
    with Results(path) as results:
        frames = choose_frames(results, 1000)
        assert np.all(np.diff(frames.clock) >= 0) and frames.clock[-1] == 1
        assert len(frames.rows) == 40


def test_the_frame_that_has_begun_is_seen():
    frames = Frames(np.array([3, 5, 9]), np.array([0, 0.5, 1.0]))
    assert list(frames.at([0, 0.49, 0.5, 0.99, 1.0])) == [0, 0, 1, 1, 2]


# Films

def test_a_gif_lasts_as_long_as_it_should(results_file):
    with Results(results_file) as results:
        image = Image.open(BytesIO(film(results, "gif", seconds=2, fps=10, dpi=40)))
    duration = 0
    for k in range(image.n_frames):
        image.seek(k)
        duration += image.info["duration"]
    assert duration == pytest.approx(2500, abs=20)  # and half a second of the last picture
    assert image.n_frames > 10


def pixels(image):
    return np.asarray(image.convert("RGB")).astype(int)


def test_pictures_of_a_gif_are_those_of_the_whole_figure(results_file):
    """Only what moves is drawn again, with one palette for all: nobody should see that."""
    with Results(results_file) as results:
        image = Image.open(BytesIO(film(results, "gif", "A title", seconds=2, fps=10, dpi=60)))
        frames = choose_frames(results, 20)
        shown = list(dict.fromkeys(frames.at(np.linspace(0, 1, 20))))
        assert image.n_frames == len(shown)
        stage = Stage(results, frames, "A title")
        for k in (0, 7, 13):
            stage.draw(shown[k])
            whole = BytesIO()
            stage.figure.savefig(whole, dpi=60, facecolor="white")
            image.seek(k)
            apart = np.abs(pixels(image) - pixels(Image.open(whole)))
            # What of the start lies over a trail, and blends that are in no picture of the palette.
            assert (apart.max(axis=-1) > 16).mean() < 1e-3
            assert np.sqrt((apart ** 2).mean()) < 1
            assert (pixels(image)[0, 0] == 255).all()


def test_commonest_colours_are_kept_and_others_are_near():
    rng = np.random.default_rng(3)
    picture = np.full((90, 90, 4), 255, np.uint8)
    picture[:30, :30, :3] = rng.integers(0, 256, (30, 30, 3))
    picture[30:60, :60] = (1, 114, 178, 255)
    palette = _Palette([picture])
    shown = pixels(palette.index(picture))
    assert len(palette.colors) <= 256
    assert (shown[30:] == picture[30:, :, :3]).all()
    flat = picture[:30, :30, :3].reshape(-1, 1, 3).astype(int)
    nearest = np.abs(palette.colors.astype(int) - flat)
    best = (nearest ** 2).sum(axis=-1).min(axis=-1)
    assert (((shown[:30, :30].reshape(-1, 3) - flat[:, 0]) ** 2).sum(axis=-1) == best).all()


def test_every_frame_draws_the_rods_where_they_are(results_file):
    with Results(results_file) as results:
        frames = choose_frames(results, 9)
        stage = Stage(results, frames)
        counts = set()
        for frame in (0, 4, 8, 3):
            stage.draw(frame)
            counts.add(len(stage.axes.get_children()))
            lines = [c for c in stage.axes.collections if c.get_zorder() == 3]
            drawn = [segment for c in lines for segment in c.get_segments()]
            for k, rod in enumerate(results.rods.values()):
                ends = results.array("points/position", [frames.rows[frame]])[0, rod.nodes, :2]
                assert drawn[k][0] == pytest.approx(ends[0], abs=1e-12)
                assert drawn[k][-1] == pytest.approx(ends[-1], abs=1e-12)
    assert len(counts) == 1  # nothing of the frame before is left


def test_nothing_leaves_the_window(results_file):
    with Results(results_file) as results:
        frames = choose_frames(results, 50)
        stage = Stage(results, frames)
        places = np.concatenate([c.reshape(-1, 2) for c in stage.structure.curves.values()])
    assert stage.axes.get_xlim()[0] < places[:, 0].min() < places[:, 0].max() \
        < stage.axes.get_xlim()[1]
    assert stage.axes.get_ylim()[0] < places[:, 1].min() < places[:, 1].max() \
        < stage.axes.get_ylim()[1]


def test_mp4_without_ffmpeg_says_what_to_do(results_file, tmp_path):
    done = subprocess.run(["/usr/bin/python3", str(PROGRAM), "animate", str(results_file),
                           "--format", "mp4"], capture_output=True, text=True,
                          env={"PATH": str(tmp_path)})
    assert done.returncode == 2
    assert "ffmpeg" in done.stderr and "--format gif" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg")
def test_mp4_is_written(results_file):
    assert run("animate", results_file, "--format", "mp4", "--seconds", 1).returncode == 0
    assert b"ftyp" in results_file.with_name("case_animation.mp4").read_bytes()[:12]


# The page

def test_the_page_holds_every_place_with_its_figures(results_file):
    with Results(results_file) as results:
        frames = choose_frames(results, 31)
        data = page_data(results, frames, 10.0)
        position = results.array("points/position", frames.rows)[..., :2]
    start = unpacked(data["start"], "<f8").reshape(-1, 2)
    moved = unpacked(data["moved"], "<f4").reshape(position.shape)
    assert start == pytest.approx(position[0], abs=0)
    assert moved == pytest.approx(position - position[0], rel=1e-7, abs=1e-30)
    assert json.loads(json.dumps(data))["times"] == pytest.approx(np.linspace(0, 20, 31), abs=0.026)


def test_the_page_needs_nothing_from_outside(results_file):
    done = run("animate", results_file, "--format", "html")
    assert done.returncode == 0
    text = results_file.with_name("case_animation.html").read_text()
    assert "default-src 'none'" in text
    assert not re.search(r"""(src|href)\s*=|https?:|url\(|import\s*\(|fetch\s*\(""", text)


def test_a_title_cannot_break_out_of_the_page(tmp_path):
    path = synthetic.write(tmp_path / "a.h5", rows=3)
    with h5py.File(path, "a") as file:
        file.attrs["title"] = "</title><script>alert(1)</script>"
        file["points/names"][3] = b"</script><b>"
    with Results(path) as results:
        page = animation_page(results, results.title)
    assert page.count("</script>") == 2 and "<script>alert" not in page


node = pytest.mark.skipif(shutil.which("node") is None, reason="no node")


@node
def test_the_page_puts_points_of_rods_where_sections_are(results_file, tmp_path):
    with Results(results_file) as results:
        frames = choose_frames(results, 11)
        (tmp_path / "data.json").write_text(json.dumps(page_data(results, frames, 10.0)))
        places = np.array([0.05, 0.31, 0.9, 1.27, 1.93])
        exact = section_states(results, "rod2", places, frames.rows).position
    (tmp_path / "ask.js").write_text(f"""
const {{Scene}} = require({json.dumps(str(SCRIPT))});
const scene = new Scene(JSON.parse(require("fs").readFileSync("data.json")));
const rod = scene.rods[1], length = rod.length / (rod.nodes.length - 1), out = [];
for (let frame = 0; frame < scene.frames; ++frame)
  out.push({places.tolist()}.map(s => {{
    const e = Math.floor(s / length);
    return scene.onRod(frame, rod, e, s / length - e);
  }}));
console.log(JSON.stringify(out));""")
    done = subprocess.run(["node", "ask.js"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # Single precision of displacements up to 6 m and of angles.
    assert np.array(json.loads(done.stdout)) == pytest.approx(exact, abs=2e-6)


@node
def test_numbers_and_steps_of_the_page(tmp_path):
    (tmp_path / "ask.js").write_text(f"""
const {{amount, niceStep, hull}} = require({json.dumps(str(SCRIPT))});
console.log(JSON.stringify([amount(-1.23456789e-9), amount(2), niceStep(0.3), niceStep(20),
  hull([[0, 0], [1, 0], [0.5, 0.2], [1, 1], [0, 1]]).length, hull([[0, 0], [1, 1]]).length]));""")
    done = subprocess.run(["node", "ask.js"], cwd=tmp_path, capture_output=True, text=True)
    assert json.loads(done.stdout) == ["\u22121.23457e-9", "2", 0.5, 20, 4, 2]


# The command

def test_by_default_a_page_and_a_gif_beside_the_results(results_file):
    done = run("animate", results_file, "--seconds", 1, "--fps", 5, "--dpi", 50)
    assert done.returncode == 0, done.stderr
    assert results_file.with_name("case_animation.gif").read_bytes().startswith(b"GIF89a")
    assert results_file.with_name("case_animation.html").read_text().startswith("<!DOCTYPE html>")


def test_places_that_are_not_finite_are_said_and_left_out(results_file):
    with h5py.File(results_file, "a") as file:
        file["points/position"][100, 2] = np.nan
    done = run("animate", results_file, "--seconds", 1, "--fps", 5, "--dpi", 50)
    assert done.returncode == 3
    assert "/points/position: 3 values are not finite" in done.stderr
    assert "Warning" not in done.stderr and "Traceback" not in done.stderr


def test_one_row_is_an_animation_of_one_frame(tmp_path):
    path = synthetic.write(tmp_path / "a.h5", rows=1)
    assert run("animate", path, "--seconds", 0.5).returncode == 0


def test_a_file_without_rows_cannot_be_animated(tmp_path):
    path = synthetic.write(tmp_path / "a.h5", rows=0, finished=False)
    assert run("animate", path).returncode == 4
