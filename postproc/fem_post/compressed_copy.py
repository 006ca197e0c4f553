"""A results file written anew, compressed: the same names, types, attributes and bits.

While a run goes on its file is not compressed: readers follow it, and a chunk that grows cannot be
compressed again without moving it under their eyes. Of a file that has ended every table is
shuffled (equal bytes of neighbouring numbers side by side) and deflated, in larger chunks.

Values are copied as they lie in the file, byte by byte; texts of variable size as texts. The copy
is then read and compared with the original.
"""

import os
from contextlib import contextmanager
from math import prod

import h5py
import numpy as np
from h5py import h5, h5a, h5d, h5f, h5g, h5p, h5s, h5t

from fem_post.command import WriteError
from fem_post.results import ROW_GROUPS, ResultsError, one_line

_LEVEL = 4               # of deflate: higher ones take long and gain little
_CHUNK_BYTES = 1 << 18   # of a chunk with several rows: what is read to see one of them
_BLOCK_BYTES = 1 << 24   # copied at a time
_SMALL_BYTES = 1 << 10   # arrays of fixed size below are not worth a chunk of their own


def copy_compressed(source, path):
    """Write what is in the open file `source` to a new file, `path`, and check it bit for bit.

    Of a run that was killed while it wrote, rows behind the last complete one are left out.
    Raises ResultsError where the source cannot be read or has what no run writes (links, references
    between objects), WriteError where the new file cannot be written or is not equal.
    """
    with _writing(path):
        _copy_file(source, path)
    with _writing(path), h5py.File(path, "r") as copy:
        _Comparison(source, copy, path).demand_equal()


def _copy_file(source, path):
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_libver_bounds(h5f.LIBVER_V110, h5f.LIBVER_V110)
    access.set_fclose_degree(h5f.CLOSE_STRONG)
    creation = _group_creation(source["/"], h5p.FILE_CREATE)
    with h5py.File(h5f.create(bytes(path), h5f.ACC_EXCL, creation, access)) as copy:
        try:
            _copy_attributes(source["/"], copy["/"])
            _copy_members(source, source["/"], copy["/"])
        except BaseException:
            # Room for what HDF5 still holds: it crashes where it cannot put it on a full disk.
            os.truncate(path, 0)
            raise


def _copy_members(file, group, copy):
    for name, item in _members(group):
        if isinstance(item, h5py.Dataset):
            _copy_dataset(item, complete_rows(file, item), copy, name)
            continue
        made = h5py.Group(h5g.create(copy.id, name.encode(), _utf8_link(),
                                     _group_creation(item, h5p.GROUP_CREATE)))
        _copy_attributes(item, made)
        _copy_members(file, item, made)


def _members(group):
    """(name, object) in the group's order; what is no object of its own is refused."""
    for name in group:
        place = f"{group.file.filename}: {group.name.rstrip('/')}/{name}"
        with _reading(group, name):
            link = group.get(name, getlink=True)
            item = group[name] if isinstance(link, h5py.HardLink) else None
        if not isinstance(item, (h5py.Dataset, h5py.Group)):
            raise ResultsError(f"{place} is a link or a type; runs write none, so it is not packed")
        yield name, item


def _group_creation(group, kind):
    """How a group, or a file with its root group, is made: in the same order, without times."""
    original, plist = group.id.get_create_plist(), h5p.create(kind)
    plist.set_obj_track_times(False)
    plist.set_link_creation_order(original.get_link_creation_order())
    plist.set_attr_creation_order(original.get_attr_creation_order())
    return plist


def _own_type(item):
    """The type of a dataset or attribute without its place in the file.

    HDF5 1.10 takes that place along into another file, where something else may stand.
    """
    return h5t.decode(item.get_type().encode())


def _own_space(item):
    """The same of its shape."""
    return h5s.decode(item.get_space().encode())


def _utf8_link():
    plist = h5p.create(h5p.LINK_CREATE)
    plist.set_char_encoding(h5t.CSET_UTF8)
    return plist


def has_incomplete_rows(file):
    """Whether tables have rows behind their /time, as where a run was killed while it wrote."""
    found = []

    def visit(_, item):
        if isinstance(item, h5py.Dataset) and item.ndim:
            found.append(complete_rows(file, item) < item.shape[0])
    file.visititems(visit)
    return any(found)


