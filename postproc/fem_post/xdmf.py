"""XDMF 3 with its numbers in HDF5: what ParaView, VisIt and VTK's Xdmf readers open.

The XML file says what is where: a collection over time, in it the grids of curves.py. The HDF5 file
beside it holds a dataset a field and row, /rods/position/ROW: hyperslabs of one dataset would be
shorter, but VTK's Xdmf3 reader does not read them.
"""

from xml.sax.saxutils import quoteattr

import h5py
import numpy as np

from fem_post.curves import grids
from fem_post.results import link_name

_BLOCK = 2_000_000  # values of a field that are held at a time
_POLYVERTEX, _POLYLINE = 1, 2  # codes of cells in a mixed topology


def write_heavy(results, path, pieces):
    """Write the numbers; [(grid name, points, words of topology, cells, [(field, unit, size)])]."""
    points = sum(rod.elements * (pieces + 1) for rod in results.rods.values()) + len(results.points)
    block = max(1, _BLOCK // max(points, 1))
    described = []
    with h5py.File(path, "w", libver=("earliest", "v110")) as file:
        file.attrs["title"] = results.title
        file["time"] = results.time
        for begin in range(0, results.rows, block):
            rows = slice(begin, min(begin + block, results.rows))
            for grid in grids(results, rows, pieces):
                if begin == 0:
                    described.append(_create(file, grid))
                _put(file[grid.name], "position", "m", begin, grid.position)
                for field in grid.fields:
                    _put(file[grid.name], field.name, field.unit, begin, field.values)
    return described


def _create(file, grid):
    folder = file.create_group(grid.name)
    words = []
    for cell in grid.cells:
        kind = _POLYVERTEX if len(cell) == 1 else _POLYLINE
        words += [kind, len(cell), *cell]
    folder["topology"] = np.array(words, dtype=np.int32)
    # A number a cell, so that objects can be told apart and selected.
    names = list(dict.fromkeys(grid.labels))
    number = {name: k for k, name in enumerate(names)}
    folder["object"] = np.array([number[name] for name in grid.labels], dtype=np.int32)
    folder["object"].attrs["names"] = np.array([link_name(n) for n in names],
                                               dtype=h5py.string_dtype())
    return (grid.name, grid.position.shape[1], len(words), len(grid.cells),
            [(f.name, f.unit, f.values.shape[1:]) for f in grid.fields])


def _put(folder, name, unit, begin, values):
    """Rows of a field, from number `begin` on."""
    field = folder.require_group(name)
    field.attrs["unit"] = unit
    for k, row in enumerate(values):
        field.create_dataset(str(begin + k), data=row)


def clock(results):
    """[rows]: what programs call time. Where it does not increase (load factors along a path that
    turns back) the numbers of the rows."""
    time = results.time
    return time if np.all(np.diff(time) > 0) else np.arange(len(time), dtype=float)


def light(title, heavy_name, time, described):
    """The XML, as text."""
    lines = ['<?xml version="1.0"?>', '<!DOCTYPE Xdmf SYSTEM "Xdmf.dtd" []>',
             '<Xdmf Version="3.0" xmlns:xi="http://www.w3.org/2001/XInclude">', "<Domain>",
             f"<Grid Name={quoteattr(title)} GridType=\"Collection\" CollectionType=\"Temporal\">"]
    for row, value in enumerate(time):
        lines += ['<Grid Name="structure" GridType="Collection" CollectionType="Spatial">',
                  f'<Time Value="{float(value)!r}"/>']
        for grid in described:
            lines += _grid(grid, heavy_name, row, value)
        lines.append("</Grid>")
    return "\n".join([*lines, "</Grid>", "</Domain>", "</Xdmf>"]) + "\n"


def _grid(grid, heavy, row, value):
    name, points, words, cells, fields = grid
    return [f'<Grid Name="{name}" GridType="Uniform">', f'<Time Value="{float(value)!r}"/>',
            f'<Topology TopologyType="Mixed" NumberOfElements="{cells}">',
            _item(heavy, f"{name}/topology", "Int", (words,)), "</Topology>",
            '<Geometry GeometryType="XYZ">',
            _item(heavy, f"{name}/position/{row}", "Float", (points, 3)), "</Geometry>",
            '<Attribute Name="object" AttributeType="Scalar" Center="Cell">',
            _item(heavy, f"{name}/object", "Int", (cells,)), "</Attribute>",
            *(line for field, unit, size in fields
              for line in (_attribute(field, unit, size),
                           _item(heavy, f"{name}/{field}/{row}", "Float", size),
                           "</Attribute>")), "</Grid>"]


def _attribute(field, unit, size):
    kind = "Vector" if len(size) == 2 else "Scalar"
    heading = f"{field} ({unit})"
    return f'<Attribute Name={quoteattr(heading)} AttributeType="{kind}" Center="Node">'


def _item(heavy, path, number, size):
    """A whole dataset."""
    return (f'<DataItem Format="HDF" NumberType="{number}" '
            f'Precision="{4 if number == "Int" else 8}" Dimensions="{" ".join(map(str, size))}">'
            f"{heavy}:/{path}</DataItem>")
