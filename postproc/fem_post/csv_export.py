"""Histories as a CSV file: one row an output time, one column a history, all digits.

Headings are names of scalar_names.py with their units, so that `fem-post compare` reads the file
again.
"""

import csv
import io

import numpy as np

from fem_post.compared_runs import SECTION_QUANTITIES, section_quantity
from fem_post.quantities import object_quantities, point_quantities


class Columns:
    """What a file has: headings, and how the values of each are read."""

    def __init__(self, results, shares):
        self.headings, self._parts = [], []
        for quantity in point_quantities(results, results.named_points):
            name = quantity.name.partition("/")[2]
            self._take(quantity, [f"points/{p.object}/{name}/{p.component}"
                                  for p in quantity.places])
        for name, rod in results.rods.items():
            if rod.length is None:
                continue
            for kind in SECTION_QUANTITIES:
                self._take(section_quantity(results, name, kind, shares),
                           [f"rods/{name}/{kind}@{100 * share:.10g}%" for share in shares])
        for quantity in object_quantities(results):
            group, _, name = quantity.name.partition("/")
            self._take(quantity, ["/".join(word for word in
                                           (group, p.object, name, p.component) if word)
                                  for p in quantity.places])

    def _take(self, quantity, names):
        unit = f" ({quantity.unit})" if quantity.unit and quantity.unit != "1" else ""
        self.headings += [name + unit for name in names]
        self._parts.append(quantity)

    def values(self):
        """[rows, columns]."""
        return np.concatenate([q.load(np.arange(len(q.places))) for q in self._parts], axis=1)


def histories_csv(results, shares=(0.0, 0.5, 1.0)):
    """The file, as text. `shares`: where sections of rods are taken, of their length."""
    columns = Columns(results, np.asarray(shares, float))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["load factor" if results.analysis == "statics" else "t (s)",
                     *columns.headings])
    table = np.concatenate([results.time[:, None], columns.values()], axis=1)
    writer.writerows([[repr(float(value)) for value in row] for row in table])
    return out.getvalue()