def complete_rows(file, dataset):
    """Rows of a dataset that are worth keeping: of those that grow none behind their /time."""
    count = dataset.shape[0] if dataset.ndim else 1
    if not dataset.ndim or dataset.maxshape[0] is not None:
        return count
    group = dataset.name.split("/")[1]
    clock = file.get("events/time" if group == "events" else "time")
    if group not in (*ROW_GROUPS, "events") or not isinstance(clock, h5py.Dataset):
        return count
    return min(count, clock.shape[0])


def _copy_attributes(item, copy):
    for name, attribute in _attributes(item):
        with _reading(item, f"attribute {name}"):
            values = _values_of(attribute)
        kind = _own_type(attribute)
        made = h5a.create(copy.id, name, kind, _own_space(attribute))
        if values is not None:
            made.write(values, _memory_type(kind, values))


def _attributes(item):
    """(name, AttrID) of the attributes, in their order where the object has one."""
    tracked = item.id.get_create_plist().get_attr_creation_order() & h5p.CRT_ORDER_TRACKED
    by = h5.INDEX_CRT_ORDER if tracked else h5.INDEX_NAME
    for index in range(h5a.get_num_attrs(item.id)):
        attribute = h5a.open(item.id, index=index, index_type=by)
        yield attribute.name, attribute


def _values_of(attribute):
    """An attribute's values as they lie in the file; None where it has none."""
    space = attribute.get_space()
    if space.get_simple_extent_npoints() == 0:
        return None
    values = _room(attribute.get_type(), attribute.shape, attribute.name.decode())
    attribute.read(values, _memory_type(attribute.get_type(), values))
    return values


def _room(kind, shape, place):
    """An array for values of the type: of its bytes, or of objects for texts of any size."""
    if _is_text_of_any_size(kind):
        return np.empty(shape, h5py.string_dtype())
    if any(kind.detect_class(c) for c in (h5t.REFERENCE, h5t.VLEN)):
        raise ResultsError(f"{place} holds references or lists; runs write none, so it is not "
                           "packed")
    return np.empty(shape, np.dtype((np.void, kind.get_size())))


def _is_text_of_any_size(kind):
    return kind.get_class() == h5t.STRING and kind.is_variable_str()


def _memory_type(kind, values):
    """How values lie in memory: as in the file, so that nothing is converted."""
    return h5t.py_create(values.dtype) if values.dtype.kind == "O" else kind


def _copy_dataset(dataset, rows, copy, name):
    """Make the dataset `name` in the group `copy` with the first rows of `dataset`."""
    kind, space = _own_type(dataset.id), _own_space(dataset.id)
    if dataset.ndim:
        space.set_extent_simple((rows, *dataset.shape[1:]), space.get_simple_extent_dims(True))
    made = h5py.Dataset(h5d.create(copy.id, name.encode(), kind, space,
                                   _creation(dataset, rows), _utf8_link()))
    _copy_attributes(dataset, made)
    for block in _blocks(dataset, made, rows):
        values = _read(dataset, block)
        _transfer(made.id.write, made, block, values)
    # What HDF5 still has in its cache is written now: here a full disk can be told.
    made.flush()


def _creation(dataset, rows):
    """How the copy is stored: with its original's fill value and order of attributes."""
    original, plist = dataset.id.get_create_plist(), h5p.create(h5p.DATASET_CREATE)
    plist.set_obj_track_times(False)
    plist.set_attr_creation_order(original.get_attr_creation_order())
    if original.fill_value_defined() == h5d.FILL_VALUE_USER_DEFINED and dataset.dtype.kind != "O":
        plist.set_fill_value(np.array(dataset.fillvalue, dataset.dtype))
    if _is_chunked(dataset):
        plist.set_chunk(_chunk(dataset, rows))
        if not _is_text_of_any_size(dataset.id.get_type()):  # only addresses would be compressed
            plist.set_shuffle()
            plist.set_deflate(_LEVEL)
    return plist


def _is_chunked(dataset):
    """Tables, which grow in HDF5's eyes for ever, and arrays that are worth it."""
    if not dataset.ndim or not dataset.shape:
        return False
    kind = dataset.id.get_type()
    return None in dataset.maxshape or (not _is_text_of_any_size(kind)
                                        and dataset.size * kind.get_size() >= _SMALL_BYTES)


