"""What the figures are made of: times, panels, places, lines."""

import h5py
import numpy as np
import pytest

import synthetic
from fem_post.configurations import configurations_figure, nice_interval, rows_at, split
from fem_post.histories import (_event_note, energy_figure, hinges_figure, moving_points,
                                nodes_figure, thinned)
from fem_post.labels import LabelPlacer
from fem_post.packing import Margins, pack
from fem_post.results import Event, Results
from fem_post.style import rendered


def test_interval_is_a_fortieth_rounded():
    assert nice_interval(20) == pytest.approx(0.5)
    assert nice_interval(1) == pytest.approx(0.02)
    assert nice_interval(3e-4) == pytest.approx(1e-5)


def test_rows_nearest_to_times():
    time = np.array([0.0, 1.0, 1.0, 2.0, 5.0])
    assert list(rows_at(time, np.array([-1, 0.4, 1.6, 3.6, 9]))) == [0, 0, 3, 4, 4]
    assert list(rows_at(np.array([3.0]), np.array([0.0, 7.0]))) == [0, 0]


def test_four_panels_of_equal_duration_as_in_the_paper():
    time = synthetic.EVERY * np.arange(synthetic.ROWS)
    panels = split(time, 0.5)
    assert [(p.begin, p.end) for p in panels] == [(0, 5), (5, 10), (10, 15), (15, 20)]
    assert time[panels[0].rows] == pytest.approx(np.arange(0.5, 5.01, 0.5))
    assert time[panels[3].rows] == pytest.approx(np.arange(15.5, 20.01, 0.5))
    assert [time[p.first_row] for p in panels] == pytest.approx([0, 5, 10, 15])


def test_every_row_is_in_one_panel_whatever_the_interval():
    time = np.sort(np.random.default_rng(2).uniform(0, 7, 300))
    for every in (0.003, 0.11, 1.0, 6.0, 100.0):
        rows = np.concatenate([p.rows for p in split(time, every)])
        assert len(rows) == len(set(rows)) > 0
        assert list(rows) == sorted(rows)


def test_one_instant_makes_one_panel():
    assert len(split(np.array([0.0]), 0.5)) == 1
    assert list(split(np.array([2.0, 2.0]), 0.5)[0].rows) == [1]


@pytest.mark.parametrize("extents", [[(4, 2), (5, 4.5), (4.3, 6), (3.4, 6)], [(1, 1)] * 4,
                                     [(1, 100), (100, 1), (1, 1), (3, 2)], [(2, 1)]])
def test_panels_fill_the_page_without_overlap(extents):
    margins = Margins(0.5, 0.1, 0.4, 0.6)
    packing, shown = pack(extents, margins, area=80)
    outer = [(b.left - margins.left, b.bottom - margins.bottom,
              b.left + b.width + margins.right, b.bottom + b.height + margins.top)
             for b in packing.boxes]
    assert sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in outer) == pytest.approx(
        packing.width * packing.height)
    for i, a in enumerate(outer):
        assert min(a[:2]) > -1e-9 and a[2] < packing.width + 1e-9 and a[3] < packing.height + 1e-9
        for b in outer[i + 1:]:
            assert (min(a[2], b[2]) - max(a[0], b[0]) < 1e-9
                    or min(a[3], b[3]) - max(a[1], b[1]) < 1e-9)
    for box, (across, up), (least_across, least_up) in zip(packing.boxes, shown, extents):
        assert box.width / box.height == pytest.approx(across / up)  # equal axes
        assert across >= least_across and up >= least_up


def test_names_avoid_lines_and_one_another():
    x = np.linspace(0, 200, 400)
    line = np.stack([x, 0 * x + 50], axis=-1)
    placer = LabelPlacer((200, 100), line)
    first = placer.beside_point("A", np.array([100.0, 50.0]))
    second = placer.beside_point("B", np.array([100.0, 50.0]))
    assert abs(first[1] - 50) > 5 and abs(second[1] - 50) > 5
    assert np.linalg.norm(first - second) > 8
    centre, turn = placer.along_line("rod", line)
    assert turn == pytest.approx(0) and abs(centre[1] - 50) > 5
    assert placer.along_line("a name too long", line[:20])[0] is None


def test_thinned_lines_keep_extremes_and_gaps():
    time = np.linspace(0, 1, 100_000)
    values = np.sin(50 * time)
    values[12_345], values[70_000:70_100] = 9.0, np.nan
    short_time, short = thinned(time, values, most=1000)
    assert len(short) < 1500
    assert np.nanmax(short) == 9.0
    assert np.isnan(short).any()
    assert (short_time[0], short_time[-1]) == (0, 1)


