"""Signs of mechanics in pictures, paths of statics, mode shapes, hinges and bodies over time."""

import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

import synthetic
from fem_post.configurations import _split_path, configurations_figure, path_steps
from fem_post.drawing import legend_columns, legend_entries
from fem_post.histories import hinges_figure
from fem_post.modes import _Shapes, modes_figure
from fem_post.paths import chosen_displacements, marked_rows, path_figure
from fem_post.results import Results
from fem_post.structure import Structure
from fem_post.symbols import COILS, hull, spring_line

PROGRAM = Path(__file__).resolve().parent.parent / "fem-post"


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


# Shapes

def test_a_spring_is_a_zigzag_from_end_to_end():
    line = spring_line([1, 2], [4, 6], 0.5)
    assert line[0] == pytest.approx([1, 2]) and line[-1] == pytest.approx([4, 6])
    normal = np.array([-4, 3]) / 5
    sides = (line - [1, 2]) @ normal
    assert np.abs(sides).max() == pytest.approx(0.25)
    assert np.count_nonzero(np.diff(np.sign(sides[np.abs(sides) > 1e-12]))) == 2 * COILS - 1
    assert (np.diff((line - [1, 2]) @ [0.6, 0.8]) > 0).all()
    assert np.isfinite(spring_line([1, 1], [1, 1], 0.5)).all()


def test_hulls():
    square = [[0, 0], [1, 0], [1, 1], [0, 1]]
    corners = hull([*square, [0.5, 0.5], [0.5, 0]])
    assert sorted(map(tuple, corners)) == sorted(map(tuple, map(tuple, np.array(square, float))))
    x, y = corners.T
    assert np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) == pytest.approx(2)  # twice its area
    assert len(hull([[0, 0], [1, 1], [2, 2]])) == 2
    assert len(hull([[3, 1], [3, 1]])) == 1


# The structure

def machine(path, rows=11):
    """A hub of three points with a hinge that latches, a spring, a particle."""
    t = np.linspace(0, 1, rows)
    case = """{"points": {"A": [0, 0], "B": [1, 0], "C": [1, 1], "D": [3, 0], "E": [4, 2]},
      "bodies": {"hub": {"at": "A", "carries": ["B", "C"]}},
      "rods": {"arm": {"from": "B", "to": "D"}},
      "hinges": {"h": {"at": "B", "members": ["hub", "arm"], "spring": {"stiffness": 1}}},
      "particles": {"p": {"at": "E"}}, "springs": {"s": {"between": ["D", "E"]}}}"""
    position = np.zeros((rows, 5, 3))
    position[:, :, :2] = [[0, 0], [1, 0], [1, 1], [3, 0], [4, 2]]
    position[:, :, 1] += t[:, None]
    with h5py.File(path, "w") as file:
        file.attrs["libfem_results"] = 1
        file["case"], file["time"] = case, t
        file["points/names"] = np.array([b"A", b"B", b"C", b"D", b"E"])
        file["points/position"] = position
        file["rods/arm/nodes"] = np.array([1, 3])
        file["rods/arm/angle"] = np.zeros((rows, 1, 2))
        file["bodies/hub/angle"], file["bodies/hub/rate"] = 0.5 * t, 0.5 + 0 * t
        file["bodies/hub/center"] = position[:, 0, :2] + [0.4, 0.3]
        file["springs/s/points"] = np.array([3, 4])
        file["springs/s/force"] = -2 * t
        for name, values in (("angle", t), ("moment", 3 * t)):
            file[f"hinges/h/{name}"] = values
        file["hinges/h/state"] = np.array([0, 0, 0, 0, 0, 2, 2, 2, 0, 0, 0.0])[:rows]
    return path


def test_what_a_structure_is_drawn_of(tmp_path):
    with Results(machine(tmp_path / "a.h5")) as results:
        structure = Structure(results, [0, 10])
        (body,) = structure.bodies
        assert body.points == (0, 1, 2) and body.center[1] == pytest.approx([0.4, 1.3])
        assert structure.springs == [(3, 4)] and structure.particles == [4]
        assert structure.hinges == structure.sprung == {1}
        assert structure.ends == [3] and structure.loose == [0]
        assert structure.labelled == [0, 1, 3, 4]  # C only shapes the hub
        assert structure.locked == [set(), set()]
        assert Structure(results, np.arange(11)).locked == [set()] * 5 + [{1}] * 3 + [set()] * 3
        assert structure.bounds([True, False]) == (0, 0, 4, 2)


