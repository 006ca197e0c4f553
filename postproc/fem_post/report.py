"""The summary of a run: gathered once, written as one HTML page or as plain text."""

import base64
import hashlib
import html
from dataclasses import dataclass, field
from time import time

import numpy as np

from fem_post.case_text import part
from fem_post.results import part_path
from fem_post.sections import rod_envelope

MOST_EVENTS = 20
MOST_ROWS = 12  # of a table of extremes

_STATUS = {
    "complete": "Complete, the run reached its end",
    "failed": "Failed, the solver could not go on",
    "interrupted": "Interrupted, the run can be resumed",
    "running": "Running, or killed",
}


@dataclass
class Table:
    """A table; columns named in `right` hold numbers."""

    title: str
    header: list
    rows: list
    note: str = ""
    right: frozenset = frozenset()


@dataclass
class Report:
    """What there is to say about a run."""

    title: str
    status: str          # complete, failed, interrupted or running
    status_text: str
    troubles: list       # of str: what a reader must not miss
    facts: list          # of (section, [(label, value)])
    tables: list = field(default_factory=list)


# Numbers in words

def amount(value, unit="", digits=4):
    """A number with its unit; a dash where the file does not say."""
    if value is None:
        return "–"
    text = f"{value:.{digits}g}"
    return f"{text} {unit}" if unit and unit != "1" else text


def whole(value):
    """A count with commas between thousands."""
    return "–" if value is None else f"{value:,}"


def plural(count, noun):
    if count == 1:
        return f"{whole(count)} {noun}"
    many = {"rigid body": "rigid bodies", "equilibrium": "equilibria"}.get(noun, f"{noun}s")
    return f"{whole(count)} {many}"


