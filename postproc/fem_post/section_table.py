"""Sections of rods as tables: aligned text for a console, or CSV with all digits."""

import csv
import io

import numpy as np

from fem_post.sections import rod_envelope, section_states

_UNITS = {"axial_force": "N", "shear_force": "N", "bending_moment": "N m", "stress": "Pa"}
_WORDS = {"axial_force": "axial force", "shear_force": "shear force",
          "bending_moment": "bending moment", "stress": "fibre stress"}


def rows_near(time, asked):
    """Numbers of the rows nearest to the times asked for, in their order; ValueError outside."""
    low, high = float(time.min()), float(time.max())
    slack = 1e-9 * max(abs(low), abs(high))
    rows = []
    for t in asked:
        if not low - slack <= t <= high + slack:
            raise ValueError(f"{t:g} is not in the results: they go from {low:g} to {high:g}")
        rows.append(int(np.argmin(np.abs(time - t))))
    return rows


def states_table(results, rod, places, rows, time_name):
    """(header, lines) of numbers: one line a row and place."""
    states = section_states(results, rod, places, slice(None))
    header = [time_name, "s (m)", "X (m)", "Y (m)", "angle (rad)", "N (N)", "Q (N)", "M (N m)"]
    columns = [states.position[..., 0], states.position[..., 1], states.angle, states.axial_force,
               states.shear_force, states.bending_moment]
    if states.stress_left is not None:
        header += ["stress left (Pa)", "stress right (Pa)"]
        columns += [states.stress_left, states.stress_right]
    lines = [[float(states.time[row]), float(place), *(float(c[row, k]) for c in columns)]
             for row in rows for k, place in enumerate(states.places)]
    return header, lines


def envelope_table(results, rods, time_name):
    """(header, lines) of the extremes of rods: names and numbers."""
    header = ["rod", "quantity", "unit", "value", "s (m)", "share of the rod", time_name]
    lines = []
    for rod in rods:
        length = results.rods[rod].length
        lines += [[rod, _WORDS[e.quantity], _UNITS[e.quantity], e.value, e.place,
                   e.place / length, e.time] for e in rod_envelope(results, rod)]
    return header, lines


def as_csv(header, lines):
    """RFC 4180; numbers with all their digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([[cell if isinstance(cell, str) else repr(cell) for cell in line]
                      for line in lines])
    return out.getvalue()


def as_text(header, lines):
    """Aligned columns: names to the left, numbers to the right."""
    cells = [[cell if isinstance(cell, str) else f"{cell:.6g}" for cell in line] for line in lines]
    names = [bool(lines) and isinstance(lines[0][c], str) for c in range(len(header))]
    widths = [max(len(row[c]) for row in [header, *cells]) for c in range(len(header))]
    return "".join(
        "  ".join(cell.ljust(w) if name else cell.rjust(w)
                  for cell, w, name in zip(row, widths, names)).rstrip() + "\n"
        for row in [header, *cells])