def test_figure_has_bodies_springs_and_their_key(tmp_path):
    with Results(machine(tmp_path / "a.h5")) as results:
        figure = configurations_figure(results, every=0.1)
    panels = [axes for axes in figure.axes if axes.get_xlabel()]
    assert sum(len(axes.patches) for axes in panels) == 10 + 4  # and where each panel begins
    springs = [c for axes in panels for c in axes.collections
               if len(c.get_segments()) == 1 and len(c.get_segments()[0]) == 2 * COILS + 4]
    assert len(springs) == 4
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert words == ["hinge with spring", "locked hinge", "spring", "centre of mass", "particle",
                     "where the interval begins"]


def test_legends_wrap_where_the_page_ends():
    entries = [(None, "x" * 20)] * 6
    assert legend_columns(entries, 100) == 6
    assert 1 <= legend_columns(entries, 5) < 6
    assert legend_columns(entries, 0.5) == 1


def test_no_sign_without_its_thing(results_file):
    with Results(results_file) as results:
        words = [w for _, w in legend_entries(Structure(results, [0]), False)]
    assert words == ["hinge", "support, angle held or driven"]


# Hinges and bodies over time

def test_hinges_and_bodies_over_time(tmp_path):
    with Results(machine(tmp_path / "a.h5")) as results:
        figure = hinges_figure(results, "t")
    angle, moment, body = figure.axes
    assert angle.lines[0].get_ydata()[-1] == pytest.approx(np.degrees(1))
    assert moment.lines[0].get_ydata()[-1] == pytest.approx(3)
    assert body.lines[0].get_ydata()[-1] == pytest.approx(np.degrees(0.5))
    assert body.lines[0].get_label() == "hub"


def test_report_tells_of_bodies_and_springs(tmp_path):
    text = run("report", machine(tmp_path / "a.h5"), "--text").stdout
    assert "1 rigid body, 1 spring" in text
    assert "28.648" in text and "Largest spring forces" in text


# Statics

def statics(path, rows=41):
    """A path that rises to a limit point, falls, and rises again, of a rod's tip."""
    s = np.linspace(0, 3, rows)
    load = s ** 3 - 4.5 * s ** 2 + 6 * s
    synthetic.write(path, rows=rows)
    with h5py.File(path, "a") as file:
        file.attrs["analysis"] = "statics"
        file["time"][...] = load
        file["points/position"][...] = 0
        file["points/position"][:, 3, 1] = -s
        file["points/position"][:, 2, 0] = 2 * s
        del file["case"]
        file["case"] = synthetic.CASE.replace(
            '"analysis"', '"loads": {"P": {"at": "C", "force": [0, -1]}}, "analysis"')
        file.create_dataset("solver/unstable_directions", data=1.0 * ((s > 1) & (s < 2)))
        for name in ("time", "name", "what"):
            del file[f"events/{name}"]
        file["events/time"] = [load[np.argmin(abs(s - 1))], load[np.argmin(abs(s - 2))]]
        file["events/name"] = np.array([b"limit point"] * 2)
        file["events/what"] = np.array([b"the load factor has a maximum"] * 2)
    return path, s, load


def test_path_of_statics(tmp_path):
    path, s, load = statics(tmp_path / "a.h5")
    with Results(path) as results:
        position = results.array("points/position")[..., :2]
        assert chosen_displacements(results, position - position[0]) == [(3, 1), (2, 0)]
        # Marks are told by their load factor: the nearest row has it, on whatever branch.
        rows = marked_rows(results)["limit point"]
        assert load[rows] == pytest.approx([e.time for e in results.events])
        figure = path_figure(results, "t")
    first = figure.axes[0]
    assert first.get_xlabel() == "change of $Y_\\mathrm{C}$ (m)"
    line = first.lines[0]
    assert line.get_xdata() == pytest.approx(-s) and line.get_ydata() == pytest.approx(load)
    dashed = [x for x in first.lines if x.get_linestyle() == "--"]
    assert len(dashed) == 1 and 0.9 < -dashed[0].get_xdata().max() <= 1.01
    assert "dashed where unstable" in " ".join(t.get_text() for t in figure.texts)


