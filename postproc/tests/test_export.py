"""What other programs are given: XDMF whose every reference resolves, CSV that compares equal."""

import csv
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import h5py
import numpy as np
import pytest

import synthetic
from fem_post.results import Results
from fem_post.sections import section_states

PROGRAM = Path(__file__).resolve().parent.parent / "fem-post"


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def dimensions(item):
    return tuple(map(int, item.get("Dimensions").split()))


def read_item(item, folder):
    """The numbers of a DataItem, as an XDMF reader gets them."""
    assert item.get("Format") == "HDF"
    name, _, path = item.text.strip().partition(":")
    with h5py.File(folder / name) as file:
        values = file[path][()]
    assert values.shape == dimensions(item)
    assert values.dtype.itemsize == int(item.get("Precision"))
    assert values.dtype.kind == {"Int": "i", "Float": "f"}[item.get("NumberType")]
    return values


@pytest.fixture
def exported(results_file):
    done = run("export", results_file)
    assert done.returncode == 0, done.stderr
    return results_file.parent


def steps_of(folder):
    tree = ElementTree.parse(folder / "case_export.xdmf")
    collection = tree.find("Domain/Grid")
    assert collection.get("CollectionType") == "Temporal"
    return collection.findall("Grid")


def test_every_reference_resolves_with_its_shape(exported):
    steps = steps_of(exported)
    assert [float(s.find("Time").get("Value")) for s in steps] \
        == pytest.approx(np.linspace(0, 20, synthetic.ROWS))
    assert [g.get("Name") for g in steps[7].findall("Grid")] == ["rods", "points"]
    for step in (steps[0], steps[123], steps[-1]):
        for grid in step.findall("Grid"):
            points = read_item(grid.find("Geometry")[0], exported)
            words = read_item(grid.find("Topology")[0], exported)
            cells, at = [], 0
            while at < len(words):
                assert words[at] in (1, 2)
                cells.append(words[at + 2:at + 2 + words[at + 1]])
                at += 2 + words[at + 1]
            assert len(cells) == int(grid.find("Topology").get("NumberOfElements"))
            assert np.array_equal(np.sort(np.concatenate(cells)), np.arange(len(points)))
            for attribute in grid.findall("Attribute"):
                values = read_item(attribute[0], exported)
                where = attribute.get("Center")
                assert (len(values) if where == "Cell" else len(values)) \
                    == (len(cells) if where == "Cell" else len(points))


def test_rods_are_where_their_sections_are(exported, results_file):
    grid = steps_of(exported)[123].find("Grid[@Name='rods']")
    points = read_item(grid.find("Geometry")[0], exported)
    fields = {a.get("Name"): read_item(a[0], exported) for a in grid.findall("Attribute")
              if a.get("Center") == "Node"}
    with Results(results_file) as results:
        middle = section_states(results, "rod2", [2 / 7 * 3.5], [123])
        ends = results.array("rods/rod2/bending_moment", [123])[0, 3]
    k = 5 * (7 + 3)  # the fourth element of the second rod: its five sections
    assert points[k + 2, :2] == pytest.approx(middle.position[0, 0], abs=1e-14)
    assert fields["bending_moment (N m)"][k + 2] == pytest.approx(middle.bending_moment[0, 0])
    assert fields["bending_moment (N m)"][[k, k + 4]] == pytest.approx(ends, rel=1e-4)
    assert fields["stress_left (Pa)"][k + 2] == pytest.approx(middle.stress_left[0, 0])
    assert {"displacement (m)", "angle (rad)", "axial_force (N)", "shear_force (N)"} <= set(fields)


def test_points_have_their_velocities(exported, results_file):
    grid = steps_of(exported)[50].find("Grid[@Name='points']")
    velocity = next(a for a in grid.findall("Attribute") if a.get("Name") == "velocity (m/s)")
    with Results(results_file) as results:
        assert np.array_equal(read_item(velocity[0], exported),
                              results.array("points/velocity", [50])[0, :4])


def test_bodies_are_outlines(tmp_path):
    t = np.linspace(0, 1, 5)
    with h5py.File(tmp_path / "case.h5", "w") as file:
        file.attrs["libfem_results"] = 1
        file["case"] = '{"bodies": {"hub": {"at": "a", "carries": ["b", "c"]}}}'
        file["time"] = t
        file["points/names"] = np.array([b"a", b"b", b"c"])
        start = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]])
        file["points/position"] = start + t[:, None, None] * np.array([2.0, 1.0, 0.0])
    assert run("export", tmp_path / "case.h5").returncode == 0
    grid = steps_of(tmp_path)[4].find("Grid[@Name='bodies']")
    points = read_item(grid.find("Geometry")[0], tmp_path)
    assert len(points) == 4 and np.array_equal(points[0], points[3])  # closed
    assert sorted(map(tuple, points[:3, :2])) == [(2, 1), (2, 2), (3, 1)]
    moved = next(a for a in grid.findall("Attribute") if a.get("Name") == "displacement (m)")
    assert read_item(moved[0], tmp_path) == pytest.approx(np.tile([2, 1, 0], (4, 1)))