def duration(seconds):
    if seconds is None:
        return "–"
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(int(round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def file_sha256(path):
    """Of the file's bytes, in blocks."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


# Gathering

def make_report(results, not_finite=()):
    """Gather the report of a results file; `not_finite` is what Results.not_finite() found."""
    summary = results.summary
    text = _STATUS.get(summary.status, f"Status “{summary.status}”")
    if summary.status == "running":
        end = part(results.case, "analysis", "end")
        if results.analysis == "statics":
            text += f"; the results reach the load factor {summary.final_time:g}"
        else:
            where = f"the results reach t = {summary.final_time:g} s"
            text += f"; {where} of {end:g} s" if isinstance(end, (int, float)) else f"; {where}"
        text += f", last written {duration(time() - results.path.stat().st_mtime)} ago"
    if summary.reason:
        text += f": {summary.reason}"
    troubles = [*results.notes, *(str(n) for n in not_finite), *summary.warnings]
    if results.rows == 0:
        troubles.append("the file has no output time yet")
    report = Report(results.title, summary.status, text, troubles, _facts(results))
    tables = (_mode_table, _energy_table, _hinge_table, _moment_table, _stress_table,
              _support_table, _spring_table, _body_table, _event_table)
    report.tables = [t for make in tables if (t := make(results)) is not None]
    return report


def _facts(results):
    summary, rods = results.summary, results.rods
    named = len(results.named_points)
    mesh = len(results.points) - named
    elements = sum(rod.elements for rod in rods.values())
    energy_unit = results.unit("energy/balance", "J")
    relative = None
    if summary.worst_balance is not None and results.largest_energy:
        relative = summary.worst_balance / results.largest_energy
    balance = amount(summary.worst_balance, energy_unit, 3)
    if relative is not None:
        balance += f", {relative:.2g} of the largest energy"
    rejected = f" ({whole(summary.rejected_steps)} rejected)" if summary.rejected_steps else ""
    statics = results.analysis == "statics"
    others = [plural(count, noun) for count, noun in
              ((len(results.bodies), "rigid body"), (len(results.springs), "spring")) if count]
    facts = [
        ("Model", [
            ("Points", f"{plural(named, 'named point')}, {plural(mesh, 'mesh node')}"),
            ("Rods", f"{plural(len(rods), 'rod')}, {plural(elements, 'element')}"),
            ("Hinges, supports", f"{plural(len(results.hinges), 'hinge')}, "
                                 f"{plural(len(results.supports), 'support')}"),
            *([("Bodies, springs", ", ".join(others))] if others else []),
        ]),
        ("Run", [
            ("Load factor" if statics else "Final time",
             amount(summary.final_time, "" if statics else "s", 8)),
            ("Output", plural(results.rows, "equilibrium" if statics else "output time")),
            ("Steps", whole(summary.steps) + rejected),
            ("Evaluations", whole(summary.evaluations)),
            ("Wall time", duration(summary.wall_time)),
        ]),
        ("Trust", [
            ("Largest energy", amount(results.largest_energy, energy_unit)),
            ("Energy balance", f"worst {balance}"),
            ("Position violation",
             f"worst {amount(summary.worst_position_violation, 'm or rad', 3)}"),
            ("Velocity violation",
             f"worst {amount(summary.worst_velocity_violation, 'm/s or rad/s', 3)}"),
        ]),
        ("Origin", [
            ("Results", results.path.name),
            ("Results SHA-256", file_sha256(results.path) if results.closed
             else "still changing"),
            ("Case SHA-256", results.case_sha256),
            ("libfem", results.version),
        ]),
    ]
    return [f for f in facts if results.analysis != "modes" or f[0] in ("Model", "Origin")]


def _largest(values):
    """Index of the largest magnitude among the finite values; None without any."""
    finite = np.isfinite(values)
    if not finite.any():
        return None
    return np.unravel_index(int(np.argmax(np.where(finite, np.abs(values), -1.0))), values.shape)


def _cut(rows, noun):
    """(rows, note): the rows of the largest magnitude, first in each row, at most MOST_ROWS."""
    rows = [cells for _, cells in sorted(rows, key=lambda row: -row[0])]
    left = len(rows) - MOST_ROWS
    return rows[:MOST_ROWS], f"… and {plural(left, noun)} with less" if left > 0 else ""


def _hinge_table(results):
    """Largest transmitted and driving moments of the hinges."""
    found = []
    for name in results.hinges:
        cells, largest = [name], 0.0
        for quantity in ("moment", "drive_moment"):
            path = part_path("hinges", name, quantity)
            index = _largest(results.array(path)) if results.has(path) else None
            if index is None:
                cells += ["–", "–"]
                continue
            value = float(results.array(path)[index])
            largest = max(largest, abs(value))
            cells += [f"{value:.5g}", f"{results.time[index[0]]:.6g}"]
        found.append((largest, cells))
    if not found:
        return None
    unit = results.unit(part_path("hinges", results.hinges[0], "moment"), "N m")
    rows, note = _cut(found, "hinge")
    return Table("Largest hinge moments (of the output times)",
                 ["hinge", f"transmitted, {unit}", "at t, s", f"drive, {unit}", "at t, s"],
                 rows, note, frozenset(range(1, 5)))


def _place(results, rod, place):
    return f"{place:.4g} m ({place / results.rods[rod].length:.0%})"


def _moment_table(results):
    """Largest bending moments, axial and shear forces of the rods, anywhere along them."""
    found = []
    for name, extremes in _envelopes(results).items():
        cells = [name]
        for quantity in ("bending_moment", "axial_force", "shear_force"):
            e = extremes.get(quantity)
            cells += [f"{e.value:.5g}", f"{e.time:.6g}", _place(results, name, e.place)] \
                if e else ["–"] * 3
        moment = extremes.get("bending_moment")
        found.append((abs(moment.value) if moment else 0.0, cells))
    if not found:
        return None
    rows, note = _cut(found, "rod")
    at = "at λ" if results.analysis == "statics" else "at t, s"
    return Table("Largest section forces (over the rod and the output times)",
                 ["rod", "M, N m", at, "at s", "N, N", at, "at s", "Q, N", at, "at s"], rows, note,
                 frozenset((1, 2, 4, 5, 7, 8)))


def _stress_table(results):
    """Largest fibre stresses of the rods whose section has a height."""
    found = []
    for name, extremes in _envelopes(results).items():
        e = extremes.get("stress")
        if e:
            found.append((abs(e.value), [name, results.rods[name].section, f"{e.value / 1e6:.5g}",
                                         f"{e.time:.6g}", _place(results, name, e.place)]))
    if not found:
        return None
    rows, note = _cut(found, "rod")
    at = "at λ" if results.analysis == "statics" else "at t, s"
    return Table("Largest nominal fibre stresses (over the rod and the output times)",
                 ["rod", "section", "stress, MPa", at, "at s"], rows, note, frozenset((2, 3)))


def _envelopes(results):
    """rod → {quantity: Extreme}; found once. Rods of files without lengths are left out."""
    if not hasattr(results, "envelopes"):
        results.envelopes = {
            name: {e.quantity: e for e in rod_envelope(results, name)}
            for name, rod in results.rods.items()
            if rod.length is not None and results.rows
            and results.has(part_path("rods", name, "bending_moment"))}
    return results.envelopes


def _history_table(results, title, group, names, quantities, noun):
    """Largest magnitudes of quantities [(dataset, words, unit)] of objects, and when."""
    found = []
    for name in names:
        cells, largest = [name], 0.0
        for quantity, _, _ in quantities:
            path = part_path(group, name, quantity)
            values = results.array(path) if results.has(path) else np.empty((0,))
            size = np.linalg.norm(values, axis=-1) if values.ndim > 1 else values
            index = _largest(size) if size.size else None
            if index is None:
                cells += ["–", "–"]
                continue
            largest = max(largest, abs(float(size[index])))
            cells += [f"{size[index]:.5g}", f"{results.time[index[0]]:.6g}"]
        if any(cell != "–" for cell in cells[1:]):
            found.append((largest, cells))
    if not found:
        return None
    rows, note = _cut(found, noun)
    at = "at λ" if results.analysis == "statics" else "at t, s"
    header = [noun, *(cell for _, words, unit in quantities
                      for cell in (f"{words}, {unit}", at))]
    return Table(title, header, rows, note, frozenset(range(1, len(header))))


def _support_table(results):
    return _history_table(results, "Largest support reactions (of the output times)", "supports",
                          results.supports,
                          [("force", "force", "N"), ("moment", "moment", "N m")], "support")


def _spring_table(results):
    return _history_table(results, "Largest spring forces (of the output times)", "springs",
                          list(results.springs),
                          [("force", "force", "N"), ("length", "length", "m")], "spring")


def _body_table(results):
    """Attitude of rigid bodies."""
    found = []
    for name in results.bodies:
        path = part_path("bodies", name, "angle")
        if not results.has(path) or not results.rows:
            continue
        change = np.degrees(results.array(path) - results.array(path, [0])[0])
        rate = np.degrees(results.array(part_path("bodies", name, "rate")))
        index, fastest = _largest(change), _largest(rate)
        if index is None or fastest is None:
            continue
        found.append((abs(change[index]), [
            name, f"{change[index]:.5g}", f"{results.time[index[0]]:.6g}", f"{change[-1]:.5g}",
            f"{rate[fastest]:.5g}", f"{results.time[fastest[0]]:.6g}"]))
    if not found:
        return None
    rows, note = _cut(found, "body")
    return Table("Turn of rigid bodies from the start (of the output times)",
                 ["body", "largest, °", "at t, s", "at the end, °", "fastest, °/s", "at t, s"],
                 rows, note, frozenset(range(1, 6)))


_ENERGIES = {"kinetic": "kinetic", "strain": "strain", "springs": "springs, hinges",
             "hereditary": "stored in hereditary elements",
             "gravity": "gravity", "external_work": "work of loads",
             "rheonomic_work": "work of prescribed laws", "dissipated": "dissipated",
             "balance": "balance"}


def _energy_table(results):
    """The ledger: extremes and ends of what is not zero throughout."""
    rows = []
    for dataset, words in _ENERGIES.items():
        if not results.has(f"energy/{dataset}") or results.rows < 2:
            continue
        values = results.array(f"energy/{dataset}")
        index = _largest(values)
        if index is not None and values[index] != 0:
            rows.append([words, f"{values[0]:.5g}", f"{values[index]:.5g}",
                         f"{results.time[index[0]]:.6g}", f"{values[-1]:.5g}"])
    if not rows:
        return None
    at = "at λ" if results.analysis == "statics" else "at t, s"
    return Table("Energies and works, J", ["", "first", "largest", at, "last"], rows, "",
                 frozenset(range(1, 5)))


def _mode_table(results):
    if not results.modes:
        return None
    rows = [[str(k + 1), f"{m.frequency:.6g}", f"{m.angular_frequency:.6g}",
             f"{1 / m.frequency:.6g}" if m.frequency > 0 else "–", m.kind, m.description]
            for k, m in enumerate(results.modes)]
    left = len(rows) - MOST_EVENTS
    return Table("Modes", ["mode", "f, Hz", "ω, rad/s", "period, s", "kind", "what moves"],
                 rows[:MOST_EVENTS], f"… and {plural(left, 'more mode')}" if left > 0 else "",
                 frozenset(range(4)))


def _event_table(results):
    events = results.events
    if not events:
        return None
    left = len(events) - MOST_EVENTS
    return Table("Events", ["λ" if results.analysis == "statics" else "t, s", "object", "what"],
                 [[f"{e.time:.6g}", e.name, e.what] for e in events[:MOST_EVENTS]],
                 f"… and {plural(left, 'more event')}" if left > 0 else "", frozenset((0,)))


# Plain text

def as_text(report):
    """The report as lines for a console."""
    lines = [report.title, "=" * len(report.title), report.status_text]
    lines += [f"! {trouble}" for trouble in report.troubles]
    width = max(len(label) for _, facts in report.facts for label, _ in facts)
    for section, facts in report.facts:
        lines += ["", section]
        lines += [f"  {label.ljust(width)}  {value}" for label, value in facts]
    for table in report.tables:
        lines += ["", table.title]
        cells = [table.header, *table.rows]
        widths = [max(len(row[c]) for row in cells) for c in range(len(table.header))]
        for row in cells:
            padded = [cell.rjust(w) if c in table.right else cell.ljust(w)
                      for c, (cell, w) in enumerate(zip(row, widths))]
            lines.append("  " + "  ".join(padded).rstrip())
        if table.note:
            lines.append(f"  {table.note}")
    return "\n".join(lines) + "\n"


# HTML

_CSS = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
       color: #222; background: #fff; max-width: 62rem; margin: 2.5rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .6rem; }
h2 { font-size: 1.02rem; margin: 2rem 0 .5rem; }
.status { border-left: 4px solid #009E73; padding: .3rem .8rem; margin: 0 0 1rem; }
.status.failed { border-color: #D55E00; }
.status.interrupted, .status.running { border-color: #E69F00; }
.troubles { border-left: 4px solid #D55E00; padding: .3rem .8rem; margin: 0 0 1rem;
            list-style: none; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr));
         gap: 0 2.5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; }
dt { color: #666; }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.hash { font: .78rem/1.6 ui-monospace, "DejaVu Sans Mono", monospace; }
figure { margin: 1.2rem 0 0; break-inside: avoid; }
img { display: block; max-width: 100%; max-height: 54rem; margin: 0 auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: #666; border-bottom: 1px solid #999; }
th, td { padding: .22rem 1.2rem .22rem 0; vertical-align: top; }
td { border-bottom: 1px solid #e5e5e5; }
th.n, td.n { text-align: right; white-space: nowrap; }
tr { break-inside: avoid; }
.note { color: #666; margin: .4rem 0 0; }
footer { color: #888; font-size: .8rem; margin-top: 2.5rem; }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 10pt; }
               h2 { break-after: avoid; margin-top: 5mm; } img { max-height: 104mm; }
               @page { margin: 16mm; } }
"""


def as_html(report, pictures):
    """The report as one self-contained page; pictures: [(title, PNG bytes)]."""
    esc = html.escape
    out = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8">',
           '<meta name="viewport" content="width=device-width, initial-scale=1">',
           f"<title>{esc(report.title)}</title><style>{_CSS}</style></head><body>",
           f"<h1>{esc(report.title)}</h1>",
           f'<p class="status {esc(report.status)}">{esc(report.status_text)}</p>']
    if report.troubles:
        items = "".join(f"<li>{esc(trouble)}</li>" for trouble in report.troubles)
        out.append(f'<ul class="troubles">{items}</ul>')
    out.append('<div class="facts">')
    for section, facts in report.facts:
        rows = "".join(
            f'<dt>{esc(label)}</dt><dd{" class=hash" if "SHA" in label else ""}>{esc(value)}</dd>'
            for label, value in facts)
        out.append(f"<section><h2>{esc(section)}</h2><dl>{rows}</dl></section>")
    out.append("</div>")
    for title, png in pictures:
        data = base64.b64encode(png).decode("ascii")
        out.append(f"<figure><h2>{esc(title)}</h2>"
                   f'<img alt="{esc(title)}" src="data:image/png;base64,{data}"></figure>')
    for table in report.tables:
        out.append(f"<section><h2>{esc(table.title)}</h2>{_html_table(table)}</section>")
    out.append("<footer>Written by fem-post, the post-processing of libfem.</footer>")
    out.append("</body></html>")
    return "\n".join(out) + "\n"


def _html_table(table):
    def row(cells, tag):
        return "<tr>" + "".join(
            f'<{tag}{" class=n" if c in table.right else ""}>{html.escape(cell)}</{tag}>'
            for c, cell in enumerate(cells)) + "</tr>"

    body = "".join(row(cells, "td") for cells in table.rows)
    note = f'<p class="note">{html.escape(table.note)}</p>' if table.note else ""
    return (f'<div class="scroll"><table><thead>{row(table.header, "th")}</thead>'
            f"<tbody>{body}</tbody></table></div>{note}")
