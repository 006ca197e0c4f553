"""Equilibria: elastica, roll-up, a thick cantilever, Lee's frame, buckling."""

import math

import numpy as np

import drawing as d
from problem import Problem, Row, borrowed, regression_tests

tests = regression_tests("test_statics")
BUCKLING, ELASTICA, LEE, THICK = tests.BUCKLING, tests.ELASTICA, tests.LEE, tests.THICK
REFERENCE, Statics = tests.REFERENCE, tests.Statics


def nodes_of(r, rod, first, last):
    """The rod's line of nodes in the last row."""
    count = sum(name.startswith(rod + "/") for name in r["point"])
    return np.array([r["point"][name][-1] for name in d.rod_nodes(rod, first, last, count + 1)])


def elastica():
    rows, lines, errors = [], {}, {}
    with borrowed(Statics) as test:
        for load, (down, back, slope) in ELASTICA.items():
            errors[load] = {}
            for elements in (2, 4, 8, 16, 32):
                r = test.solve(f"elastica_{load}", elements)
                tip = r["point"]["tip"][-1]
                errors[load][elements] = math.hypot(-tip[1] - down, 1 - tip[0] - back)
                if elements == 16:
                    lines[load] = nodes_of(r, "rod", "root", "tip")
                    at = f"PL²/EI = {load}"
                    # The fourth power of the element's length: the independent program's table.
                    demanded = 1.05 * REFERENCE["bisshopp_drucker"]["position_error"][
                        str(load)]["16"] + 1e-8 * load
                    rows += [Row("deflection / L", at, -tip[1], down, demanded),
                             Row("shortening / L", at, 1 - tip[0], back, demanded),
                             Row("slope", at, -r["angle"]["rod"][-1, -1, 1], slope, 1e-6 * load,
                                 "rad")]

    def draw(figure):
        left, right = d.panels(figure)
        for (load, line), color in zip(lines.items(), d.COLOURS):
            left.plot(*line.T, color=color, label=f"PL²/EI = {load}")
            d.convergence(right, list(errors[load]), list(errors[load].values()), -4,
                          f"PL²/EI = {load}", color)
        exact = np.array([(1 - back, -down) for down, back, _ in ELASTICA.values()])
        d.marks(left, *exact.T, "exact tip")
        d.plane(left, "L")
        d.legend(left)
        right.set_ylabel("error of the tip (L)")
        d.elements_axis(right, list(errors[1]))
        d.legend(right)
        d.finish(figure)

    return Problem(
        "Elastica: a cantilever under a dead transverse force",
        "Bisshopp & Drucker 1945, Quart. Appl. Math. 3",
        "exact elliptic integrals of the inextensible rod, 12 digits",
        [f"benchmarks/elastica_{load}.json" for load in ELASTICA],
        "16 elements; EA = GAs = 1e8 EI/L²", rows,
        "Left: the equilibria and the exact tips. Right: the error of the tip falls with the "
        "fourth power of the element's length. An independent program of the same element has "
        "these errors to three digits (`tests/regression/rods_reference.json`).", draw)


