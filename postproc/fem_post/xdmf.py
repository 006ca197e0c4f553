"""XDMF 3 with its numbers in HDF5: what ParaView, VisIt and VTK's Xdmf readers open.

The XML file says what is where: a collection over time, in it the grids of curves.py. The HDF5 file
beside it holds a dataset a field, [rows, points, …], of which the XML takes one row by a hyperslab.
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
                    described.append(_create(file, grid, results.rows))
                folder = file[grid.name]
                folder["position"][rows] = grid.position
                for field in grid.fields:
                    folder[field.name][rows] = field.values
    return described


def _create(file, grid, rows):
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
    shape = grid.position.shape[1:]
    for name, unit, size in [("position", "m", shape),
                             *((f.name, f.unit, f.values.shape[1:]) for f in grid.fields)]:
        dataset = folder.create_dataset(name, (rows, *size), dtype=float, chunks=(1, *size))
        dataset.attrs["unit"] = unit
    return (grid.name, shape[0], len(words), len(grid.cells),
            [(f.name, f.unit, f.values.shape[1:]) for f in grid.fields])


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
            lines += _grid(grid, heavy_name, row, len(time), value)
        lines.append("</Grid>")
    return "\n".join([*lines, "</Grid>", "</Domain>", "</Xdmf>"]) + "\n"


def _grid(grid, heavy, row, rows, value):
    name, points, words, cells, fields = grid
    return [f'<Grid Name="{name}" GridType="Uniform">', f'<Time Value="{float(value)!r}"/>',
            f'<Topology TopologyType="Mixed" NumberOfElements="{cells}">',
            f'<DataItem Format="HDF" NumberType="Int" Precision="4" Dimensions="{words}">'
            f"{heavy}:/{name}/topology</DataItem>", "</Topology>",
            '<Geometry GeometryType="XYZ">', *_slab(heavy, f"{name}/position", row, rows,
                                                    (points, 3)), "</Geometry>",
            '<Attribute Name="object" AttributeType="Scalar" Center="Cell">',
            f'<DataItem Format="HDF" NumberType="Int" Precision="4" Dimensions="{cells}">'
            f"{heavy}:/{name}/object</DataItem>", "</Attribute>",
            *(line for field, unit, size in fields
              for line in _attribute(heavy, name, field, unit, size, row, rows)), "</Grid>"]


def _attribute(heavy, name, field, unit, size, row, rows):
    kind = "Vector" if len(size) == 2 else "Scalar"
    heading = f"{field} ({unit})"
    return [f'<Attribute Name={quoteattr(heading)} AttributeType="{kind}" Center="Node">',
            *_slab(heavy, f"{name}/{field}", row, rows, size), "</Attribute>"]


def _slab(heavy, path, row, rows, size):
    """One row of a dataset."""
    one = " ".join(map(str, (1, *size)))
    zeros, ones = " ".join("0" * len(size)), " ".join("1" * (len(size) + 1))
    return [f'<DataItem ItemType="HyperSlab" Dimensions="{one}">',
            f'<DataItem Format="XML" Dimensions="3 {len(size) + 1}">{row} {zeros} {ones} {one}'
            "</DataItem>",
            f'<DataItem Format="HDF" NumberType="Float" Precision="8" '
            f'Dimensions="{rows} {" ".join(map(str, size))}">{heavy}:/{path}</DataItem>',
            "</DataItem>"]
