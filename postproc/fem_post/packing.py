"""Panels of given proportions in one figure without waste.

Panels with equal axes have the proportions of what they show: a wide one and a tall one leave
holes in a grid. Here the page is cut by full horizontal and vertical cuts (a slicing tree) so that
every panel fills its cell; among all trees that keep the panels in reading order the one with the
largest panels is taken.

Lengths are inches. A panel is its drawing area of width w = a h plus fixed margins for labels, so
the outer width of a panel, a row or a column is an affine function of its outer height,
W = slope · H + offset.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product


@dataclass(frozen=True)
class Margins:
    """Space around a panel's drawing area for its ticks, labels and title, inches."""

    left: float
    right: float
    bottom: float
    top: float


@dataclass(frozen=True)
class Box:
    """A rectangle on the page, inches, from the lower left corner."""

    left: float
    bottom: float
    width: float
    height: float


class _Panel:
    def __init__(self, number, proportion, margins):
        across, up = margins.left + margins.right, margins.bottom + margins.top
        self.number, self.margins = number, margins
        self.slope, self.offset = proportion, across - proportion * up

    def place(self, left, bottom, width, height, boxes):
        m = self.margins
        boxes[self.number] = Box(left + m.left, bottom + m.bottom,
                                 width - m.left - m.right, height - m.bottom - m.top)


class _Row:
    """Cells of one height, from left to right."""

    def __init__(self, cells):
        self.cells = cells
        self.slope = sum(c.slope for c in cells)
        self.offset = sum(c.offset for c in cells)

    def place(self, left, bottom, width, height, boxes):
        for cell in self.cells:
            own = cell.slope * height + cell.offset
            cell.place(left, bottom, own, height, boxes)
            left += own


class _Column:
    """Cells of one width, from top to bottom."""

    def __init__(self, cells):
        self.cells = cells
        self.slope = 1 / sum(1 / c.slope for c in cells)
        self.offset = self.slope * sum(c.offset / c.slope for c in cells)

    def place(self, left, bottom, width, height, boxes):
        top = bottom + height
        for cell in self.cells:
            own = (width - cell.offset) / cell.slope
            top -= own
            cell.place(left, top, width, own, boxes)


def _trees(panels):
    """All slicing trees of the panels in this order (of 4 panels: 22)."""
    if len(panels) == 1:
        return list(panels)
    # Among equals the first is taken: rows below one another read most easily.
    return _cuts(panels, _Column, _Row) + _cuts(panels, _Row, _Column)


def _cuts(panels, kind, other):
    """All trees whose outermost cuts make cells of a row, or of a column (`kind`)."""
    if len(panels) == 1:
        return list(panels)
    trees = []
    for count in range(1, len(panels)):
        for cuts in combinations(range(1, len(panels)), count):
            parts = [panels[i:j] for i, j in zip((0, *cuts), (*cuts, len(panels)))]
            trees += map(kind, product(*(_cuts(part, other, kind) for part in parts)))
    return trees


@dataclass(frozen=True)
class Packing:
    """Places of the panels' drawing areas on a page of width × height, inches."""

    width: float
    height: float
    boxes: list  # of Box, in the panels' order

    @cached_property
    def smallest(self):
        """Area of the smallest panel, in²; negative if one has no room at all."""
        return min(b.width * b.height if min(b.width, b.height) > 0 else -1.0 for b in self.boxes)


def pack(extents, margins, area, shapes=(0.45, 1.0), widest=13.0, smallest_proportion=0.4,
         largest_proportion=2.6):
    """(Packing, extents): the best packing of panels that show `extents` with equal axes.

    extents: (width, height) of what each panel shows, in its units, both positive; panels narrower
    or flatter than the proportions allow are given the extents that they have to show instead.
    area: of the page, in²; shapes: smallest and largest height / width of the page.
    """
    shown = []
    for across, up in extents:
        across = max(across, smallest_proportion * up)
        shown.append((across, max(up, across / largest_proportion)))
    panels = [_Panel(i, across / up, margins) for i, (across, up) in enumerate(shown)]

    def packing_of(tree):
        # W H = area with W = slope · H + offset.
        half = tree.offset / 2
        height = (-half + (half * half + tree.slope * area) ** 0.5) / tree.slope
        width = tree.slope * height + tree.offset
        if width > widest:
            width, height = widest, (widest - tree.offset) / tree.slope
        boxes = [None] * len(panels)
        tree.place(0.0, 0.0, width, height, boxes)
        return Packing(width, height, boxes)

    def merit(packing):
        if packing.smallest <= 0:
            return packing.smallest
        shape = packing.height / packing.width
        outside = max(1.0, shapes[0] / shape, shape / shapes[1])
        scales = [box.width / across for box, (across, _) in zip(packing.boxes, shown)]
        # Large panels first, then panels at scales that can be compared.
        return packing.smallest * (min(scales) / max(scales)) ** 0.5 / outside ** 3

    return max(map(packing_of, _trees(panels)), key=merit), shown