def roll_up():
    rows, lines, errors = [], {}, {}
    with borrowed(Statics) as test:
        for turns in (1, 2, 4):
            r = test.solve(f"roll_up_{turns}", 32)
            angle = turns * math.pi
            tip = r["point"]["tip"][-1]
            at = f"M = {turns}π EI/L"
            rows += [Row("tip X / L", at, tip[0], 0.0, 1e-7),
                     Row("tip Y / L", at, tip[1], turns % 2 * 2 / math.pi, 1e-7),
                     Row("angle", at, r["angle"]["rod"][-1, -1, 1], angle, 1e-9, "rad")]
            lines[turns] = nodes_of(r, "rod", "root", "tip")
        for elements in (2, 4, 8, 16, 32):
            tip = test.solve("roll_up_1", elements)["point"]["tip"][-1]
            errors[elements] = abs(tip[1] - 2 / math.pi)

    def draw(figure):
        left, right = d.panels(figure)
        for (turns, line), color in zip(lines.items(), d.COLOURS):
            left.plot(*line.T, color=color, marker=".", markersize=4, label=f"M = {turns}π EI/L")
        d.plane(left, "L")
        d.legend(left)
        d.convergence(right, list(errors), list(errors.values()), -4, "M = π EI/L")
        right.set_ylabel("error of the tip's Y (L)")
        d.legend(right)
        d.elements_axis(right, list(errors))
        d.finish(figure)

    return Problem(
        "Roll-up by a moment at the tip", "textbook; two whole turns without a ramp of the load",
        "exact circle of the length L", [f"benchmarks/roll_up_{n}.json" for n in (1, 2, 4)],
        "32 elements; EA = GAs = 1e8 EI/L²", rows,
        "Left: half a turn, one and two whole turns (nodes marked). Right: pure bending is exact "
        "in the angle; places converge with order 4.", draw)


def thick_cantilever():
    names = (("u, along", "m"), ("v, across", "m"), ("angle", "rad"))
    with borrowed(Statics) as test:
        tips, line = {}, None
        for elements in (4, 8, 16, 32, 64, 128):
            r = test.solve("thick_cantilever", elements)
            tips[elements] = np.array([*(r["point"]["tip"][-1] - [5, 0]),
                                       r["angle"]["rod"][-1, -1, 1]])
            if elements == 32:
                line = nodes_of(r, "rod", "root", "tip")
    limit = tips[128] + (tips[128] - tips[64]) / 3
    rows = [Row(name, "32 elements", ours, exact, 4e-6, unit)
            for (name, unit), ours, exact in zip(names, tips[32], THICK)]
    rows += [Row(name, "limit of fine meshes", ours, exact, 4e-6, unit)
             for (name, unit), ours, exact in zip(names, limit, THICK)]
    sizes = list(tips)[:-1]

    def draw(figure):
        left, right = d.panels(figure)
        left.plot([0, 5], [0, 0], color=d.GREY, linestyle="--", label="without load")
        left.plot(*line.T, color=d.BLUE, label="F = 6e5 N")
        d.marks(left, 5 + THICK[0], THICK[1], "reference tip")
        d.plane(left)
        d.legend(left)
        for k, (name, unit) in enumerate(names):
            d.convergence(right, sizes, [abs(tips[n] - limit)[k] for n in sizes], -2,
                          f"{name} ({unit})", d.COLOURS[k], marker="osv"[k])
        right.set_ylabel("distance from the limit (m, rad)")
        d.legend(right)
        d.elements_axis(right, sizes)
        d.finish(figure)

    return Problem(
        "Thick cantilever under a dead force",
        "Simpson & Palacios, AIAA 2013-1634 (published: −2.159 m, 0.596 m, 0.6720 rad)",
        "a geometrically exact rod, converged to 1e-9 m", ["benchmarks/thick_cantilever.json"],
        "32 elements, and the limit of 64 and 128", rows,
        "The element converges to a limit of its own, 3e-6 m from the geometrically exact rod: its "
        "normal force acts along the axis (Engesser's assumption), not across the section. Right: "
        "the way to that limit.", draw)