def test_equilibria_at_equal_steps_of_the_path(tmp_path):
    assert path_steps(np.array([[[0.0, 0], [0, 0]], [[3, 4], [0, 0]], [[3, 4], [np.nan, 0]]])) \
        == pytest.approx([0, 2.5, 2.5])
    path, s, _ = statics(tmp_path / "a.h5")
    with Results(path) as results:
        (panel,) = _split_path(results, np.arange(results.rows))
        assert panel.first_row == 0 and len(panel.rows) == 12 and panel.rows[-1] == 40
        assert np.diff(s[panel.rows]) == pytest.approx(np.full(11, 0.25), abs=0.076)
        figure = configurations_figure(results)
    key = [axes for axes in figure.axes if not axes.get_xlabel()][0]
    assert [t.get_text() for t in key.get_xticklabels()][-1] == "4.5"


def test_plot_of_statics_and_of_modes(tmp_path):
    path, _, _ = statics(tmp_path / "s.h5")
    done = run("plot", path)
    assert done.returncode == 0, done.stderr
    assert sorted(p.name for p in tmp_path.glob("*.png")) == ["s_configurations.png", "s_path.png"]
    text = run("report", path, "--text").stdout
    assert "Load factor" in text and "41 equilibria" in text and "at λ" in text
    done = run("plot", synthetic.write_modes(tmp_path / "m.h5"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "m_modes.png").exists()
    assert "translation along X" in run("report", tmp_path / "m.h5", "--text").stdout


# Modes

def test_shapes_are_drawn_with_the_amplitude_asked_for(tmp_path):
    with Results(synthetic.write_modes(tmp_path / "m.h5")) as results:
        assert [m.kind for m in results.modes][:2] == ["free", "vibration"]
        assert results.modes[1].frequency == pytest.approx(
            np.pi / 8 * np.sqrt(synthetic.EI / synthetic.MASS))
        shapes = _Shapes(results)
        x = shapes.rods["beam"][:, 0]
        for k in range(1, 6):
            points, rods = shapes.motion(k, 0.1)
            shape = rods["beam"][:, 1]
            assert np.abs(shape).max() == pytest.approx(0.2)  # 0.1 of 2 m
            exact = np.sin(k * np.pi * x / 2)
            exact *= (shape @ exact) / (exact @ exact)
            # Cubic between 8 nodes: (k π/7)⁴/384 of the largest.
            assert np.abs(shape - exact).max() < 0.2 * 1.5 * (k * np.pi / 7) ** 4 / 384
            assert np.abs(rods["beam"][:, 0]).max() < 1e-9
            assert points[shapes.results.rods["beam"].nodes, 1] == pytest.approx(shape[::12])
        _, rods = shapes.motion(0, 0.1)
        assert rods["beam"] == pytest.approx(np.tile([0.2, 0], (85, 1)), abs=1e-9)


def test_modes_figure_names_every_mode(tmp_path):
    with Results(synthetic.write_modes(tmp_path / "m.h5")) as results:
        figure = modes_figure(results, "t", [0, 2])
        words = [t.get_text() for t in figure.texts]
        assert len(figure.axes) == 2
    assert "free motion" in words and "3" in words and "2" not in words
    assert any("22.994 Hz" in w for w in words)


@pytest.mark.parametrize("arguments, code, words", [
    (["--mode", 9], 2, "has 1 to 6"), (["--mode", 0], 2, "has 1 to 6"),
    (["--mode", "x"], 2, "invalid int"), (["--amplitude", 0], 2, "not a positive")])
def test_modes_command_refuses(tmp_path, arguments, code, words):
    done = run("modes", synthetic.write_modes(tmp_path / "m.h5"), *arguments)
    assert done.returncode == code and words in done.stderr


def test_modes_command(tmp_path, results_file):
    done = run("modes", synthetic.write_modes(tmp_path / "m.h5"), "--mode", 2, "--format", "svg")
    assert done.returncode == 0 and (tmp_path / "m_modes.svg").exists()
    done = run("modes", results_file)
    assert done.returncode == 4 and "fem modes CASE.json" in done.stderr
