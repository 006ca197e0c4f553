"""Names of single histories, as they head the columns of CSV files.

| name                              | what                                                      |
|-----------------------------------|-----------------------------------------------------------|
| points/NAME/position/X            | also velocity, acceleration; Y, Z                         |
| rods/NAME/QUANTITY@S              | of a section: X, Y, angle, axial_force, shear_force,      |
|                                   | bending_moment; S in metres (0.37) or a share (25%)       |
| hinges/NAME/angle                 | also rate, moment, drive_moment                           |
| supports/NAME/force/X             | and any other dataset of an object: its path in the file, |
|                                   | then the component of a vector                            |
| energy/kinetic, momentum/linear/X | of the whole                                              |

A unit in brackets behind a name is no part of it: `energy/kinetic (J)`.
"""

import re
from dataclasses import dataclass
from difflib import get_close_matches

from fem_post.compared_runs import SECTION_QUANTITIES
from fem_post.quantities import AXES, GLOBAL_GROUPS, OBJECT_GROUPS

GROUPS = ("points", "rods", *OBJECT_GROUPS, *GLOBAL_GROUPS)
_UNIT = re.compile(r"\s*[\[(][^\[\]()]*[\])]\s*$")


class ScalarNameError(ValueError):
    """A text names no history; the message says what is allowed."""


@dataclass(frozen=True)
class ScalarName:
    """A single history."""

    group: str
    object: str      # "" of what belongs to the whole
    quantity: str
    component: str = ""
    place: float | None = None  # of a section: arc coordinate in m, or its share
    share: bool = False

    @property
    def column(self):
        """The quantity that it is compared in."""
        if self.place is None:
            return f"{self.group}/{self.quantity}"
        return "sections/position" if self.quantity in AXES else f"sections/{self.quantity}"


def without_unit(text):
    """A heading without the unit in brackets behind it."""
    return _UNIT.sub("", text.strip())


def unit_in(text):
    """The unit in brackets behind a heading; "" without."""
    found = _UNIT.search(text)
    return found.group().strip()[1:-1].strip() if found else ""


def parse(text):
    """ScalarName of a heading; ScalarNameError with a reason."""
    name = without_unit(text)
    group, _, rest = name.partition("/")
    if group not in GROUPS:
        near = get_close_matches(group, GROUPS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else \
            f"it begins with one of {', '.join(GROUPS)}"
        raise ScalarNameError(f"{text!r} names no history: {hint}")
    if group == "rods":
        return _section(text, rest)
    parts = rest.split("/")
    component = parts.pop() if len(parts) > 1 and (parts[-1] in AXES or parts[-1].isdigit()) \
        and not (group == "points" and len(parts) == 2) else ""
    if group in GLOBAL_GROUPS:
        if len(parts) != 1 or not parts[0]:
            raise ScalarNameError(f"{text!r} names no history: expected {group}/QUANTITY, as in "
                                  "energy/kinetic or momentum/linear/X")
        return ScalarName(group, "", parts[0], component)
    if len(parts) < 2 or not all(parts):
        raise ScalarNameError(f"{text!r} names no history: expected {group}/NAME/QUANTITY, then / "
                              "and X or Y of a vector, as in points/C/position/X")
    return ScalarName(group, "/".join(parts[:-1]), parts[-1], component)


def _section(text, rest):
    path, at, place = rest.rpartition("@")
    name, _, quantity = path.rpartition("/")
    if not at or not name or quantity not in SECTION_QUANTITIES:
        raise ScalarNameError(f"{text!r} names no history: expected rods/NAME/QUANTITY@S with one "
                              f"of {', '.join(SECTION_QUANTITIES)} and S in metres (0.37) or as a "
                              "share (25%)")
    share = place.endswith("%")
    try:
        value = float(place.rstrip("%")) / (100 if share else 1)
    except ValueError:
        value = float("nan")
    if not 0 <= value < float("inf") or (share and value > 1):
        raise ScalarNameError(f"{text!r}: {place!r} is no place on a rod")
    component = quantity if quantity in AXES else ""
    return ScalarName("rods", name, quantity, component, value, share)