def lee_frame():
    def mesh(case):
        for rod, parts in (("column", 5), ("near", 1), ("far", 4)):
            case["rods"][rod]["elements"] = parts * 16

    with borrowed(Statics) as test:
        r = test.solve("lee_frame", change=mesh)
    load = 20000 * r["load"]
    u, v = (r["point"]["P"] - [24, 120]).T
    names = ("largest load", "first turning point of v", "smallest load")
    rows = []
    for name, (limit, at_u, at_v) in zip(names, LEE):
        k = int(np.argmin(abs(load - limit) + 1e3 * abs(-v - at_v)))
        rows.append(Row("P", name, load[k], limit, 2e-3))
        if np.isfinite(at_u):
            rows.append(Row("u", name, u[k], at_u, 1e-4))
        rows.append(Row("v", name, -v[k], at_v, 1e-4))

    def draw(figure):
        left, right = d.panels(figure)
        left.plot(-v, load, color=d.BLUE, label="v, down")
        left.plot(u, load, color=d.VERMILION, label="u, along")
        d.marks(left, LEE[:, 2], LEE[:, 0])
        d.marks(left, LEE[:, 1], LEE[:, 0], None)
        left.set_xlabel("displacement at the load")
        left.set_ylabel("load P")
        d.legend(left)
        for k, color in zip(np.linspace(0, len(load) - 1, 6).astype(int), d.COLOURS):
            points = {name: at[k] for name, at in r["point"].items()}
            line = [points["A"], *(points[f"column/{i}"] for i in range(1, 80)), points["corner"],
                    *(points[f"near/{i}"] for i in range(1, 16)), points["P"],
                    *(points[f"far/{i}"] for i in range(1, 64)), points["C"]]
            right.plot(*np.array(line).T, color=color, label=f"P = {load[k]:.0f}")
        d.plane(right, "length")
        d.legend(right, 3)
        d.finish(figure)

    return Problem(
        "Lee's frame: snap-through and snap-back", "Lee, Manuel & Rossow 1968",
        "converged path of an independent program, 7 digits", ["benchmarks/lee_frame.json"],
        "80 elements a bar; path by arc length, rows nearest to the points", rows,
        "Without units, as published: bars of 120, EI = 1.44e7. Left: the load over the "
        "displacements of its point, limit points as circles. Right: configurations along the "
        "path.", draw)


def buckling():
    rows, ratio = [], {}
    with borrowed(Statics) as test:
        for name, key, shear in BUCKLING:
            load = {n: dict(test.solve(name, n)["events"])["bifurcation"] for n in (4, 8, 16, 32)}
            expected = REFERENCE["engesser_buckling"][key]
            at = f"GAs = {shear} EI/L²"
            rows += [Row("P / P_Euler, same element", at + ", 32 elements", load[32],
                         expected["paper_ne32"], 1e-6),
                     Row("P / P_Euler, Engesser", at + ", limit", load[32] + (load[32] - load[16])
                         / 3, 1 / (1 + math.pi**2 / 4 / shear), 1e-6)]
            ratio[at] = load
        weight = dict(test.solve("buckling_own_weight")["events"])["bifurcation"]
    rows.append(Row("q L³/EI under its own weight", "Greenhill", 10 * weight, 7.837347, 2e-5))

    def draw(figure):
        axes, = d.panels(figure, 1)
        for (at, load), color, (_, _, shear) in zip(ratio.items(), d.COLOURS, BUCKLING):
            exact = 1 / (1 + math.pi**2 / 4 / shear)
            d.convergence(axes, list(load), [abs(p - exact) for p in load.values()], -2, at, color)
        axes.set_ylabel("P / P_Euler − Engesser's")
        d.elements_axis(axes, (4, 8, 16, 32))
        d.legend(axes)
        d.finish(figure)

    return Problem(
        "Buckling of columns that are soft in shear, and of a heavy mast",
        "Engesser 1889; Greenhill 1881",
        "closed forms; an independent program of the same element, 6 digits",
        ["benchmarks/buckling_shear_soft.json", "benchmarks/buckling_shear_stiff.json",
         "benchmarks/buckling_own_weight.json"],
        "16 and 32 elements; bifurcation of the straight path", rows,
        "Loads over Euler's. Haringx's column, whose shear force acts across the section, would "
        "carry 0.734 and 0.917: the element has Engesser's assumption.", draw, (5.2, 3.4))


PROBLEMS = [elastica, roll_up, thick_cantilever, lee_frame, buckling]
