"""A comparison in words: a table for people, JSON for programs."""

import json
import math
from dataclasses import asdict

from fem_post.section_table import as_text as aligned

_FOUND = ("quantity", "largest difference", "relative", "first", "second", "where", "at",
          "beyond from")


def as_table(comparison, every=False):
    """The comparison as lines; `every`: also quantities that do not differ at all."""
    c = comparison
    lines = [f"first   {c.first}", f"second  {c.second}"]
    unit = " s" if c.time_name.startswith("t") else ""
    times = "1 time" if c.times == 1 else f"{c.times} times"
    words = "none interpolated" if not c.interpolated else f"{c.interpolated} of them interpolated"
    what = times if unit else times.replace("time", "load factor")
    lines.append(f"compared at {what} from {c.begin:g} to {c.end:g}{unit}, {words}")
    shown = sorted((d for d in c.differences if every or d.largest > 0),
                   key=lambda d: (d.within, -d.relative))
    if shown:
        columns = [name for name in _FOUND if name != "beyond from" or not c.within]
        rows = [[_cell(d, column, unit) for column in columns] for d in shown]
        lines += ["", aligned(columns, rows).rstrip("\n")]
    same = sum(d.largest == 0 for d in c.differences)
    if same:
        lines.append(f"{same} {'quantity is' if same == 1 else 'quantities are'} the same in every "
                     "digit")
    doubtful = [d.quantity for d in shown if 0 < d.largest <= 2 * d.interpolation]
    if doubtful:
        lines.append("no more than interpolation between output times may make: "
                     + ", ".join(doubtful))
    lines += [f"! {words}" for words in c.lacking] + [f"note: {words}" for words in c.notes]
    beyond = sum(not d.within for d in c.differences)
    if beyond:
        lines.append(f"DIFFERENT: {beyond} of {len(c.differences)} quantities are beyond the "
                     "tolerance")
    elif not c.within:
        lines.append("DIFFERENT: what both have agrees, but one has what the other has not")
    else:
        lines.append("the runs agree within the tolerance")
    return "\n".join(lines) + "\n"


def _cell(difference, column, unit):
    d = difference
    if column == "quantity":
        return d.quantity if d.within else f"{d.quantity} *"
    if column == "largest difference":
        return f"{d.largest:.3g} {d.unit}".rstrip(" 1") if d.unit == "1" else \
            f"{d.largest:.3g} {d.unit}".rstrip()
    if column == "relative":
        return f"{d.relative:.2g}"
    if column in ("first", "second"):
        return f"{getattr(d, column):.9g}" if d.largest else ""
    if column == "where":
        return d.where
    if column == "at":
        return "" if math.isnan(d.when) else f"{d.when:.6g}{unit}"
    return "" if d.beyond_from is None else f"{d.beyond_from:.6g}{unit}"


def as_json(comparison):
    """All of it, one object; numbers that are not finite are null."""
    whole = asdict(comparison)
    whole["differences"] = [{**asdict(d), "within": d.within} for d in comparison.differences]
    whole["within"] = comparison.within
    return json.dumps(_finite(whole), ensure_ascii=False, indent=1) + "\n"


def _finite(value):
    if isinstance(value, dict):
        return {key: _finite(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
