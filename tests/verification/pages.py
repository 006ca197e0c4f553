"""The manual's pages: an index of all problems, and a page a chapter with tables and pictures."""

import math
import pathlib
from io import BytesIO

import numpy as np
from PIL import Image

from fem_post.style import new_figure, rendered, styled
from problem import ROOT

INDEX = "README.md"


def number(value, digits=12):
    """A value with its digits, a true minus and no trailing zeros."""
    if value == 0:
        return "0"
    if abs(value) < 1e-14:
        digits = 1  # rounding
    return f"{float(value):.{digits}g}".replace("-", "−")


def digits(row):
    """As many as show the difference, and two more; the reference has no more than 12."""
    if row.difference == 0 or row.ours == 0:
        return 12
    relative = abs(row.ours - row.theirs) / abs(row.ours)
    return min(12, max(6, math.ceil(-math.log10(relative)) + 2))


def short(value):
    return "0" if value == 0 else f"{value:.1e}".replace("-", "−")


def verdict(row):
    return "–" if row.demanded is None else short(row.demanded)


def table(rows):
    lines = ["| quantity | at | ours | reference | difference | demanded |",
             "|---|---|---|---|---|---|"]
    for row in rows:
        unit = f", {row.unit}" if row.unit else ""
        relative = " (relative)" if row.scale != 1.0 else ""
        lines.append(f"| {row.what}{unit} | {row.at} | {number(row.ours, digits(row))} | "
                     f"{number(row.theirs, digits(row))} | {short(row.difference)}{relative} | "
                     f"{verdict(row)} |")
    return lines


def link(case):
    return f"[{case}](../../cases/{case})"


def section(name, problem):
    """The lines of a problem."""
    lines = [f"## {problem.title}", "", f"- Source: {problem.source}",
             f"- Compared with: {problem.reference}",
             f"- Case: {', '.join(link(case) for case in problem.cases)}",
             f"- Mesh and steps: {problem.settings}", ""]
    if problem.text:
        lines += [problem.text, ""]
    if not problem.holds():
        lines += ["**Not within what is demanded.**", ""]
    return lines + [*table(problem.rows), "", f"![{problem.title}](images/{name}.png)", ""]


def picture(problem):
    """The picture as a small PNG, without a time stamp: 255 colours that cover all of its own."""
    with styled():
        figure = new_figure(*problem.size)
        problem.draw(figure)
        image = Image.open(BytesIO(rendered(figure, dpi=120))).convert("RGB")
    small = image.quantize(255, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    shift = np.abs(np.asarray(small.convert("RGB")).astype(int) - np.asarray(image).astype(int))
    assert shift.max() <= 16, "colours of lines have changed"
    file = BytesIO()
    small.save(file, "PNG", optimize=True)
    return file.getvalue()


def write_pictures(folder, problems):
    images = pathlib.Path(folder) / "images"
    images.mkdir(parents=True, exist_ok=True)
    for name, problem in problems.items():
        (images / f"{name}.png").write_bytes(picture(problem))


def chapter_page(title, about, problems):
    lines = [f"# Verification: {title}", "", about, ""]
    for name, problem in problems.items():
        lines += section(name, problem)
    return "\n".join(lines).rstrip() + "\n"


def anchor(title):
    """The anchor of a heading, as MkDocs makes it."""
    kept = "".join(c for c in title.lower() if c.isascii() and (c.isalnum() or c in " -_"))
    return "-".join(kept.split())


def index_page(chapters, problems):
    """All problems, each with the row that comes nearest to what is demanded of it."""
    count = sum(len(p.rows) for p in problems.values())
    failed = [p.title for p in problems.values() if not p.holds()]
    lines = [
        "# Verification manual", "",
        f"{len(problems)} problems, {count} numbers: ours, theirs, how far apart, with a picture "
        "each. Everything here is computed and written by one command,", "",
        "```", "scripts/verification", "```", "",
        "and what is demanded comes from an estimate of the error of mesh and steps, or is the "
        "accuracy that the reference states. What the numbers mean, and what is tested besides: "
        "[verification.md](../verification.md). Units are SI where nothing else is said; marked "
        "differences are relative to the largest value of the quantity.", "",
        f"**Not within what is demanded: {'; '.join(failed)}.**" if failed else "All of it holds.",
        ""]
    for file, (title, about, names) in chapters.items():
        lines += [f"## [{title}]({file})", "", about, "",
                  "| problem | compared numbers | nearest to its limit | difference | demanded |",
                  "|---|---|---|---|---|"]
        for name in names:
            problem = problems[name]
            row = problem.worst()
            place = f"{row.what}{', ' + row.at if row.at else ''}"
            lines.append(f"| [{problem.title}]({file}#{anchor(problem.title)}) "
                         f"| {len(problem.rows)} | {place} | {short(row.difference)} "
                         f"| {verdict(row)} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def default_folder():
    return ROOT / "docs/verification"