def _chunk(dataset, rows):
    """Whole rows, as many as fit; rows that the original splits stay split."""
    columns = dataset.chunks[1:] if dataset.chunks else dataset.shape[1:]
    row_bytes = dataset.id.get_type().get_size() * prod(max(1, n) for n in columns)
    fitting = max(1, _CHUNK_BYTES // row_bytes)
    return (max(1, min(fitting, rows)), *(max(1, n) for n in columns))


def _blocks(dataset, made, rows):
    """(first, last) rows to copy at a time, whole chunks of the copy; None: all at once."""
    if not dataset.size or not rows:
        return
    if not dataset.ndim or not made.chunks:
        yield None
        return
    row_bytes = dataset.dtype.itemsize * prod(dataset.shape[1:])
    step = made.chunks[0] * max(1, _BLOCK_BYTES // (row_bytes * made.chunks[0]))
    for first in range(0, rows, step):
        yield first, min(first + step, rows)


def _read(dataset, block):
    kind = dataset.id.get_type()
    shape = dataset.shape if block is None else (block[1] - block[0], *dataset.shape[1:])
    values = _room(kind, shape, dataset.name)
    with _reading(dataset):
        _transfer(dataset.id.read, dataset, block, values)
    return values


def _transfer(act, dataset, block, values):
    """Read or write (`act`) a block of rows, without any conversion."""
    memory, space = h5s.ALL, h5s.ALL
    if block is not None:
        memory, space = h5s.create_simple(values.shape), dataset.id.get_space()
        space.select_hyperslab((block[0], *(0 for _ in values.shape[1:])), values.shape)
    act(memory, space, values, _memory_type(dataset.id.get_type(), values))


class _Comparison:
    """Whether a copy has what its original has, to the last bit."""

    def __init__(self, source, copy, path):
        self.source, self.copy, self.path = source, copy, path

    def demand_equal(self):
        self._compare_groups(self.source["/"], self.copy["/"])

    def _demand(self, same, name, what):
        if not same:
            raise WriteError(f"{self.path}: what was written differs in the {what} of {name}; "
                             "the original is kept")

    def _compare_groups(self, group, copy):
        self._compare_attributes(group, copy)
        self._demand(list(group) == list(copy), group.name, "names")
        for name, item in _members(group):
            same = copy[name]
            self._demand(isinstance(same, h5py.Dataset) == isinstance(item, h5py.Dataset),
                         item.name, "kind")
            (self._compare_datasets if isinstance(item, h5py.Dataset) else self._compare_groups)(
                item, same)

    def _compare_attributes(self, item, copy):
        ours, theirs = list(_attributes(item)), list(_attributes(copy))
        self._demand([name for name, _ in ours] == [name for name, _ in theirs], item.name,
                     "attributes")
        for (name, one), (_, other) in zip(ours, theirs):
            same = one.get_type().equal(other.get_type()) and one.shape == other.shape and \
                _equal(_values_of(one), _values_of(other))
            self._demand(same, item.name, f"attribute {name.decode()}")

    def _compare_datasets(self, dataset, copy):
        self._compare_attributes(dataset, copy)
        rows = complete_rows(self.source, dataset)
        shape = (rows, *dataset.shape[1:]) if dataset.ndim else dataset.shape
        same = dataset.id.get_type().equal(copy.id.get_type()) and copy.shape == shape and \
            copy.maxshape == dataset.maxshape
        self._demand(same, dataset.name, "type or shape")
        for block in _blocks(dataset, copy, rows):
            self._demand(_equal(_read(dataset, block), _read(copy, block)), dataset.name, "values")


def _equal(one, other):
    if one is None or other is None:
        return one is other
    if one.dtype.kind == "O":
        return one.tolist() == other.tolist()
    return one.tobytes() == other.tobytes()


@contextmanager
def _reading(item, name=""):
    """Errors of HDF5 while it reads `item`, as those of a damaged file."""
    try:
        yield
    except (OSError, RuntimeError, KeyError, ValueError) as error:
        place = item.name if not name else f"{item.name.rstrip('/')}/{name}"
        raise ResultsError(f"{item.file.filename} is damaged: {place} cannot be read "
                           f"({one_line(error)})") from error


@contextmanager
def _writing(path):
    """Errors of HDF5 while it writes."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        raise WriteError(f"{path} cannot be written: {one_line(error)}") from error