def test_load_factors_that_turn_back_are_numbered(tmp_path):
    path = synthetic.write(tmp_path / "case.h5", rows=6)
    with h5py.File(path, "a") as file:
        file.attrs["analysis"] = "statics"
        file["time"][:] = [0, 0.5, 1, 0.9, 0.7, 0.8]
    assert run("export", path, "--format", "xdmf").returncode == 0
    assert [float(s.find("Time").get("Value")) for s in steps_of(tmp_path)] == list(range(6))


def test_csv_compares_equal_in_every_digit(exported, results_file):
    done = run("compare", results_file, exported / "case_export.csv", "--relative", 0)
    assert done.returncode == 0, done.stdout + done.stderr
    with open(exported / "case_export.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][0] == "t (s)" and len(rows) == synthetic.ROWS + 1
    column = rows[0].index("rods/rod1/bending_moment@50% (N m)")
    with Results(results_file) as results:
        exact = section_states(results, "rod1", [1.0]).bending_moment[:, 0]
    assert [float(row[column]) for row in rows[1:]] == pytest.approx(exact, rel=1e-5, abs=1e-9)


def test_sections_of_the_csv_file_can_be_chosen(results_file):
    run("export", results_file, "--format", "csv", "--at", "25%", "--at", "0.9")
    heading = results_file.with_name("case_export.csv").read_text().splitlines()[0].split(",")
    assert "rods/rod3/Y@25% (m)" in heading and "rods/rod3/angle@90% (rad)" in heading
    assert "rods/rod3/Y@50% (m)" not in heading


@pytest.mark.parametrize("arguments", [["--pieces", "0"], ["--at", "130%"], ["--format", "vtk"]])
def test_wrong_arguments(results_file, arguments):
    assert run("export", results_file, *arguments).returncode == 2


def test_values_that_are_not_finite_are_said(results_file):
    with h5py.File(results_file, "a") as file:
        file["points/position"][100, 2] = np.nan
    done = run("export", results_file)
    assert done.returncode == 3 and "Traceback" not in done.stderr


@pytest.mark.parametrize("module, name", [("vtkIOXdmf2", "vtkXdmfReader"),
                                          ("vtkIOXdmf3", "vtkXdmf3Reader")])
def test_paraviews_readers_open_it(exported, module, name):
    """VTK's own Xdmf readers have every field of every grid, digit by digit, at any time. ParaView's
    VTK has them; that of Debian's python3-vtk9 has not."""
    reader = getattr(pytest.importorskip(
        f"vtkmodules.{module}", reason=f"no {module}; scripts/test viewers installs ParaView's"),
        name)()
    from vtkmodules.util.numpy_support import vtk_to_numpy

    reader.SetFileName(str(exported / "case_export.xdmf"))
    reader.UpdateInformation()
    keys = reader.GetOutputInformation(0)
    times = keys.Get(reader.GetExecutive().TIME_STEPS())
    assert times == pytest.approx(np.linspace(0, 20, synthetic.ROWS), abs=1e-12)
    for row in (0, 123, synthetic.ROWS - 1):
        reader.UpdateTimeStep(times[row])
        leaves = leaves_of(reader.GetOutputDataObject(0))
        with h5py.File(exported / "case_export.h5") as file:
            grids = {name: file[name] for name in ("rods", "points")}
            for name, cells in (("rods", 21), ("points", 4)):
                leaf = next(leaf for leaf in leaves if leaf.GetNumberOfCells() == cells)
                assert np.array_equal(vtk_to_numpy(leaf.GetPoints().GetData()),
                                      grids[name][f"position/{row}"])
                fields = [key for key, item in grids[name].items()
                          if isinstance(item, h5py.Group) and key != "position"]
                assert len(fields) >= (7 if name == "rods" else 2)
                for field in fields:
                    unit = grids[name][field].attrs["unit"]
                    values = leaf.GetPointData().GetArray(f"{field} ({unit})")
                    assert np.array_equal(vtk_to_numpy(values), grids[name][f"{field}/{row}"])
                assert np.array_equal(vtk_to_numpy(leaf.GetCellData().GetArray("object")),
                                      grids[name]["object"])


def leaves_of(data):
    """Grids of a tree of blocks."""
    if not hasattr(data, "GetNumberOfBlocks"):
        return [data]
    return [leaf for k in range(data.GetNumberOfBlocks()) for leaf in leaves_of(data.GetBlock(k))]