def test_points_that_move(results_file):
    with Results(results_file) as results:
        chosen, left = moving_points(results)
        assert [results.points[i] for i in chosen] == ["A", "B", "C"]
        assert left == 0
        chosen, left = moving_points(results, most=1)
        assert ([results.points[i] for i in chosen], left) == (["C"], 2)


@pytest.mark.parametrize("what, words", [
    ("velocity jump, impulse 0.3 N m s", "velocity jump"), ("", "events"),
    ("the prescribed rate jumps from -0.6 to 0; impulse 1", "the prescribed rate jumps"),
    ("latched at 1.57 rad", "latched"), ("stop hit 3 times", "stop hit")])
def test_the_kind_of_an_event_is_its_words_before_the_numbers(what, words):
    assert _event_note([Event(0.0, "h", what)]) == f"Thin vertical lines: {words}"


def drawn_lines(axes):
    return [line.get_label() for line in axes.lines if not line.get_label().startswith("_")]


def test_configurations_show_every_configuration_at_equal_axes(results_file):
    with Results(results_file) as results:
        figure = configurations_figure(results, "A title")
    panels = [axes for axes in figure.axes if axes.get_xlabel()]
    assert len(panels) == 4
    for axes in panels:
        # Ten configurations and the one where the interval begins, three rods each.
        assert [len(c.get_segments()) for c in axes.collections] == [3] * 11
        assert axes.get_aspect() == 1
    titles = [text.get_text() for text in figure.texts]
    assert "(a)  0 < t ≤ 5 s" in titles and "A title" in titles


def test_configurations_keep_everything_inside_their_axes(results_file):
    with Results(results_file) as results:
        figure = configurations_figure(results)
    for axes in figure.axes:
        if axes.get_xlabel():
            points = np.concatenate([s for c in axes.collections for s in c.get_segments()])
            low, high = points.min(axis=0), points.max(axis=0)
            assert axes.get_xlim()[0] < low[0] and high[0] < axes.get_xlim()[1]
            assert axes.get_ylim()[0] < low[1] and high[1] < axes.get_ylim()[1]


def test_energy_leaves_out_what_is_zero_and_draws_the_case_s_tolerance(results_file):
    with Results(results_file) as results:
        figure = energy_figure(results, limits=[(1e-6, "limit")])
    upper, lower = figure.axes
    assert drawn_lines(upper) == ["kinetic", "strain", "work of prescribed laws"]
    assert any("work of loads" in text.get_text() for text in figure.texts)
    marks = [text.get_text() for text in lower.texts]
    assert "accepted by the run 0.0001" in marks and "limit 1e-06" in marks


def test_no_tolerance_is_drawn_that_nobody_named(tmp_path):
    path = synthetic.write(tmp_path / "a.h5")
    with h5py.File(path, "a") as file:
        del file["case"]
    with Results(path) as results:
        lower = energy_figure(results).axes[1]
    assert not any("tolerance" in text.get_text() for text in lower.texts)


def test_labels_of_small_changes_of_large_numbers_stay_on_the_page(tmp_path):
    path = synthetic.write(tmp_path / "a.h5")
    with h5py.File(path, "a") as file:
        position = file["points/position"]
        position[:, :, :2] = 12345 + 1e-4 * position[:, :, :2]
        file["hinges/hinge1/angle"][:] = 1e5 + 1e-3 * file["hinges/hinge1/angle"][:]
    with Results(path) as results:
        for figure in (nodes_figure(results, "t"), hinges_figure(results, "t")):
            width = figure.get_size_inches()[0] * figure.dpi
            boxes = [axes.get_tightbbox() for axes in figure.axes]
            assert all(box.x0 >= 0 and box.x1 <= width + 30 for box in boxes)  # half a number
            left = [box for box in boxes if box.x0 < width / 2 - 30]
            right = [box for box in boxes if box not in left]
            assert not any(a.x1 > b.x0 + 30 for a in left for b in right)


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_the_same_results_give_the_same_bytes(results_file, kind):
    def draw():
        with Results(results_file) as results:
            return rendered(nodes_figure(results, "t"), kind, dpi=40)
    assert draw() == draw()


def test_figures_leave_matplotlib_as_they_found_it(results_file):
    import matplotlib
    matplotlib.rcParams["font.size"] = 17.0
    with Results(results_file) as results:
        rendered(energy_figure(results), dpi=30)
    assert matplotlib.rcParams["font.size"] == 17.0
