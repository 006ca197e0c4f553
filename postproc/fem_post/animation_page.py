"""A run as one HTML page that plays it: no network, no other file.

The page holds the places of the nodes and what the elements' shapes need, not drawn lines: a
browser draws rods with the same interpolation as sections.py, at any zoom, and any point of a rod
tells its place. Displacements are held as such, so that they keep their figures however small they
are beside the structure.
"""

import base64
import html
import json
from pathlib import Path

import numpy as np

from fem_post.case_text import part
from fem_post.frames import choose_frames
from fem_post.results import part_path
from fem_post.sections import element_form
from fem_post.structure import Structure

MOST_FRAMES = 600
_MOST_BYTES = 24_000_000  # of the numbers of a page; longer runs of large models get less frames
_WEB = Path(__file__).resolve().parent / "web"


def packed(values, kind):
    """Numbers as text: little-endian, in the order of C, base64."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode()


def _most_frames(results):
    """How many frames of the results fit into a page."""
    elements = sum(rod.elements for rod in results.rods.values())
    each = 8 * (len(results.points) + elements) + 16 * (len(results.bodies) + len(results.hinges))
    return int(np.clip(_MOST_BYTES / max(each, 1), 2, MOST_FRAMES))


def page_data(results, frames, seconds):
    """What the page is told: a dict of names, numbers and packed arrays."""
    rows = frames.rows
    structure = Structure(results, rows)
    position = results.array("points/position", rows)[..., :2]
    start = position[0]
    index = {name: i for i, name in enumerate(results.points)}
    statics = results.analysis == "statics"
    times = results.time[rows]
    named = set(results.named_points)
    bounds = structure.bounds(slice(None)) or (0.0, 0.0, 1.0, 1.0)
    border = 0.04 * max(bounds[2] - bounds[0], bounds[3] - bounds[1]) or 0.5
    hinges = [_hinge(results, name, index, structure, rows) for name in results.hinges]
    return {
        "unit": results.unit("points/position", "m"),
        "timeName": "load factor" if statics else "time",
        "timeSign": "load factor" if statics else "t",
        "timeUnit": "" if statics else "s",
        "decimals": _decimals(times),
        "seconds": seconds,
        "bounds": [bounds[0] - border, bounds[1] - border, bounds[2] + border, bounds[3] + border],
        "times": times.tolist(),
        "clock": frames.clock.tolist(),
        "points": [{"name": name, "named": i in named} for i, name in enumerate(results.points)],
        "start": packed(start, "<f8"),
        "moved": packed(position - start, "<f4"),
        "rods": [_rod(results, name, position, rows) for name in results.rods],
        "hinges": [hinge for hinge in hinges if hinge],
        "bodies": [_body(results, body, rows) for body in structure.bodies],
        "springs": [{"name": name, "points": ends.tolist()}
                    for name, ends in results.springs.items()],
        "supports": [{"point": point, "angle": angle}
                     for point, angle in structure.supports.items()],
        "particles": structure.particles,
        "dots": structure.ends + structure.loose,
        "followed": sorted({*structure.ends, *structure.loose, *structure.particles}),
        "labelled": structure.labelled,
        "events": _events(results, frames),
    }


def _decimals(times):
    """Decimals of times so that two frames differ in them."""
    steps = np.diff(times)
    steps = np.abs(steps[steps != 0])
    return int(np.clip(np.ceil(-np.log10(np.median(steps))) + 1, 0, 12)) if len(steps) else 3


def _rod(results, name, position, rows):
    """A rod's mesh, and the angles of its end sections from the chords of its elements."""
    rod = results.rods[name]
    angle = results.array(part_path("rods", name, "angle"), rows)
    begin, end = position[:, rod.nodes[:-1]], position[:, rod.nodes[1:]]
    length = rod.length if rod.length is not None else \
        float(np.nansum(np.linalg.norm(end[0] - begin[0], axis=-1))) or 1.0
    form = element_form(begin, end, angle[..., 0], angle[..., 1], length / rod.elements, rod.alpha)
    return {"name": name, "nodes": rod.nodes.tolist(), "length": length, "alpha": rod.alpha,
            "theta": packed(np.stack([form.theta0, form.theta1], axis=-1), "<f4")}


def _history(results, path, rows):
    return results.array(path, rows) if results.has(path) else np.zeros(len(rows))


def _hinge(results, name, index, structure, rows):
    """A hinge's place, state and angle; None where the file does not say its point."""
    point = index.get(part(results.case, "hinges", name, "at"))
    if point is None:
        return None
    return {"name": name, "point": point, "sprung": point in structure.sprung,
            "state": packed(_history(results, part_path("hinges", name, "state"), rows), "u1"),
            "angle": packed(_history(results, part_path("hinges", name, "angle"), rows), "<f8")}


def _body(results, body, rows):
    angle = _history(results, part_path("bodies", body.name, "angle"), rows)
    center = np.empty(0) if body.center is None else body.center
    return {"name": body.name, "points": list(body.points), "angle": packed(angle, "<f8"),
            "center": packed(center, "<f8")}


def _events(results, frames):
    """Events with their place on the clock; of statics none: load factors repeat along a path."""
    if results.analysis == "statics" or len(frames.rows) < 2:
        return []
    times = results.time[frames.rows]
    return [{"clock": float(np.interp(e.time, times, frames.clock)), "name": e.name,
             "what": e.what} for e in results.events if np.isfinite(e.time)]


def animation_page(results, title, seconds=10.0):
    """The page, as text. `seconds`: how long the run plays at speed × 1."""
    frames = choose_frames(results, _most_frames(results))
    data = json.dumps(page_data(results, frames, seconds), ensure_ascii=False, allow_nan=False,
                      separators=(",", ":")).replace("<", "\\u003c")
    if results.analysis == "statics":
        hint = "Speed × 1 goes along the path of equilibria"
    else:
        whole = float(results.time[frames.rows[-1]] - results.time[frames.rows[0]])
        hint = f"At speed × 1 a second shows {whole / seconds:.3g} s of the run: all of it"
    hint += f" in {seconds:g} s. Grey: the start; orange: paths of points."
    page = (_WEB / "animation.html").read_text(encoding="utf-8")
    script = (_WEB / "animation.js").read_text(encoding="utf-8")
    for key, text in (("@TITLE@", html.escape(title)), ("@HINT@", html.escape(hint)),
                      ("@SCRIPT@", script), ("@DATA@", data)):
        page = page.replace(key, text)
    return page
